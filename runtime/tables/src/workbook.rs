//! Workbooks: the cells of each sheet, with their values. Cells are streamed, because with one stray cell far down, a full grid of the sheet would
//! not fit into memory.

mod epoch;
mod references;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read as _};

use calamine::{DataRef, Dimensions, ExcelDateTime, Reader as _, SheetType, Xlsx, XlsxCellReader, XlsxError};
use model::{Date, DateTime, Value};
use zip::ZipArchive;

use crate::Unreadable;
use crate::limits::{MAX_PART, MAX_PARTS, MAX_PARTS_BYTES, MAX_SHARED, MAX_SHEET_CELLS, MAX_SHEETS_CELLS, MAX_TEXTS};
use crate::show::quote_cell;
use crate::workbook::epoch::{Epoch, read_epoch};
use crate::workbook::references::References;

/// A workbook, of which only the names of the sheets have been read.
pub struct Book<'b> {
    book: Xlsx<Cursor<&'b [u8]>>,
    epoch: Epoch,
    sheets: Vec<String>,
    left: Left,
}

/// The cells of a sheet.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The cells that are not blank, in the order of the file.
    pub cells: Vec<Placed>,
    /// The cells that cannot be read; they are null in `cells`.
    pub odd: Vec<Odd>,
}

impl<'b> Book<'b> {
    /// Opens a workbook.
    ///
    /// # Errors
    /// It is not a workbook, or its unpacked size exceeds the limit.
    pub fn open(bytes: &'b [u8]) -> Result<Book<'b>, Unreadable> {
        let epoch = check_parts(bytes)?;
        let book = Xlsx::new(Cursor::new(bytes)).map_err(|error| report_unreadable("the workbook", &error))?;
        let worksheets = book.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        let sheets = worksheets.map(|sheet| sheet.name.clone()).collect();
        let left = Left { cells: MAX_SHEETS_CELLS, texts: MAX_TEXTS as u64 };
        Ok(Book { book, epoch, sheets, left })
    }

    /// Returns the names of its worksheets, in order.
    pub fn sheets(&self) -> &[String] {
        &self.sheets
    }

    /// Reads the cells of the sheet with this name.
    ///
    /// # Errors
    /// It cannot be read, or has too many cells; other sheets can still be read.
    pub fn read_sheet(&mut self, name: &str) -> Result<Sheet, Unreadable> {
        let broken = |error: XlsxError| report_unreadable(&format!("the sheet `{name}`"), &error);
        let reader = self.book.worksheet_cells_reader(name).map_err(broken)?;
        let (mut cells, mut odd) = read_cells(name, reader, self.epoch, &mut self.left)?;
        // A merged region shows its first cell; the remains in the other cells are invisible.
        let merged = self.book.merge_cells_by_sheet_name(name).map_err(broken)?;
        if !merged.is_empty() {
            cells.sort_by_key(|(row, ..)| *row);
            odd.sort_by_key(|(row, ..)| *row);
            let mut hidden = Merged::from_regions(merged.clone());
            cells.retain(|(row, column, _)| !hidden.is_hidden(*row, *column));
            let mut hidden = Merged::from_regions(merged);
            odd.retain(|(row, column, _)| !hidden.is_hidden(*row, *column));
        }
        Ok(Sheet { cells, odd })
    }

    /// Checks whether a sheet has a cell that is not blank.
    ///
    /// # Errors
    /// The same as for [`Book::read_sheet`].
    pub fn has_content(&mut self, name: &str) -> Result<bool, Unreadable> {
        let broken = |error: XlsxError| report_unreadable(&format!("the sheet `{name}`"), &error);
        let mut reader = self.book.worksheet_cells_reader(name).map_err(broken)?;
        while let Some(cell) = reader.next_cell().map_err(broken)? {
            if !matches!(cell.get_value(), DataRef::Empty) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The merged regions of a sheet. They do not overlap, so in each row at most one of them contains a given column.
struct Merged {
    /// The regions further down, the next one last.
    below: Vec<Dimensions>,
    /// The regions that have begun, by their first column.
    begun: BTreeMap<u32, Dimensions>,
}

impl Merged {
    fn from_regions(mut regions: Vec<Dimensions>) -> Merged {
        regions.sort_by_key(|region| (Reverse(region.start), region.end));
        Merged { below: regions, begun: BTreeMap::new() }
    }

    /// Checks whether a cell is in a merged region, but not its first cell. Must be called from the top row down.
    fn is_hidden(&mut self, row: u32, column: u32) -> bool {
        while let Some(region) = self.below.pop_if(|region| region.start.0 <= row) {
            self.begun.insert(region.start.1, region);
        }
        let region = self.begun.range(..=column).next_back().map(|(_, region)| region);
        region.is_some_and(|region| region.contains(row, column) && region.start != (row, column))
    }
}

/// The remaining limits of all sheets together.
struct Left {
    cells: u64,
    texts: u64,
}

/// Rejects a workbook that unpacks to far more than its size. The sizes in the archive are not trusted: each part is unpacked, and its bytes are
/// counted. calamine reports parts that cannot be unpacked. Returns the epoch of dates.
fn check_parts(bytes: &[u8]) -> Result<Epoch, Unreadable> {
    // The entries in the archive's list are counted before any of them is read.
    let parts = memchr::memmem::find_iter(bytes, b"PK\x01\x02").take(MAX_PARTS + 1).count();
    if parts > MAX_PARTS {
        let most = model::value::group_digits(MAX_PARTS as u64);
        let message = format!("the workbook has more than {most} parts");
        return Err(Unreadable::new(message, "cut it down: remove sheets and pictures that are not needed"));
    }
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else { return Ok(Epoch::Year1900) };
    let mut left = MAX_PARTS_BYTES;
    for index in 0..archive.len() {
        let Ok(mut part) = archive.by_index(index) else { continue };
        let name = part.name().to_owned();
        let own = if name.to_ascii_lowercase().ends_with("sharedstrings.xml") { MAX_SHARED } else { MAX_PART };
        let most = left.min(own);
        let mut unpacked = References::default();
        // A damaged part is counted as far as it can be read.
        let _ = io::copy(&mut part.by_ref().take(most + 1), &mut unpacked);
        if unpacked.bytes > most {
            let message = if most == own {
                format!("its part {} unpacks to more than {} MB", quote_cell(&name), own >> 20)
            } else {
                format!("its parts unpack to more than {} MB", MAX_PARTS_BYTES >> 20)
            };
            return Err(Unreadable::new(message, "cut it down: clear cells and sheets that are not needed"));
        }
        if let Some(reference) = unpacked.too_long {
            let message = format!("its part {} refers to a cell that no sheet has: `{reference}…`", quote_cell(&name));
            return Err(Unreadable::new(message, "open the workbook in a spreadsheet program and save it"));
        }
        left -= unpacked.bytes;
    }
    Ok(read_epoch(&mut archive))
}

fn report_unreadable(what: &str, error: &XlsxError) -> Unreadable {
    Unreadable::new(format!("{what} cannot be read: {error}"), "save it anew as .xlsx, without a password")
}

/// A cell that is not blank: row and column from 0, and its value.
pub type Placed = (u32, u32, Value);

/// A cell that cannot be read: row and column from 0, and the reason.
pub type Odd = (u32, u32, Unreadable);

/// Maximum number of unreadable cells kept for one sheet.
const MAX_ODD: usize = 10_000;

fn read_cells(
    sheet: &str,
    mut reader: XlsxCellReader<'_, Cursor<&[u8]>>,
    epoch: Epoch,
    left: &mut Left,
) -> Result<(Vec<Placed>, Vec<Odd>), Unreadable> {
    let mut cells = Vec::new();
    let mut odd: Vec<Odd> = Vec::new();
    let too_many = |what: &str, most: u64| {
        let message = format!("{what} more than {} cells", model::value::group_digits(most));
        Unreadable::new(message, "cut it down: clear cells and sheets that are not needed")
    };
    loop {
        let next = reader.next_cell_with_formula_metadata();
        let Some(cell) = next.map_err(|error| report_unreadable(&format!("the sheet `{sheet}`"), &error))? else {
            return Ok((cells, odd));
        };
        let (row, column) = cell.pos;
        let at = || format!("`{sheet}`, cell {}", render_a1(row, column));
        let value = match cell.value {
            DataRef::Empty if cell.formula.is_some() => {
                let message = format!("{}: the formula has no stored result", at());
                Err(Unreadable::new(message, "open the workbook in a spreadsheet program and save it"))
            }
            DataRef::Empty => Ok(Value::Null),
            DataRef::Int(value) => Ok(Value::Int(value)),
            DataRef::Float(value) if value.is_finite() => Ok(Value::Float(value)),
            DataRef::Float(_) => Err(Unreadable::new(format!("{}: the number is not finite", at()), NUMBER)),
            DataRef::String(text) => Ok(Value::Text(text)),
            DataRef::SharedString(text) => {
                left.texts = left.texts.checked_sub(text.len() as u64).ok_or_else(|| {
                    let most = format!("the texts of all cells have more than {} MB", MAX_TEXTS >> 20);
                    Unreadable::new(most, "shorten them, or clear cells that are not needed")
                })?;
                Ok(Value::from_text(text))
            }
            DataRef::Bool(value) => Ok(Value::Bool(value)),
            DataRef::DateTime(moment) => convert_excel_moment(moment, epoch).ok_or_else(|| {
                let message = format!("{}: {} is not a day of the calendar", at(), moment.as_f64());
                Unreadable::new(message, "give it a day from 1900 to 9999, or a number format")
            }),
            DataRef::DateTimeIso(text) => {
                let moment = DateTime::parse_iso(&text).or_else(|| DateTime::new(Date::parse_iso(&text)?, 0, 0, 0));
                Ok(moment.map_or(Value::Text(text), Value::DateTime))
            }
            DataRef::DurationIso(text) => Ok(Value::Text(text)),
            DataRef::Error(error) => {
                let message = format!("{}: the cell holds the error {error}", at());
                Err(Unreadable::new(message, "fix the formula, or clear the cell").with_cell(error.to_string()))
            }
        };
        match value {
            Ok(Value::Null) => continue,
            Ok(Value::Text(text)) if text.is_empty() => continue,
            Ok(value) => cells.push((row, column, value)),
            Err(problem) => {
                // It keeps its place in the table.
                cells.push((row, column, Value::Null));
                odd.push((row, column, problem));
            }
        }
        if odd.len() > MAX_ODD {
            let most = model::value::group_digits(MAX_ODD as u64);
            let last = odd.pop().map_or_else(String::new, |(_, _, last)| last.message);
            let message =
                format!("more than {most} cells of the sheet `{sheet}` cannot be read; the last of them: {last}");
            return Err(Unreadable::new(message, "fix or clear them"));
        }
        if cells.len() as u64 > MAX_SHEET_CELLS {
            return Err(too_many(&format!("the sheet `{sheet}` has"), MAX_SHEET_CELLS));
        }
        left.cells = left.cells.checked_sub(1).ok_or_else(|| too_many("the sheets have", MAX_SHEETS_CELLS))?;
    }
}

const NUMBER: &str = "give it a number that a double can hold";

/// Converts a datetime of Excel: days since the end of 1899, with a nonexistent 29th of February 1900. Times of day and durations, which have the
/// same form, become texts.
fn convert_excel_moment(moment: ExcelDateTime, epoch: Epoch) -> Option<Value> {
    const DAY: f64 = 86_400.0;
    let serial = moment.as_f64();
    if !serial.is_finite() || serial.abs() > 3_000_000.0 {
        return None;
    }
    let seconds = (serial * DAY).round() as i64;
    if moment.is_duration() || (0..86_400).contains(&seconds) {
        let sign = if seconds < 0 { "-" } else { "" };
        let (hours, rest) = (seconds.unsigned_abs() / 3600, seconds.unsigned_abs() % 3600);
        return Some(Value::Text(format!("{sign}{hours:02}:{:02}:{:02}", rest / 60, rest % 60)));
    }
    let day = seconds.div_euclid(86_400) + if epoch == Epoch::Year1904 { 1462 } else { 0 };
    let before = match day {
        60 => return None,
        1.. if day < 60 => Date::new(1899, 12, 31)?,
        1.. => Date::new(1899, 12, 30)?,
        _ => return None,
    };
    let date = Date(before.0 + i32::try_from(day).ok()?);
    (date <= Date::MAX).then(|| Value::DateTime(DateTime(i64::from(date.0) * 86_400 + seconds.rem_euclid(86_400))))
}

/// Converts whole doubles to ints (in the range where doubles are exact), and datetimes at midnight to dates, because Excel does not distinguish them.
pub fn normalize_value(value: &Value) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Float(value) if value.fract() == 0.0 && value.abs() <= EXACT => Value::Int(*value as i64),
        Value::DateTime(moment) if moment.time() == (0, 0, 0) => Value::Date(moment.date()),
        other => other.clone(),
    }
}

/// Renders the name of a cell as in spreadsheets: `B7`.
///
/// ```
/// use tables::workbook::render_a1;
///
/// assert_eq!([render_a1(0, 0), render_a1(6, 25), render_a1(6, 26)], ["A1", "Z7", "AA7"]);
/// ```
pub fn render_a1(row: u32, column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    format!("{}{}", letters.iter().rev().collect::<String>(), u64::from(row) + 1)
}

/// Returns the number of a date, or of a date and time, in workbooks: days since 1899-12-30. `None` before 1900-03-01, where programs count differently, and for other
/// values.
///
/// ```
/// use model::{Date, DateTime, Value};
/// use tables::workbook::find_serial;
///
/// let first = Date::parse_iso("1900-03-01").expect("a date");
/// assert_eq!(find_serial(&Value::Date(first)), Some(61.0));
/// assert_eq!(find_serial(&Value::Date(Date(first.0 - 1))), None);
/// let noon = DateTime::parse_iso("2024-05-03T12:00:00").expect("a moment");
/// assert_eq!(find_serial(&Value::DateTime(noon)), Some(45_415.5));
/// assert_eq!(find_serial(&Value::Int(61)), None);
/// ```
pub fn find_serial(value: &Value) -> Option<f64> {
    /// The days from that day to 1970-01-01.
    const BEFORE: i32 = 25_569;
    /// 1900-03-01. Before it, some programs count a 29th of February 1900.
    const FIRST: i32 = 61;
    let (date, seconds) = match value {
        Value::Date(date) => (*date, 0),
        Value::DateTime(moment) => (moment.date(), moment.0.rem_euclid(86_400)),
        _ => return None,
    };
    let days = date.0.checked_add(BEFORE).filter(|days| *days >= FIRST)?;
    Some(f64::from(days) + seconds as f64 / 86_400.0)
}

/// A cell of a workbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPlace {
    /// The name of its sheet.
    pub sheet: String,
    /// Its row, from 0.
    pub row: u32,
    /// Its column, from 0.
    pub column: u32,
}

/// The rows and columns of a sheet.
const MAX_SHEET: (u32, u32) = (1_048_576, 16_384);

/// Reads the place of a cell as formulas of spreadsheets have it; names of sheets with an apostrophe or `!` must be in apostrophes. `None` if it is not one.
///
/// ```
/// use tables::workbook::parse_place;
///
/// let place = parse_place("'Joe''s !'!$AA$7").expect("a cell");
/// assert_eq!((place.sheet.as_str(), place.row, place.column), ("Joe's !", 6, 26));
/// // A cell without its sheet, a range, and a cell that no sheet has.
/// assert_eq!(["B7", "S!B7:B9", "S!B0", "S!XFE1", "!A1"].map(parse_place), [const { None }; 5]);
/// ```
pub fn parse_place(text: &str) -> Option<CellPlace> {
    let (sheet, cell) = text.rsplit_once('!')?;
    let sheet = match sheet.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')) {
        Some(inner) if inner.replace("''", "").contains('\'') => return None,
        Some(inner) => inner.replace("''", "'"),
        None if sheet.contains(['\'', '!']) => return None,
        None => sheet.to_owned(),
    };
    let cell = cell.strip_prefix('$').unwrap_or(cell);
    let (letters, digits) = cell.split_at(cell.find(|char: char| !char.is_ascii_alphabetic())?);
    let digits = digits.strip_prefix('$').unwrap_or(digits);
    if sheet.is_empty() || letters.len() > 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |so_far: u32, letter: u8| so_far * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1;
    let column = letters.bytes().fold(0, number).checked_sub(1).filter(|column| *column < MAX_SHEET.1)?;
    let row = digits.parse::<u32>().ok()?.checked_sub(1).filter(|row| *row < MAX_SHEET.0)?;
    Some(CellPlace { sheet, row, column })
}
