//! Diagnostics for files that do not match their declaration.

use std::collections::BTreeMap;

use model::Span;
use model::format::{Format, Holds};
use model::suite::Told;
use model::value::group_digits;
use tables::fault::SizeLimit;
use tables::{Encoding, Fault, FaultKind, Pattern, Place, Reading, Shape, UnpivotFault};

use super::fixes;
use super::misfits::ColumnMisfits;
use super::shape::{DeclaredColumn, DeclaredTable};
use super::sources::Source;
use crate::context::Checker;
use syntax::ast;
use syntax::diagnostics::wording::{format_count, join_with_and};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::string::quote_string;

/// The maximum number of different kinds of faults that are reported.
const MAX_KINDS: usize = 5;

impl<'a> Checker<'a> {
    /// Reports the faults of files, grouped by kind.
    pub(super) fn report_faults(
        &mut self,
        declared: &DeclaredTable<'a>,
        faults: &[Fault],
        sources: &[Source],
        from: &'a ast::FromDisk,
    ) {
        let files = sources.len();
        let mut cells: BTreeMap<usize, ColumnMisfits> = BTreeMap::new();
        let mut others: Vec<(&Fault, usize)> = Vec::new();
        for fault in faults {
            if let FaultKind::Misfits { column, misfits } = &fault.kind {
                let ty = declared.read.get(*column).map_or(tables::CellType::Text, |proved| proved.domain.ty);
                cells.entry(*column).or_default().add_misfits(&fault.path, misfits, ty);
                continue;
            }
            match others.iter_mut().find(|(known, _)| is_same_fault(&known.kind, &fault.kind)) {
                Some((_, count)) => *count += 1,
                None => others.push((fault, 1)),
            }
        }
        // The other faults of a file with another delimiter are consequences of it.
        let mut other_way = false;
        for (fault, count) in others.into_iter().take(MAX_KINDS) {
            let mut said = build_fault_diagnostic(
                fault,
                find_wanted_column(declared, &fault.kind),
                declared.shape.layout.format,
                from,
            );
            // A fix that fits some files is wrong for the others. An encoding, however, also fits files without the byte in question.
            if count < files && !matches!(fault.kind, FaultKind::Undecodable { .. }) {
                said.fixes.clear();
            } else if let Some(other) = self.guess_delimiter(&declared.shape, fault, sources, from) {
                if std::mem::replace(&mut other_way, true) {
                    continue;
                }
                said = suggest_delimiter(said, fault, other, from);
            }
            if files > 1 {
                let also = describe_other_files(count.saturating_sub(1), files);
                said.note = Some(said.note.map_or(also.clone(), |note| format!("{note}\n{also}")));
            }
            self.report(said);
        }
        for (column, wrong) in cells {
            self.report_misfits(declared, column, &wrong, sources);
        }
    }

    /// Guesses the delimiter of a file, if a wrong one could explain why something is missing.
    fn guess_delimiter(
        &mut self,
        shape: &Shape,
        fault: &Fault,
        sources: &[Source],
        from: &'a ast::FromDisk,
    ) -> Option<u8> {
        let due = match &fault.kind {
            FaultKind::NoHeader { headers, .. } => headers.len() <= 1,
            FaultKind::NoPosition { columns, .. } => *columns <= 1,
            FaultKind::TooLong { .. }
            | FaultKind::TooFew { .. }
            | FaultKind::NoStart { .. }
            | FaultKind::Unpivot(_) => true,
            _ => false,
        };
        let source = sources.iter().find(|source| due && source.inner == fault.path)?;
        let bytes = self.read_source(source, shape.layout.format, from.path.span)?;
        tables::propose::propose_delimiter(shape, &source.inner, &bytes)
    }
}

/// Describes how many other files of a view have the same fault: `more` of `files - 1`.
fn describe_other_files(more: usize, files: usize) -> String {
    match (more, files.saturating_sub(1)) {
        (0, 1) => "the other file of the view does not have this fault".to_owned(),
        (0, others) => format!("the {others} other files of the view do not have this fault"),
        (1, 1) => "the other file of the view has this fault, too".to_owned(),
        (more, others) if more == others => format!("the {others} other files of the view have this fault, too"),
        (1, others) => format!("1 of the {others} other files of the view has this fault, too"),
        (more, others) => format!("{more} of the {others} other files of the view have this fault, too"),
    }
}

/// Checks whether two faults count as the same.
fn is_same_fault(a: &FaultKind, b: &FaultKind) -> bool {
    match (find_header(a), find_header(b)) {
        (Some(a), Some(b)) => a == b,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

fn find_header(kind: &FaultKind) -> Option<&str> {
    match kind {
        FaultKind::NoHeader { header, .. } | FaultKind::TwoHeaders { header, .. } => Some(header),
        _ => None,
    }
}

/// Finds the column to which a fault applies.
fn find_wanted_column<'d, 'a>(
    declared: &'d DeclaredTable<'a>,
    fault: &FaultKind,
) -> Option<(&'d DeclaredColumn<'a>, &'d Reading)> {
    let columns = &declared.shape.columns;
    let at = match fault {
        FaultKind::OddCell { column, .. } => declared.read.iter().position(|proved| proved.name.text == *column)?,
        fault => {
            let header = find_header(fault)?;
            columns.iter().position(|column| matches!(&column.place, Place::Header(known) if known == header))?
        }
    };
    declared.read.get(at).zip(declared.shape.reading(at))
}

/// Returns the noun for a record of this format before its columns have types.
pub(super) fn record_word(format: Format) -> &'static str {
    if format.holds == Holds::Text { "line" } else { "record" }
}

/// Returns the phrase for the row that determines the number of fields.
fn describe_first_row(from: &ast::FromDisk) -> &'static str {
    let headless =
        |option: &ast::PathOption| matches!(&option.kind, ast::PathOptionKind::Header(rows) if rows.value == 0);
    if from.options.iter().any(headless) { "its first row has" } else { "its header has" }
}

/// Suggests another delimiter for a file.
fn suggest_delimiter(said: Diagnostic, fault: &Fault, delimiter: u8, from: &ast::FromDisk) -> Diagnostic {
    let delimiter = char::from(delimiter).to_string();
    let written = quote_string(&delimiter);
    let mut said = said.note(format!("`{}` can be read with {written} between its fields", fault.path));
    said.fixes.clear();
    let word = match from.options.iter().any(|option| option.kind.word() == "delimiter") {
        true => "write",
        false => "add",
    };
    fixes::offer_edit(
        said.help(format!("{word} `delimiter {written}`")),
        fixes::build_option_edit(from, "delimiter", &delimiter),
    )
}

/// Builds the diagnostic for a fault. `wanted` is the column with the missing header or unreadable cell, and how its cells are read.
pub(super) fn build_fault_diagnostic(
    fault: &Fault,
    wanted: Option<(&DeclaredColumn<'_>, &Reading)>,
    format: Format,
    from: &ast::FromDisk,
) -> Diagnostic {
    let in_text = format.holds == Holds::Text;
    let record = record_word(format);
    let at = wanted.map(|(proved, _)| proved.at);
    let spots = wanted.map(|(proved, _)| &proved.spots);
    let path = &fault.path;
    let line = fault.line;
    let here = from.path.span;
    let option =
        |word: &str| from.options.iter().find(|option| option.kind.word() == word).map_or(here, |option| option.span);
    let bad =
        |message: String, help: &str| Diagnostic::new(Code::BAD_FIXTURE, message, here, "read from here").help(help);
    let region = |message: String, at: Span, label: &str, help: String| {
        Diagnostic::new(Code::REGION_NOT_FOUND, message, at, label.to_owned()).help(help)
    };
    let header =
        |message: String, label: &str| Diagnostic::new(Code::BAD_HEADER, message, at.unwrap_or(here), label.to_owned());
    match &fault.kind {
        FaultKind::Undecodable { encoding, byte, before, fitting } => {
            let after = if before.is_empty() { String::new() } else { format!(" after `{before}`") };
            let note = format!("line {line} has the byte 0x{byte:02X}{after}");
            let written = from.options.iter().find(|option| option.kind.word() == "encoding");
            let name = match (written, encoding) {
                (None, Encoding::Utf8) => "UTF-8".to_owned(),
                _ => format!("`{}`", encoding.word()),
            };
            let said = |help: &str| bad(format!("`{path}` is not {name}"), help);
            let option = |encoding: &Encoding| format!("encoding {}", quote_string(encoding.word()));
            let edits = fitting.iter().map(|encoding| fixes::build_option_edit(from, "encoding", encoding.word()));
            match fitting.as_slice() {
                [] => said("save the file as UTF-8").note(note),
                [only] => fixes::offer_choices(said(&format!("add `{}`", option(only))).note(note), edits),
                several => {
                    let names: Vec<&str> = several.iter().map(|encoding| encoding.word()).collect();
                    let note = format!("{note}\n{} read the file, each as another text", join_with_and(names));
                    let options: Vec<String> = several.iter().map(option).collect();
                    let help = format!("add the one in which the file was saved: {}", options.join(" or "));
                    fixes::offer_choices(said(&help).note(note), edits)
                }
            }
        }
        FaultKind::Nul => bad(
            format!("line {line} of `{path}` has a NUL character"),
            "remove it, or, if the file is UTF-16, add `encoding \"utf-16le\"`",
        ),
        FaultKind::OpenQuote => bad(
            format!("the quote that opens in line {line} of `{path}` is never closed"),
            "close it, or write it twice if it belongs to the text",
        ),
        FaultKind::AfterQuote => bad(
            format!("line {line} of `{path}` has text after a closing quote"),
            "write a quote inside a quoted field twice",
        ),
        FaultKind::TooLong { cells, header } => bad(
            format!("line {line} of `{path}` has {cells} fields, but {} {header}", describe_first_row(from)),
            "correct the line, or say with `skip` and `until` where the table starts and ends",
        ),
        FaultKind::TooFew { cells, header } => bad(
            format!(
                "line {line} of `{path}` has {}, but {} {header}",
                format_count(*cells as u32, "field"),
                describe_first_row(from)
            ),
            "add the missing fields, or say with `until` where the rows end",
        ),
        FaultKind::TooMuch { of, most } => {
            let what = match of {
                SizeLimit::Bytes => "bytes",
                SizeLimit::Cells => "fields",
                SizeLimit::Columns => "columns",
                SizeLimit::Cell => "bytes in one field",
            };
            let message = format!("`{path}` has more than {} {what}", group_digits(*most as u64));
            Diagnostic::new(Code::BAD_FIXTURE, message, here, "too large to be read")
                .help("cut it down, or split it into several files of one view")
        }
        FaultKind::Unreadable(why) => bad(format!("`{path}` cannot be read: {}", why.message), &why.help),
        FaultKind::OddCell { column, odd } => {
            let message = format!("a field of `{column}` in line {line} of `{path}` cannot be read: {}", odd.message);
            match odd.cell.as_str() {
                "" => bad(message, &odd.help),
                cell => {
                    let null = format!("{}, or make it null: as missing [{}]", odd.help, quote_string(cell));
                    let said = bad(message, &null);
                    fixes::offer_choices(said, wanted.and_then(|(proved, reading)| as_null(proved, reading, cell)))
                }
            }
        }
        FaultKind::TooTangled => bad(
            format!("line {line} of `{path}` takes too long to compare with `line`"),
            "write more fixed text between the columns of `line`",
        ),
        FaultKind::Sheets(sheets) => {
            let all: Vec<String> = sheets.iter().map(|name| format!("sheet {}", quote_string(name))).collect();
            let help = format!("choose one: {}", all.join(" or "));
            let message = format!("`{path}` has {} sheets", sheets.len());
            let said = Diagnostic::new(Code::BAD_FIXTURE, message, here, "which one?").help(help);
            fixes::offer_choices(said, sheets.iter().map(|name| fixes::build_option_edit(from, "sheet", name)))
        }
        FaultKind::NoSheet { sheet, sheets } => {
            let known = || sheets.iter().map(String::as_str);
            let message = format!("`{path}` has no sheet `{sheet}`");
            let said = Diagnostic::new(Code::UNKNOWN_TABLE, message, option("sheet"), "no such sheet")
                .note(format!("its sheets are {}", join_with_and(known())));
            let edit = |near: &str| Some(fixes::build_option_edit(from, "sheet", near));
            fixes::suggest_near_name(said, sheet, known(), edit, |said| said.help("write the name of one of them"))
        }
        FaultKind::Empty => region(
            format!("`{path}` is empty"),
            here,
            "read from here",
            "write its header, or read a file without one: header 0".to_owned(),
        ),
        // The skipped records exist, but not all rows of the header.
        FaultKind::TooShort { skip, records } if skip < records => region(
            format!("`{path}` has only {}", format_count(*records, "record")),
            option("header"),
            "a header of two rows needs more",
            "its header may have one row: header 1".to_owned(),
        ),
        FaultKind::TooShort { skip, records } => region(
            format!("`{path}` has only {}", format_count(*records, record)),
            option("skip"),
            "more are skipped",
            format!("skip fewer than {skip}"),
        ),
        FaultKind::NoStart { cell, first } => {
            let first = || first.iter().map(String::as_str);
            let (message, help) = match in_text {
                true => (
                    format!("no line of `{path}` starts with `{cell}`"),
                    "write how the line before the rows starts".to_owned(),
                ),
                false => {
                    (format!("no record of `{path}` has a field `{cell}`"), "write a field of the header".to_owned())
                }
            };
            let first_words = join_with_and(first());
            let note = match format.holds {
                Holds::Page => format!("its tables have the fields {first_words}"),
                _ => format!("the file starts with {first_words}"),
            };
            let said = region(message, option("skip"), "`skip` needs it", help).note(note);
            fixes::suggest_near_name(
                said,
                cell,
                first(),
                |near| Some(fixes::build_option_edit(from, "skip", near)),
                |said| said,
            )
        }
        FaultKind::NoEnd { cell } => region(
            format!("no {record} of `{path}` starts with `{cell}`"),
            option("until"),
            "`until` needs it",
            format!("write how the first {record} after the rows starts, or remove `until`"),
        ),
        FaultKind::NoElements { at, paths } => {
            let message = format!("`{path}` has no element at `{at}`");
            let help = |said: Diagnostic| said.help("write the path of one of its elements");
            let said = Diagnostic::new(Code::REGION_NOT_FOUND, message, option("at"), "no element there")
                .note(format!("its elements are {}", join_with_and(paths.iter().map(String::as_str))));
            // Compares the last name of a misspelled path with the names of its siblings.
            let (parent, name) = at.rsplit_once('/').unwrap_or(("", at));
            let of = |path: &'_ String| path.rsplit_once('/').is_some_and(|(other, _)| other == parent);
            let near = paths.iter().filter(|path| of(path)).filter_map(|path| path.rsplit('/').next());
            let edit = |near: &str| Some(fixes::build_option_edit(from, "at", &format!("{parent}/{near}")));
            fixes::suggest_near_name(said, name, near, edit, help)
        }
        FaultKind::Elements { rows, paths } => {
            let said = |help: String| {
                region(format!("`{path}` does not say which elements are rows"), here, "which elements?", help)
            };
            match rows {
                Some(rows) => fixes::offer_edit(
                    said(format!("write which are the rows: at \"{rows}\""))
                        .note(format!("its elements are {}", join_with_and(paths.iter().map(String::as_str)))),
                    fixes::build_option_edit(from, "at", rows),
                ),
                None => said("write an element inside its root for each row".to_owned())
                    .note("its root has no elements".to_owned()),
            }
        }
        FaultKind::Tables(tables) => {
            let many = if tables.len() >= 12 { "12 or more".to_owned() } else { tables.len().to_string() };
            let help = format!(
                "choose one by its number, its caption, or a field: at \"1\" or skip \"FIELD\"\n{}",
                render_numbered_tables(tables)
            );
            fixes::offer_choices(
                region(format!("`{path}` has {many} tables"), here, "which one?", help),
                build_table_edits(tables, from),
            )
        }
        FaultKind::NoTable { at: None, .. } => {
            region(format!("`{path}` has no table"), here, "read from here", "read a page with a <table>".to_owned())
        }
        FaultKind::NoTable { at: Some(at), tables } => {
            let help =
                format!("write the number or the caption of one of its tables\n{}", render_numbered_tables(tables));
            let said = region(format!("`{path}` has no table `{at}`"), option("at"), "no such table", help);
            fixes::offer_choices(said, build_table_edits(tables, from))
        }
        FaultKind::NoArray { at, found, arrays } => {
            let message = match found {
                None => format!("`{path}` has nothing at `{at}`"),
                Some(found) => format!("`{path}` has {found} at `{at}`, not an array"),
            };
            let option = option("at");
            let help = match arrays.as_slice() {
                [] => "write the table as an array of objects".to_owned(),
                arrays => {
                    let all: Vec<String> = arrays.iter().map(|path| format!("at {}", quote_string(path))).collect();
                    format!("write where the table is: {}", all.join(" or "))
                }
            };
            let said = region(message, option, "no array there", help);
            fixes::offer_choices(said, arrays.iter().map(|path| fixes::build_option_edit(from, "at", path)))
        }
        FaultKind::NoHeader { header: wanted, headers } => {
            let said = header(format!("`{path}` has no column headed `{wanted}`"), "not in the header");
            let known = headers.iter().map(String::as_str).filter(|known| !known.is_empty());
            let edit = |near: &str| fixes::build_place_edit(spots?, &quote_string(near));
            fixes::suggest_near_name(said, wanted, known.clone(), edit, |said| {
                said.note(format!("its header has {}", join_with_and(known))).help("write one of them after `from`")
            })
        }
        FaultKind::TwoHeaders { header: wanted, positions } => {
            let said = header(format!("`{path}` has two columns headed `{wanted}`"), "which one?");
            let all: Vec<String> = positions.iter().map(|at| format!("from {at}")).collect();
            let edits = positions.iter().filter_map(|at| fixes::build_place_edit(spots?, &at.to_string()));
            fixes::offer_choices(said.help(format!("use the position: {}", all.join(" or "))), edits)
        }
        FaultKind::NoPosition { position, columns } => {
            header(format!("`{path}` has only {}", format_count(*columns as u32, "column")), "read here")
                .note(format!("column {position} is asked for"))
                .help(format!("write a position from 1 to {columns}"))
        }
        FaultKind::Unpivot(why) => {
            let (message, help) = describe_unpivot_fault(path, why);
            let at = from.body.as_ref().and_then(|body| body.unpivots.first()).map_or(here, |unpivot| unpivot.span);
            Diagnostic::new(Code::BAD_HEADER, message, at, "read here").help(help)
        }
        FaultKind::Misfits { misfits, .. } => {
            Diagnostic::new(Code::FIELD_NOT_IN_DOMAIN, format!("fields of `{path}` do not fit"), here, "read from here")
                .note(format_count(misfits.count as u32, "field"))
        }
    }
}

/// Renders a list of tables with their numbers.
fn render_numbered_tables(tables: &[String]) -> String {
    let lines: Vec<String> = tables.iter().zip(1..).map(|(table, at)| format!("table {at}: {table}")).collect();
    lines.join("\n")
}

/// Builds one edit for each table of a page, which selects it by number.
fn build_table_edits(tables: &[String], from: &ast::FromDisk) -> impl Iterator<Item = fixes::Edit> {
    (1..=tables.len()).map(|at| fixes::build_option_edit(from, "at", &at.to_string()))
}

/// Builds an edit that adds a cell to the null marks of its column.
fn as_null(proved: &DeclaredColumn<'_>, reading: &Reading, cell: &str) -> Option<fixes::Edit> {
    let written: Vec<Told> = reading.written.iter().map(Pattern::to_told).collect();
    let missing: Vec<String> = reading.missing.iter().cloned().chain([cell.to_owned()]).collect();
    fixes::build_style_edit(&proved.spots, &written, &missing)
}

fn describe_unpivot_fault(path: &str, why: &UnpivotFault) -> (String, String) {
    let headers = "write headers as they are in the file".to_owned();
    match why {
        UnpivotFault::NoHeader(header) => (format!("`{path}` has no column headed `{header}`"), headers),
        UnpivotFault::TwoHeaders { header, .. } => {
            let help = "list other headers, or read each of them by its position: from 3".to_owned();
            (format!("`{path}` has several columns headed `{header}`"), help)
        }
        UnpivotFault::Backwards(first, last) => {
            (format!("in `{path}`, the column `{last}` is before `{first}`"), format!("write: \"{last}\"..\"{first}\""))
        }
        UnpivotFault::NoneFits(pattern) => (format!("no header of `{path}` matches `{pattern}`"), headers),
        UnpivotFault::Unpaired { star, has, lacks } => {
            let (has, lacks) = (has.replace('*', star), lacks.replace('*', star));
            let message = format!("`{path}` has a column headed `{has}`, but not `{lacks}`");
            (message, "write patterns that match the same texts with `*`".to_owned())
        }
    }
}
