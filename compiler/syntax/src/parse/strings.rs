//! Parsing of strings: their pieces, and checks of their escapes.

use super::ast_builder::AstBuilder;
use super::grammar::{Pair, Rule};
use crate::ast::{Cooked, Expr, Piece, Span, StringLit};
use crate::diagnostics::{Applicability, Code, Diagnostic};

impl AstBuilder<'_> {
    /// Parses a string, with its placeholders.
    pub fn parse_string(&mut self, pair: Pair<'_>) -> StringLit {
        let span = self.span(&pair);
        let mut triple = false;
        let mut pieces = Vec::new();
        for quoted in pair.into_inner() {
            triple = quoted.as_rule() == Rule::triple;
            for piece in quoted.into_inner() {
                let place = self.base + piece.as_span().start();
                let place = self.make_span(place, place + piece.as_str().len());
                match piece.as_rule() {
                    Rule::held => {
                        if let Some(held) = piece.into_inner().next() {
                            pieces.push(Piece::Placeholder(self.parse_placeholder(held)));
                        }
                    }
                    _ => {
                        self.check_escapes(piece.as_str(), place);
                        pieces.push(Piece::Text(piece.as_str().to_owned(), place));
                    }
                }
            }
        }
        StringLit { pieces, triple, span }
    }

    /// Parses `'…'`, which is not a string here: reports it, and treats it as one.
    pub fn parse_single_quoted(&mut self, pair: &Pair<'_>) -> StringLit {
        let span = self.span(pair);
        let inner = pair.as_str().trim_matches('\'');
        self.report(explain_single_quotes(inner, span).help("single quotes are for text inside SQL"));
        let text = self.make_span(span.start as usize + 1, (span.end as usize).saturating_sub(1));
        let pieces = if inner.is_empty() { Vec::new() } else { vec![Piece::Text(inner.to_owned(), text)] };
        StringLit { pieces, triple: false, span }
    }

    /// The text of a string without placeholders, for keys.
    pub fn extract_plain_text(string: &StringLit) -> Option<String> {
        let text = |piece| match piece {
            Cooked::Text(text) => Some(text),
            Cooked::Placeholder(_) => None,
        };
        string.cook().into_iter().map(text).collect()
    }

    fn check_escapes(&mut self, text: &str, place: Span) {
        let mut rest = text;
        while let Some(found) = rest.find('\\') {
            let start = place.start as usize + (text.len() - rest.len()) + found;
            let tail = &rest[found..];
            let escape = read_escape(tail);
            if escape.value.is_none() {
                let span = self.make_span(start, start + escape.len);
                self.report_bad_escape(span);
            }
            rest = &tail[escape.len..];
        }
    }

    fn report_bad_escape(&mut self, span: Span) {
        let escape = self.text(span);
        if escape == "\\" {
            self.push_diagnostic(
                Diagnostic::new(Code::BAD_ESCAPE, "a `\\` is at the end of its line", span, "escapes nothing")
                    .help("a newline does not need an escape in `\"\"\"`; for a backslash, write `\\\\`")
                    .fix("write a backslash", Applicability::Unsafe, span, "\\\\"),
            );
            return;
        }
        let diagnostic = Diagnostic::new(Code::BAD_ESCAPE, format!("`{escape}` is not an escape sequence"), span, "")
            .help("the escapes are `\\n`, `\\t`, `\\\"`, `\\\\`, `\\<<` and `\\u{…}` with the number of a character");
        let diagnostic = match escape.strip_prefix('\\') {
            Some(rest) if !rest.starts_with('u') => {
                diagnostic.fix("write a backslash", Applicability::Unsafe, span, format!("\\\\{rest}"))
            }
            _ => diagnostic,
        };
        self.push_diagnostic(diagnostic);
    }

    /// Creates the node for a missing string.
    pub fn make_missing_string(&self, before: Span) -> StringLit {
        StringLit { pieces: Vec::new(), triple: false, span: before.shrink_to_end() }
    }

    /// Parses the string of an expression, or creates a missing one if it is not a string.
    pub fn parse_string_or_missing(&mut self, pair: Option<Pair<'_>>, before: Span) -> StringLit {
        match pair {
            Some(pair) if pair.as_rule() == Rule::string => self.parse_string(pair),
            Some(pair) if pair.as_rule() == Rule::quoted_wrongly => self.parse_single_quoted(&pair),
            _ => self.make_missing_string(before),
        }
    }

    /// Parses a string as an expression.
    pub fn parse_string_expr(&mut self, pair: Pair<'_>) -> Expr {
        let string = self.parse_string(pair);
        Expr { span: string.span, kind: crate::ast::ExprKind::String(string) }
    }
}

/// Builds the diagnostic for the text `inner` in single quotes; without a fix if it contains what would need an escape.
pub(super) fn explain_single_quotes(inner: &str, span: Span) -> Diagnostic {
    let said = Diagnostic::new(Code::SYNTAX, "single quotes do not mark a string", span, "in single quotes");
    if inner.contains(['"', '\\']) {
        return said;
    }
    said.fix("use double quotes", Applicability::Safe, span, format!("\"{inner}\""))
}

/// An escape: a backslash and the following characters that belong to it.
pub(super) struct Escape {
    /// Its length in bytes, including the backslash.
    pub len: usize,
    /// Its value; `None` if this escape does not exist.
    pub value: Option<Resolved>,
}

/// The value of an escape.
pub(super) enum Resolved {
    /// One character.
    Char(char),
    /// `<<`
    Opening,
}

/// Parses the escape at the start of `text`, which begins with a backslash.
pub(super) fn read_escape(text: &str) -> Escape {
    let rest = text.get(1..).unwrap_or("");
    if rest.starts_with("<<") {
        return Escape { len: 3, value: Some(Resolved::Opening) };
    }
    let first = match rest.chars().next() {
        None | Some('\n' | '\r') => return Escape { len: text.len().min(1), value: None },
        Some(first) => first,
    };
    let len = 1 + first.len_utf8();
    let plain = |c| Escape { len, value: Some(Resolved::Char(c)) };
    match first {
        'n' => plain('\n'),
        't' => plain('\t'),
        '"' => plain('"'),
        '\\' => plain('\\'),
        'u' if rest.starts_with("u{") => {
            let digits: String = rest[2..].chars().take_while(char::is_ascii_hexdigit).take(8).collect();
            if rest[2 + digits.len()..].starts_with('}') {
                let value = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).map(Resolved::Char);
                Escape { len: 1 + 2 + digits.len() + 1, value }
            } else {
                Escape { len: 1 + 2 + digits.len(), value: None }
            }
        }
        _ => Escape { len, value: None },
    }
}
