//! For `conditions`: the numbers with which a query computes, and those in the filters of a path.

use model::suite::PathQuery;
use model::{Decimal, Span, Value};

use super::conditions::{Collector, Constant, Used};
use hir::{Expr, Sql};
use sql::lex;

impl<'a> Collector<'a> {
    /// Notes numbers and constants next to `*` and `/`, and numbers that are added or subtracted.
    pub(super) fn note_sql_factors(&mut self, sql: &'a Sql) {
        let tokens: Vec<lex::Token<'_>> = lex::tokenize_sql(&sql.text);
        let tokens: Vec<&lex::Token<'_>> =
            tokens.iter().filter(|token| !matches!(token.kind, lex::Kind::Blank | lex::Kind::Comment)).collect();
        let is_factor = |token: &lex::Token<'_>| token.is_punct("*") || token.is_punct("/");
        let is_term = |at: usize| {
            let of_column = |at: usize| tokens.get(at).is_some_and(|token| token.is_name() || token.is_punct(")"));
            let sign = at.checked_sub(1).and_then(|at| tokens.get(at));
            let is_sign = sign.is_some_and(|token| token.is_punct("+") || token.is_punct("-"));
            is_sign && at.checked_sub(2).is_some_and(of_column)
        };
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|token| is_factor(token));
            let after = tokens.get(at + 1).is_some_and(|token| is_factor(token));
            if !before && !after && !is_term(at) {
                continue;
            }
            match token.kind {
                lex::Kind::Number => {
                    let number = token.text.parse::<Decimal>().ok().map(Value::Decimal);
                    number.into_iter().for_each(|number| self.add(&number, Used::Computed, sql.span));
                }
                lex::Kind::Param => self.note_sql_constant(sql, token.text.trim_start_matches(':')),
                _ => {}
            }
        }
    }

    /// Notes the numbers among which CASE chooses a value, such as a price. A rank by which rows are sorted is none.
    pub(super) fn note_sql_choices(&mut self, sql: &'a Sql) {
        let is_known = |known: &Constant| matches!(known.used, Used::Chosen(place) if sql.span.is_enclosing(place));
        if self.found.iter().any(is_known) {
            return;
        }
        let tokens: Vec<lex::Token<'_>> = lex::tokenize_sql(&sql.text);
        let tokens: Vec<&lex::Token<'_>> = tokens
            .iter()
            .filter(|token| !matches!(token.kind, lex::Kind::Blank | lex::Kind::Comment))
            .take_while(|token| !token.is_keyword("ORDER"))
            .collect();
        for part in tokens.windows(3) {
            if let [before, number, after] = part
                && number.kind == lex::Kind::Number
                && before.is_any("THEN ELSE")
                && after.is_any("WHEN ELSE END")
                && let Ok(value) = number.text.parse::<Decimal>()
            {
                self.add(&Value::Decimal(value), Used::Chosen(sql.span), sql.span);
            }
        }
    }

    /// Notes a constant of the suite with which a query computes.
    fn note_sql_constant(&mut self, sql: &'a Sql, name: &str) {
        let number = sql.find_param(name).and_then(Expr::as_constant).filter(|value| value.as_f64().is_some());
        let place = sql.analysis.params.iter().find(|(param, _)| param == name);
        if let (Some(number), Some((_, place))) = (number, place) {
            self.add(number, Used::Computed, *place);
        }
    }
}

/// Lists the numbers with which a path compares, each with its place.
pub(super) fn list_path_numbers(path: &PathQuery) -> Vec<(Decimal, Span)> {
    // A path with placeholders is longer or shorter than its source.
    let is_as_written = usize::try_from(path.span.end.saturating_sub(path.span.start)) == Ok(path.text.len());
    let marks = path.text.match_indices(['<', '>', '=']).map(|(at, _)| at + 1);
    let numbers = marks.filter_map(|start| {
        let rest = path.text.get(start..)?;
        let blanks = rest.len() - rest.trim_start().len();
        let digits = rest.trim_start();
        let end = digits.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-'))).unwrap_or(digits.len());
        let number = digits.get(..end)?.parse::<Decimal>().ok()?;
        let at = |offset: usize| path.span.start.saturating_add(u32::try_from(start + blanks + offset).unwrap_or(0));
        let place = if is_as_written { Span::new(path.span.file, at(0), at(end)) } else { path.span };
        Some((number, place))
    });
    numbers.collect()
}
