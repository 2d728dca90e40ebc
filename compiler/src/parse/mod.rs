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
mod lakes;
mod limits;
mod literals;
mod recover;
mod slips;
mod statements;
mod strings;
mod unread;
mod walk;

use crate::ast::{File, Item, SourceId, Span};
use crate::diagnostics::Diagnostic;
use crate::syntax::lex::{self, Kind, Token};
use grammar::Rule;

/// Reads a suite, or a file that one uses.
pub fn parse(source: &str, file: SourceId) -> (File, Vec<Diagnostic>) {
    read(source, file, false)
}

/// Reads a file of the standard library, which may also declare functions.
pub fn parse_library(source: &str, file: SourceId) -> (File, Vec<Diagnostic>) {
    read(source, file, true)
}

fn read(source: &str, file: SourceId, library: bool) -> (File, Vec<Diagnostic>) {
    let mut walker = walk::Walker {
        source,
        file,
        comments: &[],
        base: 0,
        library,
        diagnostics: Vec::new(),
        unread: Vec::new(),
        foreign_until: 0,
    };
    if let Some(refused) = limits::too_long(source, file) {
        walker.lose_rest(0);
        walker.note(refused);
        return finish(walker, Vec::new());
    }
    let lexed = lex::lex(source);
    let comment = |token: &&Token| matches!(token.kind, Kind::Comment | Kind::Doc);
    let span = |token: &Token| Span::new(file, token.start, token.end);
    let comments: Vec<Span> = lexed.tokens.iter().filter(comment).map(span).collect();
    walker.comments = &comments;
    if let Some(at) = lexed.too_deep {
        walker.lose(0, source.len());
        walker.note(limits::too_deep(source, file, at));
        return finish(walker, Vec::new());
    }
    let items = match limits::read(Rule::file, source) {
        Ok(mut pairs) => pairs.next().map(|pair| walker.items(pair)).unwrap_or_default(),
        Err(_) => recover::items(&mut walker),
    };
    finish(walker, items)
}

fn finish(walker: walk::Walker<'_>, items: Vec<Item>) -> (File, Vec<Diagnostic>) {
    let file = File { id: walker.file, items, comments: walker.comments.to_vec(), unread: walker.unread };
    (file, limits::cap(walker.diagnostics))
}
