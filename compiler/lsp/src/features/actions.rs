//! Code actions: the fixes of diagnostics, silencing a lint, reading its page, and all safe fixes of a file at once.

use std::collections::BTreeMap;

use compiler::ast::Span;
use compiler::diagnostics::{Applicability, Diagnostic, Fix, Severity};
use compiler::infer;
use compiler::query::Kind;
use gen_lsp_types as lsp;
use model::SourceId;

use super::diagnostics::{select_diagnostics, translate_diagnostic};
use crate::analysis::Analysis;
use crate::disk::extract_folder;
use crate::state::State;
use crate::uri;

/// The code actions that are available for a range.
pub fn handle_code_action(state: &mut State, params: lsp::CodeActionParams) -> Option<Vec<lsp::CodeActionResponse>> {
    let (analysis, file) = state.load_document(&params.text_document.uri)?;
    let (from, to) = analysis.find_offsets(file, params.range)?;
    // A request for `source.fixAll` includes `source.fixAll.picardc`.
    let wants = |kind: &str| {
        params.context.only.as_ref().is_none_or(|only| {
            only.iter().any(|wanted| {
                let wanted = wanted.to_string();
                wanted.is_empty()
                    || kind.strip_prefix(&wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        })
    };
    let mut found: Vec<lsp::CodeActionResponse> = Vec::new();
    if wants("quickfix") {
        for said in select_diagnostics(&analysis) {
            let span = said.primary.span;
            if span.file == file && span.start <= to && from <= span.end {
                found.extend(build_quick_fixes(state, &analysis, said).into_iter().map(Into::into));
            }
        }
        found.extend(build_columns_action(state, &analysis, file, from).map(Into::into));
    }
    if wants("source.fixAll.picardc") {
        found.extend(build_fix_all(state, &analysis, file).map(Into::into));
    }
    Some(found)
}

fn build_quick_fixes(state: &State, analysis: &Analysis, said: &Diagnostic) -> Vec<lsp::CodeAction> {
    let diagnostics = translate_diagnostic(analysis, said).map(|diagnostic| vec![diagnostic]);
    let build = |title: String, edits| {
        let action = build_action(state, analysis, title, edits)?;
        Some(lsp::CodeAction { diagnostics: diagnostics.clone(), ..action })
    };
    let fixes = said.fixes.iter().filter_map(|fix| {
        let preferred = fix.applicability == Applicability::Safe && said.fixes.len() == 1;
        let action = build(fix.message.clone(), fix_edits(fix))?;
        Some(lsp::CodeAction { is_preferred: Some(preferred), ..action })
    });
    let allow = build_allow_edit(analysis, said).filter(|_| said.severity() == Severity::Warning);
    let allow = allow.and_then(|edit| build(format!("allow `{}` here, and say why", said.code.name), vec![edit]));
    fixes.chain(allow).collect()
}

/// Builds a quick fix; `None` if an edit would change the library.
fn build_action(
    state: &State,
    analysis: &Analysis,
    title: String,
    edits: Vec<(Span, String)>,
) -> Option<lsp::CodeAction> {
    Some(lsp::CodeAction {
        title,
        kind: Some(lsp::CodeActionKind::QuickFix),
        edit: Some(build_workspace_edit(state, analysis, edits)?),
        ..lsp::CodeAction::default()
    })
}

/// Builds the action that writes the columns of a table declared without them, inferred from its files.
fn build_columns_action(state: &State, analysis: &Analysis, file: SourceId, at: u32) -> Option<lsp::CodeAction> {
    let bare = infer::find_bare_table(analysis.find_ast(file)?, at)?;
    let text = analysis.text(file);
    let start = text.get(..bare.name.span.start as usize)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?;
    let indent = line.get(..line.len() - line.trim_start_matches(' ').len()).unwrap_or_default();
    let host = state.workspace.build_host(&analysis.root);
    let edit = infer::render_columns(&bare, extract_folder(&analysis.root), indent, host.as_ref())?;
    build_action(state, analysis, format!("write the columns of `{}`", bare.name.text), vec![edit])
}

/// The insertion of `allow LINT "…"` that silences a lint: at the start of the enclosing task or suite. Returns its position and text.
fn build_allow_edit(analysis: &Analysis, said: &Diagnostic) -> Option<(Span, String)> {
    let span = said.primary.span;
    let around = analysis
        .list_declarations(span.file)
        .iter()
        .find(|item| matches!(item.kind, Kind::Task | Kind::Suite) && item.whole.is_enclosing(span))?;
    let text = analysis.sources().text(around.whole);
    let brace = around.whole.start + text.find('{')? as u32 + 1;
    let allow = format!("allow {} \"…\"", said.code.name);
    let before = if text.contains('\n') { "\n  " } else { " " };
    Some((Span::new(span.file, brace, brace), format!("{before}{allow}")))
}

fn fix_edits(fix: &Fix) -> Vec<(Span, String)> {
    fix.edits.iter().map(|edit| (edit.span, edit.text.clone())).collect()
}

/// All safe fixes of a file that do not overlap or touch each other, as one action.
fn build_fix_all(state: &State, analysis: &Analysis, file: SourceId) -> Option<lsp::CodeAction> {
    let mut taken: Vec<(Span, String)> = Vec::new();
    for said in select_diagnostics(analysis).filter(|said| said.primary.span.file == file) {
        let [fix] = said.fixes.as_slice() else { continue };
        let edits = fix_edits(fix);
        let apart = |(span, _): &(Span, String)| {
            taken.iter().all(|(other, _)| span.file != other.file || span.end < other.start || other.end < span.start)
        };
        if fix.applicability == Applicability::Safe && edits.iter().all(apart) {
            taken.extend(edits);
        }
    }
    if taken.is_empty() {
        return None;
    }
    let action = build_action(state, analysis, "apply all safe fixes".to_owned(), taken)?;
    Some(lsp::CodeAction { kind: Some(lsp::CodeActionKind::new("source.fixAll.picardc")), ..action })
}

/// Builds the edits of the author's files, by file and position. Returns `None` if an edit would change the library.
fn build_workspace_edit(state: &State, analysis: &Analysis, edits: Vec<(Span, String)>) -> Option<lsp::WorkspaceEdit> {
    let mut files: BTreeMap<String, Vec<(Span, String)>> = BTreeMap::new();
    for (span, text) in edits {
        let source = analysis.source(span.file).filter(|source| !source.library)?;
        files.entry(source.path.clone()).or_default().push((span, text));
    }
    let mut documents = BTreeMap::new();
    for (path, mut edits) in files {
        edits.sort();
        let edits: Option<Vec<lsp::TextEdit>> = edits
            .into_iter()
            .map(|(span, new_text)| Some(lsp::TextEdit { range: analysis.find_range(span)?, new_text }))
            .collect();
        documents.insert(path, edits?);
    }
    Some(to_workspace_edit(state, documents))
}

/// Converts edits by path to the form that the editor supports.
pub fn to_workspace_edit(state: &State, documents: BTreeMap<String, Vec<lsp::TextEdit>>) -> lsp::WorkspaceEdit {
    let documents = documents.into_iter().map(|(path, edits)| {
        let open = state.workspace.documents.get(&path);
        let uri = open.map_or_else(|| uri::from_path(&path), |document| document.uri.clone());
        (uri, open.map(|document| document.version), edits)
    });
    if state.client.document_changes {
        let changes = documents.map(|(uri, version, edits)| {
            lsp::TextDocumentEdit {
                text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                    version,
                    text_document_identifier: lsp::TextDocumentIdentifier { uri },
                },
                edits: edits.into_iter().map(Into::into).collect(),
            }
            .into()
        });
        lsp::WorkspaceEdit { document_changes: Some(changes.collect()), ..lsp::WorkspaceEdit::default() }
    } else {
        let changes = documents.map(|(uri, _, edits)| (uri, edits)).collect();
        lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() }
    }
}
