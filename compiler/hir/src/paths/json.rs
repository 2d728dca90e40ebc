//! Evaluates a JSONPath on the form of a file.

use model::Value;
use model::json_path::{Compared, Filter, Segment, Selector, parse_segments};
use serde_json_path::JsonPath;

use super::form::{Entry, Form};
use super::json_nodes::is_empty_slice;
use super::json_terms::build_predicate;
use super::leaf::{Comparison, Source};
use super::predicate::Predicate;
use super::{PathError, PathResult};
use crate::types::{Ty, TyKind};

/// A position that the path can reach.
#[derive(Clone)]
struct Place<'f> {
    form: &'f Form,
    /// Whether it exists in every sample.
    sure: bool,
    /// The minimum number of such positions.
    least: u64,
}

impl<'f> Place<'f> {
    /// Creates a position that some samples may not have.
    fn from_form(form: &'f Form) -> Place<'f> {
        Place { form, sure: false, least: 0 }
    }
}

/// The maximum nesting of filters. A reader of filters may visit each inner one several times.
const DEEPEST: usize = 16;

/// Finds a filter that is nested too deeply.
fn find_deep_filter(text: &str) -> Option<PathError> {
    let mut open: Vec<bool> = Vec::new();
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open && before != '\\' => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[') => open.push(false),
            (None, ']') => drop(open.pop()),
            (None, '?') => {
                if let Some(filter) = open.last_mut() {
                    *filter = true;
                }
                if open.iter().filter(|filter| **filter).count() > DEEPEST {
                    let message = format!("filters are nested more than {DEEPEST} deep");
                    return Some(PathError { syntax: true, ..PathError::new(at..at + 1, message, "one too deep") });
                }
            }
            _ => {}
        }
        // A backslash that is itself escaped does not escape the next character.
        before = if before == '\\' && c == '\\' { ' ' } else { c };
    }
    None
}

/// Evaluates a path on a form; `text` begins with `$`.
pub fn follow_path(text: &str, form: &Form) -> Result<PathResult, PathError> {
    if let Some(misstep) = find_deep_filter(text) {
        return Err(misstep);
    }
    if let Err(error) = JsonPath::parse(text) {
        let at = error.position().min(text.len())..text.len();
        let message = format!("the JSONPath is not valid: {}", error.message());
        return Err(PathError { syntax: true, ..PathError::new(at, message, "not valid from here") });
    }
    let Some((segments, _)) = parse_segments(text, 0) else { return Ok(PathResult::unknown(false)) };
    let at_most_one = is_singular(&segments);
    let start = vec![Place { form, sure: true, least: 1 }];
    let mut met = Met { text, root: form, comparisons: Vec::new(), predicates: Vec::new() };
    let found = match follow_segments(&segments, start, &mut met)? {
        Some(places) => summarize_places(&places),
        None => PathResult::unknown(at_most_one),
    };
    let Met { comparisons, predicates, .. } = met;
    Ok(PathResult { at_most_one, comparisons, predicates, ..found })
}

/// What is met in filters on the way.
struct Met<'f> {
    /// The text of the path.
    text: &'f str,
    root: &'f Form,
    comparisons: Vec<Comparison>,
    predicates: Vec<Predicate>,
}

/// The number of texts that meet a regular expression, as the build counts them: `function` is `match` or `search`. `None` if it is not valid.
pub fn count_matches(texts: &[Value], regex: &str, function: &str) -> Option<usize> {
    let quoted = serde_json::to_string(regex).ok()?;
    let path = JsonPath::parse(&format!("$[?{function}(@, {quoted})]")).ok()?;
    let all = serde_json::Value::Array(texts.iter().map(Value::to_json).collect());
    Some(path.query(&all).len())
}

/// Whether a path consists only of names and indexes.
fn is_singular(segments: &[Segment]) -> bool {
    segments.iter().all(|segment| {
        !segment.descendants && matches!(segment.selectors.as_slice(), [(Selector::Name(_) | Selector::Index(_), ..)])
    })
}

fn summarize_places(places: &[Place<'_>]) -> PathResult {
    let members = match places {
        [Place { form: Form::Array { least, most, .. }, .. }] => Some((*least, *most)),
        [Place { form: Form::Object(entries), .. }] => {
            Some((entries.iter().filter(|entry| !entry.optional).count() as u64, entries.len() as u64))
        }
        _ => None,
    };
    PathResult {
        ty: Ty::join_all(places.iter().map(|place| place.form.ty())).unwrap_or(Ty::UNKNOWN),
        understood: true,
        least: places.iter().filter(|place| place.sure).map(|place| place.least).sum(),
        scalars: places.iter().all(|place| matches!(place.form, Form::Scalar(_) | Form::Unknown)),
        members,
        sources: places.iter().map(|place| find_source(place.form)).collect(),
        ..PathResult::unknown(false)
    }
}

/// The source of the values at a position.
fn find_source(form: &Form) -> Source {
    match form {
        Form::Scalar(leaf) => leaf.source.clone(),
        _ => Source::Unknown,
    }
}

/// The positions that the segments select; `None` if they are not known. Comparisons in filters are added to `met`.
fn follow_segments<'f>(
    segments: &[Segment],
    start: Vec<Place<'f>>,
    met: &mut Met<'f>,
) -> Result<Option<Vec<Place<'f>>>, PathError> {
    let mut places = start;
    for segment in segments {
        if segment.descendants {
            let mut all = Vec::new();
            for place in &places {
                collect_descendants(place.form, &mut all);
            }
            places = all.into_iter().map(Place::from_form).collect();
        }
        if places.iter().any(|place| *place.form == Form::Unknown) {
            return Ok(None);
        }
        let mut next = Vec::new();
        let mut missed = None;
        for (selector, start, end) in &segment.selectors {
            let before = next.len();
            if let Selector::Filter(filter) = selector {
                follow_filter((filter, *start), &places, met)?;
            }
            for place in &places {
                select_places(selector, place, &mut next);
            }
            if next.len() == before && missed.is_none() {
                missed = Some((selector, *start, *end));
            }
        }
        if let Some((selector, start, end)) = missed {
            return Err(explain_misstep(selector, &places, start, end));
        }
        places = next;
    }
    Ok(Some(places))
}

/// Evaluates the paths in a filter, which is written from byte `start`. Each must select something from at least one of the positions; that is not checked in
/// a filter that applies only to objects.
fn follow_filter<'f>(
    (filter, start): (&Filter, usize),
    places: &[Place<'f>],
    met: &mut Met<'f>,
) -> Result<(), PathError> {
    let contexts: Vec<&Form> = places.iter().flat_map(|place| list_children(place.form)).collect();
    met.predicates.extend(build_predicate(met.text, start + 1, (met.root, &contexts)));
    if !places.iter().any(|place| matches!(place.form, Form::Array { .. })) {
        return Ok(());
    }
    let inside: Vec<Place<'_>> = contexts.into_iter().map(Place::from_form).collect();
    for (index, segments) in filter.paths.iter().enumerate() {
        let Some(reached) = follow_segments(segments, inside.clone(), met)? else { continue };
        let sources: Option<Vec<Source>> = reached
            .iter()
            .map(|place| match place.form {
                Form::Scalar(leaf) => Some(leaf.source.clone()),
                _ => None,
            })
            .collect();
        for compared in filter.compared.iter().filter(|compared| compared.path == index) {
            let Compared { equal, text, literal, .. } = compared.clone();
            met.comparisons.extend(sources.clone().map(|sources| Comparison { literal, text, equal, sources }));
        }
    }
    Ok(())
}

fn select_places<'f>(selector: &Selector, place: &Place<'f>, next: &mut Vec<Place<'f>>) {
    match (selector, place.form) {
        (Selector::Name(name), Form::Object(entries)) => {
            if let Some(entry) = entries.iter().find(|entry| entry.key == *name) {
                next.push(Place { form: &entry.form, sure: place.sure && !entry.optional, least: place.least });
            }
        }
        (Selector::Index(index), Form::Array { element, least, most }) => {
            let needed = if *index < 0 { index.unsigned_abs() } else { *index as u64 + 1 };
            if needed <= *most {
                next.push(Place { form: element, sure: place.sure && needed <= *least, least: place.least });
            }
        }
        (Selector::Wildcard, Form::Object(entries)) => {
            next.extend(entries.iter().map(|entry| Place {
                form: &entry.form,
                sure: place.sure && !entry.optional,
                least: place.least,
            }));
        }
        (Selector::Wildcard, Form::Array { element, least, .. }) => {
            next.push(Place {
                form: element,
                sure: place.sure && *least > 0,
                least: place.least.saturating_mul(*least),
            });
        }
        (Selector::Slice(bounds), Form::Array { element, most, .. }) if !is_empty_slice(*bounds, *most) => {
            next.push(Place::from_form(element));
        }
        (Selector::Filter(_), form) => {
            next.extend(list_children(form).into_iter().map(Place::from_form));
        }
        _ => {}
    }
}

/// Collects the position and all positions below it.
fn collect_descendants<'f>(form: &'f Form, all: &mut Vec<&'f Form>) {
    all.push(form);
    list_children(form).into_iter().for_each(|child| collect_descendants(child, all));
}

/// Lists the positions directly below this one.
fn list_children(form: &Form) -> Vec<&Form> {
    match form {
        Form::Object(entries) => entries.iter().map(|entry| &entry.form).collect(),
        Form::Array { element, .. } => vec![element],
        Form::Scalar(_) | Form::Unknown => Vec::new(),
    }
}

/// Explains why a selector does not select anything.
fn explain_misstep(selector: &Selector, places: &[Place<'_>], start: usize, end: usize) -> PathError {
    let mut keys: Vec<String> = Vec::new();
    for place in places {
        if let Form::Object(entries) = place.form {
            for Entry { key, .. } in entries {
                if !keys.contains(key) {
                    keys.push(key.clone());
                }
            }
        }
    }
    let what = places.first().map_or("nothing", |place| place.form.describe_with_article());
    let (message, label, names) = match (selector, places.first().map(|place| place.form)) {
        (Selector::Name(name), _) if !keys.is_empty() => {
            (format!("key `{name}` does not exist here"), "no such key".to_owned(), Some((name.clone(), keys)))
        }
        (Selector::Name(name), Some(Form::Array { .. })) => (
            format!("this is an array: `{name}` is a key of its elements"),
            format!("write [*].{name} for all of them, or [0].{name} for the first"),
            None,
        ),
        (Selector::Name(name), _) => {
            (format!("this is {what}, which does not have `{name}`"), "leads nowhere".to_owned(), None)
        }
        (Selector::Index(index), Some(Form::Array { least, most, .. })) => {
            (describe_missing_element(*index, *least, *most), "counted from 0".to_owned(), None)
        }
        (Selector::Slice(_), Some(Form::Array { most, .. })) => {
            let label = format!("the array has at most {most}, counted from 0");
            ("this slice selects no element".to_owned(), label, None)
        }
        (Selector::Index(_) | Selector::Slice(_), _) => {
            (format!("this is {what}, which does not have elements"), "leads nowhere".to_owned(), None)
        }
        (Selector::Wildcard | Selector::Filter(_), _) => {
            (format!("this is {what}, which does not contain anything"), "leads nowhere".to_owned(), None)
        }
    };
    PathError { names, ..PathError::new(start..end, message, label) }
}

/// Describes an element after the last one, or before the first one if the index counts from the end.
fn describe_missing_element(index: i64, least: u64, most: u64) -> String {
    let from_end = if index < 0 { " from the end" } else { "" };
    let place = if index < 0 { index.unsigned_abs() } else { index.unsigned_abs().saturating_add(1) };
    let ending = match (place % 10, place % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    let verb = if most == 1 { "is" } else { "are" };
    let count = if least == most { most.to_string() } else { format!("{least} to {most}") };
    format!("`[{index}]` is the {place}{ending} element{from_end}, but there {verb} {count}")
}

/// Whether values of a type can be summed.
pub fn is_numeric(ty: &Ty) -> bool {
    ty.is_number() || ty.kind == TyKind::Null
}
