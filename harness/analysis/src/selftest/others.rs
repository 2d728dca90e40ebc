//! What is tried with the answers of other instances of a task: `rejects others`, and the bad replies.

use std::collections::BTreeMap;

use api::{Instance, Instances, StartFiles, judge_example};
use model::answer_key::{Answer, Expected, Said, Subject};
use model::observe::JudgedExample;
use model::suite::matchers::{Reads, Takes};
use runtime::Failure;
use runtime::generate::PanelState;
use score::{Attempt, BadReply, Known, list_bad_replies};

use super::trial::Tried;

/// The maximum number of other answers that an example is tried with.
const MAX_OTHERS: usize = 50;

/// The task, variant, and stage of an instance.
type Kind = (String, Option<String>, Option<String>);

/// Tries the answers of other instances. Adds examples to those of each instance, and returns the bad replies to each.
pub fn try_others(instances: &Instances<'_>, tried: &mut [Tried]) -> Result<Vec<Vec<BadReply>>, Failure> {
    let mut kinds: BTreeMap<Kind, Vec<usize>> = BTreeMap::new();
    for (at, one) in tried.iter().enumerate() {
        let stage = one.key.stage.as_ref().map(|stage| stage.name.clone());
        kinds.entry((one.key.task.clone(), one.key.variant.clone(), stage)).or_default().push(at);
    }
    let mut panels: Vec<Vec<BadReply>> = Vec::new();
    panels.resize_with(tried.len(), Vec::new);
    for alike in kinds.values() {
        for (place, at) in alike.iter().enumerate() {
            // The instances after it come first, so that each is tried with others.
            let (before, from) = alike.split_at(place);
            let others: Vec<&Tried> = from.iter().skip(1).chain(before).filter_map(|other| tried.get(*other)).collect();
            let Some(one) = tried.get(*at) else { continue };
            let start = remake_instance(instances, one)?;
            let start: &dyn StartFiles = match &start {
                Some(instance) => instance,
                None => &(),
            };
            let panel = try_panel(one, &others, start);
            let examples = judge_others(one, &others, start);
            if let Some(one) = tried.get_mut(*at) {
                one.examples.extend(examples);
            }
            if let Some(slot) = panels.get_mut(*at) {
                *slot = panel;
            }
        }
    }
    Ok(panels)
}

/// Makes an instance again, if its starting files are needed to judge an answer.
fn remake_instance(instances: &Instances<'_>, tried: &Tried) -> Result<Option<Instance>, Failure> {
    let of_start = |expect: &Expected| {
        let record = expect.matcher.record();
        record.reads == Reads::Query || matches!(record.takes, Takes::State | Takes::Content | Takes::Nothing)
    };
    let is_tried = |(expect, tests): (&Expected, &api::InstanceTests)| {
        let has_others = tests.examples.iter().any(|example| matches!(example.said, Ok(Said::Others)));
        of_start(expect) && (has_others || matches!(expect.subject, Subject::Reply(_)))
    };
    let is_needed = tried.key.expects.iter().zip(&tried.tests).any(is_tried);
    Ok(if is_needed { Some(instances.get(tried.index)?) } else { None })
}

/// Lists the answers of other instances to an expectation that differ from its own, each once, and at most `most`.
fn list_other_answers<'t>(one: &Tried, others: &[&'t Tried], index: usize, most: usize) -> Vec<&'t Answer> {
    let own = one.key.expects.get(index).and_then(|expect| expect.answer.as_ref());
    let mut found: Vec<&Answer> = Vec::new();
    for other in others {
        let answer = other.key.expects.get(index).and_then(|expect| expect.answer.as_ref());
        if let Some(answer) = answer
            && Some(answer) != own
            && !matches!(answer, Answer::Content(_))
            && !found.contains(&answer)
        {
            found.push(answer);
        }
        if found.len() == most {
            break;
        }
    }
    found
}

/// Judges `rejects others`.
fn judge_others(one: &Tried, others: &[&Tried], start: &dyn StartFiles) -> Vec<JudgedExample> {
    let mut judged = Vec::new();
    for (index, tests) in one.tests.iter().enumerate() {
        for example in tests.examples.iter().filter(|example| matches!(example.said, Ok(Said::Others))) {
            let told = (example.verdict, example.span);
            let answers = list_other_answers(one, others, index, MAX_OTHERS).into_iter();
            judged.extend(
                answers.filter_map(|answer| judge_example(&one.key, index, told, Attempt::Answer(answer), start)),
            );
        }
    }
    judged
}

/// Tries the bad replies to each expectation of the reply.
fn try_panel(one: &Tried, others: &[&Tried], start: &dyn StartFiles) -> Vec<BadReply> {
    let prompt = Some(one.key.prompt.as_str()).filter(|_| !one.key.files.is_empty());
    let tests = one.tests.iter().enumerate().filter(|(_, tests)| tests.panel == PanelState::On);
    let replies = tests.flat_map(|(index, tests)| {
        let other = list_other_answers(one, others, index, 1).into_iter().next();
        list_bad_replies(&one.key, index, Known { prompt, other, choices: &tests.choices }, start)
    });
    replies.collect()
}
