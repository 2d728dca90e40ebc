//! Commands that the server runs: an instance as Markdown, the analysis of a task, and the page of a code.

use std::fmt::Write as _;
use std::sync::Arc;

use compiler::diagnostics::{Severity, find_code_by_id, find_code_by_name};
use gen_lsp_types as lsp;
use model::answer_key::{Expected, Slice, Subject};
use model::value::group_digits;
use model::{Format, Plan};
use runtime::bundle::{Target, build_target};
use runtime::generate::Instance;
use serde::Deserialize;

use crate::analysis::Analysis;
use crate::error::Answer;
use crate::render::{choose_fence, render_inline_code, render_value};
use crate::sample::{self, SEED};
use crate::state::State;
use crate::uri;

/// The names of the commands.
pub const COMMANDS: [&str; 3] = ["picardc.previewInstance", "picardc.analyzeTask", "picardc.explainCode"];

/// The maximum number of bytes and lines that are shown of a file.
const FILE_BYTES: usize = 4_000;
const FILE_LINES: usize = 12;

/// The arguments of `previewInstance` and `analyzeTask`.
#[derive(Deserialize)]
struct OfTask {
    uri: String,
    task: String,
    sample: Option<u32>,
    seed: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct OfCode {
    code: String,
}

/// Runs a command. Every command returns `{"markdown": …}`.
pub fn handle_execute_command(state: &mut State, params: lsp::ExecuteCommandParams) -> Answer<Option<lsp::LspAny>> {
    let argument = params.arguments.and_then(|arguments| arguments.into_iter().next()).unwrap_or_default();
    let not_understood =
        |wanted: &str, error: serde_json::Error| format!("`{}` takes {wanted}: {error}", params.command);
    let of_task =
        || OfTask::deserialize(&argument).map_err(|error| not_understood("{uri, task, sample?, seed?}", error));
    let markdown = match params.command.as_str() {
        "picardc.previewInstance" => render_preview(state, &of_task()?)?,
        "picardc.analyzeTask" => {
            let of = of_task()?;
            let analysis = analyze_suite(state, &of);
            (state.analyze)(find_plan(&analysis, &of)?, &of.task)?
        }
        "picardc.explainCode" => {
            let wanted = OfCode::deserialize(&argument).map_err(|error| not_understood("{code}", error))?.code;
            let known = find_code_by_id(&wanted.to_ascii_uppercase()).or_else(|| find_code_by_name(&wanted));
            known.map(|code| code.page.to_owned()).ok_or_else(|| format!("unknown code `{wanted}`"))?
        }
        other => return Err(format!("picardc has no command `{other}`; it has {}", COMMANDS.join(", "))),
    };
    Ok(Some(serde_json::json!({ "markdown": markdown })))
}

/// The suite of a document.
fn analyze_suite(state: &mut State, of: &OfTask) -> Arc<Analysis> {
    state.workspace.analyze_file(&uri::to_path(&lsp::Uri(of.uri.clone())))
}

/// The plan of a suite, which must have the task.
fn find_plan<'a>(analysis: &'a Analysis, of: &OfTask) -> Answer<&'a Plan> {
    match &analysis.analysed.compiled.plan {
        None => Err(explain_missing_plan(analysis)),
        Some(plan) if plan.tasks.iter().any(|task| task.name == of.task) => Ok(plan),
        Some(plan) => {
            let names = plan.tasks.iter().map(|task| task.name.as_str());
            let near = names::find_closest(&of.task, names).map(|near| format!("; did you mean `{near}`?"));
            Err(format!("the suite has no task `{}`{}", of.task, near.unwrap_or_default()))
        }
    }
}

fn explain_missing_plan(analysis: &Analysis) -> String {
    let diagnostics = analysis.analysed.compiled.diagnostics.iter();
    let errors: Vec<_> = diagnostics.filter(|said| said.severity() == Severity::Error).collect();
    let count = match errors.len() {
        1 => "an error".to_owned(),
        several => format!("{several} errors"),
    };
    match errors.first() {
        Some(first) => format!("the suite has {count}, so nothing can be built; the first: {}", first.message),
        None => "the suite gives nothing to build".to_owned(),
    }
}

fn render_preview(state: &mut State, of: &OfTask) -> Answer<String> {
    let analysis = analyze_suite(state, of);
    let plan = find_plan(&analysis, of)?;
    let seed = match &of.seed {
        None | Some(serde_json::Value::Null) => SEED.to_owned(),
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let sample = of.sample.unwrap_or(1).max(1);
    let instance = sample::generate_instance(plan, &of.task, sample, &seed).map_err(|failure| match failure.help {
        Some(help) => format!("{}\n{help}", failure.message),
        None => failure.message,
    })?;
    Ok(render_instance(plan, &instance, &seed))
}

/// Renders an instance as Markdown. Writing to a `String` cannot fail.
fn render_instance(plan: &Plan, instance: &Instance, seed: &str) -> String {
    let mut out = format!("# {}\n\n", instance.id);
    let task = plan.tasks.iter().find(|task| task.name == instance.task);
    if let Some(doc) = task.and_then(|task| task.doc.as_ref()) {
        let _ = writeln!(out, "{doc}\n");
    }
    let _ = write!(out, "Sample {}, seed {}", instance.sample, render_inline_code(seed));
    if instance.attempt > 0 {
        let _ = write!(out, ", attempt {}", instance.attempt);
    }
    if !instance.tags.is_empty() {
        let _ = write!(out, ", tags {}", instance.tags.join(", "));
    }
    let _ = writeln!(out, "\n\n## Prompt\n\n{}", render_code_block("text", &instance.prompt));
    let axis = instance.axis.iter().map(|(name, _, value)| (name, value));
    let drawn = axis.chain(instance.draws.iter().map(|(name, value)| (name, value)));
    let drawn: Vec<String> =
        drawn.map(|(name, value)| format!("- {} = {}\n", render_inline_code(name), render_value(value))).collect();
    if !drawn.is_empty() {
        let _ = writeln!(out, "## Drawn\n\n{}", drawn.concat());
    }
    if !instance.files.is_empty() || !instance.folders.is_empty() {
        out.push_str("## Files\n\n");
    }
    for file in instance.files.iter() {
        let size = group_digits(file.bytes.len() as u64);
        let _ = writeln!(out, "{}, {size} bytes\n", render_inline_code(&file.path));
        if let Some(text) = take_first_lines(&file.bytes) {
            let _ = writeln!(out, "{}", render_code_block(infer_fence_language(&file.path), &text));
        }
    }
    for folder in &instance.folders {
        let _ = writeln!(out, "{}, an empty folder\n", render_inline_code(&format!("{folder}/")));
    }
    out.push_str("## Expected\n\n");
    for expect in &instance.expects {
        write_expected(&mut out, expect);
    }
    out
}

/// The first lines of a file; `None` if it is not text.
fn take_first_lines(bytes: &[u8]) -> Option<String> {
    if bytes.contains(&0) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let mut shown = String::new();
    for line in text.lines().take(FILE_LINES) {
        if shown.len() + line.len() > FILE_BYTES {
            break;
        }
        shown.push_str(line);
        shown.push('\n');
    }
    if shown.len() < text.trim_end().len() {
        shown.push_str("…\n");
    }
    Some(shown)
}

fn infer_fence_language(path: &str) -> &str {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    match Format::from_path(path) {
        Some(format) if format.text && format != Format::Text => extension,
        None if ["md", "sql"].contains(&extension) => extension,
        _ => "text",
    }
}

/// Renders a fenced code block.
fn render_code_block(language: &str, text: &str) -> String {
    let fence = choose_fence("```", text);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

fn write_expected(out: &mut String, expect: &Expected) {
    let subject = match &expect.subject {
        Subject::Reply(None) => "the reply".to_owned(),
        Subject::Reply(Some(Slice::LastLine)) => "the reply's last line".to_owned(),
        Subject::Reply(Some(Slice::After(text))) => format!("the reply after {}", render_inline_code(text)),
        Subject::Reply(Some(Slice::Fenced(_))) => "the reply's last fenced block".to_owned(),
        Subject::Reply(Some(Slice::Tag(name))) => format!("the reply in {}", render_inline_code(&format!("<{name}>"))),
        Subject::Reply(Some(Slice::Between(open, close))) => {
            format!("the reply between {} and {}", render_inline_code(open), render_inline_code(close))
        }
        Subject::File(path) => format!("the file {}", render_inline_code(path)),
        Subject::Files(paths) => format!("files {}", paths.join(", ")),
        Subject::Tree(paths) => format!("tree {}", paths.join(", ")),
        Subject::Only(paths) if paths.is_empty() => "tree only []".to_owned(),
        Subject::Only(paths) => format!("tree only {}", paths.join(", ")),
        Subject::Unchanged(paths) if paths.is_empty() => "tree".to_owned(),
        Subject::Unchanged(paths) => format!("tree except {}", paths.join(", ")),
    };
    if let Some(name) = &expect.name {
        let _ = write!(out, "{} from ", render_inline_code(name));
    }
    out.push_str(&subject);
    out.push_str(&expect.read.describe_part());
    if let Some(at) = &expect.at {
        let _ = write!(out, " at {}", render_inline_code(at.path.as_str()));
    }
    let _ = write!(out, ": {}", expect.matcher.word());
    if let Some(path) = expect.content_file() {
        let _ = write!(out, " of {}", render_inline_code(path));
    }
    if expect.weight != model::Decimal::from_int(1) {
        let _ = write!(out, ", weight {}", expect.weight);
    }
    out.push_str(if expect.gate { ", gate\n\n" } else { "\n\n" });
    if expect.answer.is_some() && expect.content_file().is_none() {
        match build_target(std::slice::from_ref(expect)) {
            Target::One(text) => {
                let _ = writeln!(out, "{}", render_code_block("text", &text));
            }
            Target::AnyOf(texts) => {
                for text in texts {
                    let _ = writeln!(out, "- {}", render_inline_code(&text));
                }
                out.push('\n');
            }
        }
    }
}
