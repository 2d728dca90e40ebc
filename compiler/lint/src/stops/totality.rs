//! What is known of whether a build of a suite can stop.

use std::collections::BTreeSet;

use model::Span;
use model::functions::{Kernel, Reader};
use model::suite::{ColumnId, Rows};

use super::needs::Wanted;
use super::search::Witness;
use super::writing::list_doubts;
use hir::facts::Facts;
use hir::{Arg, Expr, ExprKind, Task};

/// What is known of whether builds of a suite can stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totality {
    /// The tasks that were looked at, in source order. Tasks with errors are not among them.
    pub tasks: Vec<TaskTotality>,
}

/// What is known of whether the build of a task can stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskTotality {
    /// Its name.
    pub name: String,
    /// The number of places that are reported because a sample stops there.
    pub stops: usize,
    /// The places that are neither proved safe nor known to stop, each with the reason.
    pub open: Vec<OpenPlace>,
}

/// A place of which it is not known whether a build can stop there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPlace {
    /// The place in the source.
    pub span: Span,
    /// Why it is not known.
    pub why: Why,
}

/// Why it is not known whether a build can stop at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// A query: only a build knows what it returns.
    Query,
    /// A file that is read: only a build knows what is in it.
    File,
    /// A `require`, which all attempts can fail to meet.
    Require,
    /// A computation or a draw whose values are not known well enough.
    Value,
}

impl Totality {
    /// Whether it is proved for every task that no draw can stop its build.
    pub fn is_proved(&self) -> bool {
        !self.tasks.is_empty() && self.tasks.iter().all(|task| task.stops == 0 && task.open.is_empty())
    }

    /// The number of places at which a sample stops.
    pub fn count_stops(&self) -> usize {
        self.tasks.iter().map(|task| task.stops).sum()
    }

    /// The number of tasks with a place of which nothing is proved.
    pub fn count_open_tasks(&self) -> usize {
        self.tasks.iter().filter(|task| task.stops == 0 && !task.open.is_empty()).count()
    }

    /// The reasons why something is not known, each once.
    pub fn list_reasons(&self) -> BTreeSet<Why> {
        self.tasks.iter().flat_map(|task| &task.open).map(|place| place.why).collect()
    }
}

/// The maximum number of rows of a table whose file is surely not too large.
const MAX_ROWS: u64 = 100_000;

/// Collects what is not known of a task. `stops` are the places where a sample stops.
pub(super) fn judge_task<'a>(
    task: &'a Task,
    facts: &Facts<'a>,
    wanted: &Wanted<'a>,
    stops: &[Witness],
    rare: usize,
) -> TaskTotality {
    let mut open: Vec<OpenPlace> = Vec::new();
    let mut add = |span: Span, why: Why| open.push(OpenPlace { span, why });
    task.visit_exprs(&mut |_, expr, _| {
        expr.visit_exprs(&mut |part: &Expr| {
            if let Some(why) = find_reason(part) {
                add(part.span, why);
            }
        });
    });
    task.requires.iter().for_each(|require| add(require.span, Why::Require));
    let is_reported = |span: &Span| stops.iter().any(|witness| span.is_enclosing(witness.fault.span));
    wanted.unproved.iter().filter(|span| !is_reported(span)).for_each(|span| add(*span, Why::Value));
    // Drawn paths can be equal.
    let drawn: Vec<Span> =
        task.files.iter().filter(|file| file.path.as_constant().is_none()).map(|file| file.path.span).collect();
    if task.files.len() + task.extras.len() > 1 {
        drawn.iter().for_each(|span| add(*span, Why::File));
    }
    for (id, relation) in task.relations.iter_enumerated() {
        if facts.count_rows(id).most > MAX_ROWS {
            add(relation.span, Why::Value);
        }
        let drawn_unique = |column: &ColumnId| {
            let draw = relation.columns.get(*column).and_then(|column| column.source.draw());
            draw.is_some_and(|draw| (draw.unique || draw.is_serial()) && !draw.is_together())
        };
        let several = relation
            .constraints
            .iter()
            .any(|constraint| constraint.is_unique() && !constraint.columns.iter().any(drawn_unique));
        match &relation.rows {
            Rows::Taken { .. } | Rows::View(_) | Rows::Lines(_) => add(relation.span, Why::File),
            Rows::Query(_) => add(relation.span, Why::Query),
            _ if several => add(relation.span, Why::Value),
            _ => {}
        }
    }
    list_doubts(task, facts).into_iter().for_each(|span| add(span, Why::Value));
    TaskTotality { name: task.name.clone(), stops: stops.len() + rare, open }
}

/// Why the value of an expression is known only in a build.
fn find_reason(expr: &Expr) -> Option<Why> {
    let ExprKind::Call(function, args) = &expr.kind else { return None };
    if args.iter().any(|arg| matches!(arg, Arg::Sql(_))) {
        return Some(Why::Query);
    }
    match function.kernel {
        Kernel::Path(..) => Some(Why::File),
        Kernel::Reads(Reader::CellValue) => None,
        Kernel::Reads(Reader::Gold | Reader::After | Reader::Changed) | Kernel::Query => Some(Why::Query),
        Kernel::Reads(_) => Some(Why::File),
        _ => None,
    }
}
