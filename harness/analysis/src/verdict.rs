//! The verdict on a task, from samples and counts.

use super::row::{Dirt, Row};
use super::shortcuts::SHORTCUT_SHARE;

/// Guessing pays if the share of the commonest answer is at least this.
pub const GUESSABLE_SHARE: f64 = 0.20;
/// Answers are too few or too uneven below this entropy, in bits.
pub const GUESSABLE_BITS: f64 = 3.0;
/// log10 of the minimum number of instances.
pub const TOO_SMALL: f64 = 6.0;
/// The minimum share of draws that all `require`s accept: below it, a build is slow, and a sample may fail.
pub const ACCEPTED: f64 = 0.05;
/// The maximum share of instances that repeat an earlier one.
pub const REPEATED: f64 = 0.001;

/// The minimum share of instances whose answer dirt changes: below it, scores do not show whether an agent cleans it.
pub const TOOTHLESS: f64 = 0.20;

/// Whether dirt rarely changes the answer, in every cell of the axes that has it.
pub fn is_toothless(dirt: &Dirt) -> bool {
    dirt.cells.iter().all(|cell| cell.share() < TOOTHLESS)
}

/// A reason why a task is not good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Every sample has the same answer.
    Constant,
    /// The commonest answer is too common.
    Guessable,
    /// A reply that needs little work is accepted too often.
    Shortcut,
    /// There are too few instances.
    TooSmall,
    /// `require` lets too few draws pass.
    RejectsOften,
    /// Some answers have a null.
    Nulls,
    /// Some answers have an empty value.
    Empties,
    /// Some instances repeat an earlier one.
    Duplicates,
    /// Some descriptions of databases name nothing that the expected query reads.
    Blind,
    /// Files are dirty, but no kind of dirt changes the answer often.
    Toothless,
}

impl Reason {
    /// Its words for people.
    pub fn label(self) -> &'static str {
        match self {
            Reason::Constant => "constant",
            Reason::Guessable => "guessable",
            Reason::Shortcut => "shortcut",
            Reason::TooSmall => "too small",
            Reason::RejectsOften => "rejects often",
            Reason::Nulls => "nulls",
            Reason::Empties => "empties",
            Reason::Duplicates => "duplicates",
            Reason::Blind => "blind",
            Reason::Toothless => "toothless",
        }
    }

    /// Its name in JSON.
    pub fn id(self) -> String {
        self.label().replace(' ', "_")
    }
}

/// Returns all reasons why a row is not good; empty if it is good.
pub fn find_reasons(row: &Row) -> Vec<Reason> {
    // A single sample shows little. A data set has many rows, but their number depends on the data.
    let of_one = |reason: &Reason| match (&row.rows, reason) {
        (_, Reason::Nulls | Reason::Empties | Reason::Blind) => true,
        (Some(_), Reason::TooSmall) => false,
        (Some(rows), _) => rows.rows > 1,
        (None, _) => !row.is_static,
    };
    let constant = row.answers == 1 && row.instances > 1;
    let guessable = row.commonest.share() >= GUESSABLE_SHARE || row.entropy < GUESSABLE_BITS;
    let found = [
        (constant, Reason::Constant),
        (guessable && !constant, Reason::Guessable),
        (has_shortcut(row) && !constant && !guessable, Reason::Shortcut),
        // A lower bound alone is not evidence.
        (row.count.most.is_some_and(|most| most < TOO_SMALL), Reason::TooSmall),
        (row.acceptance.is_some_and(|share| share < ACCEPTED), Reason::RejectsOften),
        (row.nulls > 0, Reason::Nulls),
        (row.empties > 0, Reason::Empties),
        (row.duplicates as f64 > REPEATED * row.instances as f64, Reason::Duplicates),
        (row.blind.0 > 0, Reason::Blind),
        (!row.dirt.is_empty() && row.dirt.iter().all(is_toothless), Reason::Toothless),
    ];
    found.into_iter().filter(|(is, _)| *is).map(|(_, reason)| reason).filter(of_one).collect()
}

/// Whether a constant reply is accepted much more often than the commonest answer occurs, or a reply that needs little work is accepted often.
fn has_shortcut(row: &Row) -> bool {
    row.guess_share() >= SHORTCUT_SHARE || !row.trials.shortcuts.is_empty()
}

#[cfg(test)]
mod tests {
    use statistics::proportion::compute_wilson_interval;

    use super::*;
    use crate::count::Count;
    use crate::row::{Commonest, DirtCell};

    fn row() -> Row {
        Row {
            task: "t".into(),
            variants: Vec::new(),
            is_static: false,
            rows: None,
            weight: 1000,
            instances: 1000,
            count: Count { least: 9.0, most: Some(9.0) },
            answers: 900,
            entropy: 9.5,
            commonest: Commonest { answer: "7".into(), times: 3, of: 1000, interval: compute_wilson_interval(3, 1000) },
            trials: crate::trials::Trials::default(),
            constants: Vec::new(),
            nulls: 0,
            empties: 0,
            judged: 0,
            traps: Vec::new(),
            dirt: Vec::new(),
            blind: (0, 0),
            duplicates: 0,
            acceptance: None,
            mean_bytes: 10,
            most_bytes: 12,
            nanos: 1,
        }
    }

    #[test]
    fn every_threshold_is_held() {
        let with = |change: fn(&mut Row)| {
            let mut row = row();
            change(&mut row);
            find_reasons(&row)
        };
        assert_eq!(with(|_| {}), []);
        assert_eq!(with(|row| row.commonest.times = 199), []);
        assert_eq!(with(|row| row.commonest.times = 200), [Reason::Guessable]);
        assert_eq!(with(|row| row.entropy = 2.99), [Reason::Guessable]);
        assert_eq!(with(|row| (row.answers, row.commonest.times, row.entropy) = (1, 1000, 0.0)), [Reason::Constant]);
        assert_eq!(with(|row| row.count = Count { least: 5.9, most: Some(5.9) }), [Reason::TooSmall]);
        assert_eq!(with(|row| row.count = Count { least: 2.0, most: None }), []);
        assert_eq!(with(|row| row.count = Count { least: 2.0, most: Some(7.0) }), []);
        assert_eq!(with(|row| row.acceptance = Some(0.049)), [Reason::RejectsOften]);
        assert_eq!(with(|row| row.acceptance = Some(0.05)), []);
        assert_eq!(with(|row| row.duplicates = 1), []);
        assert_eq!(with(|row| row.duplicates = 2), [Reason::Duplicates]);
        assert_eq!(with(|row| (row.is_static, row.answers, row.duplicates) = (true, 1, 2)), []);
        assert_eq!(with(|row| (row.is_static, row.nulls) = (true, 1)), [Reason::Nulls]);
        assert_eq!(with(|row| (row.nulls, row.empties) = (1, 1)), [Reason::Nulls, Reason::Empties]);
    }

    #[test]
    fn dirt_without_teeth_is_told() {
        let dirt = |name: &str, changes: &[u64]| Dirt {
            name: name.into(),
            cells: changes
                .iter()
                .map(|changes| DirtCell { axis: vec!["x".into()], instances: 100, changes: *changes, surely: 0 })
                .collect(),
        };
        assert_eq!(find_reasons(&Row { blind: (1, 9), ..row() }), [Reason::Blind]);
        assert_eq!(find_reasons(&Row { blind: (0, 9), ..row() }), []);
        let with = |dirt: Vec<Dirt>| find_reasons(&Row { dirt, ..row() });
        assert_eq!(with(Vec::new()), []);
        assert_eq!(with(vec![dirt("a.repeat", &[3, 20])]), []);
        assert_eq!(with(vec![dirt("a.repeat", &[3, 19])]), [Reason::Toothless]);
        assert_eq!(with(vec![dirt("a.repeat", &[0]), dirt("a.X.case", &[90])]), []);
        assert!(is_toothless(&dirt("a.repeat", &[0])));
    }
}
