//! `untold_convention`: a file that looks like the one that is asked for is among those that the prompt takes, and the prompt does not say that it does not count. A
//! heuristic: it looks for words of its path and for words that choose files.

use std::collections::BTreeSet;

use super::decoys::{Decoy, list_decoys};
use syntax::prompts::english::files::{ALL_FILES, CHOOSING};
use crate::context::{TaskCx, report_once};
use crate::question::paths::{Part, Template};
use crate::question::prompt_content::{Telling, Way, has_any_word, has_word};
use crate::question::unmentioned_file::describe_prompt;
use hir::{Rows, Task};
use model::Span;
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_untold_decoys<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for decoy in list_decoys(cx.task) {
        let (Rows::Taken { from, .. }, Rows::Taken { from: other, .. }) = (&decoy.own.rows, &decoy.model.rows) else {
            continue;
        };
        if from == other {
            continue;
        }
        for way in ways {
            for telling in
                way.tellings.iter().filter(|telling| !telling.opaque && takes_decoy(cx.task, telling, &decoy))
            {
                let message = format!(
                    "{} probably does not mention that the rows of `{}` do not count",
                    describe_prompt(way),
                    decoy.file.name
                );
                let place = find_phrase(cx, telling.span).unwrap_or(telling.span);
                let new = Diagnostic::new(Code::UNTOLD_CONVENTION, message, place, "takes all files")
                    .label(decoy.file.span, "looks the same")
                    .help("say which files count, such as those of one year, or those outside of a folder");
                report_once(new, said);
            }
        }
    }
}

/// Checks whether a wording takes all files, and says nothing by which this one could be told from the others.
fn takes_decoy(task: &Task, telling: &Telling, decoy: &Decoy<'_>) -> bool {
    let prompt = telling.prompt.to_lowercase().replace('\n', " ");
    has_any_word(&prompt, ALL_FILES)
        && !has_any_word(&prompt, CHOOSING)
        && !has_year(&prompt)
        && !list_own_words(task, decoy).iter().any(|word| has_word(&prompt, word))
}

/// Checks whether a text has a number like that of a year.
fn has_year(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() == 4 && digits.starts_with(['1', '2']))
}

/// Lists the words of a file's path and title that the other file does not have.
fn list_own_words(task: &Task, decoy: &Decoy<'_>) -> BTreeSet<String> {
    let list = |file: &hir::File| {
        let title =
            file.content.form().and_then(|form| form.above.as_ref()).map(|text| Template::from_expr(task, text));
        let texts = [Some(Template::from_expr(task, &file.path)), title];
        let mut words = BTreeSet::new();
        for part in texts.iter().flatten().flat_map(|template| &template.components).flatten() {
            if let Part::Text(text) = part {
                let lower = text.to_lowercase();
                words.extend(
                    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).map(str::to_owned),
                );
            }
        }
        words
    };
    let others = list(decoy.like);
    list(decoy.file).into_iter().filter(|word| !others.contains(word)).collect()
}

/// Finds the phrase that takes all files in the source of a wording.
fn find_phrase(cx: &TaskCx<'_>, wording: Span) -> Option<Span> {
    let text = cx.sources.text(wording).to_ascii_lowercase();
    let (at, phrase) = ALL_FILES.split(", ").filter_map(|phrase| Some((text.find(phrase)?, phrase))).min()?;
    let start = wording.start + at as u32;
    Some(Span::new(wording.file, start, start + phrase.len() as u32))
}
