//! `impossible_predicate` and `vacuous_predicate` for conditions in the filters of JSONPath and XPath.

use model::suite::Op;
use model::{Span, Value};

use super::filter_sides::{Class, SideFacts, infer_side};
use super::filter_truth::judge_condition;
use super::words;
use crate::context::TaskCx;
use hir::PathCondition;
use hir::facts::{Facts, Truth};
use hir::paths::condition::{Language, Operand, Test};
use hir::paths::leaf::Source;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Reports every condition that is always or never true, except those within which something has been reported. Returns their spans.
pub fn report_filter_conditions<'a>(
    cx: &TaskCx<'a>,
    facts: &Facts<'a>,
    told: &[Span],
    said: &mut Vec<Diagnostic>,
) -> Vec<Span> {
    let mut decided = Vec::new();
    for condition in &cx.task.notes.path_conditions {
        if told.iter().any(|told| condition.place.is_enclosing(*told)) {
            continue;
        }
        let Some(possible) = judge_condition(facts, condition) else { continue };
        let truth = match (possible.is_true, possible.is_false) {
            (true, false) => Truth::Always,
            (false, true) => Truth::Never,
            _ => continue,
        };
        decided.push(condition.place);
        said.push(build_diagnostic(cx, facts, condition, truth));
    }
    decided
}

fn build_diagnostic<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, condition: &PathCondition, truth: Truth) -> Diagnostic {
    let written = cx.sources.text(condition.place);
    let (code, word) = match truth {
        Truth::Always => (Code::VACUOUS_PREDICATE, "always"),
        _ => (Code::IMPOSSIBLE_PREDICATE, "never"),
    };
    let mut said = Diagnostic::new(code, format!("`{written}` is {word} true"), condition.place, word);
    let operands: Vec<&Operand> = match &condition.test {
        Test::Compare(_, left, right) => vec![left, right],
        Test::Exists(operand) | Test::Matches(operand, ..) => vec![operand],
    };
    for operand in &operands {
        let (Operand::Values(reached) | Operand::Lengths(reached) | Operand::Part(reached, ..)) = operand else {
            continue;
        };
        for leaf in &reached.leaves {
            if let Source::Cells(relation, column) = leaf.source
                && let Some(declared) = cx.task.find_column((relation, column))
            {
                said = words::label_with_fact(said, Some(declared.span), &facts.lookup_column(relation, column));
            }
        }
    }
    match &condition.test {
        Test::Exists(_) => said.help(match condition.language {
            Language::Json => {
                "the key is always there, also where its value is null: compare it with a value, such as `!= null`"
            }
            Language::XPath => "it is always there: compare it with a value, or remove the condition",
        }),
        Test::Compare(op, left, right) => {
            let side = |operand| infer_side(facts, operand, condition.language);
            match (side(left), side(right)) {
                (Some(a), Some(b)) => advise(cx, said, condition, (*op, &a, &b), truth),
                _ => said,
            }
        }
        Test::Matches(..) => said.help("write a pattern that some of the values meet and others do not"),
    }
}

/// Adds what to write instead of a comparison.
fn advise(
    cx: &TaskCx<'_>,
    said: Diagnostic,
    condition: &PathCondition,
    (op, a, b): (Op, &SideFacts<'_>, &SideFacts<'_>),
    truth: Truth,
) -> Diagnostic {
    let (literal, other) = if a.literal { (a, b) } else { (b, a) };
    let (Some(literal), Some(kind)) = (literal.kinds.first(), other.kinds.first()) else { return said };
    let value = literal.known.fact.as_single_value();
    if condition.language == Language::XPath && !matches!(op, Op::Eq | Op::Ne) && kind.of_time {
        let help = "XPath 1.0 orders only numbers: compare the year with `substring(…, 1, 4)`, or `translate(…, '-', '')` with 20240131";
        return said.help(help);
    }
    if condition.language == Language::XPath && literal.class == Class::Bool {
        let word = if value == Some(&Value::Bool(false)) { "false" } else { "true" };
        return said.help(format!("a path is true wherever it leads to something: compare its text, `= '{word}'`"));
    }
    if condition.language == Language::Json && kind.class != literal.class {
        return advise_on_class(cx, said, condition, (value, kind.class));
    }
    if let Some(Value::Text(word)) = value
        && let Some((near, _)) = words::find_nearest_text(word, kind.known.fact.closed.iter().flatten())
    {
        return said.help(format!("did you mean '{near}'?"));
    }
    match truth {
        Truth::Always => said.help("remove the condition, or compare with a value that only some have"),
        _ => said.help("compare with a value that can occur there"),
    }
}

/// Explains a comparison of values of different types, which are never equal in JSONPath.
fn advise_on_class(
    cx: &TaskCx<'_>,
    said: Diagnostic,
    condition: &PathCondition,
    (value, class): (Option<&Value>, Class),
) -> Diagnostic {
    let what = match class {
        Class::Text => "a text",
        Class::Number => "a number",
        Class::Bool => "a bool",
        Class::Null => "null",
        Class::Compound => "an object or an array",
    };
    let said = said.note(format!("the value is {what}, and values of different types are never equal"));
    let instead = match (value, class) {
        (Some(Value::Text(text)), Class::Number) if text.parse::<f64>().is_ok_and(f64::is_finite) => text.clone(),
        (Some(Value::Text(text)), Class::Bool) if ["true", "false"].contains(&text.as_str()) => text.clone(),
        (Some(Value::Int(number)), Class::Text) => format!("'{number}'"),
        (Some(Value::Bool(value)), Class::Text) => format!("'{value}'"),
        _ => return said.help(format!("compare it with {what}")),
    };
    let help = format!("write `{instead}`");
    let written = cx.sources.text(condition.place);
    let quoted = match value {
        Some(Value::Text(text)) => vec![format!("'{text}'"), format!("\"{text}\"")],
        Some(value) => vec![value.render_text().into_owned()],
        None => Vec::new(),
    };
    let found = quoted.iter().find_map(|quoted| Some((written.rfind(quoted.as_str())?, quoted.len())));
    let place = found.and_then(|(at, length)| {
        let start = condition.place.start.checked_add(u32::try_from(at).ok()?)?;
        Some(Span::new(condition.place.file, start, start.checked_add(u32::try_from(length).ok()?)?))
    });
    match place {
        Some(place) => said.help(help).fix(format!("replace with {instead}"), Applicability::Unsafe, place, instead),
        None => said.help(help),
    }
}
