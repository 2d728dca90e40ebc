//! What multiplies and divides in a value.

use model::suite::Op;
use model::{Decimal, Value};

use crate::context::TaskCx;
use hir::{Arg, Expr, ExprKind};
use sql::lex::{Kind as SqlKind, tokenize_sql};

/// The factors, divisors, and divisions of a value.
#[derive(Default)]
pub(super) struct Arithmetic {
    /// Constants that multiply or divide.
    pub factors: Vec<Decimal>,
    /// Whether something that is not a constant multiplies or divides.
    pub other: bool,
    /// Whether two computed values are divided.
    pub is_ratio: bool,
}

/// Collects them, also through names and in queries.
pub(super) fn collect_arithmetic(cx: &TaskCx<'_>, value: &Expr) -> Arithmetic {
    let mut found = Arithmetic::default();
    value.visit_through_names(cx.task, &mut |part| match &part.kind {
        ExprKind::Binary(op @ (Op::Mul | Op::Div), sides) => {
            let constants =
                [&sides.0, &sides.1].map(|side| side.resolve_name(cx.task).as_constant().and_then(Value::as_decimal));
            found.other |= constants.iter().all(Option::is_none);
            found.is_ratio |= *op == Op::Div && constants.iter().all(Option::is_none);
            found.factors.extend(constants.into_iter().flatten());
        }
        ExprKind::Call(_, args) => {
            for arg in args {
                if let Arg::Sql(sql) = arg {
                    found.add_query(&sql.text);
                }
            }
        }
        _ => {}
    });
    found
}

impl Arithmetic {
    fn add_query(&mut self, text: &str) {
        let tokens = tokenize_sql(text);
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            let is_value =
                before.is_some_and(|before| before.is_punct(")") || before.is_name() && !before.is_keyword("SELECT"));
            let is_times =
                token.is_punct("*") && before.is_some_and(|before| is_value || before.kind == SqlKind::Number);
            let is_by = token.is_punct("/");
            if !is_times && !is_by {
                continue;
            }
            let sides = [before, tokens.get(at + 1)];
            let numbers: Vec<Decimal> = sides
                .iter()
                .flatten()
                .filter(|side| side.kind == SqlKind::Number)
                .filter_map(|side| side.text.parse().ok())
                .collect();
            self.other |= numbers.is_empty();
            self.is_ratio |= is_by && !tokens.get(at + 1).is_some_and(|next| next.kind == SqlKind::Number);
            self.factors.extend(numbers);
        }
    }

    /// Whether this constant multiplies or divides.
    pub fn has_factor(&self, factor: &str) -> bool {
        factor.parse::<Decimal>().is_ok_and(|factor| self.factors.contains(&factor))
    }

    /// Whether nothing multiplies or divides.
    pub fn is_plain(&self) -> bool {
        !self.other && !self.is_scaled()
    }

    /// Whether a constant other than 1 multiplies or divides.
    pub fn is_scaled(&self) -> bool {
        self.factors.iter().any(|factor| *factor != Decimal::from_int(1))
    }
}
