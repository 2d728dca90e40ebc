//! What the lints find, and their state during a visit.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, RelationId};

use super::asked::Asked;
use super::witness::{Reading, Witness};
use crate::output::Use;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::Sqlite;

/// SQL that SQLite accepts but that is probably not intended. The caller knows the whole task and decides which findings are reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Odd {
    /// The findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// Columns that are compared where a value of the task may be intended.
    pub confusions: Vec<Confusion>,
    /// The query, if the order of its rows is not determined and it may return several.
    pub in_no_order: Option<InNoOrder>,
}

/// A possible diagnostic about a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The diagnostic.
    pub said: Diagnostic,
    /// The condition for reporting it.
    pub heard: ReportCondition,
    /// Whether it is about the rows that `LIMIT` or a number selects: if all rows are known, running the query decides whether they tie.
    pub cut: bool,
    /// What must be true of the data for it to be reported.
    pub needs: Vec<Need>,
    /// How known rows confirm it.
    pub probe: Option<Probe>,
    /// Another reading of the query, for an example of rows in its note.
    pub witness: Option<Witness>,
}

/// A property of a column that the analysis of SQL does not know.
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    /// The column can be null.
    Nullable(RelationId, ColumnId),
    /// The column is drawn, and no key of its table by itself.
    Drawn(RelationId, ColumnId),
    /// Several rows can have the same value in the column.
    Repeated(RelationId, ColumnId),
}

/// Queries on known rows that confirm a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Probe {
    /// It is real if this returns a row.
    Returns(String),
    /// It is real if these return different rows.
    Differ(String, String),
}

/// The condition for reporting a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum ReportCondition {
    /// It is always reported.
    Always,
    /// It is reported unless the prompt mentions all of these names, and says that they are compared.
    Unnamed(Vec<String>),
    /// It is reported if the words of the question are met.
    Asked(Asked),
    /// It is reported if the question asks for a place among values, such as the second highest, unless a `require` checks one of these columns.
    Place(Vec<(RelationId, Option<ColumnId>)>),
    /// It is reported if the answer comes from the query.
    Answer {
        /// The columns that determine whether rows tie; without a column, the rows of the relation do.
        ties: Vec<(RelationId, Option<ColumnId>)>,
        /// Not reported if the prompt mentions one of these, or otherwise states how ties are resolved.
        told: Option<Vec<String>>,
        /// Whether it is reported only if the order of the query's rows matters.
        ordered: bool,
    },
}

impl Finding {
    /// A finding that is always reported.
    pub fn new_unconditional(said: Diagnostic) -> Finding {
        Finding::new_if(ReportCondition::Always, said)
    }

    /// A finding that is reported under a condition.
    pub fn new_if(heard: ReportCondition, said: Diagnostic) -> Finding {
        Finding { said, heard, cut: false, needs: Vec::new(), probe: None, witness: None }
    }

    /// The finding, reported only if something is true of the data.
    pub fn with_needs(mut self, need: impl IntoIterator<Item = Need>) -> Finding {
        self.needs.extend(need);
        self
    }

    /// The finding, with what confirms it.
    pub fn with_probe(self, probe: Option<Probe>) -> Finding {
        Finding { probe, ..self }
    }

    /// The finding, with another reading of the query.
    pub fn with_reading(self, reading: impl Into<Option<Reading>>) -> Finding {
        Finding { witness: reading.into().map(Witness::new), ..self }
    }

    /// The diagnostic, with rows that show it, if some are found.
    pub fn describe(&self, sqlite: &dyn Sqlite) -> Diagnostic {
        match self.witness.as_ref().and_then(|witness| witness.describe(sqlite)) {
            Some(note) => self.said.clone().note(note),
            None => self.said.clone(),
        }
    }

    /// A finding that is reported if the answer comes from the query.
    pub fn new_for_answer(said: Diagnostic) -> Finding {
        Finding::new_if(ReportCondition::Answer { ties: Vec::new(), told: None, ordered: false }, said)
    }
}

/// A comparison in which `name` may be meant as `:name`.
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    /// If a column is compared with itself, the texts of both sides and their common span; otherwise the right side is another column.
    pub itself: Option<(String, String, Span)>,
    /// Unqualified names with their spans, the one on the right first.
    pub bare: Vec<(String, Span)>,
    /// The column's name and the span of its declaration.
    pub column: Option<(String, Span)>,
}

impl Confusion {
    /// Builds the diagnostic for a column that is compared with itself, without advice.
    pub fn describe_itself(&self) -> Option<Diagnostic> {
        let (left, right, span) = self.itself.as_ref()?;
        let one = if left == right { String::new() } else { format!(": to SQL, `{left}` and `{right}` are one") };
        Some(Diagnostic::new(
            Code::SQL_NAME_WITHOUT_COLON,
            format!("`{left}` is compared with itself{one}"),
            *span,
            "the same column on both sides",
        ))
    }
}

/// A query whose rows have no determined order.
#[derive(Clone, Debug, PartialEq)]
pub struct InNoOrder {
    /// The span of the whole query.
    pub span: Span,
    /// Advice on how to sort them.
    pub help: String,
}

/// The state of the lints during a visit.
pub struct Lints {
    /// What was found so far.
    pub odd: Odd,
    /// The use of the rows of the query that is visited next.
    pub next: Use,
    /// The addresses of divisors whose division intentionally drops the fraction.
    pub whole: BTreeSet<usize>,
    /// Whether the query is part of a statement that changes rows. Queries in its expressions then determine the resulting rows.
    pub changes_rows: bool,
}

impl Default for Lints {
    /// The state before the whole query.
    fn default() -> Lints {
        Lints { odd: Odd::default(), next: Use::Given, whole: BTreeSet::new(), changes_rows: false }
    }
}

impl Lints {
    /// The state before a query of a statement that changes rows.
    pub fn new_for_statement() -> Lints {
        Lints { changes_rows: true, ..Lints::default() }
    }
}
