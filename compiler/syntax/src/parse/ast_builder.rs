//! The base of all tree builders: spans, names, commas, and diagnostics.

use super::grammar::{Pair, Rule};
use super::limits::{HOPELESS, MAX_CALLS};
use crate::ast::{Doc, Expr, ExprKind, Ident, SourceId, Span, Unread};
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::END_OF_LINE;
use crate::words;

/// What a declared name is the name of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameOf {
    /// A value of the task or file, so the name must not start a statement.
    Value,
    /// A suite, domain, task, variant, or column, or a table inside a file.
    Part,
}

/// Converts pest's pairs to the tree of [`crate::ast`].
pub(super) struct AstBuilder<'s> {
    /// The text of the whole file.
    pub source: &'s str,
    /// The file's id.
    pub file: SourceId,
    /// The spans of the comments, in order.
    pub comments: &'s [Span],
    /// The offset in `source` of the text that was passed to pest.
    pub base: usize,
    /// Whether `fn` may be declared.
    pub library: bool,
    /// The diagnostics so far.
    pub diagnostics: Vec<Diagnostic>,
    /// The parts that could not be parsed so far.
    pub unread: Vec<Unread>,
    /// The end of the last line on which syntax of another language was reported; missing commas before it are not reported.
    pub foreign_until: usize,
    /// The maximum number of rule attempts in one parse.
    pub most_calls: usize,
}

impl<'s> AstBuilder<'s> {
    /// Returns a builder for a text of which nothing has been parsed.
    pub fn new(source: &'s str, file: SourceId, comments: &'s [Span]) -> Self {
        AstBuilder {
            source,
            file,
            comments,
            base: 0,
            library: false,
            diagnostics: Vec::new(),
            unread: Vec::new(),
            foreign_until: 0,
            most_calls: MAX_CALLS,
        }
    }

    /// The range of bytes `start..end` of the file.
    pub fn make_span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end.max(start) as u32)
    }

    /// The span of a pair, without blanks and comments at its end.
    pub fn span(&self, pair: &Pair<'_>) -> Span {
        let range = pair.as_span();
        let start = self.base + range.start();
        self.make_span(start, self.trim_end(start, self.base + range.end()))
    }

    /// The span from the start of `first` to the trimmed end of `whole`.
    pub fn join_span(&self, first: Span, whole: &Pair<'_>) -> Span {
        let end = self.base + whole.as_span().end();
        self.make_span(first.start as usize, self.trim_end(first.start as usize, end))
    }

    /// The end of `start..end` without trailing blanks and comments.
    pub fn trim_end(&self, start: usize, mut end: usize) -> usize {
        loop {
            let text = self.source.get(start..end).unwrap_or("");
            end = start + text.trim_end_matches([' ', '\t', '\r', '\n']).len();
            let before = self.comments.partition_point(|comment| (comment.end as usize) < end);
            match self.comments.get(before) {
                Some(comment) if comment.end as usize == end && comment.start as usize >= start && end > start => {
                    end = comment.start as usize;
                }
                _ => return end,
            }
        }
    }

    /// The text of a range.
    pub fn text(&self, span: Span) -> &'s str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Records an error because of which its line may have been parsed wrongly.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let start = diagnostic.primary.span.start as usize;
        self.mark_lines_unread(start, start);
        self.push_diagnostic(diagnostic);
    }

    /// Records an error in a value that was parsed nevertheless, unless there are already too many.
    pub fn push_diagnostic(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < 2 * HOPELESS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Parses a name in any rule that contains one.
    pub fn parse_ident(&self, pair: &Pair<'_>) -> Ident {
        match pair.as_rule() {
            Rule::decl | Rule::key | Rule::type_word | Rule::setting_key | Rule::domain_name | Rule::root => {
                match pair.clone().into_inner().rfind(|inner| inner.as_rule() != Rule::attribute) {
                    Some(inner) => self.parse_ident(&inner),
                    None => self.parse_plain_ident(pair),
                }
            }
            Rule::quoted_name => {
                let text = pair.as_str().trim_matches('`').to_owned();
                Ident { text, span: self.span(pair), quoted: true }
            }
            _ => self.parse_plain_ident(pair),
        }
    }

    fn parse_plain_ident(&self, pair: &Pair<'_>) -> Ident {
        let span = self.span(pair);
        Ident { text: self.text(span).to_owned(), span, quoted: false }
    }

    /// Parses a declared name. It must not be a reserved word.
    pub fn parse_declared(&mut self, pair: &Pair<'_>, of: NameOf) -> Ident {
        let ident = self.parse_ident(pair);
        self.check_declared(ident, of)
    }

    /// Like [`AstBuilder::parse_declared`], for a name that is already parsed.
    pub fn check_declared(&mut self, ident: Ident, of: NameOf) -> Ident {
        if ident.quoted {
            return ident;
        }
        let problem = if words::is_reserved(&ident.text) {
            format!("`{}` is a reserved word and cannot be a name", ident.text)
        } else if of == NameOf::Value && words::is_taken_name(&ident.text) {
            format!("`{}` starts a statement and cannot be the name of a value", ident.text)
        } else {
            return ident;
        };
        self.report(
            Diagnostic::new(Code::RESERVED_WORD, problem, ident.span, "declared here")
                .help(format!("choose another name, such as `{0}_` or `the_{0}`", ident.text)),
        );
        ident
    }

    /// Joins the `##` lines before an item into one text.
    pub fn parse_doc(&self, docs: &[Pair<'_>]) -> Option<Doc> {
        let (first, last) = (docs.first()?, docs.last()?);
        let lines: Vec<&str> = docs.iter().map(|doc| doc.as_str()).collect();
        let end = self.base + last.as_span().start() + last.as_str().trim_end_matches(END_OF_LINE).len();
        Some(Doc { text: join_doc_lines(&lines)?, span: self.make_span(self.base + first.as_span().start(), end) })
    }

    /// Splits leading `##` lines from the rest.
    pub fn split_doc<'p>(&self, pair: Pair<'p>) -> (Option<Doc>, Vec<Pair<'p>>) {
        let (docs, rest): (Vec<_>, Vec<_>) = pair.into_inner().partition(|inner| inner.as_rule() == Rule::doc);
        (self.parse_doc(&docs), rest)
    }

    /// Reports that a value is missing, and returns a placeholder node.
    pub fn report_missing_expr(&mut self, before: Span, what: &str) -> Expr {
        self.report_missing(before, what);
        self.make_hole(before)
    }

    /// Creates the node for a missing value.
    pub fn make_hole(&self, before: Span) -> Expr {
        Expr { kind: ExprKind::Missing, span: before.shrink_to_end() }
    }

    /// Reports that something is missing after `before`.
    pub fn report_missing(&mut self, before: Span, what: &str) {
        let after = self.text(before);
        let message =
            if after.is_empty() { format!("{what} is missing") } else { format!("{what} is missing after `{after}`") };
        self.report(Diagnostic::new(Code::MISSING_VALUE, message, before.shrink_to_end(), "missing here"));
    }

    /// Parses the items of a list or an object, of which `parse` parses each.
    pub fn parse_separated<'p, T>(
        &mut self,
        pair: Pair<'p>,
        mut parse: impl FnMut(&mut Self, Pair<'p>) -> Option<T>,
    ) -> Vec<T> {
        let (mut items, mut last) = (Vec::new(), None);
        for inner in pair.into_inner() {
            if inner.as_rule() == Rule::comma {
                self.check_comma(&inner, last);
                continue;
            }
            last = Some(self.span(&inner));
            items.extend(parse(self, inner));
        }
        items
    }

    /// Reports a missing comma between two items of a list or an object. The fix is not safe between items on one line, because something else may be intended.
    pub fn check_comma(&mut self, pair: &Pair<'_>, before: Option<Span>) {
        // Only where it is missing: looking for the end of the line at each comma would be quadratic in a long list.
        let safe = !pair.as_str().starts_with(',') && before.is_some_and(|before| self.is_last_on_line(before));
        self.check_separator(pair, before, if safe { Applicability::Safe } else { Applicability::Unsafe });
    }

    /// Reports a missing comma between two items; `applicability` is that of the fix.
    pub fn check_separator(&mut self, pair: &Pair<'_>, before: Option<Span>, applicability: Applicability) {
        if pair.as_str().starts_with(',') {
            return;
        }
        let Some(before) = before else { return };
        if (before.end as usize) < self.foreign_until {
            return;
        }
        if let Some(said) = self.explain_foreign(before) {
            self.foreign_until = self.end_of_line(before.end as usize);
            return self.report(said);
        }
        let place = before.shrink_to_end();
        let said = Diagnostic::new(Code::SYNTAX, "a comma is missing", place, "between these two");
        self.report(said.fix("insert a comma", applicability, place, ","));
    }

    /// Whether `before` ends its line, except for a comment.
    fn is_last_on_line(&self, before: Span) -> bool {
        let line =
            self.source.get(before.end as usize..self.end_of_line(before.end as usize)).unwrap_or("").trim_start();
        line.is_empty() || line.starts_with('#')
    }

    /// The end of the line that contains a position.
    pub fn end_of_line(&self, from: usize) -> usize {
        let rest = self.source.get(from..).unwrap_or("");
        rest.find('\n').map_or(self.source.len(), |length| from + length)
    }
}

/// Joins `##` lines, without their markers, into one text.
pub(super) fn join_doc_lines(lines: &[&str]) -> Option<String> {
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| {
            let line = line.trim_start_matches('#').trim_end_matches(END_OF_LINE);
            line.strip_prefix(' ').unwrap_or(line)
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
