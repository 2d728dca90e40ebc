//! A path to at most one place in a JSON value: a singular query of RFC 9535, such as `$.result.items[0]['a b']`.

use std::fmt;

/// A singular path, in the form in which it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Singular {
    text: String,
    steps: Vec<Step>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the value under this key of an object.
    Name(String),
    /// To an item of an array, from 0; from the end if it is negative.
    Index(i64),
}

/// Why a text is not a singular path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSingular {
    /// It cannot be read from this byte on.
    Unreadable(usize),
    /// What begins at this byte can lead to several places: a wildcard, a slice, a filter, `..`, or several selectors.
    Several(usize),
}

/// The largest index, either way: RFC 9535 has those that a double can count.
const MOST_INDEX: i64 = (1 << 53) - 1;

impl Singular {
    /// Reads a path.
    ///
    /// # Errors
    ///
    /// Says where it cannot be read, or where it can lead to several places.
    pub fn parse(text: &str) -> Result<Singular, NotSingular> {
        let mut reader = Reader { text, at: 0 };
        if !reader.take('$') {
            return Err(NotSingular::Unreadable(0));
        }
        let mut steps = Vec::new();
        while reader.at < text.len() {
            let end = reader.at;
            reader.blanks();
            // No white space may end a path.
            if reader.at == text.len() {
                return Err(NotSingular::Unreadable(end));
            }
            steps.push(reader.step()?);
        }
        Ok(Singular { text: text.to_owned(), steps })
    }

    /// Its steps, from the root.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// As it was written.
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
    /// The place of an index in an array of this many items; `None` where there is none.
    pub fn place(index: i64, length: usize) -> Option<usize> {
        let from_end = || usize::try_from(index.unsigned_abs()).ok().and_then(|back| length.checked_sub(back));
        let place = if index < 0 { from_end() } else { usize::try_from(index).ok() };
        place.filter(|place| *place < length)
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

    fn take(&mut self, char: char) -> bool {
        let there = self.peek() == Some(char);
        if there {
            self.at += char.len_utf8();
        }
        there
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    fn unreadable<T>(&self) -> Result<T, NotSingular> {
        Err(NotSingular::Unreadable(self.at))
    }

    fn step(&mut self) -> Result<Step, NotSingular> {
        let start = self.at;
        if self.take('.') {
            return match self.peek() {
                Some('.' | '*') => Err(NotSingular::Several(start)),
                Some(first) if begins_name(first) => {
                    let name: String = self.rest().chars().take_while(|char| is_in_name(*char)).collect();
                    self.at += name.len();
                    Ok(Step::Name(name))
                }
                _ => self.unreadable(),
            };
        }
        if !self.take('[') {
            return self.unreadable();
        }
        self.blanks();
        let selector = self.at;
        let step = match self.peek() {
            Some(quote @ ('\'' | '"')) => Step::Name(self.quoted(quote)?),
            Some('*' | '?' | ':') => return Err(NotSingular::Several(selector)),
            Some('-' | '0'..='9') => Step::Index(self.index()?),
            _ => return self.unreadable(),
        };
        self.blanks();
        match self.peek() {
            Some(']') => {
                self.at += 1;
                Ok(step)
            }
            Some(',' | ':') => Err(NotSingular::Several(selector)),
            _ => self.unreadable(),
        }
    }

    fn index(&mut self) -> Result<i64, NotSingular> {
        let start = self.at;
        let negative = self.take('-');
        let digits: String = self.rest().chars().take_while(char::is_ascii_digit).collect();
        // Neither `-0` nor `01`.
        let known = digits.parse::<i64>().ok().filter(|index| *index <= MOST_INDEX);
        let plain = !digits.starts_with('0') || digits == "0" && !negative;
        match known.filter(|_| plain) {
            Some(index) => {
                self.at += digits.len();
                Ok(if negative { -index } else { index })
            }
            None => Err(NotSingular::Unreadable(start)),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, NotSingular> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            let Some(char) = self.peek() else { return self.unreadable() };
            self.at += char.len_utf8();
            match char {
                _ if char == quote => return Ok(out),
                '\\' => out.push(self.escape(quote).ok_or(NotSingular::Unreadable(start))?),
                '\0'..='\x1f' => return Err(NotSingular::Unreadable(start)),
                _ => out.push(char),
            }
        }
    }

    fn escape(&mut self, quote: char) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(match char {
            '\\' | '/' => char,
            _ if char == quote => char,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let unit = self.hex()?;
                let code = if (0xD800..0xDC00).contains(&unit) {
                    let low = (self.take('\\') && self.take('u')).then(|| self.hex()).flatten()?;
                    let low = low.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
                    0x10000 + ((unit - 0xD800) << 10) + low
                } else {
                    unit
                };
                char::from_u32(code)?
            }
            _ => return None,
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?.to_owned();
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(&digits, 16).ok()
    }
}

fn begins_name(char: char) -> bool {
    char.is_ascii_alphabetic() || char == '_' || !char.is_ascii()
}

fn is_in_name(char: char) -> bool {
    begins_name(char) || char.is_ascii_digit()
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
        assert_eq!([0, 2, 3, -1, -3, -4, i64::MIN].map(|index| Step::place(index, 3)), {
            [Some(0), Some(2), None, Some(2), Some(0), None, None]
        });
    }
}
