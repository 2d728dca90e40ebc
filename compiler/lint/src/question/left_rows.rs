//! `unasked_change`: the prompt says which rows to leave alone, and the goal changes some of them: `STATUS <> 'closed'` next to "leave the mitigated ones". A heuristic.

use model::Value;
use sql::ChangeKind;
use sql::lex::{Kind, Token};

use super::prompt_content::{Telling, Way, has_any_word, has_word};
use crate::context::{TaskCx, judge_by_words};
use crate::goals::Step;
use hir::types::TyKind;
use names::prose::DRAWN;
use names::words::{split_words, to_singular};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::changes::KEPT_ROWS;
use syntax::prompts::english::data::LEAVING;

/// Reports an UPDATE or DELETE of rows with a value that every wording says to leave.
pub(super) fn check_left_rows<'a>(cx: &TaskCx<'a>, step: &Step<'a>, way: &Way<'_>) -> Option<Diagnostic> {
    let change = &step.change;
    if change.kind == ChangeKind::Insert || change.is_complex {
        return None;
    }
    let relation = cx.task.relations.get(step.relation)?;
    let columns: Vec<(_, &hir::Column)> = relation.iter_written_columns().collect();
    let names: Vec<&str> = columns.iter().map(|(_, column)| column.name.as_str()).collect();
    for (id, column) in columns.iter().filter(|(_, column)| column.ty.kind == TyKind::Text) {
        let fact = cx.facts().lookup_column(step.relation, *id);
        let Some(values) = fact.closed.as_deref().filter(|values| values.len() > 1) else { continue };
        let Some(changed) = list_changed(step, &column.name, values) else { continue };
        let is_left = |value: &&String, telling: &Telling| {
            list_leaving_sentences(&telling.prompt).iter().any(|sentence| {
                has_word(sentence, &value.to_lowercase()) && !names_other_condition(sentence, &names, &column.name)
            })
        };
        let Some(value) = changed.iter().find(|value| way.tellings.iter().all(|telling| is_left(value, telling)))
        else {
            continue;
        };
        let verb = if change.kind == ChangeKind::Delete { "deletes" } else { "changes" };
        let message =
            format!("the goal {verb} rows whose `{}` is `{value}`, but the prompt says to leave them", column.name);
        let telling = way.tellings.first()?;
        return Some(
            judge_by_words(Code::UNASKED_CHANGE, message, step.span(), format!("also selects `{value}`"))
                .label(telling.span, format!("leaves `{value}`"))
                .help(format!("select only the rows that the prompt asks for: WHERE {} = …", column.name)),
        );
    }
    None
}

/// Lists the values of a column that the changed rows can have. `None` if the condition on it is not known, and for values that the statement sets anyway.
fn list_changed(step: &Step<'_>, column: &str, values: &[Value]) -> Option<Vec<String>> {
    let mut texts: Vec<String> = values.iter().filter_map(|value| value.as_text().map(str::to_owned)).collect();
    for part in step.change.conditions.iter().filter(|part| part.iter().any(|token| token.is_named(column))) {
        let (listed, is_in) = read_condition(part, column)?;
        texts.retain(|text| listed.contains(text) == is_in);
    }
    for (_, value) in step.change.sets.iter().filter(|(set, _)| set.eq_ignore_ascii_case(column)) {
        match value.as_slice() {
            [only] if only.kind == Kind::Text => texts.retain(|text| *text != only.to_unquoted()),
            _ => return None,
        }
    }
    Some(texts)
}

/// Reads `column <> 'a'` or `column IN ('a', 'b')`: the texts, and whether they are selected.
fn read_condition(part: &[Token<'_>], column: &str) -> Option<(Vec<String>, bool)> {
    let [name, rest @ ..] = part else { return None };
    if !name.is_named(column) {
        return None;
    }
    let read = |items: &[Token<'_>]| -> Option<Vec<String>> {
        let items = items.iter().filter(|token| !token.is_punct(","));
        items.map(|token| (token.kind == Kind::Text).then(|| token.to_unquoted())).collect()
    };
    match rest {
        [not, word, open, items @ .., close]
            if not.is_keyword("NOT") && word.is_keyword("IN") && open.is_punct("(") && close.is_punct(")") =>
        {
            Some((read(items)?, false))
        }
        [word, open, items @ .., close] if word.is_keyword("IN") && open.is_punct("(") && close.is_punct(")") => {
            Some((read(items)?, true))
        }
        [sign @ .., text] if text.kind == Kind::Text => {
            let sign: String = sign.iter().map(|token| token.text).collect();
            match sign.as_str() {
                "=" | "==" => Some((vec![text.to_unquoted()], true)),
                "<>" | "!=" => Some((vec![text.to_unquoted()], false)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Lists the sentences of a prompt that say what stays, in lower case.
fn list_leaving_sentences(prompt: &str) -> Vec<String> {
    // A line break within a sentence is a blank.
    let lower = prompt.to_lowercase().replace("\n\n", ".").replace('\n', " ");
    let sentences = lower.split(['.', ';', '!']).map(|sentence| sentence.trim().to_owned());
    sentences.filter(|sentence| LEAVING.iter().any(|word| sentence.starts_with(word))).collect()
}

/// The sentences of a prompt that do not say what stays, in lower case.
pub(super) fn join_other_sentences(prompt: &str) -> String {
    let lower = prompt.to_lowercase().replace("\n\n", ".").replace('\n', " ");
    let is_other = |sentence: &&str| !LEAVING.iter().any(|word| sentence.trim().starts_with(word));
    lower.split(['.', ';', '!']).filter(is_other).collect::<Vec<_>>().join(".")
}

/// Whether a sentence names another column or a drawn value: it can speak of other rows.
fn names_other_condition(sentence: &str, columns: &[&str], own: &str) -> bool {
    let words: Vec<String> =
        sentence.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(to_singular_word).collect();
    let is_named = |column: &str| {
        let column_words = split_words(column);
        !column_words.is_empty() && column_words.iter().all(|word| words.contains(&to_singular_word(word)))
    };
    sentence.contains(DRAWN) || columns.iter().filter(|column| **column != own).any(|column| is_named(column))
}

/// Finds a value of a column by which rows stay as they are: "those whose RENEWED is 2 stay as they are".
pub(super) fn find_kept_rows(prompt: &str, column: &str) -> Option<(String, String)> {
    let plain = prompt.replace(['`', '"', '\''], "").replace('\n', " ");
    plain.split(['.', ';', '?', '!']).filter(|sentence| has_any_word(sentence, KEPT_ROWS)).find_map(|sentence| {
        let words: Vec<&str> = sentence.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.windows(3).find_map(|three| match three {
            [name, "is" | "equals", value] if *name == column && value.parse::<f64>().is_ok() => {
                Some((format!("{column} is {value}"), (*value).to_owned()))
            }
            _ => None,
        })
    })
}

fn to_singular_word(word: &str) -> String {
    to_singular(&word.to_lowercase())
}
