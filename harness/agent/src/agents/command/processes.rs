//! The processes of a program in one control group: it limits their number and kills all of them, even if they start others faster than they
//! can be listed.
//!
//! | file | what it does |
//! | --- | --- |
//! | `pids.max` | the maximum number of processes and threads; 0: no process in the group can start another |
//! | `cgroup.kill` | the kernel kills all processes, including those that are being started (version 2, Linux 5.14) |

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};

use super::job::BETWEEN_LOOKS;
use super::memory::{self, Group};

const MAX_FILE: &str = "pids.max";
const KILL: &str = "cgroup.kill";
const MEMBERS: &str = "cgroup.procs";

/// How long to wait before the remaining processes are listed again.
const MOMENT: Duration = Duration::from_millis(10);

/// Makes the group for the processes that this process starts, or reuses its memory group if that is of version 2.
///
/// # Errors
/// The system does not allow the group or its limit.
pub fn create_group(place: &Path) -> std::io::Result<Group> {
    let group = match Group::find_existing(place, Some(getpid())) {
        Some(group) if memory::is_second(place) => group,
        _ => Group::create_unlimited(place, Some(getpid()))?,
    };
    limit_processes(&group)?;
    Ok(group)
}

fn limit_processes(group: &Group) -> std::io::Result<()> {
    let most = group.file_path(MAX_FILE);
    if most.exists() { fs::write(most, BETWEEN_LOOKS.to_string()) } else { Ok(()) }
}

/// Returns where such groups can be made. The calling process has joined a group in `memory`, and joins one here to try it.
pub fn find_place(memory: Option<&Path>) -> Option<PathBuf> {
    // In version 2, a process is in one group only.
    if let Some(place) = memory.filter(|place| memory::is_second(place)) {
        let holds = Group::find_existing(place, getppid()).is_some_and(|group| {
            let holds = can_end(&group) && limit_processes(&group).is_ok();
            std::mem::forget(group);
            holds
        });
        return holds.then(|| place.to_owned());
    }
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mut places = memory::list_candidates(&own, &mounts, "pids");
    // Version 1 first: it limits the number of processes.
    places.sort_by_key(|place| memory::is_second(place));
    places.into_iter().find(|place| {
        let Ok(group) = Group::create_unlimited(place, getppid()) else { return false };
        let joined = can_end(&group) && limit_processes(&group).is_ok() && memory::join_group(place).is_ok();
        if joined {
            std::mem::forget(group);
        }
        joined
    })
}

fn can_end(group: &Group) -> bool {
    group.file_path(MAX_FILE).exists() || group.file_path(KILL).exists()
}

/// Kills all processes in the group of a supervisor, and waits until it is empty. Returns the number of processes that are left at `until`.
pub fn end_group(place: &Path, supervisor: Option<Pid>, until: Instant) -> usize {
    let Some(group) = Group::find_existing(place, supervisor) else { return 0 };
    let most = group.file_path(MAX_FILE);
    if most.exists() {
        let _ = fs::write(most, "0");
    }
    let kill = group.file_path(KILL);
    loop {
        if kill.exists() {
            let _ = fs::write(&kill, "1");
        }
        let left = list_members(&group);
        left.iter().filter_map(|pid| Pid::from_raw(*pid)).for_each(|pid| {
            // A process that has already ended needs no signal.
            let _ = kill_process(pid, Signal::KILL);
        });
        if left.is_empty() || Instant::now() >= until {
            return left.len();
        }
        std::thread::sleep(MOMENT);
    }
}

/// Returns the ids of the processes in the group; 0 for a process of another namespace.
fn list_members(group: &Group) -> Vec<i32> {
    let members = fs::read_to_string(group.file_path(MEMBERS)).unwrap_or_default();
    members.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Whether a resource limit of the user bounds the number of processes; it does not apply to root.
pub fn is_user_limited() -> bool {
    !rustix::process::getuid().is_root()
        || fs::read_to_string("/proc/self/uid_map").is_ok_and(|map| is_other_outside(&map))
}

/// Whether the root user of this user namespace is another user outside it.
fn is_other_outside(map: &str) -> bool {
    let first = map.lines().find_map(|line| line.trim_start().strip_prefix("0 "));
    first.and_then(|rest| rest.split_ascii_whitespace().next()).is_some_and(|outside| outside != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_outside() {
        assert!(!is_other_outside("         0          0 4294967295\n"));
        assert!(is_other_outside("         0       1000          1\n"));
        assert!(!is_other_outside("      1000       1000          1\n"));
    }

    #[test]
    fn what_is_in_no_group_is_ended() {
        assert_eq!(end_group(Path::new("/no/such/place"), Some(getpid()), Instant::now()), 0);
    }
}
