//! The words of a question of a data set against its SQL: what is computed, in which order, and what is left out.

use super::asked_aggregates::{Wish, find_wish};
use super::column::match_name;
use super::key::Bound;
use super::mentions::find_mentions;
use super::sql_shape::SqlShape;
use super::tokens::{Found, Text};
use super::wording::find_language;
use crate::context::TaskCx;
use crate::question::dependence::hints::Hints;
use hir::Relation;
use model::Value;
use sql::lex::{Kind, Token, tokenize_sql};
use syntax::prompts::Aggregate::{Count, Distinct, High, Low, Mean, Median, Sum};
use syntax::prompts::english::lints::GROUP_PHRASES;
use syntax::prompts::{Aggregate, Language};

/// The smallest number of a comparison that SQL cannot say in other ways.
const MIN_NUMBER: f64 = 3.0;

/// A question of a data set, and its SQL.
pub(super) struct GoldText<'q, 'a> {
    /// The task.
    pub cx: &'q TaskCx<'a>,
    /// The question.
    pub text: Text<'a>,
    /// Its language.
    pub language: &'static Language,
    /// The SQL.
    pub sql: &'q str,
    /// Its tokens.
    pub tokens: Vec<Token<'q>>,
}

impl<'q, 'a> GoldText<'q, 'a> {
    /// Reads a question. `None` in an unknown language.
    pub fn new(cx: &'q TaskCx<'a>, question: &str, sql: &'q str) -> Option<GoldText<'q, 'a>> {
        let text = Text::from_plain(question);
        let language = find_language(&text)?;
        Some(GoldText { cx, text, language, sql, tokens: tokenize_sql(sql) })
    }

    /// What the question asks to compute.
    pub fn find_wish(&self) -> Option<Found<Wish>> {
        find_wish(self.cx.task, &self.text, self.language)
    }

    /// Whether the SQL has a token of this list.
    pub fn has_any(&self, words: &str) -> bool {
        self.tokens.iter().any(|token| token.is_any(words))
    }

    /// Whether the SQL names a table or a column.
    fn reads(&self, name: &str) -> bool {
        self.tokens.iter().any(|token| token.is_named(name))
    }

    /// The only table of the SQL that has a column.
    fn find_table(&self, column: &Token<'_>) -> Option<&'a Relation> {
        let has_own = |relation: &&Relation| {
            let has_column = relation.columns.iter().any(|own| column.is_named(&own.name));
            relation.file.is_some() && has_column && self.reads(&relation.table)
        };
        let mut tables = self.cx.task.relations.iter().filter(has_own);
        tables.next().filter(|_| tables.next().is_none())
    }

    /// Whether a column that is asked for is not in the SQL, and the one in the SQL is not in the question.
    fn is_other(&self, asked: &str, own: &Token<'_>) -> bool {
        let question = Hints::from_text(&self.text.quote(0, self.text.tokens.len()));
        let is_mentioned = question.has_text(&own.to_unquoted().replace('_', " "));
        !own.is_named(asked) && !self.reads(asked) && !is_mentioned
    }
}

/// Compares "median" and the like with the only aggregate of the SQL.
pub(super) fn check_aggregate(gold: &GoldText<'_, '_>, shape: &SqlShape<'_>) -> Option<String> {
    let wish = gold.find_wish()?;
    let Wish::Aggregate(asked) = wish.means else { return None };
    let own = shape.find_aggregate().filter(|_| shape.aggregates == 1)?;
    let differs = match (asked, own.aggregate) {
        (Median, Mean | Sum | High | Low) | (Mean, Sum | Median | High | Low) | (Sum, Mean | Median | High | Low) => {
            true
        }
        // A row of the table can be what differs.
        (Distinct, Count) => own.argument.len() == 1 && !shape.distinct && is_reference(gold, &own.argument),
        _ => false,
    };
    let words = gold.text.quote(wish.start, wish.end);
    differs.then(|| format!("asks for `{words}`, but its SQL computes {}", describe_aggregate(own.aggregate)))
}

fn describe_aggregate(aggregate: Aggregate) -> &'static str {
    match aggregate {
        Mean => "a mean",
        Sum => "a sum",
        Median => "a median",
        High => "the largest value",
        Low => "the smallest value",
        _ => "a number of rows",
    }
}

/// Whether what is counted is a column that repeats: one that no table of the query has as a key.
fn is_reference(gold: &GoldText<'_, '_>, argument: &[Token<'_>]) -> bool {
    let cx = gold.cx;
    let named = argument.first().filter(|token| token.is_name());
    let tables = cx.task.relations.iter_enumerated().filter(|(_, relation)| relation.file.is_some());
    let read = tables.filter(|(_, relation)| gold.reads(&relation.table));
    let mut own = read.flat_map(|(id, relation)| {
        let columns = relation.columns.iter_enumerated();
        columns.filter(|(_, column)| named.is_some_and(|name| name.is_named(&column.name))).map(move |(of, _)| (id, of))
    });
    let found = own.next().filter(|_| own.next().is_none());
    found.is_some_and(|(relation, column)| {
        let name = cx.task.find_column((relation, column)).map_or("", |column| column.name.as_str()).to_lowercase();
        name.ends_with("id") && name != "id" && !cx.facts().lookup_column(relation, column).unique
    })
}

/// Compares the column after "sum of" with the only one that the SQL aggregates.
pub(super) fn check_aggregated_column(gold: &GoldText<'_, '_>, shape: &SqlShape<'_>) -> Option<String> {
    let text = &gold.text;
    let wish = gold.find_wish()?;
    if !matches!(wish.means, Wish::Aggregate(Sum | Mean | Median) | Wish::End(_)) {
        return None;
    }
    let aggregate = shape.find_aggregate().filter(|found| !matches!(found.aggregate, Count | Distinct))?;
    let own = aggregate
        .argument
        .last()
        .filter(|_| aggregate.argument.iter().all(|token| token.is_name() || token.is_punct(".")))?;
    let links = text.tokens.iter().skip(wish.end).take_while(|token| token.is_any(gold.language.links));
    let start = wish.end + links.count();
    let table = gold.find_table(own)?;
    let named = table.columns.iter().filter(|column| match_name(text, start, &column.name).is_some());
    let asked = named.max_by_key(|column| column.name.len())?;
    gold.is_other(&asked.name, own).then(|| format!("asks for `{}`, but its SQL reads `{}`", asked.name, own.text))
}

/// Compares "in descending order" with the direction of `ORDER BY`.
pub(super) fn check_order(gold: &GoldText<'_, '_>, shape: &SqlShape<'_>) -> Option<String> {
    let (text, language) = (&gold.text, gold.language);
    let mut found = text.find_phrases(language.orders);
    found.extend(text.find_phrases(language.date_orders));
    let [asked] = found.as_slice() else { return None };
    let [term] = shape.order.as_slice() else { return None };
    let name: String = term.tokens.iter().map(|token| token.text.to_lowercase()).collect();
    let is_open =
        name.contains(['-', '/', '(']) || name.contains("age") || language.ranks.iter().any(|rank| name.contains(rank));
    let words = text.quote(asked.start, asked.end);
    let direction = if term.first == syntax::prompts::End::High { "descending" } else { "ascending" };
    (asked.means != term.first && !is_open).then(|| format!("says `{words}`, but its SQL orders {direction}"))
}

/// A number with a comparison word that the SQL does not have, nor one that could come of it.
pub(super) fn check_missing_number(gold: &GoldText<'_, '_>) -> Option<String> {
    let (text, tokens) = (&gold.text, &gold.tokens);
    // Days, months, and patterns of them: '2023-03-%'.
    let is_day = |token: &Token<'_>| {
        let text = token.to_unquoted();
        let is_year = text.get(..4).is_some_and(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
        token.kind == Kind::Text && is_year && text.get(4..).is_some_and(|rest| rest.starts_with(['-', '%']))
    };
    let words = tokens.iter().filter(|token| !is_day(token)).map(|token| token.text);
    let own = Hints::from_text(&words.collect::<Vec<_>>().join(" "));
    let is_computed = tokens.iter().any(|token| token.kind == Kind::Param || token.is_any("CASE IIF LIMIT NTILE RANK"));
    if is_computed {
        return None;
    }
    find_mentions(text, gold.language).iter().find_map(|mention| {
        let asks = mention.asks.filter(|asks| asks.means.larger.is_some() && !mention.unclear)?;
        let Bound::Literal(value @ (Value::Int(_) | Value::Decimal(_))) = &mention.bound else { return None };
        let number = value.as_f64().filter(|number| *number >= MIN_NUMBER)?;
        let is_year = (1900.0..2100.0).contains(&number);
        let is_near = [number, number + 1.0]
            .iter()
            .any(|near| own.has_number(*near) || own.has_number(near * 60.0) || own.has_number(near / 60.0));
        // Another number of the SQL can be this one in other units.
        let is_other =
            |known: &f64| !(Hints::from_text(&text.quote(0, text.tokens.len()))).has_number(*known) && *known > 2.0;
        if is_year || is_near || own.numbers.iter().any(is_other) {
            return None;
        }
        let words = text.quote(asks.start.min(mention.at), asks.end.max(mention.at + 1));
        Some(format!("says `{words}`, but its SQL does not have this number"))
    })
}

/// "Not paid", where the SQL selects what is paid.
pub(super) fn check_negation(gold: &GoldText<'_, '_>) -> Option<String> {
    let (text, tokens) = (&gold.text, &gold.tokens);
    let is_turned = |token: &Token<'_>| {
        token.is_any("NOT EXCEPT CASE IIF SUM AVG EXISTS FILTER HAVING")
            || ["<>", "!=", "-", "<", ">"].iter().any(|sign| token.is_punct(sign))
    };
    if tokens.iter().any(is_turned) {
        return None;
    }
    let pairs = tokens.iter().zip(tokens.iter().skip(1));
    let mut texts = pairs
        .filter(|(sign, value)| sign.is_punct("=") && value.kind == Kind::Text)
        .map(|(_, value)| value.to_unquoted());
    texts.find_map(|value| {
        let is_value = |at: usize| text.tokens.get(at).is_some_and(|token| token.lower == value.to_lowercase());
        let mut found = (0..text.tokens.len()).filter(|at| is_value(*at));
        let at = found.next().filter(|_| found.next().is_none())?;
        let before = at.checked_sub(1).and_then(|before| text.tokens.get(before))?;
        let words = text.quote(at - 1, at + 1);
        before.is_word("not").then(|| format!("says `{words}`, but its SQL selects '{value}'"))
    })
}

/// A percentage, where the SQL divides and does not multiply by 100.
pub(super) fn check_percent(gold: &GoldText<'_, '_>) -> Option<String> {
    let percent = gold.text.find_any(gold.language.percent)?;
    let is_hundred =
        |token: &Token<'_>| token.text.starts_with("100") || token.text == "0.01" || token.is_any("PRINTF FORMAT");
    let has_hundred = gold.tokens.iter().any(is_hundred);
    let divides = gold.tokens.iter().any(|token| token.is_punct("/"));
    let words = gold.text.quote(percent.start, percent.end);
    (divides && !has_hundred).then(|| format!("asks for a `{words}`, but its SQL computes a share from 0 to 1"))
}

/// "More than the average", where the SQL selects what is below it.
pub(super) fn check_side_of_mean(gold: &GoldText<'_, '_>) -> Option<String> {
    let (text, language, tokens) = (&gold.text, gold.language, &gold.tokens);
    let is_mean = |at: usize| {
        tokens.get(at..at + 3).is_some_and(|next| matches!(next, [open, select, avg] if open.is_punct("(") && select.is_keyword("SELECT") && avg.is_keyword("AVG")))
    };
    let signs =
        tokens.iter().enumerate().filter(|(at, token)| ["<", "<=", ">", ">="].contains(&token.text) && is_mean(at + 1));
    let signs: Vec<&Token<'_>> = signs.map(|(_, token)| token).collect();
    let [sign] = signs.as_slice() else { return None };
    let asked = text.find_phrases(language.before);
    let mut found = asked.iter().filter(|found| {
        let mut behind = text.tokens.iter().skip(found.end).skip_while(|token| token.is_any(language.fillers));
        behind.next().is_some_and(|token| token.is_any(&["average", "mean"]))
    });
    let found = found.next().filter(|_| found.next().is_none())?;
    let is_turned =
        text.has_word_beginning(&["not", "n't", "except"]) || tokens.iter().any(|token| token.is_any("NOT EXCEPT"));
    let (larger, own) = (found.means.larger?, sign.text.starts_with('>'));
    let words = text.quote(found.start, found.end + 2);
    (larger != own && !is_turned).then(|| format!("says `{words}`, but its SQL selects the other side of the mean"))
}

/// A number for each of several things, where the SQL does not group its rows.
pub(super) fn check_groups(gold: &GoldText<'_, '_>, shape: &SqlShape<'_>) -> Option<String> {
    let text = &gold.text;
    let is_plain = shape.aggregates == 1 && shape.find_aggregate().is_some_and(|found| found.aggregate != Distinct);
    let is_loose = gold.tokens.iter().any(|token| token.is_any("OVER WHERE") || token.is_punct("/"));
    let found = text.find_any(GROUP_PHRASES)?;
    let is_mean =
        text.find_phrases(gold.language.aggregates).iter().any(|found| matches!(found.means, Mean | Median | Distinct));
    let words = text.quote(found.start, (found.end + 1).min(text.tokens.len()));
    (is_plain && !shape.distinct && !is_loose && !is_mean)
        .then(|| format!("asks for a number `{words}`, but its SQL returns one for all rows"))
}

/// "Give the names", where the SQL selects another column.
pub(super) fn check_selected(gold: &GoldText<'_, '_>, shape: &SqlShape<'_>) -> Option<String> {
    let [item] = shape.items.as_slice() else { return None };
    let own = item.last().filter(|_| item.iter().all(|token| token.is_name() || token.is_punct(".")))?;
    let (text, language) = (&gold.text, gold.language);
    let starts = |at: &usize| {
        let is_article = text.tokens.get(at + 1).is_some_and(|token| token.is_word("the"));
        text.tokens.get(*at).is_some_and(|token| token.is_any(language.replying) || token.is_any(language.imperatives))
            && is_article
    };
    let start = (0..text.tokens.len()).find(starts)? + 2;
    let asked = gold.find_table(own)?.columns.iter().find(|column| match_name(text, start, &column.name).is_some())?;
    gold.is_other(&asked.name, own).then(|| format!("asks for `{}`, but its SQL returns `{}`", asked.name, own.text))
}
