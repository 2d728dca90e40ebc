//! How the rows of a query were made: which columns are means of groups, and whether equal rows were merged.

use sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem, SetExpr};

use super::expressions::{as_output_expr, find_argument, find_last_name};
use super::functions::is_aggregate;
use super::made::{Made, MergedRows};
use super::parse::find_expr_bytes;
use super::request::{Query, is_same_name};
use super::scope::Column;

/// Describes the rows of a SELECT with these output columns.
pub fn describe_select(query: &Query<'_>, select: &Select, columns: Option<&[Column]>) -> Made {
    let grouped = !matches!(&select.group_by, GroupByExpr::Expressions(groups, _) if groups.is_empty());
    let has_star = select.projection.iter().any(|item| as_output_expr(item).is_none());
    let mean = |(at, item): (usize, &SelectItem)| {
        let mean = find_mean(as_output_expr(item)?)?;
        Some((at, find_expr_bytes(query.tokens, mean)?))
    };
    let means = match grouped && !has_star {
        true => select.projection.iter().enumerate().filter_map(mean).collect(),
        false => Vec::new(),
    };
    let merged = match select.distinct.is_some() && !grouped && !is_identified(query, columns) {
        true => find_distinct(query, select),
        false => None,
    };
    Made { means, merged }
}

/// Whether a column tells from which row of a table a row is: a key, or a reference to one.
pub fn is_identified(query: &Query<'_>, columns: Option<&[Column]>) -> bool {
    let Some(columns) = columns else { return true };
    columns.iter().any(|column| {
        let origin = column.value.origin.and_then(|origin| query.request.find_column(origin));
        origin.is_some_and(|origin| origin.primary_key || origin.unique || origin.references.is_some())
    })
}

/// The mean that an output is, perhaps rounded.
fn find_mean(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => find_mean(inner),
        Expr::Function(function) => {
            let name = find_last_name(&function.name)?;
            if is_same_name(&name.value, "round") {
                return find_mean(find_argument(function, 0)?);
            }
            (is_aggregate(function) && is_same_name(&name.value, "avg")).then_some(expr)
        }
        _ => None,
    }
}

fn find_distinct(query: &Query<'_>, select: &Select) -> Option<MergedRows> {
    let first = as_output_expr(select.projection.first()?)?;
    let (start, _) = find_expr_bytes(query.tokens, first)?;
    let before = query.tokens.iter().take_while(|token| token.start < start);
    let keyword = before.filter(|token| token.is_keyword("DISTINCT")).last()?;
    Some(MergedRows { union: false, keyword: (keyword.start, keyword.end()) })
}

/// The UNION before an arm.
pub fn find_union(query: &Query<'_>, arm: &SetExpr) -> Option<MergedRows> {
    let SetExpr::Select(select) = arm else { return None };
    let first = as_output_expr(select.projection.first()?)?;
    let (start, _) = find_expr_bytes(query.tokens, first)?;
    let before = query.tokens.iter().take_while(|token| token.start < start);
    let keyword = before.filter(|token| token.is_keyword("UNION")).last()?;
    Some(MergedRows { union: true, keyword: (keyword.start, keyword.end()) })
}
