//! A workload of KramaBench: a JSON list of tasks, each with its question, published answer, sources, and steps.

use serde::Deserialize as _;
use serde_json::{Map, Value as Json};

use crate::import::{LeftOut, Obstacle};

use super::answer::AnswerType;

/// The maximum number of steps of a task: the prompt of each step contains all steps before it.
const MAX_STEPS: usize = 200;

/// The maximum number of sources of a question, and the maximum length of a source in bytes, which is that of a path.
const MAX_SOURCES: usize = 10_000;
const LONGEST_SOURCE: usize = 4096;

/// A question with a published answer: a task, or one of its steps.
#[derive(Clone, Debug)]
pub struct Question {
    /// The ID in the workload.
    pub id: String,
    pub query: String,
    pub answer_type: AnswerType,
    pub answer: Json,
    /// The files of the question according to the workload; `None` if it does not state any.
    pub sources: Option<Vec<String>>,
    /// The task to which a step belongs; `None` for a task.
    pub part: Option<Part>,
    /// The steps of a task, in order.
    pub steps: Vec<Question>,
}

/// The context of a step.
#[derive(Clone, Debug)]
pub struct Part {
    /// The number of the step, from 1.
    pub number: usize,
    /// The question of the task.
    pub whole: String,
    /// The descriptions of the steps up to this one, in order; steps without a description are left out.
    pub steps: Vec<(usize, String)>,
}

/// Parses the questions of a workload in order, each task with its steps. Tasks that are not valid questions are added to `left_out`, and their steps become
/// separate questions.
pub fn parse_questions(workload: &Json, left_out: &mut Vec<LeftOut>) -> Result<Vec<Question>, Obstacle> {
    let Json::Array(tasks) = workload else {
        return Err(Obstacle::new("a workload is a JSON list of tasks"));
    };
    let mut questions = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        let name = find_id(task).unwrap_or_else(|| format!("task {}", index + 1));
        match parse_question(task, &name) {
            Ok(found) => questions.push(Question { steps: parse_steps(task, &name, left_out), ..found }),
            Err(why) => {
                left_out.push(LeftOut { what: name.clone(), why: why.to_string() });
                questions.extend(parse_steps(task, &name, left_out));
            }
        }
    }
    Ok(questions)
}

/// Parses the steps of a task.
fn parse_steps(task: &Json, of: &str, left_out: &mut Vec<LeftOut>) -> Vec<Question> {
    let mut questions = Vec::new();
    let written = match task.get("subtasks") {
        None | Some(Json::Null) => return questions,
        Some(Json::Array(written)) => written,
        Some(_) => {
            let why = "`subtasks` is not a list; write a list of objects".to_owned();
            left_out.push(LeftOut { what: format!("the subtasks of {of}"), why });
            return questions;
        }
    };
    if let Some(more) = written.len().checked_sub(MAX_STEPS).filter(|more| *more > 0) {
        let why = format!("a task has at most {MAX_STEPS} steps; ask the others as tasks of their own");
        left_out.push(LeftOut { what: format!("the last {more} subtasks of {of}"), why });
    }
    let whole = task.get("query").and_then(Json::as_str).unwrap_or_default();
    let mut before: Vec<(usize, String)> = Vec::new();
    for (number, step) in (1..).zip(written.iter().take(MAX_STEPS)) {
        if let Some(text) = step.get("step").and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty()) {
            before.push((number, text.to_owned()));
        }
        let name = find_id(step).unwrap_or_else(|| format!("{of}, subtask {number}"));
        match parse_question(step, &name) {
            Ok(mut found) => {
                if found.sources.is_none() {
                    found.sources = parse_sources(task).ok().flatten();
                }
                found.part = Some(Part { number, whole: whole.to_owned(), steps: before.clone() });
                questions.push(found);
            }
            Err(why) => left_out.push(LeftOut { what: name, why: why.to_string() }),
        }
    }
    questions
}

fn find_id(question: &Json) -> Option<String> {
    question.get("id").and_then(Json::as_str).map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned)
}

/// Parses one question. An error explains why it is invalid.
fn parse_question(json: &Json, id: &str) -> Result<Question, Obstacle> {
    let Json::Object(fields) = json else {
        return Err(Obstacle::new("it is not an object").suggest("write one with `query`, `answer`, and `answer_type`"));
    };
    let query = require_text(fields, "query")?;
    let written = require_text(fields, "answer_type")?;
    let Some(answer_type) = AnswerType::from_word(&written) else {
        let known = AnswerType::ALL.iter().map(|known| known.word()).collect::<Vec<_>>().join("`, `");
        return Err(
            Obstacle::new(format!("answer type `{written}` is not known")).suggest(format!("the types are `{known}`"))
        );
    };
    let answer = fields.get("answer").filter(|answer| !answer.is_null());
    let answer =
        answer.ok_or_else(|| Obstacle::new("it has no `answer`, so there is nothing to compare a reply with"))?.clone();
    Ok(Question {
        id: id.to_owned(),
        query,
        answer_type,
        answer,
        sources: parse_sources(json)?,
        part: None,
        steps: Vec::new(),
    })
}

fn require_text(fields: &Map<String, Json>, key: &str) -> Result<String, Obstacle> {
    match fields.get(key) {
        Some(Json::String(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        Some(Json::String(_) | Json::Null) | None => {
            Err(Obstacle::new(format!("it has no `{key}`")).suggest("write one"))
        }
        Some(_) => Err(Obstacle::new(format!("`{key}` is not a string")).suggest("write a string")),
    }
}

/// Parses the sources: a list of strings, or one string.
fn parse_sources(question: &Json) -> Result<Option<Vec<String>>, Obstacle> {
    let not = || {
        Obstacle::new("`data_sources` is not a list of strings").suggest("write the names of files, folders, or globs")
    };
    let found = match question.get("data_sources") {
        None | Some(Json::Null) => None,
        Some(Json::String(one)) => Some(vec![one.clone()]),
        Some(several) => Some(Vec::<String>::deserialize(several).map_err(|_| not())?),
    };
    let sources = found.as_deref().unwrap_or_default();
    if sources.len() > MAX_SOURCES {
        let count = sources.len();
        return Err(Obstacle::new(format!("`data_sources` has {count} items, and at most {MAX_SOURCES} are read"))
            .suggest("name folders or globs"));
    }
    if let Some(long) = sources.iter().find(|source| source.len() > LONGEST_SOURCE) {
        let size = long.len();
        return Err(Obstacle::new(format!(
            "`data_sources` has an item of {size} bytes, and at most {LONGEST_SOURCE} are read"
        ))
        .suggest("name a file, a folder, or a glob"));
    }
    Ok(found)
}
