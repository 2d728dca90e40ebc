//! `other_condition` for data sets: a question names a year, or a value of a column, that its SQL does not have.
//!
//! The database decides what is a value: the years of a column of dates, and the texts of a column with few of them. Words of a question can be read in other
//! ways, so a row is reported only if its SQL has no other literal that could mean the same.

use std::collections::{BTreeMap, BTreeSet};

use model::compute::{GoldQuery, GoldResult};
use model::ddl::quote_name;
use model::{Span, Value};

use super::gold::run_queries;
use super::gold_lints::list_stored_tables;
use super::gold_questions::Questions;
use crate::context::{Checker, TaskScope};
use sql::find_repeated_queries;
use sql::lex::{Kind, Token, tokenize_sql};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::StoredTable;

/// The largest number of texts of a column that are read.
const MAX_TEXTS: usize = 60;
/// The largest number of columns of a database that are read.
const MAX_COLUMNS: usize = 200;
/// Of this many rows, one may be reported: where many are, the questions of the data set are not understood.
const ROWS_FOR_ONE: usize = 4;

/// A column of a database, as far as its values can be named in a question.
#[derive(Clone)]
struct NamedValues {
    table: String,
    column: String,
    /// Its texts.
    texts: BTreeSet<String>,
    /// The years of its dates.
    years: BTreeSet<String>,
}

impl<'a> TaskScope<'a> {
    /// Reports the questions that name a year or a value of which their SQL says nothing.
    pub(super) fn report_unread_values(
        &self,
        cx: &mut Checker<'a>,
        questions: &Questions,
        asked: &[GoldQuery<'_>],
        span: Span,
    ) {
        if !(0..asked.len()).any(|row| questions.find_question(row).is_some()) {
            return;
        }
        let mut databases: BTreeMap<usize, GoldQuery<'_>> = BTreeMap::new();
        for query in asked {
            databases.insert(query.database.as_ptr().addr(), GoldQuery { database: query.database, sql: "SELECT 1" });
        }
        let queries: Vec<GoldQuery<'_>> = databases.values().copied().collect();
        let schemas: Vec<Vec<StoredTable>> =
            queries.iter().map(|query| list_stored_tables(cx, query.database)).collect();
        let read = |at: usize, _: &GoldResult, ask: &dyn Fn(&str) -> GoldResult| {
            schemas.get(at).map(|tables| read_named_values(tables, ask)).unwrap_or_default()
        };
        let named = run_queries(cx.host.evaluator(), &queries, read);
        let named: BTreeMap<usize, Vec<NamedValues>> = databases.into_keys().zip(named).collect();
        let mut found: Vec<(usize, String)> = Vec::new();
        // The same SQL for two questions is reported as such.
        let sql: Vec<&str> = asked.iter().map(|query| query.sql).collect();
        let addresses: Vec<usize> = asked.iter().map(|query| query.database.as_ptr().addr()).collect();
        let repeated = find_repeated_queries(&sql, &addresses);
        for (row, query) in asked.iter().enumerate() {
            let Some(question) = questions.find_question(row) else { continue };
            let columns = named.get(&query.database.as_ptr().addr()).map_or(&[][..], Vec::as_slice);
            let unread = find_unread(question, query.sql, columns).filter(|_| !repeated.contains(&row));
            found.extend(unread.map(|what| (row, what)));
        }
        let Some((first, what)) = found.first().filter(|_| found.len() * ROWS_FOR_ONE <= asked.len().max(ROWS_FOR_ONE))
        else {
            return;
        };
        let rows: Vec<usize> = found.iter().map(|(row, _)| *row).collect();
        let message = format!("the question of `{}` {what}", self.find_row_key(*first));
        let said = Diagnostic::new(Code::OTHER_CONDITION, message, span, "run here")
            .note(self.describe_records(&rows))
            .help("correct the question or the SQL of this row");
        cx.report(said);
    }
}

/// Reads the texts and years of the columns of a database.
fn read_named_values(tables: &[StoredTable], ask: &dyn Fn(&str) -> GoldResult) -> Vec<NamedValues> {
    let columns = tables.iter().filter(|table| table.unread.is_none());
    let columns = columns.flat_map(|table| table.columns.iter().map(move |column| (&table.name, &column.name)));
    let read = |(table, column): (&String, &String)| {
        let (of, name) = (quote_name(table), quote_name(column));
        let list = |sql: String| -> Option<Vec<Value>> {
            let found = ask(&sql).ok()?;
            Some(found.rows.rows.iter().filter_map(|row| row.first().cloned()).collect())
        };
        let limit = MAX_TEXTS + 1;
        let all = list(format!("SELECT DISTINCT {name} FROM {of} WHERE {name} IS NOT NULL LIMIT {limit}"))?;
        let years =
            list(format!("SELECT DISTINCT substr({name}, 1, 5) FROM {of} WHERE {name} IS NOT NULL LIMIT {limit}"))?;
        let texts = all.iter().filter_map(Value::as_text).map(str::to_owned).collect::<BTreeSet<String>>();
        let years: Option<BTreeSet<String>> = years.iter().map(|year| read_year_of(year.as_text()?)).collect();
        let is_few = all.len() <= MAX_TEXTS && texts.len() == all.len();
        Some(NamedValues {
            table: table.clone(),
            column: column.clone(),
            texts: if is_few { texts } else { BTreeSet::new() },
            years: years.filter(|years| years.len() < limit).unwrap_or_default(),
        })
    };
    columns.take(MAX_COLUMNS).filter_map(read).collect()
}

/// The year at the beginning of a date, or of a number that is a year.
fn read_year_of(text: &str) -> Option<String> {
    let year = text.get(..4).filter(|year| is_year(year))?;
    text.get(4..).is_some_and(|rest| rest.is_empty() || rest == "-").then(|| year.to_owned())
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year))
}

/// Says what a question names and its SQL does not read.
fn find_unread(question: &str, sql: &str, columns: &[NamedValues]) -> Option<String> {
    let tokens = tokenize_sql(sql);
    let words = split_words(question);
    let lower = question.to_lowercase();
    let is_asked = |literal: &str| lower.contains(&literal.to_lowercase());
    let literals = tokens.iter().filter(|token| matches!(token.kind, Kind::Text | Kind::Number));
    let literals: Vec<String> = literals.map(Token::to_unquoted).collect();
    let own: Vec<&NamedValues> = columns.iter().filter(|column| has_name(&tokens, &column.table)).collect();
    let other: Vec<&String> = literals.iter().filter(|literal| !is_asked(literal) && !is_small(literal)).collect();
    match other.as_slice() {
        [] => find_year(&words, sql, &own).or_else(|| find_text(question, sql, &own, columns)),
        [only] => find_other_text(&words, &tokens, &own, only),
        _ => None,
    }
}

/// Numbers that every query can have, such as those of LIMIT, and parts of formats.
fn is_small(literal: &str) -> bool {
    literal.starts_with('%')
        || literal.parse::<f64>().is_ok_and(|number| number.abs() <= 2.0 || [100.0, 1000.0].contains(&number))
}

fn has_name(tokens: &[Token<'_>], name: &str) -> bool {
    tokens.iter().any(|token| token.is_named(name))
}

/// The words of a text as they are written.
fn split_words(question: &str) -> Vec<&str> {
    question.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect()
}

/// A year of a question, and a column that has dates of it and of other years, where the SQL has no year at all.
fn find_year(words: &[&str], sql: &str, columns: &[&NamedValues]) -> Option<String> {
    let years = |words: &[&str]| -> BTreeSet<String> {
        words.iter().filter(|word| is_year(word)).map(|word| (*word).to_owned()).collect()
    };
    let asked = years(words);
    let is_open = sql.to_lowercase().contains("'now") || !years(&split_words(sql)).is_empty();
    let year = asked.first().filter(|_| asked.len() == 1 && !is_open)?;
    let has = |column: &&&NamedValues| column.years.contains(year) && column.years.len() > 1;
    let column = columns.iter().find(has)?;
    let name = format!("{}.{}", column.table, column.column);
    Some(format!("names {year}, but its SQL has no condition on a year, and `{name}` has other years, too"))
}

/// A value that a question names as it is in the database, with a capital letter or in quotes, and that its SQL does not have.
fn find_text(question: &str, sql: &str, own: &[&NamedValues], all: &[NamedValues]) -> Option<String> {
    let lower = sql.to_lowercase();
    // Words that are names of tables and columns, too, do not have to be values.
    let is_name = |text: &str| {
        all.iter().any(|known| known.table.eq_ignore_ascii_case(text) || known.column.eq_ignore_ascii_case(text))
    };
    let mut found: BTreeMap<&str, &NamedValues> = BTreeMap::new();
    for column in own.iter().filter(|column| column.texts.len() > 1) {
        let named: Vec<&String> = column.texts.iter().filter(|text| is_value_named(question, text)).collect();
        // A question that lists all values does not choose any.
        if named.len() == column.texts.len() {
            continue;
        }
        let unread = named.into_iter().filter(|text| !lower.contains(&text.to_lowercase()) && !is_name(text));
        found.extend(unread.map(|text| (text.as_str(), *column)));
    }
    // Parts of other values, such as the first word of a name that the SQL has.
    let (text, column) = found.first_key_value().filter(|_| found.len() == 1)?;
    let name = format!("{}.{}", column.table, column.column);
    Some(format!("names `{text}`, a value of `{name}`, but its SQL does not"))
}

/// Whether a question has a value as a word of its own, in quotes, or with a capital letter that is not the first of a sentence.
fn is_value_named(question: &str, text: &str) -> bool {
    let first = text.chars().next();
    let is_capital = first.is_some_and(char::is_uppercase) && text.chars().count() > 1;
    let is_inner = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    !text.trim().is_empty()
        && question.match_indices(text).any(|(at, _)| {
            let (before, behind) =
                (question.get(..at).unwrap_or_default(), question.get(at + text.len()..).unwrap_or_default());
            let is_quoted =
                before.ends_with(['\'', '"', '`', '“', '‘']) && behind.starts_with(['\'', '"', '`', '”', '’']);
            let is_word = !before.ends_with(is_inner) && !behind.starts_with(is_inner) && !behind.starts_with('-');
            let is_inside = before.trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '('));
            // A part of a longer name, such as that of a person.
            let is_capitalized = |word: Option<&str>| word.is_some_and(|word| word.starts_with(char::is_uppercase));
            let next = behind.starts_with(' ') && is_capitalized(behind.split_whitespace().next());
            let last = before.ends_with(' ')
                && before.trim_end().contains(' ')
                && is_capitalized(before.split_whitespace().last());
            is_quoted || is_capital && is_word && is_inside && !next && !last
        })
}

/// Another value of the column that the SQL compares with a text, where the question names that value and not the one of the SQL.
fn find_other_text(words: &[&str], tokens: &[Token<'_>], columns: &[&NamedValues], read: &str) -> Option<String> {
    let mut compared = tokens.iter().zip(tokens.iter().skip(1)).zip(tokens.iter().skip(2));
    let is_read = |((name, sign), text): &((&Token<'_>, &Token<'_>), &Token<'_>)| {
        name.is_name() && sign.is_punct("=") && text.kind == Kind::Text && text.to_unquoted() == read
    };
    let ((name, _), _) = compared.find(is_read)?;
    let mut own = columns.iter().filter(|column| name.is_named(&column.column) && column.texts.contains(read));
    let column = own.next().filter(|_| own.next().is_none())?;
    let is_asked = |text: &&String| words.contains(&text.as_str()) && text.as_str() != read;
    let mut asked = column.texts.iter().filter(is_asked);
    let text = asked.next().filter(|text| text.chars().count() > 1 && asked.next().is_none())?;
    Some(format!("names `{text}`, but its SQL compares `{}` with '{read}'", column.column))
}
