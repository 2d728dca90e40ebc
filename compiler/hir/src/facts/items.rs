//! The facts of the items of lists, and of aggregates over lists.

use model::functions::{FunctionId, MAX_COUNT, Pick, QueryResult, Results};
use model::suite::Scope;
use model::{Value, ValueType};
use syntax::bounds::Bounds;

use super::lengths::Length;
use super::{Fact, Facts, sum_range};
use crate::{Arg, Expr, ExprKind, NameSource, Sql};

impl<'a> Facts<'a> {
    /// The facts of a list's items, and whether each item is certainly in the list.
    pub(super) fn infer_list_items(&self, list: &'a Expr, scope: Scope) -> Option<(Vec<Fact<'a>>, bool)> {
        match &list.kind {
            ExprKind::Const(Value::List(items)) => Some((items.iter().map(Fact::from_value).collect(), true)),
            ExprKind::List(items) => Some((items.iter().map(|item| self.infer_expr(item, scope)).collect(), true)),
            ExprKind::Name(name) => match &self.task.names.get(*name)?.source {
                NameSource::Compute(value) => self.infer_list_items(value, Scope::default()),
                _ => None,
            },
            ExprKind::Call(function, args) => match args.as_slice() {
                [Arg::Column { relation, column, .. }] if function.is_value_list() => {
                    Some((vec![Fact { nullable: false, ..self.lookup_column(*relation, *column) }], false))
                }
                [.., Arg::Sql(sql)] if function.query == Some(QueryResult::List) => {
                    Some((vec![self.infer_query_items(sql, scope)?], false))
                }
                [Arg::Value(of)] if function.arranges.is_some() => self.infer_list_items(of, scope),
                _ => None,
            },
            _ => None,
        }
    }

    /// The fact of the items of a list that a query makes of its only column.
    fn infer_query_items(&self, sql: &'a Sql, scope: Scope) -> Option<Fact<'a>> {
        let [output] = sql.analysis.columns.as_slice() else { return None };
        let is_kept = match output.value_type? {
            ValueType::Int | ValueType::Decimal(_) | ValueType::Float => true,
            ValueType::Text => output.origin.is_some(),
            _ => false,
        };
        self.infer_output(sql, output, scope).filter(|_| is_kept)
    }

    /// The fact of an aggregate over the items of a list that is not written out. `None` if they are not known.
    pub(super) fn infer_list_aggregate(&self, function: FunctionId, list: &'a Expr, scope: Scope) -> Option<Fact<'a>> {
        let Length { bounds, .. } = self.infer_length(list, scope)?;
        let items = self.infer_items(list, scope)?;
        // Nulls do not count.
        let Bounds { least, most } = Bounds { least: if items.nullable { 0 } else { bounds.least }, ..bounds };
        let int = |count: u64| Value::Int(i64::try_from(count).unwrap_or(MAX_COUNT).min(MAX_COUNT));
        match function.results {
            Results::Count => Some(Fact::from_range(int(least), int(most))),
            Results::Sum => {
                let ends = sum_range(items.range.as_ref()?, least.max(1), most)?;
                Some(Fact::from_range(ends.0, ends.1).with_null_if(least == 0))
            }
            _ => match function.picks? {
                Pick::Place => None,
                _ => Some(Fact { nullable: least == 0, unique: false, ..items }),
            },
        }
    }

    /// The number of items of a list.
    pub fn count_list_items(&self, list: &'a Expr, scope: Scope) -> Option<Bounds> {
        self.infer_length(list, scope).map(|length| length.bounds)
    }

    /// The fact of each item of a list, which may be null.
    pub fn infer_items(&self, list: &'a Expr, scope: Scope) -> Option<Fact<'a>> {
        let (items, _) = self.infer_list_items(list, scope)?;
        items.into_iter().reduce(|all, item| all.join_fact(&item))
    }
}
