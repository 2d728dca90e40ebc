//! Signature help: the parameters of a function while its arguments are written.

use gen_lsp_types as lsp;

use super::to_markdown;
use crate::context::{Context, Inside};
use crate::state::State;

/// Returns the overloads of the function around the cursor, and the current parameter.
pub fn handle_signature_help(state: &mut State, params: lsp::SignatureHelpParams) -> Option<lsp::SignatureHelp> {
    let place = state.resolve_request_place(&params.text_document_position_params)?;
    let text = place.text();
    let context = Context::new(text, place.offset as usize);
    if context.inside == Inside::Comment {
        return None;
    }
    let (name, argument) = context.find_call()?;
    let overloads = place.analysis.list_overloads(name);
    if overloads.is_empty() {
        return None;
    }
    let takes = |function: &compiler::query::Function| {
        argument < function.params.len() || function.params.last().is_some_and(|last| last.variadic)
    };
    let active = overloads.iter().position(|function| takes(function)).unwrap_or(0);
    let signatures = overloads.iter().map(|function| {
        let most = function.params.len().saturating_sub(1);
        let params = function.params.iter();
        let params =
            params.map(|param| lsp::ParameterInformation { label: param.text.clone().into(), documentation: None });
        lsp::SignatureInformation {
            label: function.signature.clone(),
            documentation: (!function.doc.is_empty()).then(|| to_markdown(function.doc.clone()).into()),
            parameters: Some(params.collect()),
            active_parameter: takes(function).then(|| lsp::ActiveParameter::Int(argument.min(most) as u32)),
        }
    });
    Some(lsp::SignatureHelp {
        signatures: signatures.collect(),
        active_signature: Some(active as u32),
        active_parameter: Some(lsp::ActiveParameter::Int(argument as u32)),
    })
}
