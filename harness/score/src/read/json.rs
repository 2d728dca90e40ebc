//! Parses JSON (RFC 8259) without losing digits or accepting duplicate keys, and the same values as Python prints them.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use model::singular::Step;

use super::Unreadable;
use super::limit::Limit;
use crate::exact::Exact;
use crate::got::{Number, ResponseValue, Source};
use crate::text::compose_letters;

/// The maximum nesting depth.
const MAX_DEPTH: usize = 128;

/// Parses one JSON text. Returns an error with the reason for anything outside RFC 8259 (`NaN`, comments, trailing commas), an object with a duplicate
/// key (readers disagree about which one counts), or more than 128 levels.
pub fn parse_json(text: &str) -> Result<ResponseValue, Unreadable> {
    parse_json_within(text, &Limit::without_bound(), Keep::All)
}

/// Parses JSON within a limit, and keeps only some of its values.
pub fn parse_json_within(text: &str, limit: &Limit, keep: Keep<'_>) -> Result<ResponseValue, Unreadable> {
    Reader { text, at: 0, python: false, limit }.parse_document(keep)
}

/// Parses a list, tuple, set, dict, text, number, or `True`, `False`, `None` as Python prints it (`repr`).
pub fn parse_python(text: &str, limit: &Limit) -> Result<ResponseValue, Unreadable> {
    Reader { text, at: 0, python: true, limit }.parse_document(Keep::All)
}

/// Parses one JSON value per line; `None` if a line is not one.
pub fn parse_json_lines(text: &str, limit: &Limit) -> Option<Vec<ResponseValue>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| parse_json_within(line, limit, Keep::All).ok()).collect()
}

/// Which values of a text are kept. The others are parsed and discarded.
#[derive(Clone, Copy)]
pub enum Keep<'k> {
    /// All values.
    All,
    /// None.
    Nothing,
    /// The values on the way to these places, and everything there. Items after the last requested one, and before the first one that is counted from the end,
    /// are discarded.
    Places(&'k [&'k [Step]]),
    /// The fields of objects with these composed names.
    Names(&'k HashSet<String>),
}

impl<'k> Keep<'k> {
    /// Returns which values are kept at a place; `places` are the remaining steps.
    fn from_places(places: &'k [&'k [Step]]) -> Keep<'k> {
        match places {
            [] => Keep::Nothing,
            places if places.iter().any(|rest| rest.is_empty()) => Keep::All,
            places => Keep::Places(places),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Parses Python's output instead of JSON.
    python: bool,
    /// The limit on the number of kept values.
    limit: &'a Limit,
}

/// The kept items of an array.
struct Items<'k> {
    keep: Keep<'k>,
    /// Each item with its number of values.
    kept: VecDeque<(ResponseValue, usize)>,
    /// The number of items at the start that are requested.
    front: usize,
    /// The number of items at the end that are requested.
    back: usize,
}

impl<'k> Items<'k> {
    fn new(keep: Keep<'k>) -> Items<'k> {
        let mut items = Items { keep, kept: VecDeque::new(), front: 0, back: 0 };
        if let Keep::Places(places) = keep {
            for steps in places {
                match steps.first() {
                    Some(Step::Index(index)) if *index < 0 => {
                        items.back = items.back.max(usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX));
                    }
                    Some(Step::Index(index)) => {
                        let place = usize::try_from(*index).unwrap_or(usize::MAX);
                        items.front = items.front.max(place.saturating_add(1));
                    }
                    _ => {}
                }
            }
        }
        items
    }

    /// Returns the remaining steps for the item at this index: any item may be one that is counted from the end.
    fn select_places(&self, at: usize) -> Vec<&'k [Step]> {
        let Keep::Places(places) = self.keep else { return Vec::new() };
        let is_here = |step: &Step| match step {
            Step::Index(index) => *index < 0 || usize::try_from(*index) == Ok(at),
            Step::Name(_) => false,
        };
        let taken = |steps: &&&'k [Step]| steps.first().is_some_and(is_here);
        places.iter().filter(taken).filter_map(|steps| steps.get(1..)).collect()
    }

    /// Adds an item with this number of values. Returns the number of values that are discarded.
    fn push_item(&mut self, item: ResponseValue, values: usize, at: usize) -> usize {
        let is_kept = match self.keep {
            Keep::Nothing => false,
            Keep::All | Keep::Names(_) => true,
            Keep::Places(_) => self.back > 0 || at < self.front,
        };
        if !is_kept {
            return values;
        }
        self.kept.push_back((item, values));
        // If only items at the end are requested, the first ones can be discarded.
        let is_full = matches!(self.keep, Keep::Places(_)) && self.front == 0 && self.kept.len() > self.back;
        if is_full { self.kept.pop_front().map_or(0, |(_, values)| values) } else { 0 }
    }

    fn into_array(self) -> ResponseValue {
        ResponseValue::Array(self.kept.into_iter().map(|(item, _)| item).collect())
    }
}

fn hash_name(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

impl Reader<'_> {
    fn parse_document(mut self, keep: Keep<'_>) -> Result<ResponseValue, Unreadable> {
        let value = self.parse_value(0, keep)?;
        self.skip_blanks();
        match self.peek_byte() {
            None => Ok(value),
            Some(_) => Err(self.build_error("something follows the JSON")),
        }
    }

    fn peek_byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek_byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn build_error(&self, what: &'static str) -> Unreadable {
        Unreadable::Json { what, place: self.locate() }
    }

    /// Returns the line and column.
    fn locate(&self) -> (usize, usize) {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (before.matches('\n').count() + 1, column)
    }

    fn take_byte(&mut self, byte: u8) -> bool {
        let there = self.peek_byte() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Parses a value; returns null if it is not kept.
    fn parse_value(&mut self, depth: usize, keep: Keep<'_>) -> Result<ResponseValue, Unreadable> {
        if matches!(keep, Keep::All | Keep::Names(_)) {
            self.limit.take_value()?;
        }
        if depth > MAX_DEPTH {
            return Err(self.build_error("nested more than 128 deep"));
        }
        self.skip_blanks();
        match self.peek_byte() {
            None => Err(self.build_error("it ends where a value is expected")),
            Some(b'{') if self.python && depth == 0 && self.is_set() => self.parse_array(depth, b'}', keep),
            Some(b'{') => self.parse_object(depth, keep),
            Some(b'[') => self.parse_array(depth, b']', keep),
            Some(b'(') if self.python => self.parse_array(depth, b')', keep),
            Some(quote) if self.is_quote(quote) => Ok(ResponseValue::Text(self.parse_string(quote)?)),
            Some(b'-' | b'0'..=b'9') => self.parse_number(keep),
            Some(_) => {
                let words = if self.python { ["True", "False", "None"] } else { ["true", "false", "null"] };
                for (word, value) in
                    words.into_iter().zip([ResponseValue::Bool(true), ResponseValue::Bool(false), ResponseValue::Null])
                {
                    if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                Err(self.build_error("no JSON value"))
            }
        }
    }

    /// Whether the brace opens a set, `{1, 2}`, and not a dict: its first value is not followed by a colon. A set
    /// cannot contain a set.
    fn is_set(&self) -> bool {
        let limit = Limit::without_bound();
        let mut first = Reader { text: self.text, at: self.at + 1, python: true, limit: &limit };
        first.parse_value(1, Keep::Nothing).is_ok() && {
            first.skip_blanks();
            matches!(first.peek_byte(), Some(b',' | b'}'))
        }
    }

    fn is_quote(&self, byte: u8) -> bool {
        byte == b'"' || self.python && byte == b'\''
    }

    fn parse_array(&mut self, depth: usize, end: u8, keep: Keep<'_>) -> Result<ResponseValue, Unreadable> {
        self.at += 1;
        let mut items = Items::new(keep);
        let mut count = 0;
        self.skip_blanks();
        if self.take_byte(end) {
            return Ok(items.into_array());
        }
        loop {
            let places = items.select_places(count);
            let keep = match items.keep {
                Keep::Places(_) => Keep::from_places(&places),
                other => other,
            };
            let before = self.limit.left();
            let item = self.parse_value(depth + 1, keep)?;
            let forgotten = items.push_item(item, before - self.limit.left(), count);
            self.limit.give_back(forgotten);
            count += 1;
            self.skip_blanks();
            if self.take_byte(end) {
                return Ok(items.into_array());
            }
            if !self.take_byte(b',') {
                return Err(self.build_error("expected `,` or `]`"));
            }
            self.skip_blanks();
            // A tuple of one: `(3,)`.
            if self.python && count == 1 && end == b')' && self.take_byte(end) {
                return Ok(items.into_array());
            }
        }
    }

    fn parse_object(&mut self, depth: usize, keep: Keep<'_>) -> Result<ResponseValue, Unreadable> {
        let start = self.at;
        self.at += 1;
        let mut fields: Vec<(String, ResponseValue)> = Vec::new();
        let mut seen = HashSet::new();
        self.skip_blanks();
        if self.take_byte(b'}') {
            return Ok(ResponseValue::Object(fields));
        }
        loop {
            self.skip_blanks();
            let place = self.at;
            let name = self.parse_key()?;
            if !seen.insert(hash_name(&name)) && self.has_before(start, place, &name, depth) {
                return Err(Unreadable::RepeatedKey { name, place: Some(self.locate()) });
            }
            self.skip_blanks();
            if !self.take_byte(b':') {
                return Err(self.build_error("expected `:`"));
            }
            let mut places = Vec::new();
            let inner = match keep {
                Keep::All | Keep::Nothing => keep,
                Keep::Names(names) if names.contains(&*compose_letters(&name)) => keep,
                Keep::Names(_) => Keep::Nothing,
                Keep::Places(steps) => {
                    let is_here = |step: &Step| matches!(step, Step::Name(known) if compose_letters(known) == compose_letters(&name));
                    let taken = |steps: &&[Step]| steps.first().is_some_and(is_here);
                    places.extend(steps.iter().copied().filter(taken).filter_map(|steps| steps.get(1..)));
                    Keep::from_places(&places)
                }
            };
            let value = self.parse_value(depth + 1, inner)?;
            if !matches!(inner, Keep::Nothing) {
                fields.push((name, value));
            }
            self.skip_blanks();
            if self.take_byte(b'}') {
                return Ok(ResponseValue::Object(fields));
            }
            if !self.take_byte(b',') {
                return Err(self.build_error("expected `,` or `}`"));
            }
        }
    }

    /// Parses the key of a field.
    fn parse_key(&mut self) -> Result<String, Unreadable> {
        match self.peek_byte().filter(|byte| self.is_quote(*byte)) {
            Some(quote) => self.parse_string(quote),
            None => Err(self.build_error("expected a key in quotes")),
        }
    }

    /// Whether the object that begins at `start` has a field with this name before `end`: two names with the same hash may differ.
    fn has_before(&self, start: usize, end: usize, name: &str, depth: usize) -> bool {
        let limit = Limit::without_bound();
        let mut again = Reader { text: self.text, at: start + 1, python: self.python, limit: &limit };
        loop {
            again.skip_blanks();
            if again.at >= end {
                return false;
            }
            match again.parse_key() {
                Ok(other) if other == name => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
            again.skip_blanks();
            let follows = again.take_byte(b':') && again.parse_value(depth + 1, Keep::Nothing).is_ok();
            again.skip_blanks();
            if !(follows && again.take_byte(b',')) {
                return false;
            }
        }
    }

    /// Skips digits. Returns where they begin and end.
    fn skip_digits(&mut self) -> (usize, usize) {
        let from = self.at;
        while self.peek_byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (from, self.at)
    }

    /// Parses a number; returns null if it is not kept.
    fn parse_number(&mut self, keep: Keep<'_>) -> Result<ResponseValue, Unreadable> {
        let start = self.at;
        let negative = self.take_byte(b'-');
        let (from, to) = self.skip_digits();
        if from == to || to - from > 1 && self.text.as_bytes().get(from) == Some(&b'0') {
            return Err(self.build_error("no number of JSON"));
        }
        let whole = self.text.get(from..to).unwrap_or_default();
        let mut fraction = "";
        if self.take_byte(b'.') {
            let (from, to) = self.skip_digits();
            if from == to {
                return Err(self.build_error("a digit should follow the point"));
            }
            fraction = self.text.get(from..to).unwrap_or_default();
        }
        let mut exponent = 0;
        if self.take_byte(b'e') || self.take_byte(b'E') {
            let from = self.at;
            let _ = self.take_byte(b'-') || self.take_byte(b'+');
            self.skip_digits();
            let written = self.text.get(from..self.at).and_then(model::numeral::parse_exponent);
            exponent = written.ok_or_else(|| self.build_error("a digit should follow the `e`"))?;
        }
        if matches!(keep, Keep::Nothing) {
            return Ok(ResponseValue::Null);
        }
        let shown = self.text.get(start..self.at).unwrap_or_default().to_owned();
        let exact = Exact::from_parts(negative, whole, fraction, exponent);
        Ok(ResponseValue::Number(Number { exact, source: Source::Written, shown }))
    }

    fn parse_string(&mut self, quote: u8) -> Result<String, Unreadable> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let from = self.at;
            while self.peek_byte().is_some_and(|byte| byte != quote && byte != b'\\' && byte >= b' ') {
                self.at += 1;
            }
            // All three are ASCII, so both ends are character boundaries.
            out.push_str(self.text.get(from..self.at).unwrap_or_default());
            match self.peek_byte() {
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.at += 1;
                    out.push(self.parse_escape()?);
                }
                Some(_) => return Err(self.build_error("a control character in a string is written with `\\`")),
                None => return Err(self.build_error("a string is not closed")),
            }
        }
    }

    fn parse_escape(&mut self) -> Result<char, Unreadable> {
        let byte = self.peek_byte();
        self.at += 1;
        Ok(match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'\'') if self.python => '\'',
            Some(b'x') if self.python => self.parse_code_point(2)?,
            Some(b'u') if self.python => self.parse_code_point(4)?,
            Some(b'U') if self.python => self.parse_code_point(8)?,
            Some(b'u') => {
                let unit = self.parse_hex(4)?;
                let code = if (0xD800..0xDC00).contains(&unit) {
                    if !(self.take_byte(b'\\') && self.take_byte(b'u')) {
                        return Err(self.build_error("half a surrogate pair"));
                    }
                    let low = self.parse_hex(4)?;
                    if !(0xDC00..0xE000).contains(&low) {
                        return Err(self.build_error("half a surrogate pair"));
                    }
                    0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
                } else {
                    unit
                };
                char::from_u32(code).ok_or_else(|| self.build_error("half a surrogate pair"))?
            }
            _ => {
                self.at -= 1;
                return Err(self.build_error("no escape of JSON"));
            }
        })
    }

    /// Parses the character with the number that follows, in `digits` hexadecimal digits.
    fn parse_code_point(&mut self, digits: usize) -> Result<char, Unreadable> {
        let code = self.parse_hex(digits)?;
        char::from_u32(code).ok_or_else(|| self.build_error("no character has this number"))
    }

    fn parse_hex(&mut self, count: usize) -> Result<u32, Unreadable> {
        let digits =
            self.text.get(self.at..self.at + count).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.build_error("four hexadecimal digits should follow `\\u`"))?;
        self.at += count;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_kept_and_keys_stand_once() {
        let exact = |text| match parse_json(text) {
            Ok(ResponseValue::Number(number)) => number.exact,
            other => panic!("{other:?}"),
        };
        assert_eq!(exact("1.0"), exact("1"));
        assert_eq!(exact("1e2"), exact("100"));
        assert_ne!(exact("9007199254740993"), exact("9007199254740992"));
        assert_ne!(exact("0.1"), exact("0.1000000000000000000000000001"));
        let why = |text| parse_json(text).expect_err("no JSON").to_string();
        assert_eq!(why(r#"{"a": 1, "a": 1}"#), "the key `a` appears twice (line 1, column 13)");
        assert_eq!(why("[1,\n 2,]"), "no JSON value (line 2, column 4)");
        assert_eq!(parse_json(r#""\ud83d\ude00\u00e9""#), Ok(ResponseValue::Text("😀é".to_owned())));
        assert!(parse_json(&"[".repeat(100_000)).is_err());
    }
}
