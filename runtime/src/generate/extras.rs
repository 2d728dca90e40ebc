//! What a task puts into the sandbox besides the files that have names.

use model::suite::Extra;

use super::answers;
use super::cell::InstanceDraft;
use super::clutter;
use super::eval::{Eval, OrSpan, Res};
use super::instance::SandboxFile;
use super::paths::{self, Tree};

/// What there is of it in one instance.
#[derive(Default)]
pub(crate) struct Placed {
    /// Empty folders.
    pub folders: Vec<String>,
    /// Files.
    pub files: Vec<SandboxFile>,
}

/// Puts it into `tree`, in source order; noise comes last.
pub(crate) fn place_extras(cell: &mut InstanceDraft<'_>, tree: &mut Tree) -> Res<Placed> {
    let task = cell.task;
    let mut placed = Placed::default();
    let mut noise = Vec::new();
    for extra in &task.extras {
        match extra {
            Extra::Folder(path) => {
                let path = Eval::new(cell).evaluate_text(path)?;
                let path = paths::ensure_safe(path.trim_end_matches('/')).or_span(task.span)?;
                tree.add_path(&path, false).or_span(task.span)?;
                placed.folders.push(path);
            }
            Extra::Clutter { count, within } => noise.push((count, within)),
        }
    }
    if !noise.is_empty() {
        // Noise takes no path that a variant expects, so that all variants share the same files.
        reserve_answer_paths(cell, tree)?;
    }
    for (index, (count, within)) in noise.into_iter().enumerate() {
        clutter::add_noise_files(Eval::new(cell), index, count, within.as_ref(), tree, &mut placed.files)
            .or_span(task.span)?;
    }
    Ok(placed)
}

/// Marks the paths that answers of any variant, or of a stage that is asked, name as taken.
fn reserve_answer_paths(cell: &mut InstanceDraft<'_>, tree: &mut Tree) -> Res<()> {
    let task = cell.task;
    // Stages that are not asked change nothing.
    let asked = if task.asked.is_whole() { task.variants.len() } else { usize::MAX };
    for name in task.iter_ways().take(asked).flat_map(|way| &way.steps) {
        cell.make_name(*name)?;
    }
    let expects = task.expects.iter().chain(task.iter_ways().take(asked).flat_map(|way| &way.expects));
    for expect in expects {
        let subject = answers::evaluate_subject(Eval::new(cell), &expect.subject).or_span(expect.span)?;
        for path in subject.paths() {
            let (path, is_file) = match path.strip_suffix('/') {
                Some(folder) => (folder, false),
                None => (path.as_str(), true),
            };
            // Several answers may look at the same file, or at one of the task's own: no clash.
            if !tree.is_taken(path) {
                tree.add_path(path, is_file)?;
            }
        }
    }
    Ok(())
}
