//! Assembles an instance: accepted attempt, variant, prompt, files, and answers.

use std::rc::Rc;
use std::sync::Arc;

use model::Value;
use model::asked::AskedRow;
use model::suite::{Calls, NameSource, STEPS, Task, Variant};

use super::Generator;
use super::cell::InstanceDraft;
use super::extras;
use super::failures::{OrSpan, Res, fail, fail_computation};
use super::figures::answer_inquiry;
use super::functions::collect_descriptions;
use super::inquiry::Findings;
use super::instance::{Address, Instance, SandboxFile};
use super::kept_databases::note_kept_databases;
use super::lakes;
use super::making::Making;
use super::paths::{NodeKind, Tree};
use super::prompt::render_prompt;
use super::stages;
use super::task::ReadyTask;
use super::traps::AnswerKeys;
use crate::failure::{At, FailureKind};

/// Makes the instance at an address of the task.
pub(crate) fn generate_instance(
    generator: &Generator<'_>,
    ready: &ReadyTask<'_>,
    address: Address,
    making: Making<'_>,
) -> Res<Instance> {
    let task = ready.task;
    let known = address.cell < task.count_cells()
        && address.sample < ready.samples
        && (address.variant as usize) < task.variants.len().max(1);
    if !known {
        return fail(FailureKind::Usage, format!("task `{}` has no such instance", task.name));
    }
    let variant = task.variants.get(address.variant as usize);
    let stage = task.find_asked_stage(address.variant);
    let mut at = At {
        task: task.name.clone(),
        sample: address.sample + 1,
        cell: find_cell_label(task, address.cell),
        variant: variant.filter(|_| stage.is_none()).map(|variant| variant.name.clone()),
        stage: stage.map(|stage| stage.way.name.clone()),
        attempt: 0,
        seed: generator.options.seed.clone(),
    };
    let made = assemble_instance(generator, ready, (address, making), variant, |cell, attempt| {
        at.attempt = attempt;
        if cell != address.cell {
            (at.variant, at.stage) = (None, None);
        }
        at.cell = find_cell_label(task, cell);
    });
    made.map_err(|mut failure| {
        failure.at.get_or_insert(at);
        failure
    })
}

fn assemble_instance(
    generator: &Generator<'_>,
    ready: &ReadyTask<'_>,
    (address, making): (Address, Making<'_>),
    variant: Option<&Variant>,
    at_attempt: impl FnMut(u32, u32),
) -> Res<Instance> {
    let task = ready.task;
    let (mut cell, attempt) =
        ready.make_accepted_cell(&generator.samplers, &generator.options.sandbox_root, address, making, at_attempt)?;

    // Paths first, because noise files must not have a path that the task or a variant names.
    let mut tree = Tree::default();
    ready.lakes.iter().for_each(|lake| tree.reserve_files(Arc::clone(lake)));
    for (file, declared) in cell.files.iter().zip(&task.files) {
        if let Some(file) = file {
            file.paths().try_for_each(|path| tree.add_path(path, NodeKind::File)).or_span(declared.span)?;
        }
    }
    if stages::has_steps(task) {
        tree.add_path(STEPS, NodeKind::File).or_span(task.span)?;
    }
    let extras = extras::place_extras(&mut cell, &mut tree)?;

    if let Some(variant) = variant {
        for name in &variant.steps {
            cell.make_name(*name)?;
        }
    }
    let lakes = lakes::choose_lake_files(&cell, &generator.plan.lakes, variant)?;
    let asked = stages::build_stage_prompt(&mut cell, address.variant)?;
    let (mut prompt, wording) = render_prompt(&cell, variant)?;
    prompt.push_str(&asked.prompt);
    let expects = variant.map_or(&task.expects, |variant| &variant.expects);
    let all = expects.iter().chain(stages::list_scored_stages(task).flat_map(|stage| &stage.way.expects));
    let keys = AnswerKeys::new(&cell, all, (generator.options.traps && making.traps, making.judging.is_some()))?;
    let dirt = keys.list_names(task, expects);
    let described = collect_descriptions(&cell, &prompt, expects)?;
    let asked_for = expects;
    let mut expects = asked_for.iter().map(|expect| keys.compute_key(&cell, expect)).collect::<Res<Vec<_>>>()?;
    let dropped = match making.judging {
        Some(_) => asked_for.iter().zip(&expects).map(|own| keys.compute_dropped(&cell, own, &expects)).collect(),
        None => Vec::new(),
    };
    let findings = making.judging.map_or_else(Findings::default, |inquiry| answer_inquiry(&cell, inquiry));
    let stages = stages::build_stage_keys(&cell, &keys, (asked_for, &mut expects))?;

    let label = find_cell_label(task, address.cell);
    let part = |label: Option<&str>| label.map_or(String::new(), |label| format!("-{label}"));
    let (name, sample, label) = (&task.name, address.sample + 1, part(label.as_deref()));
    let axis = task.find_axis_positions(address.cell);
    let axis = task.axes.iter().zip(axis).filter_map(|(axis, at)| {
        let value = cell.names.get(axis.slot)?.clone();
        Some((axis.name.clone(), axis.cells.get(at)?.0.clone(), value))
    });
    let of_row = task.each.iter().flat_map(|each| &each.tags).filter_map(|slot| cell.names.get(*slot));
    let row_tags: Vec<String> =
        of_row.filter(|cell| !cell.is_null()).map(|cell| cell.render_text().into_owned()).collect();
    let of_variant = variant.map(|variant| &variant.tags).into_iter().flatten();
    let mut tags = task.tags.clone();
    // A cell may repeat a tag of the task.
    tags.extend(row_tags.into_iter().filter(|tag| !task.tags.contains(tag)));
    tags.extend(of_variant.cloned());
    let drawn = task.names.iter().zip(&cell.names).filter(|(name, _)| matches!(name.source, NameSource::Draw { .. }));
    let means = variant.map_or(&task.means, |variant| &variant.means);
    let calls = match means.calls {
        Some(Calls::Fixed(calls)) => Some(calls),
        Some(Calls::Axis(name)) => cell.names.get(name).and_then(to_call_count),
        None => None,
    };
    let mut instance = Instance {
        id: format!("{name}{label}{}-{sample}", part(variant.map(|variant| variant.name.as_str()))),
        files_id: format!("{name}{label}-{sample}"),
        task: name.clone(),
        variant: variant.filter(|_| asked.stage.is_none()).map(|variant| variant.name.clone()),
        stage: asked.stage,
        stages,
        each: task.each.as_ref().and_then(|each| {
            let row = each.rows.get(task.find_row_index(address.cell) as usize)?;
            Some(AskedRow { name: each.name.clone(), key: row.key.clone(), by: row.by.clone() })
        }),
        axis: axis.collect(),
        sample,
        attempt,
        draws: drawn.map(|(name, value)| (name.name.clone(), value.clone())).collect(),
        wording,
        prompt,
        lakes,
        folders: extras.folders,
        expects,
        dirt,
        dropped,
        findings,
        described,
        tags,
        tools: means.tools.clone(),
        calls,
        // Last, because it consumes the databases.
        files: Arc::new(collect_sandbox_files(cell, extras.files)?),
    };
    note_kept_databases(&mut instance);
    Ok(instance)
}

/// Converts the value of an axis to a number of calls, as the checker has verified.
fn to_call_count(value: &Value) -> Option<u32> {
    if let Value::Int(number) = value { u32::try_from(*number).ok() } else { None }
}

fn collect_sandbox_files(cell: InstanceDraft<'_>, extras: Vec<SandboxFile>) -> Res<Vec<SandboxFile>> {
    let mut files = Vec::with_capacity(cell.files.len() + extras.len());
    for file in cell.files.into_iter().flatten() {
        let Some(file) = Rc::into_inner(file) else { return fail_computation("a file is still in use") };
        files.extend(file.into_files()?);
    }
    files.extend(extras);
    Ok(files)
}

/// Returns the label of a cell, if it has one.
fn find_cell_label(task: &Task, cell: u32) -> Option<String> {
    Some(task.build_cell_label(cell)).filter(|label| !label.is_empty())
}
