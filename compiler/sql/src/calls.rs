//! Types of calls of functions.

use std::collections::BTreeSet;

use sqlparser::ast::{
    Expr, Function, FunctionArgumentClause, FunctionArguments, WindowFrameBound, WindowSpec, WindowType,
};

use super::analyser::Analyser;
use super::date_functions::infer_date_call;
use super::expressions::{as_number_literal, as_plain_argument, find_argument, find_last_name, list_arguments};
use super::functions::{infer_aggregate, infer_scalar, is_aggregate};
use super::parse::find_node_bytes;
use super::scope::{ExprType, Source};
use model::sqlite::functions::find_statistic;
use syntax::diagnostics::{Code, Diagnostic};

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
            if matches!(name.as_str(), "coalesce" | "ifnull") {
                self.note_null_told(expr);
            }
        }
        self.note_call(ident, function, &args);
        self.check_share(&name, function);
        self.note_call_risk(function, &args);
        self.note_order_risk(function);
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
            self.note_conditions(filter);
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
        let value = infer_date_call(&name, &written, &args).unwrap_or_else(|| infer_scalar(&name, &args));
        ExprType { empty: value.empty && value.nullable, ..value }
    }

    /// Reports a literal share that is not between 0 and 1: `quantile(X, 95)`.
    fn check_share(&mut self, name: &str, function: &Function) {
        let share = find_statistic(name).and_then(|known| known.share);
        let Some(expr) = share.and_then(|at| find_argument(function, at)) else { return };
        let number = as_number_literal::<f64>(expr).filter(|number| !(0.0..=1.0).contains(number));
        if let (Some(number), Some(bytes)) = (number, find_node_bytes(self.query.tokens, expr))
            && self.quiet == 0
        {
            let message = format!("`{name}` needs a share from 0 to 1, but this is {number}");
            let said = Diagnostic::new(Code::OUT_OF_BOUNDS, message, self.query.to_span(bytes), "0 to 1");
            let help = "write a share such as 0.9 for the value that 90% of the others do not exceed";
            self.meaning.certain.push(said.help(help));
        }
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
