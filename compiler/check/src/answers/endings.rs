//! Files whose extension shows that their content is not text: text matchers cannot read them, except for workbooks.

use model::answer_key::Answer;
use model::file_extensions::describe_unreadable;
use model::format::{is_gzip, strip_gzip};
use model::suite::Matcher;
use model::suite::matchers::{Reads, Takes};
use model::{Format, Span, Value};

use crate::context::{Checker, Relations};
use hir::types::TyKind;
use hir::{Expr, ExprKind};
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Relations<'a> {
    /// Reports a text matcher that is applied to a file whose content is not text.
    pub(super) fn reject_unreadable_file(
        &self,
        cx: &mut Checker<'a>,
        expect: &ast::Expect,
        subject: &hir::Subject,
        (matcher, matcher_span): (Matcher, Span),
    ) {
        let (hir::Subject::File(path), Reads::Text) = (subject, matcher.record().reads) else { return };
        if self.find_read_format(path) == Some(Format::Html) && matcher == Matcher::Rows {
            let said = Diagnostic::new(
                Code::MISPLACED,
                "`rows` does not read the tables of an HTML page",
                matcher_span,
                "reads rows",
            );
            let help =
                "ask for a CSV file, such as one that ends with `.csv`, or compare the text of the page: `contains`";
            cx.report(said.label(path.span, "an HTML page by its name").help(help));
            return;
        }
        let Some((noun, ending)) = self.describe_unreadable_file(path) else { return };
        let word = matcher.word();
        let is_workbook = self.is_workbook(subject);
        if let Some(place) = expect.at.as_ref().filter(|_| is_workbook) {
            if !matcher.reads_cell() {
                let message = format!("`{word}` reads a sheet, not a cell");
                let said = Diagnostic::new(Code::MISPLACED, message, place.span, "one cell");
                let help = "name only the sheet: sheet \"Sheet1\"";
                cx.report(said.label(matcher_span, "reads rows").help(help));
            }
            return;
        }
        let is_typed = is_workbook || self.is_parquet(subject);
        if is_typed && matcher.reads_sheet() {
            return;
        }
        let said = Diagnostic::new(Code::MISPLACED, format!("`{word}` cannot read {noun}"), matcher_span, "reads text");
        let label = match &ending {
            Some(ending) => format!("`.{ending}` is {noun}"),
            None => format!("declared as {noun}"),
        };
        let text = match matcher {
            Matcher::Rows => "csv",
            Matcher::Json | Matcher::List => "json",
            _ => "txt",
        };
        let help = if is_workbook {
            format!("name the cell after the path: at \"Sheet1!B7\" {word} …")
        } else {
            format!(
                "ask for a text file, such as one that ends with `.{text}`, or compare the file with `bytes`, `unchanged`, or `exists`"
            )
        };
        cx.report(said.label(path.span, label).help(help));
    }

    /// Reports `bytes` of a file whose name ends in `.gz` with a text, or with a file that is not packed: what is compared is the packed file.
    pub(super) fn reject_packed_text(&self, cx: &mut Checker<'_>, path: &Expr, answer: &Answer<Expr>, matcher: Span) {
        let is_packed_copy = match answer {
            Answer::Content(file) => self.files[*file].path.as_ref().is_none_or(|path| self.ends_in_gzip(path)),
            _ => false,
        };
        if is_packed_copy || !self.ends_in_gzip(path) {
            return;
        }
        let message = "`bytes` compares a gzip file as it is packed";
        let said = Diagnostic::new(Code::MISPLACED, message, matcher, "what is expected is not packed");
        let help = "compare what is in it: `text`, `rows`, or `json`";
        cx.report(said.label(path.span, "packed by its name").help(help));
    }

    /// Checks whether the name of a file ends in `.gz`, as far as it is known.
    fn ends_in_gzip(&self, path: &Expr) -> bool {
        let Some(last) = path.as_pieces().last() else { return false };
        match (&last.kind, last.as_constant()) {
            (ExprKind::FilePath(file), _) => {
                self.files[*file].path.as_ref().is_some_and(|path| self.ends_in_gzip(path))
            }
            (_, Some(Value::Text(text))) => is_gzip(text),
            _ => false,
        }
    }

    /// Reports `json` with a single value for a file that is read as an array: a sheet of a workbook, or a value on each line.
    pub(super) fn reject_value_of_an_array(
        &self,
        cx: &mut Checker<'a>,
        expect: &ast::Expect,
        subject: &hir::Subject,
        (matcher, value): (Matcher, &Expr),
    ) {
        let (hir::Subject::File(path), Takes::Json, None) = (subject, matcher.record().takes, &expect.at) else {
            return;
        };
        let items = match &value.kind {
            ExprKind::List(items) if expect.answer.as_ref().is_some_and(|answer| answer.any_of) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        let is_single = |item: &&Expr| !matches!(item.ty.kind, TyKind::List(_) | TyKind::Rows(_) | TyKind::Unknown);
        let Some(item) = items.iter().find(is_single) else { return };
        let (noun, unit, label) = match self.find_read_format(path) {
            Some(Format::Xlsx) => ("a sheet", "an object for each row", "a workbook"),
            Some(Format::Parquet) => ("a Parquet file", "an object for each row", "a table"),
            Some(Format::Jsonl) => ("a file of JSON Lines", "a value for each line", "a value on each line"),
            _ => return,
        };
        let is_object = matches!(item.ty.kind, TyKind::Object(_) | TyKind::Map(_));
        let message = format!("{noun} is read as an array, but {} is expected", item.ty.describe_with_article());
        let said = Diagnostic::new(Code::MISPLACED, message, item.span, "not an array").label(path.span, label);
        let written = cx.sources.quote(item.span);
        let example = if is_object && !written.contains('\n') { written } else { "{ … }".to_owned() };
        cx.report(said.help(format!("write {unit}: json [{example}], or ask for a file that ends with `.json`")));
    }

    /// Checks whether a subject is a workbook, of which sheets and cells are read.
    pub(super) fn is_workbook(&self, subject: &hir::Subject) -> bool {
        matches!(subject, hir::Subject::File(path) if self.find_read_format(path) == Some(Format::Xlsx))
    }

    /// Checks whether a subject is a Parquet file, of which rows are read.
    fn is_parquet(&self, subject: &hir::Subject) -> bool {
        matches!(subject, hir::Subject::File(path) if self.find_read_format(path) == Some(Format::Parquet))
    }

    /// Returns the format of a file that is read, as far as its declaration or its name tells it.
    pub(super) fn find_read_format(&self, path: &Expr) -> Option<Format> {
        let last = path.as_pieces().last()?;
        if let ExprKind::FilePath(file) = last.kind {
            let own = &self.files[file];
            let by_name = || own.path.as_ref().and_then(|path| self.find_read_format(path));
            // A workbook or Parquet file is recognized by its name when it is read.
            return if matches!(own.format, Format::File | Format::Xlsx | Format::Parquet) {
                by_name()
            } else {
                Some(own.format)
            };
        }
        let Some(Value::Text(text)) = last.as_constant() else { return None };
        let format = Format::from_path(strip_gzip(text));
        // What is in a gzip file is read as text.
        format.filter(|format| !format.has_typed_cells() || strip_gzip(text) == text)
    }

    /// Describes a file whose content is not text: a noun, and the extension if that is the evidence. Returns `None` for other files.
    fn describe_unreadable_file(&self, path: &Expr) -> Option<(&'static str, Option<String>)> {
        let last = path.as_pieces().last()?;
        if let ExprKind::FilePath(file) = last.kind {
            let own = &self.files[file];
            if matches!(own.format, Format::Xlsx | Format::Parquet | Format::Sqlite) {
                return Some((own.format.noun, None));
            }
            return own.path.as_ref().and_then(|path| self.describe_unreadable_file(path));
        }
        let Some(Value::Text(text)) = last.as_constant() else { return None };
        let noun = describe_unreadable(text)?;
        let ending = text.rsplit_once('.').map(|(_, ending)| ending.to_owned());
        Some((noun, ending))
    }
}
