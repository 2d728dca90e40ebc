//! From text to Ast.
//!
//! [`parse`] never fails: what cannot be read is a diagnostic, and everything around it is still in the tree. The grammar is `grammar/pcd.pest`;
//! pest's own types stay in this folder.

mod calls;
mod chain;
pub mod cook;
mod domains;
mod expects;
mod exprs;
mod files;
mod grammar;
mod items;
mod limits;
mod literals;
mod recover;
mod slips;
mod statements;
mod strings;
mod walk;

use crate::ast::{File, SourceId, Span};
use crate::diagnostics::Diagnostic;
use crate::syntax::lex::{self, Kind, Token};
use grammar::{Grammar, Rule};
use pest::Parser;

/// Reads a suite, or a file that one uses.
pub fn parse(source: &str, file: SourceId) -> (File, Vec<Diagnostic>) {
    read(source, file, false)
}

/// Reads a file of the standard library, which may also declare functions.
pub fn parse_library(source: &str, file: SourceId) -> (File, Vec<Diagnostic>) {
    read(source, file, true)
}

fn read(source: &str, file: SourceId, library: bool) -> (File, Vec<Diagnostic>) {
    limits::set();
    if let Some(refused) = limits::too_long(source, file) {
        return (File { id: file, items: Vec::new(), comments: Vec::new() }, vec![refused]);
    }
    let lexed = lex::lex(source);
    let comment = |token: &&Token| matches!(token.kind, Kind::Comment | Kind::Doc);
    let span = |token: &Token| Span::new(file, token.start, token.end);
    let comments: Vec<Span> = lexed.tokens.iter().filter(comment).map(span).collect();
    if let Some(at) = lexed.too_deep {
        let refused = limits::too_deep(source, file, at);
        return (File { id: file, items: Vec::new(), comments }, vec![refused]);
    }
    let mut walker =
        walk::Walker { source, file, comments: &comments, base: 0, library, diagnostics: Vec::new(), foreign_until: 0 };
    let items = match Grammar::parse(Rule::file, source) {
        Ok(mut pairs) => pairs.next().map(|pair| walker.items(pair)).unwrap_or_default(),
        Err(_) => recover::items(&mut walker),
    };
    let diagnostics = limits::cap(walker.diagnostics);
    (File { id: file, items, comments }, diagnostics)
}
