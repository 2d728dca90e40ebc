//! Limits the memory of a program and its descendants: by a control group if possible, otherwise by measuring the memory that its processes share.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, getpid, getppid};

use super::descendants;
use super::unconfined::Unconfined;

/// The files of a control group for its memory limit, its swap limit, and its events: version 2, then version 1.
const LIMITS: [(&str, &str, &str); 2] = [
    ("memory.max", "memory.swap.max", "memory.events"),
    ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"),
];

/// Prefix of the names of picardc's groups; the supervisor's process id follows.
const PREFIX: &str = "picardc-";

/// The age at which a group without a living supervisor is removed.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// A control group, removed when this value is dropped.
#[derive(Debug)]
pub struct Group(PathBuf);

impl Group {
    /// Makes a control group below `place` for the processes that this process starts, limited to `bytes` of memory.
    ///
    /// # Errors
    /// The system does not allow the group or its limit.
    pub fn create_limited(place: &Path, bytes: u64) -> std::io::Result<Group> {
        Group::create_for_process(place, Some(getpid()), bytes)
    }

    fn create_for_process(place: &Path, process: Option<Pid>, bytes: u64) -> std::io::Result<Group> {
        let group = Group::create_unlimited(place, process)?;
        let (limit, swap, _) = group.choose_limit_files();
        fs::write(group.0.join(limit), bytes.to_string())?;
        // Version 2 limits swap separately, so its limit is 0; version 1 limits memory and swap together.
        let swap_bytes = if swap.ends_with("max") { 0 } else { bytes };
        let _ = fs::write(group.0.join(swap), swap_bytes.to_string());
        Ok(group)
    }

    /// Makes a group without limits.
    ///
    /// # Errors
    /// The system does not allow a group there.
    pub fn create_unlimited(place: &Path, process: Option<Pid>) -> std::io::Result<Group> {
        let path = build_group_path(place, process);
        // A killed supervisor with the same process id may have left a group.
        if fs::create_dir(&path).is_err() {
            let _ = fs::remove_dir(&path);
            fs::create_dir(&path)?;
        }
        Ok(Group(path))
    }

    /// Returns the existing group of a process.
    pub fn find_existing(place: &Path, process: Option<Pid>) -> Option<Group> {
        let path = build_group_path(place, process);
        path.is_dir().then_some(Group(path))
    }

    /// Returns the path of one of its files.
    pub fn file_path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn choose_limit_files(&self) -> (&'static str, &'static str, &'static str) {
        let [second, first] = LIMITS;
        if self.0.join(second.0).exists() { second } else { first }
    }

    /// Whether the kernel killed one of its processes because memory ran out.
    pub fn has_oom_kill(&self) -> bool {
        let counts = fs::read_to_string(self.0.join(self.choose_limit_files().2)).unwrap_or_default();
        counts.lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count.trim() != "0"))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for _ in 0..50 {
            // It is busy until its last process has left the process table.
            match fs::remove_dir(&self.0) {
                Err(error) if error.kind() == std::io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                _ => return,
            }
        }
    }
}

fn build_group_path(place: &Path, process: Option<Pid>) -> PathBuf {
    place.join(format!("{PREFIX}{}", Pid::as_raw(process)))
}

/// Puts the calling process into the group that its parent made.
///
/// # Errors
/// The group does not exist, or the process cannot join it.
pub fn join_group(place: &Path) -> Result<(), Unconfined> {
    let joined = fs::write(build_group_path(place, getppid()).join("cgroup.procs"), "0");
    joined.map_err(|error| Unconfined::new_step("the program cannot be put into its control group", error))
}

/// Returns where groups can be made. The calling process joins one to try it, so it must have no other work. That group exists until the process ends: its
/// parent removes it with [`remove_leftover_groups`].
pub fn find_place() -> Option<PathBuf> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    list_candidates(&own, &mounts, "memory").into_iter().find(|place| {
        let delegates = |file: &str| {
            let names = fs::read_to_string(place.join(file)).unwrap_or_default();
            names.split_ascii_whitespace().any(|name| name == "memory")
        };
        // Version 2 counts memory only if the parent group delegates it.
        if is_second(place) && !delegates("cgroup.subtree_control") {
            return false;
        }
        let Ok(group) = Group::create_for_process(place, getppid(), 1 << 40) else { return false };
        let joined = join_group(place).is_ok();
        if joined {
            std::mem::forget(group);
        }
        joined
    })
}

/// Whether the group is of version 2, in which a process is in one group for all controllers.
pub fn is_second(place: &Path) -> bool {
    place.join("cgroup.controllers").exists()
}

/// Removes the group that a probe of this process left, and those of supervisors that were killed.
pub fn remove_leftover_groups(place: &Path) {
    drop(Group(build_group_path(place, Some(getpid()))));
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).filter(|id| id.parse::<u32>().is_ok());
        let is_over = process.is_some_and(|id| !Path::new("/proc").join(id).exists());
        let age = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|made| made.elapsed().ok());
        if is_over && age.is_some_and(|age| age > FORGOTTEN) {
            // A group that has a process cannot be removed.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Returns the group of this process and its ancestors, as far as they are mounted: those of version 1 that control `what`, and those of version 2.
pub fn list_candidates(own: &str, mounts: &str, what: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for line in own.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (fields.next(), fields.next()) else { continue };
        let first = controllers.split(',').any(|name| name == what);
        if !first && !controllers.is_empty() {
            continue;
        }
        for mount in mounts.lines() {
            let Some((before, after)) = mount.split_once(" - ") else { continue };
            let mut kind = after.split(' ');
            let of_kind = match kind.next() {
                Some("cgroup2") => !first,
                Some("cgroup") => {
                    first && kind.nth(1).is_some_and(|options| options.split(',').any(|name| name == what))
                }
                _ => false,
            };
            let mut before = before.split(' ').skip(3);
            let (Some(root), Some(place)) = (before.next(), before.next()) else { continue };
            if !of_kind {
                continue;
            }
            let below = Path::new(group).strip_prefix(root).unwrap_or(Path::new(""));
            let lowest: PathBuf = Path::new(place).join(below).components().collect();
            found.extend(lowest.ancestors().take_while(|path| path.starts_with(place)).map(Path::to_owned));
        }
    }
    found
}

/// Returns how many bytes of memory all descendants share, if that is more than `most`.
pub fn measure_shared_memory(most: u64) -> Option<u64> {
    let living = descendants::list_living();
    // Fast, but memory that two processes share counts twice.
    let about: u64 = living.iter().filter_map(|pid| read_memory_field(*pid, "status", "RssShmem:")).sum();
    if about <= most {
        return None;
    }
    let exactly: u64 = living
        .iter()
        .filter_map(|pid| {
            read_memory_field(*pid, "smaps_rollup", "Pss_Shmem:")
                .or_else(|| read_memory_field(*pid, "status", "RssShmem:"))
        })
        .sum();
    (exactly > most).then_some(exactly)
}

/// Returns the value of `NAME:  12 kB` in a file of a process, in bytes.
fn read_memory_field(pid: i32, file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/{file}")).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_groups_of_both_versions() {
        let named = |own: &str, mounts: &str| -> Vec<String> {
            list_candidates(own, mounts, "memory").iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(
            named(
                "0::/user.slice/app.scope\n",
                "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
            ),
            ["/sys/fs/cgroup/user.slice/app.scope", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"]
        );
        assert_eq!(
            named(
                "4:memory:/docker/1\n3:cpu:/\n0::/\n",
                "30 23 0:26 /docker/1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n31 23 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
            ),
            ["/sys/fs/cgroup/memory"]
        );
        assert!(named("", "").is_empty());
    }

    #[test]
    fn numbers_of_processes() {
        let own = getpid().as_raw_nonzero().get();
        assert!(read_memory_field(own, "status", "VmRSS:").is_some_and(|bytes| bytes > 1 << 20));
        assert_eq!(read_memory_field(own, "status", "None:"), None);
        assert_eq!(measure_shared_memory(u64::MAX), None);
    }
}
