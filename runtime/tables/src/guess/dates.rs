//! The single list of forms of dates and datetimes other than those of ISO 8601.

use std::sync::LazyLock;

use model::Value;

use crate::cell_type::CellType;
use crate::pattern::Pattern;

/// Common forms of dates; among forms that read the same, the strictest comes first.
const DAYS: &[&str] = &[
    "yyyy/MM/dd",
    "yyyy/M/d",
    "yyyy.MM.dd",
    "yyyy.M.d",
    "yyyy-M-d",
    "dd.MM.yyyy",
    "d.M.yyyy",
    "dd.MM.yy",
    "d.M.yy",
    "dd/MM/yyyy",
    "d/M/yyyy",
    "MM/dd/yyyy",
    "M/d/yyyy",
    "dd/MM/yy",
    "d/M/yy",
    "MM/dd/yy",
    "M/d/yy",
    "dd-MM-yyyy",
    "d-M-yyyy",
    "MM-dd-yyyy",
    "M-d-yyyy",
    "d MMM yyyy",
    "d MMMM yyyy",
    "d-MMM-yyyy",
    "d-MMM-yy",
    "d. MMM yyyy",
    "d. MMMM yyyy",
    "MMM d, yyyy",
    "MMMM d, yyyy",
    "MMM d yyyy",
    "MMMM d yyyy",
    "yyyy MMM d",
    "EEE, d MMM yyyy",
    "EEEE, d MMMM yyyy",
    "EEEE, MMMM d, yyyy",
];

/// Forms that are dates only if the author says so: a number, or a part of a date.
const ASKED: &[&str] = &["yyyyMMdd", "yyyy-MM", "MM/yyyy", "MMM yyyy", "MMMM yyyy", "yyyy"];

/// Forms of times after a date.
const TIMES: &[&str] = &[
    " HH:mm",
    " H:mm",
    " HH:mm:ss",
    " H:mm:ss",
    " hh:mm a",
    " h:mm a",
    " hh:mm:ss a",
    " h:mm:ss a",
    ", HH:mm",
    "'T'HH:mm",
];

/// The ISO date, before times that ISO 8601 lacks.
const ISO: &str = "yyyy-MM-dd";

static PATTERNS: LazyLock<Vec<(CellType, Pattern)>> = LazyLock::new(|| {
    let days = DAYS.iter().map(|day| (CellType::Date, (*day).to_owned()));
    let moments = DAYS
        .iter()
        .chain([&ISO])
        .flat_map(|day| TIMES.iter().map(move |time| (CellType::DateTime, format!("{day}{time}"))));
    parse_patterns(days.chain(moments))
});

/// The forms that a column of dates, or of datetimes, may have if its author declares the type.
static OF_DATES: LazyLock<Vec<(CellType, Pattern)>> =
    LazyLock::new(|| parse_patterns(DAYS.iter().chain(ASKED).map(|day| (CellType::Date, (*day).to_owned()))));
static OF_MOMENTS: LazyLock<Vec<(CellType, Pattern)>> = LazyLock::new(|| {
    let whole = DAYS.iter().chain([&ISO, &"yyyyMMdd"]);
    let moments = whole.flat_map(|day| TIMES.iter().map(move |time| format!("{day}{time}")));
    let days = DAYS.iter().chain(ASKED).map(|day| (*day).to_owned());
    parse_patterns(moments.chain(days).map(|source| (CellType::DateTime, source)))
});

fn parse_patterns(sources: impl Iterator<Item = (CellType, String)>) -> Vec<(CellType, Pattern)> {
    sources.filter_map(|(ty, source)| Some((ty, Pattern::parse(&source, ty).ok()?))).collect()
}

/// Two patterns that match all texts, but read one of them differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoPatterns {
    /// One pattern.
    pub first: String,
    /// The other.
    pub second: String,
    /// The text that they read differently.
    pub cell: String,
}

/// Finds the pattern of all texts, if there is one, and whether they are dates or datetimes; `asked` is the type that the author declares.
///
/// # Errors
/// Two patterns read the texts differently.
pub fn infer_pattern(texts: &[&str], asked: Option<CellType>) -> Result<Option<(CellType, String)>, TwoPatterns> {
    let patterns: &[(CellType, Pattern)] = match asked {
        None => &PATTERNS,
        Some(CellType::Date) => &OF_DATES,
        Some(CellType::DateTime) => &OF_MOMENTS,
        Some(_) => return Ok(None),
    };
    let read = |pattern: &Pattern| texts.iter().map(|text| pattern.read(text).ok()).collect::<Option<Vec<Value>>>();
    let mut found: Option<(CellType, &Pattern, Vec<Value>)> = None;
    for (ty, pattern) in patterns {
        let Some(values) = read(pattern) else { continue };
        let Some((_, first, known)) = &found else {
            found = Some((*ty, pattern, values));
            continue;
        };
        let differs = known.iter().zip(&values).position(|(first, second)| !first.is_same(second));
        if let Some(cell) = differs.and_then(|at| texts.get(at)) {
            let (first, second) = (first.source().to_owned(), pattern.source().to_owned());
            return Err(TwoPatterns { first, second, cell: (*cell).to_owned() });
        }
    }
    Ok(found.map(|(ty, pattern, _)| (ty, pattern.source().to_owned())))
}
