//! Values of an axis that the data never has: in these cells no row meets the condition, while the other cells are fine.

use model::suite::Op;
use model::{Span, Value};

use super::words;
use super::words::suggest_replacement;
use hir::facts::{Fact, Truth, compare_facts};
use hir::{Axis, Expr, ExprKind, Task};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::sources::Sources;

/// Returns the axis that an expression names.
pub fn find_axis<'a>(task: &'a Task, expr: &Expr) -> Option<&'a Axis> {
    let ExprKind::Name(id) = expr.kind else { return None };
    task.axes.iter().find(|axis| axis.slot == id)
}

/// Checks the comparison at `place` of `data`, whose known facts are `fact`, with an axis: `data op axis`.
pub fn check_axis_values(
    axis: &Axis,
    (op, data, fact): (Op, Span, &Fact<'_>),
    place: Span,
    sources: &Sources,
) -> Option<Diagnostic> {
    let is_ordered = match op {
        Op::Eq if fact.closed.as_ref().is_some_and(|values| !values.is_empty()) => false,
        Op::Lt | Op::Le | Op::Gt | Op::Ge => true,
        _ => return None,
    };
    let is_stranger =
        |value: &Value| !value.is_null() && compare_facts(op, fact, &Fact::from_value(value)) == Truth::Never;
    let (_, cell) = axis.cells.iter().find(|(_, cell)| cell.as_constant().is_some_and(is_stranger))?;
    let written = sources.quote(place);
    let shown = words::format_value(cell.as_constant()?);
    let said = Diagnostic::new(
        Code::IMPOSSIBLE_PREDICATE,
        format!("`{written}` is never true where `{}` is {shown}", axis.name),
        place,
        words::describe_fact(fact).map_or_else(String::new, |is| format!("`{}` {is}", sources.quote(data))),
    )
    .label(cell.span, if is_ordered { "outside of the data" } else { "nothing equals this value" });
    if is_ordered {
        return Some(said.help("use a value within the data, or widen what the data is drawn from"));
    }
    if let Some(Value::Text(word)) = cell.as_constant()
        && let Some(values) = &fact.closed
        && let Some((near, clear)) = words::find_nearest_text(word, values.iter())
    {
        return Some(suggest_replacement(said, &near, clear, cell.span, sources.text(cell.span)));
    }
    Some(said.help("use a value that the data has, or add this one to the domain"))
}
