//! One accepted answer, with what governs it.

use std::borrow::Cow;

use plan::suite::{Matcher, Options, Within};
use plan::{Decimal, Value};

use crate::exact::Exact;
use crate::got::{Got, Plain, Source};
use crate::read::clean;
use crate::read::number::{perhaps_with_unit, with_unit};
use crate::text::fold;

/// A float that nothing governs is right within this share of itself, 10 to this: it carries the noise of doubles.
const NOISE_EXPONENT: i64 = -9;
/// A double that SQL gives stands for any number within this share of it, 10 to this: it has no more digits.
const DOUBLE_EXPONENT: i64 = -15;

/// An answer and the options of its `expect`.
#[derive(Clone, Debug)]
pub struct Key<'a> {
    /// The answer.
    pub value: &'a Value,
    /// By which matcher.
    pub matcher: Matcher,
    options: &'a [(String, Options)],
    /// Where the answer stands in what the options' pointers lead into: `/I` for the I-th of `any_of`.
    base: String,
}

impl<'a> Key<'a> {
    /// The answer of an `expect`, or its `alternative`-th one.
    pub fn new(
        value: &'a Value,
        matcher: Matcher,
        options: &'a [(String, Options)],
        alternative: Option<usize>,
    ) -> Key<'a> {
        let base = alternative.map(|index| format!("/{index}")).unwrap_or_default();
        Key { value, matcher, options, base }
    }

    /// What governs the value at `pointer` of the answer: the nearest options on the way up.
    pub fn options(&self, pointer: &str) -> Options {
        self.nearest(pointer, false).cloned().unwrap_or_default()
    }

    /// The nearest options on the way up from `pointer`; with `inside`, those of the answer as a whole are none of them.
    fn nearest(&self, pointer: &str, inside: bool) -> Option<&'a Options> {
        let mut at = format!("{}{pointer}", self.base);
        loop {
            if inside && at.len() <= self.base.len() {
                return None;
            }
            if let Some((_, options)) = self.options.iter().find(|(known, _)| *known == at) {
                return Some(options);
            }
            at.truncate(at.rfind('/')?);
        }
    }

    /// Whether order counts at `pointer`. Arrays inside of a list's items are in order, whatever governs the list itself.
    pub fn ordered(&self, pointer: &str) -> bool {
        if self.matcher == Matcher::List && !pointer.is_empty() {
            return self.nearest(pointer, true).and_then(|options| options.ordered).unwrap_or(true);
        }
        self.options(pointer).ordered.unwrap_or(self.matcher == Matcher::Json)
    }

    /// Whether an object at `pointer` may hold keys that are not expected.
    pub fn open(&self, pointer: &str) -> bool {
        self.options(pointer).open
    }

    /// What is right at `pointer`, made ready for comparing.
    pub fn leaf(&self, value: &Value, pointer: &str) -> Leaf {
        Leaf::new(value, self.options(pointer), self.matcher != Matcher::Json)
    }
}

/// A single value that is expected.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// Null.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(Span),
    /// A text, without what is ignored.
    Text(String, Options, bool),
    /// No single value.
    Other,
}

/// The numbers that are right, ends included.
#[derive(Clone, Debug)]
pub struct Span {
    /// The least.
    pub low: Exact,
    /// The greatest.
    pub high: Exact,
    /// Where the response's number is a double: these, a little wider.
    noisy: Option<(Exact, Exact)>,
    /// The unit that the number may carry.
    pub unit: Option<String>,
}

impl Span {
    fn new(value: &Value, options: &Options) -> Option<Span> {
        let exact = exact(value)?;
        let around = |by: &Exact| (exact.sub(by), exact.add(by));
        let noise = exact.abs().shift(NOISE_EXPONENT);
        let governed = match (options.within, options.rounded) {
            (Some(Within::Absolute(by)), _) => Some(Exact::from_decimal(by).abs()),
            (Some(Within::Percent(by)), _) => Some(exact.mul(&Exact::from_decimal(by)).abs().shift(-2)),
            (None, Some(places)) => Some(Exact::unit(5, -i64::from(places) - 1)),
            (None, None) => None,
        };
        let ((low, high), noisy) = match (governed, value) {
            (Some(by), _) => (around(&by), Some(around(&by.add(&exact.abs().shift(DOUBLE_EXPONENT))))),
            (None, Value::Float(_)) => (around(&noise), None),
            (None, _) => ((exact.clone(), exact.clone()), Some(around(&noise))),
        };
        Some(Span { low, high, noisy, unit: options.unit.clone() })
    }

    /// Whether a number is right.
    pub fn holds(&self, number: &Exact, double: bool) -> bool {
        let (low, high) = match &self.noisy {
            Some((low, high)) if double => (low, high),
            _ => (&self.low, &self.high),
        };
        low <= number && number <= high
    }

    /// The number that a piece of text is, which may carry the unit where there is one.
    pub fn number(&self, plain: &Plain) -> Option<Exact> {
        match &self.unit {
            None => plain.number.clone(),
            Some(unit) => perhaps_with_unit(&plain.text, unit),
        }
    }
}

/// A number's value; `None` for what is none.
pub fn exact(value: &Value) -> Option<Exact> {
    match value {
        Value::Int(value) => Some(Exact::from_int(*value)),
        Value::Decimal(value) => Some(Exact::from_decimal(*value)),
        Value::Float(value) => Exact::from_f64(*value),
        _ => None,
    }
}

impl Leaf {
    fn new(value: &Value, options: Options, trim: bool) -> Leaf {
        match value {
            Value::Null => Leaf::Null,
            Value::Bool(value) => Leaf::Bool(*value),
            Value::Int(_) | Value::Decimal(_) | Value::Float(_) => {
                Span::new(value, &options).map_or(Leaf::Other, Leaf::Number)
            }
            Value::List(_) | Value::Object(_) | Value::Rows(_) => Leaf::Other,
            text => {
                let text = text.render();
                let text = if trim { clean::plain(&text) } else { text };
                Leaf::Text(fold(&text, &options.ignore).into_owned(), options, trim)
            }
        }
    }

    /// Whether what was read is as expected.
    pub fn fits(&self, got: &Got) -> bool {
        match (self, got) {
            (Leaf::Null, Got::Null) => true,
            (Leaf::Null, Got::Plain(plain)) => plain.text.is_empty() || plain.text.eq_ignore_ascii_case("null"),
            (Leaf::Bool(wanted), Got::Bool(got)) => wanted == got,
            (Leaf::Bool(wanted), Got::Number(number)) => {
                number.source == Source::Integer && number.exact == Exact::from_int(i64::from(*wanted))
            }
            (Leaf::Bool(wanted), Got::Plain(plain)) => {
                plain.text.eq_ignore_ascii_case(if *wanted { "true" } else { "false" })
            }
            (Leaf::Number(span), Got::Number(number)) => span.holds(&number.exact, number.source == Source::Real),
            (Leaf::Number(span), Got::Plain(plain)) => {
                span.number(plain).is_some_and(|number| span.holds(&number, false))
            }
            // A text that is the number and its unit: `"40 %"`.
            (Leaf::Number(span @ Span { unit: Some(unit), .. }), Got::Text(text)) => {
                with_unit(text, unit).is_some_and(|number| span.holds(&number, false))
            }
            (Leaf::Text(wanted, options, trim), Got::Text(text) | Got::Plain(Plain { text, .. })) => {
                let text = if *trim { clean::plain(text) } else { Cow::Borrowed(text.as_str()) };
                fold(&text, &options.ignore) == *wanted
            }
            _ => false,
        }
    }
}

/// A value as a key shows it to people, rounded where `rounded` governs.
pub fn shown(value: &Value, options: &Options) -> String {
    let rounded = match (value, options.rounded) {
        (Value::Decimal(number), Some(places)) => number.round(places),
        (Value::Float(number), Some(places)) => Decimal::from_f64(*number, places),
        _ => None,
    };
    let shown = match (rounded, options.within) {
        (Some(number), _) => number.to_string(),
        (None, Some(Within::Absolute(by))) if exact(value).is_some() => format!("{} ± {by}", value.render()),
        (None, Some(Within::Percent(by))) if exact(value).is_some() => format!("{} ± {by}%", value.render()),
        _ => match value {
            Value::Null => "null".to_owned(),
            Value::Text(text) => crate::got::quoted(text),
            other => other.render().into_owned(),
        },
    };
    match &options.unit {
        Some(unit) if exact(value).is_some() => format!("{shown} {unit}"),
        _ => shown,
    }
}
