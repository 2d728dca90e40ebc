//! The databases that a query is joined with. SQLite attaches at most ten, and reserves two names.

use super::request::{Query, is_same_name};
use super::wording::{build_refusal, remove_duplicates};
use syntax::diagnostics::Diagnostic;

const MAX_ATTACHED: usize = 10;

/// Selects the databases to attach: all of them, or those named in the query if all are too many. Returns `None` if these are too many or cannot be
/// distinguished, which is reported.
pub fn select_databases<'q>(query: &'q Query<'_>, found: &mut Vec<Diagnostic>) -> Option<Vec<&'q str>> {
    let databases: Vec<&str> = query.request.tables.iter().filter_map(|table| table.database).collect();
    let mut all = remove_duplicates(&databases);
    let named = |name: &str| query.tokens.iter().any(|token| token.is_named(name));
    if let Some(own) = all.iter().find(|name| is_own(name) && (named(name) || is_database_implied(query, name))) {
        let table = query.request.tables.iter().find(|table| table.database == Some(*own));
        let mut said = build_refusal(
            format!("SQL cannot read database `{own}`: the name is reserved in SQLite"),
            query.whole_span(),
            "reads it",
        )
        .help(format!("rename database `{own}`, or query it alone in its own placeholder"));
        if let Some(table) = table {
            said = said.label(table.span, format!("a table of `{own}`"));
        }
        found.push(said);
        return None;
    }
    all.retain(|name| !is_own(name));
    for (index, name) in all.iter().enumerate() {
        let Some(first) = all.iter().take(index).find(|first| is_same_name(first, name)) else { continue };
        let message = format!("SQL cannot distinguish the databases `{first}` and `{name}`");
        let help = "rename one of them, because SQL ignores letter case";
        found.push(build_refusal(message, query.whole_span(), "reads them").help(help));
        return None;
    }
    if all.len() > MAX_ATTACHED {
        all.retain(|name| named(name));
    }
    if all.len() > MAX_ATTACHED {
        let message = format!("the query reads {} databases, but SQLite joins at most {MAX_ATTACHED}", all.len());
        let help = "query some of them first in their own placeholders, and pass the results in as `:name`";
        found.push(build_refusal(message, query.whole_span(), "too many databases").help(help));
        return None;
    }
    Some(all)
}

fn is_own(name: &str) -> bool {
    is_same_name(name, "main") || is_same_name(name, "temp")
}

/// Whether an unqualified name in the query refers to a table of this database only.
fn is_database_implied(query: &Query<'_>, database: &str) -> bool {
    query.tokens.iter().enumerate().any(|(index, token)| {
        let tables = || query.request.tables.iter().filter(|table| token.is_named(table.name));
        let behind_dot =
            index.checked_sub(1).and_then(|at| query.tokens.get(at)).is_some_and(|before| before.is_punct("."));
        !behind_dot && tables().next().is_some() && tables().all(|table| table.database == Some(database))
    })
}
