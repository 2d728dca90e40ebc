//! `--stages`: how the stages of tasks are asked.

use api::Suite;
use clap::ValueEnum;
use model::suite::StageMode;

use crate::command_error::CommandError;

/// The option.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct StagesArg {
    /// How the stages of tasks are asked
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    pub stages: Mode,
}

/// What it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Not at all: tasks as if they had none
    #[default]
    Whole,
    /// One by one, instead of the task
    Each,
    /// The same, with the answers of the stages before
    Given,
    /// With the task: the agent writes the answer of each stage to steps.json
    Trace,
}

impl Mode {
    /// Converts the option for the library.
    pub fn to_stage_mode(self) -> StageMode {
        match self {
            Mode::Whole => StageMode::Whole,
            Mode::Each => StageMode::Each,
            Mode::Given => StageMode::Given,
            Mode::Trace => StageMode::Trace,
        }
    }
}

impl StagesArg {
    /// Applies the option to a suite.
    ///
    /// # Errors
    /// If stages are requested, but no task has any.
    pub fn apply_stages(self, suite: Suite) -> Result<Suite, CommandError> {
        let mode = self.stages.to_stage_mode();
        if !mode.is_whole() && suite.tasks().iter().all(|task| task.stages.is_empty()) {
            let message = format!("no task of the suite has a stage, so `--stages {}` asks nothing", mode.word());
            let help = "leave the option out, or add stages to a task";
            return Err(CommandError::new_usage(message, help));
        }
        Ok(suite.with_stages(mode))
    }
}
