//! Suites of the manual: wrapped where they are excerpts, compiled, and built.

use std::fs;
use std::path::Path;

use compiler::diagnostics::{Code, Diagnostic, Severity};
use compiler::{Compiled, compile};
use picardc::host::Disk;
use runtime::failure::Failure;
use runtime::generate::Options;

use super::blocks::{Block, Page};

const SUITE: &str = "suite example { title \"Example\" version \"1.0.0\" allow unused_name \"an excerpt\" allow unused_allow \"an excerpt\" allow contradicting_expectations \"forms side by side\" allow unprotected \"an excerpt\" }\n";
/// A filler prompt tells nothing of what the excerpt expects.
const UNTOLD: &str = "  allow unmentioned_file \"an excerpt\" allow unmentioned_output \"an excerpt\" allow unmentioned_key \"an excerpt\"\n  \
    allow untold_input \"an excerpt\" allow untold_literal \"an excerpt\" allow other_place \"an excerpt\" allow other_form \"an excerpt\"\n";
const ASKS: &str = "  prompt \"Reply with the word ok.\"\n  expect reply text \"ok\"\n";

/// Saves a block where its page says so, and holds it to what it says.
pub fn hold(page: &mut Page, block: &Block) -> Result<(), String> {
    let home = page.home.path().to_owned();
    let is = |word: &str| block.has(word);
    let begins =
        |heads: &[&str]| block.text.lines().any(|line| heads.iter().any(|head| line.trim_start().starts_with(head)));
    let whole = begins(&["suite "]);
    let source = if is("task") {
        let asked = begins(&["prompt "]) || page.given.contains("prompt ");
        let (untold, prompt) = if asked { ("", "") } else { (UNTOLD, ASKS.lines().next().unwrap_or("")) };
        let expect = if begins(&["expect "]) { "" } else { ASKS.lines().nth(1).unwrap_or("") };
        format!("{SUITE}task example {{\n{untold}{}{}\n{prompt}\n{expect}\n}}\n", page.given, block.text)
    } else if is("columns") {
        format!("{SUITE}task example {{\n  csv example at \"example.csv\" {{ rows 10\n{}\n  }}\n{ASKS}}}\n", block.text)
    } else if is("items") {
        format!("{SUITE}{}\ntask example {{\n{ASKS}}}\n", block.text)
    } else if whole {
        block.text.clone()
    } else if let Some(name) = block.value("file") {
        block.write(&home.join(name))?;
        format!("{SUITE}use \"{name}\"\ntask example {{\n{ASKS}}}\n")
    } else {
        return Err("this is no whole suite: say what it is (task, columns, items, file=NAME)".to_owned());
    };
    let name = block.value("file").filter(|_| whole).unwrap_or("main.pcd");
    fs::write(home.join(name), &source).map_err(|error| error.to_string())?;
    if is("given") {
        page.given.push_str(&block.text);
    }
    match (said(&home, name), block.value("fail")) {
        (Said::Nothing, None) => Ok(()),
        (Said::Codes(codes, _), Some(wanted)) if !codes.is_empty() && codes.iter().all(|code| code == wanted) => Ok(()),
        (Said::Nothing, Some(wanted)) => Err(format!("it says nothing, and should say {wanted}")),
        (Said::Codes(codes, words), Some(wanted)) => Err(format!("it says {codes:?} and not {wanted}:\n{words}")),
        (Said::Codes(_, words), None) => Err(words),
    }
}

/// Whether a suite gives no diagnostic and builds.
pub fn holds(source: &str) -> Result<(), String> {
    let home = tempfile::tempdir().expect("a folder");
    fs::write(home.path().join("main.pcd"), source).expect("written");
    match said(home.path(), "main.pcd") {
        Said::Nothing => Ok(()),
        Said::Codes(_, words) => Err(words),
    }
}

/// Compiles a suite that must be good.
fn compiled(home: &Path, name: &str) -> Compiled {
    let path = home.join(name).display().to_string();
    compile(&path, &Disk::new(&path))
}

enum Said {
    Nothing,
    /// Codes, and for people.
    Codes(Vec<String>, String),
}

fn said(home: &Path, name: &str) -> Said {
    let compiled = compiled(home, name);
    if !compiled.diagnostics.is_empty() {
        let codes = compiled.diagnostics.iter().map(|said| said.code.id.to_owned()).collect();
        let words = compiled.diagnostics.iter().map(|said| in_words(said, &compiled)).collect::<Vec<_>>().join("\n");
        return Said::Codes(codes, words);
    }
    let options = Options { samples: Some(3), ..Options::new("docs") };
    match compiled.plan.as_ref().map(|plan| testing::make_instances(plan, options)) {
        Some(Err(failure)) => {
            let place = failure.span.map(|span| format!("{:?}", compiled.sources.text(span))).unwrap_or_default();
            Said::Codes(vec![code(&failure).to_owned()], format!("while building: {} {place}", failure.message))
        }
        Some(Ok(_)) => Said::Nothing,
        None => Said::Codes(Vec::new(), "there is no plan".to_owned()),
    }
}

fn in_words(said: &Diagnostic, compiled: &Compiled) -> String {
    let severity = if said.severity() == Severity::Error { "error" } else { "warning" };
    let text = compiled.sources.text(said.primary.span);
    format!("{severity} {} {}: {:?} ({})", said.code.id, said.message, text, said.help.as_deref().unwrap_or("no help"))
}

fn code(failure: &Failure) -> &'static str {
    Code::from_failure_kind(failure.kind).map_or("none", |code| code.id)
}
