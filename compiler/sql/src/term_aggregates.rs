//! The terms of calls: functions of values, aggregates, and functions of windows.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, OrderBySort, WindowType,
};

use super::analyser::Analyser;
use super::expressions::{as_number_literal, as_plain_argument, find_last_name, list_arguments};
use super::functions::is_aggregate;
use super::reads::canonicalize_expr;
use super::scope::resolve_place;
use super::terms::{Counted, Gathered, Over, Term, Which};
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
        let most = if function.over.is_none() { frame.most_in_group } else { frame.most };
        let most = most.unwrap_or(u64::MAX);
        let whole = matches!(args, [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)]);
        let first = || args.first().and_then(as_plain_argument).map(|arg| self.build_term(arg));
        let nullable = !self.has_some_row(function);
        let over = self.find_rows(function);
        let picked = |of: Term, nullable, which| Gathered::Picked { of: Box::new(of), nullable, which, over };
        Some(match name {
            "count" => {
                let never_null = whole || first().is_some_and(|term| is_never_null(&term));
                let bounds = Bounds { least: u64::from(never_null && !nullable), most };
                let counted = match first() {
                    _ if !matches!(over, Over::Group | Over::Table) => Counted::Other,
                    None if whole => Counted::Rows,
                    Some(term) if is_distinct(function) => Counted::Different(Box::new(term)),
                    Some(term) => Counted::Values(Box::new(term)),
                    None => Counted::Other,
                };
                Gathered::Count(bounds, counted)
            }
            // Numbers of rows belong to windows over the rows of FROM, or over groups, of which there are not more.
            "row_number" | "rank" | "dense_rank" => {
                Gathered::Count(Bounds { least: 1, most: most.max(1) }, Counted::Other)
            }
            "ntile" => {
                let by = args.first().and_then(as_plain_argument).and_then(as_number_literal::<i64>);
                let by = by.and_then(|by| u64::try_from(by).ok()).unwrap_or(u64::MAX);
                Gathered::Count(Bounds { least: 1, most: by.min(most).max(1) }, Counted::Other)
            }
            "percent_rank" | "cume_dist" => Gathered::Share,
            "min" => picked(first()?, nullable, Which::Least),
            "max" => picked(first()?, nullable, Which::Greatest),
            "first_value" => picked(first()?, nullable, self.find_side(function, args, Which::NotAbove)),
            "last_value" => picked(first()?, nullable, Which::Any),
            "lag" if args.len() < 3 => picked(first()?, true, self.find_side(function, args, Which::Before)),
            "lead" if args.len() < 3 => picked(first()?, true, self.find_side(function, args, Which::After)),
            "nth_value" => picked(first()?, true, Which::Any),
            "avg" => Gathered::Mean(Box::new(first()?), nullable, over),
            "quantile" | "median" => {
                let is_present = args
                    .get(1)
                    .is_none_or(|share| as_plain_argument(share).and_then(as_number_literal::<f64>).is_some());
                Gathered::Mean(Box::new(first()?), nullable || !is_present, over)
            }
            "interpolate" => Gathered::Mean(
                Box::new(args.get(1).and_then(as_plain_argument).map(|y| self.build_term(y))?),
                true,
                Over::Other,
            ),
            "sum" => {
                // Which of the values are left out is not known.
                let over = if is_distinct(function) { Over::Other } else { over };
                let written =
                    args.first().and_then(as_plain_argument).map_or_else(Vec::new, |of| self.list_written(of));
                Gathered::Sum { of: Box::new(first()?), most, written, nullable, over }
            }
            _ => return None,
        })
    }

    /// The values of a column of the only relation of the SELECT, if all its rows are written out.
    fn list_written(&self, expr: &Expr) -> Vec<Term> {
        let Some([only]) = self.frames.last().map(|frame| frame.relations.as_slice()) else { return Vec::new() };
        let (Some((_, column)), Some(rows)) = (resolve_place(&self.frames, expr), &only.written) else {
            return Vec::new();
        };
        rows.iter().map(|row| row.get(column).cloned()).collect::<Option<_>>().unwrap_or_default()
    }

    /// The rows over which a call is computed.
    fn find_rows(&self, function: &Function) -> Over {
        let Some(frame) = self.frames.last().filter(|_| function.filter.is_none()) else { return Over::Other };
        let alone = matches!(frame.relations.as_slice(), [only] if only.table.is_some());
        match &function.over {
            None if alone && !frame.grouped && frame.some_row => Over::Table,
            None => Over::Group,
            Some(WindowType::WindowSpec(spec))
                if alone && spec.window_frame.is_none() && spec.window_name.is_none() =>
            {
                Over::Window
            }
            Some(_) => Over::Other,
        }
    }

    /// On which side of the value of the own row a value of another row is: `side`, if the rows are in the ascending order of these values.
    fn find_side(&self, function: &Function, args: &[FunctionArg], side: Which) -> Which {
        let Some(WindowType::WindowSpec(spec)) = &function.over else { return Which::Any };
        let step = args.get(1).map_or(Some(1), |by| as_plain_argument(by).and_then(as_number_literal::<i64>));
        let Some(step) = step.filter(|by| *by >= 0) else { return Which::Any };
        let side = if step == 0 { side.with_own_row() } else { side };
        let (Some(first), Some(order)) = (args.first().and_then(as_plain_argument), spec.order_by.first()) else {
            return Which::Any;
        };
        let is_same = canonicalize_expr(first) == canonicalize_expr(&order.expr);
        match &order.options.sort {
            _ if !is_same || order.options.nulls_first.is_some() => Which::Any,
            Some(OrderBySort::Desc) => side.invert(),
            Some(OrderBySort::Asc) | None => side,
            Some(OrderBySort::Using(_)) => Which::Any,
        }
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

/// Whether equal values count once: `COUNT(DISTINCT x)`.
fn is_distinct(function: &Function) -> bool {
    matches!(&function.args, FunctionArguments::List(list) if list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
}
