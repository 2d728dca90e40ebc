//! Options for writing files of cells: `delimiter ";"`, `quoted`, `crlf`, `bom`; and the delimiter between the cells of a fixture.

use crate::context::{Checker, TaskChecker};
use crate::lakes::{LakeChecker, Table};
use syntax::ast::{self, Content, Format, PathOptionKind};
use syntax::diagnostics::wording::{build_repeated_diagnostic, suggest_name};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Returns the delimiter between cells: the one in the options, or else that of the format. `None` after an error in the option.
    pub fn resolve_delimiter(&mut self, data: &'a ast::Data, from: &'a ast::FromDisk, of_format: u8) -> Option<u8> {
        let written = from.options.iter().find_map(|option| match &option.kind {
            PathOptionKind::Delimiter(text) if data.format.writing.contains(&option.kind.word()) => Some(text),
            _ => None,
        });
        written.map_or(Some(of_format), |text| self.check_delimiter_byte(text))
    }

    /// Checks `delimiter ";"` and returns its ASCII character.
    pub fn check_delimiter_byte(&mut self, text: &'a ast::StringLit) -> Option<u8> {
        let value = LakeChecker::new(self).require_fixed_text(text, "a delimiter")?;
        let mut characters = value.chars();
        let wrong = match (characters.next(), characters.next()) {
            (Some(only), None) => match explain_bad_delimiter(only) {
                None => return u8::try_from(only).ok(),
                Some(wrong) => wrong.to_owned(),
            },
            (None, _) => "nothing".to_owned(),
            _ => format!("{} characters", value.chars().count()),
        };
        let message = "a delimiter must be one ASCII character that cells rarely contain";
        let said = Diagnostic::new(Code::BAD_CONTENT, message, text.span, format!("this is {wrong}"));
        self.cx.report(said.help("write for instance: delimiter \";\"   or: delimiter \"|\"   or: delimiter \"\\t\""));
        None
    }
}

impl<'a> Checker<'a> {
    /// Checks that each option appears once, fits the format, and exists.
    pub fn check_writing_options(&mut self, data: &'a ast::Data) {
        let cells = data.format.is_cells();
        let (options, fixture) = match &data.content {
            // The columns are declared, so its options have been checked.
            Content::Fixture(from) if Table::from_fixture(data, from).is_read_as_declared() => return,
            Content::Fixture(from) => (&from.options, Some(from)),
            _ => (&data.options, None),
        };
        for (index, option) in options.iter().enumerate() {
            let word = option.kind.word();
            let earlier = options.get(..index).unwrap_or_default();
            if let Some(first) = earlier.iter().find(|earlier| earlier.kind.word() == word) {
                self.report(build_repeated_diagnostic(word, option.span, first.span));
                continue;
            }
            let delimiter = matches!(option.kind, PathOptionKind::Delimiter(_));
            if fixture.is_none() && !self.is_written(option, &data.name) {
                continue;
            }
            if cells
                && !delimiter
                && let Some(from) = fixture
            {
                let message = format!("`{word}` does not apply to a fixture");
                let help = format!("remove `{word}`: of these options, only `delimiter` says how a fixture is read");
                let said = Diagnostic::new(Code::MISPLACED, message, option.span, "changes how a file is written");
                self.report(said.label(from.path.span, "copied byte for byte").help(help));
                continue;
            }
            if !data.format.writing.contains(&word) {
                let takers: Vec<&str> =
                    Format::filter_by_option(word, |format| format.writing).map(Format::word).collect();
                let belongs = match takers.as_slice() {
                    [first, second, last] => format!("{first}, {second}, and {last}"),
                    few => few.join(" and "),
                };
                let help = match takers.as_slice() {
                    _ if delimiter => "remove it, or write: csv NAME at \"file.csv\" delimiter \";\" { … }".to_owned(),
                    [.., "text"] => "remove it: only files of cells and texts have it".to_owned(),
                    _ => "remove it: only files of cells have it".to_owned(),
                };
                let message = format!("`{word}` belongs to {belongs}");
                let said = Diagnostic::new(Code::MISPLACED, message, option.span, "does not fit the format");
                self.report(said.label(data.format_span, "the format").help(help));
            }
        }
        // The grammar accepts a name here because of XML.
        if !data.format.is_tree()
            && let Content::Body { root: Some(root), .. } = &data.content
        {
            let options = data.format.writing;
            if root.text == "delimiter" && options.contains(&"delimiter") {
                let message = "`delimiter` needs a text in quotes";
                let said = Diagnostic::new(Code::MISSING_VALUE, message, root.span.shrink_to_end(), "missing here");
                self.report(said.help("write: delimiter \";\""));
                return;
            }
            let message = format!("`{}` is not an option of this format", root.text);
            let said = Diagnostic::new(Code::MISSPELT_KEYWORD, message, root.span, "not an option");
            let mut said = suggest_name(said, root.span, &root.text, options.iter().copied());
            if said.help.is_none() {
                let help = match options {
                    [] => "files of this format have no options",
                    _ => "the options after the path are: delimiter \";\", quoted, crlf, bom",
                };
                said = said.help(help).fix("remove it", Applicability::Unsafe, root.span, "");
            }
            self.report(said);
        }
    }
}

/// Explains why a character cannot be a delimiter. Returns `None` if it can.
fn explain_bad_delimiter(character: char) -> Option<&'static str> {
    match character {
        '"' | '\'' => Some("a quote"),
        '\t' => None,
        '0'..='9' => Some("a digit"),
        'a'..='z' | 'A'..='Z' => Some("a letter"),
        other if other.is_ascii_control() => Some("a control character"),
        other if !other.is_ascii() => Some("not ASCII"),
        _ => None,
    }
}
