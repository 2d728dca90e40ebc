//! `picardc selftest`: whether the answer key can be met, is not met by doing nothing, and can be computed from the files. The crate `analysis` tries it.

use analysis::selftest::Selftest;
use api::{Options, Suite};
use host::instances;
use runtime::Failure;

use crate::analyze::effort;
use crate::build::{again, seed};
use crate::console::Console;
use crate::exit::Exit;
use crate::load::load_staged;
use crate::progress::Bar;
use crate::render;
use crate::stages::StagesArg;

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
    /// The suite
    #[arg(value_name = "FILE")]
    file: String,
    /// Number of samples of every task
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
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
    let options = Options { samples: Some(args.samples), task: args.task.clone(), ..Options::new(args.seed.as_str()) };
    let tried = match try_all(args, &suite, options, console) {
        Ok(tried) => tried,
        Err(failure) => {
            return render::failure::say(&failure, suite.sources(), console, |at| {
                again(&args.file, at, Options::SANDBOX_ROOT)
            });
        }
    };
    let exit = if tried.is_sound() { Exit::Done } else { Exit::NotGood };
    let text = if args.json {
        format!("{:#}\n", tried.document(suite.name(), &args.seed, args.samples))
    } else {
        tried.table(&args.seed)
    };
    console.data(&text, exit)
}

fn try_all(args: &Args, suite: &Suite, options: Options, console: &Console) -> Result<Selftest, Failure> {
    let instances = instances(suite, &args.file, options)?;
    let bar = Bar::new(instances.count(), console, false);
    let tried = Selftest::of(&instances, effort(args.threads, &bar));
    bar.clear();
    tried
}
