//! The choice of a draw for one cell or row: a sampler with evaluated bounds, without the values that `except` excludes.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Deref;

use model::functions::describe_value;
use model::steps::{Steps, to_units};
use model::suite::{DomainExpr, Draw, Expr};
use model::{DateTime, Duration, Val, Value, ValueType};

use super::context::Eval;
use super::eval::{filter_reads_outer, is_row_dependent};
use super::failures::{OrSpan, Res, fail, fail_computation};
use super::sampler::{Counting, Sampler};
use super::table::build_key;
use super::work::compute_value_work;
use crate::failure::FailureKind;

/// A sampler, shared by all instances or made for this one.
pub(crate) enum Held<'a> {
    Shared(&'a Sampler<'a>),
    Own(Sampler<'a>),
}

impl<'a> Deref for Held<'a> {
    type Target = Sampler<'a>;

    fn deref(&self) -> &Sampler<'a> {
        match self {
            Held::Shared(sampler) => sampler,
            Held::Own(sampler) => sampler,
        }
    }
}

/// A sampler and the values that it must not return.
pub(crate) struct Choice<'a> {
    /// The sampler.
    pub sampler: Held<'a>,
    /// Number of remaining indexes, all with the same probability; `None` if values are drawn in another way or by rejection.
    pub n: Option<u128>,
    /// Excluded indexes, ascending.
    without: Vec<u64>,
    /// Values to reject.
    banned: Values,
}

/// A set of values, compared by content.
#[derive(Default)]
pub(crate) struct Values {
    texts: HashSet<String>,
    others: Vec<Value>,
}

impl Values {
    /// Checks whether the set contains the value.
    pub fn has_value(&self, value: &Val<'_>) -> bool {
        match value.as_text() {
            Some(text) => self.texts.contains(text),
            None => self.others.iter().any(|other| Val::Ref(other).is_same(value)),
        }
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::Null => {}
            Value::Text(text) => {
                self.texts.insert(text.clone());
            }
            Value::List(items) => items.iter().for_each(|item| self.add_value(item)),
            Value::Rows(set) => set.rows.iter().flatten().for_each(|item| self.add_value(item)),
            other => self.others.push(other.clone()),
        }
    }

    fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.others.is_empty()
    }
}

/// Checks whether a draw's choice depends on the row.
pub(crate) fn is_drawn_by_row(draw: &Draw) -> bool {
    let domain = match &draw.domain {
        DomainExpr::Unknown(never) => match *never {},
        DomainExpr::Fixed(_) => false,
        DomainExpr::Range { low, high, step, .. } => {
            is_row_dependent(low) || is_row_dependent(high) || step.as_ref().is_some_and(is_row_dependent)
        }
        DomainExpr::Lorem { low, high, .. } => is_row_dependent(low) || is_row_dependent(high),
        DomainExpr::OneOf(items) => items.iter().any(is_row_dependent),
        // One choice for all rows.
        DomainExpr::Share(_) | DomainExpr::Exactly(_) => false,
        DomainExpr::Ref { filter, .. } => filter_reads_outer(filter.as_ref()),
    };
    domain || draw.except.iter().any(is_row_dependent)
}

impl<'a> Choice<'a> {
    /// Evaluates bounds, candidates, and exceptions.
    pub fn new(eval: Eval<'a>, draw: &'a Draw, counting: Counting) -> Res<Choice<'a>> {
        let mut banned = Values::default();
        for expr in &draw.except {
            let value = eval.evaluate(expr)?;
            eval.count_work(compute_value_work(&value))?;
            banned.add_value(&value.into_value());
        }
        let sampler = build_sampler(eval, draw, counting, &banned).or_span(draw.span)?;
        let mut choice = Choice { n: sampler.count_uniform(), sampler, without: Vec::new(), banned };
        choice.take_out_banned();
        if choice.n == Some(0) {
            return fail(FailureKind::ExhaustedDomain, "`except` leaves no value to draw").or_span(draw.span);
        }
        Ok(choice)
    }

    /// Creates the choice of a draw that takes several cells of one row: the numbers of the rows to choose from.
    pub fn new_for_rows(eval: Eval<'a>, draw: &'a Draw, counting: Counting) -> Res<Choice<'a>> {
        let mut choice = Choice::new(eval, draw, counting)?;
        let rows: Vec<Value> = match &*choice.sampler {
            Sampler::Rows { column, rows: None } => (0..column.len() as i64).map(Value::Int).collect(),
            Sampler::Rows { rows: Some(rows), .. } => rows.iter().map(|row| Value::Int(i64::from(*row))).collect(),
            _ => return fail_computation("no rows to take cells from"),
        };
        choice.sampler = Held::Own(Sampler::from_items(Cow::Owned(rows)));
        Ok(choice)
    }

    /// Excludes values from an indexed domain by their indexes; if these cannot be found, values are rejected when drawn.
    fn take_out_banned(&mut self) {
        if self.banned.is_empty() || matches!(*self.sampler, Sampler::Rows { .. }) {
            self.banned = Values::default();
            return;
        }
        let Some(n) = self.n else { return };
        let texts = self.banned.texts.iter().map(|text| Val::from_text(text.as_str()));
        let others = self.banned.others.iter().map(Val::Ref);
        // The indexes are sorted below, so the order of the set does not matter.
        #[allow(clippy::iter_over_hash_type)]
        let indexes: Option<Vec<Vec<u64>>> =
            texts.chain(others).map(|value| self.sampler.find_indexes(&value)).collect();
        match indexes {
            Some(indexes) => {
                self.without = indexes.into_iter().flatten().collect();
                self.without.sort_unstable();
                self.without.dedup();
                self.n = Some(n - self.without.len() as u128);
                self.banned = Values::default();
            }
            None => self.n = None,
        }
    }

    /// Returns the number of values that can be listed; some of them may be rejected.
    pub fn count_values(&self) -> Option<u128> {
        self.n.or_else(|| self.sampler.count_listed())
    }

    /// Returns the value at a place below [`Choice::count_values`]; `None` if its probability is 0.
    pub fn value_at(&self, place: u64) -> Option<Value> {
        match self.n {
            Some(_) => Some(self.sampler.value_at(self.map_index(place))),
            None => self.sampler.listed_value_at(place),
        }
    }

    /// Returns the sampler's index for an index below [`Choice::n`].
    #[inline]
    pub fn map_index(&self, left: u64) -> u64 {
        if self.without.is_empty() {
            return left;
        }
        // without[i] - i indexes remain below without[i]: counts the excluded indexes at or below the result.
        let (mut low, mut high) = (0, self.without.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.without[middle] - middle as u64 <= left { low = middle + 1 } else { high = middle }
        }
        left + low as u64
    }

    /// Checks whether `except` forbids the value.
    pub fn is_banned(&self, value: &Val<'_>) -> bool {
        self.banned.has_value(value)
    }

    /// Checks whether a drawn value may have to be rejected.
    pub fn may_throw_back(&self) -> bool {
        !self.banned.is_empty()
    }
}

fn build_sampler<'a>(eval: Eval<'a>, draw: &'a Draw, counting: Counting, banned: &Values) -> Res<Held<'a>> {
    let empty = |message: String| fail(FailureKind::ExhaustedDomain, message);
    let made = match &draw.domain {
        DomainExpr::Unknown(never) => match *never {},
        DomainExpr::Fixed(domain) => {
            return match eval.cell.samplers.get(*domain) {
                Some(Sampler::Empty) | None => empty("the domain has no value".to_owned()),
                Some(sampler) => Ok(Held::Shared(sampler)),
            };
        }
        DomainExpr::Range { value_type, low, high, step } => {
            let (low, high) = (eval.evaluate(low)?, eval.evaluate(high)?);
            let step = step.as_ref().map(|step| eval.evaluate(step)).transpose()?;
            let made = build_range_sampler(*value_type, &low, &high, step.as_ref())?;
            if matches!(made, Sampler::Empty) {
                return empty(format!("the range {}..{} is empty", low.render_text(), high.render_text()));
            }
            made
        }
        DomainExpr::Lorem { unit, low, high } => {
            let (low, high) = (eval.evaluate_int(low)?, eval.evaluate_int(high)?);
            match (u32::try_from(low), u32::try_from(high)) {
                (Ok(least), Ok(most)) if least <= most => Sampler::new_lorem(*unit, least, most),
                _ => return empty(format!("no number of lorem units is between {low} and {high}")),
            }
        }
        DomainExpr::OneOf(items) => {
            let mut values: Vec<Value> = Vec::with_capacity(items.len());
            for item in items {
                let value = eval.evaluate(item)?.into_value();
                // Computed items may be equal; duplicates do not raise the probability of a value.
                if !value.is_null() && !values.iter().any(|other| other.is_same(&value)) {
                    values.push(value);
                }
            }
            match Sampler::from_items(Cow::Owned(values)) {
                Sampler::Empty => return empty("`one_of` has no item".to_owned()),
                made => made,
            }
        }
        DomainExpr::Share(share) => Sampler::Bool { per_million: evaluate_share(eval, share)? },
        DomainExpr::Exactly(_) => return fail_computation("`exactly` is drawn outside of a table"),
        DomainExpr::Ref { relation, column, together, filter } => {
            let table = eval.find_table(*relation)?;
            let beside = || together.iter().filter_map(|id| table.columns.get(*id));
            let Some(cells) = table.columns.get(*column) else {
                return fail_computation("a column is used before it is made");
            };
            let declared = eval.cell.task.relations.get(*relation);
            let (name, unique) = declared.map_or(("", false), |declared| {
                let unique =
                    declared.columns.get(*column).is_some_and(|column| column.cells.unique || column.cells.primary_key);
                (declared.name.as_str(), unique)
            });
            let distinct = counting == Counting::Values && !unique;
            let all = !cells.has_nulls()
                && !beside().any(|column| column.has_nulls())
                && filter.is_none()
                && !distinct
                && banned.is_empty();
            let rows = if all {
                None
            } else {
                // Each row is compared with each of them.
                eval.count_work(table.rows as u64 * banned.others.len() as u64)?;
                let mut rows = Vec::new();
                let mut seen = HashSet::new();
                for row in 0..table.rows {
                    let key = || match together.as_slice() {
                        [] => Some(cells.get(row).render_text().into_owned()),
                        _ => build_key(beside().map(|column| column.get(row))),
                    };
                    let fits = !cells.is_null(row)
                        && !beside().any(|column| column.is_null(row))
                        && eval.is_match(filter.as_ref(), table, row)?
                        && !banned.has_value(&cells.get(row))
                        && (!distinct || key().is_some_and(|key| seen.insert(key)));
                    if fits {
                        rows.push(row as u32);
                    }
                }
                Some(rows)
            };
            if rows.as_ref().map_or(table.rows, Vec::len) == 0 {
                let which = if filter.is_some() { " that meets the `where`" } else { "" };
                return empty(format!("`{name}` has no row{which} to refer to"));
            }
            Sampler::Rows { column: cells, rows }
        }
    };
    Ok(Held::Own(made))
}

/// Evaluates a percentage and returns it in millionths.
pub(crate) fn evaluate_share<'a>(eval: Eval<'a>, share: &'a Expr) -> Res<u32> {
    let value = eval.evaluate(share)?;
    let per_million = value.as_value().and_then(Value::as_decimal).and_then(model::domain::to_per_million);
    per_million.map_or_else(|| fail_share(&value), Ok)
}

/// Fails because a value is not a percentage.
pub(crate) fn fail_share<T>(value: &Val<'_>) -> Res<T> {
    let share = if value.is_null() { "null".into() } else { value.render_text() };
    fail_computation(format!("a share is {share}%, but shares are between 0% and 100%"))
}

fn build_range_sampler<'a>(
    value_type: ValueType,
    low: &Val<'_>,
    high: &Val<'_>,
    step: Option<&Val<'_>>,
) -> Res<Sampler<'a>> {
    if !matches!(value_type, ValueType::Int | ValueType::Decimal(_) | ValueType::Date | ValueType::DateTime) {
        return fail_computation(format!("{} cannot have a range", value_type.name()));
    }
    let bound = |value: &Val<'_>| match value.as_value().and_then(|value| to_bound(value_type, value)) {
        Some(units) => Ok(units),
        None => {
            let (name, what) = (value_type.name(), describe_value(value));
            fail_computation(format!("a bound of a {name} range came out as {what}"))
        }
    };
    let step = step.and_then(Val::as_value).map_or(1, |step| to_step(value_type, step));
    Ok(Sampler::from_steps(Steps::new(value_type, bound(low)?, bound(high)?, step)))
}

/// Converts a bound to the units of a type. A date is the first moment of its day, and a datetime is in its day.
fn to_bound(value_type: ValueType, value: &Value) -> Option<i128> {
    match (value_type, value) {
        (ValueType::Date, Value::DateTime(at)) => Some(at.date().0.into()),
        (ValueType::DateTime, Value::Date(day)) => Some(DateTime::new(*day, 0, 0, 0)?.0.into()),
        _ => to_units(value_type, value),
    }
}

/// Converts a step to the units of a type; 0, which makes the range empty, if it has no length in them.
fn to_step(value_type: ValueType, step: &Value) -> i128 {
    match (value_type, step) {
        (ValueType::Date, Value::Duration(Duration { months: 0, seconds })) => (seconds / 86_400).into(),
        (ValueType::DateTime, Value::Duration(Duration { months: 0, seconds })) => (*seconds).into(),
        (ValueType::Date | ValueType::DateTime, _) => 0,
        _ => to_units(value_type, step).unwrap_or(0),
    }
}
