//! `check --fix`: applies the fixes that diagnostics carry, in rounds, and keeps only what leaves the suite no worse.
//!
//! Everything happens in memory first ([`Texts`], read by the compiler through [`Overlay`]): a file is written once, whole, at the end.

mod diff;
mod edits;
mod write;

use compiler::diagnostics::{Applicability, Diagnostic, Fix, Severity, apply_fixes};
use compiler::{Compiled, Sources, compile};

pub use crate::overlay::{Overlay, Texts};
pub use diff::render_unified_diff;
pub use write::{Refusal, replace_text};

use disk::show_path;
use edits::select_disjoint;
use host::Disk;

/// More rounds than this are a fix that undoes another.
const ROUNDS: usize = 10;

/// The number of further rounds that are tried before a fix that reveals other mistakes is given up.
const FOLLOW: usize = 4;

/// If the fixes of a round do not work together, at most this number of them is tried, one at a time.
const SINGLY: usize = 50;

/// What became of the fixes of a suite.
#[derive(Debug)]
pub struct FixOutcome {
    /// The suite as it is now, and what is left to say.
    pub compiled: Compiled,
    /// What was done, a line each: `suite.pcd:3:7: replace with `AGE` [E0203]`.
    pub done: Vec<String>,
    /// What was not done, and why.
    pub left: Vec<String>,
}

/// Applies the fixes of the suite at `path` to `texts`: the safe ones, or also the others where only one is offered.
pub fn fix_suite(path: &str, disk: &Disk, texts: &mut Texts, also_unsafe: bool) -> FixOutcome {
    let suite = Suite { path, disk, also_unsafe };
    let mut compiled = suite.compile_texts(texts);
    let (mut done, mut left) = (Vec::new(), Vec::new());
    // Fixes that were tried and made things worse, in the words in which they were reported.
    let mut bad: Vec<String> = Vec::new();
    for round in 0.. {
        let offered = select_fixes(&compiled, also_unsafe);
        let wanted: Vec<(String, &Fix)> = offered.into_iter().filter(|(words, _)| !bad.contains(words)).collect();
        if wanted.is_empty() {
            break;
        }
        if round == ROUNDS {
            left.push(format!(
                "{}: stopped after {ROUNDS} rounds, with fixes still to apply; run it again",
                show_path(path)
            ));
            break;
        }
        let chosen = select_disjoint(&wanted, &compiled.sources);
        if chosen.is_empty() {
            left.extend(wanted.iter().map(|(words, _)| format!("{words}: not applied, it lies outside its file")));
            break;
        }
        let step = match try_fixes(&suite, texts, &compiled, &chosen) {
            Ok(step) => Some(step),
            Err(_) => {
                // One of them makes things worse: each is tried by itself, and those that pass go together, or else the first.
                let (mut good, mut first) = (Vec::new(), None);
                for one in chosen.into_iter().take(SINGLY) {
                    match try_fixes(&suite, texts, &compiled, std::slice::from_ref(&one)) {
                        Ok(step) => {
                            first.get_or_insert(step);
                            good.push(one);
                        }
                        Err(why) => {
                            left.push(format!("{}: not applied, {why}", one.0));
                            bad.push(one.0);
                        }
                    }
                }
                try_fixes(&suite, texts, &compiled, &good).ok().filter(|_| good.len() > 1).or(first)
            }
        };
        if let Some(step) = step {
            done.extend(step.done);
            (*texts, compiled) = (step.texts, step.compiled);
        }
    }
    FixOutcome { compiled, done, left }
}

/// What may be applied: of each diagnostic the safe fix, else (if asked) the clear or the only one. Where several are offered, a person must choose.
fn select_fixes(compiled: &Compiled, also_unsafe: bool) -> Vec<(String, &Fix)> {
    let pick = |said: &'_ Diagnostic| -> Option<usize> {
        let is = |wanted: Applicability| said.fixes.iter().position(|fix| fix.applicability == wanted);
        let asked = || is(Applicability::Clear).or((said.fixes.len() == 1).then_some(0));
        is(Applicability::Safe).or_else(|| asked().filter(|_| also_unsafe))
    };
    let own = |fix: &Fix| {
        let source = |edit: &compiler::diagnostics::Edit| compiled.sources.get(edit.span.file);
        !fix.edits.is_empty() && fix.edits.iter().all(|edit| source(edit).is_some_and(|source| !source.library))
    };
    let fixes = compiled.diagnostics.iter().filter_map(|said| Some((said, said.fixes.get(pick(said)?)?)));
    fixes.filter(|(_, fix)| own(fix)).map(|(said, fix)| (describe_fix(said, fix, &compiled.sources), fix)).collect()
}

/// `suite.pcd:3:7: replace with `AGE` [E0203]`
fn describe_fix(said: &Diagnostic, fix: &Fix, sources: &Sources) -> String {
    let span = fix.edits.first().map_or(said.primary.span, |edit| edit.span);
    let (at, path) = (sources.start_position(span), sources.get(span.file).map_or("", |source| source.path.as_str()));
    format!("{}:{}:{}: {} [{}]", show_path(path), at.line, at.column, fix.message, said.code.id)
}

/// What is to be mended, and how far.
struct Suite<'a> {
    path: &'a str,
    disk: &'a Disk,
    also_unsafe: bool,
}

/// What fixes lead to.
struct Step {
    done: Vec<String>,
    texts: Texts,
    compiled: Compiled,
}

/// Applies these fixes and compiles again. `Err` says why they are not to be applied.
fn try_fixes(suite: &Suite<'_>, texts: &Texts, now: &Compiled, fixes: &[(String, &Fix)]) -> Result<Step, String> {
    let mut step = suite.apply_fixes(texts, now, fixes)?;
    // A mended name may show mistakes that it hid: they are mended too, before it is judged.
    for _ in 0..FOLLOW {
        let Some(why) = explain_worse(now, &step.compiled) else { break };
        let offered = select_fixes(&step.compiled, suite.also_unsafe);
        let chosen = select_disjoint(&offered, &step.compiled.sources);
        if chosen.is_empty() || why.syntax {
            break;
        }
        let next = suite.apply_fixes(&step.texts, &step.compiled, &chosen)?;
        step = Step { done: [step.done, next.done].concat(), ..next };
    }
    match explain_worse(now, &step.compiled) {
        Some(why) => Err(format!("it would leave {}", why.words)),
        None => Ok(step),
    }
}

impl Suite<'_> {
    /// Compiles with these texts.
    fn compile_texts(&self, texts: &Texts) -> Compiled {
        compile(self.path, &Overlay::new(self.disk, texts))
    }

    /// What fixes of `now` lead to, good or bad.
    fn apply_fixes(&self, texts: &Texts, now: &Compiled, fixes: &[(String, &Fix)]) -> Result<Step, String> {
        let edited = apply_fixes(&fixes.iter().map(|(_, fix)| *fix).collect::<Vec<_>>(), &now.sources);
        let mut next = texts.clone();
        for (file, text) in edited.ok_or("it lies outside its file")? {
            let source = now.sources.get(file).ok_or("its file is gone")?;
            next.put_text(&source.path, &source.text, text);
        }
        let compiled = self.compile_texts(&next);
        Ok(Step { done: fixes.iter().map(|(words, _)| words.clone()).collect(), texts: next, compiled })
    }
}

/// Why the second is worse than the first: it has more syntax errors, or as many syntax errors and more errors. Errors
/// that appear only because a syntax error was fixed do not count.
fn explain_worse(before: &Compiled, after: &Compiled) -> Option<Worse> {
    let (old, new) = (Errors::from_compiled(before), Errors::from_compiled(after));
    let words = |new: usize, what: &str, old: usize| format!("{} in place of {old}", format_count(new, what));
    if new.syntax > old.syntax {
        Some(Worse { syntax: true, words: words(new.syntax, "syntax error", old.syntax) })
    } else if new.syntax == old.syntax && new.all > old.all {
        Some(Worse { syntax: false, words: words(new.all, "error", old.all) })
    } else {
        None
    }
}

/// Why it is worse.
struct Worse {
    /// There is text that cannot be read any more.
    syntax: bool,
    /// `2 errors in place of 1`
    words: String,
}

/// How many errors there are.
struct Errors {
    all: usize,
    syntax: usize,
}

impl Errors {
    fn from_compiled(compiled: &Compiled) -> Errors {
        let errors = || compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Error);
        // Codes that begin with E01 are syntax errors: the text around one may not have been parsed.
        Errors { all: errors().count(), syntax: errors().filter(|said| said.code.id.starts_with("E01")).count() }
    }
}

fn format_count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
