//! Checks that the extension of a file fits its format.

use model::file_extensions::{find_wrong_ending, is_json};
use model::format::{Holds, is_gzip, strip_gzip};
use model::suite::FileId;
use model::{Format, Span, Value};

use crate::context::{Checker, Relations};
use hir::Expr;
use syntax::ast::{self, Cooked, PathOptionKind};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Relations<'a> {
    /// Reports a path whose extension belongs to another format than that of the file.
    pub(super) fn check_path_ending(&self, cx: &mut Checker<'a>, file: FileId, data: &ast::Data, path: &Expr) {
        let Some(Value::Text(end)) = path.as_pieces().last().and_then(Expr::as_constant) else { return };
        let name = &data.name.text;
        let said = if let Some((ending, noun)) = find_wrong_ending(self.infer_path_format(file, end), end) {
            let message = format!("`{name}` is {}, but its name ends in `.{ending}`", data.format.noun);
            let said = Diagnostic::new(Code::BAD_CONTENT, message, data.path.span, format!("{noun} by its name"));
            let own = data.format.endings.first().map(|own| format!("end the name in `.{own}`"));
            let is_other = |other: &Format| other.holds != Holds::Page && *other != data.format;
            let other = Format::from_path(strip_gzip(end)).filter(is_other);
            let other = other.map(|other| format!("write {}: {} {name} at …", other.noun, other.word()));
            said.help(own.into_iter().chain(other).collect::<Vec<_>>().join(", or "))
        } else if data.format.holds == Holds::Text
            && is_json(strip_gzip(end))
            && let Some(line) = self.find_json_line(cx, file)
        {
            let message = format!("the lines of `{name}` are not JSON where a text has a quote in it");
            let said = Diagnostic::new(Code::BAD_CONTENT, message, line, "texts are written as they are");
            let help = match Format::from_path(strip_gzip(end)) {
                Some(Format::Jsonl) => format!("write JSON Lines: jsonl {name} at \"{name}.jsonl\" {{ rows 50  … }}"),
                _ => format!("write a JSON file: json {name} at \"{name}.json\" : [ {{ … }} ; 50 ]"),
            };
            said.label(data.path.span, "JSON by its name").help(format!("{help}, or end the name in `.txt`"))
        } else if let Some(said) = build_packing_diagnostic(data, end) {
            said
        } else {
            return;
        };
        cx.report(said.label(data.format_span, "the format"));
    }

    /// Returns the format of a file for its name: a CSV file with tabs as delimiters can also be called TSV.
    fn infer_path_format(&self, file: FileId, path: &str) -> Format {
        let format = self.files[file].ast.format;
        let by_tabs = |option: &&ast::PathOption| match &option.kind {
            PathOptionKind::Delimiter(text) => matches!(text.cook().as_slice(), [Cooked::Text(text)] if text == "\t"),
            _ => false,
        };
        match Format::from_path(strip_gzip(path)) {
            Some(Format::Tsv) if format == Format::Csv && self.collect_options(file).iter().any(by_tabs) => Format::Tsv,
            _ => format,
        }
    }

    /// Finds the `line` of a text if it begins like JSON.
    fn find_json_line(&self, cx: &Checker<'a>, file: FileId) -> Option<Span> {
        let bodies = self.collect_bodies(cx, file);
        let line = bodies.iter().rev().find_map(|body| body.lines.first())?;
        let begins = match line.cook().into_iter().next()? {
            Cooked::Text(text) => text.trim_start().starts_with(['{', '[']),
            Cooked::Placeholder(_) => false,
        };
        begins.then_some(line.span)
    }
}

/// Builds the diagnostic for a fixture whose copy says by its name that it is packed, or not, and is otherwise.
fn build_packing_diagnostic(data: &ast::Data, end: &str) -> Option<Diagnostic> {
    let ast::Content::Fixture(from) = &data.content else { return None };
    let pieces = from.path.cook();
    let [Cooked::Text(source)] = pieces.as_slice() else { return None };
    let is_packed = is_gzip(source);
    if !data.format.is_packable() || is_packed == is_gzip(end) {
        return None;
    }
    let name = &data.name.text;
    let (message, label, help) = match is_packed {
        true => (
            format!("`{name}` is a gzip file, but its name does not end in `.gz`"),
            "not by its name",
            "end both names in `.gz`",
        ),
        false => (
            format!("`{name}` is not a gzip file, but its name ends in `.gz`"),
            "a gzip file by its name",
            "end neither name in `.gz`",
        ),
    };
    let said = Diagnostic::new(Code::BAD_CONTENT, message, data.path.span, label);
    Some(said.label(from.path.span, "copied byte for byte").help(format!("{help}: a fixture is copied as it is")))
}
