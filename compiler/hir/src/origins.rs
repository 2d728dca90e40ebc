//! The columns from which a value is copied unchanged: through names, picks, lists, and queries. Values computed from a column are not followed.

use std::collections::BTreeSet;

use model::suite::{ColumnId, FARTHEST, NameId, NameSource, RelationId, Scope};

use super::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, Rows, Sql, Task};
use crate::types::{Ty, TyKind};
use sql::{Letters, SqlOutput};

/// A column of a relation.
pub type Place = (RelationId, ColumnId);

/// Finds the column from which another column is copied.
pub fn find_origin(task: &Task, (mut relation, mut column): Place) -> Place {
    for _ in 0..FARTHEST {
        let Some(own) = task.relations.get(relation) else { break };
        (relation, column) = match (own.columns.get(column).map(|column| &column.source), &own.rows) {
            (Some(ColumnSource::Taken(of)), Rows::Taken { from, .. }) => (*from, *of),
            (Some(ColumnSource::Compute(Expr { kind: ExprKind::Column(of), .. })), _) => (relation, *of),
            (Some(ColumnSource::Result(at)), Rows::Query(name)) => {
                let sql = task.find_computed(*name).and_then(|value| value.resolve_name(task).find_query());
                let at = usize::try_from(*at).ok();
                let output = at.and_then(|at| sql?.analysis.columns.get(at)).and_then(|output| output.origin);
                match output {
                    Some(output) => output,
                    None => break,
                }
            }
            _ => break,
        };
    }
    (relation, column)
}

/// Finds the column whose values another column has: it is copied from it, or drawn from its values.
pub fn find_source_column(task: &Task, place: Place) -> Place {
    let mut place = find_origin(task, place);
    for _ in 0..FARTHEST {
        let draw = task.find_column(place).and_then(|column| column.source.draw());
        let Some(DrawDomain::Ref { relation, column, .. }) = draw.map(|draw| &draw.domain) else { break };
        place = find_origin(task, (*relation, *column));
    }
    place
}

/// The columns from which a value, or each item of a list, may be copied. `output` selects a column of a query with several columns.
pub fn find_columns(task: &Task, value: &Expr, output: Option<usize>) -> BTreeSet<Place> {
    let mut walk = Walk { task, output, names: BTreeSet::new(), found: BTreeSet::new() };
    walk.visit_expr(value, Scope::default());
    walk.found
}

struct Walk<'t> {
    task: &'t Task,
    output: Option<usize>,
    names: BTreeSet<NameId>,
    found: BTreeSet<Place>,
}

impl Walk<'_> {
    fn visit_expr(&mut self, expr: &Expr, scope: Scope) {
        match &expr.kind {
            ExprKind::Name(id) => self.visit_name(*id),
            ExprKind::Column(column) => scope.row.into_iter().for_each(|row| self.visit_column((row, *column))),
            ExprKind::List(items) => items.iter().for_each(|item| self.visit_expr(item, scope)),
            ExprKind::If(parts) => {
                self.visit_expr(&parts.1, scope);
                self.visit_expr(&parts.2, scope);
            }
            ExprKind::Call(function, args) => {
                let picks = function.picks.is_some() || function.is_value_list() || function.is_first_known();
                // A list function on a list, such as `sort`, returns items of that list.
                let is_list = |ty: &Ty| matches!(ty.kind, TyKind::List(_));
                for arg in args {
                    match arg {
                        Arg::Sql(sql) if function.query.is_some() => self.visit_query(sql),
                        Arg::Column { relation, column, .. } if picks => self.visit_column((*relation, *column)),
                        Arg::Each { relation, value, .. } if picks => {
                            self.visit_expr(value, scope.enter_filter(*relation))
                        }
                        Arg::Value(value) if picks || is_list(&expr.ty) && is_list(&value.ty) => {
                            self.visit_expr(value, scope)
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn visit_name(&mut self, id: NameId) {
        if !self.names.insert(id) {
            return;
        }
        match self.task.names.get(id).map(|name| &name.source) {
            Some(NameSource::Compute(value)) => self.visit_expr(value, Scope::default()),
            Some(NameSource::Draw { draw, .. }) => match &draw.domain {
                DrawDomain::Ref { relation, column, .. } => self.visit_column((*relation, *column)),
                DrawDomain::OneOf(items) => items.iter().for_each(|item| self.visit_expr(item, Scope::default())),
                _ => {}
            },
            _ => {}
        }
    }

    fn visit_query(&mut self, sql: &Sql) {
        let whole = sql.analysis.whole.filter(|whole| whole.function.picks.is_some());
        if let Some((relation, column)) = whole.and_then(|whole| Some((whole.relation, whole.column?))) {
            return self.visit_column((relation, column));
        }
        let asked = self.output;
        let outputs = sql.analysis.columns.iter().enumerate();
        for (_, output) in outputs.filter(|(at, _)| asked.is_none_or(|asked| asked == *at)) {
            list_output_origins(output).into_iter().for_each(|place| self.visit_column(place));
        }
    }

    fn visit_column(&mut self, place: Place) {
        self.found.insert(find_source_column(self.task, place));
    }
}

/// The columns from which an output column of a query may be copied.
fn list_output_origins(output: &SqlOutput) -> Vec<Place> {
    if let Some(origin) = output.origin {
        return vec![origin];
    }
    let columns = output.letters.iter().filter_map(|letters| match letters {
        Letters::Column { column, cased: false } => Some(*column),
        _ => None,
    });
    columns.collect()
}
