//! The laws of aggregates over the rows of a table: counts, sums, means, extremes, and numbers of different values.

use model::Value;
use model::functions::{AVG, FunctionId, MEDIAN, Pick, Results};
use model::suite::{ColumnId, NameId, Op, RelationId, Scope};

use super::law::{Law, Moments, sort_values};
use super::laws::Laws;
use super::sources::Source;
use hir::{Arg, ColumnSource, Expr, ExprKind, Rows};

/// The fewest values whose sum is nearly normally distributed.
const MANY: f64 = 12.0;
/// Up to this probability, rows that pass are left out.
const RARELY: f64 = 0.05;
/// The most rows whose counts are listed one by one.
const MAX_ROWS: f64 = 150.0;
/// The most values of a draw outside of the rows that are tried one by one.
const MAX_TRIED: usize = 20;

/// The most numbers of rows that are tried one by one.
const MAX_COUNTS: u64 = 8;

/// What is aggregated: a column, or a value of each row.
#[derive(Clone, Copy)]
pub enum Cell<'e> {
    /// A column.
    Column(ColumnId),
    /// A computed value.
    Value(&'e Expr),
}

/// An aggregate over the rows of a relation.
pub(super) type Aggregate<'e> = (RelationId, Option<Cell<'e>>, Option<&'e Expr>);

impl Laws<'_, '_> {
    /// The law of an aggregate over rows.
    pub(super) fn infer_rows(&self, function: FunctionId, of: Aggregate<'_>) -> Option<Law> {
        let (relation, _, filter) = of;
        if let Some(law) = self.infer_no_rows(function, of) {
            return Some(law);
        }
        // A draw in the condition, such as a threshold, is the same for all rows: each of its values is tried.
        if let Some(name) = filter.and_then(|filter| self.find_outer_name(filter, relation)) {
            let Law::Listed(values) = self.infer_name(name)? else { return None };
            let each = values.len().div_ceil(MAX_TRIED);
            let parts = values.chunks(each).filter_map(|part| {
                let (value, _) = part.get(part.len() / 2)?;
                let share = part.iter().map(|(_, share)| share).sum();
                let law = self.assume(Source::Name(name), value, || self.infer_rows(function, of));
                Some(law.map(|law| (law, share)))
            });
            return Law::mix(parts.collect::<Option<_>>()?);
        }
        let rows = self.infer_row_count(relation)?;
        let passes = match filter {
            Some(filter) => self.infer_truth(filter, Scope::with_row(relation))?,
            None => 1.0,
        };
        match (function.results, function.picks) {
            (Results::Count, _) => self.count_rows(&rows, passes * self.find_share_of_values(of)?),
            (Results::Sum, _) => self.sum_rows(&rows, of, passes),
            (Results::Mean, _) if function.general.unwrap_or(function) == AVG => {
                self.average_rows(&rows, of, passes, 1.0)
            }
            // The variance of the median of evenly distributed values is three times that of their mean.
            (Results::Mean, _) if function == MEDIAN => self.average_rows(&rows, of, passes, 3.0),
            (Results::Distinct, _) => self.count_different(&rows, of, passes),
            (_, Some(Pick::Greatest)) => self.find_extreme(&rows, of, passes, Pick::Greatest),
            (_, Some(Pick::Least)) => self.find_extreme(&rows, of, passes, Pick::Least),
            _ => None,
        }
    }

    /// The law of a number or a sum of rows of which hardly ever any passes, however the draws of the condition depend on each other.
    fn infer_no_rows(&self, function: FunctionId, (relation, _, filter): Aggregate<'_>) -> Option<Law> {
        let empty = match function.results {
            Results::Count => Value::Int(0),
            Results::Sum => Value::Null,
            _ => return None,
        };
        let passes = self.infer_truth(filter?, Scope::with_row(relation))?;
        let rows = self.infer_row_count(relation)?;
        let any = passes * rows.iter().map(|(number, _)| *number).fold(0.0, f64::max);
        // What it is in the other samples is not known.
        (any <= RARELY).then(|| Law::Listed(vec![(empty, 1.0 - any), (Value::Int(i64::MAX), any)]))
    }

    /// The law of a share of rows: `count(hr where P) / count(hr)`, perhaps times a constant.
    pub(super) fn infer_share(&self, part: &Expr, whole: &Expr) -> Option<Law> {
        let (counted, factor) = self.split_factor(part)?;
        let (of, filter) = as_count(counted)?;
        let (all, None) = as_count(whole.resolve_name(self.task))? else { return None };
        let passes = self.infer_truth(filter?, Scope::with_row(of))?;
        let (number, _) = find_number_moments(&self.infer_row_count(of)?);
        let variance = passes * (1.0 - passes) / number.max(1.0);
        (of == all && number >= MANY).then(|| Law::Bell(Moments { mean: passes, variance }.scale(factor)))
    }

    /// Splits `x * 100` and `100 * x` into `x` and 100.
    fn split_factor<'e>(&'e self, expr: &'e Expr) -> Option<(&'e Expr, f64)> {
        let expr = expr.resolve_name(self.task);
        let ExprKind::Binary(Op::Mul, sides) = &expr.kind else { return Some((expr, 1.0)) };
        let number = |side: &Expr| side.resolve_name(self.task).as_constant().and_then(Value::as_f64);
        match (number(&sides.0), number(&sides.1)) {
            (None, Some(factor)) => Some((sides.0.resolve_name(self.task), factor)),
            (Some(factor), None) => Some((sides.1.resolve_name(self.task), factor)),
            _ => None,
        }
    }

    /// A drawn name in a condition on rows whose value is not known yet.
    fn find_outer_name(&self, filter: &Expr, relation: RelationId) -> Option<NameId> {
        let sources = self.collect_sources(filter, Scope::with_row(relation))?;
        sources.into_iter().find_map(|source| match source {
            Source::Name(id) => {
                let drawn = self.task.names.get(id)?.source.draw().is_some();
                (drawn && !self.is_assumed(source)).then_some(id)
            }
            _ => None,
        })
    }

    /// The law of the number of rows.
    pub(super) fn infer_row_count(&self, relation: RelationId) -> Option<Vec<(f64, f64)>> {
        match &self.task.relations.get(relation)?.rows {
            Rows::Given(rows) => Some(vec![(f64::from(*rows), 1.0)]),
            Rows::Taken { from, filter: None } => self.infer_row_count(*from),
            Rows::Count(low, high) if low.without_spans() == high.without_spans() => {
                let Law::Listed(values) = self.infer_expr(low, Scope::default())? else { return None };
                values.iter().map(|(value, share)| Some((value.as_f64()?, *share))).collect()
            }
            Rows::Count(low, high) => {
                let (Value::Int(low), Value::Int(high)) = (low.as_constant()?, high.as_constant()?) else {
                    return None;
                };
                let count = high.checked_sub(*low).filter(|count| (0..1_000_000).contains(count))? + 1;
                // A few numbers of rows represent the others.
                let step = count.unsigned_abs().div_ceil(MAX_COUNTS).max(1);
                let numbers: Vec<i64> = (*low..=*high).step_by(usize::try_from(step).ok()?).collect();
                let share = 1.0 / numbers.len() as f64;
                Some(numbers.into_iter().map(|number| (number as f64, share)).collect())
            }
            _ => None,
        }
    }

    /// The share of rows that have a value in the counted column.
    fn find_share_of_values(&self, (relation, cell, _): Aggregate<'_>) -> Option<f64> {
        let Some(Cell::Column(column)) = cell else { return Some(1.0) };
        let nullable = self.facts.lookup_column(relation, column).nullable;
        if !nullable {
            return Some(1.0);
        }
        let Law::Listed(values) = self.infer_cell(relation, column)? else { return None };
        Some(values.iter().filter(|(value, _)| !value.is_null()).map(|(_, share)| share).sum())
    }

    fn count_rows(&self, rows: &[(f64, f64)], passes: f64) -> Option<Law> {
        if rows.iter().any(|(number, _)| *number > MAX_ROWS) {
            let (number, spread) = find_number_moments(rows);
            let variance = number * passes * (1.0 - passes) + spread * passes * passes;
            return Some(Law::Bell(Moments { mean: number * passes, variance }));
        }
        let binomial = |(number, share): &(f64, f64)| (list_binomial(*number, passes), *share);
        Law::mix(rows.iter().map(binomial).collect())
    }

    /// The mean and the mean of the squares of a value over the rows that pass, without nulls, and the share of rows that have one.
    fn find_row_moments(&self, of: Aggregate<'_>, passes: f64) -> Option<(f64, f64, f64)> {
        let law = self.infer_passing_values(of, passes)?;
        let (mut share, mut mean, mut square) = (0.0, 0.0, 0.0);
        for (value, own) in law.iter().filter(|(value, _)| !value.is_null()) {
            let value = value.as_f64()?;
            share += own;
            mean += value * own;
            square += value * value * own;
        }
        (share > 0.0).then(|| (mean / share, square / share, share))
    }

    /// The values of rows that pass, each with the probability that a row passes and has it.
    fn infer_passing_values(&self, (relation, cell, filter): Aggregate<'_>, passes: f64) -> Option<Vec<(Value, f64)>> {
        let scope = Scope::with_row(relation);
        let law = match cell? {
            Cell::Column(column) => self.infer_cell(relation, column)?,
            Cell::Value(value) => self.infer_expr(value, scope)?,
        };
        let Law::Listed(values) = law else { return None };
        let Some(filter) = filter else { return Some(values) };
        let of_filter = self.collect_sources(filter, scope)?;
        let own = match cell? {
            Cell::Column(column) => {
                let expr = ExprKind::Column(column);
                let expr = Expr { kind: expr, ty: hir::types::Ty::UNKNOWN, span: filter.span };
                self.collect_sources(&expr, scope)?
            }
            Cell::Value(value) => self.collect_sources(value, scope)?,
        };
        let common: Vec<&Source> = own.intersection(&of_filter).filter(|source| !self.is_assumed(**source)).collect();
        match (common.as_slice(), cell?) {
            ([], _) => Some(values.into_iter().map(|(value, share)| (value, share * passes)).collect()),
            // The condition reads the column itself.
            ([Source::Column(of, column)], Cell::Column(own)) if *of == relation && *column == own => {
                let drawn = matches!(self.task.find_column((relation, own))?.source, ColumnSource::Draw { .. });
                let passing = values.into_iter().map(|(value, share)| {
                    let holds =
                        self.assume(Source::Column(relation, own), &value, || self.infer_truth(filter, scope))?;
                    Some((value, share * holds))
                });
                drawn.then(|| passing.collect::<Option<Vec<_>>>()).flatten()
            }
            _ => None,
        }
    }

    fn sum_rows(&self, rows: &[(f64, f64)], of: Aggregate<'_>, passes: f64) -> Option<Law> {
        let (mean, square, share) = self.find_row_moments(of, passes)?;
        let (number, spread) = find_number_moments(rows);
        let least = rows.iter().map(|(number, _)| *number).fold(f64::INFINITY, f64::min);
        if least * share < MANY {
            return None;
        }
        let (own, squares) = (mean * share, square * share);
        let variance = number * (squares - own * own) + spread * own * own;
        Some(Law::Bell(Moments { mean: number * own, variance: variance.max(0.0) }))
    }

    fn average_rows(&self, rows: &[(f64, f64)], of: Aggregate<'_>, passes: f64, spread: f64) -> Option<Law> {
        let (mean, square, share) = self.find_row_moments(of, passes)?;
        let least = rows.iter().map(|(number, _)| *number).fold(f64::INFINITY, f64::min);
        let (number, _) = find_number_moments(rows);
        if least * share < MANY {
            return None;
        }
        Some(Law::Bell(Moments { mean, variance: spread * (square - mean * mean).max(0.0) / (number * share) }))
    }

    /// The largest or the smallest value: the probability that no row has a more extreme one.
    fn find_extreme(&self, rows: &[(f64, f64)], of: Aggregate<'_>, passes: f64, pick: Pick) -> Option<Law> {
        let mut values: Vec<(Value, f64)> = self.infer_passing_values(of, passes)?;
        values.retain(|(value, _)| !value.is_null());
        let (first, _) = values.first()?;
        if !values.iter().all(|(value, _)| first.compare_with(value).is_some()) || matches!(first, Value::Text(_)) {
            return None;
        }
        sort_values(&mut values);
        if pick == Pick::Greatest {
            values.reverse();
        }
        // From the most extreme value on: the share of rows that have it or a more extreme one.
        let mut law: Vec<(Value, f64)> = Vec::new();
        let (mut reached, mut before) = (0.0, 0.0);
        for (value, share) in values {
            reached += share;
            let none: f64 = rows.iter().map(|(number, own)| own * libm::pow((1.0 - reached).max(0.0), *number)).sum();
            law.push((value, (1.0 - none - before).max(0.0)));
            before = 1.0 - none;
        }
        if before < 1.0 - 1e-9 {
            law.push((Value::Null, 1.0 - before));
        }
        Some(Law::Listed(law))
    }

    /// The number of different values, if all values are equally likely.
    fn count_different(&self, rows: &[(f64, f64)], of: Aggregate<'_>, passes: f64) -> Option<Law> {
        let values = self.infer_passing_values(of, passes)?;
        let known: Vec<f64> = values.iter().filter(|(value, _)| !value.is_null()).map(|(_, share)| *share).collect();
        let (share, count) = (*known.first()?, known.len());
        if count > 60 || known.iter().any(|other| (other - share).abs() > 1e-9) {
            return None;
        }
        let parts = rows.iter().map(|(number, own)| (list_occupancy(*number, count, share), *own));
        Law::mix(parts.collect())
    }
}

/// The relation and the condition of `count(hr where P)`.
fn as_count(expr: &Expr) -> Option<(RelationId, Option<&Expr>)> {
    match &expr.kind {
        ExprKind::Call(function, args) if function.is_count() => match args.as_slice() {
            [Arg::Relation { relation, filter }] => Some((*relation, filter.as_ref())),
            _ => None,
        },
        _ => None,
    }
}

/// The mean and the variance of a number of rows.
pub(super) fn find_number_moments(rows: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = rows.iter().map(|(number, share)| number * share).sum();
    let square: f64 = rows.iter().map(|(number, share)| number * number * share).sum();
    (mean, (square - mean * mean).max(0.0))
}

/// The law of the number of rows that pass, of this many.
fn list_binomial(rows: f64, passes: f64) -> Law {
    if passes <= 0.0 || passes >= 1.0 {
        let all = if passes <= 0.0 { 0 } else { rows as i64 };
        return Law::from_value(Value::Int(all));
    }
    let log_factorial = |number: f64| libm::lgamma(number + 1.0);
    let (yes, no) = (libm::log(passes), libm::log1p(-passes));
    let share = |hits: i64| {
        let hits = hits as f64;
        let ways = log_factorial(rows) - log_factorial(hits) - log_factorial(rows - hits);
        libm::exp(ways + hits * yes + (rows - hits) * no)
    };
    Law::Listed((0..=rows as i64).map(|hits| (Value::Int(hits), share(hits))).collect())
}

/// The law of the number of different values among `rows` draws of `count` values, each drawn with this probability.
fn list_occupancy(rows: f64, count: usize, share: f64) -> Law {
    let mut seen = vec![0.0; count + 1];
    if let Some(none) = seen.first_mut() {
        *none = 1.0;
    }
    for _ in 0..(rows as usize).min(2_000) {
        for number in (0..=count).rev() {
            let stay = 1.0 - share * (count - number) as f64;
            let grow = number.checked_sub(1).and_then(|fewer| seen.get(fewer)).copied().unwrap_or(0.0);
            let from = share * (count + 1 - number) as f64;
            if let Some(own) = seen.get_mut(number) {
                *own = *own * stay + if number > 0 { grow * from } else { 0.0 };
            }
        }
    }
    Law::Listed(seen.into_iter().enumerate().map(|(number, share)| (Value::Int(number as i64), share)).collect())
}
