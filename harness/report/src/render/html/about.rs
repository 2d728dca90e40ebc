//! The agents and limits of the runs, and how intervals are computed.

use std::fmt::Write as _;

use records::run::Lakes;

use super::escape::{escape_html, format_prose};
use super::page::Page;
use super::table;
use crate::data::RunData;
use crate::render::section::Section;
use crate::render::words::format_count;

/// Writes the collapsed section; `whole` is the table of whole runs, `ended` that of statuses. Writing to a String cannot fail.
pub fn write_about(out: &mut String, page: &Page<'_>, whole: &Section, ended: &Section) {
    out.push_str("<details class=\"chapter\" id=\"details\"><summary><h2>Details</h2> <span class=\"dim\">agents, limits, digests, and how intervals are computed</span></summary>");
    for (at, run) in page.runs.iter().enumerate() {
        write_run(out, at, run);
    }
    table::write_table(out, whole, "details-whole");
    table::write_table(out, ended, "details-ended");
    out.push_str("<h3>How intervals are computed</h3>");
    for sentence in [
        "Every interval is a 95% confidence interval, clustered by sample: variants, axis values, and trials of one sample share its drawn values.",
        "The interval of a group (task, variant, axis value, tag) is Wilson's, and it generalizes to new samples of the same group.",
        "A difference of two runs of one bundle is computed instance by instance, with Tango's interval. Runs of different bundles are compared as two samples, with Newcombe's interval.",
        "The page “Reports” of picardc's manual (`docs/src/reference/reports.md`) has all formulas with their sources.",
    ] {
        let _ = write!(out, "<p>{}</p>", format_prose(sentence));
    }
    out.push_str("</details>");
}

fn write_run(out: &mut String, at: usize, run: &RunData) {
    let info = &run.info;
    table::open_section(out, &format!("details-run{at}"), &run.name);
    out.push_str("<dl class=\"about\">");
    let mut fact = |name: &str, html: String| {
        let _ = write!(out, "<div><dt>{name}</dt><dd>{html}</dd></div>");
    };
    let code = |text: &str| format!("<code>{}</code>", escape_html(text));
    fact("Agent", code(&info.agent));
    fact(
        "Suite",
        format!(
            "{} {}: {}",
            code(&info.bundle.suite),
            escape_html(&info.bundle.version),
            escape_html(&info.bundle.title)
        ),
    );
    fact("Seed", code(&info.bundle.seed));
    fact("Bundle", code(&info.bundle.sha256));
    let trials = u64::from(info.trials.max(1));
    fact("Instances", format!("{}, {} each", info.expected / trials, format_count(trials, "trial")));
    let seconds = (info.timeout_s > 0).then(|| format!("{} per trial", format_count(info.timeout_s, "second")));
    let rounds = (info.max_rounds > 0).then(|| format_count(u64::from(info.max_rounds), "round"));
    let limits: Vec<String> = seconds.into_iter().chain(rounds).collect();
    fact("Limits", if limits.is_empty() { "none".to_owned() } else { limits.join(", ") });
    if let Some(sandbox) = &info.sandbox {
        fact("Sandbox", escape_html(&sandbox.to_string()));
    }
    if let Some(lakes) = info.lakes {
        let form = match lakes {
            Lakes::Copied => "copied".to_owned(),
            Lakes::Linked => format!("linked if over 64 MiB ({})", code("--link-lakes")),
        };
        fact("Lakes", form);
    }
    if let Some(price) = &info.price {
        fact("Price of a million tokens", code(&price.to_string()));
    }
    if info.unverified {
        fact("Bundle check", format!("not verified ({})", code("--unverified")));
    }
    fact("Version", escape_html(&info.picardc));
    out.push_str("</dl></section>");
}
