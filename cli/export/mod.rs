//! `picardc export`: bundles and runs in the formats of other tools. One file or folder for each format.
//!
//! ```text
//! BUNDLE ─Parts→ Item ─(needs: can it be expressed?)→ Instances::add_instance ─→ Folder next to DIR ─settle→ DIR
//!                         └─ no: LeftOut, counted by reason ──────────────────────────────────────────────┘
//! ```
//!
//! DIR appears when it is complete, or not at all. Its content depends only on the bundle and the flags, not on the clock, the machine, or the folder.
//! Answer keys are never where a model or a template of the other tool reads: scorers read them from separate bundles (`keys`).

mod about;
mod croissant;
mod eee;
mod folder;
mod harbor;
mod hf;
mod keys;
mod left_out;
mod lm_eval;
mod names;
mod needs;
mod promptfoo;
mod settle;
mod tables;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use records::bundle::Parts;
use records::{Bundle, Error};

use crate::build::stop_on_ctrl_c;
use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::score::open_bundle;
use about::BundleIdentity;
use folder::Folder;
use left_out::LeftOut;
use needs::Need;
use settle::Output;

/// Write a bundle or runs in the format of another tool
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a bundle, or the results of runs, in the format of another tool. Scorers in what is written call `picardc grade`, so scores \
                  follow the same rules everywhere. What the format cannot express is listed and counted by reason; then nothing is written, unless \
                  --partial is given. DIR appears when it is complete, or not at all, and the same bundle gives the same bytes.",
    after_help = "Exit status: 0 success; 1 something cannot be expressed (without --partial), or nothing can; 2 usage error; 3 a file cannot be read \
                  or written.\n\nExample:\n  picardc export harbor out/past -o out/past-harbor\n  picardc export lm-eval out/past -o out/past-lm-eval \
                  --partial"
)]
pub struct Args {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, clap::Subcommand)]
enum Format {
    Harbor(harbor::Args),
    LmEval(lm_eval::Args),
    Promptfoo(promptfoo::Args),
    Croissant(croissant::Args),
    Hf(hf::Args),
    Eee(eee::Args),
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let done = match &args.format {
        Format::Harbor(args) => harbor::run_export(args, console),
        Format::LmEval(args) => lm_eval::run_export(args, console),
        Format::Promptfoo(args) => promptfoo::run_export(args, console),
        Format::Croissant(args) => croissant::run_export(args, console),
        Format::Hf(args) => hf::run_export(args, console),
        Format::Eee(args) => eee::run_export(args, console),
    };
    Ok(done?)
}

/// Which bundle, and where it goes.
#[derive(Debug, clap::Args)]
struct FromBundle {
    /// The bundle
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    #[command(flatten)]
    to: To,
    /// Accept a bundle that was edited after it was built
    #[arg(long)]
    unverified: bool,
}

/// Where it goes.
#[derive(Debug, clap::Args)]
struct To {
    /// The folder to write; it must be new or empty
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Write what the format can express, and exit with status 0
    #[arg(long)]
    partial: bool,
    /// Print only errors, and what is left out
    #[arg(short, long)]
    quiet: bool,
}

/// An instance to write.
struct Item<'a> {
    /// The index in the bundle, from 0.
    index: u64,
    parts: Parts,
    bundle: &'a Bundle,
}

/// The reason why an instance was not written.
enum Stop {
    /// The format cannot express the instance. The reason is a sentence without a period that other instances can share.
    LeftOut(String),
    /// Something failed.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

/// A format that receives the instances of a bundle one after another.
trait Instances {
    /// The name for people.
    const NAME: &'static str;
    /// The needs of instances that the format does not support.
    const LACKS: &'static [Need];

    /// Writes an instance. An instance that is left out leaves no file.
    fn add_instance(&mut self, item: Item<'_>) -> Result<(), Stop>;

    /// Writes the parts that concern all instances.
    fn finish_export(self) -> Result<(), Error>;
}

/// Exports a bundle. `begin` creates the format for a bundle and an output folder.
fn export_bundle<F: Instances>(
    args: &FromBundle,
    console: &Console,
    begin: impl FnOnce(BundleIdentity, Folder) -> Result<F, Error>,
) -> Result<Exit, Error> {
    let bundle = open_bundle(&args.bundle, args.unverified)?;
    let output = Output::new(&args.to)?;
    let folder = output.folder();
    let about = BundleIdentity::from_bundle(&bundle, &args.bundle)?;
    let (mut left, mut written) = (LeftOut::new("instance"), 0);
    let mut format = begin(about.clone(), folder.clone())?;
    let mut instances = bundle.open_instances()?;
    let stop = stop_on_ctrl_c();
    for index in 0.. {
        let Some(parts) = instances.next_parts() else { break };
        if stop.load(Ordering::Relaxed) {
            return Err(Error::new_outside("interrupted, so nothing is written"));
        }
        let parts = parts?;
        let id = parts.instance.id.clone();
        if let Some(need) = Need::list_needs(&parts.instance).find(|need| F::LACKS.contains(need)) {
            left.add_reason(&id, &need.explain_unmet(F::NAME));
            continue;
        }
        match format.add_instance(Item { index, parts, bundle: &bundle }) {
            Ok(()) => written += 1,
            Err(Stop::LeftOut(why)) => left.add_reason(&id, &why),
            Err(Stop::Failed(error)) => return Err(error),
        }
    }
    format.finish_export()?;
    folder.write_json("picardc.json", &about.to_json(F::NAME, written, &left))?;
    output.finish_output(F::NAME, written, &left, &args.to, console)
}
