//! Hugging Face: a folder with a dataset repository.
//!
//! ```text
//! DIR/README.md                                      the dataset card, with the canary
//! DIR/data/test-00000-of-00001-DIGEST.parquet        the instances, with their files, without keys
//! DIR/keys/test-00000-of-00001-DIGEST.parquet        with --keys: the answer keys, in their own configuration
//! ```
//!
//! The names of files contain the digest of the bundle, and the card names them in full: `datasets` identifies a dataset in a folder by its card, and would
//! return the cached rows of another bundle (tested).

use std::fmt::Write as _;

use records::Error;
use records::columns::{FILES, KEY};
use serde_json::Value as Json;

use super::about::BundleIdentity;
use super::folder::Folder;
use super::needs::Need;
use super::tables::{Cell, Tables, list_public_columns, read_contents};
use super::{FromBundle, Instances, Item, Stop, export_bundle};
use crate::console::Console;
use crate::exit::Exit;

/// A dataset repository for the Hugging Face Hub
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a dataset for the Hugging Face Hub: a dataset card and Parquet files with columns of fixed types. Answer keys and drawn values are \
                  left out, unless --keys asks for them: then they are a configuration of their own, `keys`, which the Hub shows to everyone.",
    after_help = "Example:\n  picardc export hf out/past -o out/past-hf\n  python -c 'from datasets import load_dataset; print(load_dataset(\"out/past-hf\"))'"
)]
pub(super) struct Args {
    #[command(flatten)]
    from: FromBundle,
    /// Publish the answer keys too
    #[arg(long)]
    keys: bool,
}

/// Runs the export and returns its exit status.
pub(super) fn run_export(args: &Args, console: &Console) -> Result<Exit, Error> {
    export_bundle(&args.from, console, |about, folder| {
        let name = build_file_name(&about);
        let keys = args.keys.then(|| format!("keys/{name}"));
        let tables = Tables::new(&folder, &about, &format!("data/{name}"), FILES, keys.as_deref())?;
        Ok(Hf { about, folder, tables })
    })
}

/// Builds the name of the file of rows.
fn build_file_name(about: &BundleIdentity) -> String {
    format!("test-00000-of-00001-{}.parquet", about.short_digest())
}

struct Hf {
    about: BundleIdentity,
    folder: Folder,
    tables: Tables,
}

impl Instances for Hf {
    const NAME: &'static str = "Hugging Face datasets";
    const LACKS: &'static [Need] = &[];

    fn add_instance(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let Some(files) = read_contents(&item)? else {
            return Err(Stop::LeftOut("its files have more than 256 MiB together, too much for a row".to_owned()));
        };
        Ok(self.tables.add_instance(item, Cell::Files(files))?)
    }

    fn finish_export(self) -> Result<(), Error> {
        let card = render_card(&self);
        self.tables.finish_tables()?;
        self.folder.write_file("README.md", card.as_bytes())
    }
}

/// Renders the dataset card. JSON strings are also valid YAML strings.
fn render_card(Hf { about, tables, .. }: &Hf) -> String {
    let text = |text: &str| Json::from(text).to_string();
    let file = build_file_name(about);
    let title = about.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::from("---\n");
    // Writing to a String cannot fail.
    if let Some(license) = &about.license {
        let _ = writeln!(out, "license: {}", text(&license.to_lowercase()));
    }
    let _ = writeln!(out, "pretty_name: {}\ntags:\n- picardc\n- evaluation\nconfigs:", text(&title));
    let mut config = |name: &str, folder: &str, more: &str| {
        let _ = write!(out, "- config_name: {name}\n{more}  data_files:\n  - split: test\n    path: {folder}/{file}\n");
    };
    config("instances", "data", "  default: true\n");
    if tables.has_keys() {
        config("keys", "keys", "");
    }
    let _ = write!(
        out,
        "---\n\n# {title}\n\nInstances of the evaluation suite `{}` {}, built by `picardc`.\n\n\
         - bundle SHA-256: `{}`\n",
        about.suite, about.version, about.sha256
    );
    if let Some(canary) = &about.canary {
        let _ = writeln!(out, "- canary: `{canary}`\n\nThis data must not appear in training corpora.");
    }
    let _ = write!(out, "\n| column | |\n| --- | --- |\n");
    for column in list_public_columns().chain([FILES]) {
        let _ = writeln!(out, "| `{}` | {} |", column.name, column.about);
    }
    if tables.has_keys() {
        let _ = write!(out, "\nThe configuration `keys` has the answer keys:\n\n| column | |\n| --- | --- |\n");
        for column in &KEY {
            let _ = writeln!(out, "| `{}` | {} |", column.name, column.about);
        }
    } else {
        out.push_str("\nThe answer keys are not published. You can build them from the suite and its seed.\n");
    }
    out
}
