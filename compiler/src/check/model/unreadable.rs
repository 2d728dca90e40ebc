//! What cannot be read in a fixture.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::Span;
use model::suite::{ColumnId, RelationId};

use crate::fixture::{Problems, Tree};

/// A place of a fixture that can be read for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UnreadablePart {
    /// Which rows there are.
    Rows(RelationId),
    /// The cells of a column.
    Column(RelationId, ColumnId),
    /// All of it, as a text.
    Text,
}

/// What cannot be read in one fixture.
#[derive(Default)]
pub(crate) struct UnreadableFile {
    pub(in crate::check) places: BTreeMap<UnreadablePart, Problems>,
    pub(in crate::check) tree: Option<Arc<Tree>>,
    /// Which places were read already.
    pub(in crate::check) met: BTreeSet<UnreadablePart>,
    /// Their problems.
    pub(in crate::check) said: Problems,
    /// Who reads them.
    pub(in crate::check) readers: BTreeSet<Span>,
}

impl UnreadableFile {
    pub(in crate::check) fn note_read(&mut self, place: UnreadablePart, at: Span) {
        let Some(problems) = self.places.get(&place) else { return };
        self.readers.insert(at);
        if self.met.insert(place) {
            self.said.merge(problems);
        }
    }
}
