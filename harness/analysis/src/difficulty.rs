//! Properties of a task that make it difficult, for comparisons of tasks: none is a verdict.

use model::suite::{Arg, Expr, Op, Scope, Task};
use model::uses::Uses;

use crate::measure::Seen;
use crate::trial::Told;

/// The properties.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difficulty {
    /// The mean number of rows that the answer is computed from.
    pub rows: f64,
    /// The number of conditions in its expressions and queries.
    pub filters: u64,
    /// The number of joins in its queries.
    pub joins: u64,
    /// log10 of the median size of the answer, if it is a number other than 0.
    pub magnitude: Option<f64>,
    /// The median distance of the nearest wrong misreading from the answer, relative to the answer.
    pub nearest: Option<f64>,
}

/// Measures the properties on a row's instances.
pub fn measure_difficulty(task: &Task, seen: &[&Seen]) -> Difficulty {
    let trials: Vec<_> = seen.iter().filter_map(|one| one.trial.as_ref()).collect();
    let rows: u64 = trials.iter().map(|trial| trial.rows).sum();
    let sizes = trials.iter().filter_map(|trial| trial.number).map(f64::abs).filter(|size| *size > 0.0);
    let nearest = trials.iter().filter_map(|trial| {
        let distances = trial.readings.iter().filter_map(|told| match told {
            Told::Other(distance) => *distance,
            Told::Unknown | Told::Same => None,
        });
        distances.min_by(f64::total_cmp)
    });
    let mut counts = Counts::default();
    let variant = seen.first().and_then(|one| task.variants.get(one.address.variant as usize));
    let expects = variant.map_or(&task.expects, |variant| &variant.expects);
    let values: Vec<&Expr> = expects.iter().filter_map(|expect| expect.answer_expr()).collect();
    let names = Uses::from_computations(task, values.iter().copied()).names;
    let computed = names.iter().filter_map(|name| task.find_computed(*name));
    values.into_iter().chain(computed).for_each(|value| counts.add_expr(value, Scope::default()));
    Difficulty {
        rows: rows as f64 / trials.len().max(1) as f64,
        filters: counts.filters,
        joins: counts.joins,
        magnitude: find_median(sizes.collect()).map(libm::log10),
        nearest: find_median(nearest.collect()),
    }
}

fn find_median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// What is counted in expressions and queries.
#[derive(Default)]
struct Counts {
    filters: u64,
    joins: u64,
}

impl Counts {
    fn add_expr(&mut self, expr: &Expr, at: Scope) {
        if let Expr::Call(call) = expr {
            call.args.iter().for_each(|arg| self.add_arg(arg));
        }
        expr.visit_parts(at, &mut |part, at| self.add_expr(part, at));
    }

    fn add_arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Relation { filter: Some(filter), .. }
            | Arg::Column { filter: Some(filter), .. }
            | Arg::Each { filter: Some(filter), .. } => self.filters += count_conditions(filter),
            Arg::Sql(sql) => {
                for word in sql.text.split(|char: char| !char.is_alphanumeric() && char != '_') {
                    let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
                    self.filters += u64::from(is("where") || is("having") || is("and") || is("or"));
                    self.joins += u64::from(is("join"));
                }
            }
            Arg::Path(path) => self.filters += path.text.matches('[').count() as u64,
            _ => {}
        }
    }
}

/// Counts the conditions that `and` and `or` join.
fn count_conditions(filter: &Expr) -> u64 {
    match filter {
        Expr::Binary { op: Op::And | Op::Or, args, .. } => count_conditions(&args.0) + count_conditions(&args.1),
        _ => 1,
    }
}
