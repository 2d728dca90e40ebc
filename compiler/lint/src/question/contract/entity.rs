//! `other_aggregate` for things that occur in several rows: the prompt asks how many customers have an order, and the key counts the orders.

use model::suite::{ColumnId, RelationId};

use super::answers::{Computed, Leaf, find_computed, find_sole_leaf};
use super::tokens::{Found, Kind};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{ColumnSource, DrawDomain};
use names::words::{split_words, to_singular};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Aggregate;

/// The largest number of words between "how many" and its noun.
const MAX_BEFORE: usize = 3;
/// The largest number of words between an article and its noun.
const MAX_ARTICLE: usize = 3;

/// Compares the noun after "how many" with the rows that the key counts.
pub(super) fn report_entities<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    let Some(leaf) = find_sole_leaf(leaves).filter(|_| !wording.can_vary()) else { return };
    let Some(start) = wording.text.find_any(wording.language.how_many) else { return };
    let Some(Computed { aggregate: Aggregate::Count, relation: Some(relation), span, .. }) =
        find_computed(cx, leaf.value)
    else {
        return;
    };
    let Some((noun, column)) = find_noun(wording, start, relation) else { return };
    if !can_repeat(cx, relation, column) || !is_about_some_row(wording, noun, relation) {
        return;
    }
    let Some(own) = cx.task.relations.get(relation) else { return };
    let column = own.columns.get(column).map_or("", |column| column.name.as_str());
    let words = wording.quote(start.start, noun + 1);
    let message = format!("the prompt asks `{words}`, but the key counts rows of `{}`", own.name);
    let new = Diagnostic::new(Code::OTHER_AGGREGATE, message, span, "counts rows")
        .label(wording.locate(start.start, noun + 1), "asked here")
        .note(format!("several rows of `{}` can have the same `{column}`, and each of them counts", own.name))
        .help(format!("count different values of `{column}` (`distinct_count`, or `COUNT(DISTINCT {column})` in SQL)"));
    report_once(new, said);
}

/// The token of the noun after "how many", and the column whose values it names. `None` if it names the rows that are counted.
fn find_noun(wording: &Wording<'_, '_>, start: Found<()>, relation: RelationId) -> Option<(usize, ColumnId)> {
    let own = wording.cx.task.relations.get(relation)?;
    for at in start.end..=start.end + MAX_BEFORE {
        let token = wording.text.tokens.get(at)?;
        let is_other =
            token.is_any(wording.language.rows) || at > start.end && token.is_any(wording.language.noun_ends);
        if !matches!(token.kind, Kind::Word | Kind::Placeholder(_)) || is_other {
            return None;
        }
        let noun = to_singular(&token.lower);
        if is_noun_of(&own.table, &noun) {
            return None;
        }
        let is_named = |id: ColumnId| list_names(wording.cx, relation, id).iter().any(|name| is_noun_of(name, &noun));
        let mut named = own.columns.iter_enumerated().filter(|(id, column)| !column.helper && is_named(*id));
        if let Some((column, _)) = named.next().filter(|_| !noun.is_empty()) {
            return named.next().is_none().then_some((at, column));
        }
    }
    None
}

/// The names of what a column has: its own, and that of the table to whose rows it refers.
fn list_names<'a>(cx: &TaskCx<'a>, relation: RelationId, column: ColumnId) -> Vec<&'a str> {
    let Some(column) = cx.task.find_column((relation, column)) else { return Vec::new() };
    let target = match &column.source {
        ColumnSource::Draw { draw, .. } => match &draw.domain {
            DrawDomain::Ref { relation, .. } => cx.task.relations.get(*relation).map(|target| target.table.as_str()),
            _ => None,
        },
        _ => None,
    };
    [column.name.as_str()].into_iter().chain(target).collect()
}

/// Whether the last word of a name is a noun.
fn is_noun_of(name: &str, noun: &str) -> bool {
    split_words(name).iter().rfind(|word| word.as_str() != "id").is_some_and(|word| to_singular(word) == noun)
}

/// Whether a value of a column is surely meant to occur in several rows: it refers to another table, or there are fewer values than rows.
fn can_repeat(cx: &TaskCx<'_>, relation: RelationId, column: ColumnId) -> bool {
    let Some(own) = cx.task.relations.get(relation) else { return false };
    let fact = cx.facts().lookup_column(relation, column);
    let rows = cx.facts().count_rows(relation);
    let is_key = own.constraints.iter().any(|constraint| constraint.columns.contains(&column));
    if fact.unique || is_key || rows.most < 2 {
        return false;
    }
    let refers = own
        .columns
        .get(column)
        .and_then(|column| column.source.draw())
        .is_some_and(|draw| !draw.unique && matches!(draw.domain, DrawDomain::Ref { .. }));
    refers || fact.closed.is_some_and(|values| (values.len() as u64) < rows.least)
}

/// Whether a wording says after the noun that one of the rows is enough: "at least one claim", "placed an order".
fn is_about_some_row(wording: &Wording<'_, '_>, noun: usize, relation: RelationId) -> bool {
    let (text, language) = (&wording.text, wording.language);
    let sentence = text.tokens.get(noun).map(|token| token.sentence);
    let table = wording.cx.task.relations.get(relation).map_or("", |own| own.table.as_str());
    let mut behind =
        (noun + 1..text.tokens.len()).take_while(|at| text.tokens.get(*at).map(|token| token.sentence) == sentence);
    behind.any(|at| {
        let is_enough = language.at_least_one.iter().any(|phrase| text.match_phrase(at, phrase).is_some());
        let is_article = text.tokens.get(at).is_some_and(|token| token.is_any(language.one));
        let mut near = text.tokens.iter().skip(at + 1).take(MAX_ARTICLE);
        is_enough || is_article && near.any(|token| is_noun_of(table, &to_singular(&token.lower)))
    })
}
