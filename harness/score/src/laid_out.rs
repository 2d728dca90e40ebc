//! Files whose rows are read by a layout: the sheets and cells of workbooks, and text whose options say how its cells are divided.

use model::answer_key::{Answer, Expected, Read};
use model::suite::Matcher;
use model::{DateTime, Format, Value};
use records::{Captured, Reason};
use tables::workbook::{Book, parse_place};
use tables::{Fault, FaultKind, Layout, Raw, Records, Skip, Unreadable, Until, read_records};

use crate::bytes;
use crate::exact::Exact;
use crate::finding::{Finding, choose_best};
use crate::got::{Number, ResponseValue, Source, parse_bool};
use crate::key::{Key, render_expected};
use crate::matchers;
use crate::read::day::read_day;
use crate::read::number::parse_number;
use crate::read::table::Table;
use crate::rules::Rules;
use crate::start_files::StartFiles;
use crate::text::compose_letters;

/// Checks whether an expectation reads a file by a layout.
pub fn has_layout(expect: &Expected, path: &str, rules: &Rules) -> bool {
    rules.reads_formats && (has_typed_cells(path) || expect.read.has_layout())
}

/// Checks whether a file has values with types, by its path.
pub fn has_typed_cells(path: &str) -> bool {
    Format::from_path(path).is_some_and(Format::has_typed_cells)
}

/// Checks whether a file is a workbook, by its path.
pub fn is_workbook(path: &str) -> bool {
    Format::from_path(path) == Some(Format::Xlsx)
}

/// Compares the rows of a file, or one cell of a workbook, with each accepted answer.
pub fn judge_file(
    expect: &Expected,
    path: &str,
    found: &Captured,
    start: &dyn StartFiles,
    rules: &'static Rules,
) -> Finding {
    let midnight = choose_midnight(expect);
    let read = bytes::read_bytes(found, path, rules).and_then(|content| {
        Ok(match &expect.read.cell {
            Some(place) => Found::Cell(read_cell(place, &content, midnight, rules)?),
            None => Found::Table(read_rows(expect, path, &content, midnight, rules)?),
        })
    });
    match read {
        Err(finding) => finding,
        // Such a cell has nothing in it, as a text can have nothing in it.
        Ok(Found::Cell(ResponseValue::Null)) => choose_best(expect, |value, alternative| {
            let options = Key::new(expect, value, alternative, rules).resolve_options("");
            Finding::wrong(Reason::Empty, render_expected(value, &options), "nothing")
        }),
        Ok(Found::Cell(got)) => choose_best(expect, |value, alternative| {
            let got = match &got {
                // A text matcher compares the text of a truth.
                ResponseValue::Bool(truth) if expect.matcher != Matcher::Bool => ResponseValue::Text(truth.to_string()),
                other => other.clone(),
            };
            matchers::compare_value(got, &Key::new(expect, value, alternative, rules), None, start)
        }),
        Ok(Found::Table(table)) => choose_best(expect, |value, alternative| {
            matchers::compare_table(table.clone(), &Key::new(expect, value, alternative, rules), None, start)
        }),
    }
}

/// What is read of a file.
enum Found {
    Cell(ResponseValue),
    Table(Table),
}

/// How a moment at midnight is written, because a cell of a workbook does not say whether it is a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Midnight {
    /// As a date.
    Date,
    /// As a datetime.
    Moment,
}

/// Chooses how midnight is written: as the answers write it.
fn choose_midnight(expect: &Expected) -> Midnight {
    let values = || expect.answer.iter().flat_map(Answer::accepted_values);
    choose_midnight_of(|wanted| values().any(|value| has_value(value, wanted)))
}

/// Chooses the same for a column: as the answers write it there; `all` if they have no such column, or no date in it.
fn choose_midnight_in(expect: &Expected, column: &str, all: Midnight) -> Midnight {
    let sets = || {
        let values = expect.answer.iter().flat_map(Answer::accepted_values);
        values.into_iter().filter_map(|value| if let Value::Rows(set) = value { Some(set) } else { None })
    };
    let has = |wanted: fn(&Value) -> bool| {
        sets().any(|set| {
            let at = set.columns.iter().position(|name| name.trim().eq_ignore_ascii_case(column.trim()));
            at.is_some_and(|at| set.rows.iter().filter_map(|row| row.get(at)).any(wanted))
        })
    };
    let is_dated = has(|value| matches!(value, Value::Date(_) | Value::DateTime(_)));
    if is_dated { choose_midnight_of(has) } else { all }
}

fn choose_midnight_of(has: impl Fn(fn(&Value) -> bool) -> bool) -> Midnight {
    let is_moment = has(|value| matches!(value, Value::DateTime(_))) && !has(|value| matches!(value, Value::Date(_)));
    if is_moment { Midnight::Moment } else { Midnight::Date }
}

fn has_value(value: &Value, wanted: fn(&Value) -> bool) -> bool {
    match value {
        Value::List(items) => items.iter().any(|item| has_value(item, wanted)),
        Value::Object(fields) => fields.iter().any(|(_, field)| has_value(field, wanted)),
        Value::Rows(set) => set.rows.iter().flatten().any(|cell| has_value(cell, wanted)),
        other => wanted(other),
    }
}

/// Builds the layout by which a file is read.
fn build_layout(read: &Read, path: &str, encoding: tables::Encoding) -> Layout {
    let format = match Format::from_path(model::format::strip_gzip(path)) {
        Some(format @ (Format::Xlsx | Format::Parquet | Format::Tsv)) => format,
        _ => Format::Csv,
    };
    let plain = Layout::from_format(format);
    let delimiter = read.delimiter.and_then(|delimiter| u8::try_from(delimiter).ok());
    let skip = read.skip_to.clone().map(Skip::Cell).or(read.skip.map(Skip::Records));
    let blank = read.until_blank.then_some(Until::Blank);
    Layout {
        delimiter: delimiter.unwrap_or(plain.delimiter),
        encoding,
        header: read.header.unwrap_or(plain.header),
        skip,
        until: read.until.clone().map(Until::Cell).or(blank),
        sheet: read.sheet.clone(),
        ..plain
    }
}

/// Reads the rows of a file.
fn read_rows(
    expect: &Expected,
    path: &str,
    content: &[u8],
    midnight: Midnight,
    rules: &Rules,
) -> Result<Table, Finding> {
    let layout = build_layout(&expect.read, path, bytes::resolve_encoding(expect, rules));
    let records = read_records(&layout, path, content).map_err(|fault| refuse_fault(&fault))?;
    let of_columns: Vec<Midnight> =
        records.header.iter().map(|name| choose_midnight_in(expect, name, midnight)).collect();
    let convert = |cell: &Raw<'_>, at: usize| match cell {
        Raw::Text(text) if layout.format.has_typed_cells() => {
            let is_empty = layout.format == Format::Xlsx && text.trim().is_empty();
            let is_null = is_empty || expect.read.missing.iter().any(|mark| mark == text.trim());
            Ok(match is_null {
                true => ResponseValue::Null,
                // A word for a truth, or a date as people write it.
                false if is_written_value(text, rules) => ResponseValue::from_plain_text(text, rules),
                false => ResponseValue::Text(compose_letters(text).into_owned()),
            })
        }
        Raw::Text(text) => {
            let is_null = expect.read.missing.iter().any(|mark| mark == text.trim());
            Ok(ResponseValue::from_plain_text(if is_null { "" } else { text }, rules))
        }
        Raw::Value(value) => Ok(convert_value(value, of_columns.get(at).copied().unwrap_or(midnight), rules)),
        Raw::Odd(odd) => Err(refuse_odd(odd)),
    };
    let mut kept = list_filled_columns(&records, layout.format);
    // A column that is not expected may have cells that cannot be read.
    if expect.whole_options().open {
        let is_asked = |name: &str| lists_column(expect, name);
        let is_odd = |at: usize| records.rows.iter().any(|row| matches!(row.cells.get(at), Some(Raw::Odd(_))));
        kept.retain(|at| records.header.get(*at).is_none_or(|name| is_asked(name)) || !is_odd(*at));
    }
    let pick = |cells: &[Raw<'_>]| -> Result<Vec<ResponseValue>, Finding> {
        kept.iter().filter_map(|at| Some(convert(cells.get(*at)?, *at))).collect()
    };
    let rows = records.rows.iter().filter(|row| layout.format != Format::Xlsx || !row.cells.iter().all(Raw::is_blank));
    let rows = rows.map(|row| pick(&row.cells)).collect::<Result<_, _>>()?;
    let names = kept.iter().filter_map(|at| records.header.get(*at).cloned()).collect();
    Ok(Table { names: (layout.header > 0).then_some(names), rows })
}

/// Whether a column is among those of an accepted answer, in any letter case.
fn lists_column(expect: &Expected, name: &str) -> bool {
    let values = expect.answer.iter().flat_map(Answer::accepted_values);
    let is_there = |value: &Value| match value {
        Value::Rows(set) => set.columns.iter().any(|column| column.to_lowercase() == name.trim().to_lowercase()),
        _ => true,
    };
    values.into_iter().any(is_there)
}

/// Lists the columns of a table. In a sheet, columns without a name and without cells are none.
fn list_filled_columns(records: &Records<'_>, format: Format) -> Vec<usize> {
    let is_filled = |at: &usize| {
        let is_named = records.header.get(*at).is_some_and(|name| !name.is_empty());
        let mut cells = records.rows.iter().filter_map(|row| row.cells.get(*at));
        format != Format::Xlsx || is_named || cells.any(|cell| !cell.is_blank())
    };
    (0..records.header.len()).filter(is_filled).collect()
}

/// Reads one cell of a workbook.
fn read_cell(place: &str, content: &[u8], midnight: Midnight, rules: &Rules) -> Result<ResponseValue, Finding> {
    let Some(cell) = parse_place(place) else {
        return Err(Finding::wrong(Reason::BadKey, format!("the cell `{place}`"), ""));
    };
    let mut book = Book::open(content).map_err(|why| refuse_odd(&why))?;
    if !book.sheets().contains(&cell.sheet) {
        let got = format!("the sheets {}", list_names(book.sheets()));
        return Err(Finding::wrong(Reason::NoSlice, format!("a cell {place}"), got));
    }
    let sheet = book.read_sheet(&cell.sheet).map_err(|why| refuse_odd(&why))?;
    if let Some((.., odd)) = sheet.odd.iter().find(|(row, column, _)| (*row, *column) == (cell.row, cell.column)) {
        return Err(refuse_odd(odd));
    }
    let found = sheet.cells.iter().find(|(row, column, _)| (*row, *column) == (cell.row, cell.column));
    Ok(match found {
        Some((.., Value::Text(text))) if text.trim().is_empty() => ResponseValue::Null,
        Some((.., Value::Text(text))) if is_written_value(text, rules) => ResponseValue::from_plain_text(text, rules),
        Some((.., Value::Text(text))) => ResponseValue::Text(compose_letters(text).into_owned()),
        Some((.., value)) => convert_value(&tables::workbook::normalize_value(value), midnight, rules),
        None => ResponseValue::Null,
    })
}

/// Whether a text cell is a truth or a date in words, and not also a number.
fn is_written_value(text: &str, rules: &Rules) -> bool {
    parse_number(text, rules).is_none() && (parse_bool(text.trim(), rules).is_some() || read_day(text).is_some())
}

/// Converts a value of a workbook. The number of a double is the shortest decimal that is read as this double.
fn convert_value(value: &Value, midnight: Midnight, rules: &Rules) -> ResponseValue {
    match value {
        Value::Null => ResponseValue::Null,
        Value::Bool(truth) => ResponseValue::Bool(*truth),
        Value::Int(_) | Value::Float(_) | Value::Decimal(_) => {
            let shown = match value {
                Value::Float(double) => double.to_string(),
                other => other.render_text().into_owned(),
            };
            match parse_number(&shown, rules) {
                Some(exact) => {
                    // As in a result of SQL, 1 and 0 are also a truth.
                    let is_digit = [0, 1].map(Exact::from_int).contains(&exact);
                    let source = if is_digit { Source::Integer } else { Source::Written };
                    ResponseValue::Number(Number { exact, source, shown })
                }
                None => ResponseValue::Text(shown),
            }
        }
        Value::Date(date) if midnight == Midnight::Moment => {
            let moment = DateTime::new(*date, 0, 0, 0).map(Value::DateTime);
            ResponseValue::Text(moment.as_ref().unwrap_or(value).render_text().into_owned())
        }
        other => ResponseValue::Text(other.render_text().into_owned()),
    }
}

fn refuse_odd(odd: &Unreadable) -> Finding {
    Finding::wrong(Reason::NotRows, "a file that can be read", &odd.message)
}

/// Returns the finding for a file that cannot be read by its layout.
fn refuse_fault(fault: &Fault) -> Finding {
    let (reason, got) = match &fault.kind {
        FaultKind::Undecodable { encoding, .. } => (Reason::NotText, format!("bytes that are not {}", encoding.word())),
        FaultKind::Nul => (Reason::NotText, "a character NUL".to_owned()),
        FaultKind::Empty => (Reason::Empty, "nothing".to_owned()),
        kind => (Reason::NotRows, describe_fault(kind)),
    };
    let line = if fault.line > 0 { format!("line {}: ", fault.line) } else { String::new() };
    Finding::wrong(reason, "a table of rows", format!("{line}{got}"))
}

fn describe_fault(kind: &FaultKind) -> String {
    match kind {
        FaultKind::OpenQuote => "a quote is opened and not closed".to_owned(),
        FaultKind::AfterQuote => "a text follows a closing quote".to_owned(),
        FaultKind::TooLong { cells, header } | FaultKind::TooFew { cells, header } => {
            format!("{cells} cells, the header has {header}")
        }
        FaultKind::TooMuch { most, .. } => format!("more than {most}"),
        FaultKind::Unreadable(why) => why.message.clone(),
        FaultKind::Sheets(sheets) => format!("several sheets: {}", list_names(sheets)),
        FaultKind::NoSheet { sheet, sheets } => format!("`{sheet}` is not among the sheets {}", list_names(sheets)),
        FaultKind::TooShort { skip, records } => format!("{records} records, of which {skip} are skipped"),
        FaultKind::NoStart { cell, .. } => format!("no record has the cell {cell:?}"),
        FaultKind::NoEnd { cell } => format!("no record begins with {cell:?}"),
        _ => "another form".to_owned(),
    }
}

fn list_names(sheets: &[String]) -> String {
    sheets.iter().map(|sheet| format!("`{sheet}`")).collect::<Vec<_>>().join(", ")
}
