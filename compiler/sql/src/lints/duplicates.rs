//! `duplicates_dropped`: equal rows or values that count once below an aggregate: UNION, DISTINCT, `SUM(DISTINCT x)`.

use super::asked::Asked;
use super::calls::{Call, collect_calls};
use super::findings::{Finding, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use super::{example, sample};
use crate::analyser::Analyser;
use crate::made::MergedRows;
use crate::parse::find_expr_bytes;
use crate::reads::collect_all_reads;
use crate::scope::{Relation, resolve_place};
use model::ValueType;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::prompts::english::queries::DIFFERENT;
use syntax::prompts::english::queries::SETS;

/// Reports aggregates over rows or values of which equal ones were merged.
pub fn check_duplicates(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let Some(frame) = analyser.frames.last() else { return };
    if !scene.whole && scene.groups.is_empty() {
        return;
    }
    let has_merged = frame.relations.iter().any(|relation| relation.made.merged.is_some());
    if !has_merged && !analyser.query.tokens.iter().any(|token| token.is_keyword("DISTINCT")) {
        return;
    }
    for call in collect_calls(analyser, scene) {
        if call.distinct {
            found.extend(check_distinct(analyser, &call));
        } else if has_merged {
            found.extend(check_merged(analyser, &frame.relations, &call));
        }
    }
}

/// Reports `SUM(DISTINCT x)` and `AVG(DISTINCT x)`.
fn check_distinct(analyser: &Analyser<'_>, call: &Call) -> Option<Finding> {
    if !matches!(call.name.as_str(), "sum" | "total" | "avg") {
        return None;
    }
    let frame = analyser.frames.last()?;
    let argument = call.argument()?;
    let read = collect_all_reads(analyser, argument);
    let place = resolve_place(&analyser.frames, argument);
    let is_key = |(relation, column): (usize, usize)| {
        frame.relations.get(relation).is_some_and(|relation| relation.keys.contains(&vec![column]))
    };
    if read.unclear || read.places.is_empty() || place.is_some_and(is_key) {
        return None;
    }
    let query = analyser.query;
    let (text, span) = (query.slice_text(call.bytes), query.to_span(call.bytes));
    let inner = find_expr_bytes(query.tokens, argument).map(|bytes| query.slice_text(bytes))?;
    let all = format!("{}({inner})", call.function.name);
    let said = Diagnostic::new(
        Code::DUPLICATES_DROPPED,
        format!("`{text}` counts equal values once, but the prompt does not say so"),
        span,
        "drops equal values",
    );
    let column = place.and_then(|place| example::find_request_column(analyser, place));
    let said = match column.and_then(|column| Some((column, sample::sample_value(column, 1)?))) {
        Some((column, value)) => {
            let shown = sample::describe_value(&value);
            let (both, one) = match call.name.as_str() {
                "avg" => (format!("the mean of both and of {shown} once"), String::new()),
                _ => (sample::multiply_value(&value, 2).unwrap_or_default(), shown),
            };
            if one.is_empty() || both.is_empty() {
                said
            } else {
                said.note(format!(
                    "2 rows with {}: `{text}` is {one}, and `{all}` is {both}",
                    sample::describe_cell(column, &value)
                ))
            }
        }
        None => said,
    };
    let said = if frame.relations.len() > 1 {
        said.help("if a join repeats rows, aggregate before the join; two rows with equal values are then both counted")
    } else {
        said.help(format!("write `{all}`, or ask for the different values")).replace(
            Applicability::Unsafe,
            span,
            all.clone(),
        )
    };
    let reading = Reading::new_shown(call.bytes, all);
    Some(Finding::new_if(ReportCondition::Asked(Asked::Without(DIFFERENT)), said).with_reading(reading))
}

/// Reports an aggregate over the rows of a subquery that merges equal ones.
fn check_merged(analyser: &Analyser<'_>, relations: &[Relation], call: &Call) -> Option<Finding> {
    let is_sum = matches!(call.name.as_str(), "sum" | "total" | "avg");
    if !is_sum && call.name != "count" {
        return None;
    }
    let read = call.argument().map(|argument| collect_all_reads(analyser, argument)).unwrap_or_default();
    let mut places = read.places.keys();
    let index = match (read.unclear, places.next()) {
        (true, _) => return None,
        (false, Some(place)) => place.0,
        (false, None) => relations.iter().position(|relation| relation.made.merged.is_some())?,
    };
    let relation = relations.get(index)?;
    let merged = relation.made.merged.as_ref()?;
    // Different rows are counted on purpose, unless they hold measured values.
    if !is_sum && (relations.len() > 1 || !merged.union || !has_measure(relation)) {
        return None;
    }
    let query = analyser.query;
    let (word, all) = if merged.union { ("UNION", "UNION ALL") } else { ("DISTINCT", "") };
    let span = query.to_span(merged.keyword);
    let said = Diagnostic::new(
        Code::DUPLICATES_DROPPED,
        format!("`{word}` drops equal rows before `{}` counts them", query.slice_text(call.bytes)),
        span,
        "drops equal rows",
    )
    .label(query.to_span(call.bytes), "counts what is left");
    let said = match describe_example(analyser, relation, merged, call) {
        Some(note) => said.note(note),
        None => said,
    };
    let said = if merged.union {
        said.help("keep all rows: `UNION ALL`").replace(Applicability::Unsafe, span, all)
    } else {
        said.help("select a key of the rows, too: then only repeated rows are equal")
    };
    let words = if is_sum { DIFFERENT } else { SETS };
    let reading = match merged.union {
        true => Reading::new_shown(merged.keyword, all),
        false => Reading::new("all rows kept", [(merged.keyword, String::new())]),
    };
    Some(Finding::new_if(ReportCondition::Asked(Asked::Without(words)), said).with_reading(reading))
}

/// Whether a relation has a column with numbers that count or measure something.
fn has_measure(relation: &Relation) -> bool {
    let is_number = |ty: ValueType| matches!(ty, ValueType::Int | ValueType::Decimal(_) | ValueType::Float);
    relation.columns.iter().flatten().any(|column| column.value.ty.is_some_and(is_number))
}

fn describe_example(analyser: &Analyser<'_>, relation: &Relation, merged: &MergedRows, call: &Call) -> Option<String> {
    let text = analyser.query.slice_text(call.bytes);
    let word = if merged.union { "UNION" } else { "DISTINCT" };
    if call.name == "count" {
        return Some(format!("2 equal rows are one after {word}: `{text}` is 1, not 2"));
    }
    let (relation_at, column) = resolve_place(&analyser.frames, call.argument()?)?;
    let request = example::find_request_column(analyser, (relation_at, column));
    let name = &relation.get_column(column)?.name;
    let value = request.and_then(|column| sample::sample_value(column, 1)).unwrap_or(model::Value::Int(5));
    let (once, twice) = (sample::describe_value(&value), sample::multiply_value(&value, 2)?);
    (call.name != "avg")
        .then(|| format!("2 rows with only {name} {once} are one after {word}: `{text}` is {once}, not {twice}"))
}
