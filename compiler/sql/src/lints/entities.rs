//! `multiplied_rows`: rows of one table are counted, but the prompt asks for rows of a table to which they refer.

use sqlparser::ast::Expr;

use super::asked::{Asked, Otherwise, Unit};
use super::calls::{Call, collect_calls};
use super::example;
use super::findings::{Finding, Need, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::functions::is_count_star;
use crate::output::Use;
use crate::request::is_same_name;
use crate::scope::{Relation, resolve_place};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Reports `COUNT(*)` of orders where the prompt asks how many customers there are.
pub fn check_entities(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let Some([relation]) = analyser.frames.last().map(|frame| frame.relations.as_slice()) else { return };
    if scene.becomes != Use::Given || scene.select.distinct.is_some() {
        return;
    }
    let Some(table) = relation.find_table(analyser.query.request) else { return };
    for call in collect_calls(analyser, scene).iter().filter(|call| call.name == "count" && !call.distinct) {
        let places = (0..table.columns.len()).filter(|place| is_counted(analyser, call, *place));
        found.extend(places.filter_map(|place| check_count(analyser, scene, (relation, place), call)));
    }
}

/// Whether a call counts all rows, or the values of a column.
fn is_counted(analyser: &Analyser<'_>, call: &Call, place: usize) -> bool {
    let counted = call.argument().and_then(|argument| resolve_place(&analyser.frames, argument));
    is_count_star(&call.function) || counted == Some((0, place))
}

fn check_count(
    analyser: &Analyser<'_>,
    scene: &Scene<'_, '_, '_>,
    (relation, place): (&Relation, usize),
    call: &Call,
) -> Option<Finding> {
    let table = relation.find_table(analyser.query.request)?;
    let column = table.columns.get(place)?;
    let terms = scene.group_terms()?;
    let is_group = |term: &&Expr| resolve_place(&analyser.frames, term) == Some((0, place));
    if column.unique || column.primary_key || terms.iter().any(is_group) {
        return None;
    }
    let (parent, _) = column.references?;
    if is_same_name(parent, table.name) {
        return None;
    }
    let query = analyser.query;
    let (text, span) = (query.slice_text(call.bytes), query.to_span(call.bytes));
    let key = example::qualify_column(analyser.frames.last()?, (0, place))?;
    let once = format!("COUNT(DISTINCT {key})");
    let said = Diagnostic::new(
        Code::MULTIPLIED_ROWS,
        format!("`{text}` counts rows of `{}`, but the prompt asks for `{parent}`", table.name),
        span,
        format!("a row of `{parent}` can have several"),
    )
    .note(format!("1 row of `{parent}` with 2 rows of `{}`: `{text}` is 2, and `{once}` is 1", table.name))
    .help(format!("count each row of `{parent}` once: `{once}`"))
    .replace(Applicability::Unsafe, span, once.clone());
    let further = table.columns.iter().filter_map(|column| column.references).map(|(table, _)| table.to_owned());
    let others =
        [table.name.to_owned()].into_iter().chain(further.filter(|other| !is_same_name(other, parent))).collect();
    let unit = Unit { repeated: parent.to_owned(), others, counted: true, otherwise: Otherwise::Silence };
    let need = Need::Repeated(table.id, column.id);
    let reading = Reading::new_shown(call.bytes, once);
    Some(Finding::new_if(ReportCondition::Asked(Asked::Unit(unit)), said).with_needs([need]).with_reading(reading))
}
