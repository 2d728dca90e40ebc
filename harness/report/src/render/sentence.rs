//! Describes the main difference between several runs in one sentence.

use super::words::{format_accuracy_percent, format_code_list};
use crate::model::share::Share;
use crate::overview::{Overview, Row};

/// Returns the sentence, with names of tasks and variants in backticks; `None` for a single run. `names` are those of the runs, in the given order.
pub fn build_sentence(names: &[&str], overview: &Overview) -> Option<String> {
    if names.len() < 2 {
        return None;
    }
    // With a single task, its variants or values are more informative.
    let (what, rows) = match overview.tasks.as_slice() {
        [task] => match task.parts.first() {
            Some(parts) => (if parts.by == "variant" { "variant" } else { "value" }, parts.rows.as_slice()),
            None => ("task", overview.tasks.as_slice()),
        },
        tasks => ("task", tasks),
    };
    let blind = overview.ranked.iter().rev().find_map(|run| describe_blind_run(*run, names, rows));
    blind.or_else(|| describe_widest_gap(what, names, rows))
}

/// Describes a run that has some groups completely wrong, and others partly right.
fn describe_blind_run(run: usize, names: &[&str], rows: &[Row]) -> Option<String> {
    let name = names.get(run)?;
    let share = |row: &Row| row.shares.get(run).cloned().flatten();
    // A group that every run has wrong does not distinguish this one.
    let zero: Vec<&Row> = rows
        .iter()
        .filter(|row| {
            share(row).is_some_and(|share| share.correct == 0) && row.spread.is_some_and(|spread| spread > 0.0)
        })
        .collect();
    let some: Vec<(&Row, Share)> =
        rows.iter().filter_map(|row| Some((row, share(row)?))).filter(|(_, share)| share.correct > 0).collect();
    let of: u64 = zero.iter().filter_map(|row| share(row)).map(|share| share.of).sum();
    let zeros = format_code_list(&zero.iter().map(|row| row.name.as_str()).collect::<Vec<_>>());
    match (zero.as_slice(), some.as_slice()) {
        ([], _) | (_, []) => None,
        ([_, ..], [(only, share)]) if rows.len() > 2 => {
            let are = if zero.len() == 1 { "is" } else { "are" };
            Some(format!(
                "{name} is correct only in `{}` ({} of {}); {zeros} {are} 0 of {of}.",
                only.name, share.correct, share.of
            ))
        }
        _ => Some(format!("{name} is correct in 0 of {of} responses of {zeros}.")),
    }
}

/// Describes the group with the largest difference in accuracy.
fn describe_widest_gap(what: &str, names: &[&str], rows: &[Row]) -> Option<String> {
    let mut widest = rows.first()?;
    for row in rows {
        if row.spread > widest.spread {
            widest = row;
        }
    }
    if widest.spread? == 0.0 {
        return Some(format!("The runs have the same accuracy in every {what}."));
    }
    let mut shares: Vec<(&str, &Share)> =
        names.iter().zip(&widest.shares).filter_map(|(name, share)| Some((*name, share.as_ref()?))).collect();
    shares.sort_by(|a, b| b.1.accuracy.total_cmp(&a.1.accuracy));
    let ((most, high), (least, low)) = (*shares.first()?, *shares.last()?);
    let (high, low) = (format_accuracy_percent(high), format_accuracy_percent(low));
    Some(format!("The runs differ most in `{}`: {most} has {high}, {least} has {low}.", widest.name))
}
