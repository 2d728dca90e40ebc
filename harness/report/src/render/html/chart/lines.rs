//! Accuracy along an axis: for each run a mark with its interval at every value, and a line between them where values are numbers.

use std::fmt::Write as _;

use super::frame::Frame;
use super::scale::{Places, find_min_distance, place_values};
use super::{Named, close_drawing, draw_line, format_length, open_drawing};
use crate::model::RunReport;
use crate::model::share::Share;
use crate::model::sweeps::Cell;
use crate::render::html::escape::escape_html;
use crate::render::html::marks;
use crate::render::words::format_with_interval;

/// The maximum distance between the marks of two runs at one value.
const APART: f64 = 11.0;

/// A chart of several runs along an axis.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// The axis.
    pub axis: &'a str,
    /// Its values.
    pub cells: &'a [Cell<'a>],
    /// The runs, one for each share of a cell.
    pub runs: &'a [RunReport],
    /// The accuracy that must be reached, from 0 to 1.
    pub least: Option<f64>,
    /// The width of the drawing, in units.
    pub width: f64,
    /// The height of the grid, in units.
    pub grid: f64,
}

impl Lines<'_> {
    /// Draws the chart. Writing to a String cannot fail.
    pub fn draw_lines(&self, out: &mut String, named: Named<'_>) {
        let places = place_values(&self.cells.iter().map(|cell| cell.number).collect::<Vec<_>>());
        let texts: Vec<String> = self.cells.iter().map(|cell| cell.words.clone()).collect();
        let frame = Frame::new(self.width, self.grid, self.axis, &texts, &places);
        let (width, height) = frame.size();
        open_drawing(out, named, width, height);
        frame.draw_frame(out, self.least);
        // Runs without this axis need no space.
        let drawn: Vec<usize> =
            (0..self.runs.len()).filter(|run| self.cells.iter().any(|cell| find_share(cell, *run).is_some())).collect();
        let apart = self.compute_distance(&places, &frame, drawn.len());
        for (place, run) in drawn.iter().enumerate() {
            let aside = (place as f64 - (drawn.len() as f64 - 1.0) / 2.0) * apart;
            self.draw_run(out, *run, &frame, &places, aside);
        }
        close_drawing(out);
    }

    /// Returns the distance between the marks of adjacent runs: those of two values must not overlap, and all must stay in the grid.
    fn compute_distance(&self, places: &Places, frame: &Frame, runs: usize) -> f64 {
        let room = (find_min_distance(&places.at) * 0.6).min(places.margin * 1.8) * frame.grid_width();
        (room / runs.max(1) as f64).min(APART)
    }

    fn draw_run(&self, out: &mut String, run: usize, frame: &Frame, places: &Places, aside: f64) {
        let mut points: Vec<(f64, &Cell<'_>, &Share)> = places
            .at
            .iter()
            .zip(self.cells)
            .filter_map(|(place, cell)| Some((frame.to_x(*place) + aside, cell, find_share(cell, run)?)))
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let name = self.runs.get(run).map_or("", |run| run.name.as_str());
        let _ = write!(out, "<g class=\"{}\" data-run=\"{run}\">", marks::build_class(run));
        if places.numbers && points.len() > 1 {
            let corners: Vec<String> = points
                .iter()
                .map(|(x, _, share)| format!("{},{}", format_length(*x), format_length(frame.to_y(share.accuracy))))
                .collect();
            let _ = write!(out, "<polyline class=\"curve\" points=\"{}\"/>", corners.join(" "));
        }
        for (x, cell, share) in points {
            let words = escape_html(&format!("{name}, {} {}: {}", self.axis, cell.words, format_with_interval(share)));
            let _ = write!(out, "<g><title>{words}</title>");
            let [low, high] = [share.interval.low, share.interval.high].map(|end| frame.to_y(end));
            draw_line(out, "bar thin", x, x, low, high);
            let (x, y, shape) = (format_length(x), format_length(frame.to_y(share.accuracy)), marks::choose_shape(run));
            let _ = write!(out, "<g transform=\"translate({x} {y})\">{shape}</g></g>");
        }
        out.push_str("</g>");
    }

    /// Describes the chart for screen readers: both ends of the axis, and the lowest value of each run.
    pub fn describe_chart(&self) -> String {
        let mut sentences = Vec::new();
        for (at, run) in self.runs.iter().enumerate() {
            let known: Vec<(&Cell<'_>, &Share)> =
                self.cells.iter().filter_map(|cell| Some((cell, find_share(cell, at)?))).collect();
            let (Some(first), Some(last)) = (known.first(), known.last()) else { continue };
            let low = known.iter().min_by(|a, b| a.1.accuracy.total_cmp(&b.1.accuracy)).unwrap_or(last);
            let at = |(cell, share): &(&Cell<'_>, &Share)| format!("{} at {}", format_with_interval(share), cell.words);
            let lowest =
                if low.0 == first.0 || low.0 == last.0 { String::new() } else { format!("; lowest {}", at(low)) };
            sentences.push(format!("{}: {}, {}{lowest}.", run.name, at(first), at(last)));
        }
        format!("Accuracy with 95% confidence intervals. {} The table next to it has all values.", sentences.join(" "))
    }
}

fn find_share<'a>(cell: &Cell<'a>, run: usize) -> Option<&'a Share> {
    cell.shares.get(run).copied().flatten()
}
