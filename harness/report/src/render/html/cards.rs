//! The top of the page: a card for each run, the best first, and one sentence.

use std::fmt::Write as _;

use statistics::Interval;

use super::escape::{escape_html, format_prose};
use super::marks::{self, AXIS};
use super::page::Page;
use crate::model::RunReport;
use crate::model::measure::Measure;
use crate::overview::{Overview, Side};
use crate::render::sentence::build_sentence;
use crate::render::words::{format_accuracy_percent, format_duration, format_interval, format_signed, from_to};

/// Writes the cards. Writing to a String cannot fail.
pub fn write_cards(out: &mut String, page: &Page<'_>, overview: &Overview) {
    let runs = &page.report.runs;
    out.push_str("<section id=\"summary\" aria-labelledby=\"summary-title\"><h2 id=\"summary-title\" class=\"unseen\">Summary</h2>");
    out.push_str("<ol class=\"cards\">");
    let best = overview.ranked.first().copied();
    for at in &overview.ranked {
        if let (Some(run), Some(side)) = (runs.get(*at), overview.sides.get(*at)) {
            let other = best.filter(|best| best != at).and_then(|best| Some(&runs.get(best)?.whole.share));
            let reference = page.choose_reference(other);
            write_card(out, (*at, run), side, runs, reference);
        }
    }
    out.push_str("</ol>");
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    if let Some(sentence) = build_sentence(&names, overview) {
        let _ = write!(out, "<p class=\"lead\">{}</p>", format_prose(&sentence));
    }
    out.push_str("</section>");
}

fn write_card(
    out: &mut String,
    (at, run): (usize, &RunReport),
    side: &Side,
    runs: &[RunReport],
    reference: Option<Interval>,
) {
    let share = &run.whole.share;
    let _ = write!(
        out,
        "<li class=\"card {}\" data-run=\"{at}\"><h3>{}<span>{}</span></h3><p class=\"big\">{}</p><p>{} of {} correct · <span class=\"ci\">95% CI {}</span></p>{}{AXIS}<dl>",
        marks::build_class(at),
        marks::draw_symbol(at),
        escape_html(&run.name),
        format_accuracy_percent(share),
        share.correct,
        share.of,
        format_interval(share.interval),
        marks::draw_scale(at, share, reference),
    );
    write_fact(out, "Not completed", &format!("{} of {}", side.unfinished, share.of));
    if let Some((_, time)) = side.spreads.iter().find(|(what, _)| *what == Measure::WallMs) {
        write_fact(out, "Median time", &format_duration(time.median));
    }
    match &side.behind {
        Some((best, difference, ends)) => {
            let name = runs.get(*best).map_or("", |run| run.name.as_str());
            let label = format!("Difference to {name}");
            write_fact(
                out,
                &label,
                &format!(
                    "{} points (95% CI {})",
                    replace_hyphens(&format_signed(*difference)),
                    replace_hyphens(&from_to(*ends))
                ),
            );
        }
        None if runs.len() > 1 => write_fact(out, "Difference to the best", "this run is the best"),
        None => {}
    }
    out.push_str("</dl></li>");
}

/// Replaces hyphens in numbers by minus signs: a line can end after a hyphen.
fn replace_hyphens(numbers: &str) -> String {
    numbers.replace('-', "−")
}

fn write_fact(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escape_html(name), escape_html(value));
}
