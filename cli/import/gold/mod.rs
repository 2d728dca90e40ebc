//! `picardc import bird` and `picardc import spider`: questions with gold SQL on databases. `questions` parses them, `literals` rewrites the quotes of people's
//! gold queries, `verdict` runs them, and `write` renders the source.

mod layout;
mod literals;
mod questions;
mod verdict;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use api::Suite;

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::overlay::{Overlay, Texts};
use host::Disk;

use super::judge::{self, Lint};
use super::source::render_string;
use super::{Imported, LeftOut, Out, finish_import, read_json};
use layout::Layout;
pub use layout::{BIRD, SPIDER};
use questions::Question;
use verdict::{Database, Rejection};

// A doc comment here would replace the description of each command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of the data set, below the folder of SUITE, which hands out its databases
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The file of the questions, in DIR
    #[arg(long, value_name = "FILE", default_value = "dev.json")]
    questions: String,
    /// The folder of the databases, in DIR [default: `dev_databases` of BIRD, `database` of Spider]
    #[arg(long, value_name = "NAME")]
    databases: Option<String>,
    #[command(flatten)]
    out: Out,
}

/// Runs the import of a data set in this layout, and returns its exit status.
pub(super) fn run_import(args: &Args, layout: &Layout, console: &Console) -> Result<Exit, CommandError> {
    args.out.require_free()?;
    let imported = import_dataset(args, layout)?;
    finish_import(&imported, &args.folder.join(&args.questions), &args.out, console)
}

/// Imports the suite of a data set.
fn import_dataset(args: &Args, layout: &Layout) -> Result<Imported, CommandError> {
    let rows = args.out.out.with_extension("json");
    args.out.require_writable(&rows)?;
    let shown = disk::show_path(&args.folder);
    let below = args.out.find_relative_folder(&args.folder).map_err(|error| {
        CommandError::new_usage(format!("cannot read the folder `{shown}`: {error}"), "give the folder of a data set")
    })?;
    let below = below.ok_or_else(|| args.out.explain_not_below("data set", &args.folder))?;
    let path = args.folder.join(&args.questions);
    let json = read_json(&path.to_string_lossy(), "give a file of questions")?;
    let (mut left_out, mut notes) = (Vec::new(), Vec::new());
    let mut questions = questions::parse_questions(&json, layout, &mut left_out, &mut notes).map_err(|why| {
        let message = format!("`{}` does not have questions of {}: {why}", disk::show_path(&path), layout.name);
        CommandError::new_usage(message, "give another file")
    })?;
    let databases = args.databases.as_deref().unwrap_or(layout.databases);
    let folder = args.folder.join(databases);
    if !folder.is_dir() {
        let help = "name the folder that has `ID/ID.sqlite` with --databases";
        return Err(CommandError::new_usage(format!("`{shown}` has no folder `{databases}`"), help));
    }
    judge_questions(&mut questions, &folder, layout, &mut left_out);
    let good = questions.iter().filter(|question| question.rejected.is_none()).count();
    let place = write::Place {
        suite: &args.out.to_suite_name(),
        layout,
        databases: &format!("{below}/{databases}"),
        rows: &rows.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
    };
    let imported = Imported {
        suite: write::render_suite(&place, &questions, ""),
        questions: good,
        left_out,
        notes,
        files: vec![(rows, write::render_rows(&questions))],
    };
    if good == 0 {
        return Ok(imported);
    }
    check_imported(imported, args, &place, &questions)
}

/// Runs each gold query on its database after rewriting its texts to single quotes. Records for each unusable question why.
fn judge_questions(questions: &mut [Question], folder: &Path, layout: &Layout, left_out: &mut Vec<LeftOut>) {
    let mut by_database: BTreeMap<String, Vec<&mut Question>> = BTreeMap::new();
    for question in questions.iter_mut() {
        by_database.entry(question.db_id.clone()).or_default().push(question);
    }
    // Opens one database at a time, because it may be large.
    for (id, questions) in by_database {
        let database = Database::from_path(&folder.join(&id).join(format!("{id}.sqlite")));
        for question in questions {
            let judged = match &database {
                Ok(database) => {
                    question.sql = literals::rewrite_text_quotes(&question.sql, |sql| database.can_prepare(sql));
                    database.judge_query(&question.sql, layout.gold)
                }
                Err(why) => Err(Rejection::from_database(&why.to_string())),
            };
            question.rejected = judged.err();
        }
    }
    left_out.extend(questions.iter().filter_map(|question| {
        let why = question.rejected.as_ref()?.why.clone();
        Some(LeftOut { what: format!("question {}", question.id), why })
    }));
}

/// Adds the `allow` statements that the suite needs.
fn check_imported(
    mut imported: Imported,
    args: &Args,
    place: &write::Place<'_>,
    questions: &[Question],
) -> Result<Imported, CommandError> {
    let path = args.out.out.to_string_lossy();
    let disk = Disk::new(&path);
    let mut texts = Texts::default();
    texts.put_text(&path, "", imported.suite.clone());
    for (file, text) in &imported.files {
        texts.put_text(&file.to_string_lossy(), "", text.clone());
    }
    let suite = Suite::compile(&path, &Overlay { disk: &disk, texts: &texts });
    let lints = judge::collect_lints(&suite).map_err(|refusal| {
        let shown = disk::show_path(&args.folder);
        CommandError::new(Exit::NotGood, format!("the suite of `{shown}` does not pass `check`: {}", refusal.why))
            .help("this may be a defect of picardc; please report it, with the data set")
    })?;
    let reason = render_string("The questions are as they were published");
    let allows: String = lints.iter().map(|Lint { name, .. }| format!("  allow {name} {reason}\n")).collect();
    imported.suite = write::render_suite(place, questions, &allows);
    Ok(imported)
}
