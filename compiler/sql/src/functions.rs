//! SQLite's functions, and the types of their results.

use std::ops::ControlFlow;

use model::Span;
use model::ValueType;
use model::functions::{FunctionId, Kernel};
use model::sqlite::functions::find_statistic;
use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, SelectItem};

use super::expressions::{find_last_name, list_arguments, visit_calls};
use super::query_text::SqlText;
use super::scope::ExprType;
use super::visitor::{Visitor, visit_nodes};

const AGGREGATES: &str = "avg count group_concat json_group_array json_group_object jsonb_group_array jsonb_group_object \
    median percentile percentile_cont percentile_disc string_agg sum total";

/// The SQLite equivalents of functions in other databases.
pub const ELSEWHERE: &[(&str, &str)] = &[
    ("charindex", "instr(text, part)"),
    ("curdate", "a date drawn in the task and passed in as `:today`"),
    ("date_format", "strftime('%Y-%m', DAY)"),
    ("date_trunc", "strftime('%Y-%m-01', DAY)"),
    ("dateadd", "date(DAY, '+7 days')"),
    ("datediff", "julianday(LATER) - julianday(EARLIER)"),
    ("day", "CAST(strftime('%d', DAY) AS INTEGER)"),
    ("extract", "CAST(strftime('%Y', DAY) AS INTEGER)"),
    ("getdate", "a date drawn in the task and passed in as `:today`"),
    ("greatest", "max(a, b)"),
    ("isnull", "ifnull(a, b)"),
    ("least", "min(a, b)"),
    ("left", "substr(text, 1, n)"),
    ("len", "length(text)"),
    ("locate", "instr(text, part)"),
    ("month", "CAST(strftime('%m', DAY) AS INTEGER)"),
    ("now", "a date drawn in the task and passed in as `:today`"),
    ("nvl", "ifnull(a, b)"),
    ("position", "instr(text, part)"),
    ("quarter", "CAST((strftime('%m', DAY) + 2) / 3 AS INTEGER)"),
    ("rand", "a number drawn in the task and passed in as `:n`"),
    ("right", "substr(text, -n)"),
    ("strpos", "instr(text, part)"),
    ("to_char", "printf('%d', n) or strftime('%Y-%m', DAY)"),
    ("to_date", "the day as text: '2024-01-31'"),
    ("truncate", "trunc(x)"),
    ("week", "CAST(strftime('%W', DAY) AS INTEGER)"),
    ("weekday", "CAST(strftime('%w', DAY) AS INTEGER)"),
    ("year", "CAST(strftime('%Y', DAY) AS INTEGER)"),
];

/// Whether a call is `COUNT(*)` without FILTER or OVER.
pub fn is_count_star(function: &Function) -> bool {
    matches!(list_arguments(function), [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)])
        && function.filter.is_none()
        && function.over.is_none()
        && find_last_name(&function.name).is_some_and(|name| name.value.eq_ignore_ascii_case("count"))
}

/// Whether a call is an aggregate without OVER.
pub fn is_aggregate(function: &Function) -> bool {
    let Some(name) = find_last_name(&function.name) else { return false };
    let name = name.value.to_ascii_lowercase();
    let one_argument = list_arguments(function).len() == 1;
    let gathers = |function: FunctionId| !matches!(function.kernel, Kernel::Values(_));
    function.over.is_none()
        && (AGGREGATES.split(' ').any(|known| known == name)
            || find_statistic(&name).is_some_and(gathers)
            || (one_argument && matches!(name.as_str(), "min" | "max")))
}

/// Whether the output, HAVING, or ORDER BY of a SELECT calls an aggregate outside subqueries.
pub fn has_aggregate(projection: &[SelectItem], having: Option<&Expr>, ordered: &[&Expr]) -> bool {
    let check = |function: &Function| match is_aggregate(function) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    projection.iter().any(|item| visit_calls(item, check).is_break())
        || having.into_iter().chain(ordered.iter().copied()).any(|term| visit_calls(term, check).is_break())
}

/// Whether an expression names a column outside of aggregates. A column of a subquery counts.
pub fn names_row_column(expr: &Expr) -> bool {
    struct Names {
        aggregates: usize,
    }
    impl Visitor for Names {
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Function(function) if is_aggregate(function) => self.aggregates += 1,
                Expr::Identifier(_) | Expr::CompoundIdentifier(_) if self.aggregates == 0 => {
                    return ControlFlow::Break(());
                }
                _ => {}
            }
            ControlFlow::Continue(())
        }
        fn post_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if matches!(expr, Expr::Function(function) if is_aggregate(function)) {
                self.aggregates = self.aggregates.saturating_sub(1);
            }
            ControlFlow::Continue(())
        }
    }
    visit_nodes(expr, &mut Names { aggregates: 0 }).is_break()
}

/// The type of CAST, by SQLite's rules of affinity.
pub fn infer_cast(data_type: &str, value: &ExprType) -> ExprType {
    let name = data_type.to_ascii_uppercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if has(&["INT"]) {
        ExprType::with_type(ValueType::Int, value.nullable)
    } else if has(&["CHAR", "CLOB", "TEXT"]) {
        ExprType::with_type(ValueType::Text, value.nullable)
    } else if !has(&["BLOB"]) && has(&["REAL", "FLOA", "DOUB"]) {
        ExprType { endless: value.endless, ..ExprType::with_type(ValueType::Float, value.nullable) }
    } else {
        ExprType { nullable: value.nullable, blob: has(&["BLOB"]), ..ExprType::unknown() }
    }
}

/// The type of the values of a column with this declared type, by SQLite's rules of affinity.
pub fn infer_declared_type(declared: &str) -> Option<ValueType> {
    infer_cast(declared, &ExprType::unknown()).ty
}

/// The type of `ceil`, `floor`, and `trunc`: an integer for integers, otherwise a float without a fraction.
pub fn infer_truncation(value: &ExprType) -> ExprType {
    match value.ty {
        Some(ValueType::Int | ValueType::Bool) => ExprType::with_type(ValueType::Int, value.nullable),
        Some(ValueType::Decimal(_) | ValueType::Float) => ExprType::with_type(ValueType::Float, value.nullable),
        _ => ExprType::unknown(),
    }
}

/// The statistical functions that a query calls, with their spans. Only an author's own queries have these functions.
pub fn find_statistics_calls<'q>(sql: &'q SqlText<'q>) -> impl Iterator<Item = (String, Span)> + 'q {
    let next = sql.tokens.iter().skip(1).map(|token| token.text).chain([""]);
    sql.tokens.iter().zip(next).filter_map(|(token, next)| {
        let name = token.text.to_ascii_lowercase();
        let called = next == "(" && token.is_name() && find_statistic(&name).is_some();
        called.then(|| (name, sql.to_span((token.start, token.end()))))
    })
}

/// The type of a call of an aggregate or window function. `some_row`: it always has at least one row.
pub fn infer_aggregate(name: &str, args: &[ExprType], some_row: bool) -> ExprType {
    use ValueType::{Bool, Decimal, Float, Int, Text};
    let first = args.first().cloned().unwrap_or_else(ExprType::unknown);
    let nullable = first.nullable || !some_row;
    if let Some(function) = find_statistic(name) {
        let certain = some_row && function.least == Some(1) && !args.iter().any(|arg| arg.nullable);
        return ExprType { endless: true, ..ExprType::with_type(Float, !certain) };
    }
    match name {
        "count" | "row_number" | "rank" | "dense_rank" | "ntile" => ExprType::with_type(Int, false),
        "percent_rank" | "cume_dist" => ExprType { endless: true, ..ExprType::with_type(Float, false) },
        "total" => ExprType { endless: first.endless, ..ExprType::with_type(Float, false) },
        "avg" => ExprType { endless: true, ..ExprType::with_type(Float, nullable) },
        "median" | "percentile" | "percentile_cont" | "percentile_disc" => {
            ExprType { endless: first.endless, ..ExprType::with_type(Float, nullable) }
        }
        "sum" => match first.ty {
            Some(Int | Bool) => ExprType::with_type(Int, nullable),
            Some(ty @ (Decimal(_) | Float)) => ExprType { endless: first.endless, ..ExprType::with_type(ty, nullable) },
            _ => ExprType { nullable, ..ExprType::unknown() },
        },
        "min" | "max" => ExprType { nullable, ..first.into_computed() },
        "group_concat" | "string_agg" => ExprType::with_type(Text, nullable),
        "json_group_array" | "json_group_object" => ExprType::with_type(Text, false),
        "lag" | "lead" => match args.get(2) {
            Some(default) => first.join_with(default),
            None => ExprType { nullable: true, ..first.into_computed() },
        },
        "first_value" | "last_value" => ExprType { nullable, ..first.into_computed() },
        "nth_value" => ExprType { nullable: true, ..first.into_computed() },
        _ => ExprType::unknown(),
    }
}

/// The type of a call of any other function.
pub fn infer_scalar(name: &str, args: &[ExprType]) -> ExprType {
    use ValueType::{Bool, Float, Int, Text};
    let any = args.iter().any(|arg| arg.nullable);
    let first = || args.first().cloned().unwrap_or_else(ExprType::unknown);
    let either = |args: &[ExprType]| {
        let mut all = args.iter();
        let start = all.next().cloned().unwrap_or_else(ExprType::unknown);
        all.fold(start, |value, next| value.join_with(next)).into_computed()
    };
    if find_statistic(name).is_some() {
        return ExprType { endless: true, ..ExprType::with_type(Float, any) };
    }
    match name {
        "abs" if first().ty == Some(Bool) => ExprType::with_type(Int, any),
        "abs" if first().ty.is_some_and(ValueType::is_number) => first().into_computed(),
        "round" => ExprType { rounded: !matches!(first().ty, Some(Int | Bool)), ..ExprType::with_type(Float, any) },
        "ceil" | "ceiling" | "floor" | "trunc" => infer_truncation(&first()),
        "length" | "unicode" | "instr" | "octet_length" | "sign" => {
            ExprType::with_type(Int, any || name == "unicode" || name == "sign")
        }
        "upper" | "lower" | "trim" | "ltrim" | "rtrim" | "replace" | "substr" | "substring" => {
            ExprType::with_type(Text, any)
        }
        "typeof" | "quote" | "hex" | "char" | "concat" => ExprType::with_type(Text, false),
        "concat_ws" | "printf" | "format" => ExprType::with_type(Text, first().nullable),
        "coalesce" | "ifnull" => ExprType { nullable: args.iter().all(|arg| arg.nullable), ..either(args) },
        "nullif" => ExprType { nullable: true, ..first().into_computed() },
        "iif" | "if" => {
            let results: Vec<ExprType> = args
                .iter()
                .enumerate()
                .filter(|(at, _)| at % 2 == 1 || at + 1 == args.len())
                .map(|(_, arg)| arg.clone())
                .collect();
            let value = either(&results);
            ExprType { nullable: value.nullable || args.len().is_multiple_of(2), ..value }
        }
        "min" | "max" => ExprType { nullable: any, ..either(args) },
        "pi" => ExprType::with_type(Float, false),
        "acos" | "acosh" | "asin" | "asinh" | "atan" | "atan2" | "atanh" | "cos" | "cosh" | "degrees" | "exp"
        | "ln" | "log" | "log10" | "log2" | "pow" | "power" | "radians" | "sin" | "sinh" | "sqrt" | "tan" | "tanh" => {
            ExprType { endless: true, ..ExprType::with_type(Float, true) }
        }
        "json" | "json_type" => ExprType::with_type(Text, true),
        "json_object" | "json_array" | "json_quote" => ExprType::with_type(Text, false),
        "json_array_length" => ExprType::with_type(Int, true),
        "json_valid" | "like" | "glob" => ExprType::with_type(Int, any),
        "likely" | "unlikely" => first().into_computed(),
        _ => ExprType::unknown(),
    }
}
