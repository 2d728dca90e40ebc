//! Whether the ending of a file's name says what the file is.

use model::endings::{is_json, mistaken};
use model::format::Holds;
use model::suite::FileId;
use model::{Format, Span, Value};

use super::paths::pieces_of;
use crate::ast::{self, Cooked, PathOptionKind};
use crate::check::model::TaskChecker;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::Expr;

impl TaskChecker<'_, '_> {
    /// Says so where the ending of a path names another format than that of the file.
    pub(super) fn ending_fits(&mut self, file: FileId, data: &ast::Data, path: &Expr) {
        let Some(Value::Text(end)) = pieces_of(path).last().and_then(Expr::value) else { return };
        let name = &data.name.text;
        let said = if let Some((ending, noun)) = mistaken(self.named_format(file, end), end) {
            let message = format!("`{name}` is {}, but its name ends in `.{ending}`", data.format.noun);
            let said = Diagnostic::new(Code::BAD_CONTENT, message, data.path.span, format!("{noun} by its name"));
            let own = data.format.endings.first().map(|own| format!("end the name in `.{own}`"));
            let other = Format::of_path(end).filter(|other| other.holds != Holds::Page);
            let other = other.map(|other| format!("write {}: {} {name} at …", other.noun, other.word()));
            said.help(own.into_iter().chain(other).collect::<Vec<_>>().join(", or "))
        } else if data.format.holds == Holds::Text
            && is_json(end)
            && let Some(line) = self.line_of_json(file)
        {
            let message = format!("the lines of `{name}` are not JSON where a text has a quote in it");
            let said = Diagnostic::new(Code::BAD_CONTENT, message, line, "texts are written as they are");
            said.label(data.path.span, "JSON by its name").help(format!(
                "write a JSON file: json {name} at \"{name}.json\" : [ {{ … }} ; 50 ], or end the name in `.txt`"
            ))
        } else {
            return;
        };
        self.cx.say(said.label(data.format_span, "the format"));
    }

    /// The format of a file as its name may say it: CSV with tabs between its fields is TSV, too.
    fn named_format(&self, file: FileId, path: &str) -> Format {
        let format = self.files[file].ast.format;
        let by_tabs = |option: &&ast::PathOption| match &option.kind {
            PathOptionKind::Delimiter(text) => matches!(text.cook().as_slice(), [Cooked::Text(text)] if text == "\t"),
            _ => false,
        };
        match Format::of_path(path) {
            Some(Format::Tsv) if format == Format::Csv && self.options_of(file).iter().any(by_tabs) => Format::Tsv,
            _ => format,
        }
    }

    /// The `line` of a text that begins as JSON does.
    fn line_of_json(&self, file: FileId) -> Option<Span> {
        let bodies = self.bodies_of(file);
        let line = bodies.iter().rev().find_map(|body| body.lines.first())?;
        let begins = match line.cook().into_iter().next()? {
            Cooked::Text(text) => text.trim_start().starts_with(['{', '[']),
            Cooked::Placeholder(_) => false,
        };
        begins.then_some(line.span)
    }
}
