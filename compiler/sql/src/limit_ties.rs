//! Queries in data whose rows depend on the order of tied rows: `LIMIT` among rows with equal sort keys, and `ROW_NUMBER` of such rows.
//!
//! The analysis works on tokens, block by block: on the whole query, and on each subquery with `LIMIT` that does not need an outer row. SQLite itself
//! determines which rows tie, so collations, numbers of several types, and nulls count as in sorting.

use std::collections::BTreeSet;

use model::Value;
use model::compute::GoldResult;

use super::brackets::{find_closing_bracket, find_top_level, is_any_at, list_top_level, split_at_commas};
use super::lex::{Kind, Token, tokenize_sql};

/// Finds a tie in a query; `None` if nothing ties, or if it cannot be determined because a correlated subquery needs a row of the outer query. `ask` runs
/// further queries on the same database.
pub fn find_tie(sql: &str, ask: &dyn Fn(&str) -> GoldResult) -> Option<Tied> {
    let limit = |cut: &Cut<'_>| Some(Tied::Limit { words: cut.find_tie(ask)?, ordered: !cut.terms.is_empty() });
    find_cuts(sql).iter().find_map(limit).or_else(|| has_tied_numbers(sql, ask).then_some(Tied::Number))
}

/// Whether `LIMIT` takes some of several rows that are equal in the first term that they are ordered by, so the terms after it break ties.
pub fn uses_tie_break(sql: &str, ask: &dyn Fn(&str) -> GoldResult) -> bool {
    let several = find_cuts(sql).into_iter().filter(|cut| cut.terms.len() > 1);
    several.map(Cut::keep_first_term).any(|cut| cut.find_tie(ask).is_some())
}

/// Whether different rows of the result are equal in what they are ordered by, or in the first term of it. `None` if that cannot be determined.
pub fn has_equal_rows(sql: &str, first: Compared, ask: &dyn Fn(&str) -> GoldResult) -> Option<bool> {
    let whole = format!("{} LIMIT 1", sql.trim_end().trim_end_matches([';', ' ']));
    let cut = parse_cut(&whole, &tokenize_sql(&whole), "").filter(|cut| !cut.terms.is_empty())?;
    let cut = if first == Compared::FirstTerm { cut.keep_first_term() } else { cut };
    let columns = ask(&format!("{} LIMIT 0", cut.body)).ok()?.rows.columns.clone();
    cut.build_row_query(&columns, ask)?.has_equal_rows(ask)
}

/// The terms of `ORDER BY` that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// All terms.
    AllTerms,
    /// Only the first term.
    FirstTerm,
}

/// The part of a result that depends on the order of tied rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tied {
    /// The rows that `LIMIT` selects.
    Limit {
        /// A description.
        words: String,
        /// Whether they are sorted, so rows tie that are equal in what they are ordered by; otherwise all of them tie.
        ordered: bool,
    },
    /// The numbers of the rows.
    Number,
}

impl Tied {
    /// The message about the tie.
    pub fn into_message(self) -> String {
        match self {
            Tied::Limit { words, .. } => words,
            Tied::Number => "`ROW_NUMBER` numbers rows that are equal in what they are ordered by".to_owned(),
        }
    }
}

/// Whether a query returns other rows if tied rows get the same number.
fn has_tied_numbers(sql: &str, ask: &dyn Fn(&str) -> GoldResult) -> bool {
    let all = tokenize_sql(sql);
    let numbers = |at: usize| {
        let is = |offset: usize, text: &str| all.get(at + offset).is_some_and(|token| token.is_punct(text));
        all.get(at).is_some_and(|token| token.is_keyword("ROW_NUMBER")) && is(1, "(") && is(2, ")")
    };
    let (mut ranked, mut end) = (String::new(), 0);
    for token in (0..all.len()).filter(|at| numbers(*at)).filter_map(|at| all.get(at)) {
        ranked.push_str(sql.get(end..token.start).unwrap_or_default());
        ranked.push_str("RANK");
        end = token.end();
    }
    if end == 0 {
        return false;
    }
    ranked.push_str(sql.get(end..).unwrap_or_default());
    let different = |sql: &str| -> Option<BTreeSet<Vec<String>>> {
        let found = ask(sql).ok()?;
        let cell = |value: &Value| format!("{:?} {}", value.value_type(), value.render_text());
        Some(found.rows.rows.iter().map(|row| row.iter().map(cell).collect()).collect())
    };
    matches!((different(sql), different(&ranked)), (Some(own), Some(ranked)) if own != ranked)
}

/// A `LIMIT` of a query, and the rows that it cuts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cut<'s> {
    /// The number of rows that are skipped.
    offset: u64,
    /// The number of rows that are returned after those.
    limit: u64,
    /// The `WITH` of the outer query, whose tables it can read.
    with: &'s str,
    /// The query without `ORDER BY` and `LIMIT`.
    body: &'s str,
    /// The byte of `body` at which its columns end; `None` if it is a compound of several queries.
    columns_end: Option<usize>,
    /// Whether it is `SELECT DISTINCT`.
    distinct: bool,
    /// The terms by which it is sorted; may be empty.
    terms: Vec<Term<'s>>,
}

/// A term of `ORDER BY`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term<'s> {
    what: What,
    /// The text of its expression.
    text: &'s str,
    /// The text after its expression: `COLLATE NOCASE DESC`.
    how: &'s str,
}

/// The kinds of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// The result column at this index, from 0.
    Place(usize),
    /// The result column with this name, if it exists; otherwise an expression.
    Name(String),
    /// An expression.
    Expression,
}

impl Cut<'_> {
    fn keep_first_term(mut self) -> Self {
        self.terms.truncate(1);
        self
    }

    fn find_tie(&self, ask: &dyn Fn(&str) -> GoldResult) -> Option<String> {
        let bounds = [self.offset, self.offset.saturating_add(self.limit)];
        if self.limit == 0 {
            return None;
        }
        let columns = ask(&format!("{}{} LIMIT 0", self.with, self.body)).ok()?.rows.columns.clone();
        let all = self.build_row_query(&columns, ask)?;
        let equal = bounds.into_iter().filter(|bound| *bound > 0).find_map(|bound| all.count_equal_rows(bound, ask))?;
        let limit = self.limit;
        Some(if self.terms.is_empty() {
            format!("`LIMIT {limit}` without `ORDER BY` takes any {limit} of {equal} rows")
        } else {
            format!("`LIMIT {limit}` takes some of {equal} rows that are equal in what they are ordered by")
        })
    }

    /// Builds a query for all rows before the cut, with their sort keys.
    fn build_row_query(&self, columns: &[String], ask: &dyn Fn(&str) -> GoldResult) -> Option<Rows> {
        let (mut keys, mut order) = (Vec::new(), Vec::new());
        for Term { what, text, how } in &self.terms {
            let place = match what {
                What::Place(at) => Some(*at).filter(|at| *at < columns.len()),
                What::Name(name) => columns.iter().position(|column| column.eq_ignore_ascii_case(name)),
                What::Expression => None,
            };
            order.push(match place {
                Some(at) => format!("c{at} {how}"),
                None => {
                    keys.push(*text);
                    format!("k{} {how}", keys.len() - 1)
                }
            });
        }
        let names: Vec<String> = (0..columns.len()).map(|at| format!("c{at}")).collect();
        let all: Vec<String> = names.iter().cloned().chain((0..keys.len()).map(|at| format!("k{at}"))).collect();
        let (all, keys) = (all.join(", "), keys.join(", "));
        let Cut { with, body, .. } = self;
        let binary: Vec<String> = names.iter().map(|name| format!("{name} COLLATE BINARY")).collect();
        let rows = |query: String| Rows {
            with: format!("WITH picardc_rows({all}) AS ({with}{query})"),
            columns: binary.join(", "),
            order: order.join(", "),
        };
        if keys.is_empty() {
            return Some(rows((*body).to_owned()));
        }
        let further = self.columns_end.and_then(|end| Some((body.get(..end)?, body.get(end..)?)));
        let further = further.map(|(head, tail)| rows(format!("{head}, {keys} {tail}")));
        // An expression may use the names of result columns.
        let around = rows(format!("SELECT *, {keys} FROM ({body})"));
        let (first, second) = if self.distinct { (Some(around), further) } else { (further, Some(around)) };
        let same_number = |rows: &Rows| {
            let count = |sql: String| ask(&sql).ok()?.rows.rows.first()?.first().cloned();
            let own = count(format!("{} SELECT COUNT(*) FROM picardc_rows", rows.with));
            // Additional columns can make duplicate rows distinct.
            own.is_some() && (!self.distinct || own == count(format!("SELECT COUNT(*) FROM ({with}{body})")))
        };
        [first, second].into_iter().flatten().find(same_number)
    }
}

/// A query for the rows before the cut.
struct Rows {
    /// The query as the table `picardc_rows`.
    with: String,
    /// Its columns without the sort keys, compared byte by byte.
    columns: String,
    order: String,
}

impl Rows {
    /// Whether rows with equal sort keys differ in a column.
    fn has_equal_rows(&self, ask: &dyn Fn(&str) -> GoldResult) -> Option<bool> {
        let sql = format!(
            "{}, picardc_order AS (SELECT *, DENSE_RANK() OVER (ORDER BY {}) AS class FROM picardc_rows) \
             SELECT COUNT(*) FROM (SELECT class FROM (SELECT DISTINCT class, {} FROM picardc_order) GROUP BY class HAVING COUNT(*) > 1)",
            self.with, self.order, self.columns,
        );
        match ask(&sql).ok()?.rows.rows.first()?.as_slice() {
            [Value::Int(classes)] => Some(*classes > 0),
            _ => None,
        }
    }

    /// The number of rows whose sort keys equal those of the rows around the bound; `None` if the rows before and after it do not tie, or if all tied rows are
    /// equal.
    fn count_equal_rows(&self, bound: u64, ask: &dyn Fn(&str) -> GoldResult) -> Option<i64> {
        let over = if self.order.is_empty() { String::new() } else { format!("ORDER BY {}", self.order) };
        let class = |row: u64| format!("(SELECT class FROM picardc_order WHERE place = {row})");
        let sql = format!(
            "{}, picardc_order AS (SELECT *, DENSE_RANK() OVER ({over}) AS class, ROW_NUMBER() OVER ({over}) AS place FROM picardc_rows), \
             picardc_equal AS (SELECT * FROM picardc_order WHERE class = {} AND class = {}) \
             SELECT (SELECT COUNT(*) FROM picardc_equal), (SELECT COUNT(*) FROM (SELECT DISTINCT {} FROM picardc_equal LIMIT 2))",
            self.with,
            class(bound),
            class(bound.saturating_add(1)),
            self.columns,
        );
        match ask(&sql).ok()?.rows.rows.first()?.as_slice() {
            [Value::Int(equal), Value::Int(2)] => Some(*equal),
            _ => None,
        }
    }
}

/// Finds the cuts of a query.
fn find_cuts(sql: &str) -> Vec<Cut<'_>> {
    let mut all = tokenize_sql(sql);
    while all.last().is_some_and(|token| token.is_punct(";")) {
        all.pop();
    }
    let mut found: Vec<Cut<'_>> = Vec::new();
    // Each block can read the tables of the query's own WITH.
    let main = find_top_level(&all, "SELECT").and_then(|main| all.get(main)).map_or(0, |main| main.start);
    let with = all.first().filter(|first| first.is_keyword("WITH")).and_then(|first| sql.get(first.start..main));
    found.extend(parse_cut(sql, &all, ""));
    for (open, token) in all.iter().enumerate() {
        let opens = token.is_punct("(") && is_any_at(&all, open + 1, "SELECT WITH");
        // EXISTS does not depend on which row is found.
        let exists = open.checked_sub(1).is_some_and(|before| is_any_at(&all, before, "EXISTS"));
        let close = if opens && !exists { find_closing_bracket(&all, open) } else { None };
        if let Some(block) = close.and_then(|close| all.get(open + 1..close)) {
            let before = if token.start >= main { with.unwrap_or("") } else { "" };
            found.extend(parse_cut(sql, block, before));
        }
    }
    found
}

/// Parses the cut of a block.
fn parse_cut<'s>(sql: &'s str, block: &[Token<'s>], with: &'s str) -> Option<Cut<'s>> {
    let at = |word: &str| list_top_level(block).filter(|at| is_any_at(block, *at, word)).last();
    let limit_at = at("LIMIT")?;
    let start = block.first()?.start;
    let (limit, offset) = parse_limit(block.get(limit_at + 1..)?)?;
    let order_at = at("ORDER").filter(|order| *order < limit_at);
    let terms = match order_at {
        None => Vec::new(),
        Some(order) => parse_order_terms(sql, block.get(order + 2..limit_at)?)?,
    };
    let body_end = order_at.unwrap_or(limit_at);
    let body = sql.get(start..block.get(body_end)?.start)?;
    let select = find_top_level(block, "SELECT")?;
    let is_compound = find_top_level(block, "UNION EXCEPT INTERSECT").is_some();
    let is_end = |at: &usize| is_any_at(block, *at, "FROM WHERE GROUP HAVING WINDOW");
    let end = list_top_level(block).filter(|at| *at > select && *at < body_end).find(is_end);
    let columns_end = match end {
        Some(end) => block.get(end)?.start.checked_sub(start)?,
        None => body.len(),
    };
    Some(Cut {
        offset,
        limit,
        with,
        body,
        columns_end: Some(columns_end).filter(|_| !is_compound),
        distinct: is_any_at(block, select + 1, "DISTINCT"),
        terms,
    })
}

/// Parses `LIMIT n`, `LIMIT n OFFSET m`, or `LIMIT m, n`. Returns the number of rows to take and to skip; `None` for anything but numbers.
fn parse_limit(after: &[Token<'_>]) -> Option<(u64, u64)> {
    let number = |at: usize| after.get(at).filter(|token| token.kind == Kind::Number)?.text.parse::<u64>().ok();
    match after {
        [_] => Some((number(0)?, 0)),
        [_, word, _] if word.is_keyword("OFFSET") => Some((number(0)?, number(2)?)),
        [_, comma, _] if comma.is_punct(",") => Some((number(2)?, number(0)?)),
        _ => None,
    }
}

/// Parses the terms of ORDER BY.
fn parse_order_terms<'s>(sql: &'s str, tokens: &[Token<'s>]) -> Option<Vec<Term<'s>>> {
    let mut terms = Vec::new();
    for whole in split_at_commas(tokens) {
        let mut term = whole;
        while let [rest @ .., token] = term
            && token.is_any("ASC DESC NULLS FIRST LAST")
            && !rest.is_empty()
        {
            term = rest;
        }
        if let [rest @ .., word, _] = term
            && word.is_keyword("COLLATE")
            && !rest.is_empty()
        {
            term = rest;
        }
        let end_of_text = term.last()?.end();
        terms.push(Term {
            what: match term {
                [one] if one.kind == Kind::Number => What::Place(one.text.parse::<usize>().ok()?.checked_sub(1)?),
                [one] if one.is_name() => What::Name(one.to_unquoted()),
                _ => What::Expression,
            },
            text: sql.get(term.first()?.start..end_of_text)?,
            how: sql.get(end_of_text..whole.last()?.end())?,
        });
    }
    Some(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_is_what_limit_takes_and_what_rows_are_ordered_by() {
        let sql = "SELECT name, COUNT(*) AS n FROM t WHERE a IN (SELECT b FROM u LIMIT 4) GROUP BY name \
                   ORDER BY n COLLATE NOCASE DESC, MAX(x) ASC NULLS LAST, 1 LIMIT 3 OFFSET 2;";
        let found = find_cuts(sql);
        let [outer, inner] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((outer.limit, outer.offset, outer.distinct), (3, 2, false));
        assert!(outer.body.starts_with("SELECT name") && outer.body.ends_with("GROUP BY name "));
        assert_eq!(outer.columns_end, Some("SELECT name, COUNT(*) AS n ".len()));
        let terms: Vec<(&What, &str, &str)> =
            outer.terms.iter().map(|term| (&term.what, term.text, term.how)).collect();
        assert_eq!(
            terms,
            [
                (&What::Name("n".to_owned()), "n", " COLLATE NOCASE DESC"),
                (&What::Expression, "MAX(x)", " ASC NULLS LAST"),
                (&What::Place(0), "1", ""),
            ]
        );
        assert_eq!((inner.limit, inner.offset, inner.body, &inner.terms), (4, 0, "SELECT b FROM u ", &Vec::new()));
    }

    #[test]
    fn only_the_first_term_is_kept() {
        let cut = |sql: &'static str| find_cuts(sql).into_iter().next().map(Cut::keep_first_term);
        let kept = cut("SELECT a FROM t ORDER BY max(b, c) DESC, a LIMIT 2").expect("a cut");
        assert_eq!(kept.terms, [Term { what: What::Expression, text: "max(b, c)", how: " DESC" }]);
    }

    #[test]
    fn what_cuts_nothing_has_no_cut() {
        for sql in [
            "SELECT a FROM t",
            "SELECT a FROM t ORDER BY a",
            "SELECT a FROM t WHERE EXISTS (SELECT * FROM u LIMIT 1)",
            "SELECT a FROM t LIMIT :n",
            "SELECT a FROM t LIMIT -1",
            "nonsense (",
            "",
        ] {
            assert_eq!(find_cuts(sql), [], "{sql}");
        }
    }
}
