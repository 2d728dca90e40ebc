//! Trials of fixes before they are offered. Each fix is applied to a copy of the text, the copy is compiled, and a sample of the changed task is generated. A
//! fix stays safe only if its diagnostic disappears and no new one appears; otherwise it becomes merely clear. A fix is dropped if its diagnostic remains, if
//! its line cannot be parsed afterward, if its new text has another error or a value compared with itself, or if the task can no longer be built.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use model::suite::{Expr, Rows, Task};
use model::{Plan, Value};

use crate::compiled::Compiled;
use syntax::diagnostics::{Applicability, Code, Diagnostic, Fix, Severity, apply_fixes};
use syntax::host::{Compute, Entry, Host, ReadError, Sqlite};
use syntax::sources::Sources;

/// The maximum number of fixes that are tried in one compilation.
const MAX_TRIED: usize = 32;

/// The maximum number of source bytes that are compiled for trials, which keeps the check of a large file fast.
const BYTES: usize = 400_000;

/// The maximum number of samples that are generated in one compilation.
const SAMPLES: usize = 8;

/// The maximum number of rows of a table; a task with a larger table is not sampled.
const ROWS: i64 = 5_000;

/// Compiles the suite with a host that returns the changed texts.
pub type Compile<'c> = dyn Fn(&dyn Host) -> Compiled + 'c;

/// Tries the fixes of a compilation. Safe fixes that were not tried because of the limit become merely clear.
pub fn check_fixes(compiled: &mut Compiled, host: &dyn Host, compile: &Compile<'_>) {
    let Compiled { sources, diagnostics, plan, .. } = compiled;
    let trial = FixChecker {
        sources,
        host,
        compile,
        before: count_diagnostics(diagnostics),
        plan: plan.as_ref(),
        built: BTreeMap::new(),
    };
    trial.check_all(diagnostics);
}

/// The context in which fixes are judged.
struct FixChecker<'t> {
    sources: &'t Sources,
    host: &'t dyn Host,
    compile: &'t Compile<'t>,
    /// The diagnostics without any fix.
    before: Counted,
    /// The plan without any fix, if the suite has one.
    plan: Option<&'t Plan>,
    /// Whether a sample of a task can be generated without any fix, by task name.
    built: BTreeMap<String, OnceCell<bool>>,
}

/// The result of a trial.
enum Verdict {
    /// Its diagnostic disappears, and no new one appears.
    Good,
    /// Its diagnostic disappears, and new ones appear that it may have hidden; or it was not tried.
    Look,
    /// Its diagnostic remains, or the text cannot be parsed any more.
    Bad,
    /// The task cannot be built any more, with the reason.
    Unbuildable(String),
}

/// The number of diagnostics by code and message, without their locations.
type Counted = BTreeMap<(&'static str, String), usize>;

fn count_diagnostics(diagnostics: &[Diagnostic]) -> Counted {
    let mut all = Counted::new();
    for said in diagnostics {
        *all.entry((said.code.id, said.message.clone())).or_default() += 1;
    }
    all
}

impl FixChecker<'_> {
    fn check_all(mut self, diagnostics: &mut [Diagnostic]) {
        let own = self.sources.iter().filter(|(_, source)| !source.library);
        let size: usize = own.map(|(_, source)| source.text.len()).sum();
        let mut left = (BYTES / size.max(1)).clamp(1, MAX_TRIED);
        let mut samples = SAMPLES;
        // Safe fixes first, because their correctness is promised.
        for safe in [true, false] {
            for said in diagnostics.iter_mut() {
                let own = (said.code.id, said.message.clone());
                let mut kept = Vec::new();
                let mut dropped = None;
                for mut fix in std::mem::take(&mut said.fixes) {
                    if (fix.applicability == Applicability::Safe) != safe {
                        kept.push(fix);
                        continue;
                    }
                    let verdict = match left {
                        0 => Verdict::Look,
                        _ => self.judge_fix(&own, &fix, &mut samples),
                    };
                    left = left.saturating_sub(1);
                    match verdict {
                        Verdict::Good => kept.push(fix),
                        Verdict::Look => {
                            if fix.applicability == Applicability::Safe {
                                fix.applicability = Applicability::Clear;
                            }
                            kept.push(fix);
                        }
                        Verdict::Bad => {}
                        Verdict::Unbuildable(why) => dropped = Some((fix.message, why)),
                    }
                }
                if let Some((what, why)) = dropped.filter(|_| kept.is_empty()) {
                    // The help recommends the same change as the fix.
                    said.help = find_other_help(said.code);
                    said.note = Some(format!("no sample can be built if you {what}: {why}"));
                }
                said.fixes = kept;
            }
        }
    }

    fn judge_fix(&mut self, own: &(&'static str, String), fix: &Fix, samples: &mut usize) -> Verdict {
        let Some(after) = self.compile_after(fix) else { return Verdict::Bad };
        let said = count_diagnostics(&after.diagnostics);
        let many = |all: &Counted, said: &(&'static str, String)| all.get(said).copied().unwrap_or(0);
        if many(&said, own) >= many(&self.before, own) {
            return Verdict::Bad;
        }
        let is_new = |one: &Diagnostic| {
            let one = (one.code.id, one.message.clone());
            many(&said, &one) > many(&self.before, &one)
        };
        if after.diagnostics.iter().any(|one| is_new(one) && is_against(one, fix, &after.sources)) {
            return Verdict::Bad;
        }
        let mut new = said.iter().filter(|(said, count)| **count > many(&self.before, said)).peekable();
        let verdict = if new.peek().is_none() {
            Verdict::Good
        } else {
            // A syntax error may hide the next one; parts that could be parsed must remain parsable.
            let of_the_text = |code: &str| code.starts_with("E01");
            if !of_the_text(own.0) && new.any(|((code, _), _)| of_the_text(code)) {
                Verdict::Bad
            } else {
                Verdict::Look
            }
        };
        match (verdict, &after.plan) {
            (verdict @ (Verdict::Good | Verdict::Look), Some(plan)) => self.judge_build(fix, plan, verdict, samples),
            (verdict, _) => verdict,
        }
    }

    /// Refines the verdict by generating a sample of the task that the fix changes.
    fn judge_build(&mut self, fix: &Fix, plan: &Plan, verdict: Verdict, samples: &mut usize) -> Verdict {
        let Some(edit) = fix.edits.first() else { return verdict };
        // The task with the last name before the edit.
        let before = |task: &Task| task.span.file == edit.span.file && task.span.start <= edit.span.start;
        let nearest = plan.tasks.iter().enumerate().filter(|(_, task)| before(task));
        let Some((index, task)) = nearest.max_by_key(|(_, task)| task.span.start).filter(|(_, task)| is_small(task))
        else {
            return verdict;
        };
        let Some(left) = samples.checked_sub(1) else { return verdict };
        *samples = left;
        self.host.check_cancellation();
        let Some(why) = self.host.evaluator().try_sample(plan, index) else { return verdict };
        if !self.can_be_built(&task.name) {
            // Another problem prevents the build, or hid that the task cannot be built.
            return if matches!(verdict, Verdict::Good) { Verdict::Look } else { verdict };
        }
        Verdict::Unbuildable(why.message)
    }

    /// Whether a sample of a task can be generated without any fix.
    fn can_be_built(&mut self, task: &str) -> bool {
        let Some(plan) = self.plan else { return false };
        let Some(index) = plan.tasks.iter().position(|own| own.name == task) else { return false };
        let known = self.built.entry(task.to_owned()).or_default();
        *known.get_or_init(|| self.host.evaluator().try_sample(plan, index).is_none())
    }

    /// Compiles the suite with a fix applied.
    fn compile_after(&self, fix: &Fix) -> Option<Compiled> {
        let texts = apply_fixes(&[fix], self.sources)?;
        let named = |(file, text)| {
            self.sources.get(file).filter(|source| !source.library).map(|source| (source.path.clone(), text))
        };
        let texts: BTreeMap<String, String> = texts.into_iter().map(named).collect::<Option<_>>()?;
        Some((self.compile)(&EditedHost { host: self.host, texts }))
    }
}

/// Whether a new diagnostic after a fix proves the fix wrong.
fn is_against(said: &Diagnostic, fix: &Fix, after: &Sources) -> bool {
    const COMPARES: [&Code; 3] = [Code::SQL_NAME_WITHOUT_COLON, Code::VACUOUS_PREDICATE, Code::IMPOSSIBLE_PREDICATE];
    let Some(edit) = fix.edits.first() else { return false };
    let (primary, written) = (said.primary.span, edit.span.start..edit.span.start + edit.text.len() as u32);
    if primary.file != edit.span.file {
        return false;
    }
    let of_the_line = after.start_position(primary).line == after.start_position(edit.span).line;
    let compares_itself = COMPARES.contains(&said.code) && said.message.contains("with itself");
    // Errors elsewhere existed before but were hidden.
    let of_what_is_written = written.start <= primary.start && primary.end <= written.end;
    of_the_line && (said.code == Code::SYNTAX || compares_itself)
        || said.severity() == Severity::Error && of_what_is_written
}

/// Whether a sample of a task can be generated quickly.
fn is_small(task: &Task) -> bool {
    task.relations.iter().all(|relation| match &relation.rows {
        Rows::Count(_, Expr::Const(Value::Int(most))) => *most <= ROWS,
        Rows::Given(rows) => i64::from(*rows) <= ROWS,
        _ => true,
    })
}

/// A host that replaces the texts of some files.
struct EditedHost<'h> {
    host: &'h dyn Host,
    texts: BTreeMap<String, String>,
}

impl Host for EditedHost<'_> {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.host.read_file(path),
        }
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.host.list_folder(folder)
    }

    fn max_threads(&self) -> usize {
        self.host.max_threads()
    }

    fn check_cancellation(&self) {
        self.host.check_cancellation();
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.host.sqlite()
    }

    fn evaluator(&self) -> &dyn Compute {
        self.host.evaluator()
    }
}

/// What to do instead, where a fix lets no sample be built.
fn find_other_help(code: &Code) -> Option<String> {
    let is_unchanged = code.id == Code::IDLE_GOAL.id;
    is_unchanged.then(|| "if nothing is to change, expect the file `unchanged` in place of a state".to_owned())
}
