//! The compiler's word on a suite before it is written: tasks that it refuses are left out, and lints have a reason.

use api::Suite;
use compiler::host::{Entry, Host, ReadError, Sqlite};
use plan::suite::Expr;
use plan::{Plan, Value};

use crate::host::Disk;
use crate::import::LeftOut;
use crate::import::judge::{self, Lint};
use crate::import::source::string;

use super::write::Task;

/// Why a lint is silenced: the text is that of the benchmark.
const REASON: &str = "The question is as it was published";

/// A suite at the place where it will be written.
struct Draft<'a> {
    disk: &'a Disk,
    path: &'a str,
    text: &'a str,
}

impl Host for Draft<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        if path == self.path { Ok(self.text.as_bytes().to_vec()) } else { self.disk.read(path) }
    }

    fn read_at_most(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        if path == self.path { self.read(path) } else { self.disk.read_at_most(path, most) }
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.disk.list(folder)
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.disk.sqlite()
    }

    fn fixed(&self, plan: &Plan, task: usize, wanted: &[Expr]) -> Vec<Option<Vec<Value>>> {
        self.disk.fixed(plan, task, wanted)
    }
}

/// The tasks that the compiler accepts in a suite at `path`, and whose keys can be met; the others go to `left_out`.
pub fn accepted(path: &str, head: &str, tasks: Vec<Task>, left_out: &mut Vec<LeftOut>) -> Vec<Task> {
    let disk = Disk::new(path);
    let said = |tasks: &[Task]| {
        let text = tasks.iter().fold(head.to_owned(), |suite, task| suite + &task.source());
        let suite = Suite::compile(path, &Draft { disk: &disk, path, text: &text });
        let lints = judge::lints(&suite)?;
        judge::trial(&suite, 1).map(|()| lints)
    };
    // All at once is fast, and the common case.
    if tasks.is_empty() || said(&tasks).is_ok_and(|lints| lints.is_empty()) {
        return tasks;
    }
    let (mut good, mut refused) = (Vec::new(), Vec::new());
    for mut task in tasks {
        match said(std::slice::from_ref(&task)) {
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
