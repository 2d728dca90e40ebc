//! The reads and computations of a statement that changes rows, rewritten as queries. Types, comparisons, ties, and all other lints are checked on these
//! queries.
//!
//! | statement | query |
//! | --- | --- |
//! | `UPDATE t SET c = e FROM u WHERE w` | `SELECT t.*, e FROM t, u WHERE w`: the changed rows |
//! | `DELETE FROM t WHERE w` | `SELECT 1 FROM t WHERE w` |
//! | `INSERT INTO t SELECT …`, `INSERT INTO t VALUES …` | `SELECT …`, `VALUES …` |
//! | `… ON CONFLICT DO UPDATE SET c = e WHERE w` | `SELECT t.*, e FROM t WHERE w`; or only the subqueries, if the row that is not inserted is named |
//!
//! The tokens keep their positions, and only their order changes, so diagnostics of a query apply to the statement.

use super::brackets::{find_top_level, is_any_at, list_top_level, split_at_commas};
use super::lex::{Kind, Token};
use super::statement::CHANGES;

/// Rewrites a statement as queries; empty if the statement is not understood.
pub fn extract_queries<'t>(tokens: &[Token<'t>]) -> Vec<Vec<Token<'t>>> {
    let Some(main) = find_top_level(tokens, CHANGES) else { return Vec::new() };
    let (with, statement) = tokens.split_at(main);
    let statement = take_before(statement, find_top_level(statement, "RETURNING"));
    let Some((first, rest)) = statement.split_first() else { return Vec::new() };
    let bodies = if first.is_keyword("UPDATE") {
        convert_update(rest).into_iter().collect()
    } else if first.is_keyword("DELETE") {
        convert_delete(rest).into_iter().collect()
    } else {
        convert_insert(rest)
    };
    bodies.into_iter().map(|body| with.iter().copied().chain(body).collect()).collect()
}

/// The table that a statement changes, and the columns that it sets.
pub struct Target<'t> {
    /// The name of the table.
    pub table: Token<'t>,
    /// The columns that it sets; `None`, for all columns, if it inserts rows.
    pub columns: Option<Vec<Token<'t>>>,
    /// Whether it deletes rows.
    pub deletes: bool,
}

/// Finds the target of a statement.
pub fn find_target<'t>(tokens: &[Token<'t>]) -> Option<Target<'t>> {
    let (first, rest) = tokens.get(find_top_level(tokens, CHANGES)?..)?.split_first()?;
    let rest = skip_or_clause(rest);
    let name = rest.iter().position(|token| !token.is_any("INTO FROM"))?;
    let qualified = rest.get(name + 1).is_some_and(|dot| dot.is_punct("."));
    let table = *rest.get(if qualified { name + 2 } else { name })?;
    if first.is_keyword("DELETE") {
        return Some(Target { table, columns: Some(Vec::new()), deletes: true });
    }
    if !first.is_keyword("UPDATE") {
        return Some(Target { table, columns: None, deletes: false });
    }
    let assigned = split_assignments(rest.get(find_top_level(rest, "SET")? + 1..)?);
    let columns = assigned.iter().flat_map(|(target, _)| target.iter().copied());
    Some(Target { table, columns: Some(columns.filter(Token::is_name).collect()), deletes: false })
}

fn make_word(text: &'static str, start: usize) -> Token<'static> {
    Token { kind: Kind::Word, text, start }
}

fn make_punct(text: &'static str, start: usize) -> Token<'static> {
    Token { kind: Kind::Punct, text, start }
}

/// The tokens before an end, or all of them without one.
fn take_before<'a, 't>(tokens: &'a [Token<'t>], end: Option<usize>) -> &'a [Token<'t>] {
    end.and_then(|end| tokens.get(..end)).unwrap_or(tokens)
}

/// Skips `OR IGNORE` and similar clauses.
fn skip_or_clause<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    match tokens {
        [or, _, rest @ ..] if or.is_keyword("OR") => rest,
        all => all,
    }
}

fn convert_delete<'t>(rest: &[Token<'t>]) -> Option<Vec<Token<'t>>> {
    let start = rest.first()?.start;
    let rest = take_before(rest, find_top_level(rest, "ORDER LIMIT"));
    let select = [make_word("SELECT", start), Token { kind: Kind::Number, text: "1", start }];
    Some(select.into_iter().chain(rest.iter().copied()).collect())
}

/// Whether a token begins the FROM clause of an UPDATE, and does not belong to `IS DISTINCT FROM`.
fn is_from(tokens: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    is_any_at(tokens, at, "FROM") && !before.is_some_and(|before| before.is_keyword("DISTINCT"))
}

/// Splits `SET` into pairs of a target and a value.
fn split_assignments<'a, 't>(tokens: &'a [Token<'t>]) -> Vec<(&'a [Token<'t>], &'a [Token<'t>])> {
    let is_end = |at: &usize| is_from(tokens, *at) || is_any_at(tokens, *at, "WHERE ORDER LIMIT");
    let assignment = |part: &'a [Token<'t>]| {
        let equals = list_top_level(part).find(|at| part.get(*at).is_some_and(|token| token.is_punct("=")))?;
        Some((part.get(..equals)?, part.get(equals + 1..)?))
    };
    let tokens = take_before(tokens, list_top_level(tokens).find(is_end));
    split_at_commas(tokens).into_iter().filter_map(assignment).collect()
}

/// Returns `a, b` for `(a, b)`; a subquery in brackets and any other value are returned unchanged.
fn strip_brackets<'a, 't>(value: &'a [Token<'t>]) -> &'a [Token<'t>] {
    match value {
        [open, inner @ .., close]
            if open.is_punct("(")
                && close.is_punct(")")
                && list_top_level(value).next().is_none()
                && !inner.is_empty() =>
        {
            if is_any_at(inner, 0, "SELECT WITH VALUES") {
                value
            } else {
                inner
            }
        }
        value => value,
    }
}

/// Rewrites `SET … FROM … WHERE …` for the rows of a table.
fn convert_assignments<'t>(table: &[Token<'t>], tokens: &[Token<'t>]) -> Option<Vec<Token<'t>>> {
    let start = table.first()?.start;
    // The name is the last part: `t` for `shop.t`, and `x` for `t AS x`.
    let plain = take_before(table, find_top_level(table, "INDEXED NOT"));
    let name = plain.last().filter(|name| name.is_name())?;
    let mut out = vec![make_word("SELECT", start), *name, make_punct(".", start), make_punct("*", start)];
    for (_, value) in split_assignments(tokens) {
        out.push(make_punct(",", value.first()?.start));
        out.extend(strip_brackets(value));
    }
    out.push(make_word("FROM", start));
    out.extend(table);
    let at = |word: &str| find_top_level(tokens, word);
    let end = at("ORDER").or_else(|| at("LIMIT")).unwrap_or(tokens.len());
    let condition = at("WHERE").unwrap_or(end);
    if let Some(from) = list_top_level(tokens).find(|at| is_from(tokens, *at)) {
        out.push(make_punct(",", tokens.get(from)?.start));
        out.extend(tokens.get(from + 1..condition)?);
    }
    out.extend(tokens.get(condition..end)?);
    Some(out)
}

fn convert_update<'t>(rest: &[Token<'t>]) -> Option<Vec<Token<'t>>> {
    let rest = skip_or_clause(rest);
    let at = find_top_level(rest, "SET")?;
    convert_assignments(rest.get(..at)?, rest.get(at + 1..)?)
}

/// Rewrites the insertion, and the changes to existing rows.
fn convert_insert<'t>(rest: &[Token<'t>]) -> Vec<Vec<Token<'t>>> {
    let rest = skip_or_clause(rest);
    let rest = rest.split_first().filter(|(into, _)| into.is_keyword("INTO")).map_or(rest, |(_, rest)| rest);
    let Some(start) = find_top_level(rest, "SELECT VALUES WITH DEFAULT") else { return Vec::new() };
    let (target, source) = rest.split_at(start);
    let is_conflict = |at: &usize| is_any_at(source, *at, "ON") && is_any_at(source, at + 1, "CONFLICT");
    let inserted = take_before(source, list_top_level(source).find(is_conflict));
    let mut out = Vec::new();
    if !is_any_at(inserted, 0, "DEFAULT") {
        out.push(inserted.to_vec());
    }
    let further = source.get(inserted.len()..).unwrap_or_default();
    let Some(at) = find_top_level(further, "SET") else { return out };
    let changed = further.get(at + 1..).unwrap_or_default();
    let table = target.iter().take_while(|token| !token.is_punct("(")).copied().collect::<Vec<_>>();
    if changed.iter().any(|token| token.is_keyword("excluded")) {
        out.extend(extract_subqueries(changed));
    } else {
        out.extend(convert_assignments(&table, changed));
    }
    out
}

/// The outermost subqueries.
fn extract_subqueries<'t>(tokens: &[Token<'t>]) -> Vec<Vec<Token<'t>>> {
    let (mut out, mut depth, mut open): (Vec<Vec<Token<'t>>>, i32, Option<(i32, usize)>) = (Vec::new(), 0, None);
    for (at, token) in tokens.iter().enumerate() {
        if token.is_punct("(") {
            depth += 1;
            if open.is_none() && is_any_at(tokens, at + 1, "SELECT WITH") {
                open = Some((depth, at + 1));
            }
        } else if token.is_punct(")") {
            if let Some((_, start)) = open.filter(|(outer, _)| *outer == depth) {
                out.extend(tokens.get(start..at).map(<[_]>::to_vec));
                open = None;
            }
            depth -= 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::tokenize_sql;
    use crate::parse;

    fn made(sql: &str) -> Vec<String> {
        let text = |query: Vec<Token<'_>>| {
            assert!(parse::parse_query(&query).is_some(), "{sql}: {query:?}");
            query.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
        };
        extract_queries(&tokenize_sql(sql)).into_iter().map(text).collect()
    }

    #[test]
    fn statements_as_queries() {
        let cases: [(&str, &[&str]); 18] = [
            (
                "UPDATE t SET a = b + :c, d = max(1, 2) WHERE e < 3",
                &["SELECT t . * , b + :c , max ( 1 , 2 ) FROM t WHERE e < 3"],
            ),
            ("UPDATE t SET a = 1 RETURNING a", &["SELECT t . * , 1 FROM t"]),
            ("UPDATE OR IGNORE shop.t SET a = b", &["SELECT t . * , b FROM shop . t"]),
            ("UPDATE t AS x SET a = x.b", &["SELECT x . * , x . b FROM t AS x"]),
            ("UPDATE t SET a = u.b FROM u WHERE u.c = t.c", &["SELECT t . * , u . b FROM t , u WHERE u . c = t . c"]),
            (
                "UPDATE t SET a = b FROM u JOIN v ON u.x = v.x WHERE t.y",
                &["SELECT t . * , b FROM t , u JOIN v ON u . x = v . x WHERE t . y"],
            ),
            ("UPDATE t SET a = b IS DISTINCT FROM c", &["SELECT t . * , b IS DISTINCT FROM c FROM t"]),
            ("UPDATE t SET (a, b) = (1, c)", &["SELECT t . * , 1 , c FROM t"]),
            (
                "UPDATE t SET (a, b) = (SELECT c, d FROM u), e = (f)",
                &["SELECT t . * , ( SELECT c , d FROM u ) , f FROM t"],
            ),
            (
                "DELETE FROM t WHERE a IN (SELECT b FROM u ORDER BY b)",
                &["SELECT 1 FROM t WHERE a IN ( SELECT b FROM u ORDER BY b )"],
            ),
            ("DELETE FROM t", &["SELECT 1 FROM t"]),
            (
                "WITH u AS (SELECT 1 AS x) DELETE FROM t WHERE a IN (SELECT x FROM u)",
                &["WITH u AS ( SELECT 1 AS x ) SELECT 1 FROM t WHERE a IN ( SELECT x FROM u )"],
            ),
            ("INSERT INTO t VALUES (1), (2)", &["VALUES ( 1 ) , ( 2 )"]),
            ("INSERT INTO t DEFAULT VALUES", &[]),
            ("REPLACE INTO t (a, b) SELECT c, d FROM u LIMIT 1", &["SELECT c , d FROM u LIMIT 1"]),
            (
                "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = b + 1 WHERE b < 3",
                &["VALUES ( 1 )", "SELECT t . * , b + 1 FROM t WHERE b < 3"],
            ),
            (
                "INSERT INTO t SELECT a FROM u WHERE true ON CONFLICT DO UPDATE SET b = excluded.b + (SELECT max(c) FROM u)",
                &["SELECT a FROM u WHERE true", "SELECT max ( c ) FROM u"],
            ),
            ("INSERT OR IGNORE INTO t SELECT a FROM u ON CONFLICT DO NOTHING", &["SELECT a FROM u"]),
        ];
        for (sql, wanted) in cases {
            assert_eq!(made(sql), wanted, "{sql}");
        }
    }

    #[test]
    fn what_statements_change() {
        /// A table, and the columns that are known to change.
        type Wanted = Option<(&'static str, Option<&'static [&'static str]>)>;
        let cases: [(&str, Wanted); 7] = [
            ("UPDATE t SET a = b, (c, d) = (1, 2) WHERE e = f", Some(("t", Some(&["a", "c", "d"])))),
            ("UPDATE OR IGNORE shop.t SET a = 1", Some(("t", Some(&["a"])))),
            ("DELETE FROM t WHERE a", Some(("t", Some(&[])))),
            ("INSERT INTO t (a) VALUES (1)", Some(("t", None))),
            ("WITH u AS (SELECT 1) REPLACE INTO t SELECT * FROM u", Some(("t", None))),
            ("UPDATE t", None),
            ("nonsense", None),
        ];
        for (sql, wanted) in cases {
            let all = tokenize_sql(sql);
            let found = find_target(&all);
            let columns = |target: &Target<'_>| {
                target.columns.as_ref().map(|all| all.iter().map(|c| c.to_unquoted()).collect::<Vec<_>>())
            };
            let found = found.map(|found| (found.table.to_unquoted(), columns(&found)));
            let wanted = wanted.map(|(table, columns)| {
                (table.to_owned(), columns.map(|all| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()))
            });
            assert_eq!(found, wanted, "{sql}");
        }
    }
}
