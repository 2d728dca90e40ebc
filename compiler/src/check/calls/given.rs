//! The arguments of a call, before it is known what the function wants: values, tables, columns, and values for each row.

use model::Span;
use model::suite::{ColumnId, FileId, RelationId};

use crate::ast::{self, ArgValue};
use crate::check::domains::domain::inner_path;
use crate::check::model::TaskChecker;
use crate::check::scope::names::Meaning;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{Entity, Expr, ExprKind};
use crate::library::{ParamKind, Signature};

/// An argument before it is known what the function wants.
pub(super) enum Given<'a> {
    Value(Expr),
    /// A file, which may be a relation too.
    File(FileId, Option<RelationId>),
    Relation(RelationId),
    /// A value, and a relation.
    ResultSet(Expr, RelationId),
    Column(RelationId, ColumnId),
    /// A value for each row.
    Each(RelationId, Expr),
    Raw(&'a ast::Raw),
    /// A mistake that has been reported.
    Nothing,
}

/// An argument as given.
pub(super) struct GivenArg<'a> {
    pub(super) given: Given<'a>,
    /// The column that was named in full where its own rows are in sight: a cell, or the whole column where only that fits.
    pub(super) whole: Option<(RelationId, ColumnId)>,
    pub(super) filter: Option<Expr>,
    pub(super) filter_span: Option<Span>,
    pub(super) span: Span,
}

impl<'a> TaskChecker<'_, 'a> {
    /// An argument; with `by_rows`, a value that is computed from columns of one relation is computed for each of its rows.
    pub(super) fn given(&mut self, arg: &'a ast::Arg, by_rows: bool) -> GivenArg<'a> {
        let mut whole = None;
        let mut given = match &arg.value {
            ArgValue::Raw(raw) => Given::Raw(raw),
            ArgValue::Expr(expr) => match inner_path(expr) {
                Some(path) => match self.meaning(path, expr.span) {
                    Meaning::Value(value) if value.ty.is_unknown() && matches!(value.kind, ExprKind::Unknown) => {
                        Given::Nothing
                    }
                    Meaning::Value(value) => {
                        whole = if path.len() > 1 { self.column_of_cell(&value) } else { None };
                        Given::Value(value)
                    }
                    Meaning::File(file, _) if self.files[file].broken => Given::Nothing,
                    Meaning::File(file, relation) => Given::File(file, relation),
                    Meaning::Relation(relation) => Given::Relation(relation),
                    Meaning::ResultSet(value, relation) => Given::ResultSet(value, relation),
                    Meaning::Column(relation, column) => Given::Column(relation, column),
                    Meaning::Nothing => Given::Nothing,
                },
                None => match if by_rows { self.rows_of(expr) } else { RowsOf::None } {
                    RowsOf::None => {
                        let value = self.expr_or_state(expr);
                        if matches!(value.kind, ExprKind::Unknown) { Given::Nothing } else { Given::Value(value) }
                    }
                    RowsOf::One(relation) => {
                        let before = std::mem::replace(&mut self.nulls_pass, true);
                        let value = self.in_row_of(relation, arg.span, |this| this.expr(expr));
                        self.nulls_pass = before;
                        if value.is_broken() { Given::Nothing } else { Given::Each(relation, value) }
                    }
                    RowsOf::Wrong => Given::Nothing,
                },
            },
        };
        // Only a column takes `where`.
        if let (Some((relation, column)), true) = (whole, arg.filter.is_some()) {
            given = Given::Column(relation, column);
        }
        let relation = match &given {
            Given::File(_, relation) => *relation,
            Given::Relation(relation)
            | Given::ResultSet(_, relation)
            | Given::Column(relation, _)
            | Given::Each(relation, _) => Some(*relation),
            _ => None,
        };
        // What is read must be made first.
        match &given {
            // A fixture may be meant as a text, whatever its cells are.
            Given::File(file, Some(relation)) if self.declared[*relation].cells.is_some() => {
                self.used.insert(Entity::File(*file));
            }
            Given::File(_, Some(relation))
            | Given::Relation(relation)
            | Given::ResultSet(_, relation)
            | Given::Column(relation, _) => self.read_relation(*relation, arg.span),
            _ => {}
        }
        let filter_span = arg.filter.as_ref().map(|filter| filter.span);
        let filter = match (&arg.filter, relation) {
            (Some(filter), Some(relation)) => {
                let before = std::mem::take(&mut self.nulls_pass);
                let filter = self.in_row_of(relation, arg.span, |this| this.decision(filter, "`where`"));
                self.nulls_pass = before;
                Some(filter)
            }
            _ => None,
        };
        GivenArg { given, whole, filter, filter_span, span: arg.span }
    }

    /// Takes note that a relation is read; what is read must be made first.
    fn read_relation(&mut self, relation: RelationId, at: Span) {
        self.used.insert(Entity::Relation(relation));
        if let Some(file) = self.relations[relation].file {
            self.used.insert(Entity::File(file));
        }
        self.ensure_relation(relation, Some(at));
    }

    /// Checks an expression with the rows of a relation in scope. The current row, if it is of another relation,
    /// becomes the outer row.
    fn in_row_of(&mut self, relation: RelationId, at: Span, check: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.read_relation(relation, at);
        let filter = self.here.filter(relation);
        let around = std::mem::replace(&mut self.here, filter);
        let checked = check(self);
        self.here = around;
        checked
    }

    /// The relation whose columns an expression is computed from.
    fn rows_of(&mut self, expr: &'a ast::Expr) -> RowsOf {
        let mut paths = Vec::new();
        self.paths_of_values(expr, &mut paths);
        let mut first: Option<(RelationId, Span)> = None;
        for (path, span) in paths {
            let relation = match self.meaning(path, span) {
                Meaning::Column(relation, _) => relation,
                Meaning::Value(cell) => match self.column_of_cell(&cell) {
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
                    let name = |id: RelationId| self.relations[id].name.clone();
                    let (a, b) = (name(known), name(relation));
                    self.cx.say(
                        Diagnostic::new(
                            Code::WRONG_ARGUMENTS,
                            format!("this value mixes rows of `{a}` and `{b}`"),
                            span,
                            format!("a row of `{b}`"),
                        )
                        .label(at, format!("a row of `{a}`"))
                        .help(format!("join them in SQL: <<value: SELECT … FROM {a} JOIN {b} ON …>>")),
                    );
                    return RowsOf::Wrong;
                }
            }
        }
        first.map_or(RowsOf::None, |(relation, _)| RowsOf::One(relation))
    }

    /// Collects the paths of several parts that an expression uses as values, but not those that functions take as
    /// tables or columns.
    fn paths_of_values(&self, expr: &'a ast::Expr, found: &mut Vec<(&'a [ast::Ident], Span)>) {
        use ast::ExprKind as A;
        match &expr.kind {
            A::Path(path) if path.len() > 1 => found.push((path, expr.span)),
            A::Paren(inner) | A::Placeholder(inner) | A::Unary { operand: inner, .. } => {
                self.paths_of_values(inner, found);
            }
            A::Binary { left, right, .. } => {
                self.paths_of_values(left, found);
                self.paths_of_values(right, found);
            }
            A::If { condition, then, otherwise } => {
                for part in [condition, then, otherwise] {
                    self.paths_of_values(part, found);
                }
            }
            A::List(items) => items.iter().for_each(|item| self.paths_of_values(item, found)),
            A::String(text) => {
                for piece in &text.pieces {
                    if let ast::Piece::Placeholder(inner) = piece {
                        self.paths_of_values(inner, found);
                    }
                }
            }
            A::Call(call) => {
                let Some(function) = self.cx.project.library.functions.get(&call.callee.text) else { return };
                for (index, arg) in call.args.iter().enumerate() {
                    let takes_value = |signature: &Signature| {
                        matches!(signature.param(index).map(|param| &param.kind), Some(ParamKind::Value(..)) | None)
                    };
                    if let (ArgValue::Expr(value), None, true) =
                        (&arg.value, &arg.filter, function.overloads.iter().all(takes_value))
                    {
                        self.paths_of_values(value, found);
                    }
                }
            }
            _ => {}
        }
    }

    /// The relation and column of a cell of the current or the outer row.
    pub(super) fn column_of_cell(&self, cell: &Expr) -> Option<(RelationId, ColumnId)> {
        match cell.kind {
            ExprKind::Column(column) => self.here.row().map(|row| (row, column)),
            ExprKind::OuterColumn(column) => self.here.outer().map(|row| (row, column)),
            _ => None,
        }
    }
}

/// The relation whose columns an expression is computed from.
enum RowsOf {
    None,
    One(RelationId),
    /// Several, or there is a mistake in it; that has been reported.
    Wrong,
}
