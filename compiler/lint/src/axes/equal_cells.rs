//! `repeated_cells` for cells with different values that make the same task: everything that is computed from the axis is the same in both.

use std::collections::BTreeSet;

use model::functions::{Inputs, Kernel};
use model::ops::{apply_binary, apply_neg, apply_not, is_true};
use model::suite::NameId;
use model::{Val, Value};

use super::is_axis;
use crate::context::TaskCx;
use hir::{Arg, Axis, Expr, ExprKind, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// The uses of an axis.
struct Uses<'a> {
    task: &'a Task,
    axis: NameId,
    /// The largest expressions that are computed from the axis alone.
    computed: Vec<&'a Expr>,
    seen: BTreeSet<NameId>,
    /// Whether the axis itself is used.
    is_shown: bool,
}

/// Reports two cells in which everything that is computed from an axis is the same. `roots` are all expressions of the task.
pub(super) fn check_equal_cells<'a>(cx: &TaskCx<'a>, axis: &'a Axis, roots: &[&'a Expr]) -> Option<Diagnostic> {
    let mut uses =
        Uses { task: cx.task, axis: axis.slot, computed: Vec::new(), seen: BTreeSet::new(), is_shown: false };
    roots.iter().for_each(|root| uses.visit(root));
    let first = uses.computed.first().filter(|_| !uses.is_shown)?;
    let cells: Vec<&Value> = axis.cells.iter().map(|(_, cell)| cell.as_constant()).collect::<Option<_>>()?;
    let results: Vec<Vec<Value>> = cells.iter().map(|cell| uses.compute_all(cell)).collect::<Option<_>>()?;
    // Where all cells are alike, the axis is idle.
    if results.iter().all(|result| is_same(result, results.first().unwrap_or(result))) {
        return None;
    }
    let (at, before) = results
        .iter()
        .enumerate()
        .find_map(|(at, result)| Some((at, results.iter().take(at).position(|other| is_same(other, result))?)))?;
    let ((one, other), (label, cell)) = (axis.cells.get(before)?, axis.cells.get(at)?);
    let (shown, value) = (cx.sources.quote(first.span), results.get(at)?.first()?.render_text().into_owned());
    let message = format!("cells `{one}` and `{label}` of axis `{}` make the same task", axis.name);
    Some(
        Diagnostic::new(Code::REPEATED_CELLS, message, cell.span, "the same again")
            .label(other.span, "first here")
            .label(first.span, format!("`{shown}` is {value} in both"))
            .help("give each cell a value that changes the task, or remove one of them"),
    )
}

fn is_same(first: &[Value], second: &[Value]) -> bool {
    first.len() == second.len() && first.iter().zip(second).all(|(a, b)| a.is_same(b))
}

impl<'a> Uses<'a> {
    fn visit(&mut self, expr: &'a Expr) {
        let names_axis = expr.has_part_through_names(self.task, |part| part.kind == ExprKind::Name(self.axis));
        if self.is_shown || !names_axis {
            return;
        }
        match expr.kind {
            ExprKind::Name(id) if id == self.axis => self.is_shown = true,
            ExprKind::Name(id) => {
                if self.seen.insert(id) {
                    self.task.find_computed(id).into_iter().for_each(|value| self.visit(value));
                }
            }
            _ if self.is_computed(expr) => self.computed.push(expr),
            _ => expr.visit_children(&mut |child, _| self.visit(child)),
        }
    }

    /// Whether an expression depends on the axis alone.
    fn is_computed(&self, expr: &Expr) -> bool {
        let mut is_pure = true;
        expr.visit_through_names(self.task, &mut |part| {
            is_pure &= match &part.kind {
                ExprKind::Const(_) | ExprKind::Neg(_) | ExprKind::Not(_) | ExprKind::Binary(..) | ExprKind::If(_) => {
                    true
                }
                ExprKind::Name(id) => {
                    !is_axis(self.task, *id) && self.task.find_computed(*id).is_some() || *id == self.axis
                }
                ExprKind::Call(function, args) => {
                    matches!(function.kernel, Kernel::Values(_)) && args.iter().all(|arg| matches!(arg, Arg::Value(_)))
                }
                _ => false,
            }
        });
        is_pure
    }

    fn compute_all(&self, cell: &Value) -> Option<Vec<Value>> {
        self.computed.iter().map(|expr| self.compute(expr, cell, 0)).collect()
    }

    /// The value of an expression in a cell.
    fn compute(&self, expr: &Expr, cell: &Value, depth: u32) -> Option<Value> {
        let compute = |part: &Expr| self.compute(part, cell, depth + 1);
        match &expr.kind {
            _ if depth > 64 => None,
            ExprKind::Const(value) => Some(value.clone()),
            ExprKind::Name(id) if *id == self.axis => Some(cell.clone()),
            ExprKind::Name(id) => compute(self.task.find_computed(*id)?),
            ExprKind::Neg(inner) => apply_neg(&compute(inner)?).ok(),
            ExprKind::Not(inner) => Some(apply_not(&compute(inner)?)),
            ExprKind::Binary(op, sides) => apply_binary(*op, &compute(&sides.0)?, &compute(&sides.1)?).ok(),
            ExprKind::If(parts) => compute(if is_true(&compute(&parts.0)?) { &parts.1 } else { &parts.2 }),
            ExprKind::Call(function, args) => {
                let Kernel::Values(kernel) = function.kernel else { return None };
                let value = |arg: &Arg| match arg {
                    Arg::Value(value) => compute(value),
                    _ => None,
                };
                let values = args.iter().map(|arg| value(arg).map(Val::Own)).collect::<Option<_>>()?;
                kernel(Inputs { function: function.name, values }).ok().map(Val::into_value)
            }
            _ => None,
        }
    }
}
