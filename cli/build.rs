//! `picardc build`: builds a bundle.

use std::fmt::Write as _;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::report::render::words::format_count;
use api::{Options, Suite};
use clap::ValueEnum;
use clap::builder::NonEmptyStringValueParser;
use host::open_project;
use runtime::Failure;
use runtime::bundle::{self, Compiler, Settings, Shard, Summary};
use runtime::failure::At;

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::load_staged;
use crate::option_values::{InvalidValue, require_text};
use crate::progress::Bar;
use crate::render;
use crate::stages::StagesArg;

/// Build a bundle: prompts, files, and answer keys
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Build a bundle: the prompt, files, and answer key of every instance. The content depends only on the source, the seed, \
                  and the options. The bytes are the same on every machine, with any number of threads, and when shards are \
                  merged.\n\nOUT must be a new or empty folder (see --force). The bundle is built next to OUT and moved into place once \
                  it is complete.",
    after_help = "Example:\n  picardc build suites/past.pcd -o out/past --seed 7\n  picardc build suites/past.pcd -o out/csv --seed 7 --task 'q3*' \
                  --samples 100"
)]
pub struct Args {
    /// The suite
    #[arg(value_name = "FILE")]
    file: String,
    /// Folder of the bundle; it must be new or empty
    #[arg(short, long, value_name = "OUT", required_unless_present = "emit")]
    out: Option<PathBuf>,
    /// A number or any text; by default a fresh seed is drawn, printed, and recorded
    #[arg(long, value_name = "S", value_parser = parse_seed, allow_hyphen_values = true)]
    seed: Option<String>,
    /// Number of samples of every task, instead of the suite's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    samples: Option<u32>,
    /// Only tasks whose names match (`*` any characters, `?` one); the instances stay the same
    #[arg(long, value_name = "GLOB")]
    task: Option<String>,
    #[command(flatten)]
    stages: StagesArg,
    /// Build only part I of N; `picardc merge` joins the parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Write files into instances.jsonl as data: URIs; the bundle is then one file
    #[arg(long)]
    inline: bool,
    /// Write what a solver must not see (target, expect, draws) to keys.jsonl
    #[arg(long)]
    split_keys: bool,
    /// Leave out the values that mistakes give (traps) from the answer keys
    #[arg(long)]
    no_traps: bool,
    /// Path of the sandbox as prompts show it
    #[arg(long, value_name = "P", default_value = Options::SANDBOX_ROOT, value_parser = NonEmptyStringValueParser::new())]
    sandbox_root: String,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Replace an existing bundle at OUT (only bundles are ever replaced)
    #[arg(long)]
    force: bool,
    /// Print this to stdout instead of building
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
}

/// What `--emit` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The compiled suite as JSON (its format can change in any version)
    Plan,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let started = std::time::Instant::now();
    let console = &Console { quiet: args.quiet, ..*console };
    let suite = load_staged(&args.file, args.stages, console)?;
    if args.emit == Some(Emit::Plan) {
        let json = serde_json::to_string_pretty(&suite.plan()).unwrap_or_default();
        return Ok(console.print_data(&format!("{json}\n"), Exit::Done));
    }
    // clap ensures that OUT is given if `--emit` is not.
    let out = args.out.as_ref().ok_or(Exit::Usage)?;
    let seed = args.seed.clone().unwrap_or_else(draw_seed);
    let summary = build_bundle(args, &suite, &seed, out, console)
        .map_err(|failure| report_failure(&failure, &suite, &args.file, &args.sandbox_root, console))?;
    if !console.quiet {
        let drawn = if args.seed.is_none() { " (drawn; --seed repeats it)" } else { "" };
        console.print_message(&format!("{}seed {seed}{drawn}\n", render_summary(&summary, out, started.elapsed())));
    }
    Ok(Exit::Done)
}

fn build_bundle(args: &Args, suite: &Suite, seed: &str, out: &Path, console: &Console) -> Result<Summary, Failure> {
    let options = Options {
        samples: args.samples,
        task: args.task.clone(),
        sandbox_root: args.sandbox_root.clone(),
        traps: !args.no_traps,
        ..Options::new(seed)
    };
    let settings = Settings {
        inline: args.inline,
        split_keys: args.split_keys,
        shard: args.shard,
        threads: args.threads.map_or(0, usize::from),
        force: args.force,
        ..prepare_settings(suite, &args.file)?
    };
    write_bundle(suite, options, &settings, out, console)
}

/// Prepares the settings of a build without options.
pub(crate) fn prepare_settings(suite: &Suite, file: &str) -> Result<Settings, Failure> {
    Ok(Settings {
        inline: false,
        split_keys: false,
        shard: None,
        source_sha256: suite.compute_source_sha256(),
        compiler: describe_compiler(),
        threads: 0,
        force: false,
        project: open_project(suite, file)?,
    })
}

/// Reports a failure to make instances of the suite in a file, and returns the exit status.
pub(crate) fn report_failure(
    failure: &Failure,
    suite: &Suite,
    file: &str,
    sandbox_root: &str,
    console: &Console,
) -> Exit {
    let again = |at: &At| render_preview_command(file, at, sandbox_root);
    render::failure::report_failure(failure, suite.sources(), console, again)
}

/// Writes the bundle, and shows a progress bar meanwhile.
pub(crate) fn write_bundle(
    suite: &Suite,
    options: Options,
    settings: &Settings,
    out: &Path,
    console: &Console,
) -> Result<Summary, Failure> {
    let instances = suite.select_instances(options)?;
    let count = instances.count();
    let part = settings.shard.map_or(0..count, |shard| shard.compute_range(count));
    let bar = Bar::new(part.end - part.start, console);
    bundle::write_bundle(instances.generator(), settings, out, &bar, stop_on_ctrl_c())
}

/// Returns a flag that Ctrl-C sets to true. A build can then remove its partial output and a run can end its agents. If a handler cannot be set,
/// Ctrl-C ends the process as usual; then a build leaves a hidden folder next to OUT.
pub(crate) fn stop_on_ctrl_c() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    // A second handler is rejected, but not needed.
    let _ = ctrlc::set_handler(|| {
        sqlite::stop_all();
        if STOP.swap(true, Ordering::Relaxed) {
            // A second Ctrl-C ends the process immediately, with partial output on disk. 130 is the exit status in a shell of a program that Ctrl-C ended.
            std::process::exit(130);
        }
    });
    &STOP
}

/// The compiler as recorded in manifests.
pub(crate) fn describe_compiler() -> Compiler {
    Compiler { name: "picardc".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}

/// Summarizes a written bundle for people.
pub fn render_summary(summary: &Summary, out: &Path, took: Duration) -> String {
    let files =
        if summary.files > 0 { format!(" with {}", format_count(summary.files, "file")) } else { String::new() };
    format!(
        "wrote {}{files} to {} in {:.1} s\nbundle sha256 {}\n",
        format_count(summary.instances, "instance"),
        disk::show_path(&out),
        took.as_secs_f64(),
        summary.bundle_sha256
    )
}

/// Renders the command line that shows the instance.
pub fn render_preview_command(file: &str, at: &At, sandbox_root: &str) -> String {
    let mut line = format!(
        "picardc preview {} --task {} --sample {} --seed {}",
        quote_for_shell(file),
        at.task,
        at.sample,
        quote_for_shell(&at.seed)
    );
    let flags = [
        ("--cell", at.cell.as_deref()),
        ("--variant", at.variant.as_deref()),
        ("--stage", at.stage.as_deref()),
        ("--sandbox-root", Some(sandbox_root)),
    ];
    for (flag, value) in flags {
        if let Some(value) = value.filter(|value| (flag, *value) != ("--sandbox-root", Options::SANDBOX_ROOT)) {
            let _ = write!(line, " {flag} {}", quote_for_shell(value));
        }
    }
    line
}

/// Quotes a word for a shell.
fn quote_for_shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { quote_word(word) }
}

/// Puts a word of a shell into single quotes.
pub(crate) fn quote_word(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Draws a seed from the system's randomness, which the hash maps of the standard library use for their keys. It is a number, which is easy to type.
pub(crate) fn draw_seed() -> String {
    (RandomState::new().build_hasher().finish() >> 16).to_string()
}

pub(crate) fn parse_seed(text: &str) -> Result<String, InvalidValue> {
    require_text(text, |text| !text.is_empty(), "it must not be empty")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_shows_it_again() {
        let at = At {
            task: "q1".into(),
            sample: 3,
            cell: Some("50-x".into()),
            variant: None,
            stage: None,
            attempt: 2,
            seed: "it's".into(),
        };
        assert_eq!(
            render_preview_command("a b.pcd", &at, "."),
            r"picardc preview 'a b.pcd' --task q1 --sample 3 --seed 'it'\''s' --cell 50-x"
        );
    }

    #[test]
    fn fresh_seeds_differ() {
        assert_ne!(draw_seed(), draw_seed());
    }
}
