//! Proposals for a column whose cells do not fit: patterns and null marks with which all of its cells can be read. A proposal always reads every
//! cell, and never drops a part of a cell. It uses the guesser of `guess`.

use model::Value;
use model::suite::Told;

use crate::guess::{self, ColumnFormat, ColumnNote, Counts, SplitFormat, TwoPatterns, Unclear, marks};
use crate::layout::DELIMITERS;
use crate::pattern::Pattern;
use crate::read::read_table;
use crate::records::read_records;
use crate::{CellType, Place, Reading, Shape};

/// A proposal for all cells of a column, with findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposed {
    /// The proposal; `None` if it is unknown, or would drop a part of the cells.
    pub proposal: Option<Proposal>,
    /// Findings for the author.
    pub seen: Vec<ColumnNote>,
}

/// A way to read all cells of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// This reading.
    Way {
        /// The type and the patterns.
        way: ColumnFormat,
        /// All null marks that occur in the cells.
        missing: Vec<String>,
        /// The new null marks.
        marks: Vec<String>,
    },
    /// Two columns, a number and a text.
    Split {
        /// How the cells are split.
        split: SplitFormat,
        /// The null marks of both columns; empty if those of the column are enough.
        missing: Vec<String>,
    },
    /// The points of all cells group digits, or are decimal points.
    Grouped {
        /// The pattern for grouped digits.
        pattern: String,
        /// A cell with two values.
        cell: String,
    },
    /// Two patterns read all cells, but one differently.
    Either(TwoPatterns),
}

/// Maximum number of different cells that are examined.
const MAX_CELLS: usize = 200_000;

/// Proposes a reading for all cells of a column (in the order of [`crate::TableData::columns`]) in all files.
pub fn propose_reading<'f>(shape: &Shape, column: usize, files: impl Iterator<Item = (&'f str, &'f [u8])>) -> Proposed {
    let own = shape.reading(column).filter(|_| shape.line.is_none() && !is_part(shape, column));
    let counts = own.and_then(|_| count_texts(shape, column, files));
    own.zip(counts).map_or_else(Proposed::default, |(own, counts)| propose_from_counts(own, &counts))
}

/// Checks whether the cells of a column are parts of cells, which types tell apart.
fn is_part(shape: &Shape, column: usize) -> bool {
    shape.columns.get(column).is_some_and(|column| matches!(column.place, Place::Part(_)))
}

/// Counts the different texts of a column; `None` if they are too many, or cannot be read. If lines are matched with a pattern, the types decide
/// which lines are rows.
fn count_texts<'f>(shape: &Shape, column: usize, files: impl Iterator<Item = (&'f str, &'f [u8])>) -> Option<Counts> {
    let shape = as_texts(shape);
    let mut counts = Counts::new();
    for (path, bytes) in files {
        let part = read_table(&shape, path, bytes).ok()?;
        for cell in part.columns.get(column)? {
            let Value::Text(text) = cell else { continue };
            let different = counts.len();
            match counts.get_mut(text.trim()) {
                Some(count) => *count += 1,
                None if different < MAX_CELLS => drop(counts.insert(text.trim().to_owned(), 1)),
                None => return None,
            }
        }
    }
    Some(counts)
}

/// Returns the texts of a file's rows in a column, as written in the file.
pub fn read_column_texts(shape: &Shape, column: usize, path: &str, bytes: &[u8]) -> Option<Vec<Value>> {
    // If lines are matched with a pattern, the types decide which lines are rows.
    if shape.line.is_some() || is_part(shape, column) {
        return None;
    }
    let part = read_table(&as_texts(shape), path, bytes).ok()?;
    part.columns.into_iter().nth(column)
}

/// Proposes another delimiter with which a file has everything that the shape requires, and more than one column.
///
/// ```
/// use model::Format;
/// use tables::propose::propose_delimiter;
/// use tables::{CellType, Column, Layout, Place, Reading, Shape};
///
/// let column = |name: &str| Column {
///     name: name.to_owned(),
///     place: Place::Header(name.to_owned()),
///     reading: Reading::from_type(CellType::Text),
/// };
/// let columns = vec![column("TOWN"), column("N")];
/// let shape = Shape { layout: Layout::from_format(Format::Csv), columns, unpivot: None, line: None, splits: Vec::new() };
/// assert_eq!(propose_delimiter(&shape, "towns.csv", b"TOWN;N\nUlm;3\n"), Some(b';'));
/// // With another header, no delimiter helps.
/// assert_eq!(propose_delimiter(&shape, "towns.csv", b"CITY;N\nUlm;3\n"), None);
/// ```
pub fn propose_delimiter(shape: &Shape, path: &str, bytes: &[u8]) -> Option<u8> {
    let own = shape.layout.delimiter;
    let mut shape = as_texts(shape);
    if !shape.layout.format.reading.contains(&"delimiter") {
        return None;
    }
    let mut others = DELIMITERS.into_iter().filter(|other| *other != own);
    others.find(|other| {
        shape.layout.delimiter = *other;
        let several = read_records(&shape.layout, path, bytes).is_ok_and(|records| records.header.len() > 1);
        several && read_table(&shape, path, bytes).is_ok()
    })
}

/// Returns the same table with each cell as its text.
fn as_texts(shape: &Shape) -> Shape {
    let text = |reading: &mut Reading| {
        *reading = Reading { missing: std::mem::take(&mut reading.missing), ..Reading::from_type(CellType::Text) }
    };
    let mut shape = shape.clone();
    shape.columns.iter_mut().for_each(|column| text(&mut column.reading));
    if let Some(unpivot) = &mut shape.unpivot {
        text(&mut unpivot.reading);
        unpivot.values.iter_mut().for_each(|values| text(&mut values.reading));
    }
    shape
}

/// Proposes a reading for these cells, none of which is a null mark yet.
fn propose_from_counts(own: &Reading, counts: &Counts) -> Proposed {
    if own.ty == CellType::Text {
        return Proposed::default();
    }
    let fits = |cell: &str| own.read_text(cell).is_ok();
    let (marks, texts): (Vec<&str>, Vec<&str>) =
        counts.keys().map(String::as_str).partition(|cell| !fits(cell) && marks::is_mark(cell));
    let all: Vec<String> = own.missing.iter().cloned().chain(marks.iter().map(|mark| (*mark).to_owned())).collect();
    let as_this = |way: ColumnFormat, seen: Vec<ColumnNote>| {
        let marks = marks.iter().map(|mark| (*mark).to_owned()).collect();
        Proposed { proposal: Some(Proposal::Way { way, missing: all.clone(), marks }), seen }
    };
    let nothing = |seen: Vec<ColumnNote>| Proposed { proposal: None, seen };
    let current: Vec<Told> = own.written.iter().map(Pattern::to_told).collect();
    let current = ColumnFormat { ty: own.ty, written: current };
    if own.ty == CellType::Int
        && own.written.is_empty()
        && let Some(two) = guess::numbers::find_two_readings(&texts)
        && let [pattern] = two.grouped.written.as_slice()
        // In an int, a comma groups digits: a decimal with a comma needs a pattern.
        && pattern.pattern.contains('.')
    {
        let proposal = Some(Proposal::Grouped { pattern: pattern.pattern.clone(), cell: two.cell });
        return Proposed { proposal, seen: Vec::new() };
    }
    // The author's patterns are trusted; text around numbers in the usual form must not differ.
    if current.can_read_all(&texts) && !(current.written.is_empty() && guess::can_merge_texts(&current, &texts)) {
        return as_this(current, Vec::new());
    }
    let nulls: Vec<&str> = all.iter().map(String::as_str).collect();
    if own.ty.is_calendar() {
        let relaxed = relax_patterns(&current.written).into_iter();
        let mut ways = relaxed.map(|written| ColumnFormat { ty: own.ty, written });
        if let Some(way) = ways.find(|way| way.can_read_all(&texts)) {
            return as_this(way, Vec::new());
        }
    }
    match guess::infer_format(&texts, Some(own.ty)) {
        Ok(way) if !guess::can_merge_texts(&way, &texts) => {
            let seen = guess::list_notes(&way, &texts, counts);
            as_this(way, seen)
        }
        Ok(_) => nothing(Vec::new()),
        Err(Unclear::Dates(two)) if are_patterns(&[&two.first, &two.second], own.ty) => {
            Proposed { proposal: Some(Proposal::Either(two)), seen: Vec::new() }
        }
        Err(why) => Proposed {
            proposal: guess::find_split(&why, &texts).map(|split| {
                let missing = if marks.is_empty() { Vec::new() } else { all.clone() };
                Proposal::Split { split, missing }
            }),
            seen: guess::explain_unclear(&why, &texts, &nulls, counts),
        },
    }
}

/// Checks whether a column of the type can have these patterns.
fn are_patterns(written: &[&String], ty: CellType) -> bool {
    written.iter().all(|pattern| Pattern::parse(pattern, ty).is_ok())
}

/// The date and time fields that can be written without a leading zero.
const PADDED: [char; 4] = ['d', 'M', 'H', 'h'];

/// Lists the author's patterns with some of these fields unpadded, fewest changes first: in one of the patterns, then in all.
fn relax_patterns(written: &[Told]) -> Vec<Vec<Told>> {
    let mut choices: Vec<u32> = (1..1 << PADDED.len()).collect();
    choices.sort_by_key(|fields| fields.count_ones());
    let mut found: Vec<Vec<Told>> = Vec::new();
    for every in [false, true] {
        for fields in &choices {
            let short = |told: &Told| shorten_fields(&told.pattern, *fields).into();
            if every {
                found.push(written.iter().map(short).collect());
                continue;
            }
            for one in 0..written.len() {
                let each = written.iter().enumerate();
                found.push(each.map(|(at, told)| if at == one { short(told) } else { told.clone() }).collect());
            }
        }
    }
    found.retain(|patterns| patterns != written);
    found
}

/// Replaces two letters by one for each of these [`PADDED`] fields of a pattern, except in quotes.
fn shorten_fields(pattern: &str, fields: u32) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The proposal for these cells, as an author writes it.
    fn render_told(told: &Told) -> String {
        let times = told.times.map(|times| format!("×{times}"));
        format!("{}{}", told.pattern, times.unwrap_or_default())
    }

    fn proposal(ty: CellType, written: &[&str], cells: &[&str]) -> String {
        let written = written.iter().map(|pattern| Pattern::parse(pattern, ty).expect("a pattern")).collect();
        let own = Reading { ty, missing: vec!["gone".to_owned()], written };
        let cells = cells.iter().map(|cell| ((*cell).to_owned(), 1)).collect();
        match propose_from_counts(&own, &cells).proposal {
            None => "nothing".to_owned(),
            Some(Proposal::Either(TwoPatterns { first, second, cell })) => format!("{first} or {second} of {cell}"),
            Some(Proposal::Grouped { pattern, cell }) => format!("{pattern} or decimal of {cell}"),
            Some(Proposal::Split { split, .. }) => {
                format!("{} of {}", split.render_line("N", "T"), split.number.written[0].pattern)
            }
            Some(Proposal::Way { way, marks, .. }) => {
                let marks = marks.iter().map(|mark| format!("-{mark}"));
                let words =
                    std::iter::once(way.ty.name().to_owned()).chain(way.written.iter().map(render_told)).chain(marks);
                words.collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn what_reads_every_cell_is_proposed_and_nothing_else() {
        use CellType::{Bool, Date, DateTime, Decimal, Float, Int, Text};
        let decimal = Decimal(None);
        for (ty, written, cells, found) in [
            // A letter after some of the numbers, and a word, may say something.
            (decimal, &[][..], &["1.5", "0.3T", "1.8T", "M"][..], "nothing"),
            (decimal, &["0.0"], &["1.5", "0.3T", ""], "nothing"),
            (decimal, &["0.0"], &["1.5", ""], "decimal 0.0 -"),
            (Int, &[], &["1", "M", "-"], "nothing"),
            (Int, &[], &["1", "N/A", "-"], "int -- -N/A"),
            // The same text around every number is left out, unless it may change the number.
            (Int, &[], &["$5", "n/a", "$7"], "int -n/a"),
            (Int, &[], &["$5", "n/a", "€7"], "<<T>><<N>> of 0"),
            (Int, &[], &["5 kg", "700 g"], "<<N>> <<T>> of 0"),
            (Int, &[], &["127N", "127.5C", "3"], "<<N>><<T>> of 0.0"),
            (Int, &[], &["<5", "7"], "<<T>><<N>> of 0"),
            (Int, &[], &["5 kg", "7"], "nothing"),
            (Int, &[], &["-$5", "€7"], "nothing"),
            (Int, &[], &["(5)", "7"], "int 0;(0)"),
            (Int, &[], &["(5)", "(7)"], "int 0;(0)"),
            (Int, &[], &["5-", "7"], "int 0;0-"),
            (Int, &[], &["5K", "7K"], "int 0K×1000"),
            (Int, &[], &["1.2345K", "7"], "decimal 0.0000 0.0000K×1000"),
            (Int, &[], &["<5", "<7"], "nothing"),
            (Int, &[], &["1", "a", "b", "c", "d"], "nothing"),
            (Int, &[], &["1", "2.5"], "decimal"),
            // Digits in groups, or decimals.
            (Int, &[], &["1.234", "2.000", "13.100"], "#.##0 or decimal of 1.234"),
            (Int, &[], &["7", "15.000", "-2.000", ""], "#.##0 or decimal of -2.000"),
            (Int, &[], &["15.000", "1.234.567"], "int #.##0"),
            (Int, &[], &["15.000", "2.5"], "decimal"),
            (Int, &[], &["15.000", "0.125"], "decimal"),
            (Int, &[], &["12 km", "1,200 km"], "int #,##0 km"),
            (Int, &[], &["7", "12 km"], "nothing"),
            (Int, &[], &["7 m", "12 km"], "<<N>> <<T>> of 0"),
            (Int, &[], &["12%", "7%"], "decimal 0%"),
            (decimal, &[], &["3,5", "10,25"], "decimal 0,00"),
            (decimal, &[], &["1.234,50 €", "7,00 €"], "decimal #.##0,00 €"),
            (Float, &[], &["12%", "7.5%"], "float 0.0%"),
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
            (Bool, &[], &["yes", "true"], "nothing"),
            // What is not of the declared type has the type that `infer` declares.
            (Int, &[], &["TRUE", "False"], "bool"),
            (Int, &[], &["TRUE", "true"], "nothing"),
            (Int, &[], &["TRUE", "n/a"], "bool -n/a"),
            (decimal, &[], &["2024-03-01"], "date"),
            (Bool, &[], &["2024-03-01 10:30"], "datetime"),
            (Int, &[], &["31.12.2024", "-"], "date dd.MM.yyyy --"),
            (Int, &[], &["03/04/2024"], "nothing"),
            (Date, &[], &["03/04/2024 10:30"], "nothing"),
            (Date, &[], &["5", "7"], "int"),
            (Bool, &[], &["$5", "$7"], "int $0"),
            (Int, &[], &["-122.41941550000001", "37.7"], "float"),
            (Int, &[], &["007", "1.5"], "nothing"),
            (Int, &[], &["007", "-"], "int --"),
            (Int, &[], &["99999999999999999999"], "nothing"),
            (Text, &["@ km"], &["x"], "nothing"),
        ] {
            assert_eq!(proposal(ty, written, cells).trim(), found.trim(), "{cells:?}");
        }
    }
}
