//! A query under analysis, and what it may use: tables, parameters, and SQLite.

use model::span::Span;
use model::suite::{ColumnId, RelationId};
use model::{Domain, SharedList, Value, ValueType};

use super::lex::Token;
use super::query_text::SqlText;
use syntax::bounds::Bounds;
use syntax::host::Sqlite;

/// A table that a query may read.
#[derive(Clone, Debug)]
pub struct SqlTable<'a> {
    /// The relation that it is.
    pub id: RelationId,
    /// `Some("shop")` when it must be written `shop.sales`.
    pub database: Option<&'a str>,
    /// Its name.
    pub name: &'a str,
    /// Its declaration.
    pub span: Span,
    /// Its columns in order, helpers left out.
    pub columns: Vec<SqlColumn<'a>>,
    /// The names of its helpers, which SQL does not see.
    pub hidden: Vec<&'a str>,
    /// Places among `columns` that never hold the same values twice together (nulls aside), beyond single unique columns.
    pub keys: Vec<Vec<usize>>,
    /// Places of its helpers that never hold the same value twice: they follow those of `columns`, in the order of `hidden`.
    pub helper_keys: Vec<usize>,
    /// Which of its columns and helpers determine others.
    pub determined: Vec<Determined>,
    /// How many rows it may have.
    pub rows: Bounds,
    /// Whether its rows are read from files, where `file.row` is their number and SQLite's own number has no meaning.
    pub of_files: bool,
}

/// Columns and helpers of a table that determine another one: rows with the same values in them, none of which is null, have the same value there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Determined {
    /// Their places.
    pub from: Vec<usize>,
    /// The place of the one that they determine.
    pub to: usize,
    /// Whether that one is never null.
    pub never_null: bool,
}

/// A column of such a table.
#[derive(Clone, Debug)]
pub struct SqlColumn<'a> {
    /// The column of the relation that it is.
    pub id: ColumnId,
    /// Its name.
    pub name: &'a str,
    /// Its declaration.
    pub span: Span,
    /// The type of its values; `None` after a mistake in its declaration, which has been reported.
    pub value_type: Option<ValueType>,
    /// Whether a value may be null.
    pub nullable: bool,
    /// The key of its table.
    pub primary_key: bool,
    /// No value twice.
    pub unique: bool,
    /// (table, column) of the same database.
    pub references: Option<(&'a str, &'a str)>,
    /// Its values, where the list is closed and known.
    pub closed: Option<SharedList<Value>>,
    /// What it is drawn from, where that is fixed: examples in messages have values of it.
    pub domain: Option<&'a Domain>,
}

/// The meaning of a name that is written `:name`.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A scalar: a good parameter.
    Value {
        /// Its type, if known.
        value_type: Option<ValueType>,
        /// Whether it may be null.
        nullable: bool,
    },
    /// A file.
    File,
    /// A relation.
    Relation,
    /// A list, object or result set.
    List,
    /// Nothing of the task; the nearest name, and whether it is clearly meant.
    Unknown {
        /// As [`::names::find_best`] returns it.
        suggestion: Option<(String, bool)>,
    },
}

/// A query and what it may use.
pub struct SqlRequest<'a> {
    /// The query.
    pub sql: &'a SqlText<'a>,
    /// The database's name for messages, when the query runs in one.
    pub scope_name: Option<&'a str>,
    /// The tables it may read.
    pub tables: &'a [SqlTable<'a>],
    /// Relations of the task that this query cannot read.
    pub non_sql_relations: &'a [&'a str],
    /// What a name of the task is.
    pub param: &'a dyn Fn(&str) -> ParamKind,
    /// The values of the task, for names written without their colon.
    pub task_names: &'a [String],
}

impl SqlRequest<'_> {
    /// A column of a table.
    pub(super) fn find_column(&self, (table, column): (usize, usize)) -> Option<&SqlColumn<'_>> {
        self.tables.get(table)?.columns.get(column)
    }

    /// The column of a relation that a column of a table is.
    pub(super) fn resolve_column(&self, place: (usize, usize)) -> Option<(RelationId, ColumnId)> {
        Some((self.tables.get(place.0)?.id, self.find_column(place)?.id))
    }
}

/// A query under analysis: its text and tokens, and their position in the source.
pub struct Query<'q> {
    pub request: &'q SqlRequest<'q>,
    pub text: &'q str,
    pub tokens: &'q [Token<'q>],
    pub sqlite: &'q dyn Sqlite,
}

impl<'q> Query<'q> {
    pub fn new(request: &'q SqlRequest<'q>, sqlite: &'q dyn Sqlite) -> Query<'q> {
        Query { request, text: &request.sql.raw.text, tokens: &request.sql.tokens, sqlite }
    }

    /// The place in the source of bytes of the query.
    pub fn to_span(&self, bytes: (usize, usize)) -> Span {
        self.request.sql.to_span(bytes)
    }

    /// The place of the whole query.
    pub fn whole_span(&self) -> Span {
        self.request.sql.raw.span
    }

    pub fn to_token_span(&self, token: &Token<'_>) -> Span {
        self.to_span((token.start, token.end()))
    }

    pub fn slice_text(&self, (start, end): (usize, usize)) -> &str {
        self.text.get(start..end).unwrap_or("")
    }

    /// The token that contains this byte, or else the first one after it.
    pub fn find_token_at(&self, offset: usize) -> Option<(usize, &Token<'_>)> {
        let index = self.tokens.partition_point(|token| token.end() <= offset);
        self.tokens.get(index).map(|token| (index, token))
    }

    /// `shop`, or `this task`, for messages.
    pub fn describe_scope(&self) -> String {
        self.request.scope_name.map_or_else(|| "this task".to_owned(), |name| format!("`{name}`"))
    }
}

/// Whether two names are one to SQLite.
pub fn is_same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}
