//! All that a process started, and what that started: found by who is whose parent, and killed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, waitid, waitpid};

/// How long the death of a process is waited for, in milliseconds.
const MOMENT: u8 = 50;

/// Processes below this one that are not dead, by id. Orphans count: this process adopts them (it is a subreaper).
pub fn list_living() -> BTreeSet<i32> {
    list_descendants().into_iter().filter(|(_, dead)| !dead).map(|(pid, _)| pid).collect()
}

/// Kills all descendants of this process. It stops them first (`SIGSTOP`): a stopped process starts no others, so no
/// new one appears between listing and killing. It does not wait for `child`: the caller does. How many are left when the time is over.
pub fn kill_all(child: i32, until: Instant) -> usize {
    loop {
        // Orphans are ours: without a child there is nobody further down either, and no need to look at all processes of the machine.
        if is_childless() {
            return 0;
        }
        let mut stopped = BTreeSet::new();
        while Instant::now() < until {
            let fresh: Vec<i32> = list_living().into_iter().filter(|pid| stopped.insert(*pid)).collect();
            if fresh.is_empty() {
                break;
            }
            fresh.iter().for_each(|pid| send_signal(*pid, Signal::STOP));
        }
        let all = if stopped.is_empty() { list_living() } else { stopped };
        if all.is_empty() {
            return 0;
        }
        all.iter().for_each(|pid| send_signal(*pid, Signal::KILL));
        all.iter().take_while(|_| Instant::now() < until).for_each(|pid| wait_for_death(*pid));
        reap_orphans(child);
        if Instant::now() >= until {
            return list_living().len();
        }
    }
}

/// Whether this process has no child, dead or alive.
fn is_childless() -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::All, options), Err(Errno::CHILD))
}

/// Until a process that was killed is dead, or a moment has passed: what the system does not let die is looked at again.
#[cfg(target_os = "linux")]
fn wait_for_death(pid: i32) {
    use std::os::fd::AsFd as _;

    use nix::poll::{PollFd, PollFlags, poll};
    use rustix::process::{PidfdFlags, pidfd_open};
    let opened = Pid::from_raw(pid).map(|pid| pidfd_open(pid, PidfdFlags::empty()));
    match opened {
        Some(Ok(process)) => {
            let _ = poll(&mut [PollFd::new(process.as_fd(), PollFlags::POLLIN)], MOMENT);
        }
        // It is gone already.
        None | Some(Err(Errno::SRCH)) => {}
        // A kernel that cannot wait for it.
        Some(Err(_)) => std::thread::sleep(Duration::from_millis(u64::from(MOMENT))),
    }
}

/// Until a process that was killed is dead, or a moment has passed.
#[cfg(not(target_os = "linux"))]
fn wait_for_death(_: i32) {
    std::thread::sleep(Duration::from_millis(u64::from(MOMENT)));
}

/// Takes note of orphans that died, so that they leave the table of processes.
pub fn reap_orphans(child: i32) {
    for (pid, dead) in list_descendants() {
        if dead && pid != child {
            // One that is not our own child is its parent's to wait for.
            let _ = waitpid(Pid::from_raw(pid), WaitOptions::NOHANG);
        }
    }
}

/// One that has ended meanwhile needs no signal.
fn send_signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, signal);
    }
}

/// Processes below this one, and whether they are dead but not waited for.
fn list_descendants() -> Vec<(i32, bool)> {
    let mut children: BTreeMap<i32, Vec<(i32, bool)>> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let stat = std::fs::read(entry.path().join("stat")).unwrap_or_default();
        if let Some((parent, dead)) = parse_parent(&String::from_utf8_lossy(&stat)) {
            children.entry(parent).or_default().push((pid, dead));
        }
    }
    let mut found = Vec::new();
    let mut parents = vec![rustix::process::getpid().as_raw_nonzero().get()];
    while let Some(parent) = parents.pop() {
        for (pid, dead) in children.remove(&parent).unwrap_or_default() {
            found.push((pid, dead));
            parents.push(pid);
        }
    }
    found
}

/// Of `PID (NAME) STATE PARENT …`, whose name may hold anything.
fn parse_parent(stat: &str) -> Option<(i32, bool)> {
    let mut words = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace();
    let dead = matches!(words.next()?, "Z" | "X");
    Some((words.next()?.parse().ok()?, dead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents() {
        assert_eq!(parse_parent("12 (a) b) S 7 1 1"), Some((7, false)));
        assert_eq!(parse_parent("12 (sh) Z 7 1 1"), Some((7, true)));
        assert_eq!(parse_parent(""), None);
    }
}
