//! Draws one sample and looks at it.

use model::failure::{At, Failure, FailureKind};
use model::observe::{JudgedExample, Observed};
use model::suite::{Expect, Task};
use model::value::group_digits;
use runtime::generate::{Address, WorkMeter};
use score::NoSolution;
use sqlite::StepBudget;

use crate::{Error, Instance, Instances};

/// The maximum number of bytes in the lakes of a sample.
const MAX_LAKE_BYTES: u64 = 64 << 20;

/// The result of drawing a sample.
pub enum Trial {
    /// It was drawn; what is wrong in it.
    Drawn(At, Vec<Observed>),
    /// It takes too much work, or cannot be looked at here; why.
    TooLarge(String),
}

/// Draws a sample with at most this much work. Returns the work, too.
pub fn try_instance(instances: &Instances<'_>, address: Address, limit: u64) -> (Trial, u64) {
    let (meter, steps) = (WorkMeter::with_limit(limit), StepBudget::with_steps(limit));
    let trial = look_at_instance(instances, address, &meter);
    let trial = match (steps.left(), meter.left(), trial) {
        // Whatever follows from a query or an expression that was cut off is not the suite's.
        (0, _, Trial::Drawn(..)) => {
            Trial::TooLarge(format!("its queries take more than {} steps of SQLite", group_digits(limit)))
        }
        (_, 0, Trial::Drawn(..)) => Trial::TooLarge(WorkMeter::NOTHING_LEFT.to_owned()),
        (.., trial) => trial,
    };
    (trial, (limit - meter.left()).saturating_add(limit - steps.left()))
}

/// Judges the examples of a sample with at most this much work; empty if that is not enough, or if the sample cannot be made.
pub fn judge_examples(instances: &Instances<'_>, address: Address, limit: u64) -> Vec<JudgedExample> {
    let (meter, steps) = (WorkMeter::with_limit(limit), StepBudget::with_steps(limit));
    let judge = || {
        let made = instances.generator().generate_metered(address, &meter).ok()?;
        let instance = instances.with_key(made).ok()?;
        Some(instance.judge_examples(&instances.compute_tests(address).ok()?))
    };
    let judged = judge();
    // Whatever follows from a query or an expression that was cut off is not the suite's.
    judged.filter(|_| steps.left() > 0 && meter.left() > 0).unwrap_or_default()
}

fn look_at_instance(instances: &Instances<'_>, address: Address, meter: &WorkMeter) -> Trial {
    let Some(task) = instances.generator().plan().tasks.get(address.task as usize) else {
        return Trial::TooLarge("no such task".to_owned());
    };
    let made = match instances.generator().generate_metered(address, meter) {
        Ok(made) => made,
        Err(failure) => return judge_failure(failure, task),
    };
    let lent: u64 = made.lakes.iter().flat_map(|handed| handed.files()).map(|file| file.size).sum();
    if lent > MAX_LAKE_BYTES {
        return Trial::TooLarge(format!("{} bytes in its lakes", group_digits(lent)));
    }
    let looked = instances.with_key(made).and_then(|instance| {
        let at = describe_address(task, address, instance.made().attempt, &instances.generator().options().seed);
        let mut faults = list_faults(&instance, task, address)?;
        let tests = instances.compute_tests(address)?;
        faults.extend(instance.judge_examples(&tests).into_iter().filter_map(describe_example));
        Ok(Trial::Drawn(at, faults))
    });
    looked.unwrap_or_else(|error| Trial::TooLarge(error.to_string()))
}

/// Decides whether a build has the same failure.
fn judge_failure(failure: Failure, task: &Task) -> Trial {
    match (failure.kind, failure.at.clone()) {
        (FailureKind::TooMuchWork | FailureKind::Io | FailureKind::Usage, _) | (_, None) => {
            Trial::TooLarge(failure.message)
        }
        (_, Some(at)) => Trial::Drawn(at, vec![Observed::Stops(failure.with_default_span(task.span))]),
    }
}

/// Lets both agents answer.
fn list_faults(instance: &Instance, task: &Task, address: Address) -> Result<Vec<Observed>, Error> {
    let variant = task.variants.get(address.variant as usize);
    let mut seen = Vec::new();
    if let Some(unmet) = instance.find_unmet_expectation()? {
        let expects = variant.map_or(&task.expects, |variant| &variant.expects);
        seen.push(describe_unmet(&unmet, expects, task));
    }
    if instance.is_met_by_nothing()? {
        seen.push(Observed::Idle { span: variant.map_or(task.span, |variant| variant.span) });
    }
    Ok(seen)
}

fn describe_unmet(unmet: &NoSolution, expects: &[Expect], task: &Task) -> Observed {
    let span = expects.get(unmet.index()).map_or(task.span, |expect| expect.span);
    let why = unmet.difference().map_or_else(String::new, |difference| {
        format!("it expects {}, and got {}", difference.expected, difference.got)
    });
    Observed::Unmet { span, expect: unmet.describe_expect(), why }
}

/// Describes an example that is not judged as it must be; `None` if it is.
fn describe_example(judged: JudgedExample) -> Option<Observed> {
    let JudgedExample { verdict, text, failure, span } = judged;
    failure.map(|why| Observed::Example { span, verdict, text, why })
}

/// Describes a sample as failures do.
fn describe_address(task: &Task, address: Address, attempt: u32, seed: &str) -> At {
    let stage = task.find_asked_stage(address.variant);
    let variant = task.variants.get(address.variant as usize).filter(|_| stage.is_none());
    At {
        task: task.name.clone(),
        sample: address.sample + 1,
        cell: Some(task.build_cell_label(address.cell)).filter(|label| !label.is_empty()),
        variant: variant.map(|variant| variant.name.clone()),
        stage: stage.map(|stage| stage.way.name.clone()),
        attempt,
        seed: seed.to_owned(),
    }
}
