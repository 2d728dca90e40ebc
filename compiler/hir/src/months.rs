//! Whether a duration has months, which differ in length.

use model::Value;
use model::suite::Op;

use crate::types::TyKind;
use crate::{Expr, ExprKind};

/// Whether a duration has months.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Months {
    /// It has none.
    Never,
    /// It is not known.
    Unknown,
    /// It has some.
    Always,
}

impl Months {
    /// Infers it from the expression of a duration. `follow` returns the value of a name.
    pub fn from_expr<'e>(expr: &'e Expr, follow: &dyn Fn(&'e Expr) -> &'e Expr) -> Months {
        match &follow(expr).kind {
            ExprKind::Const(Value::Duration(length)) if length.months == 0 => Months::Never,
            ExprKind::Const(Value::Duration(_)) => Months::Always,
            ExprKind::Neg(inner) => Months::from_expr(inner, follow),
            ExprKind::Binary(Op::Add | Op::Sub | Op::Mul, sides) => {
                let durations = [&sides.0, &sides.1].into_iter().filter(|side| side.ty.kind == TyKind::Duration);
                // The difference of two datetimes has none.
                durations.map(|side| Months::from_expr(side, follow)).max().unwrap_or(Months::Never)
            }
            _ => Months::Unknown,
        }
    }
}
