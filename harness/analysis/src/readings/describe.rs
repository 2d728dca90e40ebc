//! An expression in a few words: as its author wrote it, if it is short.

use model::suite::{Arg, ColumnId, Expr, RelationId, Scope, Task};

/// Maximum length of a part, in characters.
const MAX_CHARS: usize = 40;

/// Describes an expression; what is long is `…`.
pub fn describe_expr(task: &Task, expr: &Expr, at: Scope) -> String {
    let text = match expr {
        Expr::Const(value) if value.as_text().is_some() => value.to_json().to_string(),
        Expr::Const(value) => value.render_text().into_owned(),
        Expr::Name(name) => task.names.get(*name).map_or_else(String::new, |name| name.name.clone()),
        Expr::Column(column) => find_column_name(task, at.row, *column),
        Expr::OuterColumn(column) => find_column_name(task, at.outer, *column),
        Expr::Binary { op, args, .. } => {
            format!("{} {} {}", describe_expr(task, &args.0, at), op.word(), describe_expr(task, &args.1, at))
        }
        Expr::Not(operand) => format!("not {}", describe_expr(task, operand, at)),
        Expr::Neg(operand) => format!("-{}", describe_expr(task, operand, at)),
        Expr::Call(call) => {
            let args: Vec<String> = call.args.iter().map(|arg| describe_arg(task, arg, at)).collect();
            format!("{}({})", call.function.name, args.join(", "))
        }
        _ => return "…".to_owned(),
    };
    if text.is_empty() || text.chars().count() > MAX_CHARS { "…".to_owned() } else { text }
}

/// Describes an argument without its filter.
fn describe_arg(task: &Task, arg: &Arg, at: Scope) -> String {
    let name = |relation: &RelationId| task.relations.get(*relation).map_or_else(String::new, |it| it.name.clone());
    match arg {
        Arg::Value(value) => describe_expr(task, value, at),
        Arg::Relation { relation, .. } => name(relation),
        Arg::Column { relation, column, .. } => {
            format!("{}.{}", name(relation), find_column_name(task, Some(*relation), *column))
        }
        _ => "…".to_owned(),
    }
}

fn find_column_name(task: &Task, relation: Option<RelationId>, column: ColumnId) -> String {
    let found = relation.and_then(|relation| task.find_column((relation, column)));
    found.map_or_else(String::new, |column| column.name.clone())
}
