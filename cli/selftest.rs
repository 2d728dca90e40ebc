//! `picardc selftest`: checks that the answer key can be met, that doing nothing does not meet it, and that it can be computed from the files. The crate
//! `analysis` does the work.

use analysis::selftest::Selftest;
use api::Suite;
use host::open_instances;
use runtime::Failure;

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::progress::Bar;
use crate::sampling_args::SamplingArgs;

/// Check that a perfect agent scores 100% and an idle one 0%
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Build samples in memory (all cells and variants) and score baseline agents on each. The oracle writes its answer \
                  from the answer key, and null does nothing. If the oracle is not always correct, an answer key cannot be met. If null \
                  is ever correct, a task asks for nothing. Where tables are written with styles or from other tables, the reader answers \
                  from what it reads in the files; if it is not always correct, the files do not have the answer. With `--stages trace`, \
                  all are scored at every stage, too. No files are written.",
    after_help = "Exit status: 0 the oracle and the reader are always correct and null never is; 1 otherwise, or if there are errors or a sample cannot \
                  be built.\n\nExample:\n  picardc selftest suites/past.pcd\n  picardc selftest suites/past.pcd --samples 100 --task 'q3*' \
                  --json"
)]
pub struct Args {
    /// Number of samples of every task
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    samples: u32,
    #[command(flatten)]
    of: SamplingArgs,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let suite = args.of.load_suite(console)?;
    let tried = try_all(args, &suite, console).map_err(|failure| args.of.report_failure(&failure, &suite, console))?;
    let exit = if tried.is_sound() { Exit::Done } else { Exit::NotGood };
    let text = if args.of.json {
        format!("{:#}\n", tried.build_document(suite.name(), &args.of.seed, args.samples))
    } else {
        tried.render_table(&args.of.seed)
    };
    Ok(console.print_data(&text, exit))
}

fn try_all(args: &Args, suite: &Suite, console: &Console) -> Result<Selftest, Failure> {
    let instances = open_instances(suite, &args.of.file, args.of.build_options(args.samples))?;
    Selftest::from_instances(&instances, args.of.build_effort(&Bar::new(instances.count(), console)))
}
