//! Computed names, replaced by their expressions.

use model::suite::{Expr, NameId, Scope, Task};
use model::uses::Uses;

use super::parts::visit_parts_mut;

/// Maximum depth of computed names.
const MAX_DEPTH: usize = 16;

/// Returns an expression in which a computed name has another expression. Names that are computed from it are replaced by theirs. `None` if a filter
/// reads the name: it would be computed for every row.
pub fn replace_name(task: &Task, expr: &Expr, name: NameId, with: &Expr) -> Option<Expr> {
    let inliner = Inliner { task, name, with };
    inliner.inline(expr, 0)
}

struct Inliner<'t> {
    task: &'t Task,
    name: NameId,
    with: &'t Expr,
}

impl Inliner<'_> {
    fn inline(&self, expr: &Expr, depth: usize) -> Option<Expr> {
        if depth > MAX_DEPTH || self.is_filtered(expr) {
            return None;
        }
        if let Expr::Name(name) = expr {
            return self.inline_name(*name, depth);
        }
        let (mut copy, mut failed) = (expr.clone(), false);
        visit_parts_mut(&mut copy, &mut |part| match self.inline(part, depth) {
            Some(other) => *part = other,
            None => failed = true,
        });
        (!failed).then_some(copy)
    }

    fn inline_name(&self, name: NameId, depth: usize) -> Option<Expr> {
        if name == self.name {
            return Some(self.with.clone());
        }
        match self.task.find_computed(name) {
            Some(value) if self.reads_it(value) => self.inline(value, depth + 1),
            _ => Some(Expr::Name(name)),
        }
    }

    fn reads_it(&self, expr: &Expr) -> bool {
        Uses::from_computation(self.task, expr).names.contains(&self.name)
    }

    /// Whether the name is read for each row of a table.
    fn is_filtered(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.visit_parts(Scope::default(), &mut |part, at| found |= at.row.is_some() && self.reads_it(part));
        found
    }
}
