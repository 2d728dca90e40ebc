//! `unmatched_rows`: rows without a match, which a LEFT JOIN keeps and the rest of the query removes or counts, or which a JOIN loses.

use std::ops::{ControlFlow, Range};

use sqlparser::ast::{BinaryOperator, Expr, Function};

use super::asked::Asked;
use super::calls::collect_calls;
use super::example;
use super::findings::{Finding, ReportCondition};
use super::links::Links;
use super::scene::Scene;
use super::unmatched_sums::check_unmatched_sum;
use super::witness::{Change, Reading};
use crate::analyser::Analyser;
use crate::expressions::{
    as_plain_argument, find_argument, find_last_name, is_comparison, list_arguments, split_conjuncts, visit_calls,
};
use crate::functions::is_count_star;
use crate::joins::OuterJoin;
use crate::lex::Token;
use crate::parse::find_expr_bytes;
use crate::scope::{Frame, ROW_ID, resolve_place};
use crate::visitor::{Visitor, visit_nodes};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Functions that are null if their first or second argument is.
const STRICT: &str = "abs ceil ceiling date datetime floor instr julianday length lower ltrim replace round rtrim sign strftime \
    substr substring time trim trunc unixepoch upper";

/// Reports LEFT JOINs that WHERE undoes or whose rows without a match are counted, and JOINs that lose rows for which the prompt asks.
pub fn check_unmatched(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let Some(frame) = analyser.frames.last().filter(|frame| frame.relations.len() > 1) else { return };
    if scene.joins.reversed {
        return;
    }
    // Tables that are joined by the wrong columns have a lint of their own.
    let tangled = Links::new(analyser, scene).map(|links| links.tangled).unwrap_or_default();
    let unmatched = Unmatched { analyser, scene, frame };
    for join in scene.joins.outer.iter().filter(|join| !join.matched) {
        match unmatched.find_undoing(join) {
            Some(undoing) => found.extend(unmatched.build_undone(join, &undoing)),
            None if join.joined.clone().any(|index| tangled.contains(&index)) => {}
            None => {
                found.extend(unmatched.check_row_count(join).or_else(|| check_unmatched_sum(analyser, scene, join)));
            }
        }
    }
    if scene.joins.outer.is_empty() && !scene.groups.is_empty() {
        found.extend(unmatched.check_inner_join());
    }
}

/// A condition that removes the rows without a match.
struct Undoing<'s> {
    condition: &'s Expr,
    /// Where it is.
    clause: &'static str,
}

struct Unmatched<'a, 's, 'f, 'q> {
    analyser: &'a Analyser<'q>,
    scene: &'a Scene<'s, 'f, 'q>,
    frame: &'a Frame,
}

impl<'s> Unmatched<'_, 's, '_, '_> {
    /// The condition that no row without a match meets: one of WHERE, or of a JOIN after it.
    fn find_undoing(&self, join: &OuterJoin) -> Option<Undoing<'s>> {
        let conditions = self.scene.select.selection.iter().flat_map(split_conjuncts);
        // `IS NOT NULL` shows that this is meant.
        let mut tests = conditions.into_iter().filter(|expr| !matches!(expr, Expr::IsNotNull(_)));
        if let Some(condition) = tests.find(|expr| self.is_rejected(expr, &join.joined)) {
            return Some(Undoing { condition, clause: "WHERE" });
        }
        let later = self.scene.joins.constraints.iter().filter(|on| !on.left && on.joined.start >= join.joined.end);
        let mut tests = later.flat_map(|on| split_conjuncts(on.on));
        let condition = tests.find(|expr| self.is_rejected(expr, &join.joined))?;
        Some(Undoing { condition, clause: "a later JOIN" })
    }

    /// Whether a condition is never true where all columns of these relations are null.
    fn is_rejected(&self, expr: &Expr, joined: &Range<usize>) -> bool {
        let is_null = |expr: &Expr| self.is_null(expr, joined);
        match expr {
            Expr::Nested(inner) => self.is_rejected(inner, joined),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                self.is_rejected(left, joined) || self.is_rejected(right, joined)
            }
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                self.is_rejected(left, joined) && self.is_rejected(right, joined)
            }
            Expr::BinaryOp { left, op, right } if is_comparison(op) => is_null(left) || is_null(right),
            Expr::Between { expr, .. } | Expr::Like { expr, any: false, .. } => is_null(expr),
            Expr::InList { expr, list, .. } => !list.is_empty() && is_null(expr),
            Expr::InSubquery { expr, negated: false, .. } => is_null(expr),
            Expr::IsNotNull(inner) => is_null(inner),
            _ => false,
        }
    }

    /// Whether an expression is null where all columns of these relations are.
    fn is_null(&self, expr: &Expr, joined: &Range<usize>) -> bool {
        let is_null = |expr: &Expr| self.is_null(expr, joined);
        match expr {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                resolve_place(&self.analyser.frames, expr).is_some_and(|(relation, _)| joined.contains(&relation))
            }
            Expr::Nested(expr)
            | Expr::UnaryOp { expr, .. }
            | Expr::Cast { expr, .. }
            | Expr::Collate { expr, .. }
            | Expr::Substring { expr, .. }
            | Expr::Trim { expr, .. } => is_null(expr),
            Expr::BinaryOp { left, op, right } => {
                use BinaryOperator::{Divide, Minus, Modulo, Multiply, Plus, StringConcat};
                matches!(op, Plus | Minus | Multiply | Divide | Modulo | StringConcat)
                    && (is_null(left) || is_null(right))
            }
            Expr::Function(function) => {
                let name = find_last_name(&function.name).map(|name| name.value.to_lowercase());
                let is_strict = name.is_some_and(|name| STRICT.split(' ').any(|known| known == name));
                is_strict && list_arguments(function).iter().take(2).filter_map(as_plain_argument).any(is_null)
            }
            _ => false,
        }
    }

    fn name(&self, index: usize) -> &str {
        example::name_relation_at(self.analyser, index)
    }

    fn build_undone(&self, join: &OuterJoin, undoing: &Undoing<'_>) -> Option<Finding> {
        let query = self.analyser.query;
        let clause = undoing.clause;
        let bytes = find_expr_bytes(query.tokens, undoing.condition)?;
        let (left, right) = (self.name(join.joined.start.checked_sub(1)?), self.name(join.joined.start));
        let text = query.slice_text(bytes);
        let said = Diagnostic::new(
            Code::UNMATCHED_ROWS,
            format!("`{text}` in {clause} undoes the LEFT JOIN of `{right}`"),
            query.to_span(bytes),
            format!("not true for rows without a match in `{right}`"),
        )
        .note(format!(
            "a row of `{left}` without a match in `{right}` gets nulls from LEFT JOIN, and `{text}` then removes it: JOIN returns the same rows"
        ))
                .help(match clause {
            "WHERE" => format!(
                "to keep the rows of `{left}` without a match, move the condition to ON; to leave them out, write JOIN"
            ),
            _ => format!("to keep the rows of `{left}` without a match, write LEFT JOIN there, too; to leave them out, write JOIN"),
        });
        Some(Finding::new_unconditional(said).with_reading(self.build_kept_reading(join, undoing)))
    }

    /// The query that keeps the rows without a match.
    fn build_kept_reading(&self, join: &OuterJoin, undoing: &Undoing<'_>) -> Option<Reading> {
        let tokens = self.analyser.query.tokens;
        let condition = find_expr_bytes(tokens, undoing.condition)?;
        let mut ons = self.scene.joins.constraints.iter();
        if undoing.clause == "WHERE" {
            let (start, end) = find_expr_bytes(tokens, ons.find(|on| on.joined == join.joined)?.on)?;
            let added = format!(") AND ({})", self.analyser.query.slice_text(condition));
            let changes = [((start, start), "(".to_owned()), ((end, end), added), (condition, "1".to_owned())];
            return Some(Reading::new("the condition in ON", changes));
        }
        let is_later = |token: &&Token<'_>| token.is_keyword("JOIN") && token.start < condition.0;
        let word = tokens.iter().rfind(is_later)?;
        Some(Reading::new("LEFT JOIN there, too,", [((word.start, word.start), "LEFT ".to_owned())]))
    }

    /// Reports `COUNT(*)` that counts a row without a match like a match.
    fn check_row_count(&self, join: &OuterJoin) -> Option<Finding> {
        if !self.scene.whole && self.scene.groups.is_empty() || self.is_tested_for_null(join) {
            return None;
        }
        let before: std::collections::BTreeSet<usize> = (0..join.joined.start).collect();
        let fixed = self.scene.facts.compute_fixed_beside(&[], &before);
        // With one match at most, `COUNT(*)` counts the rows before JOIN.
        if join.joined.clone().all(|index| fixed.is_relation_fixed(index)) || join.joined.len() != 1 {
            return None;
        }
        let relation = self.frame.relations.get(join.joined.start)?;
        relation.table?;
        let key = relation.keys.iter().find_map(|key| match key.as_slice() {
            [place] if *place != ROW_ID => Some(*place),
            _ => None,
        });
        let linked = self.scene.facts.list_equal_columns().into_iter().flat_map(|(a, b)| [a, b]);
        let place =
            key.or_else(|| linked.into_iter().find(|place| join.joined.contains(&place.0)).map(|place| place.1))?;
        let column = example::qualify_column(self.frame, (join.joined.start, place))?;
        let outputs = self.scene.collect_outputs()?;
        let function = outputs.into_iter().find_map(|expr| self.find_row_count(expr, join))?;
        self.build_counted(join, &function, &column)
    }

    /// A call that counts every joined row.
    fn find_row_count(&self, expr: &Expr, join: &OuterJoin) -> Option<Function> {
        let counts_all = |function: &Function| {
            if function.over.is_some() || function.filter.is_some() {
                return false;
            }
            let name = find_last_name(&function.name).map(|name| name.value.to_lowercase());
            is_count_star(function)
                || name.as_deref() == Some("count")
                    && !function.to_string().to_lowercase().contains("distinct")
                    && find_argument(function, 0).is_some_and(|argument| match argument {
                        Expr::Value(_) => true,
                        _ => resolve_place(&self.analyser.frames, argument)
                            .is_some_and(|place| place.0 < join.joined.start && self.is_never_null(place)),
                    })
        };
        match visit_calls(expr, |function| match counts_all(function) {
            true => ControlFlow::Break(function.clone()),
            false => ControlFlow::Continue(()),
        }) {
            ControlFlow::Break(function) => Some(function),
            ControlFlow::Continue(()) => None,
        }
    }

    fn is_never_null(&self, place: (usize, usize)) -> bool {
        let relation = self.frame.relations.get(place.0);
        place.1 == ROW_ID || relation.is_some_and(|relation| !relation.infer_column(place.1).nullable)
    }

    /// Whether the query tests a column after the join for null: it looks at the rows without a match itself.
    fn is_tested_for_null(&self, join: &OuterJoin) -> bool {
        struct Tests<'t, F: Fn(&Expr) -> bool>(&'t F);
        impl<F: Fn(&Expr) -> bool> Visitor for Tests<'_, F> {
            fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
                let tested = match expr {
                    Expr::IsNull(inner) | Expr::IsNotNull(inner) => (self.0)(inner),
                    Expr::IsNotDistinctFrom(left, right) | Expr::IsDistinctFrom(left, right) => {
                        (self.0)(left) || (self.0)(right)
                    }
                    _ => false,
                };
                if tested { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
        }
        let of_join = |expr: &Expr| {
            resolve_place(&self.analyser.frames, expr).is_some_and(|(relation, _)| join.joined.contains(&relation))
        };
        let parts = self.scene.select.selection.iter().chain(&self.scene.select.having);
        parts.into_iter().any(|expr| visit_nodes(expr, &mut Tests(&of_join)).is_break())
    }

    fn build_counted(&self, join: &OuterJoin, function: &Function, column: &str) -> Option<Finding> {
        let query = self.analyser.query;
        let bytes = find_expr_bytes(query.tokens, &Expr::Function(function.clone()))?;
        let (text, span) = (query.slice_text(bytes), query.to_span(bytes));
        let (left, right) = (self.name(join.joined.start.checked_sub(1)?), self.name(join.joined.start));
        let counted = format!("COUNT({column})");
        let said = Diagnostic::new(
            Code::UNMATCHED_ROWS,
            format!("`{text}` counts 1 for a row of `{left}` without `{right}`"),
            span,
            "counts rows without a match",
        )
        .note(format!(
            "a row of `{left}` without a match in `{right}` is one row after LEFT JOIN: `{text}` is 1, and `{counted}` is 0"
        ))
        .help(format!("count the matches: `{counted}`"))
        .replace(Applicability::Unsafe, span, counted.clone());
        Some(Finding::new_unconditional(said).with_reading(Reading::new_shown(bytes, counted)))
    }

    /// Reports a JOIN of a table with one that refers to it, where the prompt asks for rows without a match, too.
    fn check_inner_join(&self) -> Option<Finding> {
        let query = self.analyser.query;
        let [first, second] = self.frame.relations.as_slice() else { return None };
        let equal = self.scene.facts.list_equal_columns();
        let is_key = |(relation, place): (usize, usize)| {
            self.frame.relations.get(relation).is_some_and(|known| known.keys.contains(&vec![place]))
        };
        let pairs = equal.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        let (parent, child) =
            pairs.filter(|(own, other)| is_key(*own) && !is_key(*other)).map(|(a, b)| (a.0, b.0)).next()?;
        let groups = self.scene.group_terms()?;
        let of_parent =
            |term: &&Expr| resolve_place(&self.analyser.frames, term).is_some_and(|place| place.0 == parent);
        if first.table.is_none()
            || second.table.is_none()
            || self.scene.joins.whole.contains(&parent)
            || !groups.iter().all(of_parent)
        {
            return None;
        }
        let keyword = query.tokens.iter().find(|token| token.is_keyword("JOIN"))?;
        let (rows, of) = (self.name(parent), self.name(child));
        let said = Diagnostic::new(
            Code::UNMATCHED_ROWS,
            format!("JOIN leaves out rows of `{rows}` without `{of}`, but the prompt asks for them"),
            query.to_token_span(keyword),
            "keeps only rows with a match",
        )
        .note(format!("a row of `{rows}` without a match in `{of}` is in no group, so no row has the count 0"))
        .help(format!("write LEFT JOIN, and count a column of `{of}` instead of `*`"));
        let reading = self.build_outer_reading((parent, child), keyword);
        Some(Finding::new_if(ReportCondition::Asked(Asked::WithNone), said).with_reading(reading))
    }

    /// The query with LEFT JOIN, in which matches are counted.
    fn build_outer_reading(&self, (parent, child): (usize, usize), keyword: &Token<'_>) -> Option<Reading> {
        let equal = self.scene.facts.list_equal_columns();
        let own = equal.iter().flat_map(|(a, b)| [a, b]).find(|place| place.0 == child)?;
        let counted = format!("COUNT({})", example::qualify_column(self.frame, *own)?);
        let stars = collect_calls(self.analyser, self.scene).into_iter().filter(|call| is_count_star(&call.function));
        let mut changes: Vec<Change> = stars.map(|call| (call.bytes, counted.clone())).collect();
        let instead = if changes.is_empty() { "LEFT JOIN".to_owned() } else { format!("LEFT JOIN and `{counted}`") };
        let word = if parent < child { "LEFT " } else { "RIGHT " };
        changes.push(((keyword.start, keyword.start), word.to_owned()));
        Some(Reading::new(instead, changes))
    }
}
