//! `json`: the same JSON, number by number and key by key.

use model::Value;
use model::pointer::escaped;
use records::Reason;
use records::score::Difference;

use crate::finding::{Finding, MOST_DIFFERENCES, difference};
use crate::got::Got;
use crate::index;
use crate::key::{Key, Leaf, shown};
use crate::matching::{MOST_PAIRS, along, pairs};
use crate::read::json::{Keep, within};
use crate::rules::Rules;
use crate::text::same_name;

/// The text is this JSON. Objects need the same keys, in any order; arrays the same items, in order unless `unordered`.
pub fn is_json(text: &str, key: &Key<'_>) -> Finding {
    let (limit, names) = (key.limit(), key.open_names());
    match within(text, &limit, names.as_ref().map_or(Keep::All, Keep::Names)) {
        Ok(got) => is_value(&got, key),
        Err(why) => limit.finding().unwrap_or_else(|| Finding::wrong(Reason::NotJson, "JSON", why)),
    }
}

/// The value is this JSON.
pub fn is_value(got: &Got, key: &Key<'_>) -> Finding {
    let mut found = Vec::new();
    compare(&Wanted::new(key, key.value, String::new()), got, &mut String::new(), &mut found, key.rules);
    Finding::of(found)
}

/// What is expected, made ready: options found, numbers spanned.
pub enum Wanted {
    /// A single value.
    Leaf { leaf: Leaf, shown: String },
    /// An array.
    Array { items: Vec<Wanted>, ordered: bool },
    /// An object; an open one may hold other keys too.
    Object { fields: Vec<(String, Wanted)>, open: bool },
}

impl Wanted {
    /// The value at `pointer` of the key.
    pub fn new(key: &Key<'_>, value: &Value, pointer: String) -> Wanted {
        let below = |step: &str, value: &Value| Wanted::new(key, value, format!("{pointer}/{}", escaped(step)));
        let array = |items: Vec<Wanted>| Wanted::Array { items, ordered: key.ordered(&pointer) };
        match value {
            Value::List(items) => {
                array(items.iter().enumerate().map(|(at, item)| below(&at.to_string(), item)).collect())
            }
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), below(name, value))).collect();
                Wanted::Object { fields, open: key.open(&pointer) }
            }
            // An array of objects.
            Value::Rows(set) => {
                let object = |(at, row): (usize, &Vec<Value>)| {
                    let mut fields: Vec<(String, Wanted)> = Vec::new();
                    for (name, cell) in set.columns.iter().zip(row) {
                        let cell = Wanted::new(key, cell, format!("{pointer}/{at}/{}", escaped(name)));
                        // Of columns of the same name the last counts, as in the target.
                        match fields.iter_mut().find(|(known, _)| known == name) {
                            Some(field) => field.1 = cell,
                            None => fields.push((name.clone(), cell)),
                        }
                    }
                    Wanted::Object { fields, open: key.open(&format!("{pointer}/{at}")) }
                };
                array(set.rows.iter().enumerate().map(object).collect())
            }
            leaf => Wanted::Leaf { leaf: key.leaf(leaf, &pointer), shown: shown(leaf, &key.options(&pointer)) },
        }
    }

    /// For people.
    pub fn shown(&self) -> String {
        match self {
            Wanted::Leaf { shown, .. } => shown.clone(),
            Wanted::Array { items, .. } => {
                let items: Vec<String> = items.iter().map(Wanted::shown).collect();
                format!("[{}]", items.join(", "))
            }
            Wanted::Object { fields, .. } => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, value)| format!("{}: {}", crate::got::quoted(name), value.shown()))
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
        }
    }

    /// If it is a single value, that.
    fn leaf(&self) -> Option<&Leaf> {
        match self {
            Wanted::Leaf { leaf, .. } => Some(leaf),
            _ => None,
        }
    }

    /// Whether what was read is as expected.
    pub fn fits(&self, got: &Got, rules: &Rules) -> bool {
        match (self, got) {
            (Wanted::Leaf { leaf, .. }, got) => leaf.fits(got),
            (Wanted::Array { items, .. }, Got::Array(found)) if items.len() != found.len() => false,
            (Wanted::Array { items, ordered: true }, Got::Array(found)) => {
                items.iter().zip(found).all(|(item, got)| item.fits(got, rules))
            }
            (Wanted::Array { items, ordered: false }, Got::Array(found)) => {
                partners(items, found, rules).iter().all(Option::is_some)
            }
            (Wanted::Object { fields, open }, Got::Object(found)) => {
                (*open || fields.len() == found.len())
                    && fields.iter().enumerate().all(|(at, (name, field))| {
                        // Mostly in the same order.
                        let here = found.get(at).filter(|(known, _)| known == name).map(|(_, got)| got);
                        here.or_else(|| field_of(found, name, rules)).is_some_and(|got| field.fits(got, rules))
                    })
            }
            _ => false,
        }
    }
}

/// The field of this very name; else the one whose name is the same.
fn field_of<'g>(fields: &'g [(String, Got)], name: &str, rules: &Rules) -> Option<&'g Got> {
    let exact = fields.iter().find(|(known, _)| known == name);
    exact.or_else(|| fields.iter().find(|(known, _)| same_name(known, name, rules))).map(|(_, got)| got)
}

/// For each item, its partner among those found. Long arrays of values, or of objects with values, by an index.
pub fn partners(items: &[Wanted], found: &[Got], rules: &Rules) -> Vec<Option<usize>> {
    let fits = |a: usize, b: usize| items[a].fits(&found[b], rules);
    if rules.indexed_pairs && items.len().saturating_mul(found.len()) > MOST_PAIRS {
        let names: Vec<&str> = match items.first() {
            Some(Wanted::Object { fields, .. }) => fields.iter().map(|(name, _)| name.as_str()).collect(),
            _ => Vec::new(),
        };
        let wanted = items.iter().map(|item| match item {
            Wanted::Object { fields, .. } => {
                let field = |name| fields.iter().find(|(known, _)| known == name).and_then(|(_, item)| item.leaf());
                names.iter().map(|name| field(*name)).collect()
            }
            item => vec![item.leaf()],
        });
        let got = found.iter().map(|got| match got {
            Got::Object(fields) => names.iter().map(|name| field_of(fields, name, rules)).collect(),
            got => vec![Some(got)],
        });
        if let Some(edges) = index::edges(&wanted.collect::<Vec<_>>(), &got.collect::<Vec<_>>(), fits) {
            return along(edges, found.len());
        }
    }
    pairs(items.len(), found.len(), fits)
}

/// Tells where the two differ, until enough is told.
fn compare(wanted: &Wanted, got: &Got, at: &mut String, found: &mut Vec<Difference>, rules: &Rules) {
    if found.len() >= MOST_DIFFERENCES {
        return;
    }
    let step = |at: &mut String, step: &str, wanted: &Wanted, got: &Got, found: &mut Vec<Difference>| {
        let length = at.len();
        at.push('/');
        at.push_str(&escaped(step));
        compare(wanted, got, at, found, rules);
        at.truncate(length);
    };
    match (wanted, got) {
        (Wanted::Object { fields, open }, Got::Object(others)) => {
            for (name, field) in fields {
                match field_of(others, name, rules) {
                    Some(got) => step(at, name, field, got, found),
                    None => found.push(difference(format!("{at}/{}", escaped(name)), field.shown(), "missing")),
                }
            }
            for (name, got) in others {
                if !open && !fields.iter().any(|(known, _)| same_name(known, name, rules)) {
                    found.push(difference(format!("{at}/{}", escaped(name)), "no such key", got.shown()));
                }
            }
        }
        (Wanted::Array { items, ordered: true }, Got::Array(others)) => {
            for (index, item) in items.iter().enumerate() {
                match others.get(index) {
                    Some(got) => step(at, &index.to_string(), item, got, found),
                    None => found.push(difference(format!("{at}/{index}"), item.shown(), "missing")),
                }
            }
            for (index, got) in others.iter().enumerate().skip(items.len()) {
                found.push(difference(format!("{at}/{index}"), "no such item", got.shown()));
            }
        }
        (Wanted::Array { items, ordered: false }, Got::Array(others)) => {
            let partners = partners(items, others, rules);
            let mut extra = (0..others.len()).filter(|at| !partners.contains(&Some(*at)));
            for (item, _) in items.iter().zip(&partners).filter(|(_, partner)| partner.is_none()) {
                let got = extra.next();
                let place = got.map_or_else(|| at.clone(), |index| format!("{at}/{index}"));
                let got = got.map_or_else(|| "missing".to_owned(), |index| others[index].shown());
                found.push(difference(place, item.shown(), got));
            }
            for index in extra {
                found.push(difference(format!("{at}/{index}"), "no such item", others[index].shown()));
            }
        }
        (wanted, got) if wanted.fits(got, rules) => {}
        (wanted, got) => found.push(difference(at.clone(), wanted.shown(), got.shown())),
    }
}
