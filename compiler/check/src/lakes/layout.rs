//! The options of the path of a file that is read.

use model::format::Holds;
use model::{Format, Singular, Value};
use tables::{Encoding, Layout, Skip, Until};

use crate::context::Checker;
use crate::lakes::LakeChecker;
use names as suggest;
use syntax::ast::{self, PathOptionKind as Kind};
use syntax::diagnostics::wording::build_repeated_diagnostic;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> LakeChecker<'_, '_, 'a> {
    /// Checks the options for reading a table from files of a format. Options that do not fit are reported and ignored. `None` after any other error.
    pub(crate) fn check_layout(&mut self, format: Format, from: &'a ast::FromDisk) -> Option<Layout> {
        let mut layout = Layout::from_format(format);
        let mut sound = true;
        for (index, option) in from.options.iter().enumerate() {
            let word = option.kind.word();
            let earlier = from.options.get(..index).unwrap_or_default();
            if let Some(first) = earlier.iter().find(|earlier| earlier.kind.word() == word) {
                self.task.cx.report(build_repeated_diagnostic(word, option.span, first.span));
                continue;
            }
            if !self.task.cx.is_read(option, from.path.span) {
                continue;
            }
            if !format.reading.contains(&word) {
                self.task.cx.report_unfit_option(format, option, from);
                continue;
            }
            sound &= self.apply_layout_option(&option.kind, &mut layout).is_some();
        }
        sound.then_some(layout)
    }

    /// Adds an option that fits the format to a layout. `None` after an error.
    pub(crate) fn apply_layout_option(&mut self, option: &'a Kind, layout: &mut Layout) -> Option<()> {
        match option {
            Kind::Delimiter(text) => layout.delimiter = self.task.check_delimiter_byte(text)?,
            Kind::Encoding(text) => layout.encoding = self.check_encoding(text)?,
            Kind::Header(rows) => {
                layout.header =
                    self.task.cx.check_header_rows(rows, "skip rows before the header with `skip`: skip 2 header 1")?;
            }
            Kind::Skip(ast::Skip::Records(count)) => layout.skip = Some(Skip::Records(count.value)),
            Kind::Skip(ast::Skip::Cell(text)) => {
                layout.skip = Some(Skip::Cell(self.require_nonblank_text(text, "the text after `skip`")?))
            }
            Kind::Until(ast::Until::Blank) => layout.until = Some(Until::Blank),
            Kind::Until(ast::Until::Cell(text)) => {
                layout.until = Some(Until::Cell(self.require_nonblank_text(text, "the text after `until`")?));
            }
            Kind::Sheet(text) => layout.sheet = Some(self.require_fixed_text(text, "a sheet")?),
            Kind::Missing(marks) => layout.missing = self.check_null_marks(marks)?,
            Kind::At(text) if layout.format.holds == Holds::Tree => layout.at = Some(self.check_table_path(text)?),
            // For elements and tables of a page: whether the path exists is known when the file is read.
            Kind::At(text) => layout.at = Some(self.require_nonblank_text(text, "a path into the file")?),
            Kind::Quoted | Kind::Crlf | Kind::Bom | Kind::Above(_) | Kind::Below(_) => {}
        }
        Some(())
    }

    /// Checks the path of the array that is the table.
    fn check_table_path(&mut self, text: &'a ast::StringLit) -> Option<String> {
        let path = self.require_nonblank_text(text, "a path into the file")?;
        let Err(why) = Singular::parse(&path) else { return Some(path) };
        let help = "write keys and positions, such as `$.items` or `$.years[0].rows`";
        self.task.cx.report_not_singular(text, &path, why, help.to_owned());
        None
    }

    pub(crate) fn check_encoding(&mut self, text: &'a ast::StringLit) -> Option<Encoding> {
        let name = self.require_fixed_text(text, "an encoding")?;
        if let Some(encoding) = Encoding::from_word(&name) {
            return Some(encoding);
        }
        let known = || Encoding::ALL.iter().map(|encoding| encoding.word());
        let said =
            Diagnostic::new(Code::BAD_SETTING, format!("`{name}` is not an encoding"), text.span, "not an encoding");
        let alias = Encoding::from_alias(&name).map(|(encoding, clear)| (encoding.word().to_owned(), clear));
        self.task.cx.report(match alias.or_else(|| suggest::suggest_keyword(&name, known())) {
            Some((near, clear)) => said.suggest(Applicability::from_clearness(clear), text.span, format!("\"{near}\"")),
            None => {
                let words: Vec<String> = known().map(|word| format!("\"{word}\"")).collect();
                said.help(format!("write one of: {}", words.join(", ")))
            }
        });
        None
    }

    /// Checks a text that must be known before anything is drawn.
    pub(crate) fn require_fixed_text(&mut self, text: &'a ast::StringLit, what: &str) -> Option<String> {
        let checked = self.task.check_string(text);
        match checked.as_constant() {
            Some(Value::Text(found)) => Some(found.clone()),
            _ => {
                if !checked.is_broken() {
                    self.task.cx.report_not_fixed(&checked, what, None);
                }
                None
            }
        }
    }

    /// Checks a text as [`Self::require_fixed_text`] does, and that it is not blank. Returns it trimmed.
    pub(crate) fn require_nonblank_text(&mut self, text: &'a ast::StringLit, what: &str) -> Option<String> {
        let found = self.require_fixed_text(text, what)?;
        let trimmed = found.trim();
        if trimmed.is_empty() {
            let said = Diagnostic::new(Code::MISSING_PART, format!("{what} is blank"), text.span, "blank");
            self.task.cx.report(said.help("write the text that is in the file"));
            return None;
        }
        Some(trimmed.to_owned())
    }

    /// Checks the marks of `missing [ … ]`.
    pub(crate) fn check_null_marks(&mut self, marks: &'a [ast::Expr]) -> Option<Vec<String>> {
        let mut found: Vec<String> = Vec::new();
        for mark in marks {
            let checked = self.task.require_fixed_value(mark, "a mark of `missing`")?;
            let Some(Value::Text(text)) = checked.as_constant() else {
                let label = format!("this is {}", checked.ty);
                let said = Diagnostic::new(Code::TYPE_MISMATCH, "a mark of `missing` is a text", mark.span, label);
                self.task.cx.report(said.help("write it in quotes: missing [\"-999\"]"));
                return None;
            };
            if found.contains(text) {
                let message = format!("the mark \"{text}\" appears twice");
                self.task
                    .cx
                    .report(Diagnostic::new(Code::DUPLICATE, message, mark.span, "again").help("write each mark once"));
                continue;
            }
            found.push(text.clone());
        }
        Some(found)
    }
}

impl Checker<'_> {
    /// Reports an option that does not apply to a file that is read.
    fn report_unfit_option(&mut self, format: Format, option: &ast::PathOption, from: &ast::FromDisk) {
        let word = option.kind.word();
        let takers: Vec<String> = Format::filter_by_option(word, |format| format.reading)
            .map(|format| format!("{}s", format.bare_noun()))
            .collect();
        let (message, help) = if takers.is_empty() {
            let message = format!("`{word}` does not apply to a file that is read");
            (message, format!("remove `{word}`: every way to write cells is read"))
        } else {
            let message = format!("`{word}` does not apply to {}", format.noun);
            (message, format!("remove `{word}`: it works with {}", takers.join(" and ")))
        };
        let said = Diagnostic::new(Code::MISPLACED, message, option.span, "does not fit");
        self.report(said.label(from.path.span, "read from here").help(help));
    }
}
