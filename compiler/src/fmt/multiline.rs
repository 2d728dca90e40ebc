//! Strings and raw text that run over several lines: how they move with the line they begin on, and mean the same.

use crate::ast::{Piece, Raw, StringLit};
use crate::syntax::lex::{Embedded, Kind, Token, lex_raw_parts};

const BLANKS: [char; 2] = [' ', '\t'];

/// A line of a string, after its first.
pub(super) struct Row<'a> {
    /// Blanks in front: those asked for, where the line may be moved.
    pub indent: usize,
    /// The rest.
    pub text: &'a str,
}

/// The lines of a `"""…"""` after its first, as `source` has them; the indentation that the language removes from every
/// line is replaced by `indent` blanks.
///
/// See [`StringLit::cook`] for what that is. Lines inside of placeholders stay as they are.
pub(super) fn reindent_string<'a>(string: &StringLit, source: &'a str, indent: usize) -> Vec<Row<'a>> {
    let lines: Vec<Written<'a>> = split_lines(string, source);
    let common = lines.iter().filter(|line| line.counts).map(|line| count_blanks(line.text)).min();
    let last = lines.len().saturating_sub(1);
    let row = |(number, line): (usize, Written<'a>)| {
        let taken = count_blanks(line.text).min(common.unwrap_or(0));
        let rest = line.text.get(taken..).unwrap_or("");
        let closing = number == last && !line.counts && line.in_text;
        match common {
            _ if !line.in_text => Row { indent: 0, text: line.text },
            _ if closing => Row { indent, text: line.text.trim_start_matches(BLANKS) },
            // No line says anything: nothing is taken off.
            None => Row { indent: 0, text: line.text },
            Some(_) if rest.is_empty() => Row { indent: 0, text: "" },
            Some(_) => Row { indent, text: rest },
        }
    };
    lines.into_iter().enumerate().map(row).collect()
}

/// A line of a string after its first, as it is in the source.
struct Written<'a> {
    text: &'a str,
    /// It begins in text, not in a placeholder.
    in_text: bool,
    /// Its blanks count for what all lines have in common.
    counts: bool,
}

fn split_lines<'a>(string: &StringLit, source: &'a str) -> Vec<Written<'a>> {
    let start = string.span.start as usize;
    // Where the text pieces are, in `source`.
    let texts: Vec<(usize, usize)> = string
        .pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Text(_, span) => Some(((span.start as usize) - start, (span.end as usize) - start)),
            Piece::Placeholder(_) => None,
        })
        .collect();
    let close = source.len() - if string.triple { 3 } else { 1 };
    let mut lines = Vec::new();
    let mut at = source.find('\n').map(|found| found + 1);
    while let Some(from) = at {
        let rest = source.get(from..).unwrap_or("");
        let end = rest.find('\n').map(|found| from + found);
        let text = source.get(from..end.unwrap_or(source.len())).unwrap_or("");
        // The line break before the line is the last character of a piece, or within it.
        let in_text = texts.iter().any(|(first, behind)| *first < from && from <= *behind);
        let says = from + count_blanks(text);
        let blank = end == Some(says) || says == close;
        lines.push(Written { text, in_text, counts: in_text && string.triple && !blank });
        at = end.map(|end| end + 1);
    }
    lines
}

fn count_blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(BLANKS).len()
}

/// Whether the lines of raw text may be moved: not where one begins inside of quotes.
pub(super) fn may_move(raw: &Raw) -> bool {
    let stays = |part: &Token| part.text(&raw.text).contains('\n');
    let parts = lex_raw_parts(&raw.text, raw.kind);
    !parts.iter().any(|part| !matches!(part.kind, Kind::Embedded(Embedded::Blank | Embedded::Comment)) && stays(part))
}
