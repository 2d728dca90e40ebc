//! What is tried on an instance: replies that need little work, and misreadings of its answer key.

use std::collections::BTreeMap;

use model::answer_key::{Answer, Expected, Trap};
use model::suite::matchers::Takes;
use model::suite::{RelationId, Task};
use model::uses::Uses;
use model::{Scorer, Value};
use runtime::generate::{Figure, Generator, Inquiry, Instance, Measure};

use crate::numbers::{is_between_open, list_numbers};
use crate::readings::{Readings, list_readings};

/// The number of samples of each cell and variant on which shortcuts and misreadings are tried.
pub const TRIED: u32 = 100;
/// The number of misread answers of a cell and variant that are computed, if that leaves enough samples for each.
const MAX_COMPUTED: usize = 800;
/// The minimum number of samples for which they are computed.
const FEWEST_MISREAD: usize = 40;
/// The maximum number of cells of an instance's tables whose figures are tried.
const MAX_CELLS: usize = 100_000;
/// The maximum number of numbers of a prompt that are tried.
const MAX_NUMBERS: usize = 8;

/// The results for one instance.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The replies that were tried, by name, and whether each is accepted. Empty if the answer is not one number or text.
    pub shortcuts: Vec<(String, bool)>,
    /// The results of the misreadings, in their order.
    pub readings: Vec<Told>,
    /// The drawn values that the prompt or the answer may depend on, as texts.
    pub draws: Vec<(String, String)>,
    /// Whether the prompt says `between` and not whether the ends are included.
    pub is_between_open: bool,
    /// The number of rows that the answer is computed from.
    pub rows: u64,
    /// The answer, if it is one number.
    pub number: Option<f64>,
}

/// The result of a misreading for one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    /// It has no result.
    Unknown,
    /// Its result is a correct answer.
    Same,
    /// Its result is another answer, with the distance relative to the correct one if both are numbers.
    Other(Option<f64>),
}

/// What is tried on the instances of each task and variant.
pub struct Plans<'p> {
    of: BTreeMap<(u32, u32), TrialPlan<'p>>,
}

/// What is tried on the instances of one task and variant.
struct TrialPlan<'p> {
    task: &'p Task,
    readings: Readings,
    /// The tables from which the answers are computed.
    relations: Vec<RelationId>,
}

impl<'p> Plans<'p> {
    /// Plans the trials of all tasks of a generator.
    pub fn from_generator(generator: &Generator<'p>) -> Plans<'p> {
        let mut of = BTreeMap::new();
        for (index, _) in generator.list_sample_counts() {
            let Some(task) = generator.plan().tasks.get(index as usize) else { continue };
            for variant in 0..task.variants.len().max(1) {
                let expects = task.variants.get(variant).map_or(&task.expects, |variant| &variant.expects);
                let readings = list_readings(task, expects);
                let values = expects.iter().filter_map(|expect| expect.answer_expr());
                let relations = Uses::from_computations(task, values).relations.into_iter().collect();
                of.insert((index, variant as u32), TrialPlan { task, readings, relations });
            }
        }
        Plans { of }
    }

    /// Returns what to ask of an instance; `None` if nothing is tried on it.
    pub fn find_inquiry(&self, task: u32, variant: u32, sample: u32) -> Option<Inquiry<'_>> {
        let plan = self.of.get(&(task, variant)).filter(|_| sample < TRIED)?;
        let most = MAX_COMPUTED / plan.readings.exprs.len().max(1);
        let is_misread = (sample as usize) < most.clamp(FEWEST_MISREAD, TRIED as usize);
        let alternatives = if is_misread { plan.readings.exprs.as_slice() } else { &[] };
        Some(Inquiry { alternatives, most_cells: MAX_CELLS })
    }

    /// Tries everything on an instance.
    pub fn try_instance(&self, task: u32, variant: u32, instance: &Instance) -> Option<Trial> {
        let plan = self.of.get(&(task, variant)).filter(|_| instance.sample <= TRIED)?;
        let key = find_only_key(&instance.expects);
        let is_read = |figure: &&Figure| figure.measure == Measure::Count && plan.relations.contains(&figure.relation);
        let rows = instance.findings.figures.iter().filter(is_read).map(|figure| to_count(&figure.value)).sum();
        let drawn = instance.draws.iter().map(|(name, value)| (name.clone(), value.render_text().into_owned()));
        Some(Trial {
            shortcuts: key.map_or_else(Vec::new, |key| try_shortcuts(plan.task, key, instance)),
            readings: judge_readings(&plan.readings, instance),
            draws: drawn.collect(),
            is_between_open: is_between_open(&instance.prompt),
            rows,
            number: key.and_then(Expected::single_value).and_then(Value::as_f64),
        })
    }
}

/// Returns the only expectation with a value, if it compares one number or text.
fn find_only_key(expects: &[Expected]) -> Option<&Expected> {
    let mut valued = expects.iter().filter(|expect| expect.answer.is_some());
    let key = valued.next().filter(|_| valued.next().is_none())?;
    let is_one = matches!(key.matcher.record().takes, Takes::One | Takes::Number | Takes::Date | Takes::Bool);
    (is_one && matches!(key.answer, Some(Answer::One(_)))).then_some(key)
}

fn to_count(value: &Value) -> u64 {
    if let Value::Int(count) = value { u64::try_from(*count).unwrap_or(0) } else { 0 }
}

/// Tries the figures of the tables, and the numbers of the prompt.
fn try_shortcuts(task: &Task, key: &Expected, instance: &Instance) -> Vec<(String, bool)> {
    let accepted = Accepted::new(key);
    let figures = instance.findings.figures.iter().filter_map(|figure| {
        Some((name_figure(task, figure)?, accepted.is_near(&figure.value) && is_right(key, figure.value.clone())))
    });
    let numbers = list_numbers(&instance.prompt, MAX_NUMBERS).into_iter().enumerate().map(|(at, number)| {
        let is_near = number.parse().is_ok_and(|number| accepted.is_near(&Value::Float(number)));
        let is_right = is_near && score::is_text_accepted(key, &number, Scorer::CURRENT);
        (format!("number {} of the prompt", at + 1), is_right)
    });
    figures.chain(numbers).collect()
}

fn is_right(key: &Expected, value: Value) -> bool {
    score::is_right(key, &Trap { name: String::new(), at: String::new(), value }, Scorer::CURRENT)
}

/// Names a figure: `the sum of hr.PAY`.
fn name_figure(task: &Task, figure: &Figure) -> Option<String> {
    let relation = task.relations.get(figure.relation)?;
    let Some(column) = figure.column else { return Some(format!("the number of rows of `{}`", relation.name)) };
    let column = relation.columns.get(column)?;
    Some(format!("the {} `{}.{}`", figure.measure.phrase(), relation.name, column.name))
}

/// What an answer accepts, roughly: it excludes most values without asking the scorer.
struct Accepted {
    ranges: Vec<(f64, f64)>,
    text: Option<String>,
}

impl Accepted {
    fn new(key: &Expected) -> Accepted {
        let text = key.single_value().map(|value| value.render_text().trim().to_lowercase());
        Accepted { ranges: score::list_number_ranges(key, Scorer::CURRENT), text }
    }

    fn is_near(&self, value: &Value) -> bool {
        if self.ranges.is_empty() {
            return self.text.as_deref() == Some(value.render_text().trim().to_lowercase().as_str());
        }
        let is_in = |number: f64| {
            self.ranges.iter().any(|(low, high)| {
                let slack = 1e-6 * (1.0 + low.abs().max(high.abs()));
                low - slack <= number && number <= high + slack
            })
        };
        value.as_f64().is_some_and(is_in)
    }
}

/// Compares the results of the misreadings with the answer key.
fn judge_readings(readings: &Readings, instance: &Instance) -> Vec<Told> {
    let results = readings.all.iter().zip(&instance.findings.alternatives);
    results
        .map(|(reading, value)| {
            let Some(key) = instance.expects.get(reading.expect) else { return Told::Unknown };
            let (Some(value), Some(right)) = (value, key.single_value()) else { return Told::Unknown };
            if value == right || is_right(key, value.clone()) {
                return Told::Same;
            }
            let both = value.as_f64().zip(right.as_f64());
            Told::Other(both.map(|(value, right)| (value - right).abs() / right.abs().max(f64::MIN_POSITIVE)))
        })
        .collect()
}
