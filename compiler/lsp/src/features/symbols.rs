//! The outline of a document, and a search for names in all open suites.

use std::collections::BTreeSet;

use compiler::query::{Declaration, Kind};
use gen_lsp_types as lsp;

use crate::analysis::Analysis;
use crate::state::State;

/// The maximum number of symbols that are returned.
const MAX_SYMBOLS: usize = 500;

/// Returns the declarations of a document.
pub fn handle_document_symbol(
    state: &mut State,
    params: lsp::DocumentSymbolParams,
) -> Option<lsp::DocumentSymbolResponse> {
    let (analysis, file) = state.load_document(&params.text_document.uri)?;
    let symbols: Vec<lsp::DocumentSymbol> =
        analysis.list_declarations(file).iter().filter_map(|item| build_document_symbol(&analysis, item)).collect();
    Some(symbols.into())
}

fn build_document_symbol(analysis: &Analysis, declared: &Declaration) -> Option<lsp::DocumentSymbol> {
    let children: Vec<lsp::DocumentSymbol> =
        declared.inner.iter().filter_map(|inner| build_document_symbol(analysis, inner)).collect();
    let detail = declared.domain.map(|domain| extract_first_line(analysis.sources().text(domain)));
    // Several names of one statement share its range; the outline needs a range that contains the name.
    #[allow(deprecated)]
    Some(lsp::DocumentSymbol {
        name: declared.name.text.clone(),
        detail: Some(detail.unwrap_or_else(|| declared.kind.describe_kind().to_owned())),
        kind: to_editor_kind(declared.kind).0,
        tags: None,
        deprecated: None,
        range: analysis.find_range(declared.whole.extend_to(declared.name.span))?,
        selection_range: analysis.find_range(declared.name.span)?,
        children: (!children.is_empty()).then_some(children),
    })
}

fn extract_first_line(text: &str) -> String {
    let cut: String = text.lines().next().unwrap_or("").chars().take(60).collect();
    if cut.len() < text.len() { format!("{} …", cut.trim_end()) } else { cut }
}

/// The editor's kind for a declaration, in an outline and as the type of a token.
pub fn to_editor_kind(kind: Kind) -> (lsp::SymbolKind, &'static str) {
    match kind {
        Kind::Suite => (lsp::SymbolKind::Module, "namespace"),
        Kind::Domain => (lsp::SymbolKind::Enum, "enum"),
        Kind::Columns | Kind::Table | Kind::TableFrom | Kind::View => (lsp::SymbolKind::Struct, "struct"),
        Kind::Lake => (lsp::SymbolKind::Package, "namespace"),
        Kind::Constant => (lsp::SymbolKind::Constant, "variable"),
        Kind::Task => (lsp::SymbolKind::Class, "class"),
        Kind::Function => (lsp::SymbolKind::Function, "function"),
        Kind::Draw | Kind::Compute => (lsp::SymbolKind::Variable, "variable"),
        Kind::Axis | Kind::Each => (lsp::SymbolKind::Array, "variable"),
        Kind::File(_) => (lsp::SymbolKind::File, "struct"),
        Kind::Column => (lsp::SymbolKind::Field, "property"),
        Kind::Variant | Kind::Stage => (lsp::SymbolKind::Method, "class"),
    }
}

/// Returns the names in all suites with an open file that contain the letters of the query in order.
pub fn handle_workspace_symbol(
    state: &mut State,
    params: lsp::WorkspaceSymbolParams,
) -> Option<lsp::WorkspaceSymbolResponse> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for root in state.workspace.list_open_roots() {
        let analysis = state.workspace.compile_suite(&root);
        for (file, source) in analysis.sources().iter().filter(|(_, source)| !source.library) {
            // Several suites may use the same file.
            if !seen.insert(source.path.clone()) {
                continue;
            }
            for (declared, task) in analysis.iter_declarations(file) {
                if found.len() < MAX_SYMBOLS && is_fuzzy_match(&declared.name.text, &params.query) {
                    found.extend(build_workspace_symbol(&analysis, declared, task));
                }
            }
        }
    }
    Some(found.into())
}

fn build_workspace_symbol(
    analysis: &Analysis,
    declared: &Declaration,
    task: Option<&Declaration>,
) -> Option<lsp::WorkspaceSymbol> {
    Some(lsp::WorkspaceSymbol {
        location: analysis.find_location(declared.name.span)?.into(),
        data: None,
        base_symbol_information: lsp::BaseSymbolInformation {
            name: declared.name.text.clone(),
            kind: to_editor_kind(declared.kind).0,
            tags: None,
            container_name: task.map(|task| task.name.text.clone()),
        },
    })
}

fn is_fuzzy_match(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
