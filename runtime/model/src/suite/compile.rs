//! Compiling a checked suite: the leaves that a compiler must translate. The types of the suite compile the rest.

use super::{DomainId, Expr, Phase};
use crate::Given;

/// Compiles the content of a phase's types; the types do the rest.
pub trait Compile<S: Phase> {
    /// Compiles an expression.
    fn compile_expr(&mut self, expr: &S::Expr) -> Expr;
    /// Compiles a known domain.
    fn compile_domain(&mut self, domain: &S::Domain) -> DomainId;
    /// Compiles the values of a fixture's column.
    fn compile_given(&mut self, given: &S::Given) -> Given;
}
