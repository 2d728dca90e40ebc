//! Inference of the layout of a table in a file: the encoding, the delimiter, the rows before the header, the header, and the end of the rows.

use std::collections::{BTreeMap, BTreeSet};

use model::{Format, ValueType};
use tables::guess::infer_usual_type;
use tables::header::normalize_blanks;
use tables::layout::DELIMITERS;
use tables::workbook::Book;
use tables::{Encoding, Entry, Layout, Raw, Skip, Unreadable, Until};

use hir::fixture::notes;

/// The number of bytes of a large file that are read to find its delimiter.
const SAMPLE: usize = 1 << 20;

/// The number of records in which the header is searched.
const MAX_ABOVE: usize = 100;

/// The number of rows that determine the type of a column.
const ROWS: usize = 200;

/// The maximum number of characters of a text that identifies a record.
const MAX_NAME: usize = 40;

/// First cells of records that sum the rows above.
const SUMS: [&str; 6] = ["Total", "Grand total", "Sum", "Summe", "Gesamt", "Totals"];

/// First cells of other records that summarize the rows above, if these rows begin with numbers or dates.
const SUMMARIES: [&str; 18] = [
    "Average",
    "Avg",
    "Count",
    "Durchschnitt",
    "Max",
    "Maximum",
    "Mean",
    "Median",
    "Min",
    "Minimum",
    "Mittel",
    "Mittelwert",
    "SD",
    "St. dev.",
    "Std",
    "Std dev",
    "Std. dev.",
    "Stdev",
];

/// Guesses the encoding of a text.
pub(super) fn guess_encoding(bytes: &[u8]) -> Option<Encoding> {
    let fitting = Encoding::list_fitting(bytes);
    let first = *fitting.first()?;
    // `¤` is never used in practice; an encoding with a euro sign at this byte is meant.
    let euro = first == Encoding::Windows1252 && first.decode(bytes).is_ok_and(|text| text.contains('¤'));
    let euro = fitting.into_iter().find(|other| euro && *other == Encoding::Iso8859_15);
    Some(euro.unwrap_or(first))
}

/// Guesses the layout of a CSV or TSV file; `None` if it contains no table.
///
/// # Errors
/// Returns an error if a row does not fit the header.
pub(super) fn guess_delimited_layout(format: Format, path: &str, bytes: &[u8]) -> Result<Option<Layout>, Unreadable> {
    let Some(encoding) = guess_encoding(bytes) else { return Ok(None) };
    let plain = Layout { encoding, ..Layout::from_format(format) };
    let delimiters: &[u8] = if format == Format::Tsv { b"\t" } else { &DELIMITERS };
    let mut best: Option<(usize, Layout)> = None;
    for delimiter in delimiters {
        let layout = Layout { delimiter: *delimiter, ..plain.clone() };
        let score = score_entries(&tables::read_entries(&layout, take_sample(encoding, bytes)).unwrap_or_default());
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, layout));
        }
    }
    let Some((_, layout)) = best else { return Ok(None) };
    let Some(entries) = tables::read_entries(&layout, bytes) else { return Ok(None) };
    find_table_layout(&layout, &entries, path, bytes)
}

/// Guesses the layouts of a workbook's sheets, with the name of each sheet if there are several.
///
/// # Errors
/// Returns an error if the file is not a workbook, if it does not have the sheet, or if a row does not fit the header.
pub(super) fn guess_sheet_layouts(
    bytes: &[u8],
    path: &str,
    chosen: Option<&str>,
) -> Result<Vec<(Option<String>, Layout)>, Unreadable> {
    let mut book = Book::open(bytes)?;
    let sheets = book.sheets().to_vec();
    if let Some(chosen) = chosen
        && !sheets.iter().any(|sheet| sheet == chosen)
    {
        let known: Vec<String> = sheets.iter().map(|sheet| format!("`{sheet}`")).collect();
        let message = format!("the workbook has no sheet `{chosen}`");
        return Err(Unreadable::new(message, format!("choose one of its sheets: {}", known.join(", "))));
    }
    let mut filled = Vec::new();
    for sheet in &sheets {
        if chosen.is_none_or(|chosen| chosen == sheet) && book.has_content(sheet)? {
            filled.push(sheet.clone());
        }
    }
    let several = sheets.len() > 1;
    let mut found = Vec::new();
    for sheet in filled {
        let sheet = Some(sheet).filter(|_| several);
        let layout = Layout { sheet: sheet.clone(), ..Layout::from_format(Format::Xlsx) };
        let entries = tables::read_entries(&layout, bytes).unwrap_or_default();
        // A sheet with one column of remarks is not a table.
        let remarks = several && entries.iter().all(|entry| measure_width(entry) < 2);
        if !remarks {
            found.extend(find_table_layout(&layout, &entries, path, bytes)?.map(|layout| (sheet, layout)));
        }
    }
    Ok(found)
}

/// The beginning of a large file, cut after a line.
fn take_sample(encoding: Encoding, bytes: &[u8]) -> &[u8] {
    let wide = matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be);
    let Some(start) = bytes.get(..SAMPLE).filter(|_| !wide) else { return bytes };
    let end = start.iter().rposition(|byte| *byte == b'\n').map_or(start.len(), |at| at + 1);
    start.get(..end).unwrap_or(start)
}

/// The number of records with the most frequent number of cells; 0 if that number is 1.
fn score_entries(entries: &[Entry<'_>]) -> usize {
    let width = find_usual_width(entries.iter().map(|entry| entry.cells.len()));
    if width < 2 { 0 } else { entries.iter().filter(|entry| entry.cells.len() == width).count() }
}

/// The most frequent of these widths, or the largest of them; 0 if there is none.
fn find_usual_width(widths: impl Iterator<Item = usize>) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    widths.for_each(|width| *counts.entry(width).or_default() += 1);
    counts.into_iter().max_by_key(|(width, count)| (*count, *width)).map_or(0, |(width, _)| width)
}

fn count_filled(entry: &Entry<'_>) -> usize {
    entry.cells.iter().filter(|cell| !cell.is_blank()).count()
}

/// The number of cells up to the last one that is not blank.
fn measure_width(entry: &Entry<'_>) -> usize {
    entry.cells.iter().rposition(|cell| !cell.is_blank()).map_or(0, |last| last + 1)
}

/// Finds the table among the records: the first layout in which the file can be read.
///
/// # Errors
/// Returns an error if a row has more fields than the header. After such a header, another record is accepted as the header only if it consists of words above
/// figures and is wider.
fn find_table_layout(
    plain: &Layout,
    entries: &[Entry<'static>],
    path: &str,
    bytes: &[u8],
) -> Result<Option<Layout>, Unreadable> {
    let usual = find_usual_width(entries.iter().map(measure_width).filter(|width| *width > 0));
    let needed = if usual <= 3 { usual } else { usual * 3 / 5 };
    let headers = entries.iter().enumerate().take(MAX_ABOVE);
    let headers =
        headers.filter(|(_, entry)| measure_width(entry) >= needed.max(1) && count_filled(entry) * 2 >= needed);
    let mut refused: Option<(usize, Unreadable)> = None;
    for (at, _) in headers {
        let at = find_header_above(entries, at);
        let Some(entry) = entries.get(at) else { continue };
        if refused.as_ref().is_some_and(|(narrow, _)| measure_width(entry) <= *narrow || !is_header(entries, at)) {
            continue;
        }
        for layout in list_layouts(plain, entries, at, needed) {
            match tables::read_records(&layout, path, bytes) {
                Ok(_) => return Ok(Some(layout)),
                Err(fault) if layout.header > 0 && refused.is_none() => {
                    refused = notes::report_long_row(&fault, path).map(|why| (measure_width(entry), why));
                }
                Err(_) => {}
            }
        }
    }
    match refused {
        Some((_, why)) => Err(why),
        None => Ok(None),
    }
}

/// The header directly above a record of figures, which may have fewer names than the table has columns; otherwise the record itself.
fn find_header_above(entries: &[Entry<'static>], at: usize) -> usize {
    let figures = entries.get(at).is_some_and(|entry| entry.cells.iter().any(|cell| is_figure(cell) && !is_year(cell)));
    let above = at.checked_sub(1).filter(|_| figures && entries.get(at).is_some_and(|entry| entry.gap == 0));
    above
        .filter(|above| is_header(entries, *above) && entries.get(*above).is_some_and(|entry| count_filled(entry) > 1))
        .unwrap_or(at)
}

/// The possible layouts of a table with its header at a record, the most likely first.
fn list_layouts(plain: &Layout, entries: &[Entry<'static>], at: usize, needed: usize) -> Vec<Layout> {
    let mut found = Vec::new();
    for (header, upper, lower) in find_headers(entries, at, needed) {
        let start = if header == 0 { at } else { lower + 1 };
        let skips = list_skips(entries, header, upper, lower);
        let untils = list_untils(entries, start, needed);
        for skip in &skips {
            for until in &untils {
                found.push(Layout { header, skip: skip.clone(), until: until.clone(), ..plain.clone() });
            }
        }
    }
    found
}

/// The possible headers: the number of rows, and the indexes of the first and the last.
fn find_headers(entries: &[Entry<'static>], at: usize, needed: usize) -> Vec<(u8, usize, usize)> {
    let mut found = Vec::new();
    let row = |at: usize| entries.get(at);
    let touches = |at: usize| row(at).is_some_and(|entry| entry.gap == 0);
    // A header of two rows: names of groups with gaps between them, above names that repeat in each group.
    if let (Some(this), Some(next)) = (row(at), row(at + 1))
        && touches(at + 1)
        && measure_width(next) >= needed
        && (count_filled(this) < measure_width(next) || has_doubles(this))
        && is_header(entries, at + 1)
    {
        found.push((2, at, at + 1));
    }
    if let (Some(above), Some(this)) = (at.checked_sub(1).and_then(row), row(at))
        && touches(at)
        && has_doubles(this)
        && count_filled(above) >= 2
    {
        found.push((2, at - 1, at));
    }
    if is_data(entries, at) {
        found.push((0, at, at));
    }
    found.push((1, at, at));
    found
}

fn has_doubles(entry: &Entry<'_>) -> bool {
    let names: Vec<String> =
        entry.cells.iter().map(|cell| normalize_blanks(&cell.render_cell())).filter(|name| !name.is_empty()).collect();
    names.iter().collect::<BTreeSet<_>>().len() < names.len()
}

/// The type of a column in the rows from `from` on.
fn guess_column_type(entries: &[Entry<'static>], from: usize, column: usize) -> ValueType {
    let cells = entries.iter().skip(from).take(ROWS).filter_map(|entry| entry.cells.get(column));
    let texts: Vec<String> = cells.map(|cell| cell.render_cell().trim().to_owned()).collect();
    infer_usual_type(texts.iter().map(String::as_str))
}

fn guess_cell_type(cell: &Raw<'_>) -> ValueType {
    infer_usual_type([cell.render_cell().trim()])
}

/// Whether a cell is a year, which may be a header although it is a figure.
fn is_year(cell: &Raw<'_>) -> bool {
    cell.render_cell().trim().parse::<u32>().is_ok_and(|year| (1500..2200).contains(&year))
}

/// Whether a text has more digits than letters: a number with its unit, or a date.
fn is_figure(cell: &Raw<'_>) -> bool {
    let text = cell.render_cell();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|char| char.is_alphabetic()).count();
    digits > letters
}

/// Whether a record consists only of words or years, directly above a column of figures.
fn is_header(entries: &[Entry<'static>], at: usize) -> bool {
    let Some(entry) = entries.get(at) else { return false };
    let figures = |column: usize| {
        let below = entries.iter().skip(at + 1).take(ROWS).take_while(|entry| entry.gap == 0);
        let cells: Vec<bool> =
            below.filter_map(|entry| entry.cells.get(column)).filter(|cell| !cell.is_blank()).map(is_figure).collect();
        !cells.is_empty() && cells.iter().filter(|figure| **figure).count() * 2 > cells.len()
    };
    let named = |cell: &Raw<'_>| !is_figure(cell) || is_year(cell);
    entry.cells.iter().all(named) && !entry.cells.iter().all(is_figure) && (0..entry.cells.len()).any(figures)
}

/// Whether a record is a data row: its cells have the types of their columns, and not all typed cells are years, which may be headers.
fn is_data(entries: &[Entry<'static>], at: usize) -> bool {
    let Some(entry) = entries.get(at) else { return false };
    let mut typed = false;
    for (column, cell) in entry.cells.iter().enumerate() {
        let ty = guess_column_type(entries, at + 1, column);
        if ty == ValueType::Text {
            continue;
        }
        if guess_cell_type(cell).is_number() != ty.is_number() || guess_cell_type(cell) == ValueType::Text {
            return false;
        }
        typed |= !is_year(cell);
    }
    typed && entries.len() > at + 1
}

/// The possible starts of the header. A name in the header is preferred to a number of records, because it is likely the same in the next file.
fn list_skips(entries: &[Entry<'static>], header: u8, upper: usize, lower: usize) -> Vec<Option<Skip>> {
    let above = entries.get(..upper).unwrap_or_default();
    if above.is_empty() {
        return vec![None];
    }
    let mut found = Vec::new();
    let name = |cell: &Raw<'_>| normalize_blanks(&cell.render_cell());
    let earlier: BTreeSet<String> =
        entries.get(..lower).unwrap_or_default().iter().flat_map(|entry| entry.cells.iter().map(name)).collect();
    let names = entries.get(lower).into_iter().flat_map(|entry| entry.cells.iter().map(name));
    let told = |name: &String| {
        name.chars().any(char::is_alphabetic) && name.chars().count() <= MAX_NAME && !earlier.contains(name)
    };
    if header > 0 {
        found.extend(names.filter(told).take(1).map(|name| Some(Skip::Cell(name))));
    }
    let lines = above.iter().map(|entry| entry.gap.saturating_add(1)).fold(0, u32::saturating_add);
    let gap = entries.get(upper).map_or(0, |entry| entry.gap);
    found.push(Some(Skip::Records(lines.saturating_add(gap))));
    found
}

/// The possible ends of the rows, the most likely first.
fn list_untils(entries: &[Entry<'static>], start: usize, needed: usize) -> Vec<Option<Until>> {
    let rows = entries.get(start..).unwrap_or_default();
    let mut found = Vec::new();
    let broken = |(at, entry): &(usize, &Entry<'_>)| count_filled(entry) == 0 || entry.gap > 0 && *at > 0;
    if let Some((at, _)) = rows.iter().enumerate().find(broken) {
        let after: Vec<&Entry<'_>> =
            rows.get(at..).unwrap_or_default().iter().filter(|entry| count_filled(entry) > 0).collect();
        let like =
            after.iter().filter(|entry| measure_width(entry) >= needed && count_filled(entry) * 2 > needed).count();
        let other_table = (start + at..entries.len()).take(3).any(|at| is_header(entries, at));
        if like * 2 < after.len() || other_table && needed > 1 {
            found.push(Some(Until::Blank));
        }
    }
    // Notes below the rows have one cell each; sums may precede them.
    let is_note = |entry: &Entry<'_>| needed >= 3 && count_filled(entry) <= 1;
    let notes = rows.iter().rev().take_while(|entry| is_note(entry)).count();
    let first_note = rows.len() - notes;
    let sum = first_note.checked_sub(1).filter(|at| *at > 0 && rows.get(*at).is_some_and(is_sum));
    let ends = [find_summary(rows, first_note), sum, Some(first_note).filter(|at| notes > 0 && *at > 0)];
    for end in ends.into_iter().flatten() {
        found.extend(find_unique_beginning(rows, end).map(|text| Some(Until::Cell(text))));
    }
    found.push(None);
    found
}

fn read_first_cell(entry: &Entry<'_>) -> String {
    entry
        .cells
        .iter()
        .find(|cell| !cell.is_blank())
        .map_or_else(String::new, |cell| cell.render_cell().trim().to_owned())
}

fn is_sum(entry: &Entry<'_>) -> bool {
    let text = read_first_cell(entry);
    SUMS.iter().any(|word| word.eq_ignore_ascii_case(text.trim_end_matches(':')))
}

/// The index of the first of the records before `end` that contain means, minima, or maxima; `None` unless all rows above begin with numbers or dates.
fn find_summary(rows: &[Entry<'static>], end: usize) -> Option<usize> {
    let is_summary = |entry: &&Entry<'_>| {
        let text = read_first_cell(entry);
        SUMS.iter().chain(&SUMMARIES).any(|word| word.eq_ignore_ascii_case(text.trim_end_matches([':', '.'])))
    };
    let rows = rows.get(..end)?;
    let count = rows.iter().rev().take_while(is_summary).count();
    let start = end.checked_sub(count).filter(|start| count > 0 && *start > 0)?;
    let column = rows.get(start)?.cells.iter().position(|cell| !cell.is_blank())?;
    let mut above = rows.get(..start)?.iter().filter_map(|row| row.cells.get(column)).filter(|cell| !cell.is_blank());
    let figures = |cell: &Raw<'_>| is_figure(cell);
    (above.clone().next().is_some() && above.all(figures)).then_some(start)
}

/// The shortest beginning of the record at `end` that no earlier record has.
fn find_unique_beginning(rows: &[Entry<'static>], end: usize) -> Option<String> {
    let text = read_first_cell(rows.get(end)?);
    let words: Vec<&str> = text.split(' ').collect();
    let before = rows.get(..end)?;
    (1..=words.len()).find_map(|count| {
        let start = words.get(..count)?.join(" ");
        let start = start.trim().trim_end_matches([':', ',']).to_owned();
        let told = !start.is_empty() && start.chars().count() <= MAX_NAME;
        (told && !before.iter().any(|row| read_first_cell(row).starts_with(&start))).then_some(start)
    })
}
