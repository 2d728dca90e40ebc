//! The box of a chart of accuracies: its grid, the percents on its left, and the texts below it.

use std::fmt::Write as _;

use super::format_length;
use super::labels::{FONT, LINE, Labels, cut_to_width, estimate_width, lay_out, strip_controls};
use super::scale::{Places, Scale};
use crate::render::html::escape::escape_html;

/// Left of the grid: `100`.
const LEFT: f64 = 32.0;
/// Right of it.
const RIGHT: f64 = 8.0;
/// Above it: the unit of the axis on the left.
const TOP: f64 = 30.0;

/// A box, and what is around it.
#[derive(Clone, Debug)]
pub struct Frame {
    width: f64,
    grid: f64,
    labels: Labels,
    unit: String,
}

impl Frame {
    /// A drawing so wide, with a grid so high, and these texts at these places of an axis that is called `axis`.
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

    /// The size of the drawing.
    pub fn size(&self) -> (f64, f64) {
        (self.width, TOP + self.grid + 6.0 + self.labels.height + LINE + 4.0)
    }

    /// How wide the grid is.
    pub fn grid_width(&self) -> f64 {
        self.width - LEFT - RIGHT
    }

    /// A place from 0 to 1, from the left of the grid.
    pub fn to_x(&self, place: f64) -> f64 {
        LEFT + place.clamp(0.0, 1.0) * self.grid_width()
    }

    /// An accuracy from 0 to 1, from its bottom.
    pub fn to_y(&self, share: f64) -> f64 {
        TOP + (1.0 - share.clamp(0.0, 1.0)) * self.grid
    }

    /// The grid, `least` (from 0 to 1) as a line, and all texts. Writing to a String cannot fail.
    pub fn draw_frame(&self, out: &mut String, least: Option<f64>) {
        let (from, to) = (format_length(self.to_x(0.0)), format_length(self.to_x(1.0)));
        let _ = write!(out, "<text class=\"ticks\" x=\"0\" y=\"{}\">accuracy, %</text>", format_length(FONT));
        for percent in [0u32, 25, 50, 75, 100] {
            let y = self.to_y(f64::from(percent) / 100.0);
            let _ = write!(
                out,
                "<line class=\"grid\" x1=\"{from}\" x2=\"{to}\" y1=\"{0}\" y2=\"{0}\"/><text class=\"ticks end\" x=\"{1}\" y=\"{2}\">{percent}</text>",
                format_length(y),
                format_length(LEFT - 6.0),
                format_length(y + FONT * 0.35)
            );
        }
        if let Some(least) = least {
            let y = format_length(self.to_y(least));
            let _ = write!(out, "<line class=\"least\" x1=\"{from}\" x2=\"{to}\" y1=\"{y}\" y2=\"{y}\"/>");
        }
        self.draw_labels(out);
    }

    fn draw_labels(&self, out: &mut String) {
        let bottom = self.to_y(0.0);
        for label in &self.labels.shown {
            let _ = write!(
                out,
                "<line class=\"grid\" x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/>",
                format_length(label.tick),
                format_length(bottom),
                format_length(bottom + 4.0)
            );
            let (x, text) = (format_length(label.x), escape_html(&label.text));
            let _ = if self.labels.slanted {
                let y = format_length(bottom + 6.0 + FONT * 0.6);
                write!(
                    out,
                    "<text class=\"ticks end\" x=\"{x}\" y=\"{y}\" transform=\"rotate(-45 {x} {y})\">{text}</text>"
                )
            } else {
                write!(
                    out,
                    "<text class=\"ticks middle\" x=\"{x}\" y=\"{}\">{text}</text>",
                    format_length(bottom + 6.0 + FONT)
                )
            };
        }
        let _ = write!(
            out,
            "<text class=\"ticks middle\" x=\"{}\" y=\"{}\">{}</text>",
            format_length(self.to_x(0.5)),
            format_length(self.size().1 - 5.0),
            escape_html(&self.unit)
        );
    }
}
