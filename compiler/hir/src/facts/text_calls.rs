//! The facts of calls on texts that are too many to list: whether they begin with, end with, or contain a text, how long they are, and into how many parts
//! they are split.

use model::Value;
use model::functions::{CONTAINS, ENDS_WITH, FunctionId, LEN, NTH, PAD_LEFT, SPLIT, STARTS_WITH};
use model::suite::{Op, Scope};
use sql::terms::MatchKind;

use super::{Fact, Facts, Truth};
use crate::terms::{Known, compare_known, count_marks, match_texts, measure_lengths, quote_for_glob};
use crate::texts::infer_texts;
use crate::types::TyKind;
use crate::{Arg, Expr, ExprKind};

/// The maximum number of texts with which computed ones are compared.
const MAX_COMPARED: usize = 50;

impl<'a> Facts<'a> {
    /// The fact of a call on texts. `None` if nothing more is known than of any call.
    pub(super) fn infer_text_call(&self, function: FunctionId, args: &'a [Arg], scope: Scope) -> Option<Fact<'a>> {
        let value = |at: usize| match args.get(at) {
            Some(Arg::Value(value)) => Some(value),
            _ => None,
        };
        let first = value(0)?;
        if function == LEN {
            return if is_text(first) { self.measure_expr(first, scope) } else { self.count_parts(first, scope) };
        }
        if function == NTH {
            return self.infer_part(first, value(1)?, scope);
        }
        let (before, after) = match () {
            () if function == CONTAINS => ("*", "*"),
            () if function == STARTS_WITH => ("", "*"),
            () if function == ENDS_WITH => ("*", ""),
            () => return None,
        };
        let glob = format!("{before}{}{after}", quote_for_glob(&self.find_text(value(1)?, scope)?));
        if !is_text(first) {
            return None;
        }
        let (is_true, is_false) = match_texts(&infer_texts(self, first, scope)?, &glob, MatchKind::Glob)?;
        let is_false = is_false || self.infer_expr(first, scope).nullable;
        let values = [(is_true, true), (is_false, false)];
        Some(Fact::from_values(values.into_iter().filter_map(|(can_be, value)| can_be.then_some(Value::Bool(value)))))
    }

    /// The truth of a comparison of a computed text with few others.
    pub(super) fn compare_texts(&self, op: Op, left: &'a Expr, right: &'a Expr, scope: Scope) -> Truth {
        let is_listed = |side: &'a Expr| {
            let values = self.infer_expr(side, scope).closed;
            values.is_some_and(|values| !values.is_empty() && values.len() <= MAX_COMPARED)
        };
        let is_one = is_computed(left) && is_listed(right) || is_computed(right) && is_listed(left);
        let both = is_one.then(|| self.know_text(left, scope).zip(self.know_text(right, scope))).flatten();
        both.map_or(Truth::Open, |(left, right)| compare_known(op, &left, &right).to_truth())
    }

    /// What is known of a text.
    pub(super) fn know_text(&self, expr: &'a Expr, scope: Scope) -> Option<Known<'a>> {
        if !is_text(expr) {
            return None;
        }
        let fact = self.infer_expr(expr, scope);
        let texts = if fact.closed.is_some() { None } else { Some(infer_texts(self, expr, scope)?) };
        Some(Known { texts, ..Known::from_fact(fact) })
    }

    /// The only text that an expression is.
    fn find_text(&self, expr: &'a Expr, scope: Scope) -> Option<String> {
        let fact = self.infer_expr(expr, scope);
        fact.as_single_value()?.as_text().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// The lengths of a text.
    fn measure_expr(&self, expr: &'a Expr, scope: Scope) -> Option<Fact<'a>> {
        let nullable = self.infer_expr(expr, scope).nullable || expr.ty.nullable;
        let lengths = match &expr.kind {
            ExprKind::Call(function, args) if *function == PAD_LEFT => {
                let [Arg::Value(text), Arg::Value(width), _] = args.as_slice() else { return None };
                let width = self.infer_expr(width, scope).as_single_value()?.as_f64()? as i64;
                let (low, high) = self.measure_expr(text, scope)?.as_int_range()?;
                return Some(build_range(low.max(width), high.max(width)).with_null_if(nullable));
            }
            _ => measure_lengths(&infer_texts(self, expr, scope)?)?,
        };
        let (low, high) = (lengths.iter().min()?, lengths.iter().max()?);
        let int = |length: &usize| i64::try_from(*length).unwrap_or(i64::MAX);
        Some(build_range(int(low), int(high)).with_null_if(nullable))
    }

    /// The number of parts of `split(TEXT, "@")`.
    fn count_parts(&self, expr: &'a Expr, scope: Scope) -> Option<Fact<'a>> {
        let ExprKind::Call(function, args) = &expr.kind else { return None };
        let ([Arg::Value(text), Arg::Value(by)], true) = (args.as_slice(), *function == SPLIT) else { return None };
        let mark = self.find_text(by, scope)?;
        let mut chars = mark.chars();
        let (Some(mark), None) = (chars.next(), chars.next()) else { return None };
        if self.infer_expr(text, scope).nullable {
            return None;
        }
        let (low, high) = count_marks(&infer_texts(self, text, scope)?, mark)?;
        let int = |marks: usize| i64::try_from(marks).ok()?.checked_add(1);
        Some(build_range(int(low)?, int(high)?))
    }

    /// `nth(split(TEXT, "@"), 3)`: whether there is a part at this position.
    fn infer_part(&self, list: &'a Expr, at: &'a Expr, scope: Scope) -> Option<Fact<'a>> {
        let (low, high) = self.count_parts(list, scope)?.as_int_range()?;
        let (least, most) = self.infer_expr(at, scope).as_int_range()?;
        match () {
            () if least > high => Some(Fact::null()),
            () if least >= 1 && most <= low => Some(Fact::not_null()),
            () => None,
        }
    }
}

/// Whether a text is computed, and is not a value by itself.
pub(super) fn is_computed(expr: &Expr) -> bool {
    is_text(expr) && matches!(expr.kind, ExprKind::Call(..) | ExprKind::Concat(_) | ExprKind::If(_))
}

fn is_text(expr: &Expr) -> bool {
    expr.ty.kind == TyKind::Text
}

fn build_range<'a>(low: i64, high: i64) -> Fact<'a> {
    Fact::from_range(Value::Int(low), Value::Int(high))
}
