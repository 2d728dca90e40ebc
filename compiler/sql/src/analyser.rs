//! The state of a visit of a query, and what every part of the visit notes.

use std::collections::{BTreeMap, BTreeSet};

use model::{Span, ValueType};
use sqlparser::ast::Ident;

use super::lints::findings::{Finding, Lints, Odd};
use super::meaning::{Meaning, NameTarget};
use super::output::{Cte, Use};
use super::parse;
use super::request::{Query, is_same_name};
use super::scope::{At, ExprType, Frame, Source};
use super::terms::Term;
use syntax::bounds::Bounds;

/// Walks a query.
pub struct Analyser<'q> {
    pub query: &'q Query<'q>,
    pub frames: Vec<Frame>,
    pub ctes: Vec<Cte>,
    /// The column that the current name is compared with.
    pub compared: Option<(usize, usize)>,
    /// The innermost frame with a column that was met since this was last cleared.
    pub innermost: Option<usize>,
    /// An aggregate that uses only columns of an outer query was met: it belongs to that query, and aggregates its rows.
    pub borrowed_aggregate: bool,
    /// Columns met, since it was last cleared.
    pub met: BTreeSet<At>,
    /// The columns that queries inside expressions read from the SELECTs around them, and the type they return, by the query's address.
    pub inner: BTreeMap<usize, (BTreeSet<At>, Option<ValueType>)>,
    /// The term of the first column of these queries, by the query's address.
    pub inner_terms: BTreeMap<usize, Term>,
    /// The bounds of their numbers of rows.
    pub inner_rows: BTreeMap<usize, Bounds>,
    /// Above 0 during a first look, which reports nothing.
    pub quiet: usize,
    /// What is probably not meant, if requested.
    pub lints: Option<Lints>,
    /// What the letters of the current expression may come from.
    pub letters: BTreeSet<Source>,
    pub meaning: Meaning,
}

impl<'q> Analyser<'q> {
    /// Before the walk.
    pub fn new(query: &'q Query<'q>) -> Analyser<'q> {
        Analyser {
            query,
            frames: Vec::new(),
            ctes: Vec::new(),
            compared: None,
            innermost: None,
            borrowed_aggregate: false,
            met: BTreeSet::new(),
            inner: BTreeMap::new(),
            inner_terms: BTreeMap::new(),
            inner_rows: BTreeMap::new(),
            quiet: 0,
            lints: None,
            letters: BTreeSet::new(),
            meaning: Meaning { complete: true, ..Meaning::default() },
        }
    }
}

impl Analyser<'_> {
    /// Notes that something was not understood.
    pub fn give_up(&mut self) {
        self.meaning.complete = false;
    }

    /// Sets whether the current expression is in the argument of an aggregate.
    pub fn set_in_aggregate(&mut self, value: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.in_aggregate = value;
        }
    }

    /// Notes what a name means. Gives where it is.
    pub fn note_meaning(&mut self, name: &Ident, meant: NameTarget) -> Option<Span> {
        let bytes = parse::find_ident_bytes(name);
        let span = (bytes.0 < bytes.1).then(|| self.query.to_span(bytes))?;
        self.meaning.meant.insert((span, meant));
        Some(span)
    }

    /// Notes what a column's name means, and those of its table and database before it.
    pub fn note_column_meaning(&mut self, parts: &[Ident], (table, column): (usize, usize)) {
        let [before @ .., name] = parts else { return };
        self.note_meaning(name, NameTarget::Column(table, column));
        let Some(known) = self.query.request.tables.get(table) else { return };
        if let [.., relation] = before
            && is_same_name(&relation.value, known.name)
        {
            self.note_meaning(relation, NameTarget::Table(table));
        }
        if let [database, _] = before
            && known.database.is_some_and(|written| is_same_name(written, &database.value))
        {
            self.note_meaning(database, NameTarget::Database(table));
        }
    }

    /// Notes that a column is read.
    pub fn note_read(&mut self, value: &ExprType) {
        if let Some(origin) = value.origin {
            self.meaning.reads.insert(origin);
            self.meaning.tables.insert(origin.0);
        }
    }

    /// Notes a finding, except in a preliminary visit.
    pub fn note_finding(&mut self, finding: Finding) {
        self.note_odd(Odd { findings: vec![finding], ..Odd::default() });
    }

    /// Notes several findings, except in a preliminary visit.
    pub fn note_odd(&mut self, new: Odd) {
        if self.quiet == 0
            && let Some(Lints { odd, .. }) = &mut self.lints
        {
            odd.findings.extend(new.findings);
            odd.confusions.extend(new.confusions);
            odd.in_no_order = odd.in_no_order.take().or(new.in_no_order);
        }
    }

    /// Sets the use of the rows of the query that is visited next.
    pub fn set_row_use(&mut self, becomes: Use) {
        if let Some(lints) = &mut self.lints {
            lints.next = becomes;
        }
    }

    /// Takes the use of the current query's rows; queries inside it start with the default.
    pub fn use_of_rows(&mut self) -> Use {
        self.lints.as_mut().map(|lints| std::mem::take(&mut lints.next)).unwrap_or_default()
    }
}
