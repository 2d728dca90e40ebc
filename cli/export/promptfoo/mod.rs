//! promptfoo: a test for each instance, whose assertion calls `picardc grade`.
//!
//! ```text
//! DIR/promptfooconfig.yaml  the provider is `echo`, which costs nothing; choose another with `-r`
//! DIR/tests.jsonl           the prompt is the only variable; the answer key is in no variable, configuration, or metadata
//! DIR/agents.yaml           the same for instances with starting files: for providers that work in a folder
//! DIR/agents.jsonl          each with its folder, as the variable `folder` and as `working_dir` of the provider
//! DIR/files/ID/             the starting files of such an instance
//! DIR/score.cjs             the assertion
//! DIR/keys/                 a bundle of the instances with their answer keys
//! ```

mod template;

use agent::sandbox::parse_sandbox_root;
use records::Error;
use serde_json::{Value as Json, json};

use super::about::{BundleIdentity, collect_metadata};
use super::folder::{Folder, Lines};
use super::keys::Keys;
use super::names::to_portable_name;
use super::needs::Need;
use super::{FromBundle, Instances, Item, Stop, export_bundle};
use crate::console::Console;
use crate::exit::Exit;

/// Tests for promptfoo
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write configurations and tests for promptfoo. promptfooconfig.yaml has the instances without files, for any provider. agents.yaml has \
                  those that begin with files: each in a folder of its own, which providers of coding agents get as their `working_dir`. promptfoo looks at no files \
                  afterwards, so instances whose answer key reads more than the reply are left out. Prompts are escaped: promptfoo renders variables as \
                  templates. promptfoo must find the command `picardc`, or PICARDC names it.",
    after_help = "Example:\n  picardc export promptfoo out/quiz -o out/quiz-promptfoo\n  npx promptfoo eval -c out/quiz-promptfoo/promptfooconfig.yaml -r \
                  openai:gpt-5\n  npx promptfoo eval -c out/quiz-promptfoo/agents.yaml -r anthropic:claude-agent-sdk"
)]
pub(super) struct Args {
    #[command(flatten)]
    from: FromBundle,
}

/// Runs the export and returns its exit status.
pub(super) fn run_export(args: &Args, console: &Console) -> Result<Exit, Error> {
    export_bundle(&args.from, console, |about, folder| {
        let keys = Keys::new(&folder)?;
        Ok(Promptfoo { about, folder, tests: None, agents: None, keys })
    })
}

struct Promptfoo {
    about: BundleIdentity,
    folder: Folder,
    /// The tests for any provider, and those for providers that work in a folder; `None` until the first one.
    tests: Option<Lines>,
    agents: Option<Lines>,
    keys: Keys,
}

impl Instances for Promptfoo {
    const NAME: &'static str = "promptfoo";
    const LACKS: &'static [Need] = &[Need::Work, Need::Tools];

    fn add_instance(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let instance = &item.parts.instance;
        if template::is_like_a_chat(&instance.prompt) {
            let why =
                "the prompt begins like a list of messages in JSON or YAML, which promptfoo's providers read as one";
            return Err(Stop::LeftOut(why.to_owned()));
        }
        let Some(prompt) = template::build_literal_template(&instance.prompt) else {
            let why = "the prompt has a tag of a template, and every character with which it could be escaped";
            return Err(Stop::LeftOut(why.to_owned()));
        };
        let mut metadata = self.about.to_identity_fields();
        metadata.extend(collect_metadata(instance));
        let mut test = json!({
            "description": instance.id,
            "vars": {"prompt": prompt},
            "assert": [{
                "type": "javascript",
                "value": "file://score.cjs",
                "config": {"id": instance.id, "bundle": self.about.sha256},
            }],
            "metadata": metadata,
        });
        let lines = if Need::list_needs(instance).any(|need| need == Need::Start) {
            let place = self.write_start(&item)?;
            test["vars"]["folder"] = place.as_str().into();
            test["options"] = json!({"working_dir": place});
            open_lines(&mut self.agents, &self.folder, "agents.jsonl")?
        } else {
            open_lines(&mut self.tests, &self.folder, "tests.jsonl")?
        };
        lines.add_line(&test)?;
        Ok(self.keys.add_instance(&self.folder, &item)?)
    }

    fn finish_export(self) -> Result<(), Error> {
        let parts = [
            (self.tests, "promptfooconfig.yaml", "tests.jsonl", ""),
            (self.agents, "agents.yaml", "agents.jsonl", FOR_AGENTS),
        ];
        for (lines, name, tests, comment) in parts {
            if let Some(lines) = lines {
                lines.finish_lines()?;
                self.folder.write_file(name, render_config(&self.about, tests, comment).as_bytes())?;
            }
        }
        self.keys.finish_bundle(&self.folder, &self.about)?;
        self.folder.write_file("score.cjs", include_bytes!("score.cjs"))
    }
}

impl Promptfoo {
    /// Writes the starting files of an instance. Returns its folder.
    fn write_start(&self, item: &Item<'_>) -> Result<String, Stop> {
        let instance = &item.parts.instance;
        let Some(above) = parse_sandbox_root(&self.about.sandbox_root) else {
            let root = &self.about.sandbox_root;
            return Err(Stop::LeftOut(format!(
                "prompts call the sandbox `{root}`, and promptfoo's agents work elsewhere"
            )));
        };
        let place = format!("files/{}", to_portable_name(&instance.id));
        for (path, content) in &instance.files {
            self.folder.copy_file(item.bundle, content, &format!("{place}/{above}{path}"))?;
        }
        for path in &instance.folders {
            self.folder.make_folder(&format!("{place}/{above}{path}"))?;
        }
        Ok(place)
    }
}

/// Returns the open file of tests; creates it for the first test.
fn open_lines<'l>(lines: &'l mut Option<Lines>, folder: &Folder, name: &str) -> Result<&'l mut Lines, Error> {
    match lines {
        Some(lines) => Ok(lines),
        None => Ok(lines.insert(folder.create_lines(name)?)),
    }
}

/// The comment at the start of the second configuration.
const FOR_AGENTS: &str = "# For providers that work in a folder: each test has its own, as `working_dir` in its options and as the variable `folder`.\n\
                          # A provider without access to it cannot know the answers. The answer keys are next to it, in `keys`: let agents read\n\
                          # nothing but their folder.\n";

/// Renders a configuration. JSON strings are also valid YAML strings.
fn render_config(about: &BundleIdentity, tests: &str, comment: &str) -> String {
    let description = format!("{} {} ({})", about.suite, about.full_version(), about.sha256);
    format!(
        "{comment}description: {}\nprompts:\n  - \"{{{{prompt | safe}}}}\"\nproviders:\n  - echo\ntests: file://{tests}\n",
        Json::from(description)
    )
}
