//! A job: a program to start, its limits, and the means of its confinement. picardc writes it to the supervisor, which passes it on to the process that
//! becomes the program.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
use super::file_access::LandlockSupport;
use super::unconfined::Unconfined;

/// The hidden command of `picardc` that is given a job.
pub const HIDDEN_COMMAND: &str = "__confined";

/// The maximum number of processes of one program at the same time; if it has more, all are killed.
pub const PROCESSES: usize = 512;

/// The maximum number of processes and threads of a program between two checks of the supervisor.
pub const BETWEEN_LOOKS: u64 = 4 * PROCESSES as u64;

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

/// The means of confinement on this system, in addition to resource limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfinementSupport {
    /// Landlock, if the kernel has it.
    #[cfg(target_os = "linux")]
    pub landlock: Option<LandlockSupport>,
    /// Whether system calls can be filtered.
    pub calls: bool,
    /// Whether programs get their own namespaces.
    pub private: bool,
    /// Where a control group that limits memory is made for each program.
    pub memory_group: Option<PathBuf>,
    /// Where a control group that limits and kills processes is made for each program; it can be the same.
    pub process_group: Option<PathBuf>,
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
