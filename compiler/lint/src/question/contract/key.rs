//! What the answers of one way of asking compare: their conditions, each with the value that it compares with.

use std::collections::BTreeSet;

use model::suite::{ColumnId, Op, RelationId};
use model::{Span, Value};

use crate::context::{Asked, TaskCx};
use hir::{Arg, ColumnSource, Expr, ExprKind, Rows, Sql};
use sql::predicates::{Atom, Operand, Side, Test};
use sql::terms::{Operator, Term};

/// A condition of the key: something, an operator, and a value.
pub(super) struct Condition<'a> {
    /// The operator, with the value on its right.
    pub op: Op,
    /// The value.
    pub value: Bound<'a>,
    /// The span of what is compared with the value.
    pub subject: Span,
    /// Its span.
    pub span: Span,
}

/// The value in a condition.
pub(super) enum Bound<'a> {
    /// An expression, such as a name.
    Expr(&'a Expr),
    /// A literal.
    Literal(Value),
}

/// Two conditions that are joined.
pub(super) struct Join {
    /// The span of the left one.
    pub left: Span,
    /// The span of the right one.
    pub right: Span,
    /// Whether they are joined by `or`, and not by `and`.
    pub is_or: bool,
}

/// A comparison of two columns.
pub(super) struct Pair {
    /// The operator.
    pub op: Op,
    /// The column on its left.
    pub left: (RelationId, ColumnId),
    /// The column on its right.
    pub right: (RelationId, ColumnId),
    /// Its span.
    pub span: Span,
}

/// The conditions of the answers.
#[derive(Default)]
pub(super) struct Key<'a> {
    /// The conditions.
    pub conditions: Vec<Condition<'a>>,
    /// Conditions on the product or the quotient of a value and something else: `STOCK <= days * SOLD`; or on a moment that many units later:
    /// `BACK < OUT + 30 days`.
    pub scaled: Vec<Condition<'a>>,
    /// Comparisons of two columns: `DELIVERED < PROMISED`.
    pub pairs: Vec<Pair>,
    /// Conditions that are joined by `and` or `or`.
    pub joins: Vec<Join>,
    /// Whether something is negated or subtracted, so the opposite of a condition can be meant.
    pub twisted: bool,
    /// Whether rows are deleted, so a prompt can speak of those that stay.
    pub removes: bool,
    /// The queries.
    pub queries: Vec<&'a Sql>,
    columns: BTreeSet<(RelationId, ColumnId)>,
    done: BTreeSet<Span>,
}

impl<'a> Key<'a> {
    /// Collects the conditions of the answers of one way of asking.
    pub fn new(cx: &TaskCx<'a>, asked: &Asked<'a>) -> Key<'a> {
        let mut key = Key::default();
        for value in asked.iter_answers() {
            value.visit_through_names(cx.task, &mut |part| key.add_expr(cx.task, part));
        }
        let queries = key.queries.clone();
        queries.into_iter().for_each(|sql| key.join_atoms(cx, sql));
        key
    }

    /// Notes which comparisons of a query are joined by AND or OR, with nothing else between them.
    fn join_atoms(&mut self, cx: &TaskCx<'_>, sql: &Sql) {
        let atoms = &sql.analysis.predicates.atoms;
        for (one, next) in atoms.iter().zip(atoms.iter().skip(1)) {
            let between = Span::new(one.span.file, one.span.end, next.span.start.max(one.span.end));
            let words = cx.sources.text(between);
            let is_or = words.trim().eq_ignore_ascii_case("or");
            if is_or || words.trim().eq_ignore_ascii_case("and") {
                self.joins.push(Join { left: one.span, right: next.span, is_or });
            }
        }
    }

    fn add_expr(&mut self, task: &'a hir::Task, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Not(_) | ExprKind::If(_) | ExprKind::Binary(Op::Sub | Op::NotIn, _) => self.twisted = true,
            ExprKind::Binary(op @ (Op::And | Op::Or), sides) => {
                self.joins.push(Join { left: sides.0.span, right: sides.1.span, is_or: *op == Op::Or });
            }
            ExprKind::Binary(op @ (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge), sides)
                if expr.as_null_test().is_none() && self.done.insert(expr.span) =>
            {
                self.add_comparison(*op, sides, expr.span);
            }
            ExprKind::Call(_, args) => args.iter().for_each(|arg| self.add_arg(task, arg)),
            _ => {}
        }
    }

    fn add_comparison(&mut self, op: Op, sides: &'a (Expr, Expr), span: Span) {
        for (op, subject, value) in [(op, &sides.0, &sides.1), (op.swap_sides(), &sides.1, &sides.0)] {
            if let ExprKind::Const(_) | ExprKind::Name(_) = value.kind {
                let value = match value.as_constant() {
                    Some(known) => Bound::Literal(known.clone()),
                    None => Bound::Expr(value),
                };
                self.conditions.push(Condition { op, value, subject: subject.span, span });
            }
            if let ExprKind::Binary(Op::Mul | Op::Div, factors) = &value.kind {
                let names = [&factors.0, &factors.1].into_iter().filter(|side| matches!(side.kind, ExprKind::Name(_)));
                let scaled = names.map(|name| Condition { op, value: Bound::Expr(name), subject: subject.span, span });
                self.scaled.extend(scaled);
            }
            let days = read_shift(value).map(|days| Condition {
                op,
                value: Bound::Literal(Value::Int(days)),
                subject: subject.span,
                span,
            });
            self.scaled.extend(days);
        }
    }

    fn add_arg(&mut self, task: &'a hir::Task, arg: &'a Arg) {
        match arg {
            Arg::Column { relation, column, filter } => {
                self.follow_rows(task, *relation);
                self.follow_column(task, (*relation, *column));
                filter.iter().for_each(|filter| self.follow_filter(task, *relation, filter));
            }
            Arg::Relation { relation, filter } => {
                self.follow_rows(task, *relation);
                filter.iter().for_each(|filter| self.follow_filter(task, *relation, filter));
            }
            Arg::Each { relation, value, filter } => {
                self.follow_rows(task, *relation);
                filter.iter().chain([value]).for_each(|part| self.follow_filter(task, *relation, part));
            }
            Arg::Sql(sql) => self.add_query(task, sql),
            Arg::Path(path) => {
                for found in super::path_conditions::find_conditions(&path.text) {
                    let (op, value) = found;
                    self.conditions.push(Condition {
                        op,
                        value: Bound::Literal(value),
                        subject: path.span,
                        span: path.span,
                    });
                }
            }
            _ => {}
        }
    }

    /// Follows the computed columns that a filter reads.
    fn follow_filter(&mut self, task: &'a hir::Task, relation: RelationId, filter: &'a Expr) {
        let mut columns = Vec::new();
        filter.visit_exprs(&mut |part| {
            columns.extend(part.as_column_id());
            self.add_pair(relation, part);
        });
        columns.into_iter().for_each(|column| self.follow_column(task, (relation, column)));
    }

    /// Adds a comparison of two columns of a row.
    fn add_pair(&mut self, relation: RelationId, part: &Expr) {
        let ExprKind::Binary(op, sides) = &part.kind else { return };
        if let (Op::Lt | Op::Le | Op::Gt | Op::Ge, Some(left), Some(right)) =
            (op, sides.0.as_column_id(), sides.1.as_column_id())
        {
            let (left, right) = ((relation, left), (relation, right));
            self.pairs.push(Pair { op: *op, left, right, span: part.span });
        }
    }

    /// Follows the query of which a relation has the rows.
    fn follow_rows(&mut self, task: &'a hir::Task, relation: RelationId) {
        let Some(Rows::Query(name)) = task.relations.get(relation).map(|own| &own.rows) else { return };
        let query = task.find_computed(*name).and_then(|value| value.resolve_name(task).find_query());
        query.into_iter().for_each(|sql| self.add_query(task, sql));
    }

    fn follow_column(&mut self, task: &'a hir::Task, column: (RelationId, ColumnId)) {
        if !self.columns.insert(column) || self.columns.len() > 500 {
            return;
        }
        let source = task.relations.get(column.0).and_then(|relation| relation.columns.get(column.1));
        if let Some(ColumnSource::Compute(value)) = source.map(|column| &column.source) {
            value.visit_exprs(&mut |part| {
                if let Some(inner) = part.as_column_id() {
                    self.follow_column(task, (column.0, inner));
                }
                self.add_pair(column.0, part);
            });
            value.visit_through_names(task, &mut |part| self.add_expr(task, part));
        }
    }

    fn add_query(&mut self, task: &'a hir::Task, sql: &'a Sql) {
        if self.queries.iter().any(|known| known.span == sql.span) {
            return;
        }
        self.queries.push(sql);
        let tokens = sql::lex::tokenize_sql(&sql.text);
        self.twisted |= tokens.iter().any(|token| token.is_any("NOT EXCEPT CASE IIF") || token.is_punct("-"));
        self.removes |= tokens.iter().any(|token| token.is_keyword("DELETE"));
        sql.analysis.reads.iter().for_each(|column| self.follow_column(task, *column));
        sql.analysis.tables.iter().for_each(|relation| self.follow_rows(task, *relation));
        for atom in &sql.analysis.predicates.atoms {
            self.add_atom(sql, atom);
        }
    }

    fn add_atom(&mut self, sql: &'a Sql, atom: &Atom) {
        let mut add = |op: Op, subject: &Operand, value: &Operand| {
            let bound = match &value.value {
                Side::Param(name) => sql.find_param(name).map(Bound::Expr),
                Side::Literal(known) => Some(Bound::Literal(known.clone())),
                Side::Column { .. } | Side::Computed(_) | Side::Other => None,
            };
            if let Some(value) = bound {
                self.conditions.push(Condition { op, value, subject: subject.span, span: atom.span });
            }
            let factors = list_factors(&value.value).into_iter().filter_map(|name| sql.find_param(name));
            let scaled = factors.map(|value| Condition {
                op,
                value: Bound::Expr(value),
                subject: subject.span,
                span: atom.span,
            });
            self.scaled.extend(scaled);
            let shifted = read_query_shift(&value.value).map(|number| Condition {
                op,
                value: Bound::Literal(Value::Int(number)),
                subject: subject.span,
                span: atom.span,
            });
            self.scaled.extend(shifted);
        };
        match &atom.test {
            Test::Compare(op, left, right) => {
                add(*op, left, right);
                add(op.swap_sides(), right, left);
                self.pairs.extend(read_pair(*op, left, right, atom.span));
            }
            Test::Between { value, low, high } if !atom.negated => {
                add(Op::Ge, value, low);
                add(Op::Le, value, high);
            }
            _ => {}
        }
    }

    /// The conditions that compare with a value. Several places of one condition count once.
    pub fn find_conditions(&self, task: &hir::Task, operand: &Bound<'_>) -> Vec<&Condition<'a>> {
        find_on_value(&self.conditions, task, operand)
    }

    /// The conditions that compare with a multiple of a value.
    pub fn find_scaled(&self, task: &hir::Task, operand: &Bound<'_>) -> Vec<&Condition<'a>> {
        find_on_value(&self.scaled, task, operand)
    }
}

/// A comparison of two columns in a query.
fn read_pair(op: Op, left: &Operand, right: &Operand, span: Span) -> Option<Pair> {
    let read = |side: &Operand| match &side.value {
        Side::Column { relation, column, .. } => Some((*relation, *column)),
        _ => None,
    };
    let is_ordered = matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge);
    is_ordered.then_some(Pair { op, left: read(left)?, right: read(right)?, span })
}

/// The number of units after a moment of a row: 30 for `DISCHARGED + 30 days`.
fn read_shift(value: &Expr) -> Option<i64> {
    let ExprKind::Binary(Op::Add, sides) = &value.kind else { return None };
    let Value::Duration(by) = sides.1.as_constant()? else { return None };
    let unit = [86_400, 3_600, 60, 1].into_iter().find(|unit| by.seconds % unit == 0)?;
    (by.months == 0 && by.seconds > 0).then_some(by.seconds / unit)
}

/// The same in a query: 30 for `date(DISCHARGED, '+30 days')`.
fn read_query_shift(side: &Side) -> Option<i64> {
    let Side::Computed(term) = side else { return None };
    let Term::Call(name, args) = term.as_ref() else { return None };
    let [_, Term::Literal(Value::Text(by))] = args.as_slice() else { return None };
    let (number, _) = by.strip_prefix('+').filter(|_| name.starts_with("date"))?.split_once(' ')?;
    number.parse().ok()
}

/// The parameters that a term multiplies or divides.
fn list_factors(side: &Side) -> Vec<&str> {
    let Side::Computed(term) = side else { return Vec::new() };
    let Term::Operator(Operator::Multiply | Operator::Divide, factors) = term.as_ref() else { return Vec::new() };
    let names = [&factors.0, &factors.1].into_iter();
    names.filter_map(|factor| if let Term::Param(name) = factor { Some(name.as_str()) } else { None }).collect()
}

fn find_on_value<'k, 'a>(
    conditions: &'k [Condition<'a>],
    task: &hir::Task,
    operand: &Bound<'_>,
) -> Vec<&'k Condition<'a>> {
    let mut found: Vec<&Condition<'a>> = Vec::new();
    for condition in conditions {
        if condition.value.is_same(task, operand)
            && !found.iter().any(|known| known.span == condition.span && known.op == condition.op)
        {
            found.push(condition);
        }
    }
    found
}

impl Bound<'_> {
    /// Whether both are the same value in every sample.
    pub fn is_same(&self, task: &hir::Task, other: &Bound<'_>) -> bool {
        match (self.to_literal(task), other.to_literal(task)) {
            (Some(one), Some(other)) => is_same_literal(&one, &other),
            (None, None) => match (self, other) {
                (Bound::Expr(one), Bound::Expr(other)) => {
                    let (one, other) = (one.resolve_name(task), other.resolve_name(task));
                    one.kind == other.kind || one.without_spans() == other.without_spans()
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Its value, if it is the same in every sample.
    pub fn to_literal(&self, task: &hir::Task) -> Option<Value> {
        match self {
            Bound::Expr(expr) => expr.resolve_name(task).as_constant().cloned(),
            Bound::Literal(value) => Some(value.clone()),
        }
    }
}

fn is_same_literal(one: &Value, other: &Value) -> bool {
    match (one.as_decimal(), other.as_decimal()) {
        (Some(one), Some(other)) => one == other,
        (None, None) => !one.is_null() && one.render_text() == other.render_text(),
        _ => false,
    }
}
