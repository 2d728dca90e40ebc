//! `vacuous_expectation`: every choice that the prompt offers is accepted, by `any_of` or because a reply can contain all of them.

use model::suite::matchers::Takes;
use model::suite::{Matcher, Op, Scope};
use model::{Span, Value};

use super::prompt_content::{Telling, Way, has_any_word, has_word};
use super::vacuous::is_weak;
use crate::context::{TaskCx, report_once};
use hir::{Expect, Expr, ExprKind, NameSource, Subject, Task};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::data::WHICH;

/// The number of names and conditions through which an answer is followed.
const MAX_DEPTH: u32 = 32;
/// The most choices that are compared with a prompt.
const MAX_CHOICES: usize = 30;

pub(super) fn report_free_choices<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        if way.tellings.is_empty() || way.tellings.iter().any(|telling| telling.opaque) {
            continue;
        }
        for expect in way.asked.expects.iter().copied() {
            let Some(answer) = expect.answer_expr().filter(|answer| !answer.is_broken()) else { continue };
            let is_known = said.iter().any(|known| known.primary.span == answer.span);
            if is_known || expect.matcher.record().takes == Takes::Pattern {
                continue;
            }
            let new = match expect.is_any_of() {
                true => check_branches(cx.task, answer)
                    .or_else(|| check_told_names(cx.task, answer, way))
                    .or_else(|| check_offered(cx, answer, way))
                    .or_else(|| check_fixed_choice(cx, answer, way)),
                false => check_contained(cx, expect, answer, way),
            };
            new.into_iter().for_each(|new| report_once(new, said));
        }
    }
}

/// Reports `any_of [if P then a else b, if P then b else a]`: the same texts are accepted whether the condition holds or not.
fn check_branches(task: &Task, answer: &Expr) -> Option<Diagnostic> {
    let ExprKind::List(items) = &answer.resolve_name(task).kind else { return None };
    let conditions: Vec<&Expr> = items.iter().filter_map(|item| find_condition(task, item)).collect();
    let (first, rest) = conditions.split_first()?;
    let is_about_it = |other: &&Expr| compare_conditions(task, first, other).is_some();
    if items.len() < 2 || !rest.iter().all(is_about_it) {
        return None;
    }
    let accept = |holds: bool| -> Option<Vec<Expr>> {
        let taken = items.iter().map(|item| take_branch(task, item, first, holds).map(|taken| taken.without_spans()));
        taken.collect()
    };
    let (yes, no) = (accept(true)?, accept(false)?);
    let is_same = yes.iter().all(|value| no.contains(value)) && no.iter().all(|value| yes.contains(value));
    let is_several = yes.iter().any(|value| Some(value) != yes.first());
    (is_same && is_several).then(|| {
        let message = "`any_of` accepts the same values whether the condition holds or not";
        Diagnostic::new(Code::VACUOUS_EXPECTATION, message, answer.span, "has both values in every sample")
            .label(first.span, "does not decide what is accepted")
            .help("expect only the value that is right, without `any_of`")
    })
}

fn find_condition<'e>(task: &'e Task, item: &'e Expr) -> Option<&'e Expr> {
    match &item.resolve_name(task).kind {
        ExprKind::If(parts) => Some(&parts.0),
        _ => None,
    }
}

/// The value of an item if the condition holds, or if it does not.
fn take_branch<'e>(task: &'e Task, item: &'e Expr, condition: &Expr, holds: bool) -> Option<&'e Expr> {
    let value = item.resolve_name(task);
    let ExprKind::If(parts) = &value.kind else { return Some(value) };
    let is_taken = compare_conditions(task, condition, &parts.0)? == holds;
    let branch = if is_taken { &parts.1 } else { &parts.2 };
    let branch = branch.resolve_name(task);
    (!matches!(branch.kind, ExprKind::If(_))).then_some(branch)
}

/// Whether two conditions always hold together (`true`) or never, apart from ties; `None` if neither is known.
fn compare_conditions(task: &Task, first: &Expr, other: &Expr) -> Option<bool> {
    let (first, other) = (first.resolve_name(task), other.resolve_name(task));
    if first.without_spans() == other.without_spans() {
        return Some(true);
    }
    if let ExprKind::Not(inner) = &other.kind {
        return compare_conditions(task, first, inner).map(|same| !same);
    }
    let (ExprKind::Binary(op, sides), ExprKind::Binary(as_op, as_sides)) = (&first.kind, &other.kind) else {
        return None;
    };
    let is_ordered = |op: &Op| matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge);
    let is_more = |op: &Op| matches!(op, Op::Gt | Op::Ge);
    let (x, y) = (sides.0.without_spans(), sides.1.without_spans());
    let (a, b) = (as_sides.0.without_spans(), as_sides.1.without_spans());
    if !is_ordered(op) || !is_ordered(as_op) {
        let is_opposite = matches!((op, as_op), (Op::Eq, Op::Ne) | (Op::Ne, Op::Eq));
        return (is_opposite && (x == a && y == b || x == b && y == a)).then_some(false);
    }
    match (x == a && y == b, x == b && y == a) {
        (true, _) => Some(is_more(op) == is_more(as_op)),
        (_, true) => Some(is_more(op) != is_more(as_op)),
        _ => None,
    }
}

/// Reports `any_of [a, b]` of drawn names that the prompt shows, if it asks which of them is right.
fn check_told_names(task: &Task, answer: &Expr, way: &Way<'_>) -> Option<Diagnostic> {
    let ExprKind::List(items) = &answer.resolve_name(task).kind else { return None };
    let is_told = |item: &Expr| match item.kind {
        ExprKind::Name(id) => {
            let is_drawn = task.names.get(id).is_some_and(|name| matches!(name.source, NameSource::Draw { .. }));
            is_drawn && way.tellings.iter().all(|telling| telling.names.contains(&id))
        }
        _ => false,
    };
    let asks = |telling: &Telling| has_any_word(&telling.lower_prompt, WHICH) && !telling.files.is_empty();
    (items.len() > 1 && items.iter().all(is_told) && way.tellings.iter().all(asks)).then(|| {
        let message = "`any_of` accepts every value that the prompt offers";
        Diagnostic::new(Code::VACUOUS_EXPECTATION, message, answer.span, "all of them are in the prompt")
            .help("compute which of them is right, and expect only that one")
    })
}

/// Reports `any_of` of all texts that a wording lists as the possible replies: "one of low, medium, high".
fn check_offered(cx: &TaskCx<'_>, answer: &Expr, way: &Way<'_>) -> Option<Diagnostic> {
    let items = list_constants(cx.task, answer)?;
    let words: Vec<String> = items.iter().map(|item| item.render_text().trim().to_lowercase()).collect();
    if !(2..=MAX_CHOICES).contains(&words.len()) || words.iter().any(String::is_empty) {
        return None;
    }
    let is_offered = |telling: &Telling| lists_exactly(&telling.lower_prompt, &words);
    way.tellings.iter().all(is_offered).then(|| {
        let message = "`any_of` accepts every reply that the prompt offers";
        let place = way.tellings.first().map(|telling| (telling.span, "lists the same texts"));
        Diagnostic::new(Code::VACUOUS_EXPECTATION, message, answer.span, "all of them are in the prompt")
            .with_labels(place)
            .help("compute which of them is right, and expect only that one")
    })
}

/// Reports `any_of [outcome, "skipped"]` where the outcome can be any of the texts that the prompt lists: the constant is accepted for each of them.
fn check_fixed_choice<'a>(cx: &TaskCx<'a>, answer: &'a Expr, way: &Way<'_>) -> Option<Diagnostic> {
    let ExprKind::List(items) = &answer.resolve_name(cx.task).kind else { return None };
    let as_constant = |item: &'a Expr| item.resolve_name(cx.task).as_constant();
    let mut open = items.iter().filter(|item| as_constant(item).is_none());
    let value = open.next().filter(|_| open.next().is_none())?;
    let fact = cx.facts().infer_expr(value, Scope::default());
    let values = fact.closed.as_deref().filter(|values| (2..=MAX_CHOICES).contains(&values.len()))?;
    let words: Vec<String> = values.iter().map(|value| value.render_text().trim().to_lowercase()).collect();
    let fixed = items.iter().find(|item| {
        let text = as_constant(item).map(|text| text.render_text().trim().to_lowercase());
        text.is_some_and(|text| !text.is_empty() && words.contains(&text))
    })?;
    let is_listed = |telling: &Telling| lists_exactly(&telling.lower_prompt, &words);
    (!words.iter().any(String::is_empty) && way.tellings.iter().all(is_listed)).then(|| {
        let shown = cx.sources.quote(fixed.span);
        let message = format!("`any_of` accepts {shown} in every sample, whatever the right answer is");
        Diagnostic::new(Code::VACUOUS_EXPECTATION, message, fixed.span, "one of the values that the answer can be")
            .label(value.span, "can be another one")
            .help("expect only the value that is right, without `any_of`")
    })
}

fn list_constants(task: &Task, answer: &Expr) -> Option<Vec<Value>> {
    let of = answer.resolve_name(task);
    match &of.kind {
        ExprKind::List(items) => items.iter().map(|item| item.resolve_name(task).as_constant().cloned()).collect(),
        _ => of.as_constant_items().map(<[Value]>::to_vec),
    }
}

/// Whether a text lists all these words and no other one: `low, medium, or high`.
fn lists_exactly(text: &str, words: &[String]) -> bool {
    let starts = words.iter().flat_map(|word| text.match_indices(word.as_str())).map(|(at, _)| at);
    let is_inner = |c: char| c.is_alphanumeric() || c == '_';
    starts.into_iter().any(|start| {
        let before = text.get(..start).unwrap_or_default();
        if before.ends_with(is_inner) || is_continued(before) {
            return false;
        }
        let mut rest = text.get(start..).unwrap_or_default();
        let mut seen: Vec<&String> = Vec::new();
        loop {
            let next = words
                .iter()
                .filter(|word| rest.strip_prefix(word.as_str()).is_some_and(|rest| !rest.starts_with(is_inner)));
            let Some(word) = next.max_by_key(|word| word.len()) else { return false };
            if !seen.contains(&word) {
                seen.push(word);
            }
            rest = rest.get(word.len()..).unwrap_or_default();
            let after = skip_separator(rest);
            if after.len() == rest.len() {
                return seen.len() == words.len();
            }
            rest = after;
        }
    })
}

/// Whether a list begins before this place.
fn is_continued(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '`', '"', '\'']);
    before.ends_with(',') || before.ends_with('/') || before.ends_with(" or")
}

/// Skips what is between two items of a list.
fn skip_separator(rest: &str) -> &str {
    let quotes = |c: char| matches!(c, '`' | '"' | '\'' | ' ' | '\n');
    let bare = rest.trim_start_matches(quotes);
    let mark = bare.trim_start_matches([',', '/', '|', ';']);
    let inner = mark.trim_start_matches(quotes);
    let word = ["or ", "and "].iter().find_map(|word| inner.strip_prefix(word));
    match word {
        Some(after) => after.trim_start_matches(quotes),
        None if mark.len() < bare.len() => inner,
        None => rest,
    }
}

/// Reports `contains` of one of several names that the prompt shows: a reply with all of them is correct.
fn check_contained<'a>(cx: &TaskCx<'a>, expect: &Expect, answer: &'a Expr, way: &Way<'_>) -> Option<Diagnostic> {
    let task = cx.task;
    if expect.matcher != Matcher::Contains || !matches!(expect.subject, Subject::Reply(None)) {
        return None;
    }
    let is_other = |other: &&Expect| !std::ptr::eq(*other, expect);
    if !way.asked.expects.iter().copied().filter(is_other).all(|other| is_weak(task, other)) {
        return None;
    }
    let message = "a reply that repeats the choices of the prompt contains every answer";
    let help = "use `text`, such as `expect reply text …` or `expect reply last line text …`";
    if are_all_offered(cx, answer, way) {
        let label = "one of the values in the prompt";
        return Some(Diagnostic::new(Code::VACUOUS_EXPECTATION, message, answer.span, label).help(help));
    }
    let mut values: Vec<&Expr> = Vec::new();
    collect_branches(task, answer, &mut values, 0).then_some(())?;
    let is_told = |value: &&Expr| match &value.kind {
        ExprKind::Name(id) => way.tellings.iter().all(|telling| telling.names.contains(id)),
        ExprKind::Const(Value::Text(text)) => {
            let text = text.to_lowercase();
            way.tellings.iter().all(|telling| has_word(&telling.lower_prompt, &text))
        }
        _ => false,
    };
    let is_several =
        values.iter().any(|value| Some(value.without_spans()) != values.first().map(|first| first.without_spans()));
    let condition: Option<Span> = find_condition(task, answer).map(|condition| condition.span);
    (is_several && values.iter().all(is_told)).then(|| {
        Diagnostic::new(Code::VACUOUS_EXPECTATION, message, answer.span, "one of the values in the prompt")
            .with_labels(condition.map(|span| (span, "decides which one")))
            .help(help)
    })
}

/// Whether every text that an answer can be is a word of each prompt.
fn are_all_offered<'a>(cx: &TaskCx<'a>, answer: &'a Expr, way: &Way<'_>) -> bool {
    let fact = cx.facts().infer_expr(answer, Scope::default());
    let Some(values) = fact.closed.as_deref().filter(|values| (2..=MAX_CHOICES).contains(&values.len())) else {
        return false;
    };
    let prompts: Vec<String> = way.tellings.iter().map(|telling| telling.prompt.to_lowercase()).collect();
    values.iter().all(|value| {
        let text = value.as_text().map(str::to_lowercase).filter(|text| text.chars().count() > 1);
        text.is_some_and(|text| prompts.iter().all(|prompt| has_word(prompt, &text)))
    })
}

/// Collects the values that an answer can be, through conditions. `false` if there is another kind of value.
fn collect_branches<'e>(task: &'e Task, value: &'e Expr, out: &mut Vec<&'e Expr>, depth: u32) -> bool {
    if depth > MAX_DEPTH || out.len() > MAX_CHOICES {
        return false;
    }
    match &value.kind {
        ExprKind::If(parts) => {
            collect_branches(task, &parts.1, out, depth + 1) && collect_branches(task, &parts.2, out, depth + 1)
        }
        ExprKind::Name(id) if let Some(source) = task.find_computed(*id) => {
            collect_branches(task, source, out, depth + 1)
        }
        ExprKind::Name(_) | ExprKind::Const(_) => {
            out.push(value);
            true
        }
        _ => false,
    }
}
