//! What answers cost: rounds, calls, retries, tokens, money, time (PICARD paper, tables 2 to 5; schemadex's metrics).
//!
//! Arms (variants of a task, values of an axis) are told apart and never pooled: an agent that needs twice the tokens in one of two arms must not show the mean.

use records::{Money, Score};
use serde::Serialize;
use statistics::spread::Spread;

use super::arms::{Arms, arms};
use super::lines::{Line, groups};

/// One measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Which.
    pub what: Measure,
    /// Of all lines that tell it; `None` where a task has several arms.
    pub whole: Option<Spread>,
    /// By task; `None` where no line of a task tells it, and where the task has several arms.
    #[serde(serialize_with = "super::as_map")]
    pub tasks: Vec<(String, Option<Spread>)>,
    /// Arms of tasks, told apart and compared.
    pub arms: Vec<Arms>,
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
    /// Money, in the user's currency.
    Cost,
    /// Milliseconds to the end.
    WallMs,
    /// Milliseconds to the first call of a tool.
    FirstToolMs,
    /// Milliseconds to the first SQL: how long it takes to discover the schema.
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
    pub fn words(self) -> &'static str {
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

    /// So many of the parts that it is counted in are 1.
    pub fn parts(self) -> u64 {
        if self == Measure::Cost { Money::UNITS } else { 1 }
    }

    /// Of one line in such parts, if it tells.
    pub fn of(self, score: &Score) -> Option<u64> {
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

/// Every measure that some line tells.
pub fn costs(lines: &[Line<'_>], tasks: &[(String, Vec<Line<'_>>)]) -> Vec<Cost> {
    let several: Vec<bool> = tasks.iter().map(|(_, lines)| has_arms(lines)).collect();
    let cost = |what: Measure| {
        let whole = spread(lines, what)?;
        let of_task = |((task, lines), several): (&(String, Vec<Line<'_>>), &bool)| {
            (task.clone(), if *several { None } else { spread(lines, what) })
        };
        Some(Cost {
            what,
            whole: (!several.contains(&true)).then_some(whole),
            tasks: tasks.iter().zip(&several).map(of_task).collect(),
            arms: tasks.iter().flat_map(|(task, lines)| arms(task, lines, what)).collect(),
        })
    };
    Measure::ALL.into_iter().filter_map(cost).collect()
}

/// What the lines that tell a measure are like.
pub fn spread(lines: &[Line<'_>], what: Measure) -> Option<Spread> {
    Spread::of(lines.iter().filter_map(|line| what.of(line.score)), what.parts())
}

/// Whether a task has variants, or an axis of several values.
fn has_arms(lines: &[Line<'_>]) -> bool {
    groups(lines, |line| vec![(&line.score.variant, &line.score.axis)]).len() > 1
}
