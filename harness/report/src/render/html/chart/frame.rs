//! The frame of an accuracy chart: its grid, the percentages to the left, and the texts below.

use std::fmt::Write as _;

use super::labels::{FONT, LINE, Labels, cut_to_width, estimate_width, lay_out, strip_controls};
use super::scale::{Places, Scale};
use super::{draw_line, draw_text, format_length};
use crate::render::html::escape::escape_html;

/// The space to the left of the grid, for `100`.
const LEFT: f64 = 32.0;
/// The space to the right of the grid.
const RIGHT: f64 = 8.0;
/// The space above the grid, for the unit of the left axis.
const TOP: f64 = 30.0;

/// The frame of a chart.
#[derive(Clone, Debug)]
pub struct Frame {
    width: f64,
    grid: f64,
    labels: Labels,
    unit: String,
}

impl Frame {
    /// Creates the frame of a drawing with this width, a grid of this height, and these texts at these places of the axis named `axis`.
    pub fn new(width: f64, grid: f64, axis: &str, texts: &[String], places: &Places) -> Frame {
        let ticks: Vec<f64> = places.at.iter().map(|place| LEFT + place * (width - LEFT - RIGHT)).collect();
        let scale = match (places.scale, places.numbers) {
            (Scale::Logarithmic, _) => " (logarithmic)",
            (Scale::Even, true) if texts.len() > 1 => " (not to scale)",
            _ => "",
        };
        let unit =
            format!("{}{scale}", cut_to_width(&strip_controls(axis), width - LEFT - RIGHT - estimate_width(scale)));
        Frame { width, grid, labels: lay_out(texts, &ticks, width), unit }
    }

    /// Returns width and height of the drawing.
    pub fn size(&self) -> (f64, f64) {
        (self.width, TOP + self.grid + 6.0 + self.labels.height + LINE + 4.0)
    }

    /// Returns the width of the grid.
    pub fn grid_width(&self) -> f64 {
        self.width - LEFT - RIGHT
    }

    /// Converts a place from 0 to 1 to its x coordinate.
    pub fn to_x(&self, place: f64) -> f64 {
        LEFT + place.clamp(0.0, 1.0) * self.grid_width()
    }

    /// Converts an accuracy from 0 to 1 to its y coordinate.
    pub fn to_y(&self, share: f64) -> f64 {
        TOP + (1.0 - share.clamp(0.0, 1.0)) * self.grid
    }

    /// Draws the grid, a line at `least` (from 0 to 1), and all texts. Writing to a String cannot fail.
    pub fn draw_frame(&self, out: &mut String, least: Option<f64>) {
        let (from, to) = (self.to_x(0.0), self.to_x(1.0));
        draw_text(out, "ticks", 0.0, FONT, "accuracy, %");
        for percent in [0u32, 25, 50, 75, 100] {
            let y = self.to_y(f64::from(percent) / 100.0);
            draw_line(out, "grid", from, to, y, y);
            draw_text(out, "ticks end", LEFT - 6.0, y + FONT * 0.35, &percent.to_string());
        }
        if let Some(y) = least.map(|least| self.to_y(least)) {
            draw_line(out, "least", from, to, y, y);
        }
        self.draw_labels(out);
    }

    fn draw_labels(&self, out: &mut String) {
        let bottom = self.to_y(0.0);
        for label in &self.labels.shown {
            draw_line(out, "grid", label.tick, label.tick, bottom, bottom + 4.0);
            let text = escape_html(&label.text);
            if self.labels.slanted {
                let (x, y) = (format_length(label.x), format_length(bottom + 6.0 + FONT * 0.6));
                let _ = write!(
                    out,
                    "<text class=\"ticks end\" x=\"{x}\" y=\"{y}\" transform=\"rotate(-45 {x} {y})\">{text}</text>"
                );
            } else {
                draw_text(out, "ticks middle", label.x, bottom + 6.0 + FONT, &text);
            }
        }
        draw_text(out, "ticks middle", self.to_x(0.5), self.size().1 - 5.0, &escape_html(&self.unit));
    }
}
