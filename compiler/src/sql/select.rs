//! Queries: their output columns and how many rows they give.

use std::collections::BTreeSet;

use sqlparser::ast::{
    self, Expr, GroupByExpr, LimitClause, NamedWindowExpr, OrderBy, OrderByKind, Select, SelectItem, SelectItemQualifiedWildcardKind,
    SetExpr, SetOperator,
};

use super::parse;
use super::scope::{Column, Frame, Typed};
use super::tables::Cte;
use super::{Query, functions, rows, same};
use crate::diagnostics::Diagnostic;

/// What the tree tells of a query.
#[derive(Default)]
pub struct Meaning {
    /// Its output columns, if they can be told.
    pub columns: Option<Vec<Column>>,
    /// Proved: never two rows.
    pub at_most_one_row: bool,
    /// Proved: never no row.
    pub always_a_row: bool,
    /// Columns read.
    pub reads: BTreeSet<(usize, usize)>,
    /// Tables read.
    pub tables: BTreeSet<usize>,
    /// Nothing was met that is not understood.
    pub complete: bool,
    /// Mistakes in names: to be believed when SQLite refuses too.
    pub names: Vec<Diagnostic>,
    /// Mistakes that SQLite does not see.
    pub certain: Vec<Diagnostic>,
}

/// Walks a query.
pub struct Analyser<'q> {
    pub query: &'q Query<'q>,
    pub frames: Vec<Frame>,
    pub ctes: Vec<Cte>,
    /// The column that the name at hand is compared with.
    pub compared: Option<(usize, usize)>,
    /// The innermost frame of which a column was met, since it was last cleared.
    pub innermost: Option<usize>,
    /// An aggregate over columns of an outer query alone belongs to that query: who gathers rows is not what it seems.
    pub borrowed_aggregate: bool,
    /// Above 0: a first look, of which nothing is reported.
    pub quiet: usize,
    pub meaning: Meaning,
}

/// The result of a query.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// `None`: not known.
    pub columns: Option<Vec<Column>>,
    pub at_most_one: bool,
    pub always: bool,
}

/// Analyses a whole query.
pub fn analyse(query: &Query<'_>, tree: &ast::Query) -> Meaning {
    let meaning = Meaning { complete: true, ..Meaning::default() };
    let mut analyser = Analyser { query, frames: Vec::new(), ctes: Vec::new(), compared: None, innermost: None, borrowed_aggregate: false, quiet: 0, meaning };
    let mut output = analyser.query(tree);
    if analyser.borrowed_aggregate {
        output.always = false;
        output.columns.iter_mut().flatten().for_each(|column| column.value.nullable = true);
    }
    let mut meaning = analyser.meaning;
    meaning.columns = output.columns;
    meaning.at_most_one_row = output.at_most_one;
    meaning.always_a_row = output.always;
    meaning
}

impl Analyser<'_> {
    /// Something is there that is not understood.
    pub fn give_up(&mut self) {
        self.meaning.complete = false;
    }

    /// A query, also inside another.
    pub fn query(&mut self, query: &ast::Query) -> Output {
        let outer_ctes = self.ctes.len();
        let compared = self.compared.take();
        if let Some(with) = &query.with {
            self.with(with);
        }
        let simple = matches!(*query.body, SetExpr::Select(_));
        let mut output = self.body(&query.body, query.order_by.as_ref().filter(|_| simple));
        self.limit(query, &mut output);
        if query.fetch.is_some() || !query.pipe_operators.is_empty() {
            self.give_up();
        }
        self.ctes.truncate(outer_ctes);
        self.compared = compared;
        output
    }

    fn limit(&mut self, query: &ast::Query, output: &mut Output) {
        let (limit, offset) = match &query.limit_clause {
            None => return,
            Some(LimitClause::LimitOffset { limit, offset, .. }) => (limit.as_ref(), offset.as_ref().map(|offset| &offset.value)),
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
        };
        // Neither can name a column.
        let frames = std::mem::take(&mut self.frames);
        for expr in limit.into_iter().chain(offset) {
            self.expr(expr);
        }
        self.frames = frames;
        let rows = limit.map(rows::literal_int);
        output.at_most_one |= matches!(rows, Some(Some(0 | 1)));
        output.always &= offset.is_none_or(|offset| rows::literal_int(offset) == Some(0))
            && rows.is_none_or(|rows| rows.is_some_and(|rows| rows >= 1));
    }

    /// A query without its WITH, ORDER BY of set operations and LIMIT.
    pub fn body(&mut self, body: &SetExpr, order_by: Option<&OrderBy>) -> Output {
        match body {
            SetExpr::Select(select) => self.select(select, order_by),
            SetExpr::Query(query) => self.query(query),
            SetExpr::Values(values) => self.values(values),
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
        while let SetExpr::SetOperation { left, op, right, .. } = first {
            arms.push((*op, right.as_ref()));
            first = left;
        }
        let mut output = self.body(first, None);
        for (operator, arm) in arms.into_iter().rev() {
            let next = self.body(arm, None);
            let union = matches!(operator, SetOperator::Union);
            output.columns = match (output.columns, next.columns) {
                (Some(left), Some(right)) if left.len() == right.len() => Some(merge(left, &right, union)),
                _ => None,
            };
            output.always = union && (output.always || next.always);
            output.at_most_one = match operator {
                SetOperator::Intersect => output.at_most_one || next.at_most_one,
                SetOperator::Except => output.at_most_one,
                _ => false,
            };
        }
        output
    }

    fn values(&mut self, values: &ast::Values) -> Output {
        let mut columns: Option<Vec<Column>> = None;
        for row in &values.rows {
            let cells: Vec<Typed> = row.content.iter().map(|cell| self.expr(cell)).collect();
            let row: Vec<Column> = cells
                .into_iter()
                .enumerate()
                .map(|(index, value)| Column { name: format!("column{}", index + 1), value: value.computed() })
                .collect();
            columns = Some(match columns {
                Some(columns) if columns.len() == row.len() => merge(columns, &row, true),
                _ => row,
            });
        }
        Output { columns, at_most_one: values.rows.len() == 1, always: !values.rows.is_empty() }
    }

    fn select(&mut self, select: &Select, order_by: Option<&OrderBy>) -> Output {
        let (mut frame, joins) = self.from(&select.from);
        let groups = match &select.group_by {
            GroupByExpr::Expressions(groups, _) => groups.as_slice(),
            GroupByExpr::All(_) => {
                self.give_up();
                &[]
            }
        };
        let ordered: Vec<&Expr> = match order_by.map(|order| &order.kind) {
            Some(OrderByKind::Expressions(terms)) => terms.iter().map(|term| &term.expr).collect(),
            _ => Vec::new(),
        };
        frame.grouped = !groups.is_empty();
        frame.whole = groups.is_empty()
            && (select.having.is_some() || functions::aggregates(&select.projection, select.having.as_ref(), &ordered));
        let (whole, no_from) = (frame.whole, select.from.is_empty());
        self.frames.push(frame);
        for join in &joins.constraints {
            self.expr(join.on);
        }
        for argument in &joins.arguments {
            self.expr(argument);
        }
        let columns = self.projection(&select.projection);
        // WHERE and GROUP BY come before aggregation.
        self.before_aggregation(|this| {
            if let Some(condition) = &select.selection {
                this.expr(condition);
            }
            for group in groups {
                this.expr(group);
            }
        });
        if let Some(having) = &select.having {
            self.expr(having);
        }
        for window in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &window.1 {
                self.window(spec);
            }
        }
        for term in ordered {
            self.expr(term);
        }
        let one = whole || no_from || rows::pinned(self, &joins, select.selection.as_ref());
        self.frames.pop();
        let always = if no_from && !whole { select.selection.is_none() } else { whole };
        Output { columns, at_most_one: one, always: always && select.having.is_none() }
    }

    fn before_aggregation(&mut self, inner: impl FnOnce(&mut Self)) {
        let set = |this: &mut Self, value| {
            if let Some(frame) = this.frames.last_mut() {
                frame.in_aggregate = value;
            }
        };
        set(self, true);
        inner(self);
        set(self, false);
    }

    fn projection(&mut self, items: &[SelectItem]) -> Option<Vec<Column>> {
        let mut columns = Some(Vec::new());
        let mut aliases = Vec::new();
        let add = |columns: &mut Option<Vec<Column>>, column| {
            if let Some(columns) = columns {
                columns.push(column);
            }
        };
        for item in items {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let value = self.expr(expr);
                    let name = self.output_name(expr);
                    add(&mut columns, Column { name, value });
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let column = Column { name: alias.value.clone(), value: self.expr(expr) };
                    aliases.push(column.clone());
                    add(&mut columns, column);
                }
                SelectItem::Wildcard(_) => match self.star(None) {
                    Some(all) => all.into_iter().for_each(|column| add(&mut columns, column)),
                    None => columns = None,
                },
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => match self.star(Some(name)) {
                    Some(all) => all.into_iter().for_each(|column| add(&mut columns, column)),
                    None => columns = None,
                },
                _ => {
                    self.give_up();
                    columns = None;
                }
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.aliases = aliases;
        }
        columns
    }

    /// The columns of `*` or `relation.*`.
    fn star(&mut self, only: Option<&ast::ObjectName>) -> Option<Vec<Column>> {
        let wanted = match only {
            Some(name) => Some(name.0.last()?.as_ident()?.clone()),
            None => None,
        };
        let frame = self.frames.last()?;
        let whole = frame.whole;
        let mut out = Some(Vec::new());
        let mut met = false;
        for relation in &frame.relations {
            if wanted.as_ref().is_some_and(|name| !same(&name.value, &relation.alias)) {
                continue;
            }
            met = true;
            match (&relation.columns, &mut out) {
                (Some(columns), Some(out)) => {
                    for (place, column) in columns.iter().enumerate() {
                        if wanted.is_some() || !relation.merged.contains(&place) {
                            let mut value = relation.value(place);
                            value.nullable |= whole;
                            out.push(Column { name: column.name.clone(), value });
                        }
                    }
                }
                _ => out = None,
            }
        }
        if let (false, Some(name)) = (met, wanted) {
            self.unknown_relation(&name);
            return None;
        }
        for column in out.iter().flatten() {
            self.read(&column.value);
        }
        out
    }

    /// The name that SQLite gives a column without AS.
    fn output_name(&self, expr: &Expr) -> String {
        match expr {
            Expr::Identifier(name) => name.value.clone(),
            Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()).unwrap_or_default(),
            other => parse::node(&self.query.tokens, other).map(|bytes| self.query.slice(bytes).to_owned()).unwrap_or_default(),
        }
    }

    /// Notes that a column is read.
    pub fn read(&mut self, value: &Typed) {
        if let Some(origin) = value.origin {
            self.meaning.reads.insert(origin);
            self.meaning.tables.insert(origin.0);
        }
    }
}

/// The columns of a set operation.
fn merge(left: Vec<Column>, right: &[Column], union: bool) -> Vec<Column> {
    let both = |(left, right): (Column, &Column)| {
        let value = if union { left.value.or(&right.value) } else { left.value.computed() };
        Column { name: left.name, value }
    };
    left.into_iter().zip(right).map(both).collect()
}
