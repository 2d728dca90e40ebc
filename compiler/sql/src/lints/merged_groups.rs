//! `merged_groups`: rows of a table are grouped or counted by a name that several of them can have, although they have a key.

use sqlparser::ast::Expr;

use super::asked::{Asked, Otherwise, Unit};
use super::calls::collect_calls;
use super::findings::{Finding, Need, Probe, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use super::{example, sample};
use crate::analyser::Analyser;
use crate::parse::find_expr_bytes;
use crate::scope::{Frame, Place, ROW_ID, resolve_place};
use model::ValueType;
use model::ddl::quote_name;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Reports `GROUP BY c.NAME` and `COUNT(DISTINCT c.NAME)` after a join by the key of `c`.
pub fn check_merged_groups(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let Some(frame) = analyser.frames.last() else { return };
    let calls = collect_calls(analyser, scene);
    if calls.is_empty() || scene.joins.reversed {
        return;
    }
    let Some(terms) = scene.group_terms() else { return };
    let places: Vec<Place> = terms.iter().filter_map(|term| resolve_place(&analyser.frames, term)).collect();
    let fixed = scene.facts.compute_fixed(&places);
    for (term, written) in terms.iter().zip(scene.groups) {
        let Some(place) = resolve_place(&analyser.frames, term) else { continue };
        if fixed.is_relation_fixed(place.0) || frame.relations.len() == 1 {
            continue;
        }
        found.extend(check_name(analyser, scene, frame, place).and_then(|key| {
            let bytes = find_expr_bytes(analyser.query.tokens, written)?;
            let said = describe(analyser, frame, place, bytes, "are one group")?
                .help(format!("group by the key: `GROUP BY {key}`"))
                .replace(Applicability::Unsafe, analyser.query.to_span(bytes), key.clone());
            let reading = Reading::new(format!("`GROUP BY {key}`"), [(bytes, key)]);
            Some(build_finding(analyser, frame, place, said)?.with_reading(reading))
        }));
    }
    for call in calls.iter().filter(|call| call.distinct && call.name == "count") {
        let Some(place) = call.argument().and_then(|argument: &Expr| resolve_place(&analyser.frames, argument)) else {
            continue;
        };
        found.extend(check_name(analyser, scene, frame, place).and_then(|key| {
            let once = format!("COUNT(DISTINCT {key})");
            let said = describe(analyser, frame, place, call.bytes, "count once")?
                .help(format!("count the key: `{once}`"))
                .replace(Applicability::Unsafe, analyser.query.to_span(call.bytes), once.clone());
            let reading = Reading::new_shown(call.bytes, once);
            Some(build_finding(analyser, frame, place, said)?.with_reading(reading))
        }));
    }
}

/// Returns the key of a table, as it is written here, if the column is a name that does not identify its rows, and the table is joined by the key.
fn check_name(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, frame: &Frame, place: Place) -> Option<String> {
    let relation = frame.relations.get(place.0)?;
    relation.table?;
    let column = example::find_request_column(analyser, place)?;
    let is_text = column.value_type == Some(ValueType::Text);
    let is_key = |place: usize| relation.keys.contains(&vec![place]);
    if !is_text || is_key(place.1) || column.references.is_some() || !is_name(column.name) {
        return None;
    }
    let equal = scene.facts.list_equal_columns();
    let linked =
        equal.iter().flat_map(|(a, b)| [a, b]).find(|other| other.0 == place.0 && is_key(other.1) && other.1 != ROW_ID);
    let key = match linked {
        Some(key) => *key,
        // Alone, its names are counted.
        None if frame.relations.len() == 1 => relation.keys.iter().find_map(|key| match key.as_slice() {
            [column] if *column != ROW_ID => Some((place.0, *column)),
            _ => None,
        })?,
        None => return None,
    };
    example::qualify_column(frame, key)
}

/// Whether a column has the names of things, by its own name; first names are meant as groups.
fn is_name(column: &str) -> bool {
    let lower = column.to_lowercase();
    let parts: Vec<&str> = lower.split('_').filter(|part| !part.is_empty()).collect();
    let part_of_name =
        ["first", "last", "given", "family", "middle", "sur", "nick", "file", "host", "domain", "type", "group"];
    matches!(parts.last(), Some(&("name" | "title" | "fullname" | "label")))
        && !parts.iter().any(|part| part_of_name.contains(part))
}

fn describe(
    analyser: &Analyser<'_>,
    frame: &Frame,
    place: Place,
    bytes: (usize, usize),
    effect: &str,
) -> Option<Diagnostic> {
    let column = example::find_request_column(analyser, place)?;
    let rows = example::name_relation(analyser, frame.relations.get(place.0)?);
    let value =
        sample::sample_value(column, 0).map_or_else(|| "'x'".to_owned(), |value| sample::describe_value(&value));
    let said = Diagnostic::new(
        Code::MERGED_GROUPS,
        format!("rows of `{rows}` with the same `{}` {effect}", column.name),
        analyser.query.to_span(bytes),
        "not unique",
    );
    let said = if column.span == analyser.query.whole_span() {
        said
    } else {
        said.label(column.span, "can have equal values")
    };
    Some(said.note(format!("2 rows of `{rows}` with {} {value} {effect}, although their keys differ", column.name)))
}

fn build_finding(analyser: &Analyser<'_>, frame: &Frame, place: Place, said: Diagnostic) -> Option<Finding> {
    let column = example::find_request_column(analyser, place)?;
    let table = frame.relations.get(place.0)?.find_table(analyser.query.request)?;
    let (rows, name) = (quote_name(table.name), quote_name(column.name));
    let probe = Probe::Returns(format!(
        "SELECT 1 FROM {rows} WHERE {name} IS NOT NULL GROUP BY {name} HAVING COUNT(*) > 1 LIMIT 1"
    ));
    let asked = match frame.relations.len() {
        // Alone, only the prompt tells that the rows are meant, and not the names.
        1 => Asked::Unit(Unit {
            repeated: table.name.to_owned(),
            others: vec![column.name.to_owned()],
            counted: true,
            otherwise: Otherwise::Silence,
        }),
        _ => Asked::NotPer(column.name.to_owned()),
    };
    Some(
        Finding::new_if(ReportCondition::Asked(asked), said)
            .with_needs(Some(Need::Drawn(table.id, column.id)))
            .with_probe(Some(probe)),
    )
}
