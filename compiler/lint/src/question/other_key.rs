//! `other_change`: an edit changes a key, or a statement a table, that the prompt does not name, next to one that it does. Heuristics.

use model::suite::PathQuery;

use super::edited_places::find_edited_relation;
use super::prompt_content::{Telling, Way, has_word};
use crate::context::{TaskCx, judge_by_words};
use crate::goals::{Goal, Step};
use names::words::{split_words, to_singular};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports `edit(conf, "$.admin_port", port)` where every wording has `port` in backticks, and no word of `admin_port`.
pub(super) fn check_key(cx: &TaskCx<'_>, way: &Way<'_>, edited: &[&str], path: &PathQuery) -> Option<Diagnostic> {
    let key = read_last_key(&path.text)?;
    let relation = cx.task.relations.get(find_edited_relation(cx.task, path.span)?)?;
    let is_told = |telling: &Telling| {
        let told = |word: &String| has_word(&telling.lower_prompt, word);
        has_word(&telling.lower_prompt, &key.to_lowercase()) || split_words(key).iter().all(told)
    };
    if way.tellings.iter().any(is_told) {
        return None;
    }
    let is_edited = |name: &str| edited.iter().any(|path| read_last_key(path) == Some(name));
    let names = relation.iter_own_columns().map(|(_, column)| column.name.rsplit('.').next().unwrap_or(&column.name));
    let is_named = |name: &&str| way.tellings.iter().all(|telling| telling.prompt.contains(&format!("`{name}`")));
    let mut others = names.filter(|name| *name != key && !is_edited(name)).filter(is_named);
    let (other, None) = (others.next()?, others.next()) else { return None };
    let telling = way.tellings.first()?;
    let message = format!("the edit changes `{key}`, but the prompt only names `{other}`");
    Some(
        judge_by_words(Code::OTHER_CHANGE, message, path.span, "not named in the prompt")
            .label(telling.span, format!("names `{other}`"))
            .help(format!("change `{other}` in the path, or name `{key}` in the prompt")),
    )
}

/// Reads the last key of a path such as `$.server.port`.
fn read_last_key(path: &str) -> Option<&str> {
    let (_, key) = path.rsplit_once('.')?;
    let is_plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    is_plain.then_some(key)
}

/// Reports `DELETE FROM posts` where every wording has `drafts` in backticks, and nothing of `posts`.
pub(super) fn check_table(cx: &TaskCx<'_>, way: &Way<'_>, goal: &Goal<'_>, step: &Step<'_>) -> Option<Diagnostic> {
    let own = cx.task.relations.get(step.relation)?;
    // The prompt can speak of the rows by one of their columns.
    let is_told = |telling: &Telling| {
        let word = to_singular(&own.table.to_lowercase());
        let mut columns = own.iter_written_columns().filter(|(_, column)| !is_common(cx, step, &column.name));
        telling.lower_prompt.contains(&word) || columns.any(|(_, column)| has_word(&telling.prompt, &column.name))
    };
    if goal.steps.len() > 1 || way.tellings.iter().any(is_told) {
        return None;
    }
    // A table that the statement only reads, or that is known by another name, is another matter.
    let is_read = |table: &str| sql::lex::tokenize_sql(&step.sql.text).iter().any(|token| token.is_named(table));
    let tables = cx.task.relations.iter().filter(|other| other.file == own.file && other.table != own.table);
    let is_named = |table: &&str| way.tellings.iter().all(|telling| telling.prompt.contains(&format!("`{table}`")));
    let mut named = tables.map(|other| other.table.as_str()).filter(|table| !is_read(table)).filter(is_named);
    let (other, None) = (named.next()?, named.next()) else { return None };
    let telling = way.tellings.first()?;
    let message = format!("the goal changes `{}`, but the prompt only names `{other}`", own.table);
    Some(
        judge_by_words(Code::OTHER_CHANGE, message, step.span(), "not named in the prompt")
            .label(telling.span, format!("names `{other}`"))
            .help(format!("change `{other}` in the statement, or name `{}` in the prompt", own.table)),
    )
}

/// Whether another table of the same file has a column of this name.
fn is_common(cx: &TaskCx<'_>, step: &Step<'_>, name: &str) -> bool {
    let own = cx.task.relations.get(step.relation);
    let others = cx
        .task
        .relations
        .iter()
        .filter(|other| own.is_some_and(|own| other.file == own.file && other.table != own.table));
    others.flat_map(|other| other.iter_written_columns()).any(|(_, column)| column.name == name)
}
