//! `idle_style`: a style of cells, or repeated rows, that changes nothing in the file.

use model::suite::{ColumnId, RelationId, Style};
use model::text_style::TextStyle;

use super::context::{TaskCx, report_once};
use hir::texts::{has_only, infer_cells};
use hir::{Checked, Expr};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_idle_styles(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    for (id, relation) in cx.task.relations.iter_enumerated() {
        let Some(form) = relation.file.and_then(|file| cx.task.files.get(file)?.content.form()) else { continue };
        if let Some(share) = form.repeat.as_ref().filter(|share| is_written_zero(cx, share)) {
            report_once(build_idle(share, "`rows repeat` repeats no row"), said);
        }
        for styled in &form.styled {
            let found = styled.styles.iter().find_map(|style| check_style(cx, (id, styled.column), style));
            found.into_iter().for_each(|new| report_once(new, said));
        }
    }
}

/// Checks a style of a column.
fn check_style(cx: &TaskCx<'_>, place: (RelationId, ColumnId), style: &Style<Checked>) -> Option<Diagnostic> {
    let column = cx.task.find_column(place)?;
    let share = style.share()?;
    let word = style.text_style().map_or("written", TextStyle::word);
    if is_written_zero(cx, share) {
        return Some(build_idle(share, &format!("`{word}` changes no cell of `{}`", column.name)));
    }
    if style.text_style() != Some(TextStyle::Case) || !has_no_letters(cx, place) {
        return None;
    }
    let message = format!("`case` changes no cell of `{}`: its values have no letters", column.name);
    Some(
        Diagnostic::new(Code::IDLE_STYLE, message, share.span, "nothing to change")
            .label(column.span, "without letters")
            .help("remove `case`, or use it for a column with letters"),
    )
}

/// Whether a share is written as 0. A constant can be a setting that somebody changes later.
fn is_written_zero(cx: &TaskCx<'_>, share: &Expr) -> bool {
    share.is_zero_share() && cx.sources.text(share.span).starts_with(|c: char| c.is_ascii_digit())
}

fn build_idle(share: &Expr, message: &str) -> Diagnostic {
    Diagnostic::new(Code::IDLE_STYLE, message, share.span, "a share of 0").help("use a share above 0%, or remove it")
}

/// Whether no value of a column has a letter that is uppercase or lowercase.
fn has_no_letters(cx: &TaskCx<'_>, (relation, column): (RelationId, ColumnId)) -> bool {
    let facts = cx.facts();
    let Some(declared) = cx.task.find_column((relation, column)) else { return false };
    let fact = facts.lookup_column(relation, column);
    let texts = if fact.is_empty() { None } else { infer_cells(facts, relation, &declared.source, &fact) };
    texts.is_some_and(|texts| has_only(&texts, |c| !c.is_lowercase() && !c.is_uppercase()))
}
