//! The state of checking: [`Checker`] for the whole suite, and [`TaskChecker`] for one task. Other modules add their checks as methods.
//!
//! [`TaskScope`] holds the declarations of a task as data, with its files and tables in [`Relations`]. Their methods never check another declaration,
//! and get the [`Checker`] as an argument where they report.

mod checker;
mod declared;
mod each_rows;
mod looked_at;
mod order;
mod relations;
mod row_scope;
mod task_scope;
mod units;
mod unreadable;

pub(crate) use checker::*;
pub(crate) use declared::*;
pub(crate) use each_rows::*;
pub(crate) use looked_at::*;
pub(crate) use order::*;
pub(crate) use relations::*;
pub(crate) use row_scope::*;
pub(crate) use task_scope::*;
pub(crate) use units::*;
pub(crate) use unreadable::*;

use model::Span;
use model::suite::{FileId, Step};

use syntax::ast;

/// The state of checking one task; without declarations, also of global expressions.
pub(crate) struct TaskChecker<'c, 'a> {
    pub cx: &'c mut Checker<'a>,
    pub scope: TaskScope<'a>,
    /// SQL that is a value, with the results of running it.
    pub looked_at: Vec<LookedAt>,
    /// The queries that are values, for lints.
    pub gold: Vec<hir::Sql>,
    /// Fixtures whose paths in the project contain cells of the row.
    pub by_row: Vec<(FileId, &'a ast::Data, &'a ast::FromDisk)>,
    /// Finished declarations, in the order in which they were finished.
    pub steps: Vec<Step>,
    /// The declarations that are being checked.
    pub order: DependencyStack<Unit, Asked>,
    /// A value is being computed for each row of an aggregate, which skips nulls, so arithmetic can be null.
    pub nulls_pass: bool,
    /// The query that is about to read a table.
    pub asking: Option<Span>,
    /// The expression to be checked next is a condition for which null counts as false.
    pub decides: bool,
    /// The expression to be checked next can be the state of a database.
    pub states_pass: bool,
    /// The comparisons in the filters of paths.
    pub path_tests: Vec<hir::PathTest>,
    /// Conditions in filters of its paths.
    pub path_predicates: Vec<hir::PathPredicate>,
    /// The places of edits, as far as they are known.
    pub edited: Vec<hir::EditedPlaces>,
}

impl<'c, 'a> TaskChecker<'c, 'a> {
    /// Creates a checker for expressions and domains at top level, with an empty scope.
    pub fn new_global(cx: &'c mut Checker<'a>) -> TaskChecker<'c, 'a> {
        TaskChecker {
            cx,
            scope: TaskScope::new_global(),
            looked_at: Vec::new(),
            gold: Vec::new(),
            by_row: Vec::new(),
            steps: Vec::new(),
            order: DependencyStack::default(),
            nulls_pass: false,
            asking: None,
            decides: false,
            states_pass: false,
            path_tests: Vec::new(),
            path_predicates: Vec::new(),
            edited: Vec::new(),
        }
    }

    /// Checks something in the scope of other rows and conditions.
    pub fn check_within<T>(&mut self, here: RowScope, check: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.scope.here, here);
        let checked = check(self);
        self.scope.here = around;
        checked
    }
}
