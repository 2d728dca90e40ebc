//! The check of a query: by its text, by SQLite, and by its tree.

use model::span::Span;

use super::analysis::{SqlAnalysis, build_analysis};
use super::attach::select_databases;
use super::ddl::build_ddl;
use super::lints::findings::Lints;
use super::lints::recased::find_recased_texts;
use super::params::check_parameters;
use super::request::{Query, SqlRequest};
use super::select::analyse_tree;
use super::table_aggregates::find_table_aggregate;
use super::{determinism, sqlite_errors, statement, syntax_errors};
use syntax::diagnostics::Diagnostic;
use syntax::host::{Prepared, SqlError, Sqlite};

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
    let meaning = analyse_tree(&Query::new(request, sqlite), tree, Some(Lints::default()));
    let mut odd = meaning.odd;
    odd.findings.extend(meaning.idle);
    odd.findings.extend(find_recased_texts(&meaning.predicates, request));
    SqlAnalysis { understood: meaning.complete, odd, ..SqlAnalysis::default() }
}

/// Adds what was found to `diagnostics`, in order and each once. Returns `true` if nothing was found.
pub(super) fn is_sound(mut found: Vec<Diagnostic>, diagnostics: &mut Vec<Diagnostic>) -> bool {
    found.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.primary.span.end));
    found.dedup_by(|later, first| later.code == first.code && later.primary.span == first.primary.span);
    let sound = found.is_empty();
    diagnostics.append(&mut found);
    sound
}

/// Checks the text of a query or statement, adds its good parameters to `params`, and lets SQLite prepare it. `is_allowed` reports any other kind of statement.
/// Returns `None` if it cannot be prepared at all, which is reported; a refusal by SQLite is not.
pub(super) fn prepare(
    query: &Query<'_>,
    is_allowed: impl Fn(&Query<'_>, &mut Vec<Diagnostic>) -> bool,
    params: &mut Vec<(String, Span)>,
    found: &mut Vec<Diagnostic>,
) -> Option<Result<Prepared, SqlError>> {
    if !syntax_errors::check_characters(query, found) {
        return None;
    }
    params.extend(check_parameters(query, found));
    if !is_allowed(query, found) {
        return None;
    }
    determinism::report_nondeterminism(query, found);
    let attached = select_databases(query, found)?;
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
    let mut meaning = tree.map(|tree| analyse_tree(query, tree, prepared.is_ok().then(Lints::default)));
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
    let whole =
        tree.zip(meaning.as_ref()).and_then(|(tree, meaning)| find_table_aggregate(query.request, tree, meaning));
    SqlAnalysis { whole, ..build_analysis(query, &prepared, meaning, params) }
}
