//! `punctuated_word`: the expected value is a word of lorem text that can end with a period.

use model::domain::LoremUnit;
use model::functions::Position;
use model::suite::{FileId, Ignore, Matcher};
use model::{Domain, Span, Value};

use super::prompt_content::{Way, find_name_source, has_word};
use crate::TaskCx;
use hir::{Arg, DrawDomain, Expr, ExprKind, FileContent, NameSource};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The minimum number of words in a sentence of lorem text: no earlier word ends a sentence.
const SENTENCE: i64 = 8;

pub(super) fn report_punctuated_words(cx: &TaskCx<'_>, ways: &[Way<'_>], said: &mut Vec<Diagnostic>) {
    let mut known: Vec<Span> = Vec::new();
    for way in ways {
        let told = |word| way.tellings.iter().any(|telling| has_word(&telling.text.to_lowercase(), word));
        if ["punctuation", "full stop", "period", "comma", "commas"].into_iter().any(told) {
            continue;
        }
        for expect in &way.asked.expects {
            let ignored = expect.options.iter().any(|(_, options)| options.ignore.contains(&Ignore::Punctuation));
            let (Matcher::Text, false, Some(value)) = (expect.matcher, ignored, expect.answer_expr()) else { continue };
            let Some(file) = find_word_source(cx.task, value, 0) else { continue };
            if known.contains(&value.span) {
                continue;
            }
            known.push(value.span);
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
            said.push(match ignores {
                true => diagnostic,
                false => diagnostic.fix(
                    "ignore punctuation",
                    Applicability::Safe,
                    expect.span.shrink_to_end(),
                    " ignore punctuation",
                ),
            });
        }
    }
}

/// Finds the file with lorem sentences of which the value is a word.
fn find_word_source<'t>(task: &'t hir::Task, value: &Expr, depth: u32) -> Option<&'t hir::File> {
    match &value.kind {
        _ if depth > 64 => None,
        ExprKind::Name(id) => match find_name_source(task, *id)? {
            NameSource::Compute(source) => find_word_source(task, source, depth + 1),
            _ => None,
        },
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
