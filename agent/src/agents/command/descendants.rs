//! All that a process started, and what that started: found by who is whose parent, and killed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// Processes below this one that are not dead, by id. Orphans count: this process adopts them (it is a subreaper).
pub fn living() -> BTreeSet<i32> {
    below_us().into_iter().filter(|(_, dead)| !dead).map(|(pid, _)| pid).collect()
}

/// Kills all of them. They are stopped first, for what stands still starts nothing; then no new one can come between looking and killing.
/// `child` is waited for by someone else.
pub fn kill_all(child: i32) {
    for _ in 0..200 {
        let mut stopped = BTreeSet::new();
        loop {
            let fresh: Vec<i32> = living().into_iter().filter(|pid| stopped.insert(*pid)).collect();
            if fresh.is_empty() {
                break;
            }
            fresh.iter().for_each(|pid| signal(*pid, Signal::STOP));
        }
        if stopped.is_empty() {
            return;
        }
        stopped.iter().for_each(|pid| signal(*pid, Signal::KILL));
        std::thread::sleep(Duration::from_millis(5));
        reap(child);
    }
}

/// Takes note of orphans that died, so that they leave the table of processes.
pub fn reap(child: i32) {
    for (pid, dead) in below_us() {
        if dead && pid != child {
            // One that is not our own child is its parent's to wait for.
            let _ = waitpid(Pid::from_raw(pid), WaitOptions::NOHANG);
        }
    }
}

/// One that has ended meanwhile needs no signal.
fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, signal);
    }
}

/// Processes below this one, and whether they are dead but not waited for.
fn below_us() -> Vec<(i32, bool)> {
    let mut children: BTreeMap<i32, Vec<(i32, bool)>> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let stat = std::fs::read(entry.path().join("stat")).unwrap_or_default();
        if let Some((parent, dead)) = parent_of(&String::from_utf8_lossy(&stat)) {
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
fn parent_of(stat: &str) -> Option<(i32, bool)> {
    let mut words = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace();
    let dead = matches!(words.next()?, "Z" | "X");
    Some((words.next()?.parse().ok()?, dead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents() {
        assert_eq!(parent_of("12 (a) b) S 7 1 1"), Some((7, false)));
        assert_eq!(parent_of("12 (sh) Z 7 1 1"), Some((7, true)));
        assert_eq!(parent_of(""), None);
    }
}
