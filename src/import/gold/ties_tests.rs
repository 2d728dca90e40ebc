//! Queries whose rows depend on the order of equal rows: `LIMIT` within rows that are equal in what they are ordered by.
//!
//! It works on tokens, block by block: the whole query, and each query in brackets that has a `LIMIT` and can be run alone.

use compiler::sql::lex::{Kind, Token, tokens};

/// A `LIMIT` of a query, and how to look at the rows on both sides of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// How many rows are skipped.
    pub offset: usize,
    /// How many are taken after those.
    pub limit: usize,
    /// The query without `LIMIT`.
    pub all: String,
    /// What it is ordered by; empty: nothing.
    pub terms: Vec<Term>,
    /// The same query with the expressions among the terms as further columns, in the order of the terms; then another way to ask it.
    pub with_keys: Vec<String>,
}

/// A term of `ORDER BY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// The column of the result at this place, from 0.
    Place(usize),
    /// The column of the result of this name, if there is one; else an expression.
    Name(String),
    /// An expression.
    Expression(String),
}

/// The cuts of a query.
pub fn cuts(sql: &str) -> Vec<Cut> {
    let mut all = tokens(sql);
    while all.last().is_some_and(|token| token.is_punct(";")) {
        all.pop();
    }
    let end = all.last().map_or(0, Token::end);
    let mut found: Vec<Cut> = Vec::new();
    // What is named by the query's own WITH can be read in each of its blocks.
    let main = main(&all);
    let with = all.first().filter(|first| first.is("WITH")).and_then(|first| sql.get(first.start..main.start));
    found.extend(cut(sql, &all, 0, all.len(), end, ""));
    for (open, token) in all.iter().enumerate() {
        let opens = token.is_punct("(") && all.get(open + 1).is_some_and(|next| next.is("SELECT") || next.is("WITH"));
        if let Some(close) = closing(&all, open).filter(|_| opens) {
            let Some(last) = all.get(close) else { continue };
            let before = if token.start >= main.start { with.unwrap_or("") } else { "" };
            found.extend(cut(sql, &all, open + 1, close, last.start, before));
        }
    }
    found
}

struct Main {
    /// The byte where the query begins that is not part of WITH.
    start: usize,
}

/// The first SELECT that is in no brackets.
fn main(all: &[Token<'_>]) -> Main {
    let mut depth = 0_i32;
    for token in all {
        depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
        if depth == 0 && token.is("SELECT") {
            return Main { start: token.start };
        }
    }
    Main { start: 0 }
}

/// The bracket that closes the one at `open`.
fn closing(all: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, token) in all.iter().enumerate().skip(open) {
        depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The cut of the block between two tokens; it ends before the byte `end`.
fn cut(sql: &str, all: &[Token<'_>], first: usize, last: usize, end: usize, with: &str) -> Option<Cut> {
    let block = all.get(first..last)?;
    let flat = flat(block);
    let at = |word: &str| flat.iter().rev().copied().find(|at| block.get(*at).is_some_and(|token| token.is(word)));
    let limit_at = at("LIMIT")?;
    let start = block.first()?.start;
    let (limit, offset) = amounts(block.get(limit_at + 1..)?)?;
    let before_limit = sql.get(start..block.get(limit_at)?.start)?;
    let order_at = at("ORDER").filter(|order| *order < limit_at);
    let terms = match order_at {
        None => Vec::new(),
        Some(order) => terms(sql, block, &flat, order + 2, limit_at)?,
    };
    let expressions: Vec<&str> = terms
        .iter()
        .filter_map(|term| match &term.0 {
            Term::Place(_) => None,
            Term::Name(_) | Term::Expression(_) => Some(term.1),
        })
        .collect();
    let mut with_keys = Vec::new();
    let compound = ["UNION", "EXCEPT", "INTERSECT"].iter().any(|word| at(word).is_some());
    if let Some(order) = order_at.filter(|_| !expressions.is_empty()) {
        let select = *flat.iter().find(|at| block.get(**at).is_some_and(|token| token.is("SELECT")))?;
        let ends = ["FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER"];
        let insert = flat
            .iter()
            .copied()
            .filter(|at| *at > select)
            .find(|at| block.get(*at).is_some_and(|token| ends.iter().any(|word| token.is(word))))?;
        let insert = block.get(insert)?.start;
        let keys = expressions.join(", ");
        if !compound {
            let (head, tail) = (sql.get(start..insert)?, sql.get(insert..block.get(limit_at)?.start)?);
            with_keys.push(format!("{with}{head}, {keys} {tail}"));
        }
        // Names of the result's columns can be part of an expression.
        let body = sql.get(start..block.get(order)?.start)?;
        let ordered = sql.get(block.get(order)?.start..block.get(limit_at)?.start)?;
        with_keys.push(format!("{with}SELECT *, {keys} FROM ({body}) {ordered}"));
    }
    debug_assert!(end >= start);
    Some(Cut {
        offset,
        limit,
        all: format!("{with}{before_limit}"),
        terms: terms.into_iter().map(|(term, _)| term).collect(),
        with_keys,
    })
}

/// The tokens of a block that are in no brackets of it.
fn flat(block: &[Token<'_>]) -> Vec<usize> {
    let mut depth = 0_i32;
    let mut flat = Vec::new();
    for (at, token) in block.iter().enumerate() {
        if token.is_punct(")") {
            depth -= 1;
        }
        if depth == 0 {
            flat.push(at);
        }
        if token.is_punct("(") {
            depth += 1;
        }
    }
    flat
}

/// `LIMIT n`, `LIMIT n OFFSET m`, `LIMIT m, n`: how many are taken, and how many skipped. `None` for what is not a number.
fn amounts(after: &[Token<'_>]) -> Option<(usize, usize)> {
    let number = |at: usize| after.get(at).filter(|token| token.kind == Kind::Number)?.text.parse::<usize>().ok();
    match after {
        [_] => Some((number(0)?, 0)),
        [_, word, _] if word.is("OFFSET") => Some((number(0)?, number(2)?)),
        [_, comma, _] if comma.is_punct(",") => Some((number(2)?, number(0)?)),
        _ => None,
    }
}

/// The terms between two tokens, each with its expression as written.
fn terms<'s>(
    sql: &'s str,
    block: &[Token<'_>],
    flat: &[usize],
    first: usize,
    last: usize,
) -> Option<Vec<(Term, &'s str)>> {
    let commas = flat
        .iter()
        .copied()
        .filter(|at| (first..last).contains(at) && block.get(*at).is_some_and(|token| token.is_punct(",")));
    let mut terms = Vec::new();
    let mut start = first;
    for end in commas.chain([last]) {
        let mut term = block.get(start..end)?;
        while let [rest @ .., token] = term {
            if rest.is_empty() || !["ASC", "DESC", "NULLS", "FIRST", "LAST"].iter().any(|word| token.is(word)) {
                break;
            }
            term = rest;
        }
        let text = sql.get(term.first()?.start..term.last()?.end())?;
        terms.push((
            match term {
                [one] if one.kind == Kind::Number => Term::Place(one.text.parse::<usize>().ok()?.checked_sub(1)?),
                [one] if one.is_name() => Term::Name(one.value()),
                _ => Term::Expression(text.to_owned()),
            },
            text,
        ));
        start = end + 1;
    }
    Some(terms)
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Database;
    use super::*;

    #[test]
    fn a_cut_within_equal_rows_is_seen() {
        let database = Database::of_sql(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, n INTEGER); \
             INSERT INTO t VALUES (1, 'x', 5), (2, 'y', 5), (3, 'z', 3), (4, 'x', 3), (5, 'x', 3), (6, 'w', NULL)",
        );
        for (sql, tied) in [
            ("SELECT a FROM t ORDER BY n DESC LIMIT 1", true),
            ("SELECT a FROM t ORDER BY n DESC LIMIT 2", false),
            ("SELECT a FROM t ORDER BY n DESC LIMIT 3;", true),
            ("SELECT a FROM t ORDER BY n DESC, id LIMIT 3", false),
            ("SELECT a FROM t ORDER BY n DESC, a LIMIT 3", false),
            ("SELECT id, a FROM t ORDER BY n DESC, a LIMIT 3", true),
            ("SELECT n FROM t ORDER BY n DESC LIMIT 1", false),
            ("SELECT a, n FROM t ORDER BY 2 DESC LIMIT 1", true),
            ("SELECT a, n AS m FROM t ORDER BY M DESC LIMIT 1", true),
            ("SELECT a, n AS m FROM t ORDER BY m * -1 LIMIT 1 OFFSET 1", true),
            ("SELECT a FROM t ORDER BY n DESC LIMIT 1, 1", true),
            ("SELECT a FROM t ORDER BY id LIMIT 2, 2", false),
            ("SELECT a FROM t ORDER BY n LIMIT 1", false),
            ("SELECT a FROM t ORDER BY n DESC LIMIT 50", false),
            ("SELECT a FROM t LIMIT 50", false),
            ("SELECT a FROM t LIMIT 5", true),
            ("SELECT a FROM t WHERE a = 'x' LIMIT 2", false),
            ("SELECT a, COUNT(*) FROM t GROUP BY a ORDER BY COUNT(*) DESC LIMIT 1", false),
            ("SELECT a, COUNT(*) FROM t GROUP BY a ORDER BY COUNT(*) DESC LIMIT 2", true),
            ("SELECT DISTINCT a FROM t ORDER BY a LIMIT 2", false),
            ("SELECT a FROM t UNION SELECT 'q' ORDER BY a LIMIT 2", false),
            ("SELECT COUNT(*) FROM t WHERE a = (SELECT a FROM t ORDER BY n DESC LIMIT 1)", true),
            ("SELECT COUNT(*) FROM t WHERE a = (SELECT a FROM t ORDER BY n DESC, id LIMIT 1)", false),
            (
                "WITH u AS (SELECT * FROM t) SELECT COUNT(*) FROM t WHERE a = (SELECT a FROM u ORDER BY n DESC LIMIT 1)",
                true,
            ),
            ("WITH u AS (SELECT a FROM t ORDER BY n DESC LIMIT 1) SELECT a FROM u", true),
            ("SELECT a, (SELECT n FROM t u WHERE u.a = t.a ORDER BY n LIMIT 1) FROM t", false),
            ("SELECT a FROM t ORDER BY LOWER(a) DESC LIMIT 1", false),
            ("SELECT a, ROW_NUMBER() OVER (ORDER BY id) FROM t ORDER BY id LIMIT 2", false),
        ] {
            let found = cuts(sql).iter().find_map(|cut| database.tie(cut));
            assert_eq!(found.is_some(), tied, "{sql}: {found:?}");
        }
    }

    /// Random choices: what they are does not matter, only that they are always the same.
    struct Draw(u64);

    impl Draw {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end
        }

        fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
            of[self.below(of.len())]
        }
    }

    #[test]
    fn a_cut_is_tied_where_another_order_of_the_rows_gives_others() {
        let mut draw = Draw(7);
        let (mut tied, mut certain) = (0, 0);
        for _ in 0..600 {
            let mut rows: Vec<String> = (0..6)
                .map(|_| format!("('{}', {}, {})", draw.one(&["p", "q", "r"]), draw.below(3), draw.below(4)))
                .collect();
            let grouped = draw.below(4) == 0;
            let select = if grouped { "a, SUM(n)" } else { draw.one(&["a", "n", "a, m", "a, n + 1 AS k", "*"]) };
            let terms = if grouped {
                draw.one(&["SUM(n)", "2 DESC", "COUNT(*), a", "a"])
            } else {
                draw.one(&["n", "n DESC, m", "1", "a DESC", "m + n", "m, n, a", "UPPER(a)"])
            };
            let order = if draw.below(6) == 0 { String::new() } else { format!(" ORDER BY {terms}") };
            let group = if grouped { " GROUP BY a" } else { "" };
            let limit = match draw.below(3) {
                0 => format!("{}", draw.below(7)),
                1 => format!("{} OFFSET {}", draw.below(4), draw.below(4)),
                _ => format!("{}, {}", draw.below(4), draw.below(4)),
            };
            let block = format!("SELECT {select} FROM t{group}{order} LIMIT {limit}");
            let sql = if draw.below(4) == 0 { format!("SELECT * FROM ({block})") } else { block };
            let mut results = std::collections::BTreeSet::new();
            let mut said = None;
            for turn in 0..40 {
                for at in (1..rows.len()).rev() {
                    rows.swap(at, draw.below(at + 1));
                }
                let statements =
                    format!("CREATE TABLE t (a TEXT, n INTEGER, m INTEGER); INSERT INTO t VALUES {}", rows.join(", "));
                let database = Database::of_sql(&statements);
                let mut bag = database.cells(&sql);
                bag.sort();
                results.insert(bag);
                if turn == 0 {
                    said = cuts(&sql).iter().find_map(|cut| database.tie(cut));
                }
            }
            // Groups are in an order of their own, whatever that of the rows.
            assert!(said.is_some() || results.len() == 1, "{sql} over {rows:?}: {results:?}");
            assert!(said.is_none() || grouped || results.len() > 1, "{sql} over {rows:?}: {said:?}");
            tied += usize::from(said.is_some());
            certain += usize::from(said.is_none());
        }
        assert!(tied > 100 && certain > 100, "{tied} {certain}");
    }
}
