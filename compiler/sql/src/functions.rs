//! SQLite's functions, and the types of their results.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use model::Span;
use model::ValueType;
use model::functions::{FunctionId, Kernel};
use model::sqlite::functions::find_statistic;
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments, SelectItem,
    WindowFrameBound, WindowSpec, WindowType,
};

use super::date_functions;
use super::expressions::{as_plain_argument, find_argument, find_last_name, list_arguments, visit_calls};
use super::scope::{ExprType, Source};
use super::select::Analyser;

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

impl Analyser<'_> {
    /// The type of a call.
    pub fn infer_function(&mut self, function: &Function) -> ExprType {
        let Some(ident) = find_last_name(&function.name) else {
            self.give_up();
            return ExprType::unknown();
        };
        let name = ident.value.to_ascii_lowercase();
        let windowed = function.over.is_some();
        let mut args = Vec::new();
        let aggregate = is_aggregate(function);
        let before = self.frames.last().is_some_and(|frame| frame.in_aggregate);
        self.set_in_aggregate(before || aggregate);
        let innermost = self.innermost.take();
        let written: Vec<&Expr> = list_arguments(function).iter().filter_map(as_plain_argument).collect();
        for expr in &written {
            if matches!(name.as_str(), "floor" | "trunc") {
                self.note_intended_truncation(expr);
            }
            args.push(self.infer_expr(expr));
        }
        self.note_call(ident, function, &args);
        // Terms that order or filter rows do not contribute to the value.
        let letters = self.take_call_letters(&name);
        if let FunctionArguments::List(list) = &function.args {
            for clause in &list.clauses {
                if let FunctionArgumentClause::OrderBy(terms) = clause {
                    self.note_terms(terms);
                }
            }
        } else if let FunctionArguments::Subquery(_) = &function.args {
            self.give_up();
        }
        if let Some(filter) = &function.filter {
            self.infer_expr(filter);
        }
        if matches!(name.as_str(), "sum" | "avg" | "total")
            && let (Some(first), Some(expr)) = (args.first(), find_argument(function, 0))
        {
            self.report_text_arithmetic(expr, first);
        }
        self.borrowed_aggregate |= aggregate && self.innermost.is_some_and(|frame| frame + 1 < self.frames.len());
        self.innermost = self.innermost.max(innermost);
        self.set_in_aggregate(before);
        let framed = self.visit_over(function.over.as_ref());
        self.letters = letters;
        if model::sqlite::functions::find_nature(&name).is_none() {
            self.report_unknown_function(ident);
        }
        let grouped = self.frames.last().is_some_and(|frame| frame.grouped || frame.some_row);
        let some_row = function.filter.is_none() && if windowed { !framed } else { grouped };
        if aggregate || windowed {
            let filtered = function.filter.is_some() || self.frames.last().is_some_and(|frame| frame.filtered);
            let value = infer_aggregate(&name, &args, some_row);
            let empty = value.nullable && args.first().is_some_and(|first| !first.nullable || first.empty);
            return ExprType { empty: empty && filtered && aggregate, ..value };
        }
        let value =
            date_functions::infer_date_call(&name, &written, &args).unwrap_or_else(|| infer_scalar(&name, &args));
        ExprType { empty: value.empty && value.nullable, ..value }
    }

    /// The letter sources of a call's result, from those of its arguments.
    fn take_call_letters(&mut self, name: &str) -> BTreeSet<Source> {
        let letters = std::mem::take(&mut self.letters);
        match name {
            "upper" | "lower" => letters.into_iter().map(|source| Source { cased: true, ..source }).collect(),
            "typeof" => BTreeSet::new(),
            _ => letters,
        }
    }

    /// Visits OVER. Returns whether its frame may be empty: the frame is explicit, or the window is defined elsewhere.
    fn visit_over(&mut self, over: Option<&WindowType>) -> bool {
        match over {
            Some(WindowType::WindowSpec(spec)) => {
                self.visit_window(spec);
                spec.window_frame.is_some() || spec.window_name.is_some()
            }
            Some(WindowType::NamedWindow(_)) => true,
            None => false,
        }
    }

    /// Visits the expressions of a window.
    pub fn visit_window(&mut self, spec: &WindowSpec) {
        for expr in &spec.partition_by {
            self.infer_expr(expr);
        }
        self.note_terms(&spec.order_by);
        if let Some(frame) = &spec.window_frame {
            for bound in std::iter::once(&frame.start_bound).chain(&frame.end_bound) {
                if let WindowFrameBound::Preceding(Some(by)) | WindowFrameBound::Following(Some(by)) = bound {
                    self.infer_expr(by);
                }
            }
        }
    }
}

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
        ExprType { nullable: value.nullable, ..ExprType::unknown() }
    }
}

/// The type of `ceil`, `floor`, and `trunc`: an integer for integers, otherwise a float without a fraction.
pub fn infer_truncation(value: &ExprType) -> ExprType {
    match value.ty {
        Some(ValueType::Int) => ExprType::with_type(ValueType::Int, value.nullable),
        Some(ValueType::Decimal(_) | ValueType::Float) => ExprType::with_type(ValueType::Float, value.nullable),
        _ => ExprType::unknown(),
    }
}

/// The statistical functions that a query calls, with their spans. Only an author's own queries have these functions.
pub fn find_statistics_calls<'q>(sql: &'q super::SqlText<'q>) -> impl Iterator<Item = (String, Span)> + 'q {
    let next = sql.tokens.iter().skip(1).map(|token| token.text).chain([""]);
    sql.tokens.iter().zip(next).filter_map(|(token, next)| {
        let name = token.text.to_ascii_lowercase();
        let called = next == "(" && token.is_name() && find_statistic(&name).is_some();
        called.then(|| (name, sql.to_span((token.start, token.end()))))
    })
}

fn infer_aggregate(name: &str, args: &[ExprType], some_row: bool) -> ExprType {
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

fn infer_scalar(name: &str, args: &[ExprType]) -> ExprType {
    use ValueType::{Float, Int, Text};
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
        "abs" if first().ty.is_some_and(ValueType::is_number) => first().into_computed(),
        "round" => ExprType { rounded: first().ty != Some(Int), ..ExprType::with_type(Float, any) },
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
