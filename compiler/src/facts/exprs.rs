//! The facts of expressions, and whether conditions always or never hold.

use model::Value;
use model::suite::{Op, Scope};

use super::fact::{MOST_LISTED, MOST_WEIGHT};
use super::{Fact, Facts, Truth, compare, interval};
use crate::hir::{Arg, Expr, ExprKind, NameSource};

impl<'a> Facts<'a> {
    /// The fact of an expression that is evaluated in `scope`.
    pub fn of(&self, expr: &'a Expr, scope: Scope) -> Fact<'a> {
        match &expr.kind {
            ExprKind::Unknown => Fact::unknown(),
            ExprKind::Const(value) => Fact::of_value(value),
            ExprKind::Name(name) => self.name(*name),
            ExprKind::Column(column) => scope.row.map_or_else(Fact::unknown, |row| self.cell(row, *column)),
            ExprKind::OuterColumn(column) => scope.outer.map_or_else(Fact::unknown, |row| self.cell(row, *column)),
            ExprKind::FilePath(_) | ExprKind::Folder(_) | ExprKind::Sandbox => Fact::any(false),
            ExprKind::Neg(inner) => interval::negated(&self.of(inner, scope)),
            ExprKind::Not(_) => self.condition(expr, scope),
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div), sides) => {
                interval::arithmetic(*op, &self.of(&sides.0, scope), &self.of(&sides.1, scope))
            }
            ExprKind::Binary(..) => self.condition(expr, scope),
            ExprKind::If(parts) => match self.truth(&parts.0, scope) {
                Truth::Always => self.of(&parts.1, scope),
                Truth::Never => self.of(&parts.2, scope),
                Truth::Open => self.of(&parts.1, scope).or(&self.of(&parts.2, scope)),
            },
            ExprKind::List(items) => {
                let items: Option<Vec<Value>> =
                    items.iter().map(|item| self.of(item, scope).single().cloned()).collect();
                items.map_or_else(|| Fact::any(false), |items| Fact::of_value(&Value::List(items)))
            }
            ExprKind::Object(fields) => {
                let fields: Option<Vec<(String, Value)>> = fields
                    .iter()
                    .map(|(key, value)| Some((key.clone(), self.of(value, scope).single()?.clone())))
                    .collect();
                fields.map_or_else(|| Fact::any(false), |fields| Fact::of_value(&Value::Object(fields)))
            }
            ExprKind::Concat(parts) => self.text(parts, scope),
            ExprKind::Call(function, args) => self.call(*function, args, &expr.ty, scope),
        }
    }

    /// A cell of the current row. It is one value, so it does not matter whether the column is unique.
    fn cell(&self, relation: model::suite::RelationId, column: model::suite::ColumnId) -> Fact<'a> {
        Fact { unique: false, ..self.column(relation, column) }
    }

    /// The texts that a string can be, where they are few.
    fn text(&self, parts: &'a [Expr], scope: Scope) -> Fact<'a> {
        let mut texts = vec![String::new()];
        for part in parts {
            // A null in a string fails the build.
            let Some(values) = self.of(part, scope).closed else { return Fact::any(false) };
            if texts.len().saturating_mul(values.len()) > MOST_LISTED {
                return Fact::any(false);
            }
            let longer =
                texts.iter().flat_map(|text| values.iter().map(move |value| format!("{text}{}", value.render())));
            texts = longer.collect();
            if texts.iter().map(String::len).sum::<usize>() > MOST_WEIGHT {
                return Fact::any(false);
            }
        }
        Fact::of_values(texts.into_iter().map(Value::Text))
    }

    fn condition(&self, expr: &'a Expr, scope: Scope) -> Fact<'a> {
        let fact = match self.truth(expr, scope) {
            Truth::Always => Fact::of_value(&Value::Bool(true)),
            Truth::Never => Fact::of_value(&Value::Bool(false)),
            Truth::Open => Fact::of_values([Value::Bool(false), Value::Bool(true)]),
        };
        fact.or_null(self.may_be_null(expr, scope))
    }

    /// Whether an expression may be null; goes through it once.
    fn may_be_null(&self, expr: &'a Expr, scope: Scope) -> bool {
        let either = |sides: &'a (Expr, Expr)| self.may_be_null(&sides.0, scope) || self.may_be_null(&sides.1, scope);
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Column(_) | ExprKind::OuterColumn(_) | ExprKind::Const(_) => {
                self.of(expr, scope).nullable
            }
            ExprKind::Not(inner) | ExprKind::Neg(inner) => self.may_be_null(inner, scope),
            ExprKind::Binary(..) if expr.null_test().is_some() => false,
            ExprKind::Binary(_, sides) => either(sides),
            ExprKind::If(parts) => self.may_be_null(&parts.1, scope) || self.may_be_null(&parts.2, scope),
            ExprKind::Unknown => true,
            _ => expr.ty.nullable || expr.ty.is_unknown(),
        }
    }

    /// Whether a condition always or never holds: null does not.
    pub fn truth(&self, expr: &'a Expr, scope: Scope) -> Truth {
        match &expr.kind {
            ExprKind::Not(inner) => match self.truth(inner, scope) {
                // What never holds may be false, or null.
                Truth::Never if self.may_be_null(inner, scope) => Truth::Open,
                known => known.opposite(),
            },
            ExprKind::Binary(Op::And, sides) => self.truth(&sides.0, scope).and(self.truth(&sides.1, scope)),
            ExprKind::Binary(Op::Or, sides) => self.truth(&sides.0, scope).or(self.truth(&sides.1, scope)),
            ExprKind::Binary(op @ (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge), sides) => {
                match expr.null_test() {
                    Some((op, asked)) if !asked.is_null() => self.is_null(op, asked, scope),
                    None if !sides.0.is_null() && !sides.1.is_null() => {
                        compare(*op, &self.of(&sides.0, scope), &self.of(&sides.1, scope))
                    }
                    _ => Truth::Open,
                }
            }
            ExprKind::Binary(Op::In, sides) => self.member(&sides.0, &sides.1, scope),
            ExprKind::Binary(Op::NotIn, sides) => match self.member(&sides.0, &sides.1, scope) {
                Truth::Never if self.may_be_null(expr, scope) => Truth::Open,
                known => known.opposite(),
            },
            _ => {
                let fact = self.of(expr, scope);
                match fact.closed.as_deref() {
                    Some([Value::Bool(true)]) if !fact.nullable => Truth::Always,
                    Some([Value::Bool(false)]) => Truth::Never,
                    _ => Truth::Open,
                }
            }
        }
    }

    /// `x == null`, `x != null`
    fn is_null(&self, op: Op, expr: &'a Expr, scope: Scope) -> Truth {
        match (op, self.of(expr, scope).nullable) {
            (Op::Eq, false) => Truth::Never,
            (Op::Ne, false) => Truth::Always,
            _ => Truth::Open,
        }
    }

    /// `value in list`
    fn member(&self, value: &'a Expr, list: &'a Expr, scope: Scope) -> Truth {
        let value = self.of(value, scope);
        if value.is_empty() {
            return Truth::Open;
        }
        let Some((items, all_there)) = self.items(list, scope) else { return Truth::Open };
        if items.iter().all(|item| compare(Op::Eq, &value, item) == Truth::Never) {
            return Truth::Never;
        }
        let singles: Vec<&Value> = items.iter().filter_map(Fact::single).collect();
        let every = value
            .closed
            .as_ref()
            .is_some_and(|values| values.iter().all(|value| singles.iter().any(|item| item.same(value))));
        if all_there && every && !value.nullable { Truth::Always } else { Truth::Open }
    }

    /// The facts of a list's items, and whether each is surely there.
    fn items(&self, list: &'a Expr, scope: Scope) -> Option<(Vec<Fact<'a>>, bool)> {
        match &list.kind {
            ExprKind::Const(Value::List(items)) => Some((items.iter().map(Fact::of_value).collect(), true)),
            ExprKind::List(items) => Some((items.iter().map(|item| self.of(item, scope)).collect(), true)),
            ExprKind::Name(name) => match &self.task.names.get(*name)?.source {
                NameSource::Compute(value) => self.items(value, Scope::default()),
                _ => None,
            },
            ExprKind::Call(function, args) if function.lists() => match args.as_slice() {
                [Arg::Column { relation, column, .. }] => {
                    Some((vec![Fact { nullable: false, ..self.column(*relation, *column) }], false))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
