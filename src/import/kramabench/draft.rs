//! The compiler's word on a suite before it is written: tasks that it refuses are left out, and lints have a reason.

use api::Suite;
use plan::suite::StageMode;

use crate::import::LeftOut;
use crate::import::judge::{self, Lint, Refusal};
use crate::import::source::string;
use crate::overlay::{Overlay, Texts};
use host::Disk;

use super::write::Task;

/// Why a lint is silenced: the text is that of the benchmark.
const REASON: &str = "The question is as it was published";

/// The tasks that the compiler accepts in a suite at `path`, and whose keys can be met; the others go to `left_out`.
pub fn accepted(path: &str, head: &str, tasks: Vec<Task>, left_out: &mut Vec<LeftOut>) -> Vec<Task> {
    let disk = Disk::new(path);
    let said = |tasks: &[Task]| -> Result<Vec<Lint>, Refusal> {
        let text = tasks.iter().fold(head.to_owned(), |suite, task| suite + &task.source());
        let mut texts = Texts::default();
        texts.put(path, "", text);
        let suite = Suite::compile(path, &Overlay::new(&disk, &texts));
        let lints = judge::lints(&suite)?;
        judge::trial(&suite, 1)?;
        if tasks.iter().any(|task| !task.stages.is_empty()) {
            judge::trial(&suite.staged(StageMode::Each), 1)?;
        }
        Ok(lints)
    };
    // All at once is fast, and the common case.
    if tasks.is_empty() || said(&tasks).is_ok_and(|lints| lints.is_empty()) {
        return tasks;
    }
    let (mut good, mut refused) = (Vec::new(), Vec::new());
    for mut task in tasks {
        let mut found = said(std::slice::from_ref(&task));
        if let (Err(refusal), false) = (&found, task.stages.is_empty()) {
            // Perhaps one of its steps is why.
            let why = refusal.why.clone();
            let stages = std::mem::take(&mut task.stages);
            found = said(std::slice::from_ref(&task));
            match &found {
                Ok(_) => {
                    left_out.push(LeftOut { what: format!("the steps of {}", task.id), why });
                }
                Err(_) => task.stages = stages,
            }
        }
        match found {
            Ok(lints) => {
                task.allows =
                    lints.iter().map(|Lint { name, .. }| format!("  allow {name} {}\n", string(REASON))).collect();
                good.push(task);
            }
            Err(refusal) => refused.push(LeftOut { what: task.id, why: refusal.why }),
        }
    }
    // What every task has in common is wrong with the lake.
    match refused.split_first() {
        Some((first, others))
            if good.is_empty() && !others.is_empty() && others.iter().all(|one| one.why == first.why) =>
        {
            left_out.push(LeftOut { what: format!("all {} questions", refused.len()), why: first.why.clone() });
        }
        _ => left_out.extend(refused),
    }
    good
}
