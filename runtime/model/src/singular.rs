//! A path to at most one place in a JSON value: a singular query of RFC 9535, such as `$.result.items[0]['a b']`.

use std::fmt;

use crate::json_path::{Reader, Unreadable};

/// A singular path, with its text as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Singular {
    text: String,
    steps: Vec<Step>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Selects the value under this key of an object.
    Name(String),
    /// Selects an item of an array, from 0; from the end if it is negative.
    Index(i64),
}

/// The reason why a text is not a singular path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSingular {
    /// It cannot be parsed from this byte on.
    Unreadable(usize),
    /// The part at this byte can select several places: a wildcard, a slice, a filter, `..`, or several selectors.
    Several(usize),
}

impl Singular {
    /// Parses a path.
    ///
    /// ```
    /// use model::singular::{NotSingular, Singular, Step};
    ///
    /// let path = Singular::parse("$.orders[-1]['unit price']").expect("one place");
    /// assert_eq!(path.steps(), [
    ///     Step::Name("orders".to_owned()),
    ///     Step::Index(-1),
    ///     Step::Name("unit price".to_owned()),
    /// ]);
    /// // Errors have the byte: a path to several places, and a text that is not a path.
    /// assert_eq!(Singular::parse("$.orders[*].id"), Err(NotSingular::Several(9)));
    /// assert_eq!(Singular::parse("$.orders["), Err(NotSingular::Unreadable(9)));
    /// ```
    ///
    /// # Errors
    ///
    /// The position at which it cannot be parsed, or can select several places.
    pub fn parse(text: &str) -> Result<Singular, NotSingular> {
        let mut reader = Reader::new(text, 0);
        if !reader.try_skip("$") {
            return Err(NotSingular::Unreadable(0));
        }
        let mut steps = Vec::new();
        while reader.at < text.len() {
            let end = reader.at;
            reader.skip_blanks();
            // Whitespace must not end a path.
            if reader.at == text.len() {
                return Err(NotSingular::Unreadable(end));
            }
            steps.push(parse_step(&mut reader)?);
        }
        Ok(Singular { text: text.to_owned(), steps })
    }

    /// Returns its steps, from the root.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns its text as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Singular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Step {
    /// Converts an index in an array with this number of items to a position from 0; `None` if it is out of range.
    ///
    /// ```
    /// use model::singular::Step;
    ///
    /// assert_eq!((Step::resolve_index(0, 3), Step::resolve_index(-1, 3)), (Some(0), Some(2)));
    /// assert_eq!((Step::resolve_index(3, 3), Step::resolve_index(-4, 3)), (None, None));
    /// ```
    pub fn resolve_index(index: i64, length: usize) -> Option<usize> {
        let from_end = || usize::try_from(index.unsigned_abs()).ok().and_then(|back| length.checked_sub(back));
        let place = if index < 0 { from_end() } else { usize::try_from(index).ok() };
        place.filter(|place| *place < length)
    }
}

impl From<Unreadable> for NotSingular {
    fn from(Unreadable(at): Unreadable) -> NotSingular {
        NotSingular::Unreadable(at)
    }
}

fn parse_step(reader: &mut Reader<'_>) -> Result<Step, NotSingular> {
    let start = reader.at;
    if reader.try_skip(".") {
        return match reader.peek_char() {
            Some('.' | '*') => Err(NotSingular::Several(start)),
            _ => Ok(Step::Name(reader.read_name().ok_or(Unreadable(reader.at))?.to_owned())),
        };
    }
    if !reader.try_skip("[") {
        return Err(NotSingular::Unreadable(start));
    }
    reader.skip_blanks();
    let selector = reader.at;
    let step = match reader.peek_char() {
        Some('\'' | '"') => Step::Name(reader.read_quoted()?),
        Some('*' | '?' | ':') => return Err(NotSingular::Several(selector)),
        _ => Step::Index(reader.read_index()?),
    };
    reader.skip_blanks();
    match reader.peek_char() {
        Some(']') => {
            reader.at += 1;
            Ok(step)
        }
        Some(',' | ':') => Err(NotSingular::Several(selector)),
        _ => Err(NotSingular::Unreadable(reader.at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Result<Vec<Step>, NotSingular> {
        Singular::parse(text).map(|path| path.steps)
    }

    fn name(text: &str) -> Step {
        Step::Name(text.to_owned())
    }

    #[test]
    fn names_and_indexes_are_steps() {
        assert_eq!(steps("$"), Ok(vec![]));
        assert_eq!(steps("$.a.b_2['c d'][\"e\"][0] [-1]"), {
            Ok(vec![name("a"), name("b_2"), name("c d"), name("e"), Step::Index(0), Step::Index(-1)])
        });
        assert_eq!(steps("$ .größe[ 'x' ]"), Ok(vec![name("größe"), name("x")]));
        assert_eq!(steps(r"$['\'\\\n\u00e9\ud83d\ude00']"), Ok(vec![name("'\\\né😀")]));
        assert_eq!(steps("$['']"), Ok(vec![name("")]));
    }

    #[test]
    fn what_can_be_several_places_is_refused() {
        for (text, at) in
            [("$.*", 1), ("$..a", 1), ("$.a[*]", 4), ("$[0,1]", 2), ("$[1:2]", 2), ("$[:]", 2), ("$[?@.a]", 2)]
        {
            assert_eq!(steps(text), Err(NotSingular::Several(at)), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_path_is_refused_where_it_ends() {
        for (text, at) in [
            ("", 0),
            ("a.b", 0),
            ("$a", 1),
            ("$.", 2),
            ("$.1", 2),
            ("$ ", 1),
            ("$.a ", 3),
            ("$[01]", 2),
            ("$[-0]", 2),
            ("$[9007199254740992]", 2),
            ("$['a", 4),
            ("$['a'", 5),
            ("$[a]", 2),
            (r"$['\x']", 3),
            (r"$['\ud83d']", 3),
            ("$['\n']", 3),
        ] {
            assert_eq!(steps(text), Err(NotSingular::Unreadable(at)), "{text:?}");
        }
    }

    #[test]
    fn indexes_count_from_either_end() {
        assert_eq!([0, 2, 3, -1, -3, -4, i64::MIN].map(|index| Step::resolve_index(index, 3)), {
            [Some(0), Some(2), None, Some(2), Some(0), None, None]
        });
    }
}
