//! `picardc run`: asks an agent every instance of a bundle.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ::agent::runner::Ended;
use ::agent::{Options, Spec, runner, spec};
use records::run::{Confined, Confinement, MAX_TRIALS};
use records::{Bundle, Instance, Price, Status};
use runtime::bundle::Settings;
use runtime::generate::glob;

use crate::build;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::load_suite;
use crate::progress::Answers;
use crate::render;
use crate::score::{failed, open, say};

/// Ask an agent every instance, and score its answers
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Ask an agent every instance of a bundle, each in a fresh sandbox, and score its answers. Each answer is written to \
                  RUN/responses.jsonl as it comes: the same command goes on where it was stopped or killed, and asks instances that failed again.\n\n\
                  An instance that fails, or takes too long, counts as wrong. A bundle that was changed after the build is refused.\n\nAgents:\n  oracle, null, guess   built in: answers all right, does nothing, answers the commonest \
                  answer\n  cmd:PROGRAM ARGS…     started for each instance, in its sandbox\n  picard:URL            a server that speaks PICARD's \
                  protocol\n  openai:URL#MODEL      a chat endpoint; the tools are ours",
    after_help = "Example:\n  picardc run out/past --agent oracle -o runs/oracle\n  picardc run out/past --agent 'cmd:python3 agent.py' -o runs/mine \
                  --concurrency 4\n  picardc run suites/past.pcd --samples 5 --agent openai:http://localhost:8000/v1#qwen -o runs/qwen"
)]
pub struct Args {
    /// A bundle, or a suite that is built into RUN/bundle first
    #[arg(value_name = "BUNDLE|FILE")]
    what: PathBuf,
    /// Who answers: oracle, null, guess, cmd:PROGRAM ARGS…, picard:URL, openai:URL#MODEL
    #[arg(long, value_name = "SPEC")]
    agent: Spec,
    /// A new folder, or that of the same run, which goes on
    #[arg(short, long, value_name = "RUN")]
    out: PathBuf,
    /// As `build` has it, where a suite is given
    #[arg(long, value_name = "S", value_parser = build::seed, allow_hyphen_values = true)]
    seed: Option<String>,
    /// As `build` has it, where a suite is given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    samples: Option<u32>,
    /// Only tasks whose names match (`*` any letters, `?` one)
    #[arg(long, value_name = "GLOB")]
    task: Option<String>,
    /// Only N instances, spread evenly over tasks; a sample comes with all of its variants as far as N allows
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Ask each instance K times
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TRIALS)))]
    trials: u32,
    /// So many instances at once; without it 8, for cmd: as many as cores, for picard: 1; always 1 with --sandbox
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Seconds that an instance may take
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: u64,
    /// The most rounds of inference
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    max_rounds: u32,
    /// So many more attempts where the server is busy, fails or breaks off
    #[arg(long, value_name = "N", default_value_t = 5)]
    retries: u32,
    /// Seconds before the first of them; doubled each time, to a minute
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    retry_pause: f64,
    /// When a run goes on, ask instances again whose server, network or program failed; false leaves them wrong
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true", num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    retry_failed: bool,
    /// Take a bundle that was edited after the build; run.json and reports say so
    #[arg(long)]
    unverified: bool,
    /// Every instance in this folder, one after the other: for servers that work in a place of their own. It is emptied before each
    #[arg(long, value_name = "DIR")]
    sandbox: Option<PathBuf>,
    #[command(flatten)]
    agents: Agents,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// What some agents want to know.
#[derive(Debug, clap::Args)]
struct Agents {
    /// openai: the environment variable that holds the API key
    #[arg(long, value_name = "NAME", default_value = "OPENAI_API_KEY")]
    api_key_env: String,
    /// openai, picard: as the server takes it; picard has 0.4 without it
    #[arg(long, value_name = "T", value_parser = temperature)]
    temperature: Option<f64>,
    /// openai, cmd: what a million tokens read and a million tokens written cost, where the agent tells its tokens and not the cost
    #[arg(long, value_name = "IN/OUT")]
    price: Option<Price>,
    /// cmd: an environment variable that is passed on (repeatable)
    #[arg(long = "env", value_name = "NAME")]
    env: Vec<String>,
    /// cmd: a file or folder that may be read, besides the system's and the program's own (repeatable)
    #[arg(long = "read", value_name = "PATH")]
    read: Vec<PathBuf>,
    /// cmd: let the program use Unix sockets, by which it reaches services of the user
    #[arg(long)]
    allow_unix: bool,
    /// cmd: run only if the system confines the program to its sandbox in every respect; otherwise exit with status 3
    #[arg(long)]
    require_sandbox: bool,
    /// cmd: mebibytes of memory for each process; for all together where the system can count that
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(16..=1_048_576))]
    memory: u64,
}

/// Runs it.
pub fn run(args: &Args, console: &Console) -> Exit {
    let bundle = match bundle(args, console) {
        Ok(bundle) => bundle,
        Err(exit) => return exit,
    };
    let settings = spec::Settings {
        api_key: std::env::var(&args.agents.api_key_env).ok().filter(|key| !key.is_empty()),
        temperature: args.agents.temperature,
        price: args.agents.price,
        env: args.agents.env.clone(),
        read: args.agents.read.clone(),
        memory: args.agents.memory << 20,
        unix: args.agents.allow_unix,
        hidden: vec![args.what.clone(), args.out.clone()],
        fixed_sandbox: args.sandbox.is_some(),
    };
    let agent = match args.agent.agent(&bundle, &settings) {
        Ok(agent) => agent,
        Err(error) => return failed(&error, console),
    };
    if args.agents.require_sandbox
        && let Some(refusal) = unconfined(agent.confinement())
    {
        console.error(&refusal, Some("leave out --require-sandbox, or use a system that has it all"));
        return Exit::Outside;
    }
    // With --quiet too: it is about what the agent can do to the user.
    for note in agent.notes() {
        console.say(&format!("note: {note}"));
    }
    let select =
        |instance: &Instance| args.task.as_deref().is_none_or(|pattern| glob::matches(pattern, &instance.task));
    let options = Options {
        agent: args.agent.to_string(),
        select: &select,
        limit: args.limit,
        retry_failed: args.retry_failed,
        trials: args.trials,
        timeout: Duration::from_secs(args.timeout),
        max_rounds: args.max_rounds,
        price: args.agents.price,
        retries: args.retries,
        retry_pause: Duration::from_secs_f64(args.retry_pause),
        concurrency: args.concurrency.map_or_else(|| agent.concurrency(), usize::from),
        sandbox: args.sandbox.clone(),
        picardc: format!("picardc {}", env!("CARGO_PKG_VERSION")),
        now: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs()),
    };
    let bar = Answers::new(console, args.quiet);
    let ended = runner::run(&bundle, &options, &*agent, &args.out, &bar, build::stop_on_ctrl_c());
    bar.clear();
    match ended {
        Ok(Ended::Whole(summary)) => {
            say(&summary, &args.out, args.quiet, console);
            let failed = summary.ends.get(&Status::Failed).copied().unwrap_or_default();
            if failed == summary.expected() {
                let why = bar.last_failure().unwrap_or_else(|| "see `error` in responses.jsonl".to_owned());
                console.error(&format!("every instance failed: {why}"), Some("the same command asks them again"));
                return Exit::Outside;
            }
            Exit::Done
        }
        Ok(Ended::Stopped { there, expected }) => {
            let message = format!("stopped: {there} of {expected} answers are in `{}`", args.out.display());
            console.error(&message, Some("the same command goes on from there"));
            Exit::Outside
        }
        Err(error) => failed(&error, console),
    }
}

/// Why --require-sandbox refuses an agent, if it does.
fn unconfined(confinement: Option<Confinement>) -> Option<String> {
    // Agents without a program run nothing of their own here.
    let confinement = confinement.filter(|confinement| confinement.confined != Confined::All)?;
    Some(format!("the agent cannot be fully confined to its sandbox: {}", confinement.missing.join("; ")))
}

/// The bundle given, or that of the suite given.
fn bundle(args: &Args, console: &Console) -> Result<Bundle, Exit> {
    let suite = args.what.extension().is_some_and(|extension| extension == "pcd");
    if !suite {
        for (flag, given) in [("--seed", args.seed.is_some()), ("--samples", args.samples.is_some())] {
            if given {
                let message = format!("{flag} is for suites, and `{}` is a bundle", args.what.display());
                console.error(&message, Some("give it to `picardc build`; --limit asks fewer instances"));
                return Err(Exit::Usage);
            }
        }
        return open(&args.what, args.unverified).map_err(|error| failed(&error, console));
    }
    let file = args.what.to_string_lossy();
    let suite = load_suite(&file, console, args.quiet)?;
    let folder = args.out.join("bundle");
    let digest = suite.source_sha256();
    if folder.exists() {
        return built_before(args, &folder, &digest, console);
    }
    let seed = args.seed.clone().unwrap_or_else(build::fresh_seed);
    let options = api::Options { samples: args.samples, ..api::Options::new(seed.as_str()) };
    let settings = Settings {
        inline: false,
        split_keys: false,
        shard: None,
        source_sha256: digest,
        compiler: build::this_compiler(),
        threads: 0,
        force: false,
    };
    std::fs::create_dir_all(&args.out)
        .map_err(|error| failed(&records::Error::io("make", &args.out, &error), console))?;
    if let Err(failure) = build::write(&suite, options, &settings, &folder, console, args.quiet) {
        return Err(render::failure::say(&failure, suite.sources(), console, |at| {
            build::again(&file, at, api::Options::SANDBOX_ROOT)
        }));
    }
    if !args.quiet {
        console.say(&format!("built {} with seed {seed}", folder.display()));
    }
    open(&folder, args.unverified).map_err(|error| failed(&error, console))
}

/// The bundle of the run that goes on, if the suite, the seed and the samples are still the same.
fn built_before(args: &Args, folder: &Path, digest: &str, console: &Console) -> Result<Bundle, Exit> {
    let bundle = open(folder, args.unverified).map_err(|error| failed(&error, console))?;
    let manifest = disk::read_within(&folder.join("manifest.json"), 64 << 20).ok();
    let manifest: Option<serde_json::Value> = manifest.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let manifest = manifest.unwrap_or_default();
    let samples = manifest["options"]["samples"].as_u64();
    let differs = if manifest["source_sha256"] != digest {
        Some("the suite was changed since")
    } else if args.seed.as_ref().is_some_and(|seed| *seed != bundle.manifest.seed) {
        Some("its --seed was another")
    } else if args.samples.is_some_and(|given| samples != Some(u64::from(given))) {
        Some("its --samples were others")
    } else {
        None
    };
    match differs {
        None => Ok(bundle),
        Some(why) => {
            let message = format!("`{}` was built before, and {why}", folder.display());
            console.error(&message, Some("give -o a new folder"));
            Err(Exit::Usage)
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("it must be a number of seconds, 0 to 3600".to_owned()),
    }
}

fn temperature(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(temperature) if (0.0..=2.0).contains(&temperature) => Ok(temperature),
        _ => Err("it must be a number, 0 to 2".to_owned()),
    }
}
