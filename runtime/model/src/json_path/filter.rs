//! Parsing of the filters of a JSONPath (RFC 9535) into comparisons and tests, each with its byte range. The text has already been accepted by
//! `serde_json_path`; what is unknown to this parser has no conditions.

use super::{Reader, Segment, parse_segments};
use crate::suite::Op;
use crate::{Decimal, Value};

/// A comparison or test of a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterTest {
    /// Its byte range.
    pub place: (usize, usize),
    /// What is asked.
    pub kind: TestKind,
}

/// What a test of a filter asks.
#[derive(Clone, Debug, PartialEq)]
pub enum TestKind {
    /// `a op b`
    Compare(Op, Comparable, Comparable),
    /// Whether a path leads to something.
    Exists(Vec<Segment>),
    /// `match(path, 'pattern')`, `search(path, 'pattern')`: whether it is `match`.
    Matches(Vec<Segment>, String, bool),
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Comparable {
    /// A literal.
    Literal(Value),
    /// A path that begins with `@`.
    Path(Vec<Segment>),
    /// `length(path)`
    Length(Vec<Segment>),
    /// `count(path)`
    Count(Vec<Segment>),
    /// Anything else.
    Other,
}

/// Parses the filter after `?` at byte `start`. `None` if something is not understood.
pub(super) fn parse_tests(text: &str, start: usize) -> Option<Vec<FilterTest>> {
    let mut parser = Parser { reader: Reader::new(text, start), tests: Vec::new() };
    parser.parse_or()?;
    Some(parser.tests)
}

struct Parser<'t> {
    reader: Reader<'t>,
    tests: Vec<FilterTest>,
}

impl Parser<'_> {
    fn parse_or(&mut self) -> Option<()> {
        loop {
            self.parse_and()?;
            if !self.skip("||") {
                return Some(());
            }
        }
    }

    fn parse_and(&mut self) -> Option<()> {
        loop {
            self.parse_basic()?;
            if !self.skip("&&") {
                return Some(());
            }
        }
    }

    fn parse_basic(&mut self) -> Option<()> {
        self.skip("!");
        if self.skip("(") {
            self.parse_or()?;
            return self.skip(")").then_some(());
        }
        self.reader.skip_blanks();
        let start = self.reader.at;
        if let Some(test) = self.parse_pattern_call() {
            self.tests.push(FilterTest { place: (start, self.reader.at), kind: test });
            return Some(());
        }
        self.reader.at = start;
        let left = self.parse_comparable()?;
        let end = self.reader.at;
        let Some(op) = self.parse_operator() else {
            self.reader.at = end;
            if let Comparable::Path(segments) = left {
                self.tests.push(FilterTest { place: (start, end), kind: TestKind::Exists(segments) });
            }
            return Some(());
        };
        let right = self.parse_comparable()?;
        self.tests.push(FilterTest { place: (start, self.reader.at), kind: TestKind::Compare(op, left, right) });
        Some(())
    }

    /// `match(path, 'pattern')`, `search(path, 'pattern')`
    fn parse_pattern_call(&mut self) -> Option<TestKind> {
        let whole = match self.reader.read_name()? {
            "match" => true,
            "search" => false,
            _ => return None,
        };
        let path = self.skip("(").then(|| self.parse_path())??;
        if !self.skip(",") {
            return None;
        }
        self.reader.skip_blanks();
        let pattern = self.reader.read_quoted().ok()?;
        self.skip(")").then_some(TestKind::Matches(path, pattern, whole))
    }

    fn parse_comparable(&mut self) -> Option<Comparable> {
        self.reader.skip_blanks();
        match self.reader.peek_char()? {
            '@' => self.parse_path().map(Comparable::Path),
            '$' => {
                self.reader.at = parse_segments(self.reader.text, self.reader.at)?.1;
                Some(Comparable::Other)
            }
            '\'' | '"' => Some(Comparable::Literal(Value::Text(self.reader.read_quoted().ok()?))),
            '-' | '0'..='9' => self.parse_number().map(Comparable::Literal),
            _ => self.parse_word(),
        }
    }

    fn parse_path(&mut self) -> Option<Vec<Segment>> {
        self.reader.skip_blanks();
        self.reader.peek_char().filter(|c| *c == '@')?;
        let (segments, end) = parse_segments(self.reader.text, self.reader.at)?;
        self.reader.at = end;
        Some(segments)
    }

    fn parse_number(&mut self) -> Option<Value> {
        let rest = self.reader.rest();
        let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(rest.len());
        let digits = rest.get(..end)?;
        self.reader.at += end;
        if let Ok(whole) = digits.parse::<i64>() {
            return Some(Value::Int(whole));
        }
        let decimal = digits.parse::<Decimal>().ok().map(Value::Decimal);
        decimal.or_else(|| digits.parse().ok().filter(|value: &f64| value.is_finite()).map(Value::Float))
    }

    /// `true`, `null`, `length(path)`, `count(path)`, and other calls.
    fn parse_word(&mut self) -> Option<Comparable> {
        let word = self.reader.read_name()?;
        match word {
            "true" | "false" => return Some(Comparable::Literal(Value::Bool(word == "true"))),
            "null" => return Some(Comparable::Literal(Value::Null)),
            _ => {}
        }
        if !self.skip("(") {
            return None;
        }
        let inner = self.parse_comparable()?;
        let known = match (word, inner) {
            ("length", Comparable::Path(path)) => Comparable::Length(path),
            ("count", Comparable::Path(path)) => Comparable::Count(path),
            ("value", Comparable::Path(path)) => Comparable::Path(path),
            _ => Comparable::Other,
        };
        self.skip(")").then_some(known)
    }

    fn parse_operator(&mut self) -> Option<Op> {
        self.reader.skip_blanks();
        let known = [("==", Op::Eq), ("!=", Op::Ne), ("<=", Op::Le), (">=", Op::Ge), ("<", Op::Lt), (">", Op::Gt)];
        known.into_iter().find(|(written, _)| self.reader.try_skip(written)).map(|(_, op)| op)
    }

    fn skip(&mut self, what: &str) -> bool {
        self.reader.skip_blanks();
        self.reader.try_skip(what)
    }
}
