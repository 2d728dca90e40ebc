//! The results for many mutants.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::corpus::Source;
use crate::judge::{Judge, Judgement};
use crate::mutate::generate_mutant;

/// The kinds of faults, in the order of the table.
const KINDS: [&str; 5] = [
    "panics",
    "steps over 2 s",
    "meaning changed by fmt",
    "second pass of fmt differs",
    "safe fixes that make it worse",
];

/// Counts, and the first faults.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of judged mutants.
    pub mutants: u64,
    /// The number of mutants for which `check` reports nothing.
    pub clean: u64,
    /// The number of mutants that `fmt` formats.
    pub formatted: u64,
    /// The number of safe fixes that were tried.
    pub fixes: u64,
    /// The duration of the longest step, and the index of its mutant.
    pub longest: (Duration, u64),
    /// The number of faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// The first faults: the index of the mutant, which suffices to generate it again, and the description.
    pub shown: Vec<(u64, String)>,
}

impl Tally {
    /// Judges the mutants with some indexes, in order.
    pub fn from_mutants(
        corpus: &[Source],
        seed: u64,
        indexes: impl IntoIterator<Item = u64>,
        judge: &mut Judge,
        most_shown: usize,
    ) -> Tally {
        let mut tally = Tally::default();
        for index in indexes {
            let made = generate_mutant(corpus, seed, index);
            let Some(source) = corpus.get(made.source) else { continue };
            let judged = judge.judge_text(&source.folder, &made.text);
            tally.note_judgement(index, &source.path, &made.kinds, &judged, most_shown);
        }
        tally
    }

    fn note_judgement(&mut self, index: u64, path: &str, kinds: &[&str], judged: &Judgement, most_shown: usize) {
        self.mutants += 1;
        self.clean += u64::from(judged.clean);
        self.formatted += u64::from(judged.formatted);
        self.fixes += judged.fixes as u64;
        self.longest = self.longest.max((judged.longest, index));
        for fault in &judged.faults {
            *self.faults.entry(fault.kind()).or_default() += 1;
            if self.shown.len() < most_shown {
                self.shown.push((index, format!("{} [{path}: {}] {}", fault.kind(), kinds.join(", "), fault.words())));
            }
        }
    }

    /// Adds the results for other mutants.
    pub fn add_tally(&mut self, other: Tally, most_shown: usize) {
        self.mutants += other.mutants;
        self.clean += other.clean;
        self.formatted += other.formatted;
        self.fixes += other.fixes;
        self.longest = self.longest.max(other.longest);
        for (kind, many) in other.faults {
            *self.faults.entry(kind).or_default() += many;
        }
        self.shown.extend(other.shown);
        self.shown.sort();
        self.shown.truncate(most_shown);
    }

    /// Whether no property was violated.
    pub fn has_no_faults(&self) -> bool {
        self.faults.is_empty()
    }

    /// Renders the counts as a table with one line each.
    pub fn render_table(&self) -> String {
        let (longest, index) = self.longest;
        let mut out = String::new();
        let mut line = |what: &str, count: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{what:<32} {count:>12}");
        };
        line("mutants", self.mutants.to_string());
        line("  without a diagnostic", self.clean.to_string());
        line("  laid out by fmt", self.formatted.to_string());
        line("safe fixes applied", self.fixes.to_string());
        for kind in KINDS {
            line(kind, self.faults.get(kind).copied().unwrap_or(0).to_string());
        }
        line("longest step", format!("{:.3} s", longest.as_secs_f64()));
        let _ = writeln!(out, "  (of mutant {index})");
        out
    }
}
