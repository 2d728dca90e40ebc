//! Query expressions: WITH, set operations, VALUES, ORDER BY, and LIMIT around SELECT.

use std::collections::BTreeSet;
use std::sync::Arc;

use sqlparser::ast::{self, Expr, LimitClause, OrderBy, OrderByKind, SetExpr, SetOperator, SetQuantifier};

use super::analyser::Analyser;
use super::expressions::as_number_literal;
use super::lints;
use super::made::Made;
use super::made_rows;
use super::output::{Limit, Output, Taken};
use super::request::is_same_name;
use super::risks::Risk;
use super::scope::{Column, ExprType, ROW_ID};
use super::terms::Term;

impl Analyser<'_> {
    /// A query, also inside another.
    pub fn infer_query(&mut self, query: &ast::Query) -> Output {
        let outer_ctes = self.ctes.len();
        let compared = self.compared.take();
        let becomes = self.use_of_rows();
        if let Some(with) = &query.with {
            self.infer_ctes(with);
        }
        let limit = parse_limit(query);
        let mut output = match query.body.as_ref() {
            SetExpr::Select(select) => self.infer_select(select, query.order_by.as_ref(), Taken { limit, becomes }),
            body => {
                let mut output = self.infer_body(body);
                output.sorted |= query.order_by.is_some();
                self.order_of_set(query.order_by.as_ref(), &output);
                if self.lints.is_some() && query.order_by.is_none() {
                    let odd = lints::lint_set_operation(self, limit, becomes, output.most);
                    self.note_odd(odd);
                }
                output
            }
        };
        self.apply_limit(query, &mut output);
        if query.fetch.is_some() || !query.pipe_operators.is_empty() {
            self.give_up();
        }
        self.ctes.truncate(outer_ctes);
        self.compared = compared;
        output
    }

    fn apply_limit(&mut self, query: &ast::Query, output: &mut Output) {
        let (limit, offset) = split_limit(query);
        if limit.is_some() {
            self.add_risk(Risk::Order);
        }
        // Neither can name a column.
        let frames = std::mem::take(&mut self.frames);
        for expr in limit.into_iter().chain(offset) {
            self.infer_expr(expr);
        }
        self.frames = frames;
        // A negative LIMIT or OFFSET has no effect.
        let skipped =
            offset.map_or(Some(0), |offset| as_number_literal::<i64>(offset).map(|n| u64::try_from(n).unwrap_or(0)));
        output.least = output.least.saturating_sub(skipped.unwrap_or(u64::MAX));
        output.most = output.most.map(|most| most.saturating_sub(skipped.unwrap_or(0)));
        match limit.map(as_number_literal::<i64>) {
            Some(Some(rows)) => {
                if let Ok(rows) = u64::try_from(rows) {
                    output.least = output.least.min(rows);
                    output.most = Some(output.most.map_or(rows, |most| most.min(rows)));
                }
            }
            Some(None) => output.least = 0,
            None => {}
        }
    }

    /// ORDER BY after a set operation or VALUES: it names columns of the output.
    fn order_of_set(&mut self, order_by: Option<&OrderBy>, output: &Output) {
        let Some(OrderByKind::Expressions(terms)) = order_by.map(|order| &order.kind) else { return };
        let Some(columns) = output.columns.as_ref().filter(|_| !output.names.is_empty()) else { return };
        let columns: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        for term in terms {
            if let Expr::Identifier(name) = &term.expr
                && !output.names.iter().any(|known| is_same_name(known, &name.value))
            {
                self.report_missing_output(name, &columns);
            }
        }
    }

    /// A query inside an expression.
    pub fn infer_inner_query(&mut self, query: &ast::Query) -> Output {
        let before = std::mem::take(&mut self.met);
        let letters = std::mem::take(&mut self.letters);
        let innermost = self.innermost.take();
        let output = self.infer_query(query);
        lints::lint_inner_query(self, &output);
        self.letters = letters;
        let depth = self.frames.len();
        let met = std::mem::replace(&mut self.met, before);
        let outer: BTreeSet<_> = met.into_iter().filter(|(frame, ..)| *frame < depth).collect();
        self.met.extend(&outer);
        // Its own columns do not decide to which query an aggregate around it belongs.
        let columns = outer.iter().filter(|(_, relation, _)| *relation != ROW_ID);
        self.innermost = innermost.max(columns.map(|(frame, ..)| *frame).max());
        let first = output.columns.as_ref().and_then(|columns| columns.first()).map(|column| &column.value);
        let address = std::ptr::from_ref(query).addr();
        // Equal terms must be of the same row, so the query takes the place of a relation.
        let term = first.and_then(|value| {
            let value = ExprType { nullable: value.nullable || output.least == 0, ..value.clone() };
            self.build_cell(&value, (ROW_ID, address, 0))
        });
        self.note_inner_rows(address, output.least, output.most);
        self.inner_terms.insert(address, term.unwrap_or(Term::Unknown));
        self.inner.insert(address, (outer, first.and_then(|value| value.ty)));
        output
    }

    /// A query without its WITH, ORDER BY of set operations and LIMIT.
    pub fn infer_body(&mut self, body: &SetExpr) -> Output {
        match body {
            SetExpr::Select(select) => self.infer_select(select, None, Taken::default()),
            SetExpr::Query(query) => self.infer_query(query),
            SetExpr::Values(values) => self.infer_values(values),
            SetExpr::SetOperation { .. } => self.set_operation(body),
            _ => {
                self.give_up();
                Output::default()
            }
        }
    }

    fn set_operation(&mut self, body: &SetExpr) -> Output {
        let mut arms = Vec::new();
        let mut first = body;
        while let SetExpr::SetOperation { left, op, right, set_quantifier } = first {
            arms.push((*op, *set_quantifier == SetQuantifier::All, right.as_ref()));
            first = left;
        }
        let mut output = self.infer_body(first);
        let names =
            |output: &Output| output.columns.iter().flatten().map(|column| column.name.clone()).collect::<Vec<_>>();
        output.names = names(&output);
        let mut identified = made_rows::is_identified(self.query, output.columns.as_deref());
        for (operator, all, arm) in arms.into_iter().rev() {
            let next = self.infer_body(arm);
            identified &= made_rows::is_identified(self.query, next.columns.as_deref());
            let union = matches!(operator, SetOperator::Union);
            output.names.extend(names(&next));
            output.columns = match (output.columns, next.columns) {
                (Some(left), Some(right)) if left.len() == right.len() => {
                    let terms = self.join_terms(&left, &right);
                    let merged = merge_columns(left, &right, union);
                    Some(if union { attach_terms(merged, terms) } else { merged })
                }
                _ => None,
            };
            let least = output.least.saturating_add(next.least);
            output.least = match (union, all) {
                (true, true) => least,
                (true, false) => least.min(1),
                (false, _) => 0,
            };
            output.most = match operator {
                SetOperator::Intersect => output.most.into_iter().chain(next.most).min(),
                SetOperator::Except => output.most,
                _ => output.most.zip(next.most).map(|(left, right)| left.saturating_add(right)),
            };
            match operator {
                SetOperator::Intersect => output.keys.extend(next.keys),
                SetOperator::Except => {}
                _ => output.keys.clear(),
            }
            output.made = Made::default();
            let both = output.written.take().zip(next.written);
            output.written = both.filter(|_| union && all).map(|(mut rows, more)| {
                rows.extend(more);
                rows
            });
            if union && !all && !identified {
                output.made.merged = made_rows::find_union(self.query, arm);
            }
            output.sorted = false;
            output.numbered.clear();
            output.loose.clear();
            if !all {
                output.keys.extend(output.columns.as_ref().map(|columns| (0..columns.len()).collect()));
            }
        }
        output
    }

    /// The terms of columns.
    pub(super) fn list_terms(&self, columns: &[Column]) -> Vec<Term> {
        let term = |column: &Column| self.build_cell(&column.value, (ROW_ID, ROW_ID, 0));
        columns.iter().map(|column| term(column).unwrap_or(Term::Unknown)).collect()
    }

    /// For each column of a union, the term that is one or the other, if both are known.
    fn join_terms(&self, left: &[Column], right: &[Column]) -> Vec<Option<Arc<Term>>> {
        // Which of them it is does not depend on anything that is known, and no column of a row is meant.
        let term = |column: &Column| self.build_cell(&column.value, (ROW_ID, ROW_ID, 0));
        let either =
            |(left, right)| Some(Arc::new(Term::Case(vec![(Term::Unknown, term(left)?)], Box::new(term(right)?))));
        left.iter().zip(right).map(either).collect()
    }

    fn infer_values(&mut self, values: &ast::Values) -> Output {
        let (mut columns, mut written): (Option<Vec<Column>>, Vec<Vec<Term>>) = (None, Vec::new());
        for row in &values.rows {
            let cells: Vec<ExprType> = row.content.iter().map(|cell| self.infer_expr(cell)).collect();
            let row: Vec<Column> = cells
                .into_iter()
                .zip(&row.content)
                .enumerate()
                .map(|(index, (value, cell))| {
                    let value = self.with_term(cell, value.into_computed());
                    Column { name: format!("column{}", index + 1), value }
                })
                .collect();
            written.push(self.list_terms(&row));
            columns = Some(match columns {
                Some(columns) if columns.len() == row.len() => {
                    let terms = self.join_terms(&columns, &row);
                    attach_terms(merge_columns(columns, &row, true), terms)
                }
                _ => row,
            });
        }
        let rows = values.rows.len() as u64;
        Output { columns, least: rows, most: Some(rows), written: Some(written), ..Output::default() }
    }
}

/// Attaches their terms to the columns of a union.
fn attach_terms(mut columns: Vec<Column>, terms: Vec<Option<Arc<Term>>>) -> Vec<Column> {
    for (column, term) in columns.iter_mut().zip(terms) {
        column.value.term = term;
    }
    columns
}

/// The expressions of LIMIT and OFFSET.
fn split_limit(query: &ast::Query) -> (Option<&Expr>, Option<&Expr>) {
    match &query.limit_clause {
        None => (None, None),
        Some(LimitClause::LimitOffset { limit, offset, .. }) => {
            (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
        }
        Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
    }
}

/// LIMIT, where it is one.
fn parse_limit(query: &ast::Query) -> Option<Limit<'_>> {
    let (Some(expr), offset) = split_limit(query) else { return None };
    // A negative LIMIT has no effect; after an OFFSET, fewer rows than LIMIT may still not be all.
    let written = as_number_literal::<i64>(expr);
    if written.is_some_and(|rows| rows < 0) && offset.is_none() {
        return None;
    }
    Some(Limit { expr, most: written.and_then(|rows| u64::try_from(rows).ok()).filter(|_| offset.is_none()) })
}

/// The columns of a set operation.
fn merge_columns(left: Vec<Column>, right: &[Column], union: bool) -> Vec<Column> {
    let both = |(left, right): (Column, &Column)| {
        let value = if union { left.value.join_with(&right.value) } else { left.value.into_computed() };
        Column { name: left.name, value }
    };
    left.into_iter().zip(right).map(both).collect()
}
