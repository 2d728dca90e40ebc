//! The processes of a program as one control group: it bounds their number, and ends all of them, also those that start others faster than anybody
//! can list them.
//!
//! | file | what it does |
//! | --- | --- |
//! | `pids.max` | how many processes and threads there can be; 0: nothing in the group starts anything any more |
//! | `cgroup.kill` | the kernel kills all of them, with those that they are just starting (version 2, Linux 5.14) |

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};

use super::confine::BETWEEN_LOOKS;
use super::memory::{self, Group};

const MAX_FILE: &str = "pids.max";
const KILL: &str = "cgroup.kill";
const MEMBERS: &str = "cgroup.procs";

/// How long is waited before it is looked again who is left.
const MOMENT: Duration = Duration::from_millis(10);

/// Makes the group for the processes that this process starts. Where it is the group that counts memory, too, that one is there already.
///
/// # Errors
/// The system does not allow it.
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

/// Where such groups can be made: tried by a process that has joined that of `memory`, and joins this one, too.
pub fn find_place(memory: Option<&Path>) -> Option<PathBuf> {
    // A process is in one group of the second version.
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
    // Those that bound the number come first.
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

/// Kills everything in the group of a supervisor, and waits until it is empty; how many processes are left when the time is over.
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
            // One that has ended meanwhile needs no signal.
            let _ = kill_process(pid, Signal::KILL);
        });
        if left.is_empty() || Instant::now() >= until {
            return left.len();
        }
        std::thread::sleep(MOMENT);
    }
}

/// The processes in it; a process of another namespace is 0.
fn list_members(group: &Group) -> Vec<i32> {
    let members = fs::read_to_string(group.file_path(MEMBERS)).unwrap_or_default();
    members.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Whether a limit of the user bounds how many processes there can be: it is not held against root.
pub fn is_user_limited() -> bool {
    !rustix::process::getuid().is_root()
        || fs::read_to_string("/proc/self/uid_map").is_ok_and(|map| is_other_outside(&map))
}

/// Whether root here is another user outside of this user namespace.
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
