//! `unmentioned_file`: the answer is read from a file that the prompt does not mention.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{FileId, NameId};

use super::paths::{Part, Template, constant};
use super::reads::{files_read, reading};
use super::told::{SANDBOX, Told, Way, has_word, source_of};
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, ExprKind, NameSource};
use crate::lint::TaskCx;

pub(super) fn check(cx: &TaskCx<'_>, ways: &[Way<'_>], said: &mut Vec<Diagnostic>) {
    let mut known: Vec<FileId> = Vec::new();
    let mut known_lakes = BTreeSet::new();
    for way in ways {
        lakes(cx, way, &mut known_lakes, said);
        // What a variant allows must not silence another.
        let alone = way.asked.variant.is_some_and(|variant| !variant.notes.allows.is_empty());
        let mut own: Vec<FileId> = Vec::new();
        for telling in &way.tellings {
            let hidden = rendered_names(telling);
            for expect in &way.asked.expects {
                let mut files: BTreeSet<FileId> =
                    expect.database.into_iter().chain(expect.content().copied()).collect();
                if let Some(value) = expect.expr() {
                    files.extend(files_read(cx.task, value, &hidden));
                }
                for file in files {
                    let new = !own.contains(&file) && (alone || !known.contains(&file));
                    if new && !tells(cx.task, telling, file) {
                        own.push(file);
                        let Some(made) = cx.task.files.get(file) else { continue };
                        let read =
                            expect.expr().map_or(expect.span, |value| reading(cx.task, value, file, &hidden).span);
                        said.push(unmentioned(made, read, telling, way));
                    }
                }
            }
        }
        if !alone {
            known.extend(own);
        }
    }
}

/// A lake that a wording does not mention, once a task.
fn lakes(cx: &TaskCx<'_>, way: &Way<'_>, known: &mut BTreeSet<Span>, said: &mut Vec<Diagnostic>) {
    for lake in way.asked.variant.map_or(&cx.task.lakes, |variant| &variant.lakes) {
        let Some(declared) = cx.lakes.get(lake.lake) else { continue };
        let tells = |telling: &&Told| {
            let prompt = telling.prompt.to_lowercase();
            telling.opaque
                || telling.prompt.contains(&declared.at)
                || has_word(&prompt, &declared.name.to_lowercase())
                || PLACES.iter().any(|place| has_word(&prompt, place))
                || names_root(&telling.prompt)
        };
        let Some(telling) = way.tellings.iter().find(|telling| !tells(telling)) else { continue };
        if !known.insert(lake.span) {
            continue;
        }
        let name = &declared.name;
        let message = format!("{} does not mention lake `{name}`", prompt_of(way));
        let diagnostic = Diagnostic::new(Code::UNMENTIONED_FILE, message, lake.span, "handed out here")
            .label(telling.span, "not mentioned here")
            .help(format!("add <<{name}>> to the prompt"));
        said.push(diagnostic);
    }
}

/// Which prompt a way has.
pub(super) fn prompt_of(way: &Way<'_>) -> String {
    match (way.asked.whose(), way.tellings.len()) {
        (Some(whose), 1) => format!("the prompt of {whose}"),
        (None, 1) => "the prompt".to_owned(),
        _ => "one wording of the prompt".to_owned(),
    }
}

fn unmentioned(file: &hir::File, read: Span, telling: &Told, way: &Way<'_>) -> Diagnostic {
    let name = &file.name;
    let prompt = prompt_of(way);
    let mut diagnostic = Diagnostic::new(
        Code::UNMENTIONED_FILE,
        format!("{prompt} does not mention `{name}`, which the answer needs"),
        read,
        format!("reads `{name}`"),
    )
    .label(file.span, "generated here")
    .help(match file.split {
        true => "name their folder in the prompt: <<sandbox>>/…".to_owned(),
        false => format!("add <<{name}>> to the prompt"),
    });
    if way.tellings.len() > 1 {
        diagnostic = diagnostic.label(telling.span, "this wording does not");
    }
    diagnostic
}

/// Names whose values the prompt gives: what they were computed from need not be opened.
pub(super) fn rendered_names(telling: &Told) -> BTreeSet<NameId> {
    telling
        .rendered
        .iter()
        .filter_map(|piece| if let ExprKind::Name(id) = piece.kind { Some(id) } else { None })
        .collect()
}

/// Words of a prompt that can refer to all files.
const PLACES: [&str; 14] = [
    "files",
    "folder",
    "folders",
    "directory",
    "directories",
    "sandbox",
    "workspace",
    "project",
    "repository",
    "repo",
    "tree",
    "attached",
    "attachment",
    "attachments",
];

fn tells(task: &hir::Task, telling: &Told, file: FileId) -> bool {
    let Some(made) = task.files.get(file) else { return true };
    if telling.opaque || telling.files.contains(&file) {
        return true;
    }
    let prompt = telling.prompt.to_lowercase();
    if PLACES.iter().any(|place| has_word(&prompt, place)) || names_root(&telling.prompt) {
        return true;
    }
    let path = Template::of(task, &made.path);
    let (Some(last), folders) = (path.components.last(), path.components.len().saturating_sub(1)) else { return true };
    // Of many files, the folders that are the same for all.
    let fixed = |parts: &&Vec<Part>| !made.split || !parts.contains(&Part::Other);
    if path.components.iter().take(folders).take_while(fixed).any(|folder| told_component(task, telling, folder)) {
        return true;
    }
    !made.split && told_component(task, telling, &stem(last))
}

/// The parts of a file name without its extension.
fn stem(parts: &[Part]) -> Vec<Part> {
    let mut parts = parts.to_vec();
    if let Some(Part::Text(text)) = parts.last_mut()
        && let Some((stem, _)) = text.rsplit_once('.')
    {
        *text = stem.to_owned();
    }
    parts.retain(|part| *part != Part::Text(String::new()));
    parts
}

/// Whether every part of a file's or folder's name is told, in any case.
fn told_component(task: &hir::Task, telling: &Told, parts: &[Part]) -> bool {
    if let Some(text) = constant(parts) {
        return has_word(&telling.text.to_lowercase(), &text.to_lowercase());
    }
    parts.iter().all(|part| match part {
        Part::Text(_) | Part::Other => true,
        Part::Name(id) => told_name(task, telling, *id),
    })
}

/// Whether the value of a name is told, or what it is made of.
pub(super) fn told_name(task: &hir::Task, telling: &Told, id: NameId) -> bool {
    if telling.names.contains(&id) {
        return true;
    }
    match source_of(task, id) {
        Some(NameSource::Compute(source)) => {
            let mut told = true;
            source.each_name(&mut |inner| told &= telling.names.contains(&inner));
            told
        }
        Some(NameSource::Draw { .. } | NameSource::Axis | NameSource::Row) => false,
        None => true,
    }
}

/// Whether the sandbox's root is named itself, not as the beginning of a path.
fn names_root(prompt: &str) -> bool {
    prompt.match_indices(SANDBOX).any(|(at, root)| {
        let rest = prompt.get(at + root.len()..).unwrap_or("");
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | super::told::DRAWN))
    })
}
