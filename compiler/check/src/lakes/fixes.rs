//! Possible fixes for files that do not match their declaration: options of the path, places of columns, and styles. Except for an unmistakable header,
//! the author must choose.

use model::Span;
use model::suite::Told;

use super::shape::Spots;
use hir::fixture::notes;
use names as suggest;
use syntax::ast::FromDisk;
use syntax::diagnostics::{Applicability, Diagnostic};
use syntax::string::quote_string;

/// The maximum number of choices. Each is tested by compiling the suite with it.
const MAX_EDITS: usize = 3;

/// The span to replace, and the new text.
pub(super) type Edit = (Span, String);

/// Adds an edit as an unsafe fix.
pub(super) fn offer_edit(said: Diagnostic, edit: Edit) -> Diagnostic {
    offer_as(said, edit, Applicability::Unsafe)
}

fn offer_as(said: Diagnostic, (at, text): Edit, applicability: Applicability) -> Diagnostic {
    let shown = text.trim();
    let message = match (at.start == at.end, shown) {
        (true, shown) => format!("insert `{shown}`"),
        (false, "") => "remove it".to_owned(),
        (false, shown) => format!("replace with `{shown}`"),
    };
    said.fix(message, applicability, at, text)
}

/// Adds several edits to choose from, unless they are too many.
pub(super) fn offer_choices(said: Diagnostic, edits: impl IntoIterator<Item = Edit>) -> Diagnostic {
    let edits: Vec<Edit> = edits.into_iter().take(MAX_EDITS + 1).collect();
    if edits.len() > MAX_EDITS { said } else { edits.into_iter().fold(said, offer_edit) }
}

/// Builds an edit that sets an option of a path: it replaces the existing option, or is inserted after the path.
pub(super) fn build_option_edit(from: &FromDisk, word: &str, value: &str) -> Edit {
    let text = format!("{word} {}", quote_string(value));
    match from.options.iter().find(|option| option.kind.word() == word) {
        Some(written) => (written.span, text),
        None => (from.path.span.shrink_to_end(), format!(" {text}")),
    }
}

/// Builds an edit that sets the place of a column's cells. Returns `None` if its declaration cannot contain one.
pub(super) fn build_place_edit(spots: &Spots<'_>, place: &str) -> Option<Edit> {
    let at = spots.place?;
    let space = if at.start == at.end { " " } else { "" };
    Some((at, format!("{space}from {place}")))
}

/// Suggests the closest name as help and, if `edit` returns one, as a fix. Calls `otherwise` if no name is close.
pub(super) fn suggest_near_name<'n>(
    said: Diagnostic,
    wanted: &str,
    known: impl IntoIterator<Item = &'n str>,
    edit: impl FnOnce(&str) -> Option<Edit>,
    otherwise: impl FnOnce(Diagnostic) -> Diagnostic,
) -> Diagnostic {
    let Some((near, clear)) = suggest::find_best(wanted, known) else { return otherwise(said) };
    let said = said.help(format!("did you mean `{near}`?"));
    match edit(&near) {
        Some(edit) => offer_as(said, edit, Applicability::from_clearness(clear)),
        None => said,
    }
}

/// Builds an edit that replaces the styles of a column. Returns `None` if it cannot have any.
pub(super) fn build_style_edit(spots: &Spots<'_>, written: &[Told], missing: &[String]) -> Option<Edit> {
    let styles = notes::render_styles(written, missing);
    match (spots.styles.first(), spots.styles.last()) {
        (Some(first), Some(last)) if !styles.is_empty() => Some((first.span.extend_to(last.span), styles)),
        (None, _) if !styles.is_empty() => Some((spots.end?, format!(" as {styles}"))),
        _ => None,
    }
}
