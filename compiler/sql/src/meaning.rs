//! The meaning of a query: what a visit of its syntax tree finds.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, RelationId};

use super::lints::findings::{Finding, Odd};
use super::predicates::{Atom, Predicates};
use super::request::SqlRequest;
use super::risks::Risk;
use super::scope::Column;
use super::terms::Term;
use syntax::diagnostics::Diagnostic;

/// The meaning of a query, found in its syntax tree.
#[derive(Default)]
pub struct Meaning {
    /// Its output columns, if known.
    pub columns: Option<Vec<Column>>,
    /// Proved: output columns that are unique together, ignoring nulls.
    pub keys: Vec<Vec<usize>>,
    /// Proved: never two rows.
    pub at_most_one_row: bool,
    /// Proved: never no row.
    pub always_a_row: bool,
    /// Columns read.
    pub reads: BTreeSet<(usize, usize)>,
    /// Tables read.
    pub tables: BTreeSet<usize>,
    /// Tables with where each is read.
    pub sources: BTreeSet<(usize, Span)>,
    /// Everything in the query was understood.
    pub complete: bool,
    /// For each output column of a plain SELECT, the condition that leaves its nulls out, as written.
    pub guards: Vec<String>,
    /// Mistakes in names: to be believed when SQLite refuses too.
    pub names: Vec<Diagnostic>,
    /// Mistakes that SQLite does not see.
    pub certain: Vec<Diagnostic>,
    /// What has no result for some values.
    pub risks: Vec<Risk>,
    /// Comparisons met.
    pub predicates: Predicates,
    /// The conditions that each of its rows meets: the parts of the WHERE of the outermost SELECT.
    pub kept: Vec<Term>,
    /// Where letters decide, besides comparisons.
    pub by_letters: BTreeSet<ByLetters>,
    /// Comparisons that no row decides, for SQL of data sets, in which other mistakes are not reported.
    pub idle: Vec<Finding>,
    /// What is probably not meant.
    pub odd: Odd,
    /// What names mean, by their spans in the source.
    pub meant: BTreeSet<(Span, NameTarget)>,
}

impl Meaning {
    /// Relations that are read at two places or more.
    pub fn list_repeated_relations(&self, request: &SqlRequest<'_>) -> Vec<RelationId> {
        let places = |table: usize| self.sources.iter().filter(|(of, _)| *of == table).count();
        request.tables.iter().enumerate().filter(|(at, _)| places(*at) > 1).map(|(_, table)| table.id).collect()
    }

    /// Where columns are named, in order.
    pub fn list_column_places(&self, request: &SqlRequest<'_>) -> Vec<(Span, RelationId, ColumnId)> {
        let place = |(span, meant): &(Span, NameTarget)| match meant {
            NameTarget::Column(table, column) => {
                request.resolve_column((*table, *column)).map(|(relation, column)| (*span, relation, column))
            }
            NameTarget::Table(_) | NameTarget::Database(_) => None,
        };
        self.meant.iter().filter_map(place).collect()
    }

    /// The comparisons of a query that has been visited; empty unless all names in it are resolved.
    pub fn take_predicates(&mut self) -> Predicates {
        if !self.complete || !self.names.is_empty() || !self.certain.is_empty() {
            return Predicates::default();
        }
        let mut met = std::mem::take(&mut self.predicates);
        met.atoms.sort_by_key(|atom| (atom.span.start, atom.span.end));
        // A part that is visited twice must have the same result both times.
        let mut atoms: Vec<Atom> = Vec::with_capacity(met.atoms.len());
        for same in met.atoms.chunk_by(|a, b| a.span == b.span) {
            if let [first, rest @ ..] = same
                && rest.iter().all(|other| other == first)
            {
                atoms.push(first.clone());
            }
        }
        Predicates { atoms, ..met }
    }
}

/// The meaning of a name in a query: indices into [`super::SqlRequest::tables`] and its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameTarget {
    /// A table.
    Table(usize),
    /// The database of a table, written before it.
    Database(usize),
    /// A column.
    Column(usize, usize),
}

/// A place at which letter case matters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByLetters {
    /// The span.
    pub span: Span,
    /// The column.
    pub column: (RelationId, ColumnId),
    /// The operation.
    pub what: Decides,
}

/// The operations that depend on letter case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decides {
    /// Sorting.
    Order {
        /// Whether it sorts the rows of the result without selecting any.
        of_result: bool,
    },
    /// Searching for this part.
    Part(String),
}
