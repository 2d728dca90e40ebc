//! `picardc __confined`: the process between picardc and an agent's program. It is hidden: people never call it.

use std::io::{BufRead as _, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, ExitCode, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus, waitpid};
use serde::{Deserialize, Serialize};

use super::confine::{self, Unconfined};
use super::descendants;

/// The hidden command of `picardc` that starts it.
pub const HIDDEN_COMMAND: &str = "__confined";

/// The argument for the process that becomes the program.
const BECOME: &str = "exec";

/// The argument for the process that tries the means of confinement.
#[cfg(target_os = "linux")]
pub const PROBE: &str = "probe";

/// How often the number of processes and their shared memory are checked.
const LOOK: Duration = Duration::from_millis(200);

/// How long the supervisor may take to kill the program's processes.
const KILLING: Duration = Duration::from_secs(8);

/// The same if picardc has ended and nothing waits for it.
const KILLING_ALONE: Duration = Duration::from_secs(120);

/// An event that ends the supervision.
enum Event {
    /// The program ended.
    Ended(std::io::Result<End>),
    /// picardc requested the end, or has ended itself.
    Gone,
}

/// A program to start, and its limits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    pub program: PathBuf,
    pub words: Vec<String>,
    pub env: Vec<(String, String)>,
    /// Its working folder.
    pub sandbox: PathBuf,
    /// The paths that it may write to.
    #[serde(with = "super::paths")]
    pub writable: Vec<PathBuf>,
    /// The paths that it may read.
    #[serde(with = "super::paths")]
    pub readable: Vec<PathBuf>,
    /// Folders in which it may list names.
    #[serde(with = "super::paths")]
    pub listed: Vec<PathBuf>,
    /// Folders that appear empty to it.
    #[serde(with = "super::paths")]
    pub covered: Vec<PathBuf>,
    /// Bytes of memory for each process.
    pub memory: u64,
    /// Whether Unix sockets are allowed.
    pub unix: bool,
    /// The means of confinement to use: those that work on this system.
    pub holds: ConfinementSupport,
    /// Seconds of processor time for each process.
    pub cpu_s: u64,
    /// Where the supervisor notes how the program ended.
    pub note: PathBuf,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum End {
    /// By itself.
    Exited { code: i32 },
    /// By a signal.
    Signalled { signal: i32 },
    /// It was killed because it had this number of processes, which is more than the limit.
    TooMany { processes: usize },
    /// It failed when it had this number of processes, and the system allowed its user no more.
    NoMore { processes: usize },
    /// It was stopped by a signal because it asked to be traced, and was killed.
    Traced { signal: i32 },
    /// It was killed because it used too much memory: the number of bytes that its processes shared, or the limit of its control group.
    Memory { bytes: u64 },
    /// It was not started.
    NotStarted { why: String },
    /// This number of its processes could not be killed.
    Left { processes: usize },
}

impl End {
    /// Reads the supervisor's note; `None` if it was not written.
    pub fn read_note(note: &Path) -> Option<End> {
        serde_json::from_slice(&std::fs::read(note).ok()?).ok()
    }

    fn from_status(status: WaitStatus) -> Option<End> {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(End::Exited { code }),
            (None, Some(signal)) => Some(End::Signalled { signal }),
            (None, None) => None,
        }
    }
}

/// Waits until the program ends. A program that asked to be traced (`PTRACE_TRACEME`) stops at its next signal, and waits for a tracer that does not
/// exist. This is reported as its end, and the wait continues.
fn wait_for(pid: i32, tell: &Sender<Event>) {
    let id = Pid::from_raw(pid);
    loop {
        let event = match waitpid(id, WaitOptions::empty()) {
            Err(Errno::INTR) => continue,
            Err(error) => Err(error.into()),
            Ok(None) => continue,
            Ok(Some((_, status))) => Ok(match End::from_status(status) {
                Some(end) => end,
                None => {
                    let signal = status.stopping_signal().unwrap_or_default();
                    // The receiver may already have ended it.
                    let _ = tell.send(Event::Ended(Ok(End::Traced { signal })));
                    continue;
                }
            }),
        };
        let _ = tell.send(Event::Ended(event));
        return;
    }
}

/// The means of confinement on this system, in addition to resource limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfinementSupport {
    /// Landlock, if the kernel has it.
    #[cfg(target_os = "linux")]
    pub landlock: Option<super::file_access::LandlockSupport>,
    /// Whether system calls can be filtered.
    pub calls: bool,
    /// Whether programs get their own namespaces.
    pub private: bool,
    /// Where a control group that limits memory is made for each program.
    pub memory_group: Option<PathBuf>,
    /// Where a control group that limits and kills processes is made for each program; it can be the same.
    pub process_group: Option<PathBuf>,
}

/// Runs the hidden command. `words` are its arguments.
pub fn main(words: &[String]) -> ExitCode {
    match words {
        [word] if word == BECOME => become_program(),
        #[cfg(target_os = "linux")]
        [word, folder] if word == PROBE => super::probe::main(Path::new(folder)),
        [] => supervise_program(),
        _ => {
            eprintln!("picardc: `{HIDDEN_COMMAND}` is for picardc alone");
            ExitCode::from(2)
        }
    }
}

/// Reads the job and the question, runs the program, and kills all of its remaining processes.
fn supervise_program() -> ExitCode {
    let mut stdin = std::io::stdin().lock();
    let (mut line, mut question) = (String::new(), String::new());
    let read = stdin.read_line(&mut line).and_then(|_| stdin.read_line(&mut question));
    drop(stdin);
    let job: Job = match read.map_err(serde_json::Error::io).and_then(|_| serde_json::from_str(&line)) {
        Ok(job) => job,
        Err(error) => {
            eprintln!("picardc: `{HIDDEN_COMMAND}` was given no job: {error}");
            return ExitCode::from(2);
        }
    };
    let end =
        run_program(&job, line.trim_end(), question).unwrap_or_else(|why| End::NotStarted { why: why.to_string() });
    // Without this note, picardc reports that the program was lost.
    let _ = serde_json::to_vec(&end).map(|json| std::fs::write(&job.note, json));
    ExitCode::SUCCESS
}

/// Runs the program until it ends, or must end. The error says why it is not started.
fn run_program(job: &Job, line: &str, question: String) -> Result<End, Box<dyn std::error::Error>> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .map_err(|error| format!("its processes could not be kept together: {error}"))?;
    #[cfg(target_os = "linux")]
    let group = job.holds.memory_group.as_ref().map(|place| super::memory::Group::create_limited(place, job.memory));
    #[cfg(target_os = "linux")]
    let group = group.transpose().map_err(|error| format!("its memory cannot be counted: {error}"))?;
    #[cfg(target_os = "linux")]
    let processes = job.holds.process_group.as_ref().map(|place| super::processes::create_group(place));
    #[cfg(target_os = "linux")]
    let _processes = processes.transpose().map_err(|error| format!("its processes cannot be bounded: {error}"))?;
    let mut child = Process::new(std::env::current_exe()?)
        .args([HIDDEN_COMMAND, BECOME])
        .env_clear()
        .envs(job.env.iter().map(|(name, value)| (name, value)))
        .current_dir(&job.sandbox)
        .stdin(Stdio::piped())
        .spawn()?;
    let pid = i32::try_from(child.id()).unwrap_or_default();
    let thread = || std::thread::Builder::new();
    let refused = |error: std::io::Error| Err(format!("no thread can be started for it: {error}").into());
    let (tell, events) = channel();
    // These threads start before the program gets its job: a program that cannot be watched is not started.
    let input = thread().spawn({
        let tell = tell.clone();
        move || {
            // Standard input ends when picardc requests the end, or ends itself.
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            let _ = tell.send(Event::Gone);
        }
    });
    let waiter = input.and_then(|_| thread().spawn(move || wait_for(pid, &tell)));
    let waiter = match waiter {
        Ok(waiter) => waiter,
        Err(error) => {
            let _ = child.kill();
            let _ = child.wait();
            return refused(error);
        }
    };
    if let Some(mut stdin) = child.stdin.take() {
        // The job precedes the question and is in no file that the program could read. Its length comes first, because the rest of the input is the program's.
        let text = format!("{:016x}{line}{question}", line.len());
        // The program need not read its question.
        let writer = thread().spawn(move || stdin.write_all(text.as_bytes()));
        if let Err(error) = writer {
            descendants::kill_all(pid, Instant::now() + KILLING);
            let _ = waiter.join();
            return refused(error);
        }
    }
    // The supervisor gets the highest priority, if the system allows that: it must react in time to any number of processes.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, -20);
    let (end, gone) = loop {
        match events.recv_timeout(LOOK) {
            Ok(Event::Ended(Ok(end))) => break (refine_end(end), false),
            Ok(Event::Ended(Err(error))) => break (End::NotStarted { why: error.to_string() }, false),
            Ok(Event::Gone) | Err(RecvTimeoutError::Disconnected) => break (End::Signalled { signal: 9 }, true),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let processes = descendants::list_living().len();
        if processes > confine::PROCESSES {
            break (End::TooMany { processes }, false);
        }
        #[cfg(target_os = "linux")]
        if group.is_none()
            && let Some(bytes) = super::memory::measure_shared_memory(job.memory)
        {
            break (End::Memory { bytes }, false);
        }
        descendants::reap_orphans(pid);
    };
    let until = Instant::now() + if gone { KILLING_ALONE } else { KILLING };
    #[cfg(target_os = "linux")]
    let left = job
        .holds
        .process_group
        .as_ref()
        .map_or(0, |place| super::processes::end_group(place, Some(rustix::process::getpid()), until));
    #[cfg(not(target_os = "linux"))]
    let left = 0;
    let left = left.max(descendants::kill_all(pid, until));
    // Without /proc, the remaining processes of the program's process group are killed.
    if let Some(group) = rustix::process::Pid::from_raw(pid) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    if left > 0 {
        return Ok(End::Left { processes: left });
    }
    // A panic of this thread has no further information.
    let _ = waiter.join();
    #[cfg(target_os = "linux")]
    if !matches!(
        end,
        End::Exited { code: 0 }
            | End::TooMany { .. }
            | End::NoMore { .. }
            | End::Traced { .. }
            | End::NotStarted { .. }
    ) && !gone
        && group.is_some_and(|group| group.has_oom_kill())
    {
        return Ok(End::Memory { bytes: job.memory });
    }
    Ok(end)
}

/// Returns whether too many processes ended the program: one that can start no more often ends by itself. Otherwise returns `end`.
fn refine_end(end: End) -> End {
    if matches!(end, End::Exited { code: 0 } | End::Traced { .. }) {
        return end;
    }
    let processes = descendants::list_living().len();
    if processes > confine::PROCESSES {
        return End::TooMany { processes };
    }
    if processes > 0 && !can_start_processes() { End::NoMore { processes } } else { end }
}

/// Whether this user can start some more processes. A thread needs the same resource. Several are tried, because the program that has just ended made room
/// for one.
fn can_start_processes() -> bool {
    let (hold, held) = channel::<()>();
    let held = std::sync::Arc::new(std::sync::Mutex::new(held));
    let start = |_| {
        let held = std::sync::Arc::clone(&held);
        std::thread::Builder::new().spawn(move || held.lock().map(|held| held.recv().is_err()).is_ok())
    };
    let started: Vec<_> = (0..8).map(start).collect();
    drop(hold);
    let refused = |error: &std::io::Error| error.kind() == std::io::ErrorKind::WouldBlock;
    !started.iter().any(|started| started.as_ref().is_err_and(refused))
}

/// Reads the job that precedes the question on standard input, and not a byte more.
pub fn read_job() -> Result<Job, Unconfined> {
    let failed =
        |error: &dyn std::fmt::Display| Unconfined::new_step(format!("`{HIDDEN_COMMAND}` was given no job"), error);
    let mut length = [0; 16];
    read_exactly(&mut length).map_err(|error| failed(&error))?;
    let length = std::str::from_utf8(&length).ok().and_then(|digits| usize::from_str_radix(digits, 16).ok());
    let length = length.filter(|length| *length <= 1 << 28).ok_or_else(|| failed(&"its length cannot be read"))?;
    let mut job = vec![0; length];
    read_exactly(&mut job).map_err(|error| failed(&error))?;
    serde_json::from_slice(&job).map_err(|error| failed(&error))
}

/// Reads standard input without the library's buffer, which would read more.
fn read_exactly(mut into: &mut [u8]) -> std::io::Result<()> {
    while !into.is_empty() {
        match rustix::io::read(rustix::stdio::stdin(), &mut *into) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => into = into.get_mut(read..).unwrap_or_default(),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Confines this process, and replaces it with the program of the job that it reads.
fn become_program() -> ExitCode {
    confine::close_inherited();
    let confined = read_job().and_then(|job| confine::confine_process(&job).map(|()| job));
    let job = match confined {
        Ok(job) => job,
        Err(why) => {
            eprintln!("picardc: {why}");
            return ExitCode::from(126);
        }
    };
    let error = Process::new(&job.program).args(&job.words).exec();
    eprintln!("picardc: `{}` cannot be started: {error}", disk::show_path(&job.program));
    ExitCode::from(127)
}
