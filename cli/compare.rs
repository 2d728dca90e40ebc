//! `picardc compare`: which of two runs is better, and how certain the result is.

use std::path::PathBuf;

use ::report::compare::{Comparison, Design, compare_runs, tables};
use ::report::render::words::format_points;
use ::report::render::{json, markdown, terminal};

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::option_values::{InvalidValue, parse_number};
use crate::report::{OverArg, read_runs};

/// Compare two runs: which is better, by how much, and how certain that is
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compare two scored runs. Runs on the same bundle are compared instance by instance: the difference with Tango's \
                  interval, McNemar's exact test, a permutation test, and the instances on which the runs differ. Other runs are \
                  compared as two samples over the tasks that both have, with Newcombe's interval and Fisher's exact test. Comparisons \
                  by task use Holm's correction.",
    after_help = "What the interval generalizes to (--over):\n  tasks    other tasks like these (the default if there are at least 6 \
                  tasks)\n  samples  fresh samples of the same tasks\n\nExit status: 0 success; 1 the second run is worse (--fail-if); 2 usage \
                  error, or a run that is not scored; 3 a file cannot be read.\n\nExample:\n  picardc compare runs/baseline \
                  runs/treatment\n  picardc compare runs/a runs/b --json\n  picardc compare main/run run --fail-if worse --margin 2"
)]
pub struct Args {
    /// The first run: its folder, or a log of Inspect AI (`.eval`)
    #[arg(value_name = "RUN_A")]
    a: PathBuf,
    /// The second run; differences are its value minus that of the first
    #[arg(value_name = "RUN_B")]
    b: PathBuf,
    /// Print one JSON document to stdout
    #[arg(long)]
    json: bool,
    /// Print Markdown to stdout
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// What the interval generalizes to
    #[arg(long, value_enum, value_name = "WHAT")]
    over: Option<OverArg>,
    /// Accept a bundle in RUN/bundle that was edited after it was built
    #[arg(long)]
    unverified: bool,
    /// Exit with status 1 if RUN_B is worse: the whole interval of the difference is below 0, or below minus --margin
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_if: Option<FailIf>,
    /// Number of points by which RUN_B may be worse
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = parse_margin, requires = "fail_if")]
    margin: f64,
}

/// What `--fail-if` fails on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FailIf {
    /// The second run is worse than the first
    Worse,
}

fn parse_margin(text: &str) -> Result<f64, InvalidValue> {
    parse_number(text, |points| (0.0..=100.0).contains(points), "it must be a number of points, 0 to 100")
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let runs = read_runs(&[args.a.clone(), args.b.clone()], args.unverified)?;
    let [a, b] = runs.as_slice() else {
        return Err(CommandError::new(Exit::Outside, "two runs were given, and not two were read"));
    };
    let comparison = compare_runs(a, b, args.over.map(Into::into))?;
    for warning in &comparison.warnings {
        console.print_message(&format!("warning: {warning}"));
    }
    let (lead, sections) = (tables::build_lead(&comparison), tables::build_tables(&comparison));
    let text = if args.json {
        json::write_json(&comparison).map_err(|error| {
            CommandError::new(Exit::Outside, format!("cannot write the comparison as JSON: {error}"))
        })?
    } else if args.markdown {
        let title = format!("{} against {}", comparison.b.name, comparison.a.name);
        let warnings = comparison.warnings.iter().cloned();
        markdown::write_markdown(&title, &lead.into_iter().chain(warnings).collect::<Vec<_>>(), &sections)
    } else {
        let lead: String = lead.iter().map(|paragraph| terminal::wrap_paragraph(paragraph)).collect();
        format!("{lead}\n{}", terminal::write_terminal(&sections))
    };
    let exit = args.fail_if.map_or(Exit::Done, |FailIf::Worse| check_margin(&comparison, args.margin, console));
    Ok(console.print_data(&text, exit))
}

/// Checks that the second run is good enough. Otherwise, prints the reason.
fn check_margin(comparison: &Comparison, margin: f64, console: &Console) -> Exit {
    if !comparison.is_worse(margin / 100.0) {
        return Exit::Done;
    }
    let (a, b, interval) = (&comparison.a.name, &comparison.b.name, comparison.whole.interval);
    let beyond = if margin > 0.0 { format!(", and --margin allows {margin}") } else { String::new() };
    let message = format!(
        "{b} is worse than {a} by {} points (95% CI {} to {}){beyond}",
        format_points(-comparison.whole.difference),
        format_points(-interval.high),
        format_points(-interval.low)
    );
    let help = match comparison.design {
        Design::Paired => "the instances on which the runs differ are in the table, and all of them in `--json`",
        Design::TwoSamples => {
            "the runs are of different bundles: run both on one bundle to see on which instances they differ"
        }
    };
    console.print_error(&message, Some(help));
    Exit::NotGood
}
