//! Texts in double quotes: stock SQLite reads `"Oslo"` as a text if no column has that name, but suites do not permit this.

use compiler::sql::lex::{Kind, tokenize_sql};

/// Rewrites texts in double quotes to single quotes. `prepares` returns whether SQLite can prepare a query.
///
/// A name in backticks is never read as a text. Thus a quoted word is a text if the query can no longer be prepared with this word in backticks.
pub fn rewrite_text_quotes(sql: &str, prepares: impl Fn(&str) -> bool) -> String {
    let quoted: Vec<(usize, usize, String)> = tokenize_sql(sql)
        .iter()
        .filter(|token| token.kind == Kind::Quoted && token.text.starts_with('"'))
        .map(|token| (token.start, token.end(), token.to_unquoted()))
        .collect();
    // A query that cannot be prepared is not changed.
    if quoted.is_empty() || !prepares(sql) {
        return sql.to_owned();
    }
    let with = |text: &str, (start, end, _): &(usize, usize, String), instead: &str| {
        format!("{}{instead}{}", text.get(..*start).unwrap_or(""), text.get(*end..).unwrap_or(""))
    };
    let mut rewritten = sql.to_owned();
    // From the end, so that earlier positions remain valid.
    for token in quoted.iter().rev() {
        let name = format!("`{}`", token.2.replace('`', "``"));
        if !prepares(&with(sql, token, &name)) {
            rewritten = with(&rewritten, token, &format!("'{}'", token.2.replace('\'', "''")));
        }
    }
    rewritten
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Database;
    use super::*;

    #[test]
    fn only_texts_change() {
        let database = Database::from_sql("CREATE TABLE t (a TEXT, \"the b\" TEXT); CREATE TABLE \"u v\" (c INTEGER)");
        for (sql, expected) in [
            (r#"SELECT a FROM t WHERE a = "Old Quay""#, "SELECT a FROM t WHERE a = 'Old Quay'"),
            (
                r#"SELECT "the b" FROM t WHERE "the b" = "it's" AND a <> "a""#,
                r#"SELECT "the b" FROM t WHERE "the b" = 'it''s' AND a <> "a""#,
            ),
            (r#"SELECT "A" FROM t AS "x" WHERE "x"."a" = "x""#, r#"SELECT "A" FROM t AS "x" WHERE "x"."a" = 'x'"#),
            (r#"SELECT c AS "a b" FROM "u v" ORDER BY "a b""#, r#"SELECT c AS "a b" FROM "u v" ORDER BY "a b""#),
            (r#"SELECT "say ""hi""", 'a "b"' FROM t -- "c""#, r#"SELECT 'say "hi"', 'a "b"' FROM t -- "c""#),
            (r#"SELECT nope FROM t WHERE a = "b""#, r#"SELECT nope FROM t WHERE a = "b""#),
        ] {
            assert_eq!(rewrite_text_quotes(sql, |sql| database.can_prepare(sql)), expected);
        }
    }
}
