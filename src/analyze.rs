//! `picardc analyze`: what samples and counting tell about tasks that no check can prove. The crate `analysis` measures and judges.

use analysis::{Analysis, Effort, FEWEST};
use api::{Options, Suite};
use runtime::Failure;

use crate::build::{again, seed};
use crate::console::Console;
use crate::exit::Exit;
use crate::load::load_staged;
use crate::progress::{Bar, nanos};
use crate::render;
use crate::stages::StagesArg;

/// Find tasks that can be guessed, repeat instances, or are too small
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Build samples in memory (all cells and variants) and analyze each task: how many different instances exist, how much \
                  the answers differ, how often the most common answer is correct, and what else makes the task weak. Variants with \
                  different answers are analyzed separately. No files are written.\n\nThe same source, seed, and samples give the same \
                  report with any number of threads, except for times. Tolerances (`within`) are ignored, and ties of `ORDER BY … LIMIT` \
                  are not examined: `check` has lint warnings for them.",
    after_help = "Verdicts: good, or\n  constant       every sample has the same answer\n  guessable      the most common answer has a share of \
                  at least 20%, or answers have less than 3 bits\n  too small      there are certainly fewer than 10^6 instances\n  rejects \
                  often  `require` accepts less than 5% of draws\n  nulls, empties answers with a null, or an empty value\n  duplicates     \
                  more than 0.1% of instances repeat an earlier one\n  blind          a description of a database names nothing of the \
                  expected query\n\nExit status: 0 success; 1 errors, a sample that cannot be built, \
                  or (with --deny-weak) a task that is not good.\n\nExample:\n  picardc analyze suites/past.pcd\n  picardc analyze \
                  suites/past.pcd --samples 300 --task 'q3*' --json"
)]
pub struct Args {
    /// The suite
    #[arg(value_name = "FILE")]
    file: String,
    /// Number of samples of every task, at least 30
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(i64::from(FEWEST)..))]
    samples: u32,
    /// Only tasks whose names match (`*` any characters, `?` one)
    #[arg(long, value_name = "GLOB")]
    task: Option<String>,
    #[command(flatten)]
    stages: StagesArg,
    /// A number or any text
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed, allow_hyphen_values = true)]
    seed: String,
    /// Print one JSON document to stdout
    #[arg(long)]
    json: bool,
    /// Include times in the JSON document; they differ from run to run
    #[arg(long, requires = "json")]
    timing: bool,
    /// Fail if a task is not good
    #[arg(long)]
    deny_weak: bool,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Runs it.
pub fn run(args: &Args, console: &Console) -> Exit {
    let suite = match load_staged(&args.file, args.stages, console, true) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let analysis = match analyze(args, &suite, console) {
        Ok(analysis) => analysis,
        Err(failure) => {
            return render::failure::say(&failure, suite.sources(), console, |at| {
                again(&args.file, at, Options::SANDBOX_ROOT)
            });
        }
    };
    let exit = if args.deny_weak && !analysis.is_good() { Exit::NotGood } else { Exit::Done };
    let text = if args.json {
        format!("{:#}\n", analysis.document(suite.name(), &args.seed, args.samples, args.timing))
    } else {
        analysis.table(&args.seed)
    };
    console.data(&text, exit)
}

fn analyze(args: &Args, suite: &Suite, console: &Console) -> Result<Analysis, Failure> {
    let options = Options { samples: Some(args.samples), task: args.task.clone(), ..Options::new(args.seed.as_str()) };
    let instances = suite.instances(options)?;
    let generator = instances.generator();
    let bar = Bar::new(generator.count(), console, false);
    let analysis = Analysis::of(generator, effort(args.threads, &bar));
    bar.clear();
    analysis
}

/// The work of a command with `--threads`, shown by a bar.
pub(crate) fn effort(threads: Option<u16>, bar: &Bar) -> Effort<'_> {
    Effort { threads: threads.map_or(0, usize::from), clock: Some(&nanos), progress: bar, stop: None }
}
