//! `picardc report`: what runs say, and how sure that is.

use std::path::{Path, PathBuf};

use ::report::render::{html, json, junit, markdown, tables, terminal, words};
use ::report::{Details, Over, Report, RunData};

use crate::console::Console;
use crate::exit::Exit;
use crate::whole_file;

/// What runs say: accuracy with intervals, rounds, failure modes, curves
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Tell of scored runs: accuracy of the suite, by task, variant, axis, tag and matcher, each with an interval of 95 %; rounds, tokens and \
                  time; which variants fail; how accuracy settles with samples, and how many are enough. Several runs stand side by side.\n\nWhat timed \
                  out, failed or is missing counts as wrong.",
    after_help = "Of what the suite's interval speaks (--over):\n  tasks    other tasks like these (the default from 6 tasks on)\n  samples  fresh samples of \
                  these very tasks\n\nExit status: 0 done; 1 the interval of a run begins below --fail-under; 2 wrong use, or a run that is not scored; \
                  3 a file cannot be read or written.\n\nExample:\n  picardc report runs/mine\n  picardc report runs/a runs/b --markdown\n  picardc report \
                  runs/mine --html report.html --junit junit.xml --fail-under 80"
)]
pub struct Args {
    /// Folders that `picardc run` wrote and `picardc score` scored
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// One JSON document, on stdout
    #[arg(long)]
    json: bool,
    /// Markdown, on stdout
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// One HTML file: comparison of the runs, failures, cost, and precision
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// JUnit XML, for build servers
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Maximum number of failures to show per run (with --html)
    #[arg(long, value_name = "N", default_value_t = 100, requires = "html")]
    failures: usize,
    /// Of what the suite's interval speaks
    #[arg(long, value_enum, value_name = "WHAT")]
    over: Option<OverArg>,
    /// Take a bundle in RUN/bundle that was edited after the build
    #[arg(long)]
    unverified: bool,
    /// Exit with 1 if the lower end of a run's interval is under P per cent
    #[arg(long, value_name = "P", value_parser = percent)]
    fail_under: Option<f64>,
}

/// [`Over`] as a flag.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum OverArg {
    /// Other tasks like these
    Tasks,
    /// Fresh samples of these tasks
    Samples,
}

impl From<OverArg> for Over {
    fn from(over: OverArg) -> Over {
        match over {
            OverArg::Tasks => Over::Tasks,
            OverArg::Samples => Over::Samples,
        }
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "give per cent, 0 to 100, such as 80 or 92.5".to_owned())?;
    if (0.0..=100.0).contains(&number) { Ok(number) } else { Err("per cent are 0 to 100".to_owned()) }
}

/// Runs it.
pub fn run(args: &Args, console: &Console) -> Exit {
    let runs = match read(&args.runs, args.unverified) {
        Ok(runs) => runs,
        Err(error) => return wrong(&error, console),
    };
    let report = ::report::report(&runs, args.over.map(Over::from));
    for warning in &report.warnings {
        console.say(&format!("warning: {warning}"));
    }
    let text = if args.json {
        match json::write(&report) {
            Ok(text) => text,
            Err(error) => return outside(&format!("cannot write the report as JSON: {error}"), console),
        }
    } else if args.markdown {
        markdown::write(&title(&report), &report.warnings, &tables::tables(&report))
    } else {
        terminal::write(&tables::tables(&report))
    };
    if let Err(exit) = files(args, &runs, &report, console) {
        return exit;
    }
    let exit = args.fail_under.map_or(Exit::Done, |least| gate(&report, least, console));
    console.data(&text, exit)
}

/// Writes the files that are asked for.
fn files(args: &Args, runs: &[RunData], report: &Report, console: &Console) -> Result<(), Exit> {
    if let Some(path) = &args.junit {
        save(path, &junit::write(runs), console)?;
    }
    if let Some(path) = &args.html {
        let details = args.runs.iter().zip(&report.runs).map(|(folder, run)| Details::read(folder, run, args.failures));
        let details: Vec<Details> = details.collect::<Result<_, _>>().map_err(|error| wrong(&error, console))?;
        let page = html::Page { runs, report, details: &details, least: args.fail_under };
        save(path, &html::write(&page), console)?;
    }
    Ok(())
}

fn save(path: &Path, text: &str, console: &Console) -> Result<(), Exit> {
    whole_file::write(path, text)
        .map_err(|error| outside(&format!("cannot write `{}`: {error}", path.display()), console))
}

/// `desk 1.0.0: Order desk`
fn title(report: &Report) -> String {
    report.runs.first().map_or_else(String::new, |run| format!("{} {}: {}", run.suite, run.version, run.title))
}

/// Whether every run is good enough; says which is not.
fn gate(report: &Report, least: f64, console: &Console) -> Exit {
    let mut exit = Exit::Done;
    for run in &report.runs {
        let whole = &run.whole;
        if whole.share.interval.low * 100.0 < least {
            let (accuracy, interval) = (words::accuracy_percent(&whole.share), words::interval(whole.share.interval));
            let message = format!("{}: {accuracy} (95% CI {interval}) is below {least}% at its lower end", run.name);
            let help = match whole.over {
                Over::Tasks if whole.over_samples.low * 100.0 >= least => format!(
                    "the interval is over {} tasks; over fresh samples of these very tasks it is {}: `--over samples` holds that one",
                    whole.tasks,
                    words::interval(whole.over_samples)
                ),
                _ if whole.share.accuracy * 100.0 >= least => {
                    "it was good enough as often as that; more samples narrow the interval".to_owned()
                }
                _ => format!(
                    "{} of {} are wrong: the failures are in `--html FILE` and `--json`",
                    whole.share.of - whole.share.correct,
                    whole.share.of
                ),
            };
            console.error(&message, Some(&help));
            exit = Exit::NotGood;
        }
    }
    exit
}

/// Reads runs. Each is called by its folder's name, or by its path where two have one name.
pub fn read(folders: &[PathBuf], unverified: bool) -> Result<Vec<RunData>, records::Error> {
    let short = |path: &Path| {
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
    };
    let names: Vec<String> = folders.iter().map(|path| short(path)).collect();
    let mut runs = Vec::new();
    for (folder, name) in folders.iter().zip(&names) {
        let alone = names.iter().filter(|other| *other == name).count() == 1;
        let name = if alone { name.clone() } else { folder.display().to_string() };
        runs.push(RunData::read(folder, name, unverified)?);
    }
    Ok(runs)
}

/// Says why records cannot be read.
pub fn wrong(error: &records::Error, console: &Console) -> Exit {
    console.error(&error.message, error.help.as_deref());
    if error.outside { Exit::Outside } else { Exit::Usage }
}

/// Says that the outside failed.
pub fn outside(message: &str, console: &Console) -> Exit {
    console.error(message, None);
    Exit::Outside
}
