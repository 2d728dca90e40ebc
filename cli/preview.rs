//! `picardc preview`: shows one instance as a person would read it.

use std::fmt::Write as _;

use analysis::answers::truncate_text;
use api::{Address, Options, Suite};
use model::Value;
use model::answer_key::{Expected, Slice, Subject};
use model::pointer::describe_column;
use model::suite::Task;
use model::value::group_digits;
use names as suggest;
use runtime::Failure;
use runtime::bundle::{Target, build_target};
use runtime::failure::FailureKind;
use runtime::generate::{HandedOut, Instance, Portion};

use crate::build::{parse_seed, report_failure};
use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::load_staged;
use crate::preview_file::{count_grouped, write_file_head};
use crate::stages::{Mode, StagesArg};

/// Show one instance: prompt, drawn values, files, and expected values
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show one instance as a person would read it: the prompt, the drawn values, the beginning of each file, and the \
                  expected values. It is the same instance that `build` creates with the same seed.",
    after_help = "Example:\n  picardc preview suites/past.pcd\n  picardc preview suites/past.pcd --task q301_csv_summary --sample 3 --seed 7"
)]
pub struct Args {
    /// The suite
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Task [default: the first]
    #[arg(long, value_name = "T")]
    pub(crate) task: Option<String>,
    /// Number of the sample, from 1 (it may exceed the number of samples of the suite)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sample: u32,
    /// A number or any text
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seed, allow_hyphen_values = true)]
    pub(crate) seed: String,
    /// Variant [default: the first]
    #[arg(long, value_name = "V")]
    pub(crate) variant: Option<String>,
    /// Stage, to be asked by itself
    #[arg(long, value_name = "STAGE", conflicts_with = "variant")]
    pub(crate) stage: Option<String>,
    #[command(flatten)]
    pub(crate) stages: StagesArg,
    /// Cell of the axes: its labels joined with `-` [default: the first]
    #[arg(long, value_name = "LABELS")]
    pub(crate) cell: Option<String>,
    /// Path of the sandbox as prompts show it
    #[arg(long, value_name = "P", default_value = Options::SANDBOX_ROOT)]
    pub(crate) sandbox_root: String,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let suite = load_staged(&args.file, choose_mode(args), console)?;
    let text = render_page(args, &suite)
        .map_err(|failure| report_failure(&failure, &suite, &args.file, &args.sandbox_root, console))?;
    let exit = console.print_page(&text, Exit::Done);
    let tasks = suite.tasks();
    if tasks.len() > 1 && args.task.is_none() {
        let others = join_names(tasks.iter().skip(1).map(|task| task.name.as_str()));
        console.print_message(&format!("other tasks (--task): {others}"));
    }
    Ok(exit)
}

/// Renders the page of the instance that the flags select.
pub(crate) fn render_page(args: &Args, suite: &Suite) -> Result<String, Failure> {
    let (address, task) = resolve_address(args, suite.tasks())?;
    Ok(render_instance(args, task, build_instance(args, suite, address, task)?.made()))
}

fn build_instance(args: &Args, suite: &Suite, address: Address, task: &Task) -> Result<api::Instance, Failure> {
    let options = Options {
        samples: Some(task.samples.max(args.sample)),
        task: Some(task.name.clone()),
        sandbox_root: args.sandbox_root.clone(),
        ..Options::new(args.seed.as_str())
    };
    Ok(suite.select_instances(options)?.get_at(address)?)
}

/// Chooses how stages are asked: a selected stage is asked separately.
pub(crate) fn choose_mode(args: &Args) -> StagesArg {
    match (&args.stage, args.stages.stages) {
        (Some(_), Mode::Whole) => StagesArg { stages: Mode::Each },
        (_, stages) => StagesArg { stages },
    }
}

/// Resolves the address that the flags select.
fn resolve_address<'p>(args: &Args, tasks: &'p [Task]) -> Result<(Address, &'p Task), Failure> {
    if let (Some(stage), Mode::Trace) = (&args.stage, args.stages.stages) {
        let message =
            format!("--stage {stage} asks one stage alone, but --stages trace asks all of them with the task");
        let failure = Failure::new(FailureKind::Usage, message);
        return Err(failure.help("remove --stage, or write --stages each or given"));
    }
    let known: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
    let index = pick_index("task", args.task.as_deref(), &known)?;
    let Some(task) = tasks.get(index) else {
        return Err(Failure::new(FailureKind::Usage, "the suite does not have a task"));
    };
    let variants: Vec<&str> = task.variants.iter().map(|variant| variant.name.as_str()).collect();
    let cells: Vec<String> = (0..task.count_cells()).map(|cell| task.build_cell_label(cell)).collect();
    let address = Address {
        task: index as u32,
        cell: pick_index("cell", args.cell.as_deref(), &cells)? as u32,
        variant: match args.stage.as_deref() {
            None => pick_index("variant", args.variant.as_deref(), &variants)? as u32,
            stage => pick_index("stage", stage, &variants)? as u32,
        },
        sample: args.sample - 1,
    };
    Ok((address, task))
}

/// Returns the index of the wanted name, or 0 if no name is given.
fn pick_index(what: &str, wanted: Option<&str>, there: &[impl AsRef<str>]) -> Result<usize, Failure> {
    let Some(wanted) = wanted else { return Ok(0) };
    there.iter().position(|name| name.as_ref() == wanted).ok_or_else(|| {
        let known: Vec<&str> = there.iter().map(AsRef::as_ref).filter(|name| !name.is_empty()).collect();
        let help = match suggest::find_closest(wanted, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => format!("the suite does not have a {what}"),
            None => format!("there is {}", join_names(known.iter().copied())),
        };
        Failure::new(FailureKind::Usage, format!("unknown {what} `{wanted}`")).help(help)
    })
}

fn join_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// Renders the whole page. Writing to a String cannot fail.
fn render_instance(args: &Args, task: &Task, instance: &Instance) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", instance.id);
    if let Some(doc) = &task.doc {
        write_indented(&mut out, doc);
    }
    let _ = write!(out, "sample {}, seed {}", instance.sample, args.seed);
    if instance.attempt > 0 {
        let _ = write!(out, ", attempt {}", instance.attempt);
    }
    if !instance.tags.is_empty() {
        let _ = write!(out, ", tags {}", join_names(instance.tags.iter().map(String::as_str)));
    }
    let wording = instance.wording.map(|wording| format!(" (wording {})", wording + 1)).unwrap_or_default();
    let _ = writeln!(out, "\n\nprompt{wording}");
    write_indented(&mut out, &instance.prompt);
    let draws = instance.axis.iter().map(|(name, label, value)| (name, value, format!("   (axis, {label})")));
    let draws: Vec<_> = draws.chain(instance.draws.iter().map(|(name, value)| (name, value, String::new()))).collect();
    if !draws.is_empty() {
        out.push_str("\ndrawn\n");
    }
    let width = draws.iter().map(|(name, _, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value, remark) in draws {
        let _ = writeln!(out, "  {name:<width$} = {}{remark}", render_literal(value));
    }
    if !instance.files.is_empty() || !instance.lakes.is_empty() || !instance.folders.is_empty() {
        out.push_str("\nfiles\n");
    }
    for each in instance.files.iter() {
        write_file_head(&mut out, each);
    }
    for handed in &instance.lakes {
        write_lake(&mut out, handed);
    }
    for folder in &instance.folders {
        let _ = writeln!(out, "  {folder}/   (an empty folder)");
    }
    out.push_str("\nexpected\n");
    for expect in &instance.expects {
        write_expected(&mut out, expect);
    }
    for key in &instance.stages {
        let _ = writeln!(out, "\nstage {}", key.stage.name);
        key.expects.iter().for_each(|expect| write_expected(&mut out, expect));
    }
    out
}

/// Writes the folder of a lake with the number and size of its files in the sandbox, then the first files, and the number of the others.
fn write_lake(out: &mut String, handed: &HandedOut) {
    const FEW: usize = 12;
    let all = handed.lake.files.len();
    let count = |number: usize| count_grouped(number as u64, "file");
    let which = match handed.portion {
        Portion::All => count(all),
        Portion::Needed => format!("{} of {}: those that the answer needs", handed.files.len(), count(all)),
        Portion::NeededAnd(others) => {
            format!("{} of {}: those that the answer needs and {others} more", handed.files.len(), count(all))
        }
    };
    let _ = writeln!(out, "  {}/   ({which}, {} bytes)", handed.lake.at, group_digits(handed.count_bytes()));
    for file in handed.files().take(FEW) {
        let _ = writeln!(out, "    {}   ({} bytes)", file.path, group_digits(file.size));
    }
    if handed.files.len() > FEW {
        let _ = writeln!(out, "    … and {} more", group_digits((handed.files.len() - FEW) as u64));
    }
}

fn write_indented(out: &mut String, text: &str) {
    for line in text.lines() {
        let _ = writeln!(out, "{}", format!("  {line}").trim_end());
    }
}

/// Renders a value: texts in quotes, others as usual.
fn render_literal(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(_) => value.to_json().to_string(),
        other => other.render_text().into_owned(),
    }
}

fn write_expected(out: &mut String, expect: &Expected) {
    /// The maximum number of shown characters of a trap's value, and of the values after `among`.
    const TRAP: usize = 100;

    let subject = match &expect.subject {
        Subject::Reply(None) => "reply".to_owned(),
        Subject::Reply(Some(Slice::LastLine)) => "reply last line".to_owned(),
        Subject::Reply(Some(Slice::After(text))) => format!("reply after {text:?}"),
        Subject::Reply(Some(Slice::Fenced(None))) => "reply fenced".to_owned(),
        Subject::Reply(Some(Slice::Fenced(Some(language)))) => format!("reply fenced {language:?}"),
        Subject::Reply(Some(Slice::Tag(name))) => format!("reply in {name:?}"),
        Subject::Reply(Some(Slice::Between(open, close))) => format!("reply in {open:?}..{close:?}"),
        Subject::File(path) => format!("file {path}"),
        Subject::Files(paths) => format!("files {}", paths.join(", ")),
        Subject::Tree(paths) => format!("tree {}", paths.join(", ")),
        Subject::Only(paths) if paths.is_empty() => "tree only [] (no new files or folders)".to_owned(),
        Subject::Only(paths) => format!("tree only {}", paths.join(", ")),
        Subject::Unchanged(paths) if paths.is_empty() => "tree unchanged".to_owned(),
        Subject::Unchanged(paths) => format!("tree unchanged except {}", paths.join(", ")),
    };
    // The subject itself lists the permitted paths.
    let matcher = match &expect.subject {
        Subject::Only(_) | Subject::Unchanged(_) => String::new(),
        _ => format!(" {}", expect.matcher.word()),
    };
    let name = expect.name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
    let place = expect.at.as_ref().map_or_else(String::new, |at| format!(" at {}", at.path));
    let _ = write!(out, "  {name}{subject}{}{place}{matcher}", expect.read.describe_part());
    if let Some(database) = &expect.database {
        let _ = write!(out, " {database}");
    }
    if let Some(path) = expect.content_file() {
        let _ = write!(out, " of {path}");
    }
    if expect.weight != model::Decimal::from_int(1) {
        let _ = write!(out, ", weight {}", expect.weight);
    }
    out.push_str(if expect.gate { ", gate\n" } else { "\n" });
    if expect.answer.is_some() && expect.content_file().is_none() {
        match build_target(std::slice::from_ref(expect)) {
            Target::One(text) => write_indented_more(out, &text),
            Target::AnyOf(texts) => {
                out.push_str("    any of\n");
                texts.iter().for_each(|text| write_indented_more(out, text));
            }
        }
    }
    for (pointer, options) in &expect.options {
        let place = match describe_column(pointer) {
            Some(column) => column,
            None if pointer.is_empty() => "the whole".to_owned(),
            None => pointer.clone(),
        };
        let _ = writeln!(out, "    {place}: {}", options.to_source());
    }
    if let Some(values) = &expect.among {
        let values: Vec<_> = values.iter().map(Value::render_text).collect();
        let _ = writeln!(out, "    and no other of {}", truncate_text(&values.join(", "), TRAP));
    }
    for trap in &expect.traps {
        let place = if trap.at.is_empty() { String::new() } else { format!("{}: ", trap.at) };
        let _ = writeln!(out, "    {place}trap {} is {}", trap.name, truncate_text(&render_literal(&trap.value), TRAP));
    }
}

fn write_indented_more(out: &mut String, text: &str) {
    for line in text.lines() {
        let _ = writeln!(out, "    {line}");
    }
}
