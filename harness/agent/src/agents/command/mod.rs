//! `cmd:`: a program that is started once for each instance, in its sandbox.
//!
//! ```text
//! picardc ─stdin: job, question─→ supervisor (picardc __confined) ─→ limits, namespaces, Landlock, exec ─→ the program and its descendants
//!    ↑ stdout, stderr ──────────────────────────────────────────────────────────────────────────┘
//! ```
//! The supervisor adopts the processes that the program leaves running. It kills all of them when the program ends, when its time is up,
//! and when picardc has ended (the supervisor's standard input is then closed).

mod confine;
mod descendants;
mod drain;
#[cfg(target_os = "linux")]
mod file_access;
mod identity;
mod job;
mod kinds;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod namespaces;
mod paths;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod processes;
mod program;
mod readable;
mod supervise;
#[cfg(target_os = "linux")]
mod syscall_filter;
mod unconfined;

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

use records::run::{Confined, Confinement, LimitEnforcement};
use records::{Error, Money, Price, Status};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::agent::{Agent, Answer, Attempt, Profile, Question, State};
use crate::secrets::{Kind, Secrets};
use crate::settings::Settings;
use crate::tools::call_log;
use drain::{Drained, Draining, Keep};
use job::{ConfinementSupport, Job};
use program::Program;
use supervise::End;

pub use job::HIDDEN_COMMAND;
pub use supervise::main as confined_main;

/// The maximum size of standard output, in bytes.
const OUTPUT_LIMIT: usize = 16 << 20;

/// The number of bytes at the end of standard error that are kept.
const ERROR_LIMIT: usize = 64 << 10;

/// The maximum number of SQL statements that are taken from a program's reply line.
const MAX_SQL: usize = 100;

/// How long the supervisor may take to kill everything.
const KILLING: Duration = Duration::from_secs(10);

/// The interval of the checks whether the user stopped the run, and whether the supervisor ended while its output is still open (an escaped process can
/// hold it). All other events end the wait at once.
const LOOK: Duration = Duration::from_millis(100);

/// The first version of Landlock that keeps programs from truncating files that they may only read.
const CUTS: i32 = 3;

/// An agent that is a program.
#[derive(Debug)]
pub struct Command {
    program: Program,
    /// The path of picardc itself, which is started as the supervisor.
    supervisor: PathBuf,
    memory: u64,
    unix: bool,
    price: Option<Price>,
    holds: ConfinementSupport,
    /// The bundle and the run: they appear empty to the program if the system supports that.
    hidden: Vec<PathBuf>,
    profile: Profile,
}

impl Command {
    /// Finds the program.
    ///
    /// # Errors
    /// The program or a path in the settings does not exist, or the means of confinement cannot be tried.
    pub fn new(words: &[String], settings: &Settings) -> Result<Command, Error> {
        let supervisor = std::env::current_exe()
            .map_err(|error| Error::new_outside(format!("picardc cannot find its own program: {error}")))?;
        let program = Program::from_words(words, settings)?;
        let (holds, mut confinement) = probe_confinement(&supervisor, settings)?;
        for folder in &program.readable.unlooked {
            confinement.note_missing(format!(
                "a look for bundles, runs, and suites in all of `{}`, which is readable: it holds too many files",
                disk::show_path(&folder)
            ));
        }
        let hidden: Vec<PathBuf> = settings.hidden.iter().filter_map(|path| readable::resolve_links(path)).collect();
        let Settings { memory, unix, price, .. } = *settings;
        let profile = Profile {
            notes: list_notes(&program, &hidden, &holds, &confinement),
            tool_enforcement: Some(LimitEnforcement::Told),
            parameters: identity::collect_parameters(words, &program, settings),
            secrets: Secrets::from_settings(settings, None),
            can_only_read_links: confinement.confined != Confined::None && confinement.landlock >= CUTS,
            confinement: Some(confinement),
            ..Profile::default()
        };
        Ok(Command { program, supervisor, memory, unix, price, holds, hidden, profile })
    }

    fn build_job(&self, question: &Question, note: PathBuf) -> Job {
        let sandbox = &question.sandbox.path;
        let temporary = question.sandbox.temporary_folder().unwrap_or_else(|| sandbox.clone());
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        Job {
            program: self.program.path.clone(),
            words: self.program.words.clone(),
            env: self.build_environment(question, &temporary),
            sandbox: sandbox.clone(),
            writable: vec![sandbox.clone(), temporary],
            readable: self
                .program
                .readable
                .paths
                .iter()
                .cloned()
                .chain(question.sandbox.iter_linked_folders().map(Path::to_owned))
                .collect(),
            listed: self.program.readable.listed.clone(),
            covered: self.hidden.iter().chain(&self.program.readable.ours).cloned().collect(),
            memory: self.memory,
            unix: self.unix,
            holds: self.holds.clone(),
            cpu_s: question.timeout.as_secs().saturating_mul(cores).saturating_add(10),
            note,
        }
    }

    /// Returns the environment of the program. If the sandbox has no folder around it, calls over MCP are not recorded: the record would be in the sandbox.
    fn build_environment(&self, question: &Question, temporary: &Path) -> Vec<(String, String)> {
        let mut all = self.program.build_environment(&question.sandbox.path, temporary);
        if question.sandbox.temporary_folder().is_some() {
            all.extend(call_log::build_environment(question.instance, temporary));
        }
        all
    }

    /// Kills the program's processes that still run after its supervisor ended. Returns an error if some of them cannot be killed.
    fn end_left_processes(&self, supervisor: &Child, end: Option<&End>) -> Option<Error> {
        let told = match end {
            Some(End::Left { processes }) => Some(*processes),
            Some(_) => Some(0),
            None => None,
        };
        let left = self.end_all(supervisor, told)?;
        let name = self.program.name();
        let many = left.map_or_else(|| "processes".to_owned(), |left| format!("{left} processes"));
        let error = Error::new_outside(format!("{many} that `{name}` started may still run: they could not be killed"));
        Some(error.help("end them before you run anything else here; the run goes on with the same command"))
    }

    /// Kills the processes that the supervisor left in its control group. `told` is the number that the supervisor reported. Returns the number that is left,
    /// `Some(None)` if it is not known, and `None` if no process is left.
    #[cfg(target_os = "linux")]
    fn end_all(&self, supervisor: &Child, told: Option<usize>) -> Option<Option<usize>> {
        let Some(place) = &self.holds.process_group else {
            return told.map_or(Some(None), |told| (told > 0).then_some(Some(told)));
        };
        let supervisor = i32::try_from(supervisor.id()).ok().and_then(rustix::process::Pid::from_raw);
        let left = processes::end_group(place, supervisor, Instant::now() + KILLING);
        // The group is removed with its last process.
        drop(memory::Group::find_existing(place, supervisor));
        self.holds.memory_group.iter().for_each(|place| drop(memory::Group::find_existing(place, supervisor)));
        (left > 0).then_some(Some(left))
    }

    /// Returns the number of processes that the supervisor reported as left, as on Linux.
    #[cfg(not(target_os = "linux"))]
    fn end_all(&self, _: &Child, told: Option<usize>) -> Option<Option<usize>> {
        told.map_or(Some(None), |told| (told > 0).then_some(Some(told)))
    }

    /// Starts the supervisor, and sends it the job and the question.
    fn start_supervisor(&self, job: &Job, question: &Json) -> std::io::Result<Child> {
        let mut child = Process::new(&self.supervisor)
            .arg(HIDDEN_COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_clear()
            // Ctrl-C at the terminal is for picardc only: it ends the supervisor itself.
            .process_group(0)
            .spawn()?;
        let lines = format!("{}\n{question}\n", serde_json::to_string(job)?);
        let written = child.stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(lines.as_bytes()));
        if let Err(error) = written {
            let _ = child.kill();
            let _ = child.wait();
            return Err(error);
        }
        Ok(child)
    }
}

impl Agent for Command {
    fn answer_question(&self, question: &Question) -> Attempt {
        let answer = Answer::from_prompt(&question.instance.prompt);
        // A fixed sandbox (--sandbox DIR) has no folder around it for the note, so the note gets a temporary one.
        let beside = match question.sandbox.holder() {
            Some(holder) => Ok((holder.join("ended.json"), None)),
            None => tempfile::tempdir().map(|folder| (folder.path().join("ended.json"), Some(folder))),
        };
        let (note, _folder) = match beside {
            Ok(beside) => beside,
            Err(error) => {
                return Attempt::Over(
                    answer.end_with_status(Status::Failed, format!("cannot create a temporary folder: {error}")),
                );
            }
        };
        let job = self.build_job(question, note);
        let asked = build_question(question);
        let mut child = match self.start_supervisor(&job, &asked) {
            Ok(child) => child,
            Err(error) => {
                let why = format!("`{}` cannot be started: {error}", self.program.name());
                return Attempt::Over(answer.end_with_status(Status::Failed, why));
            }
        };
        let mut stdout = Draining::new(child.stdout.take(), Keep::First(OUTPUT_LIMIT));
        let stderr = Draining::new(child.stderr.take(), Keep::Last(ERROR_LIMIT));
        let state = wait_for_supervisor(&mut child, question, &mut stdout);
        if let Some(error) = self.end_left_processes(&child, End::read_note(&job.note).as_ref()) {
            return Attempt::Broken(error);
        }
        let secrets = self.profile.secrets.exclude_known(question.instance);
        let (stdout, stderr) =
            (stdout.collect_output(&secrets, Kind::Said), stderr.collect_output(&secrets, Kind::Error));
        let end = End::read_note(&job.note);
        match state {
            State::Stopped => Attempt::Stopped,
            State::TimeUp => Attempt::Over(with_calls(
                record_output(answer, &stdout, &stderr).end_by_timeout(question.timeout),
                question,
            )),
            State::Open => Attempt::Over(with_calls(self.finish_answer(answer, &stdout, &stderr, end), question)),
        }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }
}

/// Lists what the user should know of the confinement before the first question.
fn list_notes(
    program: &Program,
    hidden: &[PathBuf],
    holds: &ConfinementSupport,
    confinement: &Confinement,
) -> Vec<String> {
    let mut notes = program.readable.notes.clone();
    let open = program.readable.find_listable_folders(hidden);
    let open: Vec<String> = open.map(|path| format!("`{}`", disk::show_path(&path))).collect();
    if !holds.private && !open.is_empty() {
        let (first, more) = open.split_at(open.len().min(3));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        notes.push(format!("the agent can list the names of the files in {}{more}", first.join(", ")));
    }
    let about = match confinement.confined {
        Confined::All => return notes,
        Confined::Partly => "the agent is only partly confined to its sandbox",
        Confined::None => "the agent is not confined to its sandbox",
    };
    let missing = confinement.missing.join("; ");
    notes.push(format!("{about}; missing: {missing}. Run agents that you do not trust in a container of their own"));
    notes
}

/// Adds the calls that the program's MCP servers recorded, even if the program's time was up.
fn with_calls(mut over: Answer, question: &Question) -> Answer {
    let Some(temporary) = question.sandbox.temporary_folder() else { return over };
    let recorded = call_log::read_recorded(&temporary);
    call_log::add_to_response(&mut over.response, &recorded, question.began.elapsed());
    // They follow the prompt.
    over.transcript.splice(1..1, recorded.messages);
    over
}

/// Returns the line of JSON that the program gets. It has `tools` and `calls` if the task states them.
fn build_question(question: &Question) -> Json {
    let instance = question.instance;
    let mut line = json!({"id": instance.id, "prompt": instance.prompt, "sandbox": question.sandbox.path});
    if let Some(tools) = &instance.tools {
        line["tools"] = json!(tools);
    }
    if let Some(calls) = instance.calls {
        line["calls"] = json!(calls);
    }
    line
}

/// Finds out how programs can be confined on this system.
#[cfg(target_os = "linux")]
fn probe_confinement(supervisor: &Path, settings: &Settings) -> Result<(ConfinementSupport, Confinement), Error> {
    let found = probe::Found::probe_system(supervisor)?;
    let confinement = found.to_confinement(settings);
    Ok((found.holds, confinement))
}

/// Returns that nothing confines programs: only Linux has Landlock.
#[cfg(not(target_os = "linux"))]
fn probe_confinement(_: &Path, _: &Settings) -> Result<(ConfinementSupport, Confinement), Error> {
    let missing = vec!["Landlock, which only Linux has: files outside the sandbox are not protected".to_owned()];
    Ok((ConfinementSupport::default(), Confinement { confined: Confined::None, landlock: 0, missing }))
}

impl Command {
    fn finish_answer(&self, answer: Answer, stdout: &Drained, stderr: &Drained, end: Option<End>) -> Answer {
        let name = self.program.name();
        let why = match end {
            Some(End::Exited { code: 0 }) if !stdout.is_cut => {
                return parse_reply(answer, stdout, stderr, self.price);
            }
            Some(End::Exited { code: 0 }) => {
                format!("`{name}` wrote more than {OUTPUT_LIMIT} bytes to standard output")
            }
            Some(End::Exited { code }) => format!("`{name}` ended with status {code}"),
            Some(End::Signalled { signal }) => format!("`{name}` was ended by signal {signal}"),
            Some(End::TooMany { processes }) => {
                format!("`{name}` had {processes} processes at once, more than {}", job::PROCESSES)
            }
            Some(End::NoMore { processes }) => {
                format!("`{name}` failed with {processes} processes at once: the system allows this user no more")
            }
            Some(End::Traced { signal }) => {
                format!(
                    "`{name}` asked to be traced (PTRACE_TRACEME) and stopped at signal {signal}: picardc traces no program"
                )
            }
            Some(End::Memory { bytes }) => format!("`{name}` used more memory than --memory allows ({bytes} bytes)"),
            Some(End::Left { processes }) => format!("`{name}` left {processes} processes"),
            Some(End::NotStarted { why }) => format!("`{name}` cannot be started: {why}"),
            None => format!("`{name}` was lost: its supervisor was killed"),
        };
        let last = stderr.last_line();
        let why = if last.is_empty() { why } else { format!("{why}: {last}") };
        // The usual cause is a file next to the program that it may not read.
        let refused = last.contains("ermission denied") || last.contains("EACCES");
        let why = if refused { format!("{why} (--read PATH lets it read more)") } else { why };
        record_output(answer, stdout, stderr).end_with_status(Status::Failed, why)
    }
}

/// Waits for the supervisor, and ends it when time is up.
fn wait_for_supervisor(child: &mut Child, question: &Question, stdout: &mut Draining) -> State {
    loop {
        if is_gone(child, stdout, LOOK.min(question.remaining_time())) {
            return State::Open;
        }
        let state = question.state();
        if state != State::Open {
            drop(child.stdin.take());
            let until = Instant::now() + KILLING;
            while Instant::now() < until && !is_gone(child, stdout, LOOK) {}
            // Both have no effect on a process that has ended.
            let _ = child.kill();
            let _ = child.wait();
            return state;
        }
    }
}

/// Whether the supervisor ends within `patience`. It keeps its standard output open until it ends; a supervisor that cannot be waited for counts as ended.
fn is_gone(child: &mut Child, stdout: &mut Draining, patience: Duration) -> bool {
    if stdout.wait_for_end(patience) {
        let _ = child.wait();
        return true;
    }
    !matches!(child.try_wait(), Ok(None))
}

/// Adds the output of the program to the transcript.
fn record_output(mut answer: Answer, stdout: &Drained, stderr: &Drained) -> Answer {
    for (role, drained) in [("stdout", stdout), ("stderr", stderr)] {
        if !drained.text.trim().is_empty() {
            answer.transcript.push(json!({"role": role, "content": drained.text}));
        }
    }
    let masked = stdout.masked + stderr.masked;
    if masked > 0 {
        *answer.response.masked.get_or_insert(0) += masked;
    }
    answer
}

/// The last line of standard output if it is an object with a `reply`.
#[derive(Debug, Deserialize)]
struct ReplyLine {
    reply: String,
    rounds: Option<u32>,
    tool_calls: Option<u32>,
    sql_retries: Option<u32>,
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    cost: Option<Json>,
    first_tool_ms: Option<u64>,
    first_sql_ms: Option<u64>,
    sql: Option<Vec<String>>,
}

fn parse_reply(answer: Answer, stdout: &Drained, stderr: &Drained, price: Option<Price>) -> Answer {
    // Standard output is the reply or contains it, so it is not a message of its own.
    let (stdout, only_counted) = (stdout.text.as_str(), Drained { masked: stdout.masked, ..Drained::default() });
    let last = stdout.trim_end().lines().next_back().unwrap_or_default();
    let Ok(last) = model::json::parse_lenient::<ReplyLine>(last.as_bytes()) else {
        let reply = stdout.strip_suffix('\n').unwrap_or(stdout);
        let reply = reply.strip_suffix('\r').unwrap_or(reply).to_owned();
        return record_output(answer, &only_counted, stderr).with_reply(reply);
    };
    let mut answer = record_output(answer, &only_counted, stderr).with_reply(last.reply);
    let told = last.cost.as_ref().and_then(Money::from_json);
    if let (Some(cost), None) = (&last.cost, told) {
        let why = format!("the cost {cost} is left out: it is not a number of 0 to 1000000");
        answer.transcript.push(json!({"role": "picardc", "content": why}));
    }
    let response = &mut answer.response;
    let by_price = || price?.compute_cost(last.prompt_tokens?, last.completion_tokens?);
    response.cost = if last.cost.is_some() { told } else { by_price() };
    response.rounds = last.rounds;
    response.tool_calls = last.tool_calls;
    response.sql_retries = last.sql_retries;
    response.prompt_tokens = last.prompt_tokens;
    response.completion_tokens = last.completion_tokens;
    response.first_tool_ms = last.first_tool_ms;
    response.first_sql_ms = last.first_sql_ms;
    // Further statements are not scored.
    response.sql = last.sql.map(|sql| sql.into_iter().take(MAX_SQL).collect());
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies() {
        let read = |stdout: &str| {
            let stdout = Drained { text: stdout.to_owned(), ..Drained::default() };
            parse_reply(Answer::default(), &stdout, &Drained::default(), "1/2".parse().ok()).response
        };
        assert_eq!(read("a\nb\n").reply, "a\nb");
        let told = read("thinking…\n{\"reply\": \"42\", \"rounds\": 3}\n\n");
        assert_eq!((told.reply.as_str(), told.rounds, told.tool_calls), ("42", Some(3), None));
        let cost = |stdout: &str| read(stdout).cost.map(|cost| cost.to_string());
        assert_eq!(cost("{\"reply\": \"42\"}"), None);
        assert_eq!(cost("{\"reply\": \"42\", \"cost\": 0.25, \"prompt_tokens\": 3}").as_deref(), Some("0.25"));
        let tokens = "\"prompt_tokens\": 3, \"completion_tokens\": 4";
        assert_eq!(cost(&format!("{{\"reply\": \"42\", {tokens}}}")).as_deref(), Some("0.000011"));
        assert_eq!(read("{\"reply\": \"42\", \"cost\": -1}").reply, "42");
        assert_eq!(read("{\"answer\": 1}\n").reply, "{\"answer\": 1}");
        assert_eq!(read("").reply, "");
    }
}
