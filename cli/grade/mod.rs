//! `picardc grade`: scores one response, or responses as they arrive.

mod lines;

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use ::agent::sandbox::{Lazy, Sandbox, capture};
use ::report::render::words::{describe_evidence, describe_reason};
use names as suggest;
use records::stated_paths::{StatedPaths, describe_misfit};
use records::{Bundle, Captured, Error, Instance, Response, Score};
use serde_json::{Map, Value as Json, json};

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::score::open_bundle;
use crate::whole_file;

/// The maximum size of a response, in bytes.
const MAX_RESPONSE_BYTES: u64 = 256 << 20;

/// Score one response from standard input, or many
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Score one response to one instance of a bundle, by the same rules as `picardc run`. Standard input is the agent's reply. With \
                  --response, the response is JSON as in responses.jsonl: an object with `reply`, and if you like `files` and `status`. If the answer \
                  key reads files, give --sandbox with the folder in which the agent worked. Nothing is written but the FILE of --reward.\n\n\
                  With --lines, each line of standard input is a response as JSON with its `id`, and each line of standard output is the score of one, \
                  as soon as it is known. A line that cannot be scored gives `{\"id\", \"error\", \"help\"}`. So a harness starts one process for \
                  all responses.",
    after_help = "Exit status: 0 the response is correct (with --lines: all of them); 1 it is not; 2 usage error; 3 I/O error.\n\n\
                  Example:\n  echo 27 | picardc grade out/orders big_orders-1\n  picardc grade out/past q301_csv_summary-1 --sandbox work --json < reply.txt"
)]
pub struct Args {
    /// The bundle
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// The id of the instance
    #[arg(value_name = "INSTANCE", required_unless_present = "lines")]
    instance: Option<String>,
    /// Score many responses, a line of JSON each
    #[arg(long, conflicts_with_all = ["instance", "response", "sandbox", "json", "reward"])]
    lines: bool,
    /// A response as JSON, from a file or from standard input (`-`)
    #[arg(long, value_name = "FILE")]
    response: Option<PathBuf>,
    /// The folder in which the agent worked; its files replace those of the response
    #[arg(long, value_name = "DIR")]
    sandbox: Option<PathBuf>,
    /// Print the score as one JSON document on stdout
    #[arg(long)]
    json: bool,
    /// Also write `{"reward": 1 or 0, "score": 0 to 1}` to this file; `reward` is 1 if the response is correct
    #[arg(long, value_name = "FILE")]
    reward: Option<PathBuf>,
    /// Accept a bundle that was edited after the build
    #[arg(long)]
    unverified: bool,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    Ok(match &args.instance {
        Some(id) => show_score(&grade_instance(args, id)?, args, console)?,
        None => lines::grade_lines(&open_bundle(&args.bundle, args.unverified)?, console)?,
    })
}

/// Prints a score, and writes the reward.
fn show_score(score: &Score, args: &Args, console: &Console) -> Result<Exit, Error> {
    if let Some(path) = &args.reward {
        let reward = json!({"reward": u8::from(score.correct), "score": score.score});
        whole_file::write_whole(path, &format!("{reward}\n")).map_err(|error| Error::new_io("write", path, &error))?;
    }
    Ok(match serde_json::to_string(&score) {
        Ok(json) if args.json => console.print_data(&format!("{json}\n"), to_exit(score)),
        _ => console.print_page(&render_score(score), to_exit(score)),
    })
}

/// The exit status for a score.
fn to_exit(score: &Score) -> Exit {
    if score.correct { Exit::Done } else { Exit::NotGood }
}

fn grade_instance(args: &Args, id: &str) -> Result<Score, Error> {
    let bundle = open_bundle(&args.bundle, args.unverified)?;
    let instance = find_instance(&bundle, id)?;
    let mut response = match &args.response {
        None => Response { reply: read_reply()?, ..new_response(&instance) },
        Some(path) => parse_response(parse_fields(&read_input(path)?)?, &instance)?,
    };
    if let Some(folder) = &args.sandbox {
        let start = Lazy::new(&bundle, &instance);
        response.files = capture::capture_paths(&Sandbox::open_answered(folder, &bundle)?, &instance, &start);
        start.into_error().map_or(Ok(()), Err)?;
    }
    score_response(
        &bundle,
        &instance,
        &response,
        ("--sandbox is missing", "give --sandbox with the folder in which the agent worked"),
    )
}

/// Scores a response. `missing` describes what is missing and how to provide it, if the answer key reads files and the response has none.
fn score_response(
    bundle: &Bundle,
    instance: &Instance,
    response: &Response,
    missing: (&str, &str),
) -> Result<Score, Error> {
    let paths = instance.list_key_paths();
    if let ([], [first, ..], true) = (response.files.as_slice(), paths.as_slice(), response.status.is_scored()) {
        let message = format!("the answer key of `{}` reads `{first}`, but {}", instance.id, missing.0);
        return Err(Error::new_usage(message).help(missing.1));
    }
    let start = Lazy::new(bundle, instance);
    let score = api::grade_response(instance, response, &start);
    start.into_error().map_or(Ok(score), Err)
}

fn find_instance(bundle: &Bundle, id: &str) -> Result<Instance, Error> {
    let mut ids = Vec::new();
    for instance in bundle.open_instances()? {
        let instance = instance?;
        if instance.id == id {
            return Ok(instance);
        }
        ids.push(instance.id);
    }
    Err(build_unknown_error(id, ids.iter().map(String::as_str)))
}

fn build_unknown_error<'a>(id: &str, ids: impl Iterator<Item = &'a str>) -> Error {
    let error = Error::new_usage(format!("the bundle has no instance `{id}`"));
    match suggest::find_closest(id, ids) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help("`instances.jsonl` lists the ids"),
    }
}

fn new_response(instance: &Instance) -> Response {
    Response { id: instance.id.clone(), trial: 1, attempts: 1, ..Response::default() }
}

/// Reads standard input as a reply, without its final line end, which a shell adds.
fn read_reply() -> Result<String, Error> {
    let text = String::from_utf8_lossy(&read_input(Path::new("-"))?).into_owned();
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

fn read_input(path: &Path) -> Result<Vec<u8>, Error> {
    let wrong = |error: std::io::Error| Error::new_io("read", path, &error);
    if path != Path::new("-") {
        return disk::read_regular(path, MAX_RESPONSE_BYTES).map_err(wrong);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MAX_RESPONSE_BYTES + 1).read_to_end(&mut bytes).map_err(wrong)?;
    if bytes.len() as u64 > MAX_RESPONSE_BYTES {
        return Err(Error::new_usage(format!("standard input has more than {MAX_RESPONSE_BYTES} bytes")));
    }
    Ok(bytes)
}

/// Parses the fields of a response.
fn parse_fields(bytes: &[u8]) -> Result<Map<String, Json>, Error> {
    model::json::parse_lenient(bytes).map_err(|error| build_parse_error(&error))
}

fn build_parse_error(error: &serde_json::Error) -> Error {
    Error::new_usage(format!("the response cannot be read: {error}"))
        .help("write an object such as {\"reply\": \"42\"}, or a line of `responses.jsonl`")
}

/// Parses a response in the format of `responses.jsonl`. Missing fields are those of an agent that is done.
fn parse_response(mut fields: Map<String, Json>, instance: &Instance) -> Result<Response, Error> {
    for (name, value) in [("id", instance.id.as_str().into()), ("trial", 1.into()), ("status", "done".into())] {
        fields.entry(name).or_insert(value);
    }
    let mut response: Response =
        serde_json::from_value(Json::Object(fields)).map_err(|error| build_parse_error(&error))?;
    if response.id != instance.id {
        let message = format!("the response is to instance `{}`, not to `{}`", response.id, instance.id);
        return Err(Error::new_usage(message).help("give the instance that was asked"));
    }
    response.files = as_read(response.files, instance)?;
    Ok(response)
}

/// Selects the files of a response by the paths that the answer key reads. A folder exists if it contains something.
fn as_read(files: Vec<(String, Captured)>, instance: &Instance) -> Result<Vec<(String, Captured)>, Error> {
    if files.is_empty() {
        return Ok(files);
    }
    let unread = |why: &dyn std::fmt::Display| {
        Error::new_usage(format!("the `files` of the response cannot be read: {why}"))
            .help("give each path relative to the sandbox, as `responses.jsonl` does")
    };
    let mut told = StatedPaths::default();
    for (path, captured) in files {
        told.add_path(&path, captured).map_err(|why| unread(&why))?;
    }
    let mut read = Vec::new();
    for path in instance.list_key_paths() {
        let is_something = |captured: &Captured| *captured != Captured::Absent;
        let found = match told.find_path(&path).map_err(|why| unread(&why))? {
            None if path.ends_with('/') && told.iter_below(&path).any(is_something) => Captured::Folder,
            None => Captured::Absent,
            Some((written, captured)) => match describe_misfit(&path, written, captured) {
                Some(why) => return Err(unread(&why)),
                None => captured.clone(),
            },
        };
        read.push((path, found));
    }
    Ok(read)
}

/// Renders the score, and each expectation with its differences. Writing to a String cannot fail.
fn render_score(score: &Score) -> String {
    let verdict = if score.correct { "correct" } else { "not correct" };
    let mut out = format!("{}: {verdict}, score {:.3}\n", score.id, score.score);
    for verdict in &score.verdicts {
        let _ =
            writeln!(out, "  {} {}: {}", verdict.describe_subject(), verdict.matcher, describe_reason(verdict.reason));
        if let Some(sentence) = describe_evidence(verdict) {
            let _ = writeln!(out, "    {sentence}");
        }
        for place in &verdict.differences {
            let at = if place.at.is_empty() { String::new() } else { format!("at {}: ", place.at) };
            let _ = writeln!(out, "    {at}expected {}, got {}", place.expected, place.got);
        }
    }
    out
}
