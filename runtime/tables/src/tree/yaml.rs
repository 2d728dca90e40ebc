//! YAML 1.2 in its core schema, read from the parser's events: only they show what was quoted, and on which line it is.

use std::collections::{HashMap, HashSet};

use model::Value;
use model::pointer::escaped;
use serde_saphyr::budget::{Budget, EnforcingPolicy, check_yaml_budget};
use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

use super::yaml_scalar::{Plain, plain};
use super::{Marks, Tree, utf8};
use crate::Unreadable;
use crate::limits::MAX_NODES;
use crate::show::{cut, quoted};

/// The deepest nesting, aliases written out.
const MAX_DEPTH: usize = 128;
/// The most values that anchors and aliases may add to them.
const MAX_COPIES: usize = 1_000_000;

/// Reads the only document of a stream.
pub fn read(bytes: &[u8]) -> Result<Tree, Unreadable> {
    let text = utf8(bytes)?;
    check_budget(text)?;
    let mut reader = Reader {
        events: Parser::new_from_str(text),
        anchors: HashMap::new(),
        copies: 0,
        path: Vec::new(),
        marks: Marks::default(),
    };
    let value = reader.document()?;
    Ok(Tree { value, marks: reader.marks })
}

fn not_yaml(error: &ScanError) -> Unreadable {
    if error.kind().to_string().contains("recursion limit") {
        let message = format!("line {} is nested too deep", error.marker().line());
        return Unreadable::new(message, format!("nest less: {MAX_DEPTH} levels are read"));
    }
    let message = format!("line {} is not YAML: {}", error.marker().line(), error.kind());
    Unreadable::new(message, "check its indentation, its quotes and its colons")
}

/// Bounds depth and size before anything is built.
fn check_budget(text: &str) -> Result<(), Unreadable> {
    let mut budget = Budget::default();
    budget.max_depth = MAX_DEPTH;
    budget.max_nodes = MAX_NODES;
    budget.max_events = MAX_NODES * 4;
    // Copies are counted one by one below.
    budget.enforce_alias_anchor_ratio = false;
    let report = check_yaml_budget(text, budget, EnforcingPolicy::AllContent).map_err(|error| not_yaml(&error))?;
    match report.breached {
        None => Ok(()),
        Some(breach) => Err(Unreadable::new(
            format!("the YAML goes beyond what is read: {breach:?}"),
            format!("it may have {MAX_DEPTH} levels and {} values", model::value::grouped(MAX_NODES as u64)),
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
    /// Keys and positions on the way down, for messages.
    path: Vec<String>,
    marks: Marks,
}

impl<'t> Reader<'t> {
    /// The only document.
    fn document(&mut self) -> Result<Value, Unreadable> {
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
                event => document = Some(self.node(event, span, 0)?),
            }
        }
        Ok(document.unwrap_or(Value::Null))
    }

    /// The next event that is not a comment or an anchor.
    fn next(&mut self) -> Result<Option<(Event<'t>, Span)>, Unreadable> {
        loop {
            match self.events.next_event() {
                None => return Ok(None),
                Some(Ok((Event::Comment(..) | Event::Anchor(..), _))) => {}
                Some(Ok(next)) => return Ok(Some(next)),
                Some(Err(error)) => return Err(not_yaml(&error)),
            }
        }
    }

    /// The value that starts with this event.
    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Value, Unreadable> {
        let line = span.start.line();
        if depth > MAX_DEPTH {
            return Err(self.too_much(line));
        }
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = match self.scalar(&text, style, tag.as_deref(), line) {
                    Ok(value) => value,
                    Err(problem) => self.marks.mark(problem)?,
                };
                (value, anchor)
            }
            Event::SequenceStart(_, anchor, tag) => {
                let odd = self.collection_tag(tag.as_deref(), "seq", line).err();
                let value = self.sequence(depth)?;
                (self.unless(odd, value)?, anchor)
            }
            Event::MappingStart(_, anchor, tag) => {
                let odd = self.collection_tag(tag.as_deref(), "map", line).err();
                let value = self.mapping(depth)?;
                (self.unless(odd, value)?, anchor)
            }
            Event::Alias(anchor) => return self.alias(anchor, line, depth),
            other => {
                let message = format!("line {line} has {other:?} where a value should be");
                return Err(Unreadable::new(message, "check its indentation"));
            }
        };
        if anchor != 0 {
            let (deep, size) = measure(&value);
            self.count_copies(size, line)?;
            self.anchors.insert(anchor, Anchored { value: value.clone(), depth: deep, size });
        }
        Ok(value)
    }

    /// The value, unless something is odd about it.
    fn unless(&mut self, odd: Option<Unreadable>, value: Value) -> Result<Value, Unreadable> {
        odd.map_or(Ok(value), |problem| self.marks.mark(problem))
    }

    fn alias(&mut self, anchor: usize, line: usize, depth: usize) -> Result<Value, Unreadable> {
        let Some(anchored) = self.anchors.get(&anchor) else {
            let message = format!("line {line}: the alias is inside of what it names");
            return Err(Unreadable::new(message, "write the value out: it would have no end"));
        };
        let size = anchored.size;
        if depth + anchored.depth > MAX_DEPTH {
            return Err(self.too_much(line));
        }
        let value = anchored.value.clone();
        self.count_copies(size, line)?;
        Ok(value)
    }

    fn count_copies(&mut self, size: usize, line: usize) -> Result<(), Unreadable> {
        self.copies += size;
        if self.copies > MAX_COPIES { Err(self.too_much(line)) } else { Ok(()) }
    }

    fn too_much(&self, line: usize) -> Unreadable {
        Unreadable::new(
            format!("line {line}: aliases make the YAML too large or too deep"),
            format!("they may add {} values, and nest {MAX_DEPTH} levels", model::value::grouped(MAX_COPIES as u64)),
        )
    }

    fn sequence(&mut self, depth: usize) -> Result<Value, Unreadable> {
        let mut items = Vec::new();
        while let Some((event, span)) = self.next()? {
            if event == Event::SequenceEnd {
                break;
            }
            self.path.push(items.len().to_string());
            items.push(self.node(event, span, depth + 1)?);
            self.path.pop();
        }
        Ok(Value::List(items))
    }

    fn mapping(&mut self, depth: usize) -> Result<Value, Unreadable> {
        let mut fields: Vec<(String, Value)> = Vec::new();
        let mut merged: Vec<(String, Value)> = Vec::new();
        let mut seen = HashSet::new();
        while let Some((event, span)) = self.next()? {
            if event == Event::MappingEnd {
                break;
            }
            let line = span.start.line();
            let merges = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<");
            let (key, odd) = self.key(event, span)?;
            let twice = !seen.insert(key.clone());
            self.path.push(key.clone());
            let Some((event, span)) = self.next()? else { break };
            let mut value = self.node(event, span, depth + 1)?;
            self.path.pop();
            let twice = twice.then(|| {
                let message = format!("line {line}: the key {} appears twice in {}", quoted(&key), self.pointer());
                Unreadable::new(message, "keep one of them: readers disagree on which one counts")
            });
            if merges {
                match twice {
                    Some(problem) => return Err(problem),
                    None => self.merge(value, &mut merged, line)?,
                }
                continue;
            }
            let first = twice.is_some();
            for problem in odd.into_iter().chain(twice) {
                value = self.marks.mark(problem)?;
            }
            match fields.iter_mut().find(|(known, _)| first && *known == key) {
                Some((_, known)) => *known = value,
                None => fields.push((key, value)),
            }
        }
        // What is in the mapping itself goes before what is merged in; of that, the first.
        seen.remove("<<");
        let mut all: Vec<(String, Value)> = merged.into_iter().filter(|(key, _)| seen.insert(key.clone())).collect();
        all.extend(fields);
        Ok(Value::Object(all))
    }

    /// A key; with what is odd about it, if something is.
    fn key(&mut self, event: Event<'t>, span: Span) -> Result<(String, Option<Unreadable>), Unreadable> {
        let line = span.start.line();
        let Event::Scalar(text, style, 0, tag) = &event else {
            return match self.node(event, span, 0)? {
                Value::Text(text) => Ok((text, None)),
                other => Err(self.key_is(&other, line)),
            };
        };
        let plainly = *style == ScalarStyle::Plain && tag.is_none();
        let odd = match self.scalar(text, *style, tag.as_deref(), line) {
            // PyYAML makes a date of it, which is not a text.
            Ok(Value::Text(text)) if plainly && model::Date::parse(&text).is_some() => {
                Some(self.disputed(&text, "a day", line))
            }
            Ok(Value::Text(text)) => return Ok((text, None)),
            Ok(other) => Some(self.key_is(&other, line)),
            Err(problem) => Some(problem),
        };
        Ok((text.to_string(), odd))
    }

    fn key_is(&self, is: &Value, line: usize) -> Unreadable {
        let message = format!("line {line}: a key in {} is {}, not a text", self.pointer(), kind(is));
        Unreadable::new(message, "put the key in double quotes")
    }

    fn merge(&self, value: Value, into: &mut Vec<(String, Value)>, line: usize) -> Result<(), Unreadable> {
        let sources = match value {
            Value::List(items) => items,
            one => vec![one],
        };
        for source in sources {
            let Value::Object(fields) = source else {
                let message = format!("line {line}: `<<` merges {}, not a mapping", kind(&source));
                return Err(Unreadable::new(message, "give it a mapping, or put the key in quotes"));
            };
            into.extend(fields);
        }
        Ok(())
    }

    fn scalar(&self, text: &str, style: ScalarStyle, tag: Option<&Tag>, line: usize) -> Result<Value, Unreadable> {
        let tag = match tag {
            None if style != ScalarStyle::Plain => return Ok(Value::text(text)),
            None => None,
            Some(tag)
                if tag.handle().is_empty() && tag.suffix() == "!" || tag.handle() == "!" && tag.suffix().is_empty() =>
            {
                return Ok(Value::text(text));
            }
            Some(tag) => match tag.core_suffix() {
                Some("str") => return Ok(Value::text(text)),
                Some(name @ ("int" | "float" | "bool" | "null")) => Some(name),
                _ => return Err(self.unknown_tag(tag, line)),
            },
        };
        let value = match plain(text) {
            Plain::Is(value) => value,
            Plain::Disputed(other) => return Err(self.disputed(text, other, line)),
            Plain::Unfit => {
                let message = format!("line {line}, {}: {} is not a number of 64 bits", self.pointer(), cut(text));
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
                let message = format!("line {line}, {}: {} is not of the type {tag}", self.pointer(), quoted(text));
                Err(Unreadable::new(message, "remove the tag, or correct the value"))
            }
        }
    }

    fn collection_tag(&self, tag: Option<&Tag>, wanted: &str, line: usize) -> Result<(), Unreadable> {
        match tag {
            Some(tag) if !tag.is_yaml_core_schema_tag(wanted) => Err(self.unknown_tag(tag, line)),
            _ => Ok(()),
        }
    }

    fn unknown_tag(&self, tag: &Tag, line: usize) -> Unreadable {
        let message =
            format!("line {line}, {}: the tag `{}{}` is not read", self.pointer(), tag.handle(), tag.suffix());
        Unreadable::new(message, "remove it: of tags, only `!!str`, `!!int`, `!!float`, `!!bool` and `!!null` are")
    }

    fn disputed(&self, text: &str, other: &str, line: usize) -> Unreadable {
        let message = format!(
            "line {line}, {}: readers of YAML disagree on `{}`: some take it for {other}",
            self.pointer(),
            cut(text)
        );
        let help = match other {
            "true" | "false" => format!("write \"{text}\" with quotes for the text, or {other}"),
            "a day" | "an error" => format!("write \"{text}\" with quotes"),
            _ => format!("write \"{text}\" with quotes for the text, or a number in plain digits"),
        };
        Unreadable::new(message, help)
    }

    /// The position of the current value as a JSON pointer (RFC 6901), or `the top`.
    fn pointer(&self) -> String {
        if self.path.is_empty() {
            return "the top".to_owned();
        }
        self.path.iter().map(|key| format!("/{}", escaped(key))).collect()
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::List(_) => "a list",
        Value::Object(_) => "a mapping",
        Value::Bool(_) => "a bool",
        Value::Text(_) => "a text",
        _ => "a number",
    }
}

/// How deep a value is below itself, and how many values it is.
fn measure(value: &Value) -> (usize, usize) {
    let below = |values: &mut dyn Iterator<Item = &Value>| {
        values.map(measure).fold((0, 1), |(depth, size), (deep, more)| (depth.max(deep + 1), size + more))
    };
    match value {
        Value::List(items) => below(&mut items.iter()),
        Value::Object(fields) => below(&mut fields.iter().map(|(_, value)| value)),
        _ => (0, 1),
    }
}
