//! `other_column` for tables: the prompt names one table or sheet of a file, and the key reads another one.

use super::super::dependence::flow::{Flow, Followed};
use super::answers::Leaf;
use super::wording::Wording;
use crate::context::report_once;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::rows::{EXCLUDING, TABLES};

/// Compares the only table of a file that a wording names with those that the answers read.
pub(super) fn report_other_tables<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let Some(leaf) = leaves.first() else { return };
    let task = wording.cx.task;
    if wording.telling.opaque || !task.files.iter().any(|file| file.content.relations().len() > 1) {
        return;
    }
    let mut flow = Flow::new(task, Followed::All);
    leaves.iter().for_each(|leaf| flow.add_expr(leaf.value));
    for file in &task.files {
        let tables = file.content.relations().iter().filter_map(|id| Some((*id, task.relations.get(*id)?)));
        let (read, unread): (Vec<_>, Vec<_>) = tables.partition(|(id, _)| flow.relations.contains(id));
        let is_word = |table: &str| wording.text.tokens.iter().any(|token| token.text.eq_ignore_ascii_case(table));
        if read.is_empty() || read.iter().any(|(_, own)| is_word(&own.table)) {
            continue;
        }
        let mut named = unread.iter().filter_map(|(_, own)| Some((own, find_named(wording, &own.table)?)));
        let (Some((other, at)), None) = (named.next(), named.next()) else { continue };
        let own: Vec<String> = read.iter().map(|(_, own)| format!("`{}`", own.table)).collect();
        let message = format!("the prompt names the table `{}`, but the key reads {}", other.table, own.join(" and "));
        let new = Diagnostic::new(Code::OTHER_COLUMN, message, leaf.value.span, "read from another table")
            .label(wording.locate(at, at + 1), "asked here")
            .help("read the table that the prompt names, or name the other one in the prompt");
        report_once(new, said);
        return;
    }
}

/// Finds a name in quotes or next to a word for a table, in a sentence that leaves nothing out.
fn find_named(wording: &Wording<'_, '_>, table: &str) -> Option<usize> {
    let tokens = &wording.text.tokens;
    let is_near = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        before.into_iter().chain(tokens.get(at + 1)).any(|token| token.is_any(TABLES))
    };
    let at = tokens.iter().position(|token| token.text == table)?;
    let token = tokens.get(at)?;
    let mut sentence = tokens.iter().filter(|other| other.sentence == token.sentence);
    let leaves_out = sentence.any(|other| {
        other.is_any(wording.language.negations) || EXCLUDING.iter().any(|word| other.lower.starts_with(word))
    });
    (is_near(at) && !leaves_out).then_some(at)
}
