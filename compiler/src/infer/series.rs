//! Series of headers that are values: years, months, or one name with numbers. The cells below them belong to one variable, so the table is long where the file
//! is wide.

use tables::CellType;

/// Adjacent columns whose headers are the values of one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Series {
    /// The index of the first column.
    pub first: usize,
    /// The index of the last column.
    pub last: usize,
    /// A name for the variable.
    pub name: String,
    /// The type of the headers.
    pub ty: CellType,
}

/// The minimum number of columns in a series.
const LEAST: usize = 4;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The common form of the headers in a series.
#[derive(PartialEq, Eq)]
enum Kind {
    Year,
    Month,
    /// The text before and after the number.
    Numbered(String, String),
}

/// Finds the longest series in a header.
pub(super) fn find_longest_series(header: &[String]) -> Option<Series> {
    let kinds: Vec<Option<Kind>> = header.iter().map(|name| classify_header(name)).collect();
    let mut best: Option<(usize, usize)> = None;
    let mut first = 0;
    while let Some(start) = kinds.get(first) {
        let run = kinds.iter().skip(first).take_while(|kind| kind.is_some() && *kind == start).count().max(1);
        if run >= LEAST
            && best.is_none_or(|(_, longest)| run > longest)
            && has_no_repeats(header.get(first..first + run)?)
        {
            best = Some((first, run));
        }
        first += run;
    }
    let (first, run) = best?;
    let name = match kinds.into_iter().nth(first)?? {
        Kind::Year => "YEAR".to_owned(),
        Kind::Month => "MONTH".to_owned(),
        Kind::Numbered(before, after) if before.is_empty() => after,
        Kind::Numbered(before, _) => before,
    };
    let ints = header.get(first..first + run)?.iter().all(|name| name.parse::<u32>().is_ok());
    let ty = if ints { CellType::Int } else { CellType::Text };
    Some(Series { first, last: first + run - 1, name, ty })
}

fn classify_header(name: &str) -> Option<Kind> {
    let folded = name.to_lowercase();
    let word = folded.trim_end_matches('.');
    if word.len() >= 3 && MONTHS.iter().any(|month| *month == word || word.len() <= 4 && month.starts_with(word)) {
        return Some(Kind::Month);
    }
    if name.len() == 4 && name.parse::<u32>().is_ok_and(|year| (1500..2200).contains(&year)) {
        return Some(Kind::Year);
    }
    let start = name.find(|char: char| char.is_ascii_digit())?;
    let (before, rest) = name.split_at(start);
    let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
    let (_, after) = rest.split_at(end);
    let numbered = before.chars().any(char::is_alphabetic) || after.chars().any(char::is_alphabetic);
    // A second number indicates a second variable.
    let once = !after.contains(|char: char| char.is_ascii_digit());
    (numbered && once).then(|| Kind::Numbered(before.to_owned(), after.to_owned()))
}

fn has_no_repeats(names: &[String]) -> bool {
    names.iter().enumerate().all(|(at, name)| !names.iter().take(at).any(|earlier| earlier == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_one_variable_are_a_series() {
        let of = |header: &str| {
            let header: Vec<String> = header.split(',').map(str::to_owned).collect();
            find_longest_series(&header)
                .map(|series| format!("{}..{} {} {}", series.first, series.last, series.name, series.ty.name()))
        };
        for (header, found) in [
            ("Area,2001,2002,2003,2004", Some("1..4 YEAR int")),
            ("Area,2001,2002,2003", None),
            ("Year,Jan,Feb,Mar,Apr,May,Total", Some("1..5 MONTH text")),
            ("Week 1,Week 2,Week 3,Week 4,Note", Some("0..3 Week  text")),
            ("1990,1991,1992,1993,x,Q1,Q2,Q3,Q4,Q5", Some("5..9 Q text")),
            ("2001,2002,2003,2003", None),
            ("1,2,3,4", None),
            ("a,b,c,d,e", None),
            ("A1 B2,A1 B3,A1 B4,A1 B5", None),
        ] {
            assert_eq!(of(header).as_deref(), found, "{header}");
        }
    }
}
