//! Comparisons of percentage columns with the numbers shown in their files: `%` in a pattern divides by 100.
//!
//! If the comparison has been decided before, its diagnostic gets this reason. If nothing is known of the values of a column, a number above 1.5 is used
//! as a heuristic: few percentages in comparisons are above 150%.

use std::collections::BTreeMap;

use model::suite::{ColumnId, Op, RelationId, Style};
use model::{Decimal, Span, Value};

use super::super::queries::Placed;
use super::conditions::{collect_comparisons, collect_conditions};
use crate::context::TaskCx;
use hir::facts::Fact;
use hir::{ColumnSource, Expr, ExprKind, FileContent, Rows};
use sql::predicates::{Operand, Side, Test};
use syntax::diagnostics::{Code, Diagnostic};

type Column = (RelationId, ColumnId);

/// Returns the spans of these comparisons, whether reported by this lint or by another one.
pub fn report_percent_comparisons<'a>(
    cx: &TaskCx<'a>,
    queries: &[Placed<'a>],
    said: &mut Vec<Diagnostic>,
) -> Vec<Span> {
    let mut lint = Lint { cx, patterns: collect_percent_patterns(cx.task), places: Vec::new() };
    if lint.patterns.is_empty() {
        return Vec::new();
    }
    for condition in collect_conditions(cx.task) {
        for comparison in collect_comparisons(condition.expr) {
            let ExprKind::Binary(op, sides) = &comparison.kind else { continue };
            let (left, right) = (&sides.0, &sides.1);
            for (one, other, op) in [(left, right, *op), (right, left, op.swap_sides())] {
                if let Some(column) = one.find_cell(condition.scope) {
                    let number = cx.facts().infer_expr(other, condition.scope);
                    lint.check_comparison((column, one.span), op, (&number, other.span), comparison.span, said);
                }
            }
        }
    }
    for Placed { sql, scope } in queries {
        let known = |operand: &Operand| match &operand.value {
            Side::Literal(value) => Some(Fact::from_value(value)),
            Side::Param(name) => sql.find_param(name).map(|value| cx.facts().infer_expr(value, *scope)),
            Side::Column { .. } | Side::Computed(_) | Side::Other => None,
        };
        for atom in &sql.analysis.predicates.atoms {
            let Test::Compare(op, left, right) = &atom.test else { continue };
            for (one, other, op) in [(left, right, *op), (right, left, op.swap_sides())] {
                if let Side::Column { relation, column, .. } = one.value
                    && let Some(number) = known(other)
                {
                    lint.check_comparison(((relation, column), one.span), op, (&number, other.span), atom.span, said);
                }
            }
        }
    }
    lint.places
}

struct Lint<'l, 'a> {
    cx: &'l TaskCx<'a>,
    /// The pattern with `%`, by column.
    patterns: BTreeMap<Column, String>,
    /// The spans of the reported comparisons.
    places: Vec<Span>,
}

impl Lint<'_, '_> {
    fn check_comparison(
        &mut self,
        (column, at): (Column, Span),
        op: Op,
        (number, number_at): (&Fact<'_>, Span),
        whole: Span,
        said: &mut Vec<Diagnostic>,
    ) {
        let Some(pattern) = self.patterns.get(&column) else { return };
        let Some(low) = number.range.as_ref().and_then(|(low, _)| low.as_decimal()) else { return };
        if low <= Decimal::new(15, 1).unwrap_or(low) {
            return;
        }
        let name = self.cx.sources.quote(at);
        let divides = format!("`written \"{pattern}\"` divides `{name}` by 100: 50% is 0.5");
        // A decided comparison has been reported at this span.
        let known = said.iter_mut().find(|said| {
            [Code::IMPOSSIBLE_PREDICATE, Code::VACUOUS_PREDICATE, Code::OUT_OF_RANGE_DRAW].contains(&said.code)
                && (said.primary.span == whole || said.secondary.iter().any(|label| label.span == whole))
        });
        if let Some(known) = known {
            self.places.push(known.primary.span);
            if known.note.is_none() {
                known.note = Some(divides);
            }
            return;
        }
        if self.cx.facts().lookup_column(column.0, column.1).range.is_some() {
            return;
        }
        let (code, probably) = match op {
            Op::Gt | Op::Ge | Op::Eq => (Code::IMPOSSIBLE_PREDICATE, "never"),
            Op::Lt | Op::Le | Op::Ne => (Code::VACUOUS_PREDICATE, "always"),
            _ => return,
        };
        let written = self.cx.sources.quote(whole);
        let percent = low
            .checked_mul(Decimal::from_int(100))
            .map_or_else(String::new, |low| Value::Decimal(low).render_text().into_owned());
        let new = Diagnostic::new(
            code,
            format!("`{written}` is probably {probably} true"),
            whole,
            format!("`{}` is {percent}%", self.cx.sources.quote(number_at)),
        );
        self.places.push(whole);
        said.push(new.note(divides).help(format!("compare `{name}` with the number divided by 100")));
    }
}

/// Collects the columns of numbers that a file shows as percentages, either when it is read or when it is written.
fn collect_percent_patterns(task: &hir::Task) -> BTreeMap<Column, String> {
    let mut found = BTreeMap::new();
    for (id, relation) in task.relations.iter_enumerated() {
        for (column, own) in relation.columns.iter_enumerated() {
            if let ColumnSource::Given(given) = &own.source
                && let Some(pattern) = &given.percent
            {
                found.insert((id, column), pattern.clone());
            }
        }
    }
    for file in &task.files {
        let (form, id) = match &file.content {
            FileContent::Delimited { form, relation } => (form, *relation),
            FileContent::TextLines { form: Some(form), relation, .. } => (&**form, *relation),
            _ => continue,
        };
        let Some(relation) = task.relations.get(id) else { continue };
        for styled in &form.styled {
            let Some(column) = relation.columns.get(styled.column) else { continue };
            let pattern = styled.styles.iter().find_map(|style| match style {
                Style::Written { pattern, times: None, .. } if pattern.contains('%') && column.ty.is_number() => {
                    Some(pattern)
                }
                _ => None,
            });
            let Some(pattern) = pattern else { continue };
            found.insert((id, styled.column), pattern.clone());
            // A column of the table from which the rows are taken, written unchanged.
            if let (ColumnSource::Compute(Expr { kind: ExprKind::Column(of), .. }), Rows::Taken { from, .. }) =
                (&column.source, &relation.rows)
                && let Some(ColumnSource::Taken(of)) = relation.columns.get(*of).map(|column| &column.source)
            {
                found.insert((*from, *of), pattern.clone());
            }
        }
    }
    found
}
