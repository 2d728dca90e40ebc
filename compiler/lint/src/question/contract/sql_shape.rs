//! The outer form of a query as its tokens show it: what it selects, in which order, and how many rows.

use sql::lex::{Kind, Token, tokenize_sql};

use syntax::prompts::{Aggregate, End};

/// The names of SQL's aggregates.
const AGGREGATES: [(&str, Aggregate); 9] = [
    ("SUM", Aggregate::Sum),
    ("TOTAL", Aggregate::Sum),
    ("AVG", Aggregate::Mean),
    ("COUNT", Aggregate::Count),
    ("MIN", Aggregate::Low),
    ("MAX", Aggregate::High),
    ("MEDIAN", Aggregate::Median),
    ("STDEV", Aggregate::Deviation),
    ("PSTDEV", Aggregate::Deviation),
];

/// The clauses of a query that is one SELECT.
pub(super) struct SqlShape<'t> {
    /// The selected values, without their aliases.
    pub items: Vec<Vec<Token<'t>>>,
    /// The terms of `ORDER BY`.
    pub order: Vec<OrderTerm<'t>>,
    /// The number after `LIMIT`, if it is a literal.
    pub limit: Option<i64>,
    /// Whether there is an `OFFSET`.
    pub offset: bool,
    /// Whether rows are grouped.
    pub grouped: bool,
    /// Whether `DISTINCT`, `UNION`, or `GROUP` occurs anywhere.
    pub distinct: bool,
    /// The number of aggregates at any depth.
    pub aggregates: usize,
    /// The number of `LIMIT`s at any depth.
    pub limits: usize,
}

/// A term of `ORDER BY`.
pub(super) struct OrderTerm<'t> {
    /// The expression.
    pub tokens: Vec<Token<'t>>,
    /// Which end comes first.
    pub first: End,
}

/// An aggregate that a query returns.
pub(super) struct SqlAggregate<'t> {
    /// Which.
    pub aggregate: Aggregate,
    /// Its argument.
    pub argument: Vec<Token<'t>>,
    /// Its name as written.
    pub name: &'t str,
}

impl<'t> SqlShape<'t> {
    /// Reads the form of a query. `None` for a compound query, or one that is not a SELECT.
    pub fn new(text: &'t str) -> Option<SqlShape<'t>> {
        let tokens = tokenize_sql(text);
        let outer = find_outer_keywords(&tokens);
        let place =
            |keyword: &str| outer.iter().find(|(_, word)| word.eq_ignore_ascii_case(keyword)).map(|(at, _)| *at);
        if ["UNION", "EXCEPT", "INTERSECT", "VALUES"].iter().any(|keyword| place(keyword).is_some()) {
            return None;
        }
        let select = place("SELECT")?;
        let end = |from: usize| outer.iter().map(|(at, _)| *at).find(|at| *at > from).unwrap_or(tokens.len());
        let between = |from: usize, to: usize| tokens.get(from..to).unwrap_or_default();
        let items = split_at_commas(between(select + 1, end(select)));
        let order = place("ORDER").map(|at| between(at + 2, end(at))).unwrap_or_default();
        let limit = place("LIMIT").map(|at| between(at + 1, end(at))).unwrap_or_default();
        let is_call = |at: usize| tokens.get(at + 1).is_some_and(|next| next.is_punct("("));
        let named =
            tokens.iter().enumerate().filter(|(at, token)| find_aggregate_name(token).is_some() && is_call(*at));
        Some(SqlShape {
            items: items.into_iter().map(strip_alias).collect(),
            order: split_at_commas(order).into_iter().filter_map(read_order_term).collect(),
            limit: match limit {
                [number] => number.text.parse().ok(),
                _ => None,
            },
            offset: place("OFFSET").is_some() || limit.iter().any(|token| token.is_punct(",")),
            grouped: place("GROUP").is_some(),
            distinct: tokens.iter().any(|token| token.is_any("DISTINCT UNION GROUP")),
            aggregates: named.count(),
            limits: tokens.iter().filter(|token| token.is_keyword("LIMIT")).count(),
        })
    }

    /// The aggregate that is the only selected value, below ROUND and the like.
    pub fn find_aggregate(&self) -> Option<SqlAggregate<'t>> {
        let [item] = self.items.as_slice() else { return None };
        let mut item = item.clone();
        while let Some((name, mut arguments)) = split_call(&item) {
            let is_wrapper = name.is_any("ROUND COALESCE IFNULL CAST FORMAT PRINTF ABS");
            let first = if arguments.is_empty() { Vec::new() } else { arguments.remove(0) };
            match find_aggregate_name(&name) {
                Some(aggregate) if arguments.is_empty() => {
                    return Some(finish_aggregate(aggregate, name.text, first));
                }
                None if is_wrapper => item = first,
                _ => return None,
            }
        }
        None
    }

    /// The only aggregate in each selected value.
    pub fn list_item_aggregates(&self) -> Vec<Option<Aggregate>> {
        let of_item = |item: &Vec<Token<'t>>| {
            let mut named = item.iter().filter_map(find_aggregate_name);
            let first = named.next()?;
            named.next().is_none().then_some(first)
        };
        self.items.iter().map(of_item).collect()
    }

    /// The end that is taken of the first term of `ORDER BY`, if `LIMIT` takes some rows.
    pub fn find_taken_end(&self) -> Option<(&OrderTerm<'t>, End)> {
        let first = self.order.first()?;
        (self.limit.is_some() && !self.offset).then_some((first, first.first))
    }

    /// The decimal places of an outer ROUND.
    pub fn find_places(&self) -> Option<i64> {
        let [item] = self.items.as_slice() else { return None };
        let (name, arguments) = split_call(item)?;
        match arguments.as_slice() {
            [_] if name.is_keyword("ROUND") => Some(0),
            [_, places] if name.is_keyword("ROUND") => match places.as_slice() {
                [places] => places.text.parse().ok(),
                _ => None,
            },
            _ => None,
        }
    }
}

fn finish_aggregate<'t>(aggregate: Aggregate, name: &'t str, mut argument: Vec<Token<'t>>) -> SqlAggregate<'t> {
    let is_distinct = argument.first().is_some_and(|token| token.is_keyword("DISTINCT"));
    if is_distinct {
        argument.remove(0);
    }
    let aggregate = if is_distinct && aggregate == Aggregate::Count { Aggregate::Distinct } else { aggregate };
    SqlAggregate { aggregate, argument, name }
}

fn find_aggregate_name(token: &Token<'_>) -> Option<Aggregate> {
    AGGREGATES.iter().find(|(name, _)| token.is_keyword(name)).map(|(_, aggregate)| *aggregate)
}

/// The keywords of clauses outside of brackets, with their indexes.
fn find_outer_keywords<'t>(tokens: &[Token<'t>]) -> Vec<(usize, &'t str)> {
    let mut depth = 0i32;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ if depth == 0
                && token.is_any(
                    "SELECT FROM WHERE GROUP HAVING ORDER LIMIT OFFSET UNION EXCEPT INTERSECT VALUES WINDOW",
                ) =>
            {
                found.push((at, token.text));
            }
            _ => {}
        }
    }
    found
}

fn split_at_commas<'t>(tokens: &[Token<'t>]) -> Vec<Vec<Token<'t>>> {
    let mut depth = 0i32;
    let mut parts = vec![Vec::new()];
    for token in tokens {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 0 => {
                parts.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(*token);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Removes `AS name`, or a name after a closing bracket.
fn strip_alias(mut item: Vec<Token<'_>>) -> Vec<Token<'_>> {
    if item.first().is_some_and(|token| token.is_keyword("DISTINCT")) {
        item.remove(0);
    }
    if let [.., marker, alias] = item.as_slice()
        && alias.is_name()
        && (marker.is_keyword("AS") || marker.is_punct(")") || marker.is_name())
    {
        let extra = if marker.is_keyword("AS") { 2 } else { 1 };
        item.truncate(item.len() - extra);
    }
    item
}

fn read_order_term(mut tokens: Vec<Token<'_>>) -> Option<OrderTerm<'_>> {
    if let Some(at) = tokens.iter().position(|token| token.is_keyword("NULLS")) {
        tokens.truncate(at);
    }
    if let Some(at) = tokens.iter().position(|token| token.is_keyword("COLLATE")) {
        tokens.drain(at..(at + 2).min(tokens.len()));
    }
    let is_descending = tokens.last()?.is_keyword("DESC");
    if tokens.last()?.is_any("ASC DESC") {
        tokens.pop();
    }
    let first = if is_descending { End::High } else { End::Low };
    // A minus turns the order around.
    (!tokens.is_empty() && !tokens.iter().any(|token| token.is_any("CASE") || token.is_punct("-") && tokens.len() < 4))
        .then_some(OrderTerm { tokens, first })
}

/// The name and the arguments, if the tokens are one call and nothing else.
pub(super) fn split_call<'t>(tokens: &[Token<'t>]) -> Option<(Token<'t>, Vec<Vec<Token<'t>>>)> {
    let (name, rest) = tokens.split_first()?;
    let (open, rest) = rest.split_first()?;
    let (close, inner) = rest.split_last()?;
    if name.kind != Kind::Word || !open.is_punct("(") || !close.is_punct(")") {
        return None;
    }
    let mut depth = 0i32;
    for token in inner {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    Some((*name, split_at_commas(inner)))
}
