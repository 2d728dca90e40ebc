//! The differences in what agents left, row by row: databases, and JSON and YAML files.

use model::suite::Matcher;
use model::suite::matchers::Takes;
use records::verdict::Verdict;

use super::section::{Cell, Section};
use crate::model::RunReport;

/// The maximum number of rows for a run.
const MAX_ROWS: usize = 20;

/// Builds a table of the places that differ; `None` without differences.
pub fn build_table(runs: &[RunReport]) -> Option<Section> {
    let mut section = Section::new("What was left", &["<response", "<at", "<expected", "<got"]);
    let mut more = 0;
    for run in runs {
        let wrong = run.failures.iter().flat_map(|failure| {
            let verdicts = failure.verdicts.iter().filter(|verdict| is_left(verdict));
            verdicts.flat_map(move |verdict| verdict.differences.iter().map(move |one| (failure, verdict, one)))
        });
        let mut shown = 0;
        for (failure, verdict, one) in wrong {
            if shown == MAX_ROWS {
                more += 1;
                continue;
            }
            shown += 1;
            let response = if runs.len() > 1 { format!("{}: {}", run.name, failure.id) } else { failure.id.clone() };
            let at = format!("{}{}", verdict.file_path().unwrap_or_default(), one.at);
            section.push_row([response, at, one.expected.clone(), one.got.clone()].map(Cell::text).to_vec());
        }
    }
    let note = "Rows and values of databases and files that are not as expected.";
    let cut = if more == 0 { String::new() } else { format!(" Another {more} are in `scores.jsonl`.") };
    section.with_note(format!("{note}{cut}")).into_filled()
}

/// Whether a verdict is about a structured file or database that the agent left.
fn is_left(verdict: &Verdict) -> bool {
    let parts = Matcher::from_word(&verdict.matcher)
        .is_some_and(|matcher| matches!(matcher.record().takes, Takes::Json | Takes::State));
    parts && verdict.file_path().is_some()
}
