//! Finds out how this system can confine programs. A separate process tries every means, and ends.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use records::Error;
use records::run::{Confined, Confinement};
use serde::{Deserialize, Serialize};

use super::file_access::{self, WANTED};
use super::job::{ConfinementSupport, HIDDEN_COMMAND};
use super::{memory, namespaces, processes, syscall_filter};
use crate::settings::Settings;

/// The argument for the process that tries the means of confinement.
pub const PROBE: &str = "probe";

/// The means of confinement that this system has, and why others are missing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Found {
    /// The means that work.
    pub holds: ConfinementSupport,
    /// Why system calls cannot be filtered; `None` if they can.
    calls: Option<String>,
    /// Why namespaces cannot be used; `None` if they can.
    private: Option<String>,
    /// Whether the system limits the number of processes that a program can start.
    bound: bool,
}

impl Found {
    /// Tries every means in a separate process.
    ///
    /// # Errors
    /// The process cannot be started, or its output cannot be read.
    pub fn probe_system(supervisor: &Path) -> Result<Found, Error> {
        let failed = |error: &dyn std::fmt::Display| {
            Error::new_outside(format!("what confines programs cannot be tried: {error}"))
        };
        let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
        let tried = Command::new(supervisor)
            .args([HIDDEN_COMMAND, PROBE])
            .arg(folder.path())
            .env_clear()
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output();
        let output = tried.map_err(|error| failed(&error))?;
        let found: Found = serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))?;
        let holds = &found.holds;
        holds.memory_group.iter().chain(&holds.process_group).for_each(|place| memory::remove_leftover_groups(place));
        Ok(found)
    }

    /// Returns the record for `run.json`.
    pub fn to_confinement(&self, settings: &Settings) -> Confinement {
        let mut missing = Vec::new();
        let landlock = self.holds.landlock;
        match landlock {
            None => missing.push("Landlock: files outside the sandbox are not protected".to_owned()),
            Some(landlock) if !landlock.all => missing.push(format!(
                "parts of Landlock: this kernel has version {}, and {} is needed",
                landlock.abi, WANTED as i32
            )),
            Some(_) => {}
        }
        if let Some(why) = &self.calls {
            missing.push(format!("the filter of system calls: {why}"));
        } else if settings.unix {
            missing.push("protection of Unix sockets: --allow-unix is given".to_owned());
        }
        if let Some(why) = &self.private {
            missing.push(format!(
                "protection of modes, times, and attributes of files, and of names in bundles and runs: {why}"
            ));
        }
        if !self.bound {
            missing.push(
                "a control group that bounds processes: what a program of root starts can be more than can be killed"
                    .to_owned(),
            );
        }
        let confined = match landlock {
            _ if missing.is_empty() => Confined::All,
            None => Confined::None,
            Some(_) => Confined::Partly,
        };
        Confinement { confined, landlock: landlock.map_or(0, |landlock| landlock.abi), missing }
    }
}

/// The main function of the process that tries every means. The caller removes `folder` afterwards.
pub fn main(folder: &Path) -> ExitCode {
    let memory_group = memory::find_place();
    let process_group = processes::find_place(memory_group.as_deref());
    // Must precede the namespaces, in which the user id may be another one.
    let bound = process_group.is_some() || processes::is_user_limited();
    let private = try_private(folder).err().map(|why| why.to_string());
    let landlock = file_access::apply_landlock(&[], &[], &[]).ok().flatten();
    let calls =
        syscall_filter::install_filters(syscall_filter::Allowed { unix: false, shared_memory: false, ipc: false })
            .err()
            .map(|why| why.to_string());
    let holds = ConfinementSupport {
        landlock,
        calls: calls.is_none(),
        private: private.is_none(),
        memory_group,
        process_group,
    };
    match serde_json::to_string(&Found { holds, calls, private, bound }) {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("picardc: {error}");
            ExitCode::from(3)
        }
    }
}

/// Checks that in new namespaces the mode of a file outside the sandbox cannot be changed, and that of a file inside can.
fn try_private(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = folder.join("sandbox");
    fs::create_dir(&sandbox)?;
    let (inside, outside) = (sandbox.join("file"), folder.join("file"));
    for file in [&inside, &outside] {
        fs::write(file, "")?;
    }
    namespaces::enter_namespaces()?;
    namespaces::read_only_but(&[sandbox], &[])?;
    let mode = |file: &Path| fs::set_permissions(file, fs::Permissions::from_mode(0o600));
    mode(&inside)?;
    match mode(&outside) {
        Ok(()) => Err("file systems stay writable here".into()),
        Err(_) => Ok(()),
    }
}
