//! The answer in other forms: those that its author told, by a pattern for each number and date.

use std::borrow::Cow;

use model::answer_key::Expected;
use model::pointer::escape_step;
use model::suite::matchers::Takes;
use model::suite::{Options, Told};
use model::{Date, DateTime, Value};
use tables::{CellType, Pattern};

use super::write::render_forms;

/// Writes the expected value once in each told form: first with the first form of each of its values, then with the second.
pub fn list_told_styles(expect: &Expected) -> Vec<String> {
    let most = expect.options.iter().map(|(_, options)| options.written.len()).max().unwrap_or(0);
    let Some(value) = expect.single_value() else { return Vec::new() };
    let value = expect.round_value(value);
    let styles = (0..most).filter_map(|index| {
        let write = |value: &Value, options: Option<&Options>| {
            write_form(value, options.and_then(|own| own.written.get(index))?)
        };
        Some(render_forms(expect.matcher, &rewrite_values(expect, &value, write)?, ""))
    });
    styles.flatten().collect()
}

/// Replaces numbers, bools, and days of an answer by the texts that `rewrite` returns for them and their options; texts of JSON that are days, too. `None` if
/// nothing is replaced.
pub fn rewrite_values(
    expect: &Expected,
    value: &Value,
    rewrite: impl FnMut(&Value, Option<&Options>) -> Option<String>,
) -> Option<Value> {
    let mut writer = Writer { expect, rewrite, is_changed: false };
    let written = writer.write_value(value, &mut String::new());
    writer.is_changed.then_some(written)
}

/// Writes the values of an answer in another form.
struct Writer<'a, F> {
    expect: &'a Expected,
    rewrite: F,
    /// Whether a value has such a form.
    is_changed: bool,
}

impl<F: FnMut(&Value, Option<&Options>) -> Option<String>> Writer<'_, F> {
    fn write_value(&mut self, value: &Value, pointer: &mut String) -> Value {
        match value {
            Value::List(items) => {
                let items = items.iter().enumerate();
                Value::List(items.map(|(at, item)| self.write_below(&at.to_string(), item, pointer)).collect())
            }
            Value::Object(fields) => {
                let fields = fields.iter();
                Value::Object(
                    fields.map(|(name, field)| (name.clone(), self.write_below(name, field, pointer))).collect(),
                )
            }
            Value::Rows(set) => {
                let mut set = set.clone();
                for row in &mut set.rows {
                    for (cell, column) in row.iter_mut().zip(&set.columns) {
                        let own = format!("/*/{}", escape_step(column));
                        let own = self.expect.options.iter().find(|(at, _)| *at == own).map(|(_, options)| options);
                        let options = own.or_else(|| self.expect.find_governing_options(pointer));
                        *cell = self.write_one(cell, options);
                    }
                }
                Value::Rows(set)
            }
            one => self.write_one(one, self.expect.find_governing_options(pointer)),
        }
    }

    fn write_below(&mut self, step: &str, value: &Value, pointer: &mut String) -> Value {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&escape_step(step));
        let written = self.write_value(value, pointer);
        pointer.truncate(length);
        written
    }

    fn write_one(&mut self, value: &Value, options: Option<&Options>) -> Value {
        let day = self.read_day(value);
        let text = (self.rewrite)(&day, options);
        self.is_changed |= text.is_some();
        text.map_or_else(|| value.clone(), Value::from_text)
    }

    /// Reads a text of JSON that is a date.
    fn read_day<'v>(&self, value: &'v Value) -> Cow<'v, Value> {
        let text = value.as_text().filter(|_| self.expect.matcher.record().takes == Takes::Json);
        let day = text.and_then(|text| {
            Date::parse_iso(text).map(Value::Date).or_else(|| DateTime::parse_iso(text).map(Value::DateTime))
        });
        day.map_or(Cow::Borrowed(value), Cow::Owned)
    }
}

/// Writes a number or date in a form; `None` if the form does not hold it exactly.
pub fn write_form(value: &Value, told: &Told) -> Option<String> {
    let (ty, value) = match value {
        Value::Date(_) => (CellType::Date, value.clone()),
        Value::DateTime(_) => (CellType::DateTime, value.clone()),
        _ => (CellType::Decimal(None), Value::Decimal(value.as_decimal()?)),
    };
    Pattern::parse_told(told, ty).ok()?.write(&value)
}
