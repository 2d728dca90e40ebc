//! The options that `analyze` and `selftest` share, for their samples.

use analysis::RunOptions;
use api::{Options, Suite};
use runtime::Failure;

use crate::build::{parse_seed, report_failure};
use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::load_staged;
use crate::progress::{Bar, read_nanos};
use crate::stages::StagesArg;

/// The options of both, but for the number of samples.
#[derive(Debug, clap::Args)]
pub struct SamplingArgs {
    /// The suite
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Only tasks whose names match (`*` any characters, `?` one)
    #[arg(long, value_name = "GLOB")]
    task: Option<String>,
    #[command(flatten)]
    stages: StagesArg,
    /// A number or any text
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seed, allow_hyphen_values = true)]
    pub seed: String,
    /// Print one JSON document to stdout
    #[arg(long)]
    pub json: bool,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl SamplingArgs {
    /// Loads the suite if it has no errors; otherwise, returns the exit status.
    pub fn load_suite(&self, console: &Console) -> Result<Suite, CommandError> {
        load_staged(&self.file, self.stages, &Console { quiet: true, ..*console })
    }

    /// Selects the instances, with this number of samples of every task.
    pub fn build_options(&self, samples: u32) -> Options {
        Options { samples: Some(samples), task: self.task.clone(), ..Options::new(self.seed.as_str()) }
    }

    /// Builds the options of the work, whose progress is shown by a bar.
    pub fn build_effort<'a>(&self, bar: &'a Bar) -> RunOptions<'a> {
        RunOptions { threads: self.threads.map_or(0, usize::from), clock: Some(&read_nanos), progress: bar, stop: None }
    }

    /// Reports the instance that cannot be built, and returns the exit status.
    pub fn report_failure(&self, failure: &Failure, suite: &Suite, console: &Console) -> Exit {
        report_failure(failure, suite, &self.file, Options::SANDBOX_ROOT, console)
    }
}
