//! The same for data sets: the question of each row against its SQL, as far as words and tokens show it.

use std::collections::BTreeSet;

use model::suite::{Each, NameId, Op};
use model::{Span, Value};

use super::amount::find_row_amounts;
use super::asked_aggregates::{Wish, find_end_of_groups};
use super::comparison::{Comparison, Slip, find_kind};
use super::gold_column::check_column;
use super::gold_words::{
    GoldText, check_aggregate, check_aggregated_column, check_groups, check_missing_number, check_negation,
    check_order, check_percent, check_selected, check_side_of_mean,
};
use super::key::Bound;
use super::mentions::find_mentions;
use super::path_conditions::find_conditions;
use super::period::{find_period, read_selected_days, read_selected_year};
use super::sql_shape::SqlShape;
use super::turned_end::check_turned_end;
use crate::context::{TaskCx, report_once};
use crate::question::prompt_content::Way;
use hir::{Arg, ExprKind};
use sql::find_repeated_queries;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::{Aggregate, End};

/// The lints of which each is reported once for all rows.
const CODES: [&Code; 7] = [
    Code::OTHER_COMPARISON,
    Code::OTHER_CONDITION,
    Code::OTHER_COUNT,
    Code::OTHER_AGGREGATE,
    Code::OTHER_ORDER,
    Code::OTHER_UNIT,
    Code::OTHER_COLUMN,
];

/// A question with SQL that contradicts it.
struct Finding {
    row: usize,
    code: &'static Code,
    what: String,
}

/// Compares the question of each row of a data set with its SQL. Each lint is reported once for all rows.
pub(super) fn report_questions(cx: &TaskCx<'_>, way: &Way<'_>, said: &mut Vec<Diagnostic>) {
    let Some(each) = &cx.task.each else { return };
    let Some((gold, span)) = find_gold(cx, each, way) else { return };
    let Some(asked) = find_question(cx, each, way).filter(|asked| *asked != gold) else { return };
    let (Some(questions), Some(queries)) = (each.find_values(asked), each.find_values(gold)) else { return };
    // The same SQL for two questions is reported by `doubtful_gold`.
    let sql: Vec<&str> = queries.iter().map(|sql| sql.as_text().unwrap_or_default()).collect();
    let repeated = find_repeated_queries(&sql, &[]);
    let pairs = questions.iter().zip(queries.iter()).enumerate().filter(|(row, _)| !repeated.contains(row));
    let findings: Vec<Finding> =
        pairs.filter_map(|(row, (question, sql))| check_row(cx, row, question.as_text()?, sql.as_text()?)).collect();
    for code in CODES {
        let of_code: Vec<&Finding> = findings.iter().filter(|finding| finding.code == code).collect();
        let Some(first) = of_code.first() else { continue };
        let key = each.rows.get(first.row).map_or("", |row| row.key.as_str());
        let label = match of_code.len() {
            1 => "SQL of 1 row".to_owned(),
            many => format!("SQL of {many} rows"),
        };
        let keys =
            of_code.iter().skip(1).take(5).filter_map(|finding| Some(format!("`{}`", each.rows.get(finding.row)?.key)));
        let keys: Vec<String> = keys.collect();
        let new = Diagnostic::new(code, format!("the question of `{key}` {}", first.what), span, label)
            .help("correct the question or the SQL of this row");
        let new = if keys.is_empty() { new } else { new.note(format!("the same is true of {}", keys.join(", "))) };
        report_once(new, said);
    }
}

/// The column of the expected SQL, and the place where it is run.
fn find_gold(cx: &TaskCx<'_>, each: &Each, way: &Way<'_>) -> Option<(NameId, Span)> {
    let mut found = None;
    for answer in way.asked.iter_answers() {
        answer.visit_through_names(cx.task, &mut |part| {
            let ExprKind::Call(function, args) = &part.kind else { return };
            if let (true, Some(Arg::Value(sql))) = (function.can_run_sql(), args.last())
                && let ExprKind::Name(id) = sql.resolve_name(cx.task).kind
                && each.find_values(id).is_some()
            {
                found = Some((id, part.span));
            }
        });
    }
    found
}

/// The only column of sentences that the prompt shows.
fn find_question(cx: &TaskCx<'_>, each: &Each, way: &Way<'_>) -> Option<NameId> {
    let mut found: BTreeSet<NameId> = BTreeSet::new();
    for wording in way.wordings.iter().flatten() {
        wording.visit_through_names(cx.task, &mut |part| {
            if let ExprKind::Name(id) = part.kind
                && let Some(cells) = each.find_values(id)
                && cells.iter().any(|cell| cell.as_text().is_some_and(|text| text.split(' ').count() > 3))
            {
                found.insert(id);
            }
        });
    }
    found.pop_first().filter(|_| found.is_empty())
}

fn check_row(cx: &TaskCx<'_>, row: usize, question: &str, sql: &str) -> Option<Finding> {
    let gold = &GoldText::new(cx, question, sql)?;
    let tag = |code: &'static Code, what: Option<String>| what.map(|what| Finding { row, code, what });
    let comparison = check_comparison(gold).or_else(|| check_side_of_mean(gold));
    let conditions = || {
        let days = check_days(gold).or_else(|| check_year(gold));
        days.or_else(|| check_missing_number(gold)).or_else(|| check_negation(gold))
    };
    let of_shape = || {
        let shape = &SqlShape::new(sql).filter(|shape| shape.limits < 2)?;
        let aggregate = || {
            let end = check_end(gold, shape).or_else(|| check_turned_end(&gold.text, shape));
            end.or_else(|| check_aggregate(gold, shape)).or_else(|| check_groups(gold, shape))
        };
        tag(Code::OTHER_COUNT, check_amount(gold, shape))
            .or_else(|| tag(Code::OTHER_AGGREGATE, aggregate()))
            .or_else(|| tag(Code::OTHER_UNIT, check_percent(gold)))
            .or_else(|| tag(Code::OTHER_ORDER, check_order(gold, shape)))
            .or_else(|| tag(Code::OTHER_COLUMN, check_aggregated_column(gold, shape)))
            .or_else(|| tag(Code::OTHER_COLUMN, check_selected(gold, shape)))
    };
    tag(Code::OTHER_COMPARISON, comparison)
        .or_else(|| tag(Code::OTHER_CONDITION, conditions()))
        .or_else(of_shape)
        .or_else(|| tag(Code::OTHER_COLUMN, check_column(cx, question, sql)))
}

fn check_comparison(gold: &GoldText<'_, '_>) -> Option<String> {
    let (task, text) = (gold.cx.task, &gold.text);
    let is_twisted = gold.has_any("NOT EXCEPT CASE IIF") || text.has_word_beginning(gold.language.leaving_out);
    let conditions = find_conditions(&gold.sql.replace("<>", "!="));
    let mentions = find_mentions(text, gold.language);
    mentions.iter().find_map(|mention| {
        let asks = mention.asks.filter(|_| !mention.unclear)?;
        let is_same = |other: &Bound<'_>| other.is_same(task, &mention.bound);
        let again = mentions.iter().filter(|other| is_same(&other.bound)).count();
        let mut on_value = conditions.iter().filter(|(_, value)| is_same(&Bound::Literal(value.clone())));
        let (op, _) = on_value.next().filter(|_| again == 1)?;
        if on_value.next().is_some() {
            return None;
        }
        let comparison = Comparison {
            asks: asks.means,
            op: *op,
            kind: find_kind(task, &mention.bound),
            is_placeholder: false,
            is_twisted,
            is_of_ages: gold.sql.to_lowercase().contains("age"),
        };
        let words = text.quote(asks.start.min(mention.at), asks.end.max(mention.at + 1));
        let what = match comparison.find_slip()? {
            Slip::Counts => "also counts the value itself",
            Slip::LeavesOut => "leaves out the value itself",
            Slip::Smaller => "selects smaller values",
            Slip::Larger => "selects larger values",
            Slip::Equal => return None,
        };
        Some(format!("says `{words}`, but its SQL {what}"))
    })
}

/// Compares "before 2021" with the side of that year on which the SQL selects days.
fn check_year(gold: &GoldText<'_, '_>) -> Option<String> {
    let conditions = find_conditions(gold.sql);
    let [(op, Value::Text(day))] = conditions.as_slice() else { return None };
    let (first, last) = (day.get(..4)?, day.get(4..)?);
    let mentions = find_mentions(&gold.text, gold.language);
    let is_year = |bound: &Bound<'_>| matches!(bound, Bound::Literal(Value::Int(year)) if year.to_string() == first);
    let mut years = mentions.iter().filter(|mention| is_year(&mention.bound));
    let mention = years.next().filter(|_| years.next().is_none())?;
    let asks = mention.asks.filter(|_| !mention.unclear && ["-01-01", "-12-31"].contains(&last))?;
    let is_later = match op {
        Op::Gt | Op::Ge => true,
        Op::Lt | Op::Le => false,
        _ => return None,
    };
    let is_twisted = gold.has_any("NOT EXCEPT CASE IIF BETWEEN");
    let words = gold.text.quote(asks.start.min(mention.at), asks.end.max(mention.at + 1));
    let side = if is_later { "later" } else { "earlier" };
    (asks.means.larger? != is_later && !is_twisted).then(|| format!("says `{words}`, but its SQL selects {side} days"))
}

/// Compares the period of a question with the days that its SQL selects.
fn check_days(gold: &GoldText<'_, '_>) -> Option<String> {
    let told = find_period(&gold.text, gold.language)?;
    let words = gold.text.quote(told.start, told.end);
    if let Some(year) = read_selected_year(gold.sql).filter(|year| !told.period.is_in_year(*year)) {
        return Some(format!("asks about `{words}`, but its SQL selects {year}"));
    }
    let days = read_selected_days(gold.sql).filter(|days| told.period.differs_from(*days))?;
    Some(format!("asks about `{words}`, but its SQL selects {} to {}", days.first, days.last))
}

/// Whether rows are ordered by an age: the oldest person has the highest one.
fn is_about_age(shape: &SqlShape<'_>) -> bool {
    let mut tokens = shape.order.iter().flat_map(|term| &term.tokens).chain(shape.items.iter().flatten());
    tokens.any(|token| token.text.to_lowercase().split('_').any(|word| word == "age" || word == "years"))
}

fn check_amount(gold: &GoldText<'_, '_>, shape: &SqlShape<'_>) -> Option<String> {
    let limit = shape.limit.filter(|limit| *limit > 1 && !shape.offset)?;
    let amounts = find_row_amounts(&gold.text, gold.language);
    let [asked] = amounts.as_slice() else { return None };
    let words = gold.text.quote(asked.start, asked.end);
    (asked.means != limit).then(|| format!("asks for `{words}`, but its SQL takes {limit} rows"))
}

fn check_end(gold: &GoldText<'_, '_>, shape: &SqlShape<'_>) -> Option<String> {
    let (text, language) = (&gold.text, gold.language);
    let of_groups = || find_end_of_groups(gold.cx.task, text, language).filter(|_| shape.find_aggregate().is_none());
    let wish = gold.find_wish().or_else(of_groups)?;
    let words = text.quote(wish.start, wish.end);
    let end = match wish.means {
        Wish::End(end) => end,
        // The youngest person has the latest date of birth, or the lowest age.
        Wish::Age(end) if !words.eq_ignore_ascii_case("youngest") && !is_about_age(shape) => end,
        _ => return None,
    };
    let is_turned = text.tokens.iter().skip(wish.end).take(2).any(|token| token.is_any(language.turned));
    let own = match (shape.find_aggregate(), shape.find_taken_end()) {
        (Some(found), _) if shape.aggregates == 1 => match found.aggregate {
            Aggregate::High => End::High,
            Aggregate::Low => End::Low,
            _ => return None,
        },
        (None, Some((term, end))) if shape.aggregates < 2 => {
            let names: String = term.tokens.iter().map(|token| token.text.to_lowercase()).collect();
            let is_open = names.contains(['/', '-']) || language.ranks.iter().any(|rank| names.contains(rank));
            let is_most = words.eq_ignore_ascii_case("most") && !names.contains("count");
            if is_open || is_most { return None } else { end }
        }
        _ => return None,
    };
    let what = if own == End::High { "largest" } else { "smallest" };
    (own != end && !is_turned).then(|| format!("asks for `{words}`, but its SQL takes the {what}"))
}
