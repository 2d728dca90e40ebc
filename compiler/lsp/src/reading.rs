//! The table that is read around a cursor, and its lake. Only their heads are parsed, up to the cursor, because the rest is rarely complete while it is
//! written.

use compiler::ast::Format;
use compiler::parse::parse_source;
use compiler::query::{TableLocation, list_lake_folders, read_tables};
use compiler::syntax::words::{self, Class};
use model::SourceId;

use crate::context::{Block, Context, Inside, Open};

/// The folder of the lake whose views are declared around the cursor.
pub fn find_lake_folder(text: &str, context: &Context<'_>) -> Option<String> {
    let (file, _) = parse_source(&format!("{}}}", slice_lake_head(text, context)?), SourceId(0));
    list_lake_folders(&file).into_iter().next().map(|(_, folder)| folder)
}

/// The location of the table whose head or body contains the cursor: its files, and the layout in which they are read.
pub fn parse_look(text: &str, context: &Context<'_>) -> Option<TableLocation> {
    let (at, block) = context.find_block();
    let inner = context.frames.get(at)?;
    let (frame, end) = match block {
        Block::Body => (context.find_head()?, inner.opened),
        _ => (inner, find_written_end(text, context)),
    };
    let head = text.get(frame.begins..end)?;
    let source = match (frame.kind, frame.words.first()?) {
        (Open::Block(Block::Lake), _) => format!("{}\n{head}\n}}", slice_lake_head(text, context)?),
        (_, &"table") => head.to_owned(),
        (_, word) if Format::from_word(word).is_some() => format!("task t {{\n{head}\n}}"),
        _ => return None,
    };
    let (file, _) = parse_source(&source, SourceId(0));
    let (look, _) = read_tables(&file).first()?.resolve_location()?;
    Some(look)
}

/// Whether the cursor is in the body of a table that is read.
pub fn is_in_read_body(context: &Context<'_>) -> bool {
    context.find_block().1 == Block::Body && context.find_head().is_some_and(|head| is_read(&head.words))
}

/// Whether the words of a statement so far declare a table that is read.
pub fn is_read(words: &[&str]) -> bool {
    let name = |word: &str| word == "table" || words::is_of_class(Class::Format, word);
    // Without a string after `from`, the file is written from the rows of another table.
    let mut source = words.iter().skip(2).skip_while(|word| **word != "from");
    words.first().is_some_and(|first| name(first))
        && source.next().is_some()
        && source.next().is_none_or(|word| *word == "\"")
}

/// The text of a lake's declaration, up to its opening brace.
fn slice_lake_head<'t>(text: &'t str, context: &Context<'_>) -> Option<&'t str> {
    let (head, block) = context.find_around(Block::Lake)?;
    text.get(head.begins..=block.opened)
}

/// The end of the complete part of a statement: before the option whose string contains the cursor.
fn find_written_end(text: &str, context: &Context<'_>) -> usize {
    let string = context.frames.last().filter(|_| context.inside == Inside::Text).map(|frame| frame.opened);
    let Some(string) = string else { return context.start };
    let before = text.get(..string).unwrap_or("").trim_end();
    before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len()
}
