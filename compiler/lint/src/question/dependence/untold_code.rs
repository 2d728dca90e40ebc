//! For `untold_literal`: codes of one letter, which no reader can interpret unless they are told.

use model::Value;
use model::suite::{ColumnId, RelationId};

use crate::question::prompt_content::has_word;
use hir::facts::Facts;

/// Codes whose meaning is known: yes and no, true and false, female and male, small, medium, and large.
const KNOWN_CODES: [char; 8] = ['y', 'n', 't', 'f', 'm', 'x', 's', 'l'];

/// Checks whether a constant is a code of one letter, as all values of its column are, and a prompt names none of them.
pub(super) fn is_untold_code(
    facts: &Facts<'_>,
    prompt: &str,
    (relation, column): (RelationId, ColumnId),
    constant: &Value,
) -> bool {
    let values = facts.lookup_column(relation, column).closed.unwrap_or_default();
    let is_known = read_letter(constant).is_none_or(|letter| KNOWN_CODES.contains(&letter));
    let is_unnamed = |value: &Value| read_letter(value).is_some_and(|letter| !has_word(prompt, &letter.to_string()));
    values.len() > 1 && !is_known && values.iter().all(is_unnamed) && values.iter().any(|value| value.is_same(constant))
}

/// The only letter of a text, in lower case.
fn read_letter(value: &Value) -> Option<char> {
    let mut letters = value.as_text()?.chars();
    let letter = letters.next().filter(|letter| letter.is_alphabetic())?;
    letters.next().is_none().then(|| letter.to_lowercase().next())?
}
