//! Bad replies: what an agent says that does not know the answer, or that hopes to say it among others. None of them may be correct.

use model::answer_key::{Answer, Expected, Subject};
use model::suite::matchers::{Reads, Takes};
use model::suite::{CellMatch, Matcher};
use model::{Scorer, Value};
use records::Instance;

use super::compose::{Part, list_candidates};
use super::{Solution, build_part, score_expectations};
use crate::key::Key;
use crate::rules::Rules;
use crate::start_files::StartFiles;

/// The maximum number of ways to write a bad reply that are tried.
const MAX_WAYS: usize = 8;
/// The maximum number of values in one cell.
const MAX_JOINED: usize = 50;

/// The kinds of bad replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
    /// Nothing.
    Nothing,
    /// A sentence without an answer.
    Ignorance,
    /// The prompt.
    Prompt,
    /// The answer of another instance.
    Other,
    /// The right answer and that of another instance.
    Both,
    /// All values that the answer can have.
    All,
}

/// A bad reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadReply {
    /// Its kind.
    pub kind: Bad,
    /// The reply that was accepted, or else one that was not.
    pub reply: String,
    /// Whether it is correct.
    pub accepted: bool,
}

/// What is known for the bad replies to an expectation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'k> {
    /// The prompt, if the agent has files.
    pub prompt: Option<&'k str>,
    /// The answer of another instance, which differs.
    pub other: Option<&'k Answer>,
    /// All values that the answer can have; empty if they are not known.
    pub choices: &'k [Value],
}

/// Tries the bad replies to the expectation of a reply with this index. Where several expectations read the reply, the others are met by it, and a bad reply is
/// correct only if all accept it. A text file that must contain the answer is tried with all values. Empty for other expectations.
pub fn list_bad_replies(instance: &Instance, index: usize, known: Known<'_>, start: &dyn StartFiles) -> Vec<BadReply> {
    let of_reply = |expect: &&Expected| matches!(expect.subject, Subject::Reply(_));
    if let Some(expect) = instance.expects.get(index)
        && let Subject::File(path) = &expect.subject
    {
        return try_all_in_file(instance, (expect, path), known, start).into_iter().collect();
    }
    let Some(expect) = instance.expects.get(index).filter(of_reply) else { return Vec::new() };
    let asked: Vec<&Expected> = instance.expects.iter().filter(of_reply).collect();
    let judge = |kind: Bad, replies: Vec<String>| {
        let is_accepted = |reply: &&String| {
            let solution = Solution { reply: (*reply).clone(), ..Solution::default() };
            score_expectations(instance, &solution, &asked, start).correct
        };
        let accepted = replies.iter().find(is_accepted).cloned();
        BadReply {
            kind,
            accepted: accepted.is_some(),
            reply: accepted.or_else(|| replies.into_iter().next()).unwrap_or_default(),
        }
    };
    let with_form = |form: Vec<String>| -> Vec<String> {
        let part = |other: &&Expected| match std::ptr::eq(*other, expect) {
            true => Part { forms: form.clone(), ..build_part(other) },
            false => build_part(other),
        };
        let parts: Vec<Part> = asked.iter().map(part).collect();
        list_candidates(&parts).take(MAX_WAYS).collect()
    };
    let mut said =
        vec![judge(Bad::Nothing, vec![String::new()]), judge(Bad::Ignorance, vec!["I do not know.".to_owned()])];
    said.extend(known.prompt.map(|prompt| judge(Bad::Prompt, vec![prompt.to_owned()])));
    let write = |answer: &Answer| build_part(&Expected { answer: Some(answer.clone()), ..expect.clone() }).forms;
    let record = expect.matcher.record();
    // A text that is right without some values is right without others.
    if record.takes == Takes::Texts {
        return said;
    }
    if let Some(other) = known.other {
        let forms = write(other);
        if record.reads != Reads::Query
            && let (Some(right), Some(wrong)) = (build_part(expect).forms.first(), forms.first())
        {
            let both = with_form(vec![format!("{right} or {wrong}")]);
            said.push(judge(Bad::Both, both));
        }
        said.push(judge(Bad::Other, with_form(forms)));
    }
    let is_single = !matches!(record.takes, Takes::List | Takes::Rows | Takes::Json);
    if is_single && known.choices.len() > 1 {
        let forms = known.choices.iter().filter_map(|value| write(&Answer::One(value.clone())).into_iter().next());
        said.push(judge(Bad::All, with_form(vec![forms.collect::<Vec<_>>().join(", ")])));
    }
    said.extend(fill_contained_cells(expect).map(|all| judge(Bad::All, with_form(write(&Answer::One(all))))));
    said
}

/// Tries a file that has all values that must or could occur in it.
fn try_all_in_file(
    instance: &Instance,
    (expect, path): (&Expected, &String),
    known: Known<'_>,
    start: &dyn StartFiles,
) -> Option<BadReply> {
    let is_text = expect.matcher == Matcher::Contains && expect.at.is_none() && expect.read.cell.is_none();
    if !is_text || known.choices.len() < 2 {
        return None;
    }
    let is_same = |other: &&Expected| matches!(&other.subject, Subject::File(own) if own == path);
    let asked: Vec<&Expected> = instance.expects.iter().filter(is_same).collect();
    let values = known.choices.iter().map(|value| value.render_text().into_owned());
    let reply = values.collect::<Vec<_>>().join(", ");
    let files = vec![(path.clone(), reply.clone().into_bytes())];
    let solution = Solution { files, ..Solution::default() };
    let accepted = score_expectations(instance, &solution, &asked, start).correct;
    Some(BadReply { kind: Bad::All, reply, accepted })
}

/// Returns the expected rows with all values of a column in each of its cells, for columns whose cells must only contain the value; `None` without
/// such a column, or if one value would be all.
fn fill_contained_cells(expect: &Expected) -> Option<Value> {
    let value = expect.answer.iter().flat_map(Answer::accepted_values).next()?;
    let Value::Rows(set) = value else { return None };
    let mut set = set.clone();
    let key = Key::new(expect, value, None, Rules::from_scorer(Scorer::CURRENT));
    let mut is_filled = false;
    for at in 0..set.columns.len() {
        let options = set.columns.get(at).map(|column| key.resolve_column_options(column))?;
        if options.cells != Some(CellMatch::Contains) {
            continue;
        }
        let mut values: Vec<String> = Vec::new();
        for cell in set.rows.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.is_null()) {
            let text = cell.render_text().into_owned();
            if !values.contains(&text) && values.len() < MAX_JOINED {
                values.push(text);
            }
        }
        is_filled |= values.len() > 1;
        let all = Value::from_text(values.join(", "));
        set.rows.iter_mut().filter_map(|row| row.get_mut(at)).for_each(|cell| *cell = all.clone());
    }
    is_filled.then_some(Value::Rows(set))
}
