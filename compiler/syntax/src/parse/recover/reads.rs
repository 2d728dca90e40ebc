//! Lakes, views, and files that are read, parsed part by part; and common mistakes in them.

use super::phrases::iter_rule_words;
use super::{Context, Part, Recovery, build_misspelt};
use crate::ast::{FromDisk, ItemKind, TableFrom, View};
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::Kind;
use crate::parse::ast_builder::AstBuilder;
use crate::parse::grammar::Rule;
use crate::words::{self, Class};
use names as suggest;

impl Recovery<'_, '_> {
    /// Parses a lake, or a table that is read, whose block is parsed part by part. Also returns the index of its `{`.
    pub(super) fn read_item(&mut self, head: usize, to: usize) -> Option<(ItemKind, usize)> {
        if self.is_token(head, "table") {
            let (table, open) = self.recover_table_from(head, to)?;
            return Some((ItemKind::TableFrom(table), open));
        }
        let (mut lake, open) = self.try_parse_opening(Rule::lake, head, to, AstBuilder::parse_lake)?;
        self.check_closed(open, "lake", &lake.name.text);
        lake.views = self.recover_views(open + 1, self.blocks.find_end(open));
        Some((ItemKind::Lake(lake), open))
    }

    pub(super) fn recover_table_from(&mut self, head: usize, to: usize) -> Option<(TableFrom, usize)> {
        let (mut table, open) = self.try_parse_opening(Rule::table_from, head, to, AstBuilder::parse_table_from)?;
        self.check_closed(open, "table", &table.name.text);
        self.recover_disk_columns(&mut table.from, open);
        Some((table, open))
    }

    /// Parses the columns of a file that is read, in the block that `open` opens.
    pub(super) fn recover_disk_columns(&mut self, from: &mut FromDisk, open: usize) {
        from.span.end = self.end_before(open) as u32;
        from.body = Some(self.recover_columns(open));
    }

    fn recover_views(&mut self, from: usize, limit: usize) -> Vec<View> {
        let mut views = Vec::new();
        self.recover_parts(from, limit, Context::View, |this, part| {
            if let Some((pair, next)) = this.try_parse(Rule::view, part.from, part.to) {
                views.extend(this.walker.parse_view(pair));
                return next;
            }
            let (view, next) = this.recover_block(part, |this| this.recover_view(part));
            views.extend(view);
            next
        });
        views
    }

    /// `FORMAT NAME from "GLOB" … {`
    fn recover_view(&mut self, part: Part) -> Option<(View, usize)> {
        let (mut view, open) = self.try_parse_opening(Rule::view, part.head, part.to, AstBuilder::parse_view)?;
        self.check_closed(open, self.blocks.text(part.head), &view.name.text);
        self.recover_disk_columns(&mut view.from, open);
        view.span = self.make_block_span(part.head, open);
        Some((View { doc: self.collect_doc(part.from, part.head), ..view }, open))
    }

    /// Explains an error in the head of a lake, of a view, or of a file that is read.
    pub(super) fn explain_read(&self, head: usize, to: usize, context: Context) -> Option<Diagnostic> {
        let word = self.blocks.text(head);
        let name = self.blocks.text(head + 1);
        let format = words::is_of_class(Class::Format, word);
        let misplaced = |message: String| Diagnostic::new(Code::MISPLACED, message, self.span(head), "");
        let from = (head..to).take_while(|index| !self.is_token(*index, "{")).any(|index| self.is_token(index, "from"));
        match context {
            Context::Statement if word == "lake" && from => Some(
                misplaced(format!("lake `{name}` is declared inside a task"))
                    .help(format!("declare it outside the tasks, and hand out its files here: `lake {name}`")),
            ),
            Context::Item if word == "lake" && !from && to > head + 1 => {
                Some(misplaced(format!("lake `{name}` has no folder")).help(format!(
                    "write: lake {name} from \"FOLDER\" {{ }}; what a task hands out is written in the task"
                )))
            }
            Context::Item if word == "lake" && from && !(head..to).any(|index| self.is_token(index, "{")) => {
                let end = self.span(to.saturating_sub(1)).shrink_to_end();
                Some(
                    Diagnostic::new(Code::SYNTAX, format!("lake `{name}` has no braces"), end, "its views are missing")
                        .help("write its views in braces, such as { csv NAME from \"*.csv\" }; or none: { }")
                        .fix("insert `{ }`", Applicability::Unsafe, end, " { }"),
                )
            }
            Context::View if format && self.is_token(head + 2, "at") => {
                let at = self.span(head + 2);
                Some(
                    Diagnostic::new(Code::SYNTAX, "a view does not have a place in the sandbox", at, "")
                        .help("the files of a view are handed out with their lake")
                        .fix("replace `at` with `from`", Applicability::Unsafe, at, "from"),
                )
            }
            Context::View if word == "table" || word == "lake" => Some(
                misplaced(format!("`{word}` does not belong in a lake"))
                    .help(format!("a lake contains views: csv {name} from \"*.csv\"")),
            ),
            Context::Statement
                if format && self.is_token(head + 2, "from") && self.blocks.kind(head + 3) == Some(Kind::Text) =>
            {
                let file = self.blocks.text(head + 3);
                let place = self.span(head + 1).shrink_to_end();
                Some(Diagnostic::new(Code::SYNTAX, format!("the place of `{name}` in the sandbox is missing"), place, "`at` expected").help(
                    format!("write {word} {name} at \"PATH\" from {file}, or table {name} from {file} if the agent must not receive it"),
                ))
            }
            Context::Statement if format => self.explain_taken(head, to),
            _ => None,
        }
    }

    /// Explains a misspelled option of a path.
    pub(super) fn explain_misspelt_option(&self, index: usize, expected: &[Rule]) -> Option<Diagnostic> {
        let text = Some(self.blocks.text(index))
            .filter(|text| self.blocks.is_word(index) && text.len() <= super::LONGEST_WORD)?;
        let option = |rule: &Rule| {
            let word = iter_rule_words(*rule).find(|word| matches!(word.class, Class::Reading | Class::Writing));
            word.map(|word| word.text)
        };
        let near = suggest::suggest_keyword(text, expected.iter().filter_map(option))?;
        Some(build_misspelt(format!("`{text}` is not an option"), self.span(index), near))
    }

    /// Explains common mistakes in the position or the style of a column, at a token that does not fit.
    pub(super) fn explain_column_slip(&self, index: usize, before: &str) -> Option<Diagnostic> {
        let span = self.span(index);
        let text = self.blocks.text(index);
        let kind = self.blocks.kind(index)?;
        let start = self.walker.make_span(span.start as usize, span.start as usize);
        let word = matches!(kind, Kind::Word | Kind::Quoted);
        let said = |message: String| Diagnostic::new(Code::SYNTAX, message, span, "");
        // A word on the next line begins another statement.
        let next_line = self.blocks.tokens.get(index).is_some_and(|token| token.first);
        match before {
            "from" if word && next_line => {
                let at = self.span(index - 1);
                let said =
                    Diagnostic::new(Code::MISSING_VALUE, "a header is missing after `from`", at.shrink_to_end(), "");
                Some(said.help("write where the field is: from \"Header\" or from 3"))
            }
            "as" if word && !next_line => {
                let near = suggest::suggest_keyword(text, words::list_names(Class::Style))?;
                Some(build_misspelt(format!("`{text}` is not a style"), span, near))
            }
            "needed" if kind == Kind::Number => Some(
                said(format!("`+` is missing before `{text}`"))
                    .help(format!("other files are added: needed + {text}"))
                    .fix("insert `+`", Applicability::Unsafe, start, "+ "),
            ),
            "from" if word => {
                let header = text.trim_matches('`');
                let quoted = format!("\"{header}\"");
                Some(said(format!("`{header}` is not in quotes")).help("a header or a path is a text in quotes").fix(
                    format!("replace with {quoted}"),
                    Applicability::Unsafe,
                    span,
                    quoted,
                ))
            }
            "as" if kind == Kind::Text => Some(
                said("`written` is missing after `as`".to_owned())
                    .help("a pattern is written: as written \"#,##0\"")
                    .fix("insert `written`", Applicability::Safe, start, "written "),
            ),
            "header" if kind == Kind::Text => {
                let said = said("`header` needs a number".to_owned());
                Some(said.help("write how many rows the header has, such as header 2"))
            }
            "missing" if kind == Kind::Text => {
                Some(said("`missing` needs a list".to_owned()).help(format!("write: missing [{text}]")).fix(
                    "write a list",
                    Applicability::Safe,
                    span,
                    format!("[{text}]"),
                ))
            }
            "until" if word => Some(said(format!("`until` cannot be followed by `{text}`")).help(
                "write `until blank`, or `until` and the text with which the first record after the rows begins",
            )),
            "written" if kind == Kind::Text => Some(self.without_as(index - 1, &format!("written {text}"))),
            "missing" if kind == Kind::Open(b'[') => Some(self.without_as(index - 1, "missing [\"-\"]")),
            // `n = key A` is a different error.
            "key" if word && !next_line && self.blocks.text(index.saturating_sub(2)) != "=" => Some(
                said("`(` is missing after `key`".to_owned())
                    .help(format!("write its columns in parentheses: key ({text}, …)")),
            ),
            "unpivot" if word && !next_line => Some(
                said("`unpivot` needs two columns and a comma between them".to_owned())
                    .help("the first is for the headers: unpivot MONTH, N : int from \"January\"..\"December\""),
            ),
            _ => None,
        }
    }

    /// Explains a style of a column that does not follow `as`.
    fn without_as(&self, at: usize, style: &str) -> Diagnostic {
        let place = self.span(at);
        let start = self.walker.make_span(place.start as usize, place.start as usize);
        Diagnostic::new(Code::SYNTAX, format!("`as` is missing before `{}`", self.blocks.text(at)), place, "")
            .help(format!("how fields are written follows `as`: as {style}"))
            .fix("insert `as`", Applicability::Safe, start, "as ")
    }
}
