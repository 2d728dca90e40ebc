//! Writes JSON: two spaces per level, keys in their order, decimals as numbers with all their digits.

use model::Value;

/// Renders a JSON file, ending with a newline.
pub(super) fn write_json(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, 0, &mut out);
    out.push('\n');
    out
}

fn write_value(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Int(_) | Value::Decimal(_) | Value::Float(_) | Value::Bool(_) => value.render_into(out),
        Value::List(items) => {
            write_block('[', ']', items, depth, out, |item, out| write_value(item, depth + 1, out));
        }
        Value::Object(fields) => write_block('{', '}', fields, depth, out, |(key, value), out| {
            put_text(key, out);
            out.push_str(": ");
            write_value(value, depth + 1, out);
        }),
        // Texts, dates, datetimes, and durations.
        other => put_text(&other.render_text(), out),
    }
}

fn write_block<T>(open: char, close: char, parts: &[T], depth: usize, out: &mut String, put: impl Fn(&T, &mut String)) {
    out.push(open);
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_indent(depth + 1, out);
        put(part, out);
    }
    if !parts.is_empty() {
        write_indent(depth, out);
    }
    out.push(close);
}

fn write_indent(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Writes a quoted text. Only quotes, backslashes, and control characters are escaped.
fn put_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}
