//! One indented JSON document.

use serde::Serialize;
use serde_json::Value as Json;

/// Renders any serializable value as JSON. Fractions have nine significant digits: later digits are rounding noise.
pub fn write_json<T: Serialize>(document: &T) -> Result<String, serde_json::Error> {
    let mut json = serde_json::to_value(document)?;
    round_numbers(&mut json);
    Ok(format!("{json:#}\n"))
}

fn round_numbers(json: &mut Json) {
    match json {
        Json::Number(number) if number.is_f64() => {
            let rounded = number.as_f64().and_then(|number| format!("{number:.8e}").parse().ok());
            if let Some(rounded) = rounded.and_then(serde_json::Number::from_f64) {
                *number = rounded;
            }
        }
        Json::Array(items) => items.iter_mut().for_each(round_numbers),
        Json::Object(fields) => fields.values_mut().for_each(round_numbers),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_noise() {
        assert_eq!(super::write_json(&[0.1 + 0.2, 1e-12, 2.0]).expect("JSON"), "[\n  0.3,\n  1e-12,\n  2.0\n]\n");
    }
}
