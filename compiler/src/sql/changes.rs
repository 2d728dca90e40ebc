//! Statements that change rows of a database: INSERT, UPDATE, DELETE, REPLACE, one after the other.

use plan::span::Span;
use plan::suite::{ColumnId, RelationId};

use super::lex::{self, Token};
use super::{Query, SqlRequest, attach, computed, ddl, is_sound, params, refuse, steady, syntax};
use crate::ast;
use crate::diagnostics::{Code, Diagnostic};
use crate::host::{Prepared, Sqlite};

/// What is known of statements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Good parameters, without colon: every occurrence in order.
    pub params: Vec<(String, Span)>,
    /// Columns read, each once, in order.
    pub reads: Vec<(RelationId, ColumnId)>,
    /// Proved: it adds a row, or fails.
    pub surely: bool,
    /// False: errors were reported, and nothing else here but `params` is to be relied on.
    pub ok: bool,
}

const CHANGES: [&str; 4] = ["INSERT", "UPDATE", "DELETE", "REPLACE"];

/// The statements of a text, without those that are empty.
pub fn statements(raw: &ast::Raw) -> Vec<ast::Raw> {
    let tokens = lex::tokens(&raw.text);
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

/// Checks one statement, adds what is wrong with it to `diagnostics`, and tells what is known of it.
pub fn change(request: &SqlRequest<'_>, sqlite: &dyn Sqlite, diagnostics: &mut Vec<Diagnostic>) -> Changes {
    let query = Query::of(request, sqlite);
    let mut found = Vec::new();
    let changes = check(&query, &mut found);
    let ok = is_sound(found, diagnostics);
    Changes { ok, ..changes }
}

fn check(query: &Query<'_>, found: &mut Vec<Diagnostic>) -> Changes {
    if !syntax::characters(query, found) {
        return Changes::default();
    }
    let known = Changes { params: params::check(query, found), ..Changes::default() };
    if !is_change(query, found) {
        return known;
    }
    steady::check(query, found);
    let Some(attached) = attach::databases(query, found) else { return known };
    let ddl = ddl(query.request.tables, &attached);
    match query.sqlite.prepare(&ddl, query.text) {
        Ok(prepared) => {
            steady::check_prepared(query, &prepared, found);
            found.extend(computed::mistakes(query));
            Changes { reads: reads(query, &prepared), surely: adds_a_row(query.tokens), ..known }
        }
        Err(error) => {
            if !refuse::tables_are_sound(query, &ddl, &error, found) {
                return known;
            }
            if !syntax::is_syntax(&error.message) {
                refuse::report(query, &error, found);
            } else if found.is_empty() {
                syntax::report(query, &ddl, &error, found);
            }
            known
        }
    }
}

/// `INSERT INTO … VALUES …`, without what it does where there is such a row already.
fn adds_a_row(tokens: &[Token<'_>]) -> bool {
    let has = |word: &str| tokens.iter().any(|token| token.is(word));
    tokens.first().is_some_and(|first| first.is("INSERT"))
        && has("VALUES")
        && !["OR", "CONFLICT", "SELECT"].into_iter().any(has)
}

/// Whether it changes rows; if not, that is reported.
fn is_change(query: &Query<'_>, found: &mut Vec<Diagnostic>) -> bool {
    let Some(first) = query.tokens.first() else { return false };
    let mut depth = 0_i32;
    let main = if first.is("WITH") {
        query.tokens.iter().find(|token| {
            depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
            depth == 0 && CHANGES.iter().chain(&["SELECT", "VALUES"]).any(|word| token.is(word))
        })
    } else {
        Some(first)
    };
    let Some(main) = main.filter(|main| !CHANGES.iter().any(|word| main.is(word))) else { return true };
    let span = query.token_span(main);
    let database = query.scope();
    if ["SELECT", "VALUES", "EXPLAIN"].iter().any(|word| main.is(word)) {
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
    let kind = query.tokens.get(1).filter(|_| ["CREATE", "DROP", "ALTER"].iter().any(|word| main.is(word)));
    let words = match kind {
        Some(kind) => format!("{} {}", main.text, kind.text).to_ascii_uppercase(),
        None => main.text.to_ascii_uppercase(),
    };
    let Some(label) = label(main) else {
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

/// What a statement does that is not a change of rows.
fn label(main: &Token<'_>) -> Option<&'static str> {
    let is = |words: &[&str]| words.iter().any(|word| main.is(word));
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

/// The columns that SQLite reads. Names of tables are not told apart by database: there is one.
fn reads(query: &Query<'_>, prepared: &Prepared) -> Vec<(RelationId, ColumnId)> {
    let mut reads = Vec::new();
    for table in query.request.tables {
        for (_, column) in prepared.reads.iter().filter(|(name, _)| super::same(name, table.name)) {
            let read = table.columns.iter().find(|known| super::same(known.name, column));
            reads.extend(read.map(|column| (table.id, column.id)));
        }
    }
    reads.sort_unstable();
    reads.dedup();
    reads
}
