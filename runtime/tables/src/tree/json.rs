//! JSON (RFC 8259). serde_json decides whether a text is JSON; then a walk over it reads the values, because serde_json loses duplicate keys,
//! integers of more than 64 bits, and the last bit of some numbers.

use std::borrow::Cow;
use std::collections::HashSet;

use model::Value;
use model::pointer::escape_step;
use serde::de::IgnoredAny;

use super::marks::{Marks, Tree};
use super::number;
use super::plain_text::decode_plain_text;
use crate::Unreadable;
use crate::limits::MAX_NODES;
use crate::show::truncate_cell;

/// Maximum nesting depth, which bounds the recursion of the walk.
const MAX_DEPTH: usize = 127;

/// Number of keys below which they are compared one by one.
const FEW: usize = 16;

/// Reads a JSON document.
///
/// ```
/// use model::Value;
/// use tables::tree::json::read_json;
///
/// let tree = read_json(br#"{"n": 1.50, "list": [null, true]}"#).expect("JSON");
/// let Value::Object(fields) = &tree.value else { panic!("an object") };
/// // A number keeps the places in which it is written.
/// assert_eq!((fields[0].0.as_str(), fields[0].1.render_text().as_ref()), ("n", "1.50"));
/// assert_eq!(fields[1].1, Value::List(vec![Value::Null, Value::Bool(true)]));
/// assert!(tree.marks.is_empty());
/// assert!(read_json(b"{'n': 1}").is_err() && read_json(b"[1,]").is_err());
/// ```
pub fn read_json(bytes: &[u8]) -> Result<Tree, Unreadable> {
    let text = decode_plain_text(bytes)?;
    read_document(text, |error| format!("the file is not JSON: {error}"))
}

/// Reads the JSON document on one line of a file.
///
/// ```
/// use tables::tree::json::read_line;
///
/// assert!(read_line(r#"{"n": 1}"#).is_ok());
/// let odd = read_line(r#"{"n": NaN}"#).expect_err("not JSON");
/// assert_eq!(odd.message, "expected value at column 7");
/// ```
///
/// # Errors
/// It is malformed, or exceeds a limit.
pub fn read_line(line: &str) -> Result<Tree, Unreadable> {
    read_document(line, |error| error.to_string().replace(" at line 1 column ", " at column "))
}

fn read_document(text: &str, describe: impl FnOnce(&serde_json::Error) -> String) -> Result<Tree, Unreadable> {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        // A parser that keeps values has better messages: `trailing comma`.
        let error = serde_json::from_str::<serde_json::Value>(text).err().unwrap_or(error);
        return Err(Unreadable::new(describe(&error), choose_help(text)));
    }
    let mut walk = Walk { text, at: 0, path: Vec::new(), nodes: 0, marks: Marks::default() };
    let value = walk.parse_value()?;
    Ok(Tree { value, marks: walk.marks })
}

fn choose_help(text: &str) -> &'static str {
    if text.trim().is_empty() {
        "an empty file is not JSON: write `{}` or `[]`"
    } else {
        "JSON has no comments, no trailing commas, no single quotes, no NaN"
    }
}

/// A walk over a valid JSON text.
struct Walk<'t> {
    text: &'t str,
    at: usize,
    /// Keys and indexes on the path to the current value, for messages.
    path: Vec<Step<'t>>,
    nodes: usize,
    marks: Marks,
}

/// A step of the path.
enum Step<'t> {
    Key(Cow<'t, str>),
    Index(usize),
}

impl<'t> Walk<'t> {
    fn parse_value(&mut self) -> Result<Value, Unreadable> {
        self.skip_blanks();
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let most = model::value::group_digits(MAX_NODES as u64);
            return Err(Unreadable::new(
                format!("the file has more than {most} values"),
                format!("{most} are read: cut it down, or copy it as a `file` of any kind"),
            ));
        }
        if self.path.len() >= MAX_DEPTH && matches!(self.peek_byte(), Some(b'{' | b'[')) {
            let message = format!("the file is nested more than {MAX_DEPTH} levels deep (after byte {})", self.at);
            return Err(Unreadable::new(message, format!("nest less: {MAX_DEPTH} levels are read")));
        }
        match self.peek_byte() {
            Some(b'{') => self.parse_object(),
            Some(b'[') => self.parse_array(),
            Some(b'"') => match self.parse_string()? {
                Some(text) => Ok(Value::Text(text.into_owned())),
                None => {
                    let message = format!("the text at {} has half of a surrogate pair in it", self.render_pointer());
                    self.marks.mark_problem(Unreadable::new(
                        message,
                        "write the whole character: readers disagree on half of one",
                    ))
                }
            },
            _ => self.parse_word(),
        }
    }

    fn parse_object(&mut self) -> Result<Value, Unreadable> {
        let mut fields: Vec<(String, Value)> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        self.at += 1;
        while self.move_to_next(b'}')? {
            let Some(key) = self.parse_string()? else {
                let message =
                    format!("a key in the object at {} has half of a surrogate pair in it", self.render_pointer());
                return Err(Unreadable::new(message, "write the whole character: readers disagree on half of one"));
            };
            let twice = if fields.len() < FEW {
                fields.iter().any(|(known, _)| *known == *key)
            } else {
                if seen.is_empty() {
                    seen.extend(fields.iter().map(|(known, _)| known.clone()));
                }
                !seen.insert(key.to_string())
            };
            self.skip_blanks();
            self.at += 1; // the colon
            self.path.push(Step::Key(key.clone()));
            let mut value = self.parse_value()?;
            self.path.pop();
            if twice {
                let message = format!("the key {key:?} appears twice in the object at {}", self.render_pointer());
                value = self
                    .marks
                    .mark_problem(Unreadable::new(message, "keep one of them: readers disagree on which one counts"))?;
                if let Some((_, first)) = fields.iter_mut().find(|(known, _)| *known == key) {
                    *first = value;
                }
                continue;
            }
            fields.push((key.into_owned(), value));
        }
        Ok(Value::Object(fields))
    }

    fn parse_array(&mut self) -> Result<Value, Unreadable> {
        let mut items = Vec::new();
        self.at += 1;
        while self.move_to_next(b']')? {
            self.path.push(Step::Index(items.len()));
            let item = self.parse_value()?;
            self.path.pop();
            items.push(item);
        }
        Ok(Value::List(items))
    }

    /// Moves to the next item and returns true, or past the end and returns false.
    fn move_to_next(&mut self, end: u8) -> Result<bool, Unreadable> {
        self.skip_blanks();
        if self.peek_byte() == Some(b',') {
            self.at += 1;
            self.skip_blanks();
        }
        match self.peek_byte() {
            None => Err(self.report_lost()),
            Some(byte) if byte == end => {
                self.at += 1;
                Ok(false)
            }
            Some(_) => Ok(true),
        }
    }

    /// Parses a string; `None` if it contains half of a surrogate pair.
    fn parse_string(&mut self) -> Result<Option<Cow<'t, str>>, Unreadable> {
        let start = self.at + 1;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let mut at = start;
        let mut escaped = false;
        loop {
            match self.text.as_bytes().get(at) {
                None => return Err(self.report_lost()),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at += 2;
                }
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        let inside = rest.get(..at - start).and_then(|inside| std::str::from_utf8(inside).ok());
        if !escaped {
            return inside.map(|text| Some(Cow::Borrowed(text))).ok_or_else(|| self.report_lost());
        }
        let token = self.text.get(start - 1..self.at).unwrap_or_default();
        Ok(serde_json::from_str::<String>(token).ok().map(Cow::Owned))
    }

    /// Parses `null`, `true`, `false`, or a number.
    fn parse_word(&mut self) -> Result<Value, Unreadable> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.bytes().position(|c| !(c.is_ascii_alphanumeric() || matches!(c, b'+' | b'-' | b'.')));
        let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += word.len();
        match word {
            "null" => return Ok(Value::Null),
            "true" => return Ok(Value::Bool(true)),
            "false" => return Ok(Value::Bool(false)),
            "" => return Err(self.report_lost()),
            _ => {}
        }
        let whole = !word.contains(['.', 'e', 'E']);
        let read = if whole { word.parse().ok().map(Value::Int) } else { number::parse_fractional(word) };
        match read {
            Some(value) => Ok(value),
            None => {
                let message =
                    format!("the number {} at {} does not fit 64 bits", truncate_cell(word), self.render_pointer());
                self.marks.mark_problem(Unreadable::new(message, "write it as a text: most readers would round it"))
            }
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

    /// Renders the position of the current value as a JSON pointer (RFC 6901), or `the top`.
    fn render_pointer(&self) -> String {
        if self.path.is_empty() {
            return "the top".to_owned();
        }
        let step = |step: &Step<'_>| match step {
            Step::Key(key) => format!("/{}", escape_step(key)),
            Step::Index(at) => format!("/{at}"),
        };
        self.path.iter().map(step).collect()
    }

    /// Builds the error for a text that serde_json accepts but the walk cannot read, which should be impossible.
    fn report_lost(&self) -> Unreadable {
        Unreadable::new(format!("the file cannot be read after byte {}", self.at), "check it with a JSON reader")
    }
}
