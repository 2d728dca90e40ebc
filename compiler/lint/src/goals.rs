//! For lints on expected states of databases: the statements that lead to a state.

use model::Span;
use model::suite::{ColumnId, Matcher, RelationId};

use hir::{Arg, Column, Expect, Expr, ExprKind, Sql, Task};
use sql::{Change, list_changes};

/// The expected state of a database.
pub(crate) struct Goal<'a> {
    /// The expectation.
    pub expect: &'a Expect,
    /// The expected value.
    pub answer: &'a Expr,
    /// The statements, in order.
    pub steps: Vec<Step<'a>>,
    /// Whether all statements are understood.
    pub is_understood: bool,
}

/// A statement of a goal.
pub(crate) struct Step<'a> {
    pub change: Change<'a>,
    /// The text with this statement.
    pub sql: &'a Sql,
    /// The table that it changes.
    pub relation: RelationId,
}

impl Step<'_> {
    /// The span of the statement.
    pub fn span(&self) -> Span {
        self.to_span(self.change.bytes)
    }

    /// The span of bytes of the text.
    pub fn to_span(&self, (start, end): (usize, usize)) -> Span {
        let whole = self.sql.span;
        let place =
            |offset: usize| whole.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(whole.end);
        Span::new(whole.file, place(start), place(end))
    }

    /// Finds a column of the changed table.
    pub fn find_column<'t>(&self, task: &'t Task, name: &str) -> Option<(ColumnId, &'t Column)> {
        let relation = task.relations.get(self.relation)?;
        relation.iter_written_columns().find(|(_, column)| column.name.eq_ignore_ascii_case(name))
    }
}

/// Lists the expected states of a task, or of one way of asking it.
pub(crate) fn list_goals<'a>(task: &'a Task, expects: impl Iterator<Item = &'a Expect>) -> Vec<Goal<'a>> {
    let of_states = expects.filter(|expect| expect.matcher == Matcher::Database);
    of_states.filter_map(|expect| build_goal(task, expect)).collect()
}

fn build_goal<'a>(task: &'a Task, expect: &'a Expect) -> Option<Goal<'a>> {
    let answer = expect.answer_expr().filter(|answer| !answer.is_broken())?;
    let mut texts: Vec<&'a Sql> = Vec::new();
    let mut at = answer.resolve_name(task);
    loop {
        let ExprKind::Call(_, args) = &at.kind else { return None };
        match args.as_slice() {
            [first, Arg::Sql(sql)] => {
                texts.push(sql);
                match first {
                    Arg::File(_) => break,
                    Arg::Value(state) => at = state.resolve_name(task),
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    let mut goal = Goal { expect, answer, steps: Vec::new(), is_understood: true };
    for sql in texts.into_iter().rev() {
        let (changes, all) = list_changes(&sql.text);
        goal.is_understood &= all;
        for change in changes {
            let is_table = |id: &&RelationId| {
                task.relations.get(**id).is_some_and(|relation| relation.table.eq_ignore_ascii_case(&change.table))
            };
            match sql.analysis.tables.iter().find(is_table) {
                Some(relation) => goal.steps.push(Step { relation: *relation, change, sql }),
                None => goal.is_understood = false,
            }
        }
    }
    Some(goal)
}
