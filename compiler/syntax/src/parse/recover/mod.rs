//! Error recovery for a file that the grammar cannot parse as a whole. It is parsed item by item, statement by statement, and column by column; text that
//! cannot be parsed is skipped and explained once.

mod error_productions;
mod expected;
mod explain;
mod found;
mod loose;
mod parts;
mod phrases;
mod reads;
mod salvage;
mod written;

use super::ast_builder::{AstBuilder, NameOf};
use super::grammar::{Pair, Rule};
use super::limits::{self, HOPELESS};
use crate::ast::{Ident, Item, ItemKind, Span, Suite, TableDef, Task};
use crate::blocks::{Blocks, match_brackets};
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::{self, Kind, Unclosed};
use crate::words::{self, Class};

/// The kind of part that is expected at the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    Item,
    Setting,
    Statement,
    Table,
    View,
    Column,
}

/// A part of a block: its first token, the first one that is not a doc comment, and the first one after it.
#[derive(Clone, Copy)]
pub(super) struct Part {
    from: usize,
    head: usize,
    to: usize,
    /// The first token after the block.
    limit: usize,
    context: Context,
}

/// The number of errors after which further ones are reported without an explanation.
const MANY: usize = 100;

/// The maximum length of a word that is compared with keywords and names.
const LONGEST_WORD: usize = 60;

pub(super) struct Recovery<'w, 's> {
    walker: &'w mut AstBuilder<'s>,
    blocks: Blocks<'s>,
    unclosed: Vec<(Unclosed, u32)>,
    /// For each token, the number of unmatched brackets before it.
    broken: Vec<u32>,
    /// The last part that was parsed: its first token, and the first token after it.
    last: Option<(usize, usize)>,
    /// The last segment: its first token, and the first token after it.
    line: Option<(usize, usize)>,
    /// The range in which brackets are known not to be nested too deeply.
    shallow: (usize, usize),
    /// Whether a task was closed too early, which has been reported at the first statement after it.
    closed_early: bool,
}

/// Parses the items of a file as far as possible.
pub(super) fn recover_items(walker: &mut AstBuilder<'_>) -> Vec<Item> {
    let lexed = lex::guess_tokens(walker.source);
    let blocks = match_brackets(walker.source, lexed.iter_code().copied().collect());
    let mut broken = Vec::with_capacity(blocks.tokens.len() + 1);
    let mut count = 0;
    for (index, token) in blocks.tokens.iter().enumerate() {
        broken.push(count);
        let bracket = matches!(token.kind, Kind::Open(_) | Kind::Close(_));
        count += u32::from(bracket && !blocks.is_paired(index));
    }
    broken.push(count);
    let mut recovery = Recovery {
        walker,
        blocks,
        unclosed: lexed.unclosed,
        broken,
        last: None,
        line: None,
        shallow: (0, 0),
        closed_early: false,
    };
    let items = recovery.recover_file();
    if recovery.count_reported() >= HOPELESS {
        recovery.walker.mark_lines_unread(0, recovery.walker.source.len());
    }
    items
}

/// Builds the diagnostic for a misspelled keyword; `near` is the keyword that is probably meant, and whether that is clear.
fn build_misspelt(message: String, span: Span, near: (String, bool)) -> Diagnostic {
    let (nearest, clear) = near;
    Diagnostic::new(Code::MISSPELT_KEYWORD, message, span, "").suggest(
        Applicability::from_clearness(clear),
        span,
        nearest,
    )
}

impl<'s> Recovery<'_, 's> {
    fn count_tokens(&self) -> usize {
        self.blocks.tokens.len()
    }

    /// The byte at which a token starts; after the last token, the end of the file.
    fn token_start(&self, index: usize) -> usize {
        self.blocks.tokens.get(index).map_or(self.walker.source.len(), |token| token.start as usize)
    }

    /// The end of the token before `index`.
    fn end_before(&self, index: usize) -> usize {
        index.checked_sub(1).and_then(|index| self.blocks.tokens.get(index)).map_or(0, |token| token.end as usize)
    }

    fn span(&self, index: usize) -> Span {
        match self.blocks.tokens.get(index) {
            Some(token) => self.walker.make_span(token.start as usize, token.end as usize),
            None => self.walker.make_span(self.end_before(index), self.end_before(index)),
        }
    }

    /// The first token from `index` on, but before `limit`, that is not a doc comment.
    fn skip_docs(&self, mut index: usize, limit: usize) -> usize {
        while index < limit && self.blocks.kind(index) == Some(Kind::Doc) {
            index += 1;
        }
        index
    }

    /// Whether `unique (…)`, `key (…)` or `index (…)` starts here.
    fn is_constraint(&self, index: usize) -> bool {
        words::is_of_class(Class::Constraint, self.blocks.text(index)) && self.is_token(index + 1, "(")
    }

    fn is_token(&self, index: usize, text: &str) -> bool {
        self.blocks.text(index) == text
    }

    /// The first token after `from` at which a new part begins, or `limit`.
    fn find_segment_end(&mut self, from: usize, limit: usize, context: Context) -> usize {
        let head = self.skip_docs(from, limit);
        if head >= limit {
            return limit;
        }
        // Several parts on one line share their end.
        if let Some((start, end)) = self.line
            && start <= from
            && head < end
            && end <= limit
        {
            return end;
        }
        let mut index = self.blocks.skip_group(head);
        while index < limit && !self.is_segment_start(index, context) {
            index = self.blocks.skip_group(index);
        }
        let end = index.clamp(from + 1, limit.max(from + 1));
        self.line = Some((from, end));
        end
    }

    fn is_segment_start(&self, index: usize, context: Context) -> bool {
        if self.blocks.is_fresh_start(index) {
            return true;
        }
        let Some(token) = self.blocks.tokens.get(index) else { return true };
        let next = self.blocks.kind(index + 1);
        let value = matches!(next, Some(Kind::Number | Kind::Text | Kind::Open(_)));
        token.first
            && match context {
                Context::Column => {
                    words::is_of_class(Class::Body, self.blocks.text(index)) && value
                        || self.is_token(index, "rows") && self.is_rows_clause(index + 1)
                        || self.is_constraint(index)
                        || self.is_token(index, "@")
                }
                Context::Setting => {
                    self.blocks.is_word(index) && value || words::is_of_class(Class::Setting, self.blocks.text(index))
                }
                _ => matches!(token.kind, Kind::Close(_)),
            }
    }

    /// Whether the word after `rows` cannot continue a value.
    fn is_rows_clause(&self, next: usize) -> bool {
        let word = self.blocks.text(next);
        let follows = words::is_of_class(Class::Second, word)
            || !words::can_continue(word) && !words::is_of_class(Class::Infix, word);
        self.blocks.is_word(next) && follows && self.blocks.tokens.get(next).is_some_and(|token| !token.first)
    }

    /// The text of the tokens `from..to`, unless they contain an unclosed bracket or string, or brackets that are nested too deeply.
    fn slice_sound_text(&mut self, from: usize, to: usize) -> Option<&'s str> {
        let (start, end) = (self.token_start(from), self.token_start(to));
        let cut = self.broken.get(to).copied().unwrap_or(0) != self.broken.get(from).copied().unwrap_or(0);
        if cut || self.find_unclosed(start, end).is_some() {
            return None;
        }
        let source: &'s str = self.walker.source;
        let slice = source.get(start..end)?;
        if !(self.shallow.0 <= start && end <= self.shallow.1) {
            if lex::lex_source(slice).too_deep.is_some() {
                return None;
            }
            self.shallow = (start, end);
        }
        Some(slice)
    }

    /// Parses `rule` at the start of the tokens `from..to` if their text is sound. Returns the pair and the first token after it.
    fn try_parse(&mut self, rule: Rule, from: usize, to: usize) -> Option<(Pair<'s>, usize)> {
        let slice = self.slice_sound_text(from, to)?;
        let start = self.token_start(from);
        let pair = limits::parse_bounded(rule, slice, self.walker.most_calls).ok()?.next()?;
        let read = start + pair.as_span().end();
        let next = self.blocks.tokens.partition_point(|token| (token.start as usize) < read).max(from + 1);
        // The columns of a file that is read are optional. Without this check, a block of columns that cannot be parsed would be left over as separate text.
        let reads = matches!(rule, Rule::item | Rule::stmt | Rule::view);
        if reads && next < to && self.is_token(next, "{") && (from..next).any(|index| self.is_token(index, "from")) {
            return None;
        }
        self.walker.base = start;
        self.last = Some((from, next));
        Some((pair, next))
    }

    /// Parses `rule` up to the first `{` of the tokens `head..to`, as if nothing were in its block, whose parts are parsed one by one. Also returns the index of
    /// the `{`.
    fn try_parse_opening<T>(
        &mut self,
        rule: Rule,
        head: usize,
        to: usize,
        parse: impl FnOnce(&mut AstBuilder<'s>, Pair<'_>) -> Option<T>,
    ) -> Option<(T, usize)> {
        let open = (head..to).find(|index| self.is_block_start(*index))?;
        let behind = open + usize::from(self.blocks.is_missing_brace(open));
        self.slice_sound_text(head, behind)?;
        let start = self.token_start(head);
        let text = format!("{} {{}}", self.walker.source.get(start..self.end_before(behind))?);
        let pair = limits::parse_bounded(rule, &text, self.walker.most_calls).ok()?.next()?;
        if pair.as_span().end() < text.len() {
            return None;
        }
        self.walker.base = start;
        self.last = Some((head, behind));
        Some((parse(self.walker, pair)?, open))
    }

    /// The span of a part from its head to the end of the block that `open` opens.
    fn make_block_span(&self, head: usize, open: usize) -> Span {
        self.walker.make_span(self.token_start(head), self.end_before(self.blocks.skip_group(open)))
    }

    fn find_unclosed(&self, start: usize, end: usize) -> Option<(Unclosed, usize)> {
        let index = self.unclosed.partition_point(|(_, at)| (*at as usize) < start);
        self.unclosed.get(index).filter(|(_, at)| (*at as usize) < end).map(|(what, at)| (*what, *at as usize))
    }

    fn count_reported(&self) -> usize {
        self.walker.diagnostics.len()
    }

    /// Explains the tokens `from..to`, which cannot be parsed.
    fn report_junk(&mut self, from: usize, to: usize, context: Context) {
        // A part that these tokens belong to is incomplete without them.
        let begin = if self.is_leftover(from) { self.last.map_or(from, |(start, _)| start) } else { from };
        self.walker.mark_lines_unread(self.token_start(begin), self.end_before(to));
        let diagnostic = if self.count_reported() > MANY {
            Diagnostic::new(Code::SYNTAX, "this is not valid syntax", self.span(from), "")
        } else {
            self.explain_tokens(from, to, context)
        };
        self.walker.report(diagnostic);
    }

    fn recover_file(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        let (mut index, limit) = (0, self.count_tokens());
        while index < limit && self.count_reported() < HOPELESS {
            let to = self.find_segment_end(index, limit, Context::Item);
            if self.skip_docs(index, to) >= to {
                // Doc comments before the next item belong to that item.
                if to >= limit {
                    break;
                }
            }
            let head = self.skip_docs(index, limit);
            if self.closed_early && self.is_loose(head) {
                index = self.skip_loose(head, &items);
                continue;
            }
            if let Some((pair, next)) = self.try_parse(Rule::item, index, to) {
                items.extend(self.walker.parse_item(pair));
                index = next;
                continue;
            }
            let open = if self.blocks.is_missing_brace(head + 1) { head + 1 } else { head + 2 };
            let block = self.is_block_start(open) && self.blocks.is_name(head + 1);
            let word = self.blocks.text(head);
            index = match word {
                word @ ("task" | "suite" | "table") if block => {
                    let before = self.count_reported();
                    let kind = self.recover_item_block(word, head, open);
                    if self.count_reported() == before {
                        self.report_junk(index, to, Context::Item);
                    }
                    self.push_item(index, head, self.blocks.skip_group(open), kind, &mut items)
                }
                "lake" | "table" if let Some((kind, open)) = self.read_or_nothing(index, head, to) => {
                    self.push_item(index, head, self.blocks.skip_group(open), kind, &mut items)
                }
                _ => {
                    self.report_junk(index, to, Context::Item);
                    // It may belong to the block before it.
                    if let Some(block) = items.last() {
                        self.walker.mark_range_unread(self.walker.find_last_char(block.span), self.token_start(index));
                    }
                    if self.is_loose(head) {
                        index = self.skip_loose(head, &items);
                        continue;
                    }
                    if let Some(kind) = self.salvage_item(head, to) {
                        self.push_item(index, head, to, kind, &mut items);
                    }
                    to
                }
            };
        }
        items
    }

    /// Parses a lake or a table that is read, part by part; explains it as a whole if none of its parts has an error.
    fn read_or_nothing(&mut self, index: usize, head: usize, to: usize) -> Option<(ItemKind, usize)> {
        let before = self.count_reported();
        let read = self.read_item(head, to)?;
        if self.count_reported() == before {
            self.report_junk(index, to, Context::Item);
        }
        Some(read)
    }

    fn push_item(&mut self, from: usize, head: usize, next: usize, kind: ItemKind, items: &mut Vec<Item>) -> usize {
        let doc = self.collect_doc(from, head);
        let span = self.walker.make_span(self.token_start(head), self.end_before(next));
        items.push(Item { doc, kind, span });
        next
    }

    fn recover_item_block(&mut self, word: &str, head: usize, open: usize) -> ItemKind {
        let name = self.parse_name(head + 1, NameOf::Part);
        self.check_closed(open, word, &name.text);
        let (from, to) = (open + 1, self.blocks.find_end(open));
        match word {
            "task" => ItemKind::Task(Task { name, body: self.recover_statements(from, to) }),
            "suite" => ItemKind::Suite(Suite { name, settings: self.recover_settings(from, to) }),
            _ => ItemKind::Table(TableDef { name, body: self.recover_columns(open) }),
        }
    }

    /// Parses a declared name.
    fn parse_name(&mut self, index: usize, of: NameOf) -> Ident {
        let ident = self.make_ident(index);
        self.walker.check_declared(ident, of)
    }

    fn make_ident(&self, index: usize) -> Ident {
        let quoted = self.blocks.kind(index) == Some(Kind::Quoted);
        Ident { text: self.blocks.text(index).trim_matches('`').to_owned(), span: self.span(index), quoted }
    }

    /// Whether a token opens a block: it is a `{`, or the last token of a head that lacks one.
    fn is_block_start(&self, index: usize) -> bool {
        self.is_token(index, "{") || self.blocks.is_missing_brace(index)
    }

    /// Reports a block that is never opened or never closed.
    fn check_closed(&mut self, open: usize, word: &str, name: &str) {
        if self.blocks.is_missing_brace(open) {
            let place = self.span(open).shrink_to_end();
            let message = format!("`{{` is missing after `{word} {name}`");
            let said = Diagnostic::new(Code::SYNTAX, message, place, "a block starts here");
            return self.walker.report(said.fix("insert `{`", Applicability::Safe, place, " {"));
        }
        if self.blocks.is_paired(open) {
            return;
        }
        let end = self.blocks.find_end(open);
        if end >= self.count_tokens()
            && self.unclosed.iter().any(|(what, at)| *what == Unclosed::Triple && *at as usize > self.token_start(open))
        {
            // A string that extends to the end of the file hides the closing bracket.
            return;
        }
        let what =
            if name.is_empty() { format!("the block of `{word}`") } else { format!("the block of `{word} {name}`") };
        self.mark_block_unread(open);
        let mut diagnostic =
            Diagnostic::new(Code::UNCLOSED_BLOCK, format!("{what} is never closed"), self.span(open), "opened here");
        let place = self.walker.make_span(self.end_before(end), self.end_before(end));
        if end < self.count_tokens() {
            diagnostic = diagnostic.label(self.span(end), "does not belong in it");
        }
        let indent = " ".repeat(self.measure_indent(open));
        let diagnostic = diagnostic.help("close it with `}`");
        self.walker.report(diagnostic.fix("insert `}`", Applicability::Unsafe, place, format!("\n{indent}}}")));
    }

    /// Marks the rest of the file as unparsed if a block without an end begins on a new line after its `{`.
    fn mark_block_unread(&mut self, open: usize) {
        if self.is_token(open, "{") && self.blocks.tokens.get(open + 1).is_none_or(|next| next.first) {
            self.walker.mark_rest_unread(self.token_start(open + 1));
        }
    }

    fn measure_indent(&self, index: usize) -> usize {
        let start = self.token_start(index);
        let line =
            self.walker.source.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        self.walker.source.get(line..start).map_or(0, |text| text.len() - text.trim_start_matches([' ', '\t']).len())
    }

    fn collect_doc(&self, from: usize, head: usize) -> Option<crate::ast::Doc> {
        let lines: Vec<&str> = (from..head).map(|index| self.blocks.text(index)).collect();
        super::ast_builder::join_doc_lines(&lines).map(|text| crate::ast::Doc {
            text,
            span: self.walker.make_span(self.token_start(from), self.end_before(head)),
        })
    }
}
