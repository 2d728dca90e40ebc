//! What SQLite runs and is probably not what the author means.
//!
//! The walk that types a query (`select`, `infer`) calls the lints where it knows most: each operator with the types of its operands, each
//! SELECT with its relations and keys. What is not understood in full is not judged.
//!
//! | file | lints |
//! | --- | --- |
//! | `division` | `sql_integer_division` |
//! | `colon` | `sql_name_without_colon` |
//! | `with` | `unused_cte` |
//! | `joins` | `cartesian_join`, `join_on_no_key` |
//! | `order` | `ambiguous_order` |
//! | `ties` | `tied_answer`, `unshared_tiebreak` |
//! | `reads` | what an expression reads |
//! | `places` | where an expression begins and ends |

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
pub use reads::{Place, canonicalize_expr, collect_reads};
pub use ties::collect_origins;

use model::suite::{ColumnId, RelationId};
use sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem, TableFactor, TableWithJoins};

use super::is_same_name;
use super::rows::Facts;
use super::select::{Analyser, Output};
use super::tables::Joins;
use crate::diagnostics::Diagnostic;

/// What can be run and is probably not meant. When each is to be said, who knows the whole task decides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Odd {
    /// In the order of the text.
    pub findings: Vec<Finding>,
    /// Columns that are compared where a value of the task may be meant.
    pub confusions: Vec<Confusion>,
    /// The query, where nothing fixes the order of its rows and there may be several.
    pub in_no_order: Option<InNoOrder>,
}

/// Something that is to be said of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The words.
    pub said: Diagnostic,
    /// When it is to be said.
    pub heard: ReportCondition,
}

/// When something is to be said.
#[derive(Clone, Debug, PartialEq)]
pub enum ReportCondition {
    /// Whatever the query is for.
    Always,
    /// Unless the prompt names all of these, and says that they are compared.
    Unnamed(Vec<String>),
    /// Where the answer comes of the query.
    Answer {
        /// The columns that decide whether rows tie; without a column, the rows of the relation do.
        ties: Vec<(RelationId, Option<ColumnId>)>,
        /// Unless the prompt names one of these, or tells in other words what counts when rows tie.
        told: Option<Vec<String>>,
        /// Only where the order of the query's rows matters.
        ordered: bool,
    },
}

impl Finding {
    fn new_unconditional(said: Diagnostic) -> Finding {
        Finding { said, heard: ReportCondition::Always }
    }

    fn new_for_answer(said: Diagnostic) -> Finding {
        Finding { said, heard: ReportCondition::Answer { ties: Vec::new(), told: None, ordered: false } }
    }
}

/// What becomes of the rows of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Use {
    /// Their order is lost, but which rows there are matters.
    #[default]
    Bag,
    /// Only whether there are any: EXISTS.
    Counted,
    /// They are what the whole query gives: whether their order matters, who knows the task decides.
    Given,
}

/// What a walk gathers.
pub struct Lints {
    odd: Odd,
    /// What becomes of the rows of the query that is walked next.
    next: Use,
    /// Divisions whose fraction is dropped on purpose: the positions of their divisors.
    whole: BTreeSet<usize>,
    /// The query is part of a statement: what queries in its expressions give decides which rows are left, and with what.
    changes_rows: bool,
}

impl Default for Lints {
    /// Before the whole query.
    fn default() -> Lints {
        Lints { odd: Odd::default(), next: Use::Given, whole: BTreeSet::new(), changes_rows: false }
    }
}

impl Lints {
    /// Before a query of a statement that changes rows.
    pub fn new_for_statement() -> Lints {
        Lints { changes_rows: true, ..Lints::default() }
    }
}

/// LIMIT: the most rows, where it is written out.
#[derive(Clone, Copy)]
pub struct Limit<'s> {
    /// As written.
    pub expr: &'s Expr,
    /// Its value.
    pub most: Option<u64>,
}

/// A SELECT that has been walked, and is still the innermost.
pub struct Scene<'s, 'f, 'q> {
    /// It.
    pub select: &'s Select,
    /// GROUP BY.
    pub groups: &'s [Expr],
    /// ORDER BY, where there is one.
    pub ordered: Option<&'s [&'s Expr]>,
    /// LIMIT, where there is one.
    pub limit: Option<Limit<'s>>,
    /// What becomes of its rows.
    pub becomes: Use,
    /// Aggregates without GROUP BY.
    pub whole: bool,
    /// It surely gives one row at most, whatever LIMIT says.
    pub one: bool,
    /// The most rows it gives, whatever LIMIT says.
    pub most: Option<u64>,
    /// Its joins.
    pub joins: &'s Joins<'f>,
    /// What is known of its rows.
    pub facts: &'s Facts<'f, 'q>,
}

impl<'s> Scene<'s, '_, '_> {
    /// The expressions of the output; `None` if it contains a `*`.
    fn collect_outputs(&self) -> Option<Vec<&'s Expr>> {
        let items = self.select.projection.iter().map(|item| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
            _ => None,
        });
        items.collect()
    }

    /// The expressions that the terms of GROUP BY denote.
    fn group_terms(&self) -> Option<Vec<&'s Expr>> {
        self.groups
            .iter()
            .map(|group| self.facts.resolve_output_term(group, self.select).map(|(expr, _)| expr))
            .collect()
    }

    /// The expressions that the terms of ORDER BY denote: names of the output come before columns. `None` if one is not
    /// known.
    fn order_terms(&self) -> Option<Vec<&'s Expr>> {
        let named = |name: &str| {
            self.select.projection.iter().find_map(|item| match item {
                SelectItem::ExprWithAlias { expr, alias } if is_same_name(&alias.value, name) => Some(expr),
                _ => None,
            })
        };
        let term = |term: &'s Expr| match term {
            Expr::Identifier(name) => Some(named(&name.value).unwrap_or(term)),
            Expr::Value(_) => self
                .collect_outputs()
                .and_then(|_| self.facts.resolve_output_term(term, self.select))
                .map(|(expr, _)| expr),
            _ => Some(term),
        };
        self.ordered.unwrap_or_default().iter().map(|expr| term(expr)).collect()
    }
}

/// `SELECT COUNT(*) FROM (SELECT …)`: whatever rows these are.
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

/// Looks at a SELECT that has been walked.
pub fn lint_select(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Odd {
    let mut odd = Odd::default();
    joins::check_joins(analyser, scene, &mut odd.findings);
    order::check_order(analyser, scene, &mut odd);
    ties::check_ties(analyser, scene, &mut odd.findings);
    odd
}

/// Looks at UNION and the like, which have been walked and have no ORDER BY.
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

/// Looks at a query inside an expression, which has been walked.
pub fn lint_inner_query(analyser: &mut Analyser<'_>, output: &Output) {
    if analyser.lints.as_ref().is_some_and(|lints| lints.changes_rows) {
        ties::check_numbered_subquery(analyser, output).into_iter().for_each(|finding| analyser.note_finding(finding));
    }
}

/// What was noted of a whole query, which has been walked and gives `output`.
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
    /// Notes something, unless this is a first look.
    pub fn note_finding(&mut self, finding: Finding) {
        self.note_odd(Odd { findings: vec![finding], ..Odd::default() });
    }

    /// Notes several things, unless this is a first look.
    pub fn note_odd(&mut self, new: Odd) {
        if self.quiet == 0
            && let Some(Lints { odd, .. }) = &mut self.lints
        {
            odd.findings.extend(new.findings);
            odd.confusions.extend(new.confusions);
            odd.in_no_order = odd.in_no_order.take().or(new.in_no_order);
        }
    }

    /// What becomes of the rows of the query that is walked next.
    pub fn set_row_use(&mut self, becomes: Use) {
        if let Some(lints) = &mut self.lints {
            lints.next = becomes;
        }
    }

    /// What becomes of the rows of the current query; the queries inside of it start anew.
    pub fn use_of_rows(&mut self) -> Use {
        self.lints.as_mut().map(|lints| std::mem::take(&mut lints.next)).unwrap_or_default()
    }
}
