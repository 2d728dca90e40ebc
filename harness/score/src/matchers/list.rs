//! `list`: compares items; some correct items have a partial score.

use model::Value;
use records::Reason;

use crate::finding::{Finding, MAX_DIFFERENCES, new_difference};
use crate::got::ResponseValue;
use crate::key::{Key, Leaf, render_expected};
use crate::matchers::json::{self as nested, Wanted};
use crate::matching::{find_common_subsequence, list_unmatched};
use crate::order::match_rows;
use crate::read::clean;
use crate::read::json::{Keep, parse_json, parse_json_within, parse_python};
use crate::read::limit::Limit;
use crate::read::table::scan_csv;
use crate::rules::Rules;

/// Compares a text as a list. Items may be of several kinds, including objects and lists, and rows are objects. The score is F1 = 2·pairs / (expected + found),
/// with the maximum number of pairs of an expected and a found item, or with `ordered`, of pairs in the same order.
pub fn judge_list(text: &str, key: &Key<'_>) -> Finding {
    let limit = key.build_limit();
    let readings = list_readings(text, key, &limit);
    limit.build_finding().unwrap_or_else(|| choose_best_reading(readings, key))
}

/// Compares a value as an array of items.
pub fn judge_array(got: ResponseValue, key: &Key<'_>) -> Finding {
    match got {
        ResponseValue::Array(items) => choose_best_reading(vec![items], key),
        other => Finding::wrong(Reason::Differs, "a list", other.render_line()),
    }
}

/// Returns the finding of the reading with the highest score.
fn choose_best_reading(readings: Vec<Vec<ResponseValue>>, key: &Key<'_>) -> Finding {
    let Some(wanted) = Items::new(key) else {
        return Finding::wrong(Reason::BadKey, "the answer of `list` is not a list", "");
    };
    let ordered = key.is_ordered("");
    let mut best: Option<Finding> = None;
    for got in readings {
        let got = wanted.parse_json_items(got);
        let matched =
            if ordered { wanted.match_in_order(&got, key.rules) } else { wanted.match_items(&got, key.rules) };
        Finding::keep_better(&mut best, compare_items(&wanted.items, &got, &matched));
        if best.as_ref().is_some_and(Finding::is_right) {
            break;
        }
    }
    best.unwrap_or_else(|| Finding::wrong(Reason::Empty, "a list", ""))
}

/// The expected items.
struct Items {
    items: Vec<Wanted>,
    /// Whether some are objects or lists.
    nested: bool,
}

impl Items {
    fn new(key: &Key<'_>) -> Option<Items> {
        let is_nested = |item: &Value| matches!(item, Value::List(_) | Value::Object(_) | Value::Rows(_));
        match key.value {
            Value::List(items) if !items.iter().any(is_nested) => {
                let options = key.resolve_options("");
                let leaf = |item| Wanted::Leaf {
                    leaf: Box::new(key.build_leaf(item, "")),
                    shown: render_expected(item, &options),
                };
                Some(Items { items: items.iter().map(leaf).collect(), nested: false })
            }
            // Rows are read as objects.
            Value::List(_) | Value::Rows(_) => match Wanted::new(key, key.value, String::new()) {
                Wanted::Array { items, .. } => Some(Items { items, nested: true }),
                _ => None,
            },
            _ => None,
        }
    }

    /// If objects and lists are expected, parses lines that are JSON of one.
    fn parse_json_items(&self, got: Vec<ResponseValue>) -> Vec<ResponseValue> {
        let json_of = |got: ResponseValue| match &got {
            ResponseValue::Plain(plain) if plain.text.starts_with(['{', '[']) => parse_json(&plain.text).unwrap_or(got),
            _ => got,
        };
        if self.nested { got.into_iter().map(json_of).collect() } else { got }
    }

    /// Finds a partner among `got` for items, in the same order.
    fn match_in_order(&self, got: &[ResponseValue], rules: &Rules) -> Vec<Option<usize>> {
        let items = &self.items;
        let mut matched = vec![None; items.len()];
        for (a, b) in find_common_subsequence(items.len(), got.len(), |a, b| items[a].is_match(&got[b], rules)) {
            matched[a] = Some(b);
        }
        matched
    }

    /// Finds a partner among `got` for each item, in any order.
    fn match_items(&self, got: &[ResponseValue], rules: &Rules) -> Vec<Option<usize>> {
        let items = &self.items;
        if !self.nested {
            let leaves: Vec<Vec<&Leaf>> = items.iter().map(|item| item.as_leaf().into_iter().collect()).collect();
            return match_rows(&leaves, &got.chunks(1).collect::<Vec<_>>(), rules);
        }
        if items.len() == got.len() && items.iter().zip(got).all(|(item, got)| item.is_match(got, rules)) {
            return (0..items.len()).map(Some).collect();
        }
        nested::match_items(items, got, rules)
    }
}

/// Compares the items; `matched` has the partner of each wanted one among `got`.
fn compare_items(wanted: &[Wanted], got: &[ResponseValue], matched: &[Option<usize>]) -> Finding {
    let right = matched.iter().flatten().count();
    let all = wanted.len() + got.len();
    if 2 * right == all {
        return Finding::right();
    }
    let mut differences = Vec::new();
    for (at, _) in matched.iter().enumerate().filter(|(_, partner)| partner.is_none()).take(MAX_DIFFERENCES) {
        differences.push(new_difference("", wanted[at].render_line(), "missing"));
    }
    for at in list_unmatched(matched, got.len()).take(MAX_DIFFERENCES) {
        differences.push(new_difference(format!("/{at}"), "no such item", got[at].render_line()));
    }
    differences.truncate(MAX_DIFFERENCES);
    let reason = if right == 0 { Reason::Differs } else { Reason::Partial };
    Finding { score: 2.0 * right as f64 / all as f64, reason, differences }
}

/// Returns the possible readings of a text as a list: a JSON array, or a list, tuple, or set as Python prints it; otherwise one item per line, without the
/// bullets or numbers if each line has one, and also with them; each also without double quotes around items. A single line is read as items between commas,
/// and as one item.
pub fn list_readings(text: &str, key: &Key<'_>, limit: &Limit) -> Vec<Vec<ResponseValue>> {
    let rules = key.rules;
    let names = key.open_names();
    if text.starts_with('[')
        && let Ok(ResponseValue::Array(items)) =
            parse_json_within(text, limit, names.as_ref().map_or(Keep::All, Keep::Names))
    {
        return vec![items];
    }
    if rules.more_forms
        && limit.build_finding().is_none()
        && text.starts_with(['[', '(', '{'])
        && let Ok(ResponseValue::Array(items)) = parse_python(text, limit)
    {
        return vec![items];
    }
    let blank = |line: &&str| !rules.canonical_texts || !clean::normalize_text(line).is_empty();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).filter(blank);
    let Ok(lines) = lines.map(|line| limit.take_value().map(|()| line)).collect::<Result<Vec<&str>, _>>() else {
        return Vec::new();
    };
    let marked = strip_bullets(&lines).or_else(|| strip_numbers(&lines));
    let mut out = Vec::new();
    for lines in [marked.as_deref().unwrap_or(lines.as_slice()), lines.as_slice()] {
        let plain = read_items(lines, rules);
        match lines {
            [] => {}
            [line] => {
                if limit.take_all(scan_csv(line, ',').cells).is_err() {
                    return Vec::new();
                }
                out.extend([split_line(line, ',', rules), plain]);
                if rules.splits_at_semicolons && line.contains(';') && !has_semicolons(key.value) {
                    if limit.take_all(scan_csv(line, ';').cells).is_err() {
                        return Vec::new();
                    }
                    out.push(split_line(line, ';', rules));
                }
                if rules.unwraps_answers {
                    let words = split_words(line);
                    if limit.take_all(words.iter().map(Vec::len).sum()).is_err() {
                        return Vec::new();
                    }
                    out.extend(words.iter().map(|items| read_items(items, rules)));
                }
            }
            several => {
                out.push(plain);
                if rules.unwraps_answers
                    && let Some(items) = strip_separators(several)
                {
                    out.push(read_items(&items, rules));
                }
                if rules.more_forms {
                    out.extend(strip_quotes(several, rules));
                }
            }
        }
        if marked.is_none() || !rules.more_forms {
            break;
        }
    }
    out
}

/// Removes the double quotes around lines, as a CSV file of one column has them; `None` if no line has any.
fn strip_quotes(lines: &[&str], rules: &Rules) -> Option<Vec<ResponseValue>> {
    let inside = |line: &str| {
        let inner = line.strip_prefix('"')?.strip_suffix('"')?;
        // A quote within the item is doubled.
        (!inner.replace("\"\"", "").contains('"')).then(|| inner.replace("\"\"", "\""))
    };
    let cells: Vec<Option<String>> = lines.iter().map(|line| inside(line)).collect();
    cells.iter().any(Option::is_some).then(|| {
        let item = |(line, cell): (&&str, Option<String>)| {
            ResponseValue::from_plain_text(cell.as_deref().unwrap_or(line), rules)
        };
        lines.iter().zip(cells).map(item).collect()
    })
}

/// Removes the bullets, if each line has the same one.
fn strip_bullets<'a>(lines: &[&'a str]) -> Option<Vec<&'a str>> {
    ["- ", "* ", "• ", "+ "]
        .iter()
        .find_map(|bullet| lines.iter().map(|line| line.strip_prefix(bullet).map(str::trim)).collect())
}

/// Removes the numbers `1.` or `1)`, if they count from 1.
fn strip_numbers<'a>(lines: &[&'a str]) -> Option<Vec<&'a str>> {
    let item = |(at, line): (usize, &&'a str)| {
        let rest = line.strip_prefix((at + 1).to_string().as_str())?;
        rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")).map(str::trim)
    };
    lines.iter().enumerate().map(item).collect()
}

/// Splits a line where items have commas or the last two are joined by a word: at commas before a blank (`9,120.50, 875.00`), at `and` (`March 1, 2024 and
/// May 1, 2024`), and at both.
fn split_words(line: &str) -> Vec<Vec<&str>> {
    const COMMA: &str = ", ";
    const AND: &str = " and ";
    let mut readings = Vec::new();
    let has_other_commas = line.matches(',').count() > line.matches(COMMA).count();
    if has_other_commas && line.contains(COMMA) {
        readings.push(line.split(COMMA).collect());
    }
    if let Some((before, last)) = line.rsplit_once(AND) {
        let before = before.trim_end().trim_end_matches(',');
        readings.push(line.split(AND).collect());
        let sign = if has_other_commas { COMMA } else { "," };
        readings.push(before.split(sign).chain([last]).collect());
    }
    readings
}

/// Removes the commas or semicolons at the ends of lines, if each line but the last has one.
fn strip_separators<'a>(lines: &[&'a str]) -> Option<Vec<&'a str>> {
    let (last, others) = lines.split_last()?;
    [',', ';'].into_iter().find_map(|sign| {
        let mut items: Vec<&str> = others.iter().map(|line| line.strip_suffix(sign)).collect::<Option<_>>()?;
        items.push(last.strip_suffix(sign).unwrap_or(last));
        Some(items)
    })
}

fn read_items(items: &[&str], rules: &Rules) -> Vec<ResponseValue> {
    items.iter().map(|item| ResponseValue::from_plain_text(item, rules)).collect()
}

/// Whether an expected item contains a semicolon.
fn has_semicolons(value: &Value) -> bool {
    let has = |value: &Value| value.as_text().is_some_and(|text| text.contains(';'));
    match value {
        Value::List(items) => items.iter().any(has),
        Value::Rows(set) => set.rows.iter().flatten().any(has),
        other => has(other),
    }
}

/// Splits a line at commas or semicolons; an item in double quotes may contain them.
fn split_line(line: &str, sign: char, rules: &Rules) -> Vec<ResponseValue> {
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).trim(csv::Trim::All).delimiter(sign as u8);
    let (spaced, close) = (format!("{sign} \""), format!("{sign}\""));
    match reader.from_reader(line.as_bytes()).records().next() {
        // `a, "b, c"`: CSV does not recognize a quote after a space, so these spaces are removed.
        Some(Ok(_)) if line.contains(&spaced) => split_line(&line.replace(&spaced, &close), sign, rules),
        Some(Ok(record)) => record.iter().map(|cell| ResponseValue::from_plain_text(cell, rules)).collect(),
        _ => Vec::new(),
    }
}
