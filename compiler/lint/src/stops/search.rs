//! Looks for samples that would stop the build, and for how likely they are.

use std::collections::BTreeMap;

use model::suite::{ColumnId, NameId, RelationId};
use model::{Decimal, Domain, Value};

use super::chance::{estimate_chance, is_ever_drawn, mix};
use super::fault::Fault;
use super::needs::Needs;
use super::trial::{Ending, Trial};
use super::wanted::Wanted;
use super::world::{Choices, Hints};
use hir::{ColumnSource, Draw, DrawDomain, Expr, ExprKind, NameSource, Task};

/// The number of samples that are imagined, besides those that a `require` rejects.
const SAMPLES: u64 = 56;

/// One sample in this number is drawn as a build draws it; the others are often at the ends of their domains.
const UNBIASED: u64 = 5;

/// The number of samples that are imagined if `require`s reject some.
const MAX_SAMPLES: u64 = 300;

/// The number of steps for all samples of a task.
const MAX_WORK: u64 = 40_000;

/// The number of samples after which the search ends if no place had a value in any of them.
const FIRST: u64 = 4;

/// How often a name is drawn anew to see whether its value matters.
const REDRAWS: u64 = 6;

/// The least chance of a sample at which it is reported.
const SELDOM: f64 = 1e-8;

/// The most values that a source compares with, and that draws try.
const MAX_HINTS: usize = 24;

/// Names of devices, and other texts that no path can have as a part.
const UNSAFE_PARTS: [&str; 12] = ["", ".", "..", "con", "CON", "aux", "AUX", "nul", "NUL", "prn", "PRN", "com1"];

/// A sample that would stop the build.
pub(super) struct Witness {
    /// Where and why.
    pub fault: Fault,
    /// The drawn names on which the place depends, with their values.
    pub values: Vec<(NameId, Value)>,
}

/// The values that draws try, besides the ends of their domains.
pub(super) struct Tried {
    names: Hints<NameId>,
    columns: Hints<(RelationId, ColumnId)>,
}

impl Tried {
    /// Collects the values with which a task compares.
    pub(super) fn new(task: &Task, needs: &Needs) -> Tried {
        let constants = collect_constants(task);
        let fitting = |draw: &Draw| match &draw.domain {
            DrawDomain::Fixed(domain) => list_fitting(domain, &constants),
            // Its bounds are known only in a sample.
            DrawDomain::Range { .. } => constants.clone(),
            _ => Vec::new(),
        };
        let names = needs.names.iter().filter_map(|id| match &task.names.get(*id)?.source {
            NameSource::Draw { draw, .. } => Some((*id, fitting(draw))),
            _ => None,
        });
        let columns = needs.columns.iter().filter_map(|(relation, column)| {
            match &task.relations.get(*relation)?.columns.get(*column)?.source {
                ColumnSource::Draw { draw, .. } => Some(((*relation, *column), fitting(draw))),
                _ => None,
            }
        });
        Tried { names: names.collect(), columns: columns.collect() }
    }
}

/// Finds samples that stop the build, one for each place.
pub(super) fn find_witnesses<'a>(task: &'a Task, wanted: &Wanted<'a>, tried: &'a Tried) -> Vec<Witness> {
    let mut found: Vec<Witness> = Vec::new();
    let (mut left, mut known, mut met) = (MAX_WORK, 0, 0);
    for number in 0..MAX_SAMPLES {
        let choices = Choices {
            seed: mix(&[number, 10]),
            biased: number % UNBIASED > 0,
            redrawn: BTreeMap::new(),
            names: &tried.names,
            columns: &tried.columns,
        };
        let (trial, ending) = Trial::run(task, wanted, choices.clone());
        left = left.saturating_sub(trial.world.count_work());
        let rejected = matches!(ending, Ending::Rejected);
        known += usize::from(rejected || matches!(ending, Ending::Stops(..)));
        if let Ending::Stops(fault, needs) = ending
            && !found.iter().any(|known| known.fault.span == fault.span && known.fault.what == fault.what)
        {
            let likely = number % UNBIASED == 0 || is_likely(task, wanted, (&trial, &choices), (&fault, &needs));
            if likely {
                let values = list_values(task, &trial, &needs);
                found.push(Witness { fault, values });
            }
        }
        known += trial.known;
        met += u64::from(!rejected);
        if left == 0 || met == SAMPLES || (number + 1 >= FIRST && known == 0) {
            break;
        }
    }
    found
}

/// Whether samples like this one are not too rare: the chances of the values that matter are multiplied.
fn is_likely<'a>(
    task: &'a Task,
    wanted: &Wanted<'a>,
    (trial, choices): (&Trial<'_, 'a>, &Choices<'a>),
    (fault, needs): (&Fault, &Needs),
) -> bool {
    let mut chance = 1.0;
    for id in &needs.names {
        let Some(NameSource::Draw { draw, .. }) = task.names.get(*id).map(|name| &name.source) else { continue };
        let again = (0..REDRAWS).filter(|number| {
            let mut choices = choices.clone();
            choices.redrawn.insert(*id, mix(&[*number, 11]));
            let (_, ending) = Trial::run(task, wanted, choices);
            matches!(ending, Ending::Stops(other, _) if other.span == fault.span && other.what == fault.what)
        });
        let share = again.count() as f64 / REDRAWS as f64;
        chance *= match (&draw.domain, trial.world.read_name(*id)) {
            _ if share > 0.0 => share,
            (DrawDomain::Fixed(domain), Ok(value)) => estimate_chance(domain, &value),
            _ => 0.01,
        };
    }
    chance >= SELDOM
}

/// The drawn names on which a place depends, with their values in a sample.
fn list_values(task: &Task, trial: &Trial<'_, '_>, needs: &Needs) -> Vec<(NameId, Value)> {
    let drawn = needs
        .names
        .iter()
        .filter(|id| task.names.get(**id).is_some_and(|name| !matches!(name.source, NameSource::Compute(_))));
    drawn.filter_map(|id| Some((*id, trial.world.read_name(*id).ok()?))).collect()
}

fn list_fitting(domain: &Domain, constants: &[Value]) -> Vec<Value> {
    let parts = UNSAFE_PARTS.map(Value::from_text);
    let texts = if matches!(domain, Domain::Pattern(_) | Domain::OneOf { .. } | Domain::Weighted { .. }) {
        parts.as_slice()
    } else {
        &[]
    };
    let own = |value: &Value| domain.value_at(domain.index_of(value)?).filter(|own| is_ever_drawn(domain, own));
    constants.iter().chain(texts).filter_map(own).take(MAX_HINTS).collect()
}

/// The constants of a task: numbers, dates, and short texts.
fn collect_constants(task: &Task) -> Vec<Value> {
    let mut found: Vec<Value> = vec![Value::Int(0), Value::Int(1), Value::Decimal(Decimal::from_int(0))];
    task.visit_exprs(&mut |_, expr, _| {
        expr.visit_exprs(&mut |part: &Expr| {
            if let ExprKind::Const(value) = &part.kind
                && found.len() < 4 * MAX_HINTS
                && matches!(value, Value::Int(_) | Value::Decimal(_) | Value::Date(_) | Value::Text(_))
                && !found.iter().any(|known| known.is_same(value))
            {
                found.push(value.clone());
            }
        });
    });
    found
}
