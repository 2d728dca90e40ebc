//! The compiler's own verdict over an imported suite: what is written passes `check`, and its answer keys can be met.

use api::{Diagnostic, Instances, Options, Severity, Solution, Suite};

/// A lint that the compiler reports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lint {
    /// Its name, for `allow`.
    pub name: &'static str,
    /// What it says.
    pub message: String,
}

/// Why a suite is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The code of the diagnostic, if there is one.
    pub code: Option<&'static str>,
    /// A sentence without a period, with the compiler's advice.
    pub why: String,
}

/// The lints of a suite that compiles.
///
/// # Errors
/// The suite has errors: the first of them.
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

/// What a diagnostic says, with its advice: a sentence without a period.
pub fn explain_diagnostic(said: &Diagnostic) -> String {
    let advice = said.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{}{advice}", said.message)
}

/// Builds the first instances and lets the two agents of `selftest` answer them.
///
/// # Errors
/// An instance cannot be built, its key cannot be met, or an agent that does nothing meets it.
pub fn check_samples(suite: &Suite, samples: u32) -> Result<(), Refusal> {
    let refused = |why: String| Refusal { code: None, why };
    let options = Options { samples: Some(samples), ..Options::new("1") };
    let instances = suite.select_instances(options).map_err(|error| refused(error.to_string()))?;
    (0..instances.count()).try_for_each(|index| check_instance(&instances, index))
}

/// The same for the first sample of every task: the tasks that it refuses, and why.
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

/// Lets both agents answer an instance.
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
