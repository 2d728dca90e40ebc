//! The way in which a table is written to a file: its options, the styles of its columns, and repeated rows.

use model::format::Holds;
use model::suite::{FileId, Form, RelationId, Style, Styled};

use super::objects::is_style_of;
use super::taken_columns::find_last_clauses;
use crate::context::{Checker, Relations, RowScope, TaskChecker};
use crate::domains::DrawChecker;
use crate::lakes::LakeChecker;
use hir::types::TyKind;
use hir::{Checked, Expr};
use syntax::ast::{self, PathOptionKind, StyleKind};
use syntax::diagnostics::wording::build_repeated_diagnostic;
use syntax::diagnostics::{Code, Diagnostic};
use tables::{Dropped, PatternError, PatternErrorKind};

/// A style with its syntax.
pub(super) struct Seen<'a> {
    pub style: Style<Checked>,
    pub ast: &'a ast::Style,
}

impl<'a> TaskChecker<'_, 'a> {
    /// Checks how the rows of a relation are written to a file. Returns `None` after reporting an error.
    pub(super) fn check_written_form(
        &mut self,
        file: FileId,
        of_format: u8,
        relation: RelationId,
    ) -> Option<Form<Checked>> {
        let mut form = Form::from_delimiter(of_format.into());
        let mut sound = true;
        let data = self.scope.relations.files[file].ast;
        for option in self.scope.relations.collect_options(file) {
            if data.format.writing.contains(&option.kind.word()) {
                sound &= self.apply_form_option(file, &option.kind, &mut form).is_some();
            }
        }
        let bodies = self.scope.relations.collect_bodies(self.cx, file);
        if let [repeat, again @ ..] = find_last_clauses(&bodies, |body| &body.repeats) {
            if let Some(second) = again.first() {
                self.cx.report(build_repeated_diagnostic("rows repeat", second.span, repeat.span));
            }
            form.repeat = DrawChecker::new(self).check_share(&repeat.share, "rows repeat 5%");
            sound &= form.repeat.is_some();
        }
        for column in self.scope.relations.list_column_ids(relation) {
            let Some(styles) =
                self.scope.relations.declared[relation].columns[column].ast.as_column().map(|column| &column.styles)
            else {
                continue;
            };
            if styles.is_empty() || self.scope.relations.checked[relation].columns[column].helper {
                continue;
            }
            match self.check_styles(relation, column, styles) {
                Some(styles) => form.styled.push(Styled { column, styles }),
                None => sound = false,
            }
        }
        sound.then_some(form)
    }

    /// Applies an option for writing. Returns `None` after reporting an error.
    pub(super) fn apply_form_option(
        &mut self,
        file: FileId,
        option: &'a PathOptionKind,
        form: &mut Form<Checked>,
    ) -> Option<()> {
        match option {
            PathOptionKind::Delimiter(text) => form.delimiter = self.check_delimiter_byte(text)?.into(),
            PathOptionKind::Encoding(text) => {
                form.encoding = LakeChecker::new(self).check_encoding(text)?.word().to_owned()
            }
            PathOptionKind::Quoted => form.quoted = true,
            PathOptionKind::Crlf => form.crlf = true,
            PathOptionKind::Bom => form.bom = true,
            PathOptionKind::Above(text) => form.above = Some(self.check_surrounding_text(file, text, "above")),
            PathOptionKind::Below(text) => form.below = Some(self.check_surrounding_text(file, text, "below")),
            PathOptionKind::Header(rows) => {
                form.header = self.cx.check_header_rows(rows, "remove it: the header is one row")?
            }
            PathOptionKind::Skip(_)
            | PathOptionKind::Until(_)
            | PathOptionKind::Sheet(_)
            | PathOptionKind::Missing(_)
            | PathOptionKind::At(_) => {}
        }
        Some(())
    }

    /// Checks the text above or below a table. If the declaration has many files, it can use the columns of a row.
    fn check_surrounding_text(&mut self, file: FileId, text: &'a ast::StringLit, word: &str) -> Expr {
        let decl = &self.scope.relations.files[file];
        let relation = decl.relations.first().copied().filter(|_| decl.split);
        let inside = relation.map_or_else(RowScope::default, RowScope::with_declared_row);
        let checked = self.check_within(inside, |this| this.check_string(text));
        if let Some(relation) = relation {
            self.scope.relations.reject_text_of_other_rows(self.cx, file, relation, &checked, word);
        }
        checked
    }

    /// Checks the styles of a column. Returns `None` after reporting an error.
    fn check_styles(
        &mut self,
        relation: RelationId,
        column: model::suite::ColumnId,
        styles: &'a [ast::Style],
    ) -> Option<Vec<Style<Checked>>> {
        let mut seen: Vec<Seen<'a>> = Vec::new();
        let mut sound = true;
        for ast in styles {
            let first = seen.iter().find(|other| is_again(&other.ast.kind, &ast.kind));
            if let Some(first) = first {
                let word = name_style(&ast.kind);
                let said = build_repeated_diagnostic(word, ast.span, first.ast.span);
                self.cx.report(match word {
                    "written" => said.help("give all but one a share: written \"…\" 10%"),
                    _ => said,
                });
                sound = false;
                continue;
            }
            let fits = self.scope.relations.declared[relation].format.is_none_or(|of| is_style_of(self.cx, of, ast));
            match if fits { self.check_style(relation, column, (ast, styles)) } else { None } {
                Some(style) => seen.push(Seen { style, ast }),
                None => sound = false,
            }
        }
        sound &= self.scope.relations.prove_styles(self.cx, relation, column, &seen);
        sound.then(|| seen.into_iter().map(|seen| seen.style).collect())
    }

    fn check_style(
        &mut self,
        relation: RelationId,
        column: model::suite::ColumnId,
        (style, all): (&'a ast::Style, &'a [ast::Style]),
    ) -> Option<Style<Checked>> {
        let own = self.scope.relations.checked[relation].columns[column].clone();
        Some(match &style.kind {
            StyleKind::Written(written) => {
                let pattern = &written.pattern;
                let share = match &written.share {
                    Some(share) => Some(DrawChecker::new(self).check_share(share, "written \"…\" 5%")?),
                    None => None,
                };
                let ty = own.ty.cell_type()?;
                let parsed = LakeChecker::new(self).parse_written_pattern(written, ty)?;
                let lost = parsed.check_writing().err();
                let has_times =
                    |style: &ast::Style| matches!(&style.kind, StyleKind::Written(own) if own.times.is_some());
                // What one pattern does not hold, another can.
                let is_shared = share.is_none() && all.iter().any(has_times);
                let can_drop = |error: &PatternError| match error.kind {
                    PatternErrorKind::Drops(Dropped::Decimals { .. }) => is_shared,
                    PatternErrorKind::Drops(Dropped::Time) => {
                        parsed.has_minutes() && self.scope.relations.has_whole_minutes(relation, column)
                    }
                    _ => false,
                };
                let lost = lost.filter(|error| !can_drop(error));
                if let Some(error) = lost {
                    self.cx.report_unwritable(&error, parsed.source(), pattern.span, &own);
                    return None;
                }
                Style::Written { pattern: parsed.source().to_owned(), times: parsed.times(), share }
            }
            StyleKind::Missing(marks) => Style::Missing(LakeChecker::new(self).check_null_marks(marks)?),
            StyleKind::Text(kind, share) => Style::Text(*kind, self.check_text_style(&own, style, share)?),
        })
    }

    /// Checks the share of a style that needs a text column.
    fn check_text_style(&mut self, column: &hir::Column, style: &'a ast::Style, share: &'a ast::Expr) -> Option<Expr> {
        let word = name_style(&style.kind);
        if !matches!(column.ty.kind, TyKind::Text | TyKind::Unknown) {
            let message =
                format!("`{word}` needs a text, but `{}` is {}", column.name, column.ty.describe_with_article());
            let said = Diagnostic::new(Code::BAD_STYLE, message, style.span, "does not fit")
                .label(column.span, "declared here");
            self.cx.report(said.help(format!("remove `{word}`, or write numbers and dates with `written`")));
            return None;
        }
        DrawChecker::new(self).check_share(share, &format!("{word} 10%"))
    }
}

impl<'a> Relations<'a> {
    /// Reports styles on columns that are not written.
    pub(super) fn reject_styled_helpers(&self, cx: &mut Checker<'a>, relation: RelationId) {
        for column in self.list_column_ids(relation) {
            let own = &self.checked[relation].columns[column];
            let styled = self.declared[relation].columns[column].ast.as_column().map(|column| column.styles.as_slice());
            let (Some([first, ..]), true) = (styled, own.helper) else { continue };
            let message = format!("`{}` is a helper column, which is not written", own.name);
            let said = Diagnostic::new(Code::MISPLACED, message, first.span, "says how it is written")
                .label(own.span, "begins with `_`");
            cx.report(said.help("remove the style, or take the `_` from its name"));
        }
    }
}

impl Checker<'_> {
    /// Checks `header 2`: the number of rows of the header, from 0 to 2.
    pub(crate) fn check_header_rows(&mut self, rows: &ast::Whole, help: &str) -> Option<u8> {
        if let Ok(count @ 0..=2) = u8::try_from(rows.value) {
            return Some(count);
        }
        let message = format!("a header has 0, 1, or 2 rows, not {}", rows.value);
        self.report(Diagnostic::new(Code::BAD_SETTING, message, rows.span, "too many").help(help));
        None
    }
}

/// Checks whether a style conflicts with an earlier one.
fn is_again(first: &StyleKind, second: &StyleKind) -> bool {
    match (first, second) {
        // With factors, the first that holds the number is used.
        (StyleKind::Written(first), StyleKind::Written(again)) => {
            let is_rule = |written: &ast::Written| written.share.is_none() && written.times.is_none();
            is_rule(first) && is_rule(again)
        }
        _ => name_style(first) == name_style(second),
    }
}

/// Returns the keyword of a style.
pub(super) fn name_style(style: &StyleKind) -> &'static str {
    match style {
        StyleKind::Written(_) => "written",
        StyleKind::Missing(_) => "missing",
        StyleKind::Text(style, _) => style.word(),
    }
}

/// Checks whether a format supports options, styles, and repeated rows.
pub(super) fn has_form(format: ast::Format) -> bool {
    matches!(format.holds, Holds::Cells(_) | Holds::Text)
}
