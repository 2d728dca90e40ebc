//! What PICARD, the nearest peer, can do, and where it goes wrong: `docs/src/reference/picard.md` says what becomes of each of its functions, semantic
//! types and known defects here, and these tests hold every row of it true.
//!
//! `functions` has a test for each of the 47 template functions, `domains` one for each of the 26 semantic types, `forms` covers number types,
//! pools, file generators and scoring types, `defects_…` the 55 defects; `page` reads the chapter and checks that it names them all.

mod defects_data;
mod defects_keys;
mod defects_running;
mod domains;
mod forms;
mod functions;
mod page;

use compiler::Compiled;
use runtime::Failure;
use runtime::bundle::Target;
use runtime::generate::{Instance, Options};
use serde_json::Value as Json;
use testing::read_text;

/// Compiles items that use these files. Lints have tests of their own: what is right here needs no good question around it.
fn compile_with(items: &str, files: &[(&str, &[u8])]) -> Compiled {
    let text = format!("suite s {{ title \"S\" version \"1\" samples 40 }}\n{items}");
    testing::keep_errors(testing::compile_with(&text, files))
}

/// Compiles a task with this body, whose first line is line 3.
fn compile(body: &str) -> Compiled {
    testing::keep_errors(testing::compile_text(&testing::build_suite_source("samples 40", body)))
}

/// Codes and lines of everything that is said.
fn said(compiled: &Compiled) -> Vec<(&'static str, u32)> {
    let line = |said: &compiler::diagnostics::Diagnostic| compiled.sources.start_position(said.primary.span).line;
    compiled.diagnostics.iter().map(|said| (said.code.id, line(said))).collect()
}

/// Holds that a task with this body is refused with just these codes at these lines of the body, from 1.
#[track_caller]
fn refused(body: &str, codes: &[(&str, u32)]) {
    let compiled = compile(body);
    let found: Vec<_> = said(&compiled).into_iter().map(|(code, line)| (code, line - 2)).collect();
    assert_eq!(found, codes, "{body}\n{:#?}", compiled.diagnostics);
    assert!(compiled.plan.is_none(), "{body}");
}

/// The advice that the first diagnostic of a task with this body gives.
#[track_caller]
fn advice(body: &str) -> String {
    let compiled = compile(body);
    let first = compiled.diagnostics.first().unwrap_or_else(|| panic!("nothing is said: {body}"));
    first.help.clone().unwrap_or_default()
}

/// All instances of what compiled without a word, or why one cannot be made.
#[track_caller]
fn made(compiled: &Compiled, seed: &str) -> Result<Vec<Instance>, Failure> {
    assert!(compiled.diagnostics.is_empty(), "{:#?}", compiled.diagnostics);
    testing::make_instances(compiled.plan.as_ref().expect("no error, so a plan"), Options::new(seed))
}

/// The 40 instances of a task with this body.
#[track_caller]
fn instances(body: &str) -> Vec<Instance> {
    testing::expect_instances(&compile(body))
}

/// The first answer of an instance, as JSON.
#[track_caller]
fn answer(instance: &Instance) -> Json {
    testing::find_answer(instance).to_json()
}

/// The answer that all instances of a task with this body have.
#[track_caller]
fn only_answer(body: &str) -> Json {
    let all: Vec<Json> = instances(body).iter().map(answer).collect();
    assert!(all.iter().all(|one| *one == all[0]), "{body}: {all:?}");
    all[0].clone()
}

/// The target that harnesses compare with.
#[track_caller]
fn target(instance: &Instance) -> String {
    match runtime::bundle::build_target(&instance.expects) {
        Target::One(text) => text,
        Target::AnyOf(texts) => panic!("one target, not {texts:?}"),
    }
}

/// The cells of a CSV file, header first, where no cell holds a comma or a quote.
#[track_caller]
fn cells(instance: &Instance, path: &str) -> Vec<Vec<String>> {
    read_text(instance, path).lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}
