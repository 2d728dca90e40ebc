//! The report for programs. Its format is part of the interface, and described in the manual.

use serde_json::{Value as Json, json};
use statistics::Interval;

use crate::count::Count;
use crate::difficulty::Difficulty;
use crate::row::{Dirt, DirtCell, Row, Whole};
use crate::table::round_down;
use crate::trials::{MisreadCount, Shortcut, Trials, is_untested};
use crate::verdict::{find_reasons, is_toothless};

/// The version of the format.
const SCHEMA: u32 = 1;

/// Times in milliseconds, which depend on the machine and differ from run to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// The report has them.
    Included,
    /// The report is the same on every machine.
    Omitted,
}

/// Builds the report.
pub fn build_document(suite: &str, seed: &str, samples: u32, rows: &[Row], whole: &Whole, times: Times) -> Json {
    let tasks: Vec<Json> = rows.iter().map(|row| encode_row(row, times)).collect();
    let mut document = json!({
        "schema": SCHEMA,
        "suite": suite,
        "seed": seed,
        "samples": samples,
        "instances": whole.instances,
        "log10_instances": encode_count(whole.count),
        "guessing": round_number(whole.guessing),
        "good": rows.iter().all(|row| find_reasons(row).is_empty()),
    });
    if times == Times::Included {
        document["ms"] = round_number(whole.nanos as f64 / 1e6);
    }
    document["tasks"] = tasks.into();
    document
}

fn encode_row(row: &Row, times: Times) -> Json {
    let reasons: Vec<String> = find_reasons(row).into_iter().map(|reason| reason.id()).collect();
    let Interval { low, high } = row.commonest.interval;
    let constants: Vec<Json> =
        row.constants.iter().map(|(place, value)| json!({ "place": place, "value": parse_part(value) })).collect();
    let mut json = json!({
        "task": row.task,
        "variants": row.variants,
        "verdict": if !reasons.is_empty() { "weak" } else if row.is_static { "static" } else { "good" },
        "reasons": reasons,
        "instances": row.instances,
        "log10_instances": encode_count(row.count),
        "answers": row.answers,
        "entropy_bits": round_number(row.entropy),
        "commonest": {
            "answer": row.commonest.answer,
            "count": row.commonest.times,
            "share": round_number(row.commonest.share()),
            "low": round_number(low),
            "high": round_number(high),
        },
        "always_the_same": constants,
        "null_answers": row.nulls,
        "empty_answers": row.empties,
        "duplicates": row.duplicates,
        "acceptance": row.acceptance.map(round_number),
        "bytes": { "mean": row.mean_bytes, "most": row.most_bytes },
    });
    if let Some(rows) = &row.rows {
        let file =
            |(name, files, most): &(String, u64, u64)| json!({ "name": name, "files": files, "most_rows": most });
        let files: Vec<Json> = rows.files.iter().map(file).collect();
        json["each"] = json!({ "rows": rows.rows, "clusters": rows.clusters, "files": files });
    }
    encode_trials(&row.trials, &mut json);
    if !row.traps.is_empty() {
        let of_trap = |(name, told): &(String, u64)| json!({ "name": name, "differs": round_number(*told as f64 / row.judged.max(1) as f64) });
        json["traps"] = row.traps.iter().map(of_trap).collect();
    }
    if !row.dirt.is_empty() {
        json["dirt"] = row.dirt.iter().map(encode_dirt).collect();
    }
    if let (blind, described @ 1..) = row.blind {
        json["descriptions"] = json!({ "count": described, "blind": blind });
    }
    if times == Times::Included {
        json["ms"] = round_number(row.nanos as f64 / 1e6);
    }
    json
}

/// Adds what was tried on the instances.
fn encode_trials(trials: &Trials, json: &mut Json) {
    let of_reply = |one: &Shortcut| {
        json!({
            "reply": one.name,
            "count": one.times,
            "of": one.of,
            "share": round_number(one.share()),
            "low": round_number(one.interval.low),
            "high": round_number(one.interval.high),
        })
    };
    if let Some(best) = &trials.best {
        json["best_reply"] = of_reply(best);
    }
    if !trials.shortcuts.is_empty() {
        json["shortcuts"] = trials.shortcuts.iter().map(of_reply).collect();
    }
    if !trials.misreadings.is_empty() {
        let of_misreading = |one: &MisreadCount| {
            json!({
                "name": one.name,
                "differs": round_number(one.share()),
                "of": one.of,
                "untested": is_untested(one),
                "witness": one.witness,
                "open": one.open,
            })
        };
        json["misreadings"] = trials.misreadings.iter().map(of_misreading).collect();
    }
    let Difficulty { rows, filters, joins, magnitude, nearest } = trials.difficulty;
    json["difficulty"] = json!({
        "rows": round_number(rows),
        "filters": filters,
        "joins": joins,
        "log10_size": magnitude.map(round_number),
        "nearest_misreading": nearest.map(round_number),
    });
}

fn encode_dirt(dirt: &Dirt) -> Json {
    let cell = |cell: &DirtCell| {
        let surely = cell.surely as f64 / cell.instances.max(1) as f64;
        json!({ "axis": cell.axis, "instances": cell.instances, "changes": round_number(cell.share()), "surely": round_number(surely) })
    };
    json!({
        "name": dirt.name,
        "verdict": if is_toothless(dirt) { "toothless" } else { "good" },
        "cells": dirt.cells.iter().map(cell).collect::<Vec<_>>(),
    })
}

fn encode_count(count: Count) -> Json {
    json!({
        "least": round_down(count.least, 1e4),
        "most": count.most.map(round_number),
        "exact": count.is_exact(),
    })
}

/// Parts are kept as JSON text.
fn parse_part(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|_| Json::from(text))
}

/// Rounds to four places: the last digits of logarithms may differ between mathematics libraries.
fn round_number(number: f64) -> Json {
    Json::from((number * 1e4).round() / 1e4)
}
