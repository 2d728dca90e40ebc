//! Charts as SVG: all drawings with axes. A drawing has a fixed size in units and fills its place, so its text grows and shrinks with it; on a phone a unit is
//! about a pixel. Colors are classes of the page's style, and each run has its own shape and its own dashes, too.
//!
//! ```text
//! scale (values → places) ─┐
//! labels (texts → lines) ──┴→ frame (grid and both axes) → lines (accuracy along an axis)
//!                                                          funnel (stages, one under the other)
//! ```

pub mod frame;
pub mod funnel;
pub mod labels;
pub mod lines;
pub mod scale;

use std::fmt::Write as _;

use super::escape::escape_html;

/// The name of a drawing, for screen readers and links.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// Its `id`, which must be unique on the page.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its content, in sentences.
    pub description: &'a str,
}

/// Opens a drawing of this size. Writing to a String cannot fail.
pub fn open_drawing(out: &mut String, named: Named<'_>, width: f64, height: f64) {
    let Named { id, title, description } = named;
    let _ = write!(
        out,
        "<svg class=\"drawing\" viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{id}-title {id}-words\" focusable=\"false\">\
         <title id=\"{id}-title\">{}</title><desc id=\"{id}-words\">{}</desc>",
        format_length(width),
        format_length(height),
        escape_html(title),
        escape_html(description)
    );
}

/// Closes a drawing.
pub fn close_drawing(out: &mut String) {
    out.push_str("</svg>");
}

/// Draws a line.
pub fn draw_line(out: &mut String, class: &str, x1: f64, x2: f64, y1: f64, y2: f64) {
    let [x1, x2, y1, y2] = [x1, x2, y1, y2].map(format_length);
    let _ = write!(out, "<line class=\"{class}\" x1=\"{x1}\" x2=\"{x2}\" y1=\"{y1}\" y2=\"{y2}\"/>");
}

/// Draws a text, which is HTML.
pub fn draw_text(out: &mut String, class: &str, x: f64, y: f64, text: &str) {
    let [x, y] = [x, y].map(format_length);
    let _ = write!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>");
}

/// Draws a rectangle.
pub fn draw_rect(out: &mut String, class: &str, x: f64, y: f64, width: f64, height: f64) {
    let [x, y, width, height] = [x, y, width, height].map(format_length);
    let _ = write!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>");
}

/// Formats a length for SVG: at most two decimal places, and never `-0`.
pub fn format_length(length: f64) -> String {
    let text = format!("{length:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn lengths_are_short() {
        assert_eq!([0.0, -0.001, 1.5, 2.0, 33.333].map(super::format_length), ["0", "0", "1.5", "2", "33.33"]);
    }
}
