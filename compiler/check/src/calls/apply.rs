//! Applies the overload that fits a call: checks its arguments and infers its type.

use model::Span;
use model::functions::{Edit, FunctionId};
use model::suite::{ColumnId, FileId, Op, RelationId};

use super::arguments::{ArgKind, GivenArg};
use crate::context::{Outcome, Place, Relations, TaskChecker, TaskScope};
use crate::library::{ParamKind, Pattern, Signature};
use hir::types::{Ty, TyKind};
use hir::{Expr, ExprKind};
use syntax::ast::RawKind;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Builds the call of the overload that fits.
    pub(super) fn apply_overload(
        &mut self,
        function: FunctionId,
        signature: &Signature,
        args: Vec<GivenArg<'a>>,
        span: Span,
    ) -> Expr {
        let mut var: Option<Ty> = None;
        for (index, arg) in args.iter().enumerate() {
            if let Some(param) = signature.find_param(index) {
                self.scope.relations.match_argument(&param.kind, arg, &mut var);
            }
        }
        let mut scalar = Ty::UNKNOWN;
        let alone = args.len() == 1;
        let mut checked: Vec<hir::Arg> = Vec::new();
        let mut certain = None;
        let known = if function.must_have_values() { self.scope.find_filtered_places(&args) } else { Vec::new() };
        // Arguments that make the value of a row null if they are null.
        let mut passing: Vec<Expr> = Vec::new();
        for (index, arg) in args.into_iter().enumerate() {
            let Some(param) = signature.find_param(index) else { continue };
            let filtered = arg.filter.is_some();
            if let (ParamKind::Place, Some(edit)) = (&param.kind, function.content_edit()) {
                let path = match &arg.given {
                    ArgKind::Raw(raw) => Some((*raw).clone()),
                    ArgKind::Value(path) => Some(self.cx.to_raw_path(path)),
                    _ => None,
                };
                let file = checked.first().and_then(find_edited_file);
                match path.and_then(|path| self.check_edit_path(function, edit, &path, file)) {
                    Some(path) => checked.push(hir::Arg::Path(path)),
                    None => return Expr::unknown(span),
                }
                continue;
            }
            let arg = match (arg.given, &param.kind) {
                (ArgKind::Relation(relation), ParamKind::Value(..))
                    if self.scope.relations.find_element_column(relation).is_some() =>
                {
                    hir::Arg::Value(self.build_element_list(relation, arg.span))
                }
                (ArgKind::Value(value) | ArgKind::ResultSet(value, _), ParamKind::Value(pattern, nullable)) => {
                    let what = format!("`{}` of `{function}`", param.name);
                    if !nullable && self.nulls_pass && value.ty.nullable {
                        passing.push(value.clone());
                    } else if !nullable {
                        self.scope.check_not_null(self.cx, &value, &what);
                    } else if matches!(pattern, Pattern::List(_)) && value.ty.nullable {
                        // `list of T?`: the items can be null, but the list cannot.
                        let list = TyKind::List(Box::new(Ty::UNKNOWN));
                        self.scope.check_not_null(
                            self.cx,
                            &Expr { ty: Ty { kind: list, nullable: true }, ..value.clone() },
                            &what,
                        );
                    }
                    if let (Pattern::List(_), Some(least)) = (pattern, function.least) {
                        certain = Some(has_items(&value, usize::from(least)));
                    }
                    hir::Arg::Value(value)
                }
                (ArgKind::File(file, _), ParamKind::Value(..)) => {
                    hir::Arg::Value(self.resolve_file_path(file, arg.span))
                }
                (
                    ArgKind::File(_, Some(relation)) | ArgKind::Relation(relation) | ArgKind::ResultSet(_, relation),
                    _,
                ) if matches!(param.kind, ParamKind::Relation { .. }) => {
                    match function.is_count() {
                        true => self.note_rows_read(relation, arg.span),
                        false => self.note_cells_read(relation, arg.span),
                    }
                    hir::Arg::Relation { relation, filter: arg.filter }
                }
                (ArgKind::Column(relation, column), _) => {
                    let ty = &self.scope.relations.checked[relation].columns[column].ty;
                    let nullable = ty.nullable;
                    if function.must_have_values() && !known.contains(&Place::Column(relation, column)) {
                        let (ty, place) = (ty.clone(), Some((relation, column)));
                        self.check_argument_not_null(function, &ty, &param.name, place, arg.span);
                    }
                    certain = Some(!filtered && !nullable && self.scope.has_rows(function, relation));
                    hir::Arg::Column { relation, column, filter: arg.filter }
                }
                (ArgKind::Each(relation, value), _) => {
                    self.note_rows_read(relation, arg.span);
                    if function.must_have_values() {
                        self.check_argument_not_null(function, &value.ty, &param.name, None, arg.span);
                    }
                    certain = Some(!filtered && !value.ty.nullable && self.scope.has_rows(function, relation));
                    hir::Arg::Each { relation, value, filter: arg.filter }
                }
                (ArgKind::File(file, _), _) => {
                    self.use_file(file, arg.span);
                    if matches!(param.kind, ParamKind::File(_)) && self.scope.relations.is_many(self.cx, file, arg.span)
                    {
                        return Expr::unknown(span);
                    }
                    self.scope.relations.note_text_read(file, arg.span);
                    if alone {
                        self.scope.relations.note_path_read(function, "$", file, arg.span);
                    }
                    hir::Arg::File(file)
                }
                (ArgKind::Raw(raw), _) => {
                    let database = checked.iter().rev().find_map(|arg| match arg {
                        hir::Arg::File(file) => Some(*file),
                        hir::Arg::Value(Expr { ty: Ty { kind: TyKind::State(of), .. }, .. }) => Some(of.file),
                        _ => None,
                    });
                    if param.kind == ParamKind::Change {
                        let base = checked.iter().rev().find_map(|arg| match arg {
                            hir::Arg::Value(base @ Expr { ty: Ty { kind: TyKind::State(_), .. }, .. }) => Some(base),
                            _ => None,
                        });
                        match database.and_then(|file| self.check_changes(raw, file, base)) {
                            Some((sql, ty)) => {
                                scalar = ty;
                                checked.push(hir::Arg::Sql(sql));
                                continue;
                            }
                            None => return Expr::unknown(span),
                        }
                    }
                    if raw.kind != RawKind::Sql {
                        let Some(followed) = database.and_then(|file| self.follow_path(function, raw, file)) else {
                            return Expr::unknown(span);
                        };
                        scalar = followed.scalar;
                        certain = Some(followed.certain);
                        checked.push(hir::Arg::Path(followed.query));
                        continue;
                    }
                    match self.check_query(function, raw, database) {
                        Some((sql, ty)) => {
                            scalar = ty;
                            hir::Arg::Sql(sql)
                        }
                        None => return Expr::unknown(span),
                    }
                }
                (ArgKind::Relation(_) | ArgKind::Nothing | ArgKind::Value(_) | ArgKind::ResultSet(..), _) => {
                    return Expr::unknown(span);
                }
            };
            checked.push(arg);
        }
        if function.can_run_sql() {
            scalar = self.infer_gold_type(&checked, span);
        }
        let mut ty = signature.result.substitute_var(&var, &scalar);
        // A decimal result has as many decimal places as the first argument, such as the items of a sum.
        if ty.kind == TyKind::Decimal(None)
            && function.places.is_none()
            && let Some(places @ TyKind::Decimal(_)) =
                checked.first().and_then(|arg| self.scope.relations.number_type(arg))
        {
            ty.kind = places.clone();
        }
        let places = function.places.and_then(|at| match checked.get(at)? {
            hir::Arg::Value(value) => value.as_constant(),
            _ => None,
        });
        if let (TyKind::Decimal(None), Some(model::Value::Int(places @ 0..=18))) = (&ty.kind, places) {
            ty.kind = TyKind::Decimal(Some(*places as u8));
        }
        ty.nullable = match certain {
            Some(true) if signature.result_nullable => false,
            _ if matches!(signature.result, Pattern::Scalar | Pattern::Rows | Pattern::State) => scalar.nullable,
            // A single cell of a column can be null if the column can.
            _ if signature.result == Pattern::Var && !signature.result_nullable => {
                let columns = &self.scope.relations.checked;
                checked.iter().any(|arg| {
                    matches!(arg, hir::Arg::Column { relation, column, .. } if columns[*relation].columns[*column].ty.nullable)
                })
            }
            _ => signature.result_nullable,
        };
        // The first argument that is not null can only be null if the last one can.
        if function.is_first_known() {
            ty.nullable = matches!(checked.last(), Some(hir::Arg::Value(last)) if last.ty.nullable);
        }
        self.scope.check_bounds(self.cx, function, &checked);
        passing.into_iter().fold(Expr { kind: ExprKind::Call(function, checked), ty, span }, make_null_if_null)
    }

    /// Reports a value in a row that can be null if the function does not accept null.
    fn check_argument_not_null(
        &mut self,
        function: FunctionId,
        ty: &Ty,
        param: &str,
        column: Option<(RelationId, ColumnId)>,
        at: Span,
    ) {
        if ty.is_unknown() || !ty.nullable {
            return;
        }
        let shown = self.cx.sources.quote(at);
        let help = match column {
            Some((relation, column)) => {
                let name = &self.scope.relations.checked[relation].columns[column].name;
                format!(
                    "leave such rows out: `where {name} != null` after the column, or give a fallback with `coalesce`"
                )
            }
            None => "give a fallback with `coalesce`".to_owned(),
        };
        let message = format!("`{shown}` can be null, but `{param}` of `{function}` cannot");
        self.cx.report(Diagnostic::new(Code::NULLABLE, message, at, ty.to_string()).help(help));
    }
}

impl<'a> TaskScope<'a> {
    /// Collects the places that the conditions on rows prove not to be null.
    fn find_filtered_places(&mut self, args: &[GivenArg<'a>]) -> Vec<Place> {
        let mut known = Vec::new();
        for arg in args {
            let (ArgKind::Column(relation, _) | ArgKind::Each(relation, _)) = &arg.given else { continue };
            let Some(filter) = &arg.filter else { continue };
            let filtered = self.here.with_filtered_row(*relation);
            let around = std::mem::replace(&mut self.here, filtered);
            known.extend(self.find_not_null_places(filter, Outcome::True));
            self.here = around;
        }
        known
    }

    /// Checks whether a relation always has as many rows as an aggregate needs for a result that is not null.
    fn has_rows(&self, function: FunctionId, relation: RelationId) -> bool {
        let least = self.infer_row_bounds(relation).least;
        function.least.is_some_and(|needed| least >= u64::from(needed))
    }
}

impl Relations<'_> {
    /// Returns the type of an argument, or of its items.
    fn number_type<'b>(&'b self, arg: &'b hir::Arg) -> Option<&'b TyKind> {
        match arg {
            hir::Arg::Column { relation, column, .. } => Some(&self.checked[*relation].columns[*column].ty.kind),
            hir::Arg::Each { value, .. } => Some(&value.ty.kind),
            hir::Arg::Value(value) => match &value.ty.kind {
                TyKind::List(item) => Some(&item.kind),
                kind => Some(kind),
            },
            _ => None,
        }
    }
}

/// Wraps a value: it is null if another one is null.
fn make_null_if_null(value: Expr, other: Expr) -> Expr {
    let (ty, span) = (value.ty.clone().with_null_if(true), value.span);
    let null = || Expr::constant(model::Value::Null, Ty::new(TyKind::Null), span);
    let is_null = ExprKind::Binary(Op::Eq, Box::new((other, null())));
    let is_null = Expr { kind: is_null, ty: Ty::new(TyKind::Bool), span };
    Expr { kind: ExprKind::If(Box::new((is_null, null(), value))), ty, span }
}

/// Checks whether an expression is a list of at least `least` items, none of which can be null.
fn has_items(list: &Expr, least: usize) -> bool {
    match (&list.kind, list.as_constant()) {
        (ExprKind::List(items), _) => items.len() >= least && items.iter().all(|item| !item.ty.nullable),
        (_, Some(model::Value::List(items))) => items.len() >= least && !items.iter().any(model::Value::is_null),
        _ => false,
    }
}

/// Finds the declared file whose form still describes the places in an argument after its edits: they only remove values, or replace them with
/// single values.
fn find_edited_file(source: &hir::Arg) -> Option<FileId> {
    match source {
        hir::Arg::File(file) => Some(*file),
        hir::Arg::Value(Expr { kind: ExprKind::Call(function, args), .. }) => {
            let keeps = match (function.content_edit()?, args.get(2)) {
                (Edit::Remove, _) => true,
                (Edit::Replace, Some(hir::Arg::Value(value))) => value.ty.is_scalar() && !value.ty.is_unknown(),
                _ => false,
            };
            find_edited_file(args.first()?).filter(|_| keeps)
        }
        _ => None,
    }
}
