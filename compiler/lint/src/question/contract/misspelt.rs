//! `misspelt_in_prompt`: a word of the prompt that is a name of the data except for one letter, where the prompt does not have this name.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use names::detect_slip;
use names::words::have_same_singular;

use super::super::prompt_content::{Telling, has_word};
use super::tokens::{Kind, Token};
use super::wording::Wording;
use crate::context::{Asked, TaskCx, report_once};
use crate::question::dependence::flow::{Flow, Followed};
use hir::types::TyKind;
use hir::{Column, ColumnSource, Expr, ExprKind, Task};
use model::Value;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The fewest letters of a name that is looked for.
const MIN_LETTERS: usize = 4;
/// The most texts of a column that are looked for.
const MAX_TEXTS: usize = 60;

/// A name, or a text of the data, of which a prompt can speak.
struct Known {
    word: String,
    what: &'static str,
}

/// Reports words in uppercase, in backticks, or in quotes.
pub(super) fn report_misspelt_words<'a>(wording: &Wording<'_, 'a>, asked: &Asked<'a>, said: &mut Vec<Diagnostic>) {
    let words: Vec<(usize, &Token<'_>)> =
        wording.text.tokens.iter().enumerate().filter(|(_, token)| is_name_like(token)).collect();
    if words.is_empty() || wording.telling.opaque {
        return;
    }
    let known = list_known(wording.cx, asked);
    let own = LazyCell::new(|| list_own_names(wording.cx.task));
    for (at, token) in words {
        if known.iter().any(|known| known.word.to_lowercase() == token.lower) || own.contains(&token.lower) {
            continue;
        }
        let mut near = known.iter().filter(|known| is_slip_of(&token.text, &known.word));
        let (Some(meant), None) = (near.next(), near.next()) else { continue };
        if !is_mentioned(wording.telling, &meant.word) {
            report_once(build_diagnostic(wording, at, meant), said);
        }
    }
}

/// Whether a token is written as a name: in uppercase, or quoted and a single word.
fn is_name_like(token: &Token<'_>) -> bool {
    let letters = token.text.chars().filter(|c| c.is_alphabetic()).count();
    let in_capitals = !token.text.chars().any(char::is_lowercase);
    matches!(token.kind, Kind::Word) && letters >= MIN_LETTERS && (in_capitals || token.quoted)
}

fn is_slip_of(word: &str, name: &str) -> bool {
    name.chars().count() >= MIN_LETTERS
        && word.to_lowercase() != name.to_lowercase()
        // `TOTALS` speaks of TOTAL, and `NAME1` of another column than `NAME2`.
        && !have_same_singular(&word.to_lowercase(), &name.to_lowercase())
        && word.chars().filter(char::is_ascii_digit).eq(name.chars().filter(char::is_ascii_digit))
        && word.chars().next().map(|c| c.to_ascii_lowercase()) == name.chars().next().map(|c| c.to_ascii_lowercase())
        && detect_slip(&word.to_lowercase(), &name.to_lowercase()).is_some()
}

fn is_mentioned(telling: &Telling, name: &str) -> bool {
    has_word(&telling.lower_prompt, &name.to_lowercase())
}

/// Everything that the suite itself calls so: names, keys, and words of its texts.
fn list_own_names(task: &Task) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    found.extend(task.names.iter().map(|name| name.name.to_lowercase()));
    found.extend(task.files.iter().map(|file| file.name.to_lowercase()));
    for relation in &task.relations {
        found.insert(relation.name.to_lowercase());
        found.extend(relation.columns.iter().map(|column| column.name.to_lowercase()));
        found.extend(relation.columns.iter().filter_map(find_header).flat_map(split_words));
    }
    let mut add = |part: &Expr| match &part.kind {
        ExprKind::Const(Value::Text(text)) => found.extend(split_words(text)),
        ExprKind::Object(fields) => found.extend(fields.iter().map(|(key, _)| key.to_lowercase())),
        _ => {}
    };
    // The prompts are not among them.
    task.relations.iter_enumerated().for_each(|(id, relation)| {
        relation.visit_exprs(id, &mut |_, expr, _| expr.visit_exprs(&mut add));
    });
    task.files.iter().for_each(|file| file.visit_exprs(&mut |_, expr, _| expr.visit_exprs(&mut add)));
    task.iter_expects().for_each(|expect| expect.visit_exprs(&mut |expr| expr.visit_through_names(task, &mut add)));
    found
}

/// The name of a column in an existing file, if it has another one.
fn find_header(column: &Column) -> Option<&str> {
    match &column.source {
        ColumnSource::Given(given) => given.read.as_ref()?.header.as_deref(),
        _ => None,
    }
}

fn split_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_lowercase).collect()
}

/// The columns that the answers read, their tables, and the texts of these columns.
fn list_known<'a>(cx: &TaskCx<'a>, asked: &Asked<'a>) -> Vec<Known> {
    let mut key = Flow::new(cx.task, Followed::All);
    asked.expects.iter().for_each(|expect| key.add_expect(expect));
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut found = Vec::new();
    let mut add = |word: &str, what: &'static str| {
        let is_word = word.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_word && seen.insert(word.to_lowercase()) {
            found.push(Known { word: word.to_owned(), what });
        }
    };
    for id in &key.relations {
        let Some(relation) = cx.task.relations.get(*id) else { continue };
        add(&relation.table, "the table");
        relation.columns.iter().for_each(|column| add(&column.name, "the column"));
    }
    for (relation, column) in &key.columns {
        let is_text = |column: &Column| column.ty.kind == TyKind::Text;
        if !cx.task.find_column((*relation, *column)).is_some_and(is_text) {
            continue;
        }
        let closed = cx.facts().lookup_column(*relation, *column).closed;
        let texts = closed.iter().filter(|values| values.len() <= MAX_TEXTS).flat_map(|values| values.iter());
        texts.filter_map(Value::as_text).for_each(|text| add(text, "the value"));
    }
    found
}

fn build_diagnostic(wording: &Wording<'_, '_>, at: usize, meant: &Known) -> Diagnostic {
    let written = wording.text.tokens.get(at).map_or("", |token| token.text.as_str());
    let place = wording.locate(at, at + 1);
    let message = format!("the prompt says `{written}`, but {} is `{}`", meant.what, meant.word);
    let new = Diagnostic::new(Code::MISSPELT_IN_PROMPT, message, place, "one letter is different")
        .help(format!("write `{}`", meant.word));
    if wording.cx.sources.text(place) != written {
        return new;
    }
    new.fix(format!("replace with `{}`", meant.word), Applicability::Unsafe, place, meant.word.clone())
}
