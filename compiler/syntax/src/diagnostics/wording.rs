//! Wording of diagnostics: names as written, lists of words, and suggestions.

use model::Span;

use crate::ast;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use names as suggest;

/// Suggests the closest names for a misspelled one: as help and as a fix, which is safe only if one candidate is clearly meant.
pub fn suggest_name<'n>(
    diagnostic: Diagnostic,
    span: Span,
    word: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    suggest_column(diagnostic, span, word, candidates.into_iter().map(|candidate| (candidate, "")))
}

/// Suggests a column as [`suggest_name`] does. Each candidate comes with the name of its table ("" if it has none), which the misspelled name may
/// repeat as a prefix.
pub fn suggest_column<'n>(
    diagnostic: Diagnostic,
    span: Span,
    word: &str,
    columns: impl IntoIterator<Item = (&'n str, &'n str)>,
) -> Diagnostic {
    match suggest::find_best_column(word, columns) {
        Some((name, clear)) => diagnostic.suggest(Applicability::from_clearness(clear), span, quote_ident(&name)),
        None => diagnostic,
    }
}

/// Formats a name as written in source: in backticks unless it is a plain name.
pub fn quote_ident(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { name.to_owned() } else { format!("`{name}`") }
}

/// Formats a list: `a`, `b` or `c` (at most ten items).
pub fn join_with_or<'n>(words: impl IntoIterator<Item = &'n str>) -> String {
    join_names(words, "or", 10)
}

/// Formats a list of names: `a`, `b` or `c` (at most `most` of them), with this word before the last one.
pub fn join_names<N: std::fmt::Display>(names: impl IntoIterator<Item = N>, word: &str, most: usize) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    join_phrases(&names, word, most)
}

/// Like [`join_names`], for phrases that are shown as they are.
pub fn join_phrases(phrases: &[String], word: &str, most: usize) -> String {
    match phrases {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        _ if phrases.len() > most => format!("{}, …", phrases[..most].join(", ")),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// Formats a list: `a`, `b`, and `c`.
pub fn join_with_and<'n>(words: impl IntoIterator<Item = &'n str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [first @ .., last] if first.len() > 1 => format!("{}, and {last}", first.join(", ")),
        few => few.join(" and "),
    }
}

/// Formats a number with its unit: `1 row`, `3 rows`.
pub fn format_count(n: impl std::fmt::Display + PartialEq<u32>, unit: &str) -> String {
    if n == 1 { format!("{n} {unit}") } else { format!("{n} {unit}s") }
}

/// Builds the diagnostic for a name outside the `known` ones, with the closest of them as a suggestion.
pub fn build_unknown_diagnostic<'n>(
    code: &'static Code,
    name: &ast::Ident,
    message: String,
    label: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let said = Diagnostic::new(code, message, name.span, label).with_unknown_name(&name.text);
    suggest_name(said, name.span, &name.text, known)
}

/// Builds the diagnostic for the second appearance of an option, setting, or statement that can appear only once.
pub fn build_repeated_diagnostic(word: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::DUPLICATE, format!("`{word}` appears twice"), second, "again here")
        .label(first, "first here")
        .help("keep one of the two")
}

/// Builds the diagnostic for the second declaration of a name.
pub fn build_duplicate_diagnostic(second: &ast::Ident, what: &str, first: Span, first_what: &str) -> Diagnostic {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    Diagnostic::new(
        Code::DUPLICATE,
        if what == first_what {
            format!("{what} `{}` is defined twice", second.text)
        } else {
            format!("`{}` names {article} {what}, but it is already defined", second.text)
        },
        second.span,
        "the second one",
    )
    .label(first, format!("the first one ({first_what})"))
    .help("rename one of the two")
}
