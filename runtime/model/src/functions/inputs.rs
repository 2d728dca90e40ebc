//! The values passed to a kernel, read in the types of the signature.

use super::{FunctionError, FunctionId};
use crate::val::Val;
use crate::{Decimal, Value, decimal};

/// The values of a call's arguments.
pub struct Inputs<'a> {
    /// The called function, which messages name.
    pub function: FunctionId,
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

    /// Returns the number of decimal places; 0 if it is omitted.
    pub fn read_places(&self) -> Result<u8, FunctionError> {
        let places = match self.function.places {
            Some(at) if at < self.values.len() => self.read_int(at)?,
            _ => 0,
        };
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
