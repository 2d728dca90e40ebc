//! SQL inside placeholders: what it reads, what it returns, and what is wrong with it.
//!
//! SQLite is the authority on what is SQL and what a name means; `sqlparser` provides places and structure; our own tokens hold where
//! `sqlparser` fails. A mistake that SQLite does not see is reported only where it is certain.
//!
//! | file | concept |
//! | --- | --- |
//! | `analyser` | the state of a visit of a query |
//! | `meaning` | what such a visit finds |
//! | `analysis` | what is known of a query once it is checked |
//! | `statement` | one query, that reads only |
//! | `changes` | statements that change rows |
//! | `computed` | what such statements read and compute, as queries |
//! | `attach` | which databases a query is joined with |
//! | `determinism` | the same result every time |
//! | `params` | `:name` |
//! | `brackets` | brackets among tokens |
//! | `parse` | tokens to tree, and back to their bytes |
//! | `expressions` | what parts of the tree plainly are |
//! | `sources` | which tables a query names, before they are known |
//! | `letter_case` | where the letters of a column decide, for a lint |
//! | `predicates` | comparisons of columns, literals and parameters, for lints |
//! | `predicate_collector` | where they are |
//! | `scope` | what a name means at a place |
//! | `joins` | the conditions of joins |
//! | `lossless_joins` | joins that keep all rows of a side |
//! | `tables` | `FROM`: tables, joins, `WITH` |
//! | `output` | the result of a query, and what its rows are for |
//! | `query_expressions` | `WITH`, set operations, `VALUES`, `ORDER BY`, and `LIMIT` around `SELECT` |
//! | `select` | `SELECT`: columns and number of rows |
//! | `rows` | proofs on rows: their number, keys, and nulls |
//! | `functional_dependencies` | what equalities and keys determine |
//! | `reads` | the columns that an expression reads |
//! | `window_functions` | numbers of rows that may tie |
//! | `infer` | types of expressions |
//! | `functions` | SQLite's functions |
//! | `calls` | types of calls of them |
//! | `date_functions` | those of days and moments |
//! | `compare` | text against number |
//! | `wording` | names in messages |
//! | `names` | messages on names |
//! | `unknown_columns` | messages on names that are not columns |
//! | `sqlite_errors` | SQLite's other refusals, brought to a place |
//! | `table_aggregates` | queries that are one aggregate over a whole table |
//! | `syntax_errors` | SQL that cannot be read |
//! | `lints` | what can be run and is probably not meant: noted on the same walk |

mod analyser;
mod analysis;
mod attach;
mod brackets;
mod calls;
mod changes;
mod compare;
mod computed;
mod date_functions;
mod determinism;
mod dialect;
mod expressions;
mod functional_dependencies;
mod functions;
mod infer;
mod joins;
mod letter_case;
pub mod limit_ties;
mod lints;
mod lossless_joins;
mod meaning;
mod names;
mod output;
mod params;
mod parse;
mod predicate_collector;
pub mod predicates;
mod query_expressions;
mod reads;
mod rows;
mod scope;
mod select;
mod sources;
mod sqlite_errors;
mod statement;
mod syntax_errors;
mod table_aggregates;
mod tables;
mod unknown_columns;
mod window_functions;
mod wording;

pub use syntax::lex::sql as lex;

use std::cell::OnceCell;

use model::ddl::{DdlColumn, DdlTable, create_table, quote_name};
use model::span::Span;
use model::suite::{ColumnId, RelationId};
use model::{SharedList, Value, ValueType};

use lints::findings::Lints;
use syntax::ast;
use syntax::bounds::Bounds;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::{Prepared, SqlError, Sqlite};

pub use analysis::{Letters, SqlAnalysis, SqlOutput};
pub use changes::{Earlier, analyse_change, find_written_table, split_statements};
pub use functions::find_statistics_calls;
pub use lints::findings::{Confusion, Finding, InNoOrder, Odd, ReportCondition};
pub use meaning::{ByLetters, Decides, NameTarget};
pub use predicates::Predicates;
pub use sources::{Candidate, read_tables};
pub use statement::{is_plain_insert, is_write_statement};
pub use table_aggregates::Whole;

/// Returns the tokens of a query, separated by spaces: the same for queries that differ only in layout and comments.
pub fn without_layout(text: &str) -> String {
    lex::tokenize_sql(text).iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

/// Returns a query on one line and without its comments: layout does not change the stored text.
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

/// The text of a query, read once: its tokens, and its tree, which is parsed when it is first needed.
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
    /// Whether its rows are read from files, where `file.row` is their number and SQLite's own number has no meaning.
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
    fn find_column(&self, (table, column): (usize, usize)) -> Option<&SqlColumn<'_>> {
        self.tables.get(table)?.columns.get(column)
    }

    /// The table that a relation of a query is.
    fn find_table(&self, relation: &scope::Relation) -> Option<&SqlTable<'_>> {
        self.tables.get(relation.table?)
    }

    /// The column of a relation that a column of a table is.
    fn resolve_column(&self, place: (usize, usize)) -> Option<(RelationId, ColumnId)> {
        Some((self.tables.get(place.0)?.id, self.find_column(place)?.id))
    }
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

/// Checks a query, adds its mistakes to `diagnostics`, and returns its analysis.
pub fn analyse_query(request: &SqlRequest<'_>, sqlite: &dyn Sqlite, diagnostics: &mut Vec<Diagnostic>) -> SqlAnalysis {
    let query = Query::new(request, sqlite);
    let mut found = Vec::new();
    let analysis = check_query(&query, &mut found);
    let ok = is_sound(found, diagnostics);
    SqlAnalysis { ok, ..analysis }
}

/// Finds what is odd in a query that SQLite has run. Returns only that, and whether the query was understood.
pub fn lint_query(request: &SqlRequest<'_>, sqlite: &dyn Sqlite) -> SqlAnalysis {
    let Some(tree) = request.sql.tree() else { return SqlAnalysis::default() };
    let meaning = select::analyse_tree(&Query::new(request, sqlite), tree, Some(Lints::default()));
    SqlAnalysis { understood: meaning.complete, odd: meaning.odd, ..SqlAnalysis::default() }
}

/// The type of the values of a column with this declared type, by SQLite's rules of affinity.
pub fn infer_declared_type(declared: &str) -> Option<ValueType> {
    functions::infer_cast(declared, &scope::ExprType::unknown()).ty
}

/// Adds what was found to `diagnostics`, in order and each once. Returns `true` if nothing was found.
fn is_sound(mut found: Vec<Diagnostic>, diagnostics: &mut Vec<Diagnostic>) -> bool {
    found.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.primary.span.end));
    found.dedup_by(|later, first| later.code == first.code && later.primary.span == first.primary.span);
    let sound = found.is_empty();
    diagnostics.append(&mut found);
    sound
}

/// Checks the text of a query or statement, adds its good parameters to `params`, and lets SQLite prepare it. `is_allowed` reports any other kind of statement.
/// Returns `None` if it cannot be prepared at all, which is reported; a refusal by SQLite is not.
fn prepare(
    query: &Query<'_>,
    is_allowed: impl Fn(&Query<'_>, &mut Vec<Diagnostic>) -> bool,
    params: &mut Vec<(String, Span)>,
    found: &mut Vec<Diagnostic>,
) -> Option<Result<Prepared, SqlError>> {
    if !syntax_errors::check_characters(query, found) {
        return None;
    }
    params.extend(params::check_parameters(query, found));
    if !is_allowed(query, found) {
        return None;
    }
    determinism::report_nondeterminism(query, found);
    let attached = attach::select_databases(query, found)?;
    let ddl = build_ddl(query.request.tables, &attached);
    let prepared = query.sqlite.prepare_query(&ddl, query.text);
    if let Err(error) = &prepared {
        if !sqlite_errors::check_tables(query, &ddl, error, found) {
            return None;
        }
        if syntax_errors::is_syntax(&error.message) {
            if found.is_empty() {
                syntax_errors::report_syntax_error(query, &ddl, error, found);
            }
            return None;
        }
    }
    Some(prepared)
}

fn check_query(query: &Query<'_>, found: &mut Vec<Diagnostic>) -> SqlAnalysis {
    let mut params = Vec::new();
    let prepared = prepare(query, statement::check_statement, &mut params, found);
    let known_params = || SqlAnalysis { params: params.clone(), ..SqlAnalysis::default() };
    let Some(prepared) = prepared else { return known_params() };
    if let Err(error) = &prepared
        && sqlite_errors::is_limit(&error.message)
    {
        sqlite_errors::report_refusal(query, error, found);
        return known_params();
    }
    let tree = query.request.sql.tree();
    let mut meaning = tree.map(|tree| select::analyse_tree(query, tree, prepared.is_ok().then(Lints::default)));
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
    SqlAnalysis { whole, ..analysis::build_analysis(query, &prepared, meaning, params) }
}

/// Whether two names are one to SQLite.
fn is_same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The statements that make the tables.
fn build_ddl(tables: &[SqlTable<'_>], attached: &[&str]) -> Vec<String> {
    let attached_tables = tables.iter().filter(|table| table.database.is_none_or(|name| attached.contains(&name)));
    let made = attached_tables.map(|table| {
        let columns = table.columns.iter().map(|column| DdlColumn {
            name: column.name.to_owned(),
            value_type: column.value_type.unwrap_or(ValueType::Text),
            nullable: column.nullable,
            primary_key: column.primary_key,
            unique: column.unique,
            references: column.references.map(|(table, column)| (table.to_owned(), column.to_owned())),
        });
        create_table_of(table.database, table.name, columns.collect())
    });
    attached.iter().map(|name| attach_database(name)).chain(made).collect()
}

/// The statement that makes an empty database.
fn attach_database(name: &str) -> String {
    format!("ATTACH ':memory:' AS {}", quote_name(name))
}

/// The statement that makes a table. What its columns are together changes no meaning of a query.
fn create_table_of(database: Option<&str>, name: &str, columns: Vec<DdlColumn>) -> String {
    let table = DdlTable { name: name.to_owned(), columns, constraints: Vec::new(), indexes: Vec::new() };
    create_table(database, &table)
}

/// A refusal that has no code of its own.
fn build_refusal(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::SQL_REFUSED, message, span, label)
}
