//! A JSONPath (RFC 9535) taken apart into segments and selectors, each with its place. Only what `serde_json_path` has accepted gets here;
//! what this reader does not know it leaves open.

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
    let mut reader = Reader { text, at: start + 1 };
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

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    /// `name` or `*`
    fn shorthand(&mut self) -> Option<(Selector, usize, usize)> {
        let start = self.at;
        if self.eat("*") {
            return Some((Selector::Wildcard, start, self.at));
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii())).unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        let name = rest[..end].to_owned();
        self.at += end;
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
                '\'' | '"' => Selector::Name(self.quoted()?),
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

    /// A quoted name; names with escapes are not followed.
    fn quoted(&mut self) -> Option<String> {
        let quote = self.peek()?;
        self.at += 1;
        let end = self.rest().find(quote)?;
        let name = self.rest()[..end].to_owned();
        if name.contains('\\') {
            return None;
        }
        self.at += end + 1;
        Some(name)
    }

    fn number_or_slice(&mut self) -> Option<Selector> {
        let rest = self.rest();
        let end = rest.find([',', ']'])?;
        let word = rest[..end].trim();
        let selector = if word.contains(':') { Selector::Slice } else { Selector::Index(word.parse().ok()?) };
        self.at += rest[..end].trim_end().len();
        Some(selector)
    }

    /// The filter after `?`, up to the end of the selector.
    fn filter(&mut self) -> Option<Filter> {
        let mut filter = Filter::default();
        let mut depth = 0u32;
        loop {
            let start = self.at;
            match self.peek()? {
                '\'' | '"' => {
                    let text = self.text_literal()?;
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
                        let text = self.text_literal()?;
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

    /// A text in quotes; `Some(None)`: one with escapes, which is not read.
    fn text_literal(&mut self) -> Option<Option<String>> {
        let quote = self.peek()?;
        self.at += quote.len_utf8();
        let start = self.at;
        let mut plain = true;
        loop {
            let c = self.peek()?;
            let end = self.at;
            self.at += c.len_utf8();
            if c == '\\' {
                plain = false;
                self.at += self.peek()?.len_utf8();
            } else if c == quote {
                return Some(self.text.get(start..end).filter(|_| plain).map(str::to_owned));
            }
        }
    }
}

impl Filter {
    fn add(&mut self, path: usize, equal: bool, text: Option<String>, literal: (usize, usize)) {
        self.compared.extend(text.map(|text| Compared { path, equal, text, literal }));
    }
}
