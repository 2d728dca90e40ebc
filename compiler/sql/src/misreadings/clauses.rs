//! Conditions that are left out, and `LIMIT`.

use super::query::{Misreading, Query, Sameness};

/// The words that end a condition.
const ENDS: &str = "GROUP HAVING ORDER LIMIT UNION EXCEPT INTERSECT WINDOW RETURNING";

/// Adds the misreadings of the clause that begins at an index.
pub fn add_misread_clauses(query: &Query<'_>, at: usize, found: &mut Vec<Misreading>) {
    if query.is_any(at, "WHERE HAVING") && !query.has_comma_join(at) {
        add_left_out(query, at, found);
    }
    if query.is_any(at, "LIMIT") {
        add_limits(query, at, found);
    }
    if query.is_any(at, "ORDER") && query.is_any(at + 1, "BY") {
        found.extend(misread_order(query, at));
    }
}

/// Leaves out each condition of a `WHERE` or `HAVING` that `AND` joins.
fn add_left_out(query: &Query<'_>, at: usize, found: &mut Vec<Misreading>) {
    let level: Vec<usize> = query.list_level(at).into_iter().take_while(|at| !query.is_any(*at, ENDS)).collect();
    let Some(last) = find_clause_end(query, at, &level) else { return };
    let is_mixed = level.iter().any(|at| query.is_any(*at, "OR"));
    let ands: Vec<usize> =
        level.iter().copied().filter(|at| !is_mixed && query.is_any(*at, "AND") && !query.is_of_between(*at)).collect();
    let mut add = |name: (usize, usize), without: (usize, usize)| {
        // Two columns are compared where tables are joined.
        let (first, last) = name;
        let is_join = query.slice(first, last).split_once('=').is_some_and(|(left, right)| {
            let is_column = |side: &str| {
                side.trim().split('.').all(|part| {
                    part.chars().all(|c| c.is_alphanumeric() || c == '_')
                        && !part.starts_with(|c: char| c.is_ascii_digit())
                })
            };
            is_column(left) && is_column(right)
        });
        if !is_join {
            let text = query.replace_tokens(without.0, without.1, "");
            let name = format!("`{}` left out", crate::to_one_line(query.slice(first, last)));
            found.push(Misreading { name, text: tidy(&text), sameness: Sameness::Weak });
        }
    };
    if ands.is_empty() {
        add((at + 1, last), (at, last));
        return;
    }
    let starts = std::iter::once(at + 1).chain(ands.iter().map(|and| and + 1));
    let ends = ands.iter().map(|and| and - 1).chain([last]);
    for (start, end) in starts.zip(ends) {
        // Without the `AND` after it, or before it if it is the last.
        let without = if end == last { (start - 1, end) } else { (start, end + 1) };
        add((start, end), without);
    }
}

/// Returns the index of the last token of a clause.
fn find_clause_end(query: &Query<'_>, at: usize, level: &[usize]) -> Option<usize> {
    let last = *level.last()?;
    // A bracket is closed within the clause.
    let mut depth = 0_usize;
    let mut end = last;
    for next in last..query.tokens.len() {
        if query.is_punct(next, "(") {
            depth += 1;
        } else if query.is_punct(next, ")") {
            if depth == 0 {
                break;
            }
            depth -= 1;
        }
        end = next;
        if depth == 0 {
            break;
        }
    }
    (end > at).then_some(end)
}

/// Removes the blanks that a removed part leaves twice.
fn tidy(text: &str) -> String {
    text.replace("  ", " ").replace(" )", ")").trim_end().to_owned()
}

fn add_limits(query: &Query<'_>, at: usize, found: &mut Vec<Misreading>) {
    let Some(number) = query.get(at + 1).and_then(|token| token.text.parse::<u32>().ok()) else { return };
    // A single row is asked for as such, and `OFFSET` and `LIMIT a, b` name other numbers.
    if number < 2 || query.is_any(at + 2, "OFFSET") || query.is_punct(at + 2, ",") {
        return;
    }
    for other in [number + 1, number - 1] {
        let name = format!("`LIMIT {number}` read as `LIMIT {other}`");
        let text = query.replace_tokens(at + 1, at + 1, &other.to_string());
        found.push(Misreading { name, text, sameness: Sameness::Weak });
    }
}

/// Reads an ascending order that a `LIMIT` cuts as descending.
fn misread_order(query: &Query<'_>, at: usize) -> Option<Misreading> {
    let level: Vec<usize> = query.list_level(at).into_iter().skip(1).collect();
    let limit = level.iter().copied().find(|at| query.is_any(*at, "LIMIT"))?;
    let named = |at: &usize| query.is_any(*at, "ASC DESC") || query.is_punct(*at, ",");
    if level.iter().take_while(|at| **at < limit).any(named) {
        return None;
    }
    let text = query.replace_tokens(limit, limit, &format!("DESC {}", query.get(limit)?.text));
    Some(Misreading { name: "the order read as descending".into(), text, sameness: Sameness::Weak })
}
