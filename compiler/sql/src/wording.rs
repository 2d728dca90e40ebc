//! What messages have in common: the wording of names, and refusals.

use std::fmt::Display;

use model::ddl::quote_name;
use model::span::Span;

use super::request::SqlTable;
use syntax::diagnostics::wording::join_names;
use syntax::diagnostics::{Code, Diagnostic};

/// How a table is written in this query.
pub fn format_full_name(table: &SqlTable<'_>) -> String {
    match table.database {
        Some(database) => format!("{}.{}", quote_name(database), quote_name(table.name)),
        None => quote_name(table.name),
    }
}

/// The names, each once.
pub fn remove_duplicates<'n>(names: &[&'n str]) -> Vec<&'n str> {
    let mut out: Vec<&str> = Vec::new();
    for name in names {
        if !out.contains(name) {
            out.push(name);
        }
    }
    out
}

/// `A, B and C`, at most a dozen.
pub fn format_and_list<N: Display>(names: impl IntoIterator<Item = N>) -> String {
    join_names(names, "and", 12)
}

/// `A, B or C`, at most a dozen.
pub fn format_or_list<N: Display>(names: impl IntoIterator<Item = N>) -> String {
    join_names(names, "or", 12)
}

/// A refusal that has no code of its own.
pub fn build_refusal(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::SQL_REFUSED, message, span, label)
}
