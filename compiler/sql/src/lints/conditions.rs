//! The conditions of a SELECT, for lints.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Query};

use super::scene::Scene;
use crate::visitor::{Visitor, visit_nodes};

/// The conditions by which rows are counted: those of `CASE WHEN` and FILTER in the output.
pub fn collect_counting_conditions(scene: &Scene<'_, '_, '_>) -> Vec<Expr> {
    struct Conditions {
        queries: usize,
        found: Vec<Expr>,
    }
    impl Visitor for Conditions {
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.queries += 1;
            ControlFlow::Continue(())
        }
        fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.queries = self.queries.saturating_sub(1);
            ControlFlow::Continue(())
        }
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Case { operand: None, conditions, .. } if self.queries == 0 => {
                    self.found.extend(conditions.iter().map(|when| when.condition.clone()));
                }
                Expr::Function(function) if self.queries == 0 => {
                    self.found.extend(function.filter.iter().map(|filter| filter.as_ref().clone()));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        }
    }
    let mut conditions = Conditions { queries: 0, found: Vec::new() };
    let _ = visit_nodes(&scene.select.projection, &mut conditions);
    conditions.found
}
