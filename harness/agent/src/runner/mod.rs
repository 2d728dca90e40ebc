//! Asks an agent every instance of a bundle, and records its responses: each trial once, and none is lost.

pub(crate) mod folder;
mod limit;
mod options;
mod pool;
mod transcript;

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use records::id_table::IdTable;
use records::jsonl::{Appender, visit_values};
use records::responses::ResponseFilter;
use records::run::{Lakes, LimitEnforcement};
use records::{Bundle, Error, Parameters, Response, RunInfo, Status, run as names};

use crate::agent::{Agent, Profile};
use crate::sandbox::{Demand, LARGE, Workshop};
use crate::scoring::{Summary, score_run};
use crate::secrets::Kind;
use folder::{RunFolder, SelectedIds};
pub use options::{Observer, Options};
use pool::Pool;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// Every response is saved and scored.
    Whole(Box<Summary>),
    /// The user stopped the run. The same command continues it.
    Stopped {
        /// The number of saved responses.
        there: u64,
        /// The number of responses that the run needs.
        expected: u64,
    },
}

/// Runs the bundle with the agent. `out` is a new folder, or that of the same run, which is then resumed.
///
/// # Errors
/// `out` is the folder of another run or in use, the bundle cannot be read, or writing fails.
pub fn run_bundle(
    bundle: &Bundle,
    options: &Options,
    agent: &dyn Agent,
    out: &Path,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Ended, Error> {
    let folder = RunFolder::open_or_create(out)?;
    let mut demand = Demand::new(bundle, options.link_lakes.then_some(LARGE));
    let SelectedIds { ids: asked, limited } = folder.write_instances(bundle, options, &mut demand)?;
    if asked.is_empty() {
        folder.discard_unstarted();
        return Err(Error::new_usage("no instance of the bundle is selected").help("look at --task and --limit"));
    }
    let lakes = demand.choose_lake_form();
    let tools = agent.profile().tool_enforcement.filter(|_| limited);
    if let Some(error) = check_lake_links(lakes, options, agent).or_else(|| check_tools(tools, options)) {
        folder.discard_unstarted();
        return Err(error);
    }
    let expected = asked.len() as u64 * u64::from(options.trials);
    let info = RunInfo { tools, ..build_run_info(bundle, options, agent, lakes, expected) };
    let was = folder.check_existing(&info, options, observer)?;
    let there = read_answered(&out.join(names::RESPONSES), &asked, options)?;

    let concurrency = if options.sandbox.is_some() { 1 } else { options.concurrency.max(1) };
    let workshop = Workshop::new(bundle, options.sandbox.as_deref(), agent, lakes)?;
    let at_once = (concurrency as u64).min(expected.saturating_sub(there.len() as u64));
    if at_once > 0
        && let Err(error) = workshop.require_room(&demand, at_once)
    {
        folder.discard_unstarted();
        return Err(error);
    }
    folder.write_run_info(was, &info)?;
    folder.record_sandboxes(workshop.folder())?;
    observer.begin_run(expected, there.len() as u64);
    let pool = Pool {
        bundle,
        options,
        agent,
        workshop: &workshop,
        out,
        asked: &asked,
        there: &there,
        stop,
        concurrency,
        told: AtomicBool::new(false),
    };
    let mut appender = Appender::open_or_create(&out.join(names::RESPONSES))?;
    let written = pool.run_jobs(&mut appender, observer)?;
    if let Err(error) = workshop.check_lakes_unchanged() {
        // The responses of the run were not given on the files of the built bundle.
        folder.note_changed()?;
        return Err(error);
    }
    drop(workshop);
    folder.record_sandboxes(None)?;

    let there = there.len() as u64 + written;
    if there < expected {
        // Only the user can end the pool early without an error.
        debug_assert!(stop.load(Ordering::Relaxed));
        return Ok(Ended::Stopped { there, expected });
    }
    score_run(bundle, out).map(|summary| Ended::Whole(Box::new(summary)))
}

/// Returns why lakes cannot be linked with these options; `None` if they can, or are copied.
fn check_lake_links(lakes: Option<Lakes>, options: &Options, agent: &dyn Agent) -> Option<Error> {
    let why = match lakes? {
        Lakes::Copied => return None,
        Lakes::Linked if options.sandbox.is_some() => "`--sandbox` is one folder, which shares lakes with no other",
        Lakes::Linked if cfg!(not(unix)) => "this system does not have the links that `--link-lakes` needs",
        Lakes::Linked if agent.profile().can_only_read_links => return None,
        Lakes::Linked => "nothing keeps this agent from writing to lakes that sandboxes share",
    };
    Some(Error::new_usage(why).help("remove --link-lakes: each sandbox then has copies"))
}

/// Returns why an agent is not asked although tasks state tools, or why `--ignore-tools` does not apply to it; `None` if it can be asked.
fn check_tools(tools: Option<LimitEnforcement>, options: &Options) -> Option<Error> {
    match (tools, options.ignore_tools) {
        (Some(LimitEnforcement::Ignored), false) => {
            let error =
                Error::new_usage("tasks of this bundle state which tools agents have, and this agent has its own");
            Some(error.help("give --ignore-tools to run it anyway, or use an `openai:` or `cmd:` agent"))
        }
        (Some(LimitEnforcement::Enforced | LimitEnforcement::Told), true) => Some(
            Error::new_usage(
                "--ignore-tools is for agents with tools of their own, and this agent gets those that tasks state",
            )
            .help("remove --ignore-tools"),
        ),
        _ => None,
    }
}

fn build_run_info(
    bundle: &Bundle,
    options: &Options,
    agent: &dyn Agent,
    lakes: Option<Lakes>,
    expected: u64,
) -> RunInfo {
    RunInfo {
        schema: 1,
        bundle: bundle.to_reference(),
        agent: options.agent.clone(),
        expected,
        trials: options.trials,
        timeout_s: options.timeout.as_secs(),
        max_rounds: options.max_rounds,
        started: options.now,
        picardc: options.picardc.clone(),
        parameters: Some(collect_parameters(options, agent)),
        changed: Vec::new(),
        price: options.price,
        sandbox: agent.profile().confinement.clone(),
        lakes,
        tools: None,
        unverified: !bundle.is_verified(),
    }
}

/// Collects all parameters that reach the model or configure the agent, without secrets.
fn collect_parameters(options: &Options, agent: &dyn Agent) -> Parameters {
    let Profile { secrets, parameters: plain, .. } = agent.profile();
    let mut parameters = plain.clone().mask_texts(&|value| {
        secrets.mask_json(value, Kind::Said);
    });
    parameters.note_masked(plain);
    parameters.set("sandbox", options.sandbox.is_some());
    parameters.set("ignore_tools", options.ignore_tools);
    parameters
}

/// Returns the instances and trials that have a response. Failed trials are left out if they are to be repeated.
fn read_answered(path: &Path, asked: &HashSet<String>, options: &Options) -> Result<HashSet<(String, u32)>, Error> {
    // Their order does not matter here.
    #[allow(clippy::iter_over_hash_type)]
    let table = asked.iter().collect::<IdTable>();
    let mut counted = ResponseFilter::new(&table, options.trials);
    visit_values(path, |Response { id, trial, status, .. }| {
        counted.register_line(&id, trial, status);
    })?;
    let stays = |status: Status| status != Status::Failed || !options.retry_failed;
    let trials = asked.iter().flat_map(|id| (1..=options.trials).map(move |trial| (id, trial)));
    let there = trials.filter(|(id, trial)| counted.find_status(id, *trial).is_some_and(stays));
    Ok(there.map(|(id, trial)| (id.clone(), trial)).collect())
}
