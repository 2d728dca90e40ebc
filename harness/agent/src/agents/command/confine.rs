//! Confinement of an agent's program: its own session, resource limits, and on Linux namespaces, Landlock, and a filter of system calls.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, setsid};

use super::job::{BETWEEN_LOOKS, Job};
use super::unconfined::Unconfined;
#[cfg(target_os = "linux")]
use super::{file_access, memory, namespaces, syscall_filter};

/// The largest file that it may write, in bytes.
const FILE_SIZE: u64 = 1 << 30;

/// The most files that one process may have open.
const OPEN_FILES: u64 = 1024;

/// The address space that a process may reserve, as a multiple of its memory; runtimes reserve much that they never use.
const RESERVED: u64 = 16;

/// Confines the calling process and all processes that it will start.
pub fn confine_process(job: &Job) -> Result<(), Unconfined> {
    #[cfg(target_os = "linux")]
    {
        let (memory, processes) = (&job.holds.memory_group, &job.holds.process_group);
        memory.iter().try_for_each(|group| memory::join_group(group))?;
        processes
            .iter()
            .filter(|group| memory.as_ref() != Some(*group))
            .try_for_each(|group| memory::join_group(group))?;
        if job.holds.private {
            namespaces::enter_namespaces()?;
            namespaces::read_only_but(&job.writable, &job.covered)?;
            // The working folder was opened before the remount and is read-only now, so it is entered again.
            let entered = std::env::set_current_dir(&job.sandbox);
            entered.map_err(|error| Unconfined::new_step("the sandbox cannot be entered", error))?;
        }
        let die = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        die.map_err(|error| Unconfined::new_step("the program cannot be tied to its supervisor", error))?;
        drop_capabilities()?;
    }
    setsid().map_err(|error| Unconfined::new_step("the program cannot be given a session", error))?;
    let mut limits = vec![
        (Resource::Cpu, job.cpu_s),
        (Resource::Data, job.memory),
        (Resource::As, job.memory.saturating_mul(RESERVED)),
        (Resource::Fsize, FILE_SIZE),
        (Resource::Nofile, OPEN_FILES),
        (Resource::Core, 0),
    ];
    // This limit counts all processes and threads of the user, so the number of existing ones is added. It does not apply to root; a control group limits
    // root's. The supervisor counts the program's own processes; this limit bounds their growth between its checks.
    if let Some(there) = count_user_threads() {
        limits.push((Resource::Nproc, there.saturating_add(BETWEEN_LOOKS)));
    }
    for (resource, most) in limits {
        // A stricter limit stays.
        let most = getrlimit(resource).maximum.map_or(most, |maximum| most.min(maximum));
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        let failed = |error| Unconfined::new_step(format!("the program cannot be limited ({resource:?})"), error);
        setrlimit(resource, limit).map_err(failed)?;
    }
    #[cfg(target_os = "linux")]
    {
        let restricted = file_access::apply_landlock(&job.readable, &job.listed, &job.writable)
            .map_err(|error| Unconfined::new_step("Landlock failed", error))?;
        if restricted != job.holds.landlock {
            return Err(Unconfined::Landlock { is: restricted, was: job.holds.landlock });
        }
        if job.holds.calls {
            let (shared_memory, ipc) = (job.holds.memory_group.is_some(), job.holds.private);
            syscall_filter::install_filters(syscall_filter::Allowed { unix: job.unix, shared_memory, ipc })?;
        }
    }
    Ok(())
}

/// Closes every file descriptor that picardc inherited; the program then has only its standard streams.
pub fn close_inherited() {
    let open: Vec<i32> = std::fs::read_dir("/proc/self/fd").or_else(|_| std::fs::read_dir("/dev/fd")).map_or_else(
        |_| (3..OPEN_FILES as i32).collect(),
        |entries| entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect(),
    );
    for descriptor in open.into_iter().filter(|descriptor| *descriptor > 2) {
        // The descriptor of the folder just read is closed already.
        let _ = nix::unistd::close(descriptor);
    }
}

/// Drops root's capabilities for the program that is started: with them, root could read the environments of other processes in spite of Landlock.
#[cfg(target_os = "linux")]
fn drop_capabilities() -> Result<(), Unconfined> {
    use rustix::io::Errno;
    use rustix::thread::{
        CapabilitySet, CapabilitySets, capabilities, remove_capability_from_bounding_set, set_capabilities,
    };
    let failed = |error| Unconfined::new_step("the program cannot be kept from root's rights", error);
    for capability in CapabilitySet::all().iter() {
        match remove_capability_from_bounding_set(capability) {
            // A process that may not drop a capability does not have it; an older kernel does not know all of them.
            Ok(()) | Err(Errno::PERM | Errno::INVAL) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    let kept = capabilities(None)
        .and_then(|sets| set_capabilities(None, CapabilitySets { inheritable: CapabilitySet::empty(), ..sets }));
    kept.map_err(failed)
}

/// Returns the number of threads that the user is running, as far as /proc shows; `None` if it cannot be read.
fn count_user_threads() -> Option<u64> {
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
