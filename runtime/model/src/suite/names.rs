//! The names of a task.

use serde::Serialize;

use super::{Compile, Compiled, Draw, NameId, Phase, Printed, Role, Scope, Visit};
use crate::Span;

/// A name of the task.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Name<S: Phase = Compiled> {
    /// As written.
    pub name: String,
    /// The place of its declaration.
    pub span: Span,
    /// The type of its value.
    #[serde(skip)]
    pub ty: S::Type,
    /// The source of its value.
    pub source: NameSource<S>,
}

/// The source of a name's value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum NameSource<S: Phase = Compiled> {
    /// `NAME : DOMAIN`. The names of `a, b : distinct D` have the group `a` and the places 0 and 1; any other name is its own group, with place 0.
    Draw {
        /// The draw.
        draw: Draw<S>,
        /// The first name of the statement: the key of the permutation.
        group: String,
        /// Position in the statement, from 0.
        place: u32,
    },
    /// `NAME = expr`
    Compute(S::Expr),
    /// `axis NAME = …`: the cell's value.
    Axis,
    /// `q.COLUMN` of `each q in REL`: a cell of the row.
    Row,
}

/// `axis NAME = …`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Axis<S: Phase = Compiled> {
    /// Its name.
    pub name: String,
    /// Its slot among the names.
    pub slot: NameId,
    /// Its cells: label (`[A-Za-z0-9_]+`) and value.
    pub cells: Vec<(String, S::Expr)>,
}

impl<S: Phase> Name<S> {
    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Name {
        Name { name: self.name.clone(), span: self.span, ty: (), source: self.source.compile_with(by) }
    }
}

impl<S: Phase> NameSource<S> {
    /// Returns its draw.
    pub fn draw(&self) -> Option<&Draw<S>> {
        match self {
            NameSource::Draw { draw, .. } => Some(draw),
            NameSource::Compute(_) | NameSource::Axis | NameSource::Row => None,
        }
    }

    /// Calls `visit` for every whole expression in it.
    pub fn visit_exprs<'a>(&'a self, visit: &mut Visit<'_, 'a, S>) {
        match self {
            NameSource::Draw { draw, .. } => draw.visit_exprs(Scope::default(), visit),
            NameSource::Compute(value) => visit(Role::Value, value, Scope::default()),
            NameSource::Axis | NameSource::Row => {}
        }
    }

    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> NameSource {
        match self {
            NameSource::Draw { draw, group, place } => {
                NameSource::Draw { draw: draw.compile_with(by), group: group.clone(), place: *place }
            }
            NameSource::Compute(value) => NameSource::Compute(by.compile_expr(value)),
            NameSource::Axis => NameSource::Axis,
            NameSource::Row => NameSource::Row,
        }
    }
}

impl<S: Phase> Axis<S> {
    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Axis {
        let cells = self.cells.iter().map(|(label, value)| (label.clone(), by.compile_expr(value))).collect();
        Axis { name: self.name.clone(), slot: self.slot, cells }
    }
}
