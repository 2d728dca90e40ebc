//! Tokens of a source that need not make sense: for colours, and to tell where a cursor stands while something is being typed.
//!
//! It never fails and leaves nothing out: what is not understood is [`Kind::Other`]. Where a placeholder is not closed it ends before the
//! next line that begins a statement, so that half a line does not swallow the rest of the file.

mod embedded;

pub use embedded::{Embedded, Part, parts};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `# …` and `### …`
    Comment,
    /// `## …`
    Doc,
    /// A name or keyword.
    Word,
    /// A name in backticks.
    Quoted,
    /// A number, percentage, date or moment.
    Number,
    /// `"` or `"""` at the beginning of a string.
    Open,
    /// The text of a string.
    Text,
    /// `"` or `"""` at its end.
    Close,
    /// `<<`
    Begin,
    /// `>>`
    End,
    /// A query, whole.
    Sql,
    /// A JSONPath, whole.
    JsonPath,
    /// An XPath, whole.
    XPath,
    /// A sign.
    Punct,
    /// Anything else.
    Other,
}

/// Words that begin a statement or item at the head of a line, and stand nowhere else there.
const HEADS: [&str; 16] = [
    "prompt", "expect", "require", "variant", "task", "suite", "axis", "samples", "folder", "allow", "clutter",
    "domain", "csv", "tsv", "sqlite", "xlsx",
];

/// Words with which a query begins.
const SQL: [&str; 14] = [
    "select", "with", "values", "insert", "replace", "delete", "update", "drop", "create", "alter", "attach", "detach",
    "pragma", "explain",
];

/// What the scanner is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Single,
    Triple,
    /// A placeholder: whether it is `<<f: …>>`, and how many brackets are open in it.
    Placeholder {
        form: bool,
        depth: u32,
    },
}

/// The tokens of a text, in order, blanks left out.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, modes: Vec::new(), tokens: Vec::new(), fresh: false };
    while lexer.at < text.len() {
        lexer.step();
    }
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    modes: Vec<Mode>,
    tokens: Vec<Token>,
    /// An argument of a form begins here: raw text may.
    fresh: bool,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let end = (self.at + length).min(self.text.len());
        if end > self.at {
            self.tokens.push(Token { kind, start: self.at, end });
            self.at = end;
        }
    }

    fn step(&mut self) {
        match self.modes.last() {
            Some(Mode::Single) => self.string("\""),
            Some(Mode::Triple) => self.string("\"\"\""),
            Some(Mode::Placeholder { .. }) | None => self.code(),
        }
    }

    /// Inside a string.
    fn string(&mut self, close: &str) {
        let single = close.len() == 1;
        let mut length = 0;
        let mut chars = self.rest().char_indices();
        let mut ended = None;
        while let Some((at, c)) = chars.next() {
            length = at;
            let here = self.text.get(self.at + at..).unwrap_or("");
            if c == '\\' {
                // `\<<` is text.
                if here.starts_with("\\<<") {
                    chars.next();
                }
                chars.next();
            } else if here.starts_with("<<") {
                ended = Some((Kind::Begin, 2));
                break;
            } else if here.starts_with(close) && !(close.len() == 3 && here.starts_with("\"\"\"\"")) {
                ended = Some((Kind::Close, close.len()));
                break;
            } else if single && c == '\n' {
                // Never closed.
                ended = Some((Kind::Other, 0));
                break;
            }
            length = at + c.len_utf8();
        }
        if ended.is_none() {
            length = self.rest().len();
        }
        self.push(Kind::Text, length);
        match ended {
            Some((Kind::Begin, _)) => {
                self.push(Kind::Begin, 2);
                self.open_placeholder();
            }
            Some((Kind::Close, length)) => {
                self.push(Kind::Close, length);
                self.modes.pop();
            }
            Some(_) | None => {
                self.modes.pop();
            }
        }
    }

    fn open_placeholder(&mut self) {
        let rest = self.rest().trim_start();
        let name = word(rest);
        let form = name > 0 && rest.get(name..).is_some_and(|rest| rest.trim_start().starts_with(':'));
        self.modes.push(Mode::Placeholder { form, depth: 0 });
        self.fresh = false;
    }

    /// Outside of strings.
    fn code(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if first.is_whitespace() {
            let blanks = rest.len() - rest.trim_start().len();
            let newline = rest.get(..blanks).is_some_and(|blanks| blanks.contains('\n'));
            self.at += blanks;
            if newline && !self.modes.is_empty() && begins_statement(self.rest()) {
                self.modes.clear();
            }
            return;
        }
        if self.fresh
            && let Some((kind, length)) = self.raw()
        {
            self.push(kind, length);
            self.fresh = false;
            return;
        }
        if first != '#' {
            self.fresh = false;
        }
        let line = || rest.find('\n').unwrap_or(rest.len());
        if first == '#' {
            let doc = rest.starts_with("##") && !rest.starts_with("###");
            let length = line();
            return self.push(if doc { Kind::Doc } else { Kind::Comment }, length);
        }
        if first == '"' {
            let triple = rest.starts_with("\"\"\"");
            self.push(Kind::Open, if triple { 3 } else { 1 });
            return self.modes.push(if triple { Mode::Triple } else { Mode::Single });
        }
        if first == '`' {
            let inner = rest.get(1..line()).unwrap_or("");
            let length = inner.find('`').map_or(line(), |at| at + 2);
            return self.push(Kind::Quoted, length);
        }
        if rest.starts_with("<<") {
            self.push(Kind::Begin, 2);
            return self.open_placeholder();
        }
        if rest.starts_with(">>") && matches!(self.modes.last(), Some(Mode::Placeholder { .. })) {
            self.push(Kind::End, 2);
            self.modes.pop();
            return;
        }
        let name = word(rest);
        if name > 0 {
            return self.push(Kind::Word, name);
        }
        if first.is_ascii_digit() {
            let length = number(rest);
            return self.push(Kind::Number, length);
        }
        self.sign(first);
    }

    fn sign(&mut self, first: char) {
        if let Some(Mode::Placeholder { form, depth }) = self.modes.last_mut() {
            match first {
                '(' | '[' | '{' => *depth += 1,
                ')' | ']' | '}' => *depth = depth.saturating_sub(1),
                ':' | ',' if *form && *depth == 0 => self.fresh = true,
                _ => {}
            }
        }
        let two = ["==", "!=", "<=", ">=", "..", "->"].iter().any(|sign| self.rest().starts_with(sign));
        let length = if two { 2 } else { first.len_utf8() };
        self.push(if first.is_ascii() { Kind::Punct } else { Kind::Other }, length);
    }

    /// Raw text that begins here, and its length.
    fn raw(&self) -> Option<(Kind, usize)> {
        let rest = self.rest();
        let kind = match rest.chars().next()? {
            '$' => Kind::JsonPath,
            '/' if !rest.starts_with("/*") => Kind::XPath,
            _ if xpath_starts(rest) => Kind::XPath,
            _ => {
                let begun = skip_sql_comments(rest);
                let length = word(begun);
                let first = begun.get(..length)?.to_ascii_lowercase();
                // A name that is spelt like it: `with.x`, `values >>`.
                let after = begun.get(length..).unwrap_or("");
                let named = after.starts_with('.') || after.trim_start().starts_with([',', ':']);
                if !SQL.contains(&first.as_str()) || named {
                    return None;
                }
                Kind::Sql
            }
        };
        Some((kind, raw_length(rest, kind == Kind::Sql)))
    }
}

/// Whether an XPath begins here with brackets or functions: `(//name)[1]`, `count(//name)`.
fn xpath_starts(text: &str) -> bool {
    let (mut rest, mut opened) = (text, false);
    loop {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '-').trim_ascii_start();
        match behind.strip_prefix('(') {
            Some(inner) => (rest, opened) = (inner.trim_ascii_start(), true),
            None => return opened && rest.starts_with('/'),
        }
    }
}

/// Whether the first line of a text, which begins one in the source, begins a statement or ends a block, whatever was left open before.
pub fn begins_statement(text: &str) -> bool {
    let length = word(text);
    let after = text.get(length..).unwrap_or("");
    text.get(..length).is_some_and(|word| HEADS.contains(&word)) && after.starts_with([' ', '\t', '\n'])
        || text.starts_with('}')
}

/// The bytes of the name at the beginning of a text.
fn word(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return 0;
    }
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// The bytes of the number at the beginning of a text: `5`, `1_000`, `2.50`, `80%`, `2024-01-31`, `2024-01-31T10:00`.
fn number(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or("");
        from + rest.find(|c: char| !(c.is_ascii_digit() || c == '_')).unwrap_or(rest.len())
    };
    let shaped = |pattern: &str| {
        text.len() >= pattern.len()
            && text.bytes().zip(pattern.bytes()).all(|(byte, wanted)| match wanted {
                b'0' => byte.is_ascii_digit(),
                wanted => byte == wanted,
            })
    };
    for pattern in ["0000-00-00T00:00:00", "0000-00-00T00:00", "0000-00-00"] {
        if shaped(pattern) {
            return pattern.len();
        }
    }
    let mut end = digits(0);
    let rest = text.get(end..).unwrap_or("");
    if rest.starts_with('.') && rest.get(1..2).is_some_and(|next| next.bytes().all(|byte| byte.is_ascii_digit())) {
        end = digits(end + 1);
    }
    let exponent = text.get(end..).and_then(|rest| rest.strip_prefix(['e', 'E'])).unwrap_or("");
    let sign = usize::from(exponent.starts_with(['+', '-']));
    if exponent.get(sign..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        let rest = exponent.get(sign..).unwrap_or("");
        return end + 1 + sign + rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    }
    if text.get(end..).is_some_and(|rest| rest.starts_with('%')) { end + 1 } else { end }
}

/// A query without the comments that it begins with.
fn skip_sql_comments(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let after = if rest.starts_with("--") {
            rest.find('\n').map(|at| at + 1)
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|at| at + 2)
        } else {
            return rest;
        };
        rest = after.and_then(|at| rest.get(at..)).unwrap_or("");
    }
}

/// Up to the `>>` that ends raw text, or, where there is none, to the end of the line.
fn raw_length(text: &str, sql: bool) -> usize {
    let mut at = 0;
    let mut depth = 0_u32;
    let end_of_line = || text.find('\n').unwrap_or(text.len());
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        if rest.starts_with(">>") && depth == 0 && !(sql && text.get(..at).is_some_and(|before| before.ends_with('-')))
        {
            return text.get(..at).map_or(at, |raw| raw.trim_end().len());
        }
        at += match c {
            // Quotes that close on their own line.
            '\'' | '"' | '`' => {
                let line = rest.get(1..).and_then(|inner| inner.split('\n').next()).unwrap_or("");
                line.find(c).map_or(1, |closed| closed + 2)
            }
            '(' => {
                depth += 1;
                1
            }
            ')' => {
                depth = depth.saturating_sub(1);
                1
            }
            // As in the grammar, brackets of the language do not stand within parentheses: these were never closed.
            '{' | '}' if depth > 0 => return end_of_line(),
            '-' if sql && rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '/' if sql && rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |closed| closed + 2),
            other => other.len_utf8(),
        };
    }
    end_of_line()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> Vec<(Kind, &str)> {
        tokens(text).into_iter().map(|token| (token.kind, &text[token.start..token.end])).collect()
    }

    #[test]
    fn raw_text_is_told_apart() {
        use Kind as K;
        let text = "x = <<sqlite_query: db, SELECT a->>'$.b' FROM t WHERE (c >> 1) = ')'>>\ny = <<json_path: f, $.a[?@.b > 1]>>";
        let kinds: Vec<(Kind, &str)> = shown(text).into_iter().filter(|(kind, _)| *kind != K::Punct).collect();
        assert_eq!(
            kinds,
            [
                (K::Word, "x"),
                (K::Begin, "<<"),
                (K::Word, "sqlite_query"),
                (K::Word, "db"),
                (K::Sql, "SELECT a->>'$.b' FROM t WHERE (c >> 1) = ')'"),
                (K::End, ">>"),
                (K::Word, "y"),
                (K::Begin, "<<"),
                (K::Word, "json_path"),
                (K::Word, "f"),
                (K::JsonPath, "$.a[?@.b > 1]"),
                (K::End, ">>"),
            ]
        );
    }

    #[test]
    fn strings_hold_placeholders() {
        use Kind as K;
        assert_eq!(
            shown("\"a <<b>> \\<<c\" 2.50..3"),
            [
                (K::Open, "\""),
                (K::Text, "a "),
                (K::Begin, "<<"),
                (K::Word, "b"),
                (K::End, ">>"),
                (K::Text, " \\<<c"),
                (K::Close, "\""),
                (K::Number, "2.50"),
                (K::Punct, ".."),
                (K::Number, "3"),
            ]
        );
    }

    #[test]
    fn an_open_placeholder_ends_before_the_next_statement() {
        let text = "x = <<count: hr.\n  prompt \"a\"";
        assert_eq!(shown(text).last(), Some(&(Kind::Close, "\"")));
    }

    proptest! {
        /// Tokens stand in order and apart, on characters, and leave out nothing but blanks.
        #[test]
        fn nothing_is_left_out(pieces in proptest::collection::vec(proptest::sample::select(vec![
            "\"", "\"\"\"", "<<", ">>", "f:", "SELECT ", "$.a", "/b", "(", ")", "'", "`", "\\", "\n", " ", "prompt ", "ä", "😀", "#", "##x", "1.5%", "{", "}", ",",
        ]), 0..30)) {
            let text = pieces.concat();
            let mut at = 0;
            for token in tokens(&text) {
                prop_assert!(token.start >= at && token.end > token.start);
                prop_assert!(text.get(at..token.start).is_some_and(|gap| gap.trim().is_empty()), "{:?}", &text);
                prop_assert!(text.is_char_boundary(token.end));
                for part in parts(&text, token) {
                    prop_assert!(part.end > part.start && text.get(part.start..part.end).is_some());
                }
                at = token.end;
            }
            prop_assert!(text[at..].trim().is_empty());
        }
    }
}
