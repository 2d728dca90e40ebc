//! Navigation from a name to its declaration and to its uses.

use compiler::ast::{Content, DomainKind, ItemKind, Node, Stmt, StmtKind, StringLit, visit_nodes};
use gen_lsp_types as lsp;

use super::Place;
use crate::analysis::Analysis;
use crate::dispatch::Answer;
use crate::state::State;
use crate::uri;

/// Returns the declaration of a name; for a path in the source, the file.
pub fn handle_definition(
    state: &mut State,
    params: lsp::DefinitionParams,
) -> Answer<<lsp::DefinitionRequest as lsp::Request>::Result> {
    let Some(place) = state.resolve_request_place(&params.text_document_position_params) else { return Ok(None) };
    let location = match place.analysis.find_symbol(place.file, place.offset) {
        Some(symbol) => place.analysis.find_location(symbol.target),
        None => find_named_file(&place),
    };
    // The library's texts are shown only if the editor requests documents that are not files.
    let shown = location.filter(|location| state.client.virtual_documents || !uri::is_virtual(&location.uri));
    Ok(shown.map(|location| lsp::Definition::Location(location).into()))
}

/// Returns the uses of a name.
pub fn handle_references(
    state: &mut State,
    params: lsp::ReferenceParams,
) -> Answer<<lsp::ReferencesRequest as lsp::Request>::Result> {
    let Some(place) = state.resolve_request_place(&params.text_document_position_params) else { return Ok(None) };
    let Some(symbol) = place.analysis.find_symbol(place.file, place.offset) else { return Ok(None) };
    let uses = match params.context.include_declaration {
        true => place.analysis.find_occurrences(&symbol),
        false => place.analysis.find_uses(&symbol),
    };
    let own = uses.into_iter().filter(|at| place.analysis.source(at.file).is_some_and(|source| !source.library));
    Ok(Some(own.filter_map(|at| place.analysis.find_location(at)).collect()))
}

/// Returns the uses of a name in the same document.
pub fn handle_document_highlight(
    state: &mut State,
    params: lsp::DocumentHighlightParams,
) -> Answer<<lsp::DocumentHighlightRequest as lsp::Request>::Result> {
    let Some(place) = state.resolve_request_place(&params.text_document_position_params) else { return Ok(None) };
    let Some(symbol) = place.analysis.find_symbol(place.file, place.offset) else { return Ok(None) };
    let uses = place.analysis.find_occurrences(&symbol).into_iter().filter(|at| at.file == place.file);
    let highlights = uses.filter_map(|at| {
        let kind =
            if at == symbol.target { lsp::DocumentHighlightKind::Write } else { lsp::DocumentHighlightKind::Read };
        Some(lsp::DocumentHighlight { range: place.analysis.find_range(at)?, kind: Some(kind) })
    });
    Ok(Some(highlights.collect()))
}

/// The file named by the string at the position, after `use`, `from`, or `one_of lines`.
fn find_named_file(place: &Place) -> Option<lsp::Location> {
    let ast = place.analysis.find_ast(place.file)?;
    let mut found: Option<&StringLit> = None;
    // Paths of views are relative to the folder of the lake.
    let mut lake: Option<&StringLit> = None;
    let touched = |text: &StringLit| text.span.has_offset(place.offset);
    visit_nodes(ast, &mut |node| {
        let path = match node {
            Node::Item(item) => match &item.kind {
                ItemKind::Use(path) => Some(path),
                ItemKind::TableFrom(table) => Some(&table.from.path),
                ItemKind::Lake(declared) => {
                    let view = declared.views.iter().find(|view| touched(&view.from.path));
                    lake = lake.or(view.map(|_| &declared.from));
                    view.map(|view| &view.from.path)
                }
                _ => None,
            },
            Node::Stmt(Stmt { kind: StmtKind::Data(data), .. }) => match &data.content {
                Content::Fixture(from) => Some(&from.path),
                _ => None,
            },
            Node::Stmt(Stmt { kind: StmtKind::TableFrom(table), .. }) => Some(&table.from.path),
            Node::Domain(domain) => match &domain.kind {
                DomainKind::OneOfLines(path) => Some(path),
                _ => None,
            },
            _ => None,
        };
        if let Some(path) = path
            && touched(path)
        {
            found = Some(path);
        }
    });
    let written = |text: &StringLit| place.analysis.sources().text(text.span).trim_matches('"');
    let path = written(found?);
    // A glob does not name a single file.
    if lake.is_some() && path.contains(['*', '?']) {
        return None;
    }
    let inside = lake.map(|lake| format!("{}/", written(lake))).unwrap_or_default();
    let uri = uri::from_path(&format!("{}{inside}{path}", extract_suite_folder(&place.analysis)));
    Some(lsp::Location { uri, range: lsp::Range::default() })
}

/// The folder of the suite's root file, with a trailing `/`. Paths in a source are relative to it.
pub fn extract_suite_folder(analysis: &Analysis) -> &str {
    crate::disk::extract_folder(&analysis.root)
}
