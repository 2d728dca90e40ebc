//! Sequences of statements that change rows of a database: INSERT, UPDATE, DELETE, REPLACE.

use std::collections::BTreeSet;

use model::span::Span;
use model::suite::{ColumnId, RelationId};

use super::lex::{self, Token};
use super::predicates::{Bounded, Operand, Predicates, Side, Test};
use super::select::{self, Meaning};
use super::{ByLetters, Odd, SqlAnalysis};
use super::{
    Query, SqlRequest, SqlTable, SqlText, attach, build_ddl, computed, determinism, is_same_name, is_sound, params,
    parse, sqlite_errors, syntax_errors,
};
use syntax::ast;
use syntax::bounds::Bounds;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::{Prepared, Sqlite};

/// The analysis of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The valid parameters, without colon: every occurrence in order.
    pub params: Vec<(String, Span)>,
    /// The columns that are read, in order and without duplicates.
    pub reads: Vec<(RelationId, ColumnId)>,
    /// Relations that one of its queries reads at two or more places.
    pub again: Vec<RelationId>,
    /// The places at which columns are named, in order.
    pub places: Vec<(Span, RelationId, ColumnId)>,
    /// Its comparisons of rows in their initial state.
    pub predicates: Predicates,
    /// The places at which it sorts or searches the texts of a column, besides comparisons.
    pub by_letters: Vec<ByLetters>,
    /// Lints: SQL that SQLite accepts but that is probably not intended.
    pub odd: Odd,
    /// Whether it is proved to add a row or fail.
    pub surely: bool,
    /// Whether it has no errors. Otherwise errors were reported, and only `params` is reliable.
    pub ok: bool,
}

const CHANGES: [&str; 4] = ["INSERT", "UPDATE", "DELETE", "REPLACE"];

/// Splits a text into its nonempty statements.
pub fn split_statements(raw: &ast::Raw) -> Vec<ast::Raw> {
    let tokens = lex::tokenize_sql(&raw.text);
    let mut out = Vec::new();
    for tokens in tokens.split(|token| token.is_punct(";")) {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { continue };
        let place = |offset: usize| raw.span.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
        let span = Span::new(raw.span.file, place(first.start), place(last.end()));
        out.extend(raw.text.get(first.start..last.end()).map(|text| ast::Raw {
            text: text.to_owned(),
            span,
            ..raw.clone()
        }));
    }
    out
}

/// The changes by earlier statements.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// Columns that may have other values than initially.
    columns: BTreeSet<(RelationId, ColumnId)>,
    /// Tables that may have other rows than initially.
    tables: BTreeSet<RelationId>,
}

impl Earlier {
    /// The tables as a later statement sees them.
    fn apply_to_tables<'a>(&self, tables: &[SqlTable<'a>]) -> Vec<SqlTable<'a>> {
        let mut tables = tables.to_vec();
        for table in &mut tables {
            if self.tables.contains(&table.id) {
                table.rows = Bounds::ANY;
            }
            let changed = |column: ColumnId| self.columns.contains(&(table.id, column));
            for column in table.columns.iter_mut().filter(|column| changed(column.id)) {
                column.closed = None;
            }
        }
        tables
    }

    /// Adds the changes by a statement.
    fn add_statement(&mut self, query: &Query<'_>) {
        let Some(target) = computed::find_target(query.tokens) else { return };
        let name = target.table.to_unquoted();
        for table in query.request.tables.iter().filter(|table| is_same_name(table.name, &name)) {
            if target.columns.is_none() || target.deletes {
                self.tables.insert(table.id);
            }
            let sets = |column: &str| match &target.columns {
                Some(columns) => columns.iter().any(|set| is_same_name(&set.to_unquoted(), column)),
                None => true,
            };
            let columns = table.columns.iter().filter(|column| sets(column.name));
            self.columns.extend(columns.map(|column| (table.id, column.id)));
        }
    }

    /// Removes the comparisons of columns whose values may have changed.
    fn filter_predicates(&self, predicates: Predicates) -> Predicates {
        let is_start = |operand: &Operand| match operand.value {
            Side::Column { relation, column, .. } => !self.columns.contains(&(relation, column)),
            _ => true,
        };
        let of_start = |test: &Test| match test {
            Test::Compare(_, one, other) | Test::When { value: one, item: other } => is_start(one) && is_start(other),
            Test::Between { value, low, high, .. } => [value, low, high].into_iter().all(is_start),
            Test::In { value, items, .. } => is_start(value) && items.iter().all(is_start),
            Test::Like { value, .. } | Test::Null { value, .. } => is_start(value),
        };
        let bounded = |part: &Bounded| part.bounds.iter().all(|(_, items)| items.iter().all(is_start));
        let Predicates { mut atoms, mut conjunctions } = predicates;
        atoms.retain(|atom| of_start(&atom.test));
        conjunctions.iter_mut().for_each(|parts| parts.retain(bounded));
        Predicates { atoms, conjunctions }
    }
}

/// Returns the name of the table that a statement changes, and its place.
pub fn find_written_table(sql: &SqlText<'_>) -> Option<(String, Span)> {
    let table = computed::find_target(&sql.tokens)?.table;
    Some((table.to_unquoted(), sql.to_span((table.start, table.end()))))
}

/// Checks a statement, reports its errors in `diagnostics`, and returns its analysis. `earlier` contains the changes by preceding statements; the changes by
/// this statement are added.
pub fn analyse_change(
    request: &SqlRequest<'_>,
    sqlite: &dyn Sqlite,
    earlier: &mut Earlier,
    diagnostics: &mut Vec<Diagnostic>,
) -> Changes {
    let tables = earlier.apply_to_tables(request.tables);
    let request = SqlRequest { tables: &tables, ..*request };
    let query = Query::new(&request, sqlite);
    let mut found = Vec::new();
    let changes = check_change(&query, earlier, &mut found);
    let ok = is_sound(found, diagnostics);
    earlier.add_statement(&query);
    Changes { ok, ..changes }
}

fn check_change(query: &Query<'_>, earlier: &Earlier, found: &mut Vec<Diagnostic>) -> Changes {
    if !syntax_errors::check_characters(query, found) {
        return Changes::default();
    }
    let known = Changes { params: params::check_parameters(query, found), ..Changes::default() };
    if !is_change(query, found) {
        return known;
    }
    determinism::report_nondeterminism(query, found);
    let Some(attached) = attach::select_databases(query, found) else { return known };
    let ddl = build_ddl(query.request.tables, &attached);
    match query.sqlite.prepare_query(&ddl, query.text) {
        Ok(prepared) => {
            determinism::check_prepared(query, &prepared, found);
            let mut changes = Changes {
                reads: collect_read_columns(query, &prepared),
                surely: is_plain_insert(query.tokens),
                ..known
            };
            for tokens in computed::extract_queries(query.tokens) {
                let Some(tree) = parse::parse_query(&tokens) else { continue };
                let meaning = select::analyse_statement_query(query, &tree);
                changes.add_query(query, earlier, meaning, found);
            }
            changes
        }
        Err(error) => {
            if !sqlite_errors::check_tables(query, &ddl, &error, found) {
                return known;
            }
            if !syntax_errors::is_syntax(&error.message) {
                sqlite_errors::report_refusal(query, &error, found);
            } else if found.is_empty() {
                syntax_errors::report_syntax_error(query, &ddl, &error, found);
            }
            known
        }
    }
}

impl Changes {
    /// Adds the analysis of a statement to that of the preceding statements.
    pub fn merge_into(self, all: &mut SqlAnalysis) {
        all.ok &= self.ok;
        all.reads.extend(self.reads);
        all.again.extend(self.again);
        all.places.extend(self.places);
        all.predicates.atoms.extend(self.predicates.atoms);
        all.predicates.conjunctions.extend(self.predicates.conjunctions);
        all.by_letters.extend(self.by_letters);
        all.odd.findings.extend(self.odd.findings);
        all.odd.confusions.extend(self.odd.confusions);
    }

    /// Adds the analysis of a query in the statement.
    fn add_query(&mut self, query: &Query<'_>, earlier: &Earlier, mut meaning: Meaning, found: &mut Vec<Diagnostic>) {
        found.append(&mut meaning.certain);
        let mut predicates = earlier.filter_predicates(std::mem::take(&mut meaning.predicates));
        self.predicates.atoms.append(&mut predicates.atoms);
        self.predicates.conjunctions.append(&mut predicates.conjunctions);
        self.again.extend(meaning.list_repeated_relations(query.request));
        self.places.extend(meaning.list_column_places(query.request));
        self.by_letters.extend(meaning.by_letters);
        let mut odd = meaning.odd;
        self.odd.findings.append(&mut odd.findings);
        self.odd.confusions.append(&mut odd.confusions);
    }
}

/// Whether it is `INSERT INTO … VALUES …`, without a clause for existing rows.
fn is_plain_insert(tokens: &[Token<'_>]) -> bool {
    let has = |word: &str| tokens.iter().any(|token| token.is_keyword(word));
    tokens.first().is_some_and(|first| first.is_keyword("INSERT"))
        && has("VALUES")
        && !["OR", "CONFLICT", "SELECT"].into_iter().any(has)
}

/// Whether it changes rows; if not, that is reported.
fn is_change(query: &Query<'_>, found: &mut Vec<Diagnostic>) -> bool {
    let Some(first) = query.tokens.first() else { return false };
    let mut depth = 0_i32;
    let main = if first.is_keyword("WITH") {
        query.tokens.iter().find(|token| {
            depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
            depth == 0 && CHANGES.iter().chain(&["SELECT", "VALUES"]).any(|word| token.is_keyword(word))
        })
    } else {
        Some(first)
    };
    let Some(main) = main.filter(|main| !CHANGES.iter().any(|word| main.is_keyword(word))) else { return true };
    let span = query.to_token_span(main);
    let database = query.describe_scope();
    if ["SELECT", "VALUES", "EXPLAIN"].iter().any(|word| main.is_keyword(word)) {
        found.push(
            Diagnostic::new(
                Code::NO_CHANGE,
                format!("`after` needs a statement that changes {database}"),
                query.whole_span(),
                "only reads",
            )
            .help("for a result set, use `<<rows: …>>`"),
        );
        return false;
    }
    let kind = query.tokens.get(1).filter(|_| ["CREATE", "DROP", "ALTER"].iter().any(|word| main.is_keyword(word)));
    let words = match kind {
        Some(kind) => format!("{} {}", main.text, kind.text).to_ascii_uppercase(),
        None => main.text.to_ascii_uppercase(),
    };
    let Some(label) = describe_statement(main) else {
        let message = format!("`{words}` does not begin a statement of SQL");
        found.push(
            Diagnostic::new(Code::SQL_SYNTAX, message, span, "expected `INSERT`, `UPDATE`, or `DELETE`")
                .help("`after` runs `INSERT`, `UPDATE`, `DELETE`, and `REPLACE`, separated by `;`"),
        );
        return false;
    };
    found.push(
        Diagnostic::new(Code::SQL_WRITES, format!("`after` cannot run `{words}`"), span, label)
            .help("it runs `INSERT`, `UPDATE`, `DELETE`, and `REPLACE`, in one transaction of its own"),
    );
    false
}

/// Describes a statement other than a change of rows.
fn describe_statement(main: &Token<'_>) -> Option<&'static str> {
    let is = |words: &[&str]| words.iter().any(|word| main.is_keyword(word));
    if is(&["CREATE", "DROP", "ALTER"]) {
        Some("changes the schema")
    } else if is(&["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"]) {
        Some("controls a transaction")
    } else if is(&["ATTACH", "DETACH"]) {
        Some("opens another database")
    } else if is(&["PRAGMA", "VACUUM", "REINDEX", "ANALYZE"]) {
        Some("does not change rows")
    } else {
        None
    }
}

/// The columns that SQLite reads. Databases of tables are not compared, because there is only one.
fn collect_read_columns(query: &Query<'_>, prepared: &Prepared) -> Vec<(RelationId, ColumnId)> {
    let mut reads = Vec::new();
    for table in query.request.tables {
        for (_, column) in prepared.reads.iter().filter(|(name, _)| super::is_same_name(name, table.name)) {
            let read = table.columns.iter().find(|known| super::is_same_name(known.name, column));
            reads.extend(read.map(|column| (table.id, column.id)));
        }
    }
    reads.sort_unstable();
    reads.dedup();
    reads
}
