//! Writes YAML in block style in which parsers of YAML 1.1 and 1.2 read every scalar with the same type. serde-saphyr decides on quoting; the
//! structure is written here, because that crate cannot write a decimal with its digits.

use model::Value;
use model::value::render_float;

use crate::generate::failures::{Res, fail_computation};

/// Maximum length of a key on one line for parsers of YAML 1.1.
const LONGEST_KEY: usize = 1000;

/// Renders a YAML file, ending with a newline.
pub(super) fn write_yaml(value: &Value) -> Res<String> {
    let mut out = String::new();
    write_value(value, 0, &mut out)?;
    out.push('\n');
    Ok(out)
}

/// Writes a node at the current position; its other lines are indented by `depth` levels.
fn write_value(value: &Value, depth: usize, out: &mut String) -> Res<()> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Int(_) | Value::Decimal(_) | Value::Bool(_) => value.render_into(out),
        Value::Float(value) => put_float(*value, out),
        Value::List(items) if items.is_empty() => out.push_str("[]"),
        Value::Object(fields) if fields.is_empty() => out.push_str("{}"),
        Value::List(items) => {
            for (at, item) in items.iter().enumerate() {
                begin_line(at, depth, out);
                out.push_str("- ");
                write_value(item, depth + 1, out)?;
            }
        }
        Value::Object(fields) => {
            for (at, (key, value)) in fields.iter().enumerate() {
                begin_line(at, depth, out);
                let start = out.len();
                put_text(key, out)?;
                if out.len() - start > LONGEST_KEY {
                    return fail_computation(format!(
                        "a key of {} characters is too long for YAML",
                        key.chars().count()
                    ));
                }
                out.push(':');
                if is_block(value) {
                    begin_line(1, depth + 1, out);
                    write_value(value, depth + 1, out)?;
                } else {
                    out.push(' ');
                    write_value(value, depth, out)?;
                }
            }
        }
        // Texts, dates, datetimes, and durations.
        other => put_text(&other.render_text(), out)?,
    }
    Ok(())
}

/// Begins a line before every part except the first.
fn begin_line(at: usize, depth: usize, out: &mut String) {
    if at > 0 {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::List(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => false,
    }
}

/// YAML 1.1 requires a point before an exponent, and the exponent's sign.
fn put_float(value: f64, out: &mut String) {
    let text = render_float(value);
    let Some((mantissa, exponent)) = text.split_once('e') else { return out.push_str(&text) };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['-', '+']) { "" } else { "+" };
    out.push_str(&format!("{mantissa}{point}e{sign}{exponent}"));
}

/// Writes a text on one line, with quotes if they are needed.
fn put_text(text: &str, out: &mut String) -> Res<()> {
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    match serde_saphyr::to_string_with_options(&text, options) {
        Ok(written) => out.push_str(written.trim_end_matches('\n')),
        Err(error) => return fail_computation(format!("the text {text:?} cannot be written as YAML: {error}")),
    }
    Ok(())
}
