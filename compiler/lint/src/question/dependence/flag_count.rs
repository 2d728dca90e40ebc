//! How many rows meet a condition, where a column says so by itself: with `_LATE : bool exactly late`, that is `late` for every condition that holds just in the rows with `_LATE`.

use std::cmp::Ordering;

use model::functions::COUNT;
use model::suite::{ColumnId, Op, RelationId};
use model::{Duration, Value, ops};

use hir::types::{Ty, TyKind};
use hir::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, Relation, Sql, Task};
use sql::lex::{Kind, tokenize_sql};

/// The number of parts of a condition that are looked at.
const MAX_PARTS: usize = 500;

/// Returns the number of rows that a count gives, if the table declares it.
pub fn find_flag_count<'a>(task: &'a Task, count: &Expr) -> Option<&'a Expr> {
    let ExprKind::Call(function, args) = &count.kind else { return None };
    if let [Arg::Sql(sql)] = args.as_slice() {
        return find_counted_flag(task, sql);
    }
    let [Arg::Relation { relation, filter: Some(filter) }] = args.as_slice() else { return None };
    if function.general.unwrap_or(*function) != COUNT {
        return None;
    }
    find_exact_rows(task, *relation, filter)
}

/// The same for `SELECT COUNT(*) FROM t WHERE FLAG = 1`.
fn find_counted_flag<'a>(task: &'a Task, sql: &Sql) -> Option<&'a Expr> {
    let tokens: Vec<_> = tokenize_sql(&sql.text)
        .into_iter()
        .filter(|token| !matches!(token.kind, Kind::Blank | Kind::Comment))
        .collect();
    let words: Vec<String> = tokens.iter().map(|token| token.text.to_uppercase()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let rest = match words.as_slice() {
        ["SELECT", "COUNT", "(", "*", ")", "FROM", _, "WHERE", rest @ ..]
        | ["SELECT", "COUNT", "(", "*", ")", "FROM", _, ".", _, "WHERE", rest @ ..] => rest,
        _ => return None,
    };
    let name = match rest {
        [name] | [name, "=", "1" | "TRUE"] => *name,
        _ => return None,
    };
    let own = task.relations.get(*sql.analysis.tables.first()?)?;
    let column = own.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name))?;
    match &column.source.draw().filter(|draw| !draw.may_be_blank())?.domain {
        DrawDomain::Exactly(rows) => Some(rows),
        _ => None,
    }
}

/// Returns the number of rows that meet a filter, if a column with this number of trues decides it.
fn find_exact_rows<'a>(task: &'a Task, relation: RelationId, filter: &Expr) -> Option<&'a Expr> {
    let own = task.relations.get(relation)?;
    own.columns.iter_enumerated().find_map(|(flag, column)| {
        let draw = column.source.draw().filter(|draw| !draw.may_be_blank())?;
        let DrawDomain::Exactly(rows) = &draw.domain else { return None };
        let holds = |is: bool| Assumed { task, own, flag, is, left: MAX_PARTS }.simplify(filter);
        (as_truth(&holds(true)) == Some(true) && as_truth(&holds(false)) == Some(false)).then_some(rows)
    })
}

/// The rows of a table in which a flag is true, or false.
struct Assumed<'a> {
    task: &'a Task,
    own: &'a Relation,
    flag: ColumnId,
    is: bool,
    left: usize,
}

impl Assumed<'_> {
    /// Rewrites an expression over these rows: to a constant, if it is the same in all of them.
    fn simplify(&mut self, expr: &Expr) -> Expr {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return expr.clone();
        }
        match &expr.kind {
            ExprKind::Column(id) if *id == self.flag => build_truth(Value::Bool(self.is)),
            ExprKind::Column(id) => match self.own.columns.get(*id).map(|column| &column.source) {
                Some(ColumnSource::Compute(value)) => self.simplify(value),
                _ => expr.clone(),
            },
            ExprKind::Name(_) => expr.resolve_name(self.task).clone(),
            ExprKind::Not(inner) => match as_truth(&self.simplify(inner)) {
                Some(truth) => build_truth(Value::Bool(!truth)),
                None => expr.clone(),
            },
            ExprKind::If(parts) => match as_truth(&self.simplify(&parts.0)) {
                Some(true) => self.simplify(&parts.1),
                Some(false) => self.simplify(&parts.2),
                None => expr.clone(),
            },
            ExprKind::Binary(op, sides) => {
                let sides = (self.simplify(&sides.0), self.simplify(&sides.1));
                let known = find_truth(*op, &sides.0, &sides.1).map(Value::Bool).map(build_truth);
                known.unwrap_or_else(|| Expr { kind: ExprKind::Binary(*op, Box::new(sides)), ..expr.clone() })
            }
            _ => expr.clone(),
        }
    }
}

fn as_truth(expr: &Expr) -> Option<bool> {
    match expr.as_constant()? {
        Value::Bool(truth) => Some(*truth),
        _ => None,
    }
}

fn build_truth(truth: Value) -> Expr {
    Expr::constant(truth, Ty::new(TyKind::Bool), model::Span::default())
}

/// Decides a comparison, if that needs no cell.
fn find_truth(op: Op, left: &Expr, right: &Expr) -> Option<bool> {
    match op {
        Op::And if [left, right].iter().any(|side| as_truth(side) == Some(false)) => return Some(false),
        Op::Or if [left, right].iter().any(|side| as_truth(side) == Some(true)) => return Some(true),
        Op::And | Op::Or => {
            let (left, right) = (as_truth(left)?, as_truth(right)?);
            return Some(if op == Op::And { left && right } else { left || right });
        }
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => {}
        _ => return None,
    }
    if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
        return match ops::apply_binary(op, left, right) {
            Ok(Value::Bool(truth)) => Some(truth),
            _ => None,
        };
    }
    let (of, by) = split_offset(left);
    let (other, than) = split_offset(right);
    if of.ty.nullable || other.ty.nullable || of.without_spans() != other.without_spans() {
        return None;
    }
    let order = compare_offsets(by, than)?;
    Some(match op {
        Op::Eq => order.is_eq(),
        Op::Ne => order.is_ne(),
        Op::Lt => order.is_lt(),
        Op::Le => order.is_le(),
        Op::Gt => order.is_gt(),
        _ => order.is_ge(),
    })
}

/// Splits `x + 3` into `x` and 3, with its sign.
fn split_offset(expr: &Expr) -> (&Expr, Option<(Ordering, &Value)>) {
    let ExprKind::Binary(op @ (Op::Add | Op::Sub), sides) = &expr.kind else { return (expr, None) };
    let Some((sign, value)) = sides.1.as_constant().and_then(|value| Some((find_sign(value)?, value))) else {
        return (expr, None);
    };
    (&sides.0, Some((if *op == Op::Sub { sign.reverse() } else { sign }, value)))
}

fn find_sign(value: &Value) -> Option<Ordering> {
    match value {
        Value::Duration(Duration { months, seconds }) => match (months.cmp(&0), seconds.cmp(&0)) {
            (sign, Ordering::Equal) | (Ordering::Equal, sign) => Some(sign),
            (months, seconds) => (months == seconds).then_some(months),
        },
        other => other.compare_with(&Value::Int(0)),
    }
}

/// Compares what is added to the same value.
fn compare_offsets(left: Option<(Ordering, &Value)>, right: Option<(Ordering, &Value)>) -> Option<Ordering> {
    let sign = |side: &Option<(Ordering, &Value)>| side.map_or(Ordering::Equal, |(sign, _)| sign);
    match (sign(&left), sign(&right)) {
        (one, other) if one != other => Some(one.cmp(&other)),
        (Ordering::Equal, _) => Some(Ordering::Equal),
        _ => (left == right).then_some(Ordering::Equal),
    }
}
