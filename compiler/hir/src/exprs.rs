//! Typed expressions.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::functions::FunctionId;
use model::pointer::escape_step;
use model::suite::{ColumnId, FileId, NameId, Op, RelationId, Scope};
use model::{Decimal, Span, Value, answer_key};

use super::{Arg, Task};
use crate::types::Ty;
use sql::{SqlAnalysis, without_layout};

/// A typed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Its range.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum ExprKind {
    /// An expression with an error that was already reported.
    Unknown,
    Const(Value),
    Name(NameId),
    Column(ColumnId),
    OuterColumn(ColumnId),
    FilePath(FileId),
    /// A folder of the sandbox.
    Folder(String),
    Sandbox,
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Binary(Op, Box<(Expr, Expr)>),
    If(Box<(Expr, Expr, Expr)>),
    List(Vec<Expr>),
    Object(Vec<(String, Expr)>),
    Concat(Vec<Expr>),
    Call(FunctionId, Vec<Arg>),
}

impl answer_key::Expression for Expr {}

/// A query.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Sql {
    pub text: String,
    /// The database that it reads; `None` for the relations of the whole task.
    pub database: Option<FileId>,
    pub params: Vec<(String, Expr)>,
    /// The analysis of the query, determined by the other fields.
    pub analysis: Arc<SqlAnalysis>,
    /// Whether a statement that changes rows is proved to change at least one.
    pub surely_changes: bool,
    pub span: Span,
}

impl Sql {
    /// The value of a parameter, which is named without colon.
    pub fn find_param(&self, name: &str) -> Option<&Expr> {
        self.params.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

impl Expr {
    /// Creates an expression for an error that was already reported.
    pub fn unknown(span: Span) -> Expr {
        Expr { kind: ExprKind::Unknown, ty: Ty::UNKNOWN, span }
    }

    /// Creates a constant.
    pub fn constant(value: Value, ty: Ty, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(value), ty, span }
    }

    /// Whether it is the constant null.
    pub fn is_null(&self) -> bool {
        self.as_constant().is_some_and(Value::is_null)
    }

    /// The conditions that are joined by `and`, from the left.
    pub fn list_conjuncts(&self) -> Vec<&Expr> {
        let (mut found, mut open) = (Vec::new(), vec![self]);
        while let Some(part) = open.pop() {
            match &part.kind {
                ExprKind::Binary(Op::And, sides) => open.extend([&sides.1, &sides.0]),
                _ => found.push(part),
            }
        }
        found
    }

    /// For `x == null` and `x != null`, the operator and `x`. Such a test treats null like any other value.
    pub fn as_null_test(&self) -> Option<(Op, &Expr)> {
        match &self.kind {
            ExprKind::Binary(op @ (Op::Eq | Op::Ne), sides) if sides.0.is_null() => Some((*op, &sides.1)),
            ExprKind::Binary(op @ (Op::Eq | Op::Ne), sides) if sides.1.is_null() => Some((*op, &sides.0)),
            _ => None,
        }
    }

    /// Its value, if it is known at compile time.
    pub fn as_constant(&self) -> Option<&Value> {
        match &self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The column of the same row of which it is a copy; `None` for any other expression.
    pub fn as_column_id(&self) -> Option<ColumnId> {
        match self.kind {
            ExprKind::Column(column) => Some(column),
            _ => None,
        }
    }

    /// The column of which it is the cell in one of the rows in scope; `None` for any other expression.
    pub fn find_cell(&self, scope: Scope) -> Option<(RelationId, ColumnId)> {
        match self.kind {
            ExprKind::Column(column) => Some((scope.row?, column)),
            ExprKind::OuterColumn(column) => Some((scope.outer?, column)),
            _ => None,
        }
    }

    /// The definition of a name, also through other names; any other expression unchanged.
    pub fn resolve_name<'e>(&'e self, task: &'e Task) -> &'e Expr {
        let mut at = self;
        while let ExprKind::Name(id) = at.kind
            && let Some(value) = task.find_computed(id)
        {
            at = value;
        }
        at
    }

    /// The items of a constant list; any other constant is the only item of itself.
    pub fn as_constant_items(&self) -> Option<&[Value]> {
        Some(match self.as_constant()? {
            Value::List(items) => items,
            value => std::slice::from_ref(value),
        })
    }

    /// The pieces of which a text or path is composed; any other expression is the only piece of itself.
    pub fn as_pieces(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Concat(pieces) => pieces,
            _ => std::slice::from_ref(self),
        }
    }

    /// The members and items that are not objects or lists themselves, each with its JSON pointer in the whole (RFC 6901).
    pub fn list_leaves(&self) -> Vec<(&Expr, String)> {
        fn collect<'e>(value: &'e Expr, pointer: String, leaves: &mut Vec<(&'e Expr, String)>) {
            match &value.kind {
                ExprKind::Object(fields) => {
                    for (key, inner) in fields {
                        collect(inner, format!("{pointer}/{}", escape_step(key)), leaves);
                    }
                }
                ExprKind::List(items) => {
                    for (index, item) in items.iter().enumerate() {
                        collect(item, format!("{pointer}/{index}"), leaves);
                    }
                }
                _ => leaves.push((value, pointer)),
            }
        }
        let mut leaves = Vec::new();
        collect(self, String::new(), &mut leaves);
        leaves
    }

    /// The query argument of a call.
    pub fn find_query(&self) -> Option<&Sql> {
        let ExprKind::Call(_, args) = &self.kind else { return None };
        args.iter().find_map(|arg| match arg {
            Arg::Sql(sql) => Some(sql),
            _ => None,
        })
    }

    /// Calls `found` for every name of the task in it.
    pub fn visit_names(&self, found: &mut dyn FnMut(NameId)) {
        self.visit_exprs(&mut |expr| {
            if let ExprKind::Name(id) = expr.kind {
                found(id);
            }
        });
    }

    /// Whether no further diagnostics are useful: it has an error that was already reported, or its type is known only when building.
    pub fn is_broken(&self) -> bool {
        self.ty.is_unknown() || self.is_mistaken()
    }

    /// Whether it has an error that was already reported.
    pub fn is_mistaken(&self) -> bool {
        self.has_part(|part| part.kind == ExprKind::Unknown)
    }

    /// Whether it, or an expression in it, is of such a kind.
    pub fn has_part<'a>(&'a self, mut fits: impl FnMut(&'a Expr) -> bool) -> bool {
        let mut found = false;
        self.visit_exprs(&mut |part| found |= fits(part));
        found
    }

    /// Like [`Expr::has_part`], also looking at the definitions of computed names.
    pub fn has_part_through_names<'a>(&'a self, task: &'a Task, mut fits: impl FnMut(&'a Expr) -> bool) -> bool {
        let mut found = false;
        self.visit_through_names(task, &mut |part| found |= fits(part));
        found
    }

    /// Whether a share is the constant 0, as an int or a decimal.
    pub fn is_zero_share(&self) -> bool {
        self.as_constant().and_then(Value::as_decimal).is_some_and(|share| share == Decimal::from_int(0))
    }

    /// A copy without spans and without nullability, which depends on the position: equal for expressions with the same value.
    pub fn without_spans(&self) -> Expr {
        let mut bare = self.clone();
        bare.erase_spans();
        bare
    }

    fn erase_spans(&mut self) {
        self.span = Span::default();
        self.ty.nullable = false;
        if let ExprKind::Call(_, args) = &mut self.kind {
            for arg in args {
                match arg {
                    Arg::Sql(sql) => {
                        sql.span = Span::default();
                        sql.analysis =
                            Arc::new(SqlAnalysis { tables: sql.analysis.tables.clone(), ..SqlAnalysis::default() });
                        sql.text = without_layout(&sql.text);
                    }
                    Arg::Path(path) => path.span = Span::default(),
                    _ => {}
                }
            }
        }
        self.visit_children_mut(&mut Expr::erase_spans);
    }

    /// Calls `visit` for every direct child of the expression, to change it.
    pub fn visit_children_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Neg(inner) | ExprKind::Not(inner) => visit(inner),
            ExprKind::Binary(_, sides) => {
                visit(&mut sides.0);
                visit(&mut sides.1);
            }
            ExprKind::If(parts) => {
                visit(&mut parts.0);
                visit(&mut parts.1);
                visit(&mut parts.2);
            }
            ExprKind::List(items) | ExprKind::Concat(items) => items.iter_mut().for_each(visit),
            ExprKind::Object(fields) => fields.iter_mut().for_each(|(_, value)| visit(value)),
            ExprKind::Call(_, args) => {
                for arg in args {
                    match arg {
                        Arg::Value(value) => visit(value),
                        Arg::Relation { filter, .. } | Arg::Column { filter, .. } => {
                            filter.iter_mut().for_each(&mut *visit)
                        }
                        Arg::Each { value, filter, .. } => {
                            visit(value);
                            filter.iter_mut().for_each(&mut *visit);
                        }
                        Arg::Sql(sql) => sql.params.iter_mut().for_each(|(_, value)| visit(value)),
                        Arg::File(_) | Arg::Path(_) => {}
                    }
                }
            }
            ExprKind::Unknown
            | ExprKind::Const(_)
            | ExprKind::Name(_)
            | ExprKind::Column(_)
            | ExprKind::OuterColumn(_)
            | ExprKind::FilePath(_)
            | ExprKind::Folder(_)
            | ExprKind::Sandbox => {}
        }
    }

    /// Calls `visit` for it and every expression in it, outermost first.
    pub fn visit_exprs<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        self.visit_children(&mut |child, _| child.visit_exprs(visit));
    }

    /// Like [`Expr::visit_exprs`], also visiting the definitions of computed names, each name once.
    pub fn visit_through_names<'a>(&'a self, task: &'a Task, visit: &mut dyn FnMut(&'a Expr)) {
        let (mut open, mut seen) = (vec![self], BTreeSet::new());
        while let Some(expr) = open.pop() {
            expr.visit_exprs(&mut |part| {
                visit(part);
                if let ExprKind::Name(id) = part.kind
                    && seen.insert(id)
                {
                    open.extend(task.find_computed(id));
                }
            });
        }
    }

    /// Like [`Expr::visit_exprs`], also passing the rows that are in scope for each expression; `scope` applies to `self`.
    pub fn visit_with_scope<'a>(&'a self, scope: Scope, visit: &mut dyn FnMut(&'a Expr, Scope)) {
        visit(self, scope);
        self.visit_children(&mut |child, rows| {
            child.visit_with_scope(rows.map_or(scope, |rows| scope.enter_filter(rows)), visit)
        });
    }

    /// Calls `visit` for every direct child of the expression, with the relation over whose rows it is evaluated, if any.
    pub fn visit_children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr, Option<RelationId>)) {
        match &self.kind {
            // Loops instead of closures: a chain of names may be long, and each step of recursion needs stack space.
            ExprKind::Neg(inner) | ExprKind::Not(inner) => visit(inner, None),
            ExprKind::Binary(_, sides) => {
                visit(&sides.0, None);
                visit(&sides.1, None);
            }
            ExprKind::If(parts) => {
                visit(&parts.0, None);
                visit(&parts.1, None);
                visit(&parts.2, None);
            }
            ExprKind::List(items) | ExprKind::Concat(items) => {
                for item in items {
                    visit(item, None);
                }
            }
            ExprKind::Object(fields) => {
                for (_, value) in fields {
                    visit(value, None);
                }
            }
            ExprKind::Call(_, args) => {
                for arg in args {
                    match arg {
                        Arg::Value(value) => visit(value, None),
                        Arg::Relation { relation, filter: Some(filter) }
                        | Arg::Column { relation, filter: Some(filter), .. } => visit(filter, Some(*relation)),
                        Arg::Sql(sql) => {
                            for (_, value) in &sql.params {
                                visit(value, None);
                            }
                        }
                        Arg::Each { relation, value, filter } => {
                            visit(value, Some(*relation));
                            filter.iter().for_each(|filter| visit(filter, Some(*relation)));
                        }
                        Arg::Relation { .. } | Arg::Column { .. } | Arg::File(_) | Arg::Path(_) => {}
                    }
                }
            }
            ExprKind::Unknown
            | ExprKind::Const(_)
            | ExprKind::Name(_)
            | ExprKind::Column(_)
            | ExprKind::OuterColumn(_)
            | ExprKind::FilePath(_)
            | ExprKind::Folder(_)
            | ExprKind::Sandbox => {}
        }
    }
}
