//! Two runs against each other.

use crate::fixtures::{run, score};
use records::Score;
use report::compare::{Design, Verdict, compare_runs, tables};
use report::{RunData, SamplingUnit};

/// `tasks` tasks of 20 samples; sample s of task t is right where `right(t, s)`.
fn scores(tasks: u32, right: impl Fn(u32, u32) -> bool) -> Vec<Score> {
    let each = |task: u32| {
        let right = &right;
        (1..=20).map(move |sample| score(&format!("t{task}"), None, "reply", sample, 1, right(task, sample)))
    };
    (1..=tasks).flat_map(each).collect()
}

fn text(a: &RunData, b: &RunData) -> String {
    let comparison = compare_runs(a, b, None).expect("comparable");
    format!(
        "{}\n\n{}",
        tables::build_lead(&comparison).join("\n"),
        report::render::terminal::write_terminal(&tables::build_tables(&comparison))
    )
}

#[test]
fn a_run_against_itself() {
    let a = run("a", "1", scores(6, |_, sample| sample % 3 == 0));
    let comparison = compare_runs(&a, &a, None).expect("comparable");
    assert_eq!(
        (comparison.design, comparison.verdict, comparison.over),
        (Design::Paired, Verdict::NotShown, SamplingUnit::Tasks)
    );
    assert_eq!(
        (comparison.whole.difference, comparison.whole.p_exact, comparison.whole.p_permutation),
        (0.0, 1.0, Some(1.0))
    );
    assert!(comparison.whole.interval.low < 0.0 && comparison.whole.interval.high > 0.0);
    assert!(comparison.discordant.is_empty());
}

#[test]
fn turned_round_it_says_the_reverse() {
    let a = run("a", "1", scores(8, |_, sample| sample <= 10));
    let b = run("b", "1", scores(8, |task, sample| sample <= 12 + task % 3));
    let (there, back) =
        (compare_runs(&a, &b, None).expect("comparable"), compare_runs(&b, &a, None).expect("comparable"));
    assert_eq!((there.verdict, back.verdict), (Verdict::BBetter, Verdict::ABetter));
    assert_eq!(there.whole.difference, -back.whole.difference);
    assert_eq!(there.whole.p_permutation, back.whole.p_permutation);
    // Resampling draws the same clusters: the ends change places.
    assert_eq!(
        (there.whole.interval.low, there.whole.interval.high),
        (-back.whole.interval.high, -back.whole.interval.low)
    );
}

#[test]
fn paired_as_it_is_read() {
    let a = run("baseline", "1", scores(2, |_, sample| sample <= 10));
    let b = run("treatment", "1", scores(2, |task, sample| sample <= 10 + 6 * task || sample == 20));
    insta::assert_snapshot!(text(&a, &b));
}

#[test]
fn two_samples_as_they_are_read() {
    let a = run("baseline", "1", scores(2, |_, sample| sample <= 10));
    let mut b = run("treatment", "2", scores(3, |_, sample| sample <= 12));
    b.info.bundle.seed = "8".to_owned();
    insta::assert_snapshot!(text(&a, &b));
}

#[test]
fn without_pairs_it_is_newcombe_and_fisher() {
    let a = run("a", "1", scores(1, |_, sample| sample <= 5));
    let b = run("b", "2", scores(1, |_, sample| sample <= 15));
    let comparison = compare_runs(&a, &b, None).expect("comparable");
    assert_eq!(comparison.design, Design::TwoSamples);
    assert_eq!(comparison.whole.interval, statistics::proportion::compute_newcombe_interval((5, 20), (15, 20)));
    assert_eq!(comparison.whole.p_exact, statistics::exact_tests::compute_fisher_p((5, 20), (15, 20)));
}

#[test]
fn what_one_lacks_is_left_out_and_told() {
    let a = run("a", "1", scores(2, |_, _| true));
    let b = run("b", "1", scores(1, |_, _| true));
    let comparison = compare_runs(&a, &b, None).expect("comparable");
    assert_eq!(comparison.whole.a, (20, 20));
    assert!(
        comparison.because.contains(&"20 instances of the first run alone are left out".to_owned()),
        "{:?}",
        comparison.because
    );
}

#[test]
fn nothing_in_common_is_said() {
    let a = run("a", "1", vec![score("x", None, "reply", 1, 1, true)]);
    let b = run("b", "2", vec![score("y", None, "reply", 1, 1, true)]);
    let error = compare_runs(&a, &b, None).expect_err("nothing");
    assert_eq!(error.message, "`a` and `b` have no tasks in common: there is nothing to compare");
}

#[test]
fn another_mix_of_tasks_is_told() {
    let a = run("a", "1", scores(2, |_, _| true));
    let few = scores(2, |_, _| true).into_iter().filter(|score| score.task == "t1" || score.sample < 5).collect();
    let comparison = compare_runs(&a, &run("b", "2", few), None).expect("comparable");
    assert!(comparison.because.iter().any(|sentence| sentence.contains("read it by task")), "{:?}", comparison.because);
}

#[test]
fn trials_are_averaged() {
    // Three trials: A right in 1 of 3, B in 2 of 3, everywhere.
    let trials = |right: u32| -> Vec<Score> {
        let each = |sample| (1..=3).map(move |trial| score("t", None, "reply", sample, trial, trial <= right));
        (1..=20).flat_map(each).collect()
    };
    let comparison = compare_runs(&run("a", "1", trials(1)), &run("b", "1", trials(2)), None).expect("comparable");
    assert_eq!((comparison.whole.a, comparison.whole.b), ((0, 20), (20, 20)));
    assert!((comparison.whole.difference - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(comparison.verdict, Verdict::BBetter);
}
