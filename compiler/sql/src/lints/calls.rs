//! The aggregates of a SELECT, for lints.

use std::ops::ControlFlow;

use sqlparser::ast::{DuplicateTreatment, Expr, Function, FunctionArguments};

use super::scene::Scene;
use crate::analyser::Analyser;
use crate::expressions::{find_argument, find_last_name, visit_calls};
use crate::functions::is_aggregate;
use crate::parse::find_node_bytes;

/// An aggregate of a SELECT.
pub struct Call {
    /// The call.
    pub function: Function,
    /// Its name in lowercase.
    pub name: String,
    /// Its place in the query.
    pub bytes: (usize, usize),
    /// Whether equal values count once: `SUM(DISTINCT x)`.
    pub distinct: bool,
}

impl Call {
    /// Its first argument; `None` for `*`.
    pub fn argument(&self) -> Option<&Expr> {
        find_argument(&self.function, 0)
    }
}

/// Collects the aggregates of the output, HAVING, and ORDER BY, outside subqueries and without FILTER.
pub fn collect_calls(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut each = |function: &Function| {
        if is_aggregate(function) && function.filter.is_none() {
            calls.extend(read_call(analyser, function));
        }
        ControlFlow::<()>::Continue(())
    };
    let _ = visit_calls(&scene.select.projection, &mut each);
    if let Some(having) = &scene.select.having {
        let _ = visit_calls(having, &mut each);
    }
    for term in scene.ordered.unwrap_or_default() {
        let _ = visit_calls(*term, &mut each);
    }
    calls
}

fn read_call(analyser: &Analyser<'_>, function: &Function) -> Option<Call> {
    let name = find_last_name(&function.name)?.value.to_lowercase();
    let distinct = matches!(&function.args, FunctionArguments::List(list)
        if list.duplicate_treatment == Some(DuplicateTreatment::Distinct));
    // Fixes replace the call alone, without FILTER and OVER.
    let bytes = find_node_bytes(analyser.query.tokens, function)?;
    Some(Call { function: function.clone(), name, bytes, distinct })
}
