//! The functions of JSONPath and XPath, called on what is known of their arguments.

use std::collections::BTreeSet;

use model::{Date, Value};

use super::compare::{Possible, to_bool};
use super::convert::{simplify, to_number, to_text};
use super::judging::Judging;
use super::values::{Class, Kind, Values};
use super::xpath_functions::{self, Argument};
use hir::facts::Fact;
use hir::paths::json::count_matches;
use hir::paths::predicate::{Language, Nodes, Term, TermKind};
use hir::terms::{Extent, Known, Texts, call_function, match_regex, match_texts, measure_text, quote_for_glob};
use sql::terms::MatchKind;

/// The maximum number of texts that are compared with a regular expression one by one.
const MAX_TEXTS: usize = 1000;

/// The maximum number of combinations of arguments that are computed one by one.
const MAX_CALLS: usize = 2000;

/// The maximum number of days that are listed.
const MAX_DAYS: i32 = 25_000;

/// The maximum length of a part of a text that is followed.
const MAX_LENGTH: i64 = 400;

/// The possible results of a call as a condition. `None` if nothing is known.
pub fn judge_call(judge: &dyn Judging<'_>, name: &str, args: &[Term]) -> Option<Possible> {
    match (judge.language(), name, args) {
        (Language::Json, "match" | "search", [text, pattern]) => judge_regex(judge, name, text, pattern),
        (Language::XPath, "boolean", [inner]) => Some(judge.judge(inner)),
        (Language::XPath, "lang", [attributes]) => {
            as_nodes(attributes).filter(|nodes| nodes.most == 0).map(|_| Possible::NEVER)
        }
        _ => infer_call(judge, name, args).map(|values| to_bool(&values)),
    }
}

/// What is known of the result of a call. `None` if that is nothing.
pub fn infer_call<'a>(judge: &dyn Judging<'a>, name: &str, args: &[Term]) -> Option<Values<'a>> {
    match judge.language() {
        Language::Json => infer_in_json(judge, name, args),
        Language::XPath => infer_in_xpath(judge, name, args),
    }
}

fn as_nodes(term: &Term) -> Option<&Nodes> {
    match &term.kind {
        TermKind::Nodes(nodes) => Some(nodes),
        _ => None,
    }
}

fn infer_in_json<'a>(judge: &dyn Judging<'a>, name: &str, args: &[Term]) -> Option<Values<'a>> {
    match (name, args) {
        ("count", [path]) => as_nodes(path).map(|nodes| count_nodes(judge, nodes)),
        ("value", [path]) => {
            let nodes = as_nodes(path)?;
            if nodes.least > 1 {
                return Some(Values::nothing());
            }
            let values = judge.infer(path)?;
            Some(Values { absent: values.absent || values.several, several: false, ..values })
        }
        ("length", [text]) => measure_in_json(judge, text),
        _ => None,
    }
}

/// The number of nodes.
fn count_nodes<'a>(judge: &dyn Judging<'_>, nodes: &Nodes) -> Values<'a> {
    let known = judge.cells().lookup_count(&nodes.counted.key).filter(|_| nodes.counted.at.is_none());
    let (least, most) = known.unwrap_or((nodes.least, nodes.most));
    Values::from_count(least, most)
}

/// `length(x)`: of a text, an array, or an object. Anything else has none.
fn measure_in_json<'a>(judge: &dyn Judging<'a>, term: &Term) -> Option<Values<'a>> {
    let members = as_nodes(term).and_then(|nodes| match nodes.kinds.as_slice() {
        [only] => only.members,
        _ => None,
    });
    let values = judge.infer(term)?;
    let mut lengths = Values { absent: values.absent, ..Values::from_kinds(Vec::new()) };
    for kind in &values.kinds {
        match kind.class {
            Class::Text => lengths.kinds.extend(measure(&kind.known).kinds),
            Class::Compound => {
                let known = as_nodes(term).and_then(|nodes| judge.cells().lookup_count(&nodes.find_members_key()));
                let (least, most) = known.or(members)?;
                lengths.kinds.extend(Values::from_count(least, most).kinds);
            }
            _ => lengths.absent = true,
        }
    }
    Some(lengths)
}

/// The lengths of texts.
fn measure<'a>(texts: &Known<'_>) -> Values<'a> {
    Values::from_whole(Fact { nullable: false, ..measure_text(texts) })
}

/// `match(x, 'pattern')`, `search(x, 'pattern')`: false for all but texts.
fn judge_regex(judge: &dyn Judging<'_>, name: &str, text: &Term, pattern: &Term) -> Option<Possible> {
    let TermKind::Literal(Value::Text(regex)) = &pattern.kind else { return None };
    let values = judge.infer(text)?;
    let mut all = if values.absent { Possible::NEVER } else { Possible::NONE };
    for kind in &values.kinds {
        all = all.join(if kind.class == Class::Text { match_kind(&kind.known, regex, name)? } else { Possible::NEVER });
    }
    Some(all)
}

fn match_kind(known: &Known<'_>, regex: &str, name: &str) -> Option<Possible> {
    match known.fact.closed.as_ref().filter(|values| !values.is_empty() && values.len() <= MAX_TEXTS) {
        Some(values) => {
            let matched = count_matches(values, regex, name)?;
            Some(Possible { is_true: matched > 0, is_false: matched < values.len() })
        }
        None => {
            let extent = if name == "match" { Extent::Whole } else { Extent::Part };
            let (is_true, is_false) = match_regex(&known.to_texts()?, regex, extent)?;
            Some(Possible { is_true, is_false })
        }
    }
}

fn infer_in_xpath<'a>(judge: &dyn Judging<'a>, name: &str, args: &[Term]) -> Option<Values<'a>> {
    match (name, args) {
        ("count", [path]) => as_nodes(path).map(|nodes| count_nodes(judge, nodes)),
        ("sum", [path]) => infer_sum(judge, path),
        ("local-name" | "name", [path]) => infer_name(as_nodes(path)?),
        ("string", [value]) => Some(Values::from_kind(Kind::from_texts(to_text(&judge.infer(value)?)?))),
        ("number", [value]) => to_number(&judge.infer(value)?),
        ("floor" | "ceiling" | "round", [value]) => super::arithmetic::round(name, &to_number(&judge.infer(value)?)?),
        _ => infer_text_call(judge, name, args),
    }
}

/// The sum of numbers, none of which is below 0.
fn infer_sum<'a>(judge: &dyn Judging<'a>, path: &Term) -> Option<Values<'a>> {
    let nodes = as_nodes(path)?;
    let numbers = to_number(&judge.infer(path)?)?;
    let (mut low, mut high, mut whole) = (f64::INFINITY, 0.0_f64, true);
    for kind in numbers.kinds.iter().filter(|kind| kind.class == Class::Number) {
        let (least, most) = kind.known.fact.range.as_ref()?;
        (low, high) = (low.min(least.as_f64()?), high.max(most.as_f64()?));
        whole &= kind.whole;
    }
    let fails = numbers.kinds.iter().any(|kind| kind.class == Class::NotANumber) && nodes.least > 0;
    if fails || low < 0.0 || nodes.most > 1_000_000_000 {
        return None;
    }
    let least = if nodes.least == 0 { 0.0 } else { low * nodes.least as f64 };
    // A sum of doubles can be a little off.
    let slack = if whole { 0.0 } else { 1e-6 };
    let (least, most) = (least - slack, high * nodes.most as f64 + slack);
    let sum = Fact::from_range(simplify(least), simplify(most));
    Some(if whole { Values::from_whole(sum) } else { Values::from_number(sum) })
}

/// The names of elements.
fn infer_name<'a>(nodes: &Nodes) -> Option<Values<'a>> {
    let names: Vec<Value> =
        nodes.kinds.iter().map(|kind| kind.name.as_deref().map(Value::from_text)).collect::<Option<_>>()?;
    // A prefix is no part of a local name.
    let plain = nodes.least > 0 && names.iter().all(|name| name.as_text().is_some_and(|name| !name.contains(':')));
    plain.then(|| Values::from_kind(Kind::from_texts(Known::from_fact(Fact::from_values(&names)))))
}

/// Functions of texts: computed for all combinations if there are few, or else read character by character.
fn infer_text_call<'a>(judge: &dyn Judging<'a>, name: &str, args: &[Term]) -> Option<Values<'a>> {
    let args: Vec<Values<'a>> = args.iter().map(|arg| judge.infer(arg)).collect::<Option<_>>()?;
    let texts: Vec<Option<Known<'a>>> = args.iter().map(to_text).collect();
    if let Some(known) = call_listed(name, &args, &texts) {
        return Some(known);
    }
    let text = |at: usize| texts.get(at)?.clone();
    let constant = |at: usize| text(at)?.fact.as_single_value()?.as_text().map(str::to_owned);
    let made = |texts: Texts<'a>| {
        let known = Known { texts: Some(texts), ..Known::from_fact(Fact::not_null()) };
        Some(Values::from_kind(Kind::from_texts(known)))
    };
    match (name, args.len()) {
        ("contains" | "starts-with", 2) => judge_part(name, &text(0)?, &constant(1)?),
        ("string-length", 1) => Some(measure(&text(0)?)),
        ("normalize-space", 1) => keep_without_blanks(text(0)?),
        ("concat", _) => {
            let parts: Option<Vec<Texts<'a>>> = texts.into_iter().map(|text| text?.to_texts()).collect();
            made(Texts::Joined(parts?))
        }
        ("substring", 2 | 3) => take_part(&text(0)?, &args),
        ("substring-before" | "substring-after", 2) => {
            let mark = constant(1)?;
            let mut chars = mark.chars();
            let (Some(mark), None) = (chars.next(), chars.next()) else { return None };
            let is_before = name == "substring-before";
            let all = Box::new(text(0)?.to_texts()?);
            made(if is_before { Texts::Before(all, mark) } else { Texts::After(all, mark) })
        }
        ("translate", 3) => {
            let by: Vec<char> = constant(2)?.chars().collect();
            let mut map: Vec<(char, Option<char>)> = Vec::new();
            for (at, c) in constant(1)?.chars().enumerate() {
                if map.iter().all(|(known, _)| *known != c) {
                    map.push((c, by.get(at).copied()));
                }
            }
            made(Texts::Translated(Box::new(text(0)?.to_texts()?), map))
        }
        _ => None,
    }
}

/// Calls a function on all combinations of listed arguments.
fn call_listed<'a>(name: &str, args: &[Values<'a>], texts: &[Option<Known<'a>>]) -> Option<Values<'a>> {
    let choices = args.iter().zip(texts).map(|(values, text)| {
        let is_number = |kind: &Kind<'_>| kind.class == Class::Number;
        if !values.of_nodes && values.kinds.iter().all(is_number) {
            let listed = values.kinds.iter().map(|kind| kind.known.fact.closed.as_deref());
            let listed: Vec<&[Value]> = listed.collect::<Option<_>>()?;
            return listed.concat().iter().map(|value| value.as_f64().map(Argument::Number)).collect();
        }
        let values = text.as_ref()?.fact.closed.as_deref()?;
        values.iter().map(|value| value.as_text().map(|text| Argument::Text(text.to_owned()))).collect()
    });
    let choices: Vec<Vec<Argument>> = choices.collect::<Option<_>>()?;
    let calls = choices.iter().try_fold(1_usize, |calls, values| {
        calls.checked_mul(values.len()).filter(|calls| *calls > 0 && *calls <= MAX_CALLS)
    })?;
    let results = (0..calls).map(|mut number| {
        let pick = |values: &Vec<Argument>| {
            let at = number.checked_rem(values.len())?;
            number = number.checked_div(values.len())?;
            values.get(at).cloned()
        };
        xpath_functions::call(name, &choices.iter().map(pick).collect::<Option<Vec<Argument>>>()?)
    });
    let results: Vec<Value> = results.collect::<Option<_>>()?;
    let class = match results.first()? {
        Value::Text(_) => Class::Text,
        Value::Bool(_) => Class::Bool,
        _ => Class::Number,
    };
    let whole = results.iter().all(|value| matches!(value, Value::Int(_)));
    Some(Values::from_kind(Kind { whole, ..Kind::new(class, Known::from_fact(Fact::from_values(&results))) }))
}

/// `substring(x, from, count)`, where the numbers are constants.
fn take_part<'a>(text: &Known<'a>, args: &[Values<'a>]) -> Option<Values<'a>> {
    let number = |at: usize| match args.get(at)?.kinds.as_slice() {
        [kind] => kind.known.fact.as_single_value()?.as_f64(),
        _ => None,
    };
    let from = xpath_functions::round_half_up(number(1)?) as i64;
    let end = match args.len() {
        3 => from.checked_add(xpath_functions::round_half_up(number(2)?) as i64)?,
        _ => MAX_LENGTH,
    };
    let (from, end) = (from.clamp(1, MAX_LENGTH), end.clamp(1, MAX_LENGTH));
    if let Some((first, last)) = text.days.filter(|_| text.fact.closed.is_none()) {
        return list_parts_of_days((first, last), (from, end));
    }
    let constant = |number: i64| Known::from_fact(Fact::from_value(&Value::Int(number)));
    let longest = measure(text).kinds.first()?.known.fact.range.clone()?.1.as_f64()?;
    if longest >= MAX_LENGTH as f64 {
        return None;
    }
    let part = call_function("substr", &[text.clone(), constant(from), constant((end - from).max(0))]);
    Some(Values::from_kind(Kind::from_texts(part)))
}

/// The characters from one index up to another, counted from 1, of all days of a range.
fn list_parts_of_days<'a>((first, last): (Date, Date), (from, end): (i64, i64)) -> Option<Values<'a>> {
    let (skipped, taken) = (usize::try_from(from - 1).ok()?, usize::try_from((end - from).max(0)).ok()?);
    if last.0.checked_sub(first.0)? > MAX_DAYS {
        return None;
    }
    let part = |day: i32| Date(day).to_string().chars().skip(skipped).take(taken).collect::<String>();
    let parts: BTreeSet<String> = (first.0..=last.0).map(part).collect();
    let known = Known::from_fact(Fact::from_values(parts.into_iter().map(Value::Text)));
    Some(Values::from_kind(Kind::from_texts(known)))
}

/// `contains(x, 'part')`, `starts-with(x, 'part')`
fn judge_part<'a>(name: &str, known: &Known<'a>, part: &str) -> Option<Values<'a>> {
    let part = quote_for_glob(part);
    let glob = if name == "contains" { format!("*{part}*") } else { format!("{part}*") };
    let (is_true, is_false) = match_texts(&known.to_texts()?, &glob, MatchKind::Glob)?;
    let values =
        [(is_true, true), (is_false, false)].into_iter().filter_map(|(is, value)| is.then_some(Value::Bool(value)));
    Some(Values::from_kind(Kind::new(Class::Bool, Known::from_fact(Fact::from_values(values)))))
}

/// `normalize-space(x)` of texts that have no blanks at their ends, and not two in a row.
fn keep_without_blanks<'a>(known: Known<'a>) -> Option<Values<'a>> {
    has_no_blanks(&known)?.then(|| Values::from_kind(Kind::from_texts(known)))
}

/// Whether `normalize-space` surely changes no text of a kind.
pub fn is_without_blanks(kind: &Kind<'_>) -> bool {
    kind.class == Class::Text && has_no_blanks(&kind.known) == Some(true)
}

fn has_no_blanks(known: &Known<'_>) -> Option<bool> {
    let texts = known.to_texts()?;
    let has = |pattern: &str| Some(match_texts(&texts, pattern, MatchKind::Glob)?.0);
    Some(!(has(" *")? || has("* ")? || has("*  *")? || has("*[\t\r\n]*")?))
}
