//! Charts as inline SVG: accuracy with intervals, and curves with intervals. Colour never stands alone: each run has its own mark, too.

use std::fmt::Write as _;

use statistics::spread::Spread;

use super::escape::escape;
use crate::model::costs::Cost;
use crate::model::share::Share;
use crate::model::{Report, RunReport};
use crate::render::words::{both, interval, one_line, points};

/// A chart.
pub struct Figure {
    /// What it shows: its caption.
    pub title: String,
    /// `<svg>…</svg>`
    pub svg: String,
}

/// Width of the drawing.
const WIDTH: f64 = 720.0;
/// So many rows of a chart are drawn; the table has all.
const ROWS: usize = 60;
/// A letter is about so wide.
const LETTER: f64 = 7.0;
/// Labels are cut at so many letters.
const LABEL: usize = 30;
/// An axis whose ends differ by this factor is logarithmic.
const FACTORS: f64 = 30.0;
/// So many marks and colours are told apart.
const KINDS: usize = 8;

/// A point: what it stands for, its place from 0 to 1, and the ends of its interval.
struct Point {
    words: String,
    at: f64,
    low: f64,
    high: f64,
}

impl Point {
    fn of(share: &Share) -> Point {
        Point { words: both(share), at: share.accuracy, low: share.interval.low, high: share.interval.high }
    }
}

/// A row of points, one a run, where it has one.
struct Row {
    label: String,
    points: Vec<Option<Point>>,
}

/// All charts that the runs have something for.
pub fn figures(report: &Report) -> Vec<Figure> {
    let runs = &report.runs;
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let mut figures = Vec::new();
    let mut tasks = rows(runs, |run| run.tasks.iter().map(|task| (task.name.as_str(), &task.share)).collect());
    let whole = |run: &RunReport| Some(Point::of(&run.whole.share));
    tasks.insert(0, Row { label: "all tasks".to_owned(), points: runs.iter().map(whole).collect() });
    figures.push(dots("Accuracy by task", &names, &tasks));
    let variants =
        rows(runs, |run| run.variants.iter().map(|variant| (variant.name.as_str(), &variant.share)).collect());
    if !variants.is_empty() {
        figures.push(dots("Accuracy by variant", &names, &variants));
    }
    let mut axes: Vec<(&str, &str)> = Vec::new();
    for curve in runs.iter().flat_map(|run| &run.axes) {
        if !axes.contains(&(curve.task.as_str(), curve.axis.as_str())) {
            axes.push((&curve.task, &curve.axis));
        }
    }
    for (task, axis) in axes {
        let points = rows(runs, |run| {
            let curve = run.axes.iter().find(|curve| curve.task == task && curve.axis == axis);
            curve
                .map(|curve| curve.points.iter().map(|point| (point.name.as_str(), &point.share)).collect())
                .unwrap_or_default()
        });
        figures.push(curve(&format!("Accuracy by {axis}: {task}"), axis, &names, &points));
    }
    if runs.iter().any(|run| run.progress.points.len() > 1) {
        let mut stops: Vec<u32> = runs.iter().flat_map(|run| &run.progress.points).map(|point| point.samples).collect();
        stops.sort_unstable();
        stops.dedup();
        let row = |stop: u32| {
            let point = |run: &RunReport| {
                run.progress.points.iter().find(|point| point.samples == stop).map(|point| Point::of(&point.share))
            };
            Row { label: stop.to_string(), points: runs.iter().map(point).collect() }
        };
        let points: Vec<Row> = stops.into_iter().map(row).collect();
        figures.push(curve("Accuracy after the first n samples", "samples of each task", &names, &points));
    }
    figures.extend(rounds(runs, &names));
    figures
}

/// Rows by name, in the order in which they first come.
fn rows<'a>(runs: &'a [RunReport], of: impl Fn(&'a RunReport) -> Vec<(&'a str, &'a Share)>) -> Vec<Row> {
    let all: Vec<Vec<(&str, &Share)>> = runs.iter().map(of).collect();
    let mut labels: Vec<&str> = Vec::new();
    for (label, _) in all.iter().flatten() {
        if !labels.contains(label) {
            labels.push(label);
        }
    }
    let point = |run: &Vec<(&str, &Share)>, label: &str| {
        run.iter().find(|(name, _)| *name == label).map(|(_, share)| Point::of(share))
    };
    labels
        .into_iter()
        .map(|label| Row { label: label.to_owned(), points: all.iter().map(|run| point(run, label)).collect() })
        .collect()
}

/// Mean rounds by task between the fewest and the most.
fn rounds(runs: &[RunReport], names: &[&str]) -> Option<Figure> {
    let costs: Vec<_> = runs
        .iter()
        .map(|run| run.costs.iter().find(|cost| cost.what == crate::model::costs::Measure::Rounds))
        .collect();
    let spreads: Vec<Vec<(String, &Spread)>> = costs.iter().map(|cost| cost.map(told).unwrap_or_default()).collect();
    let scale = spreads.iter().flatten().map(|(_, spread)| spread.max).reduce(f64::max)?.max(1.0);
    let mut labels: Vec<&str> = Vec::new();
    for (label, _) in spreads.iter().flatten() {
        if !labels.contains(&label.as_str()) {
            labels.push(label);
        }
    }
    let point = |label: &str, spreads: &Vec<(String, &Spread)>| {
        let (_, spread) = spreads.iter().find(|(name, _)| name == label)?;
        let words = format!("{:.2} ({}–{})", spread.mean, spread.min, spread.max);
        Some(Point { words, at: spread.mean / scale, low: spread.min / scale, high: spread.max / scale })
    };
    let rows: Vec<Row> = labels
        .into_iter()
        .map(|task| Row {
            label: task.to_owned(),
            points: spreads.iter().map(|spreads| point(task, spreads)).collect(),
        })
        .collect();
    let ticks: Vec<(f64, String)> =
        (0..=4).map(|at| (f64::from(at) / 4.0, format!("{:.1}", scale * f64::from(at) / 4.0))).collect();
    Some(dots_between("Rounds by task or arm: mean, between fewest and most", "rounds", names, &rows, &ticks))
}

/// Of each task, or of each of its arms where it has several.
fn told(cost: &Cost) -> Vec<(String, &Spread)> {
    let tasks = cost.tasks.iter().filter_map(|(task, spread)| Some((task.clone(), spread.as_ref()?)));
    let arms = cost.arms.iter().flat_map(|arms| {
        arms.arms.iter().filter_map(|arm| Some((format!("{} {}", arms.words(), arm.name), arm.spread.as_ref()?)))
    });
    tasks.chain(arms).collect()
}

fn percents() -> Vec<(f64, String)> {
    [0, 25, 50, 75, 100].map(|percent| (f64::from(percent) / 100.0, percent.to_string())).to_vec()
}

fn dots(title: &str, names: &[&str], rows: &[Row]) -> Figure {
    dots_between(&format!("{title}, with intervals of 95 %"), "accuracy, %", names, rows, &percents())
}

/// Points of rows from left to right, each with its interval.
fn dots_between(title: &str, unit: &str, names: &[&str], rows: &[Row], ticks: &[(f64, String)]) -> Figure {
    let shown = rows.get(..ROWS.min(rows.len())).unwrap_or(rows);
    let left = labels_width(shown.iter().map(|row| row.label.as_str()));
    let (right, top) = (WIDTH - 20.0, legend_height(names) + 8.0);
    let row_height = 10.0 + 13.0 * names.len() as f64;
    let bottom = top + row_height * shown.len() as f64;
    let across = |share: f64| left + share * (right - left);
    let mut body = legend(names);
    for (at, label) in ticks {
        let x = across(*at);
        let _ = write!(body, r#"<line class="grid" x1="{x:.1}" y1="{top:.1}" x2="{x:.1}" y2="{bottom:.1}"/>"#);
        let _ = write!(
            body,
            r#"<text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{label}</text>"#,
            bottom + 16.0
        );
    }
    for (place, row) in shown.iter().enumerate() {
        let start = top + row_height * place as f64;
        let middle = start + row_height / 2.0 + 4.0;
        let label = escape(&one_line(&row.label, LABEL));
        let _ = write!(
            body,
            r#"<text class="label" x="{:.1}" y="{middle:.1}" text-anchor="end">{label}</text>"#,
            left - 8.0
        );
        for (run, point) in row.points.iter().enumerate() {
            let Some(point) = point else { continue };
            let y = start + 5.0 + 13.0 * (run as f64 + 0.5);
            let (low, high, kind) = (across(point.low), across(point.high), run % KINDS);
            let tip = escape(&format!("{}, {}: {}", row.label, names.get(run).unwrap_or(&""), point.words));
            let _ = write!(body, r#"<g class="run{kind}"><title>{tip}</title>"#);
            let _ = write!(body, r#"<line class="bar" x1="{low:.1}" y1="{y:.1}" x2="{high:.1}" y2="{y:.1}"/>"#);
            let _ = write!(body, "{}</g>", mark(kind, across(point.at), y));
        }
    }
    let height = bottom + 40.0;
    let _ = write!(
        body,
        r#"<text class="tick" x="{:.1}" y="{:.1}" text-anchor="middle">{unit}</text>"#,
        (left + right) / 2.0,
        bottom + 33.0
    );
    let more = rows.len() - shown.len();
    let title = if more > 0 {
        format!("{title} (the first {ROWS} of {}; the table has all)", rows.len())
    } else {
        title.to_owned()
    };
    Figure { svg: svg(&title, height, &body, &description(names, shown)), title }
}

/// Points of rows along a line a run, with their intervals. Numbers stand at their places, texts side by side.
fn curve(title: &str, unit: &str, names: &[&str], rows: &[Row]) -> Figure {
    let name_of_axis = unit;
    let mut unit = unit.to_owned();
    let numbers: Option<Vec<f64>> =
        rows.iter().map(|row| row.label.parse::<f64>().ok().filter(|number| number.is_finite())).collect();
    let places: Vec<f64> = match numbers {
        Some(numbers) => {
            let least = numbers.iter().copied().fold(f64::MAX, f64::min);
            let most = numbers.iter().copied().fold(f64::MIN, f64::max);
            // Sizes that grow by factors stand as far apart as their factors.
            let by_factors = least > 0.0 && most / least >= FACTORS;
            let scale = |at: f64| if by_factors { libm::log(at) } else { at };
            if by_factors {
                unit.push_str(" (logarithmic)");
            }
            let range = scale(most) - scale(least);
            let place = |at: &f64| if range > 0.0 { (scale(*at) - scale(least)) / range } else { 0.5 };
            numbers.iter().map(place).collect()
        }
        None => (0..rows.len()).map(|at| (at as f64 + 0.5) / rows.len() as f64).collect(),
    };
    let (left, right, top) = (56.0, WIDTH - 30.0, legend_height(names) + 12.0);
    let bottom = top + 240.0;
    let across = |place: f64, run: usize| {
        // Runs stand a little apart, so that intervals do not hide each other.
        left + 14.0 + place * (right - left - 28.0) + (run as f64 - (names.len() as f64 - 1.0) / 2.0) * 5.0
    };
    let down = |share: f64| bottom - share * (bottom - top);
    let mut body = legend(names);
    for (at, label) in percents() {
        let y = down(at);
        let _ = write!(body, r#"<line class="grid" x1="{left:.1}" y1="{y:.1}" x2="{right:.1}" y2="{y:.1}"/>"#);
        let _ = write!(
            body,
            r#"<text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#,
            left - 6.0,
            y + 4.0
        );
    }
    let mut free = f64::MIN;
    for (row, place) in rows.iter().zip(&places) {
        let x = left + 14.0 + place * (right - left - 28.0);
        let label = one_line(&row.label, 12);
        let half = label.chars().count() as f64 * LETTER / 2.0;
        if x - half > free {
            let _ = write!(
                body,
                r#"<text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
                bottom + 16.0,
                escape(&label)
            );
            free = x + half + 4.0;
        }
    }
    for (run, name) in names.iter().enumerate() {
        let kind = run % KINDS;
        let seen: Vec<(f64, &Row, &Point)> = rows
            .iter()
            .zip(&places)
            .filter_map(|(row, place)| Some((across(*place, run), row, row.points.get(run)?.as_ref()?)))
            .collect();
        let path: Vec<String> = seen.iter().map(|(x, _, point)| format!("{x:.1},{:.1}", down(point.at))).collect();
        let _ = write!(body, r#"<g class="run{kind}"><polyline class="curve" points="{}"/>"#, path.join(" "));
        for (x, row, point) in seen {
            let (low, high) = (down(point.low), down(point.high));
            let tip = escape(&format!("{name_of_axis} {}, {name}: {}", row.label, point.words));
            let _ = write!(
                body,
                r#"<g><title>{tip}</title><line class="bar thin" x1="{x:.1}" y1="{low:.1}" x2="{x:.1}" y2="{high:.1}"/>"#
            );
            let _ = write!(body, "{}</g>", mark(kind, x, down(point.at)));
        }
        body.push_str("</g>");
    }
    let middle = (left + right) / 2.0;
    let _ = write!(
        body,
        r#"<text class="tick" x="{middle:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
        bottom + 34.0,
        escape(&unit)
    );
    let title = format!("{title}, in per cent, with intervals of 95 %");
    Figure { svg: svg(&title, bottom + 42.0, &body, &description(names, rows)), title }
}

fn svg(title: &str, height: f64, body: &str, description: &str) -> String {
    // Titles are told apart by the caption; ids would have to be.
    format!(
        r#"<svg role="img" viewBox="0 0 {WIDTH:.0} {height:.0}" aria-label="{0}"><title>{0}</title><desc>{1}</desc>{body}</svg>"#,
        escape(title),
        escape(description)
    )
}

/// What those hear who do not see it.
fn description(names: &[&str], rows: &[Row]) -> String {
    let mut parts = Vec::new();
    for row in rows {
        let points = row.points.iter().zip(names).filter_map(|(point, name)| {
            let words = &point.as_ref()?.words;
            Some(if names.len() > 1 { format!("{name} {words}") } else { words.clone() })
        });
        parts.push(format!("{}: {}", row.label, points.collect::<Vec<_>>().join(", ")));
    }
    parts.join("; ")
}

fn labels_width<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    let longest = labels.map(|label| label.chars().count().min(LABEL)).max().unwrap_or(0);
    (longest as f64 * LETTER + 20.0).max(60.0)
}

/// Legends stand three in a line; one run needs none.
fn legend_height(names: &[&str]) -> f64 {
    if names.len() < 2 { 0.0 } else { names.len().div_ceil(3) as f64 * 20.0 }
}

fn legend(names: &[&str]) -> String {
    let mut out = String::new();
    if names.len() < 2 {
        return out;
    }
    for (at, name) in names.iter().enumerate() {
        let (x, y, kind) = (14.0 + (at % 3) as f64 * 235.0, 12.0 + (at / 3) as f64 * 20.0, at % KINDS);
        let _ = write!(out, r#"<g class="run{kind}">{}</g>"#, mark(kind, x, y));
        let _ = write!(
            out,
            r#"<text class="label" x="{:.1}" y="{:.1}">{}</text>"#,
            x + 10.0,
            y + 4.0,
            escape(&one_line(name, LABEL))
        );
    }
    out
}

/// Each run's own form.
fn mark(kind: usize, x: f64, y: f64) -> String {
    let polygon = |points: &[(f64, f64)]| {
        let points: Vec<String> = points.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
        format!(r#"<polygon class="mark" points="{}"/>"#, points.join(" "))
    };
    match kind {
        0 => format!(r#"<circle class="mark" cx="{x:.1}" cy="{y:.1}" r="4"/>"#),
        1 => polygon(&[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)]),
        2 => polygon(&[(0.0, -5.0), (4.6, 3.6), (-4.6, 3.6)]),
        3 => polygon(&[(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)]),
        4 => polygon(&[(0.0, 5.0), (4.6, -3.6), (-4.6, -3.6)]),
        5 => polygon(&[(-5.0, -2.0), (5.0, -2.0), (5.0, 2.0), (-5.0, 2.0)]),
        6 => polygon(&[(-2.0, -5.0), (2.0, -5.0), (2.0, 5.0), (-2.0, 5.0)]),
        _ => polygon(&[(-5.0, 0.0), (-2.5, -4.3), (2.5, -4.3), (5.0, 0.0), (2.5, 4.3), (-2.5, 4.3)]),
    }
}

/// `85.0 % (64.0–94.8)`, for the page's first line.
pub fn headline(run: &RunReport) -> String {
    let share = &run.whole.share;
    format!("{} of {} right: {} % ({})", share.correct, share.of, points(share.accuracy), interval(share.interval))
}
