//! Other errors of SQLite, with their positions and in the author's terms.

use super::lex::Token;
use super::names;
use super::request::{Query, SqlTable, is_same_name};
use super::unknown_columns::{Reachable, Scope, Unknown, describe_unknown_column};
use super::wording::build_refusal;
use syntax::ast::Span;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::SqlError;

/// Whether SQLite's message is about a name.
pub fn is_name(message: &str) -> bool {
    const STARTS: [&str; 6] = [
        "no such column",
        "no such table",
        "no such function",
        "ambiguous column",
        "cannot join using column",
        "unknown database",
    ];
    STARTS.iter().any(|start| message.starts_with(start)) || message.contains("ORDER BY term does not match")
}

/// Whether the query exceeds a limit of SQLite; its tree is then not visited either.
pub fn is_limit(message: &str) -> bool {
    const PARTS: [&str; 6] =
        ["too large", "too many terms in compound", "stack overflow", "too deep", "Recursion limit", "too big"];
    PARTS.iter().any(|part| message.contains(part))
}

/// Whether the tables can be created; if not, that is reported, because the query is not the cause.
pub fn check_tables(query: &Query<'_>, ddl: &[String], error: &SqlError, found: &mut Vec<Diagnostic>) -> bool {
    if error.offset.is_some() {
        return true;
    }
    let Err(error) = query.sqlite.prepare_query(ddl, "SELECT 1") else { return true };
    let tables = query.request.tables;
    let report_alike = |found: &mut Vec<Diagnostic>, what: String, label: &str, spans: [Span; 2]| {
        let diagnostic = build_refusal(format!("SQL cannot distinguish the {what}"), query.whole_span(), label)
            .label(spans[0], "one")
            .label(spans[1], "the other")
            .help("rename one of them, because SQL ignores letter case");
        found.push(diagnostic);
        false
    };
    for (index, table) in tables.iter().enumerate() {
        for (place, column) in table.columns.iter().enumerate() {
            if let Some(first) = table.columns.iter().take(place).find(|first| is_same_name(first.name, column.name)) {
                let what = format!("columns `{}` and `{}` of `{}`", first.name, column.name, table.name);
                return report_alike(found, what, "reads this table", [first.span, column.span]);
            }
        }
        let is_alike = |first: &&SqlTable<'_>| is_same_name(first.name, table.name) && first.database == table.database;
        if let Some(first) = tables.iter().take(index).find(is_alike) {
            let what = format!("tables `{}` and `{}`", first.name, table.name);
            return report_alike(found, what, "reads them", [first.span, table.span]);
        }
    }
    let diagnostic = build_refusal("SQLite cannot create the tables of the query", query.whole_span(), "reads them");
    found.push(diagnostic.help(format!("SQLite says: {}", error.message)));
    false
}

/// Explains an error of SQLite.
pub fn report_refusal(query: &Query<'_>, error: &SqlError, found: &mut Vec<Diagnostic>) {
    let message = error.message.as_str();
    let at = error.offset.and_then(|offset| query.find_token_at(offset)).map(|(_, token)| *token);
    if let Some(diagnostic) = explain_name_error(query, message, at) {
        found.push(diagnostic);
        return;
    }
    let (text, place, help) = explain_message(query, message, at);
    let span = place.or(at.map(|token| query.to_token_span(&token))).or_else(|| find_last_word(query, message));
    let span = span.unwrap_or(query.whole_span());
    let said = match text {
        Some((code, text)) => Diagnostic::new(code, text, span, ""),
        None => build_refusal("SQLite rejects the query", span, "").help(format!("SQLite says: {message}")),
    };
    let said = match help {
        Some(help) => said.help(help),
        None => said,
    };
    if !found.iter().any(|diagnostic| diagnostic.primary.span == said.primary.span) {
        found.push(said);
    }
}

/// Explains an error about a name if the query could not be parsed to a tree.
fn explain_name_error(query: &Query<'_>, message: &str, at: Option<Token<'_>>) -> Option<Diagnostic> {
    let after = |start: &str| message.strip_prefix(start).map(str::trim);
    if let Some(name) = after("no such function:") {
        let span = at.map_or(query.whole_span(), |token| query.to_token_span(&token));
        return Some(names::describe_unknown_function(name, span));
    }
    if let Some(written) = after("no such table:").or_else(|| after("unknown database")) {
        let (database, table) =
            written.split_once('.').map_or((None, written), |(database, table)| (Some(database), table));
        let (start, end) = find_name(query, table)?;
        let start =
            database.and_then(|database| find_name(query, database)).map_or(start, |(first, _)| first.min(start));
        return Some(
            names::describe_unknown_table(query, written, database, table, query.to_span((start, end))).diagnostic,
        );
    }
    if let Some(written) = after("no such column:") {
        // SQLite appends a hint to names in double quotes.
        let written = written.split(" - should this").next().unwrap_or(written).trim_matches('"');
        let name = written.rsplit('.').next().unwrap_or(written);
        let token = at.filter(|token| is_same_name(&token.to_unquoted(), name)).map(|token| (token.start, token.end()));
        let bytes = token.or_else(|| find_name(query, name))?;
        let quoted = query.slice_text(bytes).starts_with('"');
        let unknown = Unknown { name, quoted, bare: !written.contains('.'), bytes };
        return Some(describe_unknown_column(query, &unknown, &collect_mentioned_columns(query), None));
    }
    let column = after("ambiguous column name:")?;
    let name = column.rsplit('.').next().unwrap_or(column);
    let bytes = find_name(query, name)?;
    let message = format!("`{name}` is ambiguous: a column of several tables");
    Some(
        Diagnostic::new(Code::AMBIGUOUS_NAME, message, query.to_span(bytes), "which one?")
            .help(format!("write the table before it: `TABLE.{name}`")),
    )
}

/// The columns of all tables whose names occur in the query.
pub fn collect_mentioned_columns(query: &Query<'_>) -> Scope {
    let mut scope = Scope::default();
    for (index, table) in query.request.tables.iter().enumerate() {
        if query.tokens.iter().any(|token| token.is_named(table.name)) {
            scope.tables.push(index);
            scope.columns.extend(table.columns.iter().map(|column| Reachable {
                relation: table.name.to_owned(),
                table: table.name.to_owned(),
                column: column.name.to_owned(),
            }));
        }
    }
    scope
}

fn find_name(query: &Query<'_>, name: &str) -> Option<(usize, usize)> {
    let token = query.tokens.iter().find(|token| token.is_named(name))?;
    Some((token.start, token.end()))
}

/// The span of the last word in SQLite's message that occurs in the query.
fn find_last_word(query: &Query<'_>, message: &str) -> Option<Span> {
    let words = message.split(|c: char| !(c.is_alphanumeric() || c == '_')).rev();
    let mut names =
        words.filter(|word| word.chars().any(|c| !c.is_ascii_lowercase()) || message.ends_with(&format!(": {word}")));
    names.find_map(|word| find_name(query, word)).map(|bytes| query.to_span(bytes))
}

type Explained = (Option<(&'static Code, String)>, Option<Span>, Option<String>);

fn explain_message(query: &Query<'_>, message: &str, at: Option<Token<'_>>) -> Explained {
    let has = |part: &str| message.contains(part);
    let word =
        |word: &str| query.tokens.iter().find(|token| token.is_keyword(word)).map(|token| query.to_token_span(token));
    let said = |text: &str, place: Option<Span>, help: &str| {
        (Some((Code::SQL_REFUSED, text.to_owned())), place, Some(help.to_owned()))
    };
    let shape =
        |text: String, place: Option<Span>, help: &str| (Some((Code::SQL_SHAPE, text)), place, Some(help.to_owned()));
    let function = || at.map_or("the function".to_owned(), |token| format!("`{}`", token.text));
    if is_limit(message) {
        return said(
            "the query is too large or too deeply nested",
            None,
            "split it: compute a part of it under its own name",
        );
    }
    if has("misuse of aggregate") || has("misuse of aliased aggregate") {
        let text = format!("aggregate {} is not allowed here", function());
        return said(
            &text,
            None,
            "write a condition on groups in HAVING, or one value for all rows as a subquery: `WHERE AMT = (SELECT MAX(AMT) FROM …)`",
        );
    }
    if has("misuse of window") || has("misuse of aliased window") {
        let text = format!("window function {} is not allowed here", function());
        return said(
            &text,
            None,
            "put it in a subquery, and use its column outside: `FROM (SELECT …, RANK() OVER (…) AS place FROM …) WHERE place = 1`",
        );
    }
    if has("may not be used as a window function") {
        return said(&format!("{} cannot be used with OVER", function()), None, "remove `OVER (…)`");
    }
    if has("wrong number of arguments") {
        return said(
            &format!("{} does not take this many arguments", function()),
            None,
            "https://sqlite.org/lang_corefunc.html shows the arguments",
        );
    }
    if has("do not have the same number of result columns") {
        let operator = ["UNION", "INTERSECT", "EXCEPT"].into_iter().find(|operator| has(operator)).unwrap_or("UNION");
        let text = format!("the queries on both sides of `{operator}` have different numbers of columns");
        return shape(text, word(operator), "give both the same columns in the same order");
    }
    if has("sub-select returns") {
        let opening: Vec<usize> = (0..query.tokens.len().saturating_sub(1))
            .filter(|at| {
                query.tokens.get(*at).is_some_and(|t| t.is_punct("("))
                    && query.tokens.get(at + 1).is_some_and(|t| t.is_keyword("SELECT"))
            })
            .collect();
        let place = match opening.as_slice() {
            [only] => query.tokens.get(only + 1).map(|token| query.to_token_span(token)),
            _ => None,
        };
        let count = message.split_whitespace().find(|word| word.parse::<u32>().is_ok()).unwrap_or("several");
        return shape(
            format!("a query in parentheses needs one column, but this one has {count}"),
            place,
            "select one column",
        );
    }
    if has("HAVING clause on a non-aggregate") || has("GROUP BY clause is required before HAVING") {
        return said("`HAVING` needs groups", word("HAVING"), "write the condition in WHERE, or add GROUP BY");
    }
    if has("term out of range") {
        let which = if has("GROUP BY") { "GROUP" } else { "ORDER" };
        let text = format!("`{which} BY` names a column number that does not exist");
        let place = query.tokens.iter().rfind(|token| token.is_keyword(which)).map(|token| query.to_token_span(token));
        return said(&text, place, "columns of the output are numbered from 1; use their names");
    }
    if has("ORDER BY term does not match") {
        return said(
            "`ORDER BY` after UNION, INTERSECT, or EXCEPT can only name columns of the output",
            word("ORDER"),
            "use the name of an output column, as in SELECT … AS name",
        );
    }
    if has("clause should come after") {
        let which = if has("ORDER BY") { "ORDER" } else { "LIMIT" };
        return said(
            &format!("`{which}` belongs after the last query of a UNION, INTERSECT, or EXCEPT"),
            word(which),
            "move it to the end, or put this query in `SELECT * FROM (…)`",
        );
    }
    if has("no tables specified") {
        let star = query.tokens.iter().find(|token| token.is_punct("*")).map(|token| query.to_token_span(token));
        return said("`*` means all columns, but the query does not read a table", star, "add `FROM TABLE`");
    }
    if has("no such collation sequence") {
        return said("SQLite does not have this collation", None, "use BINARY, NOCASE, or RTRIM");
    }
    if has("all VALUES must have the same number") {
        return shape(
            "the rows of `VALUES` have different lengths".to_owned(),
            word("VALUES"),
            "give every row the same number of values",
        );
    }
    if has("values for") && has("columns") {
        return shape(
            "the table of WITH has a different number of names than its query has columns".to_owned(),
            None,
            "name each column once",
        );
    }
    if has("DISTINCT aggregates") || has("DISTINCT is not supported") {
        return said(
            "`DISTINCT` inside a function needs one column",
            word("DISTINCT"),
            "count rows of a subquery: `SELECT COUNT(*) FROM (SELECT DISTINCT A, B FROM …)`",
        );
    }
    if has("circular reference") || has("recursive reference") || has("recursive aggregate") {
        return said(
            "a table of WITH reads itself in a way that does not end or is not defined",
            None,
            "a recursive table is `start UNION ALL SELECT … FROM itself WHERE …`, without aggregates",
        );
    }
    if has("row value misused") || has("IN(...) element") {
        return said(
            "several values in parentheses appear where one is needed",
            None,
            "compare column by column with AND",
        );
    }
    if has("not authorized") || has("prohibited") {
        return (
            Some((Code::SQL_WRITES, "the query does more than read tables".to_owned())),
            None,
            Some("a query can only read the tables in scope".to_owned()),
        );
    }
    (None, None, None)
}
