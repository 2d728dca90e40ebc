//! `unmentioned_output`: a file or folder is expected that the prompt does not ask for.

use super::paths::{Part, Template, as_constant, format_parts, list_expected_paths};
use super::prompt_content::{Telling, Way, has_delimited_part, has_word};
use super::unmentioned_file::is_name_told;
use crate::context::TaskCx;
use hir::Expr;
use names as suggest;
use names::prose::{DRAWN, Mention, find_mentions};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

pub(super) fn report_unmentioned_outputs<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let mut known: Vec<model::Span> = Vec::new();
    for way in ways {
        for expect in &way.asked.expects {
            for path in list_expected_paths(cx.task, expect) {
                let template = Template::from_expr(cx.task, &path);
                if template.components.is_empty()
                    || known.contains(&path.span) && as_constant(template.last_component()).is_none()
                {
                    continue;
                }
                let untold = way.tellings.iter().find_map(|telling| {
                    if !is_output_mentioned(cx.task, telling, &template) {
                        return Some((telling, None));
                    }
                    find_other_path(cx, way, telling, &template).map(|near| (telling, Some(near)))
                });
                let Some((telling, near)) = untold else { continue };
                let new = build_diagnostic(cx, way, telling, &path, &template, ways, near);
                if !said.iter().any(|before| before.code == new.code && before.message == new.message) {
                    known.push(path.span);
                    said.push(new);
                }
            }
        }
    }
}

fn build_diagnostic(
    cx: &TaskCx<'_>,
    way: &Way<'_>,
    telling: &Telling,
    path: &Expr,
    template: &Template,
    ways: &[Way<'_>],
    other: Option<String>,
) -> Diagnostic {
    let what = if template.folder { "folder" } else { "file" };
    let name = match other {
        Some(_) => template.format_path(cx.task),
        None => format_parts(cx.task, template.last_component()),
    };
    let prompt = match way.asked.describe_variant() {
        Some(whose) if ways.len() > 1 => format!("the prompt of {whose}"),
        _ if way.tellings.len() > 1 => "one wording of the prompt".to_owned(),
        _ => "the prompt".to_owned(),
    };
    let near = match other {
        Some(other) => Some(other),
        None if template.folder => None,
        None => find_nearest_file(cx.task, way, telling, &name),
    };
    let mut diagnostic = match &near {
        Some(near) => Diagnostic::new(
            Code::UNMENTIONED_OUTPUT,
            format!("{prompt} says `{near}`, but `expect` reads `{name}`"),
            path.span,
            format!("not `{near}`"),
        )
        .help("name the same file in both"),
        None => Diagnostic::new(
            Code::UNMENTIONED_OUTPUT,
            format!("{what} `{name}` is expected, but {prompt} does not mention it"),
            path.span,
            "the agent cannot guess this",
        )
        .help(format!("add its path to the prompt: <<sandbox>>/{}", template.format_path(cx.task))),
    }
    .label(telling.span, if near.is_some() { "different name here" } else { "not mentioned here" });
    if let Some(near) = near
        && template.components.iter().all(|component| as_constant(component).is_some())
        && cx.sources.text(path.span) == format!("\"{name}\"")
    {
        diagnostic = diagnostic.fix(
            format!("read `{near}` in the key"),
            Applicability::Unsafe,
            path.span,
            format!("\"{near}\""),
        );
    }
    diagnostic
}

/// Finds another path with the same name in the prompt, in other folders. Returns it as written.
fn find_other_path(cx: &TaskCx<'_>, way: &Way<'_>, telling: &Telling, template: &Template) -> Option<String> {
    let task = cx.task;
    let (last, folders) = template.components.split_last()?;
    if telling.opaque || is_given(task, telling, template) {
        return None;
    }
    let untold = folders.iter().any(|folder| !is_folder_mentioned(task, telling, folder));
    let name = as_constant(last);
    if untold {
        return Some(name.map_or_else(|| format_parts(task, last), str::to_owned));
    }
    // A path in a lake, or one of many files, can be one that the agent reads.
    let hands_out = way.asked.variant.map_or(&task.lakes, |variant| &variant.lakes);
    if template.folder || !hands_out.is_empty() || task.files.iter().any(|file| file.split) {
        return None;
    }
    let others: Vec<String> = list_known_paths(task, way).iter().map(|path| path.format_path(task)).collect();
    let folders: Vec<Option<&str>> = folders.iter().map(|folder| as_constant(folder)).collect();
    let found = find_mentions(&telling.text, name?);
    let differs =
        |mention: &Mention<'_>| mention.is_other_path(&folders) && !others.iter().any(|path| path == mention.path);
    found.iter().all(differs).then(|| found.first().map(|mention| mention.path.to_owned()))?
}

/// Lists the paths of all files that the task has or expects.
fn list_known_paths(task: &hir::Task, way: &Way<'_>) -> Vec<Template> {
    let expected = way.asked.expects.iter().flat_map(|expect| list_expected_paths(task, expect));
    let given = task.files.iter().map(|file| Template::from_expr(task, &file.path));
    given.chain(expected.map(|path| Template::from_expr(task, &path))).collect()
}

/// Checks whether the content mentions a folder of a path: by its name, ignoring letter case (which is compared where it precedes a file name), or by
/// its parts.
fn is_folder_mentioned(task: &hir::Task, telling: &Telling, folder: &[Part]) -> bool {
    match as_constant(folder) {
        Some(name) => has_word(&telling.lower_text, &name.to_lowercase()) || is_counted(&telling.text, name),
        None => has_mentioned_parts(task, telling, folder),
    }
}

/// Finds the file in the prompt that is probably meant: one with a similar name, or the only one of its kind.
fn find_nearest_file(task: &hir::Task, way: &Way<'_>, telling: &Telling, name: &str) -> Option<String> {
    let taken: Vec<String> =
        list_known_paths(task, way).iter().map(|template| format_parts(task, template.last_component())).collect();
    let mut words: Vec<&str> = telling.find_file_words();
    words.retain(|word| !taken.iter().any(|taken| taken == word));
    words.sort_unstable();
    words.dedup();
    if let Some(near) = suggest::find_closest(name, words.iter().copied()) {
        return Some(near);
    }
    let extension = name.rsplit_once('.')?.1;
    words.retain(|word| word.rsplit_once('.').is_some_and(|(_, other)| other == extension));
    match words.as_slice() {
        [only] => Some((*only).to_owned()),
        _ => None,
    }
}

fn is_output_mentioned(task: &hir::Task, telling: &Telling, template: &Template) -> bool {
    if telling.opaque || is_given(task, telling, template) {
        return true;
    }
    match as_constant(template.last_component()) {
        Some(name) => is_file_name_mentioned(telling, name),
        None => has_mentioned_parts(task, telling, template.last_component()),
    }
}

/// Checks whether the path belongs to a file whose path or content the prompt contains.
fn is_given(task: &hir::Task, telling: &Telling, template: &Template) -> bool {
    let of_file = |file: &hir::File| Template::from_expr(task, &file.path).is_same_file(template);
    telling.files.iter().any(|file| task.files.get(*file).is_some_and(of_file))
}

fn has_mentioned_parts(task: &hir::Task, telling: &Telling, parts: &[Part]) -> bool {
    parts.iter().all(|part| match part {
        Part::Text(text) => telling.text.contains(text.as_str()),
        Part::Name(id) => {
            let name = task.names.get(*id).map(|name| name.name.to_lowercase());
            // "under the name of its MRN"
            is_name_told(task, telling, *id) || name.is_some_and(|name| has_word(&telling.lower_text, &name))
        }
        Part::Other => true,
    })
}

/// Checks whether the text enumerates such names: "step1 to step9".
fn is_counted(text: &str, name: &str) -> bool {
    let plain = |text: &str| -> String {
        let mut out = String::new();
        for c in text.chars() {
            match c.is_ascii_digit() {
                true if out.ends_with('#') => {}
                true => out.push('#'),
                false => out.push(c),
            }
        }
        out
    };
    let counted = plain(name);
    counted.contains('#') && has_word(&plain(text), &counted)
}

/// Checks whether the prompt mentions a file with this name.
fn is_file_name_mentioned(telling: &Telling, name: &str) -> bool {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | DRAWN);
    if has_delimited_part(&telling.text, name, inner, inner) {
        return true;
    }
    // "step1.txt to step9.txt"
    if is_counted(&telling.prompt, name) {
        return true;
    }
    // "a JSON file named `report`"
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let quoted = ["`", "'", "\""].iter().any(|quote| telling.text.contains(&format!("{quote}{stem}{quote}")));
    let text = &telling.lower_text;
    let kinds = match extension {
        "txt" => "text",
        "md" => "markdown",
        "yml" => "yaml",
        "py" => "python",
        other => other,
    };
    let kind = has_word(text, kinds) || has_word(text, extension);
    kind && (quoted || ["named", "called"].iter().any(|word| telling.text.contains(&format!("{word} {stem}"))))
}
