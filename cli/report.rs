//! `picardc report`: the results of runs, and how certain they are.

use std::path::{Path, PathBuf};

use ::report::render::{by, html, json, junit, markdown, tables, terminal, words};
use ::report::{Details, Report, RunData, SamplingUnit, Verification};

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::option_values::{InvalidValue, parse_number};
use crate::whole_file::save_text;

/// Report accuracy, intervals, costs, and failures of runs
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Report on scored runs: accuracy of the suite and by task, variant, axis, tag, and matcher, each with a 95% confidence \
                  interval; rounds, tokens, time, and cost; which variants fail; how accuracy settles as samples are added, and how many \
                  samples are enough. The terminal shows a summary; --all shows all of it. Several runs are shown side by side.\n\nInstances that timed out, failed, or are missing count as \
                  incorrect.",
    after_help = "What the suite's interval generalizes to (--over):\n  tasks    other tasks like these (the default if there are at least \
                  6 tasks)\n  samples  fresh samples of the same tasks\n\nExit status: 0 success; 1 the lower end of a run's interval is \
                  below --fail-under; 2 usage error, or a run that is not scored; 3 a file cannot be read or \
                  written.\n\nExample:\n  picardc report runs/mine\n  picardc report runs/a runs/b --markdown\n  picardc report runs/mine --by variant --against plain\n  picardc report runs/mine \
                  --html report.html --junit junit.xml --fail-under 80\n  picardc report logs/desk.eval"
)]
pub struct Args {
    /// Folders of scored runs (`picardc run` writes and scores them), or logs of Inspect AI (`.eval`)
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Print one JSON document to stdout
    #[arg(long)]
    json: bool,
    /// Print all tables, not only the summary
    #[arg(long, conflicts_with_all = ["json", "markdown", "by"])]
    all: bool,
    /// Print Markdown to stdout
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Write one HTML file: comparison of the runs, failures, cost, and precision
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write JUnit XML, for build servers
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Maximum number of failures to show per run (with --html)
    #[arg(long, value_name = "N", default_value_t = 100, requires = "html")]
    failures: usize,
    /// Compare arms: `variant`, or the name of an axis. Prints the tables of the arms only
    #[arg(long, value_name = "WHAT")]
    by: Option<String>,
    /// The arm that the others are compared with [default: the first]
    #[arg(long, value_name = "NAME", requires = "by")]
    against: Option<String>,
    /// What the suite's interval generalizes to
    #[arg(long, value_enum, value_name = "WHAT")]
    over: Option<OverArg>,
    /// Accept a bundle in RUN/bundle that was edited after it was built
    #[arg(long)]
    unverified: bool,
    /// Exit with status 1 if the lower end of a run's interval is below P percent
    #[arg(long, value_name = "P", value_parser = parse_percent)]
    fail_under: Option<f64>,
}

/// [`SamplingUnit`] as a flag.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum OverArg {
    /// Other tasks like these
    Tasks,
    /// Fresh samples of the same tasks
    Samples,
}

impl From<OverArg> for SamplingUnit {
    fn from(over: OverArg) -> SamplingUnit {
        match over {
            OverArg::Tasks => SamplingUnit::Tasks,
            OverArg::Samples => SamplingUnit::Samples,
        }
    }
}

fn parse_percent(text: &str) -> Result<f64, InvalidValue> {
    parse_number(text, |_| true, "give per cent, 0 to 100, such as 80 or 92.5")?;
    parse_number(text, |number| (0.0..=100.0).contains(number), "per cent are 0 to 100")
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let runs = read_runs(&args.runs, args.unverified)?;
    let mut report = ::report::build_report(&runs, args.over.map(SamplingUnit::from));
    if let Some(by) = &args.by {
        report.by = ::report::build_arm_sets(&runs, by, args.against.as_deref())?;
    }
    let shown = || if args.by.is_some() { by::build_tables(&report) } else { tables::build_tables(&report) };
    for warning in &report.warnings {
        console.print_message(&format!("warning: {warning}"));
    }
    let text = if args.json {
        json::write_json(&report)
            .map_err(|error| CommandError::new(Exit::Outside, format!("cannot write the report as JSON: {error}")))?
    } else if args.markdown {
        markdown::write_markdown(&render_title(&report), &report.warnings, &shown())
    } else if args.all || args.by.is_some() {
        terminal::write_terminal(&shown())
    } else {
        let (sections, more) = tables::build_summary(&report);
        let more = more.map_or_else(String::new, |more| format!("\n{}", terminal::wrap_paragraph(&more)));
        terminal::write_terminal(&sections) + &more
    };
    write_files(args, &runs, &report)?;
    let exit = args.fail_under.map_or(Exit::Done, |least| check_accuracy(&report, least, console));
    Ok(console.print_data(&text, exit))
}

/// Writes the requested files.
fn write_files(args: &Args, runs: &[RunData], report: &Report) -> Result<(), CommandError> {
    if let Some(path) = &args.junit {
        save_text(path, &junit::write_junit(runs))?;
    }
    if let Some(path) = &args.html {
        let details =
            args.runs.iter().zip(&report.runs).map(|(folder, run)| Details::read_details(folder, run, args.failures));
        let details: Vec<Details> = details.collect::<Result<_, _>>()?;
        let page = html::Page { runs, report, details: &details, least: args.fail_under };
        save_text(path, &html::write_page(&page))?;
    }
    Ok(())
}

/// The title, such as `desk 1.0.0: Order desk`.
fn render_title(report: &Report) -> String {
    report.runs.first().map_or_else(String::new, |run| format!("{} {}: {}", run.suite, run.version, run.title))
}

/// Checks that every run is good enough. Prints those that are not.
fn check_accuracy(report: &Report, least: f64, console: &Console) -> Exit {
    let mut exit = Exit::Done;
    for run in &report.runs {
        let whole = &run.whole;
        if whole.share.interval.low * 100.0 < least {
            let (accuracy, interval) =
                (words::format_accuracy_percent(&whole.share), words::format_interval(whole.share.interval));
            let message = format!("{}: {accuracy} (95% CI {interval}) is below {least}% at its lower end", run.name);
            let help = match whole.over {
                SamplingUnit::Tasks if whole.over_samples.low * 100.0 >= least => format!(
                    "the interval is over {} tasks; over fresh samples of the same tasks it is {}: use `--over samples` for that one",
                    whole.tasks,
                    words::format_interval(whole.over_samples)
                ),
                _ if whole.share.accuracy * 100.0 >= least => {
                    "the accuracy itself is high enough; more samples make the interval narrower".to_owned()
                }
                _ => format!(
                    "{} of {} are incorrect: the failures are in `--html FILE` and `--json`",
                    whole.share.of - whole.share.correct,
                    whole.share.of
                ),
            };
            console.print_error(&message, Some(&help));
            exit = Exit::NotGood;
        }
    }
    exit
}

/// Reads runs. Each is named by its folder, or by its path if two folders have the same name.
pub fn read_runs(folders: &[PathBuf], unverified: bool) -> Result<Vec<RunData>, records::Error> {
    let short = |path: &Path| {
        path.file_name().map_or_else(|| disk::show_path(&path).to_string(), |name| disk::show_path(name).to_string())
    };
    let names: Vec<String> = folders.iter().map(|path| short(path)).collect();
    let mut runs = Vec::new();
    for (folder, name) in folders.iter().zip(&names) {
        let alone = names.iter().filter(|other| *other == name).count() == 1;
        let name = if alone { name.clone() } else { disk::show_path(&folder).to_string() };
        let verification = if unverified { Verification::Waived } else { Verification::Required };
        runs.push(RunData::read_run(folder, name, verification)?);
    }
    Ok(runs)
}
