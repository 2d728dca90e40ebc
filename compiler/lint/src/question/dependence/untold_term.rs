//! A reason of `untold_literal`: the prompt uses a term whose number or date only the suite knows. `PROBATION = 180`, and "on probation";
//! a limit for each priority, and "longer than its PRIORITY allows".

use super::conditions::{Constant, Used, is_telling_number};
use super::hints::{Hints, is_structural};
use super::untold_literal::{Reason, Told, is_same_amount};
use crate::context::TaskCx;
use model::{Span, Value};
use names::words::{have_same_singular, split_words};
use syntax::prompts::english::data::{ENDINGS, LENGTHS, PLAIN};
use syntax::prompts::english::lints::{ASKING, GENERIC, GRADING, LIMITING};
use syntax::prompts::has_listed;

/// The shortest word of a name that is a term.
const MIN_WORD: usize = 4;
/// Numbers up to this one are often places, months, or counts that a reader knows.
const MAX_PLAIN: f64 = 12.0;

/// The largest list of texts that is read.
const MAX_TEXTS: usize = 100;

/// Words of names of numbers that a question must state, also small ones.
const RATES: &str = "tax taxes vat duty fee fees commission discount surcharge bonus interest penalty toll tariff levy deposit markup \
    markdown rebate royalty premium tip wage allowance overhead";

/// The name of a constant of the suite, where it is used by its name.
pub(super) fn read_constant_name<'s>(cx: &'s TaskCx<'_>, constant: &Constant) -> Option<&'s str> {
    let name = cx.sources.text(constant.span).trim_start_matches(':');
    let is_name =
        name.starts_with(|c: char| c.is_alphabetic()) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some(name)
}

/// Checks whether a number in a formula is only a unit, or a number that every reader knows.
pub(super) fn is_unit(cx: &TaskCx<'_>, constant: &Constant) -> bool {
    constant.used == Used::Computed
        && !is_telling_number(&constant.value)
        && read_constant_name(cx, constant).is_none_or(|name| find_rate_word(name).is_none())
}

/// Finds a word for a rate in the name of a constant.
fn find_rate_word(name: &str) -> Option<String> {
    split_words(name).into_iter().find(|word| has_listed(RATES, word))
}

/// Checks whether a constant is after `<` or `>`, as written.
fn is_bound(cx: &TaskCx<'_>, at: Span) -> bool {
    let before = Span::new(at.file, at.start.saturating_sub(3), at.start);
    let text = cx.sources.text(before).trim_end();
    text.trim_end_matches('=').ends_with(['<', '>']) && !text.ends_with("<>")
}

/// Checks whether a constant is one of the ends after BETWEEN.
fn is_end(cx: &TaskCx<'_>, at: Span) -> bool {
    let before = Span::new(at.file, at.start.saturating_sub(9), at.start);
    let text = cx.sources.text(before).trim_end().to_ascii_uppercase();
    text.ends_with("BETWEEN") || text.ends_with("AND")
}

fn is_year(number: f64) -> bool {
    (1900.0..2100.0).contains(&number) && number.fract() == 0.0
}

impl Told {
    /// Finds out whether the wording uses a term of the suite without its value.
    pub fn find_term(
        &self,
        cx: &TaskCx<'_>,
        documents: &Hints,
        constant: &Constant,
        all: &[Constant],
    ) -> Option<Reason> {
        match constant.used {
            Used::Chosen(_) => self.find_choice(documents, constant, all),
            Used::Compared(_) => self
                .find_named_term(cx, constant, all)
                .or_else(|| self.find_vague_limit(cx, constant))
                .or_else(|| self.find_unknown_bound(cx, constant, all)),
            Used::Computed => self.find_rate(cx, constant),
            Used::Flag(_) => None,
        }
    }

    /// A constant with a name, a word of which the wording has.
    fn find_named_term(&self, cx: &TaskCx<'_>, constant: &Constant, all: &[Constant]) -> Option<Reason> {
        let name = read_constant_name(cx, constant)?;
        let is_time = matches!(constant.value, Value::Date(_) | Value::DateTime(_));
        let is_number = constant.value.as_f64().is_some();
        let is_end = self.is_other_end_told(cx, constant, all);
        let is_stated =
            is_time && self.hints.has_date() && !is_end || is_number && !self.limits.is_empty() || self.has_drawn_limit;
        if !(is_time || is_number) || is_stated || !is_end && self.hints.has_vague_words() {
            return None;
        }
        let word = split_words(name).into_iter().find(|word| self.is_term(word))?;
        Some(Reason::Term(format!("the prompt has the word \"{word}\", and no text says what `{name}` is")))
    }

    /// Checks whether the only date of the wording is the other end of a range, and no words say how long the range is.
    fn is_other_end_told(&self, cx: &TaskCx<'_>, constant: &Constant, all: &[Constant]) -> bool {
        let is_end = |other: &Constant| is_bound(cx, other.span) && read_constant_name(cx, other).is_some();
        let mut ends = all.iter().filter(|other| other.used == constant.used && !other.value.is_same(&constant.value));
        let is_only = matches!(self.hints.list_days().as_slice(), [only] if ends.any(|other| {
            is_end(other) && matches!(other.value, Value::Date(day) if day == *only)
        }));
        let says_length = self.fixed.words.iter().any(|word| has_listed(LENGTHS, word) || has_listed(ENDINGS, word));
        is_only && is_end(constant) && !says_length
    }

    /// A named number in a formula, such as a tax, which the wording names without stating how high it is.
    fn find_rate(&self, cx: &TaskCx<'_>, constant: &Constant) -> Option<Reason> {
        let name = read_constant_name(cx, constant)?;
        let word = find_rate_word(name)?;
        let is_told = self.count_formula_numbers() > 0 || self.hints.has_vague_words() || !self.fixed.has_form(&word);
        let is_of_data = self.vocabulary.iter().any(|known| have_same_singular(known, &word));
        (!is_told && !is_of_data)
            .then(|| Reason::Term(format!("the prompt has the word \"{word}\", and no text says what `{name}` is")))
    }

    /// A limit that the wording only calls "large", "late", or "the limit".
    fn find_vague_limit(&self, cx: &TaskCx<'_>, constant: &Constant) -> Option<Reason> {
        let Used::Compared(place) = constant.used else { return None };
        let number = constant.value.as_f64().filter(|_| is_bound(cx, constant.span))?;
        let column = place.and_then(|place| cx.task.find_column(place));
        let is_number = column.is_none_or(|column| column.ty.is_number());
        let is_told = self.has_drawn_limit
            || !self.limits.is_empty()
            || self.hints.has_vague_words()
            || self.fixed.numbers.iter().any(|told| is_same_amount(*told, number));
        if !is_number || is_told {
            return None;
        }
        let listed = if number.abs() > MAX_PLAIN { [LIMITING, GRADING] } else { [LIMITING, ""] };
        let words = self.fixed.words.iter();
        let mut used = words.enumerate().filter(|(_, word)| listed.iter().any(|words| has_listed(words, word)));
        let (_, word) = used.find(|(at, word)| {
            let before = at.checked_sub(1).and_then(|at| self.fixed.words.get(at));
            !before.is_some_and(|before| has_listed(ASKING, before)) && !self.is_of_data(cx, word)
        })?;
        Some(Reason::Term(format!("the prompt says \"{word}\", and no text says where that begins")))
    }

    /// Checks whether the wording has no number besides "one".
    fn has_no_number(&self) -> bool {
        self.fixed.numbers.iter().all(|number| number.abs() <= 1.0)
    }

    /// A named limit, or one of the two ends of a range, where the wording has no number at all.
    fn find_unknown_bound(&self, cx: &TaskCx<'_>, constant: &Constant, all: &[Constant]) -> Option<Reason> {
        let is_bound_of = |other: &Constant| {
            let is_large = other.value.as_f64().is_some_and(|number| number.abs() > MAX_PLAIN && !is_year(number));
            is_large && other.used == constant.used && (is_bound(cx, other.span) || is_end(cx, other.span))
        };
        let is_told = self.has_drawn_limit
            || !self.limits.is_empty()
            || !self.has_no_number()
            || self.hints.has_vague_words()
            || cx.task.each.is_some();
        let is_day = matches!(constant.value, Value::Date(_) | Value::DateTime(_));
        if is_day && !is_told && !self.hints.has_date_words() && is_bound(cx, constant.span) {
            return Some(Reason::Term("the prompt has no date".to_owned()));
        }
        let is_telling = constant.value.as_decimal().is_some_and(|number| !is_structural(number));
        if is_told || !is_telling || !matches!(constant.used, Used::Compared(Some(_))) || !is_bound_of(constant) {
            return None;
        }
        if let Some(name) = read_constant_name(cx, constant) {
            return Some(Reason::Term(format!("the prompt has no number, and no text says what `{name}` is")));
        }
        let ends: Vec<String> =
            all.iter().filter(|other| is_bound_of(other)).map(|other| other.value.render_text().into_owned()).collect();
        let [low, high] = ends.as_slice() else { return None };
        Some(Reason::Term(format!("no text says that it is from {low} to {high}")))
    }

    /// Checks whether a word is one of the names of the data, or of its texts.
    fn is_of_data(&self, cx: &TaskCx<'_>, word: &str) -> bool {
        let is_value = |text: &str| split_words(text).iter().any(|part| part == word);
        let has_text = |value: &Value| value.as_text().is_some_and(is_value);
        self.vocabulary.iter().any(|known| have_same_singular(known, word))
            || cx.task.relations.iter_enumerated().any(|(relation, own)| {
                own.columns.keys().any(|column| {
                    let closed = cx.facts().lookup_column(relation, column).closed;
                    closed.is_some_and(|values| values.len() <= MAX_TEXTS && values.iter().any(has_text))
                })
            })
    }

    /// Checks whether a word is one of the wording, and not of the names of its data.
    fn is_term(&self, word: &str) -> bool {
        let is_of_data = self.vocabulary.iter().any(|known| have_same_singular(known, word));
        word.chars().count() >= MIN_WORD
            && !has_listed(PLAIN, word)
            && !has_listed(GENERIC, word)
            && !is_of_data
            && self.fixed.has_form(word)
    }

    /// A choice among several numbers, none of which is told.
    fn find_choice(&self, documents: &Hints, constant: &Constant, all: &[Constant]) -> Option<Reason> {
        let numbers: Vec<f64> =
            all.iter().filter(|other| other.used == constant.used).filter_map(|other| other.value.as_f64()).collect();
        let untold = numbers.iter().filter(|number| number.abs() > MAX_PLAIN).count();
        let is_telling = all
            .iter()
            .filter(|other| other.used == constant.used)
            .any(|other| other.value.as_decimal().is_some_and(|number| !is_structural(number)));
        let is_told = numbers.iter().any(|number| self.hints.has_number(*number) || documents.has_number(*number));
        let is_known = is_told || self.hints.has_vague_words() || !self.limits.is_empty();
        // A single large number is a limit if the wording has no number at all.
        let is_enough = untold > 1 || untold == 1 && numbers.len() > 1 && self.has_no_number();
        if !is_enough || !is_telling || is_known {
            return None;
        }
        let shown: Vec<String> = numbers.iter().map(f64::to_string).collect();
        Some(Reason::Term(format!("no text has one of the numbers {}", shown.join(", "))))
    }
}
