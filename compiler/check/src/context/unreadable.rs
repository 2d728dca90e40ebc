//! The parts of a fixture that cannot be read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::Span;
use model::suite::{ColumnId, RelationId};

use hir::fixture::{Problems, Tree};

/// A part of a fixture that can be read by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UnreadablePart {
    /// The number of rows.
    Rows(RelationId),
    /// The cells of a column.
    Column(RelationId, ColumnId),
    /// The whole content, as text.
    Text,
}

/// The parts of one fixture that cannot be read.
#[derive(Default)]
pub(crate) struct UnreadableFile {
    pub(crate) places: BTreeMap<UnreadablePart, Problems>,
    pub(crate) tree: Option<Arc<Tree>>,
    /// The parts that something has read already.
    pub(crate) met: BTreeSet<UnreadablePart>,
    /// The problems of these parts.
    pub(crate) said: Problems,
    /// The spans that read them.
    pub(crate) readers: BTreeSet<Span>,
}

impl UnreadableFile {
    pub(crate) fn note_read(&mut self, place: UnreadablePart, at: Span) {
        let Some(problems) = self.places.get(&place) else { return };
        self.readers.insert(at);
        if self.met.insert(place) {
            self.said.merge(problems);
        }
    }
}
