//! Likely misreadings of a query: the same query with one comparison, clause, function, or join read in another way.
//!
//! They are made from tokens, so each keeps the rest of the query as it is written. Nobody checks that SQLite accepts one: who runs it sees.
//!
//! | file | concept |
//! | --- | --- |
//! | `query` | a query as tokens, and its misreadings |
//! | `clauses` | conditions that are left out, and `LIMIT` |
//! | `words` | comparisons, functions, joins, and orders in another reading |

mod clauses;
mod query;
mod words;

use crate::lex::tokenize_sql;
use query::Query;
pub use query::{Misreading, Sameness};

/// Maximum number of misreadings of one query.
const MAX_MISREADINGS: usize = 24;

/// Lists the likely misreadings of a query, in the order of its text.
pub fn list_misreadings(text: &str) -> Vec<Misreading> {
    let query = Query { text, tokens: tokenize_sql(text) };
    let mut found = Vec::new();
    for at in 0..query.tokens.len() {
        words::add_misread_words(&query, at, &mut found);
        clauses::add_misread_clauses(&query, at, &mut found);
    }
    found.truncate(MAX_MISREADINGS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<(String, String)> {
        list_misreadings(text).into_iter().map(|one| (one.name, one.text)).collect()
    }

    fn has(text: &str, name: &str, other: &str) {
        let all = list(text);
        assert!(all.iter().any(|(known, made)| known == name && made == other), "{name}: {all:#?}");
    }

    #[test]
    fn comparisons_and_their_ends() {
        has(
            "SELECT COUNT(*) FROM t WHERE t.A > :n",
            "`A > :n` read as `A >= :n`",
            "SELECT COUNT(*) FROM t WHERE t.A >= :n",
        );
        has(
            "SELECT COUNT(*) FROM t WHERE t.D BETWEEN :a AND :b",
            "`D BETWEEN :a AND :b` read without its ends",
            "SELECT COUNT(*) FROM t WHERE (t.D > :a AND t.D < :b)",
        );
        // The AND of BETWEEN joins no conditions.
        assert!(list("SELECT 1 FROM t WHERE D BETWEEN 1 AND 2").iter().all(|(name, _)| !name.contains("OR")));
    }

    #[test]
    fn conditions_are_left_out_and_joined_otherwise() {
        let text = "SELECT SUM(P) FROM t WHERE A = 'x' AND B > 2 GROUP BY C";
        has(text, "`A = 'x'` left out", "SELECT SUM(P) FROM t WHERE B > 2 GROUP BY C");
        has(text, "`B > 2` left out", "SELECT SUM(P) FROM t WHERE A = 'x' GROUP BY C");
        has(text, "`AND` read as `OR`", "SELECT SUM(P) FROM t WHERE A = 'x' OR B > 2 GROUP BY C");
        has(text, "`SUM` read as `AVG`", "SELECT AVG(P) FROM t WHERE A = 'x' AND B > 2 GROUP BY C");
        has("SELECT A FROM (SELECT A FROM t WHERE A = 1) x", "`A = 1` left out", "SELECT A FROM (SELECT A FROM t) x");
        // All pairs of rows would take long.
        assert!(list("SELECT 1 FROM a, b WHERE a.X = b.Y AND a.Z = 1").iter().all(|(name, _)| !name.contains("X")));
    }

    #[test]
    fn functions_joins_and_orders() {
        has("SELECT COUNT(A) FROM t", "`COUNT(A)` read as `COUNT(DISTINCT A)`", "SELECT COUNT(DISTINCT A) FROM t");
        has("SELECT COUNT(DISTINCT A) FROM t", "`DISTINCT` left out", "SELECT COUNT(A) FROM t");
        has("SELECT AVG(A) FROM t", "missing values of `A` read as 0", "SELECT AVG(COALESCE(A, 0)) FROM t");
        has(
            "SELECT 1 FROM a LEFT OUTER JOIN b ON x",
            "`LEFT OUTER JOIN` read as `JOIN`",
            "SELECT 1 FROM a JOIN b ON x",
        );
        has("SELECT 1 FROM a JOIN b ON x", "`JOIN` read as `LEFT JOIN`", "SELECT 1 FROM a LEFT JOIN b ON x");
        has("SELECT 1 UNION SELECT 2", "`UNION` read as `UNION ALL`", "SELECT 1 UNION ALL SELECT 2");
        has(
            "SELECT A FROM t ORDER BY A DESC LIMIT 3",
            "`DESC` read as `ASC`",
            "SELECT A FROM t ORDER BY A ASC LIMIT 3",
        );
        has("SELECT A FROM t ORDER BY A LIMIT 3", "`LIMIT 3` read as `LIMIT 4`", "SELECT A FROM t ORDER BY A LIMIT 4");
        has(
            "SELECT A FROM t ORDER BY A LIMIT 3",
            "the order read as descending",
            "SELECT A FROM t ORDER BY A DESC LIMIT 3",
        );
    }
}
