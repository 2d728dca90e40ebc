//! The call of an overload that fits: its arguments checked, and its type.

use model::Span;
use model::functions::{Edit, FunctionId};
use model::suite::{ColumnId, FileId, Op, RelationId};

use super::given::{Given, GivenArg};
use crate::ast::RawKind;
use crate::check::model::{Outcome, Place, TaskChecker};
use crate::check::scope::names::Meaning;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, Entity, Expr, ExprKind};
use crate::library::{ParamKind, Pattern, Signature};
use crate::types::{Ty, TyKind};

impl<'a> TaskChecker<'_, 'a> {
    /// The call of an overload that fits.
    pub(super) fn apply(
        &mut self,
        function: FunctionId,
        signature: &Signature,
        args: Vec<GivenArg<'a>>,
        span: Span,
    ) -> Expr {
        let mut var: Option<Ty> = None;
        for (index, arg) in args.iter().enumerate() {
            if let Some(param) = signature.param(index) {
                self.fits(&param.kind, arg, &mut var);
            }
        }
        let mut scalar = Ty::UNKNOWN;
        let alone = args.len() == 1;
        let mut checked: Vec<hir::Arg> = Vec::new();
        let mut certain = None;
        let known = if function.needs_values() { self.known_by_filters(&args) } else { Vec::new() };
        // Arguments whose null makes the value of a row null.
        let mut passing: Vec<Expr> = Vec::new();
        for (index, arg) in args.into_iter().enumerate() {
            let Some(param) = signature.param(index) else { continue };
            let filtered = arg.filter.is_some();
            if let (ParamKind::Place, Some(edit)) = (&param.kind, function.edits()) {
                let path = match &arg.given {
                    Given::Raw(raw) => Some((*raw).clone()),
                    Given::Value(path) => Some(self.path_of(path)),
                    _ => None,
                };
                let file = checked.first().and_then(edited_file);
                match path.and_then(|path| self.edited_place(function, edit, &path, file)) {
                    Some(path) => checked.push(hir::Arg::Path(path)),
                    None => return Expr::unknown(span),
                }
                continue;
            }
            let arg = match (arg.given, &param.kind) {
                (Given::Relation(relation), ParamKind::Value(..)) if self.element_column(relation).is_some() => {
                    hir::Arg::Value(self.elements(relation, arg.span))
                }
                (Given::Value(value) | Given::ResultSet(value, _), ParamKind::Value(pattern, nullable)) => {
                    let what = format!("`{}` of `{function}`", param.name);
                    if !nullable && self.nulls_pass && value.ty.nullable {
                        passing.push(value.clone());
                    } else if !nullable {
                        self.not_null(&value, &what);
                    } else if matches!(pattern, Pattern::List(_)) && value.ty.nullable {
                        // `list of T?`: the items may be null, the list may not.
                        let list = TyKind::List(Box::new(Ty::UNKNOWN));
                        self.not_null(&Expr { ty: Ty { kind: list, nullable: true }, ..value.clone() }, &what);
                    }
                    if let (Pattern::List(_), Some(least)) = (pattern, function.least) {
                        certain = Some(has_items(&value, usize::from(least)));
                    }
                    hir::Arg::Value(value)
                }
                (Given::File(file, _), ParamKind::Value(..)) => {
                    hir::Arg::Value(self.value_of(Meaning::File(file, None), arg.span))
                }
                (Given::File(_, Some(relation)) | Given::Relation(relation) | Given::ResultSet(_, relation), _)
                    if matches!(param.kind, ParamKind::Relation { .. }) =>
                {
                    match function.counts() {
                        true => self.reads_rows(relation, arg.span),
                        false => self.reads_cells(relation, arg.span),
                    }
                    hir::Arg::Relation { relation, filter: arg.filter }
                }
                (Given::Column(relation, column), _) => {
                    let ty = &self.relations[relation].columns[column].ty;
                    let nullable = ty.nullable;
                    if function.needs_values() && !known.contains(&Place::Column(relation, column)) {
                        let ty = ty.clone();
                        self.needs_value(function, &ty, &param.name, Some((relation, column)), arg.span);
                    }
                    certain = Some(!filtered && !nullable && self.has_rows(function, relation));
                    hir::Arg::Column { relation, column, filter: arg.filter }
                }
                (Given::Each(relation, value), _) => {
                    self.reads_rows(relation, arg.span);
                    if function.needs_values() {
                        self.needs_value(function, &value.ty, &param.name, None, arg.span);
                    }
                    certain = Some(!filtered && !value.ty.nullable && self.has_rows(function, relation));
                    hir::Arg::Each { relation, value, filter: arg.filter }
                }
                (Given::File(file, _), _) => {
                    self.ensure_file(file, Some(arg.span));
                    self.used.insert(Entity::File(file));
                    if matches!(param.kind, ParamKind::File(_)) && self.is_many(file, arg.span) {
                        return Expr::unknown(span);
                    }
                    self.reads_text(file, arg.span);
                    if alone {
                        self.reads_path(function, "$", file, arg.span);
                    }
                    hir::Arg::File(file)
                }
                (Given::Raw(raw), _) => {
                    let database = checked.iter().rev().find_map(|arg| match arg {
                        hir::Arg::File(file) => Some(*file),
                        hir::Arg::Value(Expr { ty: Ty { kind: TyKind::State(of), .. }, .. }) => Some(of.file),
                        _ => None,
                    });
                    if param.kind == ParamKind::Change {
                        match database.and_then(|file| self.changes(raw, file)) {
                            Some((sql, ty)) => {
                                scalar = ty;
                                checked.push(hir::Arg::Sql(sql));
                                continue;
                            }
                            None => return Expr::unknown(span),
                        }
                    }
                    if raw.kind != RawKind::Sql {
                        let Some(followed) = database.and_then(|file| self.followed(function, raw, file)) else {
                            return Expr::unknown(span);
                        };
                        scalar = followed.scalar;
                        certain = Some(followed.certain);
                        checked.push(hir::Arg::Path(followed.query));
                        continue;
                    }
                    match self.query(function, raw, database) {
                        Some((sql, ty)) => {
                            scalar = ty;
                            hir::Arg::Sql(sql)
                        }
                        None => return Expr::unknown(span),
                    }
                }
                (Given::Relation(_) | Given::Nothing | Given::Value(_) | Given::ResultSet(..), _) => {
                    return Expr::unknown(span);
                }
            };
            checked.push(arg);
        }
        if function.runs_text() {
            scalar = self.gold(&checked, span);
        }
        let mut ty = signature.result.result(&var, &scalar);
        // The places of decimals are those of their sum, and of what else is made of the first argument.
        if ty.kind == TyKind::Decimal(None)
            && function.places.is_none()
            && let Some(places @ TyKind::Decimal(_)) = checked.first().and_then(|arg| self.number_type(arg))
        {
            ty.kind = places.clone();
        }
        let places = function.places.and_then(|at| value_of_arg(checked.get(at)?));
        if let (TyKind::Decimal(None), Some(model::Value::Int(places @ 0..=18))) = (&ty.kind, places) {
            ty.kind = TyKind::Decimal(Some(*places as u8));
        }
        ty.nullable = match certain {
            Some(true) if signature.result_nullable => false,
            _ if matches!(signature.result, Pattern::Scalar | Pattern::Rows | Pattern::State) => scalar.nullable,
            // A single cell of a column may be blank where the column may.
            _ if signature.result == Pattern::Var && !signature.result_nullable => {
                checked.iter().any(|arg| match arg {
                    hir::Arg::Column { relation, column, .. } => self.relations[*relation].columns[*column].ty.nullable,
                    _ => false,
                })
            }
            _ => signature.result_nullable,
        };
        // The first argument that is not null is null where the last is.
        if function.is_first_known() {
            ty.nullable = match checked.last() {
                Some(hir::Arg::Value(last)) => last.ty.nullable,
                _ => false,
            };
        }
        self.check_bounds(function, &checked);
        passing.into_iter().fold(Expr { kind: ExprKind::Call(function, checked), ty, span }, null_where)
    }

    /// What the conditions on rows show not to be null.
    fn known_by_filters(&mut self, args: &[GivenArg<'a>]) -> Vec<Place> {
        let mut known = Vec::new();
        for arg in args {
            let (Given::Column(relation, _) | Given::Each(relation, _)) = &arg.given else { continue };
            let Some(filter) = &arg.filter else { continue };
            let filtered = self.here.filter(*relation);
            let around = std::mem::replace(&mut self.here, filtered);
            known.extend(self.not_null_places(filter, Outcome::True));
            self.here = around;
        }
        known
    }

    /// Says so where a value in a row may be null, of a function that takes no null.
    fn needs_value(
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
        let shown = self.cx.sources.text(at).split_whitespace().collect::<Vec<_>>().join(" ");
        let help = match column {
            Some((relation, column)) => {
                let name = &self.relations[relation].columns[column].name;
                format!(
                    "leave such rows out: `where {name} != null` after the column, or give a fallback with `coalesce`"
                )
            }
            None => "give a fallback with `coalesce`".to_owned(),
        };
        self.cx.say(
            Diagnostic::new(
                Code::NULLABLE,
                format!("`{shown}` can be null, but `{param}` of `{function}` cannot"),
                at,
                ty.to_string(),
            )
            .help(help),
        );
    }

    /// The type of an argument, or of its items.
    fn number_type<'b>(&'b self, arg: &'b hir::Arg) -> Option<&'b TyKind> {
        match arg {
            hir::Arg::Column { relation, column, .. } => Some(&self.relations[*relation].columns[*column].ty.kind),
            hir::Arg::Each { value, .. } => Some(&value.ty.kind),
            hir::Arg::Value(value) => match &value.ty.kind {
                TyKind::List(item) => Some(&item.kind),
                kind => Some(kind),
            },
            _ => None,
        }
    }

    /// Whether a relation surely has as many rows as an aggregate needs for a result.
    fn has_rows(&self, function: FunctionId, relation: RelationId) -> bool {
        let least = self.row_bounds(relation).least;
        function.least.is_some_and(|needed| least >= u64::from(needed))
    }
}

/// A value that is null where another one is.
fn null_where(value: Expr, other: Expr) -> Expr {
    let (ty, span) = (value.ty.clone().or_null(true), value.span);
    let null = || Expr::constant(model::Value::Null, Ty::of(TyKind::Null), span);
    let is_null = ExprKind::Binary(Op::Eq, Box::new((other, null())));
    let is_null = Expr { kind: is_null, ty: Ty::of(TyKind::Bool), span };
    Expr { kind: ExprKind::If(Box::new((is_null, null(), value))), ty, span }
}

/// Whether it is a list with at least `least` items, none of which can be null.
fn has_items(list: &Expr, least: usize) -> bool {
    match (&list.kind, list.value()) {
        (ExprKind::List(items), _) => items.len() >= least && items.iter().all(|item| !item.ty.nullable),
        (_, Some(model::Value::List(items))) => items.len() >= least && !items.iter().any(model::Value::is_null),
        _ => false,
    }
}

/// The declared file whose form still says which places there are, after the edits that an argument is: some only remove, or put single values in
/// place of others.
fn edited_file(source: &hir::Arg) -> Option<FileId> {
    match source {
        hir::Arg::File(file) => Some(*file),
        hir::Arg::Value(Expr { kind: ExprKind::Call(function, args), .. }) => {
            let keeps = match (function.edits()?, args.get(2)) {
                (Edit::Remove, _) => true,
                (Edit::Replace, Some(hir::Arg::Value(value))) => value.ty.is_scalar() && !value.ty.is_unknown(),
                _ => false,
            };
            edited_file(args.first()?).filter(|_| keeps)
        }
        _ => None,
    }
}

fn value_of_arg(arg: &hir::Arg) -> Option<&model::Value> {
    match arg {
        hir::Arg::Value(value) => value.value(),
        _ => None,
    }
}
