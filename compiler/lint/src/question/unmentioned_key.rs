//! `unmentioned_key`: the expected JSON object has a key that the prompt does not mention.

use std::collections::BTreeSet;

use model::answer_key::Subject;
use model::singular::Step;
use model::suite::NameId;
use model::{Span, Value};

use super::prompt_content::{Telling, Way, has_word};
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Expr, ExprKind};
use names as suggest;
use names::prose::find_name_groups;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::sources::Sources;

/// The maximum number of keys in a diagnostic.
const MAX_NAMED_KEYS: usize = 5;

/// A key in the source.
struct Key {
    name: String,
    span: Span,
}

pub(super) fn report_unmentioned_keys<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        for expect in &way.asked.expects {
            let mut keys = Vec::new();
            // The agent writes the file that is read, so it must know the keys; a file that it is given already has them.
            if let Some(place) = &expect.at
                && !is_given(&expect.subject)
            {
                keys.extend(place.path.steps().iter().filter_map(|step| match step {
                    Step::Name(name) => {
                        Some(Key { name: name.clone(), span: find_key_in_path(cx.sources, expect.span, name) })
                    }
                    Step::Index(_) => None,
                }));
            }
            if let Some(value) = expect.answer_expr().filter(|_| expect.matcher.record().keys && !expect.is_any_of()) {
                collect_keys(cx, value, &mut keys, &mut BTreeSet::new());
            }
            for telling in way.tellings.iter().filter(|telling| !telling.opaque) {
                let mut missing: Vec<&Key> = Vec::new();
                for key in &keys {
                    if !is_key_mentioned(telling, &key.name) && !missing.iter().any(|known| known.name == key.name) {
                        missing.push(key);
                    }
                }
                if let [first, rest @ ..] = missing.as_slice() {
                    report_once(build_diagnostic(way, telling, first, rest, &keys), said);
                    break;
                }
            }
        }
    }
}

/// Checks whether the agent is given the file that is read.
fn is_given(subject: &hir::Subject) -> bool {
    let Subject::File(path) = subject else { return false };
    path.has_part(|part| matches!(part.kind, ExprKind::FilePath(_) | ExprKind::Folder(_)))
}

/// Returns the span of a key in the path after `at`.
fn find_key_in_path(sources: &Sources, expect: Span, key: &str) -> Span {
    let text = sources.text(expect);
    let found = text.match_indices("\"$").find_map(|(path, _)| {
        let inside = text.get(path + 2..)?.split('"').next()?;
        inside.find(key).map(|at| path + 2 + at)
    });
    let start = |at: usize| expect.start + at as u32;
    found.map_or(expect, |at| Span::new(expect.file, start(at), start(at + key.len())))
}

fn build_diagnostic(way: &Way<'_>, telling: &Telling, first: &Key, rest: &[&Key], keys: &[Key]) -> Diagnostic {
    let prompt = match way.asked.describe_variant() {
        Some(whose) => format!("the prompt of {whose}"),
        None if way.tellings.len() > 1 => "one wording of the prompt".to_owned(),
        None => "the prompt".to_owned(),
    };
    let near = find_nearest_word(telling, &first.name, keys).filter(|_| rest.is_empty());
    let message = match (&near, rest) {
        (Some(near), _) => format!("{prompt} says `{near}`, but `expect` reads `{}`", first.name),
        (None, []) => format!("key `{}` is expected, but {prompt} does not mention it", first.name),
        (None, _) => {
            let all = std::iter::once(first).chain(rest.iter().copied());
            let names: Vec<String> = all.take(MAX_NAMED_KEYS).map(|key| format!("`{}`", key.name)).collect();
            let more = match (rest.len() + 1).saturating_sub(MAX_NAMED_KEYS) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("keys {}{more} are expected, but {prompt} does not mention them", names.join(", "))
        }
    };
    let help = match &near {
        Some(_) => "use the same key in both".to_owned(),
        None => format!("add it to the prompt, in backticks: `{}`", first.name),
    };
    let others = rest.iter().filter(|key| key.span != first.span).take(MAX_NAMED_KEYS - 1);
    Diagnostic::new(Code::UNMENTIONED_KEY, message, first.span, "the agent cannot guess this name")
        .help(help)
        .with_labels(others.map(|key| (key.span, "nor this")))
        .label(telling.span, if near.is_some() { "different name here" } else { "not mentioned here" })
}

/// Finds a word of the prompt that looks like a key and is similar.
fn find_nearest_word(telling: &Telling, name: &str, keys: &[Key]) -> Option<String> {
    let marked = telling.prompt.split('`').skip(1).step_by(2);
    let spelt = telling
        .prompt
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.contains('_') || word.eq_ignore_ascii_case(name));
    let taken = |word: &&str| !word.is_empty() && !keys.iter().any(|key| key.name == **word);
    suggest::find_closest(name, marked.chain(spelt).filter(taken))
}

/// Checks whether the prompt contains a key as a word. At the beginning of a sentence it can be capitalized, unless it is quoted or in backticks.
pub(super) fn is_key_mentioned(telling: &Telling, key: &str) -> bool {
    if telling.has_word(key) {
        return !is_recased(telling, key);
    }
    let mut letters = key.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    if !key.chars().all(|c| c.is_lowercase()) || !telling.has_word(&capital) {
        return false;
    }
    let marked = ['`', '\'', '"'].map(|mark| format!("{mark}{capital}{mark}"));
    let prose = marked.iter().fold(telling.text.clone(), |text, marked| text.replace(marked, "\n"));
    has_word(&prose, &capital)
}

/// Checks whether the prompt asks for the key in other letter case: in a displayed object, or after a word such as "key". The key itself then only
/// occurs in prose, like "top" in "the top of the list".
fn is_recased(telling: &Telling, key: &str) -> bool {
    let data = telling.text.get(telling.prompt.len()..).unwrap_or_default();
    let folded = key.to_lowercase();
    let mut recased = false;
    for group in find_name_groups(&telling.prompt) {
        if group.names.iter().any(|name| name == key) {
            return false;
        }
        recased |= (group.of_keys || group.in_object)
            && group.names.iter().any(|name| name.to_lowercase() == folded && !has_word(data, name));
    }
    recased
}

/// Collects every key in an expected value, outermost first.
fn collect_keys(cx: &TaskCx<'_>, value: &Expr, keys: &mut Vec<Key>, seen: &mut BTreeSet<NameId>) {
    match &value.kind {
        ExprKind::Object(fields) => {
            for (key, inner) in fields {
                let span = find_key_before(cx.sources, inner.span, key).unwrap_or(inner.span);
                keys.push(Key { name: key.clone(), span });
                collect_keys(cx, inner, keys, seen);
            }
        }
        ExprKind::List(items) => items.iter().for_each(|item| collect_keys(cx, item, keys, seen)),
        ExprKind::Const(known) => collect_constant_keys(cx.sources, known, value.span, keys),
        // A result set is an array of objects.
        ExprKind::Call(..) if let TyKind::Rows(columns) = &value.ty.kind => {
            keys.extend(columns.iter().map(|(name, _)| Key { name: name.clone(), span: value.span }));
        }
        ExprKind::Name(id) if seen.insert(*id) => {
            cx.task.find_computed(*id).into_iter().for_each(|source| collect_keys(cx, source, keys, seen));
        }
        _ => {}
    }
}

fn collect_constant_keys(sources: &Sources, value: &Value, span: Span, keys: &mut Vec<Key>) {
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                keys.push(Key { name: key.clone(), span: find_key_within(sources, span, key).unwrap_or(span) });
                collect_constant_keys(sources, inner, span, keys);
            }
        }
        Value::List(items) => items.iter().for_each(|item| collect_constant_keys(sources, item, span, keys)),
        _ => {}
    }
}

/// Finds the span of the key of a field, before the colon and the value.
fn find_key_before(sources: &Sources, value: Span, key: &str) -> Option<Span> {
    let source = sources.get(value.file)?;
    let before = source.text.get(..value.start as usize)?;
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '<' | '(')).strip_suffix(':')?;
    let end = before.trim_end();
    let name = end.strip_suffix('`').unwrap_or(end).strip_suffix(key)?;
    Some(Span::new(value.file, name.len() as u32, (name.len() + key.len()) as u32))
}

/// Finds the span of a key in the source of an object.
fn find_key_within(sources: &Sources, object: Span, key: &str) -> Option<Span> {
    let text = sources.text(object);
    let inner = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(key).find_map(|(at, _)| {
        let rest = text.get(at + key.len()..)?;
        let rest = rest.strip_prefix('`').unwrap_or(rest);
        let alone = !text.get(..at)?.ends_with(inner) && rest.trim_start().starts_with(':');
        let start = object.start + at as u32;
        alone.then(|| Span::new(object.file, start, start + key.len() as u32))
    })
}
