//! The values passed to a kernel, read in the types of the signature.

use super::FunctionError;
use crate::val::Val;
use crate::{Decimal, Value, decimal};

/// The values of a call's arguments.
pub struct Inputs<'a> {
    /// The name of the called function, for messages.
    pub function: &'static str,
    /// The values, in the order of the signature.
    pub values: Vec<Val<'a>>,
}

impl<'a> Inputs<'a> {
    /// Returns the `index`-th value.
    pub fn read_value(&self, index: usize) -> Result<&Val<'a>, FunctionError> {
        self.values.get(index).map_or_else(|| self.report_misfit("a value"), Ok)
    }

    /// Removes and returns the `index`-th value.
    pub fn take_value(&mut self, index: usize) -> Result<Val<'a>, FunctionError> {
        match self.values.get_mut(index) {
            Some(value) => Ok(std::mem::replace(value, Val::NULL)),
            None => self.report_misfit("a value"),
        }
    }

    /// Returns the `index`-th value as a text; `None` for null.
    pub fn read_text(&self, index: usize) -> Result<Option<&str>, FunctionError> {
        let value = self.read_value(index)?;
        match value.as_text() {
            None if value.is_null() => Ok(None),
            None => self.report_misfit("a text"),
            text => Ok(text),
        }
    }

    /// Returns the `index`-th value as an int that is not null.
    pub fn read_int(&self, index: usize) -> Result<i64, FunctionError> {
        let value = self.read_value(index)?;
        match value.as_value().and_then(Value::as_decimal).and_then(Decimal::to_int) {
            Some(value) => Ok(value),
            None => {
                let needed = format!("a whole number, not {}", describe_value(value));
                Err(FunctionError::from_need(self.function, needed))
            }
        }
    }

    /// Returns the `index`-th value as a number of decimal places; 0 if it is omitted.
    pub fn read_places(&self, index: usize) -> Result<u8, FunctionError> {
        let places = if index < self.values.len() { self.read_int(index)? } else { 0 };
        match u8::try_from(places) {
            Ok(places) if places <= decimal::MAX_PLACES => Ok(places),
            _ => Err(FunctionError::new(format!(
                "`{}` takes 0 to {} places, not {places}",
                self.function,
                decimal::MAX_PLACES
            ))),
        }
    }

    /// Fails because of a value that `check` should have rejected.
    pub fn report_misfit<T>(&self, needed: &'static str) -> Result<T, FunctionError> {
        Err(FunctionError::from_need(self.function, needed))
    }
}

/// Converts a number that is not null to a finite double, for the function with this name.
pub fn read_number(function: &str, value: &Val<'_>) -> Result<f64, FunctionError> {
    match value.as_value().and_then(Value::as_f64) {
        Some(number) if number.is_finite() => Ok(number),
        _ => Err(FunctionError::from_need(function, format!("numbers, not {}", describe_value(value)))),
    }
}

/// Describes a value for a message: with its type, and without a long text.
pub fn describe_value(value: &Val<'_>) -> String {
    let text = value.render_text();
    match value.kind() {
        "null" => "null".to_owned(),
        "text" if text.chars().count() <= 40 => format!("\"{text}\""),
        kind if text.chars().count() <= 40 => format!("{kind} {text}"),
        kind => kind.to_owned(),
    }
}
