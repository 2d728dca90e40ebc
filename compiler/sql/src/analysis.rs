//! The result of checking a query: its columns, what it reads, and what is proved of its rows.

use std::sync::Arc;

use model::ValueType;
use model::span::Span;
use model::suite::{ColumnId, RelationId};

use super::earlier::Earlier;
use super::lints::findings::Odd;
use super::meaning::{ByLetters, Meaning, NameTarget};
use super::predicates::Predicates;
use super::request::{Query, SqlRequest, is_same_name};
use super::risks::Risk;
use super::terms::Term;
use super::{scope, table_aggregates};
use syntax::host::Prepared;

/// The analysis of a query. It is computed once, while the query is checked, and stored with it; lints, facts, and dependencies read it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SqlAnalysis {
    /// Its output columns.
    pub columns: Vec<SqlOutput>,
    /// Its good parameters, without colon: every occurrence in order.
    pub params: Vec<(String, Span)>,
    /// Whether the query was understood completely; only then does the absence of a proof below mean anything.
    pub understood: bool,
    /// Proved: output columns, by their indexes, that are unique together, ignoring nulls.
    pub keys: Vec<Vec<usize>>,
    /// Proved: never two rows.
    pub at_most_one_row: bool,
    /// Proved: never no row.
    pub always_a_row: bool,
    /// Columns read, each once, in order.
    pub reads: Vec<(RelationId, ColumnId)>,
    /// Relations read, each once, in order; also those without a read column (`COUNT(*)`).
    pub tables: Vec<RelationId>,
    /// Relations that are read at two places or more, as far as known.
    pub again: Vec<RelationId>,
    /// Where columns are named, in order, as far as known.
    pub places: Vec<(Span, RelationId, ColumnId)>,
    /// It is one aggregate over a whole table.
    pub whole: Option<table_aggregates::Whole>,
    /// The meanings of names of tables and columns by their spans, as far as known.
    pub meant: Vec<(Span, NameTarget)>,
    /// The parts of it that have no result for some values.
    pub risks: Vec<Risk>,
    /// What it compares.
    pub predicates: Predicates,
    /// The conditions that each of its rows meets, as far as known.
    pub kept: Vec<Term>,
    /// What each statement of `after` reads and computes, as a query (see [`super::computed`]); `None` if it is more than one.
    pub statements: Vec<Option<SqlAnalysis>>,
    /// What the statements of `after` change, with those of the states before it.
    pub changed: Earlier,
    /// Where it orders or searches the texts of a column, besides comparisons.
    pub by_letters: Vec<ByLetters>,
    /// Constructs that SQLite runs but that are probably not meant.
    pub odd: Odd,
    /// False if errors were reported; then only `params` and `meant` are reliable.
    pub ok: bool,
}

impl SqlAnalysis {
    /// Proved: one row, never none and never two.
    pub fn is_one_row(&self) -> bool {
        self.understood && self.always_a_row && self.at_most_one_row
    }
}

/// An output column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SqlOutput {
    /// Its name, as SQLite reports it.
    pub name: String,
    /// The column that it is, unchanged, where it is one.
    pub origin: Option<(RelationId, ColumnId)>,
    /// The possible sources of the letters of its texts; perhaps too many, never too few.
    pub letters: Vec<Letters>,
    /// Its type; `None`: only known at build.
    pub value_type: Option<ValueType>,
    /// Whether it may be null.
    pub nullable: bool,
    /// Its numbers are computed and may have more digits than people write.
    pub endless: bool,
    /// Its fractions were rounded by `ROUND`.
    pub rounded: bool,
    /// Whether it is null only if no row met a condition.
    pub empty: bool,
    /// The condition that leaves its nulls out, such as `WHERE date(AT) IS NOT NULL`, if known.
    pub guard: Option<String>,
    /// Whether it is a blob.
    pub blob: bool,
    /// How it is computed, if it is and its parts are understood.
    pub term: Option<Arc<Term>>,
}

/// A source of the letters of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Letters {
    /// A column.
    Column {
        /// Which.
        column: (RelationId, ColumnId),
        /// `upper` or `lower` has been applied.
        cased: bool,
    },
    /// A parameter.
    Param {
        /// Its name, without colon.
        name: String,
        /// `upper` or `lower` has been applied.
        cased: bool,
    },
}

/// Builds the analysis of a query from the results of SQLite and of the tree.
pub(super) fn build_analysis(
    query: &Query<'_>,
    prepared: &Prepared,
    meaning: Option<Meaning>,
    params: Vec<(String, Span)>,
) -> SqlAnalysis {
    let tables = query.request.tables;
    let inferred = meaning.as_ref().and_then(|meaning| meaning.columns.clone());
    let inferred = inferred.filter(|columns| columns.len() == prepared.columns.len());
    let columns = prepared.columns.iter().enumerate().map(|(index, column)| {
        let typed = inferred.as_ref().and_then(|columns| columns.get(index));
        let origin = || {
            let (database, table, name) = column.origin.as_ref()?;
            let table = tables
                .iter()
                .find(|t| is_same_name(t.name, table) && is_same_name(t.database.unwrap_or("main"), database))?;
            table.columns.iter().find(|c| is_same_name(c.name, name)).and_then(|c| c.value_type)
        };
        SqlOutput {
            name: column.name.clone(),
            origin: typed.and_then(|typed| query.request.resolve_column(typed.value.origin?)),
            letters: collect_letters(query, typed.map(|typed| &typed.value)),
            value_type: typed.map_or_else(origin, |typed| typed.value.ty),
            nullable: typed.is_none_or(|typed| typed.value.nullable),
            endless: typed.is_some_and(|typed| typed.value.endless),
            rounded: typed.is_some_and(|typed| typed.value.rounded),
            empty: typed.is_some_and(|typed| typed.value.empty),
            guard: meaning.as_ref().and_then(|meaning| meaning.guards.get(index).cloned()),
            blob: typed.is_some_and(|typed| typed.value.blob),
            term: typed.and_then(|typed| typed.value.term.clone()),
        }
    });
    let mut columns: Vec<SqlOutput> = columns.collect();
    let meaning = meaning.unwrap_or_default();
    let (again, places) = (meaning.list_repeated_relations(query.request), meaning.list_column_places(query.request));
    let (mut reads, mut read_tables) = (meaning.reads, meaning.tables);
    if !meaning.complete {
        // A query of the whole task was given only the tables that it names. SQLite reports no read of a column that only USING names.
        if query.request.scope_name.is_none() {
            read_tables.extend(0..tables.len());
        }
        for (table, column) in list_prepared_reads(query.request, prepared) {
            read_tables.insert(table);
            reads.extend(column.map(|column| (table, column)));
        }
        // A value that is not understood may be made of every text that is read.
        let is_text = |(table, column): &(usize, usize)| {
            let column = query.request.find_column((*table, *column));
            column.is_none_or(|column| matches!(column.value_type, None | Some(ValueType::Text)))
        };
        let all =
            reads.iter().filter(|column| is_text(column)).filter_map(|column| query.request.resolve_column(*column));
        let all: Vec<Letters> = all.map(|column| Letters::Column { column, cased: false }).collect();
        let open = |output: &&mut SqlOutput| {
            output.origin.is_none() && matches!(output.value_type, None | Some(ValueType::Text))
        };
        columns.iter_mut().filter(open).for_each(|output| output.letters.extend(all.iter().cloned()));
    }
    SqlAnalysis {
        columns,
        params,
        again,
        places,
        keys: if meaning.complete { meaning.keys } else { Vec::new() },
        understood: meaning.complete,
        at_most_one_row: meaning.at_most_one_row,
        always_a_row: meaning.always_a_row,
        reads: reads.into_iter().filter_map(|column| query.request.resolve_column(column)).collect(),
        tables: read_tables.into_iter().filter_map(|table| Some(tables.get(table)?.id)).collect(),
        whole: None,
        meant: meaning.meant.into_iter().collect(),
        risks: meaning.risks,
        predicates: meaning.predicates,
        kept: if meaning.complete { meaning.kept } else { Vec::new() },
        statements: Vec::new(),
        changed: Earlier::default(),
        by_letters: meaning.by_letters.into_iter().collect(),
        odd: meaning.odd,
        ok: true,
    }
}

/// The tables and columns that SQLite reads. Tables are not distinguished by database: too many are better than too few.
pub(super) fn list_prepared_reads(request: &SqlRequest<'_>, prepared: &Prepared) -> Vec<(usize, Option<usize>)> {
    let mut places = Vec::new();
    for (index, table) in request.tables.iter().enumerate() {
        for (_, column) in prepared.reads.iter().filter(|(name, _)| is_same_name(name, table.name)) {
            places.push((index, table.columns.iter().position(|known| is_same_name(known.name, column))));
        }
    }
    places
}

/// Returns the possible sources of the letters of an output column, as far as the tree shows them.
fn collect_letters(query: &Query<'_>, value: Option<&scope::ExprType>) -> Vec<Letters> {
    let letters = value.map(scope::ExprType::collect_letters).unwrap_or_default();
    let known = letters.into_iter().filter_map(|source| match source.of {
        scope::Of::Column(table, column) => {
            Some(Letters::Column { column: query.request.resolve_column((table, column))?, cased: source.cased })
        }
        scope::Of::Param(name) => Some(Letters::Param { name, cased: source.cased }),
    });
    known.collect()
}
