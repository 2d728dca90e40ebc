//! Statements at top level: a `}` too many may have closed their task. The first is explained; nothing is known of the others.

use super::Recovery;
use crate::ast::{Item, ItemKind};
use crate::syntax::lex::Kind;
use crate::syntax::words::{self, Class};

impl Recovery<'_, '_> {
    /// Whether a statement of a task starts here; after the first one also what only such a statement explains.
    pub(super) fn is_loose(&self, index: usize) -> bool {
        let drawn = self.blocks.declares(index) && self.is(index + 1, ":");
        let statement = |index: usize| {
            let word = self.blocks.text(index);
            words::is_statement(word) && !words::is(Class::Item, word) && !self.blocks.declares(index)
        };
        let after = || self.loose_tokens(index).any(|at| self.blocks.starts_with_keyword(at) && statement(at));
        match self.blocks.kind(index) {
            Some(Kind::Close(b'{')) => self.closed_early,
            Some(Kind::Word) => statement(index) || drawn && (self.closed_early || after()),
            _ => false,
        }
    }

    /// The tokens from `index` to the next item, or to the `}` that was to close the task; groups in brackets are one.
    fn loose_tokens(&self, index: usize) -> impl Iterator<Item = usize> {
        let inside = |at: &usize| !self.blocks.starts_item(*at) && self.blocks.kind(*at) != Some(Kind::Close(b'{'));
        let next = |at: &usize| Some(self.blocks.skip(*at)).filter(|next| *next < self.count());
        std::iter::successors(Some(index), next).take_while(move |at| *at == index || inside(at))
    }

    /// Leaves unread what belongs to a task that was closed too early, from its end on; after something else, up to the task that follows.
    /// Gives the first token after it.
    pub(super) fn loose(&mut self, head: usize, items: &[Item]) -> usize {
        let last = self.loose_tokens(head).last().unwrap_or(head);
        let mut next = self.blocks.skip(last).min(self.count());
        if self.blocks.kind(next) == Some(Kind::Close(b'{')) {
            next += 1;
        }
        // What seems to be a constant or a table may be of the task, too.
        let other =
            |item: &&Item| !matches!(item.kind, ItemKind::Constant(_) | ItemKind::Table(_) | ItemKind::TableFrom(_));
        let (start, end) = match items.iter().rev().find(other) {
            Some(Item { kind: ItemKind::Task(_), span, .. }) => (self.walker.last_of(*span), self.end_before(next)),
            _ => (self.start(head), self.start(next)),
        };
        self.walker.lose(start, end);
        self.closed_early = true;
        next
    }
}
