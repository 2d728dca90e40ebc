//! Syntax of other languages after a value: `is null`, `between`, `like`, `["column"]`. It is reported where a comma, or nothing, could follow.

use super::ast_builder::AstBuilder;
use crate::ast::Span;
use crate::diagnostics::wording::quote_ident;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::{self, Kind, Token};
use crate::words::split_first_word;

impl AstBuilder<'_> {
    /// Explains syntax of another language directly after the value `before`, if there is any.
    pub fn explain_foreign(&self, before: Span) -> Option<Diagnostic> {
        let value = find_last_operand(self.text(before));
        if let Some(said) = self.explain_capitals(before) {
            return Some(said);
        }
        let start = before.end as usize;
        let line = self.source.get(start..self.end_of_line(start))?;
        let rest = line.trim_start_matches([' ', '\t']);
        let at = start + (line.len() - rest.len());
        if at == start && rest.starts_with('[') {
            return self.explain_subscript(before, rest);
        }
        let (word, behind) = split_first_word(rest);
        let span = |length: usize| self.make_span(at, at + length);
        let said = |what: String, length: usize| {
            Diagnostic::new(Code::SYNTAX, what, span(length), "syntax of another language")
        };
        match word.to_ascii_lowercase().as_str() {
            "is" => {
                let (null, length) = parse_null_test(behind)?;
                let length = word.len() + length;
                let sign = if null { "== null" } else { "!= null" };
                let written = if null { "is null" } else { "is not null" };
                Some(
                    said(format!("`{written}` is not a comparison in `.pcd`"), length)
                        .help(format!("compare with null: `{value} {sign}`"))
                        .fix(
                            format!("replace `{}` with `{sign}`", rest.get(..length)?),
                            Applicability::Safe,
                            span(length),
                            sign,
                        ),
                )
            }
            "between" => {
                let help = match parse_bounds(behind) {
                    Some((low, high)) => format!("compare with both bounds: `{value} >= {low} and {value} <= {high}`"),
                    None => format!("compare with both bounds, `{value} >= …` and `{value} <= …`"),
                };
                Some(said("`between` is not an operator in `.pcd`".to_owned(), word.len()).help(help))
            }
            "like" => Some(said("`like` is not an operator in `.pcd`".to_owned(), word.len()).help(format!(
                "use a function: `contains({value}, …)`, `starts_with({value}, …)`, or `ends_with({value}, …)`"
            ))),
            "filter" => Some(
                said("`filter` is not a keyword in `.pcd`".to_owned(), word.len())
                    .help(format!("a condition on rows is written after `where`: `{} where …`", self.text(before))),
            ),
            _ => None,
        }
    }

    /// Explains `AND`, `OR`, `NOT`, and `IN` in uppercase: the last word of `before`, or the next word, together with all others on the rest of the line.
    fn explain_capitals(&self, before: Span) -> Option<Diagnostic> {
        let text = self.text(before);
        let rest = self.source.get(before.end as usize..)?;
        let start = match text.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next() {
            Some(last) if is_capital(last) => before.end as usize - last.len(),
            _ => before.end as usize + (rest.len() - rest.trim_start_matches([' ', '\t']).len()),
        };
        let line = self.source.get(start..self.end_of_line(start))?;
        let lexed = lex::guess_tokens(line);
        let word = |token: &&Token| token.kind == Kind::Word && is_capital(token.text(line));
        let all: Vec<&Token> = lexed.iter_code().filter(word).collect();
        let first = all.first().filter(|first| first.start == 0)?;
        let written = first.text(line);
        let span = |token: &Token| self.make_span(start + token.start as usize, start + token.end as usize);
        let small = written.to_ascii_lowercase();
        let edits = all.iter().map(|token| (span(token), token.text(line).to_ascii_lowercase()));
        let message =
            if all.len() == 1 { format!("replace with `{small}`") } else { "write all in small letters".to_owned() };
        Some(
            Diagnostic::new(
                Code::SYNTAX,
                format!("`{written}` is written in small letters"),
                span(first),
                "in capital letters",
            )
            .help(format!("write `{small}`"))
            .fix_with_edits(message, Applicability::Safe, edits),
        )
    }

    /// `hr["AGE"]`
    fn explain_subscript(&self, before: Span, rest: &str) -> Option<Diagnostic> {
        let value = self.text(before);
        let name =
            value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '`') && !value.ends_with(')');
        let inner = rest.strip_prefix("[\"")?;
        let (column, behind) = inner.split_once('"')?;
        if !name || !behind.starts_with(']') || column.is_empty() || column.contains(['`', '\\', '<']) {
            return None;
        }
        let written = quote_ident(column);
        let span = self.make_span(before.end as usize, before.end as usize + column.len() + 4);
        Some(
            Diagnostic::new(
                Code::SYNTAX,
                format!("`[\"{column}\"]` does not select a column"),
                span,
                "syntax of another language",
            )
            .help(format!("select it with a dot: {value}.{written}"))
            .fix(format!("replace with .{written}"), Applicability::Safe, span, format!(".{written}")),
        )
    }
}

/// Whether a word is an operator in uppercase.
pub(super) fn is_capital(word: &str) -> bool {
    matches!(word, "AND" | "OR" | "NOT" | "IN")
}

/// The last operand of a text: `PAY` in `hr where OK and PAY`.
fn find_last_operand(text: &str) -> &str {
    const WORDS: [&str; 8] = ["where", "and", "or", "not", "if", "then", "else", "require"];
    let starts = WORDS.iter().filter_map(|word| {
        let at = text.rfind(&format!("{word} "))?;
        let whole =
            text.get(..at).is_some_and(|before| !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        whole.then_some(at + word.len())
    });
    let rest = starts.max().and_then(|start| text.get(start..)).unwrap_or(text).trim_start();
    // A string may contain such words too.
    if rest.matches('"').count() % 2 == 0 { rest } else { text }
}

/// Whether a text begins with `null` (true) or `not null` (false), and the length of that beginning.
fn parse_null_test(text: &str) -> Option<(bool, usize)> {
    let blanks = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    let mut at = blanks(text);
    let (word, _) = split_first_word(text.get(at..)?);
    at += word.len();
    if word.eq_ignore_ascii_case("null") {
        return Some((true, at));
    }
    if !word.eq_ignore_ascii_case("not") {
        return None;
    }
    at += blanks(text.get(at..)?);
    let (word, _) = split_first_word(text.get(at..)?);
    word.eq_ignore_ascii_case("null").then_some((false, at + word.len()))
}

/// The bounds of `20 and 30`, if both are single words.
fn parse_bounds(text: &str) -> Option<(&str, &str)> {
    let plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-\"".contains(&byte))
    };
    let mut words = text.split_ascii_whitespace();
    let (low, and, high) = (words.next()?, words.next()?, words.next()?);
    let high = high.trim_end_matches([')', ',', ']']);
    (and.eq_ignore_ascii_case("and") && plain(low) && plain(high)).then_some((low, high))
}
