//! Strings and raw text of several lines: how they move with the line they begin on without changing their value.

use crate::ast::{Piece, Raw, StringLit};
use crate::lex::{Embedded, Kind, Token, lex_raw_parts};
use crate::parse::cook::{BLANKS, count_blanks};

/// A line of a string, after the first.
pub(super) struct Row<'a> {
    /// The number of leading blanks; the requested indentation if the line may be moved.
    pub indent: usize,
    /// The rest of the line.
    pub text: &'a str,
}

/// Indents the lines of a `"""…"""` after the first: the indentation that the language removes from every line is replaced with `indent` blanks. `source` is
/// the text of the string.
///
/// See [`StringLit::cook`] for the removed indentation. Lines inside placeholders are not changed.
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
            // All lines are blank, so no indentation is removed.
            None => Row { indent: 0, text: line.text },
            Some(_) if rest.is_empty() => Row { indent: 0, text: "" },
            Some(_) => Row { indent, text: rest },
        }
    };
    lines.into_iter().enumerate().map(row).collect()
}

/// A line of a string after the first, as in the source.
struct Written<'a> {
    text: &'a str,
    /// Whether it begins in text, not in a placeholder.
    in_text: bool,
    /// Whether its indentation counts for the common indentation.
    counts: bool,
}

fn split_lines<'a>(string: &StringLit, source: &'a str) -> Vec<Written<'a>> {
    let start = string.span.start as usize;
    // The ranges of the text pieces in `source`.
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
        // The preceding line break is inside a text piece or is its last character.
        let in_text = texts.iter().any(|(first, behind)| *first < from && from <= *behind);
        let says = from + count_blanks(text);
        let blank = end == Some(says) || says == close;
        lines.push(Written { text, in_text, counts: in_text && string.triple && !blank });
        at = end.map(|end| end + 1);
    }
    lines
}

/// Whether the lines of raw text may be moved: only if no line begins inside quotes.
pub(super) fn may_move(raw: &Raw) -> bool {
    let stays = |part: &Token| part.text(&raw.text).contains('\n');
    let parts = lex_raw_parts(&raw.text, raw.kind);
    !parts.iter().any(|part| !matches!(part.kind, Kind::Embedded(Embedded::Blank | Embedded::Comment)) && stays(part))
}
