//! Checks an imported suite with the compiler: it must pass `check`, and its answer keys must be satisfiable.

use api::{Diagnostic, Instances, Options, Severity, Solution, Suite};

/// A lint that the compiler reports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lint {
    /// The name, for `allow`.
    pub name: &'static str,
    /// The message.
    pub message: String,
}

/// The reason why a suite is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The code of the diagnostic, if it has one.
    pub code: Option<&'static str>,
    /// The reason, as a sentence without a period, with the compiler's advice.
    pub why: String,
}

/// Collects the lints of a suite that compiles, each name once.
///
/// # Errors
/// If the suite has errors; the refusal is the first of them.
pub fn collect_lints(suite: &Suite) -> Result<Vec<Lint>, Refusal> {
    if let Some(error) = suite.diagnostics().iter().find(|said| said.severity() == Severity::Error) {
        return Err(Refusal { code: Some(error.code.id), why: explain_diagnostic(error) });
    }
    let mut lints: Vec<Lint> =
        suite.diagnostics().iter().map(|said| Lint { name: said.code.name, message: said.message.clone() }).collect();
    lints.sort();
    lints.dedup_by_key(|lint| lint.name);
    Ok(lints)
}

/// Renders the message of a diagnostic and its advice, as a sentence without a period.
pub fn explain_diagnostic(said: &Diagnostic) -> String {
    let advice = said.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{}{advice}", said.message)
}

/// Builds the given number of samples and scores the two agents of `selftest` on them.
///
/// # Errors
/// If an instance cannot be built, its key cannot be met, or an agent that does nothing meets it.
pub fn check_samples(suite: &Suite, samples: u32) -> Result<(), Refusal> {
    let refused = |why: String| Refusal { code: None, why };
    let options = Options { samples: Some(samples), ..Options::new("1") };
    let instances = suite.select_instances(options).map_err(|error| refused(error.to_string()))?;
    (0..instances.count()).try_for_each(|index| check_instance(&instances, index))
}

/// Checks the first sample of every task, with all cells and variants. Returns the task of each rejected instance, and the reason.
pub fn list_refused_tasks(suite: &Suite) -> Vec<(String, String)> {
    let options = Options { samples: Some(1), ..Options::new("1") };
    let instances = match suite.select_instances(options) {
        Ok(instances) => instances,
        Err(error) => return vec![(String::new(), error.to_string())],
    };
    let generator = instances.generator();
    let task = |index| Some(generator.plan().tasks.get(generator.resolve_address(index)?.task as usize)?.name.clone());
    let refused = |index| {
        let refusal = check_instance(&instances, index).err()?;
        Some((task(index).unwrap_or_default(), refusal.why))
    };
    (0..instances.count()).filter_map(refused).collect()
}

/// Scores both agents on an instance.
fn check_instance(instances: &Instances<'_>, index: u64) -> Result<(), Refusal> {
    let refused = |why: String| Refusal { code: None, why };
    let instance = instances
        .get(index)
        .map_err(|error| Refusal { code: error.code().map(|code| code.id), why: error.to_string() })?;
    let solution = instance.build_oracle_solution().map_err(refused)?;
    if !instance.grade_solution(&solution).correct {
        return Err(refused("no answer meets the answer key".to_owned()));
    }
    if instance.grade_solution(&Solution::default()).correct {
        return Err(refused("an agent that does nothing meets the answer key".to_owned()));
    }
    Ok(())
}
