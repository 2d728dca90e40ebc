//! What an author may have meant by a column whose cells do not fit: patterns and null marks with which all of its cells can be read. Nothing is
//! proposed that does not read every cell.

use std::collections::BTreeSet;

use plan::Value;

use crate::layout::DELIMITERS;
use crate::pattern::Pattern;
use crate::read::read;
use crate::records::records;
use crate::{CellType, Reading, Shape};

/// What would read all cells of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// This way.
    Way(Way),
    /// Two patterns read all of them, and this cell differently.
    Either {
        /// A pattern.
        first: String,
        /// The other.
        second: String,
        /// A cell that tells them apart.
        cell: String,
    },
}

/// A way to read cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// As what.
    pub ty: CellType,
    /// The patterns; none where the type is written as usual.
    pub written: Vec<String>,
    /// The null marks, those that there were among them.
    pub missing: Vec<String>,
    /// Those that are new.
    pub marks: Vec<String>,
}

/// At most this many cells become null marks, of at most this many characters.
const MOST_MARKS: usize = 3;
const MOST_MARK: usize = 20;
/// At most this many patterns of numbers are found.
const MOST_PATTERNS: usize = 3;
/// At most this many different cells are looked at.
const MOST_CELLS: usize = 200_000;

/// Patterns of dates that are in use, the strictest of those that read the same first.
const DATES: &[&str] = &[
    "dd.MM.yyyy",
    "d.M.yyyy",
    "dd/MM/yyyy",
    "d/M/yyyy",
    "MM/dd/yyyy",
    "M/d/yyyy",
    "dd-MM-yyyy",
    "d-M-yyyy",
    "MM-dd-yyyy",
    "M-d-yyyy",
    "yyyy/MM/dd",
    "yyyy/M/d",
    "yyyy.MM.dd",
    "yyyy-M-d",
    "yyyyMMdd",
    "dd.MM.yy",
    "d.M.yy",
    "d/M/yy",
    "M/d/yy",
    "d MMM yyyy",
    "d MMMM yyyy",
    "d. MMM yyyy",
    "d. MMMM yyyy",
    "d-MMM-yyyy",
    "d-MMM-yy",
    "MMM d, yyyy",
    "MMMM d, yyyy",
    "MMMM d yyyy",
    "EEE, d MMM yyyy",
    "EEEE, d MMMM yyyy",
    "EEEE, MMMM d, yyyy",
    "yyyy-MM",
    "MM/yyyy",
    "MMM yyyy",
    "MMMM yyyy",
    "yyyy",
];

/// What may follow a day.
const TIMES: &[&str] = &[" HH:mm", " HH:mm:ss", " H:mm", " h:mm a", " h:mm:ss a", ", HH:mm", "'T'HH:mm"];

/// What would read all cells of a column (in the order of [`crate::Part::columns`]) in all files.
pub fn propose<'f>(shape: &Shape, column: usize, files: impl Iterator<Item = (&'f str, &'f [u8])>) -> Option<Proposal> {
    // Where lines are compared with a pattern, the types decide what is a row.
    if shape.line.is_some() {
        return None;
    }
    let own = shape.reading(column)?.clone();
    let shape = as_texts(shape);
    let mut cells: BTreeSet<String> = BTreeSet::new();
    for (path, bytes) in files {
        let part = read(&shape, path, bytes).ok()?;
        for cell in part.columns.get(column)? {
            match cell {
                Value::Null => {}
                Value::Text(text) if cells.contains(text.trim()) => {}
                Value::Text(text) if cells.len() < MOST_CELLS => drop(cells.insert(text.trim().into())),
                _ => return None,
            }
        }
    }
    way(&own, &cells)
}

/// Another delimiter with which a file has all that the shape asks for, and more than one column.
pub fn delimiter(shape: &Shape, path: &str, bytes: &[u8]) -> Option<u8> {
    let own = shape.layout.delimiter;
    let mut shape = as_texts(shape);
    if !shape.layout.format.reading.contains(&"delimiter") {
        return None;
    }
    let mut others = DELIMITERS.into_iter().filter(|other| *other != own);
    others.find(|other| {
        shape.layout.delimiter = *other;
        let several = records(&shape.layout, path, bytes).is_ok_and(|records| records.header.len() > 1);
        several && read(&shape, path, bytes).is_ok()
    })
}

/// The same table, each cell as its text.
fn as_texts(shape: &Shape) -> Shape {
    let text = |reading: &mut Reading| {
        *reading = Reading { missing: std::mem::take(&mut reading.missing), ..Reading::plain(CellType::Text) }
    };
    let mut shape = shape.clone();
    shape.columns.iter_mut().for_each(|column| text(&mut column.reading));
    if let Some(unpivot) = &mut shape.unpivot {
        text(&mut unpivot.reading);
        unpivot.values.iter_mut().for_each(|values| text(&mut values.reading));
    }
    shape
}

/// What would read all of these cells, none of which is a null mark yet.
fn way(own: &Reading, cells: &BTreeSet<String>) -> Option<Proposal> {
    if own.ty == CellType::Text {
        return None;
    }
    let fits = |reading: &Reading, cell: &str| reading.read_text(cell).is_ok();
    // A cell with a digit says something; it is never proposed as a null mark.
    let (told, marks): (Vec<&str>, Vec<&str>) = cells
        .iter()
        .map(String::as_str)
        .partition(|cell| fits(own, cell) || cell.bytes().any(|byte| byte.is_ascii_digit()));
    if marks.len() > MOST_MARKS || marks.iter().any(|mark| mark.chars().count() > MOST_MARK) {
        return None;
    }
    let marks: Vec<String> = marks.into_iter().map(str::to_owned).collect();
    let missing: Vec<String> = own.missing.iter().chain(&marks).cloned().collect();
    let all = |ty: CellType, written: &[String]| {
        let parsed = written.iter().map(|pattern| Pattern::parse(pattern, ty).ok()).collect::<Option<Vec<Pattern>>>();
        parsed.is_some_and(|written| {
            let reading = Reading { ty, missing: Vec::new(), written };
            told.iter().all(|cell| fits(&reading, cell))
        })
    };
    let as_this = |ty: CellType, written: Vec<String>| {
        Some(Proposal::Way(Way { ty, written, missing: missing.clone(), marks: marks.clone() }))
    };
    let current: Vec<String> = own.written.iter().map(|pattern| pattern.source().to_owned()).collect();
    if all(own.ty, &current) {
        return as_this(own.ty, current);
    }
    if own.ty.is_number() {
        if let Some(written) = numbers(own, &told, &current).filter(|written| all(own.ty, written)) {
            return as_this(own.ty, written);
        }
        let wider = [CellType::Decimal(None), CellType::Float];
        return wider.into_iter().find(|ty| *ty != own.ty && all(*ty, &[])).and_then(|ty| as_this(ty, Vec::new()));
    }
    if !own.ty.is_calendar() {
        return None;
    }
    if own.ty == CellType::Date && all(CellType::DateTime, &[]) {
        return as_this(CellType::DateTime, Vec::new());
    }
    if let Some(written) = relaxed(&current).into_iter().find(|written| all(own.ty, written)) {
        return as_this(own.ty, written);
    }
    let mut found: Option<(String, Pattern)> = None;
    for source in dates(own.ty).filter(|source| all(own.ty, std::slice::from_ref(source))) {
        let Ok(pattern) = Pattern::parse(&source, own.ty) else { continue };
        let Some((first, known)) = &found else {
            found = Some((source, pattern));
            continue;
        };
        let same = |cell: &str| match (known.read(cell), pattern.read(cell)) {
            (Ok(first), Ok(second)) => first.same(&second),
            _ => true,
        };
        if let Some(cell) = told.iter().find(|cell| !same(cell)) {
            return Some(Proposal::Either { first: first.clone(), second: source, cell: (*cell).to_owned() });
        }
    }
    as_this(own.ty, vec![found?.0])
}

/// The fields of days and times that can be written without a leading zero.
const PADDED: [char; 4] = ['d', 'M', 'H', 'h'];

/// The author's own patterns with some of these fields as short as they come, those with the fewest changes first: in one of the patterns, then in all.
fn relaxed(written: &[String]) -> Vec<Vec<String>> {
    let mut choices: Vec<u32> = (1..1 << PADDED.len()).collect();
    choices.sort_by_key(|fields| fields.count_ones());
    let mut found: Vec<Vec<String>> = Vec::new();
    for every in [false, true] {
        for fields in &choices {
            let short = |pattern: &String| shortened(pattern, *fields);
            if every {
                found.push(written.iter().map(short).collect());
                continue;
            }
            for one in 0..written.len() {
                let each = written.iter().enumerate();
                found
                    .push(each.map(|(at, pattern)| if at == one { short(pattern) } else { pattern.clone() }).collect());
            }
        }
    }
    found.retain(|patterns| patterns != written);
    found
}

/// A pattern with one letter for two of each of these [`PADDED`] fields; what is in quotes stays.
fn shortened(pattern: &str, fields: u32) -> String {
    let mut short = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let mut quoted = false;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|other| other != first).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        let field = PADDED.iter().position(|letter| *letter == first);
        let once = !quoted && run.len() == 2 && field.is_some_and(|field| fields >> field & 1 == 1);
        match once {
            true => short.push(first),
            false => short.push_str(run),
        }
        quoted ^= first == '\'' && run.len() % 2 == 1;
        rest = after;
    }
    short
}

/// Patterns of days, or of moments.
fn dates(ty: CellType) -> Box<dyn Iterator<Item = String>> {
    let days = DATES.iter().map(|day| (*day).to_owned());
    if ty == CellType::Date {
        return Box::new(days);
    }
    let whole = |day: &&&str| day.contains('d');
    let moments = DATES.iter().filter(whole).flat_map(|day| TIMES.iter().map(move |time| format!("{day}{time}")));
    Box::new(moments.chain(days))
}

/// Patterns of numbers: those that there are, and one for each form that they do not read.
fn numbers(own: &Reading, told: &[&str], current: &[String]) -> Option<Vec<String>> {
    let mut found: Vec<(String, Pattern)> = Vec::new();
    for cell in told.iter().filter(|cell| own.read_text(cell).is_err()) {
        if found.iter().any(|(_, pattern)| pattern.read(cell).is_ok()) {
            continue;
        }
        if found.len() == MOST_PATTERNS {
            return None;
        }
        // A number is a pattern for its own form, or nearly one: what it says instead is.
        let form = cell.strip_prefix('-').unwrap_or(cell);
        let source = match Pattern::parse(form, own.ty) {
            Ok(_) => form.to_owned(),
            Err(error) => error.instead?,
        };
        let pattern = Pattern::parse(&source, own.ty).ok()?;
        found.push((source, pattern));
    }
    let found: Vec<String> = found.into_iter().map(|(source, _)| source).collect();
    if !current.is_empty() {
        return Some(current.iter().cloned().chain(found).collect());
    }
    // A pattern replaces the usual reading: the cells that it has read need one, too.
    let read = |patterns: &[String], cell: &str| {
        let mut patterns = patterns.iter().filter_map(|pattern| Pattern::parse(pattern, own.ty).ok());
        patterns.any(|pattern| pattern.read(cell).is_ok())
    };
    let usual: Vec<&str> = told.iter().filter(|cell| !read(&found, cell)).copied().collect();
    if usual.is_empty() {
        return Some(found);
    }
    let point = if usual.iter().any(|cell| cell.contains('.')) { ".0" } else { "" };
    let usual = ["0", "#,##0"]
        .iter()
        .map(|body| vec![format!("{body}{point}")])
        .find(|patterns| usual.iter().all(|cell| read(patterns, cell)));
    Some(usual?.into_iter().chain(found).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The proposal for these cells, as an author writes it.
    fn proposed(ty: CellType, written: &[&str], cells: &[&str]) -> String {
        let written = written.iter().map(|pattern| Pattern::parse(pattern, ty).expect("a pattern")).collect();
        let own = Reading { ty, missing: vec!["gone".to_owned()], written };
        let cells = cells.iter().map(|cell| (*cell).to_owned()).collect();
        match way(&own, &cells) {
            None => "nothing".to_owned(),
            Some(Proposal::Either { first, second, cell }) => format!("{first} or {second} of {cell}"),
            Some(Proposal::Way(way)) => {
                let marks = way.marks.iter().map(|mark| format!("-{mark}"));
                let words = std::iter::once(way.ty.name().to_owned()).chain(way.written).chain(marks);
                words.collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn what_reads_every_cell_is_proposed_and_nothing_else() {
        use CellType::{Bool, Date, DateTime, Decimal, Float, Int, Text};
        let decimal = Decimal(None);
        for (ty, written, cells, found) in [
            // A mark with a digit is a value.
            (decimal, &[][..], &["1.5", "0.3T", "1.8T", "M"][..], "decimal 0.0 0.0T -M"),
            (decimal, &["0.0"], &["1.5", "0.3T", ""], "decimal 0.0 0.0T -"),
            (Int, &[], &["1", "M", "-"], "int -- -M"),
            (Int, &[], &["1", "a", "b", "c", "d"], "nothing"),
            (Int, &[], &["1", "2.5"], "decimal"),
            (Int, &[], &["12 km", "1,200 km"], "int #,##0 km"),
            (Int, &[], &["7", "12 km"], "int 0 0 km"),
            (decimal, &[], &["3,5", "10,25"], "decimal 0,00"),
            (decimal, &[], &["1.234,50 €", "7,00 €"], "decimal #.##0,00 €"),
            (Float, &[], &["12%", "7.5%"], "float 0%"),
            (Int, &[], &["4th of 12"], "nothing"),
            (Date, &[], &["04.01.2021", "31.12.2021"], "date dd.MM.yyyy"),
            (Date, &[], &["4.1.2021", "31.12.2021", "n/a"], "date d.M.yyyy -n/a"),
            (Date, &[], &["4/1/2021", "31/12/2021"], "date d/M/yyyy"),
            (Date, &[], &["12/31/2021"], "date MM/dd/yyyy"),
            (Date, &[], &["03/04/2021", "05/05/2021"], "dd/MM/yyyy or MM/dd/yyyy of 03/04/2021"),
            (Date, &[], &["05/05/2021"], "date dd/MM/yyyy"),
            (Date, &[], &["Mar 4, 2021"], "date MMM d, yyyy"),
            (Date, &[], &["2021"], "date yyyy"),
            (Date, &[], &["2021-02-03 10:30"], "datetime"),
            (Date, &[], &["2021-02-30"], "nothing"),
            (DateTime, &[], &["31.12.2021 10:30"], "datetime dd.MM.yyyy HH:mm"),
            (DateTime, &[], &["12/31/2021 1:05 pm"], "datetime MM/dd/yyyy h:mm a"),
            // The author's own pattern without the leading zeros, what is in quotes unchanged.
            (DateTime, &["dd M yyyy h:mm a"], &["5 05 1934 9:52 AM"], "datetime d M yyyy h:mm a"),
            (Date, &["MM/dd/yyyy"], &["3/4/2021", "05/05/2021"], "date M/d/yyyy"),
            (Date, &["'add' dd.MM.yyyy"], &["add 4.12.2021"], "date 'add' d.MM.yyyy"),
            (Date, &["dd/MM/yyyy", "yyyy-MM-dd"], &["4/12/2021", "2021-12-04"], "date d/MM/yyyy yyyy-MM-dd"),
            (Date, &["yyyyMMdd"], &["2021-2-3"], "date yyyy-M-d"),
            (Bool, &[], &["yes", "true"], "bool -yes"),
            (Text, &["@ km"], &["x"], "nothing"),
        ] {
            assert_eq!(proposed(ty, written, cells).trim(), found.trim(), "{cells:?}");
        }
    }
}
