//! Over logs that Inspect AI 0.3.285 wrote (`tests/python/inspect_logs.py`), as they are, and changed.

use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use records::{Captured, Status};
use serde_json::{Value as Json, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::archive::Archive;
use crate::{Details, RunData, Verification, build_report};

fn build_log_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs").join(name).with_extension("eval")
}

fn read_run_data(path: &Path) -> Result<RunData, records::Error> {
    RunData::read_run(path, "log".to_owned(), Verification::Required)
}

/// The parts of a log.
fn read_parts(name: &str) -> Vec<(String, Json)> {
    let mut archive = Archive::open(&build_log_path(name)).expect("a log");
    let names = archive.list_parts();
    names
        .into_iter()
        .map(|name| {
            let json = archive.read_json(&name).expect("JSON").expect("a part");
            (name, json)
        })
        .collect()
}

/// A zip file with these parts, not packed.
fn build_zip(parts: &[(String, Json)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, json) in parts {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        zip.start_file(name, options).expect("begun");
        zip.write_all(json.to_string().as_bytes()).expect("written");
    }
    zip.finish().expect("finished").into_inner()
}

/// What is said of a log with this content.
fn expect_refusal(bytes: &[u8]) -> (String, String) {
    let file = tempfile::Builder::new().suffix(".eval").tempfile().expect("a file");
    std::fs::write(file.path(), bytes).expect("written");
    let error = read_run_data(file.path()).expect_err("refused");
    let message = error.message.replace(&file.path().display().to_string(), "LOG");
    let help = error.help.expect("advice").replace(&file.path().display().to_string(), "LOG");
    (message, help)
}

/// What is said of a log in which the parts whose name ends so are changed.
fn expect_changed_refusal(name: &str, end: &str, change: impl Fn(&mut Json)) -> (String, String) {
    let mut parts = read_parts(name);
    let mut count = 0;
    for (_, json) in parts.iter_mut().filter(|(name, _)| name.ends_with(end)) {
        change(json);
        count += 1;
    }
    assert!(count > 0, "{name} has no part {end}");
    expect_refusal(&build_zip(&parts))
}

#[test]
fn tools_that_were_ignored_are_those_of_the_run() {
    assert_eq!(read_run_data(&build_log_path("good")).expect("a run").info.tools, None);
    let mut parts = read_parts("good");
    for (_, json) in parts.iter_mut().filter(|(name, _)| name.ends_with("header.json")) {
        json["eval"]["metadata"]["picard"]["tools_ignored"] = 6.into();
    }
    let file = tempfile::Builder::new().suffix(".eval").tempfile().expect("a file");
    std::fs::write(file.path(), build_zip(&parts)).expect("written");
    assert_eq!(read_run_data(file.path()).expect("a run").info.tools, Some(records::run::LimitEnforcement::Ignored));
}

#[test]
fn a_log_is_a_scored_run() {
    let run = read_run_data(&build_log_path("mixed")).expect("a run");
    assert_eq!((run.info.bundle.suite.as_str(), run.info.bundle.seed.as_str()), ("desk", "7"));
    assert_eq!((run.info.trials, run.info.expected, run.info.bundle.instances), (2, 12, 6));
    assert_eq!(run.info.agent, "inspect:mockllm/model unsteady");
    assert!(run.info.started > 1_700_000_000, "{}", run.info.started);
    assert!(run.warnings.is_empty(), "{:?}", run.warnings);
    let ends: Vec<_> =
        run.scores.iter().map(|score| (score.id.as_str(), score.trial, score.status, score.correct)).collect();
    assert_eq!(
        ends,
        [
            ("big_orders-1", 1, Status::Done, true),
            ("big_orders-1", 2, Status::Done, true),
            ("big_orders-2", 1, Status::Failed, false),
            ("big_orders-2", 2, Status::Done, true),
            ("big_orders-3", 1, Status::Timeout, false),
            ("big_orders-3", 2, Status::Done, true),
            ("total-1", 1, Status::MaxRounds, true),
            ("total-1", 2, Status::Done, true),
            ("total-2", 1, Status::Done, false),
            ("total-2", 2, Status::Done, false),
            ("total-3", 1, Status::Done, true),
            ("total-3", 2, Status::Done, true),
        ]
    );
    let failed = &run.scores[2];
    assert_eq!((failed.verdicts.len(), failed.score), (3, 0.0));
    assert!(failed.error.as_ref().is_some_and(|error| error.contains("the tool broke")), "{:?}", failed.error);
    let done = &run.scores[0];
    assert_eq!((done.prompt_tokens, done.completion_tokens, done.tool_calls), (Some(100), Some(20), Some(0)));
    assert!(done.wall_ms.is_some_and(|time| time < 60_000), "{:?}", done.wall_ms);
    let report = build_report(&[run], None);
    assert_eq!((report.runs[0].whole.share.correct, report.runs[0].whole.share.of), (8, 12));
}

/// Templates of prompts can show metadata.
#[test]
fn metadata_have_an_address_and_no_key() {
    let samples = read_parts("good").into_iter().filter(|(name, _)| name.starts_with("samples/"));
    let mut count = 0;
    for (name, sample) in samples {
        let ours = sample["metadata"]["picard"].as_object().expect("an object");
        let fields: Vec<&str> = ours.keys().map(String::as_str).collect();
        assert_eq!(fields, ["path", "sha256", "seed", "samples", "only", "identity", "index", "unanswered"], "{name}");
        for verdict in ours["unanswered"]["verdicts"].as_array().expect("verdicts") {
            assert!(verdict["subject"] == "reply" || verdict["subject"] == "file", "{name}: {verdict}");
            assert_eq!((&verdict["differences"], verdict.get("name")), (&json!([]), None), "{name}");
        }
        count += 1;
    }
    assert_eq!(count, 12);
}

#[test]
fn failures_show_what_was_asked_and_replied() {
    let path = build_log_path("mixed");
    let run = read_run_data(&path).expect("a run");
    let report = build_report(&[run], None);
    let details = Details::read_details(&path, &report.runs[0], 10).expect("details");
    assert_eq!((details.shown.len(), details.more), (4, 0));
    let wrong = details.shown.iter().find(|one| one.failure.id == "total-2").expect("shown");
    assert!(wrong.prompt.as_ref().is_some_and(|prompt| prompt.starts_with("What is ")), "{:?}", wrong.prompt);
    assert_eq!((wrong.reply.as_deref(), wrong.expected.len()), (Some("-1"), 1));
    assert_eq!(wrong.messages.iter().map(|said| said.role.as_str()).collect::<Vec<_>>(), ["user", "assistant"]);
    let late = details.shown.iter().find(|one| one.failure.id == "big_orders-3").expect("shown");
    assert_eq!(late.files[0], ("done/answer.txt".to_owned(), Captured::Absent));
    let few = Details::read_details(&path, &report.runs[0], 1).expect("details");
    assert_eq!((few.shown.len(), few.more), (1, 3));
}

#[test]
fn the_last_score_counts() {
    let (once, again) = (
        read_run_data(&build_log_path("mixed")).expect("a run"),
        read_run_data(&build_log_path("again")).expect("a run"),
    );
    let told = |run: &RunData| run.scores.iter().map(|score| (score.id.clone(), score.score)).collect::<Vec<_>>();
    assert_eq!(told(&once), told(&again));
    // The one that failed had no score before.
    assert_eq!(again.warnings, ["log: 11 responses were scored more than once; the last score counts"]);
}

#[test]
fn logs_that_give_no_run_are_refused() {
    let (message, help) = expect_refusal(&std::fs::read(build_log_path("open")).expect("read"));
    assert!(message.starts_with("`LOG` has 2 of its 12 samples: Inspect did not finish (error)"), "{message}");
    assert_eq!(help, "finish it with `inspect eval-retry LOG`, and give the new log");
    let header = |change: fn(&mut Json)| expect_changed_refusal("good", "header.json", change);
    let (message, _) = header(|json| json["eval"]["metadata"] = json!({}));
    assert_eq!(message, "`LOG` is a log of a task that picardc did not make");
    let (message, _) = header(|json| json["eval"]["metadata"]["picard"]["schema"] = 2.into());
    assert_eq!(message, "`LOG` is of schema 2, this picardc reads 1");
    let (message, _) = header(|json| json["eval"]["config"]["epochs"] = 5000.into());
    assert_eq!(message, "`LOG` has 5000 epochs, not 1 to 1000");
    let (message, _) = header(|json| json["eval"]["dataset"]["sample_ids"] = json!(["total-1"]));
    assert_eq!(message, "`LOG` has 12 samples, but its header lists 2");
    let (message, help) = header(|json| json["eval"]["metadata"]["picard"]["identity"] = "other".into());
    assert_eq!(message, "`LOG`: `big_orders-1` was scored by another edition of the suite than the one that asked");
    assert_eq!(help, "run `inspect score LOG --scorer picardc/picard --action overwrite`");
    let missing = read_run_data(Path::new("no/such.eval")).expect_err("refused");
    assert!(missing.message.starts_with("cannot read `no/such.eval`: "), "{}", missing.message);
    assert_eq!(expect_refusal(b"{}").0, "`LOG` is not a log of Inspect AI");
    assert_eq!(expect_refusal(&build_zip(&[])).0, "`LOG` is a zip file, but not a log of Inspect AI");
}

#[test]
fn scores_that_were_changed_are_refused() {
    let sample = |change: fn(&mut Json)| expect_changed_refusal("good", "total-1_epoch_1.json", change).0;
    let value = sample(|json| json["scores"]["picard"]["value"]["correct"] = 0.into());
    assert_eq!(value, "`LOG`: the value of `total-1`, epoch 1, was edited: its verdicts do not give it");
    let verdict = sample(|json| {
        json["scores"]["picard"]["metadata"]["picard"]["score"]["verdicts"][0]["reason"] = "differs".into()
    });
    assert_eq!(verdict, "`LOG` was changed: the verdicts of `total-1`, trial 1, do not give its score");
    assert_eq!(
        sample(|json| json["scores"] = json!({})),
        "`LOG`: `total-1`, epoch 1, has no score of `picardc/picard`"
    );
    assert_eq!(sample(|json| json["epoch"] = 2.into()), "`LOG`: `total-1`, epoch 2, appears twice");
    assert_eq!(
        sample(|json| json["id"] = "total-9".into()),
        "`LOG`: sample `total-9`, epoch 1, is not one of those that were asked"
    );
    assert_eq!(sample(|json| json["metadata"] = json!({})), "`LOG`: sample `total-1` is not an instance of a suite");
    // What failed is incorrect, whatever its metadata claims.
    let mut parts = read_parts("mixed");
    for (_, json) in parts.iter_mut().filter(|(name, _)| name.ends_with("big_orders-2_epoch_1.json")) {
        let unanswered = &mut json["metadata"]["picard"]["unanswered"];
        unanswered["correct"] = true.into();
        unanswered["score"] = 1.into();
        for verdict in unanswered["verdicts"].as_array_mut().expect("verdicts") {
            (verdict["score"], verdict["reason"]) = (1.into(), "right".into());
        }
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), build_zip(&parts)).expect("written");
    let run = read_run_data(file.path()).expect("a run");
    assert_eq!((run.scores[2].status, run.scores[2].correct, run.scores[2].score), (Status::Failed, false, 0.0));
}

/// A zip file of one part, of whose packing method, length, and checksum the list says this.
fn build_forged_zip(method: u16, packed: &[u8], length: u32, sum: u32) -> Vec<u8> {
    let name = b"header.json";
    let mut fields = Vec::new();
    fields.extend_from_slice(&method.to_le_bytes());
    fields.extend_from_slice(&[0; 4]);
    for number in [sum, packed.len() as u32, length] {
        fields.extend_from_slice(&number.to_le_bytes());
    }
    fields.extend_from_slice(&(name.len() as u16).to_le_bytes());
    fields.extend_from_slice(&0u16.to_le_bytes());
    let mut out = b"PK\x03\x04\x3f\0\0\0".to_vec();
    out.extend_from_slice(&fields);
    out.extend_from_slice(name);
    out.extend_from_slice(packed);
    let start = out.len() as u32;
    out.extend_from_slice(b"PK\x01\x02\x3f\0\x3f\0\0\0");
    out.extend_from_slice(&fields);
    out.extend_from_slice(&[0; 14]);
    out.extend_from_slice(name);
    let size = out.len() as u32 - start;
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&start.to_le_bytes());
    out.extend_from_slice(&[0; 2]);
    out
}

#[test]
fn parts_are_held_to_what_the_archive_states() {
    let sum = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum()
    };
    let damaged = "`LOG` is damaged: `header.json`: ";
    let of = |method, packed: &[u8], length, sum| expect_refusal(&build_forged_zip(method, packed, length, sum)).0;
    assert!(of(0, b"{}", 2, sum(b"{}")).starts_with(&format!("{damaged}missing field `eval`")));
    assert_eq!(of(0, b"{}", 2, 7), format!("{damaged}its checksum is not what the archive states"));
    assert!(of(12, b"{}", 2, 7).starts_with(&format!("{damaged}it is packed by a method that is not read")));
    assert!(of(93, b"{}", 2, 7).starts_with(damaged));
    assert!(of(8, b"\xff\xff", 2, 7).starts_with(damaged));
    assert!(of(0, b"{}", u32::MAX, 7).starts_with("`LOG` unpacks to more than 1000 times its "));
    // Frames of zstd that hold one byte many times over (RLE blocks of 128 KiB), and of which the list says that they are small.
    let block = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58][..], &[0x03, 0x00, 0x10, b' ']].concat();
    let bomb = block.repeat(64);
    assert_eq!(of(93, &bomb, 100, 7), format!("{damaged}its length is not the 100 bytes that the archive states"));
    assert_eq!(
        of(93, &bomb, 1 << 29, 7),
        format!("{damaged}its length is not the {} bytes that the archive states", 1 << 29)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A damaged log is refused or read, and nothing else happens.
    #[test]
    fn damage_is_told(cut in any::<prop::sample::Index>(), flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8), cuts in any::<bool>()) {
        let mut bytes = std::fs::read(build_log_path("good")).expect("read");
        for (at, to) in flips {
            let at = at.index(bytes.len());
            bytes[at] = to;
        }
        if cuts {
            bytes.truncate(cut.index(bytes.len()));
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), &bytes).expect("written");
        if let Err(error) = read_run_data(file.path()) {
            prop_assert!(error.message.contains(&file.path().display().to_string()), "{}", error.message);
        }
    }
}
