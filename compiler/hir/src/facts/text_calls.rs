//! The facts of calls on texts that are too many to list: whether they begin with, end with, or contain a text, how long they are, and into how many parts
//! they are split.

use model::Value;
use model::functions::{CONTAINS, ENDS_WITH, FunctionId, LEN, NTH, PAD_LEFT, SPLIT, STARTS_WITH};
use model::suite::Scope;
use sql::terms::MatchKind;

use super::{Fact, Facts};
use crate::terms::{Texts, Work, match_texts, measure_lengths, quote_for_glob};
use crate::texts::infer_texts;
use crate::types::TyKind;
use crate::{Arg, Expr, ExprKind};

/// The maximum number of parts of a text that are counted.
const MAX_PARTS: usize = 100;

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
        Some(build_range(low + 1, high + 1))
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

fn is_text(expr: &Expr) -> bool {
    expr.ty.kind == TyKind::Text
}

fn build_range<'a>(low: i64, high: i64) -> Fact<'a> {
    Fact::from_range(Value::Int(low), Value::Int(high))
}

/// The least and the greatest number of occurrences of a character. `None` if there may be too many, or it takes too much work.
fn count_marks(texts: &Texts<'_>, mark: char) -> Option<(i64, i64)> {
    let ends = texts.read(&[0].into(), &Work::default(), &|count, low, high| {
        let more = (low <= mark && mark <= high).then(|| (count + 1).min(MAX_PARTS));
        let others = (low != mark || high != mark).then_some(count);
        more.into_iter().chain(others).collect()
    })?;
    let (low, high) = (*ends.first()?, *ends.last()?);
    (high < MAX_PARTS).then_some(())?;
    i64::try_from(low).ok().zip(i64::try_from(high).ok())
}
