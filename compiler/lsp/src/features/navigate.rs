//! Navigation from a name to its declaration and to its uses.

use compiler::ast::{Content, DomainKind, ItemKind, Node, Stmt, StmtKind, StringLit};
use gen_lsp_types as lsp;

use super::Place;
use crate::disk::extract_folder;
use crate::state::State;
use crate::uri;

/// Returns the declaration of a name; for a path in the source, the file.
pub fn handle_definition(state: &mut State, params: lsp::DefinitionParams) -> Option<lsp::DefinitionResponse> {
    let place = state.resolve_request_place(&params.text_document_position_params)?;
    let location = match place.find_symbol() {
        Some(symbol) => place.analysis.find_location(symbol.target),
        None => find_named_file(&place),
    };
    // The library's texts are shown only if the editor requests documents that are not files.
    let shown = location.filter(|location| state.client.virtual_documents || !uri::is_virtual(&location.uri))?;
    Some(lsp::Definition::Location(shown).into())
}

/// Returns the uses of a name.
pub fn handle_references(state: &mut State, params: lsp::ReferenceParams) -> Option<Vec<lsp::Location>> {
    let place = state.resolve_request_place(&params.text_document_position_params)?;
    let symbol = place.find_symbol()?;
    let uses = match params.context.include_declaration {
        true => place.analysis.find_occurrences(&symbol),
        false => place.analysis.find_uses(&symbol),
    };
    let own = uses.into_iter().filter(|at| place.analysis.source(at.file).is_some_and(|source| !source.library));
    Some(own.filter_map(|at| place.analysis.find_location(at)).collect())
}

/// Returns the uses of a name in the same document.
pub fn handle_document_highlight(
    state: &mut State,
    params: lsp::DocumentHighlightParams,
) -> Option<Vec<lsp::DocumentHighlight>> {
    let place = state.resolve_request_place(&params.text_document_position_params)?;
    let symbol = place.find_symbol()?;
    let uses = place.analysis.find_occurrences(&symbol).into_iter().filter(|at| at.file == place.file);
    let highlights = uses.filter_map(|at| {
        let kind =
            if at == symbol.target { lsp::DocumentHighlightKind::Write } else { lsp::DocumentHighlightKind::Read };
        Some(lsp::DocumentHighlight { range: place.analysis.find_range(at)?, kind: Some(kind) })
    });
    Some(highlights.collect())
}

/// The file named by the string at the position, after `use`, `from`, or `one_of lines`.
fn find_named_file(place: &Place) -> Option<lsp::Location> {
    let touched = |text: &&StringLit| text.span.has_offset(place.offset);
    let (path, lake) = place.find_node(|node| {
        let path = match node {
            Node::Item(item) => match &item.kind {
                ItemKind::Use(path) => path,
                ItemKind::TableFrom(table) => &table.from.path,
                // Paths of views are relative to the folder of the lake.
                ItemKind::Lake(lake) => {
                    let path = lake.views.iter().map(|view| &view.from.path).find(touched)?;
                    return Some((path, Some(&lake.from)));
                }
                _ => return None,
            },
            Node::Stmt(Stmt { kind: StmtKind::Data(data), .. }) => match &data.content {
                Content::Fixture(from) => &from.path,
                _ => return None,
            },
            Node::Stmt(Stmt { kind: StmtKind::TableFrom(table), .. }) => &table.from.path,
            Node::Domain(domain) => match &domain.kind {
                DomainKind::OneOfLines(path) => path,
                _ => return None,
            },
            _ => return None,
        };
        Some(path).filter(touched).map(|path| (path, None))
    })?;
    let written = |text: &StringLit| place.analysis.sources().text(text.span).trim_matches('"');
    let path = written(path);
    // A glob does not name a single file.
    if lake.is_some() && path.contains(['*', '?']) {
        return None;
    }
    let inside = lake.map(|lake| format!("{}/", written(lake))).unwrap_or_default();
    let uri = uri::from_path(&format!("{}{inside}{path}", extract_folder(&place.analysis.root)));
    Some(lsp::Location { uri, range: lsp::Range::default() })
}
