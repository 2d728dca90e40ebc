//! The report for programs.

use score::VariantKind;
use serde_json::{Map, Value as Json, json};

use super::row::Row;

/// Builds the report (docs: reference/selftest.md).
pub fn build_document(suite: &str, seed: &str, samples: u32, rows: &[Row]) -> Json {
    let task = |row: &Row| {
        json!({
            "task": row.task,
            "instances": row.instances,
            "oracle_correct": row.oracle,
            "null_correct": row.null,
            "null_score": row.null_score,
            "sound": row.is_sound(),
            "unmet": row.unmet.as_ref().map(|(id, why)| json!({ "id": id, "why": why })),
            "idle": row.idle,
            "tolerated": row.tolerated.as_ref().map(|(id, _)| id),
            "variants": count_variants(row),
            "examples": { "tried": row.examples.tried, "failed": row.examples.failed },
            "panel": {
                "tried": row.panel.tried,
                "correct": row.panel.correct,
                "first": row.panel.first.as_ref().map(|(id, reply)| json!({ "id": id, "reply": reply })),
            },
            "reader": (row.read > 0).then(|| json!({
                "instances": row.read,
                "correct": row.reader,
                "unjudged": row.unjudged,
                "unknown": row.unknown,
                "lost": row.lost.as_ref().map(|lost| json!({ "id": lost.id, "why": lost.why, "absent": lost.absent })),
            })),
        })
    };
    json!({
        "schema": 1,
        "suite": suite,
        "seed": seed,
        "samples": samples,
        "sound": rows.iter().all(Row::is_sound),
        "tasks": rows.iter().map(task).collect::<Vec<_>>(),
    })
}

/// Counts the variants of each kind.
fn count_variants(row: &Row) -> Map<String, Json> {
    let count = |kind: VariantKind| (kind.plural().to_owned(), row.variants.get(&kind).copied().unwrap_or(0).into());
    VariantKind::ALL.into_iter().map(count).collect()
}
