//! Comparisons of text with a number: SQLite allows them, but their result is rarely intended.

use model::ValueType;
use sqlparser::ast::{Expr, UnaryOperator, Value};

use super::analyser::Analyser;
use super::expressions::{as_text_literal, find_argument};
use super::lex::Token;
use super::parse;
use super::scope::ExprType;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::fmt::{join_blanks, shorten_text};

/// One side of a comparison.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    pub expr: &'s Expr,
    pub value: &'s ExprType,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Number,
    Text,
}

fn classify_type(ty: ValueType) -> Option<Class> {
    match ty {
        ValueType::Int | ValueType::Decimal(_) | ValueType::Float | ValueType::Bool => Some(Class::Number),
        ValueType::Text | ValueType::Date | ValueType::DateTime => Some(Class::Text),
        // The author chooses the format of durations.
        ValueType::Duration => None,
    }
}

fn describe_type(ty: ValueType) -> &'static str {
    match ty {
        ValueType::Int | ValueType::Decimal(_) | ValueType::Float => "a number",
        ValueType::Bool => "a bool (1 or 0 in SQL)",
        ValueType::Date => "a date (in SQL, text like '2024-01-31')",
        ValueType::DateTime => "a datetime (in SQL, text like '2024-01-31T10:00')",
        ValueType::Text | ValueType::Duration => "text",
    }
}

impl Analyser<'_> {
    /// Reports arithmetic on a text column or parameter, which SQLite converts to the number at the beginning of the text, or to 0.
    pub fn report_text_arithmetic(&mut self, expr: &Expr, value: &ExprType) {
        let Some(ty) = value.ty.filter(|ty| classify_type(*ty) == Some(Class::Text)) else { return };
        if self.quiet > 0 {
            return;
        }
        let Some(bytes) = parse::find_node_bytes(self.query.tokens, expr) else { return };
        let text = truncate_text(self.query.slice_text(bytes));
        let message =
            format!("arithmetic uses `{text}`, which is {}, as the number it starts with, or 0", describe_type(ty));
        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, self.query.to_span(bytes), ty.name());
        let is_parameter = matches!(expr, Expr::Value(value) if matches!(value.value, Value::Placeholder(_)));
        self.meaning.certain.push(match value.origin {
            None if is_parameter => said.help("use a value that is a number"),
            None if matches!(ty, ValueType::Date | ValueType::DateTime) => {
                said.help(format!("count days with `julianday({text})`, or shift a date with `date({text}, '+1 day')`"))
            }
            None => return,
            Some(origin) => {
                let Some(column) = self.query.request.find_column(origin) else { return };
                said.label_declaration(column.name, column.span).help(match ty {
                    ValueType::Text => format!(
                        "if `{text}` holds digits, write `CAST({text} AS INTEGER)`; else count with another column"
                    ),
                    _ => format!("count days with `julianday({text})`, or shift a date with `date({text}, '+1 day')`"),
                })
            }
        });
    }

    /// Reports a comparison of text with a number.
    pub fn report_mixed_comparison(&mut self, left: Side<'_>, right: Side<'_>) {
        let (Some(left_type), Some(right_type)) = (left.value.ty, right.value.ty) else { return };
        let (Some(left_class), Some(right_class)) = (classify_type(left_type), classify_type(right_type)) else {
            return;
        };
        if left_class == right_class || self.quiet > 0 || (is_literal(left.expr) && is_literal(right.expr)) {
            return;
        }
        // The literal is the side to change.
        let swap = is_constant(left.expr) && !is_constant(right.expr);
        let (other, other_type, wrong, wrong_type) =
            if swap { (right, right_type, left, left_type) } else { (left, left_type, right, right_type) };
        let tokens = self.query.tokens;
        let (Some(other_bytes), Some(wrong_bytes)) =
            (find_side_bytes(tokens, other.expr), find_side_bytes(tokens, wrong.expr))
        else {
            return;
        };
        let (span, text) = (self.query.to_span(wrong_bytes), self.query.slice_text(wrong_bytes));
        let message = format!(
            "text is compared with a number: `{}` is {}, `{}` is {}",
            truncate_text(self.query.slice_text(other_bytes)),
            describe_type(other_type),
            truncate_text(text),
            describe_type(wrong_type)
        );
        let mut diagnostic = Diagnostic::new(Code::TYPE_MISMATCH, message, span, wrong_type.name())
            .label(self.query.to_span(other_bytes), other_type.name());
        if let Some(column) = other.value.origin.and_then(|origin| self.query.request.find_column(origin)) {
            diagnostic = diagnostic.label_declaration(column.name, column.span);
        }
        let compared = self.query.slice_text(other_bytes);
        let is_number = wrong_type == ValueType::Int && is_constant(wrong.expr);
        if is_number && other_type == ValueType::Text && other.value.origin.is_some() && self.is_ordered(wrong_bytes) {
            let cast = format!("CAST({compared} AS INTEGER)");
            let said = diagnostic.help(format!("`{compared}` is text; if it holds digits, write `{cast}`")).replace(
                Applicability::Unsafe,
                self.query.to_span(other_bytes),
                cast,
            );
            return self.meaning.certain.push(said);
        }
        self.meaning.certain.push(add_suggestion(
            diagnostic,
            (other_type, compared),
            wrong.expr,
            wrong_type,
            (span, text),
            count_date_digits(other.expr),
        ));
    }

    /// Whether the side of a comparison is a bound: after or before an operator such as `<`, or in BETWEEN.
    fn is_ordered(&self, (start, end): (usize, usize)) -> bool {
        let tokens = self.query.tokens;
        let is_bound = |token: &Token<'_>| {
            ["<", "<=", ">", ">="].into_iter().any(|operator| token.is_punct(operator)) || token.is_keyword("BETWEEN")
        };
        let before = tokens.iter().rfind(|token| token.end() <= start);
        let after = tokens.iter().find(|token| token.start >= end);
        before.is_some_and(is_bound) || after.is_some_and(is_bound)
    }
}

/// The bytes of a side without the brackets around it.
fn find_side_bytes(tokens: &[Token<'_>], expr: &Expr) -> Option<(usize, usize)> {
    match expr {
        Expr::Nested(inner) => find_side_bytes(tokens, inner),
        _ => parse::find_expr_bytes(tokens, expr),
    }
}

fn add_suggestion(
    diagnostic: Diagnostic,
    (other_type, other): (ValueType, &str),
    wrong: &Expr,
    wrong_type: ValueType,
    (span, text): (syntax::ast::Span, &str),
    digits: usize,
) -> Diagnostic {
    let replace = |diagnostic: Diagnostic, new: String, applicability| {
        diagnostic.help(format!("write `{new}`")).replace(applicability, span, new)
    };
    let is_day = matches!(other_type, ValueType::Date | ValueType::DateTime);
    // `2024-06-01` consists of two subtractions.
    let day: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if (is_day || other_type == ValueType::Text) && model::Date::parse_iso(&day).is_some() {
        // A datetime is rarely midnight, and a text may be anything.
        let applicability = Applicability::from_clearness(other_type == ValueType::Date);
        return replace(diagnostic, format!("'{day}'"), applicability);
    }
    match find_literal(wrong) {
        Some(Value::SingleQuotedString(inner)) if other_type == ValueType::Bool => {
            match inner.to_ascii_lowercase().as_str() {
                "true" | "yes" | "1" => replace(diagnostic, "TRUE".to_owned(), Applicability::Safe),
                "false" | "no" | "0" => replace(diagnostic, "FALSE".to_owned(), Applicability::Safe),
                _ => diagnostic.help("compare a bool with `TRUE` or `FALSE`"),
            }
        }
        Some(Value::SingleQuotedString(inner)) if inner.trim().parse::<f64>().is_ok_and(f64::is_finite) => {
            replace(diagnostic, inner.trim().to_owned(), Applicability::Safe)
        }
        Some(Value::SingleQuotedString(_)) => diagnostic.help("compare a number with a number without quotes"),
        Some(Value::Number(..)) if is_day => diagnostic.help(
            "compare it with a date in quotes, such as `>= '2024-01-01'`; for the year alone, `strftime('%Y', DAY) = '2024'`",
        ),
        Some(Value::Number(..)) => replace(diagnostic, format!("'{text:0>digits$}'"), Applicability::Unsafe),
        _ if wrong_type == ValueType::Text && classify_type(other_type) == Some(Class::Number) => {
            diagnostic.help(format!("if `{}` holds digits, write `CAST({} AS INTEGER)`", truncate_text(text), truncate_text(text)))
        }
        _ if is_day => diagnostic.help("compare it with a date: in quotes, such as `'2024-01-31'`, or a value of the task"),
        _ => diagnostic.help(format!("if `{}` holds digits, write `CAST({} AS INTEGER)`", truncate_text(other), truncate_text(other))),
    }
}

/// The number of digits of a part of a date that `strftime` returns; 0 for any other expression.
fn count_date_digits(expr: &Expr) -> usize {
    let Expr::Function(function) = expr else { return 0 };
    let Some(format) = find_argument(function, 0).and_then(as_text_literal) else { return 0 };
    match format {
        _ if !function.name.to_string().eq_ignore_ascii_case("strftime") => 0,
        "%d" | "%H" | "%I" | "%m" | "%M" | "%S" | "%U" | "%V" | "%W" => 2,
        "%j" => 3,
        "%Y" | "%G" => 4,
        _ => 0,
    }
}

/// Truncates a text to an identifiable length.
fn truncate_text(text: &str) -> String {
    shorten_text(&join_blanks(text), 40)
}

fn find_literal(expr: &Expr) -> Option<&Value> {
    match expr {
        Expr::Value(value) => Some(&value.value),
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => find_literal(inner),
        _ => None,
    }
}

fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Value(_) => true,
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::Plus, expr: inner } => {
            is_constant(inner)
        }
        Expr::BinaryOp { left, right, .. } => is_constant(left) && is_constant(right),
        _ => false,
    }
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::BinaryOp { left, right, .. } => is_literal(left) && is_literal(right),
        _ => is_constant(expr) && !matches!(find_literal(expr), Some(Value::Placeholder(_))),
    }
}
