//! The parameters of a query: names of the task, and columns of the row.

use crate::context::{Checker, TaskChecker, TaskScope};
use hir::types::{Ty, TyKind};
use hir::{Entity, Expr};
use model::suite::{ColumnId, RelationId};
use names as suggest;
use sql::{ParamKind, SqlText};

impl TaskChecker<'_, '_> {
    /// Checks the names that a query uses as parameters, because its analysis needs their types.
    pub(super) fn prepare_parameters(&mut self, text: &SqlText<'_>) {
        for (name, span) in text.iter_parameters() {
            match self.scope.entities.get(name).copied() {
                Some(Entity::Name(id)) => self.ensure_name(id, Some(span)),
                Some(_) => {}
                None => {
                    if let Some((row, column)) = self.scope.find_row_parameter(name) {
                        self.ensure_column(row, column, Some(span));
                    }
                }
            }
        }
    }

    /// Returns the values of the parameters, each once.
    pub(super) fn bind_parameters(&mut self, params: &[(String, model::Span)]) -> Vec<(String, Expr)> {
        let mut bound: Vec<(String, Expr)> = Vec::new();
        for (name, span) in params {
            if bound.iter().any(|(known, _)| known == name) {
                continue;
            }
            let row_column = self.scope.find_row_parameter(name);
            let value = match (self.scope.entities.get(name.as_str()).copied(), row_column) {
                (Some(Entity::Name(id)), _) => self.name_value(id, *span),
                (None, Some((relation, column))) => {
                    self.ensure_column(relation, column, Some(*span));
                    self.note_column_read(relation, column, *span);
                    let ty = self.scope.narrow_column_type(relation, column);
                    Expr { kind: hir::ExprKind::Column(column), ty, span: *span }
                }
                (None, None) => match self.cx.resolve_constant(name, None) {
                    Some(constant) => Expr { span: *span, ..constant },
                    None => continue,
                },
                _ => continue,
            };
            bound.push((name.clone(), value));
        }
        bound
    }
}

impl<'a> TaskScope<'a> {
    /// Records what the parameters of a query refer to.
    pub(super) fn refer_parameters(&self, cx: &mut Checker<'a>, text: &SqlText<'_>) {
        for (name, span) in text.iter_parameters() {
            // The span after the colon.
            let at = model::Span { start: span.start.saturating_add(1).min(span.end), ..span };
            if let Some(entity) = self.entities.get(name).copied() {
                self.refer_entity(cx, at, entity);
            } else if let Some((row, column)) = self.find_row_parameter(name) {
                self.relations.refer_column(cx, at, row, column);
            } else {
                cx.resolve_constant(name, Some(at));
            }
        }
    }

    /// Returns what `:name` refers to.
    pub(super) fn resolve_parameter_kind(&self, cx: &Checker<'a>, name: &str) -> ParamKind {
        match self.entities.get(name) {
            Some(Entity::Name(id)) => to_param_kind(&self.narrow_name_type(*id)),
            Some(Entity::File(_)) => ParamKind::File,
            Some(Entity::Relation(_) | Entity::Lake(_) | Entity::Row) => ParamKind::Relation,
            None => match cx.constants.get(name) {
                Some(constant) => to_param_kind(&constant.ty),
                None => {
                    if let Some((row, column)) = self.find_row_parameter(name) {
                        let ty = self.narrow_column_type(row, column);
                        return ParamKind::Value { value_type: ty.value_type(), nullable: ty.nullable };
                    }
                    let known = self.iter_value_names().chain(cx.constants.keys().copied());
                    ParamKind::Unknown { suggestion: suggest::find_best(name, known) }
                }
            },
        }
    }

    /// Iterates over the names of the values of the task.
    pub(super) fn iter_value_names(&self) -> impl Iterator<Item = &'a str> {
        self.entities.iter().filter(|(_, entity)| matches!(entity, Entity::Name(_))).map(|(name, _)| *name)
    }

    /// Finds the column of the current row that has this name.
    fn find_row_parameter(&self, name: &str) -> Option<(RelationId, ColumnId)> {
        let row = self.here.row?;
        Some((row, self.find_column(row, name)?))
    }
}

/// Returns the kind of parameter that a value of this type is.
fn to_param_kind(ty: &Ty) -> ParamKind {
    match ty.kind {
        TyKind::List(_) | TyKind::Object(_) | TyKind::Map(_) | TyKind::Rows(_) | TyKind::State(_) => ParamKind::List,
        _ => ParamKind::Value { value_type: ty.value_type(), nullable: ty.nullable },
    }
}
