//! Parsing of numbers, percentages, dates, datetimes, durations, `null`, `true`, and `false`.

use super::ast_builder::AstBuilder;
use super::grammar::{Pair, Rule};
use crate::ast::{Expr, ExprKind, Span};
use crate::diagnostics::{Code, Diagnostic};
use model::{Date, DateTime, Decimal, Duration};

impl AstBuilder<'_> {
    /// Parses a literal other than a string.
    pub fn parse_literal(&mut self, pair: &Pair<'_>) -> Expr {
        let span = self.span(pair);
        let text = pair.as_str();
        let kind = match pair.as_rule() {
            Rule::number => self.parse_number(text, span),
            Rule::percent => self.parse_percent(text, span),
            Rule::duration => self.parse_duration(text, span),
            Rule::date => match Date::parse_iso(text) {
                Some(date) => ExprKind::Date(date),
                None => self.report_bad_literal(
                    span,
                    format!("`{text}` is not a valid date"),
                    "a date is written like 2024-01-31, from 0001-01-01 to 9999-12-31",
                ),
            },
            Rule::datetime => match DateTime::parse_iso(text) {
                Some(moment) => ExprKind::DateTime(moment),
                None => self.report_bad_literal(
                    span,
                    format!("`{text}` is not a valid datetime"),
                    "a datetime is written like 2024-03-01T10:00, with hours from 00 to 23",
                ),
            },
            Rule::glued_date => {
                self.report_glued(span, "a date", "a date is written like 2024-01-31, a datetime like 2024-03-01T10:00")
            }
            Rule::glued if is_missing_exponent(text) => {
                // A sign directly after it is meant to belong to the exponent.
                let rest = self.source.get(span.end as usize..).unwrap_or_default();
                let sign = if rest.starts_with(['+', '-']) { &rest[..1] } else { "" };
                self.report(without_exponent(text, sign, span));
                ExprKind::Missing
            }
            Rule::glued => {
                self.report_glued(span, "a number", "a number is written like 1_000 or 2.50, and text in double quotes")
            }
            _ => match text {
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                _ => ExprKind::Null,
            },
        };
        Expr { kind, span }
    }

    fn parse_number(&mut self, text: &str, span: Span) -> ExprKind {
        let digits = text.replace('_', "");
        if digits.contains(['e', 'E']) {
            return match digits.parse::<f64>() {
                Ok(value) if value.is_finite() => ExprKind::Float(value),
                _ => self.report_bad_literal(
                    span,
                    "the number is too large".into(),
                    "a float goes up to 1.7976931348623157e308",
                ),
            };
        }
        if !digits.contains('.') {
            return match digits.parse() {
                Ok(value) => ExprKind::Int(value),
                Err(_) => self.report_bad_literal(
                    span,
                    "the whole number is too large".into(),
                    "whole numbers go up to 9223372036854775807",
                ),
            };
        }
        match digits.parse() {
            Ok(value) => ExprKind::Decimal(value),
            Err(_) => self.report_bad_decimal(&digits, span),
        }
    }

    fn parse_percent(&mut self, text: &str, span: Span) -> ExprKind {
        let digits = text.trim_end_matches('%').replace('_', "");
        if digits.contains(['e', 'E']) {
            return self.report_bad_literal(
                span,
                format!("`{text}` has an exponent"),
                "write a percentage with all its digits: 0.05%",
            );
        }
        match digits.parse::<Decimal>() {
            Ok(value) => ExprKind::Percent(value),
            Err(_) => self.report_bad_decimal(&digits, span),
        }
    }

    fn report_bad_decimal(&mut self, digits: &str, span: Span) -> ExprKind {
        let places = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let message = if places > 18 {
            format!("the number has {places} digits after the point")
        } else {
            "the number is too large".into()
        };
        self.report_bad_literal(span, message, "a decimal has at most 18 digits after the point, and 38 in all")
    }

    fn parse_duration(&mut self, text: &str, span: Span) -> ExprKind {
        let (number, unit) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let count = number.replace('_', "").parse::<i64>().ok();
        let seconds = |each: i64| Some(Duration { months: 0, seconds: count?.checked_mul(each)? });
        let months = |each: i64| Some(Duration { months: i32::try_from(count?.checked_mul(each)?).ok()?, seconds: 0 });
        let duration = match unit.trim().trim_end_matches('s') {
            "second" => seconds(1),
            "minute" => seconds(60),
            "hour" => seconds(3_600),
            "day" => seconds(86_400),
            "week" => seconds(7 * 86_400),
            "month" => months(1),
            _ => months(12),
        };
        match duration {
            Some(duration) => ExprKind::Duration(duration),
            None => self.report_bad_literal(span, "the duration is too long".into(), "dates have years from 1 to 9999"),
        }
    }

    /// Reports letters or digits directly after a literal.
    fn report_glued(&mut self, span: Span, what: &str, help: &str) -> ExprKind {
        let text: String = self.text(span).chars().take(40).collect();
        let message = format!("`{text}` is not {what}");
        self.push_diagnostic(
            Diagnostic::new(Code::BAD_LITERAL, message, span, "letters or digits follow it").help(help),
        );
        ExprKind::Missing
    }

    fn report_bad_literal(&mut self, span: Span, message: String, help: &str) -> ExprKind {
        self.push_diagnostic(Diagnostic::new(Code::BAD_LITERAL, message, span, "").help(help));
        ExprKind::Missing
    }
}

/// Explains `1e`, or `1e+` with its sign.
pub(super) fn without_exponent(text: &str, sign: &str, span: Span) -> Diagnostic {
    let digits = text.trim_end_matches(['e', 'E']);
    let message = format!("the exponent of `{text}{sign}` has no digits");
    let help = format!("write {text}{sign}3 for a power of ten, or the number without exponent: {digits}");
    Diagnostic::new(Code::BAD_LITERAL, message, span, "digits must follow the `e`").help(help)
}

/// Whether a text is a number that ends with `e`.
pub(super) fn is_missing_exponent(text: &str) -> bool {
    let number = text.strip_suffix(['e', 'E']).unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.ends_with(|c: char| c.is_ascii_digit())
        && number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.'))
}
