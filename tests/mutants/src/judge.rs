//! The properties that every text must have: `check` and `fmt` end soon and without a panic, `fmt` keeps the meaning and needs only one pass, and a safe
//! fix removes its diagnostic and causes no new one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use compiler::Compiled;
use compiler::ast::SourceId;
use compiler::diagnostics::{Applicability, Diagnostic, Fix, apply_fixes};
use compiler::fmt::{self, Refusal};
use compiler::host::ReadError;
use picardc::sqlite::PreparedSchemas;

use crate::corpus::{Folder, ROOT};

/// The maximum duration of a step.
pub const MAX_STEP_TIME: Duration = Duration::from_secs(2);

/// The number of texts for which SQLite's answers are cached. Then the cache is cleared; otherwise it would grow without limit.
const FRESH: u32 = 300;

/// A violated property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A step panicked.
    Panic(String),
    /// A step took longer than [`MAX_STEP_TIME`].
    Slow(String),
    /// `fmt` would change the meaning, or changed it.
    Meaning(String),
    /// A second pass of `fmt` changes the result of the first.
    Unstable(String),
    /// A safe fix does not remove its diagnostic, or causes a new one.
    Fix(String),
}

impl Fault {
    /// The name of the kind in the table.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::Panic(_) => "panics",
            Fault::Slow(_) => "steps over 2 s",
            Fault::Meaning(_) => "meaning changed by fmt",
            Fault::Unstable(_) => "second pass of fmt differs",
            Fault::Fix(_) => "safe fixes that make it worse",
        }
    }

    /// The description of the fault.
    pub fn words(&self) -> &str {
        match self {
            Fault::Panic(words)
            | Fault::Slow(words)
            | Fault::Meaning(words)
            | Fault::Unstable(words)
            | Fault::Fix(words) => words,
        }
    }
}

/// The result for one text.
#[derive(Debug, Default)]
pub struct Judgement {
    /// The violated properties.
    pub faults: Vec<Fault>,
    /// Whether `check` reported nothing.
    pub clean: bool,
    /// Whether `fmt` formatted the text.
    pub formatted: bool,
    /// The number of safe fixes that were tried.
    pub fixes: usize,
    /// The duration of the longest step.
    pub longest: Duration,
}

/// Judges texts one after another, and keeps what does not change between them.
pub struct Judge {
    sqlite: PreparedSchemas,
    used: u32,
    files: RefCell<BTreeMap<PathBuf, Result<Vec<u8>, ReadError>>>,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::new()
    }
}

impl Judge {
    /// Creates a judge with an empty cache.
    pub fn new() -> Judge {
        Judge { sqlite: PreparedSchemas::default(), used: 0, files: RefCell::default() }
    }

    fn build_host<'h>(&'h self, folder: &'h Path, text: &'h str) -> Folder<'h> {
        Folder { folder, text, sqlite: &self.sqlite, files: &self.files }
    }

    /// Judges a text as a source in a folder.
    pub fn judge_text(&mut self, folder: &Path, text: &str) -> Judgement {
        self.used += 1;
        if self.used >= FRESH {
            (self.sqlite, self.used) = (PreparedSchemas::default(), 0);
        }
        let mut found = Judgement::default();
        let compiled = found.run_step("check", || compiler::compile(ROOT, &self.build_host(folder, text)));
        let diagnose = |text: &str| compiler::diagnose(ROOT, &self.build_host(folder, text));
        if let Some(compiled) = &compiled {
            found.clean = compiled.diagnostics.is_empty();
        }
        check_layout(&mut found, text, compiled.as_ref(), &diagnose);
        if let Some(compiled) = &compiled {
            check_fixes(&mut found, compiled, &diagnose);
        }
        found
    }
}

/// Returns the diagnostics of a text.
type Diagnose<'d> = dyn Fn(&str) -> Vec<Diagnostic> + 'd;

fn check_layout(found: &mut Judgement, text: &str, compiled: Option<&Compiled>, diagnose: &Diagnose<'_>) {
    let after = match found.run_step("fmt", || fmt::format_source(text)) {
        Some(Ok(after)) => after,
        Some(Err(Refusal::Meaning)) => {
            return found
                .add_fault(Fault::Meaning("fmt leaves the file alone: it would change what it means".to_owned()));
        }
        Some(Err(Refusal::Mistakes(_))) | None => return,
    };
    found.formatted = true;
    if after == text {
        return;
    }
    match found.run_step("fmt again", || fmt::format_source(&after)) {
        Some(Ok(twice)) if twice == after => {}
        Some(Ok(twice)) => found.add_fault(Fault::Unstable(show_difference(&after, &twice))),
        Some(Err(_)) => found.add_fault(Fault::Unstable("what fmt wrote cannot be laid out again".to_owned())),
        None => {}
    }
    let (Some(before), Some(laid_out)) = (compiled, found.run_step("check of what fmt wrote", || diagnose(&after)))
    else {
        return;
    };
    let (gone, come) = diff_diagnostics(&before.diagnostics, &laid_out);
    if !gone.is_empty() || !come.is_empty() {
        found.add_fault(Fault::Meaning(format!("what check says: gone {gone:?}, new {come:?}")));
    }
}

fn check_fixes(found: &mut Judgement, before: &Compiled, diagnose: &Diagnose<'_>) {
    let safe = |fix: &&Fix| {
        fix.applicability == Applicability::Safe && fix.edits.iter().all(|edit| edit.span.file == SourceId(0))
    };
    for said in &before.diagnostics {
        for fix in said.fixes.iter().filter(safe) {
            found.fixes += 1;
            let Some(text) = apply_fixes(&[fix], &before.sources).and_then(|mut texts| texts.remove(&SourceId(0)))
            else {
                found.add_fault(Fault::Fix(format!("{}: {} lies outside its file", said.code.id, fix.message)));
                continue;
            };
            let Some(after) = found.run_step("check of what a fix left", || diagnose(&text)) else { continue };
            if let Some(why) = explain_worse_fix(said, &before.diagnostics, &after) {
                let at = before.sources.start_position(said.primary.span);
                found.add_fault(Fault::Fix(format!(
                    "{}:{} {} {}: {}: {why}",
                    at.line, at.column, said.code.id, said.message, fix.message
                )));
            }
        }
    }
}

impl Judgement {
    fn add_fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Runs a step, measures its time, and catches its panics. A step that takes too long is run twice, because the machine may only be busy.
    fn run_step<T>(&mut self, name: &str, work: impl Fn() -> T) -> Option<T> {
        let timed = || {
            let begin = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(&work));
            (begin.elapsed(), result)
        };
        let (mut took, mut result) = timed();
        if took > MAX_STEP_TIME {
            let again = timed();
            (took, result) = (took.min(again.0), again.1);
        }
        self.longest = self.longest.max(took);
        if took > MAX_STEP_TIME {
            self.add_fault(Fault::Slow(format!("{name} took {:.1} s", took.as_secs_f64())));
        }
        match result {
            Ok(value) => Some(value),
            Err(why) => {
                let words =
                    why.downcast_ref::<String>().map(String::as_str).or_else(|| why.downcast_ref::<&str>().copied());
                self.add_fault(Fault::Panic(format!("{name}: {}", words.unwrap_or("no words"))));
                None
            }
        }
    }
}

/// The code and message of a diagnostic, without its place.
type Said = (&'static str, String);

fn count_diagnostics(diagnostics: &[Diagnostic]) -> BTreeMap<Said, i64> {
    let mut all = BTreeMap::new();
    for said in diagnostics {
        *all.entry((said.code.id, strip_layout(&said.message))).or_default() += 1;
    }
    all
}

/// Removes white space and commas from a message: it may quote the source, whose layout does not matter.
fn strip_layout(message: &str) -> String {
    message.chars().filter(|c| !c.is_whitespace() && *c != ',').collect()
}

/// Returns the diagnostics that are only in the first list, and those that are only in the second.
fn diff_diagnostics(before: &[Diagnostic], after: &[Diagnostic]) -> (Vec<Said>, Vec<Said>) {
    let mut balance = count_diagnostics(after);
    for (said, many) in count_diagnostics(before) {
        *balance.entry(said).or_default() -= many;
    }
    let pick =
        |sign: i64| balance.iter().filter(|(_, many)| many.signum() == sign).map(|(said, _)| said.clone()).collect();
    (pick(-1), pick(1))
}

/// Describes why a fix of the diagnostic `said` is bad; `None` if it is good.
pub fn explain_worse_fix(said: &Diagnostic, before: &[Diagnostic], after: &[Diagnostic]) -> Option<String> {
    let (gone, come) = diff_diagnostics(before, after);
    if !come.is_empty() {
        return Some(format!("new: {come:?}"));
    }
    let own = (said.code.id, strip_layout(&said.message));
    (!gone.contains(&own)).then(|| "the diagnostic is still there".to_owned())
}

/// Shows both texts from the place where they differ.
fn show_difference(a: &str, b: &str) -> String {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let show = |text: &str| text.chars().skip(same.saturating_sub(30)).take(90).collect::<String>();
    format!("{:?} and then {:?}", show(a), show(b))
}
