//! The numbers of items of lists.

use model::functions::Arranges;
use model::suite::Scope;
use syntax::bounds::Bounds;

use super::{Facts, Truth};
use crate::{Arg, Expr, ExprKind, NameSource, Sql};

/// The number of items of a list.
pub(super) struct Length {
    /// Its bounds.
    pub bounds: Bounds,
    /// The maximum number of different items, if it is known.
    kinds: Option<u64>,
}

impl<'a> Facts<'a> {
    /// The number of items of a list. `None` if it is not understood.
    pub(super) fn infer_length(&self, list: &'a Expr, scope: Scope) -> Option<Length> {
        match &list.kind {
            ExprKind::Name(name) => match &self.task.names.get(*name)?.source {
                NameSource::Compute(value) => self.infer_length(value, Scope::default()),
                _ => None,
            },
            ExprKind::Call(function, args) if function.is_value_list() => {
                if let [.., Arg::Sql(sql)] = args.as_slice() {
                    return Some(Length { bounds: self.count_query_items(sql), kinds: None });
                }
                let [Arg::Column { relation, column, filter }] = args.as_slice() else { return None };
                let of_row = |filter| self.without_rows(|| self.infer_truth(filter, scope.enter_filter(*relation)));
                let rows = self.count_rows(*relation);
                let fact = self.lookup_column(*relation, *column);
                let bounds = match filter.as_ref().map_or(Truth::Always, of_row) {
                    Truth::Always if !fact.nullable => rows,
                    Truth::Never => Bounds { least: 0, most: 0 },
                    _ => Bounds { least: 0, ..rows },
                };
                Some(Length { bounds, kinds: fact.closed.map(|values| values.len() as u64) })
            }
            ExprKind::List(items) => Some(Length { bounds: Bounds::from_count(items.len() as u64), kinds: None }),
            ExprKind::Call(function, args) => {
                let [Arg::Value(of)] = args.as_slice() else { return None };
                let Length { bounds, kinds } = self.infer_length(of, scope)?;
                let bounds = match function.arranges? {
                    Arranges::Deduped => {
                        let most = kinds.map_or(bounds.most, |kinds| bounds.most.min(kinds));
                        Bounds { least: bounds.least.min(1), most }
                    }
                    _ => bounds,
                };
                Some(Length { bounds, kinds })
            }
            _ => None,
        }
    }

    /// The number of items of a list that a query makes of its only column.
    fn count_query_items(&self, sql: &'a Sql) -> Bounds {
        let rows = self.count_query_rows(sql);
        let is_full = matches!(sql.analysis.columns.as_slice(), [only] if !only.nullable);
        Bounds { least: if is_full { rows.least } else { 0 }, ..rows }
    }
}
