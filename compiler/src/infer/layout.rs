//! Where in a file the table is: the encoding, the delimiter, the rows before the header, the header, and what comes after the rows.

use std::collections::{BTreeMap, BTreeSet};

use model::{Format, ValueType};
use tables::guess::infer_usual_type;
use tables::header::normalize_blanks;
use tables::layout::DELIMITERS;
use tables::workbook::Book;
use tables::{Encoding, Entry, Layout, Raw, Skip, Unreadable, Until};

use super::notes;

/// So much of a large file is read to find its delimiter.
const SAMPLE: usize = 1 << 20;

/// The header is among the first records.
const MAX_ABOVE: usize = 100;

/// So many rows tell what kind a column is of.
const ROWS: usize = 200;

/// A text that names a record has at most this many characters.
const MAX_NAME: usize = 40;

/// Beginnings of records that sum up the rows above them.
const SUMS: [&str; 6] = ["Total", "Grand total", "Sum", "Summe", "Gesamt", "Totals"];

/// Beginnings of records that do so where the rows above begin with numbers or dates.
const SUMMARIES: [&str; 24] = [
    "Average",
    "Avg",
    "Count",
    "Durchschnitt",
    "Grand total",
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
    "Sum",
    "Summe",
    "Total",
    "Totals",
    "Gesamt",
];

/// The likeliest encoding of a text.
pub(super) fn guess_encoding(bytes: &[u8]) -> Option<Encoding> {
    let fitting = Encoding::fitting(bytes);
    let first = *fitting.first()?;
    // Nobody writes `¤`: where it would be, the euro sign is meant.
    let euro = first == Encoding::Windows1252 && first.decode(bytes).is_ok_and(|text| text.contains('¤'));
    let euro = fitting.into_iter().find(|other| euro && *other == Encoding::Iso8859_15);
    Some(euro.unwrap_or(first))
}

/// The likeliest layout of a CSV or TSV file; `None` if none is a table.
///
/// # Errors
/// A row does not fit the header.
pub(super) fn guess_delimited_layout(format: Format, path: &str, bytes: &[u8]) -> Result<Option<Layout>, Unreadable> {
    let Some(encoding) = guess_encoding(bytes) else { return Ok(None) };
    let plain = Layout { encoding, ..Layout::from_format(format) };
    let delimiters: &[u8] = if format == Format::Tsv { b"\t" } else { &DELIMITERS };
    let mut best: Option<(usize, Layout)> = None;
    for delimiter in delimiters {
        let layout = Layout { delimiter: *delimiter, ..plain.clone() };
        let score = score_entries(&tables::entries(&layout, take_sample(encoding, bytes)).unwrap_or_default());
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, layout));
        }
    }
    let Some((_, layout)) = best else { return Ok(None) };
    let Ok(entries) = tables::entries(&layout, bytes) else { return Ok(None) };
    find_table_layout(&layout, &entries, path, bytes)
}

/// The likeliest layouts of a workbook's sheets; the name of a sheet where there are several.
///
/// # Errors
/// It is not a workbook, it lacks the sheet, or a row does not fit the header.
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
        let entries = tables::entries(&layout, bytes).unwrap_or_default();
        // A sheet of remarks is not a table.
        let remarks = several && entries.iter().all(|entry| measure_width(entry) < 2);
        if !remarks {
            found.extend(find_table_layout(&layout, &entries, path, bytes)?.map(|layout| (sheet, layout)));
        }
    }
    Ok(found)
}

/// The beginning of a large file, to the end of a line.
fn take_sample(encoding: Encoding, bytes: &[u8]) -> &[u8] {
    let wide = matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be);
    let Some(start) = bytes.get(..SAMPLE).filter(|_| !wide) else { return bytes };
    let end = start.iter().rposition(|byte| *byte == b'\n').map_or(start.len(), |at| at + 1);
    start.get(..end).unwrap_or(start)
}

/// How many records have as many cells as most of them; 0 if that is one cell.
fn score_entries(entries: &[Entry<'_>]) -> usize {
    let width = find_usual_width(entries);
    if width < 2 { 0 } else { entries.iter().filter(|entry| entry.cells.len() == width).count() }
}

/// How many cells most records have.
fn find_usual_width(entries: &[Entry<'_>]) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry.cells.len()).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(width, count)| (*count, *width)).map_or(0, |(width, _)| width)
}

fn count_filled(entry: &Entry<'_>) -> usize {
    entry.cells.iter().filter(|cell| !cell.is_blank()).count()
}

/// The place after the last cell that is not blank.
fn measure_width(entry: &Entry<'_>) -> usize {
    entry.cells.iter().rposition(|cell| !cell.is_blank()).map_or(0, |last| last + 1)
}

/// Where among records the table is: the first layout that the file can be read with.
///
/// # Errors
/// A row has more fields than the header. What comes after such a header is another one only where it is words above figures, and more of them.
fn find_table_layout(
    plain: &Layout,
    entries: &[Entry<'static>],
    path: &str,
    bytes: &[u8],
) -> Result<Option<Layout>, Unreadable> {
    let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
    entries
        .iter()
        .map(measure_width)
        .filter(|width| *width > 0)
        .for_each(|width| *widths.entry(width).or_default() += 1);
    let usual = widths.into_iter().max_by_key(|(width, count)| (*count, *width)).map_or(0, |(width, _)| width);
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
            match tables::records(&layout, path, bytes) {
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

/// The header that a record of figures has directly above it, if that has fewer names than there are columns; else the record itself.
fn find_header_above(entries: &[Entry<'static>], at: usize) -> usize {
    let figures = entries.get(at).is_some_and(|entry| entry.cells.iter().any(|cell| is_figure(cell) && !is_year(cell)));
    let above = at.checked_sub(1).filter(|_| figures && entries.get(at).is_some_and(|entry| entry.gap == 0));
    above
        .filter(|above| is_header(entries, *above) && entries.get(*above).is_some_and(|entry| count_filled(entry) > 1))
        .unwrap_or(at)
}

/// Layouts of a table whose header is at a record, the likeliest first.
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

/// How many rows the header has, the first of them, and the last.
fn find_headers(entries: &[Entry<'static>], at: usize, needed: usize) -> Vec<(u8, usize, usize)> {
    let mut found = Vec::new();
    let row = |at: usize| entries.get(at);
    let touches = |at: usize| row(at).is_some_and(|entry| entry.gap == 0);
    // Two rows: the names of groups with gaps between them, above names that are the same in each group.
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

/// The type of a column in the rows from one on.
fn guess_column_type(entries: &[Entry<'static>], from: usize, column: usize) -> ValueType {
    let cells = entries.iter().skip(from).take(ROWS).filter_map(|entry| entry.cells.get(column));
    let texts: Vec<String> = cells.map(|cell| cell.render_cell().trim().to_owned()).collect();
    infer_usual_type(texts.iter().map(String::as_str))
}

fn guess_cell_type(cell: &Raw<'_>) -> ValueType {
    infer_usual_type([cell.render_cell().trim()])
}

/// Years are figures of which headers are made.
fn is_year(cell: &Raw<'_>) -> bool {
    cell.render_cell().trim().parse::<u32>().is_ok_and(|year| (1500..2200).contains(&year))
}

/// Whether a text is more digits than letters: a number with its unit, a date.
fn is_figure(cell: &Raw<'_>) -> bool {
    let text = cell.render_cell();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|char| char.is_alphabetic()).count();
    digits > letters
}

/// Whether a record is words alone, directly above columns of figures.
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

/// Whether a record is a row: where columns are of a type, its cells are so too, and they are not years, of which headers are made.
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

/// What may come before the header: a name of the header is better than a number, since it is the same in the next file.
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

/// Where the rows may end, the likeliest first.
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
    // Notes below the rows, each in one cell, and sums.
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

/// Where the records that end before `end` become means, greatest and least values: below rows that begin with numbers or dates, they are none.
fn find_summary(rows: &[Entry<'static>], end: usize) -> Option<usize> {
    let is_summary = |entry: &&Entry<'_>| {
        let text = read_first_cell(entry);
        SUMMARIES.iter().any(|word| word.eq_ignore_ascii_case(text.trim_end_matches([':', '.'])))
    };
    let rows = rows.get(..end)?;
    let count = rows.iter().rev().take_while(is_summary).count();
    let start = end.checked_sub(count).filter(|start| count > 0 && *start > 0)?;
    let column = rows.get(start)?.cells.iter().position(|cell| !cell.is_blank())?;
    let mut above = rows.get(..start)?.iter().filter_map(|row| row.cells.get(column)).filter(|cell| !cell.is_blank());
    let figures = |cell: &Raw<'_>| is_figure(cell);
    (above.clone().next().is_some() && above.all(figures)).then_some(start)
}

/// What the record at a place begins with, and none before it.
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
