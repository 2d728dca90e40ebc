//! The parts of an expression, visited and replaced.

use model::suite::{Arg, Expr, Scope};

/// Counts an expression and all of its parts.
pub fn count_parts(expr: &Expr) -> usize {
    let mut count = 1;
    expr.visit_parts(Scope::default(), &mut |part, _| count += count_parts(part));
    count
}

/// Visits the expressions that are directly in an expression, in the order of [`Expr::visit_parts`].
pub fn visit_parts_mut(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    match expr {
        Expr::Const(_)
        | Expr::Name(_)
        | Expr::Column(_)
        | Expr::OuterColumn(_)
        | Expr::FilePath(_)
        | Expr::Folder(_)
        | Expr::Sandbox => {}
        Expr::Neg(operand) | Expr::Not(operand) => visit(operand),
        Expr::Binary { args, .. } => {
            visit(&mut args.0);
            visit(&mut args.1);
        }
        Expr::If(parts) => {
            visit(&mut parts.0);
            visit(&mut parts.1);
            visit(&mut parts.2);
        }
        Expr::List(items) | Expr::Concat(items) => items.iter_mut().for_each(visit),
        Expr::Object(fields) => fields.iter_mut().for_each(|(_, field)| visit(field)),
        Expr::Call(call) => call.args.iter_mut().for_each(|arg| visit_arg_mut(arg, visit)),
    }
}

fn visit_arg_mut(arg: &mut Arg, visit: &mut dyn FnMut(&mut Expr)) {
    match arg {
        Arg::Value(value) => visit(value),
        Arg::Relation { filter, .. } | Arg::Column { filter, .. } => filter.iter_mut().for_each(visit),
        Arg::Each { value, filter, .. } => {
            visit(value);
            filter.iter_mut().for_each(visit);
        }
        Arg::File(_) | Arg::Path(_) => {}
        Arg::Sql(sql) => sql.params.iter_mut().for_each(|(_, value)| visit(value)),
    }
}

/// Returns a copy of an expression with another part at an index.
pub fn replace_part(expr: &Expr, at: usize, with: &Expr) -> Expr {
    let (mut copy, mut index) = (expr.clone(), 0);
    visit_parts_mut(&mut copy, &mut |part| {
        if index == at {
            *part = with.clone();
        }
        index += 1;
    });
    copy
}
