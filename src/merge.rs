//! `picardc merge`: joins the shards of one build.

use std::path::{Path, PathBuf};

use compiler::sources::Sources;

use crate::build::{stop_on_ctrl_c, written};
use crate::console::Console;
use crate::exit::Exit;
use crate::progress::Bar;
use crate::render;

/// Join shards to the bundle they are parts of
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Join what `build --shard 1/N` … `build --shard N/N` wrote: the result is, byte for byte, the bundle that a build without \
                  --shard writes. Every shard must be there once, built from the same source with the same seed and options.",
    after_help = "Example:\n  picardc build suite.pcd --seed 7 --shard 1/2 -o part1\n  picardc build suite.pcd --seed 7 --shard 2/2 -o part2\n  \
                  picardc merge part1 part2 -o whole"
)]
pub struct Args {
    /// The shards, in any order
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Where the bundle goes: a new or empty folder
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    /// Replace a bundle that stands at OUT
    #[arg(long)]
    force: bool,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// Runs it.
pub fn run(args: &Args, console: &Console) -> Exit {
    let started = std::time::Instant::now();
    let shards: Vec<&Path> = args.shards.iter().map(PathBuf::as_path).collect();
    let bar = Bar::new(0, console, true);
    match runtime::bundle::merge(&shards, &args.out, args.force, &bar, stop_on_ctrl_c()) {
        Ok(summary) => {
            if !args.quiet {
                console.say(&written(&summary, &args.out, started.elapsed()));
            }
            Exit::Done
        }
        Err(failure) => render::failure::say(&failure, &Sources::default(), console, |_| String::new()),
    }
}
