//! The implementation of the tools.

use std::time::{Duration, Instant};

use ::agent::tools::mcp::Cancelled;
use analysis::selftest::Selftest;
use analysis::{Analysis, RunOptions, Times};
use api::{Drawn, Located, Net, Options, Suite};
use compiler::diagnostics::{Applicability, Diagnostic, Severity};
use compiler::fmt::{MEANING, Refusal};
use compiler::observe::observe_suite;
use compiler::{Compiled, compile};
use host::build_net;
use runtime::Failure;
use runtime::bundle::Progress;
use serde_json::{Value as Json, json};

use super::call::{Arguments, ToolResult, find_text};
use super::catalog::Tool;
use super::source::{CallSource, Folder};
use crate::check::{has_only_declarations, is_missing_suite};
use crate::console::{Console, Style};
use crate::progress::read_nanos;
use crate::stages::StagesArg;
use crate::{explain, fix, preview, render};

/// The description of the language on one page.
const CARD: &str = include_str!("../../docs/language-card.md");

/// The maximum number of diagnostics that are returned as data.
const MAX_DIAGNOSTICS: usize = 50;

/// The maximum duration of sampling: clients give up on longer calls.
const LONGEST: Duration = Duration::from_secs(50);

/// Runs a call. If it is wrong, or the suite has errors, the result is an error.
pub fn run_tool(
    tool: Tool,
    folder: &Folder,
    arguments: &Arguments,
    cancelled: &Cancelled,
) -> Result<ToolResult, ToolResult> {
    match tool {
        Tool::Explain => explain_code(arguments),
        Tool::Check => Ok(check_suite(folder.resolve_given(arguments)?, arguments)),
        Tool::Fmt => format_source(&folder.resolve_given(arguments)?),
        Tool::Preview => render_preview(&folder.resolve_given(arguments)?, arguments),
        Tool::Analyze => analyze_suite(&folder.resolve_given(arguments)?, arguments, cancelled),
        Tool::Selftest => run_selftest(&folder.resolve_given(arguments)?, arguments, cancelled),
    }
}

fn find_seed(arguments: &Arguments) -> String {
    find_text(arguments, "seed").filter(|seed| !seed.is_empty()).unwrap_or("1").to_owned()
}

fn explain_code(arguments: &Arguments) -> Result<ToolResult, ToolResult> {
    let text = match find_text(arguments, "code") {
        None => CARD.to_owned(),
        Some("codes") => explain::list_codes(),
        Some(code) => explain::find_page(code).map(str::to_owned).map_err(|help| {
            let help = help.as_deref().unwrap_or("`codes` lists all codes");
            ToolResult::new_error(format!("unknown code `{code}`; {help}"))
        })?,
    };
    Ok(ToolResult::new_success(text, None))
}

/// Returns diagnostics as text for people, and as data.
fn check_suite(mut given: CallSource, arguments: &Arguments) -> ToolResult {
    let is_part = has_only_declarations(&given.text);
    let mut done = Vec::new();
    let mut changed = Vec::new();
    let mut compiled = if arguments.get("fix") == Some(&Json::Bool(true)) {
        let fixed = fix::fix_suite(&given.path, &given.disk, &mut given.texts, Applicability::Safe);
        done = fixed.done.iter().map(|done| format!("fixed {done}\n")).collect();
        done.extend(fixed.left.iter().map(|left| format!("{left}\n")));
        changed = given.texts.iter_changed().map(|(_, one)| json!({"path": one.path, "source": one.after})).collect();
        fixed.compiled
    } else {
        compile(&given.path, &given.as_host())
    };
    observe_suite(&mut compiled, &build_net(&given.path, Net::SAMPLES));
    let shown: Vec<&Diagnostic> =
        compiled.diagnostics.iter().filter(|said| !(is_part && is_missing_suite(&compiled, said))).collect();
    let mut text = done.concat();
    for one in &changed {
        let (path, source) = (one["path"].as_str().unwrap_or_default(), one["source"].as_str().unwrap_or_default());
        text.push_str(&format!("{path} with these fixes:\n```pcd\n{}\n```\n\n", source.trim_end()));
    }
    text.push_str(&render_diagnostics(&shown, &compiled));
    if let Some(left_out) = compiled.drawn.as_ref().and_then(Drawn::describe_left_out) {
        text.push_str(&format!("\n{left_out}"));
    }
    let errors = shown.iter().filter(|said| said.severity() == Severity::Error).count();
    let all: Vec<Located<'_>> =
        shown.iter().take(MAX_DIAGNOSTICS).map(|said| Located::new(said, &compiled.sources)).collect();
    let mut data = json!({
        "errors": errors,
        "warnings": shown.len() - errors,
        "diagnostics": all,
        "left_out": shown.len() - all.len(),
    });
    if !changed.is_empty() {
        data["changed"] = changed.into();
    }
    ToolResult::new_success(text, Some(data))
}

fn render_diagnostics(shown: &[&Diagnostic], compiled: &Compiled) -> String {
    if shown.is_empty() {
        return "no errors, no warnings".to_owned();
    }
    let mut tally = render::Tally::default();
    let drawn = render::human::render_all(shown, &compiled.sources, &Console::PLAIN, &mut tally);
    format!("{drawn}{}", tally.render_summary())
}

fn format_source(given: &CallSource) -> Result<ToolResult, ToolResult> {
    match compiler::fmt::format_source(&given.text) {
        Ok(text) => {
            let data = json!({"changed": text != given.text, "source": text});
            Ok(ToolResult::new_success(text, Some(data)))
        }
        Err(Refusal::Meaning) => Err(ToolResult::new_error(format!("`{}` stays as it is: {MEANING}", given.path))),
        Err(Refusal::Mistakes(said)) => {
            let first = said.first().map(|first| format!(": {}", first.message)).unwrap_or_default();
            let message = "a source with syntax errors is not changed";
            Err(ToolResult::new_error(format!("{message}{first}; call `check` for all of them")))
        }
    }
}

/// Compiles the suite. If it has errors, returns them as a result.
fn compile_given(given: &CallSource) -> Result<Suite, ToolResult> {
    let suite = Suite::compile(&given.path, &given.as_host());
    if suite.plan().is_some() {
        return Ok(suite);
    }
    let errors: Vec<&Diagnostic> =
        suite.diagnostics().iter().filter(|said| said.severity() == Severity::Error).collect();
    let mut tally = render::Tally::default();
    let drawn = render::human::render_all(&errors, suite.sources(), &Console::PLAIN, &mut tally);
    Err(ToolResult::new_failure(format!("the suite has errors:\n\n{drawn}{}", tally.render_summary())))
}

/// Reports a failure to make instances.
fn report_failure(failure: &Failure, suite: &Suite) -> ToolResult {
    let plain = || match &failure.help {
        Some(help) => format!("error: {}\n  help: {help}", failure.message),
        None => format!("error: {}", failure.message),
    };
    let text = render::failure::render_failure(failure, suite.sources(), Style::Plain, |_| None).unwrap_or_else(plain);
    ToolResult::new_failure(text)
}

fn render_preview(given: &CallSource, arguments: &Arguments) -> Result<ToolResult, ToolResult> {
    let owned = |name: &str| find_text(arguments, name).map(str::to_owned);
    let args = preview::Args {
        file: given.path.clone(),
        task: owned("task"),
        sample: Tool::Preview.read_number(arguments, "sample"),
        seed: find_seed(arguments),
        variant: owned("variant"),
        stage: owned("stage"),
        stages: StagesArg::default(),
        cell: owned("cell"),
        sandbox_root: Options::SANDBOX_ROOT.to_owned(),
    };
    let suite = preview::choose_mode(&args).apply_stages(compile_given(given)?).map_err(ToolResult::new_error)?;
    let page = preview::render_page(&args, &suite).map_err(|failure| report_failure(&failure, &suite))?;
    Ok(ToolResult::new_success(page, None))
}

fn analyze_suite(given: &CallSource, arguments: &Arguments, cancelled: &Cancelled) -> Result<ToolResult, ToolResult> {
    run_sampled(given, arguments, Tool::Analyze, cancelled, |suite, options, effort| {
        let samples = options.samples.unwrap_or_default();
        let (seed, instances) = (options.seed.clone(), suite.select_instances(options)?);
        let analysis = Analysis::from_generator(instances.generator(), effort)?;
        Ok((analysis.render_table(&seed), analysis.build_document(suite.name(), &seed, samples, Times::Omitted)))
    })
}

fn run_selftest(given: &CallSource, arguments: &Arguments, cancelled: &Cancelled) -> Result<ToolResult, ToolResult> {
    run_sampled(given, arguments, Tool::Selftest, cancelled, |suite, options, effort| {
        let samples = options.samples.unwrap_or_default();
        let (seed, instances) = (options.seed.clone(), host::open_instances(suite, &given.path, options)?);
        let tried = Selftest::from_instances(&instances, effort)?;
        Ok((tried.render_table(&seed), tried.build_document(suite.name(), &seed, samples)))
    })
}

/// Makes samples for a limited time, and reports on them.
fn run_sampled(
    given: &CallSource,
    arguments: &Arguments,
    tool: Tool,
    cancelled: &Cancelled,
    work: impl Fn(&Suite, Options, RunOptions<'_>) -> Result<(String, Json), Failure>,
) -> Result<ToolResult, ToolResult> {
    let suite = compile_given(given)?;
    let samples = tool.read_number(arguments, "samples");
    let task = find_text(arguments, "task").map(str::to_owned);
    let options = Options { samples: Some(samples), task, ..Options::new(find_seed(arguments)) };
    let began = Instant::now();
    let late = || cancelled.is_set() || began.elapsed() > LONGEST;
    let progress: &(dyn Progress + Sync) = &();
    let effort = RunOptions { threads: 0, clock: Some(&read_nanos), progress, stop: Some(&late) };
    let (text, data) = work(&suite, options, effort).map_err(|failure| report_failure(&failure, &suite))?;
    Ok(ToolResult::new_success(text, Some(data)))
}
