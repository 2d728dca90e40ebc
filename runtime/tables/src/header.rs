//! Column names from the header of a file, which has one or two rows.

use crate::{FaultKind, Raw};

/// The text between the upper and the lower name.
pub const JOINT: &str = " / ";

/// Normalizes a header cell: trims it, and reduces runs of whitespace to one space.
pub(crate) fn normalize_header(cell: &Raw<'_>) -> String {
    normalize_blanks(&cell.render_cell())
}

/// Trims a text, and reduces runs of whitespace to one space.
pub fn normalize_blanks(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut tidy = words.next().unwrap_or_default().to_owned();
    for word in words {
        tidy.push(' ');
        tidy.push_str(word);
    }
    tidy
}

/// Joins a header of two rows. Names in the upper row extend to the right; a column without a lower name has only its own upper one.
pub(crate) fn join_headers(upper: &[Raw<'_>], lower: &[Raw<'_>]) -> Vec<String> {
    let mut group = String::new();
    let mut names = Vec::with_capacity(upper.len().max(lower.len()));
    for at in 0..upper.len().max(lower.len()) {
        let cell = |row: &[Raw<'_>]| row.get(at).map(normalize_header).unwrap_or_default();
        let (own, name) = (cell(upper), cell(lower));
        if !own.is_empty() {
            group.clone_from(&own);
        }
        names.push(match (group.is_empty(), name.is_empty()) {
            (_, true) => own,
            (true, false) => name,
            (false, false) => format!("{group}{JOINT}{name}"),
        });
    }
    names
}

/// Returns the index, from 0, of the column with this header.
///
/// ```
/// use tables::FaultKind;
/// use tables::header::find_header;
///
/// let headers = ["ID", "North / N", "N", "N"].map(str::to_owned);
/// // Blanks are evened out, letter case is not.
/// assert_eq!(find_header(&headers, " North /  N "), Ok(1));
/// assert!(matches!(find_header(&headers, "id"), Err(FaultKind::NoHeader { .. })));
/// assert_eq!(find_header(&headers, "N"), Err(FaultKind::TwoHeaders { header: "N".to_owned(), positions: vec![3, 4] }));
/// ```
///
/// # Errors
/// No column has it, or several do.
pub fn find_header(headers: &[String], header: &str) -> Result<usize, FaultKind> {
    match list_positions(headers, &normalize_blanks(header)).as_slice() {
        [at] => Ok(*at),
        [] => Err(FaultKind::NoHeader { header: header.to_owned(), headers: headers.to_vec() }),
        several => {
            let positions = several.iter().map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX)).collect();
            Err(FaultKind::TwoHeaders { header: header.to_owned(), positions })
        }
    }
}

/// Lists the indexes of the columns whose header is exactly this one.
pub(crate) fn list_positions(headers: &[String], header: &str) -> Vec<usize> {
    headers.iter().enumerate().filter(|(_, name)| *name == header).map(|(at, _)| at).collect()
}
