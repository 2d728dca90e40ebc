//! `date_form` for numbers of a calendar as text: `strftime('%m', DAY)` is `03`, and never `3`.

use model::Value;
use model::suite::Op;

use super::operands::Lint;
use sql::predicates::{Atom, Operand, Side};
use sql::terms::Term;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The maximum number of texts of a side.
const MAX_VALUES: usize = 400;

impl Lint<'_, '_> {
    /// Reports two texts that are compared although only one has leading zeros.
    pub(super) fn check_padding(&self, atom: &Atom, op: Op, left: &Operand, right: &Operand) -> Option<Diagnostic> {
        if !matches!(op, Op::Eq | Op::Ne) {
            return self.check_padded_order(atom, left, right).or_else(|| self.check_padded_order(atom, right, left));
        }
        let (first, second) = (self.list_texts(left)?, self.list_texts(right)?);
        let (padded, bare, operands) = match (find_padded(&first, &second), find_padded(&second, &first)) {
            (Some((padded, bare)), None) => (padded, bare, (left, right)),
            (None, Some((padded, bare))) => (padded, bare, (right, left)),
            _ => return None,
        };
        let (with, without) = (self.quote_source(operands.0.span), self.quote_source(operands.1.span));
        let written = self.quote_source(atom.span);
        let always = if op == Op::Eq { "false" } else { "true" };
        let message =
            format!("`{written}` is always {always} for '{bare}': `{with}` is '{padded}', with a leading zero");
        Some(
            Diagnostic::new(Code::DATE_FORM, message, atom.span, "texts of different lengths")
                .help(format!("compare numbers: `CAST({with} AS INTEGER)` and `CAST({without} AS INTEGER)`")),
        )
    }

    /// Reports `strftime('%m', DAY) > '3'`, where texts of two digits are ordered by their first digit.
    pub(super) fn check_padded_order(&self, atom: &Atom, value: &Operand, bound: &Operand) -> Option<Diagnostic> {
        let Side::Literal(Value::Text(word)) = &bound.value else { return None };
        let texts = self.list_texts(value)?;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_longer = |text: &String| is_number(text) && text.len() > word.len();
        if !is_number(word) || !texts.iter().all(is_longer) || matches!(value.value, Side::Column { .. }) {
            return None;
        }
        let length = texts.first()?.len();
        if texts.iter().any(|text| text.len() != length) {
            return None;
        }
        let (name, written) = (self.quote_source(value.span), self.quote_source(atom.span));
        let padded = format!("'{word:0>length$}'");
        let message = format!(
            "`{written}` compares texts letter by letter: `{name}` is '{}', and '{word}' has no leading zero",
            texts.first()?
        );
        Some(
            Diagnostic::new(Code::DATE_FORM, message, bound.span, "texts of different lengths")
                .help(format!("write {padded}, or compare numbers: `CAST({name} AS INTEGER)`"))
                .fix(format!("replace with {padded}"), Applicability::Unsafe, bound.span, padded),
        )
    }

    /// The possible texts of a side, if they are all known.
    fn list_texts(&self, operand: &Operand) -> Option<Vec<String>> {
        let term = operand.to_term();
        let known = self.terms().infer(&term);
        if known.fact.closed.is_none() {
            return list_calendar_texts(&term);
        }
        let values = known.fact.closed.filter(|values| (2..=MAX_VALUES).contains(&values.len()))?;
        values.iter().map(|value| value.as_text().map(str::to_owned)).collect()
    }
}

/// Lists the texts that `strftime` gives for a part of any moment.
fn list_calendar_texts(term: &Term) -> Option<Vec<String>> {
    let Term::Call(name, arguments) = term else { return None };
    let Some(Term::Literal(Value::Text(format))) = arguments.first().filter(|_| name == "strftime") else {
        return None;
    };
    let (first, last, width) = match format.as_str() {
        "%m" => (1, 12, 2),
        "%d" => (1, 31, 2),
        "%H" => (0, 23, 2),
        "%M" | "%S" => (0, 59, 2),
        "%j" => (1, 366, 3),
        _ => return None,
    };
    Some((first..=last).map(|number: u32| format!("{number:0width$}")).collect())
}

/// Finds a number that one list has with leading zeros and the other one without.
fn find_padded<'t>(padded: &'t [String], bare: &'t [String]) -> Option<(&'t str, &'t str)> {
    let is_number = |text: &&String| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    padded.iter().filter(is_number).find_map(|text| {
        let number = text.trim_start_matches('0');
        let is_same = |other: &&String| other.as_str() == number && text.len() > number.len() && !number.is_empty();
        let other = bare.iter().find(is_same)?;
        (!padded.contains(other) && !bare.contains(text)).then_some((text.as_str(), other.as_str()))
    })
}
