//! Parses YAML 1.2 in its core schema, with the exact digits of numbers.

use std::collections::{HashMap, HashSet};

use serde_saphyr::budget::{Budget, EnforcingPolicy, check_yaml_budget};
use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, StrInput, Tag};

use super::Unreadable;
use crate::exact::Exact;
use crate::got::{Number, ResponseValue, Source};

/// The maximum nesting depth.
const MAX_DEPTH: usize = 128;
/// The maximum number of values, including those that aliases repeat.
const MAX_VALUES: usize = 1_000_000;
const TOO_DEEP: Unreadable = Unreadable::TooDeep { levels: MAX_DEPTH, values: MAX_VALUES };

/// Parses a text that is a single document. Returns an error with the reason for a second document, a mapping with a duplicate key or a key that is not a text,
/// or more than 128 levels or a million values.
pub fn parse_yaml(text: &str) -> Result<ResponseValue, Unreadable> {
    let mut budget = Budget::default();
    budget.max_depth = MAX_DEPTH;
    budget.max_nodes = MAX_VALUES;
    budget.max_events = MAX_VALUES * 4;
    // The values that aliases repeat are counted below.
    budget.enforce_alias_anchor_ratio = false;
    let report = check_yaml_budget(text, budget, EnforcingPolicy::AllContent)?;
    if report.breached.is_some() {
        return Err(TOO_DEEP);
    }
    let mut reader = Reader { events: Parser::new_from_str(text), anchors: HashMap::new(), values: 0 };
    let mut document = None;
    while let Some(event) = reader.next()? {
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(..) if document.is_some() => {
                return Err(Unreadable::Whole("there is a second document"));
            }
            Event::DocumentStart(..) => document = Some(ResponseValue::Null),
            event => document = Some(reader.parse_node(event, 0)?),
        }
    }
    Ok(document.unwrap_or(ResponseValue::Null))
}

struct Reader<'t> {
    events: Parser<'t, StrInput<'t>>,
    /// Anchored values, each with its numbers of values and levels.
    anchors: HashMap<usize, (ResponseValue, usize, usize)>,
    values: usize,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<Option<Event<'t>>, Unreadable> {
        loop {
            match self.events.next_event() {
                None => return Ok(None),
                Some(Ok((Event::Comment(..) | Event::Anchor(..), _))) => {}
                Some(Ok((event, _))) => return Ok(Some(event)),
                Some(Err(error)) => return Err(error.into()),
            }
        }
    }

    fn parse_node(&mut self, event: Event<'t>, depth: usize) -> Result<ResponseValue, Unreadable> {
        self.values += 1;
        if depth > MAX_DEPTH || self.values > MAX_VALUES {
            return Err(TOO_DEEP);
        }
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plainly = style == ScalarStyle::Plain && !tag.as_deref().is_some_and(is_text);
                (if plainly { parse_plain_scalar(&text) } else { ResponseValue::Text(text.into_owned()) }, anchor)
            }
            Event::SequenceStart(_, anchor, _) => (self.parse_sequence(depth)?, anchor),
            Event::MappingStart(_, anchor, _) => (self.parse_mapping(depth)?, anchor),
            Event::Alias(anchor) => {
                let Some((value, size, levels)) = self.anchors.get(&anchor) else {
                    return Err(Unreadable::Whole("an alias is inside of what it names"));
                };
                self.values += size;
                if depth + levels > MAX_DEPTH || self.values > MAX_VALUES {
                    return Err(TOO_DEEP);
                }
                return Ok(value.clone());
            }
            _ => return Err(Unreadable::Whole("a value is missing")),
        };
        if anchor != 0 {
            let (size, levels) = measure_value(&value);
            self.values += size;
            self.anchors.insert(anchor, (value.clone(), size, levels));
        }
        Ok(value)
    }

    fn parse_sequence(&mut self, depth: usize) -> Result<ResponseValue, Unreadable> {
        let mut items = Vec::new();
        while let Some(event) = self.next()?.filter(|event| *event != Event::SequenceEnd) {
            items.push(self.parse_node(event, depth + 1)?);
        }
        Ok(ResponseValue::Array(items))
    }

    fn parse_mapping(&mut self, depth: usize) -> Result<ResponseValue, Unreadable> {
        let mut fields: Vec<(String, ResponseValue)> = Vec::new();
        let mut seen = HashSet::new();
        while let Some(event) = self.next()?.filter(|event| *event != Event::MappingEnd) {
            // A key is its written form: `404: x` has the key `404`.
            let Event::Scalar(name, ..) = event else { return Err(Unreadable::Whole("a key is not a text")) };
            let name = name.into_owned();
            if !seen.insert(name.clone()) {
                return Err(Unreadable::RepeatedKey { name, place: None });
            }
            let Some(event) = self.next()? else { return Err(Unreadable::Whole("a value is missing")) };
            let value = self.parse_node(event, depth + 1)?;
            fields.push((name, value));
        }
        Ok(ResponseValue::Object(fields))
    }
}

fn is_text(tag: &Tag) -> bool {
    tag.core_suffix() == Some("str") || tag.core_suffix().is_none()
}

/// Returns the numbers of values and levels.
fn measure_value(value: &ResponseValue) -> (usize, usize) {
    let inside: Vec<(usize, usize)> = match value {
        ResponseValue::Array(items) => items.iter().map(measure_value).collect(),
        ResponseValue::Object(fields) => fields.iter().map(|(_, value)| measure_value(value)).collect(),
        _ => Vec::new(),
    };
    let size = inside.iter().map(|(size, _)| size).sum::<usize>() + 1;
    (size, inside.iter().map(|(_, levels)| levels + 1).max().unwrap_or(0))
}

/// Parses a scalar without quotes.
fn parse_plain_scalar(text: &str) -> ResponseValue {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return ResponseValue::Null,
        "true" | "True" | "TRUE" => return ResponseValue::Bool(true),
        "false" | "False" | "FALSE" => return ResponseValue::Bool(false),
        _ => {}
    }
    match parse_number(text) {
        Some(exact) => ResponseValue::Number(Number { exact, source: Source::Written, shown: text.to_owned() }),
        None => ResponseValue::Text(text.to_owned()),
    }
}

/// Parses a number of the core schema, except `.inf` and `.nan`.
fn parse_number(text: &str) -> Option<Exact> {
    for (mark, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(mark) {
            return i64::from_str_radix(digits, radix)
                .ok()
                .filter(|_| !digits.starts_with(['+', '-']))
                .map(Exact::from_int);
        }
    }
    let (negative, unsigned) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, model::numeral::parse_exponent(exponent)?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let some = !(whole.is_empty() && fraction.is_empty());
    (some && digits(whole) && digits(fraction)).then(|| Exact::from_parts(negative, whole, fraction, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Result<String, String> {
        parse_yaml(text).map(|got| got.render_line()).map_err(|why| why.to_string())
    }

    #[test]
    fn the_core_schema_is_read_with_all_digits() {
        let text =
            "a: 1.50\nb: [no, 'x', ~, TRUE, 12345678901234567890, 1e3, .5, 0x1f, -.inf]\nc:\n  d: \"5\"\n404: z\n";
        assert_eq!(
            shown(text),
            Ok(r#"{"a": 1.50, "b": ["no", "x", null, true, 12345678901234567890, 1e3, .5, 0x1f, "-.inf"], "c": {"d": "5"}, "404": "z"}"#.to_owned())
        );
        assert_eq!(parse_number("0x1f"), Some(Exact::from_int(31)));
        assert_eq!(parse_number("+1.50e1"), Some(Exact::from_int(15)));
        for text in ["", ".", "-", "e1", "1_000", "0x", "0x-1", "12:30", "1.2.3"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
        assert_eq!(shown("!!str 5"), Ok("\"5\"".to_owned()));
        assert_eq!(shown("a: &x {b: 1}\nc: *x\n"), Ok(r#"{"a": {"b": 1}, "c": {"b": 1}}"#.to_owned()));
        assert_eq!(shown(""), Ok("null".to_owned()));
    }

    #[test]
    fn what_readers_could_take_for_two_things_is_refused() {
        assert_eq!(shown("a: 1\na: 2\n"), Err("the key `a` appears twice".to_owned()));
        assert_eq!(shown("a: 1\n---\nb: 2\n"), Err("there is a second document".to_owned()));
        assert!(shown("a: [1").is_err());
        assert!(shown("? [a]\n: 1\n").is_err());
        assert!(shown(&"[".repeat(100_000)).is_err());
        // Each alias repeats the one before ten times.
        let bomb: String =
            (1..9).map(|at| format!("a{at}: &a{at} [{}]\n", vec![format!("*a{}", at - 1); 10].join(","))).collect();
        assert_eq!(shown(&format!("a0: &a0 x\n{bomb}")), Err(TOO_DEEP.to_string()));
    }
}
