//! Folding ranges: blocks, lists, long strings, queries, and comments of several lines.

use std::collections::BTreeMap;

use compiler::ast::{ExprKind, Node, Span, visit_nodes};
use gen_lsp_types as lsp;

use crate::state::State;

/// The folding ranges of a document, at most one for each starting line.
pub fn handle_folding_range(state: &mut State, params: lsp::FoldingRangeParams) -> Option<Vec<lsp::FoldingRange>> {
    let (analysis, file) = state.load_document(&params.text_document.uri)?;
    let (lines, ast) = (analysis.lines(file)?, analysis.find_ast(file)?);
    let text = analysis.text(file);
    let line_of = |offset: u32| lines.find_position(text, offset as usize).line;
    let mut found: BTreeMap<u32, (u32, Option<lsp::FoldingRangeKind>)> = BTreeMap::new();
    let mut fold = |span: Span, closes: bool, kind: Option<lsp::FoldingRangeKind>| {
        let (start, end) = (line_of(span.start), line_of(span.end));
        // The closing line of a block stays visible.
        let end = if closes { end.saturating_sub(1) } else { end };
        if end > start {
            let known = found.entry(start).or_insert((end, kind.clone()));
            if end > known.0 {
                *known = (end, kind);
            }
        }
    };
    visit_nodes(ast, &mut |node| match node {
        Node::Item(_) | Node::Stmt(_) | Node::Table(_) | Node::View(_) | Node::Column(_) => {
            let span = node.span();
            let closes = analysis.sources().text(span).ends_with(['}', ']', ')', '"']);
            fold(span, closes, None);
        }
        Node::Body(_) | Node::Call(..) | Node::Raw(_) => fold(node.span(), !matches!(node, Node::Raw(_)), None),
        Node::Expr(expr) if matches!(expr.kind, ExprKind::List(_) | ExprKind::Object(_)) => fold(expr.span, true, None),
        Node::String(string) if string.triple => fold(string.span, true, None),
        _ => {}
    });
    for block in group_comments(&ast.comments, &line_of) {
        fold(block, false, Some(lsp::FoldingRangeKind::Comment));
    }
    let ranges = found.into_iter().map(|(start_line, (end_line, kind))| lsp::FoldingRange {
        start_line,
        end_line,
        kind,
        ..lsp::FoldingRange::default()
    });
    Some(ranges.collect())
}

/// Groups comments on consecutive lines.
fn group_comments(comments: &[Span], line_of: &dyn Fn(u32) -> u32) -> Vec<Span> {
    let mut blocks: Vec<Span> = Vec::new();
    for comment in comments {
        match blocks.last_mut() {
            Some(block) if line_of(block.end) + 1 == line_of(comment.start) => block.end = comment.end,
            _ => blocks.push(*comment),
        }
    }
    blocks
}
