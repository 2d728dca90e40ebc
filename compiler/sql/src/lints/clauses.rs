//! Where the clauses of a SELECT are in the text.

use sqlparser::ast::{Spanned, TableFactor, TableWithJoins};

use super::scene::Scene;
use crate::analyser::Analyser;
use crate::lex::Token;
use crate::parse::{self, find_expr_bytes};

/// The tables of FROM, in the order of the frame's relations.
pub fn list_table_factors(from: &[TableWithJoins]) -> Vec<&TableFactor> {
    fn push_factor<'t>(factor: &'t TableFactor, out: &mut Vec<&'t TableFactor>) {
        match factor {
            TableFactor::NestedJoin { table_with_joins, .. } => push_joined_factors(table_with_joins, out),
            other => out.push(other),
        }
    }
    fn push_joined_factors<'t>(item: &'t TableWithJoins, out: &mut Vec<&'t TableFactor>) {
        push_factor(&item.relation, out);
        item.joins.iter().for_each(|join| push_factor(&join.relation, out));
    }
    let mut out = Vec::new();
    from.iter().for_each(|item| push_joined_factors(item, &mut out));
    out
}

/// The byte range of a table's name or alias in FROM.
pub fn find_factor_bytes(analyser: &Analyser<'_>, factor: &TableFactor) -> Option<(usize, usize)> {
    match factor {
        TableFactor::Table { name, alias, .. } => {
            let (start, end) = parse::find_span_bytes(name.span())?;
            let end =
                alias.as_ref().and_then(|alias| parse::find_span_bytes(alias.name.span)).map_or(end, |(_, end)| end);
            Some((start, end))
        }
        TableFactor::Derived { subquery, alias, .. } => match alias {
            Some(alias) => parse::find_span_bytes(alias.name.span),
            None => parse::find_node_bytes(analyser.query.tokens, subquery.as_ref()),
        },
        _ => None,
    }
}

/// The byte after FROM and WHERE of the SELECT.
pub fn find_group_place(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Option<usize> {
    let tokens = analyser.query.tokens;
    let (_, outputs_end) = find_expr_bytes(tokens, scene.collect_outputs()?.last()?)?;
    let first = tokens.partition_point(|token| token.start < outputs_end);
    let rest = tokens.get(first..)?;
    let mut depth = 0_i32;
    let is_end = |token: &Token<'_>| {
        depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
        depth < 0
            || depth == 0 && (token.is_any("HAVING ORDER LIMIT UNION INTERSECT EXCEPT WINDOW") || token.is_punct(";"))
    };
    let end = rest.iter().position(is_end).unwrap_or(rest.len());
    Some(rest.get(end.checked_sub(1)?)?.end())
}
