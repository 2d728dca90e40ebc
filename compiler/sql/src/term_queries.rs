//! The terms of conditions on other queries, and on rows of several values.

use model::Value;
use model::suite::Op;
use sqlparser::ast::{BinaryOperator, Expr, GroupByExpr, Query, SelectItem, SetExpr, TableFactor, TableWithJoins};

use super::analyser::Analyser;
use super::expressions::find_last_name;
use super::predicate_collector::to_comparison_op;
use super::request::is_same_name;
use super::terms::{Counted, Gathered, Term};
use syntax::bounds::Bounds;

impl Analyser<'_> {
    /// `EXISTS (SELECT …)`: whether the query has at least one row.
    pub(super) fn build_exists(&self, query: &Query) -> Term {
        let address = std::ptr::from_ref(query).addr();
        let Some(rows) = self.inner_rows.get(&address) else { return Term::Unknown };
        let least = if self.finds_referenced_row(query) { rows.least.max(1) } else { rows.least };
        let count = Gathered::Count(Bounds { least, ..*rows }, Counted::Other);
        Term::Compare(Op::Ge, Term::pair(Term::Gathered(count), Term::Literal(Value::Int(1))))
    }

    /// Whether a query looks up the row of a table that a column of a SELECT around it references: `SELECT 1 FROM c WHERE c.ID = o.CUST`.
    fn finds_referenced_row(&self, query: &Query) -> bool {
        let SetExpr::Select(select) = query.body.as_ref() else { return false };
        let Some(Expr::BinaryOp { left, op: BinaryOperator::Eq, right }) = &select.selection else { return false };
        let ungrouped = matches!(&select.group_by, GroupByExpr::Expressions(groups, _) if groups.is_empty());
        if !ungrouped || select.having.is_some() || query.limit_clause.is_some() || query.with.is_some() {
            return false;
        }
        let [TableWithJoins { relation: TableFactor::Table { name, alias, .. }, joins }] = select.from.as_slice()
        else {
            return false;
        };
        let Some(name) = find_last_name(name).filter(|_| joins.is_empty()) else { return false };
        if self.ctes.iter().any(|cte| is_same_name(&cte.name, &name.value)) {
            return false;
        }
        let called = alias.as_ref().map_or(name, |alias| &alias.name);
        let mut tables = self.query.request.tables.iter().filter(|table| is_same_name(table.name, &name.value));
        let (Some(table), None) = (tables.next(), tables.next()) else { return false };
        let inner = |expr: &Expr| match expr {
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [owner, column] if is_same_name(&owner.value, &called.value) => {
                    table.columns.iter().find(|known| is_same_name(known.name, &column.value))
                }
                _ => None,
            },
            _ => None,
        };
        let references = |led: &Expr, from: &Expr| {
            let (Some(led), Expr::CompoundIdentifier(parts)) = (inner(led), from) else { return false };
            let is_outer = parts.first().is_some_and(|owner| !is_same_name(&owner.value, &called.value));
            let Term::Column { relation, column, nullable: false, .. } = self.build_term(from) else { return false };
            let leads =
                (relation, column) == (table.id, led.id) || self.is_reference((relation, column), (table.id, led.id));
            is_outer && leads
        };
        references(left, right) || references(right, left)
    }

    /// `x IN (SELECT …)`. A value of a column is among all values of that column, or of the column that it references.
    pub(super) fn build_in_query(&self, value: Term, inner: Term, query: &Query) -> Term {
        let contained = match (&value, &inner) {
            (
                Term::Column { relation, column, nullable: false, .. },
                Term::Column { relation: whole, column: of, nullable: false, .. },
            ) => (relation, column) == (whole, of) || self.is_reference((*relation, *column), (*whole, *of)),
            _ => false,
        };
        if contained && self.is_whole_column(query) {
            return Term::Not(Box::new(Term::Is(Term::pair(value, Term::NULL))));
        }
        Term::InQuery(Term::pair(value, inner))
    }

    /// Whether a column references another one.
    fn is_reference(
        &self,
        from: (model::suite::RelationId, model::suite::ColumnId),
        to: (model::suite::RelationId, model::suite::ColumnId),
    ) -> bool {
        let tables = self.query.request.tables;
        let (Some(table), Some(led)) =
            (tables.iter().find(|table| table.id == from.0), tables.iter().find(|table| table.id == to.0))
        else {
            return false;
        };
        let column = table.columns.iter().find(|column| column.id == from.1);
        let target = led.columns.iter().find(|column| column.id == to.1);
        let (Some(column), Some(target)) = (column, target) else { return false };
        table.database == led.database && column.references == Some((led.name, target.name))
    }

    /// `(a, b) < (c, d)`: the first values that differ decide.
    pub(super) fn build_row_comparison(&self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Option<Term> {
        let (Expr::Tuple(lefts), Expr::Tuple(rights)) = (left, right) else { return None };
        let op = to_comparison_op(op).filter(|_| lefts.len() == rights.len())?;
        let pairs: Vec<(Term, Term)> =
            lefts.iter().zip(rights).map(|(left, right)| (self.build_term(left), self.build_term(right))).collect();
        let compare = |op, (left, right): &(Term, Term)| Term::Compare(op, Term::pair(left.clone(), right.clone()));
        let (last, before) = pairs.split_last()?;
        let strict = match op {
            Op::Le => Op::Lt,
            Op::Ge => Op::Gt,
            other => other,
        };
        Some(before.iter().rev().fold(compare(op, last), |rest, pair| match op {
            Op::Eq => Term::And(Term::pair(compare(Op::Eq, pair), rest)),
            Op::Ne => Term::Or(Term::pair(compare(Op::Ne, pair), rest)),
            _ => {
                let equal = Term::And(Term::pair(compare(Op::Eq, pair), rest));
                Term::Or(Term::pair(compare(strict, pair), equal))
            }
        }))
    }

    /// The bounds of the number of rows of a query inside an expression.
    pub(super) fn note_inner_rows(&mut self, address: usize, least: u64, most: Option<u64>) {
        self.inner_rows.insert(address, Bounds { least, most: most.unwrap_or(u64::MAX) });
    }

    /// Whether a query returns a column of all rows of its only table: `SELECT ID FROM t`.
    fn is_whole_column(&self, query: &Query) -> bool {
        let SetExpr::Select(select) = query.body.as_ref() else { return false };
        let [SelectItem::UnnamedExpr(output) | SelectItem::ExprWithAlias { expr: output, .. }] =
            select.projection.as_slice()
        else {
            return false;
        };
        let is_table = |table: &TableFactor| match table {
            TableFactor::Table { name, args: None, .. } => {
                let name = find_last_name(name);
                name.is_some_and(|name| !self.ctes.iter().any(|cte| is_same_name(&cte.name, &name.value)))
            }
            _ => false,
        };
        let one_table = matches!(select.from.as_slice(), [only] if only.joins.is_empty() && is_table(&only.relation));
        let ungrouped = matches!(&select.group_by, GroupByExpr::Expressions(groups, _) if groups.is_empty());
        let unlimited = query.limit_clause.is_none() && query.fetch.is_none() && query.with.is_none();
        let plain = matches!(output, Expr::Identifier(_) | Expr::CompoundIdentifier(_));
        one_table && plain && ungrouped && unlimited && select.selection.is_none() && select.having.is_none()
    }
}
