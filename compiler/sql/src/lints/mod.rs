//! Lints on SQL that SQLite accepts but that is probably not intended.
//!
//! The visitor that infers types (`select`, `infer`) calls the lints where the required information is available: for each operator with the types of its
//! operands, and for each SELECT with its relations and keys. Parts that are not fully understood are not judged.
//!
//! | file | lints |
//! | --- | --- |
//! | `division` | `sql_integer_division` |
//! | `colon` | `sql_name_without_colon` |
//! | `with` | `unused_cte` |
//! | `joins` | `cartesian_join`, `join_on_no_key` |
//! | `order` | `ambiguous_order` |
//! | `ties` | `tied_answer`, `unshared_tiebreak` |
//! | `reads` | the columns that an expression reads |
//! | `places` | the byte range of an expression |

mod colon;
mod division;
mod joins;
mod order;
mod places;
mod reads;
mod ties;
mod with;

use std::collections::BTreeSet;

pub use colon::Confusion;
pub use order::InNoOrder;
pub use places::find_expr_bytes;
pub use reads::{Place, Reads, canonicalize_expr, collect_all_reads, collect_reads};
pub use ties::collect_origins;

use model::suite::{ColumnId, RelationId};
use sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem, TableFactor, TableWithJoins};

use super::expressions::{as_output_expr, find_output};
use super::functional_dependencies::Facts;
use super::select::{Analyser, Output};
use super::tables::Joins;
use syntax::diagnostics::Diagnostic;

/// SQL that SQLite accepts but that is probably not intended. The caller knows the whole task and decides which findings are reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Odd {
    /// The findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// Columns that are compared where a value of the task may be intended.
    pub confusions: Vec<Confusion>,
    /// The query, if the order of its rows is not determined and it may return several.
    pub in_no_order: Option<InNoOrder>,
}

/// A possible diagnostic about a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The diagnostic.
    pub said: Diagnostic,
    /// The condition for reporting it.
    pub heard: ReportCondition,
    /// Whether it is about the rows that `LIMIT` or a number selects: if all rows are known, running the query decides whether they tie.
    pub cut: bool,
}

/// The condition for reporting a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum ReportCondition {
    /// It is always reported.
    Always,
    /// It is reported unless the prompt mentions all of these names, and says that they are compared.
    Unnamed(Vec<String>),
    /// It is reported if the answer comes from the query.
    Answer {
        /// The columns that determine whether rows tie; without a column, the rows of the relation do.
        ties: Vec<(RelationId, Option<ColumnId>)>,
        /// Not reported if the prompt mentions one of these, or otherwise states how ties are resolved.
        told: Option<Vec<String>>,
        /// Whether it is reported only if the order of the query's rows matters.
        ordered: bool,
    },
}

impl Finding {
    /// A finding that is always reported.
    pub fn new_unconditional(said: Diagnostic) -> Finding {
        Finding { said, heard: ReportCondition::Always, cut: false }
    }

    /// A finding that is reported if the answer comes from the query.
    pub fn new_for_answer(said: Diagnostic) -> Finding {
        Finding { said, heard: ReportCondition::Answer { ties: Vec::new(), told: None, ordered: false }, cut: false }
    }
}

/// The use of a query's rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Use {
    /// Their order does not matter, but their content does.
    #[default]
    Bag,
    /// Only their existence or their number matters: EXISTS, `SELECT COUNT(*) FROM (…)`.
    Counted,
    /// They are the result of the whole query; the caller decides whether their order matters.
    Given,
}

/// The state of the lints during a visit.
pub struct Lints {
    odd: Odd,
    /// The use of the rows of the query that is visited next.
    next: Use,
    /// The addresses of divisors whose division intentionally drops the fraction.
    whole: BTreeSet<usize>,
    /// Whether the query is part of a statement that changes rows. Queries in its expressions then determine the resulting rows.
    changes_rows: bool,
}

impl Default for Lints {
    /// The state before the whole query.
    fn default() -> Lints {
        Lints { odd: Odd::default(), next: Use::Given, whole: BTreeSet::new(), changes_rows: false }
    }
}

impl Lints {
    /// The state before a query of a statement that changes rows.
    pub fn new_for_statement() -> Lints {
        Lints { changes_rows: true, ..Lints::default() }
    }
}

/// A LIMIT clause.
#[derive(Clone, Copy)]
pub struct Limit<'s> {
    /// Its expression.
    pub expr: &'s Expr,
    /// The maximum number of rows, if it is a literal.
    pub most: Option<u64>,
}

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
    fn collect_outputs(&self) -> Option<Vec<&'s Expr>> {
        self.select.projection.iter().map(as_output_expr).collect()
    }

    /// The expressions that the terms of GROUP BY refer to.
    fn group_terms(&self) -> Option<Vec<&'s Expr>> {
        self.groups
            .iter()
            .map(|group| self.facts.resolve_output_term(group, self.select).map(|(expr, _)| expr))
            .collect()
    }

    /// The expressions that the terms of ORDER BY refer to; names of the output take precedence over columns. `None` if one is not known.
    fn order_terms(&self) -> Option<Vec<&'s Expr>> {
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

/// Whether it is `SELECT COUNT(*) FROM (SELECT …)`, for which the content of the rows does not matter.
pub fn is_only_count(select: &Select) -> bool {
    let [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] = select.projection.as_slice() else {
        return false;
    };
    let [TableWithJoins { relation: TableFactor::Derived { .. }, joins }] = select.from.as_slice() else {
        return false;
    };
    let grouped = !matches!(&select.group_by, GroupByExpr::Expressions(groups, _) if groups.is_empty());
    joins.is_empty()
        && select.selection.is_none()
        && select.having.is_none()
        && !grouped
        && reads::canonicalize_expr(expr) == "count(*)"
}

/// Checks a SELECT that has been visited.
pub fn lint_select(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Odd {
    let mut odd = Odd::default();
    joins::check_joins(analyser, scene, &mut odd.findings);
    order::check_order(analyser, scene, &mut odd);
    ties::check_ties(analyser, scene, &mut odd.findings);
    odd
}

/// Checks a set operation such as UNION that has been visited and has no ORDER BY.
pub fn lint_set_operation(analyser: &Analyser<'_>, limit: Option<Limit<'_>>, becomes: Use, most: Option<u64>) -> Odd {
    let mut odd = Odd::default();
    match (limit, becomes) {
        (_, Use::Counted) => {}
        (Some(limit), _) if limit.most.is_some_and(|taken| most.is_some_and(|most| most <= taken)) => {}
        (Some(limit), _) => odd.findings.extend(order::check_unordered_limit(analyser, limit.expr)),
        (None, Use::Given) if most.is_none_or(|most| most > 1) => {
            odd.in_no_order = order::describe_unordered_rows(analyser)
        }
        (None, _) => {}
    }
    odd
}

/// Checks a subquery in an expression that has been visited.
pub fn lint_inner_query(analyser: &mut Analyser<'_>, output: &Output) {
    if analyser.lints.as_ref().is_some_and(|lints| lints.changes_rows) {
        ties::check_numbered_subquery(analyser, output).into_iter().for_each(|finding| analyser.note_finding(finding));
    }
}

/// Finishes the lints of a whole query that has been visited and returns `output`. Returns all findings.
pub fn finish_lints(analyser: &mut Analyser<'_>, tree: &sqlparser::ast::Query, output: &Output) -> Odd {
    if analyser.lints.is_none() {
        return Odd::default();
    }
    let changes_rows = analyser.lints.as_ref().is_some_and(|lints| lints.changes_rows);
    let numbered = if changes_rows {
        ties::check_numbered_subquery(analyser, output)
    } else {
        ties::check_numbered_rows(analyser, output)
    };
    numbered.into_iter().for_each(|finding| analyser.note_finding(finding));
    let complete = analyser.meaning.complete;
    let mut odd = analyser.lints.take().filter(|_| complete).map(|lints| lints.odd).unwrap_or_default();
    with::check_unused_ctes(analyser.query, tree, &mut odd.findings);
    odd.findings.sort_by_key(|finding| (finding.said.primary.span, finding.said.code.id));
    odd
}

impl Analyser<'_> {
    /// Notes a finding, except in a preliminary visit.
    pub fn note_finding(&mut self, finding: Finding) {
        self.note_odd(Odd { findings: vec![finding], ..Odd::default() });
    }

    /// Notes several findings, except in a preliminary visit.
    pub fn note_odd(&mut self, new: Odd) {
        if self.quiet == 0
            && let Some(Lints { odd, .. }) = &mut self.lints
        {
            odd.findings.extend(new.findings);
            odd.confusions.extend(new.confusions);
            odd.in_no_order = odd.in_no_order.take().or(new.in_no_order);
        }
    }

    /// Sets the use of the rows of the query that is visited next.
    pub fn set_row_use(&mut self, becomes: Use) {
        if let Some(lints) = &mut self.lints {
            lints.next = becomes;
        }
    }

    /// Takes the use of the current query's rows; queries inside it start with the default.
    pub fn use_of_rows(&mut self) -> Use {
        self.lints.as_mut().map(|lints| std::mem::take(&mut lints.next)).unwrap_or_default()
    }
}
