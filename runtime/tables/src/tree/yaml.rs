//! YAML 1.2 in its core schema, read from the parser's events, which also contain quoting and lines.

use std::collections::{HashMap, HashSet};

use model::Value;
use model::pointer::escape_step;
use serde_saphyr::budget::{Budget, EnforcingPolicy, check_yaml_budget};
use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

use super::marks::{Marks, Tree};
use super::plain_text::decode_plain_text;
use super::yaml_scalar::{Plain, parse_plain_scalar};
use crate::Unreadable;
use crate::limits::MAX_NODES;
use crate::show::{quote_cell, truncate_cell};

/// Maximum nesting depth, with aliases expanded.
const MAX_DEPTH: usize = 128;
/// Maximum number of values that anchors and aliases may add.
const MAX_COPIES: usize = 1_000_000;

/// Reads the only document of a stream.
///
/// ```
/// use model::Value;
/// use tables::tree::yaml::read_yaml;
///
/// let tree = read_yaml(b"base: &b {port: 80}\nweb:\n  <<: *b\n  host: ulm\n").expect("YAML");
/// // Aliases and merges are resolved.
/// let Value::Object(fields) = &tree.value else { panic!("an object") };
/// let web = Value::Object(vec![
///     ("port".to_owned(), Value::Int(80)),
///     ("host".to_owned(), Value::from_text("ulm")),
/// ]);
/// assert!(fields[1].1.is_same(&web), "{:?}", fields[1].1);
/// // A text to some parsers and `false` to others is marked as a problem.
/// assert!(tree.marks.is_empty() && !read_yaml(b"country: no\n").expect("YAML").marks.is_empty());
/// assert!(read_yaml(b"a: [1").is_err() && read_yaml(b"a: 1\n---\nb: 2\n").is_err());
/// ```
pub fn read_yaml(bytes: &[u8]) -> Result<Tree, Unreadable> {
    let text = decode_plain_text(bytes)?;
    check_budget(text)?;
    let mut reader = Reader {
        events: Parser::new_from_str(text),
        anchors: HashMap::new(),
        copies: 0,
        path: Vec::new(),
        marks: Marks::default(),
    };
    let value = reader.read_document()?;
    Ok(Tree { value, marks: reader.marks })
}

fn report_syntax_error(error: &ScanError) -> Unreadable {
    if error.kind().to_string().contains("recursion limit") {
        let message = format!("line {} is nested too deep", error.marker().line());
        return Unreadable::new(message, format!("nest less: {MAX_DEPTH} levels are read"));
    }
    let message = format!("line {} is not YAML: {}", error.marker().line(), error.kind());
    Unreadable::new(message, "check its indentation, its quotes and its colons")
}

/// Limits depth and size before anything is built.
fn check_budget(text: &str) -> Result<(), Unreadable> {
    let mut budget = Budget::default();
    budget.max_depth = MAX_DEPTH;
    budget.max_nodes = MAX_NODES;
    budget.max_events = MAX_NODES * 4;
    // Copies are counted one by one below.
    budget.enforce_alias_anchor_ratio = false;
    let report =
        check_yaml_budget(text, budget, EnforcingPolicy::AllContent).map_err(|error| report_syntax_error(&error))?;
    match report.breached {
        None => Ok(()),
        Some(breach) => Err(Unreadable::new(
            format!("the YAML goes beyond what is read: {breach:?}"),
            format!("it may have {MAX_DEPTH} levels and {} values", model::value::group_digits(MAX_NODES as u64)),
        )),
    }
}

/// An anchored value, for its aliases.
struct Anchored {
    value: Value,
    depth: usize,
    size: usize,
}

struct Reader<'t> {
    events: Parser<'t, StrInput<'t>>,
    anchors: HashMap<usize, Anchored>,
    copies: usize,
    /// Keys and indexes on the path to the current value, for messages.
    path: Vec<String>,
    marks: Marks,
}

impl<'t> Reader<'t> {
    /// Reads the only document.
    fn read_document(&mut self) -> Result<Value, Unreadable> {
        let mut document = None;
        while let Some((event, span)) = self.next()? {
            match event {
                Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
                Event::DocumentStart(..) if document.is_some() => {
                    let message = format!("a second document starts in line {}", span.start.line());
                    let help = "keep one document per file: remove the `---` and what follows";
                    return Err(Unreadable::new(message, help));
                }
                Event::DocumentStart(..) => document = Some(Value::Null),
                event => document = Some(self.read_node(event, span, 0)?),
            }
        }
        Ok(document.unwrap_or(Value::Null))
    }

    /// Returns the next event that is not a comment or an anchor.
    fn next(&mut self) -> Result<Option<(Event<'t>, Span)>, Unreadable> {
        loop {
            match self.events.next_event() {
                None => return Ok(None),
                Some(Ok((Event::Comment(..) | Event::Anchor(..), _))) => {}
                Some(Ok(next)) => return Ok(Some(next)),
                Some(Err(error)) => return Err(report_syntax_error(&error)),
            }
        }
    }

    /// Reads the value that starts with this event.
    fn read_node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Value, Unreadable> {
        let line = span.start.line();
        if depth > MAX_DEPTH {
            return Err(self.report_excess(line));
        }
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = match self.read_scalar(&text, style, tag.as_deref(), line) {
                    Ok(value) => value,
                    Err(problem) => self.marks.mark_problem(problem)?,
                };
                (value, anchor)
            }
            Event::SequenceStart(_, anchor, tag) => {
                let odd = self.check_collection_tag(tag.as_deref(), "seq", line).err();
                let value = self.read_sequence(depth)?;
                (self.mark_if_odd(odd, value)?, anchor)
            }
            Event::MappingStart(_, anchor, tag) => {
                let odd = self.check_collection_tag(tag.as_deref(), "map", line).err();
                let value = self.read_mapping(depth)?;
                (self.mark_if_odd(odd, value)?, anchor)
            }
            Event::Alias(anchor) => return self.resolve_alias(anchor, line, depth),
            other => {
                let message = format!("line {line} has {other:?} where a value should be");
                return Err(Unreadable::new(message, "check its indentation"));
            }
        };
        if anchor != 0 {
            let (deep, size) = measure_value(&value);
            self.count_copies(size, line)?;
            self.anchors.insert(anchor, Anchored { value: value.clone(), depth: deep, size });
        }
        Ok(value)
    }

    /// Returns the value, or a mark if it has a problem.
    fn mark_if_odd(&mut self, odd: Option<Unreadable>, value: Value) -> Result<Value, Unreadable> {
        odd.map_or(Ok(value), |problem| self.marks.mark_problem(problem))
    }

    fn resolve_alias(&mut self, anchor: usize, line: usize, depth: usize) -> Result<Value, Unreadable> {
        let Some(anchored) = self.anchors.get(&anchor) else {
            let message = format!("line {line}: the alias is inside of what it names");
            return Err(Unreadable::new(message, "write the value out: it would have no end"));
        };
        let size = anchored.size;
        if depth + anchored.depth > MAX_DEPTH {
            return Err(self.report_excess(line));
        }
        let value = anchored.value.clone();
        self.count_copies(size, line)?;
        Ok(value)
    }

    fn count_copies(&mut self, size: usize, line: usize) -> Result<(), Unreadable> {
        self.copies += size;
        if self.copies > MAX_COPIES { Err(self.report_excess(line)) } else { Ok(()) }
    }

    fn report_excess(&self, line: usize) -> Unreadable {
        Unreadable::new(
            format!("line {line}: aliases make the YAML too large or too deep"),
            format!(
                "they may add {} values, and nest {MAX_DEPTH} levels",
                model::value::group_digits(MAX_COPIES as u64)
            ),
        )
    }

    fn read_sequence(&mut self, depth: usize) -> Result<Value, Unreadable> {
        let mut items = Vec::new();
        while let Some((event, span)) = self.next()? {
            if event == Event::SequenceEnd {
                break;
            }
            self.path.push(items.len().to_string());
            items.push(self.read_node(event, span, depth + 1)?);
            self.path.pop();
        }
        Ok(Value::List(items))
    }

    fn read_mapping(&mut self, depth: usize) -> Result<Value, Unreadable> {
        let mut fields: Vec<(String, Value)> = Vec::new();
        let mut merged: Vec<(String, Value)> = Vec::new();
        let mut seen = HashSet::new();
        while let Some((event, span)) = self.next()? {
            if event == Event::MappingEnd {
                break;
            }
            let line = span.start.line();
            let merges = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<");
            let (key, odd) = self.read_key(event, span)?;
            let twice = !seen.insert(key.clone());
            self.path.push(key.clone());
            let Some((event, span)) = self.next()? else { break };
            let mut value = self.read_node(event, span, depth + 1)?;
            self.path.pop();
            let twice = twice.then(|| {
                let message =
                    format!("line {line}: the key {} appears twice in {}", quote_cell(&key), self.render_pointer());
                Unreadable::new(message, "keep one of them: readers disagree on which one counts")
            });
            if merges {
                match twice {
                    Some(problem) => return Err(problem),
                    None => self.merge_mapping(value, &mut merged, line)?,
                }
                continue;
            }
            let first = twice.is_some();
            for problem in odd.into_iter().chain(twice) {
                value = self.marks.mark_problem(problem)?;
            }
            match fields.iter_mut().find(|(known, _)| first && *known == key) {
                Some((_, known)) => *known = value,
                None => fields.push((key, value)),
            }
        }
        // Keys of the mapping itself override merged ones; among these, the first wins.
        seen.remove("<<");
        let mut all: Vec<(String, Value)> = merged.into_iter().filter(|(key, _)| seen.insert(key.clone())).collect();
        all.extend(fields);
        Ok(Value::Object(all))
    }

    /// Reads a key, and its problem if it has one.
    fn read_key(&mut self, event: Event<'t>, span: Span) -> Result<(String, Option<Unreadable>), Unreadable> {
        let line = span.start.line();
        let Event::Scalar(text, style, 0, tag) = &event else {
            return match self.read_node(event, span, 0)? {
                Value::Text(text) => Ok((text, None)),
                other => Err(self.report_key(&other, line)),
            };
        };
        let plainly = *style == ScalarStyle::Plain && tag.is_none();
        let odd = match self.read_scalar(text, *style, tag.as_deref(), line) {
            // PyYAML converts it to a date, which is not a text.
            Ok(Value::Text(text)) if plainly && model::Date::parse_iso(&text).is_some() => {
                Some(self.report_disputed(&text, "a day", line))
            }
            Ok(Value::Text(text)) => return Ok((text, None)),
            Ok(other) => Some(self.report_key(&other, line)),
            Err(problem) => Some(problem),
        };
        Ok((text.to_string(), odd))
    }

    fn report_key(&self, is: &Value, line: usize) -> Unreadable {
        let message = format!("line {line}: a key in {} is {}, not a text", self.render_pointer(), describe_kind(is));
        Unreadable::new(message, "put the key in double quotes")
    }

    fn merge_mapping(&self, value: Value, into: &mut Vec<(String, Value)>, line: usize) -> Result<(), Unreadable> {
        let sources = match value {
            Value::List(items) => items,
            one => vec![one],
        };
        for source in sources {
            let Value::Object(fields) = source else {
                let message = format!("line {line}: `<<` merges {}, not a mapping", describe_kind(&source));
                return Err(Unreadable::new(message, "give it a mapping, or put the key in quotes"));
            };
            into.extend(fields);
        }
        Ok(())
    }

    fn read_scalar(&self, text: &str, style: ScalarStyle, tag: Option<&Tag>, line: usize) -> Result<Value, Unreadable> {
        let tag = match tag {
            None if style != ScalarStyle::Plain => return Ok(Value::from_text(text)),
            None => None,
            Some(tag)
                if tag.handle().is_empty() && tag.suffix() == "!" || tag.handle() == "!" && tag.suffix().is_empty() =>
            {
                return Ok(Value::from_text(text));
            }
            Some(tag) => match tag.core_suffix() {
                Some("str") => return Ok(Value::from_text(text)),
                Some(name @ ("int" | "float" | "bool" | "null")) => Some(name),
                _ => return Err(self.report_unknown_tag(tag, line)),
            },
        };
        let value = match parse_plain_scalar(text) {
            Plain::Is(value) => value,
            Plain::Disputed(other) => return Err(self.report_disputed(text, other, line)),
            Plain::Unfit => {
                let message = format!(
                    "line {line}, {}: {} is not a number of 64 bits",
                    self.render_pointer(),
                    truncate_cell(text)
                );
                return Err(Unreadable::new(message, "put it in double quotes"));
            }
        };
        match (tag, value) {
            (None, value) => Ok(value),
            (Some("float"), number @ (Value::Int(_) | Value::Decimal(_))) => {
                Ok(number.as_f64().map_or(number, Value::Float))
            }
            (Some(tag), value) if value.kind() == tag => Ok(value),
            (Some(tag), _) => {
                let message =
                    format!("line {line}, {}: {} is not of the type {tag}", self.render_pointer(), quote_cell(text));
                Err(Unreadable::new(message, "remove the tag, or correct the value"))
            }
        }
    }

    fn check_collection_tag(&self, tag: Option<&Tag>, wanted: &str, line: usize) -> Result<(), Unreadable> {
        match tag {
            Some(tag) if !tag.is_yaml_core_schema_tag(wanted) => Err(self.report_unknown_tag(tag, line)),
            _ => Ok(()),
        }
    }

    fn report_unknown_tag(&self, tag: &Tag, line: usize) -> Unreadable {
        let message =
            format!("line {line}, {}: the tag `{}{}` is not read", self.render_pointer(), tag.handle(), tag.suffix());
        Unreadable::new(message, "remove it: of tags, only `!!str`, `!!int`, `!!float`, `!!bool` and `!!null` are")
    }

    fn report_disputed(&self, text: &str, other: &str, line: usize) -> Unreadable {
        let message = format!(
            "line {line}, {}: readers of YAML disagree on `{}`: some take it for {other}",
            self.render_pointer(),
            truncate_cell(text)
        );
        let help = match other {
            "true" | "false" => format!("write \"{text}\" with quotes for the text, or {other}"),
            "a day" | "an error" => format!("write \"{text}\" with quotes"),
            _ => format!("write \"{text}\" with quotes for the text, or a number in plain digits"),
        };
        Unreadable::new(message, help)
    }

    /// Renders the position of the current value as a JSON pointer (RFC 6901), or `the top`.
    fn render_pointer(&self) -> String {
        if self.path.is_empty() {
            return "the top".to_owned();
        }
        self.path.iter().map(|key| format!("/{}", escape_step(key))).collect()
    }
}

fn describe_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::List(_) => "a list",
        Value::Object(_) => "a mapping",
        Value::Bool(_) => "a bool",
        Value::Text(_) => "a text",
        _ => "a number",
    }
}

/// Returns the nesting depth of a value, and the number of values in it.
fn measure_value(value: &Value) -> (usize, usize) {
    let below = |values: &mut dyn Iterator<Item = &Value>| {
        values.map(measure_value).fold((0, 1), |(depth, size), (deep, more)| (depth.max(deep + 1), size + more))
    };
    match value {
        Value::List(items) => below(&mut items.iter()),
        Value::Object(fields) => below(&mut fields.iter().map(|(_, value)| value)),
        _ => (0, 1),
    }
}
