//! `picardc run`: runs an agent on every instance of a bundle.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ::agent::runner::Ended;
use ::agent::secrets::Kind;
use ::agent::{Options, Spec, runner, settings};
use api::Suite;
use records::bundle::read_manifest;
use records::run::{Confined, Confinement, MAX_TRIALS};
use records::{Bundle, Error, Instance, Price, Status};
use serde_json::{Map, Value as Json};

use crate::build;
use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::load_staged;
use crate::option_values::{InvalidValue, parse_number};
use crate::progress::Answers;
use crate::request;
use crate::score::{open_bundle, report_summary};
use crate::stages::StagesArg;

/// Run an agent on every instance, and score its responses
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Run an agent on every instance of a bundle, each in a fresh sandbox, and score its responses. Each response is saved \
                  in RUN/responses.jsonl when it arrives. Repeat the command to resume a run that was stopped or killed; instances that \
                  failed are then run again.\n\nAn instance that fails or times out counts as incorrect. A bundle that was changed after \
                  it was built is rejected.\n\nAgents:\n  oracle, null, guess   baseline agents: always correct, does nothing, gives the \
                  most common answer\n  cmd:PROGRAM ARGS…     a program, started in the sandbox of each instance\n  picard:URL            a server \
                  that implements PICARD's protocol\n  openai:URL#MODEL      a chat endpoint with the built-in tools",
    after_help = "Example:\n  picardc run out/past --agent oracle -o runs/oracle\n  picardc run out/past --agent 'cmd:python3 agent.py' -o runs/mine \
                  --concurrency 4\n  picardc run suites/past.pcd --samples 5 --agent openai:http://localhost:8000/v1#qwen -o runs/qwen"
)]
pub struct Args {
    /// A bundle, or a suite, which is first built into RUN/bundle
    #[arg(value_name = "BUNDLE|FILE")]
    what: PathBuf,
    /// Agent: oracle, null, guess, cmd:PROGRAM ARGS…, picard:URL, or openai:URL#MODEL
    #[arg(long, value_name = "SPEC")]
    agent: Spec,
    /// Folder of the run: a new folder, or that of a run to resume
    #[arg(short, long, value_name = "RUN")]
    out: PathBuf,
    /// As for `build`, if you give a suite
    #[arg(long, value_name = "S", value_parser = build::parse_seed, allow_hyphen_values = true)]
    seed: Option<String>,
    /// As for `build`, if you give a suite
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    samples: Option<u32>,
    #[command(flatten)]
    stages: StagesArg,
    /// Only tasks whose names match (`*` any characters, `?` one)
    #[arg(long, value_name = "GLOB")]
    task: Option<String>,
    /// Run only N instances, spread evenly over tasks; all variants of a sample are included as far as N allows
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Number of trials of each instance
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TRIALS)))]
    trials: u32,
    /// Number of instances that run in parallel [default: 8; for cmd:, the number of cores; for picard:, 1; always 1 with --sandbox]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Time limit of an instance, in seconds
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: u64,
    /// Maximum number of rounds of inference
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    max_rounds: u32,
    /// Number of retries if the server is busy, fails, or drops the connection
    #[arg(long, value_name = "N", default_value_t = 5)]
    retries: u32,
    /// Seconds before the first retry; doubled for each retry, up to a minute
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = parse_seconds)]
    retry_pause: f64,
    /// When resuming, run instances again whose server, network, or program failed; with false they stay incorrect
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true", num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    retry_failed: bool,
    /// Accept a bundle that was edited after it was built; run.json and reports record this
    #[arg(long)]
    unverified: bool,
    /// cmd: resume a run although files of the program were changed; run.json and reports record this
    #[arg(long)]
    allow_changed: bool,
    /// Run all instances one by one in this folder, for servers that work in a fixed place. The folder is emptied before each instance
    #[arg(long, value_name = "DIR")]
    sandbox: Option<PathBuf>,
    /// Link each sandbox to one read-only copy of a lake over 64 MiB, instead of copying it. Programs that do not follow links then find fewer files
    #[arg(long, conflicts_with = "sandbox")]
    link_lakes: bool,
    /// picard: run tasks that state `tools` or `calls`, although the server has tools of its own; run.json and reports record this
    #[arg(long)]
    ignore_tools: bool,
    #[command(flatten)]
    agents: Agents,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
}

/// What some agents want to know.
#[derive(Debug, clap::Args)]
struct Agents {
    /// openai: environment variable with the API key
    #[arg(long, value_name = "NAME", default_value = "OPENAI_API_KEY")]
    api_key_env: String,
    /// openai, picard: temperature, sent to the server as it is [default for picard: 0.4]
    #[arg(long, value_name = "T", value_parser = parse_temperature)]
    temperature: Option<f64>,
    /// openai: share of the most likely tokens from which the server draws, above 0 and at most 1
    #[arg(long, value_name = "P", value_parser = parse_top_p)]
    top_p: Option<f64>,
    /// openai, picard: maximum number of tokens of a message [default for picard: 4000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    max_tokens: Option<u64>,
    /// openai: seed for the server's draws
    #[arg(long, value_name = "N")]
    model_seed: Option<u64>,
    /// openai, picard: another parameter of each request, such as reasoning_effort='"low"' (repeatable)
    #[arg(long, value_name = "KEY=JSON", value_parser = request::parse_parameter)]
    request: Vec<(String, Json)>,
    /// openai: file with the system prompt, in place of the built-in one; with an empty file, none is sent
    #[arg(long, value_name = "FILE")]
    system: Option<PathBuf>,
    /// openai, cmd: price of a million input tokens and a million output tokens, if the agent reports tokens but no cost
    #[arg(long, value_name = "IN/OUT")]
    price: Option<Price>,
    /// cmd: environment variable to pass on (repeatable)
    #[arg(long = "env", value_name = "NAME")]
    env: Vec<String>,
    /// cmd: file or folder that the program may read, in addition to the system's and its own (repeatable)
    #[arg(long = "read", value_name = "PATH")]
    read: Vec<PathBuf>,
    /// cmd: allow Unix sockets, through which the program can reach your services
    #[arg(long)]
    allow_unix: bool,
    /// cmd: exit with status 3 unless the system confines the program to its sandbox in every respect
    #[arg(long)]
    require_sandbox: bool,
    /// cmd: memory limit in MiB, for each process, or for all together if the system supports that
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(16..=1_048_576))]
    memory: u64,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let console = &Console { quiet: args.quiet, ..*console };
    let (bundle, sources) = load_bundle(args, console)?;
    let settings = settings::Settings {
        api_key: std::env::var(&args.agents.api_key_env).ok().filter(|key| !key.is_empty()),
        temperature: args.agents.temperature,
        top_p: args.agents.top_p,
        max_tokens: args.agents.max_tokens,
        model_seed: args.agents.model_seed,
        request: collect_parameters(&args.agents.request)?,
        system: read_system_prompt(args.agents.system.as_deref())?,
        price: args.agents.price,
        env: args.agents.env.clone(),
        read: args.agents.read.clone(),
        memory: args.agents.memory << 20,
        unix: args.agents.allow_unix,
        hidden: [args.what.clone(), args.out.clone()].into_iter().chain(sources).collect(),
        fixed_sandbox: args.sandbox.is_some(),
    };
    let agent = args.agent.build_agent(&bundle, &settings)?;
    if args.agents.require_sandbox
        && let Some(refusal) = explain_unconfined(agent.profile().confinement.as_ref())
    {
        let help = "leave out --require-sandbox, or use a system that has it all";
        return Err(CommandError::new(Exit::Outside, refusal).help(help));
    }
    // Also printed with --quiet, because it concerns what the agent can do to the user.
    for note in &agent.profile().notes {
        console.print_message(&format!("note: {note}"));
    }
    let select =
        |instance: &Instance| args.task.as_deref().is_none_or(|pattern| model::glob::is_match(pattern, &instance.task));
    let options = Options {
        agent: agent.profile().secrets.mask_text(&args.agent.to_string(), Kind::Said).into_owned(),
        select: &select,
        limit: args.limit,
        retry_failed: args.retry_failed,
        trials: args.trials,
        timeout: Duration::from_secs(args.timeout),
        max_rounds: args.max_rounds,
        price: args.agents.price,
        retries: args.retries,
        retry_pause: Duration::from_secs_f64(args.retry_pause),
        concurrency: args.concurrency.map_or(agent.profile().concurrency, usize::from),
        sandbox: args.sandbox.clone(),
        link_lakes: args.link_lakes,
        ignore_tools: args.ignore_tools,
        allow_changed: args.allow_changed,
        picardc: format!("picardc {}", env!("CARGO_PKG_VERSION")),
        now: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs()),
    };
    let bar = Answers::new(console);
    let ended = runner::run_bundle(&bundle, &options, &*agent, &args.out, &bar, build::stop_on_ctrl_c());
    bar.clear_bar();
    let summary = match ended? {
        Ended::Whole(summary) => summary,
        Ended::Stopped { there, expected } => {
            let message = format!("stopped: {there} of {expected} answers are in `{}`", disk::show_path(&args.out));
            return Err(CommandError::new(Exit::Outside, message).help("the same command goes on from there"));
        }
    };
    report_summary(&summary, &args.out, console);
    let failed = summary.ends.get(&Status::Failed).copied().unwrap_or_default();
    if failed == summary.count_expected() {
        let why = bar.last_failure().unwrap_or_else(|| "see `error` in responses.jsonl".to_owned());
        return Err(CommandError::new(Exit::Outside, format!("every instance failed: {why}"))
            .help("fix the cause; the same command then asks them again"));
    }
    Ok(Exit::Done)
}

/// Explains why --require-sandbox rejects an agent; `None` if it does not.
fn explain_unconfined(confinement: Option<&Confinement>) -> Option<String> {
    // Agents without a program run no code of their own here.
    let confinement = confinement.filter(|confinement| confinement.confined != Confined::All)?;
    Some(format!("the agent cannot be fully confined to its sandbox: {}", confinement.missing.join("; ")))
}

/// Opens the given bundle, or builds that of the given suite. Also returns the source files of the suite.
fn load_bundle(args: &Args, console: &Console) -> Result<(Bundle, Vec<PathBuf>), CommandError> {
    let suite = args.what.extension().is_some_and(|extension| extension == "pcd");
    if !suite {
        let stages = !args.stages.stages.to_stage_mode().is_whole();
        for (flag, given) in
            [("--seed", args.seed.is_some()), ("--samples", args.samples.is_some()), ("--stages", stages)]
        {
            if given {
                let message = format!("{flag} is for suites, and `{}` is a bundle", disk::show_path(&args.what));
                let help = "give it to `picardc build`; --limit asks fewer instances";
                return Err(CommandError::new_usage(message, help));
            }
        }
        return Ok((open_bundle(&args.what, args.unverified)?, Vec::new()));
    }
    let file = args.what.to_string_lossy();
    let suite = load_staged(&file, args.stages, console)?;
    let folder = args.out.join("bundle");
    if folder.exists() {
        return Ok((resume_bundle(args, &folder, &suite)?, list_sources(&suite, &args.what)));
    }
    let seed = args.seed.clone().unwrap_or_else(build::draw_seed);
    let options = api::Options { samples: args.samples, ..api::Options::new(seed.as_str()) };
    let report = |failure| build::report_failure(&failure, &suite, &file, api::Options::SANDBOX_ROOT, console);
    let settings = build::prepare_settings(&suite, &file).map_err(report)?;
    std::fs::create_dir_all(&args.out).map_err(|error| Error::new_io("make", &args.out, &error))?;
    build::write_bundle(&suite, options, &settings, &folder, console).map_err(report)?;
    if !console.quiet {
        console.print_message(&format!("built {} with seed {seed}", disk::show_path(&folder)));
    }
    Ok((open_bundle(&folder, args.unverified)?, list_sources(&suite, &args.what)))
}

/// Lists the source files and lakes of a suite. The program of an agent must not read them: private ones are secret, and agents receive the others.
fn list_sources(suite: &Suite, file: &Path) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let files = suite.sources().list_content().into_iter().map(|(path, _)| path);
    let lakes = suite.plan().into_iter().flat_map(|plan| &plan.lakes).map(|lake| lake.from.as_str());
    // A lake that is the whole folder of the suite may contain the agent.
    let lakes = lakes.filter(|from| !matches!(*from, "" | "."));
    // Paths are relative to the suite's folder, except for the suite's own path.
    let all = files.chain(lakes).flat_map(|path| [folder.join(path), PathBuf::from(path)]);
    all.filter(|path| path.exists()).chain([file.to_owned()]).collect()
}

/// Opens the bundle of the resumed run, if the suite, the seed, the samples, and the stages have not changed.
fn resume_bundle(args: &Args, folder: &Path, suite: &Suite) -> Result<Bundle, Error> {
    let bundle = open_bundle(folder, args.unverified)?;
    let manifest = Json::Object(read_manifest(folder)?.1);
    let samples = manifest["options"]["samples"].as_u64();
    let why = if !manifest["source_sha256"].as_str().is_some_and(|known| suite.has_source_sha256(known)) {
        "the suite was changed since"
    } else if args.seed.as_ref().is_some_and(|seed| *seed != bundle.manifest.seed) {
        "its --seed was another"
    } else if args.samples.is_some_and(|given| samples != Some(u64::from(given))) {
        "its --samples were others"
    } else if args.stages.stages.to_stage_mode() != bundle.manifest.options.stages {
        "its --stages was another"
    } else {
        return Ok(bundle);
    };
    let message = format!("`{}` was built before, and {why}", disk::show_path(&folder));
    Err(Error::new_usage(message).help("give -o a new folder"))
}

/// Collects the parameters of `--request`; each may be given only once.
fn collect_parameters(given: &[(String, Json)]) -> Result<Map<String, Json>, Error> {
    let mut parameters = Map::new();
    for (name, value) in given {
        if parameters.insert(name.clone(), value.clone()).is_some() {
            return Err(Error::new_usage(format!("--request gives `{name}` twice")).help("give each parameter once"));
        }
    }
    Ok(parameters)
}

/// The maximum size of a system prompt, in bytes.
const SYSTEM_LIMIT: u64 = 1 << 20;

/// Reads the text of `--system`.
fn read_system_prompt(file: Option<&Path>) -> Result<Option<String>, Error> {
    let Some(file) = file else { return Ok(None) };
    let bytes = disk::read_within(file, SYSTEM_LIMIT).map_err(|error| Error::new_io("read", file, &error))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Error::new_usage(format!("`{}` is not text in UTF-8", file.display())).help("give --system a text file")
    })?;
    Ok(Some(text))
}

fn parse_top_p(text: &str) -> Result<f64, InvalidValue> {
    parse_number(text, |share| *share > 0.0 && *share <= 1.0, "it must be a number above 0, at most 1")
}

fn parse_seconds(text: &str) -> Result<f64, InvalidValue> {
    parse_number(text, |seconds| (0.0..=3600.0).contains(seconds), "it must be a number of seconds, 0 to 3600")
}

fn parse_temperature(text: &str) -> Result<f64, InvalidValue> {
    parse_number(text, |temperature| (0.0..=2.0).contains(temperature), "it must be a number, 0 to 2")
}
