//! `unasked_change`: the prompt leaves out rows to which another table has rows ("but not policies with a claim"), or rows with a value ("except lapsed ones"), and
//! the goal never reads that table or column. A heuristic.

use model::suite::ColumnId;
use model::{Span, Value};
use sql::ChangeKind;
use sql::lex::{Token, tokenize_sql};

use super::prompt_content::{Telling, Way, has_word};
use crate::context::{TaskCx, judge_by_words};
use crate::goals::{Goal, Step};
use crate::idle::reads_data;
use hir::types::TyKind;
use names::words::{split_words, to_singular};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::changes::{SPARED_ARTICLES, SPARING, SPARING_ROWS};

/// The largest number of words between such a phrase and a value.
const MAX_ARTICLES: usize = 5;

/// Reports an UPDATE or DELETE of rows that every wording spares by another table of the database.
pub(super) fn check_spared_rows<'a>(
    cx: &TaskCx<'a>,
    goal: &Goal<'a>,
    step: &Step<'a>,
    way: &Way<'_>,
) -> Option<Diagnostic> {
    let spares = |telling: &Telling| SPARING.iter().any(|phrase| has_word(&telling.lower_prompt, phrase));
    if !way.tellings.iter().all(spares) {
        return None;
    }
    let (own, tokens) = read_plain_change(cx, goal, step)?;
    let is_read = |table: &str| tokens.iter().any(|token| token.is_named(table));
    let is_column = |word: &str| {
        let mut words = own.iter_written_columns().flat_map(|(_, column)| split_words(&column.name));
        words.any(|other| to_singular(&other) == word)
    };
    let others = cx.task.relations.iter_enumerated().filter(|(id, other)| {
        let is_near = other.file.is_some() && other.file == own.file;
        is_near && *id != step.relation && !is_read(&other.table)
    });
    let (table, clause) = others.into_iter().find_map(|(_, other)| {
        let word = to_singular(&other.table.to_lowercase());
        let is_told = !is_column(&word) && word != to_singular(&own.table.to_lowercase());
        let find = |telling: &Telling| find_clause(&telling.lower_prompt, &other.table.to_lowercase(), &word);
        let clauses: Vec<String> = way.tellings.iter().filter(|_| is_told).map(find).collect::<Option<_>>()?;
        Some((other.table.as_str(), clauses.into_iter().next()?))
    })?;
    let verb = if step.change.kind == ChangeKind::Delete { "deletes" } else { "changes" };
    let message = format!("the prompt says `{clause}`, but the goal {verb} these rows, too: it never reads `{table}`");
    let telling = way.tellings.first()?;
    Some(
        judge_by_words(Code::UNASKED_CHANGE, message, locate_conditions(step), format!("`{table}` is not read"))
            .label(telling.span, "leaves these rows out")
            .help(format!("add the exception: AND KEY NOT IN (SELECT … FROM {table})")),
    )
}

/// Reports an UPDATE or DELETE of rows that every wording spares by a value of a column, if the goal never names the column.
pub(super) fn check_spared_values<'a>(
    cx: &TaskCx<'a>,
    goal: &Goal<'a>,
    step: &Step<'a>,
    way: &Way<'_>,
) -> Option<Diagnostic> {
    let spared: Vec<Vec<&str>> = way.tellings.iter().map(|telling| list_spared_words(&telling.lower_prompt)).collect();
    if spared.iter().any(Vec::is_empty) {
        return None;
    }
    let (own, tokens) = read_plain_change(cx, goal, step)?;
    let is_spared = |word: &str| spared.iter().all(|words| words.contains(&word));
    let find = |id: ColumnId, column: &hir::Column| match column.ty.kind {
        TyKind::Bool => {
            Some(column.name.to_lowercase()).filter(|name| is_spared(name)).map(|name| (name, "= 0".to_owned()))
        }
        TyKind::Text => {
            let fact = cx.facts().lookup_column(step.relation, id);
            let values = fact.closed.as_deref().unwrap_or_default().iter().filter_map(Value::as_text);
            let value = values.into_iter().find(|value| is_spared(&value.to_lowercase()))?;
            Some((value.to_owned(), format!("<> '{}'", value.replace('\'', "''"))))
        }
        _ => None,
    };
    let found: Vec<(&hir::Column, (String, String))> =
        own.iter_written_columns().filter_map(|(id, column)| Some((column, find(id, column)?))).collect();
    let is_named = |column: &hir::Column| tokens.iter().any(|token| token.is_named(&column.name));
    // Another column with this value can be meant.
    let (column, (word, comparison)) = found.first().filter(|_| !found.iter().any(|(column, _)| is_named(column)))?;
    let verb = if step.change.kind == ChangeKind::Delete { "deletes" } else { "changes" };
    let message = format!("the prompt leaves out rows that are `{word}`, but the goal {verb} them, too");
    let telling = way.tellings.first()?;
    Some(
        judge_by_words(
            Code::UNASKED_CHANGE,
            message,
            locate_conditions(step),
            format!("`{}` is not compared", column.name),
        )
        .label(telling.span, format!("leaves out `{word}`"))
        .help(format!("add the exception: AND {} {comparison}", column.name)),
    )
}

/// The table that an UPDATE or DELETE changes, and the tokens of its goal. `None` if a parameter is computed from the data: it can be that of the spared rows.
fn read_plain_change<'t, 'a>(
    cx: &TaskCx<'a>,
    goal: &'t Goal<'a>,
    step: &Step<'a>,
) -> Option<(&'a hir::Relation, Vec<Token<'t>>)> {
    let is_computed = step.sql.params.iter().any(|(_, value)| reads_data(cx.task, value));
    let is_plain = step.change.kind != ChangeKind::Insert && goal.is_understood && !is_computed;
    let own = cx.task.relations.get(step.relation).filter(|_| is_plain)?;
    Some((own, goal.steps.iter().flat_map(|step| tokenize_sql(&step.sql.text)).collect()))
}

/// Lists the words right after phrases that leave rows out, without articles: "except the lapsed ones".
fn list_spared_words(prompt: &str) -> Vec<&str> {
    let word_after = |rest: &'_ str| -> Option<(usize, usize)> {
        let mut start = 0;
        for part in rest.split_inclusive(char::is_whitespace).take(MAX_ARTICLES + 1) {
            let word = part.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
            if !word.is_empty() && !SPARED_ARTICLES.contains(&word) {
                let at = start + part.find(word)?;
                return Some((at, at + word.len()));
            }
            start += part.len();
        }
        None
    };
    let phrases = SPARING_ROWS.iter().flat_map(|phrase| prompt.match_indices(phrase));
    let words = phrases.filter_map(|(at, phrase)| {
        let rest = prompt.get(at + phrase.len()..).filter(|rest| rest.starts_with(char::is_whitespace))?;
        let (start, end) = word_after(rest)?;
        rest.get(start..end)
    });
    words.collect()
}

/// The span of the conditions of a statement; all of it, if it has none.
fn locate_conditions(step: &Step<'_>) -> Span {
    let tokens = || step.change.conditions.iter().flatten();
    let ends = tokens().map(|token| token.start).min().zip(tokens().map(|token| token.end()).max());
    ends.map_or(step.span(), |ends| step.to_span(ends))
}

/// Finds the phrase that leaves rows out, up to the name of a table.
fn find_clause(prompt: &str, table: &str, one: &str) -> Option<String> {
    // A line break within a sentence is a blank.
    let text = prompt.replace("\n\n", ".").replace('\n', " ");
    text.split(['.', ';', '!', '?']).find_map(|sentence| {
        let phrase = SPARING.iter().find(|phrase| has_word(sentence, phrase))?;
        let clause = sentence.get(sentence.find(phrase)?..)?;
        // "Except the table `claims`" is about the table itself.
        let is_of_table = has_word(clause, "table") || has_word(clause, "tables");
        let word = [table, one].into_iter().find(|word| has_word(clause, word)).filter(|_| !is_of_table)?;
        let end = clause.find(word)? + word.len();
        clause.get(..end).map(str::to_owned)
    })
}
