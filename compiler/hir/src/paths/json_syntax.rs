//! Parsing of a JSONPath (RFC 9535) into segments and selectors, each with its byte range. The text has already been accepted by `serde_json_path`; syntax
//! unknown to this parser makes the path not understood. Escapes are resolved by `model`.

use std::ops::{Deref, DerefMut};

use model::json_path::Reader;

/// A segment: it selects among the children, or among all descendants.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// Whether it begins with `..`.
    pub descendants: bool,
    /// Its selectors, each with its byte range.
    pub selectors: Vec<(Selector, usize, usize)>,
}

/// A selector.
#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// `.name`, `['name']`
    Name(String),
    /// `[3]`, `[-1]`
    Index(i64),
    /// `*`
    Wildcard,
    /// `[1:5:2]`
    Slice,
    /// `[?…]`
    Filter(Filter),
}

/// The known parts of a filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// The paths in it that begin with `@`, with their positions.
    pub paths: Vec<(Vec<Segment>, usize)>,
    /// Comparisons of such paths with texts.
    pub compared: Vec<Compared>,
}

/// `path == 'text'`
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The index of the path.
    pub path: usize,
    /// Whether the operator is `==`; otherwise it is `!=`.
    pub equal: bool,
    /// The text.
    pub text: String,
    /// The byte range of the text, with its quotes.
    pub literal: (usize, usize),
}

/// Parses the segments after the `$` or `@` at byte `start`. Returns them with the byte at which they end; `None` if something is not understood.
pub fn parse_segments(text: &str, start: usize) -> Option<(Vec<Segment>, usize)> {
    let mut reader = SegmentParser(Reader::new(text, start + 1));
    let mut segments = Vec::new();
    loop {
        let before = reader.at;
        reader.skip_blanks();
        if reader.try_skip("..") {
            let selectors =
                if reader.peek_char() == Some('[') { reader.parse_bracket()? } else { vec![reader.parse_shorthand()?] };
            segments.push(Segment { descendants: true, selectors });
        } else if reader.try_skip(".") {
            reader.skip_blanks();
            segments.push(Segment { descendants: false, selectors: vec![reader.parse_shorthand()?] });
        } else if reader.peek_char() == Some('[') {
            segments.push(Segment { descendants: false, selectors: reader.parse_bracket()? });
        } else {
            return Some((segments, before));
        }
    }
}

/// Parses segments from a text.
struct SegmentParser<'t>(Reader<'t>);

impl<'t> Deref for SegmentParser<'t> {
    type Target = Reader<'t>;

    fn deref(&self) -> &Reader<'t> {
        &self.0
    }
}

impl DerefMut for SegmentParser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl SegmentParser<'_> {
    /// `name` or `*`
    fn parse_shorthand(&mut self) -> Option<(Selector, usize, usize)> {
        let start = self.at;
        if self.try_skip("*") {
            return Some((Selector::Wildcard, start, self.at));
        }
        let name = self.read_name()?.to_owned();
        Some((Selector::Name(name), start, self.at))
    }

    /// `[a, b]`
    fn parse_bracket(&mut self) -> Option<Vec<(Selector, usize, usize)>> {
        let mut selectors = Vec::new();
        self.try_skip("[");
        loop {
            self.skip_blanks();
            let start = self.at;
            let selector = match self.peek_char()? {
                '\'' | '"' => Selector::Name(self.read_quoted().ok()?),
                '*' => {
                    self.try_skip("*");
                    Selector::Wildcard
                }
                '?' => {
                    self.try_skip("?");
                    Selector::Filter(self.parse_filter()?)
                }
                _ => self.number_or_slice()?,
            };
            selectors.push((selector, start, self.at));
            self.skip_blanks();
            if self.try_skip("]") {
                return Some(selectors);
            }
            if !self.try_skip(",") {
                return None;
            }
        }
    }

    fn number_or_slice(&mut self) -> Option<Selector> {
        let rest = self.rest();
        let word = rest.get(..rest.find([',', ']'])?)?.trim_end();
        if word.contains(':') {
            self.at += word.len();
            return Some(Selector::Slice);
        }
        self.read_index().ok().map(Selector::Index)
    }

    /// Parses the filter after `?`, up to the end of the selector.
    fn parse_filter(&mut self) -> Option<Filter> {
        let mut filter = Filter::default();
        let mut depth = 0u32;
        loop {
            let start = self.at;
            match self.peek_char()? {
                '\'' | '"' => {
                    let text = self.read_quoted().ok()?;
                    let literal = (start, self.at);
                    if let Some(equal) = self.parse_equality()
                        && self.peek_char() == Some('@')
                    {
                        let path = self.parse_filter_path(&mut filter)?;
                        filter.compared.push(Compared { path, equal, text, literal });
                    }
                }
                '@' => {
                    let path = self.parse_filter_path(&mut filter)?;
                    if let Some(equal) = self.parse_equality()
                        && matches!(self.peek_char(), Some('\'' | '"'))
                    {
                        let from = self.at;
                        let text = self.read_quoted().ok()?;
                        filter.compared.push(Compared { path, equal, text, literal: (from, self.at) });
                    }
                }
                // A path from the root is skipped; it is not evaluated.
                '$' => self.at = parse_segments(self.text, self.at)?.1,
                '(' | '[' => {
                    depth += 1;
                    self.at += 1;
                }
                ']' | ',' if depth == 0 => return Some(filter),
                ')' | ']' => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                c => self.at += c.len_utf8(),
            }
        }
    }

    /// Parses a path that begins with `@`. Returns its index among the paths of the filter.
    fn parse_filter_path(&mut self, filter: &mut Filter) -> Option<usize> {
        let at = self.at;
        let (segments, end) = parse_segments(self.text, at)?;
        self.at = end;
        filter.paths.push((segments, at));
        Some(filter.paths.len() - 1)
    }

    /// Parses `==` or `!=` with the blanks around it. Returns whether it is `==`; if it is neither, nothing is consumed.
    fn parse_equality(&mut self) -> Option<bool> {
        let before = self.at;
        self.skip_blanks();
        let equal = if self.try_skip("==") {
            true
        } else if self.try_skip("!=") {
            false
        } else {
            self.at = before;
            return None;
        };
        self.skip_blanks();
        Some(equal)
    }
}
