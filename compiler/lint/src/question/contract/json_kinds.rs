//! Values of a JSON object: "as a string" next to a number, and "as a number" next to a text.

use hir::types::TyKind;
use model::suite::Matcher;

use super::answers::Leaf;
use super::described_keys::list_described_values;
use super::tokens::Found;
use super::wording::Wording;
use crate::context::report_once;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::lints::{AS_NUMBER, AS_STRING};

/// Compares the kind of value that the words of each key ask for with that of the expected value.
pub(super) fn report_json_kinds<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let text = &wording.text;
    if wording.can_vary() || text.find_any(AS_STRING).or_else(|| text.find_any(AS_NUMBER)).is_none() {
        return;
    }
    for (leaf, words) in list_described_values(wording, leaves) {
        // "…, the runway as a string" is about another key.
        let mut others = leaves.iter().filter(|other| other.pointer != leaf.pointer);
        let names_other = others.any(|other| {
            let key = other.pointer.rsplit('/').next().unwrap_or_default().to_lowercase();
            words.clone().any(|at| text.tokens.get(at).is_some_and(|token| token.is_word(&key)))
        });
        if leaf.expect.matcher != Matcher::Json || names_other {
            continue;
        }
        let find = |phrases: &[&str]| {
            words.clone().find_map(|start| {
                let end = phrases.iter().filter_map(|phrase| text.match_phrase(start, phrase)).max()?;
                (end <= words.end).then_some(Found { start, end, means: () })
            })
        };
        let is_number = leaf.value.ty.is_number() && !leaf.value.ty.is_unknown();
        let found = match (find(AS_STRING), find(AS_NUMBER)) {
            (Some(asked), None) if is_number => (asked, "a number", "write it as a text: \"<<…>>\""),
            (None, Some(asked)) if leaf.value.ty.kind == TyKind::Text => (asked, "a text", "expect the number itself"),
            _ => continue,
        };
        let (asked, what, help) = found;
        let but = format!("the expected value is {what}");
        let new = wording.contradict(Code::OTHER_FORM, &asked, &but, (leaf.value.span, what));
        report_once(new.help(format!("{help}, or change the prompt")), said);
    }
}
