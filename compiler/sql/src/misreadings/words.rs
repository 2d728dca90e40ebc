//! Comparisons, functions, joins, and orders in another reading.

use super::query::{Misreading, Query, Sameness};
use crate::lex::Kind;

/// Pairs of comparisons of which one is often read as the other.
const COMPARISONS: [(&str, &str); 4] = [(">", ">="), (">=", ">"), ("<", "<="), ("<=", "<")];
/// Pairs of functions of which one is often read as the other.
const FUNCTIONS: [(&str, &str); 4] = [("SUM", "AVG"), ("AVG", "SUM"), ("MIN", "MAX"), ("MAX", "MIN")];

/// Adds the misreadings of the word or operator at an index.
pub fn add_misread_words(query: &Query<'_>, at: usize, found: &mut Vec<Misreading>) {
    let compared =
        misread_comparison(query, at).or_else(|| misread_between(query, at)).or_else(|| misread_logic(query, at));
    let joined = misread_join(query, at).or_else(|| misread_union(query, at)).or_else(|| misread_direction(query, at));
    found.extend(compared.or(joined).or_else(|| misread_distinct(query, at)));
    found.extend(misread_function(query, at));
    found.extend(misread_count(query, at));
    found.extend(misread_nulls(query, at));
}

fn build(name: String, text: String, sameness: Sameness) -> Option<Misreading> {
    Some(Misreading { name, text, sameness })
}

fn misread_comparison(query: &Query<'_>, at: usize) -> Option<Misreading> {
    let (from, to) = COMPARISONS.iter().find(|(from, _)| query.is_punct(at, from))?;
    let show = |at: usize| {
        let token = query.get(at);
        token.filter(|token| token.kind != Kind::Punct).map_or("…", |token| token.text)
    };
    let (left, right) = (show(at.checked_sub(1)?), show(at + 1));
    let name = format!("`{left} {from} {right}` read as `{left} {to} {right}`");
    build(name, query.replace_tokens(at, at, to), Sameness::Weak)
}

/// Reads `x BETWEEN a AND b` without its ends, if all three are one word each.
fn misread_between(query: &Query<'_>, at: usize) -> Option<Misreading> {
    let is_between = query.is_any(at, "BETWEEN") && query.is_any(at + 2, "AND");
    let before = at.checked_sub(1).filter(|before| is_between && !query.is_any(*before, "NOT"))?;
    let column = query.get(before).filter(|token| token.is_name())?;
    let after = query.get(at + 4);
    if after.is_some_and(|token| token.kind == Kind::Punct && !matches!(token.text, ")" | "," | ";")) {
        return None;
    }
    let start = if before >= 2 && query.is_punct(before - 1, ".") { before - 2 } else { before };
    let (left, low, high) = (query.slice(start, before), query.get(at + 1)?.text, query.get(at + 3)?.text);
    let text = query.replace_tokens(start, at + 3, &format!("({left} > {low} AND {left} < {high})"));
    build(format!("`{} BETWEEN {low} AND {high}` read without its ends", column.text), text, Sameness::Ends)
}

fn misread_logic(query: &Query<'_>, at: usize) -> Option<Misreading> {
    let clause = query.find_before(at, "SELECT FROM WHERE HAVING ON GROUP ORDER WINDOW");
    let is_condition = clause.is_some_and(|clause| query.is_any(clause, "WHERE HAVING"));
    if !is_condition || clause.is_some_and(|clause| query.has_comma_join(clause)) {
        return None;
    }
    if query.is_any(at, "OR") {
        return build("`OR` read as `AND`".into(), query.replace_tokens(at, at, "AND"), Sameness::Weak);
    }
    let is_and = query.is_any(at, "AND") && !query.is_of_between(at);
    is_and.then(|| build("`AND` read as `OR`".into(), query.replace_tokens(at, at, "OR"), Sameness::Weak)).flatten()
}

fn misread_join(query: &Query<'_>, at: usize) -> Option<Misreading> {
    if query.is_any(at, "LEFT") {
        let join = if query.is_any(at + 1, "OUTER") { at + 2 } else { at + 1 };
        let name = format!("`{}` read as `JOIN`", query.slice(at, join));
        return query
            .is_any(join, "JOIN")
            .then(|| build(name, query.replace_tokens(at, join, "JOIN"), Sameness::Weak))
            .flatten();
    }
    let is_inner = query.is_any(at, "JOIN")
        && !at.checked_sub(1).is_some_and(|before| query.is_any(before, "LEFT RIGHT FULL OUTER CROSS NATURAL INNER"));
    is_inner
        .then(|| build("`JOIN` read as `LEFT JOIN`".into(), query.replace_tokens(at, at, "LEFT JOIN"), Sameness::Usual))
        .flatten()
}

fn misread_union(query: &Query<'_>, at: usize) -> Option<Misreading> {
    // In a recursive query it decides whether the recursion ends.
    if !query.is_any(at, "UNION") || query.tokens.iter().any(|token| token.is_keyword("RECURSIVE")) {
        return None;
    }
    if query.is_any(at + 1, "ALL") {
        return build("`UNION ALL` read as `UNION`".into(), query.replace_tokens(at, at + 1, "UNION"), Sameness::Usual);
    }
    build("`UNION` read as `UNION ALL`".into(), query.replace_tokens(at, at, "UNION ALL"), Sameness::Weak)
}

fn misread_direction(query: &Query<'_>, at: usize) -> Option<Misreading> {
    let (from, to) = [("DESC", "ASC"), ("ASC", "DESC")].into_iter().find(|(from, _)| query.is_any(at, from))?;
    build(format!("`{from}` read as `{to}`"), query.replace_tokens(at, at, to), Sameness::Weak)
}

fn misread_distinct(query: &Query<'_>, at: usize) -> Option<Misreading> {
    let after = query.get(at + 1).filter(|_| query.is_any(at, "DISTINCT"))?;
    let start = query.get(at)?.start;
    let text = format!("{}{}", query.text.get(..start)?, query.text.get(after.start..)?);
    build("`DISTINCT` left out".into(), text, Sameness::Weak)
}

fn misread_function(query: &Query<'_>, at: usize) -> Option<Misreading> {
    let (from, to) = FUNCTIONS.iter().find(|(from, _)| query.is_any(at, from) && query.is_punct(at + 1, "("))?;
    build(format!("`{from}` read as `{to}`"), query.replace_tokens(at, at, to), Sameness::Weak)
}

/// Returns the column of a function of one column, and the index of its last word.
fn find_only_column<'t>(query: &Query<'t>, at: usize) -> Option<(&'t str, usize)> {
    let first = at + 2;
    let is_qualified = query.is_punct(first + 1, ".");
    let last = if is_qualified { first + 2 } else { first };
    let is_column = [first, last].into_iter().all(|at| query.get(at).is_some_and(|token| token.is_name()));
    let is_whole = query.is_punct(at + 1, "(") && query.is_punct(last + 1, ")");
    (is_column && is_whole && !query.is_any(first, "DISTINCT")).then(|| (query.slice(first, last), last))
}

fn misread_count(query: &Query<'_>, at: usize) -> Option<Misreading> {
    let (column, last) = find_only_column(query, at).filter(|_| query.is_any(at, "COUNT"))?;
    let other = format!("COUNT(DISTINCT {column})");
    let name = format!("`COUNT({column})` read as `{other}`");
    build(name, query.replace_tokens(at, last + 1, &other), Sameness::Usual)
}

fn misread_nulls(query: &Query<'_>, at: usize) -> Option<Misreading> {
    let (column, last) = find_only_column(query, at).filter(|_| query.is_any(at, "AVG"))?;
    let text = query.replace_tokens(at, last + 1, &format!("AVG(COALESCE({column}, 0))"));
    build(format!("missing values of `{column}` read as 0"), text, Sameness::Usual)
}
