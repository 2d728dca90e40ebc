//! The tokens of JSONPath: names, quoted texts, and indexes.

/// Reads tokens from a position.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'t> {
    /// The path.
    pub text: &'t str,
    /// The position of the next byte.
    pub at: usize,
}

/// The error for a token that cannot be read, with the byte at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable(pub usize);

/// Maximum absolute value of an index: RFC 9535 allows the integers that a double represents exactly.
const MAX_INDEX: i64 = (1 << 53) - 1;

impl<'t> Reader<'t> {
    /// Creates a reader at the byte `at`.
    pub fn new(text: &'t str, at: usize) -> Reader<'t> {
        Reader { text, at }
    }

    /// Returns the unread text.
    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the next character.
    pub fn peek_char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips these characters if they are next; returns whether they were.
    pub fn try_skip(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    /// Skips whitespace.
    pub fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    /// Reads an unquoted name, as after a dot.
    pub fn read_name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        rest.chars().next().filter(|first| is_name_start(*first))?;
        let name = rest.get(..rest.find(|char| !is_in_name(char)).unwrap_or(rest.len()))?;
        self.at += name.len();
        Some(name)
    }

    /// Reads a text in single or double quotes, the first of which is next, and resolves its escapes.
    ///
    /// # Errors
    /// The text is not closed, or contains a control character or an unknown escape.
    pub fn read_quoted(&mut self) -> Result<String, Unreadable> {
        let quote = self.peek_char().ok_or(Unreadable(self.at))?;
        self.at += quote.len_utf8();
        let mut out = String::new();
        loop {
            let start = self.at;
            let char = self.peek_char().ok_or(Unreadable(start))?;
            self.at += char.len_utf8();
            match char {
                _ if char == quote => return Ok(out),
                '\\' => out.push(self.read_escape(quote).ok_or(Unreadable(start))?),
                '\0'..='\x1f' => return Err(Unreadable(start)),
                _ => out.push(char),
            }
        }
    }

    fn read_escape(&mut self, quote: char) -> Option<char> {
        let char = self.peek_char()?;
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
                let unit = self.read_hex()?;
                let code = if (0xD800..0xDC00).contains(&unit) {
                    let low = self.try_skip("\\u").then(|| self.read_hex()).flatten()?;
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

    fn read_hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    /// Reads an integer, but not `-0` or `01`.
    ///
    /// # Errors
    /// The next token is not an integer, or it is too large.
    pub fn read_index(&mut self) -> Result<i64, Unreadable> {
        let start = self.at;
        let negative = self.try_skip("-");
        let rest = self.rest();
        let digits = rest.get(..rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len()));
        let digits = digits.unwrap_or_default();
        let known = digits.parse::<i64>().ok().filter(|index| *index <= MAX_INDEX);
        let plain = !digits.starts_with('0') || digits == "0" && !negative;
        let index = known.filter(|_| plain).ok_or(Unreadable(start))?;
        self.at += digits.len();
        Ok(if negative { -index } else { index })
    }
}

fn is_name_start(char: char) -> bool {
    char.is_ascii_alphabetic() || char == '_' || !char.is_ascii()
}

fn is_in_name(char: char) -> bool {
    is_name_start(char) || char.is_ascii_digit()
}
