//! Memory of a program with all that it starts: by a control group where one can be made, else by looking at what its processes share.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, getpid, getppid};

use super::descendants;

/// The files of a control group that matter here, in both versions.
const LIMITS: [(&str, &str, &str); 2] = [
    ("memory.max", "memory.swap.max", "memory.events"),
    ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"),
];

/// How the names of our groups begin; the supervisor's number follows.
const PREFIX: &str = "picardc-";

/// How old a group is that no supervisor has any more.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// A control group, removed with this.
#[derive(Debug)]
pub struct Group(PathBuf);

impl Group {
    /// Makes a control group below `place` for the processes that this process starts, limited to `bytes` of memory.
    ///
    /// # Errors
    /// The system does not allow it.
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

    /// Makes one that limits nothing yet.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn create_unlimited(place: &Path, process: Option<Pid>) -> std::io::Result<Group> {
        let path = build_group_path(place, process);
        // Left by a supervisor that was killed, whose number came round again.
        if fs::create_dir(&path).is_err() {
            let _ = fs::remove_dir(&path);
            fs::create_dir(&path)?;
        }
        Ok(Group(path))
    }

    /// The one of a process, which is there already.
    pub fn find_existing(place: &Path, process: Option<Pid>) -> Option<Group> {
        let path = build_group_path(place, process);
        path.is_dir().then_some(Group(path))
    }

    /// A file of it.
    pub fn file_path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn choose_limit_files(&self) -> (&'static str, &'static str, &'static str) {
        let [second, first] = LIMITS;
        if self.0.join(second.0).exists() { second } else { first }
    }

    /// Whether the kernel killed a process of it for want of memory.
    pub fn has_oom_kill(&self) -> bool {
        let counts = fs::read_to_string(self.0.join(self.choose_limit_files().2)).unwrap_or_default();
        counts.lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count.trim() != "0"))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for _ in 0..50 {
            // It is busy until the last process has left the table.
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
/// It is not there.
pub fn join_group(place: &Path) -> Result<(), String> {
    let joined = fs::write(build_group_path(place, getppid()).join("cgroup.procs"), "0");
    joined.map_err(|error| format!("the program cannot be put into its control group: {error}"))
}

/// Where groups can be made: tried by a process that has nothing else to do, for it joins one. The group that it is in stays until it ends: its
/// parent removes it with [`remove_leftover_groups`].
pub fn find_place() -> Option<PathBuf> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    list_candidates(&own, &mounts, "memory").into_iter().find(|place| {
        let delegates = |file: &str| {
            let names = fs::read_to_string(place.join(file)).unwrap_or_default();
            names.split_ascii_whitespace().any(|name| name == "memory")
        };
        // The second version counts memory only where the group above says so.
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

/// Whether it is a group of the second version, in which a process is in one group for everything.
pub fn is_second(place: &Path) -> bool {
    place.join("cgroup.controllers").exists()
}

/// Removes the group that a trial left, and those that killed supervisors left.
pub fn remove_leftover_groups(place: &Path) {
    drop(Group(build_group_path(place, Some(getpid()))));
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).filter(|id| id.parse::<u32>().is_ok());
        let is_over = process.is_some_and(|id| !Path::new("/proc").join(id).exists());
        let age = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|made| made.elapsed().ok());
        if is_over && age.is_some_and(|age| age > FORGOTTEN) {
            // One with a process in it stays.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The group that we are in, and those above it, as far as they are mounted: those that control `what`, and those of the second version.
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

/// How much memory all processes below this one share, if that is more than `most` bytes.
pub fn measure_shared_memory(most: u64) -> Option<u64> {
    let living = descendants::list_living();
    // Quick, but what two of them share counts twice.
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

/// `Name:  12 kB` of a process, in bytes.
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
