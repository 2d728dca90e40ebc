//! Chooses the files of its lakes that an instance gets.

use std::sync::Arc;

use model::TiSlice;
use model::suite::{Lake, LakeId, LakeSelection, LakeUse, Plan, Task, Variant};

use super::cell::InstanceDraft;
use super::context::Eval;
use super::failures::{OrSpan, Res, fail_computation, fail_with_help};
use super::instance::{HandedOut, Portion};
use super::paths::Fixed;
use crate::failure::FailureKind;

/// Collects the paths of all files of each lake that a task or any of its variants uses. All instances of a sample have the same noise, which must not have
/// a path of any of them.
pub(crate) fn collect_lake_paths(plan: &Plan, task: &Task) -> Vec<Arc<Fixed>> {
    let uses = || task.lakes.iter().chain(task.iter_ways().flat_map(|way| &way.lakes));
    let used = |id: &LakeId| uses().any(|lake| lake.lake == *id);
    let lakes = plan.lakes.iter_enumerated().filter(|(id, _)| used(id));
    lakes.map(|(_, lake)| Arc::new(collect_fixed_paths(lake))).collect()
}

fn collect_fixed_paths(lake: &Lake) -> Fixed {
    let mut fixed = Fixed::default();
    for file in &lake.files {
        fixed.add_file(&lake.build_sandbox_path(file));
    }
    fixed
}

/// Chooses the lake files of an instance.
pub(crate) fn choose_lake_files<'a>(
    cell: &'a InstanceDraft<'a>,
    lakes: &TiSlice<LakeId, Arc<Lake>>,
    variant: Option<&'a Variant>,
) -> Res<Vec<HandedOut>> {
    let uses = variant.map_or(&cell.task.lakes, |variant| &variant.lakes);
    uses.iter().map(|used| choose_files(cell, lakes, used).or_span(used.span)).collect()
}

fn choose_files<'a>(
    cell: &'a InstanceDraft<'a>,
    lakes: &TiSlice<LakeId, Arc<Lake>>,
    used: &'a LakeUse,
) -> Res<HandedOut> {
    let Some(lake) = lakes.get(used.lake) else { return fail_computation("a lake is not declared") };
    let lake = Arc::clone(lake);
    let LakeSelection::Needed { files, others } = &used.files else {
        return Ok(HandedOut { files: (0..lake.files.len() as u32).collect(), portion: Portion::All, lake });
    };
    let Some(others) = others else {
        return Ok(HandedOut { files: files.clone(), portion: Portion::Needed, lake });
    };
    let wanted = Eval::new(cell).evaluate_int(others)?;
    let there = lake.files.len().saturating_sub(files.len());
    let count = usize::try_from(wanted).ok().filter(|count| *count <= there);
    let Some(count) = count else { return fail_shortage(&lake.name, there, wanted) };
    let mut all = files.clone();
    all.extend(pick_by_hash(cell, &lake, files, count));
    all.sort_unstable();
    Ok(HandedOut { files: all, portion: Portion::NeededAnd(count as u32), lake })
}

fn fail_shortage<T>(lake: &str, there: usize, wanted: i64) -> Res<T> {
    let (message, help) = if wanted < 0 {
        (format!("lake `{lake}` cannot add {wanted} other files"), "let the number be 0 or more")
    } else {
        let s = if there == 1 { "" } else { "s" };
        (format!("lake `{lake}` has only {there} other file{s}, but {wanted} are taken"), "take fewer")
    };
    fail_with_help(FailureKind::ExhaustedDomain, message, help)
}

/// Chooses the files with the smallest keyed hash, without those in `needed`. A larger number includes the files of a smaller one, and a new file
/// never replaces more than one.
fn pick_by_hash(cell: &InstanceDraft<'_>, lake: &Lake, needed: &[u32], count: usize) -> Vec<u32> {
    if count == 0 {
        return Vec::new();
    }
    let key = cell.keys.derive_lake_key(&lake.name);
    let mut others: Vec<([u8; 32], u32)> = (0u32..)
        .zip(&lake.files)
        .filter(|(at, _)| needed.binary_search(at).is_err())
        .map(|(at, file)| (*blake3::keyed_hash(&key, file.path.as_bytes()).as_bytes(), at))
        .collect();
    others.sort_unstable();
    others.into_iter().take(count).map(|(_, at)| at).collect()
}
