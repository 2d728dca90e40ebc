//! `other_form`: the prompt asks for a reply with the number only, and the key expects the reply to be a word such as `done`.

use model::Value;
use model::answer_key::Subject;
use model::suite::Matcher;
use syntax::prompts::english::lints::{OF_FILES, WHOLE_REPLY};

use super::tokens::{Found, Kind};
use super::wording::Wording;
use crate::context::{Asked, TaskCx, report_once};
use syntax::diagnostics::{Code, Diagnostic};

/// Compares "reply with the number only" with a reply that is always the same word.
pub(super) fn report_done<'a>(
    cx: &TaskCx<'a>,
    wording: &Wording<'_, 'a>,
    asked: &Asked<'a>,
    said: &mut Vec<Diagnostic>,
) {
    for expect in asked.expects.iter().filter(|expect| matches!(expect.subject, Subject::Reply(None))) {
        let Some(value) = expect.answer_expr() else { continue };
        let Some(Value::Text(word)) = value.resolve_name(cx.task).as_constant() else { continue };
        let is_word = word.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '!'));
        if expect.matcher != Matcher::Text || expect.is_any_of() || !is_word {
            continue;
        }
        let Some(found) = find_number_only(wording) else { return };
        let words = wording.quote(cx, found.start, found.end);
        let message = format!("the prompt says `{words}`, but the expected reply is `{word}`");
        report_once(
            Diagnostic::new(Code::OTHER_FORM, message, value.span, "not a number")
                .label(wording.locate(cx, found.start, found.end), "asked here")
                .help("ask for the form of the reply in each variant, and not in the prompt of the task"),
            said,
        );
    }
}

/// Finds "the number only" in a sentence about the reply, and not about a file.
fn find_number_only(wording: &Wording<'_, '_>) -> Option<Found<()>> {
    let tokens = &wording.text.tokens;
    let found = wording.text.find_any(wording.language.number_only)?;
    let sentence = tokens.get(found.start)?.sentence;
    let of_sentence = || tokens.iter().filter(|token| token.sentence == sentence);
    let is_path =
        |kind: &Kind<'_>| matches!(kind, Kind::Placeholder(expr) if matches!(expr.kind, hir::ExprKind::Sandbox));
    let is_about_file = of_sentence().any(|token| token.is_any(OF_FILES) || is_path(&token.kind));
    (of_sentence().any(|token| token.is_any(WHOLE_REPLY)) && !is_about_file).then_some(found)
}
