//! `impossible_predicate` and `vacuous_predicate` for comparisons with texts in the filters of JSONPath and XPath.

use model::{Span, Value, ValueType};

use super::words;
use crate::context::TaskCx;
use hir::PathTest;
use hir::facts::{Fact, Facts};
use hir::paths::leaf::Source;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Reports every text that its other side never equals. Returns the spans of these texts.
pub fn report_path_predicates<'a>(cx: &TaskCx<'a>, said: &mut Vec<Diagnostic>) -> Vec<Span> {
    let mut decided = Vec::new();
    for test in &cx.task.notes.path_tests {
        if let Some(diagnostic) = check_path_test(cx, test) {
            decided.push(test.literal);
            said.push(diagnostic);
        }
    }
    decided
}

fn check_path_test(cx: &TaskCx<'_>, test: &PathTest) -> Option<Diagnostic> {
    let wanted = Value::from_text(test.text.as_str());
    // A null in XML is an empty text.
    if test.sources.is_empty() || test.text.is_empty() {
        return None;
    }
    let known: Vec<Fact<'_>> =
        test.sources.iter().map(|source| infer_texts(cx.facts(), source)).collect::<Option<_>>()?;
    if known.iter().any(|fact| fact.can_be(&wanted)) {
        return None;
    }
    let written = cx.sources.text(test.literal);
    let (code, always) = match test.equal {
        true => (Code::IMPOSSIBLE_PREDICATE, ""),
        false => (Code::VACUOUS_PREDICATE, ": `!=` is always true"),
    };
    let message = format!("the compared value is never {written}{always}");
    let mut said = Diagnostic::new(code, message, test.literal, "matches nothing");
    for (source, fact) in test.sources.iter().zip(&known) {
        let Source::Cells(relation, column) = source else { continue };
        let declared = cx.task.find_column((*relation, *column))?;
        said = words::label_with_fact(said, Some(declared.span), fact);
    }
    let values = known.iter().filter_map(|fact| fact.closed.as_ref()).flatten();
    let Some((near, clear)) = words::find_nearest_text(&test.text, values) else {
        return Some(said.help("compare with a value that can occur there"));
    };
    let said = said.help(format!("did you mean \"{near}\"?"));
    let Some(quote) = written.chars().next().filter(|quote| !near.contains([*quote, '\\'])) else { return Some(said) };
    let literal = format!("{quote}{near}{quote}");
    let applicability = Applicability::from_clearness(clear);
    Some(said.fix(format!("replace with {literal}"), applicability, test.literal, literal))
}

/// Infers the values of a source. Returns `None` if nothing is known of it.
pub fn infer_source<'a>(facts: &Facts<'a>, source: &Source) -> Option<Fact<'a>> {
    match source {
        Source::Unknown => None,
        Source::Texts(texts) => Some(Fact::from_values(texts.iter().map(|text| Value::from_text(text.as_str())))),
        Source::Cells(relation, column) => Some(facts.lookup_column(*relation, *column)),
    }
}

/// Infers the texts of a source. Returns `None` if they are not known, or not only texts.
fn infer_texts<'a>(facts: &Facts<'a>, source: &Source) -> Option<Fact<'a>> {
    let fact = infer_source(facts, source)?;
    let all_texts = match (&fact.closed, fact.domain) {
        (Some(values), _) => values.iter().all(|value| matches!(value, Value::Text(_))),
        (None, Some(domain)) => domain.value_type() == ValueType::Text && domain.cardinality().is_some(),
        (None, None) => false,
    };
    all_texts.then_some(fact)
}
