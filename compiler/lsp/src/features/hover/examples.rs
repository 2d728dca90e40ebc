//! The verdicts of an author's examples in the first instance. The observer of the host judges them: the server itself scores nothing.

use std::fmt::Write as _;

use compiler::ast::{Examples, Node, Opt, OptKind, Span};
use model::answer_key::Wanted;
use model::observe::JudgedExample;

use super::super::Place;
use crate::render::render_inline_code;
use crate::sample::SEED;
use crate::state::State;

/// Lists the examples after `accepts` or `rejects`, the word at `at`, with their verdicts in the first instance; `None` for another word, if the host scores nothing, or
/// if the suite has errors.
pub(super) fn describe_examples(state: &State, place: &Place, at: Span) -> Option<String> {
    let (option, examples): (&Opt, &Examples) = place.find_node(|node| match node {
        Node::Option(option) => match &option.kind {
            OptKind::Example(_, examples) if option.span.start == at.start => Some((option, examples)),
            _ => None,
        },
        _ => None,
    })?;
    let make = state.observe.as_ref()?;
    let plan = place.analysis.analysed.compiled.plan.as_ref()?;
    if matches!(examples, Examples::Others) {
        return Some("\n\n`picardc selftest` tries the answers of other instances.".to_owned());
    }
    let (task, _) = place.analysis.find_task_at(place.file, option.span.start)?;
    let judged = make(&place.analysis.root).judge_examples(plan, task, SEED);
    let own: Vec<&JudgedExample> = judged.iter().filter(|example| option.span.is_enclosing(example.span)).collect();
    if own.is_empty() {
        return None;
    }
    let mut text = String::from("\n\nIn the first instance:\n");
    for example in own {
        let verdict = match (example.verdict, &example.failure) {
            (Wanted::Accepted, None) => "accepted".to_owned(),
            (Wanted::Rejected, None) => "rejected".to_owned(),
            (Wanted::Accepted, Some(why)) => format!("**rejected**, but must be accepted: {why}"),
            (Wanted::Rejected, Some(_)) => "**accepted**, but must be rejected".to_owned(),
        };
        // Writing to a String cannot fail.
        let _ = write!(text, "\n- {}: {verdict}", render_inline_code(&example.text));
    }
    Some(text)
}
