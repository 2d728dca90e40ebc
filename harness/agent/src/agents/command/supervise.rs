//! `picardc __confined`: the process between picardc and an agent's program. It is hidden: people never call it.

use std::io::{BufRead as _, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command as Process, ExitCode, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus, waitpid};
use serde::{Deserialize, Serialize};

use super::job::{HIDDEN_COMMAND, Job, PROCESSES, read_job};
#[cfg(target_os = "linux")]
use super::probe;
use super::{confine, descendants};

/// The argument for the process that becomes the program.
const BECOME: &str = "exec";

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

/// Runs the hidden command. `words` are its arguments.
pub fn main(words: &[String]) -> ExitCode {
    match words {
        [word] if word == BECOME => become_program(),
        #[cfg(target_os = "linux")]
        [word, folder] if word == probe::PROBE => probe::main(Path::new(folder)),
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
        if processes > PROCESSES {
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
    if processes > PROCESSES {
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
