//! From text to Ast.
//!
//! [`parse`] never fails: what cannot be read is a diagnostic, and everything around it is still in the tree. The grammar is `grammar/pcd.pest`;
//! pest's own types stay in this folder.

mod calls;
mod chain;
pub mod cook;
mod domains;
mod exprs;
mod expects;
mod files;
mod grammar;
mod items;
mod literals;
mod scan;
mod statements;
mod strings;
mod walk;
mod words;

use crate::ast::{File, FileId};
use crate::diagnostics::{Code, Diagnostic};
use grammar::{Grammar, Rule};
use pest::Parser;

/// Reads a suite, or a file that one uses.
pub fn parse(source: &str, file: FileId) -> (File, Vec<Diagnostic>) {
    read(source, file, false)
}

/// Reads a file of the standard library, which may also declare functions.
pub fn parse_library(source: &str, file: FileId) -> (File, Vec<Diagnostic>) {
    read(source, file, true)
}

fn read(source: &str, file: FileId, library: bool) -> (File, Vec<Diagnostic>) {
    let scan = scan::scan(source, file);
    let mut walker = walk::Walker { source, file, comments: &scan.comments, base: 0, library, diagnostics: Vec::new() };
    let items = match Grammar::parse(Rule::file, source) {
        Ok(mut pairs) => pairs.next().map(|pair| walker.items(pair)).unwrap_or_default(),
        Err(error) => {
            walker.report(Diagnostic::new(Code::SYNTAX, error.to_string(), walker.at(0, 0), ""));
            Vec::new()
        }
    };
    let diagnostics = walker.diagnostics;
    (File { id: file, items, comments: scan.comments }, diagnostics)
}
