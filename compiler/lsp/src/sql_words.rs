//! Words of SQL, for completion and colors.

/// Keywords that completion offers.
pub const KEYWORDS: &[&str] = &[
    "SELECT",
    "DISTINCT",
    "FROM",
    "WHERE",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING",
    "GROUP BY",
    "HAVING",
    "ORDER BY",
    "ASC",
    "DESC",
    "LIMIT",
    "OFFSET",
    "AS",
    "AND",
    "OR",
    "NOT",
    "IN",
    "LIKE",
    "BETWEEN",
    "IS NULL",
    "IS NOT NULL",
    "EXISTS",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "UNION",
    "UNION ALL",
    "INTERSECT",
    "EXCEPT",
    "WITH",
    "OVER",
    "PARTITION BY",
];

/// Common functions that completion offers.
pub const FUNCTIONS: &[&str] = &[
    "COUNT",
    "SUM",
    "AVG",
    "MIN",
    "MAX",
    "TOTAL",
    "GROUP_CONCAT",
    "COALESCE",
    "IFNULL",
    "NULLIF",
    "ROUND",
    "ABS",
    "LENGTH",
    "LOWER",
    "UPPER",
    "SUBSTR",
    "TRIM",
    "REPLACE",
    "INSTR",
    "DATE",
    "STRFTIME",
    "JULIANDAY",
    "CAST",
    "ROW_NUMBER",
    "RANK",
    "DENSE_RANK",
    "LAG",
    "LEAD",
    "MEDIAN",
];

/// Keywords of joins that completion does not offer.
const JOINS: &[&str] = &["INNER", "OUTER", "CROSS", "NATURAL", "FULL", "RIGHT"];

/// Whether a word is a keyword, and therefore not the name of a table.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS
        .iter()
        .flat_map(|phrase| phrase.split(' '))
        .chain(JOINS.iter().copied())
        .any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a word is one of [`FUNCTIONS`].
pub fn is_function(word: &str) -> bool {
    FUNCTIONS.iter().any(|known| known.eq_ignore_ascii_case(word))
}
