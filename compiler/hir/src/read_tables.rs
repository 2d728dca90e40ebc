//! How a table was read from existing files: what lints compare with the prompt, and with what other files contain.

use std::sync::Arc;

use model::{Span, Value};

/// How the cells of a column were found and read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadAs {
    /// The header above its cells.
    pub header: Option<String>,
    /// The place that determines which cells belong to it.
    pub at: Span,
    /// The patterns of its cells; empty for their usual form.
    pub written: Vec<String>,
    /// Whether a pattern has a factor.
    pub is_scaled: bool,
    /// The cells that are null.
    pub missing: Vec<String>,
    /// The files.
    pub files: Arc<ReadFiles>,
}

/// The files of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadFiles {
    /// The range of the path, or of the pattern of paths.
    pub span: Span,
    /// The files, in the order of their rows.
    pub files: Vec<ReadFile>,
}

/// A file of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadFile {
    /// Its path in the lake.
    pub path: String,
    /// The number of its rows.
    pub rows: usize,
    /// The SHA-256 of its content.
    pub digest: [u8; 32],
    /// Its header.
    pub header: Vec<String>,
    /// The first lines above its header.
    pub title: Vec<String>,
    /// The row that sums up the others.
    pub total: Option<TotalRow>,
}

/// A row that sums up the others of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct TotalRow {
    /// The column that says so, and its cell.
    pub label: Option<(String, String)>,
    /// Whether it has the sum of the other rows in each column with numbers.
    pub is_sum: bool,
}

/// The order of the parts of dates in a pattern, such as `dMy`, if the month is a number.
pub fn find_date_order(pattern: &str) -> Option<String> {
    let mut order = String::new();
    // What is between quotes is text.
    let plain = pattern.split('\'').step_by(2).collect::<String>();
    if plain.contains("MMM") {
        return None;
    }
    for part in plain.chars().filter(|part| matches!(part, 'd' | 'M' | 'y')) {
        if !order.contains(part) {
            order.push(part);
        }
    }
    (order.len() == 3).then_some(order)
}

/// The names of rows that sum up others, in lower case.
const TOTALS: &str = "total, totals, grand total, sum, sums, subtotal, overall, all, altogether, summe, gesamt, insgesamt, mean, average, median";
/// Words of other names that can begin or end the name of such a row.
const WHOLES: &str = "whole, entire, combined, together";
/// The fewest rows whose sums are hardly equal by chance.
const FEWEST: usize = 3;

/// Finds a last row that sums up the others: its name says so, or it has the sums of all numbers. `columns` are the names of the columns with their values.
pub fn find_total_row(columns: &[(&str, &[Value])], rows: usize) -> Option<TotalRow> {
    let sums: Vec<Last> = columns.iter().map(|(_, values)| judge_last(values)).collect();
    let has_sum = rows > 2 && sums.contains(&Last::Sum);
    let is_sum = has_sum && !sums.contains(&Last::Other);
    let label = columns.iter().find_map(|(name, values)| {
        let text = values.last()?.as_text()?;
        let lower = text.trim().trim_end_matches(':').to_lowercase();
        let is_alone = || values.iter().filter(|value| value.as_text() == Some(text)).count() == 1;
        let is_total = |word: &str| TOTALS.split(", ").any(|total| total == word);
        let is_whole = |word: &str| is_total(word) || WHOLES.split(", ").any(|whole| whole == word);
        // "All counties" and "County total" could be names, too, so one of the sums has to be right.
        let has_total = || {
            has_sum
                && [lower.split(' ').next(), lower.split(' ').next_back()].iter().flatten().any(|word| is_whole(word))
        };
        ((is_total(&lower) || has_total()) && is_alone()).then(|| ((*name).to_owned(), text.to_owned()))
    });
    // Few numbers can be the sum of others by chance.
    let is_sum = is_sum && rows > FEWEST;
    (label.is_some() && rows > 2 || is_sum).then_some(TotalRow { label, is_sum })
}

/// What the last value of a column is to those above it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Their sum.
    Sum,
    /// A value of its own.
    Other,
    /// A text, or nothing.
    NoNumber,
}

/// Compares the last value of a column with the sum of those above it.
fn judge_last(values: &[Value]) -> Last {
    let Some((last, rest)) = values.split_last() else { return Last::Other };
    if last.as_text().is_some() || last.is_null() {
        return Last::NoNumber;
    }
    let zero = model::Decimal::from_int(0);
    let numbers: Option<Vec<model::Decimal>> =
        rest.iter().filter(|value| !value.is_null()).map(Value::as_decimal).collect();
    let (Some(last), Some(numbers)) = (last.as_decimal(), numbers) else { return Last::Other };
    let sum = numbers.iter().try_fold(zero, |sum, number| sum.checked_add(*number));
    let is_telling = numbers.iter().filter(|number| **number != zero).count() > 1;
    if sum == Some(last) && is_telling { Last::Sum } else { Last::Other }
}
