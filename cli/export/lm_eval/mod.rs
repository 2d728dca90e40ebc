//! lm-evaluation-harness: one task. One process of `picardc grade` scores its replies.
//!
//! ```text
//! DIR/SUITE_DIGEST.yaml     the task; its name contains the digest, to prevent the use of another bundle's cached requests
//! DIR/picardc_score.py      reads instances.jsonl, scores replies
//! DIR/instances.jsonl       {"id", "input", "bundle"}, without the answer key
//! DIR/keys/                 a bundle of the instances with their answer keys, without starting files
//! ```

use records::Error;
use serde_json::{Value as Json, json};

use super::about::BundleIdentity;
use super::folder::{Folder, Lines};
use super::keys::Keys;
use super::names::to_portable_name;
use super::needs::Need;
use super::{FromBundle, Instances, Item, Stop, export_bundle};
use crate::console::Console;
use crate::exit::Exit;

/// A task for lm-evaluation-harness (lm-eval)
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a task for lm-evaluation-harness. It has no sandbox, so only instances without files, whose answer key reads only the reply, are \
                  written. The harness must find the command `picardc`, or PICARDC names it.",
    after_help = "Example:\n  picardc export lm-eval out/quiz -o out/quiz-lm-eval\n  lm_eval run --model dummy --include_path out/quiz-lm-eval --tasks \
                  quiz"
)]
pub(super) struct Args {
    #[command(flatten)]
    from: FromBundle,
}

/// Runs the export and returns its exit status.
pub(super) fn run_export(args: &Args, console: &Console) -> Result<Exit, Error> {
    export_bundle(&args.from, console, |about, folder| {
        let lines = folder.create_lines("instances.jsonl")?;
        let keys = Keys::new(&folder)?;
        Ok(LmEval { about, folder, lines, keys })
    })
}

struct LmEval {
    about: BundleIdentity,
    folder: Folder,
    lines: Lines,
    keys: Keys,
}

impl Instances for LmEval {
    const NAME: &'static str = "lm-eval";
    const LACKS: &'static [Need] = &[Need::Start, Need::Work, Need::Tools];

    fn add_instance(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let instance = &item.parts.instance;
        self.lines.add_line(&json!({"id": instance.id, "input": instance.prompt, "bundle": self.about.sha256}))?;
        Ok(self.keys.add_instance(&self.folder, &item)?)
    }

    fn finish_export(self) -> Result<(), Error> {
        self.lines.finish_lines()?;
        self.keys.finish_bundle(&self.folder, &self.about)?;
        self.folder.write_file("picardc_score.py", include_bytes!("picardc_score.py"))?;
        let name = format!("{}_{}", to_portable_name(&self.about.suite), self.about.short_digest());
        self.folder.write_file(&format!("{name}.yaml"), render_task(&name, &self.about).as_bytes())
    }
}

/// Renders the task. JSON strings are also valid YAML strings.
fn render_task(name: &str, about: &BundleIdentity) -> String {
    let text = |text: &str| Json::from(text).to_string();
    format!(
        r#"# {} of {}
task: {}
tag: {}
custom_dataset: !function picardc_score.dataset
test_split: test
output_type: generate_until
doc_to_text: "{{{{input}}}}"
doc_to_target: ""
process_results: !function picardc_score.process_results
generation_kwargs:
  until: []
  do_sample: false
  max_gen_toks: 4096
metric_list:
  - metric: correct
    aggregation: mean
    higher_is_better: true
  - metric: score
    aggregation: mean
    higher_is_better: true
metadata:
  version: {}
"#,
        about.sha256,
        to_portable_name(&about.suite),
        text(name),
        text(&to_portable_name(&about.suite)),
        text(&about.full_version()),
    )
}
