//! What answers cost: rounds, calls, retries, tokens, time (PICARD paper, tables 2 to 5; schemadex's metrics).

use records::Score;
use serde::Serialize;

use super::lines::Line;
use crate::statistics::spread::Spread;

/// One measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Which.
    pub what: Measure,
    /// Of all lines that tell it.
    pub whole: Spread,
    /// By task; `None` where no line of a task tells it.
    #[serde(serialize_with = "super::as_map")]
    pub tasks: Vec<(String, Option<Spread>)>,
}

/// What is measured, once a trial.
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
    /// Milliseconds to the end.
    WallMs,
    /// Milliseconds to the first call of a tool.
    FirstToolMs,
    /// Milliseconds to the first SQL: how long it takes to discover the schema.
    FirstSqlMs,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 8] = [
        Measure::Rounds,
        Measure::ToolCalls,
        Measure::SqlRetries,
        Measure::PromptTokens,
        Measure::CompletionTokens,
        Measure::WallMs,
        Measure::FirstToolMs,
        Measure::FirstSqlMs,
    ];

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Measure::Rounds => "rounds",
            Measure::ToolCalls => "tool calls",
            Measure::SqlRetries => "SQL retries",
            Measure::PromptTokens => "tokens read",
            Measure::CompletionTokens => "tokens written",
            Measure::WallMs => "time, ms",
            Measure::FirstToolMs => "first tool call, ms",
            Measure::FirstSqlMs => "first SQL, ms",
        }
    }

    /// Of one line, if it tells.
    pub fn of(self, score: &Score) -> Option<u64> {
        match self {
            Measure::Rounds => score.rounds.map(u64::from),
            Measure::ToolCalls => score.tool_calls.map(u64::from),
            Measure::SqlRetries => score.sql_retries.map(u64::from),
            Measure::PromptTokens => score.prompt_tokens,
            Measure::CompletionTokens => score.completion_tokens,
            Measure::WallMs => score.wall_ms,
            Measure::FirstToolMs => score.first_tool_ms,
            Measure::FirstSqlMs => score.first_sql_ms,
        }
    }
}

/// Every measure that some line tells.
pub fn costs(lines: &[Line<'_>], tasks: &[(String, Vec<Line<'_>>)]) -> Vec<Cost> {
    let spread = |lines: &[Line<'_>], what: Measure| Spread::of(lines.iter().filter_map(|line| what.of(line.score)));
    let cost = |what: Measure| {
        let tasks = tasks.iter().map(|(task, lines)| (task.clone(), spread(lines, what))).collect();
        Some(Cost { what, whole: spread(lines, what)?, tasks })
    };
    Measure::ALL.into_iter().filter_map(cost).collect()
}
