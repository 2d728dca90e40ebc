//! XPath's functions of texts, on values.

use model::Value;

use super::convert::simplify;
use super::values::read_number;

/// An argument of a function.
#[derive(Clone, Debug)]
pub enum Argument {
    Text(String),
    Number(f64),
}

impl Argument {
    fn to_text(&self) -> Option<String> {
        match self {
            Argument::Text(text) => Some(text.clone()),
            Argument::Number(number) => match simplify(*number) {
                Value::Int(whole) => Some(whole.to_string()),
                _ => None,
            },
        }
    }

    fn to_number(&self) -> Option<f64> {
        match self {
            Argument::Text(text) => read_number(text),
            Argument::Number(number) => Some(*number),
        }
    }
}

/// Calls a function. `None` if its result is not modelled.
pub fn call(name: &str, args: &[Argument]) -> Option<Value> {
    let text = |at: usize| args.get(at)?.to_text();
    let made = |text: String| Some(Value::Text(text));
    match (name, args.len()) {
        ("contains", 2) => Some(Value::Bool(text(0)?.contains(&text(1)?))),
        ("starts-with", 2) => Some(Value::Bool(text(0)?.starts_with(&text(1)?))),
        ("string-length", 1) => Some(Value::Int(i64::try_from(text(0)?.chars().count()).ok()?)),
        ("normalize-space", 1) => {
            let text = text(0)?;
            let words = text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
            made(words.collect::<Vec<_>>().join(" "))
        }
        ("concat", _) => made((0..args.len()).map(text).collect::<Option<String>>()?),
        ("substring", 2 | 3) => {
            let from = round_half_up(args.get(1)?.to_number()?);
            let end = match args.get(2) {
                Some(count) => from + round_half_up(count.to_number()?),
                None => f64::INFINITY,
            };
            let kept = text(0)?;
            let kept = kept.chars().zip(1_u32..).filter(|(_, at)| f64::from(*at) >= from && f64::from(*at) < end);
            made(kept.map(|(c, _)| c).collect())
        }
        ("substring-before", 2) => {
            let (text, mark) = (text(0)?, text(1)?);
            made(text.split_once(&mark).map(|(before, _)| before.to_owned()).unwrap_or_default())
        }
        ("substring-after", 2) => {
            let (text, mark) = (text(0)?, text(1)?);
            made(text.split_once(&mark).map(|(_, after)| after.to_owned()).unwrap_or_default())
        }
        ("translate", 3) => {
            let (from, by) = (text(1)?, text(2)?);
            let convert = |c: char| match from.chars().position(|own| own == c) {
                Some(at) => by.chars().nth(at),
                None => Some(c),
            };
            made(text(0)?.chars().filter_map(convert).collect())
        }
        _ => None,
    }
}

/// The nearest whole number, of two the greater one.
pub fn round_half_up(number: f64) -> f64 {
    (number + 0.5).floor()
}
