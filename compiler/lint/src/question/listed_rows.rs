//! For goals: the prompt lists two values of a column, and the statement selects one of them (`missing_change`); or it has a second date that no statement has
//! (`unasked_change`). Heuristics.

use model::{Date, Duration, Value};
use sql::ChangeKind;
use sql::lex::{Kind, Token};

use super::left_rows::join_other_sentences;
use super::prompt_content::{Telling, Way, has_word};
use crate::context::{TaskCx, judge_by_words};
use crate::goals::Step;
use hir::types::TyKind;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::lints::WHOLE_REPLY;

/// The length of `2024-03-01`.
const DAY: usize = 10;

/// Reports `STATE = 'new'` where every wording says "`new` or `waiting`".
pub(super) fn check_listed_rows<'a>(cx: &TaskCx<'a>, step: &Step<'a>, way: &Way<'_>) -> Option<Diagnostic> {
    let change = &step.change;
    if change.kind == ChangeKind::Insert || change.is_complex {
        return None;
    }
    let found = change.conditions.iter().find_map(|part| {
        let (name, only) = read_equality(part)?;
        let (id, column) = step.find_column(cx.task, &name)?;
        let fact = cx.facts().lookup_column(step.relation, id);
        let others = fact.closed.as_deref().unwrap_or_default().iter().filter_map(Value::as_text);
        let others = others.filter(|other| *other != only);
        let listed: Vec<&str> =
            others.filter(|other| way.tellings.iter().all(|telling| lists_both(telling, &only, other))).collect();
        let is_set = change.sets.iter().any(|(set, _)| set.eq_ignore_ascii_case(&name));
        Some((column, only, (*listed.first()?).to_owned())).filter(|_| !is_set && column.ty.kind == TyKind::Text)
    });
    let (column, only, other) = found?;
    let telling = way.tellings.first()?;
    let message = format!("the prompt asks for `{only}` and `{other}`, but the goal only selects `{only}`");
    Some(
        judge_by_words(Code::MISSING_CHANGE, message, step.span(), format!("leaves out `{other}`"))
            .label(telling.span, format!("names `{other}`"))
            .help(format!("select both: WHERE {} IN ('{only}', '{other}')", column.name)),
    )
}

/// Reads `STATE = 'new'`.
fn read_equality(part: &[Token<'_>]) -> Option<(String, String)> {
    match part {
        [name, equals, text] if equals.is_punct("=") && text.kind == Kind::Text => {
            Some((name.to_unquoted(), text.to_unquoted()))
        }
        _ => None,
    }
}

/// Whether a wording lists two texts next to each other: "`new` or `waiting`".
fn lists_both(telling: &Telling, only: &str, other: &str) -> bool {
    let prompt = join_other_sentences(&telling.prompt).replace(['`', '"', '\''], "");
    let (only, other) = (only.to_lowercase(), other.to_lowercase());
    ["or", "and"].iter().any(|link| {
        has_word(&prompt, &format!("{only} {link} {other}")) || has_word(&prompt, &format!("{other} {link} {only}"))
    })
}

/// Reports dates of which no statement has one, although it has another: "from 2024-06-01 to 2024-08-31".
pub(super) fn check_dates<'a>(
    cx: &TaskCx<'a>,
    step: &Step<'a>,
    literals: &[String],
    way: &Way<'_>,
) -> Option<Diagnostic> {
    let change = &step.change;
    let is_dated = |(_, column): &(_, &hir::Column)| matches!(column.ty.kind, TyKind::Date | TyKind::DateTime);
    let relation = cx.task.relations.get(step.relation)?;
    if change.kind == ChangeKind::Insert
        || change.is_complex
        || !relation.iter_written_columns().any(|own| is_dated(&own))
    {
        return None;
    }
    let known: Vec<Date> = literals.iter().filter_map(|text| Date::parse_iso(text.get(..DAY)?)).collect();
    let is_param = |token: &Token<'_>| token.kind == Kind::Param;
    let has_params = change.conditions.iter().flatten().any(is_param);
    // `date('2024-06-01', '+92 days')`
    let is_moved = literals.iter().any(|text| ["day", "month", "year"].iter().any(|unit| text.contains(unit)));
    if has_params || is_moved || known.is_empty() {
        return None;
    }
    let find_unused = |telling: &Telling| {
        let days = list_days(&telling.prompt);
        let is_near = |day: &Date| {
            let next = |by: i64| day.checked_add(Duration::from_days(by));
            [next(-1), Some(*day), next(1)].into_iter().flatten().any(|near| known.contains(&near))
        };
        // Both are of one sentence: one date is used.
        days.iter().any(is_near).then(|| days.iter().find(|day| !is_near(day)).copied())?
    };
    let unused: Vec<Date> = way.tellings.iter().map(find_unused).collect::<Option<_>>()?;
    let (day, telling) = (unused.first()?, way.tellings.first()?);
    Some(
        judge_by_words(
            Code::UNASKED_CHANGE,
            format!("the goal does not compare with {day}, which the prompt states"),
            step.span(),
            "selects rows by another date only",
        )
        .label(telling.span, format!("states {day}"))
        .help("compare with both dates"),
    )
}

/// Lists the dates of the only sentence of a prompt that has several, and is not about the reply.
fn list_days(prompt: &str) -> Vec<Date> {
    let lower = prompt.to_lowercase().replace('\n', " ");
    let of_rows = lower.split(". ").filter(|sentence| !WHOLE_REPLY.iter().any(|word| has_word(sentence, word)));
    let days = |sentence: &str| -> Vec<Date> {
        let words = sentence.split(|c: char| !(c.is_ascii_digit() || c == '-'));
        words.filter(|word| word.len() == DAY).filter_map(Date::parse_iso).collect()
    };
    let mut several = of_rows.map(days).filter(|days| days.len() > 1);
    several.next().filter(|_| several.next().is_none()).unwrap_or_default()
}
