//! Visits the parts of a parsed query. The several hundred types of its tree are compiled anew for each type of visitor, which took most of this crate's time
//! and code: so `sqlparser` sees only one, [`Any`], which calls the real one through `dyn`.

use std::ops::ControlFlow;

use sqlparser::ast::{self, Expr, ObjectName, Query, Visit, VisitMut};

/// Is called for the nodes of a tree, from the outside in and from left to right; a break ends the visit.
pub trait Visitor {
    /// Called before the parts of a query.
    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after the parts of a query.
    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called for the name of a table or view.
    fn pre_visit_relation(&mut self, _: &ObjectName) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called before the parts of an expression.
    fn pre_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after the parts of an expression.
    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Any visitor.
struct Any<'v>(&'v mut dyn Visitor);

impl ast::Visitor for Any<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.0.pre_visit_query(query)
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.0.post_visit_query(query)
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        self.0.pre_visit_relation(name)
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.0.pre_visit_expr(expr)
    }

    fn post_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.0.post_visit_expr(expr)
    }
}

/// Calls `visitor` for each node of a part of a query, until it breaks.
pub fn visit_nodes(part: &impl Visit, visitor: &mut dyn Visitor) -> ControlFlow<()> {
    part.visit(&mut Any(visitor))
}

/// Any change of expressions.
struct Change<'v>(&'v mut dyn FnMut(&mut Expr));

impl ast::VisitorMut for Change<'_> {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        (self.0)(expr);
        ControlFlow::Continue(())
    }
}

/// Calls `change` for each expression in `expr`, from the inside out, and last for itself.
pub fn change_exprs(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr)) {
    let _ = VisitMut::visit(expr, &mut Change(change));
}
