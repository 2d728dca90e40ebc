//! Paths of an instance's files in the bundle: `files/<task>[-<axis labels>]-<sample>/`. A task of more than a thousand samples has
//! `files/<task>-<thousands>/<task>[-<axis labels>]-<sample>/` (sample 12 under `-000`, sample 1000 under `-001`), which limits the size of each
//! folder. The form depends only on the task's number of samples, not on shards or threads.

use std::collections::BTreeMap;
use std::ops::Range;

use super::failures;
use crate::Failure;
use crate::generate::Address;

/// Maximum number of samples of a task that share one folder.
const LEVEL: u32 = 1000;

/// The folders of all tasks.
pub(super) struct Layout {
    /// Number of samples of each selected task, by its index in the plan.
    samples: BTreeMap<u32, u32>,
}

impl Layout {
    /// Creates the layout from the result of [`super::Source::list_sample_counts`].
    pub fn new(selected: &[(u32, u32)]) -> Layout {
        Layout { samples: selected.iter().copied().collect() }
    }

    /// Returns the folder between `files/` and the instance's own folder, if the task needs one.
    pub fn build_level_path(&self, address: Address, task: &str) -> Option<String> {
        let samples = self.samples.get(&address.task).copied().unwrap_or(0);
        (samples > LEVEL).then(|| format!("files/{task}-{:03}", (address.sample + 1) / LEVEL))
    }

    /// Checks whether the instance at `index` writes the files that it shares with other variants, in this `part` of the bundle. The variants of a
    /// cell are as many instances apart as the task has samples, so it writes them exactly if the previous variant is not in the part.
    pub fn is_writer(&self, address: Address, index: u64, part: &Range<u64>) -> bool {
        let samples = self.samples.get(&address.task).copied().unwrap_or(0);
        address.variant == 0 || index < part.start + u64::from(samples)
    }
}

/// Rejects a path that could leave the folder. Generation has checked it already; this check prevents damage.
pub(super) fn check_path(path: &str) -> Result<(), Failure> {
    let safe = !path.is_empty()
        && !path.contains(['\\', '\0'])
        && !path.split('/').any(|part| part.is_empty() || part == "." || part == "..");
    if safe { Ok(()) } else { Err(failures::new_usage(format!("`{path}` is not a path inside a sandbox"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(sample: u32, variant: u32) -> Address {
        Address { task: 1, cell: 0, variant, sample }
    }

    #[test]
    fn a_level_only_where_there_are_more_than_a_thousand() {
        assert_eq!(Layout::new(&[(1, 1000)]).build_level_path(at(999, 0), "q"), None);
        let layout = Layout::new(&[(1, 1001)]);
        assert_eq!(layout.build_level_path(at(0, 0), "q").as_deref(), Some("files/q-000"));
        assert_eq!(layout.build_level_path(at(998, 0), "q").as_deref(), Some("files/q-000"));
        assert_eq!(layout.build_level_path(at(999, 0), "q").as_deref(), Some("files/q-001"));
    }

    #[test]
    fn shared_files_are_written_once_a_part() {
        // 2 variants of 5 samples: indexes 0..5 are variant 0, 5..10 are variant 1.
        let layout = Layout::new(&[(1, 5)]);
        for start in 0..10u64 {
            let part = start..10;
            let mut written = [0; 5];
            for index in part.clone() {
                let sample = (index % 5) as u32;
                written[sample as usize] += u32::from(layout.is_writer(at(sample, (index / 5) as u32), index, &part));
            }
            let needed: Vec<u32> = (0..5).map(|sample| u32::from(start <= sample || start <= sample + 5)).collect();
            assert_eq!(written.to_vec(), needed, "from {start}");
        }
    }

    #[test]
    fn paths_that_leave_are_refused() {
        for bad in ["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a\\b"] {
            assert!(check_path(bad).is_err(), "{bad}");
        }
        assert!(check_path("a/b.c..d").is_ok());
    }
}
