//! For `unasked_change`: conditions on columns of bools that a prompt states: "whose PAID is 0", "that are not paid", "all unpaid invoices".

use super::prompt_content::has_word;
use hir::Column;
use hir::types::TyKind;
use names::words::{split_words, to_singular};
use syntax::prompts::english::lints::{FLAG_LINKS, FLAG_PREFIXES, FLAG_VALUES, MEANING_STARTS};

/// The shortest column whose name is an adjective of a prompt.
const MIN_WORD: usize = 4;

/// A condition on a column of bools.
pub(super) struct StatedFlag {
    /// The words of the prompt.
    pub shown: String,
    /// Whether the column is to be true.
    pub value: bool,
}

/// Finds a condition on a column of bools in a prompt in lower case.
pub(super) fn find_stated_flag(prompt: &str, column: &Column, table: &str) -> Option<StatedFlag> {
    if column.ty.kind != TyKind::Bool {
        return None;
    }
    find_comparison(prompt, &column.name.to_lowercase()).or_else(|| find_adjective(prompt, &column.name, table))
}

/// Finds "PAID is 0" if that does not begin an explanation of the column.
fn find_comparison(prompt: &str, column: &str) -> Option<StatedFlag> {
    let plain = prompt.replace(['`', '"', '\''], "");
    let mut found = None;
    for link in FLAG_LINKS {
        for (word, value) in FLAG_VALUES {
            let phrase = format!("{column}{link}{word}");
            for (at, _) in plain.match_indices(&phrase).filter(|_| has_word(&plain, &phrase)) {
                let after = plain.get(at + phrase.len()..).unwrap_or_default().trim_start();
                let next = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                if MEANING_STARTS.contains(&next) || found.is_some() {
                    return None;
                }
                found = Some(StatedFlag { shown: phrase.clone(), value: *value });
            }
        }
    }
    found
}

/// Finds the only adjective that is the name of the column: "not paid", "unpaid", "paid invoices", "that are paid".
fn find_adjective(prompt: &str, column: &str, table: &str) -> Option<StatedFlag> {
    let words = split_words(column);
    let [word] = words.iter().filter(|word| !FLAG_PREFIXES.contains(&word.as_str())).collect::<Vec<_>>()[..] else {
        return None;
    };
    if word.chars().count() < MIN_WORD {
        return None;
    }
    let plain = prompt.replace(['`', '"', '\''], "");
    let rows = table.to_lowercase();
    let row = to_singular(&rows);
    let negative = [format!("un{word}"), format!("in{word}"), format!("not {word}"), format!("non-{word}")];
    let positive =
        [format!("{word} {rows}"), format!("{word} {row}"), format!("that are {word}"), format!("who are {word}")];
    let mentions = negative.iter().take(2).chain([word]).map(|form| count_words(&plain, form)).sum::<usize>();
    if mentions != 1 {
        return None;
    }
    let find = |forms: &[String]| forms.iter().find(|form| has_word(&plain, form)).cloned();
    find(&negative)
        .map(|shown| StatedFlag { shown, value: false })
        .or_else(|| find(&positive).map(|shown| StatedFlag { shown, value: true }))
}

fn count_words(text: &str, word: &str) -> usize {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|known| *known == word).count()
}
