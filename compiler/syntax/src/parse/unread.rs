//! Text that could not be parsed: its lines, and the names that they may declare, whose uses are not reported.

use std::collections::BTreeSet;

use super::ast_builder::AstBuilder;
use crate::ast::{Span, Unread};
use crate::lex::{self, Kind, Token};

impl AstBuilder<'_> {
    /// Marks the lines from `start` to `end` as not parsed as intended.
    pub fn mark_lines_unread(&mut self, start: usize, end: usize) {
        let line = self.source.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let span = self.make_span(line, self.end_of_line(end));
        // Most lines with an error have several.
        if self.unread.last().is_some_and(|last| last.span == span) {
            return;
        }
        let declares = collect_declared(self.text(span));
        self.unread.push(Unread { span, declares });
    }

    /// The start of the last character of a span; for a closed block, this is its bracket.
    pub fn find_last_char(&self, span: Span) -> usize {
        let last = self.text(span).chars().next_back().map_or(0, char::len_utf8);
        span.end as usize - last
    }

    /// Marks the rest of the file from `start` on, because it is not known what it belongs to.
    pub fn mark_rest_unread(&mut self, start: usize) {
        self.mark_range_unread(start, self.source.len());
    }

    /// Marks the text between two positions, which may belong to either side; its declarations are parsed, so no names are recorded.
    pub fn mark_range_unread(&mut self, start: usize, end: usize) {
        let span = self.make_span(start, end);
        self.unread.push(Unread { span, declares: BTreeSet::new() });
    }
}

/// The names that lines may declare.
fn collect_declared(lines: &str) -> BTreeSet<String> {
    let lexed = lex::guess_tokens(lines);
    let tokens: Vec<&Token> = lexed.iter_code().collect();
    let own = tokens.chunk_by(|_, next| !next.first).flat_map(|line| collect_declared_in_line(line, lines));
    let mut names: BTreeSet<String> = own.collect();
    // The lines inside an unclosed string are searched too.
    for (_, start) in &lexed.unclosed {
        let token = tokens.get(tokens.partition_point(|token| token.start < *start));
        let Some((_, inside)) = token.map_or("", |token| token.text(lines)).split_once('\n') else { continue };
        let lexed = lex::guess_tokens(inside);
        let tokens: Vec<&Token> = lexed.iter_code().collect();
        names.extend(tokens.chunk_by(|_, next| !next.first).flat_map(|line| collect_declared_in_line(line, inside)));
    }
    names
}

/// The names that one line may declare: the first two words, and the first two after each `{`; the names in a list with commas at these positions; and names
/// before `:`, `=`, and `at`. A file without a name probably has the name of its path.
fn collect_declared_in_line(line: &[&Token], source: &str) -> BTreeSet<String> {
    let text = |token: &Token| token.text(source).trim_matches('`').to_owned();
    let mut names = BTreeSet::new();
    let (mut words, mut row) = (0, true);
    for (index, token) in line.iter().enumerate() {
        let sign = line.get(index + 1).map_or("", |next| next.text(source));
        if matches!(token.kind, Kind::Word | Kind::Quoted) {
            words += 1;
            if words <= 2 || matches!(sign, ":" | "=" | "at") || row && sign == "," {
                names.insert(text(token));
            }
        } else if token.kind == Kind::Open(b'{') {
            (words, row) = (0, true);
        } else {
            row &= token.text(source) == ",";
        }
    }
    if line.iter().any(|token| token.text(source) == "at") {
        let paths = line.iter().filter(|token| token.kind == Kind::Text);
        let stem = |path: &&Token| {
            let name = path.text(source).trim_matches('"').rsplit('/').next()?;
            name.split('.').next().map(str::to_owned)
        };
        names.extend(paths.filter_map(stem));
    }
    names
}
