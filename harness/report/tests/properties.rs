//! Rules that hold for whatever runs there are.

use crate::fixtures::{run, score};
use proptest::prelude::*;
use records::{Score, Status};
use report::compare::{Verdict, compare_runs};
use report::details::Details;
use report::render::{html, json, junit, markdown, tables, terminal};
use report::{RunData, SamplingUnit, build_report};

/// Scores of up to five tasks with variants, axes, trials and whatever texts.
fn scores() -> impl Strategy<Value = Vec<Score>> {
    let task = (1u32..6, 1u32..4, 1u32..3, "\\PC{0,8}", any::<bool>());
    (prop::collection::vec(task, 1..5), any::<u64>()).prop_map(|(tasks, seed)| {
        let mut all = Vec::new();
        let mut bits = seed | 1;
        for (at, (samples, trials, variants, text, axis)) in tasks.into_iter().enumerate() {
            for variant in 0..variants {
                for sample in 1..=samples {
                    for trial in 1..=trials {
                        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                        let name = (variants > 1).then(|| format!("v{variant}"));
                        let subject = if variant == 0 { "reply" } else { "file x" };
                        let right = bits >> 62 > 0;
                        let mut one = score(&format!("t{at}{text}"), name.as_deref(), subject, sample, trial, right);
                        one.tags = vec![text.clone(), format!("tag{at}")];
                        if axis {
                            one.axis = vec![(text.clone(), (sample * 10).to_string())];
                        }
                        if !right && bits >> 40 & 3 == 0 {
                            (one.status, one.error, one.rounds) = (Status::Failed, Some(text.clone()), None);
                        }
                        all.push(one);
                    }
                }
            }
        }
        all
    })
}

const ESCAPE: char = '\u{1b}';

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn parts_add_up_and_intervals_hold(scores in scores(), over in prop::option::of(prop_oneof![Just(SamplingUnit::Tasks), Just(SamplingUnit::Samples)])) {
        let data = run("r", "1", scores);
        let told = build_report(std::slice::from_ref(&data), over);
        let run = &told.runs[0];
        let (share, of) = (&run.whole.share, data.scores.len() as u64);
        prop_assert_eq!(share.of, of);
        prop_assert_eq!(run.tasks.iter().map(|task| task.share.correct).sum::<u64>(), share.correct);
        prop_assert_eq!(run.tasks.iter().map(|task| task.share.of).sum::<u64>(), of);
        prop_assert_eq!(run.statuses.iter().map(|(_, count)| count).sum::<u64>(), of);
        prop_assert_eq!(run.failures.len() as u64, of - share.correct);
        let groups = run.tasks.iter().chain(&run.variants).chain(&run.tags).map(|group| &group.share);
        for share in groups.chain([share]) {
            prop_assert!(0.0 <= share.interval.low && share.interval.high <= 1.0 + 1e-9);
            prop_assert!(share.interval.low <= share.accuracy + 1e-9 && share.accuracy <= share.interval.high + 1e-9);
        }
        let last = run.progress.points.last().expect("a point");
        prop_assert_eq!((last.share.correct, last.share.of), (share.correct, of));
        for trials in &run.pass {
            prop_assert!(trials.all <= trials.at_least_one + 1e-12);
        }
    }

    #[test]
    fn every_rendering_takes_every_run(first in scores(), second in scores()) {
        let runs: Vec<RunData> = [run("\u{1b}[31m|", "1", first), run("<b>", "2", second)].into();
        let told = build_report(&runs, None);
        let sections = tables::build_tables(&told);
        for section in &sections {
            for row in &section.rows {
                prop_assert_eq!(row.len(), section.columns.len(), "{}", section.title);
            }
        }
        let plain = terminal::write_terminal(&sections);
        prop_assert!(!plain.contains(ESCAPE));
        let marked = markdown::write_markdown("t", &[], &sections);
        prop_assert!(!marked.contains(ESCAPE) && !marked.contains("<b>"));
        let details = [Details::default(), Details::default()];
        let page = html::write_page(&html::Page { runs: &runs, report: &told, details: &details, least: None });
        prop_assert!(!page.contains(ESCAPE) && !page.contains("<b><b>"));
        prop_assert!(!junit::write_junit(&runs).contains(ESCAPE));
        let text = json::write_json(&told).expect("JSON");
        prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
    }

    #[test]
    fn a_run_is_never_better_than_itself(scores in scores()) {
        let data = run("r", "1", scores);
        let comparison = compare_runs(&data, &data, None).expect("comparable");
        prop_assert_eq!(comparison.verdict, Verdict::NotShown);
        prop_assert_eq!(comparison.whole.difference, 0.0);
        prop_assert!(comparison.whole.interval.has_value(0.0));
    }

    #[test]
    fn a_pair_turned_round_is_the_reverse(a in scores(), flips in any::<u64>()) {
        let mut b = a.clone();
        for (at, score) in b.iter_mut().enumerate() {
            score.correct ^= flips >> (at % 64) & 1 == 1;
        }
        let (a, b) = (run("a", "1", a), run("b", "1", b));
        let (there, back) = (compare_runs(&a, &b, None).expect("comparable"), compare_runs(&b, &a, None).expect("comparable"));
        prop_assert!((there.whole.difference + back.whole.difference).abs() < 1e-12);
        prop_assert_eq!(there.whole.p_permutation, back.whole.p_permutation);
        prop_assert_eq!(there.whole.p_exact, back.whole.p_exact);
        prop_assert_eq!(there.discordant.len(), back.discordant.len());
    }
}
