//! The values that a predicate reads more than once: it is judged for each of them on its own.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use model::suite::Op;
use model::{Decimal, Value};

use super::compare::{Possible, compare_facts};
use super::values::{Class, Kind, Values, infer_nodes};
use hir::facts::{Fact, Facts};
use hir::paths::predicate::{Language, Nodes, Relation, Term, TermKind};
use hir::terms::Known;

/// The maximum number of combinations that are judged one by one.
const MAX_COMBINATIONS: usize = 10_000;

/// The maximum number of values that are told apart.
const MAX_VALUES: usize = 100;

/// What is known of some nodes, and of the position.
#[derive(Clone, Debug, Default)]
pub struct Cells<'a> {
    nodes: BTreeMap<String, Values<'a>>,
    /// The number of the nodes with a key is between these.
    counts: BTreeMap<String, (u64, u64)>,
    /// The position is between these.
    pub position: Option<(u64, u64)>,
}

impl<'a> Cells<'a> {
    /// Notes what is known of the nodes with this key.
    pub fn insert(&mut self, key: &str, values: Values<'a>) {
        self.nodes.insert(key.to_owned(), values);
    }

    /// What is known of nodes.
    pub fn lookup(&self, nodes: &Nodes) -> Option<&Values<'a>> {
        self.nodes.get(self.find_key(nodes))
    }

    /// The bounds of the number of the nodes with a key.
    pub fn lookup_count(&self, key: &str) -> Option<(u64, u64)> {
        self.counts.get(key).copied()
    }

    /// Whether there are nodes, as far as their number is known.
    pub fn find_existence(&self, nodes: &Nodes) -> Option<Possible> {
        let (least, most) = self.lookup_count(&nodes.counted.key)?;
        let at = nodes.counted.at.unwrap_or(1);
        Some(Possible { is_true: most >= at, is_false: least < at })
    }

    /// The key of nodes: those of the sibling at the position of the context are its own.
    pub fn find_key<'n>(&self, nodes: &'n Nodes) -> &'n str {
        match &nodes.relation {
            Relation::Sibling(at, own) if self.position == Some((*at, *at)) => own,
            _ => &nodes.key,
        }
    }
}

/// One thing that is told apart.
enum Choice<'a> {
    Nodes(String, Vec<Values<'a>>),
    Position(Vec<(u64, u64)>),
    Count(String, Vec<(u64, u64)>),
}

impl Choice<'_> {
    fn count(&self) -> usize {
        match self {
            Choice::Nodes(_, cells) => cells.len(),
            Choice::Position(cells) | Choice::Count(_, cells) => cells.len(),
        }
    }
}

/// Lists the combinations of the values that a part of a predicate reads more than once. Without such values, there is one combination.
pub fn list_cells<'a>(facts: Option<&Facts<'a>>, language: Language, term: &Term) -> Vec<Cells<'a>> {
    let mut choices = collect_choices(facts, language, term);
    choices.sort_by_key(Choice::count);
    let mut all = vec![Cells::default()];
    for choice in choices {
        if all.len().saturating_mul(choice.count()) > MAX_COMBINATIONS {
            break;
        }
        let next = all.iter().flat_map(|cells| match &choice {
            Choice::Nodes(key, values) => values
                .iter()
                .map(|value| {
                    let mut cells = cells.clone();
                    cells.nodes.insert(key.clone(), value.clone());
                    cells
                })
                .collect::<Vec<_>>(),
            Choice::Count(key, ranges) => ranges
                .iter()
                .map(|range| {
                    let mut cells = cells.clone();
                    cells.counts.insert(key.clone(), *range);
                    cells
                })
                .collect(),
            Choice::Position(ranges) => {
                ranges.iter().map(|range| Cells { position: Some(*range), ..cells.clone() }).collect()
            }
        });
        all = next.collect();
    }
    all.retain(|cells| is_possible(cells, term));
    all
}

/// Whether nodes have values where there are enough of them, and only there.
fn is_possible(cells: &Cells<'_>, term: &Term) -> bool {
    let mut possible = true;
    term.visit_parts(&mut |part| {
        if let TermKind::Nodes(nodes) = &part.kind
            && let (Some(values), Some(known)) = (cells.lookup(nodes), cells.find_existence(nodes))
        {
            possible &= if values.kinds.is_empty() { known.is_false } else { known.is_true };
        }
    });
    possible
}

fn collect_choices<'a>(facts: Option<&Facts<'a>>, language: Language, term: &Term) -> Vec<Choice<'a>> {
    let mut read: BTreeMap<&str, (u32, &Nodes)> = BTreeMap::new();
    let mut position: Option<(u64, u64)> = None;
    let (mut positions, mut siblings) = (0_u32, Vec::new());
    let mut constants = Vec::new();
    term.visit_parts(&mut |part| match &part.kind {
        TermKind::Nodes(nodes) => {
            read.entry(&nodes.key).or_insert((0, nodes)).0 += 1;
            if let Relation::Sibling(at, own) = &nodes.relation {
                siblings.push((*at, own.as_str()));
            }
        }
        TermKind::Position(least, most) => {
            positions += 1;
            position = Some((*least, *most));
        }
        TermKind::Literal(value) => constants.push(value),
        _ => {}
    });
    let mut choices = Vec::new();
    for (key, (count, nodes)) in &read {
        // Nodes of a sibling can be those of the context.
        let again = siblings.iter().any(|(_, own)| own == key);
        if nodes.most > 1 || *count < 2 && !again {
            continue;
        }
        let Some(values) = facts.and_then(|facts| infer_nodes(facts, nodes, language)) else { continue };
        choices.push(Choice::Nodes((*key).to_owned(), split_values(&values, &constants)));
    }
    let cuts = constants.iter().filter_map(|value| match value {
        Value::Int(at) => u64::try_from(*at).ok(),
        _ => None,
    });
    let cuts: Vec<u64> = cuts.chain(siblings.iter().map(|(at, _)| *at)).collect();
    if let Some(range) = position.filter(|_| positions > 1 || !siblings.is_empty()) {
        choices.push(Choice::Position(split_positions(range, &cuts)));
    }
    choices.extend(collect_counts(term));
    choices.retain(|choice| choice.count() > 1);
    choices
}

/// Nodes whose number several parts of a condition may depend on.
struct Counted {
    parts: u32,
    /// The bounds of their number.
    least: u64,
    most: u64,
    /// Indexes of which a part reads a node.
    places: Vec<u64>,
}

/// The numbers of nodes on which several parts depend: `tag[2]`, `tag[1]`, `count(tag)`, and `length(@.tags)`.
fn collect_counts<'a>(term: &Term) -> Vec<Choice<'a>> {
    let mut counted: BTreeMap<String, Counted> = BTreeMap::new();
    let mut constants = Vec::new();
    let mut note = |key: String, (least, most): (u64, u64), at: Option<u64>| {
        let any = || Counted { parts: 0, least: 0, most: u64::MAX, places: Vec::new() };
        let known = counted.entry(key).or_insert_with(any);
        (known.least, known.most) = (known.least.max(least), known.most.min(most));
        known.parts += 1;
        known.places.extend(at);
    };
    term.visit_parts(&mut |part| match &part.kind {
        TermKind::Nodes(nodes) => {
            let range = if nodes.counted.at.is_some() { (0, u64::MAX) } else { (nodes.least, nodes.most) };
            note(nodes.counted.key.clone(), range, nodes.counted.at);
        }
        TermKind::Call(name, args) if name == "length" => {
            if let [Term { kind: TermKind::Nodes(nodes), .. }] = args.as_slice()
                && let Some(range) = find_only_members(nodes)
            {
                note(nodes.find_members_key(), range, None);
            }
        }
        TermKind::Literal(Value::Int(at)) => constants.extend(u64::try_from(*at)),
        _ => {}
    });
    let several = counted.into_iter().filter(|(_, known)| known.parts > 1 && known.most > 1);
    several
        .map(|(key, known)| {
            let cuts: Vec<u64> = known.places.iter().chain(&constants).copied().chain([0]).collect();
            Choice::Count(key, split_positions((known.least, known.most), &cuts))
        })
        .collect()
}

/// The bounds of the number of members of an array or object that is surely there.
pub fn find_only_members(nodes: &Nodes) -> Option<(u64, u64)> {
    match nodes.kinds.as_slice() {
        [only] if nodes.least == 1 && nodes.most == 1 => only.members,
        _ => None,
    }
}

fn split_positions((least, most): (u64, u64), cuts: &[u64]) -> Vec<(u64, u64)> {
    let mut cuts: Vec<u64> = cuts.iter().copied().filter(|cut| (least..=most).contains(cut)).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let (mut out, mut from) = (Vec::new(), least);
    for cut in cuts {
        if from < cut {
            out.push((from, cut - 1));
        }
        out.push((cut, cut));
        from = cut.saturating_add(1);
    }
    if from <= most {
        out.push((from, most));
    }
    out
}

/// Values told apart: each on its own if there are few, or else those between the constants with which they may be compared.
fn split_values<'a>(values: &Values<'a>, constants: &[&Value]) -> Vec<Values<'a>> {
    let cell = |kind| Values { kinds: vec![kind], absent: false, ..values.clone() };
    let mut out: Vec<Values<'a>> = values.kinds.iter().flat_map(|kind| split_kind(kind, constants)).map(cell).collect();
    if values.absent {
        out.push(Values { kinds: Vec::new(), absent: true, ..values.clone() });
    }
    out
}

fn split_kind<'a>(kind: &Kind<'a>, constants: &[&Value]) -> Vec<Kind<'a>> {
    let with = |fact: Fact<'a>| Kind { known: Known::from_fact(fact), ..kind.clone() };
    match kind.known.fact.closed.as_deref() {
        Some(values) if !values.is_empty() && values.len() <= MAX_VALUES => {
            return values.iter().map(|value| with(Fact::from_value(value))).collect();
        }
        _ => {}
    }
    match (kind.class, &kind.known.fact.closed, &kind.known.fact.range) {
        (Class::Number | Class::Text, Some(values), _) if !values.is_empty() => {
            group_values(values, constants).into_iter().map(|values| with(Fact::from_values(values))).collect()
        }
        (Class::Number, _, Some((low, high))) => {
            let ranges = split_range((low, high), constants, kind);
            ranges.into_iter().map(|(low, high)| with(Fact::from_range(low, high))).collect()
        }
        (Class::Text, _, _) => split_texts(kind, constants),
        _ => vec![kind.clone()],
    }
}

/// Groups values that are in the same order to each constant.
fn group_values<'v>(values: &'v [Value], constants: &[&Value]) -> Vec<Vec<&'v Value>> {
    let mut groups: BTreeMap<Vec<Option<Ordering>>, Vec<&'v Value>> = BTreeMap::new();
    for value in values {
        let orders = constants.iter().map(|constant| value.compare_with(constant)).collect();
        groups.entry(orders).or_default().push(value);
    }
    groups.into_values().collect()
}

/// Each text with which they may be compared, and the others.
fn split_texts<'a>(kind: &Kind<'a>, constants: &[&Value]) -> Vec<Kind<'a>> {
    let mut texts: Vec<&String> = constants
        .iter()
        .filter_map(|value| match value {
            Value::Text(text) => Some(text),
            _ => None,
        })
        .collect();
    texts.sort_unstable();
    texts.dedup();
    let known = |text: &str| Known::from_fact(Fact::from_value(&Value::from_text(text)));
    texts.retain(|text| compare_facts(Op::Eq, &kind.known, &known(text)).is_true);
    let mut out: Vec<Kind<'a>> = texts.iter().map(|text| Kind { known: known(text), ..kind.clone() }).collect();
    let without: Vec<String> = texts.iter().map(|text| (*text).clone()).collect();
    let Some((Value::Text(low), Value::Text(high))) = &kind.known.fact.range else {
        out.push(Kind { without, ..kind.clone() });
        return out;
    };
    // The texts between them.
    let ends: Vec<&String> = [low].into_iter().chain(texts.iter().copied()).chain([high]).collect();
    for pair in ends.windows(2) {
        let [from, to] = pair else { continue };
        let fact = Fact::from_range(Value::from_text(from.as_str()), Value::from_text(to.as_str()));
        out.push(Kind { known: Known::from_fact(fact), without: without.clone(), ..kind.clone() });
    }
    out
}

/// The parts of a range of numbers before, at, and after each constant.
fn split_range((low, high): (&Value, &Value), constants: &[&Value], kind: &Kind<'_>) -> Vec<(Value, Value)> {
    let (Some(first), Some(last)) = (low.as_f64(), high.as_f64()) else {
        return vec![(low.clone(), high.clone())];
    };
    let mut cuts: Vec<f64> = constants.iter().filter_map(|value| value.as_f64()).collect();
    cuts.retain(|cut| (first..=last).contains(cut));
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let value = |number: f64| match low {
        Value::Int(_) if number.fract() == 0.0 => Value::Int(number as i64),
        _ => Value::Float(number),
    };
    let (mut out, mut from) = (Vec::new(), first);
    for cut in cuts {
        let (before, after) = find_neighbours(cut, kind);
        if from <= before {
            out.push((value(from), value(before)));
        }
        if is_value(cut, kind) {
            out.push((value(cut), value(cut)));
        }
        from = after;
    }
    if from <= last {
        out.push((value(from), value(last)));
    }
    out
}

/// Whether a number of this kind can be this one.
fn is_value(number: f64, kind: &Kind<'_>) -> bool {
    match kind.places {
        _ if kind.whole => number.fract() == 0.0,
        Some(places) => round_to(number, places).is_some_and(|near| near == number),
        None => true,
    }
}

fn round_to(number: f64, places: u8) -> Option<f64> {
    Decimal::from_f64(number, places).map(|decimal| decimal.to_f64())
}

/// The numbers of a kind that are next to this one, as far as they are known.
fn find_neighbours(number: f64, kind: &Kind<'_>) -> (f64, f64) {
    let beside = |step: f64, places: u8| {
        let near = round_to(number, places).unwrap_or(number);
        let before = if near < number { near } else { round_to(near - step, places).unwrap_or(number) };
        let after = if near > number { near } else { round_to(near + step, places).unwrap_or(number) };
        (before, after)
    };
    match kind.places {
        _ if kind.whole => beside(1.0, 0),
        Some(places @ 0..=9) => beside(1.0 / 10_u64.pow(u32::from(places)) as f64, places),
        _ => (number, number),
    }
}
