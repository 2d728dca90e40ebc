//! Domains of numbers, dates, and datetimes: ranges and distributions.

use model::distribution::Family;
use model::{Decimal, Domain, Span, Value, ValueType};

use crate::context::Checker;
use crate::domains::DrawChecker;
use crate::domains::domain::build_empty_range_diagnostic;
use hir::types::{Ty, TyKind};
use hir::{Draw, DrawDomain, Expr};
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> DrawChecker<'_, '_, 'a> {
    pub fn check_range(
        &mut self,
        name: &str,
        low: &'a ast::Expr,
        high: &'a ast::Expr,
        step: Option<&'a ast::Suffix>,
        span: Span,
    ) -> Draw {
        let (low, high) = (self.task.check_expr(low), self.task.check_expr(high));
        let step = step.map(|step| self.task.check_expr(&step.value));
        let (kind, step_kind) = match name {
            "int" => (TyKind::Int, TyKind::Int),
            "decimal" => (TyKind::Decimal(None), TyKind::Decimal(None)),
            "date" => (TyKind::Date, TyKind::Duration),
            _ => (TyKind::DateTime, TyKind::Duration),
        };
        let mut good = true;
        for (bound, wanted) in [(Some(&low), &kind), (Some(&high), &kind), (step.as_ref(), &step_kind)] {
            let Some(bound) = bound else { continue };
            let what = if wanted == &kind { format!("a bound of `{name}`") } else { format!("the step of `{name}`") };
            good &= self.task.cx.expect_type(bound, &Ty::new(wanted.clone()), &what);
            self.task.scope.check_not_null(self.task.cx, bound, "a bound");
            good &= !bound.ty.is_unknown();
        }
        if !good {
            return Draw { ty: Ty::new(kind), ..Draw::new_unknown(span) };
        }
        let known = |expr: &Expr| expr.as_constant().cloned();
        let places = [Some(&low), Some(&high), step.as_ref()]
            .into_iter()
            .flatten()
            .filter_map(|expr| match expr.ty.kind {
                TyKind::Decimal(places) => Some(places.unwrap_or(2)),
                _ => None,
            })
            .max()
            .unwrap_or(0);
        let value_type = match name {
            "int" => ValueType::Int,
            "decimal" => ValueType::Decimal(places),
            "date" => ValueType::Date,
            _ => ValueType::DateTime,
        };
        let step_known = step.as_ref().map(known);
        if let (Some(a), Some(b), None | Some(Some(_))) = (known(&low), known(&high), &step_known) {
            return self.task.cx.check_fixed_range(value_type, (&a, low.span), (&b, high.span), step.as_ref(), span);
        }
        Draw {
            domain: DrawDomain::Range { value_type, low, high, step },
            ty: value_type.into(),
            ..Draw::new_unknown(span)
        }
    }

    pub fn check_zipf(&mut self, named: &'a ast::NamedDomain, span: Span) -> Draw {
        let n = named.operand.as_deref().map(|operand| self.task.check_expr(operand));
        match n.as_ref().and_then(Expr::as_constant) {
            Some(Value::Int(n @ 1..=1_000_000)) => Draw::from_domain(Domain::Zipf { n: *n as u32 }, span),
            _ => {
                let at = n.map_or(named.name.span, |n| n.span);
                let message = "`zipf` needs its number of values, from 1 to 1,000,000";
                let said = Diagnostic::new(Code::BAD_DOMAIN, message, at, "not in this range");
                self.task.cx.report(said.help("write: zipf 100"));
                Draw { ty: Ty::new(TyKind::Int), ..Draw::new_unknown(span) }
            }
        }
    }

    /// Checks `normal mean M sd S A..B [step T]` and every other distribution.
    pub fn check_distribution(
        &mut self,
        family: &Family,
        named: &'a ast::NamedDomain,
        step: Option<&'a ast::Suffix>,
        span: Span,
    ) -> Draw {
        let name = family.name;
        let Some((low, high)) = named.range.as_deref() else {
            let (message, label) = (format!("`{name}` needs bounds"), "range expected after this");
            return self.task.cx.report_bad_distribution(
                family,
                Diagnostic::new(Code::BAD_DOMAIN, message, named.name.span, label),
                span,
            );
        };
        if let Some(operand) = &named.operand {
            self.task.cx.report_extra_argument(name, operand.span);
            return Draw::new_unknown(span);
        }
        let mut arguments = vec![None; family.arguments.len()];
        for (word, value) in &named.keywords {
            let value = self.require_fixed_number(family, value);
            match arguments.iter_mut().zip(family.arguments).find(|(_, argument)| **argument == word.text) {
                Some((argument, _)) => *argument = value,
                None => {
                    self.task.cx.report_extra_argument(name, word.span);
                    return Draw::new_unknown(span);
                }
            }
        }
        let (low_value, high_value) = (self.require_fixed_number(family, low), self.require_fixed_number(family, high));
        let step = match step {
            Some(step) => self.require_fixed_number(family, &step.value),
            None => {
                let places = [low_value, high_value].into_iter().flatten().map(Decimal::places).max().unwrap_or(0);
                Decimal::new(1, places)
            }
        };
        let Some(arguments) =
            arguments.into_iter().map(|value| value.map(Decimal::to_f64)).collect::<Option<Vec<f64>>>()
        else {
            let message = format!("`{name}` needs {}", family.needs);
            let said = Diagnostic::new(Code::BAD_DOMAIN, message, named.name.span, "incomplete");
            return self.task.cx.report_bad_distribution(family, said, span);
        };
        let (Some(low_value), Some(high_value), Some(step)) = (low_value, high_value, step) else {
            return Draw::new_unknown(span);
        };
        if low_value > high_value {
            let (a, b) = (low_value.to_string(), high_value.to_string());
            self.task.cx.report(build_empty_range_diagnostic(
                low.span.extend_to(high.span),
                &a,
                &b,
                format!("{b}..{a}"),
            ));
            return Draw::new_unknown(span);
        }
        if step <= Decimal::from_int(0) {
            let (message, label) = ("`step` must be greater than 0", "not greater than 0");
            return self.task.cx.report_bad_distribution(
                family,
                Diagnostic::new(Code::BAD_DOMAIN, message, span, label),
                span,
            );
        }
        let (low, high) = (low_value, high_value);
        let distribution = match (family.make)(&arguments, (low.to_f64(), high.to_f64())) {
            Ok(distribution) => distribution,
            Err(misfit) => {
                let code = if misfit.empty { Code::EMPTY_RANGE } else { Code::BAD_DOMAIN };
                let said = Diagnostic::new(code, misfit.message, span, misfit.label);
                let said = misfit.help.into_iter().fold(said, Diagnostic::help);
                return self.task.cx.report_bad_distribution(family, said, span);
            }
        };
        let domain = Domain::Distributed { distribution, low, high, step };
        if domain.cardinality() == Some(0) {
            let message = format!("no multiple of {step} is between {low} and {high}");
            let said = Diagnostic::new(Code::EMPTY_RANGE, message, span, "contains no value")
                .help("widen the bounds or make the step smaller");
            return self.task.cx.report_bad_distribution(family, said, span);
        }
        Draw::from_domain(domain, span)
    }

    fn require_fixed_number(&mut self, family: &Family, expr: &'a ast::Expr) -> Option<Decimal> {
        let checked = self.task.check_expr(expr);
        let value = checked.as_constant().and_then(Value::as_decimal);
        if value.is_none() && !checked.ty.is_unknown() {
            let message = format!("`{}` needs fixed numbers", family.name);
            let said = Diagnostic::new(Code::NOT_CONSTANT, message, checked.span, "not fixed");
            self.task.cx.report(said.help(format!("write: {}", family.example)));
        }
        value
    }
}

impl Checker<'_> {
    fn check_fixed_range(
        &mut self,
        value_type: ValueType,
        (low, low_span): (&Value, Span),
        (high, high_span): (&Value, Span),
        step: Option<&Expr>,
        span: Span,
    ) -> Draw {
        let bounds = low_span.extend_to(high_span);
        if low.compare_with(high).is_some_and(std::cmp::Ordering::is_gt) {
            let (a, b) = (self.sources.quote(low_span), self.sources.quote(high_span));
            self.report(build_empty_range_diagnostic(bounds, &a, &b, format!("{b}..{a}")));
            return Draw { ty: value_type.into(), ..Draw::new_unknown(span) };
        }
        let step_value = step.and_then(Expr::as_constant);
        let positive = match step_value {
            None => true,
            Some(Value::Duration(step)) => step.months == 0 && step.seconds > 0,
            Some(value) => value.as_decimal().is_some_and(|step| step > Decimal::from_int(0)),
        };
        let whole_days = !matches!((value_type, step_value), (ValueType::Date, Some(Value::Duration(step))) if step.seconds % 86_400 != 0);
        if !positive || !whole_days {
            let at = step.map_or(span, |step| step.span);
            let message = "a step must be greater than 0, and whole days between dates";
            let help =
                "write: int 0..100 step 5, or: date 2024-01-01..2024-12-31 step 7 days (months differ in length)";
            let said = Diagnostic::new(Code::BAD_DOMAIN, message, at, "not a valid step");
            self.report(said.help(help));
            return Draw { ty: value_type.into(), ..Draw::new_unknown(span) };
        }
        let seconds = match step_value {
            Some(Value::Duration(step)) => step.seconds,
            _ => 0,
        };
        let domain = match (value_type, low, high) {
            (ValueType::Int, Value::Int(low), Value::Int(high)) => {
                let step = match step_value {
                    Some(Value::Int(step)) => *step,
                    _ => 1,
                };
                Some(Domain::Int { low: *low, high: *high, step })
            }
            (ValueType::Decimal(places), low, high) => {
                let unit = Decimal::new(1, places);
                match (low.as_decimal(), high.as_decimal(), step_value.map_or(unit, Value::as_decimal)) {
                    (Some(low), Some(high), Some(step)) => low
                        .with_places(places)
                        .zip(high.with_places(places))
                        .zip(step.with_places(places))
                        .map(|((low, high), step)| Domain::Decimal { low, high, step, places }),
                    _ => None,
                }
            }
            (_, Value::Date(low), Value::Date(high)) => {
                Some(Domain::Date { low: *low, high: *high, step: (seconds / 86_400).max(1) })
            }
            (_, Value::DateTime(low), Value::DateTime(high)) => {
                Some(Domain::DateTime { low: *low, high: *high, step: seconds.max(1) })
            }
            _ => None,
        };
        match domain {
            Some(domain) => Draw::from_domain(domain, span),
            None => {
                let message = "these bounds are too large for their places";
                let said = Diagnostic::new(Code::BAD_DOMAIN, message, bounds, "does not fit");
                self.report(said.help("use fewer digits"));
                Draw { ty: value_type.into(), ..Draw::new_unknown(span) }
            }
        }
    }

    /// Reports a distribution that cannot be drawn from. If the diagnostic has no help, it shows an example.
    fn report_bad_distribution(&mut self, family: &Family, said: Diagnostic, span: Span) -> Draw {
        self.report(said.with_default_help(format!("write: {}", family.example)));
        Draw::new_unknown(span)
    }
}
