//! `misspelt_in_prompt` for files: a name of a file in the prompt is that of a file of the task except for one letter.

use std::collections::BTreeSet;

use names::detect_slip;

use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{Expr, ExprKind};
use model::Value;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports file names of a wording that no file has.
pub(super) fn report_misspelt_paths(wording: &Wording<'_, '_>, said: &mut Vec<Diagnostic>) {
    let prompt = &wording.telling.prompt;
    let told: BTreeSet<&str> =
        prompt.split(|c: char| c.is_whitespace() || "`'\"()".contains(c)).filter_map(read_name).collect();
    if told.is_empty() {
        return;
    }
    let known = list_known_names(wording.cx);
    for name in told.iter().filter(|name| !known.contains(**name)) {
        let files = wording.cx.task.files.iter_enumerated().filter(|(id, _)| !wording.telling.files.contains(id));
        let paths = files.filter_map(|(_, file)| Some((file, file.path.as_constant()?.as_text()?)));
        let mut near = paths
            .filter_map(|(file, path)| Some((file, read_name(path)?)))
            .filter(|(_, own)| !told.contains(own) && detect_slip(&name.to_lowercase(), &own.to_lowercase()).is_some());
        let (Some((file, own)), None) = (near.next(), near.next()) else { continue };
        let message = format!("the prompt says `{name}`, but the file is `{own}`");
        let place = wording.locate_text(name);
        let new = Diagnostic::new(Code::MISSPELT_IN_PROMPT, message, place, "no file has this name")
            .label(file.path.span, "the file")
            .help(format!("write `<<{}>>`, which is the path of the file", file.name));
        report_once(new, said);
    }
}

/// The last part of a path, if it is the name of a file: "data/orders.csv".
fn read_name(word: &str) -> Option<&str> {
    let bare = word.trim_end_matches(['.', ',', ';', ':', '?', '!']);
    let name = bare.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    let is_ending = (2..=5).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric);
    (is_ending && stem.chars().filter(|c| c.is_alphabetic()).count() >= 3).then_some(name)
}

/// The names of files in all texts of the task besides its prompts.
fn list_known_names<'a>(cx: &TaskCx<'a>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut add = |expr: &'a Expr| {
        expr.visit_through_names(cx.task, &mut |part| {
            if let ExprKind::Const(Value::Text(text)) = &part.kind {
                found.extend(text.split_whitespace().filter_map(read_name));
            }
        });
    };
    cx.task.files.iter().for_each(|file| file.visit_exprs(&mut |_, expr, _| add(expr)));
    cx.task.extras.iter().for_each(|extra| extra.visit_exprs(&mut |_, expr, _| add(expr)));
    cx.task.iter_expects().for_each(|expect| expect.visit_exprs(&mut add));
    found
}
