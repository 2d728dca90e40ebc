//! `leaked_answer`: a column of a file says which rows are asked for, although the prompt states the rule by which they are found. A heuristic: the prompt names the
//! columns, or the limits, by which the rule is computed, and not the column that has its result.

use std::collections::BTreeSet;

use model::suite::{ColumnId, NameId, Op, RelationId, Scope};

use super::dependence::flow::{Flow, Followed, is_readable};
use super::dependence::value_number::number_value;
use super::prompt_content::{Telling, Way, has_word};
use crate::context::{TaskCx, report_once};
use crate::reach::needed::collect_columns;
use hir::facts::negate_comparison;
use hir::types::TyKind;
use hir::{Arg, Column, ColumnSource, Expr, ExprKind, FileContent, Relation, Task};
use sql::predicates::{Operand, Side, Test};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_leaks_by_flag<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let flags = list_flags(cx.task);
    if flags.is_empty() {
        return;
    }
    for way in ways {
        for value in way.asked.iter_answers() {
            let mut flow = Flow::new(cx.task, Followed::Known);
            flow.add_expr(value);
            let mut all = Flow::new(cx.task, Followed::All);
            all.add_expr(value);
            let leak = flags.iter().find(|flag| {
                let reads = all.relations.contains(&flag.relation);
                let decides = flow.columns.contains(&(flag.relation, flag.id)) || flag.is_condition_of(cx.task, value);
                let is_told = |telling: &Telling| match flag.limits.is_empty() {
                    true => decides && flag.is_rule_told(telling),
                    // No data has a column that is computed with the limits of a question.
                    false => flag.are_limits_told(telling, &flow),
                };
                let is_named = |telling: &Telling| has_word(&telling.prompt, &flag.column.name);
                reads && way.tellings.iter().all(|telling| !telling.opaque && !is_named(telling) && is_told(telling))
            });
            leak.into_iter().for_each(|flag| report_once(flag.build_diagnostic(cx.task, value), said));
        }
    }
}

/// A column of truths that is computed from others of its row, and that the agent sees.
struct Flag<'a> {
    relation: RelationId,
    id: ColumnId,
    column: &'a Column,
    own: &'a Relation,
    /// The columns by which it is computed; `None` if the agent does not see all of them.
    by: Option<Vec<&'a str>>,
    /// The drawn names by which it is computed.
    limits: BTreeSet<NameId>,
}

fn list_flags(task: &Task) -> Vec<Flag<'_>> {
    let mut flags = Vec::new();
    for (relation, own) in task.relations.iter_enumerated() {
        for (id, column) in own.columns.iter_enumerated() {
            let ColumnSource::Compute(value) = &column.source else { continue };
            let is_flag = column.ty.kind == TyKind::Bool && value.as_column_id().is_none() || is_named_truth(value);
            if is_flag && is_shown(task, own, id) {
                let (by, limits) = (list_sources(task, relation, own, value), list_limits(task, value));
                flags.push(Flag { relation, id, column, own, by, limits });
            }
        }
    }
    flags
}

/// Checks whether a value is one of two texts, by a condition.
fn is_named_truth(value: &Expr) -> bool {
    let ExprKind::If(parts) = &value.kind else { return false };
    parts.1.as_constant().is_some() && parts.2.as_constant().is_some()
}

/// Checks whether a file has a column as it is, or its lines show it.
fn is_shown(task: &Task, own: &Relation, id: ColumnId) -> bool {
    let Some(column) = own.columns.get(id) else { return false };
    let content = own.file.and_then(|file| task.files.get(file)).map(|file| &file.content);
    match content {
        Some(FileContent::TextLines { line, .. }) => line.has_part(|part| part.as_column_id() == Some(id)),
        _ => is_readable(task, own, column),
    }
}

/// Lists the names of the columns in an expression, if the agent sees all of them.
fn list_sources<'a>(task: &Task, id: RelationId, own: &'a Relation, value: &Expr) -> Option<Vec<&'a str>> {
    let columns = collect_columns(value, Scope::with_row(id), id);
    let seen = columns.iter().map(|column| own.columns.get(*column).filter(|_| is_shown(task, own, *column)));
    seen.map(|column| column.map(|column| column.name.as_str())).collect()
}

/// Checks whether two comparisons are the same or opposite. Their values are numbered.
fn is_same_rule(rule: &Expr, condition: &Expr) -> bool {
    let (ExprKind::Binary(op, sides), ExprKind::Binary(own, others)) = (&rule.kind, &condition.kind) else {
        return rule == condition;
    };
    let is_op = |own: Op| own == *op || Some(own) == negate_comparison(*op);
    let is_turned = sides.0 == others.1 && sides.1 == others.0;
    sides == others && is_op(*own) || is_turned && is_op(own.swap_sides())
}

/// Collects the drawn names and axes in an expression.
fn list_limits(task: &Task, value: &Expr) -> BTreeSet<NameId> {
    let mut names = BTreeSet::new();
    value.visit_through_names(task, &mut |part| {
        if let ExprKind::Name(id) = part.kind
            && task.find_computed(id).is_none()
        {
            names.insert(id);
        }
    });
    names
}

impl Flag<'_> {
    /// Checks whether an answer chooses rows by the rule of the column, or by its opposite.
    fn is_condition_of(&self, task: &Task, answer: &Expr) -> bool {
        let ColumnSource::Compute(rule) = &self.column.source else { return false };
        let rule = if let ExprKind::If(parts) = &rule.kind { &parts.0 } else { rule };
        let rules: Vec<Expr> = rule.list_conjuncts().into_iter().map(|part| number_value(task, part)).collect();
        let rule = number_value(task, rule);
        let mut found = false;
        answer.visit_through_names(task, &mut |part| {
            let ExprKind::Call(_, args) = &part.kind else { return };
            found |= args.iter().any(|arg| match arg {
                Arg::Relation { relation, filter: Some(filter) }
                | Arg::Column { relation, filter: Some(filter), .. }
                | Arg::Each { relation, filter: Some(filter), .. }
                    if *relation == self.relation =>
                {
                    let conditions = filter.list_conjuncts().into_iter();
                    let conditions: Vec<Expr> = conditions.map(|condition| number_value(task, condition)).collect();
                    conditions.iter().any(|condition| is_same_rule(&rule, condition))
                        || rules.iter().all(|rule| conditions.contains(rule))
                }
                Arg::Sql(sql) => {
                    let mut atoms = sql.analysis.predicates.atoms.iter();
                    atoms.any(|atom| self.is_rule(&rule, &atom.test))
                }
                _ => false,
            });
        });
        found
    }

    /// Checks whether a comparison of a query is the rule, or its opposite.
    fn is_rule(&self, rule: &Expr, test: &Test) -> bool {
        let (ExprKind::Binary(op, sides), Test::Compare(own, left, right)) = (&rule.kind, test) else { return false };
        let column = |operand: &Operand| match operand.value {
            Side::Column { relation, column, .. } if relation == self.relation => Some(column),
            _ => None,
        };
        let (Some(a), Some(b)) = (sides.0.as_column_id(), sides.1.as_column_id()) else { return false };
        let (Some(x), Some(y)) = (column(left), column(right)) else { return false };
        let is_op = |own: Op| own == *op || Some(own) == negate_comparison(*op);
        (a, b) == (x, y) && is_op(*own) || (a, b) == (y, x) && is_op(own.swap_sides())
    }

    /// Checks whether a wording names the columns by which it is computed.
    fn is_rule_told(&self, telling: &Telling) -> bool {
        let by = self.by.as_deref().unwrap_or_default();
        !by.is_empty() && by.iter().all(|name| has_word(&telling.prompt, name))
    }

    /// Checks whether a wording states the limits by which it is computed. `flow` is what must be known for the answer.
    fn are_limits_told(&self, telling: &Telling, flow: &Flow<'_>) -> bool {
        self.limits.iter().all(|limit| telling.names.contains(limit) && flow.names.contains(limit))
    }

    fn build_diagnostic(&self, task: &Task, value: &Expr) -> Diagnostic {
        let file =
            self.own.file.and_then(|file| task.files.get(file)).map_or(self.own.name.as_str(), |file| &file.name);
        let name = &self.column.name;
        let message = format!("the column `{name}` of `{file}` probably says which rows are asked for");
        let said = Diagnostic::new(Code::LEAKED_ANSWER, message, value.span, "expected here");
        said.label(self.column.span, "written to the file").help(format!(
            "if agents must find these rows by the rule in the prompt, name it `_{}`: it is then not written",
            name.trim_start_matches('_')
        ))
    }
}
