//! Golden vectors: edition 1 freezes what a seed gives. A change here is a change of every published bundle: it belongs in a new edition.
//! And statistics: index mapping and permutations are uniform, for fixed seeds.

use model::Value;
use model::distribution::Distribution;
use model::domain::LoremUnit;

use super::distributions::{Cumulative, Truncated};
use super::lorem;
use super::permutation::Permutation;
use super::streams::{self, Keys, Stream};

fn build_keys() -> Keys {
    Keys::new(1, "7").with_part(b"suite").with_part(b"task").with_attempt(2, None, 1)
}

fn draw_words(stream: &mut Stream, count: usize) -> Vec<u64> {
    (0..count).map(|_| stream.next()).collect()
}

#[test]
fn words_of_a_path() {
    assert_eq!(
        draw_words(&mut build_keys().derive_stream(&["name"]), 3),
        [13026135157976334344, 11688481404921839370, 8572664262519888363]
    );
    assert_eq!(
        draw_words(&mut build_keys().derive_stream(&["hr", "AGE"]), 3),
        [15570526060730971781, 14757318290103407342, 11410034893451360978]
    );
    assert_eq!(
        draw_words(&mut build_keys().derive_blank_stream(&["hr", "AGE"]), 2),
        [1137946674229348001, 17380899548526398320]
    );
    assert_eq!(draw_words(&mut build_keys().derive_row_stream("hr"), 1), [3027396352563181405]);
    let mut stream = build_keys().derive_stream(&["name"]);
    let child = stream.derive_child(12345);
    assert_eq!([streams::next(child), streams::next(child)], [4213878204917774933, 8250739308476217458]);
}

#[test]
fn indexes_and_fractions() {
    let mut stream = build_keys().derive_stream(&["index"]);
    let indexes: Vec<u64> =
        [2u128, 10, 154, 1_000_000, 1 << 64].iter().map(|n| streams::to_index(stream.next(), *n)).collect();
    assert_eq!(indexes, [0, 1, 136, 941264, 8134396922727974965]);
    assert_eq!(streams::to_index(u64::MAX, 10), 9);
    assert_eq!(streams::to_wide_index(u64::MAX, u64::MAX, u128::MAX), u128::MAX - 1);
    assert_eq!(streams::to_wide_index(1 << 63, 0, 1 << 70), 1 << 69);
    assert_eq!(
        streams::to_wide_index(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 10u128.pow(30)),
        4444444444444444440348569570
    );
    let fractions: Vec<u64> = (0..2).map(|_| streams::to_fraction(stream.next()).to_bits()).collect();
    assert_eq!(fractions, [4604117751564147865, 4596669377461417972]);
    assert!(streams::to_fraction(0) > 0.0 && streams::to_fraction(u64::MAX) < 1.0);
}

#[test]
fn permutations() {
    let first = |n: u128| {
        let permutation = Permutation::new(build_keys().derive_stream(&["permutation"]).derive_child(0), n, 6);
        (0..n.min(6) as u64).map(|at| permutation.map_position(at)).collect::<Vec<_>>()
    };
    assert_eq!(first(4), [0, 3, 2, 1]);
    assert_eq!(first(154), [23, 124, 53, 132, 136, 83]);
    assert_eq!(first(1000), [156, 756, 687, 939, 417, 94]);
    assert_eq!(
        first(1 << 64),
        [
            3965838260921374247,
            14019617354805122207,
            6303803338439499384,
            8547358590660212454,
            7964883891054410474,
            5982320310772093425
        ]
    );
}

#[test]
fn distributions() {
    let d = |text: &str| text.parse().unwrap();
    let mut stream = build_keys().derive_stream(&["shape"]);
    let normal = Truncated::new(Distribution::Normal { mean: 100.0, sd: 15.0 }, d("50"), d("150"), d("0.001")).unwrap();
    let lognormal =
        Truncated::new(Distribution::Lognormal { mean: 3.0, sd: 1.0 }, d("1"), d("1000"), d("0.01")).unwrap();
    let zipf = Cumulative::new_zipf(1000).unwrap();
    let draw = |shape: &Truncated, stream: &mut Stream| {
        (0..4).map(|_| shape.draw_value(stream.next()).render_text().into_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(draw(&normal, &mut stream), "101.188 118.393 120.389 111.675");
    assert_eq!(draw(&lognormal, &mut stream), "17.93 38.75 37.01 6.61");
    assert_eq!((0..6).map(|_| zipf.pick_item(stream.next()) + 1).collect::<Vec<_>>(), [187, 21, 18, 169, 60, 273]);
}

#[test]
fn blind_text() {
    let mut stream = build_keys().derive_stream(&["text"]);
    let mut out = String::new();
    lorem::write_text(LoremUnit::Lines, 2, stream.derive_child(1), &mut out);
    assert_eq!(
        out,
        "Commodo eligendi duis amet cum exercitation cumque odio.\nCum cumque facilis libero incididunt mollit duis labore labore enim ut pariatur tempore."
    );
    out.clear();
    lorem::write_text(LoremUnit::Words, 5, stream.derive_child(2), &mut out);
    assert_eq!(out, "mollitia molestias eiusmod ipsum reprehenderit");
}

/// The 0.999 quantile of chi-square with `k` degrees of freedom (Wilson and Hilferty).
fn compute_limit(k: f64) -> f64 {
    let a = 2.0 / (9.0 * k);
    k * (1.0 - a + 3.090_232 * a.sqrt()).powi(3)
}

fn compute_chi_square(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    counts.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum()
}

#[test]
fn indexes_are_uniform() {
    for n in [2usize, 3, 10, 154, 1000] {
        let mut stream = Keys::new(1, "uniform").derive_stream(&[&n.to_string()]);
        let mut counts = vec![0u64; n];
        (0..n * 1000).for_each(|_| counts[streams::to_index(stream.next(), n as u128) as usize] += 1);
        let found = compute_chi_square(&counts);
        assert!(found < compute_limit(n as f64 - 1.0), "n {n}: {found}");
    }
}

#[test]
fn first_positions_of_permutations_are_uniform() {
    for n in [4usize, 10, 154, 300] {
        let mut stream = Keys::new(1, "permutations").derive_stream(&[&n.to_string()]);
        let mut first = vec![0u64; n];
        let mut second = vec![0u64; n];
        // How far apart the first two land: a network that mixes too little shows here.
        let mut apart = vec![0u64; n];
        for _ in 0..n * 200 {
            let word = stream.next();
            let permutation = Permutation::new(stream.derive_child(word), n as u128, 2);
            let (a, b) = (permutation.map_position(0) as usize, permutation.map_position(1) as usize);
            first[a] += 1;
            second[b] += 1;
            apart[(a + n - b) % n] += 1;
        }
        assert_eq!(apart[0], 0);
        for (counts, freedom) in [(&first[..], n - 1), (&second[..], n - 1), (&apart[1..], n - 2)] {
            let found = compute_chi_square(counts);
            assert!(found < compute_limit(freedom as f64), "n {n}: {found}");
        }
    }
}

#[test]
fn whole_permutations_of_four_are_uniform() {
    let mut stream = Keys::new(1, "all of four").derive_stream(&["x"]);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..24_000 {
        let word = stream.next();
        let permutation = Permutation::new(stream.derive_child(word), 4, 4);
        let order: Vec<u64> = (0..4).map(|at| permutation.map_position(at)).collect();
        *counts.entry(order).or_insert(0u64) += 1;
    }
    let counts: Vec<u64> = counts.into_values().collect();
    assert_eq!(counts.len(), 24);
    assert!(compute_chi_square(&counts) < compute_limit(23.0));
}

#[test]
fn a_normal_has_its_mean_and_deviation() {
    let d = |text: &str| text.parse().unwrap();
    let normal = Truncated::new(Distribution::Normal { mean: 100.0, sd: 15.0 }, d("0"), d("200"), d("0.01")).unwrap();
    let mut stream = Keys::new(1, "normal").derive_stream(&["x"]);
    let values: Vec<f64> = (0..100_000).map(|_| normal.draw_value(stream.next()).as_f64().unwrap()).collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let sd = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt();
    assert!((mean - 100.0).abs() < 0.2 && (sd - 15.0).abs() < 0.15, "{mean} {sd}");
    let truncated = Truncated::new(Distribution::Normal { mean: 0.0, sd: 1.0 }, d("-2"), d("3"), d("1")).unwrap();
    let integers: std::collections::BTreeSet<i64> = (0..10_000)
        .filter_map(|_| match truncated.draw_value(stream.next()) {
            Value::Int(value) => Some(value),
            _ => None,
        })
        .collect();
    assert_eq!(integers.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2, 3]);
}
