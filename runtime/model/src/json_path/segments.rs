//! Parsing of a JSONPath (RFC 9535) into segments and selectors, each with its byte range. The text has already been accepted by `serde_json_path`; syntax
//! unknown to this parser makes the path not understood.

use super::Reader;

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
    /// `[1:5:2]`: its start, end, and step, where they are written.
    Slice([Option<i64>; 3]),
    /// `[?…]`
    Filter(Filter),
}

/// The known parts of a filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// The paths in it that begin with `@`.
    pub paths: Vec<Vec<Segment>>,
    /// The paths in it that begin with `$`.
    pub root_paths: Vec<Vec<Segment>>,
    /// The number of its regular expressions.
    pub regexes: u64,
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
    let mut reader = Reader::new(text, start + 1);
    let mut segments = Vec::new();
    loop {
        let before = reader.at;
        reader.skip_blanks();
        let descendants = reader.try_skip("..");
        let selectors = if reader.peek_char() == Some('[') {
            parse_bracket(&mut reader)?
        } else if descendants || reader.try_skip(".") {
            reader.skip_blanks();
            vec![parse_shorthand(&mut reader)?]
        } else {
            return Some((segments, before));
        };
        segments.push(Segment { descendants, selectors });
    }
}

/// `name` or `*`
fn parse_shorthand(reader: &mut Reader<'_>) -> Option<(Selector, usize, usize)> {
    let start = reader.at;
    if reader.try_skip("*") {
        return Some((Selector::Wildcard, start, reader.at));
    }
    let name = reader.read_name()?.to_owned();
    Some((Selector::Name(name), start, reader.at))
}

/// `[a, b]`
fn parse_bracket(reader: &mut Reader<'_>) -> Option<Vec<(Selector, usize, usize)>> {
    let mut selectors = Vec::new();
    reader.try_skip("[");
    loop {
        reader.skip_blanks();
        let start = reader.at;
        let selector = match reader.peek_char()? {
            '\'' | '"' => Selector::Name(reader.read_quoted().ok()?),
            '*' => {
                reader.try_skip("*");
                Selector::Wildcard
            }
            '?' => {
                reader.try_skip("?");
                Selector::Filter(parse_filter(reader)?)
            }
            _ => parse_number_or_slice(reader)?,
        };
        selectors.push((selector, start, reader.at));
        reader.skip_blanks();
        if reader.try_skip("]") {
            return Some(selectors);
        }
        if !reader.try_skip(",") {
            return None;
        }
    }
}

fn parse_number_or_slice(reader: &mut Reader<'_>) -> Option<Selector> {
    let rest = reader.rest();
    let word = rest.get(..rest.find([',', ']'])?)?.trim_end();
    if word.contains(':') {
        let mut parts = word.split(':').map(|part| part.trim().parse().ok());
        let bounds = [parts.next().flatten(), parts.next().flatten(), parts.next().flatten()];
        reader.at += word.len();
        return Some(Selector::Slice(bounds));
    }
    reader.read_index().ok().map(Selector::Index)
}

/// Parses the filter after `?`, up to the end of the selector.
fn parse_filter(reader: &mut Reader<'_>) -> Option<Filter> {
    let mut filter = Filter::default();
    let mut depth = 0u32;
    loop {
        let start = reader.at;
        match reader.peek_char()? {
            '\'' | '"' => {
                let text = reader.read_quoted().ok()?;
                let literal = (start, reader.at);
                if let Some(equal) = parse_equality(reader)
                    && reader.peek_char() == Some('@')
                {
                    let path = parse_filter_path(reader, &mut filter)?;
                    filter.compared.push(Compared { path, equal, text, literal });
                }
            }
            '@' => {
                let path = parse_filter_path(reader, &mut filter)?;
                if let Some(equal) = parse_equality(reader)
                    && matches!(reader.peek_char(), Some('\'' | '"'))
                {
                    let from = reader.at;
                    let text = reader.read_quoted().ok()?;
                    filter.compared.push(Compared { path, equal, text, literal: (from, reader.at) });
                }
            }
            '$' => {
                let (segments, end) = parse_segments(reader.text, reader.at)?;
                reader.at = end;
                filter.root_paths.push(segments);
            }
            '(' | '[' => {
                depth += 1;
                reader.at += 1;
            }
            ']' | ',' if depth == 0 => return Some(filter),
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                reader.at += 1;
            }
            c => {
                filter.regexes += u64::from(["match(", "search("].iter().any(|name| reader.rest().starts_with(name)));
                reader.at += c.len_utf8();
            }
        }
    }
}

/// Parses a path that begins with `@`. Returns its index among the paths of the filter.
fn parse_filter_path(reader: &mut Reader<'_>, filter: &mut Filter) -> Option<usize> {
    let (segments, end) = parse_segments(reader.text, reader.at)?;
    reader.at = end;
    filter.paths.push(segments);
    Some(filter.paths.len() - 1)
}

/// Parses `==` or `!=` with the blanks around it. Returns whether it is `==`; if it is neither, nothing is consumed.
fn parse_equality(reader: &mut Reader<'_>) -> Option<bool> {
    let before = reader.at;
    reader.skip_blanks();
    let equal = if reader.try_skip("==") {
        true
    } else if reader.try_skip("!=") {
        false
    } else {
        reader.at = before;
        return None;
    };
    reader.skip_blanks();
    Some(equal)
}
