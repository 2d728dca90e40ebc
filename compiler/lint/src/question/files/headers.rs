//! `misread_file`: a column has the name of another column of the file than the one that it is read from: `INBOUND` from "Out (Mbit/s)". A heuristic: it compares
//! the words of names.

use super::given::GivenTable;
use syntax::prompts::english::files::{ALIKE, OPPOSITES};
use crate::context::report_once;
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_other_headers(tables: &[GivenTable<'_>], said: &mut Vec<Diagnostic>) {
    for table in tables {
        let Some(file) = table.files.files.first() else { continue };
        let taken: Vec<&str> = table.iter_columns().filter_map(|(_, _, read)| read.header.as_deref()).collect();
        for (_, column, read) in table.iter_columns().filter(|(id, ..)| table.read.contains(id)) {
            let Some(header) = &read.header else { continue };
            // A header that another column has is not mistaken for this one.
            let mut others = file.header.iter().filter(|other| *other != header && !taken.contains(&other.as_str()));
            let Some(other) = others.find(|other| is_closer(&column.name, other, header)) else { continue };
            let message = format!("`{}` is read from `{header}`, but the file also has `{other}`", column.name);
            let new = Diagnostic::new(Code::MISREAD_FILE, message, read.at, "another column")
                .help(format!("if that is meant, write: from \"{other}\""));
            report_once(new, said);
        }
    }
}

/// Checks whether a name is that of one header, and not that of another: it has the same words, or of two opposites the one that the other header lacks.
fn is_closer(name: &str, header: &str, than: &str) -> bool {
    let (name, header, than) = (split_words(name), split_words(header), split_words(than));
    if !name.is_empty() && name == header && !than.iter().any(|word| name.contains(word)) {
        return true;
    }
    let has = |words: &[String], word: &str| words.iter().any(|own| own == word);
    // Two headers of which one is the opposite of the other differ in nothing else.
    let is_pair = |one: &str, other: &str| {
        has(&header, one) && has(&than, other) && {
            let rest =
                |words: &[String], of: &str| words.iter().filter(|word| *word != of).cloned().collect::<Vec<_>>();
            rest(&header, one) == rest(&than, other)
        }
    };
    let is_own = |one: &str, other: &str| has(&name, one) && !has(&name, other) && is_pair(one, other);
    OPPOSITES.iter().any(|(one, other)| is_own(one, other) || is_own(other, one))
}

/// Splits a name into its words in lower case, with one word for those that mean the same.
fn split_words(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .map(|word| ALIKE.iter().find(|(known, _)| *known == word).map_or(word, |(_, plain)| plain).to_owned())
        .collect()
}
