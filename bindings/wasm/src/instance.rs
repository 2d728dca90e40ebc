//! One instance as JSON: the input of the agent, the expected answers, and the score of a response.

use api::{Address, Instance, Options, Suite};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::Value as Drawn;
use model::answer_key::Expected;
use model::pointer::describe_column;
use runtime::bundle::{Target, build_target};
use serde_json::{Value, json};

use crate::error::RequestError;
use crate::files::Files;
use crate::request::InstanceSelector;
use crate::tables::encode_content;

/// Builds the selected instance. The suite must have no errors.
pub fn build_instance(
    suite: &Suite,
    files: &Files,
    path: &str,
    which: &InstanceSelector,
) -> Result<Instance, RequestError> {
    let tasks = suite.tasks();
    let at = match &which.task {
        None => 0,
        Some(name) => tasks.iter().position(|task| task.name == *name).ok_or_else(|| build_task_error(suite, name))?,
    };
    let task = tasks.get(at).ok_or_else(|| build_task_error(suite, ""))?;
    let sample = which.sample.max(1);
    let options = Options {
        samples: Some(task.samples.max(sample)),
        task: Some(task.name.clone()),
        ..Options::new(which.seed.as_str())
    };
    let address = Address {
        task: at as u32,
        cell: which.cell.min(task.count_cells().saturating_sub(1)),
        variant: which.variant.min((task.variants.len() as u32).saturating_sub(1)),
        sample: sample - 1,
    };
    let instances = suite.select_instances(options);
    let built = instances.and_then(|instances| instances.with_reader(files.build_reader(path)).get_at(address));
    built.map_err(|error| RequestError::from_instance(&error))
}

fn build_task_error(suite: &Suite, name: &str) -> RequestError {
    RequestError::new(match suite.count_errors() {
        0 => format!("the suite has no task `{name}`"),
        1 => "the suite has an error, so nothing can be built".to_owned(),
        count => format!("the suite has {count} errors, so nothing can be built"),
    })
}

/// Builds the view of an instance for people.
pub fn build_preview(instance: &Instance) -> Value {
    let made = instance.made();
    let axes = made
        .axis
        .iter()
        .map(|(name, label, value)| json!({ "name": name, "axis": label, "value": render_value(value) }));
    let draws = made.draws.iter().map(|(name, value)| json!({ "name": name, "value": render_value(value) }));
    let given: Vec<Value> = instance
        .files()
        .iter()
        .map(|file| {
            let mut value = encode_content(&file.path, &file.bytes);
            value["path"] = file.path.as_str().into();
            value["bytes"] = file.bytes.len().into();
            value
        })
        .collect();
    let lakes: Vec<Value> = made
        .lakes
        .iter()
        .map(|handed| {
            let files: Vec<Value> =
                handed.files().map(|file| json!({ "path": file.path, "bytes": file.size })).collect();
            json!({ "at": handed.lake.at, "files": files })
        })
        .collect();
    json!({
        "id": instance.id(),
        "task": made.task,
        "sample": made.sample,
        "attempt": made.attempt,
        "tags": made.tags,
        "prompt": instance.prompt(),
        "drawn": axes.chain(draws).collect::<Vec<Value>>(),
        "files": given,
        "lakes": lakes,
        "folders": made.folders,
        "expected": made.expects.iter().map(encode_expected).collect::<Vec<Value>>(),
        "key_paths": instance.key().list_key_paths(),
    })
}

/// Renders a value: texts in quotes, others as usual.
fn render_value(value: &Drawn) -> String {
    match value {
        Drawn::Null => "null".to_owned(),
        Drawn::Text(text) => format!("{text:?}"),
        Drawn::List(_) | Drawn::Object(_) | Drawn::Rows(_) => value.to_json().to_string(),
        other => other.render_text().into_owned(),
    }
}

/// Encodes one expectation. `accepted` is empty if the answer is not a value, but the existence or the bytes of a file.
fn encode_expected(expect: &Expected) -> Value {
    let accepted = match (&expect.answer, expect.content_file()) {
        (Some(_), None) => match build_target(std::slice::from_ref(expect)) {
            Target::One(text) => vec![text],
            Target::AnyOf(texts) => texts,
        },
        _ => Vec::new(),
    };
    let options = expect.options.iter().map(|(pointer, options)| (pointer, options.to_source()));
    let options: Vec<String> = options
        .filter(|(_, words)| !words.is_empty())
        .map(|(pointer, words)| match describe_column(pointer) {
            Some(column) => format!("{column}: {words}"),
            None if pointer.is_empty() => words,
            None => format!("{pointer}: {words}"),
        })
        .chain(expect.among.iter().map(|values| {
            let values: Vec<String> = values.iter().map(render_value).collect();
            format!("among {}", values.join(", "))
        }))
        .collect();
    let traps: Vec<Value> =
        expect.traps.iter().map(|trap| json!({ "name": trap.name, "value": render_value(&trap.value) })).collect();
    json!({
        "name": expect.name,
        "subject": score::describe_subject(expect),
        "matcher": expect.matcher.word(),
        "of": expect.content_file(),
        "accepted": accepted,
        "options": options,
        "traps": traps,
        "gate": expect.gate,
        "weight": expect.weight.to_string(),
    })
}

/// Encodes the bytes of a file of the instance.
pub fn encode_file(instance: &Instance, file: &str) -> Result<Value, RequestError> {
    let missing = || RequestError::new(format!("`{}` has no file `{file}`", instance.id()));
    let bytes = api::StartFiles::read_file(instance, file).ok_or_else(missing)?;
    Ok(json!({ "base64": STANDARD.encode(bytes) }))
}

/// Scores a reply and written files. If `solved`, the oracle's changes of files are made first.
pub fn grade_reply(
    instance: &Instance,
    reply: String,
    written: Vec<(String, String)>,
    solved: bool,
) -> Result<Value, RequestError> {
    let mut solution =
        if solved { instance.build_oracle_solution().map_err(RequestError::new)? } else { api::Solution::default() };
    solution.reply = reply;
    for (path, text) in written {
        solution.files.retain(|(known, _)| *known != path);
        solution.files.push((path, text.into_bytes()));
    }
    serde_json::to_value(instance.grade_solution(&solution)).map_err(RequestError::new)
}

/// Returns a correct response: the reply, the files with texts, the paths of other files, the created folders, and the removed paths.
pub fn solve_instance(instance: &Instance) -> Result<Value, RequestError> {
    let solution = instance.build_oracle_solution().map_err(RequestError::new)?;
    let (mut texts, mut others) = (Vec::new(), Vec::new());
    for (path, bytes) in solution.files {
        match String::from_utf8(bytes) {
            Ok(text) => texts.push(json!([path, text])),
            Err(_) => others.push(path),
        }
    }
    Ok(json!({
        "reply": solution.reply, "files": texts, "others": others, "folders": solution.folders, "removed": solution.removed,
    }))
}
