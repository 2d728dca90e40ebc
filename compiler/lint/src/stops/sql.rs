//! Proofs that a query has a result that the language can use, from its analysis and from the possible values of its tables.

use model::functions::QueryResult;
use model::json::is_json_text;
use model::statistics::MAX_FREEDOM;
use model::suite::Scope;
use model::{Value, ValueType};

use super::apart::is_apart;
use hir::facts::{Fact, Facts};
use hir::terms::TermFacts;
use hir::types::TyKind;
use hir::{ExprKind, FileContent, Relation, Rows, Sql, Task};
use sql::terms::Term;
use sql::{Growth, Risk, SqlAnalysis, SqlOutput, is_plain_format};

/// The most combinations of rows that a query surely handles within its limits: each takes some of the 500 million steps of SQLite.
pub(super) const MAX_COMBINED: u64 = 10_000_000;

/// How often a table counts that is read at two places or more.
const MAX_AGAIN: u32 = 3;

/// The most bytes of a blob that is surely not too large, also if it is written in digits.
const MAX_BYTES: i64 = 10_000;

/// The ends of the sums that an int surely holds.
const MAX_SUM: f64 = 9.2e18;

/// Numbers up to this one can be squared and added up.
const MAX_MEASURED: f64 = 1e15;

/// Few enough degrees of freedom that each row takes few steps.
const FEW_DEGREES: f64 = 100.0;

/// Doubles tell all decimals with fewer units than this apart.
const MAX_UNITS: f64 = 9_007_199_254_740_992.0;

/// Whether a query always has a result of the kind that is asked for.
pub(super) fn is_safe_query<'a>(facts: &Facts<'a>, sql: &'a Sql, wanted: Option<QueryResult>, scope: Scope) -> bool {
    let analysis = &sql.analysis;
    let terms = TermFacts { facts, sql, scope };
    analysis.ok
        && analysis.understood
        && (wanted != Some(QueryResult::Value) || analysis.at_most_one_row)
        && has_safe_parameters(sql)
        && has_safe_risks(&terms, analysis)
        && analysis.columns.iter().all(|output| is_usable(&terms, output))
        && is_small(facts, analysis)
        && count_grown(&terms, analysis)
            .zip(count_combined(facts, analysis))
            .is_some_and(|(grown, combined)| grown.saturating_mul(combined) <= MAX_COMBINED)
}

/// Whether no part of a query fails, whatever the values are. How many rows it has is another question.
pub(super) fn has_safe_risks(terms: &TermFacts<'_, '_>, analysis: &SqlAnalysis) -> bool {
    analysis.risks.iter().all(|risk| is_avoided(terms, risk))
}

/// The most rows of tables of WITH that read themselves, all combined. `None` if they are not known.
fn count_grown(terms: &TermFacts<'_, '_>, analysis: &SqlAnalysis) -> Option<u64> {
    let growths = analysis.risks.iter().filter_map(|risk| match risk {
        Risk::Growth(growth) => Some(growth),
        _ => None,
    });
    growths.map(|growth| count_rows_of(terms, growth)).try_fold(1u64, |all, rows| all.checked_mul(rows?.max(1)))
}

fn count_rows_of(terms: &TermFacts<'_, '_>, growth: &Growth) -> Option<u64> {
    match growth {
        Growth::Picked(columns) => columns.iter().try_fold(1u64, |all, picked| {
            let values = picked.iter().try_fold(0u64, |sum, term| sum.checked_add(count_values(terms, term)?))?;
            all.checked_mul(values)
        }),
        Growth::Counted { start, step, end } => {
            let (start, end) = (terms.infer(start), terms.infer(end));
            let (first, last) = match (start.days, end.days) {
                (Some((first, _)), Some((_, last))) => (i64::from(first.0), i64::from(last.0)),
                _ => (start.fact.as_int_range()?.0, end.fact.as_int_range()?.1),
            };
            let steps = last.checked_sub(first)?.max(0).checked_div(*step)?;
            u64::try_from(steps).ok()?.checked_add(2)
        }
    }
}

/// The most different values of a column, or of what is the same for all rows; null is one of them.
fn count_values(terms: &TermFacts<'_, '_>, term: &Term) -> Option<u64> {
    match term {
        Term::Column { relation, .. } => terms.facts.count_rows(*relation).most.checked_add(1),
        Term::Cell { of, .. } => count_values(terms, of)?.checked_add(1),
        Term::Literal(_) | Term::Param(_) => Some(1),
        _ => None,
    }
}

/// Whether LIMIT and OFFSET get numbers: the parameters after them, up to the end of their query.
fn has_safe_parameters(sql: &Sql) -> bool {
    let is_number = |value: &hir::Expr| value.ty.kind == TyKind::Int && !value.ty.nullable;
    let text = sql.text.to_ascii_lowercase();
    let ends = text.match_indices("limit").map(|(at, _)| text.get(at..).unwrap_or_default());
    let words: Vec<&str> = ends
        .flat_map(|rest| rest.split(')').next().unwrap_or_default().split(|c: char| !c.is_alphanumeric() && c != '_'))
        .collect();
    sql.params.iter().all(|(name, value)| is_number(value) || !words.iter().any(|word| word.eq_ignore_ascii_case(name)))
}

fn is_avoided(terms: &TermFacts<'_, '_>, risk: &Risk) -> bool {
    match risk {
        Risk::Open => false,
        Risk::Order | Risk::Growth(_) => true,
        Risk::Overflow(term) => {
            let fact = terms.infer(term).fact;
            // Only the least int has no opposite.
            is_within(&fact, MAX_SUM) || fact.as_int_range().is_some_and(|(low, _)| low > i64::MIN)
        }
        Risk::Repeated(all) => match all.as_slice() {
            [Term::Column { relation, column, .. }] => terms.facts.lookup_column(*relation, *column).unique,
            _ => {
                let known: Vec<_> = all.iter().map(|term| terms.infer(term)).collect();
                known.iter().enumerate().all(|(at, a)| known.iter().skip(at + 1).all(|b| is_apart(a, b)))
            }
        },
        Risk::Size(term) => terms.infer(term).fact.as_int_range().is_some_and(|(_, high)| high <= MAX_BYTES),
        Risk::Json(term) => {
            let known = terms.infer(term).fact;
            known.is_null_only() || known.closed.is_some_and(|values| values.iter().all(is_json))
        }
        Risk::Beyond(term, least, most) => is_between(terms, term, *least, *most),
        // A query without tables computes it once.
        Risk::Freedom(term) => {
            let is_once = terms.sql.analysis.tables.is_empty() && !has_growth(&terms.sql.analysis);
            is_between(terms, term, 1.0, if is_once { MAX_FREEDOM } else { FEW_DEGREES })
        }
        Risk::Format(term) => {
            let known = terms.infer(term).fact;
            let is_plain = |format: &Value| format.as_text().is_some_and(is_plain_format);
            known.is_null_only() || known.closed.is_some_and(|formats| formats.iter().all(is_plain))
        }
        Risk::Clock(all) => all.iter().all(|term| {
            let known = terms.infer(term);
            let is_plain = |value: &Value| value.as_text().is_none_or(|text| !is_of_clock(text));
            known.days.is_some()
                || known.moments.is_some()
                || known.fact.closed.is_some_and(|values| values.iter().all(is_plain))
        }),
        Risk::Numbers(all) => all.iter().all(|term| is_within(&terms.infer(term).fact, MAX_MEASURED)),
    }
}

/// Whether a term is a number between these ends where it is not null.
fn is_between(terms: &TermFacts<'_, '_>, term: &Term, least: f64, most: f64) -> bool {
    let ends = terms.infer(term).fact.range;
    let ends = ends.and_then(|(low, high)| low.as_f64().zip(high.as_f64()));
    ends.is_some_and(|(low, high)| low >= least && high <= most)
}

/// Whether a table of WITH reads itself.
fn has_growth(analysis: &SqlAnalysis) -> bool {
    analysis.risks.iter().any(|risk| matches!(risk, Risk::Growth(_)))
}

/// Whether a value is JSON to SQLite: a number, or such a text.
fn is_json(value: &Value) -> bool {
    match value {
        Value::Int(_) => true,
        Value::Text(text) => is_json_text(text),
        _ => false,
    }
}

/// Whether a text asks for what only the machine knows.
fn is_of_clock(text: &str) -> bool {
    let text = text.trim();
    ["now", "localtime", "utc", "auto"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether each value is a number between these limits, or null.
pub(super) fn is_within(fact: &Fact<'_>, limit: f64) -> bool {
    let ends = fact.range.as_ref().and_then(|(low, high)| low.as_f64().zip(high.as_f64()));
    fact.is_empty() || ends.is_some_and(|(low, high)| low > -limit && high < limit)
}

/// Whether each value of an output can be converted to its type.
fn is_usable(terms: &TermFacts<'_, '_>, output: &SqlOutput) -> bool {
    let known = || output.term.as_deref().map(|term| terms.infer(term));
    let is_number = |limit: f64| known().is_some_and(|known| is_within(&known.fact, limit));
    let is_column = output.origin.is_some();
    match output.value_type {
        Some(ValueType::Text | ValueType::Bool) => true,
        Some(ValueType::Date) => is_column || known().is_some_and(|known| known.days.is_some()),
        Some(ValueType::DateTime) => is_column || known().is_some_and(|known| known.moments.is_some()),
        Some(ValueType::Int) => is_column || is_int(known().map(|known| known.fact)),
        Some(ValueType::Float) => is_column || is_number(f64::MAX),
        Some(ValueType::Decimal(places)) => {
            let limit = MAX_UNITS / libm::pow(10.0, f64::from(places)) / 2.0;
            let cells = output.origin.map(|(relation, column)| terms.facts.lookup_column(relation, column));
            cells.is_some_and(|cells| is_within(&cells, limit)) || is_number(limit)
        }
        _ => known().is_some_and(|known| known.is_text() == Some(true) || is_within(&known.fact, f64::MAX)),
    }
}

/// Whether each value is an int, or null: SQLite goes on with doubles where ints overflow.
fn is_int(fact: Option<Fact<'_>>) -> bool {
    fact.is_some_and(|fact| fact.is_empty() || matches!(fact.range, Some((Value::Int(_), Value::Int(_)))))
}

/// Whether a query has few rows to combine.
pub(super) fn is_small(facts: &Facts<'_>, analysis: &SqlAnalysis) -> bool {
    count_combined(facts, analysis).is_some_and(|combined| combined <= MAX_COMBINED)
}

/// The most combinations of the rows that a query reads, those of its views with all rows that these read. `None` if they are not known.
fn count_combined(facts: &Facts<'_>, analysis: &SqlAnalysis) -> Option<u64> {
    analysis.tables.iter().try_fold(1u64, |all, relation| {
        let times = if analysis.again.contains(relation) { MAX_AGAIN } else { 1 };
        let own = facts.task().relations.get(*relation)?;
        let is_view = matches!(own.rows, Rows::View(_)) || is_unread_view(facts.task(), own);
        let rows = match is_view {
            true => count_combined(facts, &find_view(facts, own).filter(|view| is_safe_rows(facts, view))?.analysis)?,
            false => facts.count_rows(*relation).most,
        };
        all.checked_mul(rows.max(1).checked_pow(times)?)
    })
}

/// Whether all rows of a view can be read.
pub(super) fn is_safe_view<'a>(facts: &Facts<'a>, relation: &'a Relation) -> bool {
    find_view(facts, relation).is_some_and(|view| is_safe_rows(facts, view))
}

fn is_safe_rows<'a>(facts: &Facts<'a>, view: &'a Sql) -> bool {
    is_safe_query(facts, view, Some(QueryResult::Rows), Scope::default())
}

/// The query of a view.
fn find_view<'a>(facts: &Facts<'a>, relation: &Relation) -> Option<&'a Sql> {
    let task = facts.task();
    let FileContent::Sqlite { views, .. } = &task.files.get(relation.file?)?.content else { return None };
    let view = views.iter().find(|view| view.name.eq_ignore_ascii_case(&relation.table))?;
    let mut queries = task.notes.views.iter().filter(|sql| sql.text == view.sql && sql.database == relation.file);
    queries.next()
}

/// Whether a relation is a view that nothing reads, so it is never made.
pub(super) fn is_unread_view(task: &Task, relation: &Relation) -> bool {
    let content = relation.file.and_then(|file| task.files.get(file)).map(|file| &file.content);
    let is_unread = matches!(&relation.rows, Rows::Count(low, _) if low.kind == ExprKind::Unknown);
    match content {
        Some(FileContent::Sqlite { views, .. }) => {
            is_unread && views.iter().any(|view| view.name.eq_ignore_ascii_case(&relation.table))
        }
        _ => false,
    }
}
