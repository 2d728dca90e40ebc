//! Judges one answer to one expectation: an example of its author.

use model::Value;
use model::answer_key::{Answer, Expected, Subject};
use model::suite::matchers::Takes;
use records::{Instance, Verdict};

use super::compose::list_candidates;
use super::workbook::write_cell_text;
use super::{Solution, build_part, build_solution, score_expectations};
use crate::bytes::write_file;
use crate::rules::Rules;
use crate::start_files::StartFiles;

/// An answer to an expectation.
#[derive(Clone, Copy, Debug)]
pub enum Attempt<'a> {
    /// The whole reply, or the whole content of the file or of the cell of a workbook.
    Text(&'a str),
    /// A value, which is written as the oracle writes an answer.
    Value(&'a Value),
    /// The same, of an answer key.
    Answer(&'a Answer),
}

/// Judges an answer to the expectation of an instance with this index, without its other expectations. `None` if the expectation does not exist, or if it has no
/// answer.
pub fn judge_attempt(
    instance: &Instance,
    index: usize,
    attempt: Attempt<'_>,
    start: &dyn StartFiles,
) -> Option<Verdict> {
    let expect = instance.expects.get(index)?;
    let solution = match attempt {
        Attempt::Text(text) => write_text(instance, expect, text)?,
        Attempt::Value(value) => write_answer(instance, expect, Answer::One(value.clone()), start),
        Attempt::Answer(answer) => write_answer(instance, expect, answer.clone(), start),
    };
    score_expectations(instance, &solution, &[expect], start).verdicts.into_iter().next()
}

/// Writes a whole reply, or the whole content of a file.
fn write_text(instance: &Instance, expect: &Expected, text: &str) -> Option<Solution> {
    match &expect.subject {
        Subject::Reply(_) => Some(Solution { reply: text.to_owned(), ..Solution::default() }),
        Subject::File(path) => {
            let rules = Rules::from_scorer(instance.scorer);
            let bytes = match &expect.read.cell {
                Some(place) => write_cell_text(place, text)?,
                None => write_file(text, path, Some(expect), rules),
            };
            Some(Solution { files: vec![(path.clone(), bytes)], ..Solution::default() })
        }
        Subject::Files(_) | Subject::Tree(_) | Subject::Only(_) | Subject::Unchanged(_) => None,
    }
}

/// Writes an answer as the oracle would, if it were the expected one.
fn write_answer(instance: &Instance, expect: &Expected, answer: Answer, start: &dyn StartFiles) -> Solution {
    let asked = Expected { answer: Some(answer), traps: Vec::new(), ..expect.clone() };
    if expect.matcher.record().takes == Takes::Pattern
        && let Some(value) = asked.single_value()
    {
        // A value is written as it is; a pattern would be another expectation.
        let mut part = build_part(&asked);
        part.forms = vec![value.render_text().into_owned()];
        let text = list_candidates(&[part]).next().unwrap_or_default();
        return write_text(instance, expect, &text).unwrap_or_default();
    }
    build_solution(instance, &[&asked], start)
}
