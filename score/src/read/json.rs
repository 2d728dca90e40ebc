//! JSON (RFC 8259), read so that no digit is lost and no key twice; and what Python prints for the same values.

use crate::exact::Exact;
use crate::got::{Got, Number, Source};

/// The deepest nesting that is read.
const MOST_DEPTH: usize = 128;

/// Reads one JSON text. Refused, with a few words why: what RFC 8259 does not have (`NaN`, comments, trailing commas), an object with the same
/// key twice (readers disagree about which one counts), more than 128 levels.
pub fn json(text: &str) -> Result<Got, String> {
    read(text, false)
}

/// Reads a list, tuple, set, dict, text, number or `True`, `False`, `None` as Python prints it (`repr`).
pub fn printed(text: &str) -> Result<Got, String> {
    read(text, true)
}

/// Reads one JSON value a line; `None` where a line is not one.
pub fn lines(text: &str) -> Option<Vec<Got>> {
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| json(line).ok()).collect()
}

fn read(text: &str, python: bool) -> Result<Got, String> {
    let mut reader = Reader { text, at: 0, python };
    let value = reader.value(0)?;
    reader.blanks();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.wrong("something follows the JSON")),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Not JSON, but what Python prints.
    python: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn wrong(&self, what: &str) -> String {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{what} (line {line}, column {column})")
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn value(&mut self, depth: usize) -> Result<Got, String> {
        if depth > MOST_DEPTH {
            return Err(self.wrong("nested more than 128 deep"));
        }
        self.blanks();
        match self.peek() {
            None => Err(self.wrong("it ends where a value is expected")),
            Some(b'{') if self.python && depth == 0 && self.is_set() => self.array(depth, b'}'),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth, b']'),
            Some(b'(') if self.python => self.array(depth, b')'),
            Some(quote) if self.is_quote(quote) => Ok(Got::Text(self.string(quote)?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => {
                let words = if self.python { ["True", "False", "None"] } else { ["true", "false", "null"] };
                for (word, value) in words.into_iter().zip([Got::Bool(true), Got::Bool(false), Got::Null]) {
                    if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                Err(self.wrong("no JSON value"))
            }
        }
    }

    /// Whether the brace opens a set, `{1, 2}`, and not a dict: its first value is not followed by a colon. A set
    /// cannot contain a set.
    fn is_set(&self) -> bool {
        let mut first = Reader { text: self.text, at: self.at + 1, python: true };
        first.value(1).is_ok() && {
            first.blanks();
            matches!(first.peek(), Some(b',' | b'}'))
        }
    }

    fn is_quote(&self, byte: u8) -> bool {
        byte == b'"' || self.python && byte == b'\''
    }

    fn array(&mut self, depth: usize, end: u8) -> Result<Got, String> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.take(end) {
            return Ok(Got::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.take(end) {
                return Ok(Got::Array(items));
            }
            if !self.take(b',') {
                return Err(self.wrong("expected `,` or `]`"));
            }
            self.blanks();
            // A tuple of one: `(3,)`.
            if self.python && items.len() == 1 && end == b')' && self.take(end) {
                return Ok(Got::Array(items));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Got, String> {
        self.at += 1;
        let mut fields: Vec<(String, Got)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        self.blanks();
        if self.take(b'}') {
            return Ok(Got::Object(fields));
        }
        loop {
            self.blanks();
            let Some(quote) = self.peek().filter(|byte| self.is_quote(*byte)) else {
                return Err(self.wrong("expected a key in quotes"));
            };
            let name = self.string(quote)?;
            if !seen.insert(name.clone()) {
                return Err(self.wrong(&format!("the key `{name}` appears twice")));
            }
            self.blanks();
            if !self.take(b':') {
                return Err(self.wrong("expected `:`"));
            }
            fields.push((name, self.value(depth + 1)?));
            self.blanks();
            if self.take(b'}') {
                return Ok(Got::Object(fields));
            }
            if !self.take(b',') {
                return Err(self.wrong("expected `,` or `}`"));
            }
        }
    }

    fn digits(&mut self) -> &str {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.text.get(from..self.at).unwrap_or_default()
    }

    fn number(&mut self) -> Result<Got, String> {
        let start = self.at;
        let negative = self.take(b'-');
        let whole = self.digits().to_owned();
        if whole.is_empty() || whole.len() > 1 && whole.starts_with('0') {
            return Err(self.wrong("no number of JSON"));
        }
        let mut fraction = String::new();
        if self.take(b'.') {
            self.digits().clone_into(&mut fraction);
            if fraction.is_empty() {
                return Err(self.wrong("a digit should follow the point"));
            }
        }
        let mut exponent = 0;
        if self.take(b'e') || self.take(b'E') {
            let from = self.at;
            let _ = self.take(b'-') || self.take(b'+');
            self.digits();
            let written = self.text.get(from..self.at).and_then(plan::numeral::exponent);
            exponent = written.ok_or_else(|| self.wrong("a digit should follow the `e`"))?;
        }
        let shown = self.text.get(start..self.at).unwrap_or_default().to_owned();
        let exact = Exact::from_parts(negative, &whole, &fraction, exponent);
        Ok(Got::Number(Number { exact, source: Source::Written, shown }))
    }

    fn string(&mut self, quote: u8) -> Result<String, String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let from = self.at;
            while self.peek().is_some_and(|byte| byte != quote && byte != b'\\' && byte >= b' ') {
                self.at += 1;
            }
            // All three are ASCII, so both ends are character boundaries.
            out.push_str(self.text.get(from..self.at).unwrap_or_default());
            match self.peek() {
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                Some(_) => return Err(self.wrong("a control character in a string is written with `\\`")),
                None => return Err(self.wrong("a string is not closed")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let byte = self.peek();
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
            Some(b'x') if self.python => self.code(2)?,
            Some(b'u') if self.python => self.code(4)?,
            Some(b'U') if self.python => self.code(8)?,
            Some(b'u') => {
                let unit = self.hex(4)?;
                let code = if (0xD800..0xDC00).contains(&unit) {
                    if !(self.take(b'\\') && self.take(b'u')) {
                        return Err(self.wrong("half a surrogate pair"));
                    }
                    let low = self.hex(4)?;
                    if !(0xDC00..0xE000).contains(&low) {
                        return Err(self.wrong("half a surrogate pair"));
                    }
                    0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
                } else {
                    unit
                };
                char::from_u32(code).ok_or_else(|| self.wrong("half a surrogate pair"))?
            }
            _ => {
                self.at -= 1;
                return Err(self.wrong("no escape of JSON"));
            }
        })
    }

    /// The character whose number follows, written with `digits` hexadecimal digits.
    fn code(&mut self, digits: usize) -> Result<char, String> {
        let code = self.hex(digits)?;
        char::from_u32(code).ok_or_else(|| self.wrong("no character has this number"))
    }

    fn hex(&mut self, count: usize) -> Result<u32, String> {
        let digits =
            self.text.get(self.at..self.at + count).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.wrong("four hexadecimal digits should follow `\\u`"))?;
        self.at += count;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_kept_and_keys_stand_once() {
        let exact = |text| match json(text) {
            Ok(Got::Number(number)) => number.exact,
            other => panic!("{other:?}"),
        };
        assert_eq!(exact("1.0"), exact("1"));
        assert_eq!(exact("1e2"), exact("100"));
        assert_ne!(exact("9007199254740993"), exact("9007199254740992"));
        assert_ne!(exact("0.1"), exact("0.1000000000000000000000000001"));
        assert_eq!(json(r#"{"a": 1, "a": 1}"#), Err("the key `a` appears twice (line 1, column 13)".to_owned()));
        assert_eq!(json("[1,\n 2,]"), Err("no JSON value (line 2, column 4)".to_owned()));
        assert_eq!(json(r#""\ud83d\ude00\u00e9""#), Ok(Got::Text("😀é".to_owned())));
        assert!(json(&"[".repeat(100_000)).is_err());
    }
}
