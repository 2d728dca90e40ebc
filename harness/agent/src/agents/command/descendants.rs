//! All descendants of this process: finds them by their parents' ids, and kills them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, waitid, waitpid};

/// How long to wait for a process to die, in milliseconds.
const MOMENT: u8 = 50;

/// Returns the ids of all descendants that are not dead. Orphans are included: this process adopts them (it is a subreaper).
pub fn list_living() -> BTreeSet<i32> {
    list_descendants().into_iter().filter(|(_, dead)| !dead).map(|(pid, _)| pid).collect()
}

/// Kills all descendants of this process. It stops them first (`SIGSTOP`): a stopped process starts no others, so no new one appears between listing and
/// killing. It does not reap `child`: the caller does. Returns how many are left at `until`.
pub fn kill_all(child: i32, until: Instant) -> usize {
    loop {
        // This process adopts orphans, so without a child it has no descendants, and the machine's processes need not be listed.
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

/// Waits until a killed process is dead, or [`MOMENT`] has passed. The caller checks again.
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
        // This kernel cannot wait for it.
        Some(Err(_)) => std::thread::sleep(Duration::from_millis(u64::from(MOMENT))),
    }
}

/// Waits for [`MOMENT`].
#[cfg(not(target_os = "linux"))]
fn wait_for_death(_: i32) {
    std::thread::sleep(Duration::from_millis(u64::from(MOMENT)));
}

/// Reaps orphans that died, except `child`: they leave the process table.
pub fn reap_orphans(child: i32) {
    for (pid, dead) in list_descendants() {
        if dead && pid != child {
            // A process that is not a child of this one is reaped by its parent.
            let _ = waitpid(Pid::from_raw(pid), WaitOptions::NOHANG);
        }
    }
}

/// Sends a signal. A process that has already ended needs none.
fn send_signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, signal);
    }
}

/// Returns the ids of all descendants, and whether each is dead but not reaped.
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

/// Parses `PID (NAME) STATE PARENT …`; the name can contain any character. Returns the parent's id, and whether the process is dead.
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
