//! Values of an axis that the data never has: in these cells no row meets the condition, while the other cells are fine.

use model::{Span, Value};

use super::words;
use super::words::suggest_replacement;
use hir::facts::Fact;
use hir::{Axis, Expr, ExprKind, Task};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::sources::Sources;

/// Returns the axis that an expression names.
pub fn find_axis<'a>(task: &'a Task, expr: &Expr) -> Option<&'a Axis> {
    let ExprKind::Name(id) = expr.kind else { return None };
    task.axes.iter().find(|axis| axis.slot == id)
}

/// Checks the comparison at `place` of an axis with `data`, whose known facts are `fact`.
pub fn check_axis_values(
    axis: &Axis,
    (data, fact): (Span, &Fact<'_>),
    place: Span,
    sources: &Sources,
) -> Option<Diagnostic> {
    let values = fact.closed.as_ref().filter(|values| !values.is_empty())?;
    let stranger =
        |cell: &&(String, Expr)| cell.1.as_constant().is_some_and(|value| !value.is_null() && !fact.can_be(value));
    let (_, cell) = axis.cells.iter().find(stranger)?;
    let written = sources.quote(place);
    let shown = words::format_value(cell.as_constant()?);
    let said = Diagnostic::new(
        Code::IMPOSSIBLE_PREDICATE,
        format!("`{written}` is never true where `{}` is {shown}", axis.name),
        place,
        words::describe_fact(fact).map_or_else(String::new, |is| format!("`{}` {is}", sources.quote(data))),
    )
    .label(cell.span, "nothing equals this value");
    if let Some(Value::Text(word)) = cell.as_constant()
        && let Some((near, clear)) = words::find_nearest_text(word, values.iter())
    {
        return Some(suggest_replacement(said, &near, clear, cell.span, sources.text(cell.span)));
    }
    Some(said.help("use a value that the data has, or add this one to the domain"))
}
