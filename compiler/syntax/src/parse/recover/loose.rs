//! Statements at top level, after an extra `}` that closed their task. The first one is explained; the others are not parsed.

use super::Recovery;
use crate::ast::{Item, ItemKind};
use crate::lex::Kind;
use crate::words::{self, Class};

impl Recovery<'_, '_> {
    /// Whether a statement of a task begins here. After the first one, also text that only such a statement explains.
    pub(super) fn is_loose(&self, index: usize) -> bool {
        let drawn = self.blocks.is_declaration(index) && self.is_token(index + 1, ":");
        let statement = |index: usize| {
            let word = self.blocks.text(index);
            words::is_statement(word) && !words::is_of_class(Class::Item, word) && !self.blocks.is_declaration(index)
        };
        let after = || self.iter_loose_tokens(index).any(|at| self.blocks.is_keyword_start(at) && statement(at));
        match self.blocks.kind(index) {
            Some(Kind::Close(b'{')) => self.closed_early,
            Some(Kind::Word) => statement(index) || drawn && (self.closed_early || after()),
            _ => false,
        }
    }

    /// The tokens from `index` to the next item, or to the `}` that was meant to close the task; a bracketed group counts as one.
    fn iter_loose_tokens(&self, index: usize) -> impl Iterator<Item = usize> {
        let inside = |at: &usize| !self.blocks.is_item_start(*at) && self.blocks.kind(*at) != Some(Kind::Close(b'{'));
        let next = |at: &usize| Some(self.blocks.skip_group(*at)).filter(|next| *next < self.count_tokens());
        std::iter::successors(Some(index), next).take_while(move |at| *at == index || inside(at))
    }

    /// Marks as unparsed the text that belongs to a task that was closed too early, from the end of the task; after another item, only the loose text itself.
    /// Returns the first token after it.
    pub(super) fn skip_loose(&mut self, head: usize, items: &[Item]) -> usize {
        let last = self.iter_loose_tokens(head).last().unwrap_or(head);
        let mut next = self.blocks.skip_group(last).min(self.count_tokens());
        if self.blocks.kind(next) == Some(Kind::Close(b'{')) {
            next += 1;
        }
        // An apparent constant or table may belong to the task, too.
        let other =
            |item: &&Item| !matches!(item.kind, ItemKind::Constant(_) | ItemKind::Table(_) | ItemKind::TableFrom(_));
        let (start, end) = match items.iter().rev().find(other) {
            Some(Item { kind: ItemKind::Task(_), span, .. }) => {
                (self.walker.find_last_char(*span), self.end_before(next))
            }
            _ => (self.token_start(head), self.token_start(next)),
        };
        self.walker.mark_lines_unread(start, end);
        self.closed_early = true;
        next
    }
}
