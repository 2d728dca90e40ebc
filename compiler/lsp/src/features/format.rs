//! Formatting of a document, if the program that starts the server provides a formatter.

use gen_lsp_types as lsp;

use crate::error::Answer;
use crate::position::Lines;
use crate::state::State;
use crate::uri;

/// Returns one edit that replaces the differing lines, or no edit if the document is already formatted.
pub fn handle_formatting(
    state: &mut State,
    params: lsp::DocumentFormattingParams,
) -> Answer<Option<Vec<lsp::TextEdit>>> {
    let Some(document) = state.workspace.documents.get(&uri::to_path(&params.text_document.uri)) else {
        return Ok(None);
    };
    let Some(format) = &state.format else { return Err("this server does not format".to_owned()) };
    let (before, after) = (document.text.as_str(), format(&document.text)?);
    Ok(Some(build_text_edit(before, &after, &Lines::new(before, state.workspace.encoding)).into_iter().collect()))
}

/// The edit of the differing lines between the common lines at both ends. A cursor outside them does not move.
fn build_text_edit(before: &str, after: &str, lines: &Lines) -> Option<lsp::TextEdit> {
    if before == after {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let bytes = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let start = bytes(old.get(..head).unwrap_or_default());
    let end = before.len() - bytes(old.get(old.len() - tail..).unwrap_or_default());
    let new_text = new.get(head..new.len() - tail).unwrap_or_default().concat();
    Some(lsp::TextEdit { range: lines.find_byte_range(before, start, end), new_text })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::documents::Document;
    use crate::position::Encoding;

    proptest! {
        /// The edit, applied, gives the new text.
        #[test]
        fn the_edit_makes_the_difference(before in "[ab\n]{0,12}", after in "[ab\n]{0,12}") {
            let lines = Lines::new(&before, Encoding::Utf16);
            let mut document = Document { uri: lsp::Uri(String::new()), version: 0, text: before.clone() };
            if let Some(edit) = build_text_edit(&before, &after, &lines) {
                #[allow(deprecated)]
                let change = lsp::TextDocumentContentChangePartial { range: edit.range, range_length: None, text: edit.new_text };
                document.apply_changes(vec![change.into()], Encoding::Utf16);
            }
            prop_assert_eq!(document.text, after);
        }
    }
}
