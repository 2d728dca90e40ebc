//! Arms side by side, from counts that can be followed by hand.

use records::attempt::{Attempt, Class, find_first_right};
use records::{Described, Score};
use report::model::arm_sets::{ArmSet, Test, build_arm_sets};
use report::model::measure::Measure;
use statistics::summary::Quartiles;

use crate::fixtures::{run, score};

/// `of` samples of a task in two arms: which samples each has right.
fn two(task: &str, of: u32, plain: &[u32], helped: &[u32]) -> Vec<Score> {
    let arm = |name: &str, right: &[u32]| -> Vec<Score> {
        (1..=of).map(|sample| score(task, Some(name), "reply", sample, 1, right.contains(&sample))).collect()
    };
    [arm("plain", plain), arm("helped", helped)].concat()
}

fn set(scores: Vec<Score>, against: Option<&str>) -> ArmSet {
    let mut sets = build_arm_sets(&[run("r", "b", scores)], "variant", against).expect("arms");
    assert_eq!(sets.len(), 1);
    sets.remove(0)
}

#[test]
fn right_is_mcnemars() {
    let found = set(two("t", 12, &[1, 2, 3], &[1, 3, 4, 5, 6, 7, 8, 9]), None);
    assert_eq!((found.against.as_str(), found.instances, found.clusters), ("plain", 12, 12));
    let [plain, helped] = found.arms.as_slice() else { panic!("{found:?}") };
    assert!(plain.against.is_none());
    let against = helped.against.as_ref().expect("the other arm");
    // Six won, one lost: 2 · (1 + 7) / 128.
    assert_eq!((against.won, against.lost, against.test), (6, 1, Test::Mcnemar));
    assert!((against.p - 0.125).abs() < 1e-12 && against.p_holm == against.p);
    assert!((against.difference - 5.0 / 12.0).abs() < 1e-12);
    assert!(against.interval.low < against.difference && against.difference < against.interval.high);
    // (1.96·√(7/12) + 0.8416·√(7/12 − 25/144))² / (25/144)
    assert_eq!(against.pairs_needed, Some(24));
    let turned = set(two("t", 12, &[1, 2, 3], &[1, 3, 4, 5, 6, 7, 8, 9]), Some("helped"));
    let back = turned.arms[0].against.as_ref().expect("the other arm");
    assert_eq!((back.won, back.lost, back.p, back.difference), (1, 6, against.p, -against.difference));
}

#[test]
fn intervals_have_a_width_where_all_agree_or_differ_alike() {
    for (plain, helped) in [(vec![1, 2], vec![1, 2]), (vec![], vec![1, 2, 3, 4])] {
        let found = set(two("t", 4, &plain, &helped), None);
        let against = found.arms[1].against.as_ref().expect("the other arm");
        assert!(against.interval.width() > 0.1, "{against:?}");
        // Nothing varies, so nothing is known of it: no interval, rather than one without width.
        let score = found.arms[1].means.iter().find(|mean| mean.what == Measure::Score).expect("scores");
        assert_eq!(score.against.as_ref().expect("the other arm").paired.interval, None);
    }
}

#[test]
fn what_is_missing_is_wrong_and_what_only_one_arm_has_is_left_out() {
    let mut scores = two("t", 6, &[1, 2, 3], &[4, 5, 6]);
    // The last sample was not asked in the second arm.
    scores.retain(|score| score.id != "t-helped-6");
    for score in scores.iter_mut().filter(|score| score.id == "t-helped-4") {
        (score.status, score.correct, score.score) = (records::Status::Missing, false, 0.0);
    }
    let found = set(scores, None);
    assert_eq!(found.instances, 5);
    let [plain, helped] = found.arms.as_slice() else { panic!("{found:?}") };
    assert_eq!((plain.right.correct, plain.right.of, helped.right.correct, helped.right.of), (3, 5, 1, 5));
    // Amounts are of responses that ended.
    let rounds = helped.means.iter().find(|mean| mean.what == Measure::Rounds).expect("rounds");
    assert_eq!(rounds.n, 4);
}

#[test]
fn descriptions_have_quartiles_and_equal_shares_are_together() {
    let mut scores = two("t", 4, &[1], &[1, 2, 3]);
    for score in &mut scores {
        let helped = score.variant.as_deref() == Some("helped");
        let visible = if helped { 1.0 } else { [0.0, 0.25, 0.5, 0.5][score.sample as usize - 1] };
        let tokens = u64::from(score.sample) * if helped { 100 } else { 10 };
        // Of two descriptions the better one counts, and the tokens of both.
        score.described =
            vec![Described { budget: 500, tokens: 1, visible: 0.0 }, Described { budget: 500, tokens, visible }];
        score.prompt_tokens = (score.sample > 1).then_some(tokens + 7);
    }
    let found = set(scores.clone(), None);
    let described: Vec<_> = found.arms.iter().map(|arm| arm.described.as_ref().expect("descriptions")).collect();
    let [plain, helped] = described.as_slice() else { panic!("{found:?}") };
    let ranks = |of: &Option<Quartiles>| {
        of.as_ref().map(|of| (of.n, of.min, of.p25, of.median, of.p75, of.max)).expect("known")
    };
    assert_eq!(ranks(&plain.visible), (4, 0.0, 0.0, 0.25, 0.5, 0.5));
    assert_eq!(ranks(&helped.visible), (4, 1.0, 1.0, 1.0, 1.0, 1.0));
    assert_eq!(ranks(&plain.tokens), (4, 11.0, 11.0, 21.0, 31.0, 41.0));
    assert_eq!(ranks(&helped.prompt_tokens), (3, 207.0, 207.0, 307.0, 407.0, 407.0));
    // The quartiles of both arms are 0.25, 0.5, and 1: the last part would be empty.
    let parts = |arm: usize| -> Vec<(f64, f64, u64, u64)> {
        described[arm].right.iter().map(|part| (part.from, part.to, part.right.correct, part.right.of)).collect()
    };
    assert_eq!(parts(0), [(0.0, 0.25, 1, 2), (0.5, 0.5, 0, 2), (1.0, 1.0, 0, 0)]);
    assert_eq!(parts(1), [(0.0, 0.25, 0, 0), (0.5, 0.5, 0, 0), (1.0, 1.0, 3, 4)]);
    // Where no arm has any, nothing is said of them; where one has none, it is in no part.
    for score in &mut scores {
        if score.variant.as_deref() == Some("plain") {
            score.described.clear();
        }
    }
    let found = set(scores.clone(), None);
    let plain = found.arms[0].described.as_ref().expect("the other arm has some");
    assert_eq!(
        (plain.visible.as_ref(), plain.right[0].right.of, plain.right[0].right.accuracy.is_nan()),
        (None, 0, false)
    );
    scores.iter_mut().for_each(|score| score.described.clear());
    assert!(set(scores, None).arms.iter().all(|arm| arm.described.is_none()));
}

#[test]
fn attempts_amounts_and_times() {
    let mut scores = two("t", 4, &[1], &[1, 2, 3]);
    let of = |classes: &[Class]| -> Vec<Attempt> {
        (1..).zip(classes).map(|(call, class)| Attempt { call, class: *class }).collect()
    };
    use Class as C;
    for score in &mut scores {
        let helped = score.variant.as_deref() == Some("helped");
        let attempts = match (helped, score.sample) {
            (false, 1) => of(&[C::UnknownColumn, C::Syntax, C::Right]),
            (false, _) => of(&[C::UnknownColumn, C::Differs, C::Differs]),
            (true, 4) => of(&[C::Unscored]),
            (true, _) => of(&[C::Unscored, C::Right]),
        };
        score.first_right = find_first_right(&attempts);
        score.attempts = Some(attempts);
        score.first_sql_ms = Some(u64::from(score.sample) * if helped { 100 } else { 300 });
    }
    let found = set(scores, None);
    let [plain, helped] = found.arms.as_slice() else { panic!("{found:?}") };
    let shares = |arm: usize| -> Vec<(u64, u64)> {
        let attempts = found.arms[arm].attempts.as_ref().expect("attempts");
        attempts.by_attempt.iter().chain([&attempts.ever]).map(|part| (part.count, part.of)).collect()
    };
    assert_eq!(shares(0), [(0, 4), (0, 4), (1, 4), (1, 4)]);
    assert_eq!(shares(1), [(3, 4), (3, 4)]);
    let mean = |arm: &report::model::arm_sets::ArmOf, what: Measure| {
        arm.means.iter().find(|mean| mean.what == what).map(|mean| (mean.n, mean.mean))
    };
    assert_eq!(mean(plain, Measure::RetriesUntilRight), Some((1, 2.0)));
    assert_eq!(mean(helped, Measure::RetriesUntilRight), Some((3, 0.0)));
    assert_eq!(mean(plain, Measure::WastedCalls), Some((4, 11.0 / 4.0)));
    assert_eq!(mean(helped, Measure::WastedCalls), Some((4, 0.0)));
    // No response tells what it cost: it is not there, and not 0.
    assert_eq!(mean(plain, Measure::Cost), None);
    let wasted = helped.means.iter().find(|mean| mean.what == Measure::WastedCalls).expect("wasted");
    let against = &wasted.against.as_ref().expect("the other arm").paired;
    assert_eq!((against.pairs, against.difference, against.p), (4, -2.75, 0.125));
    let first = helped.times.iter().find(|time| time.what == Measure::FirstSqlMs).expect("times");
    assert_eq!((first.p50, first.p95), (200.0, 400.0));
    let against = first.against.as_ref().expect("the other arm");
    assert_eq!((against.pairs, against.difference), (4, -400.0));
    // Few clusters say nothing of how far a median may be off.
    assert_eq!(against.interval, None);
}

#[test]
fn clusters_of_several_places_turn_their_signs_together() {
    // Two cells of an axis share the draws of their sample.
    let mut scores = Vec::new();
    for size in ["3", "30"] {
        for mut score in two("t", 5, &[1], &[1, 2, 3, 4, 5]) {
            score.axis = vec![("size".to_owned(), size.to_owned())];
            score.id = format!("{}-{size}", score.id);
            scores.push(score);
        }
    }
    let found = set(scores.clone(), None);
    assert_eq!((found.instances, found.clusters), (10, 5));
    let against = found.arms[1].against.as_ref().expect("the other arm");
    // Four clusters differ, all alike: 2 of 16 signs.
    assert_eq!((against.won, against.lost, against.test, against.p), (8, 0, Test::Signs, 0.125));
    let sizes = build_arm_sets(&[run("r", "b", scores)], "size", Some("30")).expect("arms");
    assert_eq!(sizes[0].arms.iter().map(|arm| arm.name.as_str()).collect::<Vec<_>>(), ["3", "30"]);
    // Each variant is paired with itself.
    assert_eq!((sizes[0].instances, sizes[0].arms[0].against.as_ref().map(|one| one.won)), (10, Some(0)));
}

#[test]
fn holm_is_over_the_arms_and_tasks_with_other_arms_have_their_own_set() {
    let mut scores = two("t", 10, &[], &[1, 2, 3, 4, 5, 6, 7]);
    scores.extend((1..=10).map(|sample| score("t", Some("third"), "reply", sample, 1, sample <= 6)));
    scores.extend(two("u", 3, &[1], &[2]));
    let sets = build_arm_sets(&[run("r", "b", scores)], "variant", None).expect("arms");
    assert_eq!(sets.iter().map(|set| set.tasks.join(" ")).collect::<Vec<_>>(), ["t", "u"]);
    let p = |arm: usize| {
        let against = sets[0].arms[arm].against.as_ref().expect("the other arm");
        (against.p, against.p_holm)
    };
    let ((a, a_holm), (b, b_holm)) = (p(1), p(2));
    assert!((a - 2.0 / 128.0).abs() < 1e-12 && (b - 2.0 / 64.0).abs() < 1e-12, "{a} {b}");
    assert!((a_holm - 2.0 * a).abs() < 1e-12 && (b_holm - 2.0 * a).abs() < 1e-12, "{a_holm} {b_holm}");
}

#[test]
fn arms_that_are_not_there() {
    let runs = [run("r", "b", two("t", 3, &[1], &[2]))];
    let error = build_arm_sets(&runs, "variant", Some("treated")).expect_err("no such arm");
    assert_eq!(error.message, "`treated` is not an arm by variant");
    assert_eq!(error.help.as_deref(), Some("give --against one of `helped`, `plain`"));
    let error = build_arm_sets(&runs, "size", None).expect_err("no such axis");
    assert!(error.help.is_some_and(|help| help.ends_with("they have no axes")));
}
