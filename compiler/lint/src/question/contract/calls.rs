//! `other_count` for calls of tools: the prompt states another number of calls than `calls` allows.

use model::suite::{Calls, NameId};
use model::{Span, Value};

use super::tokens::{Found, Kind, Token};
use super::wording::Wording;
use crate::context::{Asked, TaskCx, report_once};
use hir::{Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::rows as words;

/// A number of calls in a wording.
struct Told<'a> {
    found: Found<()>,
    /// Its value in each cell.
    values: Vec<i64>,
    /// The placeholder, if it is one.
    placeholder: Option<&'a Expr>,
}

/// Compares the number of calls that a wording tells with the number that the agent has.
pub(super) fn report_calls<'a>(wording: &Wording<'_, 'a>, asked: &Asked<'a>, said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    let all: Vec<Told<'a>> = (0..wording.text.tokens.len()).filter_map(|at| read_told(wording, at)).collect();
    let [told] = all.as_slice() else { return };
    let named = told.placeholder.and_then(|expr| match expr.resolve_name(cx.task).kind {
        ExprKind::Name(id) => Some(id),
        _ => None,
    });
    let (own, axis) = match asked.means.calls {
        Some(Calls::Fixed(number)) => (vec![i64::from(number)], None),
        Some(Calls::Axis(id)) => (list_cells(cx, id), Some(id)),
        None => {
            let new = named.filter(|_| told.values.len() > 1).map(|id| build_unlimited_diagnostic(wording, told, id));
            return new.into_iter().for_each(|new| report_once(new, said));
        }
    };
    let varies = own.len() > 1 || told.values.len() > 1;
    // A smaller number than the limit can be meant as a wish.
    let is_other = match varies {
        true => named.is_none_or(|named| Some(named) != axis) && own != told.values,
        false => told.values.iter().max() > own.iter().max(),
    };
    if is_other && !own.is_empty() && !told.values.is_empty() {
        let axis = axis.or(named).filter(|id| cx.task.axes.iter().any(|axis| axis.slot == *id));
        report_once(build_diagnostic(wording, told, (&own, axis)), said);
    }
}

fn list_cells(cx: &TaskCx<'_>, id: NameId) -> Vec<i64> {
    let cells = cx.task.axes.iter().filter(|axis| axis.slot == id).flat_map(|axis| &axis.cells);
    cells.filter_map(|(_, cell)| as_int(cell.as_constant()?)).collect()
}

fn as_int(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

/// The number at a token, if it is a number of calls of the agent.
fn read_told<'a>(wording: &Wording<'_, 'a>, at: usize) -> Option<Told<'a>> {
    let tokens = &wording.text.tokens;
    let token = tokens.get(at)?;
    let fillers = tokens.iter().skip(at + 1).take_while(|token| token.is_any(words::CALL_FILLERS)).count();
    let end = at + 1 + fillers;
    let is_followed = tokens.get(end).is_some_and(|next| next.is_any(words::CALLS));
    let of_sentence = || tokens.iter().filter(|other| other.sentence == token.sentence);
    let has = |words: &[&str]| of_sentence().any(|other| other.is_any(words));
    if !is_followed || !has(words::OF_AGENT) || has(words::FOR_EACH) {
        return None;
    }
    let (values, placeholder) = match &token.kind {
        Kind::Placeholder(expr) => (list_values(wording.cx, expr)?, Some(*expr)),
        _ => (vec![read_number(wording, token)?], None),
    };
    Some(Told { found: Found { start: at, end: end + 1, means: () }, values, placeholder })
}

/// The values of a placeholder: those of an axis, or a number that is always the same.
fn list_values(cx: &TaskCx<'_>, expr: &Expr) -> Option<Vec<i64>> {
    let value = expr.resolve_name(cx.task);
    match value.kind {
        ExprKind::Name(id) => Some(list_cells(cx, id)).filter(|cells| !cells.is_empty()),
        _ => Some(vec![as_int(value.as_constant()?)?]),
    }
}

fn read_number(wording: &Wording<'_, '_>, token: &Token<'_>) -> Option<i64> {
    match &token.kind {
        Kind::Literal(value) => as_int(value),
        Kind::Word => wording.language.numbers.iter().position(|word| token.lower == *word).map(|number| number as i64),
        _ => None,
    }
}

/// The diagnostic for an axis that is a number of calls in the prompt only.
fn build_unlimited_diagnostic(wording: &Wording<'_, '_>, told: &Told<'_>, axis: NameId) -> Diagnostic {
    let words = wording.quote(told.found.start, told.found.end);
    let place = wording.locate(told.found.start, told.found.end);
    let message = format!("the prompt says `{words}`, but nothing limits the calls of the agent");
    let declared = wording.cx.task.names.get(axis);
    let name = declared.map_or("", |name| name.name.as_str());
    Diagnostic::new(Code::OTHER_COUNT, message, declared.map_or(place, |name| name.span), "only in the prompt")
        .label(place, "only words")
        .help(format!("write `calls {name}` into the task"))
}

fn build_diagnostic(wording: &Wording<'_, '_>, told: &Told<'_>, (own, axis): (&[i64], Option<NameId>)) -> Diagnostic {
    let words = wording.quote(told.found.start, told.found.end);
    let place = wording.locate(told.found.start, told.found.end);
    let numbers: Vec<String> = own.iter().map(i64::to_string).collect();
    let allowed = numbers.join(" or ");
    let message = format!("the prompt says `{words}`, but the agent has {allowed}");
    let new = |span: Span, label: String| Diagnostic::new(Code::OTHER_COUNT, message, span, label);
    let Some(declared) = axis.and_then(|id| wording.cx.task.names.get(id)) else {
        return new(place, format!("`calls` allows {allowed}"))
            .help(format!("write {allowed} in the prompt, or change `calls`"));
    };
    let name = &declared.name;
    new(declared.span, "not used in both".to_owned())
        .label(place, format!("`calls` allows {allowed}"))
        .help(format!("use the axis in both: `calls {name}`, and `<<{name}>> calls` in the prompt"))
}
