//! One HTML file that needs nothing else: charts, sortable tables, and all that went wrong. Whatever an agent replied is escaped; should that ever
//! fail, the page's own policy lets no script run but the one whose digest it names, and asks nothing of any network.

mod charts;
mod escape;
mod failures;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::section::{Cell, Section};
use super::tables::tables;
use crate::details::Details;
use crate::model::Report;
use escape::escape;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page; `details` are those of each run, in order. Writing to a String cannot fail.
pub fn write(report: &Report, details: &[Details]) -> String {
    let sections = tables(report);
    let title =
        report.runs.first().map_or_else(String::new, |run| format!("{} {}: {}", run.suite, run.version, run.title));
    let mut out = head(&title);
    let _ = write!(out, "<header><h1>{}</h1>", escape(&title));
    for run in &report.runs {
        let _ = write!(
            out,
            "<p><b>{}</b> ({}): {}. Seed <code>{}</code>, bundle <code>{}</code>.</p>",
            escape(&run.name),
            escape(&run.agent),
            escape(&charts::headline(run)),
            escape(&run.seed),
            escape(run.bundle_sha256.get(..12).unwrap_or(&run.bundle_sha256))
        );
    }
    for warning in &report.warnings {
        let _ = write!(out, "<p class=\"warning\"><b>Warning:</b> {}</p>", escape(warning));
    }
    out.push_str("</header>");
    contents(&mut out, &sections);
    out.push_str("<main id=\"content\"><section aria-labelledby=\"charts\"><h2 id=\"charts\">Charts</h2>");
    for figure in charts::figures(report) {
        let _ = write!(out, "<figure>{}<figcaption>{}</figcaption></figure>", figure.svg, escape(&figure.title));
    }
    out.push_str("</section>");
    for (at, section) in sections.iter().enumerate() {
        table(&mut out, section, at);
    }
    out.push_str("<section aria-labelledby=\"failures\"><h2 id=\"failures\">Failures</h2>");
    for (run, details) in report.runs.iter().zip(details) {
        if report.runs.len() > 1 {
            let _ = write!(out, "<h3>{}</h3>", escape(&run.name));
        }
        failures::write(&mut out, run, details);
    }
    let _ =
        write!(out, "</section></main><footer><p>Made by picardc.</p></footer><script>{SCRIPT}</script></body></html>");
    out.push('\n');
    out
}

fn head(title: &str) -> String {
    let digest = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"referrer\" content=\"no-referrer\"><title>{}</title><style>{STYLE}</style></head><body>\
         <a class=\"skip\" href=\"#content\">Skip to content</a>",
        digest(STYLE),
        digest(SCRIPT),
        escape(title)
    )
}

fn contents(out: &mut String, sections: &[Section]) {
    out.push_str("<nav aria-label=\"Contents\"><ul><li><a href=\"#charts\">Charts</a></li>");
    for (at, section) in sections.iter().enumerate() {
        let _ = write!(out, "<li><a href=\"#table{at}\">{}</a></li>", escape(&section.title));
    }
    out.push_str("<li><a href=\"#failures\">Failures</a></li></ul></nav>");
}

fn table(out: &mut String, section: &Section, at: usize) {
    let title = escape(&section.title);
    let _ = write!(out, "<section aria-labelledby=\"table{at}\"><h2 id=\"table{at}\">{title}</h2>");
    let _ = write!(
        out,
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table class=\"sortable\"><caption>{title}</caption><thead><tr>"
    );
    for column in &section.columns {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(column.right), escape(&column.head));
    }
    out.push_str("</tr></thead><tbody>");
    for row in &section.rows {
        out.push_str("<tr>");
        for (at, (cell, column)) in row.iter().zip(&section.columns).enumerate() {
            let (open, close) = if at == 0 { ("<th scope=\"row\"", "</th>") } else { ("<td", "</td>") };
            let _ = write!(out, "{open}{}{}>{}{close}", class(column.right), sort(cell), escape(&cell.text));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    if !section.note.is_empty() {
        let _ = write!(out, "<p class=\"note\">{}</p>", escape(&section.note));
    }
    out.push_str("</section>");
}

fn class(right: bool) -> &'static str {
    if right { " class=\"number\"" } else { "" }
}

fn sort(cell: &Cell) -> String {
    cell.sort.map_or_else(String::new, |sort| format!(" data-sort=\"{sort:.9}\""))
}
