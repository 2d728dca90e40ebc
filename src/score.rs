//! `picardc score`: what the responses of a run are worth.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ::agent::{Summary, score_run};
use records::{Bundle, Error, Status};

use crate::console::Console;
use crate::exit::Exit;

/// Score a run again, from what was captured
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Score a run: write RUN/scores.jsonl from RUN/responses.jsonl and the answer keys of the bundle. No agent is asked; the same \
                  responses give the same bytes. An instance without a response counts as wrong.",
    after_help = "Example:\n  picardc score out/past runs/gpt"
)]
pub struct Args {
    /// The bundle that was run
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// Runs it.
pub fn run(args: &Args, console: &Console) -> Exit {
    match Bundle::open(&args.bundle).and_then(|bundle| score_run(&bundle, &args.run)) {
        Ok(summary) => {
            if !args.quiet {
                console.say(&told(&summary, &args.run));
            }
            Exit::Done
        }
        Err(error) => failed(&error, console),
    }
}

/// Says why records cannot be read or written, and gives the exit status.
pub fn failed(error: &Error, console: &Console) -> Exit {
    console.error(&error.message, error.help.as_deref());
    if error.outside { Exit::Outside } else { Exit::Usage }
}

/// `scored 200 answers in runs/x: 93.5 % right (95 % interval 89.2 to 96.2), mean score 0.951; 3 failed`
pub fn told(summary: &Summary, run: &Path) -> String {
    let many = if summary.expected == 1 { "answer" } else { "answers" };
    let mut text =
        format!("scored {} {many} in {}: {:.1} % right", summary.expected, run.display(), 100.0 * summary.accuracy());
    // Writing to a String cannot fail.
    if let Some((low, high)) = summary.interval() {
        let _ = write!(text, " (95 % interval {:.1} to {:.1})", 100.0 * low, 100.0 * high);
    }
    let _ = write!(text, ", mean score {:.3}", summary.score);
    let bad = summary.ends.iter().filter(|(status, _)| **status != Status::Done);
    let bad: Vec<String> = bad.map(|(status, count)| format!("{count} {}", plain(*status))).collect();
    if !bad.is_empty() {
        let _ = write!(text, "; {}", bad.join(", "));
    }
    text.push('\n');
    text
}

fn plain(status: Status) -> &'static str {
    match status {
        Status::Done => "done",
        Status::MaxRounds => "stopped after the most rounds",
        Status::Timeout => "out of time",
        Status::Failed => "failed",
        Status::Missing => "missing",
    }
}
