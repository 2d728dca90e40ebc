//! Computed columns of files that are read: every row is known at check, so their values are, too.

use plan::functions::{Inputs, Kernel};
use plan::suite::Op;
use plan::val::Val;
use plan::{Span, Value, ops};

use crate::hir::{Arg, Expr, ExprKind};

/// The values of a row, by the column's place in the relation.
pub(super) type Row<'r> = dyn Fn(usize) -> Value + 'r;

/// Why a value cannot be computed: where, and in words.
pub(super) type Failed = (Span, String);

/// The value of an expression in a row.
pub(super) fn value(expr: &Expr, row: &Row<'_>) -> Result<Value, Failed> {
    let all = |items: &[Expr]| items.iter().map(|item| value(item, row)).collect::<Result<Vec<Value>, Failed>>();
    Ok(match &expr.kind {
        ExprKind::Const(known) => known.clone(),
        ExprKind::Column(column) => row(usize::from(*column)),
        ExprKind::Neg(operand) => {
            ops::negate(&value(operand, row)?).map_err(|_| (expr.span, "it overflows".to_owned()))?
        }
        ExprKind::Not(operand) => ops::not(&value(operand, row)?),
        ExprKind::Binary(op, sides) => binary(*op, &sides.0, &sides.1, expr.span, row)?,
        ExprKind::If(parts) => {
            let chosen = if ops::truth(&value(&parts.0, row)?) { &parts.1 } else { &parts.2 };
            value(chosen, row)?
        }
        ExprKind::List(items) => Value::List(all(items)?),
        ExprKind::Object(fields) => {
            let fields = fields.iter().map(|(name, field)| Ok((name.clone(), value(field, row)?)));
            Value::Object(fields.collect::<Result<_, Failed>>()?)
        }
        ExprKind::Concat(parts) => {
            let mut out = String::new();
            for (part, value) in parts.iter().zip(all(parts)?) {
                if value.is_null() {
                    return Err((part.span, "a null cannot be part of a text".to_owned()));
                }
                value.render_into(&mut out);
            }
            Value::Text(out)
        }
        ExprKind::Call(function, args) => {
            let values = args.iter().map(|arg| match arg {
                Arg::Value(arg) => Ok(arg),
                _ => Err((expr.span, REFUSED.to_owned())),
            });
            let values = values.collect::<Result<Vec<&Expr>, Failed>>()?;
            match function.kernel {
                Kernel::Values(kernel) => {
                    let values = values.into_iter().map(|arg| Ok(Val::Own(value(arg, row)?)));
                    let values = values.collect::<Result<Vec<Val<'_>>, Failed>>()?;
                    kernel(Inputs { function: *function, values }).map_err(|why| (expr.span, why))?.into_value()
                }
                Kernel::Fold(kernel) => {
                    let mut lists = Vec::new();
                    for arg in values {
                        match value(arg, row)? {
                            Value::List(items) => lists.extend(items),
                            single => lists.push(single),
                        }
                    }
                    let mut known = lists.into_iter().filter(|item| !item.is_null()).map(Val::Own);
                    kernel(*function, &mut known).map_err(|why| (expr.span, why))?.into_value()
                }
                Kernel::FirstKnown => {
                    for arg in values {
                        let known = value(arg, row)?;
                        if !known.is_null() {
                            return Ok(known);
                        }
                    }
                    Value::Null
                }
                Kernel::Points(..) | Kernel::Fields | Kernel::Path(..) | Kernel::Query | Kernel::Reads(_) => {
                    return Err((expr.span, REFUSED.to_owned()));
                }
            }
        }
        ExprKind::Unknown
        | ExprKind::Name(_)
        | ExprKind::OuterColumn(_)
        | ExprKind::FilePath(_)
        | ExprKind::Folder(_)
        | ExprKind::Sandbox => return Err((expr.span, REFUSED.to_owned())),
    })
}

const REFUSED: &str = "a column of a file that is read is computed from other columns of its row alone";

fn binary(op: Op, left: &Expr, right: &Expr, span: Span, row: &Row<'_>) -> Result<Value, Failed> {
    let a = value(left, row)?;
    match op {
        // The right side is not looked at where the left one decides.
        Op::And | Op::Or if a == Value::Bool(op == Op::Or) => return Ok(a),
        // Asked for in words, null is a value like others.
        Op::Eq | Op::Ne if left.is_null() || right.is_null() => {
            let both = a.is_null() && value(right, row)?.is_null();
            return Ok(Value::Bool(both == (op == Op::Eq)));
        }
        _ => {}
    }
    let why = |error| match error {
        ops::OpError::Overflow => "the result does not fit its type",
        ops::OpError::DivisionByZero => "the divisor is zero",
        ops::OpError::Types => "the types do not go together",
    };
    ops::binary(op, &a, &value(right, row)?).map_err(|error| (span, why(error).to_owned()))
}
