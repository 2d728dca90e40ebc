//! `picardc score`: scores the responses of a run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ::agent::{Summary, score_run};
use ::report::render::words::{self, format_points};
use records::{Bundle, Error, Status};
use statistics::accuracy::{Accuracy, SamplingUnit};

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;

/// Score a run again from its saved responses
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Score a run: write RUN/scores.jsonl from RUN/responses.jsonl and the answer keys of the bundle. No agent is run, and \
                  the same responses give the same bytes. An instance without a response counts as incorrect. A bundle that was changed \
                  after it was built is rejected.",
    after_help = "Example:\n  picardc score out/past runs/gpt"
)]
pub struct Args {
    /// The bundle of the run
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Accept a bundle that was edited after it was built; run.json and reports record this
    #[arg(long)]
    unverified: bool,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let summary = score_run(&open_bundle(&args.bundle, args.unverified)?, &args.run)?;
    report_summary(&summary, &args.run, &Console { quiet: args.quiet, ..*console });
    Ok(Exit::Done)
}

/// Opens the bundle; with `unverified`, it may have been edited.
pub fn open_bundle(folder: &Path, unverified: bool) -> Result<Bundle, Error> {
    if unverified { Bundle::open_unverified(folder) } else { Bundle::open_verified(folder) }
}

/// Prints the result of a run, and, even on a quiet console, the responses that do not count.
pub fn report_summary(summary: &Summary, run: &Path, console: &Console) {
    if let Some(sentence) = summary.ignored.describe_lines() {
        console.print_message(&format!("warning: {}: {sentence}", disk::show_path(&run)));
    }
    if summary.masked > 0 {
        let many = if summary.masked == 1 { "response" } else { "responses" };
        console.print_message(&format!(
            "warning: {}: the API key or a value of --env was masked in {} {many}; `masked` in responses.jsonl counts the places",
            run.display(),
            summary.masked
        ));
    }
    if !console.quiet {
        console.print_message(&render_summary(summary, run));
    }
}

/// Renders the summary, such as `scored 200 responses in `runs/x`: accuracy 93.5% (95% CI 89.2–96.2), mean score 0.951; 3 failed`.
fn render_summary(summary: &Summary, run: &Path) -> String {
    let Accuracy { share, over, tasks, .. } = &summary.accuracy;
    let many = if share.of == 1 { "response" } else { "responses" };
    let (right, low, high) =
        (words::format_accuracy(share), format_points(share.interval.low), format_points(share.interval.high));
    let mut text =
        format!("scored {} {many} in `{}`: accuracy {right}% (95% CI {low}–{high}", share.of, disk::show_path(&run));
    // Writing to a String cannot fail.
    if *over == SamplingUnit::Tasks {
        let _ = write!(text, ", over {tasks} tasks");
    }
    let _ = write!(text, "), mean score {:.3}", share.score);
    let bad = summary.ends.iter().filter(|(status, _)| **status != Status::Done);
    let bad: Vec<String> = bad.map(|(status, count)| format!("{count} {}", describe_status(*status))).collect();
    if !bad.is_empty() {
        let _ = write!(text, "; {}", bad.join(", "));
    }
    if let Some((cost, told)) = summary.cost {
        let _ = write!(text, "; cost {}", words::format_money(cost.to_f64()));
        if told < summary.count_expected() {
            let _ = write!(text, " (reported by {told} of {})", summary.count_expected());
        }
    }
    if summary.damaged > 0 {
        let _ = write!(text, "; with a damaged record of calls: {}", summary.damaged);
    }
    if summary.asked_again > 0 {
        let _ = write!(text, "; run again after a failure: {}", summary.asked_again);
    }
    text.push('\n');
    text
}

fn describe_status(status: Status) -> &'static str {
    match status {
        Status::Done => "done",
        Status::MaxRounds => "stopped at the maximum number of rounds",
        Status::Timeout => "timed out",
        Status::Failed => "failed",
        Status::Missing => "missing",
    }
}
