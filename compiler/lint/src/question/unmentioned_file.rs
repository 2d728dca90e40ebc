//! `unmentioned_file`: the answer is read from a file that the prompt does not mention.

use std::collections::BTreeSet;
use syntax::prompts::english::lints::ALL_FILES;

use model::Span;
use model::suite::{FileId, NameId};

use super::paths::{Part, Template, as_constant};
use super::prompt_content::{Telling, Way, has_any_word, has_word};
use super::reads::{collect_read_files, find_reading_part};
use crate::context::TaskCx;
use hir::ExprKind;
use names::prose::{DRAWN, SANDBOX};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_unmentioned_files<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let mut known: Vec<FileId> = Vec::new();
    let mut known_lakes = BTreeSet::new();
    for way in ways {
        report_unmentioned_lakes(cx, way, &mut known_lakes, said);
        // An `allow` in one variant must not silence another variant.
        let alone = way.asked.variant.is_some_and(|variant| !variant.notes.allows.is_empty());
        let mut own: Vec<FileId> = Vec::new();
        for telling in &way.tellings {
            let hidden = collect_rendered_names(telling);
            for expect in &way.asked.expects {
                let mut files: BTreeSet<FileId> =
                    expect.database.into_iter().chain(expect.content_file().copied()).collect();
                if let Some(value) = expect.answer_expr() {
                    files.extend(collect_read_files(cx.task, value, &hidden));
                }
                for file in files {
                    let new = !own.contains(&file) && (alone || !known.contains(&file));
                    if new && !is_file_mentioned(cx.task, telling, file) {
                        own.push(file);
                        let Some(made) = cx.task.files.get(file) else { continue };
                        let read = expect
                            .answer_expr()
                            .map_or(expect.span, |value| find_reading_part(cx.task, value, file, &hidden).span);
                        said.push(build_diagnostic(made, read, telling, way));
                    }
                }
            }
        }
        if !alone {
            known.extend(own);
        }
    }
}

/// Reports each lake that a wording does not mention, once per task.
fn report_unmentioned_lakes(cx: &TaskCx<'_>, way: &Way<'_>, known: &mut BTreeSet<Span>, said: &mut Vec<Diagnostic>) {
    for lake in way.asked.variant.map_or(&cx.task.lakes, |variant| &variant.lakes) {
        let Some(declared) = cx.lakes.get(lake.lake) else { continue };
        let tells = |telling: &&Telling| {
            let prompt = telling.prompt.to_lowercase();
            telling.opaque
                || telling.prompt.contains(&declared.at)
                || has_word(&prompt, &declared.name.to_lowercase())
                || has_any_word(&prompt, ALL_FILES)
                || is_root_named(&telling.prompt)
        };
        let Some(telling) = way.tellings.iter().find(|telling| !tells(telling)) else { continue };
        if !known.insert(lake.span) {
            continue;
        }
        let name = &declared.name;
        let message = format!("{} does not mention lake `{name}`", describe_prompt(way));
        let diagnostic = Diagnostic::new(Code::UNMENTIONED_FILE, message, lake.span, "handed out here")
            .label(telling.span, "not mentioned here")
            .help(format!("add <<{name}>> to the prompt"));
        said.push(diagnostic);
    }
}

/// Describes the prompt of a way of asking.
pub(super) fn describe_prompt(way: &Way<'_>) -> String {
    match (way.asked.describe_variant(), way.tellings.len()) {
        (Some(whose), 1) => format!("the prompt of {whose}"),
        (None, 1) => "the prompt".to_owned(),
        _ => "one wording of the prompt".to_owned(),
    }
}

fn build_diagnostic(file: &hir::File, read: Span, telling: &Telling, way: &Way<'_>) -> Diagnostic {
    let name = &file.name;
    let prompt = describe_prompt(way);
    Diagnostic::new(
        Code::UNMENTIONED_FILE,
        format!("{prompt} does not mention `{name}`, which the answer needs"),
        read,
        format!("reads `{name}`"),
    )
    .label(file.span, "generated here")
    .with_labels((way.tellings.len() > 1).then_some((telling.span, "this wording does not")))
    .help(match file.split {
        true => "name their folder in the prompt: <<sandbox>>/…".to_owned(),
        false => format!("add <<{name}>> to the prompt"),
    })
}

/// Collects names whose values the prompt contains: the files from which they are computed need not be opened.
pub(super) fn collect_rendered_names(telling: &Telling) -> BTreeSet<NameId> {
    telling
        .rendered
        .iter()
        .filter_map(|piece| if let ExprKind::Name(id) = piece.kind { Some(id) } else { None })
        .collect()
}

fn is_file_mentioned(task: &hir::Task, telling: &Telling, file: FileId) -> bool {
    let Some(made) = task.files.get(file) else { return true };
    if telling.opaque || telling.files.contains(&file) {
        return true;
    }
    let prompt = telling.prompt.to_lowercase();
    if has_any_word(&prompt, ALL_FILES) || is_root_named(&telling.prompt) {
        return true;
    }
    let path = Template::from_expr(task, &made.path);
    let (Some(last), folders) = (path.components.last(), path.components.len().saturating_sub(1)) else { return true };
    // If the declaration has many files, only the folders that are the same for all of them count.
    let fixed = |parts: &&Vec<Part>| !made.split || !parts.contains(&Part::Other);
    let mut folders = path.components.iter().take(folders).take_while(fixed);
    folders.any(|folder| is_component_mentioned(task, telling, folder))
        || !made.split && is_component_mentioned(task, telling, &strip_extension(last))
}

/// Returns the parts of a file name without its extension.
fn strip_extension(parts: &[Part]) -> Vec<Part> {
    let mut parts = parts.to_vec();
    if let Some(Part::Text(text)) = parts.last_mut()
        && let Some((stem, _)) = text.rsplit_once('.')
    {
        *text = stem.to_owned();
    }
    parts.retain(|part| *part != Part::Text(String::new()));
    parts
}

/// Checks whether the content mentions every part of a file's or folder's name, ignoring letter case.
fn is_component_mentioned(task: &hir::Task, telling: &Telling, parts: &[Part]) -> bool {
    if let Some(text) = as_constant(parts) {
        return has_word(&telling.text.to_lowercase(), &text.to_lowercase());
    }
    parts.iter().all(|part| match part {
        Part::Text(_) | Part::Other => true,
        Part::Name(id) => is_name_told(task, telling, *id),
    })
}

/// Checks whether the prompt contains the value of a name, or all names from which it is computed.
pub(super) fn is_name_told(task: &hir::Task, telling: &Telling, id: NameId) -> bool {
    if telling.names.contains(&id) {
        return true;
    }
    let Some(source) = task.find_computed(id) else { return task.names.get(id).is_none() };
    let mut told = true;
    source.visit_names(&mut |inner| told &= telling.names.contains(&inner));
    told
}

/// Checks whether the prompt mentions the root of the sandbox itself, not as the beginning of a path.
fn is_root_named(prompt: &str) -> bool {
    prompt.match_indices(SANDBOX).any(|(at, root)| {
        let rest = prompt.get(at + root.len()..).unwrap_or("");
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | DRAWN))
    })
}
