//! The predicates in the filters of a JSONPath, with what their paths lead to.

use model::json_path::Reader;
use model::suite::Op;
use model::{Decimal, Value};

use super::form::Form;
use super::json_nodes::{find_nodes, write_step};
use super::predicate::{Language, Operation, Predicate, Term, TermKind};
use model::json_path::{Selector, parse_segments};

/// The predicate of the filter that is written after `?`, from byte `start`, for each of the contexts. `None` if it is not understood.
pub fn build_predicate(text: &str, start: usize, (root, contexts): (&Form, &[&Form])) -> Option<Predicate> {
    let cases = contexts.iter().map(|context| {
        let mut parser = Parser { reader: Reader::new(text, start), root, context };
        parser.parse_or()
    });
    let cases: Vec<Term> = cases.collect::<Option<_>>()?;
    (!cases.is_empty()).then_some(Predicate { language: Language::Json, cases })
}

struct Parser<'t, 'f> {
    reader: Reader<'t>,
    root: &'f Form,
    context: &'f Form,
}

impl Parser<'_, '_> {
    fn parse_or(&mut self) -> Option<Term> {
        let mut parts = vec![self.parse_and()?];
        while self.skip("||") {
            parts.push(self.parse_and()?);
        }
        join_parts(parts, TermKind::Or)
    }

    fn parse_and(&mut self) -> Option<Term> {
        let mut parts = vec![self.parse_basic()?];
        while self.skip("&&") {
            parts.push(self.parse_basic()?);
        }
        join_parts(parts, TermKind::And)
    }

    fn parse_basic(&mut self) -> Option<Term> {
        self.reader.skip_blanks();
        let start = self.reader.at;
        if self.reader.try_skip("!") {
            let inner = self.parse_basic()?;
            return Some(Term { place: (start, self.reader.at), kind: TermKind::Not(Box::new(inner)) });
        }
        if self.reader.try_skip("(") {
            let inner = self.parse_or()?;
            return self.skip(")").then_some(inner);
        }
        let left = self.parse_comparable()?;
        let end = self.reader.at;
        let Some(op) = self.parse_operator() else {
            self.reader.at = end;
            return Some(left);
        };
        let right = self.parse_comparable()?;
        let kind = TermKind::Operation(Operation::Compare(op), Box::new((left, right)));
        Some(Term { place: (start, self.reader.at), kind })
    }

    fn parse_comparable(&mut self) -> Option<Term> {
        self.reader.skip_blanks();
        let start = self.reader.at;
        let kind = match self.reader.peek_char()? {
            '@' | '$' => self.parse_path()?,
            '\'' | '"' => TermKind::Literal(Value::Text(self.reader.read_quoted().ok()?)),
            '-' | '0'..='9' => TermKind::Literal(self.parse_number()?),
            _ => self.parse_word()?,
        };
        Some(Term { place: (start, self.reader.at), kind })
    }

    fn parse_path(&mut self) -> Option<TermKind> {
        let (segments, end) = parse_segments(self.reader.text, self.reader.at)?;
        let from = if self.reader.peek_char()? == '$' { self.root } else { self.context };
        // A filter is the same if it is written in the same way.
        let name_selector = |(selector, start, end): &(Selector, usize, usize)| match selector {
            Selector::Filter(_) => self.reader.text.get(*start..*end).unwrap_or_default().to_owned(),
            selector => format!("{selector:?}"),
        };
        let steps = segments.iter().map(|segment| {
            let selectors: Vec<String> = segment.selectors.iter().map(name_selector).collect();
            write_step(if segment.descendants { ".." } else { "" }, &selectors)
        });
        let (start, steps) = (self.reader.peek_char()?, steps.collect::<Vec<String>>());
        self.reader.at = end;
        Some(find_nodes(&segments, from, (start, &steps)).map_or(TermKind::Unknown, TermKind::Nodes))
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

    /// `true`, `null`, and calls of functions.
    fn parse_word(&mut self) -> Option<TermKind> {
        let word = self.reader.read_name()?;
        match word {
            "true" | "false" => return Some(TermKind::Literal(Value::Bool(word == "true"))),
            "null" => return Some(TermKind::Literal(Value::Null)),
            _ => {}
        }
        if !self.skip("(") {
            return None;
        }
        let mut args = Vec::new();
        if !self.skip(")") {
            args.push(self.parse_or()?);
            while self.skip(",") {
                args.push(self.parse_or()?);
            }
            self.skip(")").then_some(())?;
        }
        Some(TermKind::Call(word.to_owned(), args))
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

/// The only part, or all of them together.
fn join_parts(mut parts: Vec<Term>, kind: fn(Vec<Term>) -> TermKind) -> Option<Term> {
    let (start, end) = (parts.first()?.place.0, parts.last()?.place.1);
    if parts.len() == 1 {
        return parts.pop();
    }
    Some(Term { place: (start, end), kind: kind(parts) })
}
