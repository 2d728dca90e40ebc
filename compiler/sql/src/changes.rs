//! Sequences of statements that change rows of a database: INSERT, UPDATE, DELETE, REPLACE.

use std::collections::BTreeSet;

use model::span::Span;
use model::suite::{ColumnId, RelationId};

use super::analysis::list_prepared_reads;
use super::analysis::{SqlAnalysis, SqlOutput};
use super::check::{is_sound, prepare};
use super::earlier::Earlier;
use super::lex::{self, Token};
use super::lints::findings::Lints;
use super::meaning::Meaning;
use super::query_text::SqlText;
use super::request::{Query, SqlRequest};
use super::scope::Column;
use super::select::analyse_tree;
use super::statement::{CHANGES, find_main_word};
use super::{computed, determinism, parse, sqlite_errors};
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::{Prepared, Sqlite};

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

/// Returns the name of the table that a statement changes, and its place.
pub fn find_written_table(sql: &SqlText<'_>) -> Option<(String, Span)> {
    let table = computed::find_target(&sql.tokens)?.table;
    Some((table.to_unquoted(), sql.to_span((table.start, table.end()))))
}

/// Checks a statement, and adds its errors to `diagnostics` and its analysis to that of the preceding statements; `ok` becomes false if it has errors. `earlier`
/// contains the changes by preceding statements; the changes by this statement are added.
pub fn analyse_change(
    request: &SqlRequest<'_>,
    sqlite: &dyn Sqlite,
    earlier: &mut Earlier,
    all: &mut SqlAnalysis,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let tables = earlier.apply_to_tables(request.tables);
    let request = SqlRequest { tables: &tables, ..*request };
    let query = Query::new(&request, sqlite);
    let mut found = Vec::new();
    check_change(&query, earlier, all, &mut found);
    all.ok &= is_sound(found, diagnostics);
    earlier.add_statement(&query);
}

fn check_change(query: &Query<'_>, earlier: &Earlier, all: &mut SqlAnalysis, found: &mut Vec<Diagnostic>) {
    match prepare(query, is_change, &mut all.params, found) {
        Some(Ok(prepared)) => {
            determinism::check_prepared(query, &prepared, found);
            all.reads.extend(collect_read_columns(query, &prepared));
            let queries = computed::extract_queries(query.tokens);
            let mut own = Vec::new();
            for tokens in &queries {
                let Some(tree) = parse::parse_query(tokens) else { continue };
                let meaning = analyse_tree(query, &tree, Some(Lints::new_for_statement()));
                own.push(describe_statement_query(query, &meaning));
                add_query(query, earlier, meaning, all, found);
            }
            all.statements.push(own.pop().filter(|_| own.is_empty() && queries.len() == 1));
        }
        Some(Err(error)) => sqlite_errors::report_refusal(query, &error, found),
        None => {}
    }
}

/// What is known of the only query of a statement. Its terms are of the rows that earlier statements have left.
fn describe_statement_query(query: &Query<'_>, meaning: &Meaning) -> SqlAnalysis {
    let output = |column: &Column| SqlOutput {
        name: column.name.clone(),
        origin: column.value.origin.and_then(|origin| query.request.resolve_column(origin)),
        value_type: column.value.ty,
        nullable: column.value.nullable,
        blob: column.value.blob,
        term: column.value.term.clone(),
        ..SqlOutput::default()
    };
    SqlAnalysis {
        columns: meaning.columns.iter().flatten().map(output).collect(),
        understood: meaning.complete && meaning.columns.is_some(),
        at_most_one_row: meaning.at_most_one_row,
        tables: meaning.tables.iter().filter_map(|table| Some(query.request.tables.get(*table)?.id)).collect(),
        again: meaning.list_repeated_relations(query.request),
        risks: meaning.risks.clone(),
        ok: true,
        ..SqlAnalysis::default()
    }
}

/// Adds the analysis of a query in a statement.
fn add_query(
    query: &Query<'_>,
    earlier: &Earlier,
    mut meaning: Meaning,
    all: &mut SqlAnalysis,
    found: &mut Vec<Diagnostic>,
) {
    found.append(&mut meaning.certain);
    all.again.extend(meaning.list_repeated_relations(query.request));
    all.places.extend(meaning.list_column_places(query.request));
    let predicates = earlier.filter_predicates(meaning.predicates);
    all.predicates.atoms.extend(predicates.atoms);
    all.predicates.conjunctions.extend(predicates.conjunctions);
    all.by_letters.extend(meaning.by_letters);
    all.odd.findings.extend(meaning.odd.findings);
    all.odd.confusions.extend(meaning.odd.confusions);
}

/// Whether it changes rows; if not, that is reported.
fn is_change(query: &Query<'_>, found: &mut Vec<Diagnostic>) -> bool {
    if query.tokens.is_empty() {
        return false;
    }
    let Some(main) = find_main_word(query.tokens).filter(|main| !main.is_any(CHANGES)) else { return true };
    let span = query.to_token_span(main);
    let database = query.describe_scope();
    if main.is_any("SELECT VALUES EXPLAIN") {
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
    let kind = query.tokens.get(1).filter(|_| main.is_any("CREATE DROP ALTER"));
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
    const LABELS: [(&str, &str); 4] = [
        ("CREATE DROP ALTER", "changes the schema"),
        ("BEGIN COMMIT END ROLLBACK SAVEPOINT RELEASE", "controls a transaction"),
        ("ATTACH DETACH", "opens another database"),
        ("PRAGMA VACUUM REINDEX ANALYZE", "does not change rows"),
    ];
    LABELS.iter().find(|(words, _)| main.is_any(words)).map(|(_, label)| *label)
}

/// The columns that SQLite reads. Databases of tables are not compared, because there is only one.
fn collect_read_columns(query: &Query<'_>, prepared: &Prepared) -> Vec<(RelationId, ColumnId)> {
    let places = list_prepared_reads(query.request, prepared).into_iter();
    let reads = places.filter_map(|(table, column)| query.request.resolve_column((table, column?)));
    reads.collect::<BTreeSet<_>>().into_iter().collect()
}
