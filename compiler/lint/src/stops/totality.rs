//! What is known of whether a build of a suite can stop.

use model::Span;
use model::functions::{Kernel, Reader};
use model::observe::Attempts;
use model::suite::{ColumnId, Constraint, RelationId, Rows, Scope};

use super::changes::are_safe_changes;
use super::edits::is_safe_edit;
use super::guards::{Guard, find_sql, visit_guarded};
use super::held::is_often_enough;
use super::parameters::with_guards;
use super::paths::list_doubtful_paths;
use super::phases::Phases;
use super::questions::{is_safe_question, is_safe_reader};
use super::safe::Safety;
use super::search::Witness;
use super::sql::{is_safe_query, is_safe_view, is_unread_view};
use super::wanted::Wanted;
use super::writing::list_doubts;
use hir::facts::{Facts, Truth, sees_row};
use hir::order::find_least_distance;
use hir::{Arg, DrawDomain, Expr, ExprKind, Relation, Task};

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
    /// Whether drawn samples show that all `require`s hold often enough.
    pub is_observed: bool,
    /// The number of drawn samples that did not stop.
    pub made: u32,
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
    /// Adds how many samples were made, and closes the `require`s of tasks that hold often enough in them.
    pub fn add_attempts(&mut self, drawn: &[Attempts]) {
        for seen in drawn {
            let Some(task) = self.tasks.iter_mut().find(|task| task.name == seen.task) else { continue };
            task.made = seen.samples;
            if is_often_enough(seen) && task.open.iter().any(|open| open.why == Why::Require) {
                task.open.retain(|open| open.why != Why::Require);
                task.is_observed = true;
            }
        }
    }

    /// Whether it is proved for every task that no draw can stop its build.
    pub fn is_proved(&self) -> bool {
        !self.tasks.is_empty() && self.tasks.iter().all(TaskTotality::is_proved)
    }
}

impl TaskTotality {
    /// Whether it is proved that no draw can stop its build.
    pub fn is_proved(&self) -> bool {
        self.stops == 0 && self.open.is_empty()
    }
}

/// The maximum number of rows of a table whose file is surely not too large.
const MAX_ROWS: u64 = 100_000;

/// Collects what is not known of a task. `stops` are the places where a sample stops.
pub(super) fn judge_task<'a>(
    phases: &Phases<'_, 'a>,
    wanted: &Wanted<'a>,
    stops: &[Witness],
    rare: usize,
) -> TaskTotality {
    let task = phases.task();
    let mut open: Vec<OpenPlace> = Vec::new();
    let mut add = |span: Span, why: Why| open.push(OpenPlace { span, why });
    task.visit_exprs(&mut |_, expr, scope| {
        let (facts, conditions) = phases.facts_of_expr(expr);
        visit_guarded(facts, (expr, scope), &mut Vec::new(), &mut |part, scope, guards| {
            if find_reason(facts, part, scope, conditions).is_some()
                && let Some(why) = find_reason_where(facts, (part, scope), guards, conditions)
            {
                add(part.span, why);
            }
        });
    });
    let is_reported = |span: &Span| stops.iter().any(|witness| span.is_enclosing(witness.fault.span));
    wanted.unproved.iter().filter(|span| !is_reported(span)).for_each(|span| add(*span, Why::Value));
    list_doubtful_paths(phases).into_iter().for_each(|span| add(span, Why::File));
    for (id, relation) in task.relations.iter_enumerated().filter(|(_, own)| !is_unread_view(task, own)) {
        let facts = phases.facts_of_relation(id);
        let is_made = matches!(relation.rows, Rows::Count(..) | Rows::PerRow { .. });
        if is_made && facts.count_rows(id).most > MAX_ROWS {
            add(relation.span, Why::Value);
        }
        let doubtful = relation.constraints.iter().any(|constraint| !has_room(facts, (id, relation), constraint));
        match &relation.rows {
            Rows::View(_) if !is_safe_view(facts, relation) => add(relation.span, Why::File),
            // The query, the file, or the other table is looked at where it is made.
            Rows::Query(_) | Rows::Taken { .. } | Rows::Lines(_) | Rows::View(_) => {}
            _ if doubtful => add(relation.span, Why::Value),
            _ => {}
        }
    }
    list_doubts(phases).into_iter().for_each(|span| add(span, Why::Value));
    let doubtful = task
        .requires
        .iter()
        .filter(|require| phases.early().infer_truth(&require.condition, Scope::default()) != Truth::Always);
    open.extend(doubtful.map(|require| OpenPlace { span: require.span, why: Why::Require }));
    TaskTotality { name: task.name.clone(), stops: stops.len() + rare, open, is_observed: false, made: 0 }
}

/// Whether the rows of a table surely differ in the columns of a constraint, if they must.
fn has_room<'a>(facts: &Facts<'a>, (id, relation): (RelationId, &'a Relation), constraint: &Constraint) -> bool {
    let find_draw = |column: &ColumnId| relation.columns.get(*column).and_then(|column| column.source.draw());
    let is_unique = |column: &ColumnId| {
        find_draw(column).is_some_and(|draw| (draw.unique || draw.is_serial()) && !draw.is_together())
    };
    if !constraint.is_unique() || constraint.columns.iter().any(is_unique) {
        return true;
    }
    // The columns are drawn such that values are left for the last of them.
    let others = || relation.constraints.iter().filter(|other| !std::ptr::eq(*other, constraint));
    let is_alone = |column: &ColumnId| !others().any(|other| other.columns.contains(column));
    let count = |column: &ColumnId| {
        let draw = find_draw(column).filter(|draw| draw.except.is_empty() && !draw.may_be_blank() && !draw.sorted)?;
        match &draw.domain {
            _ if !is_alone(column) => None,
            DrawDomain::Fixed(domain) if domain.is_uniform() => domain.cardinality(),
            DrawDomain::Range { low, high, step: None, .. } if ![low, high].into_iter().any(sees_row) => {
                let least = find_least_distance(facts, (low, high), Scope::default())?;
                u128::try_from(least).ok()?.checked_add(1)
            }
            DrawDomain::Ref { relation, column, together, filter: None } if together.is_empty() => {
                let values = facts.lookup_column(*relation, *column);
                (values.unique && !values.nullable).then(|| u128::from(facts.count_rows(*relation).least))
            }
            _ => None,
        }
    };
    let rows = u128::from(facts.count_rows(id).most);
    let room = constraint.columns.iter().try_fold(1u128, |all, column| Some(all.saturating_mul(count(column)?)));
    room.is_some_and(|room| room >= rows)
}

/// Whether a call is of SQL that is a value, and `check` has run all its queries.
fn is_run(task: &Task, args: &[Arg]) -> bool {
    let [Arg::File(file), Arg::Value(sql)] = args else { return false };
    !task.notes.run.is_empty() && task.notes.run.contains(&(*file, sql.without_spans()))
}

/// The same as [`find_reason`], where the conditions around an expression hold.
fn find_reason_where<'a>(
    facts: &Facts<'a>,
    (expr, scope): (&'a Expr, Scope),
    guards: &[Guard<'a>],
    conditions: &[&'a Expr],
) -> Option<Why> {
    let ask = || find_reason(facts, expr, scope, conditions);
    let ExprKind::Call(_, args) = &expr.kind else { return ask() };
    let Some(sql) = find_sql(args) else { return ask() };
    let required = conditions.iter().map(|condition| Guard { condition, scope: Scope::default(), is_met: true });
    let guards: Vec<Guard<'a>> = required.chain(guards.iter().copied()).collect();
    with_guards(facts, &Safety::new(facts), (sql, scope), &guards, ask)
}

/// Why the value of an expression is known only in a build. `None` if it surely has one.
fn find_reason<'a>(facts: &Facts<'a>, expr: &'a Expr, scope: Scope, conditions: &[&'a Expr]) -> Option<Why> {
    let ExprKind::Call(function, args) = &expr.kind else { return None };
    let query = find_sql(args);
    match function.kernel {
        _ if is_run(facts.task(), args) => None,
        // Also a list that a query makes.
        _ if function.query.is_some() && (query.is_some() || matches!(function.kernel, Kernel::Query)) => {
            query.is_none_or(|sql| !is_safe_query(facts, sql, function.query, scope)).then_some(Why::Query)
        }
        Kernel::Reads(Reader::After) => (!are_safe_changes(facts, args)).then_some(Why::Query),
        // The state is a value, which is looked at where it is computed.
        Kernel::Reads(Reader::Changed) if query.is_none() => None,
        _ if query.is_some() => Some(Why::Query),
        Kernel::Path(family, question) => match args.as_slice() {
            [Arg::File(file), Arg::Path(path)] if is_safe_question(facts, (family, question), (*file, &path.text)) => {
                None
            }
            _ => Some(Why::File),
        },
        Kernel::Reads(Reader::CellValue) => None,
        Kernel::Reads(Reader::Edited(edit)) => (!is_safe_edit(facts, edit, args, conditions)).then_some(Why::File),
        Kernel::Reads(Reader::Gold | Reader::Changed) => Some(Why::Query),
        Kernel::Reads(reader) => (!is_safe_reader(facts, reader, args, scope)).then_some(Why::File),
        _ => None,
    }
}
