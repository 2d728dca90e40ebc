//! The statements of `after`, one by one: what each changes, sets, and requires of a row.

use super::brackets::{find_top_level, list_top_level, split_at_commas};
use super::computed::find_target;
use super::lex::{Token, tokenize_sql};
use super::statement::CHANGES;

/// What a statement does with rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ChangeKind {
    Insert,
    Update,
    Delete,
}

/// A statement that changes rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change<'t> {
    /// What it does.
    pub kind: ChangeKind,
    /// The name of the table.
    pub table: String,
    /// The columns that an UPDATE sets, each with the tokens of its value.
    pub sets: Vec<(String, Vec<Token<'t>>)>,
    /// The parts of its WHERE that are joined by AND; empty without WHERE.
    pub conditions: Vec<Vec<Token<'t>>>,
    /// Whether it is written in a form of which nothing more can be said: with WITH, FROM, LIMIT, RETURNING, or ON CONFLICT, or from a query.
    pub is_complex: bool,
    /// Whether it inserts the rows of a query, and is not complex for another reason.
    pub is_from_query: bool,
    /// Its first byte, and the byte after its last.
    pub bytes: (usize, usize),
}

/// Lists the statements in a text of SQL, in order. Statements that are not understood are left out; then the second result is `false`.
///
/// ```
/// use sql::{ChangeKind, list_changes};
///
/// let (changes, all) = list_changes("UPDATE t SET a = 1, b = b + 1 WHERE c = 2 AND d; DELETE FROM u");
/// let columns: Vec<&str> = changes[0].sets.iter().map(|(column, _)| column.as_str()).collect();
/// assert_eq!((columns, changes[0].conditions.len(), all), (vec!["a", "b"], 2, true));
/// assert_eq!((changes[1].kind, changes[1].table.as_str()), (ChangeKind::Delete, "u"));
/// assert!(!list_changes("nonsense").1);
/// ```
pub fn list_changes(text: &str) -> (Vec<Change<'_>>, bool) {
    let tokens = tokenize_sql(text);
    let statements = tokens.split(|token| token.is_punct(";")).filter(|statement| !statement.is_empty());
    let found: Vec<Option<Change<'_>>> = statements.map(read_change).collect();
    let all = found.iter().all(Option::is_some);
    (found.into_iter().flatten().collect(), all)
}

fn read_change<'t>(tokens: &[Token<'t>]) -> Option<Change<'t>> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let main = tokens.get(find_top_level(tokens, CHANGES)?)?;
    let kind = match main {
        main if main.is_keyword("UPDATE") => ChangeKind::Update,
        main if main.is_keyword("DELETE") => ChangeKind::Delete,
        _ => ChangeKind::Insert,
    };
    let table = find_target(tokens)?.table.to_unquoted();
    let complex = match kind {
        ChangeKind::Delete => "WITH ORDER LIMIT RETURNING",
        ChangeKind::Update => "WITH ORDER LIMIT RETURNING FROM OR",
        ChangeKind::Insert => "WITH SELECT RETURNING ON OR REPLACE",
    };
    let before_where = find_top_level(tokens, "WHERE").unwrap_or(tokens.len());
    let head = tokens.get(..before_where)?;
    let only_select = || find_top_level(tokens, "WITH RETURNING ON OR REPLACE ORDER LIMIT").is_none();
    let is_aliased = kind != ChangeKind::Insert && find_top_level(head, "AS").is_some();
    Some(Change {
        kind,
        table,
        sets: if kind == ChangeKind::Update { read_sets(head)? } else { Vec::new() },
        conditions: tokens.get(before_where + 1..).map(split_at_and).unwrap_or_default(),
        is_complex: is_aliased
            || find_top_level(if kind == ChangeKind::Insert { tokens } else { head }, complex).is_some()
            || find_top_level(tokens, "ORDER LIMIT RETURNING").is_some(),
        is_from_query: kind == ChangeKind::Insert && find_top_level(tokens, "SELECT").is_some() && only_select(),
        bytes: (first.start, last.end()),
    })
}

fn read_sets<'t>(head: &[Token<'t>]) -> Option<Vec<(String, Vec<Token<'t>>)>> {
    let set = find_top_level(head, "SET")?;
    let assignments = head.get(set + 1..)?;
    let end = list_top_level(assignments).find(|at| assignments.get(*at).is_some_and(|token| token.is_keyword("FROM")));
    let assignments = assignments.get(..end.unwrap_or(assignments.len()))?;
    split_at_commas(assignments)
        .into_iter()
        .map(|part| match part {
            [column, equals, value @ ..] if column.is_name() && equals.is_punct("=") && !value.is_empty() => {
                Some((column.to_unquoted(), value.to_vec()))
            }
            _ => None,
        })
        .collect()
}

/// The parts of a condition between the ANDs outside of brackets. A condition with OR or BETWEEN is one part.
fn split_at_and<'t>(tokens: &[Token<'t>]) -> Vec<Vec<Token<'t>>> {
    if find_top_level(tokens, "OR BETWEEN CASE").is_some() {
        return vec![tokens.to_vec()];
    }
    let ands: Vec<usize> =
        list_top_level(tokens).filter(|at| tokens.get(*at).is_some_and(|token| token.is_keyword("AND"))).collect();
    let (mut parts, mut start) = (Vec::new(), 0);
    for end in ands.into_iter().chain([tokens.len()]) {
        parts.extend(tokens.get(start..end).filter(|part| !part.is_empty()).map(<[_]>::to_vec));
        start = end + 1;
    }
    parts
}
