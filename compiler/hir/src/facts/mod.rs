//! The possible values of expressions of a task, inferred from its source: ranges, closed lists, and nullability.
//!
//! A fact may be imprecise but is never wrong: it may include impossible values, and never excludes a possible one. So a lint that compares a condition with
//! facts proves its diagnostic. Facts are inferred in the order in which the build generates values (`Task::steps`): from the domains of draws through
//! expressions, tables, and aggregates. Values that `require` rejects still count as possible.
//!
//! | file | concept |
//! | --- | --- |
//! | `fact` | a fact: its construction, union, and membership test |
//! | `bounds` | numbers of rows and lines |
//! | `compare` | whether a comparison of two facts is always or never true |
//! | `interval` | arithmetic on ranges |
//! | `items` | the items of lists, and aggregates over them |
//! | `lengths` | the numbers of items of lists |
//! | `like` | patterns of LIKE |
//! | `draws` | the facts of drawn names and columns |
//! | `exprs` | the facts of expressions, and the truth of conditions |
//! | `calls` | the facts of calls |
//! | `text_calls` | the facts of calls on texts that are too many to list |
//! | `words` | numbers of words of texts |
//! | `aggregates` | the facts of aggregates over columns |
//! | `assumed` | facts that are assumed in one case of a condition |
//! | `files` | numbers of lines, words, and items of files |
//! | `queries` | the facts of the results of queries |
//! | `steps` | the steps of simple paths, and what they lead to |
//! | `sure_rows` | rows that surely meet a condition |
//! | `learned` | facts that hold because conditions do |
//! | `learn` | what follows from a condition for the values in it |

mod aggregates;
mod assumed;
mod bounds;
mod calls;
mod compare;
mod draws;
mod exprs;
mod fact;
mod files;
mod interval;
mod items;
mod learn;
mod learned;
mod lengths;
mod like;
mod queries;
pub mod steps;
mod sure_rows;
mod text_calls;
mod words;

use model::TiVec;
use std::cell::{Cell, OnceCell, RefCell};

pub use assumed::{Row, Slot, is_dependent};
pub use bounds::{infer_count_bounds, infer_lorem_bounds, infer_row_bounds};
pub use compare::{Truth, compare_facts, is_contradiction, negate_comparison};
pub use exprs::narrow_fact;
pub use fact::{Fact, MAX_WEIGHT, weigh_value};
pub use interval::{compute_arithmetic, negate_fact, sum_range};
pub use learn::Outcome;
pub use learned::sees_row;
pub use like::Like;
use model::Value;
use model::suite::{ColumnId, NameId, RelationId, Scope, Step};

use crate::{self as hir, ColumnSource, Expr, NameSource};
use syntax::bounds::Bounds;

/// The facts of a task without errors.
pub struct Facts<'a> {
    task: &'a hir::Task,
    names: TiVec<NameId, Stored<'a>>,
    columns: TiVec<RelationId, TiVec<ColumnId, Stored<'a>>>,
    rows: TiVec<RelationId, Bounds>,
    assumed: assumed::Assumptions<'a>,
    /// The axis of which only one cell is looked at, with the value of this cell.
    cell: Option<(NameId, &'a hir::Expr)>,
    /// What conditions tell, where these are looked at.
    learned: Option<Learned<'a>>,
}

/// A fact, once it is computed. Draws that do not depend on other values are inferred on demand, because most are never needed.
type Stored<'a> = OnceCell<Fact<'a>>;

/// The ends of the ints that an expression can be, where they are known.
pub type Ends = (Option<i64>, Option<i64>);

/// Finds the ends of an expression from how its parts are related.
pub type FindEnds = for<'l, 'a> fn(&'l Facts<'a>, &'a Expr, Scope) -> Ends;

/// What is learned from conditions.
struct Learned<'a> {
    names: RefCell<Vec<(NameId, Fact<'a>)>>,
    parts: RefCell<Vec<Part<'a>>>,
    /// How many conditions around a place hold at the moment.
    guards: Cell<u32>,
    work: Cell<usize>,
    /// How often ends may still be found.
    ends: Cell<usize>,
    find_ends: FindEnds,
    /// Whether ends are being found.
    is_finding: Cell<bool>,
    /// How many parts may still be followed, while something is learned.
    steps: Cell<Option<u32>>,
}

/// What is learned of an expression.
struct Part<'a> {
    /// It without spans, which is equal for equal values.
    bare: Expr,
    /// Its scope, if it depends on a row.
    scope: Option<Scope>,
    fact: Fact<'a>,
}

impl<'a> Facts<'a> {
    /// Infers the facts of a task.
    pub fn new(task: &'a hir::Task) -> Facts<'a> {
        Facts::infer_all(task, None)
    }

    /// Infers the facts of the samples in one cell of an axis.
    pub fn in_cell(task: &'a hir::Task, axis: NameId, cell: &'a hir::Expr) -> Facts<'a> {
        Facts::infer_all(task, Some((axis, cell)))
    }

    fn infer_all(task: &'a hir::Task, cell: Option<(NameId, &'a hir::Expr)>) -> Facts<'a> {
        let mut facts = Facts {
            task,
            cell,
            names: TiVec::from(vec![Stored::new(); task.names.len()]),
            columns: task
                .relations
                .iter()
                .map(|relation| TiVec::from(vec![Stored::new(); relation.columns.len()]))
                .collect(),
            rows: TiVec::from(vec![Bounds::ANY; task.relations.len()]),
            assumed: assumed::Assumptions::default(),
            learned: None,
        };
        facts.infer_steps();
        facts
    }

    /// Infers what depends on other values, in the order in which a build makes it.
    fn infer_steps(&mut self) {
        let task = self.task;
        for step in &task.steps {
            match step {
                Step::Name(name) => self.make_name(*name),
                Step::Relation(relation) => self.make_relation(*relation),
                Step::File(_) | Step::Require(_) => {}
            }
        }
        for name in task.iter_ways().flat_map(|way| &way.steps) {
            self.make_name(*name);
        }
    }

    /// The task.
    pub fn task(&self) -> &'a hir::Task {
        self.task
    }

    /// The fact of a name.
    pub fn lookup_name(&self, id: NameId) -> Fact<'a> {
        self.lookup_slot(Slot::Name(id))
    }

    /// The fact of a name without assumptions.
    fn lookup_stored_name(&self, id: NameId) -> Fact<'a> {
        self.narrow_name(id, self.read_name(id))
    }

    fn read_name(&self, id: NameId) -> Fact<'a> {
        let Some(slot) = self.names.get(id) else { return Fact::unknown() };
        let asked = || match &self.task.names.get(id)?.source {
            NameSource::Draw { draw, .. } => is_independent(draw).then(|| self.infer_name(id)),
            _ => None,
        };
        get_or_infer(slot, asked)
    }

    /// The fact of the cells of a column.
    pub fn lookup_column(&self, relation: RelationId, column: ColumnId) -> Fact<'a> {
        let slots = self.columns.get(relation);
        let Some(slot) = slots.and_then(|slots| slots.get(column)) else { return Fact::unknown() };
        let asked = || {
            let declared = self.task.relations.get(relation)?.columns.get(column)?;
            is_asked_for(&declared.source).then(|| self.infer_column(relation, column, declared))
        };
        get_or_infer(slot, asked)
    }

    /// The number of rows of a relation.
    pub fn count_rows(&self, relation: RelationId) -> Bounds {
        self.narrow_rows(relation, self.rows.get(relation).copied().unwrap_or(Bounds::ANY))
    }

    fn make_name(&mut self, id: NameId) {
        let Some(name) = self.task.names.get(id) else { return };
        if matches!(&name.source, NameSource::Draw { draw, .. } if is_independent(draw)) {
            return;
        }
        let fact = self.infer_name(id);
        if let Some(place) = self.names.get_mut(id) {
            *place = Stored::from(fact);
        }
    }

    fn infer_name(&self, id: NameId) -> Fact<'a> {
        let task = self.task;
        let fact = match task.names.get(id).map(|name| &name.source) {
            Some(NameSource::Draw { draw, .. }) => self.infer_draw(draw, Scope::default()),
            Some(NameSource::Compute(value)) => self.infer_expr(value, Scope::default()),
            Some(NameSource::Axis) if self.cell.is_some_and(|(axis, _)| axis == id) => {
                self.cell.map_or_else(Fact::unknown, |(_, value)| self.infer_expr(value, Scope::default()))
            }
            Some(NameSource::Axis) => {
                let cells = task.axes.iter().filter(|axis| axis.slot == id).flat_map(|axis| &axis.cells);
                let facts = cells.map(|(_, value)| self.infer_expr(value, Scope::default()));
                facts.reduce(|all, next| all.join_fact(&next)).unwrap_or_else(Fact::unknown)
            }
            Some(NameSource::Row) => {
                let cells = task.each.as_ref().and_then(|each| each.find_values(id)).filter(|cells| !cells.is_empty());
                cells.map_or_else(Fact::unknown, |cells| Fact::from_values(cells.iter()))
            }
            None => Fact::unknown(),
        };
        // A name has a single value, so uniqueness does not apply.
        Fact { unique: false, ..fact }
    }

    fn make_relation(&mut self, id: RelationId) {
        let task = self.task;
        let Some(relation) = task.relations.get(id) else { return };
        let number = |value: &'a hir::Expr| self.infer_expr(value, Scope::default());
        let rows = infer_row_bounds(&relation.rows, &number, &|parent| self.count_rows(parent), &|file| {
            self.count_lines(file)
        });
        let rows = match &relation.rows {
            hir::Rows::Taken { from, filter: Some(filter) } => {
                let least = self.count_sure_rows(*from, filter, Scope::default().enter_filter(*from));
                Bounds { least: rows.least.max(least.min(rows.most)), ..rows }
            }
            hir::Rows::Query(name) => self.find_named_query(*name).map_or(rows, |sql| self.count_query_rows(sql)),
            _ => rows,
        };
        if let Some(place) = self.rows.get_mut(id) {
            *place = rows;
        }
        for column in &relation.order {
            let Some(declared) = relation.columns.get(*column) else { continue };
            if is_asked_for(&declared.source) {
                continue;
            }
            let fact = self.infer_column(id, *column, declared);
            let places = self.columns.get_mut(id);
            if let Some(place) = places.and_then(|columns| columns.get_mut(*column)) {
                *place = Stored::from(fact);
            }
        }
    }

    fn infer_column(&self, id: RelationId, column: ColumnId, declared: &'a hir::Column) -> Fact<'a> {
        let fact = match &declared.source {
            ColumnSource::Draw { draw, .. } => {
                Fact { unique: draw.unique && !draw.is_together(), ..self.infer_draw(draw, Scope::with_row(id)) }
            }
            ColumnSource::Compute(value) => {
                let unique = hir::is_proved_unique(&self.task.relations, id, column);
                Fact { unique, ..self.infer_expr(value, Scope::with_row(id)) }
            }
            ColumnSource::Given(given) => Fact { unique: given.unique, ..given.seen.fact(&given.cells.values).clone() },
            ColumnSource::Result(at) => {
                let unknown = || Fact::not_null().with_null_if(declared.ty.nullable || declared.ty.is_unknown());
                Fact { unique: self.is_unique_result(id, *at), ..self.infer_result(id, *at).unwrap_or_else(unknown) }
            }
            // A subset of the cells of that column, each at most once.
            ColumnSource::Taken(column) => match self.task.relations.get(id).map(|relation| &relation.rows) {
                Some(hir::Rows::Taken { from, filter }) => {
                    let cells = self.lookup_column(*from, *column);
                    let narrow = |filter: &'a hir::Expr| {
                        let narrowed =
                            self.narrow_cells(cells.clone(), *column, filter, Scope::default().enter_filter(*from));
                        Fact { unique: cells.unique, nullable: cells.nullable && narrowed.nullable, ..narrowed }
                    };
                    filter.as_ref().map_or(cells.clone(), narrow)
                }
                _ => Fact::unknown(),
            },
        };
        if is_serial(&declared.source) {
            Fact { unique: true, ..build_serial(&fact, self.count_rows(id).most) }
        } else {
            fact
        }
    }
}

/// Whether a draw depends on nothing else in the task.
fn is_independent(draw: &hir::Draw) -> bool {
    matches!(draw.domain, hir::DrawDomain::Fixed(_)) && draw.blank.is_none()
}

/// Whether a column depends on nothing else in the task; its fact is then inferred on demand.
fn is_asked_for(source: &ColumnSource) -> bool {
    match source {
        ColumnSource::Draw { draw, .. } => is_independent(draw),
        ColumnSource::Given(_) => true,
        ColumnSource::Compute(_) | ColumnSource::Result(_) | ColumnSource::Taken(_) => false,
    }
}

/// The fact in a slot, or else the fact that `asked` infers now; unknown if it infers none.
fn get_or_infer<'a>(slot: &Stored<'a>, asked: impl FnOnce() -> Option<Fact<'a>>) -> Fact<'a> {
    match slot.get() {
        Some(fact) => fact.clone(),
        None => asked().map_or_else(Fact::unknown, |fact| slot.get_or_init(|| fact).clone()),
    }
}

/// Whether the column contains row numbers.
fn is_serial(source: &ColumnSource) -> bool {
    matches!(source, ColumnSource::Draw { draw, .. } if draw.is_serial())
}

/// The fact of the numbers 1, 2, 3, … up to the number of rows.
fn build_serial<'a>(fact: &Fact<'a>, most: u64) -> Fact<'a> {
    let high = i64::try_from(most).unwrap_or(i64::MAX);
    Fact::from_range(Value::Int(1), Value::Int(high)).with_null_if(fact.nullable)
}
