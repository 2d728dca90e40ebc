//! Columns that become rows.

use std::collections::HashMap;

use crate::header::list_positions;
use crate::{Reading, UnpivotFault};

/// Columns that become rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Unpivot {
    /// The column for the headers, or for the part that matches `*`.
    pub name: String,
    /// The way in which they are read.
    pub reading: Reading,
    /// The columns for the cells, one for each list of headers.
    pub values: Vec<Values>,
}

/// A column for cells below several headers.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// Its name in the suite.
    pub name: String,
    /// The way in which its cells are read.
    pub reading: Reading,
    /// The headers of these cells.
    pub headers: Headers,
}

/// Several headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Headers {
    /// These headers.
    List(Vec<String>),
    /// The headers from the first to the second, in the order of the file.
    Span(String, String),
    /// The headers that match a text with one `*`.
    Star(String),
}

/// One of the rows that a record becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpivotRow {
    /// The text for the first column: the header, or the part that matches `*`.
    pub text: String,
    /// The index of each value column's cell, from 0.
    pub places: Vec<usize>,
}

/// An error of the declaration, independent of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnpivotError {
    /// Several columns of cells, of which this one has no text with `*`, so their cells cannot be assigned to rows.
    Several(usize),
    /// The text of this column has no `*`.
    NoStar(usize),
    /// The text of this column has several `*`.
    Stars(usize),
    /// The list of this column names a header twice.
    Again(usize, String),
}

impl Unpivot {
    /// Checks the declaration independently of a file.
    pub fn check_definition(&self) -> Result<(), UnpivotError> {
        let several = self.values.len() > 1;
        for (index, values) in self.values.iter().enumerate() {
            match &values.headers {
                Headers::Star(text) => match text.matches('*').count() {
                    0 => return Err(UnpivotError::NoStar(index)),
                    1 => {}
                    _ => return Err(UnpivotError::Stars(index)),
                },
                _ if several => return Err(UnpivotError::Several(index)),
                Headers::List(names) => {
                    let again = names.iter().enumerate().find(|(at, name)| names.iter().take(*at).any(|x| x == *name));
                    if let Some((_, name)) = again {
                        return Err(UnpivotError::Again(index, name.clone()));
                    }
                }
                Headers::Span(..) => {}
            }
        }
        Ok(())
    }

    /// Returns the rows into which each record of a file with this header is converted, in the order of the first column of cells. Columns that are
    /// read otherwise (`taken`, from 0) never match `*`.
    ///
    /// ```
    /// use tables::unpivot::{Headers, Unpivot, Values};
    /// use tables::{CellType, Reading, UnpivotFault};
    ///
    /// let reading = || Reading::from_type(CellType::Text);
    /// let resolve = |headers: Headers| -> Result<Vec<(String, Vec<usize>)>, UnpivotFault> {
    ///     let values = vec![Values { name: "SALES".to_owned(), reading: reading(), headers }];
    ///     let unpivot = Unpivot { name: "MONTH".to_owned(), reading: reading(), values };
    ///     let header = ["YEAR", "Jan", "Feb", "Mar"].map(str::to_owned);
    ///     // The first column is read otherwise.
    ///     let rows = unpivot.resolve_arms(&header, &[0])?;
    ///     Ok(rows.into_iter().map(|row| (row.text, row.places)).collect())
    /// };
    /// let span = |from: &str, to: &str| Headers::Span(from.to_owned(), to.to_owned());
    /// let rows = [("Jan", 1), ("Feb", 2), ("Mar", 3)].map(|(month, at)| (month.to_owned(), vec![at]));
    /// assert_eq!(resolve(span("Jan", "Mar")), Ok(rows.to_vec()));
    /// assert_eq!(resolve(Headers::Star("*".to_owned())), Ok(rows.to_vec()));
    /// let backwards = UnpivotFault::Backwards("Mar".to_owned(), "Jan".to_owned());
    /// assert_eq!(resolve(span("Mar", "Jan")), Err(backwards));
    /// ```
    pub fn resolve_arms(&self, header: &[String], taken: &[usize]) -> Result<Vec<UnpivotRow>, UnpivotFault> {
        let Some((first, others)) = self.values.split_first() else { return Ok(Vec::new()) };
        let mut arms: Vec<UnpivotRow> = find_columns(&first.headers, header, taken)?
            .into_iter()
            .map(|(text, place)| UnpivotRow { text, places: vec![place] })
            .collect();
        for values in others {
            let unpaired = |star: &str, has: &Headers, lacks: &Headers| UnpivotFault::Unpaired {
                star: star.to_owned(),
                has: has.to_string(),
                lacks: lacks.to_string(),
            };
            let found = find_columns(&values.headers, header, taken)?;
            let places: HashMap<&str, usize> = found.iter().map(|(star, place)| (star.as_str(), *place)).collect();
            let known: std::collections::HashSet<&str> = arms.iter().map(|arm| arm.text.as_str()).collect();
            if let Some((star, _)) = found.iter().find(|(star, _)| !known.contains(star.as_str())) {
                return Err(unpaired(star, &values.headers, &first.headers));
            }
            for arm in &mut arms {
                let place = places.get(arm.text.as_str());
                arm.places.push(*place.ok_or_else(|| unpaired(&arm.text, &first.headers, &values.headers))?);
            }
        }
        Ok(arms)
    }
}

impl std::fmt::Display for Headers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Headers::List(names) => f.write_str(&names.join(", ")),
            Headers::Span(from, to) => write!(f, "{from}..{to}"),
            Headers::Star(text) => f.write_str(text),
        }
    }
}

/// Finds the columns, each with the text for the first column of the unpivot.
fn find_columns(headers: &Headers, header: &[String], taken: &[usize]) -> Result<Vec<(String, usize)>, UnpivotFault> {
    match headers {
        Headers::List(names) => names.iter().map(|name| Ok((name.clone(), find_column(name, header)?))).collect(),
        Headers::Span(from, to) => {
            let (start, end) = (find_column(from, header)?, find_column(to, header)?);
            if end < start {
                return Err(UnpivotFault::Backwards(from.clone(), to.clone()));
            }
            let between = header.iter().enumerate().take(end + 1).skip(start);
            Ok(between.map(|(place, name)| (name.clone(), place)).collect())
        }
        Headers::Star(text) => {
            let (prefix, suffix) = text.split_once('*').unwrap_or((text, ""));
            let mut found: Vec<(String, usize)> = Vec::new();
            let mut seen: HashMap<&str, usize> = HashMap::new();
            for (place, name) in header.iter().enumerate().filter(|(place, _)| !taken.contains(place)) {
                let star = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix)).map(str::trim);
                let Some(star) = star.filter(|star| !star.is_empty()) else { continue };
                if let Some(before) = seen.insert(star, place) {
                    return Err(UnpivotFault::TwoHeaders { header: name.clone(), positions: vec![before, place] });
                }
                found.push((star.to_owned(), place));
            }
            if found.is_empty() { Err(UnpivotFault::NoneFits(text.clone())) } else { Ok(found) }
        }
    }
}

fn find_column(name: &str, header: &[String]) -> Result<usize, UnpivotFault> {
    let positions = list_positions(header, name);
    match positions.as_slice() {
        [place] => Ok(*place),
        [] => Err(UnpivotFault::NoHeader(name.to_owned())),
        _ => Err(UnpivotFault::TwoHeaders { header: name.to_owned(), positions }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellType;

    fn unpivot(headers: &[Headers]) -> Unpivot {
        let reading = || Reading::from_type(CellType::Text);
        let values =
            headers.iter().map(|headers| Values { name: "N".to_owned(), reading: reading(), headers: headers.clone() });
        Unpivot { name: "A".to_owned(), reading: reading(), values: values.collect() }
    }

    fn arms(headers: &[Headers], header: &[&str]) -> Result<Vec<(String, Vec<usize>)>, UnpivotFault> {
        let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
        let unpivot = unpivot(headers);
        assert_eq!(unpivot.check_definition(), Ok(()));
        Ok(unpivot.resolve_arms(&header, &[0])?.into_iter().map(|arm| (arm.text, arm.places)).collect())
    }

    fn star(text: &str) -> Headers {
        Headers::Star(text.to_owned())
    }

    fn list(names: &[&str]) -> Headers {
        Headers::List(names.iter().map(|name| (*name).to_owned()).collect())
    }

    fn span(from: &str, to: &str) -> Headers {
        Headers::Span(from.to_owned(), to.to_owned())
    }

    fn row(text: &str, places: &[usize]) -> (String, Vec<usize>) {
        (text.to_owned(), places.to_vec())
    }

    #[test]
    fn a_list_keeps_its_own_order_and_a_span_that_of_the_file() {
        let header = ["Year", "Jan", "Feb", "Mar", "All"];
        assert_eq!(arms(&[list(&["Mar", "Jan"])], &header), Ok(vec![row("Mar", &[3]), row("Jan", &[1])]));
        assert_eq!(
            arms(&[span("Jan", "Mar")], &header),
            Ok(vec![row("Jan", &[1]), row("Feb", &[2]), row("Mar", &[3])])
        );
        let backwards = UnpivotFault::Backwards("Mar".to_owned(), "Jan".to_owned());
        assert_eq!(arms(&[span("Mar", "Jan")], &header), Err(backwards));
        assert_eq!(arms(&[list(&["May"])], &header), Err(UnpivotFault::NoHeader("May".to_owned())));
        assert!(matches!(arms(&[list(&["a"])], &["y", "a", "a"]), Err(UnpivotFault::TwoHeaders { .. })));
    }

    #[test]
    fn cells_of_an_equal_star_make_one_row() {
        let header = ["Date", "North / N", "North / Tag", "South / Tag", "South / N", "Note"];
        let expected = vec![row("North", &[2, 1]), row("South", &[3, 4])];
        assert_eq!(arms(&[star("* / Tag"), star("* / N")], &header), Ok(expected));
        // What something else reads is not meant by `*`.
        assert_eq!(arms(&[star("*")], &["Date", "a"]), Ok(vec![row("a", &[1])]));
    }

    #[test]
    fn a_star_that_one_text_has_and_another_lacks_is_a_fault_both_ways() {
        for header in [["Date", "a / N", "b / N", "a / Tag"], ["Date", "a / Tag", "b / Tag", "a / N"]] {
            let fault = arms(&[star("* / Tag"), star("* / N")], &header);
            assert!(matches!(fault, Err(UnpivotFault::Unpaired { ref star, .. }) if star == "b"), "{fault:?}");
        }
        assert_eq!(arms(&[star("*!")], &["Date", "a"]), Err(UnpivotFault::NoneFits("*!".to_owned())));
        assert!(matches!(arms(&[star("* x")], &["Date", "a x", "a x"]), Err(UnpivotFault::TwoHeaders { .. })));
    }

    #[test]
    fn what_no_file_can_have_is_known_without_one() {
        for (headers, error) in [
            (vec![star("* N"), list(&["a"])], UnpivotError::Several(1)),
            (vec![span("a", "b"), star("* N")], UnpivotError::Several(0)),
            (vec![star("N")], UnpivotError::NoStar(0)),
            (vec![star("* *")], UnpivotError::Stars(0)),
            (vec![list(&["a", "b", "a"])], UnpivotError::Again(0, "a".to_owned())),
        ] {
            assert_eq!(unpivot(&headers).check_definition(), Err(error), "{headers:?}");
        }
    }
}
