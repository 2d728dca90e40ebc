//! The arguments of a call before the overload is chosen: values, tables, columns, and values for each row.

use model::Span;
use model::suite::{ColumnId, FileId, RelationId};

use crate::context::{Checker, TaskChecker, TaskScope};
use crate::domains::domain::as_bare_path;
use crate::library::{ParamKind, Signature};
use crate::scope::names::Meaning;
use hir::{Entity, Expr, ExprKind};
use syntax::ast::{self, ArgValue};
use syntax::diagnostics::{Code, Diagnostic};

/// The kind of an argument before the overload is chosen.
pub(super) enum ArgKind<'a> {
    Value(Expr),
    /// A file, which can also be a relation.
    File(FileId, Option<RelationId>),
    Relation(RelationId),
    /// A value that is also a relation.
    ResultSet(Expr, RelationId),
    Column(RelationId, ColumnId),
    /// A value for each row.
    Each(RelationId, Expr),
    Raw(&'a ast::Raw),
    /// An error that has been reported.
    Nothing,
}

/// An argument with its filter and spans.
pub(super) struct GivenArg<'a> {
    pub(super) given: ArgKind<'a>,
    /// The column whose full name was written inside a row of its own relation: its cell, or the whole column if only that fits.
    pub(super) whole: Option<(RelationId, ColumnId)>,
    pub(super) filter: Option<Expr>,
    pub(super) filter_span: Option<Span>,
    pub(super) span: Span,
}

impl<'a> TaskChecker<'_, 'a> {
    /// Checks an argument. With `by_rows`, a value that is computed from columns of one relation is computed for each of its rows.
    pub(super) fn check_argument(&mut self, arg: &'a ast::Arg, by_rows: bool) -> GivenArg<'a> {
        let mut whole = None;
        let mut given = match &arg.value {
            ArgValue::Raw(raw) => ArgKind::Raw(raw),
            ArgValue::Expr(expr) => match as_bare_path(expr) {
                Some(path) => match self.resolve_path(path, expr.span) {
                    Meaning::Value(value) if value.ty.is_unknown() && matches!(value.kind, ExprKind::Unknown) => {
                        ArgKind::Nothing
                    }
                    Meaning::Value(value) => {
                        whole = if path.len() > 1 { self.scope.find_cell_column(&value) } else { None };
                        ArgKind::Value(value)
                    }
                    Meaning::File(file, _) if self.scope.relations.files[file].broken => ArgKind::Nothing,
                    Meaning::File(file, relation) => ArgKind::File(file, relation),
                    Meaning::Relation(relation) => ArgKind::Relation(relation),
                    Meaning::ResultSet(value, relation) => ArgKind::ResultSet(value, relation),
                    Meaning::Column(relation, column) => ArgKind::Column(relation, column),
                    Meaning::Nothing => ArgKind::Nothing,
                },
                None => match if by_rows { self.find_row_relation(expr) } else { RowsOf::None } {
                    RowsOf::None => {
                        let value = self.check_expr_or_state(expr);
                        if matches!(value.kind, ExprKind::Unknown) { ArgKind::Nothing } else { ArgKind::Value(value) }
                    }
                    RowsOf::One(relation) => {
                        let before = std::mem::replace(&mut self.nulls_pass, true);
                        let value = self.check_in_row(relation, arg.span, |this| this.check_expr(expr));
                        self.nulls_pass = before;
                        if value.is_broken() { ArgKind::Nothing } else { ArgKind::Each(relation, value) }
                    }
                    RowsOf::Wrong => ArgKind::Nothing,
                },
            },
        };
        // Only a column accepts `where`.
        if let (Some((relation, column)), true) = (whole, arg.filter.is_some()) {
            given = ArgKind::Column(relation, column);
        }
        let relation = match &given {
            ArgKind::File(_, relation) => *relation,
            ArgKind::Relation(relation)
            | ArgKind::ResultSet(_, relation)
            | ArgKind::Column(relation, _)
            | ArgKind::Each(relation, _) => Some(*relation),
            _ => None,
        };
        // A relation that is read must be generated first.
        match &given {
            // A fixture can be meant as text, whatever its cells contain.
            ArgKind::File(file, Some(relation)) if self.scope.relations.declared[*relation].cells.is_some() => {
                self.scope.used.insert(Entity::File(*file));
            }
            ArgKind::File(_, Some(relation))
            | ArgKind::Relation(relation)
            | ArgKind::ResultSet(_, relation)
            | ArgKind::Column(relation, _) => self.read_relation(*relation, arg.span),
            _ => {}
        }
        let filter_span = arg.filter.as_ref().map(|filter| filter.span);
        let filter = match (&arg.filter, relation) {
            (Some(filter), Some(relation)) => {
                let before = std::mem::take(&mut self.nulls_pass);
                let filter = self.check_in_row(relation, arg.span, |this| this.check_decision(filter, "`where`"));
                self.nulls_pass = before;
                Some(filter)
            }
            _ => None,
        };
        GivenArg { given, whole, filter, filter_span, span: arg.span }
    }

    /// Records that a relation is read, and ensures that it is generated first.
    pub(crate) fn read_relation(&mut self, relation: RelationId, at: Span) {
        self.scope.used.insert(Entity::Relation(relation));
        if let Some(file) = self.scope.relations.checked[relation].file {
            self.scope.used.insert(Entity::File(file));
        }
        self.ensure_relation(relation, Some(at));
    }

    /// Checks an expression with the rows of a relation in scope. The current row becomes the outer row if it belongs to another relation.
    fn check_in_row(&mut self, relation: RelationId, at: Span, check: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.read_relation(relation, at);
        self.check_within(self.scope.here.with_filtered_row(relation), check)
    }

    /// Finds the relation whose columns an expression is computed from.
    fn find_row_relation(&mut self, expr: &'a ast::Expr) -> RowsOf {
        let mut paths = Vec::new();
        self.cx.collect_value_paths(expr, &mut paths);
        let mut first: Option<(RelationId, Span)> = None;
        for (path, span) in paths {
            let relation = match self.resolve_path(path, span) {
                Meaning::Column(relation, _) => relation,
                Meaning::Value(cell) => match self.scope.find_cell_column(&cell) {
                    Some((relation, _)) => relation,
                    None => continue,
                },
                Meaning::Nothing => return RowsOf::Wrong,
                _ => continue,
            };
            match first {
                None => first = Some((relation, span)),
                Some((known, _)) if known == relation => {}
                Some((known, at)) => {
                    let name = |id: RelationId| self.scope.relations.checked[id].name.clone();
                    let (a, b) = (name(known), name(relation));
                    let message = format!("this value mixes rows of `{a}` and `{b}`");
                    let help = format!("join them in SQL: <<value: SELECT … FROM {a} JOIN {b} ON …>>");
                    let said = Diagnostic::new(Code::WRONG_ARGUMENTS, message, span, format!("a row of `{b}`"));
                    self.cx.report(said.label(at, format!("a row of `{a}`")).help(help));
                    return RowsOf::Wrong;
                }
            }
        }
        first.map_or(RowsOf::None, |(relation, _)| RowsOf::One(relation))
    }
}

impl TaskScope<'_> {
    /// Returns the relation and column of a cell of the current or outer row.
    pub(super) fn find_cell_column(&self, cell: &Expr) -> Option<(RelationId, ColumnId)> {
        match cell.kind {
            ExprKind::Column(column) => self.here.row.map(|row| (row, column)),
            ExprKind::OuterColumn(column) => self.here.outer.map(|row| (row, column)),
            _ => None,
        }
    }
}

impl<'a> Checker<'a> {
    /// Collects the paths with several parts that an expression uses as values, but not those that functions read as tables or columns.
    fn collect_value_paths(&self, expr: &'a ast::Expr, found: &mut Vec<(&'a [ast::Ident], Span)>) {
        use ast::ExprKind as A;
        match &expr.kind {
            A::Path(path) if path.len() > 1 => found.push((path, expr.span)),
            A::Paren(inner) | A::Placeholder(inner) | A::Unary { operand: inner, .. } => {
                self.collect_value_paths(inner, found);
            }
            A::Binary { left, right, .. } => {
                self.collect_value_paths(left, found);
                self.collect_value_paths(right, found);
            }
            A::If { condition, then, otherwise } => {
                for part in [condition, then, otherwise] {
                    self.collect_value_paths(part, found);
                }
            }
            A::List(items) => items.iter().for_each(|item| self.collect_value_paths(item, found)),
            A::String(text) => {
                for piece in &text.pieces {
                    if let ast::Piece::Placeholder(inner) = piece {
                        self.collect_value_paths(inner, found);
                    }
                }
            }
            A::Call(call) => {
                let Some(function) = self.project.library.functions.get(&call.callee.text) else { return };
                for (index, arg) in call.args.iter().enumerate() {
                    let takes_value = |signature: &Signature| {
                        matches!(
                            signature.find_param(index).map(|param| &param.kind),
                            Some(ParamKind::Value(..)) | None
                        )
                    };
                    if let (ArgValue::Expr(value), None, true) =
                        (&arg.value, &arg.filter, function.overloads.iter().all(takes_value))
                    {
                        self.collect_value_paths(value, found);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The relation whose columns an expression is computed from.
enum RowsOf {
    None,
    One(RelationId),
    /// Several relations, or an expression with an error; both have been reported.
    Wrong,
}
