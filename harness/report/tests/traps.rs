//! Which mistakes wrong answers are evidence of: counts, shares, and what readers see of them.

use crate::fixtures::{run, samples, score};
use records::{Reason, Score};
use report::model::traps::Trap;
use report::render::tables::build_tables;
use report::render::{junit, markdown};
use report::{RunData, build_report};

/// A wrong answer that is equal to the value of a trap.
fn trapped(task: &str, sample: u32, trial: u32, trap: &str) -> Score {
    let mut score = score(task, None, "reply", sample, trial, false);
    (score.verdicts[0].reason, score.verdicts[0].trap) = (Reason::Trapped, Some(trap.to_owned()));
    score
}

/// Ten answers to `worth`: six right, one wrong, one equal to `net`, two to `gross`; and two to `count`, one of them equal to `gross`.
fn data(name: &str) -> RunData {
    let mut scores = samples("worth", None, "reply", 6, 7);
    scores.extend([(8, "net"), (9, "gross"), (10, "gross")].map(|(sample, trap)| trapped("worth", sample, 1, trap)));
    scores.push(trapped("count", 1, 1, "gross"));
    scores.push(score("count", None, "reply", 2, 1, true));
    run(name, "c0ffee", scores)
}

#[test]
fn traps_are_counted_by_task_the_most_frequent_first() {
    let report = build_report(&[data("a")], None);
    let told = |trap: &Trap| (trap.trap.clone(), trap.task.clone(), trap.times, trap.wrong, trap.share);
    let told: Vec<_> = report.runs[0].traps.iter().map(told).collect();
    let of = |trap: &str, task: &str, times: u64, wrong: u64| {
        (trap.to_owned(), task.to_owned(), times, wrong, times as f64 / wrong as f64)
    };
    assert_eq!(told, [of("gross", "worth", 2, 4), of("net", "worth", 1, 4), of("gross", "count", 1, 1)]);
    for trap in &report.runs[0].traps {
        assert!(trap.interval.low < trap.share && trap.share <= trap.interval.high, "{trap:?}");
    }
}

#[test]
fn an_answer_counts_once_for_a_trap_of_several_expectations() {
    let mut twice = trapped("worth", 1, 1, "gross");
    let other = twice.verdicts[0].clone();
    twice.verdicts.push(other);
    let report = build_report(&[run("a", "c0ffee", vec![twice])], None);
    let trap = &report.runs[0].traps[0];
    assert_eq!((trap.times, trap.wrong, trap.share), (1, 1, 1.0));
}

#[test]
fn trials_of_a_sample_are_not_samples() {
    let of = |samples: u32, trials: u32| {
        let scores = (1..=samples).flat_map(|sample| (1..=trials).map(move |trial| (sample, trial)));
        let scores = scores.map(|(sample, trial)| match sample % 2 {
            0 => trapped("worth", sample, trial, "gross"),
            _ => score("worth", None, "reply", sample, trial, false),
        });
        build_report(&[run("a", "c0ffee", scores.collect())], None).runs.remove(0).traps.remove(0)
    };
    let (many, few) = (of(40, 1), of(10, 4));
    assert_eq!((many.share, few.share), (0.5, 0.5));
    assert!(many.interval.low > few.interval.low + 0.05, "{many:?} {few:?}");
}

#[test]
fn a_report_without_traps_is_as_it_was() {
    let report = build_report(&[run("a", "c0ffee", samples("worth", None, "reply", 6, 7))], None);
    assert!(!serde_json::to_string(&report).expect("JSON").contains("traps"));
    assert!(build_tables(&report).iter().all(|table| !table.title.contains("mistakes")));
}

#[test]
fn readers_are_told_that_it_is_evidence() {
    let title = "Wrong answers that known mistakes give";
    let one = build_report(&[data("a")], None);
    let tables = build_tables(&one);
    let table = tables.iter().find(|table| table.title == title).expect("a table");
    assert!(table.note.contains("evidence of that mistake, not proof"));
    let row: Vec<&str> = table.rows[0].iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(row[..5], ["gross", "worth", "2", "4", "50.0%"]);
    let two = build_report(&[data("a"), run("b", "c0ffee", samples("worth", None, "reply", 6, 7))], None);
    let text = markdown::write_markdown("t", &[], &report::render::tables::build_tables(&two));
    assert!(text.contains("| gross | worth | 50.0% (2 of 4) | - |"), "{text}");
    let xml = junit::write_junit(&[data("a")]);
    assert!(xml.contains("equal to the value of trap `gross`, which is evidence of that mistake, not proof"), "{xml}");
}
