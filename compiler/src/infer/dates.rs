//! Patterns of dates and datetimes that are not written as ISO 8601 says.

use std::sync::LazyLock;

use plan::Value;
use tabular::{CellType, Pattern};

/// Days as offices write them; with two digits and with one.
const DAYS: [&str; 33] = [
    "yyyy/MM/dd",
    "yyyy/M/d",
    "yyyy.MM.dd",
    "yyyy.M.d",
    "yyyy-M-d",
    "dd.MM.yyyy",
    "d.M.yyyy",
    "dd.MM.yy",
    "d.M.yy",
    "MM/dd/yyyy",
    "M/d/yyyy",
    "dd/MM/yyyy",
    "d/M/yyyy",
    "MM/dd/yy",
    "M/d/yy",
    "dd/MM/yy",
    "d/M/yy",
    "dd-MM-yyyy",
    "d-M-yyyy",
    "MM-dd-yyyy",
    "M-d-yyyy",
    "d MMMM yyyy",
    "d MMM yyyy",
    "d-MMM-yyyy",
    "d-MMM-yy",
    "d. MMMM yyyy",
    "d. MMM yyyy",
    "MMMM d, yyyy",
    "MMM d, yyyy",
    "MMMM d yyyy",
    "MMM d yyyy",
    "yyyy MMM d",
    "EEEE, MMMM d, yyyy",
];

/// What comes after a day.
const TIMES: [&str; 8] =
    [" HH:mm", " H:mm", " HH:mm:ss", " H:mm:ss", " hh:mm a", " h:mm a", " hh:mm:ss a", " h:mm:ss a"];

/// ISO days before times that ISO 8601 does not have.
const ISO: &str = "yyyy-MM-dd";

static PATTERNS: LazyLock<Vec<(CellType, Pattern)>> = LazyLock::new(|| {
    let days = DAYS.iter().map(|day| (CellType::Date, (*day).to_owned()));
    let moments =
        DAYS.iter().chain([&ISO]).flat_map(|day| TIMES.map(|time| (CellType::DateTime, format!("{day}{time}"))));
    days.chain(moments).filter_map(|(ty, source)| Some((ty, Pattern::parse(&source, ty).ok()?))).collect()
});

/// Why texts have no pattern.
#[derive(Debug, PartialEq)]
pub(super) enum Unclear {
    /// None fits.
    None,
    /// Two fit, and read something differently.
    Two(String, String),
}

/// The pattern that all of the texts are written by.
pub(super) fn pattern(texts: &[&str]) -> Result<(CellType, String), Unclear> {
    let read = |pattern: &Pattern| texts.iter().map(|text| pattern.read(text).ok()).collect::<Option<Vec<Value>>>();
    let mut found: Option<(CellType, &Pattern, Vec<Value>)> = None;
    for (ty, pattern) in PATTERNS.iter() {
        let Some(values) = read(pattern) else { continue };
        match &found {
            None => found = Some((*ty, pattern, values)),
            Some((_, first, known)) if *known != values => {
                return Err(Unclear::Two(first.source().to_owned(), pattern.source().to_owned()));
            }
            Some(_) => {}
        }
    }
    found.map(|(ty, pattern, _)| (ty, pattern.source().to_owned())).ok_or(Unclear::None)
}
