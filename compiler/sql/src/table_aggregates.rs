//! Queries that consist of one aggregate over a whole table. Their results are known as precisely as those of the same function of the language.

use model::functions::{COUNT, FunctionId, MAX, MIN};
use model::suite::{ColumnId, RelationId};
use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments,
    GroupByExpr, Query, Select, SelectItem, SetExpr, TableFactor,
};

use super::meaning::Meaning;
use super::request::SqlRequest;

/// `SELECT COUNT(*) FROM t`, or MIN or MAX of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The function of the language for COUNT, MIN, or MAX.
    pub function: FunctionId,
    /// The relation of the table.
    pub relation: RelationId,
    /// Its column; `None` for `COUNT(*)`.
    pub column: Option<ColumnId>,
}

/// Recognizes a query that consists of one aggregate. `meaning` is the analysis of the same query.
pub fn find_table_aggregate(request: &SqlRequest<'_>, query: &Query, meaning: &Meaning) -> Option<Whole> {
    if !meaning.complete || query.with.is_some() || query.limit_clause.is_some() || query.fetch.is_some() {
        return None;
    }
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let (name, argument) = extract_aggregate(select)?;
    let function = [COUNT, MIN, MAX].into_iter().find(|known| name.eq_ignore_ascii_case(known.name))?;
    // If only one column of the only table is read, it is the argument.
    let [table] = meaning.tables.iter().copied().collect::<Vec<_>>()[..] else { return None };
    let reads: Vec<(usize, usize)> = meaning.reads.iter().copied().collect();
    let column = match (argument, reads.as_slice()) {
        (FunctionArgExpr::Wildcard, []) if function.is_count() => None,
        (FunctionArgExpr::Expr(Expr::Identifier(_) | Expr::CompoundIdentifier(_)), [read]) => {
            Some(request.resolve_column(*read)?.1)
        }
        _ => return None,
    };
    Some(Whole { function, relation: request.tables.get(table)?.id, column })
}

/// The name and argument of the aggregate, if a SELECT of all rows of one table returns nothing else.
fn extract_aggregate(select: &Select) -> Option<(&str, &FunctionArgExpr)> {
    let [table] = select.from.as_slice() else { return None };
    let grouped = !matches!(&select.group_by, GroupByExpr::Expressions(groups, _) if groups.is_empty());
    let narrowed = select.selection.is_some() || select.having.is_some() || select.distinct.is_some() || grouped;
    if narrowed || !table.joins.is_empty() || !matches!(table.relation, TableFactor::Table { .. }) {
        return None;
    }
    let [SelectItem::UnnamedExpr(item) | SelectItem::ExprWithAlias { expr: item, .. }] = select.projection.as_slice()
    else {
        return None;
    };
    let Expr::Function(Function { name, args: FunctionArguments::List(args), filter: None, over: None, .. }) = item
    else {
        return None;
    };
    let FunctionArgumentList { duplicate_treatment: None | Some(DuplicateTreatment::All), args, clauses } = args else {
        return None;
    };
    let ([FunctionArg::Unnamed(argument)], [], [part]) = (args.as_slice(), clauses.as_slice(), name.0.as_slice())
    else {
        return None;
    };
    Some((part.as_ident()?.value.as_str(), argument))
}
