//! `picardc compare`: which of two runs is better, and how sure that is.

use std::path::PathBuf;

use ::report::compare::{compare, tables};
use ::report::render::{json, markdown, terminal};

use crate::console::Console;
use crate::exit::Exit;
use crate::report::{OverArg, outside, read, wrong};

/// Which of two runs is better, by how much, and how sure that is
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compare two scored runs. Where both answered the same bundle they are compared instance by instance: the difference with Tango's \
                  interval, McNemar's exact test, a permutation test, and the instances on which they differ. Else as two samples, over the tasks that both \
                  have: Newcombe's interval and Fisher's exact test. By task, too, with Holm's correction.",
    after_help = "Of what the interval speaks (--over):\n  tasks    other tasks like these (the default from 6 tasks on)\n  samples  fresh samples of these \
                  very tasks\n\nExit status: 0 done, whichever is better; 2 wrong use, or a run that is not scored; 3 a file cannot be read.\n\n\
                  Example:\n  picardc compare runs/baseline runs/treatment\n  picardc compare runs/a runs/b --json"
)]
pub struct Args {
    /// The first run
    #[arg(value_name = "RUN_A")]
    a: PathBuf,
    /// The second run: differences are this one less the first
    #[arg(value_name = "RUN_B")]
    b: PathBuf,
    /// One JSON document, on stdout
    #[arg(long)]
    json: bool,
    /// Markdown, on stdout
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Of what the interval speaks
    #[arg(long, value_enum, value_name = "WHAT")]
    over: Option<OverArg>,
    /// Take a bundle in RUN/bundle that was edited after the build
    #[arg(long)]
    unverified: bool,
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
    console.data(&text, Exit::Done)
}
