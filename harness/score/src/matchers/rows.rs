//! `rows` and `sql`: compare rows. Names of columns do not count, but their number and order do; with `open`, columns are found by their names.

use model::Value;
use model::answer_key::rounded::round_number;
use model::suite::{Options, SortKey};
use model::value::RowSet;
use records::Reason;

use crate::finding::{Finding, MAX_DIFFERENCES, new_difference};
use crate::got::ResponseValue;
use crate::key::{Key, Leaf, render_expected};
use crate::matching::list_unmatched;
use crate::order::match_rows;
use crate::read::table::{Others, Table};
use crate::read::{Unreadable, sql, table};
use crate::start_files::StartFiles;

/// Compares a text that is a table of rows.
pub fn check_rows(text: &str, key: &Key<'_>) -> Finding {
    let Value::Rows(set) = key.value else {
        return Finding::wrong(Reason::BadKey, "the answer of `rows` is not a result set", "");
    };
    let limit = key.build_limit();
    let table = table::parse_table(text, &set.columns, choose_others(key), key.rules, &limit);
    limit.build_finding().unwrap_or_else(|| check_table(set, table, key))
}

/// Whether columns that are not expected are read over.
fn choose_others(key: &Key<'_>) -> Others {
    if key.is_open("") { Others::Allowed } else { Others::Refused }
}

fn check_table(set: &RowSet, table: Result<table::Table, Unreadable>, key: &Key<'_>) -> Finding {
    match table {
        Ok(mut table) => {
            if key.is_open("") {
                table.select_expected(&set.columns);
            }
            let width = table.names.as_ref().map(Vec::len);
            compare_rows(set, table.rows, width, key)
        }
        Err(why) => Finding::wrong(Reason::NotRows, "a table of rows", why.to_string()),
    }
}

/// Compares the rows of a file.
pub fn check_row_table(table: Table, key: &Key<'_>) -> Finding {
    match key.value {
        Value::Rows(set) => check_table(set, Ok(table), key),
        _ => Finding::wrong(Reason::BadKey, "the answer of `rows` is not a result set", ""),
    }
}

/// Compares a value that is an array of rows.
pub fn check_row_items(got: ResponseValue, key: &Key<'_>) -> Finding {
    let Value::Rows(set) = key.value else {
        return Finding::wrong(Reason::BadKey, "the answer of `rows` is not a result set", "");
    };
    let table = match got {
        ResponseValue::Array(items) => table::build_from_items(items, &set.columns, choose_others(key), key.rules),
        _ => Err(Unreadable::NoArray),
    };
    check_table(set, table, key)
}

/// Runs a query, and compares its rows.
pub fn judge_query(text: &str, key: &Key<'_>, database: Option<&str>, start: &dyn StartFiles) -> Finding {
    let Value::Rows(set) = key.value else {
        return Finding::wrong(Reason::BadKey, "the answer of `sql` is not a result set", "");
    };
    let Some(bytes) = database.and_then(|path| start.read_file(path)) else {
        let path = database.unwrap_or_default();
        return Finding::wrong(Reason::BadKey, format!("the database `{path}` for the query does not exist"), "");
    };
    let limit = key.build_limit();
    match sql::run_query(&bytes, text, &limit) {
        Ok(table) => check_result(set, table, key),
        Err(refused) if limit.build_finding().is_some() => {
            Finding::wrong(Reason::SqlLimit, "a query that gives the rows", refused.why)
        }
        Err(refused) => Finding::wrong(refused.reason, "a query that gives the rows", refused.why),
    }
}

/// Compares the result of a query.
pub fn check_query_rows(table: Table, key: &Key<'_>) -> Finding {
    match key.value {
        Value::Rows(set) => check_result(set, table, key),
        _ => Finding::wrong(Reason::BadKey, "the answer of `sql` is not a result set", ""),
    }
}

/// Compares the result of a query. Without rows, the number of its columns does not count.
fn check_result(set: &RowSet, mut table: Table, key: &Key<'_>) -> Finding {
    if key.is_open("") {
        table.select_expected(&set.columns);
    }
    compare_rows(set, table.rows, None, key)
}

fn compare_rows(set: &RowSet, got: Vec<Vec<ResponseValue>>, width: Option<usize>, key: &Key<'_>) -> Finding {
    let expected = set.columns.len();
    if let Some(found) = width.or_else(|| got.first().map(Vec::len)).filter(|found| *found != expected) {
        return Finding::wrong(Reason::Differs, describe_count(expected, "column"), describe_count(found, "column"));
    }
    let options: Vec<Options> = set.columns.iter().map(|column| key.resolve_column_options(column)).collect();
    let build = |(cell, options): (&Value, &Options)| key.build_leaf_with(cell, options);
    let wanted: Vec<Vec<Leaf>> = set.rows.iter().map(|row| row.iter().zip(&options).map(build).collect()).collect();
    let fits = |a: usize, b: usize| wanted[a].iter().zip(&got[b]).all(|(leaf, got)| leaf.is_match(got));
    let all = wanted.len().max(got.len());
    let in_place = |at: usize| at < wanted.len() && at < got.len() && fits(at, at);
    if wanted.len() == got.len() && (0..all).all(in_place) {
        return Finding::right();
    }
    let mut differences = Vec::new();
    if wanted.len() != got.len() {
        differences.push(new_difference("", describe_count(wanted.len(), "row"), describe_count(got.len(), "row")));
    }
    if key.is_ordered("") {
        for at in (0..all).filter(|at| !in_place(*at)).take(MAX_DIFFERENCES) {
            let expected =
                set.rows.get(at).map_or_else(|| "no such row".to_owned(), |row| render_expected_row(row, &options));
            differences.push(new_difference(
                format!("/{at}"),
                expected,
                got.get(at).map_or("missing".to_owned(), |row| render_got_row(row)),
            ));
        }
        return Finding::from_differences(differences);
    }
    let partners = pair_rows(set, &wanted, &got, key);
    if wanted.len() == got.len() && partners.iter().all(Option::is_some) {
        return Finding::right();
    }
    let mut extra = list_unmatched(&partners, got.len());
    for (row, _) in set.rows.iter().zip(&partners).filter(|(_, partner)| partner.is_none()).take(MAX_DIFFERENCES) {
        let (place, text) = match extra.next() {
            Some(at) => (format!("/{at}"), render_got_row(&got[at])),
            None => (String::new(), "missing".to_owned()),
        };
        differences.push(new_difference(place, render_expected_row(row, &options), text));
    }
    for at in extra.take(MAX_DIFFERENCES) {
        differences.push(new_difference(format!("/{at}"), "no such row", render_got_row(&got[at])));
    }
    Finding::from_differences(differences)
}

/// Finds a partner for each expected row. With `ordered by`, rows that are equal in its columns are together, and each group is in its place.
fn pair_rows(set: &RowSet, wanted: &[Vec<Leaf>], got: &[Vec<ResponseValue>], key: &Key<'_>) -> Vec<Option<usize>> {
    let leaves: Vec<Vec<&Leaf>> = wanted.iter().map(|row| row.iter().collect()).collect();
    let keys = key.resolve_options("").sorted_by;
    if keys.is_empty() || wanted.len() != got.len() {
        return match_rows(&leaves, got, key.rules);
    }
    let mut partners = Vec::with_capacity(wanted.len());
    for group in list_ties(set, &keys, |column| key.resolve_column_options(column).rounded) {
        let start = partners.len();
        let end = start + group.len();
        let found = match_rows(&leaves[start..end], &got[start..end], key.rules);
        partners.extend(found.into_iter().map(|at| at.map(|at| start + at)));
    }
    partners
}

/// Divides the expected rows into those that are equal in the columns by which they are ordered, each rounded to its number of decimal places, if it has one.
pub fn list_ties<'s>(
    set: &'s RowSet,
    keys: &[SortKey],
    find_places: impl Fn(&str) -> Option<u8>,
) -> Vec<&'s [Vec<Value>]> {
    let find_column = |key: &SortKey| {
        let at = set.columns.iter().position(|column| *column == key.column)?;
        Some((at, find_places(&key.column)))
    };
    let columns: Vec<(usize, Option<u8>)> = keys.iter().filter_map(find_column).collect();
    let round = |value: Option<&Value>, places: Option<u8>| round_number(value?, places);
    let is_tie = |a: &[Value], b: &[Value], (at, places): (usize, Option<u8>)| {
        let (a, b) = (a.get(at), b.get(at));
        a == b || round(a, places).is_some_and(|number| round(b, places) == Some(number))
    };
    set.rows.chunk_by(|a, b| columns.iter().all(|column| is_tie(a, b, *column))).collect()
}

fn describe_count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn render_expected_row(row: &[Value], options: &[Options]) -> String {
    row.iter().zip(options).map(|(cell, options)| render_expected(cell, options)).collect::<Vec<_>>().join(" | ")
}

fn render_got_row(row: &[ResponseValue]) -> String {
    row.iter().map(ResponseValue::render_line).collect::<Vec<_>>().join(" | ")
}
