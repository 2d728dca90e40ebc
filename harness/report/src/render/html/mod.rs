//! One self-contained HTML file. It answers in this order: how accurate, where the runs differ, what failed, at what cost, with what precision.
//! All output of agents is escaped. If that should fail, the content security policy of the page only allows the script with the stated digest, and
//! no access to any network.
//!
//! ```text
//! Page ─overview→ cards, comparison, failures, cost     topics → tables in each section, axes, stages, precision, about
//!                                                       axes, stages → chart → SVG
//! ```

mod about;
mod axes;
mod cards;
mod chart;
mod comparison;
mod cost;
mod escape;
mod failures;
mod marks;
mod page;
mod precision;
mod stages;
mod table;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::tables::{Topics, build_topics};
use super::words::format_count;
use crate::data::RunData;
use crate::model::Report;
use crate::model::lines::collect_unique;
use crate::overview::build_overview;
use escape::{escape_html, format_prose};
pub use page::Page;

/// The light and dark colors, as CSS variables.
pub const THEME: &str = include_str!("assets/theme.css");
const STYLE: &str = concat!(
    include_str!("assets/theme.css"),
    include_str!("assets/page.css"),
    include_str!("assets/comparison.css"),
    include_str!("assets/charts.css"),
    include_str!("assets/failures.css"),
    include_str!("assets/narrow.css"),
    include_str!("assets/print.css"),
);
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("assets/tables.js"),
    include_str!("assets/failures.js"),
    include_str!("assets/runs.js"),
    include_str!("assets/folds.js"),
);

/// Writes the page. Writing to a String cannot fail.
pub fn write_page(page: &Page<'_>) -> String {
    let overview = build_overview(page.runs, page.report);
    // The table of remaining states is left out: the details of each failure show them.
    let Topics { whole, ended, accuracy, axes, axes_of_tasks, stages, by, left: _, cost, precision } =
        build_topics(page.report);
    let mut out = build_head(&build_title(page.report));
    write_header(&mut out, page);
    write_navigation(&mut out, page);
    out.push_str("<main id=\"content\">");
    cards::write_cards(&mut out, page, &overview);
    comparison::write_comparison(&mut out, page, &overview, &accuracy);
    axes::write_axes(&mut out, page, &axes, &axes_of_tasks);
    stages::write_stages(&mut out, page, &stages);
    table::write_chapter(&mut out, "arms", "Arms", &by);
    failures::write_failures(&mut out, page, &overview);
    cost::write_costs(&mut out, page, &overview, &cost);
    precision::write_precision(&mut out, page, &precision);
    about::write_about(&mut out, page, &whole, &ended);
    let _ = write!(out, "</main><footer><p>Made by picardc.</p></footer><script>{SCRIPT}</script></body></html>");
    out.push('\n');
    out
}

/// Renders `desk 1.0.0: Order desk`.
fn build_title(report: &Report) -> String {
    report.runs.first().map_or_else(String::new, |run| format!("{} {}: {}", run.suite, run.version, run.title))
}

fn build_head(title: &str) -> String {
    let digest = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"referrer\" content=\"no-referrer\"><title>{}</title><style>{STYLE}</style></head><body>\
         <a class=\"skip\" href=\"#content\">Skip to content</a>",
        digest(STYLE),
        digest(SCRIPT),
        escape_html(title)
    )
}

/// Writes the title, one line for each bundle, and warnings.
fn write_header(out: &mut String, page: &Page<'_>) {
    let title = page.report.runs.first().map_or("", |run| run.title.as_str());
    let _ = write!(out, "<header><h1>{}</h1>", escape_html(title));
    for line in collect_unique(page.runs.iter().map(describe_run)) {
        let _ = write!(out, "<p class=\"dim\">{}</p>", escape_html(&line));
    }
    for warning in &page.report.warnings {
        let _ = write!(out, "<p class=\"warning\"><b>Warning:</b> {}</p>", format_prose(warning));
    }
    out.push_str("</header>");
}

/// Describes the bundle of a run: its suite, size, seed, and who built it.
fn describe_run(run: &RunData) -> String {
    let (info, bundle) = (&run.info, &run.info.bundle);
    let instances = info.expected / u64::from(info.trials.max(1));
    let trials = match info.trials {
        0 | 1 => String::new(),
        trials => format!(" × {}", format_count(u64::from(trials), "trial")),
    };
    format!(
        "{} {} · {}{trials} · seed {} · bundle {} · {}",
        bundle.suite,
        bundle.version,
        format_count(instances, "instance"),
        bundle.seed,
        bundle.sha256.get(..12).unwrap_or(&bundle.sha256),
        info.picardc
    )
}

/// Writes the sticky navigation: anchors, and the runs, which a script shows and hides.
fn write_navigation(out: &mut String, page: &Page<'_>) {
    out.push_str("<div class=\"sticky\"><nav aria-label=\"Contents\"><ul>");
    let has_axes = page.report.runs.iter().any(|run| !run.sweeps.is_empty());
    let has_stages = page.report.runs.iter().any(|run| run.stages.is_some());
    for (id, name, _) in [
        ("summary", "Summary", true),
        ("comparison", "Comparison", true),
        ("axes", "Axes", has_axes),
        ("stages", "Stages", has_stages),
        ("arms", "Arms", !page.report.by.is_empty()),
        ("failures", "Failures", true),
        ("cost", "Cost", true),
        ("details", "Details", true),
    ]
    .into_iter()
    .filter(|(.., shown)| *shown)
    {
        let _ = write!(out, "<li><a href=\"#{id}\">{name}</a></li>");
    }
    out.push_str("</ul></nav>");
    if page.report.runs.len() > 1 {
        out.push_str("<ul class=\"legend\" aria-label=\"Runs\">");
        for (at, run) in page.report.runs.iter().enumerate() {
            let _ = write!(
                out,
                "<li data-legend=\"{at}\">{}<span>{}</span></li>",
                marks::draw_symbol(at),
                escape_html(&run.name)
            );
        }
        out.push_str("</ul>");
    }
    out.push_str("</div>");
}
