//! Composes one JSON document that satisfies several `expect`s on places in it.

use model::Singular;
use model::singular::Step;

use super::compose::{Part, build_layouts};
use crate::got::ResponseValue;
use crate::read::json::parse_json;

/// The key for text that is searched in the whole document, if that is an object.
const NOTE: &str = "note";

/// Builds candidate documents, the likeliest first. Text that is searched in the whole document is added if the document can have a further key.
pub fn build_documents(chosen: &[(&Part, &str)]) -> Vec<String> {
    let from_end = |at: &Singular| at.steps().iter().any(is_from_end);
    let places = || chosen.iter().filter_map(|(part, _)| part.at.as_ref());
    let mut out = with_note(build_document(chosen, &mut Apart::default()), chosen);
    // `$[2]` and `$[-1]` may be the same item, as above, or two items.
    if places().any(from_end) {
        let mut apart = Apart { counted: places().flat_map(list_arrays_from_end).collect(), done: Vec::new() };
        for text in with_note(build_document(chosen, &mut apart), chosen) {
            if !out.contains(&text) {
                out.push(text);
            }
        }
    }
    out
}

/// Returns the document, preceded by a copy with the text that is searched in the whole document, if any.
fn with_note(mut document: ResponseValue, chosen: &[(&Part, &str)]) -> Vec<String> {
    let searched: Vec<&str> = chosen
        .iter()
        .filter(|(part, _)| part.at.is_none() && part.slice.is_none() && part.is_searched())
        .map(|(_, form)| *form)
        .collect();
    let mut out = vec![document.render_line()];
    if !searched.is_empty() {
        set_value(
            &mut document,
            &[Step::Name(NOTE.to_owned())],
            0,
            ResponseValue::Text(searched.join("\n")),
            &mut Apart::default(),
        );
        out.insert(0, document.render_line());
    }
    out
}

/// Builds a document with the required value at each place.
fn build_document<'p>(chosen: &[(&'p Part, &str)], apart: &mut Apart<'p>) -> ResponseValue {
    let mut document = ResponseValue::Null;
    // A value for the whole document comes first; places are then set in it.
    let whole = chosen.iter().find(|(part, _)| part.at.is_none() && part.json);
    if let Some(value) = whole.and_then(|(_, form)| parse_json(form).ok()) {
        document = value;
    }
    let mut places: Vec<&Singular> = Vec::new();
    for at in chosen.iter().filter_map(|(part, _)| part.at.as_ref()) {
        if !places.contains(&at) {
            places.push(at);
        }
    }
    // Positions counted from the end depend on the items that are counted from the start.
    places.sort_by_key(|at| at.steps().iter().map(is_from_end).collect::<Vec<bool>>());
    for at in places {
        let here: Vec<(&Part, &str)> =
            chosen.iter().filter(|(other, _)| other.at.as_ref() == Some(at)).copied().collect();
        if let Some(value) = build_value(&here) {
            set_value(&mut document, at.steps(), 0, value, apart);
        }
    }
    document
}

/// Arrays whose items counted from the end are separate from those counted from the start.
#[derive(Default)]
struct Apart<'p> {
    /// The steps to each such array, and how many items are counted from its end.
    counted: Vec<(&'p [Step], usize)>,
    /// The arrays that already have these items.
    done: Vec<&'p [Step]>,
}

/// Whether a step counts from the end of an array.
fn is_from_end(step: &Step) -> bool {
    matches!(step, Step::Index(index) if *index < 0)
}

/// Lists the arrays on the way to a place in which an item is counted from the end.
fn list_arrays_from_end(at: &Singular) -> Vec<(&[Step], usize)> {
    let steps = at.steps().iter().enumerate();
    let items = steps.filter_map(|(place, step)| match step {
        Step::Index(index) if *index < 0 => {
            Some((at.steps().get(..place)?, usize::try_from(index.unsigned_abs()).ok()?))
        }
        _ => None,
    });
    items.collect()
}

/// Builds the value at one place: JSON if one of the expectations there reads it, otherwise a text that satisfies all of them.
fn build_value(here: &[(&Part, &str)]) -> Option<ResponseValue> {
    if let Some(value) = here.iter().filter(|(part, _)| part.json).find_map(|(_, form)| parse_json(form).ok()) {
        return Some(value);
    }
    let texts: Vec<Part> = here
        .iter()
        .map(|(part, form)| Part {
            slice: None,
            at: None,
            json: false,
            matcher: part.matcher,
            forms: vec![(*form).to_owned()],
        })
        .collect();
    let chosen: Vec<(&Part, &str)> = texts.iter().zip(here).map(|(part, (_, form))| (part, *form)).collect();
    build_layouts(&chosen).into_iter().next().map(ResponseValue::Text)
}

/// Sets a value at a place, after the first `taken` steps. Values of another kind on the way are replaced, and items before it are null.
fn set_value<'p>(at: &mut ResponseValue, steps: &'p [Step], taken: usize, value: ResponseValue, apart: &mut Apart<'p>) {
    let Some(step) = steps.get(taken) else {
        *at = value;
        return;
    };
    match step {
        Step::Name(name) => {
            if !matches!(at, ResponseValue::Object(_)) {
                *at = ResponseValue::Object(Vec::new());
            }
            let ResponseValue::Object(fields) = at else { return };
            let place = fields.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                fields.push((name.clone(), ResponseValue::Null));
                fields.len() - 1
            });
            if let Some((_, field)) = fields.get_mut(place) {
                set_value(field, steps, taken + 1, value, apart);
            }
        }
        Step::Index(index) => {
            if !matches!(at, ResponseValue::Array(_)) {
                *at = ResponseValue::Array(Vec::new());
            }
            let ResponseValue::Array(items) = at else { return };
            // The array must be long enough to count from its end.
            let needed = if *index < 0 { index.unsigned_abs() } else { index.unsigned_abs() + 1 };
            let mut needed = usize::try_from(needed).unwrap_or(usize::MAX);
            let here = steps.get(..taken).unwrap_or_default();
            if *index < 0 && !apart.done.contains(&here) {
                let counted = apart.counted.iter().filter(|(steps, _)| *steps == here);
                if let Some(most) = counted.map(|(_, count)| *count).max() {
                    apart.done.push(here);
                    needed = items.len().saturating_add(most);
                }
            }
            if needed > MAX_ITEMS {
                return;
            }
            if items.len() < needed {
                items.resize(needed, ResponseValue::Null);
            }
            let place = Step::resolve_index(*index, items.len());
            if let Some(item) = place.and_then(|place| items.get_mut(place)) {
                set_value(item, steps, taken + 1, value, apart);
            }
        }
    }
}

/// The maximum length of an array.
const MAX_ITEMS: usize = 100_000;
