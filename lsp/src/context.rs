//! Where a cursor stands, told from tokens alone: the text around it is seldom right while it is being written.

use compiler::syntax::words::{self, Class, Head};

use crate::lex::{self, Kind, Token};

/// Where a cursor stands.
#[derive(Clone, Debug)]
pub struct Context<'t> {
    /// What is open around it, outermost first; the first is the file.
    pub frames: Vec<Frame<'t>>,
    /// Where the name that is being written begins; the cursor, where none is.
    pub start: usize,
    /// The names before it, each with its dot: `db.orders.` gives two.
    pub path: Vec<&'t str>,
    /// What it is inside of.
    pub inside: Inside,
}

/// What a cursor is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// Names and signs.
    Code,
    /// The text of a string.
    Text,
    /// A comment.
    Comment,
    /// A query or path.
    Raw(Token),
}

/// Something open.
#[derive(Clone, Debug)]
pub struct Frame<'t> {
    /// What.
    pub kind: Open<'t>,
    /// The words and signs of its statement, argument or item at hand, before the cursor. A string is `"`, a bracket and what was in it `(`, a
    /// placeholder `<<`.
    pub words: Vec<&'t str>,
    /// The words of the arguments before.
    pub arguments: Vec<Vec<&'t str>>,
}

/// What can be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open<'t> {
    /// The file itself, or a block.
    Block(Block),
    /// The arguments of a call, or parentheses.
    Call(Option<&'t str>),
    /// `<<…>>`, perhaps of a function.
    Placeholder(Option<&'t str>),
    /// A list of values.
    List,
    /// The array of a shape.
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
    /// Rows and columns, or fields.
    Body,
    /// Tables of a database.
    Tables,
}

/// Whether a word begins a statement wherever it stands behind a whole one.
fn starts(word: &str) -> bool {
    word != "table" && words::is_any(&[Class::Statement, Class::Body], word)
}

/// Whether a statement goes on behind a word.
fn goes_on_behind(word: &str) -> bool {
    const HEADS: [Class; 3] = [Class::Statement, Class::Body, Class::Constructor];
    words::uses(word).any(|word| word.takes && !HEADS.contains(&word.class))
}

/// Whether a word goes on with the statement before it.
fn continues(word: &str) -> bool {
    const INSIDE: [Class; 6] =
        [Class::Infix, Class::Filter, Class::Option, Class::Suffix, Class::Argument, Class::Link];
    words::is_any(&INSIDE, word)
}

impl<'t> Context<'t> {
    /// Where the byte `offset` of `text` stands.
    pub fn at(text: &'t str, offset: usize) -> Context<'t> {
        let tokens = lex::tokens(text);
        let mut scan = Scan { text, tokens: &tokens, frames: vec![Frame::new(Open::Block(Block::File))], last: 0 };
        let mut inside = Inside::Code;
        let mut start = offset;
        for (at, token) in tokens.iter().enumerate() {
            if token.start >= offset {
                break;
            }
            let ends_behind = offset <= token.end;
            match token.kind {
                Kind::Comment | Kind::Doc if ends_behind => inside = Inside::Comment,
                // A string that is not closed: its text ends where the line does.
                Kind::Text if ends_behind => {
                    let closed = tokens.get(at + 1).is_some_and(|next| next.start == token.end);
                    if offset < token.end || closed || scan.in_string() {
                        inside = Inside::Text;
                    }
                }
                Kind::Sql | Kind::JsonPath | Kind::XPath => {
                    // Blanks behind raw text belong to it.
                    let next = tokens.get(at + 1).map_or(text.len(), |next| next.start);
                    if offset <= token.end
                        || (offset <= next && !text.get(token.end..offset).unwrap_or("").contains('\n'))
                    {
                        inside = Inside::Raw(*token);
                        break;
                    }
                    scan.take(at);
                }
                Kind::Word | Kind::Number if ends_behind => start = token.start,
                Kind::Quoted if ends_behind => {
                    start = token.start;
                }
                _ => scan.take(at),
            }
            if ends_behind && start == token.start {
                break;
            }
        }
        if inside == Inside::Code && scan.in_string() {
            inside = Inside::Text;
        }
        if inside == Inside::Code {
            scan.begin_at(start);
        }
        let path = if inside == Inside::Code { scan.take_path() } else { Vec::new() };
        Context { frames: scan.frames, start, path, inside }
    }

    /// The innermost thing open.
    pub fn innermost(&self) -> &Frame<'t> {
        // There always is one: the file is never closed.
        static FILE: Frame<'static> =
            Frame { kind: Open::Block(Block::File), words: Vec::new(), arguments: Vec::new() };
        self.frames.last().unwrap_or(&FILE)
    }

    /// The innermost block, and its place among the frames.
    pub fn block(&self) -> (usize, Block) {
        let found = self.frames.iter().enumerate().rev().find_map(|(at, frame)| match frame.kind {
            Open::Block(block) => Some((at, block)),
            _ => None,
        });
        found.unwrap_or((0, Block::File))
    }

    /// The innermost call: its function, and how many arguments stand before the one at hand.
    pub fn call(&self) -> Option<(&'t str, usize)> {
        self.frames.iter().rev().find_map(|frame| match frame.kind {
            Open::Call(Some(name)) | Open::Placeholder(Some(name)) => Some((name, frame.arguments.len())),
            _ => None,
        })
    }
}

impl<'t> Frame<'t> {
    fn new(kind: Open<'t>) -> Frame<'t> {
        Frame { kind, words: Vec::new(), arguments: Vec::new() }
    }
}

struct Scan<'s, 't> {
    text: &'t str,
    tokens: &'s [Token],
    frames: Vec<Frame<'t>>,
    /// Where the last token that was taken ends.
    last: usize,
}

impl<'t> Scan<'_, 't> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).and_then(|token| self.text.get(token.start..token.end)).unwrap_or("")
    }

    fn in_string(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.kind == Open::String)
    }

    fn push(&mut self, word: &'t str) {
        if let Some(frame) = self.frames.last_mut() {
            frame.words.push(word);
        }
    }

    /// Takes the token in.
    fn take(&mut self, at: usize) {
        let Some(token) = self.tokens.get(at).copied() else { return };
        let word = self.word(at);
        match token.kind {
            Kind::Comment | Kind::Doc | Kind::Text | Kind::Other => {}
            Kind::Open => {
                self.begin(token.start, "\"", false);
                self.push("\"");
                self.frames.push(Frame::new(Open::String));
            }
            Kind::Close => self.close(|kind| kind == Open::String),
            Kind::Begin => {
                self.begin(token.start, "<<", false);
                self.push("<<");
                let form = self.tokens.get(at + 2).filter(|_| self.word(at + 2) == ":").map(|_| self.word(at + 1));
                self.frames.push(Frame::new(Open::Placeholder(form)));
            }
            Kind::End => self.close(|kind| matches!(kind, Open::Placeholder(_))),
            Kind::Sql | Kind::JsonPath | Kind::XPath => self.push("<raw>"),
            Kind::Punct => self.sign(word),
            Kind::Word | Kind::Quoted | Kind::Number => {
                self.unclosed(token.start);
                self.abandon(token.start, self.names_something(at));
                let names = token.kind != Kind::Number && self.names_something(at);
                self.begin(token.start, word, names);
                self.push(word.trim_matches('`'));
            }
        }
        self.last = token.end;
    }

    /// A string that its line did not close is over.
    fn unclosed(&mut self, start: usize) {
        while self.in_string() && self.text.get(self.last..start).is_some_and(|gap| gap.contains('\n')) {
            self.frames.pop();
        }
    }

    /// Brackets and placeholders that are open where a line begins a statement were never closed.
    fn abandon(&mut self, start: usize, names: bool) {
        let fresh_line = self.text.get(self.last..start).is_some_and(|gap| gap.contains('\n'));
        let rest = self.text.get(start..).unwrap_or("");
        let bracket = |kind: Open<'_>| matches!(kind, Open::Call(_) | Open::Placeholder(_));
        let inside = self.frames.last().is_some_and(|frame| bracket(frame.kind));
        if fresh_line && (lex::begins_statement(rest) || (names && inside)) {
            let block = self.frames.iter().rposition(|frame| matches!(frame.kind, Open::Block(_))).unwrap_or(0);
            self.frames.truncate(block + 1);
        }
    }

    /// Whether `NAME :`, `NAME =` or `NAME, NAME :` stands here.
    fn names_something(&self, mut at: usize) -> bool {
        loop {
            match self.word(at + 1) {
                ":" | "=" => return true,
                "," if matches!(self.tokens.get(at + 2).map(|token| token.kind), Some(Kind::Word | Kind::Quoted)) => {
                    at += 2
                }
                _ => return false,
            }
        }
    }

    /// Begins a new statement where one begins.
    fn begin(&mut self, start: usize, word: &str, names: bool) {
        let fresh_line = self.text.get(self.last..start).is_some_and(|gap| gap.contains('\n'));
        let Some(frame) = self.frames.last_mut() else { return };
        let Open::Block(block) = frame.kind else { return };
        let Some(previous) = frame.words.last() else { return };
        let goes_on = goes_on_behind(previous)
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
            && matches!(words::head(first), Some(Head::Path | Head::Columns | Head::Equals | Head::Block));
        let named = names && !head && !continues(word);
        let setting = block == Block::Suite && words::is(Class::Setting, word);
        let statement = starts(word) && matches!(block, Block::Task | Block::Variant | Block::Body);
        let started = (setting || statement) && !head;
        let on_line = fresh_line && !continues(word) && word != "<<" && word != "\"";
        if named || on_line || (started && frame.words.len() > 1) {
            frame.words.clear();
        }
    }

    /// The name that is being written may begin a statement, too.
    fn begin_at(&mut self, start: usize) {
        self.unclosed(start);
        let fresh_line = self.text.get(self.last..start).is_some_and(|gap| gap.contains('\n'));
        if fresh_line {
            self.begin(start, "", false);
        }
    }

    fn sign(&mut self, sign: &'t str) {
        match sign {
            "{" => {
                let kind = self.brace();
                self.push("{");
                self.frames.push(Frame::new(kind));
            }
            "[" => {
                let array = self.frames.last().is_some_and(|frame| {
                    matches!(frame.kind, Open::Block(_)) && domain_begins(&frame.words)
                        || frame.kind == Open::Array && frame.words.is_empty()
                });
                self.push("[");
                self.frames.push(Frame::new(if array { Open::Array } else { Open::List }));
            }
            "(" => {
                let callee = self.frames.last().and_then(|frame| frame.words.last().copied());
                let name = callee.filter(|word| {
                    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !goes_on_behind(word)
                });
                self.push("(");
                self.frames.push(Frame::new(Open::Call(name)));
            }
            "}" => self.close(|kind| matches!(kind, Open::Block(_) | Open::Object)),
            "]" => self.close(|kind| matches!(kind, Open::List | Open::Array)),
            ")" => self.close(|kind| matches!(kind, Open::Call(_))),
            "," => match self.frames.last_mut() {
                Some(frame) if matches!(frame.kind, Open::Block(_)) => frame.words.push(sign),
                Some(frame) => {
                    let words = std::mem::take(&mut frame.words);
                    frame.arguments.push(words);
                }
                None => {}
            },
            // Behind the function of a placeholder its arguments begin.
            ":" => match self.frames.last_mut() {
                Some(frame)
                    if matches!(frame.kind, Open::Placeholder(Some(_)))
                        && frame.arguments.is_empty()
                        && frame.words.len() == 1 =>
                {
                    frame.words.clear();
                }
                Some(frame) => frame.words.push(sign),
                None => {}
            },
            _ => self.push(sign),
        }
    }

    /// What a `{` opens here.
    fn brace(&self) -> Open<'t> {
        let Some(frame) = self.frames.last() else { return Open::Object };
        let Open::Block(block) = frame.kind else {
            return if frame.kind == Open::Array { Open::Block(Block::Body) } else { Open::Object };
        };
        let first = frame.words.first().copied().unwrap_or("");
        match (block, first) {
            (Block::File, "suite") => Open::Block(Block::Suite),
            (Block::File, "task") => Open::Block(Block::Task),
            (Block::Task, "variant") => Open::Block(Block::Variant),
            (_, "table") => Open::Block(Block::Body),
            (Block::Task | Block::Variant, "sqlite") => Open::Block(Block::Tables),
            (Block::Task | Block::Variant, format) if words::is(Class::Format, format) && frame.words.last() != Some(&"=") => {
                Open::Block(Block::Body)
            }
            _ if domain_begins(&frame.words) => Open::Block(Block::Body),
            _ => Open::Object,
        }
    }

    fn close(&mut self, fits: impl Fn(Open<'t>) -> bool) {
        // What was never closed inside ends with what is around it; what was never opened closes nothing.
        if let Some(at) = self.frames.iter().rposition(|frame| fits(frame.kind))
            && at > 0
        {
            self.frames.truncate(at);
        }
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

    /// Takes `a.b.` from the end of the words.
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

/// Whether a domain begins behind these words of a statement.
pub fn domain_begins(words: &[&str]) -> bool {
    let before = words.iter().rev().skip_while(|word| words::is(Class::Modifier, word));
    matches!(before.clone().next(), Some(&":"))
        || matches!(words, ["domain", _, "=", rest @ ..] if rest.iter().all(|word| words::is(Class::Modifier, word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The innermost block, the words of the innermost frame, the path; the cursor is `‸`.
    fn at(marked: &str) -> (Block, Vec<String>, Vec<String>) {
        let offset = marked.find('‸').expect("a cursor");
        let text = marked.replace('‸', "");
        let context = Context::at(&text, offset);
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        (context.block().1, own(&context.innermost().words), own(&context.path))
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
    }

    #[test]
    fn paths_and_calls() {
        assert_eq!(at("task t { a = <<csv_avg: crm.‸").2, ["crm"]);
        assert_eq!(at("task t { a = db.orders.A‸").2, ["db", "orders"]);
        let text = "task t { a = round(sum(hr.PAY), ";
        assert_eq!(Context::at(text, text.len()).call(), Some(("round", 1)));
    }
}
