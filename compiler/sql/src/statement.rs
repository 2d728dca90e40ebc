//! Checks that a query is a single statement that only reads.

use super::Query;
use super::lex::{Token, tokenize_sql};
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::host::Prepared;

const WRITES: [&str; 19] = [
    "INSERT",
    "UPDATE",
    "DELETE",
    "REPLACE",
    "CREATE",
    "DROP",
    "ALTER",
    "PRAGMA",
    "ATTACH",
    "DETACH",
    "VACUUM",
    "REINDEX",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT",
    "RELEASE",
    "END",
];

/// The keyword of a statement, after its `WITH`.
fn main_word<'t, 's>(tokens: &'t [Token<'s>]) -> Option<&'t Token<'s>> {
    let first = tokens.first()?;
    if !first.is_keyword("WITH") {
        return Some(first);
    }
    let mut depth = 0_i32;
    tokens.iter().find(|token| {
        depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
        depth == 0 && ["SELECT", "VALUES"].iter().chain(&WRITES[..4]).any(|word| token.is_keyword(word))
    })
}

/// Whether SQL is a statement that does not only read.
pub fn is_write_statement(sql: &str) -> bool {
    main_word(&tokenize_sql(sql)).is_some_and(|main| WRITES.iter().any(|word| main.is_keyword(word)))
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
    let Some(main) = main_word(query.tokens) else { return true };
    if WRITES.iter().any(|word| main.is_keyword(word)) {
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
        .fix("remove `EXPLAIN`", Applicability::Unsafe, query.to_token_span(main), "");
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
