//! `check --fix`: applies the fixes of diagnostics in rounds, and keeps only those that do not make the suite worse.
//!
//! All changes are made in memory first ([`Texts`], which the compiler reads through [`Overlay`]). Each file is written once, completely, at the end.

mod diff;
mod edits;
mod write;

use ::report::render::words::format_count;
use api::Place;
use compiler::diagnostics::{Applicability, Diagnostic, Fix, Severity, apply_fixes};
use compiler::{Compiled, Sources, compile};

pub use crate::overlay::{Overlay, Texts};
pub use diff::render_unified_diff;
pub use write::{Refusal, replace_text};

use disk::show_path;
use edits::select_disjoint;
use host::Disk;

/// The maximum number of rounds. More would mean that one fix undoes another.
const ROUNDS: usize = 10;

/// The number of further rounds that are tried before a fix that reveals other errors is rejected.
const FOLLOW: usize = 4;

/// The maximum number of fixes in a round that are tried one at a time, if they do not work together.
const SINGLY: usize = 50;

/// The result of the fixes of a suite.
#[derive(Debug)]
pub struct FixOutcome {
    /// The compiled suite after the fixes, with its remaining diagnostics.
    pub compiled: Compiled,
    /// The applied fixes, as lines such as `suite.pcd:3:7: replace with `AGE` [E0203]`.
    pub done: Vec<String>,
    /// The fixes that were not applied, with the reasons.
    pub left: Vec<String>,
}

/// Applies the fixes of the suite at `path` to `texts`: the safe ones; if `boldest` is not [`Applicability::Safe`], also the others if one is clear or only one
/// is offered.
pub fn fix_suite(path: &str, disk: &Disk, texts: &mut Texts, boldest: Applicability) -> FixOutcome {
    let suite = Suite { path, disk, boldest };
    let mut compiled = suite.compile_texts(texts);
    let (mut done, mut left) = (Vec::new(), Vec::new());
    // Fixes that were tried and made the suite worse, by their descriptions.
    let mut bad: Vec<String> = Vec::new();
    for round in 0.. {
        let offered = select_fixes(&compiled, boldest);
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
                // One of them makes the suite worse. Each is tried separately, and the good ones are then applied together, or else only the first of them.
                let (mut good, mut first) = (Vec::new(), None);
                for one in chosen.into_iter().take(SINGLY) {
                    match try_fixes(&suite, texts, &compiled, std::slice::from_ref(&one)) {
                        Ok(step) => {
                            first.get_or_insert(step);
                            good.push(one);
                        }
                        Err(why) => {
                            left.push(format!("{}: not applied, {}", one.0, why.0));
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

/// Selects the fix of each diagnostic that may be applied: the safe one; otherwise, on request, the clear one or the only one. If several are offered, a person
/// must choose.
fn select_fixes(compiled: &Compiled, boldest: Applicability) -> Vec<(String, &Fix)> {
    let pick = |said: &'_ Diagnostic| -> Option<usize> {
        let is = |wanted: Applicability| said.fixes.iter().position(|fix| fix.applicability == wanted);
        let asked = || is(Applicability::Clear).or((said.fixes.len() == 1).then_some(0));
        is(Applicability::Safe).or_else(|| asked().filter(|_| boldest != Applicability::Safe))
    };
    let own = |fix: &Fix| {
        let source = |edit: &compiler::diagnostics::Edit| compiled.sources.get(edit.span.file);
        !fix.edits.is_empty() && fix.edits.iter().all(|edit| source(edit).is_some_and(|source| !source.library))
    };
    let fixes = compiled.diagnostics.iter().filter_map(|said| Some((said, said.fixes.get(pick(said)?)?)));
    fixes.filter(|(_, fix)| own(fix)).map(|(said, fix)| (describe_fix(said, fix, &compiled.sources), fix)).collect()
}

/// Describes a fix, such as `suite.pcd:3:7: replace with `AGE` [E0203]`.
fn describe_fix(said: &Diagnostic, fix: &Fix, sources: &Sources) -> String {
    let span = fix.edits.first().map_or(said.primary.span, |edit| edit.span);
    let Place { file, line, column, .. } = Place::new(span, sources);
    format!("{}:{line}:{column}: {} [{}]", show_path(file), fix.message, said.code.id)
}

/// The suite to fix, and which fixes are permitted.
struct Suite<'a> {
    path: &'a str,
    disk: &'a Disk,
    boldest: Applicability,
}

/// Why fixes are not applied, as a clause.
struct Rejection(String);

/// The result of applying fixes.
struct Step {
    done: Vec<String>,
    texts: Texts,
    compiled: Compiled,
}

/// Applies these fixes and compiles again.
fn try_fixes(suite: &Suite<'_>, texts: &Texts, now: &Compiled, fixes: &[(String, &Fix)]) -> Result<Step, Rejection> {
    let mut step = suite.apply_fixes(texts, now, fixes)?;
    // A corrected name may reveal other errors. Their fixes are applied, too, before the result is judged.
    for _ in 0..FOLLOW {
        let Some(why) = explain_worse(now, &step.compiled) else { break };
        let offered = select_fixes(&step.compiled, suite.boldest);
        let chosen = select_disjoint(&offered, &step.compiled.sources);
        if chosen.is_empty() || why.syntax {
            break;
        }
        let next = suite.apply_fixes(&step.texts, &step.compiled, &chosen)?;
        step = Step { done: [step.done, next.done].concat(), ..next };
    }
    match explain_worse(now, &step.compiled) {
        Some(worse) => Err(Rejection(format!("it would leave {}", worse.words))),
        None => Ok(step),
    }
}

impl Suite<'_> {
    /// Compiles the suite with these texts.
    fn compile_texts(&self, texts: &Texts) -> Compiled {
        compile(self.path, &Overlay { disk: self.disk, texts })
    }

    /// Applies fixes of `now`, whether the result is good or bad.
    fn apply_fixes(&self, texts: &Texts, now: &Compiled, fixes: &[(String, &Fix)]) -> Result<Step, Rejection> {
        let edited = apply_fixes(&fixes.iter().map(|(_, fix)| *fix).collect::<Vec<_>>(), &now.sources);
        let mut next = texts.clone();
        for (file, text) in edited.ok_or_else(|| Rejection("it lies outside its file".to_owned()))? {
            let source = now.sources.get(file).ok_or_else(|| Rejection("its file is gone".to_owned()))?;
            next.put_text(&source.path, &source.text, text);
        }
        let compiled = self.compile_texts(&next);
        Ok(Step { done: fixes.iter().map(|(words, _)| words.clone()).collect(), texts: next, compiled })
    }
}

/// Explains why the second is worse than the first: it has more syntax errors, or as many syntax errors and more errors in total. Errors that appear only
/// because a syntax error was fixed do not count.
fn explain_worse(before: &Compiled, after: &Compiled) -> Option<Worse> {
    let (old, new) = (Errors::from_compiled(before), Errors::from_compiled(after));
    let words = |new: usize, what: &str, old: usize| format!("{} in place of {old}", format_count(new as u64, what));
    if new.syntax > old.syntax {
        Some(Worse { syntax: true, words: words(new.syntax, "syntax error", old.syntax) })
    } else if new.syntax == old.syntax && new.all > old.all {
        Some(Worse { syntax: false, words: words(new.all, "error", old.all) })
    } else {
        None
    }
}

/// The reason why a result is worse.
struct Worse {
    /// Whether there are more syntax errors.
    syntax: bool,
    /// A description, such as `2 errors in place of 1`.
    words: String,
}

/// The numbers of errors.
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
