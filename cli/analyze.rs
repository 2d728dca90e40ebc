//! `picardc analyze`: properties of tasks that are measured on samples, because no check can prove them. The crate `analysis` measures and judges.

use analysis::{Analysis, FEWEST, Times, choose_sample_size};
use api::Suite;
use runtime::Failure;

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::progress::Bar;
use crate::sampling_args::SamplingArgs;

/// Find tasks that can be guessed, repeat instances, or are too small
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Build samples in memory (all cells and variants) and analyze each task: how many different instances exist, how much \
                  the answers differ, how often the most common answer is correct, and what else makes the task weak. Variants with \
                  different answers are analyzed separately. No files are written.\n\nThe same source, seed, and samples give the same \
                  report with any number of threads, except for times. Ties of `ORDER BY … LIMIT` are not examined: `check` has lint \
                  warnings for them.",
    after_help = "Verdicts: good, or\n  constant       every sample has the same answer\n  guessable      the most common answer has a share of \
                  at least 20%, or answers have less than 3 bits\n  shortcut       a constant reply, or one that needs little work, is accepted in at least 20%\n  too small      there are certainly fewer than 10^6 instances\n  rejects \
                  often  `require` accepts less than 5% of draws\n  nulls, empties answers with a null, or an empty value\n  duplicates     \
                  more than 0.1% of instances repeat an earlier one\n  blind          a description of a database names nothing of the \
                  expected query\n  toothless      files are dirty, but no kind of dirt changes the answer in 20% of \
                  the instances or more\n  static         no draw affects the task: it has one instance (not a fault)\n\nExit status: 0 success; 1 errors, a sample that cannot be built, \
                  or (with --deny-weak) a task that is not good.\n\nExample:\n  picardc analyze suites/past.pcd\n  picardc analyze \
                  suites/past.pcd --samples 300 --task 'q3*' --json"
)]
pub struct Args {
    /// Number of samples of every task, at least 30 [default: from 100 to 1000, by the work of one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(FEWEST)..))]
    samples: Option<u32>,
    #[command(flatten)]
    of: SamplingArgs,
    /// Include times in the JSON document; they differ from run to run
    #[arg(long, requires = "json")]
    timing: bool,
    /// Fail if a task is not good
    #[arg(long)]
    deny_weak: bool,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let suite = args.of.load_suite(console)?;
    let report = |failure: Failure| args.of.report_failure(&failure, &suite, console);
    let samples = match args.samples {
        Some(samples) => samples,
        None => {
            let of_one = suite.select_instances(args.of.build_options(1)).map_err(|failure| report(failure.into()))?;
            choose_sample_size(of_one.generator())
        }
    };
    let analysis = analyze_suite(args, &suite, samples, console).map_err(report)?;
    let exit = if args.deny_weak && !analysis.is_good() { Exit::NotGood } else { Exit::Done };
    let text = if args.of.json {
        let times = if args.timing { Times::Included } else { Times::Omitted };
        format!("{:#}\n", analysis.build_document(suite.name(), &args.of.seed, samples, times))
    } else {
        analysis.render_table(&args.of.seed)
    };
    Ok(console.print_data(&text, exit))
}

fn analyze_suite(args: &Args, suite: &Suite, samples: u32, console: &Console) -> Result<Analysis, Failure> {
    let instances = suite.select_instances(args.of.build_options(samples))?;
    let generator = instances.generator();
    Analysis::from_generator(generator, args.of.build_effort(&Bar::new(generator.count_instances(), console)))
}
