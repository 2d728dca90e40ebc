//! What is known while a suite is checked: of the whole of it ([`Checker`]) and of one task ([`TaskChecker`]). The other rooms add what they check as methods.

mod checker;
mod declared;
mod order;
mod row_scope;
mod units;
mod unreadable;

pub(in crate::check) use checker::*;
pub(in crate::check) use declared::*;
pub(in crate::check) use order::*;
pub(in crate::check) use row_scope::*;
pub(in crate::check) use units::*;
pub(in crate::check) use unreadable::*;

use std::collections::{BTreeMap, BTreeSet};

use model::Span;
use model::TiVec;
use model::suite::{FileId, NameId, RelationId, Step};

use crate::ast;
use crate::check::calls::gold::LookedAt;
use crate::check::task::each::EachDecl;
use crate::hir::{self, Entity};

/// A task being checked; without declarations also the place where global expressions are checked.
pub(crate) struct TaskChecker<'c, 'a> {
    pub cx: &'c mut Checker<'a>,
    /// What a bare name means.
    pub scope: BTreeMap<&'a str, Entity>,
    pub names: TiVec<NameId, NameDecl<'a>>,
    pub files: TiVec<FileId, FileDecl<'a>>,
    /// What is known of the relations so far.
    pub relations: TiVec<RelationId, hir::Relation>,
    /// How they are declared.
    pub declared: TiVec<RelationId, RelationDecl<'a>>,
    pub axes: Vec<hir::Axis>,
    /// The rows that are asked.
    pub each: Option<EachDecl<'a>>,
    /// SQL that is a value, as far as it has been run.
    pub looked_at: Vec<LookedAt>,
    /// Fixtures whose paths in the project have cells of the row.
    pub by_row: Vec<(FileId, &'a ast::Data, &'a ast::FromDisk)>,
    /// The suite's lakes.
    pub lakes: Vec<LakeDecl<'a>>,
    /// What something reads.
    pub used: BTreeSet<Entity>,
    /// Complete, in the order of completion.
    pub steps: Vec<Step>,
    /// What is being checked.
    pub order: DependencyStack<Unit, Asked>,
    /// A value is computed for each row of an aggregate, which skips nulls: arithmetic may be null.
    pub nulls_pass: bool,
    /// The query that is about to ask for a table.
    pub asking: Option<Span>,
    /// What a `require` shows not to be null.
    pub required: RequiredFacts,
    /// Of the expression about to be checked only whether it holds matters: null is as good as false.
    pub decides: bool,
    /// The expression that is checked next may be the state of a database.
    pub states_pass: bool,
    /// Around the expression that is being checked.
    pub here: RowScope,
    /// An expression or a domain at top level is checked: nothing of a task is in scope, and `sandbox` is not defined.
    pub in_global: bool,
    /// Comparisons met in the filters of paths.
    pub path_tests: Vec<hir::PathTest>,
    /// Places that are edited, as far as they are known.
    pub edited: Vec<hir::EditedPlaces>,
    /// By file: what cannot be read in a fixture.
    pub odd: BTreeMap<FileId, UnreadableFile>,
}

impl<'c, 'a> TaskChecker<'c, 'a> {
    /// For expressions and domains at top level: nothing of a task is in scope.
    pub fn new_global(cx: &'c mut Checker<'a>) -> TaskChecker<'c, 'a> {
        TaskChecker {
            cx,
            scope: BTreeMap::new(),
            names: TiVec::new(),
            files: TiVec::new(),
            relations: TiVec::new(),
            declared: TiVec::new(),
            axes: Vec::new(),
            each: None,
            looked_at: Vec::new(),
            by_row: Vec::new(),
            lakes: Vec::new(),
            used: BTreeSet::new(),
            steps: Vec::new(),
            order: DependencyStack::default(),
            nulls_pass: false,
            asking: None,
            required: RequiredFacts::default(),
            decides: false,
            states_pass: false,
            here: RowScope::default(),
            in_global: true,
            path_tests: Vec::new(),
            edited: Vec::new(),
            odd: BTreeMap::new(),
        }
    }
}
