//! Checks that an encoding has every character that a file is certain to contain.

use model::domain::TemplatePart;
use model::suite::{FileContent, FileId, Form, Style, UTF_8};
use model::{Domain, Span, Value};
use tables::Encoding;
use tables::write::list_letter_forms;

use super::proofs::WrittenTable;
use crate::context::{Checker, Relations};
use hir::{Checked, DrawDomain, Expr, ExprKind};
use syntax::ast::{self, PathOptionKind};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// A text that is written, its span, and a label for it.
type Written = (String, Span, String);

impl<'a> Relations<'a> {
    /// Reports a character that a table's file is certain to contain and its encoding lacks.
    pub(super) fn check_table_encodable(&self, cx: &mut Checker<'a>, table: &WrittenTable<'_>) {
        let WrittenTable { file, relation, form, line } = *table;
        if form.encoding == UTF_8 {
            return;
        }
        let mut written: Vec<Written> = Vec::new();
        form.above.iter().chain(&form.below).chain(line).for_each(|text| collect_fixed_parts(text, &mut written));
        for (id, column) in self.checked[relation].iter_written_columns() {
            let mut say = |text: &str, label: &str| written.push((text.to_owned(), column.span, label.to_owned()));
            if form.header > 0 && self.declared[relation].format.is_some_and(ast::Format::is_cells) {
                say(&column.name, "in its name");
            }
            for style in form.find_styles(id) {
                match style {
                    Style::Written { pattern, .. } => say(pattern, "in its style"),
                    Style::Missing(marks) => marks.iter().for_each(|mark| say(mark, "in its style")),
                    Style::Text(..) => {}
                }
            }
            // In a column with a condition, only values known to satisfy it are certain.
            let domain = self.find_drawn_domain(relation, id).filter(|_| !self.is_conditional(relation, id));
            let drawn = domain.into_iter().flat_map(list_fixed_texts);
            let examples = self
                .list_closed_column_values(cx, relation, id)
                .unwrap_or_else(|| self.sample_column_values(cx, relation, id));
            let texts: Vec<String> =
                examples.iter().map(|value| value.render_text().into_owned()).chain(drawn).collect();
            let label = format!("in a value of `{}`", column.name);
            texts.iter().for_each(|text| say(text, &label));
            for style in form.find_styles(id) {
                if let Style::Text(style, share) = style
                    && !share.is_zero_share()
                {
                    let label = format!("`{}` can make it of a letter of `{}`", style.word(), column.name);
                    texts.iter().flat_map(|text| list_letter_forms(*style, text)).for_each(|text| say(&text, &label));
                }
            }
        }
        self.reject_unencodable(cx, file, form, &written);
    }

    /// Reports a character that a text without rows is certain to contain and its encoding lacks.
    pub(super) fn check_text_encodable(&self, cx: &mut Checker<'a>, file: FileId, content: &FileContent<Checked>) {
        let Some(form) = self.files[file].form.clone() else { return };
        let mut written: Vec<Written> = Vec::new();
        match content {
            FileContent::ComputedText(text) => collect_fixed_parts(text, &mut written),
            FileContent::DrawnText(draw) => {
                if let DrawDomain::Fixed(domain) = &draw.domain {
                    let label = || "in a value of this".to_owned();
                    written.extend(list_fixed_texts(domain).into_iter().map(|text| (text, draw.span, label())));
                }
            }
            _ => {}
        }
        self.reject_unencodable(cx, file, &form, &written);
    }

    fn reject_unencodable(&self, cx: &mut Checker<'a>, file: FileId, form: &Form<Checked>, written: &[Written]) {
        let Some(encoding) = Encoding::from_word(&form.encoding).filter(|encoding| *encoding != Encoding::Utf8) else {
            return;
        };
        let options = self.collect_options(file);
        let at = options.iter().find_map(|option| match &option.kind {
            PathOptionKind::Encoding(text) => Some(text.span),
            _ => None,
        });
        let Some(at) = at else { return };
        let mark = options.iter().find(|option| matches!(option.kind, PathOptionKind::Bom)).map(|option| option.span);
        if let Some(mark) = mark.filter(|_| encoding.find_unencodable("\u{feff}").is_some()) {
            let message = format!("{} does not have a byte order mark", encoding.word());
            let said = Diagnostic::new(Code::BAD_STYLE, message, mark, "writes one");
            let said = said.label(at, "written in this encoding").help("only Unicode has byte order marks");
            cx.report(said.remove(Applicability::Safe, mark, "bom"));
            return;
        }
        let lacked =
            written.iter().find_map(|written| encoding.find_unencodable(&written.0).map(|char| (char, written)));
        let Some((char, (_, span, label))) = lacked else { return };
        let message = format!("{} does not have `{char}`", encoding.word());
        let said =
            Diagnostic::new(Code::BAD_STYLE, message, *span, label.clone()).label(at, "written in this encoding");
        cx.report(said.help("choose an encoding that has it, such as \"utf-8\" or \"utf-16le\""));
    }
}

/// Collects the constant parts of a text.
fn collect_fixed_parts(text: &Expr, written: &mut Vec<Written>) {
    text.visit_exprs(&mut |part| {
        if let ExprKind::Const(Value::Text(fixed)) = &part.kind {
            written.push((fixed.clone(), part.span, "written here".to_owned()));
        }
    });
}

/// Lists texts with all characters that values of a domain can have, if these are few. For texts with drawn parts, this includes the constant parts.
fn list_fixed_texts(domain: &Domain) -> Vec<String> {
    match domain {
        Domain::Pattern(pattern) => vec![pattern.iter_characters().collect()],
        Domain::Template { parts } => parts
            .iter()
            .flat_map(|part| match part {
                TemplatePart::Text(text) => vec![text.clone()],
                TemplatePart::Domain(domain) => list_fixed_texts(domain),
            })
            .collect(),
        Domain::OneOf { .. } | Domain::Weighted { .. } => {
            domain.list_values().iter().flatten().map(|value| value.render_text().into_owned()).collect()
        }
        _ => Vec::new(),
    }
}
