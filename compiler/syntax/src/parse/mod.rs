//! Parsing of source text to the syntax tree.
//!
//! [`parse_source`] never fails: text that cannot be parsed is reported, and everything around it is in the tree. The grammar is `grammar/pcd.pest`; pest's
//! types are used only in this folder.

mod ast_builder;
mod calls;
mod chain;
pub mod cook;
mod domains;
mod expects;
mod exprs;
mod files;
mod foreign_syntax;
mod grammar;
mod items;
mod lakes;
mod limits;
mod literals;
mod recover;
mod statements;
mod strings;
mod unread;

use crate::ast::{File, Item, SourceId, Span};
use crate::diagnostics::Diagnostic;
use crate::lex::{self, Kind, Token};
use ast_builder::AstBuilder;
use grammar::Rule;

/// Parses a suite, or a file that a suite uses.
///
/// ```
/// use syntax::parse::parse_source;
/// use model::SourceId;
///
/// let (file, mistakes) = parse_source("suite s { title \"S\" version \"1\" }\ntask t {\n  n : int 1..\n  m : int 1..9\n}\n", SourceId(0));
/// // The rest of a broken file is still there.
/// assert_eq!(file.items.len(), 2);
/// assert!(!mistakes.is_empty() && mistakes.iter().all(|said| said.code.id.starts_with("E01")), "{mistakes:?}");
/// ```
pub fn parse_source(source: &str, file: SourceId) -> (File, Vec<Diagnostic>) {
    parse_file(AstBuilder::new(source, file, &[]))
}

/// Parses a file of the standard library, which may also declare functions.
pub fn parse_library(source: &str, file: SourceId) -> (File, Vec<Diagnostic>) {
    parse_file(AstBuilder { library: true, ..AstBuilder::new(source, file, &[]) })
}

fn parse_file(mut walker: AstBuilder<'_>) -> (File, Vec<Diagnostic>) {
    let (source, file) = (walker.source, walker.file);
    if let Some(refused) = limits::explain_too_long(source, file) {
        walker.mark_rest_unread(0);
        walker.push_diagnostic(refused);
        return finish_file(walker, Vec::new());
    }
    let lexed = lex::lex_source(source);
    let comments = list_comments(&lexed.tokens, file);
    let mut walker = AstBuilder { comments: &comments, ..walker };
    if let Some(at) = lexed.too_deep {
        walker.mark_lines_unread(0, source.len());
        walker.push_diagnostic(limits::explain_too_deep(source, file, at));
        return finish_file(walker, Vec::new());
    }
    parse_or_recover(walker)
}

/// Parses the items of a text that is neither too long nor nested too deeply.
fn parse_or_recover(mut walker: AstBuilder<'_>) -> (File, Vec<Diagnostic>) {
    let items = match limits::parse_bounded(Rule::file, walker.source, walker.most_calls) {
        Ok(mut pairs) => pairs.next().map(|pair| walker.parse_items(pair)).unwrap_or_default(),
        Err(_) => recover::recover_items(&mut walker),
    };
    finish_file(walker, items)
}

/// Parses a text without mistakes. Returns `None` for any other text, whose mistakes are not looked for.
pub fn parse_valid_source(source: &str, file: SourceId) -> Option<File> {
    let lexed = lex::lex_source(source);
    if lexed.too_deep.is_some() || limits::explain_too_long(source, file).is_some() {
        return None;
    }
    let comments = list_comments(&lexed.tokens, file);
    let mut walker = AstBuilder::new(source, file, &comments);
    let pair = limits::parse_bounded(Rule::file, source, walker.most_calls).ok()?.next()?;
    let items = walker.parse_items(pair);
    let (file, diagnostics) = finish_file(walker, items);
    diagnostics.is_empty().then_some(file)
}

fn list_comments(tokens: &[Token], file: SourceId) -> Vec<Span> {
    let comments = tokens.iter().filter(|token| matches!(token.kind, Kind::Comment | Kind::Doc));
    comments.map(|token| Span::new(file, token.start, token.end)).collect()
}

fn finish_file(walker: AstBuilder<'_>, items: Vec<Item>) -> (File, Vec<Diagnostic>) {
    let file = File { id: walker.file, items, comments: walker.comments.to_vec(), unread: walker.unread };
    (file, limits::limit_diagnostics(walker.diagnostics))
}
