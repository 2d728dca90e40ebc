//! Checks that a query is a single statement that only reads.

use super::brackets::{is_any_at, list_top_level};
use super::lex::{Token, tokenize_sql};
use super::query_text::SqlText;
use super::request::Query;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::host::Prepared;

/// The statements that change rows.
pub const CHANGES: &str = "INSERT UPDATE DELETE REPLACE";

/// The other statements that do not only read.
const OTHER_WRITES: &str = "CREATE DROP ALTER PRAGMA ATTACH DETACH VACUUM REINDEX ANALYZE BEGIN COMMIT ROLLBACK SAVEPOINT \
    RELEASE END";

/// The keyword of a statement, after its `WITH`.
pub fn find_main_word<'t, 's>(tokens: &'t [Token<'s>]) -> Option<&'t Token<'s>> {
    let first = tokens.first()?;
    if !first.is_keyword("WITH") {
        return Some(first);
    }
    let is_main = |at: &usize| is_any_at(tokens, *at, "SELECT VALUES") || is_any_at(tokens, *at, CHANGES);
    tokens.get(list_top_level(tokens).find(is_main)?)
}

fn is_write_word(main: &Token<'_>) -> bool {
    main.is_any(CHANGES) || main.is_any(OTHER_WRITES)
}

/// Whether SQL is a statement that does not only read.
pub fn is_write_statement(sql: &str) -> bool {
    find_main_word(&tokenize_sql(sql)).is_some_and(is_write_word)
}

/// Whether it is `INSERT INTO … VALUES …` without a clause for existing rows, which adds a row or fails.
pub fn is_plain_insert(sql: &SqlText<'_>) -> bool {
    let has = |word: &str| sql.tokens.iter().any(|token| token.is_keyword(word));
    sql.tokens.first().is_some_and(|first| first.is_keyword("INSERT"))
        && has("VALUES")
        && !["OR", "CONFLICT", "SELECT"].into_iter().any(has)
}

/// Whether the text is a single `SELECT`, `WITH … SELECT`, or `VALUES`; if not, that is reported.
pub fn check_statement(query: &Query<'_>, found: &mut Vec<Diagnostic>) -> bool {
    if query.tokens.is_empty() {
        let span = query.whole_span();
        found.push(Diagnostic::new(Code::SQL_SYNTAX, "the query is missing", span, "").help("write `SELECT … FROM …`"));
        return false;
    }
    let mut ended = None;
    for token in query.tokens {
        if let Some(end) = ended {
            let message = "a placeholder can contain only one query";
            let diagnostic = Diagnostic::new(Code::SQL_SYNTAX, message, query.to_token_span(token), "the second query")
                .label(query.to_token_span(end), "the first one ends here")
                .help("put each query in a placeholder of its own: `a = <<value: SELECT …>>` and `b = <<value: SELECT …>>`");
            if !token.is_punct(";") {
                found.push(diagnostic);
                return false;
            }
        } else if token.is_punct(";") {
            ended = Some(token);
        }
    }
    let Some(main) = find_main_word(query.tokens) else { return true };
    if is_write_word(main) {
        let word = main.text.to_ascii_uppercase();
        let message = format!("`{word}` is not allowed in a query");
        found.push(build_write_error(message, query.to_token_span(main)));
        return false;
    }
    if main.is_keyword("EXPLAIN") {
        let diagnostic = Diagnostic::new(
            Code::SQL_SYNTAX,
            "`EXPLAIN` does not return data",
            query.to_token_span(main),
            "remove this",
        )
        .remove(Applicability::Unsafe, query.to_token_span(main), "EXPLAIN");
        found.push(diagnostic);
        return false;
    }
    true
}

/// Reports a query that writes according to SQLite, although its words do not show it.
pub fn check_prepared(query: &Query<'_>, prepared: &Prepared, found: &mut Vec<Diagnostic>) {
    if !prepared.read_only && found.is_empty() {
        let message = "the query changes the database, but queries are read-only";
        found.push(build_write_error(message.to_owned(), query.whole_span()));
    }
}

fn build_write_error(message: String, span: syntax::ast::Span) -> Diagnostic {
    Diagnostic::new(Code::SQL_WRITES, message, span, "writes")
        .help("start the query with SELECT, WITH, or VALUES; rows come from the columns of the table, not from SQL")
}
