//! `nulls_left_out`: conditions that are never true for null, or never true because of one.

use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};

use super::asked::Asked;
use super::conditions::collect_counting_conditions;
use super::findings::{Finding, Need, Probe, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use super::{example, sample};
use crate::analyser::Analyser;
use crate::expressions::{as_number_literal, as_text_literal, split_conjuncts};
use crate::parse::find_expr_bytes;
use crate::reads::resolve_place_origin;
use crate::request::SqlColumn;
use crate::scope::{ExprType, Place, ROW_ID, resolve_place};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::queries::BLANKS;

/// Reports conditions of WHERE, such as `STATUS <> 'paid'`, that leave out rows in which the column is null.
pub fn check_nulls(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    for condition in scene.select.selection.iter().flat_map(split_conjuncts) {
        found.extend(check_condition(analyser, scene, condition));
    }
    for counted in collect_counting_conditions(scene) {
        found.extend(split_conjuncts(&counted).into_iter().filter_map(|part| check_condition(analyser, scene, part)));
    }
}

/// Reports a condition that is meant to keep all rows but some.
fn check_condition(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, condition: &Expr) -> Option<Finding> {
    let (subject, excluded) = split_exclusion(condition)?;
    let place = resolve_place(&analyser.frames, subject).filter(|place| place.1 != ROW_ID)?;
    let column = example::find_request_column(analyser, place)?;
    let relation = analyser.frames.last()?.relations.get(place.0)?;
    if !column.nullable || relation.outer || relation.table.is_none() || is_handled(analyser, column.name) {
        return None;
    }
    // Other conditions can exclude nulls anyway.
    let others =
        scene.select.selection.iter().flat_map(split_conjuncts).filter(|other| !std::ptr::eq(*other, condition));
    if others.into_iter().any(|other| is_rejecting_null(analyser, other, place)) {
        return None;
    }
    let bytes = find_expr_bytes(analyser.query.tokens, condition)?;
    let text = analyser.query.slice_text(bytes);
    let subject = find_expr_bytes(analyser.query.tokens, subject).map(|bytes| analyser.query.slice_text(bytes))?;
    let name = column.name;
    let said = Diagnostic::new(
        Code::NULLS_LEFT_OUT,
        format!("`{text}` leaves out rows in which `{name}` is null, and the prompt does not say so"),
        analyser.query.to_span(bytes),
        "not true for null",
    );
    let said = label_blank(analyser, said, column)
        .note(format!("a row with {name} null is not counted, although its {name} is not {excluded}"))
        .help(format!(
            "to keep these rows, write `({text} OR {subject} IS NULL)`; to leave them out, state it in the prompt"
        ));
    let heard = ReportCondition::Asked(Asked::Without(BLANKS));
    let probe = build_null_probe(analyser, place);
    let reading = Reading::new("the nulls kept", [(bytes, format!("({text} OR {subject} IS NULL)"))]);
    let found = Finding::new_if(heard, said).with_needs(build_need(analyser, place)).with_probe(probe);
    Some(found.with_reading(reading))
}

/// The value that must differ, and what it must differ from.
fn split_exclusion(condition: &Expr) -> Option<(&Expr, String)> {
    // A comparison with NULL is told as one that is never true.
    let is_constant = |expr: &Expr| matches!(expr, Expr::Value(value) if value.value != sqlparser::ast::Value::Null);
    let is_value = |expr: &Expr| is_constant(expr) || as_number_literal::<f64>(expr).is_some();
    let quote = |expr: &Expr| match as_text_literal(expr) {
        Some(text) => format!("'{text}'"),
        None => expr.to_string(),
    };
    match condition {
        Expr::BinaryOp { left, op: BinaryOperator::NotEq, right } if is_value(right) => Some((left, quote(right))),
        Expr::BinaryOp { left, op: BinaryOperator::NotEq, right } if is_value(left) => Some((right, quote(left))),
        Expr::InList { expr, list, negated: true } if !list.is_empty() && list.iter().all(is_value) => {
            Some((expr, "in the list".to_owned()))
        }
        Expr::InSubquery { expr, negated: true, .. } => Some((expr, "in the result of the subquery".to_owned())),
        Expr::Like { expr, pattern, negated: true, .. } => Some((expr, format!("like {}", quote(pattern)))),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
            let mut inner = expr.as_ref();
            while let Expr::Nested(nested) = inner {
                inner = nested;
            }
            match inner {
                Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if is_value(right) => Some((left, quote(right))),
                Expr::Like { expr, pattern, negated: false, .. } => Some((expr, format!("like {}", quote(pattern)))),
                Expr::InList { expr, list, negated: false } if list.iter().all(is_value) => {
                    Some((expr, "in the list".to_owned()))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether the query itself deals with nulls of a column: it tests it, or replaces them.
fn is_handled(analyser: &Analyser<'_>, name: &str) -> bool {
    let tokens = analyser.query.tokens;
    tokens.iter().enumerate().any(|(at, token)| {
        let next = |offset: usize| tokens.get(at + offset);
        let tested = token.is_named(name)
            && (next(1).is_some_and(|next| next.is_any("IS ISNULL NOTNULL"))
                || next(1).is_some_and(|next| next.is_keyword("NOT"))
                    && next(2).is_some_and(|next| next.is_keyword("NULL")));
        tested || token.is_any("COALESCE IFNULL NULLIF IIF")
    })
}

/// Whether a condition that is not an exclusion excludes nulls of a column, too.
pub(super) fn is_rejecting_null(analyser: &Analyser<'_>, condition: &Expr, place: Place) -> bool {
    let is_column = |expr: &Expr| resolve_place(&analyser.frames, expr) == Some(place);
    match condition {
        Expr::BinaryOp { left, op, right } => {
            crate::expressions::is_comparison(op)
                && *op != BinaryOperator::NotEq
                && (is_column(left) || is_column(right))
        }
        Expr::Between { expr, .. }
        | Expr::Like { expr, negated: false, .. }
        | Expr::InList { expr, negated: false, .. } => is_column(expr),
        _ => false,
    }
}

pub(super) fn label_blank(analyser: &Analyser<'_>, said: Diagnostic, column: &SqlColumn<'_>) -> Diagnostic {
    if column.span == analyser.query.whole_span() { said } else { said.label(column.span, "can be null") }
}

fn build_need(analyser: &Analyser<'_>, place: Place) -> Option<Need> {
    match resolve_place_origin(analyser, place).as_slice() {
        [(relation, Some(column))] => Some(Need::Nullable(*relation, *column)),
        _ => None,
    }
}

/// A query for a row in which a column is null.
fn build_null_probe(analyser: &Analyser<'_>, place: Place) -> Option<Probe> {
    let table = analyser.frames.last()?.relations.get(place.0)?.find_table(analyser.query.request)?;
    let column = table.columns.get(place.1)?;
    build_column_probe(table.name, column.name)
}

fn build_column_probe(table: &str, column: &str) -> Option<Probe> {
    let (table, column) = (model::ddl::quote_name(table), model::ddl::quote_name(column));
    Some(Probe::Returns(format!("SELECT 1 FROM {table} WHERE {column} IS NULL LIMIT 1")))
}

impl Analyser<'_> {
    /// Checks `left NOT IN (SELECT …)`, whose subquery returns `first`.
    pub fn check_not_in(&mut self, expr: &Expr, first: &ExprType) {
        let Expr::InSubquery { expr: left, subquery, negated } = expr else { return };
        let is_negated = *negated;
        if !is_negated || self.lints.is_none() || self.quiet > 0 || !first.nullable {
            return;
        }
        let finding = self.build_not_in(expr, left, subquery, first);
        finding.into_iter().for_each(|finding| self.note_finding(finding));
    }

    fn build_not_in(
        &self,
        expr: &Expr,
        left: &Expr,
        subquery: &sqlparser::ast::Query,
        first: &ExprType,
    ) -> Option<Finding> {
        let (table, column) = first.origin?;
        let table = self.query.request.tables.get(table)?;
        let column = table.columns.get(column).filter(|column| column.nullable)?;
        let tokens = self.query.tokens;
        let (start, middle) = find_expr_bytes(tokens, left)?;
        let (_, end) = find_expr_bytes(tokens, expr)?;
        let text = find_expr_bytes(tokens, left).map(|bytes| self.query.slice_text(bytes))?;
        let selected = match subquery.body.as_ref() {
            sqlparser::ast::SetExpr::Select(select) => select.projection.first().map(ToString::to_string),
            _ => None,
        };
        let selected = selected.unwrap_or_else(|| column.name.to_owned());
        let value =
            sample::sample_value(column, 0).map_or_else(|| "1".to_owned(), |value| sample::describe_value(&value));
        let other =
            sample::sample_value(column, 1).map_or_else(|| "2".to_owned(), |value| sample::describe_value(&value));
        let said = Diagnostic::new(
            Code::NULLS_LEFT_OUT,
            format!("`NOT IN` is true for no row if a `{}` of the subquery is null", column.name),
            self.query.to_span((start, end)),
            format!("`{}` can be null here", column.name),
        );
        let said = label_blank(self, said, column)
            .note(format!("`{value} NOT IN ({other}, NULL)` is null, not true: {value} could equal the null"))
            .help(format!(
                "leave the nulls out: `{text} NOT IN (SELECT {selected} FROM … WHERE {selected} IS NOT NULL)`"
            ));
        let need = Need::Nullable(table.id, column.id);
        let probe = build_column_probe(table.name, column.name);
        let open = self.query.tokens.iter().find(|token| token.start >= middle && token.is_punct("("));
        let reading = open.and_then(|open| {
            let inner = self.query.text.get(open.end()..end)?.strip_suffix(')')?;
            let known = format!("(WITH w(v) AS ({inner}) SELECT v FROM w WHERE v IS NOT NULL)");
            Some(Reading::new("the nulls left out", [((open.start, end), known)]))
        });
        let found = Finding::new_unconditional(said).with_needs(Some(need)).with_probe(probe);
        Some(found.with_reading(reading))
    }
}
