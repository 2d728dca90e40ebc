//! Tables of WITH that read themselves: how many rows they can have.

use sqlparser::ast::{
    self, BinaryOperator, Cte, Expr, Query, Select, SelectItem, SetExpr, SetOperator, SetQuantifier, TableFactor, Value,
};

use super::analyser::Analyser;
use super::expressions::{
    as_number_literal, as_output_expr, as_text_literal, find_argument, find_last_name, list_arguments, split_conjuncts,
};
use super::output::Output;
use super::predicate_collector::parse_number;
use super::request::is_same_name;
use super::risks::{Growth, Risk};
use super::scope::ExprType;
use super::terms::Term;

/// A table of WITH, and the part of its query that reads it.
struct Recursive<'c> {
    /// The names of its columns.
    columns: Vec<String>,
    /// The first rows.
    seed: Output,
    /// Whether equal rows are kept once.
    distinct: bool,
    /// The further rows.
    step: &'c Select,
    /// The name of the table in it.
    alias: &'c str,
    /// The other tables in it, with the names that they have there: indexes of [`super::SqlRequest::tables`].
    others: Vec<(&'c str, usize)>,
}

/// What a value of a further row is.
enum Picked {
    /// That of some column of the row before.
    Before,
    /// One of a table, or the same for all rows.
    Term(Term),
}

impl Analyser<'_> {
    /// What is known of the number of rows of a table that reads itself.
    pub(super) fn find_growth_risk(&mut self, cte: &Cte) -> Risk {
        let growth = self.read_recursive(cte).and_then(|recursive| {
            self.find_picked(&recursive).or_else(|| find_counted(self, &recursive)).filter(|_| is_plain(&cte.query))
        });
        growth.map_or(Risk::Open, Risk::Growth)
    }

    fn read_recursive<'c>(&mut self, cte: &'c Cte) -> Option<Recursive<'c>> {
        let SetExpr::SetOperation { left, op: SetOperator::Union, right, set_quantifier } = cte.query.body.as_ref()
        else {
            return None;
        };
        let SetExpr::Select(step) = right.as_ref() else { return None };
        let name = cte.alias.name.value.as_str();
        self.quiet += 1;
        let seed = self.infer_body(left);
        self.quiet -= 1;
        let mut columns: Vec<String> = seed.columns.iter().flatten().map(|column| column.name.clone()).collect();
        for (column, written) in columns.iter_mut().zip(&cte.alias.columns) {
            column.clone_from(&written.name.value);
        }
        let (mut alias, mut others) = (None, Vec::new());
        for factor in step
            .from
            .iter()
            .flat_map(|from| [&from.relation].into_iter().chain(from.joins.iter().map(|join| &join.relation)))
        {
            let TableFactor::Table { name: table, alias: written, args: None, .. } = factor else { return None };
            let last = find_last_name(table)?.value.as_str();
            let known = written.as_ref().map_or(last, |written| written.name.value.as_str());
            if table.0.len() == 1 && is_same_name(last, name) {
                alias = alias.is_none().then_some(known);
                alias?;
            } else {
                others.push((known, self.find_request_table(table)?));
            }
        }
        let distinct = *set_quantifier != SetQuantifier::All;
        Some(Recursive { columns, seed, distinct, step, alias: alias?, others })
    }

    /// The table of the request that a name means, which no table of WITH hides.
    fn find_request_table(&self, name: &ast::ObjectName) -> Option<usize> {
        let parts: Vec<&str> = name.0.iter().filter_map(|part| Some(part.as_ident()?.value.as_str())).collect();
        let tables = &self.query.request.tables;
        match parts.as_slice() {
            [table] if !self.ctes.iter().any(|cte| is_same_name(&cte.name, table)) => {
                tables.iter().position(|own| own.database.is_none() && is_same_name(own.name, table))
            }
            [database, table] => tables.iter().position(|own| {
                is_same_name(own.database.unwrap_or("main"), database) && is_same_name(own.name, table)
            }),
            _ => None,
        }
    }

    /// Rows that differ, of values that are picked from tables.
    fn find_picked(&self, recursive: &Recursive<'_>) -> Option<Growth> {
        let items = &recursive.step.projection;
        if !recursive.distinct || items.len() != recursive.columns.len() {
            return None;
        }
        let mut sources: Vec<Vec<Term>> = Vec::new();
        let mut passes = false;
        for (item, seed) in items.iter().zip(recursive.seed.columns.iter().flatten()) {
            let mut picked = Vec::new();
            self.collect_picked(recursive, as_output_expr(item)?, &mut picked)?;
            let mut terms = vec![self.find_value_term(&seed.value)?];
            for one in picked {
                match one {
                    Picked::Before => passes = true,
                    Picked::Term(term) => terms.push(term),
                }
            }
            sources.push(terms);
        }
        // A value can go from column to column.
        if passes {
            let all: Vec<Term> = sources.iter().flatten().cloned().collect();
            sources.iter_mut().for_each(|own| own.clone_from(&all));
        }
        Some(Growth::Picked(sources))
    }

    /// The term of a value of the first rows.
    fn find_value_term(&self, value: &ExprType) -> Option<Term> {
        self.build_cell(value, (usize::MAX, usize::MAX, 0)).filter(|term| !term.has_unknown())
    }

    fn collect_picked(&self, recursive: &Recursive<'_>, expr: &Expr, picked: &mut Vec<Picked>) -> Option<()> {
        match expr {
            Expr::Nested(inner) => self.collect_picked(recursive, inner, picked)?,
            Expr::Case { conditions, else_result, .. } => {
                for case in conditions {
                    self.collect_picked(recursive, &case.result, picked)?;
                }
                if let Some(otherwise) = else_result {
                    self.collect_picked(recursive, otherwise, picked)?;
                } else {
                    picked.push(Picked::Term(Term::NULL));
                }
            }
            Expr::Value(_) => picked.push(Picked::Term(read_constant(expr)?)),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => picked.push(self.resolve_picked(recursive, expr)?),
            _ => return None,
        }
        Some(())
    }

    /// The column that a name in the recursive part means.
    fn resolve_picked(&self, recursive: &Recursive<'_>, expr: &Expr) -> Option<Picked> {
        if recursive.find_own_column(expr).is_some()
            && !recursive.others.iter().any(|(known, table)| self.has_column(expr, known, *table))
        {
            return Some(Picked::Before);
        }
        let mut found = recursive.others.iter().filter(|(known, table)| self.has_column(expr, known, *table));
        let ((_, table), None) = (found.next()?, found.next()) else { return None };
        let name = last_part(expr)?;
        let own = self.query.request.tables.get(*table)?;
        let column = own.columns.iter().find(|column| is_same_name(column.name, name))?;
        let at = (usize::MAX, usize::MAX, 0);
        Some(Picked::Term(Term::Column { relation: own.id, column: column.id, nullable: true, at }))
    }

    /// Whether a name means a column of a table with another name.
    fn has_column(&self, expr: &Expr, known: &str, table: usize) -> bool {
        let names = |column: &str| {
            let own = self.query.request.tables.get(table);
            own.is_some_and(|own| own.columns.iter().any(|known| is_same_name(known.name, column)))
        };
        match expr {
            Expr::Identifier(column) => names(&column.value),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [of, column] => is_same_name(&of.value, known) && names(&column.value),
                _ => false,
            },
            _ => false,
        }
    }
}

impl Recursive<'_> {
    /// The column of the table itself that a name means, unless another table has one of this name.
    fn find_own_column(&self, expr: &Expr) -> Option<usize> {
        let name = match expr {
            Expr::Identifier(column) => column,
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [of, column] if is_same_name(&of.value, self.alias) => column,
                _ => return None,
            },
            Expr::Nested(inner) => return self.find_own_column(inner),
            _ => return None,
        };
        self.columns.iter().position(|own| is_same_name(own, &name.value))
    }

    /// Whether an expression is a column, or that column and more.
    fn is_column_or_later(&self, expr: &Expr, column: usize) -> bool {
        self.find_own_column(expr) == Some(column)
            || read_step(expr).is_some_and(|(of, step)| step > 0 && self.find_own_column(of) == Some(column))
    }
}

/// One row after the other, counted up to an end.
fn find_counted(analyser: &Analyser<'_>, recursive: &Recursive<'_>) -> Option<Growth> {
    let step = recursive.step;
    if !recursive.others.is_empty()
        || recursive.seed.most != Some(1)
        || step.projection.len() != recursive.columns.len()
    {
        return None;
    }
    let parts = step.selection.as_ref().map(split_conjuncts).unwrap_or_default();
    step.projection.iter().enumerate().find_map(|(at, item)| {
        let (of, by) = read_step(as_output_expr(item)?)?;
        let end = parts.iter().find_map(|part| {
            let (below, end) = read_upper_bound(part)?;
            recursive.is_column_or_later(below, at).then(|| read_constant(end)).flatten()
        })?;
        let seed = &recursive.seed.columns.as_ref()?.get(at)?.value;
        let is_counter = by > 0 && recursive.find_own_column(of) == Some(at);
        let start = analyser.find_value_term(seed).filter(|_| is_counter)?;
        Some(Growth::Counted { start, step: by, end })
    })
}

/// `x + 3`, `date(x, '+3 days')`: the value, and by how much it is moved.
fn read_step(expr: &Expr) -> Option<(&Expr, i64)> {
    match expr {
        Expr::Nested(inner) => read_step(inner),
        Expr::BinaryOp { left, op: BinaryOperator::Plus, right } => {
            match (as_number_literal(right), as_number_literal(left)) {
                (Some(by), _) => Some((left, by)),
                (None, Some(by)) => Some((right, by)),
                (None, None) => None,
            }
        }
        Expr::Function(function) if find_last_name(&function.name)?.value.eq_ignore_ascii_case("date") => {
            let (of, modifier) = (find_argument(function, 0)?, as_text_literal(find_argument(function, 1)?)?);
            let mut words = modifier.split_ascii_whitespace();
            let (number, unit, None) = (words.next()?, words.next()?, words.next()) else { return None };
            let days = match unit.to_ascii_lowercase().as_str() {
                "day" | "days" => 1,
                // A month has 28 days at least.
                "month" | "months" => 28,
                "year" | "years" => 365,
                _ => return None,
            };
            let number: i64 = number.strip_prefix('+').unwrap_or(number).parse().ok()?;
            (list_arguments(function).len() == 2 && function.over.is_none()).then_some((of, number.checked_mul(days)?))
        }
        _ => None,
    }
}

/// `a < b` and `b >= a`: the smaller and the larger side.
fn read_upper_bound(part: &Expr) -> Option<(&Expr, &Expr)> {
    let Expr::BinaryOp { left, op, right } = part else { return None };
    match op {
        BinaryOperator::Lt | BinaryOperator::LtEq => Some((left, right)),
        BinaryOperator::Gt | BinaryOperator::GtEq => Some((right, left)),
        _ => None,
    }
}

/// A literal or a parameter.
fn read_constant(expr: &Expr) -> Option<Term> {
    let Expr::Value(value) = expr else { return None };
    match &value.value {
        Value::Number(digits, _) => parse_number(digits).map(Term::Literal),
        Value::SingleQuotedString(text) => Some(Term::Literal(model::Value::from_text(text.as_str()))),
        Value::Null => Some(Term::NULL),
        Value::Placeholder(name) => name.strip_prefix(':').map(|name| Term::Param(name.to_owned())),
        _ => None,
    }
}

fn last_part(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Identifier(column) => Some(&column.value),
        Expr::CompoundIdentifier(parts) => parts.last().map(|column| column.value.as_str()),
        _ => None,
    }
}

/// Whether a query has no WITH, order, or limit of its own, and its last SELECT is simple.
fn is_plain(query: &Query) -> bool {
    let is_simple = |select: &Select| {
        let is_star = |item: &SelectItem| as_output_expr(item).is_none();
        select.having.is_none() && !select.projection.iter().any(is_star)
    };
    let last = match query.body.as_ref() {
        SetExpr::SetOperation { right, .. } => matches!(right.as_ref(), SetExpr::Select(select) if is_simple(select)),
        _ => false,
    };
    last && query.with.is_none() && query.order_by.is_none() && query.limit_clause.is_none()
}
