//! How files of cells are written: `delimiter ";"`, `quoted`, `crlf`, `bom`; and which character is between the cells of a fixture.

use crate::ast::{self, Content, Format, PathOptionKind};
use crate::check::lakes::Table;
use crate::check::model::TaskChecker;
use crate::check::say::{suggest_name, twice};
use crate::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks that each option appears once, fits the format, and exists.
    pub fn writing_options(&mut self, data: &'a ast::Data) {
        let cells = data.format.is_cells();
        let (options, fixture) = match &data.content {
            // Read as declared: its options have been checked.
            Content::Fixture(from) if Table::of(data, from).says_how() || Table::of(data, from).names_a_sheet() => {
                return;
            }
            Content::Fixture(from) => (&from.options, Some(from)),
            _ => (&data.options, None),
        };
        for (index, option) in options.iter().enumerate() {
            let word = option.kind.word();
            let earlier = options.get(..index).unwrap_or_default();
            if let Some(first) = earlier.iter().find(|earlier| earlier.kind.word() == word) {
                self.cx.say(twice(word, option.span, first.span));
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
                self.cx.say(
                    Diagnostic::new(
                        Code::MISPLACED,
                        format!("`{word}` does not apply to a fixture"),
                        option.span,
                        "changes how a file is written",
                    )
                    .label(from.path.span, "copied byte for byte")
                    .help(format!("remove `{word}`: of these options, only `delimiter` says how a fixture is read")),
                );
                continue;
            }
            if !data.format.writing.contains(&word) {
                let takers: Vec<&str> = Format::taking(word, |format| format.writing).map(Format::word).collect();
                let belongs = match takers.as_slice() {
                    [first, second, last] => format!("{first}, {second}, and {last}"),
                    few => few.join(" and "),
                };
                let help = match takers.as_slice() {
                    _ if delimiter => "remove it, or write: csv NAME at \"file.csv\" delimiter \";\" { … }".to_owned(),
                    [.., "text"] => "remove it: only files of cells and texts have it".to_owned(),
                    _ => "remove it: only files of cells have it".to_owned(),
                };
                self.cx.say(
                    Diagnostic::new(
                        Code::MISPLACED,
                        format!("`{word}` belongs to {belongs}"),
                        option.span,
                        "does not fit the format",
                    )
                    .label(data.format_span, "the format")
                    .help(help),
                );
            }
        }
        // The grammar reads a name there for the sake of XML.
        if !data.format.is_tree()
            && let Content::Body { root: Some(root), .. } = &data.content
        {
            let options = data.format.writing;
            if root.text == "delimiter" && options.contains(&"delimiter") {
                self.cx.say(
                    Diagnostic::new(
                        Code::MISSING_VALUE,
                        "`delimiter` needs a text in quotes",
                        root.span.after(),
                        "missing here",
                    )
                    .help("write: delimiter \";\""),
                );
                return;
            }
            let said = Diagnostic::new(
                Code::MISSPELT_KEYWORD,
                format!("`{}` is not an option of this format", root.text),
                root.span,
                "not an option",
            );
            let mut said = suggest_name(said, root.span, &root.text, options.iter().copied());
            if said.help.is_none() {
                let help = match options {
                    [] => "files of this format have no options",
                    _ => "the options after the path are: delimiter \";\", quoted, crlf, bom",
                };
                said = said.help(help).fix("remove it", Applicability::Unsafe, root.span, "");
            }
            self.cx.say(said);
        }
    }

    /// The character between cells: the one that an option names, otherwise that of the format. `None` after a mistake in the option.
    pub fn written_delimiter(&mut self, data: &'a ast::Data, of_format: u8) -> Option<u8> {
        let options = match &data.content {
            Content::Fixture(from) => &from.options,
            _ => &data.options,
        };
        let written = options.iter().find_map(|option| match &option.kind {
            PathOptionKind::Delimiter(text) if data.format.writing.contains(&option.kind.word()) => Some(text),
            _ => None,
        });
        match written {
            None => Some(of_format),
            Some(text) => self.delimiter_byte(text),
        }
    }

    /// The ASCII character of `delimiter ";"`.
    pub fn delimiter_byte(&mut self, text: &'a ast::StringLit) -> Option<u8> {
        self.delimiter(text).and_then(|delimiter| u8::try_from(delimiter).ok())
    }

    fn delimiter(&mut self, text: &'a ast::StringLit) -> Option<char> {
        let checked = self.string(text);
        let Some(value) = checked.value() else {
            if !checked.is_broken() {
                self.cx.not_fixed(&checked, "a delimiter", None);
            }
            return None;
        };
        let value = value.render();
        let mut characters = value.chars();
        let wrong = match (characters.next(), characters.next()) {
            (Some(only), None) => match what_is_wrong(only) {
                None => return Some(only),
                Some(wrong) => wrong.to_owned(),
            },
            (None, _) => "nothing".to_owned(),
            _ => format!("{} characters", value.chars().count()),
        };
        self.cx.say(
            Diagnostic::new(
                Code::BAD_CONTENT,
                "a delimiter must be one ASCII character that cells rarely contain",
                text.span,
                format!("this is {wrong}"),
            )
            .help("write for instance: delimiter \";\"   or: delimiter \"|\"   or: delimiter \"\\t\""),
        );
        None
    }
}

/// Why a character cannot be a delimiter; `None` if it can.
fn what_is_wrong(character: char) -> Option<&'static str> {
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
