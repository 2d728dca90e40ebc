//! Operators: the types that they support, and constant folding.

use model::ops::{self, OpError};
use model::suite::Op;
use model::{Duration, Span, Value};

use crate::context::{Checker, Outcome, TaskChecker};
use hir::types::{Ty, TyKind};
use hir::{Expr, ExprKind};
use syntax::ast;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    pub fn check_negation(&mut self, operand: &'a ast::Expr, span: Span) -> Expr {
        let operand = self.check_expr(operand);
        if operand.is_mistaken() {
            return Expr::unknown(span);
        }
        if operand.ty.is_unknown() {
            return Expr { kind: ExprKind::Neg(Box::new(operand)), ty: Ty::UNKNOWN, span };
        }
        if operand.ty.kind == TyKind::Null && self.nulls_pass {
            return Expr { kind: ExprKind::Neg(Box::new(operand)), ty: Ty::new(TyKind::Null).with_null_if(true), span };
        }
        if !operand.ty.is_number() && operand.ty.kind != TyKind::Duration {
            let message = "`-` needs a number";
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, operand.span, format!("this is {}", operand.ty));
            self.cx.report(said.help("only numbers and durations can be negated"));
            return Expr::unknown(span);
        }
        if !self.nulls_pass {
            self.scope.check_not_null(self.cx, &operand, "an operand of `-`");
        }
        match operand.as_constant().map(ops::apply_neg) {
            Some(Ok(value)) => Expr::constant(value, operand.ty.clone(), span),
            Some(Err(_)) => self.cx.report_overflow(span),
            None => {
                let ty = operand.ty.clone();
                Expr { kind: ExprKind::Neg(Box::new(operand)), ty, span }
            }
        }
    }

    pub fn check_binary(
        &mut self,
        op: Op,
        op_span: Span,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let decides = std::mem::take(&mut self.decides);
        if matches!(op, Op::And | Op::Or) {
            let word = format!("`{}`", op.word());
            self.decides = decides;
            let left = self.check_condition(left, &word);
            // The right side is evaluated only if the left one does not decide. After null, `and` evaluates it too, unless null counts as false.
            let outcome = match (op, decides) {
                (Op::And, true) => Outcome::True,
                (Op::And, false) => Outcome::NotFalse,
                _ => Outcome::NotTrue,
            };
            self.decides = decides;
            let right = self.check_under(&left, outcome, |this| this.check_condition(right, &word));
            let ty = Ty::new(TyKind::Bool).with_null_if(left.ty.nullable || right.ty.nullable);
            return self.cx.fold_constants(op, left, right, ty, span);
        }
        let (left, right) = match op {
            Op::Add | Op::Sub | Op::Mul | Op::Div => (self.check_expr(left), self.check_expr(right)),
            _ => (self.check_comparison_side(left, right), self.check_comparison_side(right, left)),
        };
        if left.ty.is_unknown() || right.ty.is_unknown() {
            // The operator can still determine the type.
            let ty = match op {
                Op::Add | Op::Sub | Op::Mul => Ty::UNKNOWN,
                Op::Div => Ty::new(TyKind::Float),
                _ => Ty::new(TyKind::Bool),
            };
            return Expr { kind: ExprKind::Binary(op, Box::new((left, right))), ty, span };
        }
        match op {
            Op::Add | Op::Sub | Op::Mul | Op::Div => {
                let Some(kind) = self.cx.infer_arithmetic_type(op, op_span, &left, &right) else {
                    return Expr::unknown(span);
                };
                if op == Op::Div
                    && [&left, &right].into_iter().any(|side| self.scope.reject_months(self.cx, side, "a quotient"))
                {
                    return Expr::unknown(span);
                }
                let nullable = self.nulls_pass && (left.ty.nullable || right.ty.nullable);
                if !self.nulls_pass {
                    self.scope.check_not_null(self.cx, &left, "an operand of arithmetic");
                    self.scope.check_not_null(self.cx, &right, "an operand of arithmetic");
                }
                if op == Op::Div && right.as_constant().and_then(Value::as_f64) == Some(0.0) {
                    return self.cx.report_zero_divisor(&right, span);
                }
                self.cx.fold_constants(op, left, right, Ty { kind, nullable }, span)
            }
            Op::In | Op::NotIn => {
                self.cx.check_membership(&left, &right, op_span);
                let ty = Ty::new(TyKind::Bool).with_null_if(left.ty.nullable || right.ty.nullable);
                self.cx.fold_constants(op, left, right, ty, span)
            }
            _ => {
                self.cx.check_comparison(op, op_span, &left, &right);
                // Compared with a literal `null`, null is a value like others.
                let asked = matches!(op, Op::Eq | Op::Ne)
                    && [&left, &right].iter().any(|side| side.as_constant().is_some_and(Value::is_null));
                let ty = Ty::new(TyKind::Bool).with_null_if(!asked && (left.ty.nullable || right.ty.nullable));
                self.cx.fold_constants(op, left, right, ty, span)
            }
        }
    }

    /// Checks one side of a comparison.
    fn check_comparison_side(&mut self, side: &'a ast::Expr, other: &ast::Expr) -> Expr {
        let mut names = Vec::new();
        collect_direct_names(other, &mut names);
        let before = std::mem::replace(&mut self.scope.here.opposite, names);
        let side = self.check_expr(side);
        self.scope.here.opposite = before;
        side
    }
}

impl Checker<'_> {
    fn report_overflow(&mut self, span: Span) -> Expr {
        let message = "the number is out of range";
        let said = Diagnostic::new(Code::BAD_LITERAL, message, span, "beyond the largest or smallest number");
        self.report(said.help("ints have 64 bits: up to 9,223,372,036,854,775,807"));
        Expr::unknown(span)
    }

    /// Evaluates an operator with two constant operands at compile time.
    fn fold_constants(&mut self, op: Op, left: Expr, right: Expr, ty: Ty, span: Span) -> Expr {
        let result = match (left.as_constant(), right.as_constant()) {
            // A literal `null` tests whether the other side is null.
            (Some(a), Some(b)) if matches!(op, Op::Eq | Op::Ne) && (a.is_null() || b.is_null()) => {
                Some(Ok(Value::Bool((a.is_null() && b.is_null()) == (op == Op::Eq))))
            }
            (Some(a), Some(b)) => Some(ops::apply_binary(op, a, b)),
            _ => None,
        };
        match result {
            Some(Ok(value)) => {
                let ty = match &value {
                    Value::Decimal(value) => Ty::new(TyKind::Decimal(Some(value.places()))),
                    _ => ty,
                };
                self.make_bounded_constant(value, ty, span)
            }
            Some(Err(OpError::Overflow)) => self.report_overflow(span),
            Some(Err(OpError::DivisionByZero)) => self.report_zero_divisor(&right, span),
            _ => Expr { kind: ExprKind::Binary(op, Box::new((left, right))), ty, span },
        }
    }

    fn report_zero_divisor(&mut self, divisor: &Expr, span: Span) -> Expr {
        let said = Diagnostic::new(Code::BAD_LITERAL, "the divisor is zero", divisor.span, "is 0");
        self.report(said.help("use another divisor"));
        Expr::unknown(span)
    }

    fn infer_arithmetic_type(&mut self, op: Op, op_span: Span, left: &Expr, right: &Expr) -> Option<TyKind> {
        use Op as B;
        use TyKind as K;
        let kind = match (op, &left.ty.kind, &right.ty.kind) {
            (_, K::Null, _) | (_, _, K::Null) => Some(K::Unknown),
            (B::Div, _, _) if left.ty.is_number() && right.ty.is_number() => Some(K::Float),
            (B::Div, K::Duration, K::Duration) => Some(K::Float),
            (B::Div, _, _) => None,
            (_, K::Int, K::Int) => Some(K::Int),
            (_, K::Float, _) | (_, _, K::Float) if left.ty.is_number() && right.ty.is_number() => Some(K::Float),
            (B::Mul, K::Decimal(a), K::Decimal(b)) => Some(K::Decimal(a.zip(*b).map(|(a, b)| a + b))),
            (_, K::Decimal(a), K::Decimal(b)) => Some(K::Decimal(a.zip(*b).map(|(a, b)| a.max(b)))),
            (_, K::Decimal(a), K::Int) | (_, K::Int, K::Decimal(a)) => Some(K::Decimal(*a)),
            (B::Sub, K::Date, K::Date) => Some(K::Int),
            (B::Sub, K::DateTime, K::DateTime | K::Date) => Some(K::Duration),
            (B::Add | B::Sub, K::Date, K::Duration) => Some(infer_moved_date_type(right)),
            (B::Add, K::Duration, K::Date) => Some(infer_moved_date_type(left)),
            (B::Add | B::Sub, K::DateTime, K::Duration) | (B::Add, K::Duration, K::DateTime) => Some(K::DateTime),
            (B::Add | B::Sub, K::Duration, K::Duration) => Some(K::Duration),
            (B::Mul, K::Duration, K::Int) | (B::Mul, K::Int, K::Duration) => Some(K::Duration),
            (B::Add, K::List(_), K::List(_)) => left.ty.find_common_type(&right.ty).map(|ty| ty.kind),
            _ => None,
        };
        if kind.is_none() {
            let sign = op.word();
            let message = format!("`{sign}` cannot combine {} and {}", left.ty, right.ty);
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, op_span, "different types")
                .label(left.span, format!("{}", left.ty))
                .label(right.span, format!("{}", right.ty));
            let text = left.ty.kind == K::Text || right.ty.kind == K::Text;
            if let Some(bool) = [left, right].into_iter().find(|side| side.ty.kind == K::Bool) {
                let written = self.sources.text(bool.span);
                let instead = format!("(if {written} then 1 else 0)");
                self.report(said.help("a bool is not a number: say which number it means").fix(
                    format!("replace with `{instead}`"),
                    Applicability::Unsafe,
                    bool.span,
                    instead,
                ));
                return None;
            }
            let date_and_int = matches!((&left.ty.kind, &right.ty.kind), (K::Date | K::DateTime, K::Int));
            self.report(said.help(match op {
                B::Add if text => "join texts in a string: \"<<a>><<b>>\"",
                _ if date_and_int => "write the unit: `+ 14 days`",
                _ => "arithmetic needs numbers, dates, or durations",
            }));
        }
        kind
    }

    /// Suggests the number that a text holds, if it is compared with a number.
    fn suggest_number(&self, said: Diagnostic, left: &Expr, right: &Expr) -> Diagnostic {
        let is_held = |text: &Expr, other: &Expr| {
            text.ty.kind == TyKind::Text && text.as_constant().is_none() && other.ty.is_number()
        };
        let (text, other) = match (is_held(left, right), is_held(right, left)) {
            (true, _) => (left, right),
            (_, true) => (right, left),
            _ => return said,
        };
        let written = self.sources.text(text.span);
        if other.ty.kind != TyKind::Int {
            return said.help(format!("`{written}` is text; if it holds a number, write `to_decimal({written}, 2)`"));
        }
        let instead = format!("to_int({written})");
        said.help(format!("`{written}` is text; if it holds digits, write `{instead}`")).fix(
            format!("replace with `{instead}`"),
            Applicability::Unsafe,
            text.span,
            instead,
        )
    }

    /// Suggests the bool itself, or its opposite, if it is compared with 1 or 0.
    fn suggest_bool(&self, said: Diagnostic, op: Op, left: &Expr, right: &Expr) -> Diagnostic {
        let is_one = |side: &Expr| match side.as_constant() {
            Some(Value::Int(one @ (0 | 1))) => Some(*one == 1),
            _ => None,
        };
        let (bool, one) = match (&left.ty.kind, &right.ty.kind) {
            (TyKind::Bool, _) => (left, is_one(right)),
            (_, TyKind::Bool) => (right, is_one(left)),
            _ => return said,
        };
        let (Some(one), Op::Eq | Op::Ne) = (one, op) else { return said };
        let written = self.sources.text(bool.span);
        let instead = if one == (op == Op::Eq) { written.to_owned() } else { format!("not {written}") };
        let all = Span { end: right.span.end, ..left.span };
        said.help(format!("a bool is true or false: write `{instead}`")).fix(
            format!("replace with `{instead}`"),
            Applicability::Unsafe,
            all,
            instead,
        )
    }

    fn check_comparison(&mut self, op: Op, op_span: Span, left: &Expr, right: &Expr) {
        let ordered = !matches!(op, Op::Eq | Op::Ne);
        if !left.ty.is_comparable(&right.ty) {
            let message = format!("{} and {} cannot be compared", left.ty, right.ty);
            let mut said = Diagnostic::new(Code::TYPE_MISMATCH, message, op_span, "never true")
                .label(left.span, format!("{}", left.ty))
                .label(right.span, format!("{}", right.ty));
            // A common mistake: a number or date in quotes.
            for (text, other) in [(left, right), (right, left)] {
                let Some(Value::Text(inner)) = text.as_constant() else { continue };
                let what = match other.ty.kind {
                    TyKind::Date if model::Date::parse_iso(inner).is_some() => "dates",
                    _ if other.ty.is_number() && inner.parse::<model::Decimal>().is_ok() => "numbers",
                    _ => continue,
                };
                let help = format!("{what} have no quotes");
                said = said.help(help).fix("remove the quotes", Applicability::Safe, text.span, inner.clone());
            }
            let said = self.suggest_bool(said, op, left, right);
            self.report(self.suggest_number(said, left, right).with_default_help("compare values of one type"));
        } else if ordered && !left.ty.is_scalar() {
            let message = format!("{} cannot be ordered", left.ty);
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, op_span, "not comparable");
            self.report(said.help("lists and objects compare with `==` and `!=` only; their lengths with len(…)"));
        }
    }

    fn check_membership(&mut self, left: &Expr, right: &Expr, op_span: Span) {
        match &right.ty.kind {
            TyKind::List(item) => {
                if !left.ty.is_comparable(item) {
                    let message = format!("{} is never in a list of {item}", left.ty);
                    let said = Diagnostic::new(Code::TYPE_MISMATCH, message, op_span, "different types");
                    self.report(said.label(left.span, format!("{}", left.ty)).help("compare values of one type"));
                }
            }
            TyKind::Text if left.ty.kind == TyKind::Text => self.report(
                Diagnostic::new(Code::TYPE_MISMATCH, "`in` needs a list", right.span, "this is text")
                    .help("for a part of a text write: contains(whole, part)"),
            ),
            _ => self.report(
                Diagnostic::new(Code::TYPE_MISMATCH, "`in` needs a list", right.span, format!("this is {}", right.ty))
                    .help("write: x in [\"a\", \"b\"], or x in list(relation.column)"),
            ),
        }
    }
}

/// Collects the names in an expression, except those in arguments of calls that have a `where`.
fn collect_direct_names(expr: &ast::Expr, names: &mut Vec<String>) {
    match &expr.kind {
        ast::ExprKind::Path(path) => names.extend(path.last().map(|name| name.text.clone())),
        ast::ExprKind::Paren(inner) | ast::ExprKind::Placeholder(inner) => collect_direct_names(inner, names),
        ast::ExprKind::Unary { operand, .. } => collect_direct_names(operand, names),
        ast::ExprKind::Binary { left, right, .. } => {
            collect_direct_names(left, names);
            collect_direct_names(right, names);
        }
        ast::ExprKind::Call(call) => {
            for arg in call.args.iter().filter(|arg| arg.filter.is_none()) {
                if let ast::ArgValue::Expr(value) = &arg.value {
                    collect_direct_names(value, names);
                }
            }
        }
        _ => {}
    }
}

/// Infers the type of a date plus a duration: a datetime if the constant duration is not in whole days, else a date.
fn infer_moved_date_type(by: &Expr) -> TyKind {
    match by.as_constant() {
        Some(Value::Duration(Duration { seconds, .. })) if seconds % 86_400 != 0 => TyKind::DateTime,
        _ => TyKind::Date,
    }
}
