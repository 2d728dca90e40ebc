//! Draws values in an imagined sample.

use model::steps::{Steps, to_units};
use model::suite::{ColumnId, NameId, RelationId};
use model::{DateTime, Decimal, Domain, Duration, Value, ValueType, domain};

use super::chance::{Pick, choose_below, draw_value, happens, is_ever_drawn, mix, pick_value};
use super::eval::{Eval, Row, describe};
use super::fault::{Res, Stop, What, fail, join_all, join_both};
use hir::{Draw, DrawDomain, Expr};

/// How often a value that is not allowed is drawn again.
const TRIES: u64 = 24;

/// The maximum number of values that are looked through for one that is allowed.
const MAX_LISTED: u128 = 4096;

/// What can be drawn, with bounds and filters evaluated.
pub(super) enum Choice<'a> {
    /// The values of a domain.
    Domain(&'a Domain),
    /// True with a chance in a million.
    Share(u32),
    /// Numbers, dates, or datetimes between bounds.
    Steps(Steps),
    /// These values.
    Values(Vec<Value>),
    /// The values of a column in these rows.
    Rows(RelationId, ColumnId, Vec<usize>),
}

/// Draws the value of a name. `group` has the first name of its statement and its place in it.
pub(super) fn draw_name<'a>(eval: Eval<'_, 'a>, id: NameId, draw: &'a Draw, (group, place): (&str, u32)) -> Res<Value> {
    let own = u64::from(id.0);
    let seed = eval.world.choices.seed;
    if draw.may_be_blank() && happens(mix(&[seed, 4, own]), draw.blank_per_million.max(1)) {
        return Ok(Value::Null);
    }
    let choice = Choice::new(eval, draw)?;
    if draw.unique || draw.is_together() {
        // All names of the statement are drawn together.
        let word = group.bytes().fold(seed, |word, byte| mix(&[word, u64::from(byte)]));
        return if draw.unique { choice.pick_distinct(eval, draw, word, place) } else { choice.pick_row(eval, word) };
    }
    let mut hints = eval.world.choices.names.get(&id).cloned().unwrap_or_default();
    hints.extend(eval.world.iter_known_names().filter_map(|(_, value)| choice.find_own(value)));
    let banned = list_banned(eval, draw)?;
    choice.pick_allowed(eval, draw, (eval.world.pick_name(id), &hints), &|value| {
        banned.iter().any(|banned| banned.is_same(value))
    })
}

/// The values that `except` forbids.
pub(super) fn list_banned<'a>(eval: Eval<'_, 'a>, draw: &'a Draw) -> Res<Vec<Value>> {
    let values = join_all(draw.except.iter().map(|except| eval.evaluate(except)))?;
    Ok(values
        .into_iter()
        .flat_map(|value| match value {
            Value::List(items) => items,
            other => vec![other],
        })
        .collect())
}

impl<'a> Choice<'a> {
    /// Evaluates the bounds of a draw, and fails if nothing can be drawn.
    pub(super) fn new(eval: Eval<'_, 'a>, draw: &'a Draw) -> Res<Choice<'a>> {
        match &draw.domain {
            DrawDomain::Unknown(()) => Err(Stop::Unknown),
            DrawDomain::Fixed(domain) => Ok(Choice::Domain(domain)),
            DrawDomain::Range { value_type, low, high, step } => {
                evaluate_range(eval, *value_type, (low, high), step.as_ref()).map(Choice::Steps)
            }
            DrawDomain::Lorem { low, high, .. } => {
                check_lorem(eval, low, high)?;
                Err(Stop::Unknown)
            }
            DrawDomain::OneOf(items) => {
                let mut values: Vec<Value> = Vec::new();
                for value in join_all(items.iter().map(|item| eval.evaluate(item)))? {
                    if !value.is_null() && !values.iter().any(|other| other.is_same(&value)) {
                        values.push(value);
                    }
                }
                if values.is_empty() {
                    return fail(What::Exhausted, draw.span, "every item of `one_of` is null");
                }
                Ok(Choice::Values(values))
            }
            DrawDomain::Share(share) => evaluate_share(eval, share).map(Choice::Share),
            DrawDomain::Exactly(_) => Err(Stop::Unknown),
            DrawDomain::Ref { relation, column, together, filter } => {
                let rows = list_ref_rows(eval, draw, (*relation, *column), together, filter.as_ref())?;
                Ok(Choice::Rows(*relation, *column, rows))
            }
        }
    }

    /// How many values there are.
    pub(super) fn count_values(&self) -> Option<u128> {
        match self {
            Choice::Domain(domain) => domain.cardinality(),
            Choice::Share(_) => Some(2),
            Choice::Steps(steps) => Some(steps.n),
            Choice::Values(values) => Some(values.len() as u128),
            Choice::Rows(_, _, rows) => Some(rows.len() as u128),
        }
    }

    fn value_at(&self, eval: Eval<'_, 'a>, index: u128) -> Res<Value> {
        match self {
            Choice::Domain(domain) => domain.value_at(index).ok_or(Stop::Unknown),
            Choice::Share(_) => Ok(Value::Bool(index == 1)),
            Choice::Steps(steps) => steps.value_at(index).ok_or(Stop::Unknown),
            Choice::Values(values) => values.get(index as usize).cloned().ok_or(Stop::Unknown),
            Choice::Rows(relation, column, rows) => {
                let row = rows.get(index as usize).copied().ok_or(Stop::Unknown)?;
                eval.world.read_table(*relation)?.read_cell(*column, row)
            }
        }
    }

    /// The value among them that is the same, as far as that is easy to find.
    pub(super) fn find_own(&self, value: &Value) -> Option<Value> {
        match self {
            Choice::Domain(domain) => {
                is_ever_drawn(domain, value).then_some(())?;
                domain.value_at(domain.index_of(value)?)
            }
            Choice::Steps(steps) => steps.value_at(steps.index_of(value)?),
            Choice::Values(values) => values.iter().find(|own| own.is_same(value)).cloned(),
            Choice::Share(_) | Choice::Rows(..) => None,
        }
    }

    /// Chooses a value.
    pub(super) fn pick(&self, eval: Eval<'_, 'a>, pick: Pick, hints: &[Value]) -> Res<Value> {
        match self {
            Choice::Domain(domain) => return pick_value(domain, pick, hints).ok_or(Stop::Unknown),
            Choice::Share(per_million) => {
                return draw_value(&Domain::Bool { per_million: *per_million }, mix(&[as_word(pick)]))
                    .ok_or(Stop::Unknown);
            }
            _ => {}
        }
        let n = self.count_values().filter(|n| *n > 0).ok_or(Stop::Unknown)?;
        match pick {
            Pick::First => self.value_at(eval, 0),
            Pick::Last => self.value_at(eval, n - 1),
            Pick::Hint(word) => {
                let fitting: Vec<Value> = hints.iter().filter_map(|hint| self.find_own(hint)).collect();
                match fitting.get(choose_below(word, fitting.len() as u128) as usize) {
                    Some(hint) => Ok(hint.clone()),
                    None => self.value_at(eval, choose_below(word, n)),
                }
            }
            Pick::Drawn(word) => self.value_at(eval, choose_below(word, n)),
        }
    }

    /// Chooses a value that is not banned; fails if there is none.
    pub(super) fn pick_allowed(
        &self,
        eval: Eval<'_, 'a>,
        draw: &'a Draw,
        (pick, hints): (Pick, &[Value]),
        is_banned: &dyn Fn(&Value) -> bool,
    ) -> Res<Value> {
        let first = self.pick(eval, pick, hints)?;
        if !is_banned(&first) {
            return Ok(first);
        }
        for attempt in 0..TRIES {
            eval.world.spend_work(1)?;
            let value = self.pick(eval, Pick::Drawn(mix(&[as_word(pick), attempt])), &[])?;
            if !is_banned(&value) {
                return Ok(value);
            }
        }
        let n = self.count_values().filter(|n| *n <= MAX_LISTED).ok_or(Stop::Unknown)?;
        for index in 0..n {
            eval.world.spend_work(1)?;
            let value = self.value_at(eval, index)?;
            if !is_banned(&value) {
                return Ok(value);
            }
        }
        fail(What::Exhausted, draw.span, "no value is left to draw")
    }

    /// Chooses the value at a place of a statement whose values differ.
    fn pick_distinct(&self, eval: Eval<'_, 'a>, draw: &'a Draw, word: u64, place: u32) -> Res<Value> {
        let banned = list_banned(eval, draw)?;
        let mut values: Vec<Value> = Vec::new();
        for at in 0..=place {
            let pick = (Pick::Drawn(mix(&[word, u64::from(at)])), [].as_slice());
            let next = self.pick_allowed(eval, draw, pick, &|value| {
                banned.iter().chain(&values).any(|other| other.is_same(value))
            })?;
            values.push(next);
        }
        values.pop().ok_or(Stop::Unknown)
    }

    /// Chooses the value of a column in a row that other names take too.
    fn pick_row(&self, eval: Eval<'_, 'a>, word: u64) -> Res<Value> {
        let n = self.count_values().filter(|n| *n > 0).ok_or(Stop::Unknown)?;
        self.value_at(eval, choose_below(word, n))
    }
}

/// The number by which a pick differs from others.
fn as_word(pick: Pick) -> u64 {
    match pick {
        Pick::First => 1,
        Pick::Last => 2,
        Pick::Hint(word) => mix(&[3, word]),
        Pick::Drawn(word) => mix(&[4, word]),
    }
}

/// Evaluates a range; fails if it is empty.
fn evaluate_range<'a>(
    eval: Eval<'_, 'a>,
    value_type: ValueType,
    (low, high): (&'a Expr, &'a Expr),
    step: Option<&'a Expr>,
) -> Res<Steps> {
    let (least, most) = join_both(eval.evaluate(low), eval.evaluate(high))?;
    let step = step.map(|step| eval.evaluate(step)).transpose()?;
    let bounds = to_bound(value_type, &least).zip(to_bound(value_type, &most));
    let (a, b) = bounds.ok_or(Stop::Unknown)?;
    let length = match step {
        None => 1,
        Some(Value::Duration(Duration { months: 0, seconds })) if value_type == ValueType::Date => {
            i128::from(seconds / 86_400)
        }
        Some(Value::Duration(Duration { months: 0, seconds })) => i128::from(seconds),
        Some(value) => to_units(value_type, &value).ok_or(Stop::Unknown)?,
    };
    let steps = Steps::new(value_type, a, b, length);
    if steps.n > 0 {
        return Ok(steps);
    }
    if length < 1 {
        return Err(Stop::Unknown);
    }
    fail(What::Range, low.span.extend_to(high.span), format!("{}..{}", describe(&least), describe(&most)))
}

/// Converts a bound to the units of a type, as a build does.
fn to_bound(value_type: ValueType, value: &Value) -> Option<i128> {
    match (value_type, value) {
        (ValueType::Date, Value::DateTime(at)) => Some(at.date().0.into()),
        (ValueType::DateTime, Value::Date(day)) => Some(DateTime::new(*day, 0, 0, 0)?.0.into()),
        _ => to_units(value_type, value),
    }
}

/// Checks the bounds of a number of words, sentences, or paragraphs.
pub(super) fn check_lorem<'a>(eval: Eval<'_, 'a>, low: &'a Expr, high: &'a Expr) -> Res<()> {
    let (least, most) = join_both(eval.evaluate_int(low), eval.evaluate_int(high))?;
    let span = low.span.extend_to(high.span);
    if least < 0 || most < 0 {
        return fail(What::Count, span, format!("{}", least.min(most)));
    }
    if least > most {
        return fail(What::Range, span, format!("{least}..{most}"));
    }
    Ok(())
}

/// Evaluates a percentage, in millionths.
pub(super) fn evaluate_share<'a>(eval: Eval<'_, 'a>, share: &'a Expr) -> Res<u32> {
    let value = eval.evaluate(share)?;
    let percent: Option<Decimal> = value.as_decimal();
    let Some(percent) = percent else { return Err(Stop::Unknown) };
    match domain::to_per_million(percent) {
        Some(per_million) => Ok(per_million),
        None => fail(What::Share, share.span, format!("{}%", describe(&value))),
    }
}

/// The rows that a `ref` can take.
fn list_ref_rows<'a>(
    eval: Eval<'_, 'a>,
    draw: &'a Draw,
    (relation, column): (RelationId, ColumnId),
    together: &[ColumnId],
    filter: Option<&'a Expr>,
) -> Res<Vec<usize>> {
    let table = eval.world.read_table(relation)?;
    let banned = list_banned(eval, draw)?;
    let mut found = Vec::new();
    if table.rows == 0 {
        return fail(What::Exhausted, draw.span, "the table has no rows");
    }
    let cells = table.read_column(column)?;
    for row in 0..table.count_known_rows()? {
        eval.world.spend_work(1)?;
        let is_there = |column: ColumnId| table.read_cell(column, row).map(|cell| !cell.is_null());
        let Some(cell) = cells.get(row).filter(|cell| !cell.is_null()) else { continue };
        if banned.iter().any(|banned| banned.is_same(cell)) {
            continue;
        }
        if !join_all(together.iter().map(|column| is_there(*column)))?.iter().all(|there| *there) {
            continue;
        }
        let fits = filter.map_or(Ok(true), |filter| eval.with_candidate(Row::Of(table, row)).is_true(filter));
        if fits? {
            found.push(row);
        }
    }
    if found.is_empty() {
        let why = match filter {
            Some(_) => "no row meets the `where`",
            None if !banned.is_empty() => "`except` leaves no value to draw",
            None => "every cell of the column is null",
        };
        return fail(What::Exhausted, draw.span, why);
    }
    Ok(found)
}
