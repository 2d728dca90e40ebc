//! The options after the path of an expected file, which say how the file that the agent leaves is read.

use model::answer_key::Read;
use model::suite::Matcher;
use model::suite::matchers::{Reads, Takes};
use model::{Format, Span, Value};
use tables::workbook::parse_place;
use tables::{Layout, Skip, Until};

use crate::answers::AnswerChecker;
use crate::context::Checker;
use crate::lakes::LakeChecker;
use syntax::ast::{self, Cooked, PathOption, PathOptionKind as Kind};
use syntax::diagnostics::wording::build_repeated_diagnostic;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::string::quote_string;

impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Checks the options of reading. Options that do not fit are reported and ignored.
    pub(super) fn check_reading(
        &mut self,
        expect: &'a ast::Expect,
        subject: &hir::Subject,
        (matcher, matcher_span): (Matcher, Span),
    ) -> Read {
        let mut read = Read::default();
        let hir::Subject::File(path) = subject else { return read };
        let format = self.task.scope.relations.find_read_format(path);
        let place = expect.at.as_ref().filter(|_| format == Some(Format::Xlsx) && matcher.reads_cell());
        if let Some(place) = place {
            if report_divided_cell(self.task.cx, place, &expect.reading) {
                return read;
            }
            read.cell = self.check_cell_place(place);
        }
        let mut layout = Layout::from_format(find_table_format(format).unwrap_or(Format::Csv));
        for (index, option) in expect.reading.iter().enumerate() {
            let word = option.kind.word();
            let earlier = expect.reading.get(..index).unwrap_or_default();
            let first = earlier.iter().find(|earlier| earlier.kind.word() == word).map(|first| first.span);
            let first = first.or_else(|| expect.at.as_ref().filter(|_| word == "at").map(|place| place.span));
            if let Some(first) = first {
                self.task.cx.report(build_repeated_diagnostic(word, option.span, first));
                continue;
            }
            if !self.task.cx.is_read(option, path.span) {
                continue;
            }
            let fault = find_misuse(option, format, matcher);
            if let Some((message, help)) = fault {
                let said = Diagnostic::new(Code::MISPLACED, message, option.span, "does not fit");
                self.task.cx.report(said.label(matcher_span, "this matcher").help(help));
                continue;
            }
            if LakeChecker::new(self.task).apply_layout_option(&option.kind, &mut layout).is_some() {
                add_option(&option.kind, &layout, &mut read);
            }
        }
        read
    }

    /// Checks the place of a cell in a workbook.
    fn check_cell_place(&mut self, place: &'a ast::StringLit) -> Option<String> {
        let checked = self.task.check_string(place);
        let Some(Value::Text(text)) = checked.as_constant() else {
            self.task.scope.report_not_fixed(self.task.cx, &checked, "the cell after `at`");
            return None;
        };
        if parse_place(text).is_none() {
            report_bad_cell(self.task.cx, text, place.span);
            return None;
        }
        Some(text.clone())
    }
}

/// Returns the format as which the rows of a file are read; `None` if another way to read it is chosen by its format.
fn find_table_format(format: Option<Format>) -> Option<Format> {
    match format {
        None | Some(Format::Text | Format::Csv | Format::File) => Some(Format::Csv),
        Some(Format::Tsv) => Some(Format::Tsv),
        Some(format @ (Format::Xlsx | Format::Parquet)) => Some(format),
        Some(_) => None,
    }
}

/// Explains why an option does not fit: a message, and what to do.
fn find_misuse(option: &PathOption, format: Option<Format>, matcher: Matcher) -> Option<(String, String)> {
    let word = option.kind.word();
    let remove = |takers: &str| format!("remove `{word}`: it works with {takers}");
    let noun = || format.map_or("such a file", |format| format.noun);
    let record = matcher.record();
    if record.reads != Reads::Text && record.takes != Takes::Content {
        let message = format!("`{word}` says how a file is read, but `{}` does not read what is in it", matcher.word());
        return Some((message, format!("remove `{word}`")));
    }
    if let Kind::Encoding(_) = option.kind {
        let unfit = format.is_some_and(|format| !(format.text || format == Format::File));
        return unfit.then(|| (format!("`{word}` does not apply to {}", noun()), remove("files of text")));
    }
    let takers = match option.kind {
        Kind::Sheet(_) => "workbooks",
        Kind::Delimiter(_) => "CSV files",
        _ => "CSV files, TSV files, and workbooks",
    };
    match find_table_format(format) {
        Some(table) if table.reading.contains(&word) => {
            let reads_rows = if table.has_typed_cells() { matcher.reads_sheet() } else { record.takes == Takes::Rows };
            (!reads_rows).then(|| {
                let message = format!("`{word}` says where rows are, but `{}` does not read rows", matcher.word());
                let help = match &option.kind {
                    Kind::Sheet(name) => {
                        let name = match name.pieces.as_slice() {
                            [ast::Piece::Text(name, _)] => name.as_str(),
                            _ => "Sheet1",
                        };
                        format!("name the sheet with the cell, at \"{name}!B7\", or expect the rows: rows …")
                    }
                    _ => format!("remove `{word}`, or expect the rows: rows …"),
                };
                (message, help)
            })
        }
        _ => Some((format!("`{word}` does not apply to {}", noun()), remove(takers))),
    }
}

/// Adds an option that a layout has taken.
fn add_option(option: &Kind, layout: &Layout, read: &mut Read) {
    match option {
        Kind::Delimiter(_) => read.delimiter = Some(char::from(layout.delimiter)),
        // Also UTF-8: the file that is declared at the path may have another encoding.
        Kind::Encoding(_) => read.encoding = Some(layout.encoding.word().to_owned()),
        Kind::Header(_) => read.header = Some(layout.header),
        Kind::Skip(_) => match &layout.skip {
            Some(Skip::Records(count)) => read.skip = Some(*count),
            Some(Skip::Cell(cell)) => read.skip_to = Some(cell.clone()),
            None => {}
        },
        Kind::Until(_) => match &layout.until {
            Some(Until::Blank) => read.until_blank = true,
            Some(Until::Cell(cell)) => read.until = Some(cell.clone()),
            None => {}
        },
        Kind::Sheet(_) => read.sheet.clone_from(&layout.sheet),
        Kind::Missing(_) => read.missing.clone_from(&layout.missing),
        Kind::At(_) | Kind::Quoted | Kind::Crlf | Kind::Bom | Kind::Above(_) | Kind::Below(_) => {}
    }
}

/// Reports a cell whose sheet is named by the option `sheet`, and says how both are written.
fn report_divided_cell(cx: &mut Checker<'_>, place: &ast::StringLit, options: &[PathOption]) -> bool {
    let fixed = |text: &ast::StringLit| match text.cook().as_slice() {
        [Cooked::Text(text)] => Some(text.clone()),
        _ => None,
    };
    let sheet = options.iter().find_map(|option| match &option.kind {
        Kind::Sheet(name) => Some((option.span, fixed(name)?)),
        _ => None,
    });
    let (Some((span, sheet)), Some(cell)) = (sheet, fixed(place)) else { return false };
    let is_plain = sheet.chars().all(|char| char.is_alphanumeric() || char == '_');
    let name = if is_plain { sheet } else { format!("'{}'", sheet.replace('\'', "''")) };
    let whole = format!("{name}!{cell}");
    if parse_place(&whole).is_none() {
        return false;
    }
    let whole = format!("at {}", quote_string(&whole));
    let said = Diagnostic::new(Code::MISPLACED, "a cell is named with its sheet", span, "the sheet")
        .label(place.span, "the cell")
        .help(format!("write: {whole}"));
    let both = span.extend_to(place.span);
    let is_next = options.last().is_some_and(|last| last.span == span) && span.end <= place.span.start;
    cx.report(if is_next { said.replace(Applicability::Safe, both, whole) } else { said });
    true
}

fn report_bad_cell(cx: &mut Checker<'_>, text: &str, span: Span) {
    let message = format!("`{text}` is not a cell of a sheet");
    let said = Diagnostic::new(Code::PATH_SYNTAX, message, span, "not a sheet and a cell");
    let example = format!("Sheet1!{text}");
    let example = if parse_place(&example).is_some() { &example } else { "Sheet1!B7" };
    cx.report(said.help(format!(
        "write the sheet, `!`, and the cell: \"{example}\"; a name with an apostrophe or `!` is in apostrophes, as in spreadsheets"
    )));
}
