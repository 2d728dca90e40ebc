//! Texts in double quotes: stock SQLite takes `"Oslo"` for a text where no column has that name, a suite does not.

use compiler::sql::lex::{Kind, tokenize_sql};

/// The query with single quotes around what is a text in double quotes. `prepares` says whether SQLite can prepare a query.
///
/// In backticks a name is never taken for a text, so a query that can no longer be prepared with one in backticks has a text there.
pub fn rewrite_text_quotes(sql: &str, prepares: impl Fn(&str) -> bool) -> String {
    let quoted: Vec<(usize, usize, String)> = tokenize_sql(sql)
        .iter()
        .filter(|token| token.kind == Kind::Quoted && token.text.starts_with('"'))
        .map(|token| (token.start, token.end(), token.to_unquoted()))
        .collect();
    // One that is wrong anyway is left as it is.
    if quoted.is_empty() || !prepares(sql) {
        return sql.to_owned();
    }
    let with = |text: &str, (start, end, _): &(usize, usize, String), instead: &str| {
        format!("{}{instead}{}", text.get(..*start).unwrap_or(""), text.get(*end..).unwrap_or(""))
    };
    let mut rewritten = sql.to_owned();
    // From the end, so that places before stay.
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
