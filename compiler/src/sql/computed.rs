//! What an UPDATE or a DELETE computes and compares, as a query whose types are checked: `UPDATE t SET c = e WHERE w` as `SELECT 1 FROM t WHERE e AND w`.

use super::lex::{Kind, Token};
use super::{Query, parse, select};
use crate::diagnostics::Diagnostic;

/// Mistakes that SQLite does not see: arithmetic with text, and comparisons of text with a number. None where the statement is more than this.
pub fn mistakes(query: &Query<'_>) -> Vec<Diagnostic> {
    let Some(tokens) = as_query(query.tokens) else { return Vec::new() };
    let Some(tree) = parse::query(&tokens) else { return Vec::new() };
    let asked = Query { request: query.request, text: query.text, tokens: &tokens, sqlite: query.sqlite };
    select::analyse(&asked, &tree, false).certain
}

/// The tokens of the query. Those of the statement keep their places, so that all that is said of it is said there.
fn as_query<'t>(tokens: &[Token<'t>]) -> Option<Vec<Token<'t>>> {
    let word = |text: &'static str, start: usize| Token { kind: Kind::Word, text, start };
    let (first, rest) = tokens.split_first()?;
    let mut out = vec![word("SELECT", first.start), Token { kind: Kind::Number, text: "1", start: first.end() }];
    let is_update = first.is("UPDATE");
    if is_update {
        out.push(word("FROM", first.end()));
    } else if !first.is("DELETE") {
        return None;
    }
    let (mut depth, mut has_set, mut is_target) = (0_i32, false, false);
    for token in rest {
        let top = depth == 0;
        depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
        if top && ["RETURNING", "ORDER", "LIMIT"].iter().any(|end| token.is(end)) {
            break;
        }
        let is_more = token.is("OR") && !has_set || token.is("FROM") && has_set || token.is_punct("(") && is_target;
        if is_update && top && is_more {
            return None;
        }
        if is_update && top && token.is("SET") {
            out.push(word("WHERE", token.start));
            (has_set, is_target) = (true, true);
        } else if is_target {
            is_target = !token.is_punct("=");
        } else if has_set && top && (token.is_punct(",") || token.is("WHERE")) {
            out.push(word("AND", token.start));
            is_target = token.is_punct(",");
        } else {
            out.push(*token);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::lex::tokens;

    fn made(sql: &str) -> Option<String> {
        let made = as_query(&tokens(sql))?;
        assert!(made.windows(2).all(|pair| pair[0].start <= pair[1].start), "{sql}");
        assert!(parse::query(&made).is_some(), "{sql}");
        Some(made.iter().map(|token| token.text).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn statements_as_queries() {
        for (sql, query) in [
            (
                "UPDATE t SET a = b + :c, d = max(1, 2) WHERE e < 3",
                Some("SELECT 1 FROM t WHERE b + :c AND max ( 1 , 2 ) AND e < 3"),
            ),
            ("UPDATE t SET a = 1 RETURNING a", Some("SELECT 1 FROM t WHERE 1")),
            (
                "DELETE FROM t WHERE a IN (SELECT b FROM u ORDER BY b)",
                Some("SELECT 1 FROM t WHERE a IN ( SELECT b FROM u ORDER BY b )"),
            ),
            ("DELETE FROM t", Some("SELECT 1 FROM t")),
            ("UPDATE OR IGNORE t SET a = 1", None),
            ("UPDATE t SET a = u.b FROM u", None),
            ("UPDATE t SET (a, b) = (1, 2)", None),
            ("INSERT INTO t VALUES (1)", None),
        ] {
            assert_eq!(made(sql).as_deref(), query, "{sql}");
        }
    }
}
