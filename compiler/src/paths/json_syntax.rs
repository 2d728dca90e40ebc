//! A JSONPath (RFC 9535) taken apart into segments and selectors, each with its place. Only what `serde_json_path` has accepted gets here;
//! what this reader does not know it leaves open. Its words are read by `plan`.

use std::ops::{Deref, DerefMut};

use model::json_path::Reader;

/// A segment: children, or all descendants too.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// `..`
    pub descendants: bool,
    /// What is selected, each with its place.
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

/// What is known of a filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// The paths that begin with `@` in it, and where.
    pub paths: Vec<(Vec<Segment>, usize)>,
    /// Comparisons of such paths with texts.
    pub compared: Vec<Compared>,
}

/// `path == 'text'`
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Which of the paths.
    pub path: usize,
    /// `==`; else `!=`
    pub equal: bool,
    /// The text.
    pub text: String,
    /// The text with its quotes.
    pub literal: (usize, usize),
}

/// The segments after the `$` or `@` at byte `start`, and the byte at which they end. `None` if something is not
/// understood.
pub fn segments(text: &str, start: usize) -> Option<(Vec<Segment>, usize)> {
    let mut reader = Taker(Reader::new(text, start + 1));
    let mut segments = Vec::new();
    loop {
        let before = reader.at;
        reader.blanks();
        if reader.eat("..") {
            let selectors = if reader.peek() == Some('[') { reader.bracket()? } else { vec![reader.shorthand()?] };
            segments.push(Segment { descendants: true, selectors });
        } else if reader.eat(".") {
            reader.blanks();
            segments.push(Segment { descendants: false, selectors: vec![reader.shorthand()?] });
        } else if reader.peek() == Some('[') {
            segments.push(Segment { descendants: false, selectors: reader.bracket()? });
        } else {
            return Some((segments, before));
        }
    }
}

/// Takes segments from a text.
struct Taker<'t>(Reader<'t>);

impl<'t> Deref for Taker<'t> {
    type Target = Reader<'t>;

    fn deref(&self) -> &Reader<'t> {
        &self.0
    }
}

impl DerefMut for Taker<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Taker<'_> {
    /// `name` or `*`
    fn shorthand(&mut self) -> Option<(Selector, usize, usize)> {
        let start = self.at;
        if self.eat("*") {
            return Some((Selector::Wildcard, start, self.at));
        }
        let name = self.name()?.to_owned();
        Some((Selector::Name(name), start, self.at))
    }

    /// `[a, b]`
    fn bracket(&mut self) -> Option<Vec<(Selector, usize, usize)>> {
        let mut selectors = Vec::new();
        self.eat("[");
        loop {
            self.blanks();
            let start = self.at;
            let selector = match self.peek()? {
                '\'' | '"' => Selector::Name(self.quoted().ok()?),
                '*' => {
                    self.eat("*");
                    Selector::Wildcard
                }
                '?' => {
                    self.eat("?");
                    Selector::Filter(self.filter()?)
                }
                _ => self.number_or_slice()?,
            };
            selectors.push((selector, start, self.at));
            self.blanks();
            if self.eat("]") {
                return Some(selectors);
            }
            if !self.eat(",") {
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
        self.index().ok().map(Selector::Index)
    }

    /// The filter after `?`, up to the end of the selector.
    fn filter(&mut self) -> Option<Filter> {
        let mut filter = Filter::default();
        let mut depth = 0u32;
        loop {
            let start = self.at;
            match self.peek()? {
                '\'' | '"' => {
                    let text = self.quoted().ok()?;
                    let literal = (start, self.at);
                    if let Some(equal) = self.equality()
                        && self.peek() == Some('@')
                    {
                        let path = self.path(&mut filter)?;
                        filter.add(path, equal, text, literal);
                    }
                }
                '@' => {
                    let path = self.path(&mut filter)?;
                    if let Some(equal) = self.equality()
                        && matches!(self.peek(), Some('\'' | '"'))
                    {
                        let from = self.at;
                        let text = self.quoted().ok()?;
                        filter.add(path, equal, text, (from, self.at));
                    }
                }
                // A path from the top is followed as one of its own, by nobody yet.
                '$' => self.at = segments(self.text, self.at)?.1,
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

    /// A path that begins with `@`: its number among those of the filter.
    fn path(&mut self, filter: &mut Filter) -> Option<usize> {
        let at = self.at;
        let (segments, end) = segments(self.text, at)?;
        self.at = end;
        filter.paths.push((segments, at));
        Some(filter.paths.len() - 1)
    }

    /// `==` or `!=` with the blanks around it: whether the first. Without one, nothing is taken.
    fn equality(&mut self) -> Option<bool> {
        let before = self.at;
        self.blanks();
        let equal = if self.eat("==") {
            true
        } else if self.eat("!=") {
            false
        } else {
            self.at = before;
            return None;
        };
        self.blanks();
        Some(equal)
    }
}

impl Filter {
    fn add(&mut self, path: usize, equal: bool, text: String, literal: (usize, usize)) {
        self.compared.push(Compared { path, equal, text, literal });
    }
}
