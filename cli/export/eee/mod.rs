//! Every Eval Ever: the results of runs, one aggregate and one file of samples for each.
//!
//! ```text
//! DIR/data/SUITE/DEVELOPER/MODEL/UUID.json
//! DIR/data/SUITE/DEVELOPER/MODEL/UUID_samples.jsonl
//! ```
//!
//! The UUID is derived from the run with its bundle, its scores, and the model: the same run always has the same UUID, and no other run has it.

mod aggregate;
mod model;
mod record;
mod sample;

use std::path::{Path, PathBuf};

use records::Error;
use serde_json::json;

use super::To;
use super::left_out::LeftOut;
use super::settle::Output;
use crate::build::{describe_compiler, stop_on_ctrl_c};
use crate::console::Console;
use crate::exit::Exit;
use aggregate::Aggregate;
use model::Model;
use record::Place;
use sample::Samples;

/// The name for people.
const NAME: &str = "Every Eval Ever";

/// Results of runs for Every Eval Ever
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write the results of scored runs in the format of Every Eval Ever, schema 0.3.0: accuracy with its 95% confidence interval, and a sample for \
                  each response with its transcript and its verdicts. It has no place for files that an agent left. Expected answers are left out, unless \
                  --keys asks for them; transcripts and replies are written as they are.",
    after_help = "Example:\n  picardc export eee runs/mine -o results --model openai/gpt-5\n  every_eval_ever validate $(find results/data -type f)"
)]
pub(super) struct Args {
    /// Folders of scored runs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    to: To,
    /// The model of a run as ORG/NAME, once for each RUN, in order [default: that of the agent, if it says both]
    #[arg(long = "model", value_name = "ORG/NAME", value_parser = model::parse_model)]
    models: Vec<Model>,
    /// Who ran it
    #[arg(long, value_name = "NAME", default_value = "unknown")]
    organization: String,
    /// Publish the expected answers too
    #[arg(long)]
    keys: bool,
    /// Accept a bundle in RUN/bundle that was edited after it was built
    #[arg(long)]
    unverified: bool,
}

/// Runs the export and returns its exit status.
pub(super) fn run_export(args: &Args, console: &Console) -> Result<Exit, Error> {
    if !args.models.is_empty() && args.models.len() != args.runs.len() {
        let message = format!("--model is given {} times for {} runs", args.models.len(), args.runs.len());
        return Err(Error::new_usage(message).help("give it once for each RUN, in the same order"));
    }
    for (at, run) in args.runs.iter().enumerate() {
        if run.is_file() {
            let message = format!("`{}` is a file, and only runs of `picardc run` are exported", disk::show_path(&run));
            return Err(Error::new_usage(message)
                .help("give the folder of a run; Inspect AI's logs have a converter in every_eval_ever"));
        }
        if args.runs.iter().take(at).any(|earlier| is_same_folder(earlier, run)) {
            return Err(Error::new_usage(format!("the run `{}` is given twice", disk::show_path(&run)))
                .help("give each run once"));
        }
    }
    let runs = crate::report::read_runs(&args.runs, args.unverified)?;
    let mut models = args.models.clone();
    if models.is_empty() {
        models = runs.iter().map(|run| Model::from_agent(&run.info.agent)).collect::<Result<_, _>>()?;
    }
    for warning in runs.iter().flat_map(|run| &run.warnings) {
        console.print_message(&format!("warning: {warning}"));
    }
    let output = Output::new(&args.to)?;
    let folder = output.folder();
    let report = report::build_report(&runs, None);
    let mut left = LeftOut::new_partial("response");
    let (mut written, mut sources, stop) = (0, Vec::new(), stop_on_ctrl_c());
    for (((path, data), of_run), model) in args.runs.iter().zip(&runs).zip(&report.runs).zip(&models) {
        let place = Place::from_run(data, model)?;
        let samples = Samples { run: path, data, place: &place, model, keys: args.keys };
        let (count, checksum) = samples.write_samples(&folder, &mut left, stop)?;
        written += count;
        let aggregate = Aggregate {
            data,
            accuracy: &of_run.whole,
            place: &place,
            model,
            organization: &args.organization,
            checksum,
            rows: count,
        };
        folder.write_json(&place.build_aggregate_path(), &aggregate.to_json())?;
        let bundle = &data.info.bundle;
        let record = place.build_aggregate_path();
        sources.push(json!({
            "suite": bundle.suite, "version": bundle.version, "bundle_sha256": bundle.sha256, "record": record,
        }));
    }
    let about =
        json!({"format": NAME, "runs": sources, "left_out": left.to_json(), "picardc": describe_compiler().version});
    folder.write_json("picardc.json", &about)?;
    output.finish_output(NAME, written, &left, &args.to, console)
}

/// Whether two paths lead to the same folder.
fn is_same_folder(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(a) == real(b)
}
