//! Converts a log of Inspect AI to a scored run.

use std::collections::BTreeMap;
use std::path::Path;

use model::DateTime;
use records::run::{BundleRef, LimitEnforcement, MAX_TRIALS};
use records::verdict::combine_verdicts;
use records::{Error, Ignored, Money, Reason, RunInfo, Score, StageScore, Status, Verdict};
use serde::Deserialize as _;
use serde_json::Value as Json;

use super::log::{Config, Header, Log, Sample, Suite, Usage, format_id};
use crate::RunData;
use crate::data::check_scores;

/// The options of `inspect score` for scores that cannot be used.
const SCORE_AGAIN: &str = "--scorer picardc/picard --action overwrite";

/// Reads a completed log of Inspect AI.
///
/// # Errors
/// The log cannot be read, is of another task, lacks samples, was not scored by `picardc`, or its scores were changed.
pub fn read_log(path: &Path, name: String) -> Result<RunData, Error> {
    let mut log = Log::open(path)?;
    let suite = log.parse_suite()?;
    let trials = log.header.eval.config.epochs.unwrap_or(1);
    if !(1..=MAX_TRIALS).contains(&trials) {
        let message = format!("`{}` has {trials} epochs, not 1 to {MAX_TRIALS}", disk::show_path(&path));
        return Err(Error::new_usage(message).help("run the suite with fewer epochs"));
    }
    let mut trial = Trials { suite: &suite, path, trials, again: 0, invalid: 0, all: BTreeMap::new() };
    for part in log.list_samples() {
        if let Some(sample) = log.archive.read_json::<Sample>(&part)? {
            trial.add_sample(&sample)?;
        }
    }
    let Trials { again, invalid, all, .. } = trial;
    let expected = check_complete(&log.header, path, trials, &all)?;
    let scores: Vec<Score> = all.into_values().collect();
    let help = format!("run `inspect score {} {SCORE_AGAIN}`", disk::show_path(&path));
    check_scores(&scores, path, &help)?;
    let mut warnings = Vec::new();
    if again > 0 {
        warnings.push(format!("{name}: {again} responses were scored more than once; the last score counts"));
    }
    if log.header.invalidated || invalid > 0 {
        warnings.push(format!(
            "{name}: {invalid} samples were declared invalid in Inspect (`inspect log invalidate`), and still count"
        ));
    }
    Ok(RunData {
        info: build_run_info(&log.header, suite, trials, expected),
        name,
        scores,
        ignored: Ignored::default(),
        warnings,
    })
}

fn build_run_info(header: &Header, suite: Suite, trials: u32, expected: u64) -> RunInfo {
    let eval = &header.eval;
    let version = eval.packages.get("inspect_ai").and_then(Json::as_str).unwrap_or("of an unknown version");
    let Config { time_limit, turn_limit, .. } = eval.config;
    RunInfo {
        schema: 1,
        bundle: BundleRef {
            sha256: suite.identity,
            suite: suite.suite,
            title: suite.title,
            version: suite.version,
            seed: suite.seed,
            instances: suite.instances,
            stages: suite.stages,
        },
        agent: match &eval.solver {
            Some(solver) => format!("inspect:{} {solver}", eval.model),
            None => format!("inspect:{}", eval.model),
        },
        expected,
        trials,
        timeout_s: time_limit.unwrap_or(0),
        max_rounds: turn_limit.unwrap_or(0),
        started: parse_seconds(&eval.created).unwrap_or(0),
        picardc: format!("{}, Inspect AI {version}", suite.picardc),
        tools: (suite.tools_ignored > 0).then_some(LimitEnforcement::Ignored),
        ..RunInfo::default()
    }
}

/// Parses a time of Inspect to seconds since 1970: `2026-11-23T22:15:00+00:00`, always in UTC.
fn parse_seconds(created: &str) -> Option<u64> {
    let at = DateTime::parse_iso(created.get(..19)?)?;
    u64::try_from(at.0).ok()
}

/// Checks that each epoch of each sample is in the log. Returns the number of trials.
fn check_complete(header: &Header, path: &Path, trials: u32, all: &BTreeMap<(u64, u32), Score>) -> Result<u64, Error> {
    let asked: Vec<String> = header.eval.dataset.sample_ids.iter().flatten().map(format_id).collect();
    let expected = asked.len() as u64 * u64::from(trials);
    let found = all.len() as u64;
    if found == expected && found > 0 {
        return Ok(expected);
    }
    let path = disk::show_path(&path);
    if found > expected {
        let message = format!("`{path}` has {found} samples, but its header lists {expected}");
        return Err(Error::new_usage(message).help("run the suite again"));
    }
    let message = format!("`{path}` has {found} of its {expected} samples: Inspect did not finish ({})", header.status);
    Err(Error::new_usage(message).help(format!("finish it with `inspect eval-retry {path}`, and give the new log")))
}

/// The trials of a log.
struct Trials<'a> {
    suite: &'a Suite,
    path: &'a Path,
    trials: u32,
    /// The number of trials that were scored more than once.
    again: u64,
    /// The number of trials that were declared invalid.
    invalid: u64,
    /// The scores by index of the instance and trial, which is the order of a bundle.
    all: BTreeMap<(u64, u32), Score>,
}

impl Trials<'_> {
    fn add_sample(&mut self, sample: &Sample) -> Result<(), Error> {
        let (id, trial) = (sample.name(), sample.epoch);
        let wrong = |what: String, help: &str| {
            Err(Error::new_usage(format!("`{}`: {what}", disk::show_path(&self.path))).help(help))
        };
        let score_again = format!("run `inspect score {} {SCORE_AGAIN}`", disk::show_path(&self.path));
        let unreadable = |error: serde_json::Error| {
            Error::new_usage(format!("`{}`: the metadata of `{id}`: {error}", disk::show_path(&self.path)))
                .help("use the picardc that wrote the log, or a newer one")
        };
        let Some(asked) = sample.parse_asked().map_err(unreadable)? else {
            return wrong(
                format!("sample `{id}` is not an instance of a suite"),
                "run the suite with `inspect eval picardc/suite -T path=FILE.pcd`",
            );
        };
        if asked.unanswered.id != id || trial == 0 || trial > self.trials {
            return wrong(
                format!("sample `{id}`, epoch {trial}, is not one of those that were asked"),
                "run the suite again",
            );
        }
        self.invalid += u64::from(sample.invalidation.is_some());
        let scorers = sample.list_scorers();
        self.again += u64::from(scorers.len() > 1);
        let ended = classify_end(sample);
        let scored = scorers.last().map(|name| sample.parse_score(name)).transpose().map_err(unreadable)?.flatten();
        let mut score = match scored {
            Some((scored, _)) if scored.identity != self.suite.identity => {
                return wrong(
                    format!("`{id}` was scored by another edition of the suite than the one that asked"),
                    &score_again,
                );
            }
            Some((_, false)) => {
                return wrong(
                    format!("the value of `{id}`, epoch {trial}, was edited: its verdicts do not give it"),
                    &score_again,
                );
            }
            Some((scored, true)) if ended.is_scored() => scored.score,
            None if ended.is_scored() => {
                return wrong(format!("`{id}`, epoch {trial}, has no score of `picardc/picard`"), &score_again);
            }
            // The trial counts as incorrect, regardless of its output.
            _ => clear_score(asked.unanswered.clone()),
        };
        if score.id != id {
            return wrong(format!("the score of `{id}` is of `{}`", score.id), &score_again);
        }
        score.trial = trial;
        score.status = ended;
        score.error = sample.error.as_ref().map(|error| error.message.clone());
        add_usage(&mut score, sample);
        if self.all.insert((asked.index, trial), score).is_some() {
            return wrong(format!("`{id}`, epoch {trial}, appears twice"), "run the suite again");
        }
        Ok(())
    }
}

/// Returns how a trial ended. A time limit counts as in a run of picardc; after any other limit, the output until then is scored.
fn classify_end(sample: &Sample) -> Status {
    match (&sample.error, &sample.limit) {
        (Some(_), _) => Status::Failed,
        (None, Some(limit)) if matches!(limit.kind.as_str(), "time" | "working") => Status::Timeout,
        (None, Some(_)) => Status::MaxRounds,
        (None, None) => Status::Done,
    }
}

/// Returns the score of an instance without a response that counts.
fn clear_score(mut score: Score) -> Score {
    let none = |verdicts: &mut Vec<Verdict>| {
        for verdict in verdicts {
            (verdict.score, verdict.reason, verdict.trap) = (0.0, Reason::NoResponse, None);
            verdict.differences.clear();
        }
    };
    none(&mut score.verdicts);
    (score.correct, score.score) = combine_verdicts(&score.verdicts);
    for stage in &mut score.stages {
        none(&mut stage.verdicts);
        *stage = StageScore::from_verdicts(&stage.stage, std::mem::take(&mut stage.verdicts));
    }
    score
}

/// Adds time, tokens, and tool calls from the log.
fn add_usage(score: &mut Score, sample: &Sample) {
    let small = |count: usize| u32::try_from(count).ok();
    let own = || sample.messages.iter().filter(|message| message.role == "assistant");
    score.rounds = small(own().count());
    score.tool_calls = small(own().filter_map(|message| message.tool_calls.as_ref()).map(Vec::len).sum());
    score.wall_ms = sample.total_time.filter(|time| *time >= 0.0).map(|time| (time * 1000.0).round() as u64);
    let used: Vec<Usage> = sample.model_usage.values().filter_map(|usage| Usage::deserialize(usage).ok()).collect();
    if used.is_empty() {
        return;
    }
    let read = |usage: &Usage| {
        let cached =
            usage.input_tokens_cache_read.unwrap_or(0).saturating_add(usage.input_tokens_cache_write.unwrap_or(0));
        usage.input_tokens.saturating_add(cached)
    };
    score.prompt_tokens = Some(used.iter().map(read).fold(0, u64::saturating_add));
    score.completion_tokens = Some(used.iter().map(|usage| usage.output_tokens).fold(0, u64::saturating_add));
    // With several models, the cost is known only if all report theirs.
    let costs = used.iter().map(|usage| usage.total_cost.as_ref().and_then(Money::from_json));
    score.cost = costs.reduce(|a, b| a?.checked_add(b?)).flatten();
}
