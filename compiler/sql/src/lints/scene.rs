//! A SELECT as the lints see it.

use sqlparser::ast::{Expr, Select};

use crate::expressions::{as_output_expr, find_output};
use crate::functional_dependencies::Facts;
use crate::joins::Joins;
use crate::output::{Limit, Use};

/// A SELECT that has been visited, and is still the innermost.
pub struct Scene<'s, 'f, 'q> {
    /// The SELECT.
    pub select: &'s Select,
    /// GROUP BY.
    pub groups: &'s [Expr],
    /// ORDER BY, if it has one.
    pub ordered: Option<&'s [&'s Expr]>,
    /// LIMIT, if it has one.
    pub limit: Option<Limit<'s>>,
    /// The use of its rows.
    pub becomes: Use,
    /// Whether it has aggregates without GROUP BY.
    pub whole: bool,
    /// Whether it certainly returns at most one row, even without LIMIT.
    pub one: bool,
    /// The maximum number of rows that it returns without LIMIT.
    pub most: Option<u64>,
    /// Its joins.
    pub joins: &'s Joins<'f>,
    /// The functional dependencies of its rows.
    pub facts: &'s Facts<'f, 'q>,
}

impl<'s> Scene<'s, '_, '_> {
    /// The expressions of the output; `None` if it contains a `*`.
    pub fn collect_outputs(&self) -> Option<Vec<&'s Expr>> {
        self.select.projection.iter().map(as_output_expr).collect()
    }

    /// The expressions that the terms of GROUP BY refer to.
    pub fn group_terms(&self) -> Option<Vec<&'s Expr>> {
        self.groups
            .iter()
            .map(|group| self.facts.resolve_output_term(group, self.select).map(|(expr, _)| expr))
            .collect()
    }

    /// The expressions that the terms of ORDER BY refer to; names of the output take precedence over columns. `None` if one is not known.
    pub fn order_terms(&self) -> Option<Vec<&'s Expr>> {
        let term = |term: &'s Expr| match term {
            Expr::Identifier(name) => Some(find_output(&self.select.projection, name).map_or(term, |(_, expr)| expr)),
            Expr::Value(_) => self
                .collect_outputs()
                .and_then(|_| self.facts.resolve_output_term(term, self.select))
                .map(|(expr, _)| expr),
            _ => Some(term),
        };
        self.ordered.unwrap_or_default().iter().map(|expr| term(expr)).collect()
    }
}
