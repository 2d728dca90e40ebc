//! Quantities by which arms are compared, besides accuracy.

use records::attempt::{Class, iter_scored};
use records::{Money, Score};
use serde::Serialize;

/// An amount of a response whose mean is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gauge {
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
}

/// The unit of scores: they are counted to nine places.
const SCORE_PARTS: f64 = 1e9;

impl Gauge {
    /// All of them.
    pub const ALL: [Gauge; 9] = [
        Gauge::Score,
        Gauge::RetriesUntilRight,
        Gauge::WastedCalls,
        Gauge::SqlRetries,
        Gauge::ToolCalls,
        Gauge::Rounds,
        Gauge::PromptTokens,
        Gauge::CompletionTokens,
        Gauge::Cost,
    ];

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Gauge::Score => "score",
            Gauge::RetriesUntilRight => "retries until right",
            Gauge::WastedCalls => "wasted SQL calls",
            Gauge::SqlRetries => "SQL retries",
            Gauge::ToolCalls => "tool calls",
            Gauge::Rounds => "rounds",
            Gauge::PromptTokens => "tokens read",
            Gauge::CompletionTokens => "tokens written",
            Gauge::Cost => "cost",
        }
    }

    /// Returns the number of units that make 1.
    pub fn parts_per_unit(self) -> u64 {
        match self {
            Gauge::Score => SCORE_PARTS as u64,
            Gauge::Cost => Money::UNITS,
            _ => 1,
        }
    }

    /// Returns the amount of one response in units; `None` if it is not reported.
    pub fn extract_value(self, score: &Score) -> Option<u64> {
        match self {
            Gauge::Score => Some((score.score * SCORE_PARTS).round() as u64),
            Gauge::RetriesUntilRight => score.first_right.map(|first| u64::from(first.saturating_sub(1))),
            Gauge::WastedCalls => score
                .attempts
                .as_deref()
                .map(|attempts| iter_scored(attempts).filter(|one| one.class != Class::Right).count() as u64),
            Gauge::SqlRetries => score.sql_retries.map(u64::from),
            Gauge::ToolCalls => score.tool_calls.map(u64::from),
            Gauge::Rounds => score.rounds.map(u64::from),
            Gauge::PromptTokens => score.prompt_tokens,
            Gauge::CompletionTokens => score.completion_tokens,
            Gauge::Cost => score.cost.map(Money::units),
        }
    }
}

/// A time of a response, in milliseconds, whose median is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// To the first SQL: the time to discover the schema.
    FirstSqlMs,
    /// To the end.
    WallMs,
}

impl Pace {
    /// All of them.
    pub const ALL: [Pace; 2] = [Pace::FirstSqlMs, Pace::WallMs];

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Pace::FirstSqlMs => "time to first SQL",
            Pace::WallMs => "time",
        }
    }

    /// Returns the time of one response; `None` if it is not reported.
    pub fn extract_value(self, score: &Score) -> Option<u64> {
        match self {
            Pace::FirstSqlMs => score.first_sql_ms,
            Pace::WallMs => score.wall_ms,
        }
    }
}
