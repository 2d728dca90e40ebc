//! Fixes applied to the sources that they are of.

use std::collections::BTreeMap;

use model::SourceId;

use super::{Edit, Fix};
use crate::sources::Sources;

/// The texts of the files that these fixes change, changed; no two of their edits overlap. `None` where an edit lies outside its text.
pub fn apply_fixes(fixes: &[&Fix], sources: &Sources) -> Option<BTreeMap<SourceId, String>> {
    let mut edits: Vec<&Edit> = fixes.iter().flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| edit.span);
    let mut texts: BTreeMap<SourceId, String> = BTreeMap::new();
    // From the last to the first, so that what is still to be changed has not moved.
    for edit in edits.into_iter().rev() {
        let source = sources.get(edit.span.file)?;
        let text = texts.entry(edit.span.file).or_insert_with(|| source.text.clone());
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        text.get(start..end)?;
        text.replace_range(start..end, &edit.text);
    }
    Some(texts)
}
