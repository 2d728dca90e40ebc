//! What the values of a task can be, told from its source: ranges, closed lists, whether null is among them.
//!
//! A fact is never wrong, only vague: it may allow more than ever comes, and never allows less. So a lint that holds a condition against
//! facts proves what it says. Facts flow in the order in which the build makes things (`Task::steps`): from the domains of draws through
//! expressions, tables and aggregates. What `require` throws away still counts as possible.
//!
//! | file | concept |
//! | --- | --- |
//! | `fact` | one fact: how it is made, joined, held against a value |
//! | `compare` | whether a comparison of two facts always or never holds |
//! | `interval` | arithmetic on ranges |
//! | `draws` | the facts of drawn names and columns |
//! | `exprs` | the facts of expressions, the truth of conditions |
//! | `calls` | the facts of calls |
//! | `aggregates` | the facts of aggregates over columns |

mod aggregates;
mod calls;
mod compare;
mod draws;
mod exprs;
mod fact;
mod interval;

pub use compare::{Truth, compare};
pub use fact::Fact;
use plan::Value;
use plan::suite::{ColumnId, NameId, RelationId, Step};

use crate::hir::{self, ColumnSource, NameSource, Rows};

/// The facts of a task without errors.
pub struct Facts<'a> {
    task: &'a hir::Task,
    names: Vec<Fact<'a>>,
    columns: Vec<Vec<Fact<'a>>>,
    rows: Vec<(u64, u64)>,
}

/// Where an expression stands: which rows are at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The row at hand.
    pub row: Option<RelationId>,
    /// The row for which a filter looks at candidates.
    pub outer: Option<RelationId>,
}

impl Scope {
    /// At a row of this relation.
    pub fn at(relation: RelationId) -> Scope {
        Scope { row: Some(relation), outer: None }
    }

    /// Inside a filter over the rows of this relation.
    pub fn filter(self, relation: RelationId) -> Scope {
        Scope { row: Some(relation), outer: self.row }
    }
}

impl<'a> Facts<'a> {
    /// Works out the facts of a task.
    pub fn new(task: &'a hir::Task) -> Facts<'a> {
        let mut facts = Facts {
            task,
            names: vec![Fact::unknown(); task.names.len()],
            columns: task.relations.iter().map(|relation| vec![Fact::unknown(); relation.columns.len()]).collect(),
            rows: vec![(0, u64::MAX); task.relations.len()],
        };
        for step in &task.steps {
            match step {
                Step::Name(name) => facts.make_name(*name),
                Step::Relation(relation) => facts.make_relation(*relation),
                Step::File(_) | Step::Require(_) => {}
            }
        }
        for name in task.variants.iter().flat_map(|variant| &variant.steps) {
            facts.make_name(*name);
        }
        facts
    }

    /// The task.
    pub fn task(&self) -> &'a hir::Task {
        self.task
    }

    /// The fact of a name.
    pub fn name(&self, name: NameId) -> Fact<'a> {
        self.names.get(name.0 as usize).cloned().unwrap_or_else(Fact::unknown)
    }

    /// The fact of the cells of a column.
    pub fn column(&self, relation: RelationId, column: ColumnId) -> Fact<'a> {
        let columns = self.columns.get(relation.0 as usize);
        columns.and_then(|columns| columns.get(column.0 as usize)).cloned().unwrap_or_else(Fact::unknown)
    }

    /// The least and the most rows of a relation; `u64::MAX` where the most is not known.
    pub fn rows(&self, relation: RelationId) -> (u64, u64) {
        self.rows.get(relation.0 as usize).copied().unwrap_or((0, u64::MAX))
    }

    fn make_name(&mut self, id: NameId) {
        let task = self.task;
        let Some(name) = task.names.get(id.0 as usize) else { return };
        let fact = match &name.source {
            NameSource::Draw { draw, .. } => self.drawn(draw, Scope::default()),
            NameSource::Compute(value) | NameSource::Variant(value) => self.of(value, Scope::default()),
            NameSource::Axis => {
                let cells = task.axes.iter().filter(|axis| axis.slot == id).flat_map(|axis| &axis.cells);
                let facts = cells.map(|(_, value)| self.of(value, Scope::default()));
                facts.reduce(|all, next| all.or(&next)).unwrap_or_else(Fact::unknown)
            }
        };
        if let Some(place) = self.names.get_mut(id.0 as usize) {
            // A name is no column: nothing repeats.
            *place = Fact { unique: false, ..fact };
        }
    }

    fn make_relation(&mut self, id: RelationId) {
        let task = self.task;
        let Some(relation) = task.relations.get(id.0 as usize) else { return };
        let rows = self.row_bounds(&relation.rows);
        if let Some(place) = self.rows.get_mut(id.0 as usize) {
            *place = rows;
        }
        for column in &relation.order {
            let Some(declared) = relation.columns.get(column.0 as usize) else { continue };
            let fact = match &declared.source {
                ColumnSource::Draw { draw, .. } => {
                    Fact { unique: draw.unique && !draw.is_together(), ..self.drawn(draw, Scope::at(id)) }
                }
                ColumnSource::Compute(value) => Fact { unique: false, ..self.of(value, Scope::at(id)) },
                ColumnSource::Given(given) => {
                    Fact { unique: given.unique, ..Fact::of_values(given.values.iter().cloned()) }
                }
                ColumnSource::Result(_) => Fact::any(declared.ty.nullable || declared.ty.is_unknown()),
            };
            let fact = if is_serial(&declared.source) { Fact { unique: true, ..serial(&fact, rows.1) } } else { fact };
            let places = self.columns.get_mut(id.0 as usize);
            if let Some(place) = places.and_then(|columns| columns.get_mut(column.0 as usize)) {
                *place = fact;
            }
        }
    }

    fn row_bounds(&self, rows: &'a Rows) -> (u64, u64) {
        let ends = |low: &'a hir::Expr, high: &'a hir::Expr| {
            let bound = |value: Option<Value>| match value {
                Some(Value::Int(value)) => Some(u64::try_from(value).unwrap_or(0)),
                _ => None,
            };
            let least = bound(self.of(low, Scope::default()).range.map(|(least, _)| least)).unwrap_or(0);
            let most = bound(self.of(high, Scope::default()).range.map(|(_, most)| most)).unwrap_or(u64::MAX);
            (least, most)
        };
        match rows {
            Rows::Count(low, high) => ends(low, high),
            Rows::PerRow { parent, low, high } => {
                let ((rows_least, rows_most), (least, most)) = (self.rows(*parent), ends(low, high));
                (rows_least.saturating_mul(least), rows_most.saturating_mul(most))
            }
            Rows::Given(rows) => (u64::from(*rows), u64::from(*rows)),
            Rows::Query(_) | Rows::Lines(_) => (0, u64::MAX),
        }
    }
}

/// Whether a column numbers its rows.
fn is_serial(source: &ColumnSource) -> bool {
    matches!(source, ColumnSource::Draw { draw, .. } if draw.domain == hir::DrawDomain::Fixed(plan::Domain::Serial))
}

/// 1, 2, 3 … up to the number of rows.
fn serial<'a>(fact: &Fact<'a>, most: u64) -> Fact<'a> {
    let high = i64::try_from(most).unwrap_or(i64::MAX);
    Fact::between(Value::Int(1), Value::Int(high), fact.nullable)
}
