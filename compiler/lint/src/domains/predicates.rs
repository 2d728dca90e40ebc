//! `impossible_predicate`, `vacuous_predicate`, and `out_of_range_draw`: comparisons in `where`, `require`, and `if` that never or always hold.

use model::suite::{Op, Scope};
use model::{Span, Value};

use super::bool_calls::collect_bool_calls;
use super::conditions::{Condition, collect_comparisons, collect_conditions, collect_joined};
use super::words::{MAX_QUOTED, suggest_replacement};
use super::{cells, words};
use crate::context::TaskCx;
use hir::cases::decide_condition;
use hir::facts::{Fact, Truth};
use hir::order::compare_exprs;
use hir::{Arg, Expr, ExprKind, NameSource};
use names as suggest;
use syntax::diagnostics::wording::quote_ident;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::fmt::shorten_text;

/// Reports comparisons that are decided before anything is drawn. Returns their spans.
pub fn report_predicates<'a>(cx: &TaskCx<'a>, said: &mut Vec<Diagnostic>) -> Vec<Span> {
    let lint = Lint { cx };
    let mut decided = Vec::new();
    for condition in collect_conditions(cx.task) {
        let guards = lint.list_guards(condition);
        let is_guard = |part: &Expr| guards.iter().any(|guard| guard.is_enclosing(part.span));
        let comparisons = collect_comparisons(condition.expr);
        let found: Vec<Option<Diagnostic>> = comparisons
            .iter()
            .map(|comparison| lint.check_comparison(comparison, condition).filter(|_| !is_guard(comparison)))
            .collect();
        let conjunctions = collect_joined(Op::And, condition.expr);
        let is_end = |comparison: &Expr| {
            let decided = |part: &Expr| found.iter().flatten().any(|found| found.primary.span == part.span);
            let mut around = conjunctions.iter().filter(|parts| parts.iter().any(|part| part.span == comparison.span));
            around.any(|parts| parts.iter().any(|part| are_ends_of_range(comparison, part) && !decided(part)))
        };
        for (comparison, diagnostic) in comparisons.iter().copied().zip(&found) {
            // The other end of a range is written for the reader: `STATUS >= 500 and STATUS <= 599`.
            let diagnostic =
                diagnostic.clone().filter(|new| new.code != Code::VACUOUS_PREDICATE || !is_end(comparison));
            if let Some(diagnostic) = diagnostic {
                decided.push(comparison.span);
                said.push(diagnostic);
            } else if let Some(diagnostic) =
                lint.check_list_items(comparison, condition).filter(|_| !is_guard(comparison))
            {
                said.push(diagnostic);
            }
        }
        for call in collect_bool_calls(condition.expr) {
            if let Some(diagnostic) = lint.check_bool_call(call, condition).filter(|_| !is_guard(call)) {
                decided.push(call.span);
                said.push(diagnostic);
            }
        }
        for joint in [Op::And, Op::Or] {
            for parts in collect_joined(joint, condition.expr) {
                if parts.iter().any(|part| decided.contains(&part.span)) {
                    continue;
                }
                let found = match joint {
                    Op::And => lint.check_conjunction(&parts, condition),
                    _ => lint.check_disjunction(&parts, condition),
                };
                if let Some((diagnostic, whole)) = found {
                    decided.push(whole);
                    said.push(diagnostic);
                }
            }
        }
        if let Some((diagnostic, whole)) = lint.check_whole(condition, &decided) {
            decided.push(whole);
            said.push(diagnostic);
        }
    }
    decided
}

/// Checks whether two comparisons bound the same value by constants from both sides.
fn are_ends_of_range(one: &Expr, other: &Expr) -> bool {
    let read = |expr: &'_ Expr| match &expr.kind {
        ExprKind::Binary(op, sides) if sides.1.as_constant().is_some() => Some((*op, sides.0.without_spans())),
        _ => None,
    };
    let (Some((a, first)), Some((b, second))) = (read(one), read(other)) else { return false };
    let is_upper = |op: Op| matches!(op, Op::Lt | Op::Le);
    let is_lower = |op: Op| matches!(op, Op::Gt | Op::Ge);
    (is_upper(a) && is_lower(b) || is_lower(a) && is_upper(b)) && first == second
}

pub(super) struct Lint<'l, 'a> {
    pub(super) cx: &'l TaskCx<'a>,
}

/// The sides of a comparison, starting with the one that is described.
struct Sides<'a> {
    subject: &'a Expr,
    other: &'a Expr,
}

impl<'a> Lint<'_, 'a> {
    /// The truth of a condition: by the facts of its sides, or else case by case.
    pub(super) fn decide(&self, expr: &'a Expr, scope: Scope) -> Truth {
        match self.cx.facts().infer_truth(expr, scope) {
            Truth::Open => match self.compare_order(expr, scope) {
                Truth::Open => decide_condition(self.cx.facts(), expr, scope),
                known => known,
            },
            known => known,
        }
    }

    /// The truth of a comparison by the order of its sides.
    fn compare_order(&self, expr: &'a Expr, scope: Scope) -> Truth {
        let ExprKind::Binary(op, sides) = &expr.kind else { return Truth::Open };
        let may_be_null = |side: &'a Expr| self.cx.facts().infer_expr(side, scope).nullable;
        match compare_exprs(self.cx.facts(), *op, (&sides.0, &sides.1), scope) {
            Truth::Always if may_be_null(&sides.0) || may_be_null(&sides.1) => Truth::Open,
            known => known,
        }
    }

    pub(super) fn quote_source(&self, span: Span) -> String {
        shorten_text(&self.cx.sources.quote(span), MAX_QUOTED)
    }

    fn check_comparison(&self, expr: &'a Expr, at: Condition<'a>) -> Option<Diagnostic> {
        let ExprKind::Binary(_, sides) = &expr.kind else { return None };
        if let Some((op, tested)) = expr.as_null_test() {
            return self.check_null_test(op, expr, tested, at);
        }
        let (left, right) = (&sides.0, &sides.1);
        if let Some(said) = self.check_self_comparison(expr, (left, right), at) {
            return Some(said);
        }
        let truth = self.decide(expr, at.scope);
        if truth == Truth::Open {
            return self.check_axis_comparison(expr, at);
        }
        let known = |side: &Expr| matches!(side.kind, ExprKind::Const(_));
        if known(left) && known(right) {
            return None;
        }
        let sides =
            if known(left) { Sides { subject: right, other: left } } else { Sides { subject: left, other: right } };
        let by_sides = self.cx.facts().infer_truth(expr, at.scope) != Truth::Open;
        if by_sides && let Some(diagnostic) = self.check_draw_range(expr, &sides, truth, at.scope) {
            return Some(diagnostic);
        }
        let written = self.quote_source(expr.span);
        let (code, message) = match (truth, at.of_rows) {
            (Truth::Always, true) => (Code::VACUOUS_PREDICATE, format!("`{written}` is true for every row")),
            (Truth::Always, false) => (Code::VACUOUS_PREDICATE, format!("`{written}` is always true")),
            // A null makes it null.
            (_, true) if !self.cx.facts().infer_expr(expr, at.scope).nullable => {
                (Code::IMPOSSIBLE_PREDICATE, format!("`{written}` is false for every row"))
            }
            _ => (Code::IMPOSSIBLE_PREDICATE, format!("`{written}` is never true")),
        };
        if !by_sides {
            return Some(self.build_related_diagnostic(
                Diagnostic::new(code, message, expr.span, ""),
                &sides,
                truth,
                at.scope,
            ));
        }
        let (subject, other) =
            (self.cx.facts().infer_expr(sides.subject, at.scope), self.cx.facts().infer_expr(sides.other, at.scope));
        let mut said = Diagnostic::new(code, message, expr.span, self.describe_subject(sides.subject, &subject));
        let declared = words::find_declaration(self.cx.task, sides.subject, at.scope);
        if declared.is_some() {
            said.primary.message = if truth == Truth::Always { "always" } else { "never" }.to_owned();
        }
        said = words::label_with_fact(said, declared, &subject);
        if !known(sides.other)
            && let Some(declared) = words::find_declaration(self.cx.task, sides.other, at.scope)
            && let Some(label) = words::describe_fact(&other)
        {
            said = said.label(declared, label);
        }
        Some(self.add_suggestion(said, truth, &sides, &subject))
    }

    /// Explains a comparison that the values of both sides decide together.
    fn build_related_diagnostic(&self, said: Diagnostic, sides: &Sides<'a>, truth: Truth, scope: Scope) -> Diagnostic {
        let mut said = said;
        said.primary.message = if truth == Truth::Always { "always" } else { "never" }.to_owned();
        for side in [sides.subject, sides.other] {
            let declared = words::find_declaration(self.cx.task, side, scope);
            said = said.with_labels(declared.map(|declared| (declared, "declared here")));
        }
        said.help(match truth {
            Truth::Always => "remove it, or compare with a value that only some have",
            _ => "no values of both sides meet it: change one of them, or the operator",
        })
    }

    /// Reports a comparison of an expression with itself.
    fn check_self_comparison(
        &self,
        expr: &'a Expr,
        (left, right): (&'a Expr, &'a Expr),
        at: Condition<'a>,
    ) -> Option<Diagnostic> {
        let ExprKind::Binary(op, _) = &expr.kind else { return None };
        let always = match op {
            Op::Eq | Op::Le | Op::Ge => true,
            Op::Ne | Op::Lt | Op::Gt => false,
            _ => return None,
        };
        if left.without_spans() != right.without_spans() || left.as_constant().is_some() {
            return None;
        }
        let (written, name) = (self.quote_source(expr.span), self.quote_source(left.span));
        let holds = match (always, at.of_rows, left.ty.nullable) {
            (true, true, false) => "true for every row".to_owned(),
            (true, true, true) => format!("true for every row in which `{name}` is not null"),
            (true, false, _) => "always true".to_owned(),
            (false, true, false) => "false for every row".to_owned(),
            (false, ..) => "never true".to_owned(),
        };
        let code = if always { Code::VACUOUS_PREDICATE } else { Code::IMPOSSIBLE_PREDICATE };
        let message = format!("`{written}` compares `{name}` with itself, and is {holds}");
        let declared = words::find_declaration(self.cx.task, left, at.scope);
        let said = Diagnostic::new(code, message, expr.span, "the same on both sides")
            .with_labels(declared.map(|declared| (declared, format!("`{name}` is declared here"))));
        // For example, a column and a value of the task whose names differ only in letter case.
        let columns = at.scope.row.and_then(|row| self.cx.task.relations.get(row)).filter(|_| is_name(left));
        let columns = columns.into_iter().flat_map(|row| row.columns.iter().map(|column| column.name.as_str()));
        let names = self.cx.task.names.iter().filter(|_| !is_name(left)).map(|name| name.name.as_str());
        match suggest::find_best(&name, columns.chain(names)).filter(|(_, clear)| *clear) {
            // Authors usually write the column on the left.
            Some((near, _)) => {
                let near = quote_ident(&near);
                let side = if is_name(left) { left } else { right };
                let said = said.help(format!("did you mean `{near}` on one side?"));
                Some(said.replace(Applicability::Unsafe, side.span, near))
            }
            None if at.of_rows => Some(said.help("compare it with another column, or with a value of the task")),
            None => Some(said.help("compare it with another value")),
        }
    }

    fn describe_subject(&self, expr: &Expr, fact: &Fact<'_>) -> String {
        words::describe_fact(fact).map_or_else(String::new, |is| format!("`{}` {is}", self.quote_source(expr.span)))
    }

    /// Suggests a replacement.
    fn add_suggestion(&self, said: Diagnostic, truth: Truth, sides: &Sides<'_>, subject: &Fact<'_>) -> Diagnostic {
        let name = self.quote_source(sides.subject.span);
        if let Some(Value::List(items)) = sides.other.as_constant()
            && let [Value::Text(word)] = items.as_slice()
            && let Some(parts) = words::split_values(word, subject.closed.iter().flat_map(|values| values.iter()))
        {
            let list: Vec<String> = parts.iter().map(|part| format!("{part:?}")).collect();
            let list = format!("[{}]", list.join(", "));
            let said = said.help(format!("this is one text: write `{list}`"));
            return said.replace(Applicability::Unsafe, sides.other.span, list);
        }
        if let (Some(Value::Text(word)), Some(values)) = (sides.other.as_constant(), &subject.closed)
            && let Some((near, clear)) = words::find_nearest_text(word, values.iter())
        {
            let place = sides.other.span;
            return suggest_replacement(said, &near, clear, place, self.cx.sources.text(place));
        }
        match truth {
            // Even without the comparison, `bool 100%` would have only one value.
            _ if subject.as_single_value().is_some() => said.help(words::suggest_more_values(&name)),
            Truth::Always => said.help("remove it, or compare with a value that only some have"),
            _ if subject.range.is_some() || subject.closed.is_some() => {
                said.help(format!("compare with a value that `{name}` can have, or widen what it is drawn from"))
            }
            _ => said.help(format!("compare with a value that `{name}` can have")),
        }
    }

    /// Reports a drawn threshold that can be outside the data.
    fn check_draw_range(&self, expr: &'a Expr, sides: &Sides<'a>, truth: Truth, scope: Scope) -> Option<Diagnostic> {
        let (left, right) = (self.find_drawn_name(sides.subject), self.find_drawn_name(sides.other));
        let (name, data) = match (left, right) {
            (Some(name), None) => (name, sides.other),
            (None, Some(name)) => (name, sides.subject),
            _ => return None,
        };
        if !self.is_data_dependent(data) {
            return None;
        }
        let declared = words::find_declaration(self.cx.task, data, scope);
        Some(words::build_draw_diagnostic(
            (name.1, &self.cx.facts().lookup_name(name.0)),
            (&self.quote_source(data.span), declared, &self.cx.facts().infer_expr(data, scope)),
            (&self.quote_source(expr.span), expr.span),
            truth,
        ))
    }

    /// Returns the drawn name of the task that an expression is.
    fn find_drawn_name(&self, expr: &Expr) -> Option<(model::suite::NameId, &'a hir::Name)> {
        let ExprKind::Name(id) = expr.kind else { return None };
        let name = self.cx.task.names.get(id)?;
        matches!(name.source, NameSource::Draw { .. }).then_some((id, name))
    }

    /// Checks whether a value depends on generated data.
    fn is_data_dependent(&self, expr: &'a Expr) -> bool {
        expr.has_part_through_names(self.cx.task, |expr| match &expr.kind {
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => true,
            ExprKind::Call(_, args) => args
                .iter()
                .any(|arg| matches!(arg, Arg::Relation { .. } | Arg::Column { .. } | Arg::Each { .. } | Arg::Sql(_))),
            _ => false,
        })
    }

    /// Reports a value of an axis with which the comparison is never true, so no sample of its cells meets the condition.
    fn check_axis_comparison(&self, expr: &'a Expr, at: Condition<'a>) -> Option<Diagnostic> {
        let ExprKind::Binary(op, sides) = &expr.kind else { return None };
        let (axis, op, subject) =
            match (cells::find_axis(self.cx.task, &sides.0), cells::find_axis(self.cx.task, &sides.1)) {
                (Some(axis), None) => (axis, op.swap_sides(), &sides.1),
                (None, Some(axis)) => (axis, *op, &sides.0),
                _ => return None,
            };
        // A comparison of two settings can be intended; only data that never has the value is reported.
        if !matches!(subject.kind, ExprKind::Column(_) | ExprKind::OuterColumn(_)) {
            return None;
        }
        let fact = self.cx.facts().infer_expr(subject, at.scope);
        cells::check_axis_values(axis, (op, subject.span, &fact), expr.span, self.cx.sources)
    }

    /// Reports an item of a literal list that the value never equals.
    fn check_list_items(&self, expr: &'a Expr, at: Condition<'a>) -> Option<Diagnostic> {
        let ExprKind::Binary(Op::In | Op::NotIn, sides) = &expr.kind else { return None };
        let (subject, list) = (&sides.0, &sides.1);
        let Some(Value::List(items)) = list.as_constant() else { return None };
        let fact = self.cx.facts().infer_expr(subject, at.scope);
        if matches!(subject.kind, ExprKind::Const(_)) || fact.closed.as_ref().is_none_or(|values| values.is_empty()) {
            return None;
        }
        let item = items.iter().find(|item| !item.is_null() && !fact.can_be(item))?;
        let (shown, name) = (words::format_value(item), self.quote_source(subject.span));
        // If items are constants of the suite, they are in the list by name; the whole list is then highlighted.
        let written = self.cx.sources.text(list.span);
        let places: Vec<usize> = written.match_indices(&shown).map(|(at, _)| at).collect();
        let span = match places.as_slice() {
            [at] => {
                let start = list.span.start + *at as u32;
                Span::new(list.span.file, start, start + shown.len() as u32)
            }
            _ => list.span,
        };
        let said =
            Diagnostic::new(Code::IMPOSSIBLE_PREDICATE, format!("`{name}` is never {shown}"), span, "matches nothing");
        let said = words::label_with_fact(said, words::find_declaration(self.cx.task, subject, at.scope), &fact);
        let word = item.as_text().filter(|_| span != list.span);
        Some(match word.and_then(|word| words::find_nearest_text(word, fact.closed.iter().flatten())) {
            Some((near, clear)) => suggest_replacement(said, &near, clear, span, &shown),
            None => said.help("remove it from the list"),
        })
    }
}

/// Checks whether an expression is a name of the task.
fn is_name(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Name(_))
}
