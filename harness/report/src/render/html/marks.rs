//! Marks of charts as SVG. Their places are in percent and their sizes in pixels, so a chart fills its place without distortion;
//! all text is HTML around them. Each run has its own shape in addition to its color.

use std::fmt::Write as _;

use statistics::Interval;

use super::escape::escape_html;
use crate::model::share::Share;
use crate::render::words::{format_accuracy_percent, format_interval};

/// The number of different shapes and colors.
const KINDS: usize = 8;

/// Returns the class of a run's color.
pub fn build_class(run: usize) -> String {
    format!("run{}", run % KINDS)
}

/// Draws a run's shape in its color, for text.
pub fn draw_symbol(run: usize) -> String {
    format!(
        r#"<svg class="symbol {}" viewBox="-7 -7 14 14" aria-hidden="true" focusable="false">{}</svg>"#,
        build_class(run),
        choose_shape(run)
    )
}

/// Draws an accuracy with its interval on a line from 0 to 100. `reference` is a range from 0 to 1, or one place if both ends are equal.
pub fn draw_scale(run: usize, share: &Share, reference: Option<Interval>) -> String {
    let words = escape_html(&format!("{}, 95% CI {}", format_accuracy_percent(share), format_interval(share.interval)));
    let mut out = format!(
        r#"<span class="scale"><svg class="{}" role="img" aria-label="{words}" focusable="false"><title>{words}</title>"#,
        build_class(run)
    );
    if let Some(reference) = reference {
        out.push_str(&draw_band(reference));
    }
    out.push_str(r#"<line class="track" x1="0%" x2="100%" y1="50%" y2="50%"/>"#);
    for at in [0, 25, 50, 75, 100] {
        let _ = write!(out, r#"<line class="track" x1="{at}%" x2="{at}%" y1="35%" y2="65%"/>"#);
    }
    let Interval { low, high } = share.interval;
    let _ = write!(
        out,
        r#"<line class="bar" x1="{}" x2="{}" y1="50%" y2="50%"/>{}</svg></span>"#,
        format_place(low),
        format_place(high),
        draw_at(run, share.accuracy, 0.5)
    );
    out
}

fn draw_band(Interval { low, high }: Interval) -> String {
    if high > low {
        return format!(
            r#"<rect class="reference" x="{}" width="{}" y="0%" height="100%"/>"#,
            format_place(low),
            format_place(high - low)
        );
    }
    format!(r#"<line class="least" x1="{0}" x2="{0}" y1="0%" y2="100%"/>"#, format_place(low))
}

/// Draws a run's shape at a place, from 0 to 1 in both directions.
pub fn draw_at(run: usize, across: f64, down: f64) -> String {
    format!(
        r#"<svg x="{}" y="{}" overflow="visible">{}</svg>"#,
        format_place(across),
        format_place(down),
        choose_shape(run)
    )
}

/// Formats a place from 0 to 1 for SVG.
pub fn format_place(place: f64) -> String {
    format!("{:.2}%", place.clamp(0.0, 1.0) * 100.0)
}

/// The numbers under a line from 0 to 100.
pub const AXIS: &str = r#"<span class="axis" aria-hidden="true"><span>0</span><span>50</span><span>100</span></span>"#;

/// Returns a run's shape around the origin.
pub fn choose_shape(run: usize) -> &'static str {
    match run % KINDS {
        0 => r#"<circle class="mark" r="5"/>"#,
        1 => r#"<path class="mark" d="M-4.4-4.4h8.8v8.8h-8.8z"/>"#,
        2 => r#"<path class="mark" d="M0-5.8 5.4 4.2H-5.4z"/>"#,
        3 => r#"<path class="mark" d="M0-6 6 0 0 6-6 0z"/>"#,
        4 => r#"<path class="mark" d="M0 5.8 5.4-4.2H-5.4z"/>"#,
        5 => r#"<path class="mark" d="M-6-2.6H6V2.6H-6z"/>"#,
        6 => r#"<path class="mark" d="M-2.6-6H2.6V6H-2.6z"/>"#,
        _ => r#"<path class="mark" d="M-5.8 0-2.9-5h5.8L5.8 0 2.9 5h-5.8z"/>"#,
    }
}
