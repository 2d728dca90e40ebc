//! The syntactic context of a cursor, determined from tokens only, because text that is being written rarely parses.

use std::ops::Range;

use compiler::ast::RawKind;
use compiler::syntax::blocks::{Blocks, match_brackets};
use compiler::syntax::lex::{self, Kind, Lexed, Token};
use compiler::syntax::words::{self, Class, Head};
use model::format::{Format, Holds};

/// The syntactic context of a cursor.
#[derive(Clone, Debug)]
pub struct Context<'t> {
    /// The open constructs around the cursor, outermost first; the first is the file.
    pub frames: Vec<Frame<'t>>,
    /// The byte at which the name under the cursor begins; the cursor itself if no name is being written.
    pub start: usize,
    /// The qualifying names before it, each followed by a dot: two for `db.orders.`.
    pub path: Vec<&'t str>,
    /// The kind of text that the cursor is in.
    pub inside: Inside,
}

/// The kind of text that a cursor is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inside {
    /// Names and signs.
    Code,
    /// The text of a string.
    Text,
    /// A comment.
    Comment,
    /// A query or path, and its byte range.
    Raw(RawKind, Range<usize>),
}

/// An open construct.
#[derive(Clone, Debug)]
pub struct Frame<'t> {
    /// Its kind.
    pub kind: Open<'t>,
    /// The words and signs of its current statement, argument, or item before the cursor. A string is one word `"`, a bracket with its contents is `(`, and a
    /// placeholder is `<<`.
    pub words: Vec<&'t str>,
    /// The words of each preceding argument.
    pub arguments: Vec<Vec<&'t str>>,
    /// The byte at which `words` begin.
    pub begins: usize,
    /// The byte at which it opens: the first byte of its bracket or quotes.
    pub opened: usize,
    /// The byte at which it ends: the first byte of its closing bracket, or of a token that cannot belong to it.
    until: usize,
}

/// The kinds of open constructs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open<'t> {
    /// The file itself, or a block.
    Block(Block),
    /// The arguments of a call, or parentheses.
    Call(Option<&'t str>),
    /// `<<…>>`, with its function if it has one.
    Placeholder(Option<&'t str>),
    /// A list of values.
    List,
    /// An array of a declared shape.
    Array,
    /// An object of values.
    Object,
    /// A string.
    String,
}

/// The kinds of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// Items.
    File,
    /// Settings.
    Suite,
    /// Statements.
    Task,
    /// Statements of a variant.
    Variant,
    /// Statements of a stage.
    Stage,
    /// Views of a lake.
    Lake,
    /// Rows and columns, or fields.
    Body,
    /// Tables of a database.
    Tables,
}

/// Whether a word begins a new statement after any complete statement.
fn is_statement_start(word: &str) -> bool {
    word != "table" && words::is_any(&[Class::Statement, Class::Body], word)
}

/// Whether a statement continues after this word.
fn must_continue_after(word: &str) -> bool {
    const HEADS: [Class; 3] = [Class::Statement, Class::Body, Class::Constructor];
    words::iter_uses(word).any(|word| word.takes && !HEADS.contains(&word.class))
}

/// Whether a word continues the preceding statement.
fn is_continuation(word: &str) -> bool {
    const INSIDE: [Class; 6] =
        [Class::Infix, Class::Filter, Class::Option, Class::Suffix, Class::Argument, Class::Link];
    words::is_any(&INSIDE, word)
}

impl<'t> Context<'t> {
    /// Whether the cursor is in the list of `tools`.
    pub fn is_in_tools(&self) -> bool {
        let [.., around, list] = self.frames.as_slice() else { return false };
        let last = around.words.iter().rev().find(|word| **word != "[");
        list.kind == Open::List && last == Some(&"tools")
    }

    /// Determines the context of the cursor at byte `offset` of `text`.
    pub fn new(text: &'t str, offset: usize) -> Context<'t> {
        let lexed = lex::guess_tokens(text);
        let seen = |token: &&Token| !matches!(token.kind, Kind::Blank | Kind::Comment | Kind::Embedded(_));
        let blocks = match_brackets(text, lexed.tokens.iter().filter(seen).copied().collect());
        let frames = vec![Frame::new(Open::Block(Block::File), 0, usize::MAX)];
        let open = |(at, token): &(usize, &Token)| token.kind == Kind::Text && !is_closed(&lexed, *at);
        let unclosed = lexed.tokens.iter().enumerate().filter(open).map(|(_, token)| token.start).collect();
        let mut scan = Scan { blocks: &blocks, unclosed, frames, place: 0 };
        let mut inside = Inside::Code;
        let mut start = offset;
        let mut last = 0;
        for (at, token) in blocks.tokens.iter().enumerate() {
            let Range { start: first, end } = token.range();
            if first >= offset {
                break;
            }
            scan.close_frames(first);
            match token.kind {
                Kind::Raw(kind) => {
                    // Blanks after raw text belong to it.
                    let next = blocks.tokens.get(at + 1).map_or(text.len(), |next| next.start as usize);
                    let behind = text.get(end..offset).unwrap_or("");
                    if offset <= end || offset <= next && !behind.contains('\n') {
                        inside = Inside::Raw(kind, first..end);
                        break;
                    }
                    scan.take_token(at);
                }
                Kind::Word | Kind::Number | Kind::Quoted if offset <= end => {
                    start = first;
                    break;
                }
                _ => scan.take_token(at),
            }
            last = end;
        }
        let around = lexed.tokens.partition_point(|token| (token.start as usize) < offset).checked_sub(1);
        if let Some(Token { kind: Kind::Comment | Kind::Doc, end, .. }) = around.and_then(|at| lexed.tokens.get(at))
            && offset <= *end as usize
        {
            inside = Inside::Comment;
        }
        if inside == Inside::Code {
            scan.close_frames(offset.saturating_sub(1));
            if scan.frames.last().is_some_and(|frame| frame.kind == Open::String) {
                inside = Inside::Text;
            } else if text.get(last..start).is_some_and(|gap| gap.contains('\n')) {
                // The name under the cursor may itself begin a statement.
                scan.begin_statement(true, "", false);
            }
        }
        let path = if inside == Inside::Code { scan.take_path() } else { Vec::new() };
        Context { frames: scan.frames, start, path, inside }
    }

    /// The innermost open construct.
    pub fn innermost_frame(&self) -> &Frame<'t> {
        // The list is never empty, because the file is never closed.
        static FILE: Frame<'static> = Frame::new(Open::Block(Block::File), 0, usize::MAX);
        self.frames.last().unwrap_or(&FILE)
    }

    /// The innermost block, and its index in `frames`.
    pub fn find_block(&self) -> (usize, Block) {
        let found = self.frames.iter().enumerate().rev().find_map(|(at, frame)| match frame.kind {
            Open::Block(block) => Some((at, block)),
            _ => None,
        });
        found.unwrap_or((0, Block::File))
    }

    /// The statement that begins the innermost block.
    pub fn find_head(&self) -> Option<&Frame<'t>> {
        self.frames.get(self.find_block().0.checked_sub(1)?)
    }

    /// The statement that begins a block of this kind around the cursor, and the block.
    pub fn find_around(&self, block: Block) -> Option<(&Frame<'t>, &Frame<'t>)> {
        let at = self.frames.iter().position(|frame| frame.kind == Open::Block(block))?;
        Some((self.frames.get(at.checked_sub(1)?)?, self.frames.get(at)?))
    }

    /// The innermost call: its function, and the number of preceding arguments.
    pub fn find_call(&self) -> Option<(&'t str, usize)> {
        self.frames.iter().rev().find_map(|frame| match frame.kind {
            Open::Call(Some(name)) | Open::Placeholder(Some(name)) => Some((name, frame.arguments.len())),
            _ => None,
        })
    }

    /// The last word of the preceding argument of the innermost call that has one.
    pub fn find_last_argument(&self) -> Option<&'t str> {
        let is_call = |frame: &&Frame<'_>| matches!(frame.kind, Open::Placeholder(_) | Open::Call(_));
        let mut calls = self.frames.iter().rev().filter(is_call);
        calls.find_map(|frame| frame.arguments.last()?.last().copied())
    }
}

impl<'t> Frame<'t> {
    const fn new(kind: Open<'t>, opened: usize, until: usize) -> Frame<'t> {
        Frame { kind, words: Vec::new(), arguments: Vec::new(), begins: opened, opened, until }
    }
}

struct Scan<'s, 't> {
    blocks: &'s Blocks<'t>,
    /// The starts of strings without closing quotes, in order.
    unclosed: Vec<u32>,
    frames: Vec<Frame<'t>>,
    /// The start of the current token.
    place: usize,
}

impl<'t> Scan<'_, 't> {
    fn push_word(&mut self, word: &'t str) {
        if let Some(frame) = self.frames.last_mut() {
            if frame.words.is_empty() {
                frame.begins = self.place;
            }
            frame.words.push(word);
        }
    }

    /// Pushes a frame for the construct that the token at index `at` opens.
    fn open_frame(&mut self, at: usize, kind: Open<'t>) {
        let end = self.blocks.tokens.get(self.blocks.find_end(at));
        let until = end.map_or(usize::MAX, |end| end.start as usize);
        self.frames.push(Frame::new(kind, self.place, until));
    }

    /// Removes the frames that end at or before `place`, with all frames inside them.
    fn close_frames(&mut self, place: usize) {
        let over = self.frames.iter().position(|frame| frame.until <= place);
        self.frames.truncate(over.unwrap_or(self.frames.len()));
    }

    /// Processes the token at index `at`.
    fn take_token(&mut self, at: usize) {
        let Some(token) = self.blocks.tokens.get(at).copied() else { return };
        let word = self.blocks.text(at);
        self.place = token.start as usize;
        match token.kind {
            Kind::Blank | Kind::Comment | Kind::Doc | Kind::Embedded(_) => {}
            Kind::Quote | Kind::Chars | Kind::Escape => {}
            Kind::Text => {
                self.begin_statement(token.first, "\"", false);
                self.push_word("\"");
                // An unclosed string includes the position at its end.
                let closed = self.unclosed.binary_search(&token.start).is_err();
                let until = token.end as usize - usize::from(closed);
                self.frames.push(Frame::new(Open::String, self.place, until));
            }
            Kind::Open(b'<') => {
                self.begin_statement(token.first, "<<", false);
                self.push_word("<<");
                let form = (self.blocks.text(at + 2) == ":").then(|| self.blocks.text(at + 1));
                self.open_frame(at, Open::Placeholder(form));
            }
            Kind::Open(bracket) => {
                let kind = self.classify_bracket(bracket);
                self.push_word(word);
                self.open_frame(at, kind);
            }
            Kind::Close(_) => self.end_block_statement(),
            Kind::Raw(_) => self.push_word("<raw>"),
            // `5%` is a number.
            Kind::Sign if word == "%" && self.is_adjacent(at) => {}
            Kind::Sign if word.is_ascii() => self.push_sign(word),
            Kind::Sign => {}
            Kind::SingleQuoted => self.push_word("\""),
            Kind::Word | Kind::Quoted | Kind::Number => {
                self.begin_statement(token.first, word, self.blocks.is_declaration(at));
                self.push_word(word.trim_matches('`'));
                if self.blocks.is_missing_brace(at) {
                    let kind = self.classify_bracket(b'{');
                    self.push_word("{");
                    self.open_frame(at, kind);
                }
            }
        }
    }

    /// Whether the token at `at` directly follows the token before it, without a blank.
    fn is_adjacent(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.blocks.tokens.get(before));
        before.zip(self.blocks.tokens.get(at)).is_some_and(|(before, token)| before.end == token.start)
    }

    /// Clears the words of the current statement if this token begins a new one.
    fn begin_statement(&mut self, fresh_line: bool, word: &str, names: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Open::Block(block) = frame.kind else { return };
        let Some(previous) = frame.words.last() else { return };
        let goes_on = must_continue_after(previous)
            || matches!(
                *previous,
                "," | "=" | ":" | "+" | "-" | "*" | "/" | "==" | "!=" | "<" | ">" | "<=" | ">=" | ".." | "." | "@"
            );
        if goes_on {
            return;
        }
        let first = frame.words.first().copied().unwrap_or("");
        // `csv hr : staff`, `axis size =`
        let head = frame.words.len() == 1
            && matches!(words::find_head(first), Some(Head::Path | Head::Columns | Head::Equals | Head::Block));
        let named = names && !head && !is_continuation(word);
        let setting = block == Block::Suite && words::is_of_class(Class::Setting, word);
        let statement =
            is_statement_start(word) && matches!(block, Block::Task | Block::Variant | Block::Stage | Block::Body);
        let started = (setting || statement) && !head;
        // Options of a view may be on separate lines.
        let option = block == Block::Lake && words::is_of_class(Class::Reading, word);
        let on_line = fresh_line && !is_continuation(word) && !option && word != "<<" && word != "\"";
        if named || on_line || (started && frame.words.len() > 1) {
            frame.words.clear();
        }
    }

    fn push_sign(&mut self, sign: &'t str) {
        let Some(frame) = self.frames.last_mut() else { return };
        let after_function =
            matches!(frame.kind, Open::Placeholder(Some(_))) && frame.arguments.is_empty() && frame.words.len() == 1;
        match (sign, frame.kind) {
            (",", Open::Block(_)) => self.push_word(sign),
            (",", _) => {
                let words = std::mem::take(&mut frame.words);
                frame.arguments.push(words);
            }
            // The `:` after the function of a placeholder begins its arguments.
            (":", _) if after_function => frame.words.clear(),
            _ => self.push_word(sign),
        }
    }

    /// Determines the kind of construct that an opening bracket opens.
    fn classify_bracket(&self, bracket: u8) -> Open<'t> {
        let Some(frame) = self.frames.last() else { return Open::Object };
        match bracket {
            b'{' => self.classify_brace(),
            b'[' => {
                let array = matches!(frame.kind, Open::Block(_)) && is_before_domain(&frame.words)
                    || frame.kind == Open::Array && frame.words.is_empty();
                if array { Open::Array } else { Open::List }
            }
            _ => Open::Call(frame.words.last().copied().filter(|word| {
                word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !must_continue_after(word)
            })),
        }
    }

    /// Determines the kind of construct that a `{` opens.
    fn classify_brace(&self) -> Open<'t> {
        let Some(frame) = self.frames.last() else { return Open::Object };
        let Open::Block(block) = frame.kind else {
            return if frame.kind == Open::Array { Open::Block(Block::Body) } else { Open::Object };
        };
        let first = frame.words.first().copied().unwrap_or("");
        match (block, first) {
            (Block::File, "suite") => Open::Block(Block::Suite),
            (Block::File, "task") => Open::Block(Block::Task),
            (Block::File, "lake") => Open::Block(Block::Lake),
            (Block::Task, "variant") => Open::Block(Block::Variant),
            (Block::Task, "stage") => Open::Block(Block::Stage),
            (_, "table") => Open::Block(Block::Body),
            (Block::Task | Block::Variant | Block::Lake, word)
                if words::is_of_class(Class::Format, word) && frame.words.last() != Some(&"=") =>
            {
                let database = Format::from_word(word).is_some_and(|format| format.holds == Holds::Database);
                Open::Block(if database { Block::Tables } else { Block::Body })
            }
            _ if is_before_domain(&frame.words) => Open::Block(Block::Body),
            _ => Open::Object,
        }
    }

    /// Ends the current statement if the bracket that was just closed was its block.
    fn end_block_statement(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        if let Open::Block(_) = frame.kind
            && frame.words.last() == Some(&"{")
            && !frame.words.contains(&"expect")
            && !frame.words.contains(&":")
            && !frame.words.contains(&"=")
        {
            // A block ends its statement.
            frame.words.clear();
        }
    }

    /// Removes a trailing path `a.b.` from the words and returns its names.
    fn take_path(&mut self) -> Vec<&'t str> {
        let mut path = Vec::new();
        let Some(frame) = self.frames.last_mut() else { return path };
        while let [.., name, "."] = frame.words.as_slice()
            && name.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        {
            path.push(*name);
            frame.words.truncate(frame.words.len() - 2);
        }
        path.reverse();
        path
    }
}

/// Whether the string at `at` is closed by its own quotes, not by those of a string inside it.
fn is_closed(lexed: &Lexed, at: usize) -> bool {
    let mut rest = lexed.parts(at).get(1..).unwrap_or_default();
    let mut closed = false;
    while let Some((part, after)) = rest.split_first() {
        closed = part.kind == Kind::Quote;
        rest = after.get(part.parts as usize..).unwrap_or_default();
    }
    closed
}

/// Whether a domain begins after these words of a statement.
pub fn is_before_domain(words: &[&str]) -> bool {
    let before = words.iter().rev().skip_while(|word| words::is_of_class(Class::Modifier, word));
    matches!(before.clone().next(), Some(&":"))
        || matches!(words, ["domain", _, "=", rest @ ..] if rest.iter().all(|word| words::is_of_class(Class::Modifier, word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The innermost block, the words of the innermost frame, the path; the cursor is `‸`.
    fn at(marked: &str) -> (Block, Vec<String>, Vec<String>) {
        let offset = marked.find('‸').expect("a cursor");
        let text = marked.replace('‸', "");
        let context = Context::new(&text, offset);
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        (context.find_block().1, own(&context.innermost_frame().words), own(&context.path))
    }

    #[test]
    fn statements_begin_and_go_on() {
        let words = |text: &str| at(text).1.join(" ");
        assert_eq!(words("task t {\n  a : word\n  pro‸"), "");
        assert_eq!(words("task t { a : word prompt \"x\" expect ‸"), "expect");
        assert_eq!(words("task t {\n  b = a +\n    ‸"), "b = a +");
        assert_eq!(words("task t {\n  expect reply text a\n    within ‸"), "expect reply text a within");
        assert_eq!(words("task t {\n  a : int 1..9\n  b : ‸"), "b :");
        assert_eq!(words("task t {\n  csv hr : ‸"), "csv hr :");
        assert_eq!(words("lake l from \"a\" {\n  csv v from \"b\"\n    skip 2 ‸"), "csv v from \" skip 2");
        assert_eq!(words("lake l from \"a\" {\n  csv v from \"b\"\n  tsv ‸"), "tsv");
        assert_eq!(words("task t {\n  csv hr at \"x\" {\n    rows 3  A : serial  B : ‸"), "B :");
    }

    #[test]
    fn blocks_are_told_apart() {
        assert_eq!(at("suite s {\n  ‸").0, Block::Suite);
        assert_eq!(at("task t {\n  sqlite db at \"x\" {\n ‸").0, Block::Tables);
        assert_eq!(at("task t {\n  sqlite db at \"x\" {\n table t { ‸").0, Block::Body);
        assert_eq!(at("task t {\n  json j at \"x\" : {\n a : [ { ‸").0, Block::Body);
        assert_eq!(at("task t {\n  json j at \"x\" : {\n a : word\n }\n ‸").0, Block::Task);
        assert_eq!(at("task t {\n  expect file \"x\" json { a: ‸").0, Block::Task);
        assert_eq!(at("task t { prompt \"a\" }\n‸").0, Block::File);
        assert_eq!(at("lake l from \"a\" {\n  csv v from \"b\"\n    skip 2 ‸").0, Block::Lake);
        assert_eq!(at("lake l from \"a\" {\n  csv v from \"b\" {\n    A : int from ‸").0, Block::Body);
        assert_eq!(at("lake l from \"a\" {\n  csv v from \"b\" { A : int }\n  tsv w ‸").0, Block::Lake);
    }

    #[test]
    fn what_is_unfinished_does_not_hide_what_follows() {
        let text = "task one {\n  csv hr at \"hr.csv\" { rows 10  PAY : int 1..100 }\n  best = max(hr.\n  n = <<csv_count: hr.\n  \
                    m = <<sqlite_query: shop, SELECT  FROM orders>>\n  k = <<sqlite_query: shop, \n  allow \n  \
                    prompt \"How many in <<\n  expect reply number count(hr where ";
        let at = |head: &str| Context::new(text, text.find(head).expect("it") + head.len());
        assert_eq!((at("max(hr.").path.as_slice(), at("max(hr.").find_call()), (&["hr"][..], Some(("max", 0))));
        assert_eq!(
            (at("count: hr.").path.as_slice(), at("count: hr.").find_call()),
            (&["hr"][..], Some(("csv_count", 0)))
        );
        assert!(matches!(at("SELECT ").inside, Inside::Raw(RawKind::Sql, _)));
        assert_eq!(at("k = <<sqlite_query: shop, ").find_call(), Some(("sqlite_query", 1)));
        assert_eq!(
            (at("allow ").find_block().1, at("allow ").innermost_frame().words.as_slice()),
            (Block::Task, &["allow"][..])
        );
        assert_eq!(at("How many in ").inside, Inside::Text);
        assert_eq!(
            (at("How many in <<").inside, at("How many in <<").innermost_frame().kind),
            (Inside::Code, Open::Placeholder(None))
        );
        assert_eq!(at("count(hr where ").find_call(), Some(("count", 0)));
    }

    #[test]
    fn paths_and_calls() {
        assert_eq!(at("task t { a = <<csv_avg: crm.‸").2, ["crm"]);
        assert_eq!(at("task t { a = db.orders.A‸").2, ["db", "orders"]);
        let text = "task t { a = round(sum(hr.PAY), ";
        assert_eq!(Context::new(text, text.len()).find_call(), Some(("round", 1)));
    }
}
