//! Code lenses above the first line of a task.

use compiler::query::Kind;
use gen_lsp_types as lsp;

use crate::state::State;

/// Returns the lenses *Preview instance* and *Analyze* for each task of a document; the editor implements the two commands.
pub fn handle_code_lens(state: &mut State, params: lsp::CodeLensParams) -> Option<Vec<lsp::CodeLens>> {
    let uri = params.text_document.uri;
    let (analysis, file) = state.load_document(&uri)?;
    let mut found = Vec::new();
    for task in analysis.list_declarations(file).iter().filter(|item| item.kind == Kind::Task) {
        let Some(range) = analysis.find_range(task.name.span) else { continue };
        for (title, command) in [("Preview instance", "picardc.preview"), ("Analyze", "picardc.analyze")] {
            let command = lsp::Command {
                title: title.to_owned(),
                tooltip: None,
                command: command.to_owned(),
                arguments: Some(vec![uri.as_ref().into(), task.name.text.as_str().into()]),
            };
            found.push(lsp::CodeLens { range, command: Some(command), data: None });
        }
    }
    Some(found)
}
