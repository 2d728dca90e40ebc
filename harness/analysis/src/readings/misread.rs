//! One expression, misread in each of its parts.

use api::misreadings::{Sameness, list_misreadings};
use model::functions::{AVG, COUNT, DISTINCT_COUNT, FIRST, FunctionId, LAST, MAX, MEDIAN, MIN, Question, SUM};
use model::suite::{Arg, Call, Expr, Op, Scope, Sql, Task};

use super::describe::describe_expr;
use super::parts::{replace_part, visit_parts_mut};
use super::paths::misread_path;

/// A misreading: its name, what it means if it changes nothing, and its expression.
pub type Misread = (String, Sameness, Expr);

/// Functions of which one is often computed as the other.
const FUNCTIONS: [(FunctionId, FunctionId); 9] = [
    (SUM, AVG),
    (AVG, SUM),
    (AVG, MEDIAN),
    (MEDIAN, AVG),
    (MIN, MAX),
    (MAX, MIN),
    (FIRST, LAST),
    (LAST, FIRST),
    (DISTINCT_COUNT, COUNT),
];
/// Questions about paths of which one is often asked as the other.
const QUESTIONS: [(Question, Question); 4] = [
    (Question::Sum, Question::Avg),
    (Question::Avg, Question::Sum),
    (Question::Min, Question::Max),
    (Question::Max, Question::Min),
];

/// Misreads each part of an expression, one at a time.
pub fn misread_expr(task: &Task, expr: &Expr) -> Vec<Misread> {
    misread_at(task, expr, Scope::default())
}

fn misread_at(task: &Task, expr: &Expr, at: Scope) -> Vec<Misread> {
    let mut found = match expr {
        Expr::Binary { op, args, .. } => misread_binary(task, (*op, expr, args), at),
        Expr::Call(call) => misread_call(task, call, at),
        _ => Vec::new(),
    };
    let mut index = 0;
    expr.visit_parts(at, &mut |part, at| {
        let inner = misread_at(task, part, at).into_iter();
        found.extend(inner.map(|(name, sameness, other)| (name, sameness, replace_part(expr, index, &other))));
        index += 1;
    });
    found
}

/// Reads a comparison with or without its ends, and `and` as `or`.
fn misread_binary(task: &Task, (op, expr, args): (Op, &Expr, &(Expr, Expr)), at: Scope) -> Vec<Misread> {
    let other = match op {
        Op::Lt => Op::Le,
        Op::Le => Op::Lt,
        Op::Gt => Op::Ge,
        Op::Ge => Op::Gt,
        Op::And => Op::Or,
        Op::Or => Op::And,
        _ => return Vec::new(),
    };
    let mut copy = expr.clone();
    if let Expr::Binary { op, .. } = &mut copy {
        *op = other;
    }
    let (left, right) = (describe_expr(task, &args.0, at), describe_expr(task, &args.1, at));
    let ends = (op == Op::And).then(|| leave_out_ends(task, expr, args, at)).flatten();
    let name = match op {
        Op::And | Op::Or => format!("`{}` read as `{}`", op.word(), other.word()),
        _ => format!("`{left} {} {right}` read as `{left} {} {right}`", op.word(), other.word()),
    };
    ends.into_iter().chain([(name, Sameness::Weak, copy)]).collect()
}

/// Reads `x >= a and x <= b` without both ends.
fn leave_out_ends(task: &Task, expr: &Expr, args: &(Expr, Expr), at: Scope) -> Option<Misread> {
    let (Expr::Binary { op: Op::Ge, args: low, .. }, Expr::Binary { op: Op::Le, args: high, .. }) = (&args.0, &args.1)
    else {
        return None;
    };
    let mut copy = expr.clone();
    visit_parts_mut(&mut copy, &mut |part| {
        if let Expr::Binary { op, .. } = part {
            *op = if *op == Op::Ge { Op::Gt } else { Op::Lt };
        }
    });
    let name = format!("`{}` read without its ends", describe_expr(task, expr, at));
    (low.0 == high.0).then_some((name, Sameness::Ends, copy))
}

fn misread_call(task: &Task, call: &Call, at: Scope) -> Vec<Misread> {
    let mut found = Vec::new();
    let mut add = |name, sameness, call: Call| found.push((name, sameness, Expr::Call(Box::new(call))));
    for (_, to) in FUNCTIONS.into_iter().filter(|(from, _)| is_or_of_csv(call.function, *from)) {
        let name = format!("`{}` read as `{to}`", call.function.name);
        // The only row is the first and the last.
        let sameness = if to == FIRST || to == LAST { Sameness::Usual } else { Sameness::Weak };
        add(name, sameness, Call { function: to, ..call.clone() });
    }
    let asked = QUESTIONS.into_iter().filter(|(from, _)| call.function.question() == Some(*from));
    for other in asked.filter_map(|(_, to)| call.function.find_sibling(to)) {
        let name = format!("`{}` read as `{}`", call.function.name, other.name);
        add(name, Sameness::Weak, Call { function: other, ..call.clone() });
    }
    for (index, arg) in call.args.iter().enumerate() {
        for (name, sameness, arg) in misread_arg(task, arg, at) {
            let mut args = call.args.clone();
            if let Some(slot) = args.get_mut(index) {
                *slot = arg;
            }
            add(name, sameness, Call { args, ..call.clone() });
        }
    }
    found.extend(count_distinct(task, call));
    found.extend(read_nulls_as_zero(task, call));
    found
}

/// Whether a function is another one, or does the same for CSV files.
fn is_or_of_csv(function: FunctionId, other: FunctionId) -> bool {
    function == other || function.general == Some(other)
}

/// Leaves out a filter or one of its conditions, and misreads a query or path.
fn misread_arg(task: &Task, arg: &Arg, at: Scope) -> Vec<(String, Sameness, Arg)> {
    match arg {
        Arg::Relation { relation, filter: Some(filter) }
        | Arg::Column { relation, filter: Some(filter), .. }
        | Arg::Each { relation, filter: Some(filter), .. } => {
            let inside = at.enter_filter(*relation);
            let with = |filter: Option<Expr>| {
                let mut copy = arg.clone();
                if let Arg::Relation { filter: slot, .. }
                | Arg::Column { filter: slot, .. }
                | Arg::Each { filter: slot, .. } = &mut copy
                {
                    *slot = filter;
                }
                copy
            };
            let left_out = |out: &Expr, kept: Option<&Expr>| {
                let name = format!("`{}` left out", describe_expr(task, out, inside));
                (name, Sameness::Weak, with(kept.cloned()))
            };
            match filter {
                Expr::Binary { op: Op::And, args, .. } => {
                    vec![left_out(&args.0, Some(&args.1)), left_out(&args.1, Some(&args.0))]
                }
                filter => vec![left_out(filter, None)],
            }
        }
        Arg::Sql(sql) => {
            let other = |text| Arg::Sql(Sql { text, ..sql.clone() });
            let found = list_misreadings(&sql.text).into_iter();
            found.map(|one| (one.name, one.sameness, other(one.text))).collect()
        }
        Arg::Path(path) => {
            let other = |text| Arg::Path(model::suite::PathQuery { text, ..path.clone() });
            let found = misread_path(&path.text).into_iter();
            found.map(|(from, to, text)| (format!("`{from}` read as `{to}`"), Sameness::Weak, other(text))).collect()
        }
        _ => Vec::new(),
    }
}

/// Counts different values instead of all.
fn count_distinct(task: &Task, call: &Call) -> Option<Misread> {
    let is_count = is_or_of_csv(call.function, COUNT);
    let [Arg::Column { relation, column, .. }] = call.args.as_slice() else { return None };
    let cells = task.find_column((*relation, *column)).filter(|_| is_count)?.cells;
    let other = Call { function: DISTINCT_COUNT, ..call.clone() };
    let name = format!("`{}` read as `{DISTINCT_COUNT}`", call.function.name);
    (!cells.unique && !cells.primary_key).then(|| (name, Sameness::Usual, Expr::Call(Box::new(other))))
}

/// Takes missing values for 0 in a mean.
fn read_nulls_as_zero(task: &Task, call: &Call) -> Option<Misread> {
    let [Arg::Column { relation, column, filter }] = call.args.as_slice() else { return None };
    let found = task.find_column((*relation, *column)).filter(|found| found.cells.nullable)?;
    if !is_or_of_csv(call.function, AVG) {
        return None;
    }
    let sum = Call { function: SUM, ..call.clone() };
    let rows = Arg::Relation { relation: *relation, filter: filter.clone() };
    let count = Call { function: COUNT, args: vec![rows], span: call.span };
    let args = Box::new((Expr::Call(Box::new(sum)), Expr::Call(Box::new(count))));
    let mean = Expr::Binary { op: Op::Div, args, span: call.span };
    Some((format!("missing values of `{}` read as 0", found.name), Sameness::Weak, mean))
}
