//! Applying fixes to their sources.

use std::collections::BTreeMap;

use model::SourceId;

use super::{Edit, Fix};
use crate::sources::Sources;

/// Applies the fixes and returns the new texts of the changed files. Their edits must not overlap. Returns `None` if an edit is outside its text.
///
/// ```
/// use syntax::sources::Sources;
/// use syntax::diagnostics::{Applicability, Code, Diagnostic, apply_fixes};
/// use model::Span;
///
/// let mut sources = Sources::default();
/// let id = sources.add_source("s.pcd", "pormpt \"Hi\"");
/// let said = Diagnostic::new(Code::SYNTAX, "`pormpt` is not a statement", Span::new(id, 0, 6), "here").fix(
///     "write `prompt`",
///     Applicability::Safe,
///     Span::new(id, 0, 6),
///     "prompt",
/// );
/// let fixed = apply_fixes(&[&said.fixes[0]], &sources).expect("inside of the text");
/// assert_eq!(fixed[&id], "prompt \"Hi\"");
/// ```
pub fn apply_fixes(fixes: &[&Fix], sources: &Sources) -> Option<BTreeMap<SourceId, String>> {
    let mut edits: Vec<&Edit> = fixes.iter().flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| edit.span);
    let mut texts: BTreeMap<SourceId, String> = BTreeMap::new();
    // From last to first, because an edit shifts only the text after it.
    for edit in edits.into_iter().rev() {
        let source = sources.get(edit.span.file)?;
        let text = texts.entry(edit.span.file).or_insert_with(|| source.text.clone());
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        text.get(start..end)?;
        text.replace_range(start..end, &edit.text);
    }
    Some(texts)
}
