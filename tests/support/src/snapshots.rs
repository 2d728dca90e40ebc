//! Snapshots next to their sources: `NAME.pcd` and `NAME.snap`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::folders::list_below;

/// Compares the result of `show` for each source below a folder (a file with this ending, such as `pcd`) with the snapshot next to it. Reports all
/// differences at once. A snapshot without a source fails, and so does a folder without sources. Returns the sources. `INSTA_UPDATE=always` writes new
/// snapshots.
#[track_caller]
pub fn check_snapshots(folder: &Path, ending: &str, mut show: impl FnMut(&Path) -> String) -> Vec<PathBuf> {
    let sources = list_below(folder, ending);
    assert!(!sources.is_empty(), "{} has no source", folder.display());
    let mut wrong = Vec::new();
    for source in &sources {
        let shown = show(source);
        if catch_unwind(AssertUnwindSafe(|| compare_snapshot(source, &shown))).is_err() {
            wrong.push(source.with_extension("snap").display().to_string());
        }
    }
    for left in list_below(folder, "snap").iter().filter(|snapshot| !sources.contains(&snapshot.with_extension(ending)))
    {
        wrong.push(format!("{} has no source", left.display()));
    }
    assert!(wrong.is_empty(), "{} snapshots:\n{}", wrong.len(), wrong.join("\n"));
    sources
}

fn compare_snapshot(source: &Path, shown: &str) {
    let folder = source.parent().expect("a folder");
    let name = source.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, shown));
}
