//! What cannot be read in a fixture, and who reads it: said where it is read, once for a file in a task. What nobody reads hinders nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plan::Span;
use plan::suite::{ColumnId, FileIx, RelationId};

use super::task::TaskChecker;
use crate::ast::{self, Content};
use crate::diagnostics::{Code, Diagnostic};
use crate::fixture::tree::Step;
use crate::fixture::{FixtureTable, Problems, Tree};
use crate::load::plain_path;
use crate::paths::json_syntax::{Filter, Segment, Selector, segments};

/// So many places of one file are pointed at.
const MOST_PLACES: usize = 4;

/// A place of a fixture that can be read for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OddPlace {
    /// Which rows there are.
    Rows(RelationId),
    /// The cells of a column.
    Column(RelationId, ColumnId),
    /// All of it, as a text.
    Text,
}

/// What cannot be read in one fixture.
#[derive(Default)]
pub(crate) struct OddFile {
    places: BTreeMap<OddPlace, Problems>,
    tree: Option<Arc<Tree>>,
    /// Which places were read already.
    met: BTreeSet<OddPlace>,
    /// Their problems.
    said: Problems,
    /// Who reads them.
    readers: BTreeSet<Span>,
}

impl OddFile {
    fn read(&mut self, place: OddPlace, at: Span) {
        let Some(problems) = self.places.get(&place) else { return };
        self.readers.insert(at);
        if self.met.insert(place) {
            self.said.join(problems);
        }
    }
}

impl TaskChecker<'_, '_> {
    /// Takes note of what cannot be read at a place.
    pub fn is_odd(&mut self, file: FileIx, place: OddPlace, problems: &Problems) {
        if !problems.is_empty() {
            self.odd.entry(file.0).or_default().places.insert(place, problems.clone());
        }
    }

    /// The same of a table.
    pub fn table_is_odd(&mut self, relation: RelationId, table: &FixtureTable) {
        let Some(file) = self.relations[relation.0 as usize].file else { return };
        self.is_odd(file, OddPlace::Rows(relation), &table.problems);
        for (column, read) in (0..).map(ColumnId).zip(&table.columns) {
            self.is_odd(file, OddPlace::Column(relation, column), &read.problems);
        }
    }

    /// The same of a tree.
    pub fn tree_is_odd(&mut self, file: FileIx, tree: &Arc<Tree>) {
        if !tree.odd.is_empty() {
            self.odd.entry(file.0).or_default().tree = Some(Arc::clone(tree));
        }
    }

    /// The fixture that a relation is in, read, where something of it is odd.
    fn odd_of(&mut self, relation: RelationId, at: Span) -> Option<&mut OddFile> {
        let decl = self.relations.get(relation.0 as usize)?;
        let file = decl.file?;
        if decl.cells.is_some() {
            self.ensure_relation(relation, Some(at));
        }
        self.odd.get_mut(&file.0)
    }

    /// The rows of a relation are read at a place of the source, whatever is in them.
    pub fn reads_rows(&mut self, relation: RelationId, at: Span) {
        if let Some(odd) = self.odd_of(relation, at) {
            odd.read(OddPlace::Rows(relation), at);
        }
    }

    /// A column is read; whether something in it is odd.
    pub fn reads_column(&mut self, relation: RelationId, column: ColumnId, at: Span) -> bool {
        if self.relations.get(relation.0 as usize).is_some_and(|decl| decl.cells.is_some()) {
            self.ensure_column(relation, column, Some(at));
        }
        let Some(odd) = self.odd_of(relation, at) else { return false };
        odd.read(OddPlace::Rows(relation), at);
        odd.read(OddPlace::Column(relation, column), at);
        odd.places.contains_key(&OddPlace::Column(relation, column))
    }

    /// A column in which something is odd is read; of others nothing is noted: whether it is one.
    pub fn reads_odd_column(&mut self, relation: RelationId, column: ColumnId, at: Span) -> bool {
        let file = self.relations.get(relation.0 as usize).and_then(|decl| decl.file);
        let odd = file.and_then(|file| self.odd.get(&file.0));
        let odd = odd.is_some_and(|odd| odd.places.contains_key(&OddPlace::Column(relation, column)));
        odd && self.reads_column(relation, column, at)
    }

    /// All columns of a relation are read.
    pub fn reads_cells(&mut self, relation: RelationId, at: Span) {
        self.ensure_cells(relation, at);
        let Some(odd) = self.odd_of(relation, at) else { return };
        odd.read(OddPlace::Rows(relation), at);
        let range = OddPlace::Column(relation, ColumnId(0))..=OddPlace::Column(relation, ColumnId(u32::MAX));
        let columns: Vec<OddPlace> = odd.places.range(range).map(|(place, _)| *place).collect();
        columns.into_iter().for_each(|place| odd.read(place, at));
    }

    /// Has all columns of a fixture's table checked.
    pub fn ensure_cells(&mut self, relation: RelationId, at: Span) {
        let Some(decl) = self.relations.get(relation.0 as usize).filter(|decl| decl.cells.is_some()) else { return };
        for column in 0..decl.columns.len() {
            self.ensure_column(relation, ColumnId(column as u32), Some(at));
        }
    }

    /// A file is read as a text.
    pub fn reads_text(&mut self, file: FileIx, at: Span) {
        if let Some(odd) = self.odd.get_mut(&file.0) {
            odd.read(OddPlace::Text, at);
        }
    }

    /// A relation that cannot be read, not even the names of its columns, is named: whether it is one.
    pub fn is_unread(&mut self, relation: RelationId, at: Span) -> bool {
        let decl = &self.relations[relation.0 as usize];
        let unread = decl.cells.is_some() && decl.columns.is_empty();
        if unread {
            self.reads_rows(relation, at);
        }
        unread
    }

    /// A JSONPath leads into a file: whether it may lead to something odd.
    pub fn reads_path(&mut self, function: &str, path: &str, file: FileIx, at: Span) -> bool {
        let Some(odd) = self.odd.get_mut(&file.0) else { return false };
        let Some(tree) = &odd.tree else { return false };
        let depth = match function.split_once('_').map_or(function, |(_, name)| name) {
            "count" | "exists" | "count_where" => Depth::Nodes,
            "keys" => Depth::Keys,
            _ => Depth::All,
        };
        // A path from the top in a filter is not followed: it may read anything.
        let known = segments(path, 0).filter(|_| !path.get(1..).is_some_and(|rest| rest.contains('$')));
        let met = tree
            .odd
            .iter()
            .filter(|(place, _)| known.as_ref().is_none_or(|(segments, _)| touches(segments, place, depth)));
        let mut any = false;
        for (_, problems) in met {
            odd.said.join(problems);
            any = true;
        }
        if any {
            odd.readers.insert(at);
        }
        any
    }

    /// Says what was read and cannot be.
    pub fn say_odd(&mut self) {
        for (file, odd) in std::mem::take(&mut self.odd) {
            let mut readers = odd.readers.into_iter();
            let Some(first) = readers.next() else { continue };
            let Content::Fixture(path) = &self.files[file as usize].ast.content else { continue };
            let path: &ast::StringLit = path;
            let name = plain_path(path, &mut Vec::new()).unwrap_or_default();
            let Some((message, help)) = odd.said.words(&name) else { continue };
            let said =
                Diagnostic::new(Code::BAD_FIXTURE, message, first, "this reads it").label(path.span, "from here");
            let said = readers.take(MOST_PLACES - 1).fold(said, |said, at| said.label(at, "and this"));
            self.cx.say(said.help(help));
        }
    }
}

/// How far below the places that a path leads to it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Not at all: only whether they are there.
    Nodes,
    /// The keys of objects.
    Keys,
    /// All of it.
    All,
}

/// Whether a path may read what is odd at a place.
fn touches(segments: &[Segment], place: &[Step], depth: Depth) -> bool {
    let Some((step, below)) = place.split_first() else {
        // The path ends there, or goes on from there.
        return depth != Depth::Nodes || !segments.is_empty();
    };
    let Some((segment, rest)) = segments.split_first() else {
        return match depth {
            Depth::Nodes => false,
            Depth::Keys => below.is_empty(),
            Depth::All => true,
        };
    };
    let here = segment.selectors.iter().any(|(selector, ..)| match (selector, step) {
        (Selector::Name(name), Step::Key(key)) => name == key && touches(rest, below, depth),
        // How many there are is not known here: from the end it may be any.
        (Selector::Index(index), Step::Index(at)) => {
            usize::try_from(*index).map_or(true, |index| index == *at) && touches(rest, below, depth)
        }
        (Selector::Wildcard, _) | (Selector::Slice, Step::Index(_)) => touches(rest, below, depth),
        (Selector::Filter(filter), _) => looks_at(filter, below) || touches(rest, below, depth),
        _ => false,
    });
    here || segment.descendants && touches(segments, below, depth)
}

/// Whether a filter may read what is odd below the value that it is asked of.
fn looks_at(filter: &Filter, below: &[Step]) -> bool {
    filter.paths.iter().any(|(segments, _)| touches(segments, below, Depth::All))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_what_it_leads_to_and_what_its_filters_look_at() {
        let place = [Step::Key("rows".to_owned()), Step::Index(3), Step::Key("a".to_owned())];
        for (path, all, nodes) in [
            ("$", true, false),
            ("$.rows", true, false),
            ("$.rows[3]", true, false),
            ("$.rows[3].a", true, false),
            ("$.rows[3].a.x", true, true),
            ("$.rows[2].a", false, false),
            ("$.rows[-1].a", true, false),
            ("$.rows[0:2].a", true, false),
            ("$.rows[*].b", false, false),
            ("$.other[*].a", false, false),
            ("$..a", true, true),
            // What is odd may hide anything below it.
            ("$..b", true, true),
            ("$..*", true, true),
            ("$.rows[?@.b > 1].b", false, false),
            ("$.rows[?@.a > 1].b", true, true),
            ("$.rows[?@.b > 1].a", true, false),
            ("$.rows[?count(@.*) > 1].b", true, true),
            ("$['rows'][0, 3]['a', 'b']", true, false),
        ] {
            let (segments, _) = segments(path, 0).expect(path);
            assert_eq!(touches(&segments, &place, Depth::All), all, "{path}");
            assert_eq!(touches(&segments, &place, Depth::Nodes), nodes, "{path}");
        }
        let (top, _) = segments("$", 0).expect("a path");
        assert!(touches(&top, &place[..1], Depth::Keys) && !touches(&top, &place, Depth::Keys));
    }
}
