//! `rows` and `sql`: the same rows. Names of columns do not count, their number and order do.

use model::Value;
use model::suite::Options;
use model::value::RowSet;
use records::Reason;

use crate::Start;
use crate::finding::{Finding, MOST_DIFFERENCES, difference};
use crate::got::Got;
use crate::key::{Key, Leaf, shown};
use crate::order::partners;
use crate::read::{sql, table};

/// The text is a table of these rows.
pub fn are_rows(text: &str, key: &Key<'_>) -> Finding {
    let Value::Rows(set) = key.value else {
        return Finding::wrong(Reason::BadKey, "the answer of `rows` is not a result set", "");
    };
    let limit = key.limit();
    let table = table::table(text, &set.columns, key.rules, &limit);
    limit.finding().unwrap_or_else(|| of_table(set, table, key))
}

fn of_table(set: &RowSet, table: Result<table::Table, String>, key: &Key<'_>) -> Finding {
    match table {
        Ok(table) => {
            let width = table.names.as_ref().map(Vec::len);
            compare(set, table.rows, width, key)
        }
        Err(why) => Finding::wrong(Reason::NotRows, "a table of rows", why),
    }
}

/// The value is an array of these rows.
pub fn are_items(got: Got, key: &Key<'_>) -> Finding {
    let Value::Rows(set) = key.value else {
        return Finding::wrong(Reason::BadKey, "the answer of `rows` is not a result set", "");
    };
    let table = match got {
        Got::Array(items) => table::of_items(items, &set.columns, key.rules),
        _ => Err("the JSON is not an array".to_owned()),
    };
    of_table(set, table, key)
}

/// The text is a query that gives these rows.
pub fn is_query(text: &str, key: &Key<'_>, database: Option<&str>, start: &dyn Start) -> Finding {
    let Value::Rows(set) = key.value else {
        return Finding::wrong(Reason::BadKey, "the answer of `sql` is not a result set", "");
    };
    let Some(bytes) = database.and_then(|path| start.file(path)) else {
        let path = database.unwrap_or_default();
        return Finding::wrong(Reason::BadKey, format!("the database `{path}` for the query does not exist"), "");
    };
    let limit = key.limit();
    match sql::rows(&bytes, text, &limit) {
        Ok(rows) => compare(set, rows, None, key),
        Err(refused) if limit.finding().is_some() => {
            Finding::wrong(Reason::SqlLimit, "a query that gives the rows", refused.why)
        }
        Err(refused) => Finding::wrong(refused.reason, "a query that gives the rows", refused.why),
    }
}

/// A query gives these rows.
pub fn gives(rows: Vec<Vec<Got>>, key: &Key<'_>) -> Finding {
    match key.value {
        Value::Rows(set) => compare(set, rows, None, key),
        _ => Finding::wrong(Reason::BadKey, "the answer of `sql` is not a result set", ""),
    }
}

fn compare(set: &RowSet, got: Vec<Vec<Got>>, width: Option<usize>, key: &Key<'_>) -> Finding {
    let expected = set.columns.len();
    if let Some(found) = width.or_else(|| got.first().map(Vec::len)).filter(|found| *found != expected) {
        return Finding::wrong(Reason::Differs, columns(expected), columns(found));
    }
    let options = key.options("");
    let wanted: Vec<Vec<Leaf>> =
        set.rows.iter().map(|row| row.iter().map(|cell| key.leaf(cell, "")).collect()).collect();
    let fits = |a: usize, b: usize| wanted[a].iter().zip(&got[b]).all(|(leaf, got)| leaf.fits(got));
    let all = wanted.len().max(got.len());
    let in_place = |at: usize| at < wanted.len() && at < got.len() && fits(at, at);
    if wanted.len() == got.len() && (0..all).all(in_place) {
        return Finding::right();
    }
    let mut differences = Vec::new();
    if wanted.len() != got.len() {
        differences.push(difference("", rows(wanted.len()), rows(got.len())));
    }
    if key.ordered("") {
        for at in (0..all).filter(|at| !in_place(*at)).take(MOST_DIFFERENCES) {
            let expected = set.rows.get(at).map_or_else(|| "no such row".to_owned(), |row| shown_row(row, &options));
            differences.push(difference(
                format!("/{at}"),
                expected,
                got.get(at).map_or("missing".to_owned(), |row| got_row(row)),
            ));
        }
        return Finding::of(differences);
    }
    let partners = partners(&wanted, &got, key.rules);
    let mut used = vec![false; got.len()];
    partners.iter().flatten().for_each(|at| used[*at] = true);
    let mut extra = used.iter().enumerate().filter(|(_, used)| !**used).map(|(at, _)| at);
    for (row, _) in set.rows.iter().zip(&partners).filter(|(_, partner)| partner.is_none()).take(MOST_DIFFERENCES) {
        let (place, text) = match extra.next() {
            Some(at) => (format!("/{at}"), got_row(&got[at])),
            None => (String::new(), "missing".to_owned()),
        };
        differences.push(difference(place, shown_row(row, &options), text));
    }
    for at in extra.take(MOST_DIFFERENCES) {
        differences.push(difference(format!("/{at}"), "no such row", got_row(&got[at])));
    }
    Finding::of(differences)
}

fn columns(count: usize) -> String {
    if count == 1 { "1 column".to_owned() } else { format!("{count} columns") }
}

fn rows(count: usize) -> String {
    if count == 1 { "1 row".to_owned() } else { format!("{count} rows") }
}

fn shown_row(row: &[Value], options: &Options) -> String {
    row.iter().map(|cell| shown(cell, options)).collect::<Vec<_>>().join(" | ")
}

fn got_row(row: &[Got]) -> String {
    row.iter().map(Got::shown).collect::<Vec<_>>().join(" | ")
}
