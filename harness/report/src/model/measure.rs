//! Measures of a trial, and their distribution.

use records::{Money, Score};
use serde::Serialize;
use statistics::summary::Spread;

use super::lines::Line;

/// A measure with one value per trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Messages of the assistant.
    Rounds,
    /// Calls of tools.
    ToolCalls,
    /// Calls of SQL that failed and were followed by another.
    SqlRetries,
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

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 9] = [
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

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Measure::Rounds => "rounds",
            Measure::ToolCalls => "tool calls",
            Measure::SqlRetries => "SQL retries",
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
        if self == Measure::Cost { Money::UNITS } else { 1 }
    }

    /// Returns the value of one line in units; `None` if it is not reported.
    pub fn extract_value(self, score: &Score) -> Option<u64> {
        match self {
            Measure::Rounds => score.rounds.map(u64::from),
            Measure::ToolCalls => score.tool_calls.map(u64::from),
            Measure::SqlRetries => score.sql_retries.map(u64::from),
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
