//! What holds an agent's program: a session of its own, limits of the system, and on Linux Landlock.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, setsid};

use super::supervise::Job;

/// The most processes of one program at once; more, and all are killed.
pub const PROCESSES: usize = 512;

/// The largest file that it may write, in bytes.
const FILE_SIZE: u64 = 1 << 30;

/// The most files that one process may have open.
const OPEN_FILES: u64 = 1024;

/// How much more address space than memory a process may reserve.
const RESERVED: u64 = 16;

/// Confines the calling process and all that it will start.
pub fn confine(job: &Job) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    {
        let die = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        die.map_err(|error| format!("the program cannot be tied to its supervisor: {error}"))?;
        drop_capabilities()?;
    }
    setsid().map_err(|error| format!("the program cannot be given a session: {error}"))?;
    let mut limits = vec![
        (Resource::Cpu, job.cpu_s),
        (Resource::Data, job.memory),
        (Resource::As, job.memory.saturating_mul(RESERVED)),
        (Resource::Fsize, FILE_SIZE),
        (Resource::Nofile, OPEN_FILES),
        (Resource::Core, 0),
    ];
    // This one counts all processes and threads of the user, so those that are there already are added. Root ignores it: the supervisor counts too.
    if let Some(there) = threads_of_user() {
        limits.push((Resource::Nproc, there.saturating_add(PROCESSES as u64)));
    }
    for (resource, most) in limits {
        // A limit that is tighter already stays.
        let most = getrlimit(resource).maximum.map_or(most, |maximum| most.min(maximum));
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, limit).map_err(|error| format!("the program cannot be limited ({resource:?}): {error}"))?;
    }
    #[cfg(target_os = "linux")]
    landlocked::restrict(&job.readable, &job.writable).map_err(|error| format!("Landlock failed: {error}"))?;
    Ok(())
}

/// What makes root more than a user is gone once the program starts: with it root reads other processes' environments past Landlock.
#[cfg(target_os = "linux")]
fn drop_capabilities() -> Result<(), String> {
    use rustix::io::Errno;
    use rustix::thread::{
        CapabilitySet, CapabilitySets, capabilities, remove_capability_from_bounding_set, set_capabilities,
    };
    for capability in CapabilitySet::all().iter() {
        match remove_capability_from_bounding_set(capability) {
            // Whoever may not give one up has none; an older kernel does not know all.
            Ok(()) | Err(Errno::PERM | Errno::INVAL) => {}
            Err(error) => return Err(format!("the program cannot be kept from root's rights: {error}")),
        }
    }
    let kept = capabilities(None)
        .and_then(|sets| set_capabilities(None, CapabilitySets { inheritable: CapabilitySet::empty(), ..sets }));
    kept.map_err(|error| format!("the program cannot be kept from root's rights: {error}"))
}

/// How many threads the user has running, as far as /proc tells.
fn threads_of_user() -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    let user = rustix::process::getuid().as_raw();
    let mut threads = 0;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let process = entry.file_name().to_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        if process && entry.metadata().is_ok_and(|metadata| metadata.uid() == user) {
            threads += std::fs::read_dir(entry.path().join("task")).map_or(1, |tasks| tasks.count() as u64);
        }
    }
    Some(threads)
}

/// What does not hold on this system, to be said once.
pub fn missing() -> Option<String> {
    let advice = "run agents that you do not trust in a container of their own";
    #[cfg(target_os = "linux")]
    match landlocked::probe() {
        Some(landlocked::Holds::All) => None,
        Some(landlocked::Holds::Partly) => {
            Some(format!("this kernel's Landlock is old: programs are kept in their sandboxes only partly; {advice}"))
        }
        None => Some(format!(
            "this kernel has no Landlock: programs are not kept from files outside their sandboxes; {advice}"
        )),
    }
    #[cfg(not(target_os = "linux"))]
    Some(format!("this system has no Landlock: programs are not kept from files outside their sandboxes; {advice}"))
}

#[cfg(target_os = "linux")]
mod landlocked {
    use std::path::{Path, PathBuf};

    use landlock::{
        ABI, Access as _, AccessFs, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus,
        Scope, make_bitflags, path_beneath_rules,
    };

    /// All that is asked of Landlock came by this version; older kernels do what they can.
    const WANTED: ABI = ABI::V6;

    /// Devices that programs write to.
    const DEVICES: [&str; 7] =
        ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"];

    /// How much of it the kernel does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Holds {
        All,
        Partly,
    }

    /// From here on the calling thread, and what it starts, reads and writes only there; it signals nobody outside.
    pub fn restrict(readable: &[PathBuf], writable: &[PathBuf]) -> Result<Option<Holds>, RulesetError> {
        let status = Ruleset::default()
            .handle_access(AccessFs::from_all(WANTED))?
            .scope(Scope::Signal)?
            .create()?
            .add_rules(path_beneath_rules(readable, AccessFs::from_read(WANTED)))?
            .add_rules(path_beneath_rules(
                DEVICES.map(Path::new),
                make_bitflags!(AccessFs::{ReadFile | WriteFile | IoctlDev}),
            ))?
            .add_rules(path_beneath_rules(writable, AccessFs::from_all(WANTED)))?
            .restrict_self()?;
        Ok(match status.ruleset {
            RulesetStatus::FullyEnforced => Some(Holds::All),
            RulesetStatus::PartiallyEnforced => Some(Holds::Partly),
            RulesetStatus::NotEnforced => None,
        })
    }

    /// Tries it on a thread that does nothing else, and ends.
    pub fn probe() -> Option<Holds> {
        std::thread::spawn(|| restrict(&[], &[]).ok().flatten()).join().ok().flatten()
    }
}
