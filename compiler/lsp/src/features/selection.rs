//! Expanding a selection from the word under the cursor outward, node by node.

use compiler::ast::{Node, visit_nodes};
use compiler::syntax::lex::{self, Kind};
use gen_lsp_types as lsp;

use crate::state::State;

/// Returns the enclosing ranges of each position, innermost first.
pub fn handle_selection_range(
    state: &mut State,
    params: lsp::SelectionRangeParams,
) -> Option<Vec<lsp::SelectionRange>> {
    let (analysis, file) = state.load_document(&params.text_document.uri)?;
    let (lines, ast) = (analysis.lines(file)?, analysis.find_ast(file)?);
    let text = analysis.text(file);
    let lexed = lex::guess_tokens(text);
    let mut answers = Vec::new();
    for position in params.positions {
        let offset = lines.find_offset(text, position);
        let holds = |start: usize, end: usize| start <= offset && offset <= end;
        let mut around: Vec<(usize, usize)> = vec![(0, text.len())];
        visit_nodes(ast, &mut |node| {
            let span = node.span();
            let (start, end) = (span.start as usize, span.end as usize);
            if holds(start, end) {
                around.push((start, end));
                // The content of a string or block, without its delimiters.
                let quotes = match node {
                    Node::String(string) => Some(if string.triple { 3 } else { 1 }),
                    Node::Body(_) => Some(1),
                    _ => None,
                };
                if let Some(quotes) = quotes
                    && start + quotes <= end.saturating_sub(quotes)
                    && holds(start + quotes, end - quotes)
                {
                    around.push((start + quotes, end - quotes));
                }
            }
        });
        let pieces = lexed.tokens.iter().filter(|token| token.kind != Kind::Blank).map(|token| token.range());
        around.extend(pieces.map(|range| (range.start, range.end)).filter(|(start, end)| holds(*start, *end)));
        around.extend(find_word(text, offset));
        around.sort_by_key(|(start, end)| (end - start, *start));
        around.dedup();
        // Each range must contain the one before it.
        let mut chain: Vec<(usize, usize)> = Vec::new();
        for (start, end) in around {
            if chain.last().is_none_or(|inner| start <= inner.0 && inner.1 <= end) {
                chain.push((start, end));
            }
        }
        let mut range: Option<lsp::SelectionRange> = None;
        for (start, end) in chain.into_iter().rev() {
            range = Some(lsp::SelectionRange {
                range: lines.find_byte_range(text, start, end),
                parent: range.map(Box::new),
            });
        }
        answers.extend(range);
    }
    Some(answers)
}

/// The word at a position, including words in prose.
fn find_word(text: &str, offset: usize) -> Option<(usize, usize)> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..offset)?;
    let start = before.char_indices().rev().take_while(|(_, c)| inside(*c)).last().map_or(offset, |(at, _)| at);
    let after = text.get(offset..)?;
    let end = offset + after.find(|c: char| !inside(c)).unwrap_or(after.len());
    (start < end).then_some((start, end))
}
