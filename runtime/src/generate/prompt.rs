//! Renders prompts, each in its drawn wording.

use model::suite::{Prompt, Variant};

use super::cell::InstanceDraft;
use super::context::Eval;
use super::failures::{OrSpan, Res};
use super::streams;

/// Renders the task's wording and the variant's, separated by a newline. Also returns the index of the drawn wording, if there were several.
pub(crate) fn render_prompt<'a>(
    cell: &'a InstanceDraft<'a>,
    variant: Option<&'a Variant>,
) -> Res<(String, Option<u32>)> {
    let (mut text, wording) = render_wording(cell, &cell.task.prompt, &["prompt"]).or_span(cell.task.span)?;
    let Some(variant) = variant else { return Ok((text, wording)) };
    let (more, other) = render_wording(cell, &variant.prompt, &["prompt", &variant.name]).or_span(cell.task.span)?;
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(&more);
    Ok((text, wording.or(other)))
}

/// Renders one of the wordings of a prompt, drawn with the word at a path. Also returns its index, if there were several.
pub(crate) fn render_wording<'a>(
    cell: &'a InstanceDraft<'a>,
    prompt: &'a Prompt,
    path: &[&str],
) -> Res<(String, Option<u32>)> {
    let several = prompt.wordings.len() > 1;
    let at = if several {
        streams::to_index(cell.keys.derive_stream(path).next(), prompt.wordings.len() as u128)
    } else {
        0
    };
    let Some(wording) = prompt.wordings.get(at as usize) else { return Ok((String::new(), None)) };
    let eval = Eval { prompt: true, ..Eval::new(cell) };
    Ok((eval.evaluate_text(wording)?, several.then_some(at as u32)))
}
