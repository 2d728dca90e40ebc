//! Counts the possible values of a draw, a column, or a relation in a cell.

use model::suite::{
    Column, ColumnId, ColumnSource, DomainExpr, Draw, Expr, NameSource, Relation, RelationId, Rows, Task,
};
use model::{Date, DateTime, Domain, Duration, Plan, Value, ValueType};
use runtime::generate::compute_lorem_size;

use super::size::{self, Size};

/// If a drawn number of rows has at most this number of possible values, their sizes are summed; otherwise only bounds are returned.
const SUMMED: u64 = 10_000;
/// The probability 1 in millionths: such a draw is always blank.
const CERTAIN: u32 = 1_000_000;

/// A task in one of its cells.
#[derive(Clone, Copy)]
pub struct CountScope<'p> {
    pub plan: &'p Plan,
    pub task: &'p Task,
    pub cell: u32,
}

impl<'p> CountScope<'p> {
    /// Returns the value of an expression if it is the same in every sample.
    pub fn resolve_constant(self, expr: &'p Expr) -> Option<&'p Value> {
        match expr {
            Expr::Const(value) => Some(value),
            Expr::Name(id) => match &self.task.names.get(*id)?.source {
                NameSource::Compute(expr) => self.resolve_constant(expr),
                NameSource::Axis => {
                    // The last axis varies fastest.
                    let mut rest = self.cell as usize;
                    for axis in self.task.axes.iter().rev() {
                        let count = axis.cells.len().max(1);
                        if axis.slot == *id {
                            return self.resolve_constant(&axis.cells.get(rest % count)?.1);
                        }
                        rest /= count;
                    }
                    None
                }
                NameSource::Row => {
                    let values = self.task.each.as_ref()?.find_values(*id)?;
                    values.get(self.task.find_row_index(self.cell) as usize)
                }
                NameSource::Draw { .. } => None,
            },
            _ => None,
        }
    }

    /// Returns the minimum and the maximum of an integer expression.
    fn compute_int_bounds(self, expr: &'p Expr) -> Option<(i64, i64)> {
        if let Some(value) = self.resolve_constant(expr) {
            return value.as_decimal()?.to_int().map(|value| (value, value));
        }
        let Expr::Name(id) = expr else { return None };
        let NameSource::Draw { draw, .. } = &self.task.names.get(*id)?.source else { return None };
        match self.resolve_domain(draw)?.find_range()? {
            (Value::Int(low), Value::Int(high)) => Some((low, high)),
            _ => None,
        }
    }

    pub fn relation(self, id: RelationId) -> Option<&'p Relation> {
        self.task.relations.get(id)
    }

    /// Returns the minimum and the maximum number of rows of a relation; the maximum is `None` if it depends on a sample's values.
    pub fn compute_row_bounds(self, relation: &'p Relation) -> (u64, Option<u64>) {
        let some = |number: i64| u64::try_from(number).unwrap_or(0);
        let bounds = |low, high| {
            (
                self.compute_int_bounds(low).map_or(0, |(low, _)| some(low)),
                self.compute_int_bounds(high).map(|(_, high)| some(high)),
            )
        };
        match &relation.rows {
            Rows::Count(low, high) => bounds(low, high),
            Rows::PerRow { parent, low, high } => {
                let (least, most) = self.relation(*parent).map_or((0, None), |parent| self.compute_row_bounds(parent));
                let (low, high) = bounds(low, high);
                (least.saturating_mul(low), most.zip(high).map(|(most, high)| most.saturating_mul(high)))
            }
            Rows::Given(rows) => (u64::from(*rows), Some(u64::from(*rows))),
            Rows::Taken { from, filter } => {
                let (least, most) = self.relation(*from).map_or((0, None), |from| self.compute_row_bounds(from));
                (if filter.is_some() { 0 } else { least }, most)
            }
            Rows::Query(_) | Rows::Lines(_) | Rows::View(_) => (0, None),
        }
    }

    /// Returns the domain of a draw, without `except`, if it is the same in every sample; for a `ref`, the domain of the column.
    pub fn resolve_domain(self, draw: &'p Draw) -> Option<std::borrow::Cow<'p, Domain>> {
        use std::borrow::Cow;
        match &draw.domain {
            DomainExpr::Unknown(never) => match *never {},
            DomainExpr::Fixed(id) => self.plan.domains.get(*id).map(Cow::Borrowed),
            DomainExpr::Range { value_type, low, high, step } => {
                let step = match step {
                    Some(step) => Some(self.resolve_constant(step)?),
                    None => None,
                };
                build_range(*value_type, self.resolve_constant(low)?, self.resolve_constant(high)?, step)
                    .map(Cow::Owned)
            }
            DomainExpr::Lorem { unit, low, high } => {
                let number = |expr| u32::try_from(self.resolve_constant(expr)?.as_decimal()?.to_int()?).ok();
                Some(Cow::Owned(Domain::Lorem { unit: *unit, low: number(low)?, high: number(high)? }))
            }
            DomainExpr::OneOf(items) => {
                let mut values: Vec<Value> = Vec::new();
                for item in items {
                    let value = self.resolve_constant(item)?;
                    if !values.iter().any(|other| other.is_same(value)) {
                        values.push(value.clone());
                    }
                }
                Some(Cow::Owned(Domain::OneOf { items: values.into() }))
            }
            DomainExpr::Share(share) => {
                let per_million = model::domain::to_per_million(self.resolve_constant(share)?.as_decimal()?)?;
                Some(Cow::Owned(Domain::Bool { per_million }))
            }
            // This constrains all rows of a table together, not one of them.
            DomainExpr::Exactly(_) => Some(Cow::Owned(Domain::Bool { per_million: CERTAIN / 2 })),
            DomainExpr::Ref { relation, column, .. } => match &self.relation(*relation)?.columns.get(*column)?.source {
                ColumnSource::Draw { draw, .. } => self.resolve_domain(draw),
                _ => None,
            },
        }
    }

    /// Counts the possible values of a draw, without blanks.
    pub fn count_choices(self, draw: &'p Draw) -> Size {
        let size = match &draw.domain {
            DomainExpr::Ref { relation, column, filter, .. } => {
                let Some(target) = self.relation(*relation) else { return Size::UNKNOWN };
                let (least, most) = self.compute_row_bounds(target);
                let cells = target.columns.get(*column).map(|column| column.cells);
                let each_once = cells.is_some_and(|cells| (cells.unique || cells.primary_key) && !cells.nullable);
                let told = if each_once && filter.is_none() && least > 0 { libm::log10(least as f64) } else { 0.0 };
                let most = most.map_or(f64::INFINITY, |most| libm::log10(most as f64).max(0.0));
                Size { least: told, spread: told, most }
            }
            DomainExpr::OneOf(items) => match self.resolve_domain(draw) {
                Some(domain) => count_domain_values(&domain),
                None => Size::new_uniform(libm::log10(items.len() as f64)).as_hidden(),
            },
            _ => self.resolve_domain(draw).map_or(Size::UNKNOWN, |domain| count_domain_values(&domain)),
        };
        self.exclude_values(size, draw)
    }

    /// Excludes the values of `except`.
    fn exclude_values(self, size: Size, draw: &'p Draw) -> Size {
        if draw.except.is_empty() {
            return size;
        }
        let domain = self.resolve_domain(draw).filter(|domain| domain.is_uniform() && domain.is_injective());
        let (Some(domain), false) = (domain, matches!(draw.domain, DomainExpr::Ref { .. })) else {
            return size.as_hidden();
        };
        let mut banned: Vec<u128> = Vec::new();
        let mut perhaps = 0u64;
        for expr in &draw.except {
            match (self.resolve_constant(expr), expr) {
                (Some(Value::List(items)), _) => banned.extend(items.iter().filter_map(|item| domain.index_of(item))),
                (Some(value), _) => banned.extend(domain.index_of(value)),
                // A drawn name excludes one value.
                (None, Expr::Name(id))
                    if self.task.names.get(*id).is_some_and(|name| matches!(name.source, NameSource::Draw { .. })) =>
                {
                    perhaps += 1
                }
                (None, _) => return size.as_hidden(),
            }
        }
        banned.sort_unstable();
        banned.dedup();
        let Some(n) = domain.cardinality() else { return size.as_hidden() };
        let left = n.saturating_sub(banned.len() as u128);
        let sure = left.saturating_sub(u128::from(perhaps)).max(1) as f64;
        Size { least: libm::log10(sure), spread: libm::log10(sure), most: libm::log10(left.max(1) as f64) }
    }

    /// Counts the draws of the names of one statement, of which `shown` of `all` can be read (all are distinct if the draw is unique).
    pub fn count_name_draws(self, draw: &'p Draw, shown: u64, all: u64) -> Size {
        if draw.blank_per_million >= CERTAIN {
            return Size::ONE;
        }
        let one = self.count_choices(draw);
        let many = |log: f64, count: u64| {
            if draw.unique { size::count_permutations(log, count).unwrap_or(0.0) } else { log * count as f64 }
        };
        let blanks = draw.may_be_blank();
        let uniform = one.spread == one.least && !blanks;
        Size {
            least: many(one.least, shown),
            spread: if uniform {
                many(one.spread, shown)
            } else if draw.unique || blanks {
                0.0
            } else {
                one.spread * shown as f64
            },
            most: if blanks { with_null(one.most) * all as f64 } else { many(one.most, all) },
        }
    }

    /// Counts the draws of a relation. `shown`: whether a column can be read in a file; `counted`: whether its rows can be counted there.
    pub fn count_relation_draws(self, relation: &'p Relation, shown: &dyn Fn(ColumnId) -> bool, counted: bool) -> Size {
        let (least, most) = self.compute_row_bounds(relation);
        let at = |rows: u64| self.count_row_draws(relation, rows, shown);
        let Some(most) = most else {
            let drawn = relation.columns.iter().any(|column| matches!(column.source, ColumnSource::Draw { .. }));
            let derived =
                matches!(relation.rows, Rows::Query(_) | Rows::Lines(_) | Rows::View(_) | Rows::Taken { .. }) && !drawn;
            return Size { most: if derived { 0.0 } else { f64::INFINITY }, ..at(least) };
        };
        match &relation.rows {
            // Both bounds are the same in every sample.
            Rows::Count(low, high)
                if self.resolve_constant(low).is_some() && self.resolve_constant(high).is_some() && most >= least =>
            {
                let choices = most - least;
                if choices == 0 {
                    return at(least);
                }
                let spread = libm::log10((choices + 1) as f64);
                if choices > SUMMED {
                    let most = at(most).most + spread;
                    return Size { most, ..at(least) };
                }
                let sizes: Vec<Size> = (least..=most).map(at).collect();
                let fewest = sizes.first().copied().unwrap_or(Size::ONE);
                Size {
                    least: if counted { size::sum_logs(sizes.iter().map(|size| size.least)) } else { fewest.least },
                    spread: fewest.spread + if counted { spread } else { 0.0 },
                    most: size::sum_logs(sizes.iter().map(|size| size.most)),
                }
            }
            Rows::PerRow { parent, low, high } => {
                let choices = self
                    .compute_int_bounds(low)
                    .zip(self.compute_int_bounds(high))
                    .map(|((low, _), (_, high))| high.saturating_sub(low).saturating_add(1));
                let parents = self.relation(*parent).and_then(|parent| self.compute_row_bounds(parent).1);
                let ways = match choices.zip(parents) {
                    Some((choices, parents)) => libm::log10(choices.max(1) as f64) * parents as f64,
                    None => f64::INFINITY,
                };
                Size { most: at(most).most + ways, ..at(least) }
            }
            _ => Size { most: at(most).most, ..at(least) },
        }
    }

    fn count_row_draws(self, relation: &'p Relation, rows: u64, shown: &dyn Fn(ColumnId) -> bool) -> Size {
        let all = || relation.columns.iter_enumerated();
        let lost = Together::from_relation(self, relation, rows);
        let mut total = Size::ONE;
        for (id, column) in all() {
            let ColumnSource::Draw { draw, group, place, of } = &column.source else { continue };
            let same =
                |column: &Column| matches!(&column.source, ColumnSource::Draw { group: other, .. } if other == group);
            let beside = || all().filter(|(_, column)| same(column)).map(|(id, _)| id);
            let row_of_other = matches!(&draw.domain, DomainExpr::Ref { together, .. } if !together.is_empty());
            if *of > 1 || row_of_other {
                // A statement is counted once, at its first column.
                if *place > 0 {
                    continue;
                }
                let seen = beside().filter(|id| shown(*id) && !lost.hidden.contains(id)).count() as u64;
                let of = if row_of_other { 1 } else { u64::from(*of) };
                let seen = if row_of_other { seen.min(u64::from(shown(id))) } else { seen };
                total = total.combine_with(self.count_statement_draws(draw, rows, of, seen));
                continue;
            }
            let size = self.count_column_draws(draw, rows, lost.last.contains(&id));
            total = total.combine_with(if shown(id) && !lost.hidden.contains(&id) { size } else { size.as_hidden() });
        }
        total
    }

    /// Counts the draws of a single column. `thrown_back`: values that repeat a row above are drawn again, so each cell has as many left as if it were unique.
    fn count_column_draws(self, draw: &'p Draw, rows: u64, thrown_back: bool) -> Size {
        if let DomainExpr::Exactly(count) = &draw.domain {
            return self.count_exactly_draws(draw, count, rows);
        }
        if draw.blank_per_million >= CERTAIN {
            return Size::ONE;
        }
        let (one, count) = (self.count_choices(draw), rows as f64);
        let blanks = draw.may_be_blank();
        let uniform = one.spread == one.least;
        let count_distinct = if draw.sorted { size::count_combinations } else { size::count_permutations };
        let (least, spread) = match (draw.unique || thrown_back, draw.sorted) {
            (true, _) => {
                let least = count_distinct(one.least, rows).unwrap_or(0.0);
                (least, if uniform && !blanks { least } else { 0.0 })
            }
            (false, true) => {
                let spread = (one.spread * count - size::compute_log_factorial(rows)).max(0.0);
                (size::count_multisets(one.least, rows), if blanks { 0.0 } else { spread })
            }
            (false, false) if blanks => {
                // The share of blanks is an expression, so it may be all of them.
                let null =
                    if draw.blank.is_some() { 1.0 } else { f64::from(draw.blank_per_million) / f64::from(CERTAIN) };
                let likeliest = null.max((1.0 - null) * libm::pow(10.0, -one.spread));
                (with_null(one.least) * count, (-libm::log10(likeliest) * count).max(0.0))
            }
            (false, false) => (one.least * count, one.spread * count),
        };
        let most = match (draw.unique, draw.sorted) {
            _ if blanks => with_null(one.most) * count,
            (true, _) => count_distinct(one.most, rows).unwrap_or(one.most * count),
            (false, true) => size::count_multisets(one.most, rows),
            (false, false) => one.most * count,
        };
        Size { least, spread, most: if rows == 0 { 0.0 } else { most } }
    }

    /// Counts the draws of a column that is true in a given number of its rows.
    fn count_exactly_draws(self, draw: &'p Draw, count: &'p Expr, rows: u64) -> Size {
        let within = |count: i64| u64::try_from(count).unwrap_or(0).min(rows);
        let (least, most) =
            self.compute_int_bounds(count).map_or((0, rows), |(least, most)| (within(least), within(most)));
        if draw.sorted {
            return Size { least: 0.0, spread: 0.0, most: libm::log10((most.saturating_sub(least) + 1) as f64) };
        }
        let ways =
            |count: u64| size::count_combinations(libm::log10(rows as f64), count.min(rows - count)).unwrap_or(0.0);
        let fewest = ways(least).min(ways(most));
        // No number of rows has more combinations than half of the rows.
        let middle = (rows / 2).clamp(least, most);
        let choices = libm::log10((most.saturating_sub(least) + 1) as f64);
        Size { least: fewest, spread: fewest, most: ways(middle).max(ways(least)).max(ways(most)) + choices }
    }

    /// Counts the draws of several columns of one statement, of which `seen` can be read in each row.
    fn count_statement_draws(self, draw: &'p Draw, rows: u64, of: u64, seen: u64) -> Size {
        if draw.blank_per_million >= CERTAIN || rows == 0 {
            return Size::ONE;
        }
        let one = self.count_choices(draw);
        let many = |log: f64, columns: u64| {
            if draw.unique {
                size::count_permutations(log, rows.saturating_mul(columns)).unwrap_or(0.0)
            } else {
                size::count_permutations(log, columns).unwrap_or(0.0) * rows as f64
            }
        };
        let (blanks, uniform) = (draw.may_be_blank(), one.spread == one.least);
        let least = if draw.sorted { 0.0 } else { many(one.least, seen) };
        Size {
            least,
            spread: if uniform && !blanks { least } else { 0.0 },
            most: if blanks { with_null(one.most) * (of * rows) as f64 } else { many(one.most, of).max(0.0) },
        }
    }
}

/// Columns that are unique together: the last one is drawn again if it repeats a row.
struct Together {
    last: Vec<ColumnId>,
    hidden: Vec<ColumnId>,
}

impl Together {
    fn from_relation<'p>(here: CountScope<'p>, relation: &'p Relation, rows: u64) -> Together {
        let mut out = Together { last: Vec::new(), hidden: Vec::new() };
        let at = |id: &ColumnId| relation.columns.get(*id);
        for constraint in relation.constraints.iter().filter(|constraint| constraint.is_unique()) {
            if constraint.columns.iter().any(|id| at(id).is_some_and(|column| column.cells.unique)) {
                continue;
            }
            let last = relation.order.iter().rev().find(|id| constraint.columns.contains(id));
            let alone = last.and_then(|last| Some((*last, at(last)?))).filter(|(_, column)| match &column.source {
                ColumnSource::Draw { draw, of: 1, .. } => {
                    let fixed = matches!(draw.domain, DomainExpr::Fixed(_)) && draw.except.is_empty() && !draw.sorted;
                    fixed && size::count_permutations(here.count_choices(draw).least, rows).is_some()
                }
                _ => false,
            });
            match alone {
                Some((last, _)) => out.last.push(last),
                None => out.hidden.extend(&constraint.columns),
            }
        }
        out
    }
}

fn with_null(log: f64) -> f64 {
    size::sum_logs([log, 0.0])
}

/// Counts the values of a domain.
fn count_domain_values(domain: &Domain) -> Size {
    let n = match domain {
        Domain::Lorem { unit, low, high } => {
            let (least, spread) = compute_lorem_size(*unit, *low, *high);
            return Size { least, spread, most: least };
        }
        Domain::Serial => return Size::ONE,
        other => other.cardinality(),
    };
    let Some(n) = n else { return count_template_values(domain).map_or(Size::UNKNOWN, Size::as_hidden) };
    let log = libm::log10(n.max(1) as f64);
    match domain {
        Domain::Template { .. } if !domain.is_injective() => {
            Size { least: count_template_values(domain).map_or(0.0, |size| size.least), spread: 0.0, most: log }
        }
        Domain::Template { .. } if !domain.is_uniform() => {
            Size { most: log, ..count_template_values(domain).unwrap_or(Size::ONE) }
        }
        _ => match domain.estimate_odds() {
            Some(odds) => Size { spread: libm::log10(odds), ..Size::new_uniform(log) },
            // The outermost values may be too unlikely to ever occur.
            None => Size::new_uniform(log).as_hidden(),
        },
    }
}

/// Counts the values of a template. If it is not injective, fixing all parts but one still distinguishes the values of that part.
fn count_template_values(domain: &Domain) -> Option<Size> {
    let Domain::Template { parts } = domain else { return None };
    let sizes = parts.iter().filter_map(|part| match part {
        model::domain::TemplatePart::Domain(domain) => Some(count_domain_values(domain)),
        model::domain::TemplatePart::Text(_) => None,
    });
    let injective = domain.is_injective();
    Some(sizes.fold(Size::ONE, |all, one| {
        if injective {
            all.combine_with(one)
        } else {
            Size { least: all.least.max(one.least), spread: 0.0, most: all.most + one.most }
        }
    }))
}

/// Builds the domain `low..high step` from known bounds.
fn build_range(value_type: ValueType, low: &Value, high: &Value, step: Option<&Value>) -> Option<Domain> {
    let int = |value: &Value| value.as_decimal()?.to_int();
    let length = |unit: i64| match step {
        None => Some(unit),
        Some(Value::Duration(Duration { months: 0, seconds })) => Some(*seconds),
        Some(_) => None,
    };
    Some(match value_type {
        ValueType::Int => Domain::Int { low: int(low)?, high: int(high)?, step: step.map_or(Some(1), int)? },
        ValueType::Decimal(places) => Domain::Decimal {
            low: low.as_decimal()?.with_places(places)?,
            high: high.as_decimal()?.with_places(places)?,
            step: step.map_or(model::Decimal::new(1, places), Value::as_decimal)?,
            places,
        },
        ValueType::Date => Domain::Date { low: to_date(low)?, high: to_date(high)?, step: length(86_400)? / 86_400 },
        ValueType::DateTime => Domain::DateTime { low: to_datetime(low)?, high: to_datetime(high)?, step: length(1)? },
        _ => return None,
    })
}

fn to_date(value: &Value) -> Option<Date> {
    match value {
        Value::Date(day) => Some(*day),
        Value::DateTime(at) => Some(at.date()),
        _ => None,
    }
}

fn to_datetime(value: &Value) -> Option<DateTime> {
    match value {
        Value::DateTime(at) => Some(*at),
        Value::Date(day) => DateTime::new(*day, 0, 0, 0),
        _ => None,
    }
}
