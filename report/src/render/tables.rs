//! The tables of a report: one run in full, several side by side with a column each.

use statistics::accuracy::Over;
use statistics::proportion::percent;

use super::costs;
use super::section::{Cell, Column, Section};
use super::words::{accuracy, both, interval, one_line, p_value, points};
use crate::model::formats::{Cost, Formats, Output, Variant};
use crate::model::share::{Group, Share};
use crate::model::{Report, RunReport};

/// So many runs are told apart by the heads of columns; more make rows.
const TITLE: usize = 60;

/// All tables, in the order in which they are read. What a suite does not have (axes, tags, variants) has no table.
pub fn tables(report: &Report) -> Vec<Section> {
    let runs = &report.runs;
    let mut sections = vec![whole(runs)];
    sections.extend(statuses(runs));
    sections.extend(groups("Accuracy by task", "<task", runs, |run| run.tasks.clone()));
    sections.extend(formats(runs));
    sections.extend(axes(runs));
    sections.extend(matchers(runs));
    sections.extend(groups("Accuracy by tag", "<tag", runs, |run| run.tags.clone()));
    sections.extend(pass(runs));
    sections.extend(costs::tables(runs));
    sections.extend(progress(runs));
    sections.push(sizes(runs));
    sections
}

fn names(runs: &[RunReport]) -> Vec<&str> {
    runs.iter().map(|run| run.name.as_str()).collect()
}

/// Keys of all runs, in the order in which they first come.
pub(super) fn union<K: PartialEq>(keys: impl Iterator<Item = K>) -> Vec<K> {
    let mut all: Vec<K> = Vec::new();
    for key in keys {
        if !all.contains(&key) {
            all.push(key);
        }
    }
    all
}

/// PICARD paper, tables 1 and 6.
fn whole(runs: &[RunReport]) -> Section {
    let heads =
        ["<run", "<agent", "questions", "correct", "accuracy %", "95 % over samples", "95 % over tasks", "score %"];
    let mut section = Section::new("Overall", &heads).note(spoken_of(runs));
    for run in runs {
        let share = &run.whole.share;
        section.push(vec![
            Cell::text(&run.name),
            Cell::text(one_line(&run.agent, TITLE)),
            Cell::count(share.of),
            Cell::count(share.correct),
            Cell::number(accuracy(share), share.accuracy),
            Cell::number(interval(run.whole.over_samples), run.whole.over_samples.low),
            run.whole.over_tasks.map_or_else(Cell::none, |over| Cell::number(interval(over), over.low)),
            Cell::number(points(share.score), share.score),
        ]);
    }
    section
}

/// Of what the two intervals of the whole speak, and which one counts.
fn spoken_of(runs: &[RunReport]) -> String {
    let over = |wanted: Over| -> Vec<&str> {
        runs.iter().filter(|run| run.whole.over == wanted).map(|run| run.name.as_str()).collect()
    };
    let counts = match (over(Over::Samples).as_slice(), over(Over::Tasks).as_slice()) {
        (_, []) => "The one over samples counts".to_owned(),
        ([], _) => "The one over tasks counts".to_owned(),
        (samples, tasks) => {
            format!(
                "The one over samples counts for {}, the one over tasks for {}",
                samples.join(", "),
                tasks.join(", ")
            )
        }
    };
    format!(
        "Over samples: how it would do at fresh samples of these very tasks. Over tasks: how it would do at other tasks like these. {counts} \
         (`--over`, `--fail-under`)."
    )
}

/// Shown only where something did not end well.
fn statuses(runs: &[RunReport]) -> Option<Section> {
    let words = runs.first()?.statuses.iter().map(|(status, _)| status.word());
    let heads: Vec<&str> = std::iter::once("<run").chain(words).collect();
    let note = "What timed out, failed or is missing counts as wrong.";
    let mut section = Section::new("How trials ended", &heads).note(note);
    for run in runs {
        let counts = run.statuses.iter().map(|(_, count)| Cell::count(*count));
        section.push(std::iter::once(Cell::text(&run.name)).chain(counts).collect());
    }
    Some(section)
}

fn share_heads(first: &str) -> [&str; 6] {
    [first, "correct", "of", "accuracy %", "95 %", "score %"]
}

fn share_cells(name: &str, share: &Share) -> Vec<Cell> {
    vec![
        Cell::text(name),
        Cell::count(share.correct),
        Cell::count(share.of),
        Cell::number(accuracy(share), share.accuracy),
        Cell::number(interval(share.interval), share.interval.low),
        Cell::number(points(share.score), share.score),
    ]
}

/// A row a group: in full for one run, with a column each for several.
fn groups(title: &str, first: &str, runs: &[RunReport], of: impl Fn(&RunReport) -> Vec<Group>) -> Option<Section> {
    let all: Vec<Vec<Group>> = runs.iter().map(of).collect();
    let names = union(all.iter().flatten().map(|group| group.name.as_str()));
    if names.is_empty() {
        return None;
    }
    if let [groups] = all.as_slice() {
        let mut section = Section::new(title, &share_heads(first));
        for group in groups {
            section.push(share_cells(&group.name, &group.share));
        }
        return Some(section);
    }
    let mut section = side_by_side(title, first, runs).note("Accuracy in per cent, with its interval of 95 %.");
    for name in names {
        let cell = |groups: &Vec<Group>| match groups.iter().find(|group| group.name == name) {
            Some(group) => Cell::number(both(&group.share), group.share.accuracy),
            None => Cell::none(),
        };
        section.push(std::iter::once(Cell::text(name)).chain(all.iter().map(cell)).collect());
    }
    Some(section)
}

/// A table with a column a run.
fn side_by_side(title: &str, first: &str, runs: &[RunReport]) -> Section {
    let mut section = Section::new(title, &[first]);
    section.columns.extend(names(runs).into_iter().map(|name| Column { head: name.to_owned(), right: true }));
    section
}

/// PICARD paper, tables 7 and 8, and what each variant costs.
fn formats(runs: &[RunReport]) -> Vec<Section> {
    let tasks = union(runs.iter().flat_map(|run| &run.formats).map(|formats| formats.task.as_str()));
    let mut sections = Vec::new();
    for task in tasks {
        let found: Vec<(&str, &Formats)> = runs
            .iter()
            .filter_map(|run| Some((run.name.as_str(), run.formats.iter().find(|formats| formats.task == task)?)))
            .collect();
        sections.push(breakdown(task, &found));
        if found.iter().any(|(_, formats)| formats.file.is_some() && formats.direct.is_some()) {
            sections.push(outputs(task, &found));
        }
        sections.push(variant_costs(task, &found));
    }
    sections
}

/// Table 7.
fn breakdown(task: &str, found: &[(&str, &Formats)]) -> Section {
    let variants = union(found.iter().flat_map(|(_, formats)| &formats.variants).map(|variant| variant.name.as_str()));
    let mut section = Section::new(format!("Response formatting: {task}"), &["<run"]);
    for name in &variants {
        for head in [(*name).to_owned(), "%".to_owned()] {
            section.columns.push(Column { head, right: true });
        }
    }
    for (run, formats) in found {
        let mut cells = vec![Cell::text(*run)];
        for name in &variants {
            match formats.variants.iter().find(|variant| variant.name == *name) {
                Some(Variant { share, .. }) => cells.extend([
                    Cell::number(format!("{}/{}", share.correct, share.of), share.correct as f64),
                    Cell::number(accuracy(share), share.accuracy),
                ]),
                None => cells.extend([Cell::none(), Cell::none()]),
            }
        }
        section.push(cells);
    }
    section
}

/// Table 8.
fn outputs(task: &str, found: &[(&str, &Formats)]) -> Section {
    let heads = ["<run", "file output %", "direct output %", "overall %", "<weakness pattern"];
    let note = "File and direct output: variants whose answer goes into files, and into the reply. A weakness is named where the interval of 95 % \
                of the difference leaves 0 out.";
    let mut section = Section::new(format!("Output format instruction following: {task}"), &heads).note(note);
    let cell = |share: &Option<Share>| match share {
        Some(share) => Cell::number(accuracy(share), share.accuracy),
        None => Cell::none(),
    };
    for (run, formats) in found {
        section.push(vec![
            Cell::text(*run),
            cell(&formats.file),
            cell(&formats.direct),
            Cell::number(accuracy(&formats.overall), formats.overall.accuracy),
            Cell::text(formats.pattern.map_or("-", |pattern| pattern.words())),
        ]);
    }
    section
}

fn variant_costs(task: &str, found: &[(&str, &Formats)]) -> Section {
    let heads = ["<run", "<variant", "<output", "accuracy %", "95 %", "costs, points", "95 %", "lost", "won", "p"];
    let note = "Costs: against the run's best variant, over the same samples. Lost: right there and wrong here; won: the reverse. Tango's interval \
                of 95 %; p: permutation test over samples, after Holm.";
    let mut section = Section::new(format!("What each variant costs: {task}"), &heads).note(note);
    for (run, formats) in found {
        for variant in &formats.variants {
            let output = match variant.output {
                Output::File => "file",
                Output::Direct => "direct",
                Output::Mixed => "both",
            };
            let mut cells = vec![
                Cell::text(*run),
                Cell::text(&variant.name),
                Cell::text(output),
                Cell::number(accuracy(&variant.share), variant.share.accuracy),
                Cell::number(interval(variant.share.interval), variant.share.interval.low),
            ];
            cells.extend(match &variant.cost {
                Some(Cost { accuracy, interval, lost, won, p, .. }) => [
                    Cell::number(points(*accuracy), *accuracy),
                    Cell::number(format!("{} to {}", points(interval.low), points(interval.high)), interval.low),
                    Cell::count(*lost),
                    Cell::count(*won),
                    Cell::number(p_value(*p), *p),
                ],
                None => [Cell::text("best"), Cell::none(), Cell::none(), Cell::none(), Cell::none()],
            });
            section.push(cells);
        }
    }
    section
}

fn axes(runs: &[RunReport]) -> Vec<Section> {
    let curves = union(runs.iter().flat_map(|run| &run.axes).map(|curve| (curve.task.as_str(), curve.axis.as_str())));
    let section = |(task, axis): (&str, &str)| {
        groups(&format!("Accuracy by {axis}: {task}"), &format!("<{axis}"), runs, |run| {
            let curve = run.axes.iter().find(|curve| curve.task == task && curve.axis == axis);
            curve.map(|curve| curve.points.clone()).unwrap_or_default()
        })
    };
    curves.into_iter().filter_map(section).collect()
}

fn matchers(runs: &[RunReport]) -> Option<Section> {
    let words = union(runs.iter().flat_map(|run| &run.matchers).map(|matched| matched.matcher.as_str()));
    if words.is_empty() {
        return None;
    }
    let title = "Expectations met, by matcher";
    let mut section = if runs.len() == 1 {
        Section::new(title, &["<matcher", "met", "of", "%", "95 %"])
    } else {
        side_by_side(title, "<matcher", runs).note("In per cent, with its interval of 95 %.")
    };
    for word in words {
        let mut cells = vec![Cell::text(word)];
        for run in runs {
            let Some(matched) = run.matchers.iter().find(|matched| matched.matcher == word) else {
                cells.push(Cell::none());
                continue;
            };
            let share = percent(matched.correct, matched.of);
            let sort = matched.correct as f64 / matched.of as f64;
            if runs.len() == 1 {
                cells.extend([Cell::count(matched.correct), Cell::count(matched.of), Cell::number(share, sort)]);
                cells.push(Cell::number(interval(matched.interval), matched.interval.low));
            } else {
                cells.push(Cell::number(format!("{share} ({})", interval(matched.interval)), sort));
            }
        }
        section.push(cells);
    }
    Some(section)
}

fn pass(runs: &[RunReport]) -> Option<Section> {
    let most = runs.iter().map(|run| run.pass.len()).max().filter(|most| *most > 0)?;
    let note = "pass@k: at least one of k trials is right; pass^k: all of them are. In per cent, in the mean over instances, with the interval \
         over samples.";
    let mut section = Section::new("Several trials", &["<run", "k", "pass@k", "95 %", "pass^k", "95 %"]).note(note);
    for run in runs {
        for trials in run.pass.iter().take(most) {
            section.push(vec![
                Cell::text(&run.name),
                Cell::count(trials.k),
                Cell::number(points(trials.at_least_one), trials.at_least_one),
                Cell::number(interval(trials.at_least_one_interval), trials.at_least_one_interval.low),
                Cell::number(points(trials.all), trials.all),
                Cell::number(interval(trials.all_interval), trials.all_interval.low),
            ]);
        }
    }
    Some(section)
}

fn progress(runs: &[RunReport]) -> Vec<Section> {
    let mut sections = Vec::new();
    if runs.iter().all(|run| run.progress.points.len() < 2) {
        return sections;
    }
    let stops = {
        let mut stops = union(runs.iter().flat_map(|run| &run.progress.points).map(|point| point.samples));
        stops.sort_unstable();
        stops
    };
    let settled: Vec<String> = runs
        .iter()
        .map(|run| {
            format!(
                "{}from {} on",
                if runs.len() > 1 { format!("{} ", run.name) } else { String::new() },
                run.progress.settled
            )
        })
        .collect();
    let note = format!(
        "Accuracy after the first n samples of each task, in per cent, with the interval over samples. Within 2.5 points of the last: {}.",
        settled.join(", ")
    );
    let mut section = side_by_side("Progress with samples", "samples", runs).note(note);
    for stop in stops {
        let cell = |run: &RunReport| match run.progress.points.iter().find(|point| point.samples == stop) {
            Some(point) => Cell::number(both(&point.share), point.share.accuracy),
            None => Cell::none(),
        };
        section.push(std::iter::once(Cell::count(u64::from(stop))).chain(runs.iter().map(cell)).collect());
    }
    sections.push(section);
    sections
}

fn sizes(runs: &[RunReport]) -> Section {
    let note = "What an interval of ± so many points over samples of these tasks takes, at the accuracy that was seen.";
    let heads = ["<run", "± points", "instances", "samples of each task"];
    let mut section = Section::new("How many samples", &heads).note(note);
    for run in runs {
        for wanted in &run.sizes.wanted {
            let count = |count: Option<u64>| count.map_or_else(|| Cell::text("more than 10^9"), Cell::count);
            section.push(vec![
                Cell::text(&run.name),
                Cell::number(points(wanted.half_width), wanted.half_width),
                count(wanted.instances),
                count(wanted.samples),
            ]);
        }
    }
    section
}
