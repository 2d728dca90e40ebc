//! The terms of calls: functions of values, aggregates, and functions of windows.

use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, WindowType};

use super::analyser::Analyser;
use super::expressions::{as_number_literal, as_plain_argument, find_last_name, list_arguments};
use super::functions::is_aggregate;
use super::terms::{Gathered, Term};
use syntax::bounds::Bounds;

impl Analyser<'_> {
    /// The term of a call.
    pub(super) fn build_call(&self, function: &Function) -> Term {
        let Some(name) = find_last_name(&function.name) else { return Term::Unknown };
        let name = name.value.to_ascii_lowercase();
        let args = list_arguments(function);
        if is_aggregate(function) || function.over.is_some() {
            return self.build_gathered(&name, function, args).map_or(Term::Unknown, Term::Gathered);
        }
        let plain: Option<Vec<&Expr>> = args.iter().map(as_plain_argument).collect();
        let name = if name == "substring" { "substr" } else { &name };
        plain.map_or(Term::Unknown, |plain| self.build_named_call(name, plain))
    }

    fn build_gathered(&self, name: &str, function: &Function, args: &[FunctionArg]) -> Option<Gathered> {
        let frame = self.frames.last()?;
        let most = frame.most.unwrap_or(u64::MAX);
        let whole = matches!(args, [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)]);
        let first = || args.first().and_then(as_plain_argument).map(|arg| self.build_term(arg));
        let nullable = !self.has_some_row(function);
        Some(match name {
            "count" => {
                let never_null = whole || first().is_some_and(|term| is_never_null(&term));
                Gathered::Count(Bounds { least: u64::from(never_null && !nullable), most })
            }
            // Numbers of rows belong to windows over the rows of FROM, or over groups, of which there are not more.
            "row_number" | "rank" | "dense_rank" => Gathered::Count(Bounds { least: 1, most: most.max(1) }),
            "ntile" => {
                let by = args.first().and_then(as_plain_argument).and_then(as_number_literal::<i64>);
                let by = by.and_then(|by| u64::try_from(by).ok()).unwrap_or(u64::MAX);
                Gathered::Count(Bounds { least: 1, most: by.min(most).max(1) })
            }
            "percent_rank" | "cume_dist" => Gathered::Share,
            "min" | "max" | "first_value" | "last_value" => Gathered::Picked(Box::new(first()?), nullable),
            "lag" | "lead" if args.len() < 3 => Gathered::Picked(Box::new(first()?), true),
            "nth_value" => Gathered::Picked(Box::new(first()?), true),
            "avg" => Gathered::Mean(Box::new(first()?), nullable),
            "sum" => Gathered::Sum { of: Box::new(first()?), most, nullable },
            _ => return None,
        })
    }

    /// Whether an aggregate or a window always has at least one row.
    fn has_some_row(&self, function: &Function) -> bool {
        let Some(frame) = self.frames.last().filter(|_| function.filter.is_none()) else { return false };
        match &function.over {
            None => frame.grouped || frame.some_row,
            Some(WindowType::WindowSpec(spec)) => spec.window_frame.is_none() && spec.window_name.is_none(),
            Some(WindowType::NamedWindow(_)) => false,
        }
    }
}

/// Whether a term is certainly not null.
fn is_never_null(term: &Term) -> bool {
    matches!(term, Term::Column { nullable: false, .. })
}
