//! Queries that are data, and cut off rows with LIMIT: the same query with one row more and with what it orders by, so that the values tell whether the
//! last row is equal to the one that is cut off.

use super::lex::{Token, tokens};

/// A query to be run next to the one that it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The query.
    pub sql: String,
    /// How many rows the other one keeps.
    pub kept: usize,
    /// What rows are ordered by.
    pub keys: Vec<Key>,
}

/// A term of ORDER BY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A column of the query itself, from 0.
    Own(usize),
    /// A column that was added after those, from 0.
    Added(usize),
}

/// The query to be run next to a query with LIMIT; `None` where it has none, or more than this knows to rewrite.
pub fn probe(sql: &str) -> Option<Probe> {
    let all = tokens(sql);
    let top = at_top(&all);
    let place = |word: &str| top.iter().position(|token| token.is(word));
    let select = top.first().filter(|token| token.is("SELECT"))?;
    let limit = place("LIMIT")?;
    let (number, rest) = (top.get(limit + 1)?, top.get(limit + 2..)?);
    let kept: usize = number.text.parse().ok().filter(|kept| *kept > 0)?;
    if place("OFFSET").is_some() || !rest.iter().all(|token| token.is_punct(";")) {
        return None;
    }
    let Some(order) = place("ORDER") else {
        // All rows are equal then.
        let sql = format!("{}{}", sql.get(select.start..number.start)?, kept + 1);
        return Some(Probe { sql, kept, keys: Vec::new() });
    };
    let refused = ["DISTINCT", "ALL", "UNION", "INTERSECT", "EXCEPT", "VALUES"];
    if refused.iter().any(|word| place(word).is_some()) {
        return None;
    }
    let (from, by) = (place("FROM")?, top.get(order + 1)?);
    if !by.is("BY") || limit < order || from > order {
        return None;
    }
    let whole = |from: usize, to: usize| sql.get(from..to);
    let items = parts(&top, 1, from);
    let terms = parts(&top, order + 2, limit);
    let (mut keys, mut added) = (Vec::new(), String::new());
    let mut count = 0;
    for term in &terms {
        let term = without_direction(term);
        let (first, last) = (term.first()?, term.last()?);
        let text = whole(first.start, last.end())?;
        let own = match term {
            [one] => {
                one.text.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).or_else(|| named(&items, &one.value()))
            }
            _ => None,
        };
        keys.push(match own {
            // What `*` stands for is not known here.
            Some(at) if items.iter().take(at + 1).all(|item| !item.last().is_some_and(|token| token.is_punct("*"))) => {
                Key::Own(at)
            }
            Some(_) => return None,
            None => {
                added.push_str(&format!(", ({text})"));
                count += 1;
                Key::Added(count - 1)
            }
        });
    }
    let end = items.last()?.last()?.end();
    let (head, tail) = (whole(select.start, end)?, whole(end, number.start)?);
    Some(Probe { sql: format!("{head}{added}{tail}{}", kept + 1), kept, keys })
}

/// The tokens outside of all brackets.
fn at_top<'a>(all: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut depth = 0i32;
    let mut top = Vec::new();
    for token in all {
        let closes = token.is_punct(")");
        depth -= i32::from(closes);
        // A bracket itself is kept, so that what it closes has an end.
        if depth == 0 {
            top.push(*token);
        }
        depth += i32::from(token.is_punct("("));
    }
    top
}

/// What commas separate.
fn parts<'t, 'a>(top: &'t [Token<'a>], from: usize, to: usize) -> Vec<&'t [Token<'a>]> {
    let within = top.get(from..to).unwrap_or_default();
    within.split(|token| token.is_punct(",")).collect()
}

fn without_direction<'t, 'a>(mut term: &'t [Token<'a>]) -> &'t [Token<'a>] {
    while let [rest @ .., last] = term
        && !rest.is_empty()
        && ["ASC", "DESC", "NULLS", "FIRST", "LAST"].iter().any(|word| last.is(word))
    {
        term = rest;
    }
    term
}

/// The column of this name: `… AS name`.
fn named(items: &[&[Token<'_>]], name: &str) -> Option<usize> {
    items.iter().position(|item| match item {
        [.., word, alias] => word.is("AS") && alias.value().eq_ignore_ascii_case(name),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probe_takes_one_row_more_and_what_rows_are_ordered_by() {
        let sql = "SELECT name, COUNT(*) AS n FROM t WHERE a IN (SELECT b FROM u ORDER BY c LIMIT 1) GROUP BY name ORDER BY n DESC, MAX(x) ASC LIMIT 3;";
        let made = probe(sql).expect("a probe");
        assert_eq!(made.kept, 3);
        assert_eq!(made.keys, [Key::Own(1), Key::Added(0)]);
        assert_eq!(
            made.sql,
            "SELECT name, COUNT(*) AS n, (MAX(x)) FROM t WHERE a IN (SELECT b FROM u ORDER BY c LIMIT 1) GROUP BY name ORDER BY n DESC, MAX(x) ASC LIMIT 4"
        );
        let unordered = Probe { sql: "SELECT DISTINCT a FROM t LIMIT 6".to_owned(), kept: 5, keys: Vec::new() };
        assert_eq!(probe("SELECT DISTINCT a FROM t LIMIT 5;"), Some(unordered));
        assert_eq!(probe("SELECT a FROM t ORDER BY 1 LIMIT 1").expect("one").keys, [Key::Own(0)]);
        assert_eq!(
            probe("SELECT * FROM t ORDER BY a LIMIT 1").expect("one").sql,
            "SELECT *, (a) FROM t ORDER BY a LIMIT 2"
        );
    }

    #[test]
    fn what_it_does_not_know_it_leaves_alone() {
        for sql in [
            "SELECT a FROM t",
            "SELECT a FROM t ORDER BY a",
            "SELECT DISTINCT a FROM t ORDER BY b LIMIT 1",
            "SELECT a FROM t UNION SELECT b FROM u ORDER BY 1 LIMIT 1",
            "SELECT a FROM t ORDER BY a LIMIT 1 OFFSET 2",
            "SELECT a FROM t ORDER BY a LIMIT 2, 1",
            "SELECT *, b FROM t ORDER BY 2 LIMIT 1",
            "WITH x AS (SELECT 1 AS a) SELECT a FROM x ORDER BY a LIMIT 1",
            "nonsense (",
            "",
        ] {
            assert_eq!(probe(sql), None, "{sql}");
        }
    }
}
