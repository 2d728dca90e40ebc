//! Expanding a selection from the word under the cursor outward, node by node.

use std::ops::Range;

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
        let mut around = vec![Range { start: 0, end: text.len() }];
        visit_nodes(ast, &mut |node| {
            let (start, end) = (node.span().start as usize, node.span().end as usize);
            // The content of a string or block, without its delimiters.
            let quotes = match node {
                Node::String(string) if string.triple => 3,
                Node::String(_) | Node::Body(_) => 1,
                _ => 0,
            };
            around.extend([start..end, start + quotes..end.saturating_sub(quotes)]);
        });
        around.extend(lexed.tokens.iter().filter(|token| token.kind != Kind::Blank).map(|token| token.range()));
        around.extend(find_word(text, offset));
        around.retain(|range| range.start <= offset && offset <= range.end);
        around.sort_by_key(|range| (range.len(), range.start));
        around.dedup();
        // Each range must contain the one before it.
        let mut chain: Vec<Range<usize>> = Vec::new();
        for range in around {
            if chain.last().is_none_or(|inner| range.start <= inner.start && inner.end <= range.end) {
                chain.push(range);
            }
        }
        let mut range: Option<lsp::SelectionRange> = None;
        for bytes in chain.into_iter().rev() {
            range = Some(lsp::SelectionRange {
                range: lines.find_byte_range(text, bytes.start, bytes.end),
                parent: range.map(Box::new),
            });
        }
        answers.extend(range);
    }
    Some(answers)
}

/// The word at a position, including words in prose.
fn find_word(text: &str, offset: usize) -> Option<Range<usize>> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..offset)?;
    let start = before.char_indices().rev().take_while(|(_, c)| inside(*c)).last().map_or(offset, |(at, _)| at);
    let after = text.get(offset..)?;
    let end = offset + after.find(|c: char| !inside(c)).unwrap_or(after.len());
    (start < end).then_some(start..end)
}
