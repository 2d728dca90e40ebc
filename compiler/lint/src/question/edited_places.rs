//! The places of files that `edit` changes.

use model::Span;
use model::suite::RelationId;

use hir::Task;
use hir::paths::leaf::Source;
use syntax::prompts::english::aggregates::{LAST, ORDINALS};

/// The words for places in a list, each with its index; the last place has −1.
pub(super) fn iter_places() -> impl Iterator<Item = (&'static str, i64)> {
    (0..).zip(ORDINALS).map(|(at, word)| (*word, at)).chain([(LAST, -1)])
}

/// The relation whose cells a path changes.
pub(super) fn find_edited_relation(task: &Task, path: Span) -> Option<RelationId> {
    let places = task.notes.edited.iter().find(|known| known.path == path)?;
    match places.sources.as_slice() {
        [Source::Cells(relation, _)] => Some(*relation),
        _ => None,
    }
}

/// Which items of a list a path selects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// All of them: `[*]`.
    Every,
    /// One: `[0]`.
    One(i64),
}

/// A place in the items of a list: `$.list[*].key`.
pub(super) struct ItemPlace<'p> {
    /// The name of the list.
    pub list: &'p str,
    /// Which of its items.
    pub item: Item,
    /// The key in them.
    pub key: &'p str,
}

impl ItemPlace<'_> {
    /// Whether a path leads to an item of the same list.
    pub(super) fn is_in(&self, path: &str) -> bool {
        path.contains(&format!("{}[", self.list))
    }
}

pub(super) fn read_item_place(path: &str) -> Option<ItemPlace<'_>> {
    let (before, rest) = path.split_once('[')?;
    let (index, after) = rest.split_once(']')?;
    let list = before.rsplit('.').next().filter(|list| !list.is_empty() && *list != "$")?;
    let key = after.strip_prefix('.')?;
    let is_plain = key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let item = match index.trim() {
        "*" => Item::Every,
        digits => Item::One(digits.parse().ok()?),
    };
    is_plain.then_some(ItemPlace { list, item, key })
}
