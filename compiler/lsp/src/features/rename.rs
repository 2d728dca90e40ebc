//! Renaming. All uses of a name change with its declaration, including those in queries. The renamed suite is compiled first, and a name that would change the
//! meaning of another use is refused with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use compiler::ast::{RawKind, Span};
use compiler::diagnostics::wording::quote_ident;
use compiler::diagnostics::{Diagnostic, Severity};
use compiler::syntax::lex::{self, Kind, Token};
use gen_lsp_types as lsp;

use super::Place;
use super::actions::to_workspace_edit;
use crate::analysis::{Analysis, Symbol, strip_quotes};
use crate::error::Answer;
use crate::state::State;

/// Returns the range of the name under the cursor, or the reason that it cannot be renamed.
pub fn handle_prepare_rename(
    state: &mut State,
    params: lsp::PrepareRenameParams,
) -> Answer<Option<lsp::PrepareRenameResult>> {
    let Some(place) = state.resolve_request_place(&params.text_document_position_params) else { return Ok(None) };
    let symbol = find_renamable(&place)?;
    let Some(range) = place.analysis.find_range(symbol.at) else { return Ok(None) };
    Ok(Some(lsp::PrepareRenamePlaceholder { range, placeholder: symbol.name }.into()))
}

fn find_renamable(place: &Place) -> Answer<Symbol> {
    let Some(symbol) = place.find_symbol() else {
        return Err("no name here is declared in the suite".to_owned());
    };
    if place.analysis.source(symbol.target.file).is_none_or(|source| source.library) {
        return Err(format!("`{}` belongs to the standard library", symbol.name));
    }
    if !place.analysis.name_at(symbol.target).eq_ignore_ascii_case(&symbol.name) {
        return Err(format!("`{}` is not declared in the source: it is a column of a query or a fixture", symbol.name));
    }
    Ok(symbol)
}

/// Returns the edits that rename the name under the cursor.
pub fn handle_rename(state: &mut State, params: lsp::RenameParams) -> Answer<Option<lsp::WorkspaceEdit>> {
    let Some(place) = state.resolve_request_place(&params.text_document_position_params) else { return Ok(None) };
    let symbol = find_renamable(&place)?;
    let name = strip_quotes(&params.new_name).to_owned();
    if name.is_empty() || name.contains(['`', '\n', '\r']) {
        return Err("a name is not empty, and holds no backtick and no line break".to_owned());
    }
    let Some(declared_in) = place.analysis.source(symbol.target.file).map(|source| source.path.clone()) else {
        return Ok(None);
    };
    // A file that several suites use changes for all open suites.
    let mut roots = state.workspace.list_open_roots();
    roots.insert(place.analysis.root.clone());
    let mut edits: BTreeMap<String, Edits> = BTreeMap::new();
    let mut concerned = Vec::new();
    for root in roots {
        let analysis = state.workspace.compile_suite(&root);
        let Some(file) = analysis.find_file(&declared_in) else { continue };
        let here = |span: Span| Span { file, ..span };
        let there = Symbol { at: here(symbol.target), target: here(symbol.target), name: symbol.name.clone() };
        for at in analysis.find_occurrences(&there) {
            let Some(source) = analysis.source(at.file).filter(|source| !source.library) else { continue };
            let text = spell_new_name(&source.text, at, &name)?;
            let of_file = edits.entry(source.path.clone()).or_insert_with(|| Edits::new(&analysis, at));
            of_file.edits.insert((at.start, at.end), text);
        }
        concerned.push((analysis, there));
    }
    let instead: BTreeMap<String, String> =
        edits.iter().map(|(path, edits)| (path.clone(), edits.apply_edits())).collect();
    for (before, symbol) in &concerned {
        let after = state.workspace.compile_with(&before.root, &instead);
        check_rename(before, &after, symbol, &name)?;
    }
    let documents = edits.into_iter().map(|(path, edits)| (path, edits.to_text_edits())).collect();
    Ok(Some(to_workspace_edit(state, documents)))
}

/// The edits of a file.
struct Edits {
    analysis: Arc<Analysis>,
    file: model::SourceId,
    edits: BTreeMap<(u32, u32), String>,
}

impl Edits {
    fn new(analysis: &Arc<Analysis>, at: Span) -> Edits {
        Edits { analysis: Arc::clone(analysis), file: at.file, edits: BTreeMap::new() }
    }

    fn apply_edits(&self) -> String {
        let mut text = self.analysis.text(self.file).to_owned();
        for ((start, end), new) in self.edits.iter().rev() {
            text.replace_range(*start as usize..*end as usize, new);
        }
        text
    }

    fn to_text_edits(&self) -> Vec<lsp::TextEdit> {
        let edits = self.edits.iter().filter_map(|((start, end), new_text)| {
            let range = self.analysis.find_range(Span::new(self.file, *start, *end))?;
            Some(lsp::TextEdit { range, new_text: new_text.clone() })
        });
        edits.collect()
    }
}

/// Spells the new name at a position: in backticks if necessary, also in SQL. Fails for a query parameter, which cannot have backticks.
fn spell_new_name(text: &str, at: Span, name: &str) -> Answer<String> {
    let spelled = quote_ident(name);
    let start = at.start as usize;
    let query = |token: &Token| token.kind == Kind::Raw(RawKind::Sql) && token.range().contains(&start);
    let parameter = || {
        text.get(..start).is_some_and(|before| before.ends_with(':'))
            && lex::guess_tokens(text).tokens.iter().any(query)
    };
    if spelled != name && parameter() {
        return Err(format!("it is a parameter of a query, and `:{name}` is none: use letters, digits and `_` only"));
    }
    Ok(spelled)
}

/// Refuses a name if the renamed suite would have new errors or other references.
fn check_rename(before: &Analysis, after: &Analysis, symbol: &Symbol, name: &str) -> Answer<()> {
    let errors = |analysis: &Analysis| -> Vec<Diagnostic> {
        let said = analysis.analysed.compiled.diagnostics.iter();
        said.filter(|said| said.severity() == Severity::Error).cloned().collect()
    };
    let (was, is) = (errors(before), errors(after));
    if is.len() > was.len() {
        let known: BTreeSet<(&str, &str)> = was.iter().map(|said| (said.code.id, said.message.as_str())).collect();
        let new = is.iter().find(|said| !known.contains(&(said.code.id, said.message.as_str()))).or(is.first());
        let (line, why) = new.map_or((0, String::new()), |said| {
            (after.sources().start_position(said.primary.span).line, said.message.clone())
        });
        return Err(format!("with `{name}` the suite would have an error in line {line}: {why}"));
    }
    // The number of uses must stay the same: every use still refers to the declaration, and no other name does.
    let count = |analysis: &Analysis, symbol: &Symbol| analysis.find_occurrences(symbol).len();
    let moved = after.analysed.references.iter().map(|reference| reference.target).find(|target| {
        target.file == symbol.target.file && after.name_at(*target) == name && is_moved(before, symbol, *target)
    });
    let renamed = moved.map(|target| Symbol { name: name.to_owned(), at: target, target });
    let now = renamed.as_ref().map_or(1, |renamed| count(after, renamed));
    if now != count(before, symbol) {
        return Err(format!("with `{name}` some uses would mean something else, or something else would mean this"));
    }
    Ok(())
}

/// Whether `target` in the renamed suite is the renamed declaration: it is offset by the change in length of all edits before it.
fn is_moved(before: &Analysis, symbol: &Symbol, target: Span) -> bool {
    let written = i64::from(target.end) - i64::from(target.start);
    let earlier = before
        .find_occurrences(symbol)
        .into_iter()
        .filter(|at| at.file == symbol.target.file && at.start < symbol.target.start)
        .map(|at| written - (i64::from(at.end) - i64::from(at.start)));
    i64::from(symbol.target.start) + earlier.sum::<i64>() == i64::from(target.start)
}
