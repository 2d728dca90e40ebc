//! The sandbox content that a task adds to its named files: empty folders and noise files.

use model::suite::Extra;

use super::answers;
use super::cell::InstanceDraft;
use super::clutter;
use super::context::Eval;
use super::failures::{OrSpan, Res};
use super::instance::SandboxFile;
use super::paths::{self, NodeKind, Tree};

/// The extra content of one instance.
#[derive(Default)]
pub(crate) struct Placed {
    /// Empty folders.
    pub folders: Vec<String>,
    /// Files.
    pub files: Vec<SandboxFile>,
}

/// Adds the extra content to `tree` in source order, with noise last.
pub(crate) fn place_extras(cell: &mut InstanceDraft<'_>, tree: &mut Tree) -> Res<Placed> {
    let task = cell.task;
    let mut placed = Placed::default();
    let mut noise = Vec::new();
    for extra in &task.extras {
        match extra {
            Extra::Folder(path) => {
                let path = Eval::new(cell).evaluate_text(path)?;
                let path = paths::ensure_safe(path.trim_end_matches('/')).or_span(task.span)?;
                tree.add_path(&path, NodeKind::Folder).or_span(task.span)?;
                placed.folders.push(path);
            }
            Extra::Clutter { count, within } => noise.push((count, within)),
        }
    }
    if !noise.is_empty() {
        // Noise must not have a path that a variant expects, because all variants share the same files.
        reserve_answer_paths(cell, tree)?;
    }
    for (index, (count, within)) in noise.into_iter().enumerate() {
        clutter::add_noise_files(Eval::new(cell), index, count, within.as_ref(), tree, &mut placed.files)
            .or_span(task.span)?;
    }
    Ok(placed)
}

/// Reserves the paths that the answers of any variant or requested stage name.
fn reserve_answer_paths(cell: &mut InstanceDraft<'_>, tree: &mut Tree) -> Res<()> {
    let task = cell.task;
    // Stages that are not asked must not change anything.
    let asked = if task.asked.is_whole() { task.variants.len() } else { usize::MAX };
    for name in task.iter_ways().take(asked).flat_map(|way| &way.steps) {
        cell.make_name(*name)?;
    }
    let expects = task.expects.iter().chain(task.iter_ways().take(asked).flat_map(|way| &way.expects));
    for expect in expects {
        let subject = answers::evaluate_subject(Eval::new(cell), &expect.subject).or_span(expect.span)?;
        for path in subject.paths() {
            let (path, kind) = match path.strip_suffix('/') {
                Some(folder) => (folder, NodeKind::Folder),
                None => (path.as_str(), NodeKind::File),
            };
            // Several answers may read the same file, or a file of the task; this is not a conflict.
            if !tree.is_taken(path) {
                tree.add_path(path, kind)?;
            }
        }
    }
    Ok(())
}
