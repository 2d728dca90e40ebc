//! Values, texts, and numbers as Markdown, for hovers and previews.

use model::Value;
use model::value::group_digits;

/// The maximum number of characters that are shown of a value.
const WIDTH: usize = 60;

/// Renders a value as inline code, truncated if it is long.
pub fn render_value(value: &Value) -> String {
    let text = match value {
        Value::Null => "null".to_owned(),
        Value::List(_) | Value::Object(_) | Value::Rows(_) => value.to_json().to_string(),
        other => other.render_text().into_owned(),
    };
    render_inline_code(&text)
}

/// Renders a text as inline code, on one line.
pub fn render_inline_code(text: &str) -> String {
    let line = text.replace(['\n', '\r'], "⏎");
    let cut: String = line.chars().take(WIDTH).collect();
    let more = if cut.len() < line.len() { "…" } else { "" };
    let fence = choose_fence("`", &cut);
    let pad = if cut.starts_with('`') || cut.ends_with('`') || cut.is_empty() { " " } else { "" };
    format!("{fence}{pad}{cut}{pad}{fence}{more}")
}

/// A fence of backticks that does not occur in a text, and is as long as `fence` at least.
pub fn choose_fence(fence: &str, text: &str) -> String {
    let mut fence = fence.to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    fence
}

/// Renders source code as a code block.
pub fn wrap_in_fence(text: &str) -> String {
    format!("```pcd\n{text}\n```")
}

/// The first characters of a text, with `…` after them if there are more.
pub fn truncate_text(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}

/// Formats a number with its unit: `1 row`, `2,000 rows`.
pub fn format_quantity(count: usize, unit: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {unit}{plural}", group_digits(count as u64))
}
