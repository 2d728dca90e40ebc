//! `punctuated_word`: the expected value is a word of lorem text that can end with a period.

use model::domain::LoremUnit;
use model::functions::Position;
use model::suite::{FileId, Ignore, Matcher};
use model::{Domain, Value};
use syntax::prompts::english::lints::PUNCTUATION;

use super::prompt_content::{Way, has_any_word};
use crate::context::{TaskCx, report_once};
use hir::{Arg, DrawDomain, Expr, ExprKind, FileContent};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The minimum number of words in a sentence of lorem text: no earlier word ends a sentence.
const SENTENCE: i64 = 8;

pub(super) fn report_punctuated_words<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        if way.tellings.iter().any(|telling| has_any_word(&telling.text.to_lowercase(), PUNCTUATION)) {
            continue;
        }
        for expect in &way.asked.expects {
            let ignored = expect.options.iter().any(|(_, options)| options.ignore.contains(&Ignore::Punctuation));
            let (Matcher::Text, false, Some(value)) = (expect.matcher, ignored, expect.answer_expr()) else { continue };
            let Some(file) = find_word_source(cx.task, value, 0) else { continue };
            let diagnostic = Diagnostic::new(
                Code::PUNCTUATED_WORD,
                "the expected word can end with a period",
                value.span,
                "the last word of a sentence includes the period",
            )
            .label(file.span, "lorem text, in sentences")
            .help("write `ignore punctuation` after the value");
            // A second `ignore` would be an error.
            let ignores = expect.options.iter().any(|(_, options)| !options.ignore.is_empty());
            let new = match ignores {
                true => diagnostic,
                false => diagnostic.fix(
                    "ignore punctuation",
                    Applicability::Safe,
                    expect.span.shrink_to_end(),
                    " ignore punctuation",
                ),
            };
            report_once(new, said);
        }
    }
}

/// Finds the file with lorem sentences of which the value is a word.
fn find_word_source<'t>(task: &'t hir::Task, value: &Expr, depth: u32) -> Option<&'t hir::File> {
    match &value.kind {
        _ if depth > 64 => None,
        ExprKind::Name(id) => find_word_source(task, task.find_computed(*id)?, depth + 1),
        ExprKind::Call(function, args) => match args.as_slice() {
            [Arg::File(file), Arg::Value(position)] if function.positions == [(1, Position::Word)] => {
                let early = matches!(position.as_constant(), Some(Value::Int(at)) if *at < SENTENCE);
                (!early).then(|| find_sentence_file(task, *file)).flatten()
            }
            [Arg::Value(inner)] if function.keeps_words => find_word_source(task, inner, depth + 1),
            _ => None,
        },
        _ => None,
    }
}

fn find_sentence_file(task: &hir::Task, file: FileId) -> Option<&hir::File> {
    let file = task.files.get(file)?;
    let FileContent::DrawnText(draw) = &file.content else { return None };
    let unit = match &draw.domain {
        DrawDomain::Fixed(Domain::Lorem { unit, .. }) | DrawDomain::Lorem { unit, .. } => *unit,
        _ => return None,
    };
    (unit != LoremUnit::Words).then_some(file)
}
