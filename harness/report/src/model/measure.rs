//! Measures of a trial, and their distribution.

use records::attempt::{Class, iter_scored};
use records::{Money, Score};
use serde::Serialize;
use statistics::summary::Spread;

use super::lines::Line;

/// A measure with one value per trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The score, 0 to 1.
    Score,
    /// Attempts at SQL before the first right one, for responses that have one.
    RetriesUntilRight,
    /// Attempts at SQL that are not right.
    WastedCalls,
    /// Calls of SQL that failed and were followed by another.
    SqlRetries,
    /// Calls of tools.
    ToolCalls,
    /// Messages of the assistant.
    Rounds,
    /// Tokens read.
    PromptTokens,
    /// Tokens written.
    CompletionTokens,
    /// Money, in the user's currency.
    Cost,
    /// Milliseconds to the end.
    WallMs,
    /// Milliseconds to the first call of a tool.
    FirstToolMs,
    /// Milliseconds to the first SQL: the time to discover the schema.
    FirstSqlMs,
}

/// The unit of scores: they are counted to nine places.
const SCORE_PARTS: f64 = 1e9;

impl Measure {
    /// What a response costs.
    pub const COSTS: [Measure; 9] = [
        Measure::Rounds,
        Measure::ToolCalls,
        Measure::SqlRetries,
        Measure::PromptTokens,
        Measure::CompletionTokens,
        Measure::Cost,
        Measure::WallMs,
        Measure::FirstToolMs,
        Measure::FirstSqlMs,
    ];

    /// The amounts by whose mean arms are compared.
    pub const AMOUNTS: [Measure; 9] = [
        Measure::Score,
        Measure::RetriesUntilRight,
        Measure::WastedCalls,
        Measure::SqlRetries,
        Measure::ToolCalls,
        Measure::Rounds,
        Measure::PromptTokens,
        Measure::CompletionTokens,
        Measure::Cost,
    ];

    /// The times by whose median arms are compared.
    pub const TIMES: [Measure; 2] = [Measure::FirstSqlMs, Measure::WallMs];

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Measure::Score => "score",
            Measure::RetriesUntilRight => "retries until right",
            Measure::WastedCalls => "wasted SQL calls",
            Measure::SqlRetries => "SQL retries",
            Measure::ToolCalls => "tool calls",
            Measure::Rounds => "rounds",
            Measure::PromptTokens => "tokens read",
            Measure::CompletionTokens => "tokens written",
            Measure::Cost => "cost",
            Measure::WallMs => "time, ms",
            Measure::FirstToolMs => "first tool call, ms",
            Measure::FirstSqlMs => "first SQL, ms",
        }
    }

    /// Returns the number of units that make 1.
    pub fn parts_per_unit(self) -> u64 {
        match self {
            Measure::Score => SCORE_PARTS as u64,
            Measure::Cost => Money::UNITS,
            _ => 1,
        }
    }

    /// Returns the value of one response in units; `None` if it is not reported.
    pub fn extract_value(self, score: &Score) -> Option<u64> {
        match self {
            Measure::Score => Some((score.score * SCORE_PARTS).round() as u64),
            Measure::RetriesUntilRight => score.first_right.map(|first| u64::from(first.saturating_sub(1))),
            Measure::WastedCalls => score
                .attempts
                .as_deref()
                .map(|attempts| iter_scored(attempts).filter(|one| one.class != Class::Right).count() as u64),
            Measure::SqlRetries => score.sql_retries.map(u64::from),
            Measure::ToolCalls => score.tool_calls.map(u64::from),
            Measure::Rounds => score.rounds.map(u64::from),
            Measure::PromptTokens => score.prompt_tokens,
            Measure::CompletionTokens => score.completion_tokens,
            Measure::Cost => score.cost.map(Money::units),
            Measure::WallMs => score.wall_ms,
            Measure::FirstToolMs => score.first_tool_ms,
            Measure::FirstSqlMs => score.first_sql_ms,
        }
    }
}

/// Computes the distribution over the lines that report a measure.
pub fn compute_spread(lines: &[Line<'_>], what: Measure) -> Option<Spread> {
    Spread::from_values(lines.iter().filter_map(|line| what.extract_value(line.score)), what.parts_per_unit())
}
