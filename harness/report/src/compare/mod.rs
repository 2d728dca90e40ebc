//! Compares two runs: which is better, by how much, and with what uncertainty.

mod advice;
mod comparison;
pub mod costs;
mod paired;
mod parts;
pub mod tables;
mod trials;
mod two_samples;

use records::Error;
use records::run::BundleRef;
use statistics::accuracy::{Accuracy, SamplingUnit};
use statistics::multiple_testing::adjust_in_place;

use crate::data::{RunData, explain_lake_difference};
use crate::model::lines::{build_lines, extract_rows};
use crate::model::propagation::compare_stage_runs;
pub use comparison::{Comparison, Design, Difference, Discordant, Side, Verdict, Which};
use trials::group_trials;

/// Compares runs A and B; `over` is what the overall interval generalizes to.
pub fn compare_runs(a: &RunData, b: &RunData, over: Option<SamplingUnit>) -> Result<Comparison, Error> {
    let (of_a, of_b) = (group_trials(&a.scores), group_trials(&b.scores));
    let mut because = Vec::new();
    let same_bundle = a.info.bundle.sha256 == b.info.bundle.sha256;
    let mut parts = if same_bundle {
        paired::compare_paired(&of_a, &of_b, over, &mut because)
    } else {
        because.push(explain_different_bundles(a, b));
        two_samples::compare_samples(&of_a, &of_b, over, &mut because)
    }
    .ok_or_else(|| {
        let what = if same_bundle { "instances" } else { "tasks" };
        Error::new_usage(format!("`{}` and `{}` have no {what} in common: there is nothing to compare", a.name, b.name))
            .help("compare two runs of one bundle, or of two bundles of one suite")
    })?;
    adjust_in_place(parts.tasks.iter_mut().map(|task| task.p_holm.insert(task.p_permutation.unwrap_or(task.p_exact))));
    let design = if same_bundle { Design::Paired } else { Design::TwoSamples };
    let verdict = decide_verdict(&parts.whole);
    let sentence = advice::build_sentence(&a.name, &b.name, &parts.whole, verdict, design);
    let side = |run: &RunData| Side {
        name: run.name.clone(),
        agent: run.info.agent.clone(),
        bundle_sha256: run.info.bundle.sha256.clone(),
        whole: Accuracy::from_rows(&extract_rows(&build_lines(&run.scores)), over),
    };
    Ok(Comparison {
        schema: 1,
        a: side(a),
        b: side(b),
        design,
        because,
        over: parts.over,
        whole: parts.whole,
        tasks: parts.tasks,
        discordant: parts.discordant,
        costs: if same_bundle { costs::compare_costs(a, b, parts.over) } else { Vec::new() },
        propagation: compare_stage_runs(a, b).or_else(|| compare_stage_runs(b, a)),
        verdict,
        sentence,
        warnings: a.warnings.iter().chain(&b.warnings).cloned().chain(explain_lake_difference(&[a, b])).collect(),
    })
}

fn decide_verdict(whole: &Difference) -> Verdict {
    let shown = whole.p_permutation.unwrap_or(whole.p_exact) < 0.05;
    if shown && whole.interval.low > 0.0 {
        Verdict::BBetter
    } else if shown && whole.interval.high < 0.0 {
        Verdict::ABetter
    } else {
        Verdict::NotShown
    }
}

fn explain_different_bundles(a: &RunData, b: &RunData) -> String {
    let (first, second) = (&a.info.bundle, &b.info.bundle);
    if first.stages != second.stages {
        let of = |bundle: &BundleRef| format!("`--stages {}`", bundle.stages.word());
        return format!(
            "they answered different questions ({} and {}), so the difference is not one between agents: compare runs of the same mode",
            of(first),
            of(second)
        );
    }
    let what = if first.suite != second.suite {
        format!("suites `{}` and `{}`", first.suite, second.suite)
    } else if first.version != second.version {
        format!("versions {} and {} of `{}`", first.version, second.version, first.suite)
    } else if first.seed != second.seed {
        format!("seeds {} and {}", first.seed, second.seed)
    } else {
        "other options or another source".to_owned()
    };
    format!(
        "they answered different bundles ({what}), so their instances are not the same: they are compared as two samples, \
         which shows less than pairs of one bundle would"
    )
}
