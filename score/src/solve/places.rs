//! One JSON document out of what several `expect`s ask of places in it.

use plan::Singular;
use plan::singular::Step;

use super::compose::{Part, layouts};
use crate::got::Got;
use crate::read::json::json;

/// The key of what is searched for in the whole text, where the document is an object.
const NOTE: &str = "note";

/// Documents that may do, the likeliest first. What is asked of the whole text is added where the document can have one more key.
pub fn documents(chosen: &[(&Part, &str)]) -> Vec<String> {
    let mut document = Got::Null;
    let mut done: Vec<&Singular> = Vec::new();
    // What reads all of the document comes first: places are then set in it.
    let whole = chosen.iter().find(|(part, _)| part.at.is_none() && part.json);
    if let Some(value) = whole.and_then(|(_, form)| json(form).ok()) {
        document = value;
    }
    for (part, _) in chosen {
        let Some(at) = part.at.as_ref().filter(|at| !done.contains(at)) else { continue };
        done.push(at);
        let here: Vec<(&Part, &str)> =
            chosen.iter().filter(|(other, _)| other.at.as_ref() == Some(at)).copied().collect();
        let Some(value) = value(&here) else { continue };
        set(&mut document, at.steps(), value);
    }
    let searched: Vec<&str> = chosen
        .iter()
        .filter(|(part, _)| part.at.is_none() && part.slice.is_none() && !part.whole)
        .map(|(_, form)| *form)
        .collect();
    let mut out = vec![document.shown()];
    if !searched.is_empty() {
        set(&mut document, &[Step::Name(NOTE.to_owned())], Got::Text(searched.join("\n")));
        out.insert(0, document.shown());
    }
    out
}

/// What is at one place: JSON where one of the expectations there takes it, else a text that says all of them.
fn value(here: &[(&Part, &str)]) -> Option<Got> {
    if let Some(value) = here.iter().filter(|(part, _)| part.json).find_map(|(_, form)| json(form).ok()) {
        return Some(value);
    }
    let texts: Vec<Part> = here
        .iter()
        .map(|(part, form)| Part {
            slice: None,
            at: None,
            json: false,
            whole: part.whole,
            forms: vec![(*form).to_owned()],
        })
        .collect();
    let chosen: Vec<(&Part, &str)> = texts.iter().zip(here).map(|(part, (_, form))| (part, *form)).collect();
    layouts(&chosen).into_iter().next().map(Got::Text)
}

/// Puts a value at a place; what is on the way and of another kind is replaced. Items before it are null.
fn set(at: &mut Got, steps: &[Step], value: Got) {
    let Some((step, rest)) = steps.split_first() else {
        *at = value;
        return;
    };
    match step {
        Step::Name(name) => {
            if !matches!(at, Got::Object(_)) {
                *at = Got::Object(Vec::new());
            }
            let Got::Object(fields) = at else { return };
            let place = fields.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                fields.push((name.clone(), Got::Null));
                fields.len() - 1
            });
            if let Some((_, field)) = fields.get_mut(place) {
                set(field, rest, value);
            }
        }
        Step::Index(index) => {
            if !matches!(at, Got::Array(_)) {
                *at = Got::Array(Vec::new());
            }
            let Got::Array(items) = at else { return };
            // From the end, the array has to be long enough.
            let needed = if *index < 0 { index.unsigned_abs() } else { index.unsigned_abs() + 1 };
            let needed = usize::try_from(needed).unwrap_or(usize::MAX);
            if needed > MOST_ITEMS {
                return;
            }
            if items.len() < needed {
                items.resize(needed, Got::Null);
            }
            let place = Step::place(*index, items.len());
            if let Some(item) = place.and_then(|place| items.get_mut(place)) {
                set(item, rest, value);
            }
        }
    }
}

/// The longest array that is written.
const MOST_ITEMS: usize = 100_000;
