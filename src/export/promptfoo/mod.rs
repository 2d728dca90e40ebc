//! promptfoo: a test for each instance, whose assertion asks `picardc grade`.
//!
//! ```text
//! DIR/promptfooconfig.yaml  the provider is `echo`, which costs nothing; choose another with `-r`
//! DIR/tests.jsonl           the prompt is the only variable; the answer key is in no variable, configuration, or metadata
//! DIR/score.cjs             the assertion
//! DIR/keys/                 a bundle of the instances with their answer keys, and nothing that they begin with
//! ```

mod template;

use records::Error;
use serde_json::{Value as Json, json};

use super::about::{About, marks};
use super::folder::{Folder, Lines};
use super::keys::Keys;
use super::needs::Need;
use super::{FromBundle, Instances, Item, Stop, bundle_to};
use crate::console::Console;
use crate::exit::Exit;

/// Tests for promptfoo
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a configuration and tests for promptfoo. It has no sandbox, so only instances without files, whose answer key reads only the \
                  reply, are written. Prompts are escaped: promptfoo renders variables as templates. promptfoo must find the command `picardc`, or PICARDC \
                  names it.",
    after_help = "Example:\n  picardc export promptfoo out/quiz -o out/quiz-promptfoo\n  npx promptfoo eval -c out/quiz-promptfoo/promptfooconfig.yaml -r \
                  openai:gpt-5"
)]
pub(super) struct Args {
    #[command(flatten)]
    from: FromBundle,
}

/// Runs it.
pub(super) fn run(args: &Args, console: &Console) -> Result<Exit, Error> {
    bundle_to(&args.from, console, |about, folder| {
        let tests = folder.lines("tests.jsonl")?;
        let keys = Keys::new(&folder)?;
        Ok(Promptfoo { about, folder, tests, keys })
    })
}

struct Promptfoo {
    about: About,
    folder: Folder,
    tests: Lines,
    keys: Keys,
}

impl Instances for Promptfoo {
    const NAME: &'static str = "promptfoo";
    const LACKS: &'static [Need] = &[Need::Start, Need::Work, Need::Tools];

    fn add(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let instance = &item.parts.instance;
        if template::is_like_a_chat(&instance.prompt) {
            let why =
                "the prompt begins like a list of messages in JSON or YAML, which promptfoo's providers read as one";
            return Err(Stop::LeftOut(why.to_owned()));
        }
        let Some(prompt) = template::literal(&instance.prompt) else {
            let why = "the prompt has a tag of a template, and every character with which it could be escaped";
            return Err(Stop::LeftOut(why.to_owned()));
        };
        let mut metadata = self.about.identity();
        metadata.extend(marks(instance));
        self.tests.add(&json!({
            "description": instance.id,
            "vars": {"prompt": prompt},
            "assert": [{
                "type": "javascript",
                "value": "file://score.cjs",
                "config": {"id": instance.id, "bundle": self.about.sha256},
            }],
            "metadata": metadata,
        }))?;
        self.keys.add(&item)?;
        Ok(())
    }

    fn finish(self) -> Result<(), Error> {
        self.tests.finish()?;
        self.keys.finish(&self.folder, &self.about)?;
        self.folder.write("score.cjs", include_bytes!("score.cjs"))?;
        self.folder.write("promptfooconfig.yaml", config(&self.about).as_bytes())?;
        Ok(())
    }
}

/// The configuration. Strings of JSON are strings of YAML; a title is text, not a template.
fn config(about: &About) -> String {
    let description = format!("{} {} ({})", about.suite, about.full_version(), about.sha256);
    format!(
        "description: {}\nprompts:\n  - \"{{{{prompt | safe}}}}\"\nproviders:\n  - echo\ntests: file://tests.jsonl\n",
        Json::from(description)
    )
}
