//! How the relations of a SELECT are joined: by which columns, and whether by anything else.

use std::collections::BTreeSet;

use super::joins::find_reference_root;
use super::scene::Scene;
use crate::analyser::Analyser;
use crate::expressions::split_conjuncts;
use crate::reads::collect_all_reads;
use crate::request::SqlColumn;
use crate::scope::{Frame, Place};

/// The joins between relations.
pub struct Links {
    /// Columns of different relations that are equal.
    pub equal: Vec<(Place, Place)>,
    /// Relations that other conditions join, too: what these keep is not known.
    pub tangled: BTreeSet<usize>,
    /// Relations that are joined by columns that are neither keys nor references, such as equal cities: their pairs may be meant.
    pub alike: BTreeSet<usize>,
}

impl Links {
    /// Collects the joins of a SELECT; `None` if a condition is not understood.
    pub fn new(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Option<Links> {
        let equal = scene.facts.list_equal_columns();
        let mut tangled = BTreeSet::new();
        let ons = scene.joins.constraints.iter().map(|on| on.on);
        for condition in ons.chain(scene.select.selection.as_ref()).flat_map(split_conjuncts) {
            let read = collect_all_reads(analyser, condition);
            if read.unclear {
                return None;
            }
            let relations: BTreeSet<usize> = read.places.keys().map(|(relation, _)| *relation).collect();
            let is_pair = || {
                let mut places = read.places.keys();
                let pair = places.next().zip(places.next()).filter(|_| places.next().is_none());
                pair.is_some_and(|(a, b)| equal.contains(&(*a, *b)) || equal.contains(&(*b, *a)))
            };
            if relations.len() > 1 && !is_pair() {
                tangled.extend(relations);
            }
        }
        let mut links = Links { equal, tangled, alike: BTreeSet::new() };
        links.judge_columns(analyser);
        Some(links)
    }

    /// Looks at the columns of the joins: those that do not belong together are reported as such.
    fn judge_columns(&mut self, analyser: &Analyser<'_>) {
        let Some(frame) = analyser.frames.last() else { return };
        let request = analyser.query.request;
        let find = |(relation, place): Place| {
            let table = frame.relations.get(relation)?.find_table(request)?;
            Some((table, table.columns.get(place)?))
        };
        for (a, b) in &self.equal {
            let (Some((left, x)), Some((right, y))) = (find(*a), find(*b)) else { continue };
            let is_key = |column: &SqlColumn<'_>| column.primary_key || column.unique || column.references.is_some();
            match (is_key(x), is_key(y)) {
                (false, false) => self.alike.extend([a.0, b.0]),
                (true, true)
                    if find_reference_root(request.tables, left, x)
                        == find_reference_root(request.tables, right, y) => {}
                _ => self.tangled.extend([a.0, b.0]),
            }
        }
    }

    /// The columns by which a relation is joined: its own first.
    pub fn iter_of(&self, relation: usize) -> impl Iterator<Item = (Place, Place)> {
        let pairs = self.equal.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        pairs.filter(move |(own, _)| own.0 == relation)
    }

    /// Whether rows of `child` refer to a row of one of `parents`, directly or through relations that do.
    pub fn has_reference(&self, frame: &Frame, child: usize, parents: &BTreeSet<usize>) -> bool {
        let (mut open, mut seen) = (vec![child], BTreeSet::from([child]));
        while let Some(relation) = open.pop() {
            for (_, other) in self.iter_of(relation) {
                let is_key = frame.relations.get(other.0).is_some_and(|target| target.keys.contains(&vec![other.1]));
                if is_key && parents.contains(&other.0) {
                    return true;
                }
                if is_key && seen.insert(other.0) {
                    open.push(other.0);
                }
            }
        }
        false
    }
}
