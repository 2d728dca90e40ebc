//! `picardc compare`: which of two runs is better, and how sure that is.

use std::path::PathBuf;

use ::report::compare::{Comparison, Design, compare, tables};
use ::report::render::words::points;
use ::report::render::{json, markdown, terminal};

use crate::console::Console;
use crate::exit::Exit;
use crate::report::{OverArg, outside, read, wrong};

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
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = points_of_margin, requires = "fail_if")]
    margin: f64,
}

/// What `--fail-if` fails on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FailIf {
    /// The second run is worse than the first
    Worse,
}

fn points_of_margin(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(points) if (0.0..=100.0).contains(&points) => Ok(points),
        _ => Err("it must be a number of points, 0 to 100".to_owned()),
    }
}

/// Runs it.
pub fn run(args: &Args, console: &Console) -> Exit {
    let runs = match read(&[args.a.clone(), args.b.clone()], args.unverified) {
        Ok(runs) => runs,
        Err(error) => return wrong(&error, console),
    };
    let [a, b] = runs.as_slice() else {
        return outside("two runs were given, and not two were read", console);
    };
    let comparison = match compare(a, b, args.over.map(Into::into)) {
        Ok(comparison) => comparison,
        Err(error) => return wrong(&error, console),
    };
    for warning in &comparison.warnings {
        console.say(&format!("warning: {warning}"));
    }
    let (lead, sections) = (tables::lead(&comparison), tables::tables(&comparison));
    let text = if args.json {
        match json::write(&comparison) {
            Ok(text) => text,
            Err(error) => return outside(&format!("cannot write the comparison as JSON: {error}"), console),
        }
    } else if args.markdown {
        let title = format!("{} against {}", comparison.b.name, comparison.a.name);
        let warnings = comparison.warnings.iter().cloned();
        markdown::write(&title, &lead.into_iter().chain(warnings).collect::<Vec<_>>(), &sections)
    } else {
        let lead: String = lead.iter().map(|paragraph| terminal::paragraph(paragraph)).collect();
        format!("{lead}\n{}", terminal::write(&sections))
    };
    let exit = args.fail_if.map_or(Exit::Done, |FailIf::Worse| gate(&comparison, args.margin, console));
    console.data(&text, exit)
}

/// Whether the second run is good enough; says why it is not.
fn gate(comparison: &Comparison, margin: f64, console: &Console) -> Exit {
    if !comparison.is_worse(margin / 100.0) {
        return Exit::Done;
    }
    let (a, b, interval) = (&comparison.a.name, &comparison.b.name, comparison.whole.interval);
    let beyond = if margin > 0.0 { format!(", and --margin allows {margin}") } else { String::new() };
    let message = format!(
        "{b} is worse than {a} by {} points (95% CI {} to {}){beyond}",
        points(-comparison.whole.difference),
        points(-interval.high),
        points(-interval.low)
    );
    let help = match comparison.design {
        Design::Paired => "the instances on which the runs differ are in the table, and all of them in `--json`",
        Design::TwoSamples => {
            "the runs are of different bundles: run both on one bundle to see on which instances they differ"
        }
    };
    console.error(&message, Some(help));
    Exit::NotGood
}
