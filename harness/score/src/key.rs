//! One accepted answer, with its options.

use std::borrow::Cow;
use std::collections::HashSet;

use model::answer_key::{Answer, Expected, rounded};
use model::pointer::{point_at_table_column, unescape_step};
use model::suite::matchers::{Record, Takes};
use model::suite::{CellMatch, Graded, Ignore, Matcher, Options, Within};
use model::wrapping::remove_emphasis;
use model::{Decimal, Value};
use tables::CellType;

use crate::days::Days;
use crate::exact::{Exact, to_exact};
use crate::full_match::is_full_match;
use crate::got::{Plain, ResponseValue, Source};
use crate::grade::is_above;
use crate::read::clean;
use crate::read::limit::Limit;
use crate::read::number::{parse_with_optional_unit, with_unit};
use crate::rules::Rules;
use crate::text::{Overlooks, compose_letters};
use crate::told::ToldForms;

/// The tolerance of a fraction without options, as a power of ten of its size: it has the rounding noise of doubles. For a fraction of 0, it is
/// absolute.
const NOISE_EXPONENT: i64 = -9;
/// The tolerance for a double from SQL, as a power of ten of the number's size: a double has no more digits.
const DOUBLE_EXPONENT: i64 = -15;
/// The maximum share of noise in the tolerance of an option, as a power of ten.
const WIDENED_EXPONENT: i64 = -3;

/// An answer and the options of its `expect`.
#[derive(Clone, Debug)]
pub struct Key<'a> {
    /// The answer.
    pub value: &'a Value,
    /// The matcher.
    pub matcher: Matcher,
    /// The rules of the comparison.
    pub rules: &'static Rules,
    /// The accepted answers, this one among them.
    pub accepted: &'a [Value],
    /// The values after `among`; empty without it.
    pub among: &'a [Value],
    options: &'a [(String, Options)],
    /// The pointer of the answer, which precedes the pointers of options: `/I` for the I-th of `any_of`.
    base: String,
}

impl<'a> Key<'a> {
    /// Creates the key for the answer of an `expect`, or for its `alternative`-th one.
    pub fn new(expect: &'a Expected, value: &'a Value, alternative: Option<usize>, rules: &'static Rules) -> Key<'a> {
        let base = alternative.map(|index| format!("/{index}")).unwrap_or_default();
        let accepted = expect.answer.as_ref().map(Answer::accepted_values).unwrap_or_default();
        let among = expect.among.as_deref().unwrap_or_default();
        Key { value, matcher: expect.matcher, rules, accepted, among, options: &expect.options, base }
    }

    /// Returns the limit on the number of values of a reply that are read.
    pub fn build_limit(&self) -> Limit {
        if self.rules.bounded_replies { Limit::from_expected(count_values(self.value)) } else { Limit::without_bound() }
    }

    /// If all objects of the answer may have further fields, returns the composed names of the expected ones. Other fields need not be kept.
    pub fn open_names(&self) -> Option<HashSet<String>> {
        let own: Vec<&Options> =
            self.options.iter().filter(|(at, _)| at.starts_with(&self.base)).map(|(_, options)| options).collect();
        if !self.rules.bounded_replies || own.is_empty() || !own.iter().all(|options| options.open) || !self.is_open("")
        {
            return None;
        }
        let mut names = HashSet::new();
        gather_names(self.value, &mut names);
        Some(names)
    }

    /// Returns the options for the value at `pointer` of the answer: those of the nearest ancestor that has some.
    pub fn resolve_options(&self, pointer: &str) -> Options {
        self.find_nearest_options(pointer).map(|(_, options)| options.clone()).unwrap_or_default()
    }

    /// Returns the options for the cells of a column of a result set: its own, or those of the whole answer.
    pub fn resolve_column_options(&self, column: &str) -> Options {
        let is_own = |at: &str| at.strip_prefix("/*/").is_some_and(|step| unescape_step(step) == column);
        let own = self.options.iter().find(|(at, _)| is_own(at));
        own.map_or_else(|| self.resolve_options(""), |(_, options)| options.clone())
    }

    /// Returns the options for the cells of a column of a database: its own, or those of the whole answer.
    pub fn resolve_table_options(&self, table: &str, column: &str) -> Options {
        let pointer = point_at_table_column(table, column);
        let own = self.options.iter().find(|(at, _)| *at == pointer);
        own.map_or_else(|| self.resolve_options(""), |(_, options)| options.clone())
    }

    /// Finds the nearest options from `pointer` upwards, with their pointer.
    fn find_nearest_options(&self, pointer: &str) -> Option<&'a (String, Options)> {
        let mut at = format!("{}{pointer}", self.base);
        loop {
            if let Some(found) = self.options.iter().find(|(known, _)| *known == at) {
                return Some(found);
            }
            at.truncate(at.rfind('/')?);
        }
    }

    /// Whether order counts at `pointer`. Arrays inside a list's items are ordered, regardless of the list's own options.
    pub fn is_ordered(&self, pointer: &str) -> bool {
        if self.matcher.record().takes == Takes::List && !pointer.is_empty() {
            let inside = self.find_nearest_options(pointer).filter(|(at, _)| at.len() > self.base.len());
            return inside.and_then(|(_, options)| options.ordered).unwrap_or(true);
        }
        self.resolve_options(pointer).ordered.unwrap_or(self.matcher.record().ordered == Some(true))
    }

    /// Whether an object at `pointer` may have fields that are not expected.
    pub fn is_open(&self, pointer: &str) -> bool {
        self.resolve_options(pointer).open
    }

    /// Builds the expected single value at `pointer` for comparisons.
    pub fn build_leaf(&self, value: &Value, pointer: &str) -> Leaf {
        self.build_leaf_with(value, &self.resolve_options(pointer))
    }

    /// Builds an expected single value with these options.
    pub fn build_leaf_with(&self, value: &Value, options: &Options) -> Leaf {
        Leaf::new(value, options, self.matcher.record(), self.rules)
    }
}

/// An expected single value.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// Null.
    Null,
    /// True or false.
    Bool(Truth),
    /// A date or datetime.
    Day(Days),
    /// A number.
    Number(Span),
    /// A text.
    Text(Words),
    /// A part of a text.
    Part(Part),
    /// Not a single value.
    Other,
}

/// An expected part of a cell's text: by `contains in` or `matches in`.
#[derive(Clone, Debug)]
pub struct Part {
    text: String,
    cells: CellMatch,
    overlooks: Overlooks,
}

impl Part {
    /// Whether a cell with this text is correct.
    fn is_in(&self, cell: &str) -> bool {
        match self.cells {
            CellMatch::Contains => {
                let plain = remove_emphasis(cell);
                std::iter::once(cell)
                    .chain(plain.as_deref())
                    .any(|cell| self.overlooks.has_occurrence(cell, &self.text))
            }
            CellMatch::Matches => is_full_match(&self.text, cell) == Ok(true),
        }
    }
}

/// An expected bool.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    /// Whether it is true.
    pub value: bool,
    /// Whether a piece of text may be `1` or `0`.
    digits: bool,
}

impl Truth {
    /// Reads a piece of text as true or false.
    pub fn read_truth(self, plain: &Plain) -> Option<bool> {
        plain.truth.or_else(|| self.digits.then(|| plain.find_digit()).flatten())
    }
}

/// An expected text.
#[derive(Clone, Debug)]
pub struct Words {
    /// The text after folding.
    text: String,
    overlooks: Overlooks,
    /// Whether white space at the ends is ignored.
    trim: bool,
    rules: &'static Rules,
}

impl Words {
    fn new(text: &str, ignore: &[Ignore], takes: Takes, rules: &'static Rules) -> Words {
        let (overlooks, trim) = (Overlooks::new(ignore, rules), takes != Takes::Json);
        let mut words = Words { text: String::new(), overlooks, trim, rules };
        words.text = words.fold_text(text);
        words
    }

    /// Returns the expected text after [`Words::fold_text`].
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Removes the ignored differences from a text of the response.
    pub fn fold_text(&self, text: &str) -> String {
        let text = if self.trim { clean::normalize_text(text) } else { Cow::Borrowed(text) };
        self.overlooks.fold_text(&text).into_owned()
    }

    /// Returns the sort key of a text of the response; both sides are sorted.
    pub fn build_sort_key(&self, text: &str) -> String {
        if self.rules.canonical_texts {
            self.fold_text(text)
        } else {
            self.overlooks.fold_text(text.trim()).into_owned()
        }
    }

    /// Whether both read texts in the same way.
    pub fn has_same_reading(&self, other: &Words) -> bool {
        self.trim == other.trim && self.overlooks.is_same(&other.overlooks)
    }
}

/// The accepted numbers, bounds included.
#[derive(Clone, Debug)]
pub struct Span {
    /// The lower bound.
    pub low: Exact,
    /// The upper bound.
    pub high: Exact,
    /// Slightly wider bounds for a response's number that is a double.
    noisy: Option<(Exact, Exact)>,
    /// Decides which numbers within the bounds are correct, if not all are.
    graded: Option<Box<Above>>,
    /// The units that the number may have.
    units: Vec<String>,
    told: ToldForms,
    rules: &'static Rules,
}

/// The numbers that are correct by their grade.
#[derive(Clone, Debug)]
struct Above {
    expected: Exact,
    /// Numbers with a grade above this are correct.
    grade: Exact,
    /// Numbers within these bounds are correct regardless of their grade.
    right: (Exact, Exact),
}

impl Above {
    /// Computes the range of the numbers that can be correct: at most |x| · (1 − g) / g away from x, rounded up.
    fn compute_span(expected: &Exact, grade: Decimal, right: (Exact, Exact)) -> (Above, (Exact, Exact)) {
        const DIGITS: u8 = 6;
        let one = 10i128.pow(u32::from(grade.places()));
        let share = (one - grade.units()) * 10i128.pow(u32::from(DIGITS)) / grade.units().max(1) + 1;
        let share = Exact::from_parts(share < 0, &share.unsigned_abs().to_string(), "", -i64::from(DIGITS));
        let by = expected.mul(&share).abs();
        let (low, high) = (expected.sub(&by).min(right.0.clone()), expected.add(&by).max(right.1.clone()));
        (Above { expected: expected.clone(), grade: Exact::from_decimal(grade), right }, (low, high))
    }

    fn is_right(&self, number: &Exact) -> bool {
        self.right.0 <= *number && *number <= self.right.1 || is_above(&self.expected, number, &self.grade)
    }
}

impl Span {
    fn new(value: &Value, options: &Options, rules: &'static Rules) -> Option<Span> {
        let exact = to_exact(value)?;
        let around = |by: &Exact| (exact.sub(by), exact.add(by));
        let share = exact.abs().shift_exponent(NOISE_EXPONENT);
        let governed = match (options.within, options.rounded) {
            (Some(Within::Absolute(by)), _) => Some(Exact::from_decimal(by).abs()),
            (Some(Within::Percent(by)), _) => Some(exact.mul(&Exact::from_decimal(by)).abs().shift_exponent(-2)),
            (None, Some(places)) => Some(compute_half_unit(places)),
            (None, None) => None,
        };
        let double = exact.abs().shift_exponent(DOUBLE_EXPONENT);
        let ((low, high), noisy) = match (governed, value) {
            (Some(by), _) => {
                let float = rules.tolerant_fractions && matches!(value, Value::Float(_));
                let by = if float { by.add(&share.clone().min(by.shift_exponent(WIDENED_EXPONENT))) } else { by };
                (around(&by), Some(around(&by.add(&double))))
            }
            (None, Value::Float(_) | Value::Decimal(_)) if rules.tolerant_fractions => {
                let noise = if share == Exact::default() { Exact::from_digit(1, NOISE_EXPONENT) } else { share };
                let noise = match value {
                    Value::Decimal(decimal) => noise.min(compute_half_unit(decimal.places())),
                    _ => noise,
                };
                (around(&noise), Some(around(&noise.add(&double))))
            }
            (None, Value::Float(_)) => (around(&share), None),
            (None, _) => {
                let noise = if rules.tolerant_fractions { share.min(compute_half_unit(0)).add(&double) } else { share };
                ((exact.clone(), exact.clone()), Some(around(&noise)))
            }
        };
        let (graded, (low, high)) = match options.graded {
            Some(Graded::Above(grade)) => {
                let (above, ends) = Above::compute_span(&exact, grade, (low, high));
                (Some(Box::new(above)), ends)
            }
            Some(Graded::Score) | None => (None, (low, high)),
        };
        let told = ToldForms::new(options, CellType::Decimal(None));
        Some(Span { low, high, noisy, graded, units: options.units.clone(), told, rules })
    }

    /// Returns the bounds of all numbers that can be correct, from any source.
    pub fn find_widest_range(&self) -> (&Exact, &Exact) {
        let (low, high) = self.noisy.as_ref().map_or((&self.low, &self.high), |(low, high)| (low, high));
        (low.min(&self.low), high.max(&self.high))
    }

    /// Whether a number from this source is correct.
    pub fn is_right(&self, number: &Exact, source: Source) -> bool {
        let (low, high) = match &self.noisy {
            Some((low, high)) if source == Source::Real => (low, high),
            _ => (&self.low, &self.high),
        };
        low <= number && number <= high && self.graded.as_ref().is_none_or(|graded| graded.is_right(number))
    }

    /// Reads a piece of text as a number, with or without the unit, if there is one.
    pub fn read_number(&self, plain: &Plain) -> Option<Exact> {
        self.told.read_amount(&plain.text, &self.units).or_else(|| match self.units.is_empty() {
            true => plain.number.clone(),
            false => parse_with_optional_unit(&plain.text, &self.units, self.rules),
        })
    }

    /// Reads a text of JSON or SQL as a number in a told form, or with the unit; `None` without either.
    pub fn read_number_in_text(&self, text: &str) -> Option<Exact> {
        let with_units = || self.units.iter().find_map(|unit| with_unit(text, unit, self.rules));
        self.told.read_amount(text, &self.units).or_else(with_units)
    }

    /// Whether both read texts in the same way.
    pub fn has_same_reading(&self, other: &Span) -> bool {
        self.units == other.units && self.told == other.told
    }
}

/// Counts the values in a value, including itself.
pub fn count_values(value: &Value) -> u64 {
    match value {
        Value::List(items) => items.iter().map(count_values).fold(1, u64::saturating_add),
        Value::Object(fields) => fields.iter().map(|(_, field)| count_values(field)).fold(1, u64::saturating_add),
        Value::Rows(set) => set.rows.iter().map(|row| row.len() as u64).fold(1, u64::saturating_add),
        _ => 1,
    }
}

/// Collects the composed names of all fields in a value.
fn gather_names(value: &Value, names: &mut HashSet<String>) {
    match value {
        Value::List(items) => items.iter().for_each(|item| gather_names(item, names)),
        Value::Object(fields) => {
            for (name, field) in fields {
                names.insert(compose_letters(name).into_owned());
                gather_names(field, names);
            }
        }
        Value::Rows(set) => names.extend(set.columns.iter().map(|name| compose_letters(name).into_owned())),
        _ => {}
    }
}

/// Returns half a unit of the last of `places` decimal places.
fn compute_half_unit(places: u8) -> Exact {
    Exact::from_digit(5, -i64::from(places) - 1)
}

impl Leaf {
    fn new(value: &Value, options: &Options, record: &Record, rules: &'static Rules) -> Leaf {
        let days = Days::new(value, options, record).filter(|_| rules.typed_items);
        match value {
            Value::Null => Leaf::Null,
            Value::Bool(value) => {
                Leaf::Bool(Truth { value: *value, digits: rules.typed_items && record.takes == Takes::Rows })
            }
            Value::Int(_) | Value::Decimal(_) | Value::Float(_) => {
                Span::new(value, options, rules).map_or(Leaf::Other, Leaf::Number)
            }
            Value::List(_) | Value::Object(_) | Value::Rows(_) => Leaf::Other,
            text => match (days, options.cells) {
                (Some(days), _) => Leaf::Day(days),
                (None, Some(cells)) => {
                    let overlooks = Overlooks::new(&options.ignore, rules).with_case();
                    Leaf::Part(Part { text: text.render_text().into_owned(), cells, overlooks })
                }
                (None, None) => Leaf::Text(Words::new(&text.render_text(), &options.ignore, record.takes, rules)),
            },
        }
    }

    /// Whether a value of the response is correct.
    pub fn is_match(&self, got: &ResponseValue) -> bool {
        match (self, got) {
            (Leaf::Null, ResponseValue::Null) => true,
            (_, ResponseValue::Plain(plain)) => plain.iter_readings().any(|reading| self.is_reading(reading)),
            (Leaf::Bool(wanted), ResponseValue::Bool(got)) => wanted.value == *got,
            (Leaf::Bool(wanted), ResponseValue::Number(number)) => {
                number.source == Source::Integer && number.exact == Exact::from_int(i64::from(wanted.value))
            }
            (Leaf::Number(span), ResponseValue::Number(number)) => span.is_right(&number.exact, number.source),
            // A text with the number and its unit: `"40%"`.
            (Leaf::Number(span), ResponseValue::Text(text)) => {
                span.read_number_in_text(text).is_some_and(|number| span.is_right(&number, Source::Written))
            }
            (Leaf::Text(wanted), ResponseValue::Text(text)) => wanted.fold_text(text) == wanted.text,
            (Leaf::Part(wanted), ResponseValue::Text(text)) => wanted.is_in(&clean::normalize_text(text)),
            (Leaf::Part(wanted), ResponseValue::Number(number)) => wanted.is_in(&number.shown),
            (Leaf::Day(wanted), ResponseValue::Text(text)) => wanted.is_string_right(text),
            _ => false,
        }
    }

    /// Whether a piece of text is correct as it is.
    fn is_reading(&self, plain: &Plain) -> bool {
        match self {
            Leaf::Null => plain.is_null(),
            Leaf::Bool(wanted) => wanted.read_truth(plain) == Some(wanted.value),
            Leaf::Day(wanted) => wanted.is_plain_right(&plain.text),
            Leaf::Number(span) => span.read_number(plain).is_some_and(|number| span.is_right(&number, Source::Written)),
            Leaf::Text(wanted) => wanted.fold_text(&plain.text) == wanted.text,
            Leaf::Part(wanted) => wanted.is_in(&plain.text),
            Leaf::Other => false,
        }
    }
}

/// Renders the expected value for people, rounded if `rounded` applies.
pub fn render_expected(value: &Value, options: &Options) -> String {
    let shown = match (rounded::round_number(value, options.rounded), options.within) {
        (Some(number), _) => number.render_text().into_owned(),
        (None, Some(Within::Absolute(by))) if to_exact(value).is_some() => format!("{} ± {by}", value.render_text()),
        (None, Some(Within::Percent(by))) if to_exact(value).is_some() => format!("{} ± {by}%", value.render_text()),
        (None, None) if to_exact(value).is_some() => match options.graded {
            Some(Graded::Above(grade)) => format!("{} (graded above {grade})", value.render_text()),
            Some(Graded::Score) | None => value.render_text().into_owned(),
        },
        _ => match value {
            Value::Null => "null".to_owned(),
            Value::Text(text) => crate::got::quote_json(text),
            other => other.render_text().into_owned(),
        },
    };
    match options.units.first() {
        Some(unit) if to_exact(value).is_some() => format!("{shown} {unit}"),
        _ => shown,
    }
}
