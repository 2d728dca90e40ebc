//! Files for tests, and diagnostics as text.

use compiler::ast::{File, SourceId, Span};
use compiler::diagnostics::{Applicability, Diagnostic};
use compiler::parse;
use std::path::PathBuf;

/// Reads a suite.
pub fn read(source: &str) -> (File, Vec<Diagnostic>) {
    parse::parse_source(source, SourceId(0))
}

/// The `.pcd` files of a folder of the repository, in order.
pub fn files(folder: &str) -> Vec<PathBuf> {
    testing::list_sources(testing::root().join(folder))
}

/// `line:column`, both from 1, in characters.
pub fn place(source: &str, at: u32) -> String {
    let before = &source[..at as usize];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("{line}:{column}")
}

fn range(source: &str, span: Span) -> String {
    format!("{}-{}", place(source, span.start), place(source, span.end))
}

/// `line:col-line:col CODE message | label | help | fixes`
pub fn line(source: &str, diagnostic: &Diagnostic) -> String {
    let mut parts =
        vec![format!("{} {} {}", range(source, diagnostic.primary.span), diagnostic.code.id, diagnostic.message)];
    parts.push(diagnostic.primary.message.clone());
    for label in &diagnostic.secondary {
        parts.push(format!("{} {}", range(source, label.span), label.message));
    }
    parts.push(diagnostic.help.clone().unwrap_or_default());
    for fix in &diagnostic.fixes {
        let edits: Vec<String> =
            fix.edits.iter().map(|edit| format!("{} {:?}", range(source, edit.span), edit.text)).collect();
        let sure = if fix.applicability == Applicability::Safe { "safe" } else { "unsafe" };
        parts.push(format!("{sure}: {} ({})", fix.message, edits.join(", ")));
    }
    parts.join(" | ")
}

/// Every diagnostic, a line each.
pub fn lines(source: &str, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| line(source, diagnostic) + "\n").collect()
}
