//! `picardc merge`: joins the shards of one build.

use std::path::{Path, PathBuf};

use compiler::sources::Sources;

use crate::build::{render_summary, stop_on_ctrl_c};
use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::render;

/// Join the shards of a bundle
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Join the shards that `build --shard 1/N` to `build --shard N/N` wrote. The result is byte for byte the bundle that a \
                  build without --shard writes. Give every shard once; all must come from the same source, seed, and options.",
    after_help = "Example:\n  picardc build suite.pcd --seed 7 --shard 1/2 -o part1\n  picardc build suite.pcd --seed 7 --shard 2/2 -o part2\n  \
                  picardc merge part1 part2 -o whole"
)]
pub struct Args {
    /// The shards, in any order
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Folder of the bundle; it must be new or empty
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    /// Replace an existing bundle at OUT
    #[arg(long)]
    force: bool,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let started = std::time::Instant::now();
    let shards: Vec<&Path> = args.shards.iter().map(PathBuf::as_path).collect();
    let merged = runtime::bundle::merge_bundles(&shards, &args.out, args.force, &(), stop_on_ctrl_c());
    let report = |failure| render::failure::report_failure(&failure, &Sources::default(), console, |_| String::new());
    let summary = merged.map_err(report)?;
    if !args.quiet {
        console.print_message(&render_summary(&summary, &args.out, started.elapsed()));
    }
    Ok(Exit::Done)
}
