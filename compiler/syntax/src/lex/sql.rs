//! SQL tokens, following the rules of SQLite, with exact byte positions.
//!
//! All checks that must work even on SQL that no parser understands (of parameters, statement separators, and error positions) use these tokens;
//! the parser of queries passes them to `sqlparser`.

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Blanks and line breaks.
    Blank,
    /// `-- …`, `/* … */`
    Comment,
    /// A keyword or a bare name.
    Word,
    /// A name in `"…"`, `` `…` `` or `[…]`.
    Quoted,
    /// `'…'`
    Text,
    /// `x'…'`
    Blob,
    /// `12`, `1.5e3`, `0x1F`
    Number,
    /// `:name`, `@name`, `$name`, `?`, `?1`
    Param,
    /// Operators, brackets, commas.
    Punct,
    /// A quote that is never closed; extends to the end.
    Unclosed,
    /// A character that is not valid in SQL.
    Stray,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its text.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
}

impl<'a> Token<'a> {
    /// The byte after its last byte.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is this keyword (given in uppercase).
    pub fn is_keyword(&self, keyword: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(keyword)
    }

    /// Whether it is one of these keywords (given in uppercase, separated by blanks).
    pub fn is_any(&self, keywords: &str) -> bool {
        keywords.split(' ').any(|keyword| self.is_keyword(keyword))
    }

    /// Whether it is this operator or bracket.
    pub fn is_punct(&self, text: &str) -> bool {
        self.kind == Kind::Punct && self.text == text
    }

    /// The content of a quoted name or text, with doubled quotes resolved; a bare name unchanged.
    pub fn to_unquoted(&self) -> String {
        let inner = |close: char| {
            let inside = self.text.get(1..self.text.len().saturating_sub(1)).unwrap_or("");
            if close == ']' {
                inside.to_owned()
            } else {
                inside.replace(&format!("{close}{close}"), &close.to_string())
            }
        };
        match (self.kind, self.text.as_bytes().first()) {
            (Kind::Quoted, Some(b'[')) => inner(']'),
            (Kind::Quoted, Some(b'`')) => inner('`'),
            (Kind::Quoted, _) => inner('"'),
            (Kind::Text, _) => inner('\''),
            _ => self.text.to_owned(),
        }
    }

    /// Whether it can name a table or column.
    pub fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted)
    }

    /// Whether it names this table or column; letter case is ignored.
    pub fn is_named(&self, name: &str) -> bool {
        self.is_name() && self.to_unquoted().eq_ignore_ascii_case(name)
    }
}

/// The tokens of a text, without comments and blanks.
pub fn tokenize_sql(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (kind, length) = scan_token(rest);
        if !matches!(kind, Kind::Blank | Kind::Comment) {
            out.push(Token { kind, text: rest.get(..length).unwrap_or(""), start: at });
        }
        at += length;
    }
    out
}

/// The kind and length of the token, the blanks, or the comment at the start of a nonempty text.
pub fn scan_token(rest: &str) -> (Kind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let second = rest.chars().nth(1);
    let is_blank = |c: char| c.is_ascii_whitespace() || c == '\u{feff}';
    if is_blank(first) {
        return (Kind::Blank, scan_while(rest, 0, is_blank));
    }
    match first {
        '-' if second == Some('-') => return (Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
        '/' if second == Some('*') => {
            return (Kind::Comment, rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4));
        }
        '\'' => return scan_quoted(rest, '\'', Kind::Text),
        '"' | '`' => return scan_quoted(rest, first, Kind::Quoted),
        '[' => return rest.find(']').map_or((Kind::Unclosed, rest.len()), |end| (Kind::Quoted, end + 1)),
        'x' | 'X' if second == Some('\'') => {
            let (kind, length) = scan_quoted(rest.get(1..).unwrap_or(""), '\'', Kind::Blob);
            return (kind, length + 1);
        }
        ':' | '@' | '$' | '#' => {
            let name = scan_word(rest, 1);
            let kind = if name == 0 || first == '#' { Kind::Stray } else { Kind::Param };
            return (kind, 1 + name);
        }
        '?' => return (Kind::Param, 1 + scan_while(rest, 1, |c| c.is_ascii_digit())),
        _ => {}
    }
    if is_word_start(first) {
        return (Kind::Word, scan_word(rest, 0));
    }
    if first.is_ascii_digit() || (first == '.' && second.is_some_and(|c| c.is_ascii_digit())) {
        return (Kind::Number, scan_number(rest));
    }
    const LONG: [&str; 11] = ["->>", "||", "->", "<>", "!=", "==", "<=", ">=", "<<", ">>", "&&"];
    if let Some(operator) = LONG.iter().find(|operator| rest.starts_with(**operator)) {
        return (if *operator == "&&" { Kind::Stray } else { Kind::Punct }, operator.len());
    }
    let kind = if "+-*/%=<>&|~(),.;".contains(first) { Kind::Punct } else { Kind::Stray };
    (kind, first.len_utf8())
}

fn scan_quoted(rest: &str, quote: char, kind: Kind) -> (Kind, usize) {
    let mut at = quote.len_utf8();
    loop {
        let Some(end) = rest.get(at..).and_then(|inner| inner.find(quote)) else {
            return (Kind::Unclosed, rest.len());
        };
        at += end + 1;
        if !rest.get(at..).is_some_and(|after| after.starts_with(quote)) {
            return (kind, at);
        }
        at += 1;
    }
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}

/// The number of bytes from `start` on whose characters are of one kind.
fn scan_while(text: &str, start: usize, is_inside: impl Fn(char) -> bool) -> usize {
    text.get(start..).map_or(0, |rest| rest.find(|c: char| !is_inside(c)).unwrap_or(rest.len()))
}

fn scan_word(text: &str, start: usize) -> usize {
    scan_while(text, start, |c| is_word_start(c) || c.is_ascii_digit() || c == '$')
}

fn scan_number(rest: &str) -> usize {
    if rest.starts_with("0x") || rest.starts_with("0X") {
        return 2 + scan_while(rest, 2, |c| c.is_ascii_hexdigit());
    }
    let many = |at: usize| scan_while(rest, at, |c| c.is_ascii_digit() || c == '_');
    let mut at = many(0);
    if rest.get(at..).is_some_and(|s| s.starts_with('.')) {
        at += 1;
        at += many(at);
    }
    if rest.get(at..).is_some_and(|s| s.starts_with(['e', 'E'])) {
        let sign = usize::from(rest.get(at + 1..).is_some_and(|s| s.starts_with(['+', '-'])));
        let exponent = many(at + 1 + sign);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_their_bytes() {
        let text = "SELECT \"a \"\"b\", 'it''s' -- no\n /* no */ FROM [x y]->>'$.é' WHERE n >= :größe AND 1.5e-3<>.5";
        let found = tokenize_sql(text);
        assert!(found.iter().all(|token| &text[token.start..token.end()] == token.text));
        let texts: Vec<&str> = found.iter().map(|token| token.text).collect();
        assert_eq!(
            texts,
            [
                "SELECT",
                "\"a \"\"b\"",
                ",",
                "'it''s'",
                "FROM",
                "[x y]",
                "->>",
                "'$.é'",
                "WHERE",
                "n",
                ">=",
                ":größe",
                "AND",
                "1.5e-3",
                "<>",
                ".5"
            ]
        );
        assert_eq!(found[1].to_unquoted(), "a \"b");
        assert_eq!(found[3].to_unquoted(), "it's");
    }

    #[test]
    fn what_is_not_sql_is_named() {
        assert_eq!(tokenize_sql("'open").first().map(|t| t.kind), Some(Kind::Unclosed));
        assert_eq!(tokenize_sql("{x}").first().map(|t| t.kind), Some(Kind::Stray));
        assert_eq!(tokenize_sql("a::int").get(1).map(|t| t.kind), Some(Kind::Stray));
    }
}
