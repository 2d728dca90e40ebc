//! Proofs about the styles of a column: its patterns can write each value, all of them read it as the same value, and no null mark is a value.

use model::suite::{ColumnId, RelationId, Style};
use model::{Span, Value};
use tables::write::Folds;
use tables::{Dropped, Misfit, Pattern, PatternError, PatternErrorKind, Reading};

use super::written::Seen;
use crate::context::{Checker, Relations};
use crate::lakes::describe_dropped;
use syntax::ast;
use syntax::diagnostics::wording::quote_ident;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> Relations<'a> {
    /// Checks that the styles of a column fit its values and one another. Reports it if not.
    pub(super) fn prove_styles(
        &self,
        cx: &mut Checker<'a>,
        relation: RelationId,
        column: ColumnId,
        seen: &[Seen<'_>],
    ) -> bool {
        let own = &self.checked[relation].columns[column];
        let (name, declared, ty) = (own.name.clone(), own.span, own.ty.clone());
        let Some(cell) = ty.cell_type() else { return true };
        let marks = seen.iter().find_map(|seen| match &seen.style {
            Style::Missing(marks) => Some((marks.as_slice(), seen.ast)),
            _ => None,
        });
        if let Some((_, style)) = marks.filter(|_| !ty.nullable) {
            let message = format!("`missing` needs nulls, but `{name}` is never null");
            let said = Diagnostic::new(Code::BAD_STYLE, message, style.span, "writes nulls");
            let said = said.label(declared, "declared here");
            cx.report(said.help("remove `missing`, or let the column be null: blank 5%"));
            return false;
        }
        let mut patterns: Vec<(Pattern, &ast::Style)> = Vec::new();
        let mut usual = true;
        for seen in seen {
            if let Style::Written { pattern, share } = &seen.style {
                usual &= share.is_some();
                patterns.extend(Pattern::parse(pattern, cell).ok().map(|pattern| (pattern, seen.ast)));
            }
        }
        let examples = self.sample_column_values(cx, relation, column);
        for (pattern, style) in &patterns {
            if let Some(lost) = examples.iter().find(|value| pattern.write(value).is_none()) {
                let lost = lost.render_text().into_owned();
                let at = find_pattern_span(style);
                let message = format!("`\"{}\"` cannot write {lost}", pattern.source());
                let said = Diagnostic::new(Code::BAD_STYLE, message, at, format!("`{name}` can be {lost}"));
                let help = match cell.is_calendar() {
                    true => "write the year with four digits: `yyyy`; `yy` means 1970 to 2069",
                    false => "choose a pattern that has room for every value",
                };
                cx.report(said.label(declared, "declared here").help(help));
                return false;
            }
        }
        let all: Vec<Pattern> = patterns.iter().map(|(pattern, _)| pattern.clone()).collect();
        let reading = tables::write::build_reading(cell, false, &[], &all, usual);
        let folds = Folds::from_styles(seen.iter().filter_map(|seen| seen.style.text_style()));
        let written_marks = marks.map_or(&[][..], |(marks, _)| marks);
        cx.prove_round_trip(&reading, &patterns, &examples, (&name, declared))
            && self.prove_null_marks(
                cx,
                (relation, column),
                &reading,
                written_marks,
                marks.map(|(_, style)| style),
                folds,
            )
    }

    /// Checks that no null mark is a value. Reports it if one is.
    pub(super) fn prove_null_marks(
        &self,
        cx: &mut Checker<'a>,
        (relation, column): (RelationId, ColumnId),
        reading: &Reading,
        marks: &[String],
        style: Option<&ast::Style>,
        folds: Folds,
    ) -> bool {
        let own = &self.checked[relation].columns[column];
        let (name, declared, nullable) = (own.name.clone(), own.span, own.ty.nullable);
        let domain = self.find_drawn_domain(relation, column);
        // A style of texts can turn a value into a mark.
        let varied =
            if folds == Folds::default() { None } else { self.list_closed_column_values(cx, relation, column) };
        let value_of = |mark: &str| {
            let value = reading.read_text(mark).ok()?;
            if domain.is_some_and(|domain| domain.has_value(&value))
                && !self.filter_possible_values(cx, relation, column, vec![value.clone()]).is_empty()
            {
                return Some(value);
            }
            varied.iter().flatten().find(|known| folds.is_same(known, &value)).cloned()
        };
        // Without marks, nulls are empty fields; JSON has its own null.
        let implied = [String::new()];
        let empty = nullable && !self.declared[relation].format.is_some_and(ast::Format::has_keys);
        let all = if marks.is_empty() && empty { &implied[..] } else { marks };
        let found = all.iter().find_map(|mark| value_of(mark).map(|value| (mark, value.render_text().into_owned())));
        let Some((mark, value)) = found else { return true };
        let shown = if mark.is_empty() { "\"\"" } else { mark.as_str() };
        let message = match reading.read_text(mark).is_ok_and(|read| read.render_text() == value) {
            true => format!("`{shown}` is a null mark and a value of `{name}`"),
            false => format!("`{shown}` is a null mark, and `{value}` of `{name}` can be written so"),
        };
        let known = |other: &str| marks.iter().any(|mark| mark == other) || value_of(other).is_some();
        let other = ["n/a", "-", "?", "none"].into_iter().find(|other| !known(other)).unwrap_or("…");
        let said = match style {
            Some(style) => Diagnostic::new(Code::BAD_STYLE, message, style.span, "nulls are written so")
                .label(declared, "declared here")
                .help(format!("use a mark that is not a value, such as \"{other}\"")),
            None => Diagnostic::new(Code::BAD_STYLE, message, declared, "its nulls are empty fields")
                .help(format!("write nulls in another way: {} … as missing [\"{other}\"]", quote_ident(&name))),
        };
        cx.report(said);
        false
    }
}

impl Checker<'_> {
    /// Reports a pattern that cannot be used for writing.
    pub(super) fn report_unwritable(&mut self, error: &PatternError, source: &str, text: Span, column: &hir::Column) {
        let name = &column.name;
        let mut said = match &error.kind {
            PatternErrorKind::Drops(Dropped::Decimals { needed }) => {
                let places = match column.ty.kind {
                    hir::types::TyKind::Decimal(Some(places)) => places,
                    _ => *needed,
                };
                let unit = if places == 1 { "place" } else { "places" };
                Diagnostic::new(
                    Code::BAD_STYLE,
                    format!("`\"{source}\"` drops the decimals of `{name}`"),
                    text,
                    format!("`{name}` has {places} {unit}"),
                )
                .help("write as many zeros after the point")
            }
            PatternErrorKind::Drops(what) => {
                let (what, add) = describe_dropped(*what);
                let message = format!("`\"{source}\"` drops {what} of `{name}`");
                Diagnostic::new(Code::BAD_STYLE, message, text, "incomplete")
                    .help(format!("add `{add}` to the pattern"))
            }
            PatternErrorKind::OfFloat => Diagnostic::new(
                Code::BAD_STYLE,
                format!("`written` needs fixed places, but `{name}` is a float"),
                text,
                "of a float",
            )
            .help(format!("round({}, 2) has two places", quote_ident(name))),
            _ => Diagnostic::new(Code::BAD_STYLE, format!("`{source}` can only be read"), text, "cannot be written")
                .help("write year, month, and day"),
        };
        said = said.label(column.span, "declared here");
        let wider = match &error.kind {
            PatternErrorKind::Drops(Dropped::Decimals { needed }) => with_places(source, *needed, &column.ty),
            _ => None,
        };
        if let Some(instead) = error.instead.as_ref().or(wider.as_ref()) {
            said = self.suggest_instead(said, source, text, instead, Applicability::Safe);
        }
        self.report(said);
    }

    /// Checks that values written by a pattern, or in the usual way, are read as the same values. Reports it if not.
    fn prove_round_trip(
        &mut self,
        reading: &Reading,
        patterns: &[(Pattern, &ast::Style)],
        examples: &[Value],
        (name, declared): (&str, Span),
    ) -> bool {
        // The usual way to write values comes last, if there are other patterns.
        let ways = if patterns.is_empty() { &[][..] } else { reading.written.as_slice() };
        for (index, way) in ways.iter().enumerate() {
            for value in examples {
                let Some(cell) = way.write(value) else { continue };
                let other = match reading.read_text(&cell) {
                    Ok(read) if is_kept(&read, value) => continue,
                    // Another pattern also reads it.
                    Ok(read) => {
                        let reads = |other: &Pattern| other.read(&cell).is_ok_and(|other| other.is_same(&read));
                        (0..ways.len()).find(|at| *at != index && ways.get(*at).is_some_and(reads))
                    }
                    Err(Misfit::TwoReadings { first, second }) => Some(if first == index { second } else { first }),
                    Err(_) => continue,
                };
                let Some(other) = other else { continue };
                // Name the pattern that the author wrote first.
                let (first, second) = if index < patterns.len() { (index, other) } else { (other, index) };
                let Some((pattern, style)) = patterns.get(first) else { continue };
                let (source, at) = (pattern.source(), find_pattern_span(style));
                let said = match patterns.get(second) {
                    Some((second, other)) => Diagnostic::new(
                        Code::BAD_STYLE,
                        format!("`{source}` and `{}` cannot be told apart", second.source()),
                        at,
                        format!("both can match `{cell}`"),
                    )
                    .label(find_pattern_span(other), "the other pattern"),
                    None => Diagnostic::new(
                        Code::BAD_STYLE,
                        format!("`{source}` cannot be told from how `{name}` is usually written"),
                        at,
                        format!("`{cell}` has two readings"),
                    )
                    .label(declared, "declared here"),
                };
                self.report(said.help("choose patterns with at most one match for each value"));
                return false;
            }
        }
        true
    }
}

/// Checks whether a value that is read equals the written one. Spaces at the ends of cells can be lost, which is reported elsewhere.
fn is_kept(read: &Value, value: &Value) -> bool {
    match (read, value) {
        (Value::Text(read), Value::Text(value)) => read.trim() == value.trim(),
        _ => read.is_same(value),
    }
}

/// Returns the span of the pattern of a style.
fn find_pattern_span(style: &ast::Style) -> Span {
    match &style.kind {
        ast::StyleKind::Written(text, _) => text.span,
        _ => style.span,
    }
}

/// Adds decimal places to a pattern of numbers until it has as many as needed.
fn with_places(source: &str, needed: u8, ty: &hir::types::Ty) -> Option<String> {
    let at = source.rfind('0')? + 1;
    let (head, tail) = source.split_at(at);
    let has = head.len() - head.trim_end_matches('0').len();
    let needed = usize::from(needed);
    let zeros = |count: usize| "0".repeat(count);
    let more = needed.checked_sub(has).map(zeros);
    let ways = [more.unwrap_or_default(), format!(".{}", zeros(needed)), format!(",{}", zeros(needed))];
    let fits = |pattern: &String| Pattern::parse(pattern, ty.cell_type()?).ok()?.check_writing().ok();
    ways.iter().map(|way| format!("{head}{way}{tail}")).find(|pattern| fits(pattern).is_some())
}
