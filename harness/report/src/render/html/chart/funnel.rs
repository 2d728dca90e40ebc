//! A funnel chart of stages: the pipelines that are right at each, those that are still whole after it, and where they break first.

use std::fmt::Write as _;

use statistics::Interval;

use super::labels::{FONT, LINE, cut_to_width, estimate_width, strip_controls};
use super::{Named, close_drawing, draw_line, draw_rect, draw_text, format_length, open_drawing};
use crate::render::html::escape::escape_html;
use crate::render::html::marks;

const WIDTH: f64 = 360.0;
/// The left end and the width of the bars' scale, from 0 to 100.
const LEFT: f64 = 8.0;
const ACROSS: f64 = 282.0;
/// The height of a bar, and of its row.
const BAR: f64 = 10.0;
const ROW: f64 = 18.0;
/// The space above the bars, for the heading of the numbers on the right.
const TOP: f64 = 20.0;
/// The space between two stages.
const BETWEEN: f64 = 8.0;

/// One stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// Its name.
    pub name: &'a str,
    /// The stages that directly precede it.
    pub after: &'a [String],
    /// The bar of each run; `None` if a run does not have the stage.
    pub bars: Vec<Option<Bar>>,
}

/// One stage in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The share of pipelines that are right at the stage, 0 to 1.
    pub right: f64,
    /// Its 95% confidence interval.
    pub interval: Interval,
    /// The share of pipelines that are right at it and at every earlier one, 0 to 1.
    pub whole: f64,
    /// The number of pipelines that break at it first.
    pub broken: u64,
    /// Whether it is the stage at which most pipelines of the run break.
    pub weakest: bool,
    /// A description in words.
    pub words: String,
}

/// Draws the chart. Writing to a String cannot fail.
pub fn draw_funnel(out: &mut String, named: Named<'_>, steps: &[Step<'_>]) {
    let high = |step: &Step<'_>| LINE + step.bars.iter().flatten().count() as f64 * ROW + BETWEEN;
    let bottom = TOP + steps.iter().map(high).sum::<f64>();
    open_drawing(out, named, WIDTH, bottom + 2.0 * LINE + 4.0);
    draw_grid(out, bottom);
    let mut y = TOP;
    for step in steps {
        draw_name(out, step, y);
        y += LINE;
        for (run, bar) in step.bars.iter().enumerate() {
            if let Some(bar) = bar {
                draw_bar(out, run, bar, y);
                y += ROW;
            }
        }
        y += BETWEEN;
    }
    close_drawing(out);
}

fn to_x(share: f64) -> f64 {
    LEFT + share.clamp(0.0, 1.0) * ACROSS
}

fn draw_grid(out: &mut String, bottom: f64) {
    for percent in [0u32, 25, 50, 75, 100] {
        let x = to_x(f64::from(percent) / 100.0);
        draw_line(out, "grid", x, x, TOP, bottom);
        draw_text(out, "ticks middle", x, bottom + LINE, &percent.to_string());
    }
    draw_text(out, "ticks middle", to_x(0.5), bottom + 2.0 * LINE, "pipelines, %");
    draw_text(out, "ticks end", WIDTH - 2.0, FONT, "break first");
}

fn draw_name(out: &mut String, step: &Step<'_>, y: f64) {
    // Bold text is wider.
    let name = cut_to_width(&strip_controls(step.name), ACROSS / 1.15);
    let left = ACROSS - estimate_width(&name) * 1.15 - FONT;
    let after = match step.after {
        [] => String::new(),
        names => format!("after {}", names.join(", ")),
    };
    let after = if left > 4.0 * FONT { cut_to_width(&strip_controls(&after), left) } else { String::new() };
    draw_rect(out, "ground", 0.0, y, WIDTH, LINE);
    let (name, after) = (escape_html(&name), escape_html(&after));
    let text = format!("{name}<tspan class=\"after\" dx=\"6\">{after}</tspan>");
    draw_text(out, "ticks name", LEFT, y + FONT, &text);
}

fn draw_bar(out: &mut String, run: usize, bar: &Bar, y: f64) {
    let (middle, top) = (y + ROW / 2.0, y + (ROW - BAR) / 2.0);
    let _ = write!(
        out,
        "<g class=\"{}\" data-run=\"{run}\"><title>{}</title>",
        marks::build_class(run),
        escape_html(&bar.words)
    );
    for (class, share) in [("right", bar.right), ("whole", bar.whole)] {
        draw_rect(out, class, LEFT, top, to_x(share) - LEFT, BAR);
    }
    let (low, high) = (format_length(to_x(bar.interval.low)), format_length(to_x(bar.interval.high)));
    let (over, under) = (format_length(middle - 4.0), format_length(middle + 4.0));
    // The halo separates it from the bars.
    for class in ["halo", "whisker"] {
        let _ = write!(
            out,
            "<path class=\"{class}\" d=\"M{low} {over}V{under}M{low} {0}H{high}M{high} {over}V{under}\"/>",
            format_length(middle)
        );
    }
    let _ = write!(
        out,
        "<g transform=\"translate({} {})\">{}</g>",
        format_length(to_x(bar.right)),
        format_length(middle),
        marks::choose_shape(run)
    );
    let (class, mark) = if bar.weakest { ("ticks end weakest", "▸ ") } else { ("ticks end", "") };
    draw_text(out, class, WIDTH - 2.0, middle + FONT * 0.35, &format!("{mark}{}", bar.broken));
    out.push_str("</g>");
}
