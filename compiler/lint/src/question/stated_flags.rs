//! For `unasked_change`: conditions on columns that a prompt states in words: "whose PAID is 0", "that are not paid", "all unpaid invoices", "who have no EMAIL",
//! "the job with the earliest AT".

use super::prompt_content::has_word;
use hir::Column;
use hir::types::TyKind;
use names::words::{split_words, to_singular};
use syntax::prompts::english::lints::{
    FLAG_EXTREMES, FLAG_GONE, FLAG_LINKS, FLAG_MISSING, FLAG_PREFIXES, FLAG_VALUES, MEANING_STARTS, WHOLE_REPLY,
};

/// The shortest column whose name is an adjective of a prompt.
const MIN_WORD: usize = 4;

/// A condition on a column.
pub(super) struct StatedFlag {
    /// The words of the prompt.
    pub shown: String,
    /// The rest of the condition in SQL, after the column.
    pub comparison: &'static str,
}

impl StatedFlag {
    fn from_true(shown: String) -> StatedFlag {
        StatedFlag { shown, comparison: "= 1" }
    }

    fn from_false(shown: String) -> StatedFlag {
        StatedFlag { shown, comparison: "= 0" }
    }
}

/// Finds a condition on a column in a prompt in lower case.
pub(super) fn find_stated_flag(prompt: &str, column: &Column, table: &str) -> Option<StatedFlag> {
    let plain = prompt.replace(['`', '"', '\''], "");
    let name = column.name.to_lowercase();
    let of_bool = || find_comparison(&plain, &name).or_else(|| find_adjective(&plain, &column.name, table));
    let of_gap = || find_gap(&plain, &name).filter(|_| column.ty.nullable);
    match column.ty.kind {
        TyKind::Bool => of_bool().or_else(of_gap),
        _ => of_gap().or_else(|| find_extreme(&plain, &name)),
    }
}

/// Finds "without EMAIL" and "whose EMAIL is missing".
fn find_gap(plain: &str, column: &str) -> Option<StatedFlag> {
    let before = FLAG_MISSING.iter().map(|word| format!("{word} {column}"));
    let mut phrases = before.chain(FLAG_GONE.iter().map(|word| format!("{column} {word}")));
    phrases.find(|phrase| has_word(plain, phrase)).map(|shown| StatedFlag { shown, comparison: "IS NULL" })
}

/// Finds "the earliest AT" in a sentence that is not about the reply.
fn find_extreme(plain: &str, column: &str) -> Option<StatedFlag> {
    let sentences = plain.split(['.', '?', '!', ';']);
    let of_rows = sentences.filter(|sentence| !WHOLE_REPLY.iter().any(|word| has_word(sentence, word)));
    of_rows.into_iter().find_map(|sentence| {
        let phrases = FLAG_EXTREMES.iter().map(|word| format!("{word} {column}"));
        let shown = phrases.into_iter().find(|phrase| has_word(sentence, phrase))?;
        Some(StatedFlag { shown, comparison: "= (SELECT …)" })
    })
}

/// Finds "PAID is 0" if that does not begin an explanation of the column.
fn find_comparison(plain: &str, column: &str) -> Option<StatedFlag> {
    let mut found = None;
    for link in FLAG_LINKS {
        for (word, value) in FLAG_VALUES {
            let phrase = format!("{column}{link}{word}");
            for (at, _) in plain.match_indices(&phrase).filter(|_| has_word(plain, &phrase)) {
                let after = plain.get(at + phrase.len()..).unwrap_or_default().trim_start();
                let next = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                if MEANING_STARTS.contains(&next) || found.is_some() {
                    return None;
                }
                let from = if *value { StatedFlag::from_true } else { StatedFlag::from_false };
                found = Some(from(phrase.clone()));
            }
        }
    }
    found
}

/// Finds the only adjective that is the name of the column: "not paid", "unpaid", "paid invoices", "that are paid".
fn find_adjective(plain: &str, column: &str, table: &str) -> Option<StatedFlag> {
    let words = split_words(column);
    let [word] = words.iter().filter(|word| !FLAG_PREFIXES.contains(&word.as_str())).collect::<Vec<_>>()[..] else {
        return None;
    };
    if word.chars().count() < MIN_WORD {
        return None;
    }
    let rows = table.to_lowercase();
    let row = to_singular(&rows);
    let negative = [format!("un{word}"), format!("in{word}"), format!("not {word}"), format!("non-{word}")];
    let positive =
        [format!("{word} {rows}"), format!("{word} {row}"), format!("that are {word}"), format!("who are {word}")];
    let mentions = negative.iter().take(2).chain([word]).map(|form| count_words(plain, form)).sum::<usize>();
    if mentions != 1 {
        return None;
    }
    let find = |forms: &[String]| forms.iter().find(|form| has_word(plain, form)).cloned();
    find(&negative).map(StatedFlag::from_false).or_else(|| find(&positive).map(StatedFlag::from_true))
}

fn count_words(text: &str, word: &str) -> usize {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|known| *known == word).count()
}

/// Whether a wording names the value next to the column or before the rows: `status open`, `status is open`, `open orders`.
pub(super) fn states_value(prompt: &str, column: &str, table: &str, value: &str) -> bool {
    if value.chars().count() < 2 || !has_word(prompt, value) {
        return false;
    }
    let quoted = |text: &str| [format!("`{text}`"), format!("\"{text}\""), format!("'{text}'"), text.to_owned()];
    let singular = table.strip_suffix('s').unwrap_or(table);
    let links = [" ", " is ", " = ", " of ", ": ", " equal to ", " equals "];
    let column_names = quoted(column);
    quoted(value).iter().any(|value| {
        let after_column = column_names
            .iter()
            .any(|column| links.iter().any(|link| has_phrase(prompt, &format!("{column}{link}{value}"))));
        let is_marked = !value.starts_with(char::is_alphanumeric);
        after_column
            || [table, singular].iter().any(|rows| {
                has_phrase(prompt, &format!("{value} {rows}")) || has_phrase(prompt, &format!("{value} {rows}s"))
            })
            || is_marked && has_phrase(prompt, &format!("{singular} {value}"))
            || [" named ", " called "].iter().any(|link| has_phrase(prompt, &format!("{singular}{link}{value}")))
    })
}

pub(super) fn has_phrase(prompt: &str, phrase: &str) -> bool {
    match phrase.chars().next().is_some_and(char::is_alphanumeric) {
        true => has_word(prompt, phrase),
        false => prompt.contains(phrase),
    }
}
