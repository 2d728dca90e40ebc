//! `json`: compares JSON field by field and number by number.

use model::Value;
use model::pointer::escape_step;
use model::value::RowSet;
use records::Reason;
use records::verdict::Difference;

use crate::finding::{Finding, MAX_DIFFERENCES, new_difference};
use crate::got::{ResponseValue, render_array, render_object};
use crate::index;
use crate::key::{Key, Leaf, render_expected};
use crate::matching::{MAX_PAIRS, list_unmatched, match_edges, match_pairs};
use crate::read::json::{Keep, parse_json_within};
use crate::rules::Rules;
use crate::text::is_same_name;

/// Compares the JSON of a text. Objects need the same keys, in any order; arrays the same items, in order unless `unordered`.
pub fn judge_json(text: &str, key: &Key<'_>) -> Finding {
    let (limit, names) = (key.build_limit(), key.open_names());
    match parse_json_within(text, &limit, names.as_ref().map_or(Keep::All, Keep::Names)) {
        Ok(got) => judge_value(&got, key),
        Err(why) => limit.build_finding().unwrap_or_else(|| Finding::wrong(Reason::NotJson, "JSON", why.to_string())),
    }
}

/// Compares a JSON value.
pub fn judge_value(got: &ResponseValue, key: &Key<'_>) -> Finding {
    let mut found = Vec::new();
    collect_differences(&Wanted::new(key, key.value, String::new()), got, &mut String::new(), &mut found, key.rules);
    Finding::from_differences(found)
}

/// Builds the object of a row. If columns have the same name, the last one counts, as in the target.
pub fn build_object(set: &RowSet, row: &[Value]) -> Value {
    let mut fields: Vec<(String, Value)> = Vec::new();
    for (name, cell) in set.columns.iter().zip(row) {
        match fields.iter_mut().find(|(known, _)| known == name) {
            Some(field) => field.1 = cell.clone(),
            None => fields.push((name.clone(), cell.clone())),
        }
    }
    Value::Object(fields)
}

/// An expected value with resolved options and number bounds.
pub enum Wanted {
    /// A single value.
    Leaf { leaf: Box<Leaf>, shown: String },
    /// An array.
    Array { items: Vec<Wanted>, ordered: bool },
    /// An object; an open one may have further fields.
    Object { fields: Vec<(String, Wanted)>, open: bool },
}

impl Wanted {
    /// Builds the expected value at `pointer` of the key.
    pub fn new(key: &Key<'_>, value: &Value, pointer: String) -> Wanted {
        let below = |step: &str, value: &Value| Wanted::new(key, value, format!("{pointer}/{}", escape_step(step)));
        let array = |items: Vec<Wanted>| Wanted::Array { items, ordered: key.is_ordered(&pointer) };
        match value {
            Value::List(items) => {
                array(items.iter().enumerate().map(|(at, item)| below(&at.to_string(), item)).collect())
            }
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), below(name, value))).collect();
                Wanted::Object { fields, open: key.is_open(&pointer) }
            }
            // An array of objects.
            Value::Rows(set) => {
                let rows = set.rows.iter().enumerate();
                array(rows.map(|(at, row)| below(&at.to_string(), &build_object(set, row))).collect())
            }
            leaf => Wanted::Leaf {
                leaf: Box::new(key.build_leaf(leaf, &pointer)),
                shown: render_expected(leaf, &key.resolve_options(&pointer)),
            },
        }
    }

    /// Renders the expected value for people.
    pub fn render_line(&self) -> String {
        match self {
            Wanted::Leaf { shown, .. } => shown.clone(),
            Wanted::Array { items, .. } => render_array(items.iter().map(Wanted::render_line)),
            Wanted::Object { fields, .. } => {
                render_object(fields.iter().map(|(name, value)| (name, value.render_line())))
            }
        }
    }

    /// Returns the leaf of a single value.
    pub fn as_leaf(&self) -> Option<&Leaf> {
        match self {
            Wanted::Leaf { leaf, .. } => Some(leaf),
            _ => None,
        }
    }

    /// Whether a value of the response is correct.
    pub fn is_match(&self, got: &ResponseValue, rules: &Rules) -> bool {
        match (self, got) {
            (Wanted::Leaf { leaf, .. }, got) => leaf.is_match(got),
            (Wanted::Array { items, .. }, ResponseValue::Array(found)) if items.len() != found.len() => false,
            (Wanted::Array { items, ordered: true }, ResponseValue::Array(found)) => {
                items.iter().zip(found).all(|(item, got)| item.is_match(got, rules))
            }
            (Wanted::Array { items, ordered: false }, ResponseValue::Array(found)) => {
                match_items(items, found, rules).iter().all(Option::is_some)
            }
            (Wanted::Object { fields, open }, ResponseValue::Object(found)) => {
                (*open || fields.len() == found.len())
                    && fields.iter().enumerate().all(|(at, (name, field))| {
                        // Fields are usually in the same order.
                        let here = found.get(at).filter(|(known, _)| known == name).map(|(_, got)| got);
                        here.or_else(|| find_field(found, name, rules)).is_some_and(|got| field.is_match(got, rules))
                    })
            }
            _ => false,
        }
    }
}

/// Returns the field with exactly this name, or else the one whose name is the same by `rules`.
fn find_field<'g>(fields: &'g [(String, ResponseValue)], name: &str, rules: &Rules) -> Option<&'g ResponseValue> {
    let exact = fields.iter().find(|(known, _)| known == name);
    exact.or_else(|| fields.iter().find(|(known, _)| is_same_name(known, name, rules))).map(|(_, got)| got)
}

/// Finds a partner for each item. Long arrays of single values, or of objects with single values, are matched with an index.
pub fn match_items(items: &[Wanted], found: &[ResponseValue], rules: &Rules) -> Vec<Option<usize>> {
    let fits = |a: usize, b: usize| items[a].is_match(&found[b], rules);
    if rules.indexed_pairs && items.len().saturating_mul(found.len()) > MAX_PAIRS {
        let names: Vec<&str> = match items.first() {
            Some(Wanted::Object { fields, .. }) => fields.iter().map(|(name, _)| name.as_str()).collect(),
            _ => Vec::new(),
        };
        let wanted = items.iter().map(|item| match item {
            Wanted::Object { fields, .. } => {
                let field = |name| fields.iter().find(|(known, _)| known == name).and_then(|(_, item)| item.as_leaf());
                names.iter().map(|name| field(*name)).collect()
            }
            item => vec![item.as_leaf()],
        });
        let got = found.iter().map(|got| match got {
            ResponseValue::Object(fields) => names.iter().map(|name| find_field(fields, name, rules)).collect(),
            got => vec![Some(got)],
        });
        if let Some(edges) = index::find_edges(&wanted.collect::<Vec<_>>(), &got.collect::<Vec<_>>(), fits) {
            return match_edges(edges, found.len());
        }
    }
    match_pairs(items.len(), found.len(), fits)
}

/// Collects differences, up to their maximum number.
fn collect_differences(
    wanted: &Wanted,
    got: &ResponseValue,
    at: &mut String,
    found: &mut Vec<Difference>,
    rules: &Rules,
) {
    if found.len() >= MAX_DIFFERENCES {
        return;
    }
    let step = |at: &mut String, step: &str, wanted: &Wanted, got: &ResponseValue, found: &mut Vec<Difference>| {
        let length = at.len();
        at.push('/');
        at.push_str(&escape_step(step));
        collect_differences(wanted, got, at, found, rules);
        at.truncate(length);
    };
    match (wanted, got) {
        (Wanted::Object { fields, open }, ResponseValue::Object(others)) => {
            for (name, field) in fields {
                match find_field(others, name, rules) {
                    Some(got) => step(at, name, field, got, found),
                    None => found.push(new_difference(
                        format!("{at}/{}", escape_step(name)),
                        field.render_line(),
                        "missing",
                    )),
                }
            }
            for (name, got) in others {
                if !open && !fields.iter().any(|(known, _)| is_same_name(known, name, rules)) {
                    found.push(new_difference(format!("{at}/{}", escape_step(name)), "no such key", got.render_line()));
                }
            }
        }
        (Wanted::Array { items, ordered: true }, ResponseValue::Array(others)) => {
            for (index, item) in items.iter().enumerate() {
                match others.get(index) {
                    Some(got) => step(at, &index.to_string(), item, got, found),
                    None => found.push(new_difference(format!("{at}/{index}"), item.render_line(), "missing")),
                }
            }
            for (index, got) in others.iter().enumerate().skip(items.len()) {
                found.push(new_difference(format!("{at}/{index}"), "no such item", got.render_line()));
            }
        }
        (Wanted::Array { items, ordered: false }, ResponseValue::Array(others)) => {
            let partners = match_items(items, others, rules);
            let mut extra = list_unmatched(&partners, others.len());
            for (item, _) in items.iter().zip(&partners).filter(|(_, partner)| partner.is_none()) {
                let got = extra.next();
                let place = got.map_or_else(|| at.clone(), |index| format!("{at}/{index}"));
                let got = got.map_or_else(|| "missing".to_owned(), |index| others[index].render_line());
                found.push(new_difference(place, item.render_line(), got));
            }
            for index in extra {
                found.push(new_difference(format!("{at}/{index}"), "no such item", others[index].render_line()));
            }
        }
        (wanted, got) if wanted.is_match(got, rules) => {}
        (wanted, got) => found.push(new_difference(at.clone(), wanted.render_line(), got.render_line())),
    }
}
