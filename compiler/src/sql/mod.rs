//! SQL inside placeholders: what it reads, what it gives, and what is wrong with it.
//!
//! SQLite is the authority on what is SQL and what a name means; `sqlparser` gives places and structure; our own tokens hold where
//! `sqlparser` fails. A mistake that SQLite does not see is reported only where it is certain.
//!
//! | file | concept |
//! | --- | --- |
//! | `lex` | tokens with exact bytes |
//! | `statement` | one query, that reads only |
//! | `changes` | statements that change rows |
//! | `computed` | what such statements read and compute, as queries |
//! | `attach` | which databases a query is joined with |
//! | `determinism` | the same result every time |
//! | `params` | `:name` |
//! | `parse` | tokens to tree |
//! | `sources` | which tables a query names, before they are known |
//! | `letter_case` | where the letters of a column decide, for a lint |
//! | `predicates` | comparisons of columns, literals and parameters, for lints |
//! | `scope` | what a name means at a place |
//! | `tables` | `FROM`: tables, joins, `WITH` |
//! | `select` | queries: columns and number of rows |
//! | `rows` | proofs on the number of rows |
//! | `infer` | types of expressions |
//! | `functions` | SQLite's functions |
//! | `date_functions` | those of days and moments |
//! | `compare` | text against number |
//! | `names` | messages on names |
//! | `sqlite_errors` | SQLite's other refusals, brought to a place |
//! | `table_aggregates` | queries that are one aggregate over a whole table |
//! | `syntax` | SQL that cannot be read |
//! | `lints` | what can be run and is probably not meant: noted on the same walk |

mod attach;
mod changes;
mod compare;
mod computed;
mod date_functions;
mod determinism;
mod dialect;
mod functions;
mod infer;
mod letter_case;
pub mod lex;
pub mod limit_ties;
mod lints;
mod lossless_joins;
mod names;
mod params;
mod parse;
pub mod predicates;
mod rows;
mod scope;
mod select;
mod sources;
mod sqlite_errors;
mod statement;
mod syntax;
mod table_aggregates;
mod tables;
mod window_functions;

use std::cell::OnceCell;

use model::ddl::{DdlColumn, DdlTable, create_table, quote_name};
use model::span::Span;
use model::suite::{ColumnId, RelationId};
use model::{SharedList, Value, ValueType};

use crate::ast;
use crate::bounds::Bounds;
use crate::diagnostics::{Code, Diagnostic};
use crate::host::{Prepared, Sqlite};

pub use changes::{Changes, Earlier, analyse_change, split_statements};
pub use functions::find_statistics_calls;
pub use letter_case::{ByLetters, Decides};
pub use lints::{Confusion, Finding, InNoOrder, Odd, ReportCondition};
pub use predicates::Predicates;
pub use sources::{Candidate, read_tables};
pub use statement::is_write_statement;
pub use table_aggregates::Whole;

/// A query as its tokens alone: two that differ in layout and comments are the same.
pub fn without_layout(text: &str) -> String {
    lex::tokenize_sql(text).iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

/// A query on one line and without its comments, so that layout does not change what is stored of it.
pub fn to_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = None;
    for token in lex::tokenize_sql(text) {
        if end.is_some_and(|end| end < token.start) {
            out.push(' ');
        }
        out.push_str(token.text);
        end = Some(token.end());
    }
    out
}

/// SQL as it is written, read once: its tokens, and its tree when it is first asked for.
#[derive(Debug)]
pub struct SqlText<'r> {
    /// An exact slice of the source.
    raw: &'r ast::Raw,
    tokens: Vec<lex::Token<'r>>,
    tree: OnceCell<Option<Box<sqlparser::ast::Query>>>,
}

impl<'r> SqlText<'r> {
    /// Reads the tokens.
    pub fn new(raw: &'r ast::Raw) -> SqlText<'r> {
        SqlText { raw, tokens: lex::tokenize_sql(&raw.text), tree: OnceCell::new() }
    }

    /// The tree, if `sqlparser` can read it.
    fn tree(&self) -> Option<&sqlparser::ast::Query> {
        self.tree.get_or_init(|| parse::parse_query(&self.tokens)).as_deref()
    }

    /// The parameters that it names (`:name`), each time it does, and where.
    pub fn iter_parameters(&self) -> impl Iterator<Item = (&'r str, Span)> {
        let named = self.tokens.iter().filter(|token| token.kind == lex::Kind::Param);
        named.filter_map(|token| Some((token.text.strip_prefix(':')?, self.to_span((token.start, token.end())))))
    }

    /// The place in the source of bytes of it.
    fn to_span(&self, (start, end): (usize, usize)) -> Span {
        let raw = self.raw.span;
        let place = |offset: usize| raw.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(raw.end);
        Span::new(raw.file, place(start), place(end).max(place(start)))
    }
}

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
    /// How many rows it may have.
    pub rows: Bounds,
    /// Its rows are read from files, where `file.row` is their number: SQLite's own says nothing.
    pub of_files: bool,
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
    /// The type of its values; `None` after a mistake in its declaration, which has been told.
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
}

/// What a name is that is written `:name`.
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
        /// As [`crate::suggest::best`] gives it.
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
    /// The column of a relation that a column of a table is.
    fn resolve_column(&self, (table, column): (usize, usize)) -> Option<(RelationId, ColumnId)> {
        let table = self.tables.get(table)?;
        Some((table.id, table.columns.get(column)?.id))
    }
}

/// What is known of a query. It is worked out once, while the query is checked, and kept with it: lints, facts and dependencies ask it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SqlAnalysis {
    /// Its output columns.
    pub columns: Vec<SqlOutput>,
    /// Its good parameters, without colon: every occurrence in order.
    pub params: Vec<(String, Span)>,
    /// The query was read in full, so that a proof that is missing below means something.
    pub understood: bool,
    /// Proved: never two rows.
    pub at_most_one_row: bool,
    /// Proved: never no row.
    pub always_a_row: bool,
    /// Columns read, each once, in order.
    pub reads: Vec<(RelationId, ColumnId)>,
    /// Relations read, also those of which no column is (`COUNT(*)`), each once, in order.
    pub tables: Vec<RelationId>,
    /// Relations that are read at two places or more, as far as that is known.
    pub again: Vec<RelationId>,
    /// Where columns are named, as far as that is known, in order.
    pub places: Vec<(Span, RelationId, ColumnId)>,
    /// It is one aggregate over a whole table.
    pub whole: Option<table_aggregates::Whole>,
    /// What names of tables and columns mean, by their spans, as far as that is known.
    pub meant: Vec<(Span, NameTarget)>,
    /// What it compares.
    pub predicates: Predicates,
    /// Where it orders or searches the texts of a column, besides comparisons.
    pub by_letters: Vec<ByLetters>,
    /// What SQLite runs and is probably not meant.
    pub odd: Odd,
    /// False: errors were reported, and nothing else here is to be relied on but `params` and `meant`.
    pub ok: bool,
}

impl SqlAnalysis {
    /// Proved: one row, never none and never two.
    pub fn is_one_row(&self) -> bool {
        self.understood && self.always_a_row && self.at_most_one_row
    }
}

/// What a name in a query means: indices into [`SqlRequest::tables`] and its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameTarget {
    /// A table.
    Table(usize),
    /// The database of a table, written before it.
    Database(usize),
    /// A column.
    Column(usize, usize),
}

/// An output column.
#[derive(Clone, Debug, PartialEq)]
pub struct SqlOutput {
    /// Its name, as SQLite gives it.
    pub name: String,
    /// The column that it is, unchanged, where it is one.
    pub origin: Option<(RelationId, ColumnId)>,
    /// What the letters of its texts may come from; rather too much than too little.
    pub letters: Vec<Letters>,
    /// Its type; `None`: only known at build.
    pub value_type: Option<ValueType>,
    /// Whether it may be null.
    pub nullable: bool,
    /// Its numbers are computed and may have more digits than people write.
    pub endless: bool,
    /// Its fractions were rounded by `ROUND`.
    pub rounded: bool,
    /// Where it is null, that is because no row met a condition.
    pub empty: bool,
    /// The condition that leaves its nulls out, such as `WHERE date(AT) IS NOT NULL`; where that is known.
    pub guard: Option<String>,
}

/// What letters of a text come from.
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

/// A query under analysis: its text and tokens, and their position in the source.
pub(crate) struct Query<'q> {
    request: &'q SqlRequest<'q>,
    text: &'q str,
    tokens: &'q [lex::Token<'q>],
    sqlite: &'q dyn Sqlite,
}

impl<'q> Query<'q> {
    fn new(request: &'q SqlRequest<'q>, sqlite: &'q dyn Sqlite) -> Query<'q> {
        Query { request, text: &request.sql.raw.text, tokens: &request.sql.tokens, sqlite }
    }

    /// The place in the source of bytes of the query.
    fn to_span(&self, bytes: (usize, usize)) -> Span {
        self.request.sql.to_span(bytes)
    }

    /// The place of the whole query.
    fn whole_span(&self) -> Span {
        self.request.sql.raw.span
    }

    fn to_token_span(&self, token: &lex::Token<'_>) -> Span {
        self.to_span((token.start, token.end()))
    }

    fn slice_text(&self, (start, end): (usize, usize)) -> &str {
        self.text.get(start..end).unwrap_or("")
    }

    /// The token that contains this byte, or else the first one after it.
    fn find_token_at(&self, offset: usize) -> Option<(usize, &lex::Token<'_>)> {
        let index = self.tokens.partition_point(|token| token.end() <= offset);
        self.tokens.get(index).map(|token| (index, token))
    }

    /// `shop`, or `this task`, for messages.
    fn describe_scope(&self) -> String {
        self.request.scope_name.map_or_else(|| "this task".to_owned(), |name| format!("`{name}`"))
    }
}

/// Checks a query, adds what is wrong with it to `diagnostics`, and tells what is known of it.
pub fn analyse_query(request: &SqlRequest<'_>, sqlite: &dyn Sqlite, diagnostics: &mut Vec<Diagnostic>) -> SqlAnalysis {
    let query = Query::new(request, sqlite);
    let mut found = Vec::new();
    let analysis = check_query(&query, &mut found);
    let ok = is_sound(found, diagnostics);
    SqlAnalysis { ok, ..analysis }
}

/// Adds what was found to `diagnostics`, in order and each once; `true`: nothing was found.
fn is_sound(mut found: Vec<Diagnostic>, diagnostics: &mut Vec<Diagnostic>) -> bool {
    found.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.primary.span.end));
    found.dedup_by(|later, first| later.code == first.code && later.primary.span == first.primary.span);
    let sound = found.is_empty();
    diagnostics.append(&mut found);
    sound
}

fn check_query(query: &Query<'_>, found: &mut Vec<Diagnostic>) -> SqlAnalysis {
    if !syntax::check_characters(query, found) {
        return SqlAnalysis::default();
    }
    let params = params::check_parameters(query, found);
    let known_params = || SqlAnalysis { params: params.clone(), ..SqlAnalysis::default() };
    if !statement::check_statement(query, found) {
        return known_params();
    }
    determinism::report_nondeterminism(query, found);
    let Some(attached) = attach::select_databases(query, found) else { return known_params() };
    let ddl = build_ddl(query.request.tables, &attached);
    let prepared = query.sqlite.prepare_query(&ddl, query.text);
    if let Err(error) = &prepared {
        if !sqlite_errors::check_tables(query, &ddl, error, found) {
            return known_params();
        }
        if syntax::is_syntax(&error.message) {
            if found.is_empty() {
                syntax::report_syntax_error(query, &ddl, error, found);
            }
            return known_params();
        }
        if sqlite_errors::is_limit(&error.message) {
            sqlite_errors::report_refusal(query, error, found);
            return known_params();
        }
    }
    let tree = query.request.sql.tree();
    let mut meaning = tree.map(|tree| select::analyse_tree(query, tree, prepared.is_ok()));
    match &prepared {
        Ok(prepared) => {
            statement::check_prepared(query, prepared, found);
            determinism::check_prepared(query, prepared, found);
            if let Some(meaning) = &mut meaning {
                // SQLite knows what the names mean: where it is content, so are we.
                found.append(&mut meaning.certain);
            }
        }
        Err(error) => {
            let names = meaning.as_mut().map(|meaning| std::mem::take(&mut meaning.names)).unwrap_or_default();
            let explained = !names.is_empty();
            found.extend(names);
            if let Some(meaning) = &mut meaning {
                found.append(&mut meaning.certain);
            }
            if !(explained && sqlite_errors::is_name(&error.message)) {
                sqlite_errors::report_refusal(query, error, found);
            }
        }
    }
    let prepared = prepared.unwrap_or_default();
    if !found.is_empty() {
        let meant = meaning.map(|meaning| meaning.meant.into_iter().collect()).unwrap_or_default();
        return SqlAnalysis { meant, ..known_params() };
    }
    let whole = tree
        .zip(meaning.as_ref())
        .and_then(|(tree, meaning)| table_aggregates::find_table_aggregate(query.request, tree, meaning));
    SqlAnalysis { whole, ..build_analysis(query, &prepared, meaning, params) }
}

/// What the letters of an output column may come from, as far as the tree tells.
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

/// What SQLite and the tree tell together.
fn build_analysis(
    query: &Query<'_>,
    prepared: &Prepared,
    meaning: Option<select::Meaning>,
    params: Vec<(String, Span)>,
) -> SqlAnalysis {
    let tables = query.request.tables;
    let mut inferred = meaning.as_ref().and_then(|meaning| meaning.columns.clone());
    if inferred.as_ref().is_some_and(|columns| columns.len() != prepared.columns.len()) {
        inferred = None;
    }
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
        }
    });
    let mut columns: Vec<SqlOutput> = columns.collect();
    let meaning = meaning.unwrap_or_default();
    let (again, places) = (meaning.list_repeated_relations(query.request), meaning.list_column_places(query.request));
    let (mut reads, mut read_tables) = (meaning.reads, meaning.tables);
    if !meaning.complete {
        // A query of the whole task was given those that it names. Of a table of which USING alone names a column SQLite tells no read.
        if query.request.scope_name.is_none() {
            read_tables.extend(0..tables.len());
        }
        // Names of tables are not told apart by database here: rather too many than too few.
        for (index, table) in tables.iter().enumerate() {
            for (_, column) in prepared.reads.iter().filter(|(name, _)| is_same_name(name, table.name)) {
                read_tables.insert(index);
                reads.extend(
                    table.columns.iter().position(|c| is_same_name(c.name, column)).map(|column| (index, column)),
                );
            }
        }
    }
    if !meaning.complete {
        // What is not understood may be made of every text that is read.
        let is_text = |(table, column): &(usize, usize)| {
            let column = tables.get(*table).and_then(|table| table.columns.get(*column));
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
        understood: meaning.complete,
        at_most_one_row: meaning.at_most_one_row,
        always_a_row: meaning.always_a_row,
        reads: reads.into_iter().filter_map(|column| query.request.resolve_column(column)).collect(),
        tables: read_tables.into_iter().filter_map(|table| Some(tables.get(table)?.id)).collect(),
        whole: None,
        meant: meaning.meant.into_iter().collect(),
        predicates: meaning.predicates,
        by_letters: meaning.by_letters.into_iter().collect(),
        odd: meaning.odd,
        ok: true,
    }
}

/// Whether two names are one to SQLite.
fn is_same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The statements that make the tables.
fn build_ddl(tables: &[SqlTable<'_>], attached: &[&str]) -> Vec<String> {
    let mut out: Vec<String> =
        attached.iter().map(|name| format!("ATTACH ':memory:' AS {}", quote_name(name))).collect();
    for table in tables.iter().filter(|table| table.database.is_none_or(|database| attached.contains(&database))) {
        let columns = table.columns.iter().map(|column| DdlColumn {
            name: column.name.to_owned(),
            value_type: column.value_type.unwrap_or(ValueType::Text),
            nullable: column.nullable,
            primary_key: column.primary_key,
            unique: column.unique,
            references: column.references.map(|(table, column)| (table.to_owned(), column.to_owned())),
        });
        // What columns are together changes no meaning of a query.
        let table_ddl = DdlTable {
            name: table.name.to_owned(),
            columns: columns.collect(),
            constraints: Vec::new(),
            indexes: Vec::new(),
        };
        out.push(create_table(table.database, &table_ddl));
    }
    out
}

/// A refusal that has no code of its own.
fn build_refusal(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::SQL_REFUSED, message, span, label)
}
