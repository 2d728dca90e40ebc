//! Matching of brackets in a text in which some may be missing.
//!
//! Where brackets are missing, lines and indentation show the intention. A keyword that starts a statement ends every `(`, `[`, and `<<` before it; `}` at the
//! start of a line closes the block whose line has the same indentation; `task NAME {` ends everything that is not indented less. The head of a block without a
//! `{` after it still opens one: its last token takes the place of the bracket.

use std::ops::Deref;

use super::lex::{Code, Kind, Token};
use super::words::{self, Class, Head};

/// Tokens with matched brackets.
pub struct Blocks<'s> {
    code: Code<'s>,
    /// For an opening bracket, the token that closes it; if it is not closed, the first token outside it.
    ends: Vec<u32>,
    /// Whether an opening bracket is closed; whether a closing bracket closes one.
    paired: Vec<bool>,
    /// The last tokens of heads without `{`, in order.
    lacking: Vec<u32>,
}

/// The maximum number of parts of a string that is recognized as one token.
const MAX_PARTS: usize = 100;

/// The maximum indentation that is distinguished.
const LONGEST_INDENT: usize = 200;

/// An open bracket while matching.
struct Frame {
    token: usize,
    bracket: u8,
    indent: usize,
    block: Block,
}

/// The kinds of blocks in braces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Statements,
    Tables,
    Columns,
    /// An object in an expression; `NAME =` cannot appear in it.
    Value,
    Other,
}

/// Matches the brackets of a text.
pub fn match_brackets(source: &str, tokens: Vec<Token>) -> Blocks<'_> {
    let count = tokens.len();
    let code = Code { source, tokens };
    let mut blocks = Blocks { code, ends: vec![count as u32; count], paired: vec![false; count], lacking: Vec::new() };
    let mut frames: Vec<Frame> = Vec::new();
    let (mut line, mut indent) = (0, 0);
    for index in 0..count {
        let token = blocks.tokens[index];
        if token.first {
            while let Some(newline) = source
                .as_bytes()
                .get(line..token.start as usize)
                .and_then(|gap| gap.iter().position(|byte| *byte == b'\n'))
            {
                line += newline + 1;
            }
            indent = token.start as usize - line;
            blocks.end_by_line(index, indent, &mut frames);
        }
        match token.kind {
            Kind::Open(bracket) => {
                let block = if bracket == b'{' { blocks.classify_block(index) } else { Block::Other };
                frames.push(Frame { token: index, bracket, indent, block });
            }
            Kind::Close(bracket) => {
                if bracket == b'{' && token.first {
                    // If an outer block has the same indentation, blocks that are indented further were not closed.
                    let same = frames.iter().rposition(|frame| frame.bracket == b'{' && frame.indent == indent);
                    if let Some(same) = same
                        && frames[same + 1..].iter().any(|frame| frame.bracket == b'{' && frame.indent > indent)
                    {
                        blocks.abandon_frames(index, &mut frames, same + 1);
                    }
                }
                // A bracket inside a block cannot be closed outside it.
                let reach = if bracket == b'{' {
                    0
                } else {
                    frames.iter().rposition(|frame| frame.bracket == b'{').map_or(0, |block| block + 1)
                };
                if let Some(found) = frames[reach..].iter().rposition(|frame| frame.bracket == bracket) {
                    blocks.abandon_frames(index, &mut frames, reach + found + 1);
                    if let Some(frame) = frames.pop() {
                        blocks.ends[frame.token] = index as u32;
                        blocks.paired[frame.token] = true;
                        blocks.paired[index] = true;
                    }
                }
            }
            _ => {}
        }
        if token.first
            && let Some((last, block)) = blocks.find_unbraced_head(index)
        {
            blocks.lacking.push(last as u32);
            frames.push(Frame { token: last, bracket: b'{', indent, block });
        }
    }
    blocks
}

impl<'s> Deref for Blocks<'s> {
    type Target = Code<'s>;

    fn deref(&self) -> &Code<'s> {
        &self.code
    }
}

impl Blocks<'_> {
    /// Whether a bracket has a partner.
    pub fn is_paired(&self, index: usize) -> bool {
        self.paired.get(index).copied().unwrap_or(false)
    }

    /// The token that closes a bracket, or the first token outside it.
    pub fn find_end(&self, index: usize) -> usize {
        self.ends.get(index).map_or(self.tokens.len(), |end| *end as usize)
    }

    /// The token after a token; a bracketed group counts as one token.
    pub fn skip_group(&self, index: usize) -> usize {
        let group = matches!(self.kind(index), Some(Kind::Open(_))) || self.is_missing_brace(index);
        if group { (self.find_end(index) + usize::from(self.is_paired(index))).max(index + 1) } else { index + 1 }
    }

    /// Whether a token is the last of a head without `{`.
    pub fn is_missing_brace(&self, index: usize) -> bool {
        self.lacking.binary_search(&(index as u32)).is_ok()
    }

    /// If the head of a block starts here and its line ends without `{`, returns its last token and the kind of its block.
    fn find_unbraced_head(&self, index: usize) -> Option<(usize, Block)> {
        let name = self.is_word(index) && self.is_name(index + 1);
        let last = match self.text(index) {
            "task" | "variant" | "table" if name => index + 1,
            "stage" if name => self.end_of_stage_head(index + 1),
            word if name
                && words::is_of_class(Class::Format, word)
                && self.is_token(index + 2, "at")
                && self.kind(index + 3) == Some(Kind::Text) =>
            {
                index + 3
            }
            _ => return None,
        };
        let end = self.tokens.get(last)?.end;
        let after =
            (last + 1..self.tokens.len()).find(|at| self.tokens.get(*at).is_some_and(|token| token.start >= end))?;
        let next = self.tokens.get(after)?;
        if !next.first
            || matches!(next.kind, Kind::Open(_) | Kind::Sign | Kind::Close(_))
            || self.is_token(after, "from")
        {
            return None;
        }
        let block = match self.text(index) {
            "task" | "variant" | "stage" if self.is_fresh_start(after) => Block::Statements,
            "task" | "variant" | "stage" => return None,
            _ if self.is_token(after, "table") || self.is_view(after) => Block::Tables,
            _ if words::is_any(&[Class::Writing, Class::Reading], self.text(after)) && !self.is_declaration(after) => {
                return None;
            }
            // Columns are indented further; otherwise the content of the file is not known.
            _ if self.measure_column(after) > self.measure_column(index) && !self.is_keyword_start(after) => {
                Block::Columns
            }
            _ => return None,
        };
        Some((last, block))
    }

    /// The last token of `NAME [after NAME, …]`, which begins at `name`.
    fn end_of_stage_head(&self, name: usize) -> usize {
        if !self.is_token(name + 1, "after") || !self.is_name(name + 2) {
            return name;
        }
        let mut last = name + 2;
        while self.is_token(last + 1, ",") && self.is_name(last + 2) {
            last += 2;
        }
        last
    }

    /// Whether the `{` at `open` follows `stage NAME after NAME, …`.
    fn is_stage_head_end(&self, open: usize) -> bool {
        let mut at = open;
        while at >= 2 && self.is_name(at - 1) {
            if self.is_token(at - 2, "after") {
                return at >= 4 && self.is_name(at - 3) && self.is_token(at - 4, "stage");
            }
            if !self.is_token(at - 2, ",") {
                return false;
            }
            at -= 2;
        }
        false
    }

    /// Whether `view NAME =` begins here.
    fn is_view(&self, index: usize) -> bool {
        self.is_token(index, "view") && self.is_name(index + 1) && self.is_token(index + 2, "=")
    }

    /// The token before a token; a string counts as one, even if its parts are among the tokens.
    fn find_whole_before(&self, index: usize) -> Option<usize> {
        let last = index.checked_sub(1)?;
        let end = self.tokens.get(last)?.end;
        let nearest = last.saturating_sub(MAX_PARTS)..=last;
        let string =
            |at: &usize| self.tokens.get(*at).is_some_and(|token| token.kind == Kind::Text && token.end == end);
        nearest.rev().find(string).or(Some(last))
    }

    /// The number of bytes between the start of the line and a token, at most [`LONGEST_INDENT`].
    fn measure_column(&self, index: usize) -> usize {
        let Some(start) = self.tokens.get(index).map(|token| token.start as usize) else { return 0 };
        let before = self.source.as_bytes().get(..start).unwrap_or(&[]);
        before.iter().rev().take(LONGEST_INDENT).take_while(|byte| **byte != b'\n').count()
    }

    /// Whether an item that is allowed only at top level starts here.
    pub fn is_item_start(&self, index: usize) -> bool {
        let word = self.text(index);
        words::is_of_class(Class::Item, word)
            && !words::is_of_class(Class::Statement, word)
            && self.is_keyword_start(index)
    }

    /// Whether a new part seems to start with the first token of a line: a declaration, a keyword, or an unknown word in the position of a keyword.
    pub fn is_fresh_start(&self, index: usize) -> bool {
        let Some(token) = self.tokens.get(index) else { return true };
        if !token.first {
            return false;
        }
        let word = self.text(index);
        let taken =
            || words::is_of_class(Class::Format, word) && self.is_name(index + 1) && self.is_token(index + 2, "from");
        if token.kind == Kind::Doc || self.is_declaration(index) || self.is_keyword_start(index) || taken() {
            return true;
        }
        let next = self.tokens.get(index + 1);
        self.is_word(index)
            && !words::can_continue(word)
            && next.is_some_and(|next| {
                !next.first
                    && matches!(
                        next.kind,
                        Kind::Word | Kind::Quoted | Kind::Text | Kind::SingleQuoted | Kind::Number | Kind::Open(b'{')
                    )
            })
            && !words::is_reserved(self.text(index + 1))
    }

    /// Closes the brackets that cannot contain the token at the start of a line.
    fn end_by_line(&mut self, index: usize, indent: usize, frames: &mut Vec<Frame>) {
        if frames.is_empty() {
            return;
        }
        if self.is_item_start(index) {
            // A block that is indented less contains the item, even though that is an error.
            let keep = frames.iter().position(|frame| frame.indent >= indent).unwrap_or(frames.len());
            return self.abandon_frames(index, frames, keep);
        }
        let keyword = self.is_keyword_start(index);
        // The brackets inside the innermost block.
        let block = frames.iter().rposition(|frame| frame.bracket == b'{').map_or(0, |block| block + 1);
        if block < frames.len() && (keyword || self.is_declaration_in_bracket(index, &frames[block..])) {
            self.abandon_frames(index, frames, block);
        }
        if let Some(value) = frames.iter().position(|frame| frame.block == Block::Value)
            && self.is_declaration(index)
            && self.is_token(index + 1, "=")
        {
            self.abandon_frames(index, frames, value);
        }
        if !keyword || frames.last().is_none_or(|frame| frame.bracket != b'{') {
            return;
        }
        let table = self.is_token(index, "table");
        let holds = |block: Block| match block {
            Block::Statements => true,
            Block::Tables => table,
            Block::Columns | Block::Value | Block::Other => false,
        };
        // This applies only if an enclosing block can contain the statement, because the keys of an object may be any words.
        if let Some(keep) = frames.iter().rposition(|frame| holds(frame.block)) {
            self.abandon_frames(index, frames, keep + 1);
        }
    }

    /// Whether a line that starts with `NAME :` or `NAME =` is a declaration, although a bracket is open.
    fn is_declaration_in_bracket(&self, index: usize, frames: &[Frame]) -> bool {
        let Some(frame) = frames.last() else { return false };
        let pairs = frames.iter().any(|frame| frame.bracket == b'<' && frame.token + 1 == index)
            || frame.bracket == b'[' && frame.token > 0 && self.is_token(frame.token - 1, "weighted");
        self.is_declaration(index) && !pairs
    }

    /// Ends the frames from `keep` on before the token `index`, as unclosed.
    fn abandon_frames(&mut self, index: usize, frames: &mut Vec<Frame>, keep: usize) {
        for frame in frames.drain(keep..) {
            self.ends[frame.token] = index as u32;
        }
    }

    /// Determines the kind of block of the `{` at `index`.
    fn classify_block(&self, index: usize) -> Block {
        let before = |back: usize| index.checked_sub(back).map_or("", |index| self.text(index));
        let named = |word: &str| before(2) == word || before(4) == word && before(2) == ":";
        if words::find_head(before(2)) == Some(Head::Block) || self.is_stage_head_end(index) {
            return Block::Statements;
        }
        if named("table") {
            return Block::Columns;
        }
        let first = self.find_whole_before(index);
        let second = first.and_then(|first| self.find_whole_before(first));
        let third = second.and_then(|second| self.find_whole_before(second));
        let is_at = |at: Option<usize>| at.is_some_and(|at| self.is_token(at, "at"));
        let path = first.and_then(|path| self.kind(path)) == Some(Kind::Text);
        if path && is_at(second) || is_at(third) {
            return if self.is_token(index + 1, "table")
                || self.is_view(index + 1)
                || self.kind(index + 1) == Some(Kind::Doc)
            {
                Block::Tables
            } else {
                Block::Columns
            };
        }
        // After a misspelled head, the statements in the block show the intended head.
        if self.is_name(index.wrapping_sub(1))
            && self.is_word(index.wrapping_sub(2))
            && self.tokens.get(index.wrapping_sub(2)).is_some_and(|head| head.first)
        {
            return Block::Statements;
        }
        if ["=", "json", "(", ","].contains(&before(1)) { Block::Value } else { Block::Other }
    }
}
