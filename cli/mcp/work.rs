//! What the tools do.

use std::time::{Duration, Instant};

use ::agent::tools::mcp::Cancelled;
use analysis::selftest::Selftest;
use analysis::{Analysis, Effort};
use api::{Located, Options, Suite};
use compiler::diagnostics::{Diagnostic, Severity};
use compiler::fmt::{MEANING, Refusal};
use compiler::{Compiled, compile};
use runtime::Failure;
use runtime::bundle::Progress;
use serde_json::{Value as Json, json};

use super::Arguments;
use super::catalog::Tool;
use super::source::{Folder, Given};
use crate::check::{misses_suite, only_declares};
use crate::console::Console;
use crate::progress::nanos;
use crate::stages::StagesArg;
use crate::{explain, fix, preview, render};

/// The language on one page.
const CARD: &str = include_str!("../../docs/language-card.md");

/// The most diagnostics that are returned as data.
const MOST: usize = 50;

/// The longest that samples are made for: clients give up on calls that take longer.
const LONGEST: Duration = Duration::from_secs(50);

/// Nothing is drawn in colors.
const PLAIN: Console = Console { colour: false, terminal: false };

/// What a call came to.
pub struct Told {
    /// For people and models.
    pub text: String,
    /// For programs.
    pub data: Option<Json>,
    /// Whether it is a mistake of the call or of the suite.
    pub is_error: bool,
}

impl Told {
    fn fine(text: String, data: Option<Json>) -> Told {
        Told { text, data, is_error: false }
    }
}

/// Makes a call. The error says what is wrong with it, or with the suite.
pub fn run(tool: Tool, folder: &Folder, arguments: &Arguments, cancelled: &Cancelled) -> Result<Told, String> {
    match tool {
        Tool::Explain => explained(arguments),
        Tool::Check => Ok(checked(folder.given(arguments)?, arguments)),
        Tool::Fmt => formatted(&folder.given(arguments)?),
        Tool::Preview => Ok(previewed(&folder.given(arguments)?, arguments)),
        Tool::Analyze => Ok(analyzed(&folder.given(arguments)?, arguments, cancelled)),
        Tool::Selftest => Ok(tried(&folder.given(arguments)?, arguments, cancelled)),
    }
}

fn text<'a>(arguments: &'a Arguments, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Json::as_str)
}

fn seed(arguments: &Arguments) -> String {
    text(arguments, "seed").filter(|seed| !seed.is_empty()).unwrap_or("1").to_owned()
}

fn explained(arguments: &Arguments) -> Result<Told, String> {
    let text = match text(arguments, "code") {
        None => CARD.to_owned(),
        Some("codes") => explain::list(),
        Some(code) => explain::page(code).map(str::to_owned).map_err(|near| {
            let help = near.unwrap_or_else(|| "`codes` lists all codes".to_owned());
            format!("unknown code `{code}`; {help}")
        })?,
    };
    Ok(Told::fine(text, None))
}

/// Diagnostics as people read them, and as data.
fn checked(mut given: Given, arguments: &Arguments) -> Told {
    let is_part = only_declares(&given.text);
    let mut done = Vec::new();
    let mut changed = Vec::new();
    let compiled = if arguments.get("fix") == Some(&Json::Bool(true)) {
        let (path, disk, texts) = given.parts();
        let fixed = fix::fix(path, disk, texts, false);
        done = fixed.done.iter().map(|done| format!("fixed {done}\n")).collect();
        done.extend(fixed.left.iter().map(|left| format!("{left}\n")));
        changed = texts.changed().map(|(_, one)| json!({"path": one.path, "source": one.after})).collect();
        fixed.compiled
    } else {
        compile(&given.path, &given.host())
    };
    let shown: Vec<&Diagnostic> =
        compiled.diagnostics.iter().filter(|said| !(is_part && misses_suite(&compiled, said))).collect();
    let mut text = done.concat();
    for one in &changed {
        let (path, source) = (one["path"].as_str().unwrap_or_default(), one["source"].as_str().unwrap_or_default());
        text.push_str(&format!("{path} with these fixes:\n```pcd\n{}\n```\n\n", source.trim_end()));
    }
    text.push_str(&drawn(&shown, &compiled));
    let errors = shown.iter().filter(|said| said.severity() == Severity::Error).count();
    let all: Vec<Located<'_>> = shown.iter().take(MOST).map(|said| Located::new(said, &compiled.sources)).collect();
    let mut data = json!({
        "errors": errors,
        "warnings": shown.len() - errors,
        "diagnostics": all,
        "left_out": shown.len() - all.len(),
    });
    if let (false, Some(fields)) = (changed.is_empty(), data.as_object_mut()) {
        fields.insert("changed".to_owned(), changed.into());
    }
    Told::fine(text, Some(data))
}

fn drawn(shown: &[&Diagnostic], compiled: &Compiled) -> String {
    if shown.is_empty() {
        return "no errors, no warnings".to_owned();
    }
    let mut tally = render::Tally::default();
    let drawn = render::human::all(shown, &compiled.sources, &PLAIN, &mut tally);
    format!("{drawn}{}", tally.summary())
}

fn formatted(given: &Given) -> Result<Told, String> {
    match compiler::fmt::format(&given.text) {
        Ok(text) => {
            let data = json!({"changed": text != given.text, "source": text});
            Ok(Told::fine(text, Some(data)))
        }
        Err(Refusal::Meaning) => Err(format!("`{}` stays as it is: {MEANING}", given.path)),
        Err(Refusal::Mistakes(said)) => {
            let first = said.first().map_or(String::new(), |first| format!(": {}", first.message));
            Err(format!("a source with syntax errors is not changed{first}; call `check` for all of them"))
        }
    }
}

/// The suite, if it can be built; else what is wrong with it.
fn suite(given: &Given) -> Result<Suite, Told> {
    let suite = Suite::compile(&given.path, &given.host());
    if suite.plan().is_some() {
        return Ok(suite);
    }
    let errors: Vec<&Diagnostic> =
        suite.diagnostics().iter().filter(|said| said.severity() == Severity::Error).collect();
    let mut tally = render::Tally::default();
    let drawn = render::human::all(&errors, suite.sources(), &PLAIN, &mut tally);
    Err(Told { text: format!("the suite has errors:\n\n{drawn}{}", tally.summary()), data: None, is_error: true })
}

/// What failed while instances were made.
fn failed(failure: &Failure, suite: &Suite) -> Told {
    let plain = || match &failure.help {
        Some(help) => format!("error: {}\n  help: {help}", failure.message),
        None => format!("error: {}", failure.message),
    };
    let text = render::failure::text(failure, suite.sources(), false, |_| None).unwrap_or_else(plain);
    Told { text, data: None, is_error: true }
}

fn previewed(given: &Given, arguments: &Arguments) -> Told {
    let owned = |name: &str| text(arguments, name).map(str::to_owned);
    let args = preview::Args {
        file: given.path.clone(),
        task: owned("task"),
        sample: Tool::Preview.number(arguments, "sample"),
        seed: seed(arguments),
        variant: owned("variant"),
        stage: owned("stage"),
        stages: StagesArg::default(),
        cell: owned("cell"),
        sandbox_root: Options::SANDBOX_ROOT.to_owned(),
    };
    let suite = match suite(given) {
        Ok(suite) => suite,
        Err(told) => return told,
    };
    let page = preview::mode(&args)
        .apply(suite)
        .map_err(|failure| plain_failure(&failure))
        .and_then(|suite| preview::page(&args, &suite).map_err(|failure| failed(&failure, &suite)));
    page.map_or_else(|told| told, |page| Told::fine(page, None))
}

fn plain_failure(failure: &Failure) -> Told {
    Told { text: format!("error: {}", failure.message), data: None, is_error: true }
}

fn analyzed(given: &Given, arguments: &Arguments, cancelled: &Cancelled) -> Told {
    sampled(given, arguments, Tool::Analyze, cancelled, |suite, options, effort| {
        let samples = options.samples.unwrap_or_default();
        let (seed, instances) = (options.seed.clone(), suite.instances(options)?);
        let analysis = Analysis::of(instances.generator(), effort)?;
        Ok((analysis.table(&seed), analysis.document(suite.name(), &seed, samples, false)))
    })
}

fn tried(given: &Given, arguments: &Arguments, cancelled: &Cancelled) -> Told {
    sampled(given, arguments, Tool::Selftest, cancelled, |suite, options, effort| {
        let samples = options.samples.unwrap_or_default();
        let (seed, instances) = (options.seed.clone(), host::instances(suite, &given.path, options)?);
        let tried = Selftest::of(&instances, effort)?;
        Ok((tried.table(&seed), tried.document(suite.name(), &seed, samples)))
    })
}

/// Makes samples for a while, and reports on them.
fn sampled(
    given: &Given,
    arguments: &Arguments,
    tool: Tool,
    cancelled: &Cancelled,
    work: impl Fn(&Suite, Options, Effort<'_>) -> Result<(String, Json), Failure>,
) -> Told {
    let suite = match suite(given) {
        Ok(suite) => suite,
        Err(told) => return told,
    };
    let samples = tool.number(arguments, "samples");
    let task = text(arguments, "task").map(str::to_owned);
    let options = Options { samples: Some(samples), task, ..Options::new(seed(arguments)) };
    let began = Instant::now();
    let late = || cancelled.is() || began.elapsed() > LONGEST;
    let progress: &(dyn Progress + Sync) = &();
    let effort = Effort { threads: 0, clock: Some(&nanos), progress, stop: Some(&late) };
    match work(&suite, options, effort) {
        Ok((text, data)) => Told::fine(text, Some(data)),
        Err(failure) => failed(&failure, &suite),
    }
}
