//! `other_change` of files: an edit changes a key that the prompt does not name, next to one that it does. A heuristic.

use model::suite::PathQuery;

use super::prompt_content::{Telling, Way, has_word};
use super::unasked_edit::find_edited_relation;
use crate::context::TaskCx;
use names::words::split_words;
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
    let names = relation.iter_own_columns().map(|(_, column)| column.name.as_str());
    let is_named = |name: &&str| way.tellings.iter().all(|telling| telling.prompt.contains(&format!("`{name}`")));
    let mut others = names.filter(|name| *name != key && !is_edited(name)).filter(is_named);
    let (other, None) = (others.next()?, others.next()) else { return None };
    let telling = way.tellings.first()?;
    let message = format!("the edit changes `{key}`, but the prompt only names `{other}`");
    Some(
        Diagnostic::new(Code::OTHER_CHANGE, message, path.span, "not named in the prompt")
            .label(telling.span, format!("names `{other}`"))
            .note("this is judged by the words of the prompt, which can be wrong")
            .help(format!("change `{other}` in the path, or name `{key}` in the prompt")),
    )
}

/// Reads the last key of a path such as `$.server.port`.
fn read_last_key(path: &str) -> Option<&str> {
    let (_, key) = path.rsplit_once('.')?;
    let is_plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    is_plain.then_some(key)
}
