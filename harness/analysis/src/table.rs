//! The report for people.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use model::value::group_digits;
use statistics::Interval;
use statistics::clustered::FEWEST_CLUSTERS;

use crate::answers::truncate_text;
use crate::count::Count;
use crate::row::{AskedRows, Dirt, Row, Whole};
use crate::trials::is_untested;
use crate::verdict::{find_reasons, is_toothless};

/// The maximum length of an answer that is shown, in characters.
const ANSWER: usize = 40;
/// The maximum number of constant parts of an answer that are listed.
const PARTS: usize = 5;

const HEAD: [&str; 8] = ["task", "instances", "answers", "bits", "guess", "95%", "files", "time"];

/// Renders the table with a verdict and notes under each row, and a line for the suite. Writing to a String cannot fail.
pub fn render_table(rows: &[Row], whole: &Whole, seed: &str) -> String {
    let mut out = String::new();
    let cells: Vec<[String; 8]> = [HEAD.map(str::to_owned)].into_iter().chain(rows.iter().map(render_cells)).collect();
    let width =
        |at: usize| cells.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    for (at, line) in cells.iter().enumerate() {
        let mut text = String::new();
        for ((place, cell), width) in line.iter().enumerate().zip(&widths) {
            // Names are left-aligned, numbers right-aligned.
            let _ = if place == 0 { write!(text, "{cell:<width$}") } else { write!(text, "  {cell:>width$}") };
        }
        let _ = writeln!(out, "{}", text.trim_end());
        if let Some(row) = at.checked_sub(1).and_then(|at| rows.get(at)) {
            write_notes(&mut out, row);
        }
    }
    let good = rows.iter().filter(|row| find_reasons(row).is_empty()).count();
    let _ = writeln!(
        out,
        "\n{} instances built with seed {seed}, {} in all; guessing earns {}; {good} of {} good",
        group_digits(whole.instances),
        render_power(whole.count),
        render_percent(whole.guessing),
        rows.len()
    );
    out
}

/// Renders `task`, or `task variant, variant`.
pub fn render_name(row: &Row) -> String {
    if row.variants.is_empty() { row.task.clone() } else { format!("{} {}", row.task, row.variants.join(", ")) }
}

fn render_cells(row: &Row) -> [String; 8] {
    let Interval { low, high } = row.guess_interval();
    [
        render_name(row),
        render_power(row.count),
        group_digits(row.answers),
        format!("{:.2}", row.entropy),
        render_percent(row.guess_share()),
        format!("{:.1}–{:.1}", low * 100.0, high * 100.0),
        render_bytes(row.mean_bytes),
        format!("{:.2} ms", row.nanos as f64 / 1e6),
    ]
}

fn write_notes(out: &mut String, row: &Row) {
    let reasons = find_reasons(row);
    let words: Vec<&str> = reasons.iter().map(|reason| reason.label()).collect();
    let sound = if row.is_static { "static" } else { "good" };
    let verdict = if words.is_empty() { sound.to_owned() } else { words.join(", ") };
    let _ = writeln!(out, "  {verdict}");
    if let Some(rows) = &row.rows {
        write_data_set(out, rows);
    }
    if row.commonest.times > 1 {
        let answer = truncate_text(&row.commonest.answer.replace(['\n', '\r'], " "), ANSWER);
        let _ = writeln!(
            out,
            "  commonest answer, {} of {}: {answer}",
            group_digits(row.commonest.times),
            group_digits(row.commonest.of)
        );
    }
    write_trials(out, row);
    let of = |count: u64, what: &str, out: &mut String| {
        if count > 0 {
            let _ = writeln!(out, "  {what}: {} of {}", group_digits(count), group_digits(row.instances));
        }
    };
    of(row.nulls, "answers with null", out);
    of(row.empties, "empty answers", out);
    let (blind, described) = row.blind;
    if blind > 0 {
        let (blind, described) = (group_digits(blind), group_digits(described));
        let _ = writeln!(out, "  descriptions that name nothing of the expected query: {blind} of {described}");
    }
    of(row.duplicates, "repeat an earlier instance", out);
    for (trap, told) in &row.traps {
        let share = *told as f64 / row.judged.max(1) as f64;
        let _ = writeln!(out, "  trap `{trap}` differs from the answer in {} of instances", render_percent(share));
    }
    for dirt in &row.dirt {
        let what = match dirt.name.contains('.') {
            true => model::mistake::describe_mistake(&dirt.name),
            false => format!("rows of `{}` taken too", dirt.name),
        };
        let verdict = if is_toothless(dirt) { "; toothless" } else { "" };
        let _ = writeln!(out, "  {what}: would change the answer in {}{verdict}", describe_shares(dirt));
    }
    if let Some(share) = row.acceptance {
        let _ = writeln!(out, "  `require` accepts {} of draws", render_percent(share));
    }
    for (place, value) in row.constants.iter().take(PARTS) {
        let _ = writeln!(out, "  always the same: {place} = {}", truncate_text(value, ANSWER));
    }
    if row.constants.len() > PARTS {
        let _ = writeln!(out, "  always the same: {} more", row.constants.len() - PARTS);
    }
}

/// Writes replies that need little work, and misreadings that the data rarely tells from the answer.
fn write_trials(out: &mut String, row: &Row) {
    let of = |times: u64, of: u64| format!("{} of {}", group_digits(times), group_digits(of));
    if let Some(best) = &row.trials.best {
        let text = truncate_text(&best.name.replace(['\n', '\r'], " "), ANSWER);
        let _ = writeln!(out, "  best constant reply, accepted in {}: {text}", of(best.times, best.of));
    }
    for one in &row.trials.shortcuts {
        let _ = writeln!(out, "  shortcut, accepted in {}: {}", of(one.times, one.of), one.name);
    }
    for one in row.trials.misreadings.iter().filter(|one| is_untested(one)).take(PARTS) {
        let first = one.witness.as_ref().map_or(String::new(), |id| format!(", first in {id}"));
        let _ = writeln!(out, "  untested: {} changes the answer in {}{first}", one.name, of(one.differs, one.of));
    }
    for one in row.trials.misreadings.iter().filter(|one| one.open > 0) {
        let first = one.witness.as_ref().map_or(String::new(), |id| format!(", first in {id}"));
        let _ = writeln!(
            out,
            "  open: {}, which the prompt allows, changes the answer in {}{first}",
            one.name,
            of(one.open, one.of)
        );
    }
}

/// Writes the number of rows, and how many of them share a file: those are similar.
fn write_data_set(out: &mut String, rows: &AskedRows) {
    let clusters = rows.clusters.map_or(String::new(), |clusters| format!(" in {} clusters", group_digits(clusters)));
    let _ = writeln!(out, "  {} rows{clusters}", group_digits(rows.rows));
    if rows.has_few_clusters() {
        let fewest = FEWEST_CLUSTERS;
        let _ = writeln!(
            out,
            "  with fewer than {fewest} clusters, intervals are wide and no difference is significant: use rows of {fewest} clusters or more"
        );
    }
    for (name, files, most) in &rows.files {
        let s = if *files == 1 { "" } else { "s" };
        let _ = write!(out, "  `{name}`: {} file{s}, at most {} rows each", group_digits(*files), group_digits(*most));
        let alone = rows.clusters.is_none() && *most > 1;
        let _ =
            writeln!(out, "{}", if alone { "; rows of one file are alike: name their cluster with `by`" } else { "" });
    }
}

/// Renders `40.0% of instances` if the share is the same in all cells of the axes, otherwise `12.0% (some), 40.0% (much) of instances`.
fn describe_shares(dirt: &Dirt) -> String {
    let all: BTreeSet<String> = dirt.cells.iter().map(|cell| render_percent(cell.share())).collect();
    let each = dirt.cells.iter().map(|cell| format!("{} ({})", render_percent(cell.share()), cell.axis.join("-")));
    let said = match all.first().filter(|_| all.len() == 1) {
        Some(one) => one.clone(),
        None => each.collect::<Vec<_>>().join(", "),
    };
    format!("{said} of instances")
}

fn render_percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// Renders `10^12.3`, or `≥ 10^5.2` for a lower bound.
fn render_power(count: Count) -> String {
    format!("{}10^{:.1}", if count.is_exact() { "" } else { "≥ " }, round_down(count.least, 10.0))
}

/// Rounds down: a lower bound must not be rounded up.
pub fn round_down(number: f64, units: f64) -> f64 {
    (number * units + 1e-6).floor() / units
}

fn render_bytes(number: u64) -> String {
    match number {
        0 => "-".to_owned(),
        1..1_000 => format!("{number} B"),
        1_000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        _ => format!("{:.1} MB", number as f64 / 1e6),
    }
}
