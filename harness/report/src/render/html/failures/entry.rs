//! The failures of all runs, each with its reason and its values for filters.

use std::collections::{BTreeMap, BTreeSet};

use records::Reason;

use crate::details::Detail;
use crate::overview::Overview;
use crate::render::html::page::Page;
use crate::render::words::{describe_reason, describe_status};

/// A failure, and its values for filters.
pub struct Entry<'a> {
    pub run: usize,
    pub name: &'a str,
    pub detail: &'a Detail,
    /// Its task, or its variant if the task has variants.
    pub part: String,
    pub why: Why,
    /// Whether every other run is correct.
    pub alone: bool,
    /// Whether the run has several trials.
    pub trials: bool,
}

/// The reason of a failure: the word in the records, and words for people.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Why {
    pub code: String,
    pub words: &'static str,
}

impl Why {
    pub fn from_detail(detail: &Detail) -> Why {
        let failure = &detail.failure;
        let wrong = failure.verdicts.iter().find(|verdict| verdict.score < 1.0);
        match wrong.filter(|_| failure.status.is_scored()) {
            Some(verdict) => Why { code: encode_reason(verdict.reason), words: describe_reason(verdict.reason) },
            None => Why { code: failure.status.word().to_owned(), words: describe_status(failure.status) },
        }
    }
}

/// Returns the word in the records.
fn encode_reason(reason: Reason) -> String {
    serde_json::to_value(reason).ok().and_then(|json| json.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Returns the listed failures of all runs, run by run.
pub fn collect_entries<'a>(page: &Page<'a>, overview: &Overview) -> Vec<Entry<'a>> {
    let alone: BTreeSet<(usize, &str, u32)> =
        overview.alone.iter().map(|(run, id, trial)| (*run, id.as_str(), *trial)).collect();
    let mut all = Vec::new();
    for (at, ((run, told), details)) in page.runs.iter().zip(&page.report.runs).zip(page.details).enumerate() {
        let variants: BTreeMap<&str, &str> =
            run.scores.iter().filter_map(|score| Some((score.id.as_str(), score.variant.as_deref()?))).collect();
        for detail in &details.shown {
            let failure = &detail.failure;
            let part = match variants.get(failure.id.as_str()) {
                Some(variant) => format!("{} {variant}", failure.task),
                None => failure.task.clone(),
            };
            let alone = alone.contains(&(at, failure.id.as_str(), failure.trial));
            let why = Why::from_detail(detail);
            all.push(Entry { run: at, name: &told.name, detail, part, why, alone, trials: told.trials > 1 });
        }
    }
    all
}
