//! `impossible_predicate` and `vacuous_predicate` for the predicates in the filters of JSONPath and XPath.
//!
//! | file | concept |
//! | --- | --- |
//! | `values` | what is known of the values of a part |
//! | `judging` | what judges parts, for calls and comparisons |
//! | `truth` | whether a part can be true, and whether it can be false |
//! | `cells` | the values that a predicate reads more than once, told apart |
//! | `compare` | comparisons |
//! | `differences` | comparisons of sums, by the order of positions and columns |
//! | `together` | comparisons that exclude each other |
//! | `convert` | XPath's conversions to texts and numbers |
//! | `arithmetic` | XPath's operators |
//! | `calls`, `xpath_functions` | functions |
//! | `siblings` | nodes of siblings, by the order of their column |
//! | `rows` | whether a row with known cells meets a predicate |

mod arithmetic;
mod calls;
mod cells;
mod compare;
mod convert;
mod differences;
mod judging;
mod rows;
mod siblings;
mod together;
mod truth;
mod values;
mod xpath_functions;

use model::suite::Op;
use model::{Span, Value};

pub(crate) use self::rows::is_met_by_row;

use self::compare::Possible;
use self::judging::Judging;
use self::truth::{Judge, judge_term};
use self::values::{Class, Values};
use super::words::{self, has_large_ints};
use crate::context::TaskCx;
use hir::PathPredicate;
use hir::facts::Truth;
use hir::paths::leaf::Source;
use hir::paths::predicate::{Language, Nodes, Operation, Term, TermKind};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Reports the smallest parts of predicates that are always or never true, except those within which something has been reported. Returns their spans.
pub fn report_filter_conditions<'a>(cx: &TaskCx<'a>, told: &[Span], said: &mut Vec<Diagnostic>) -> Vec<Span> {
    // Paths compute with doubles.
    let has_large = |relation, column| has_large_ints(&cx.facts().lookup_column(relation, column));
    let mut relations = cx.task.relations.iter_enumerated();
    let predicates = &cx.task.notes.path_predicates;
    if predicates.is_empty()
        || relations.any(|(relation, own)| own.columns.keys().any(|column| has_large(relation, column)))
    {
        return Vec::new();
    }
    let mut lint = Lint { cx, told, decided: Vec::new(), said };
    for predicate in predicates {
        let cases: Vec<&Term> = predicate.predicate.cases.iter().collect();
        lint.check_term(predicate, &cases);
    }
    lint.decided
}

struct Lint<'l, 'a> {
    cx: &'l TaskCx<'a>,
    told: &'l [Span],
    decided: Vec<Span>,
    said: &'l mut Vec<Diagnostic>,
}

impl Lint<'_, '_> {
    /// Checks a part, which is given as it is in each context. Returns whether something is reported of it.
    fn check_term(&mut self, predicate: &PathPredicate, cases: &[&Term]) -> bool {
        let Some(first) = cases.first() else { return false };
        let place = find_span(predicate, first);
        if let TermKind::And(parts) | TermKind::Or(parts) = &first.kind {
            let mut is_told = false;
            for at in 0..parts.len() {
                let parts: Vec<&Term> = cases.iter().filter_map(|case| case.parts().get(at).copied()).collect();
                is_told |= parts.len() == cases.len() && self.check_term(predicate, &parts);
            }
            if is_told {
                return true;
            }
        }
        if let TermKind::Not(_) = &first.kind {
            let inner: Vec<&Term> = cases.iter().filter_map(|case| case.parts().first().copied()).collect();
            return inner.len() == cases.len() && self.check_term(predicate, &inner);
        }
        if self.told.iter().any(|told| place.is_enclosing(*told)) {
            return true;
        }
        let Some(truth) = self.decide(predicate.predicate.language, cases) else { return false };
        if !self.decided.contains(&place) {
            self.decided.push(place);
            let diagnostic = build_diagnostic(self.cx, (predicate, cases), truth);
            self.said.push(diagnostic);
        }
        true
    }

    /// Whether a part is always or never true. `None` if it is neither, or not about the data.
    fn decide(&self, language: Language, cases: &[&Term]) -> Option<Truth> {
        let mut all = Possible::NONE;
        for case in cases {
            if !is_about_data(case) {
                return None;
            }
            all = all.join(judge_term(self.cx.facts(), language, case));
            if all == Possible::ANY {
                return None;
            }
        }
        all.is_decided().then_some(if all.is_true { Truth::Always } else { Truth::Never })
    }
}

/// Whether a part reads nodes or positions. A text by itself is a slip, too: it is true.
fn is_about_data(term: &Term) -> bool {
    let mut found = matches!(&term.kind, TermKind::Literal(Value::Text(_)));
    term.visit_parts(&mut |part| {
        found |= matches!(part.kind, TermKind::Nodes(_) | TermKind::Position(..) | TermKind::Last(..));
    });
    found
}

fn find_span(predicate: &PathPredicate, term: &Term) -> Span {
    let path = predicate.path;
    let place = |at: usize| path.start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX)).min(path.end);
    Span::new(path.file, place(term.place.0), place(term.place.1))
}

fn build_diagnostic<'a>(cx: &TaskCx<'a>, (predicate, cases): (&PathPredicate, &[&Term]), truth: Truth) -> Diagnostic {
    let place = cases.first().map_or(predicate.path, |term| find_span(predicate, term));
    let written = cx.sources.text(place);
    let (code, word) = match truth {
        Truth::Always => (Code::VACUOUS_PREDICATE, "always"),
        _ => (Code::IMPOSSIBLE_PREDICATE, "never"),
    };
    let mut said = Diagnostic::new(code, format!("`{written}` is {word} true"), place, word);
    let mut labelled = Vec::new();
    for case in cases {
        case.visit_parts(&mut |part| {
            let TermKind::Nodes(nodes) = &part.kind else { return };
            labelled.extend(list_columns(nodes).filter(|column| !labelled.contains(column)).collect::<Vec<_>>());
        });
    }
    for (relation, column) in labelled {
        if let Some(declared) = cx.task.find_column((relation, column)) {
            said = words::label_with_fact(said, Some(declared.span), &cx.facts().lookup_column(relation, column));
        }
    }
    let Some(first) = cases.first() else { return said };
    let language = predicate.predicate.language;
    match &first.kind {
        TermKind::Nodes(_) if truth == Truth::Always => said.help(match language {
            Language::Json => {
                "the key is always there, also where its value is null: compare it with a value, such as `!= null`"
            }
            Language::XPath => "it is always there: compare it with a value, or remove the condition",
        }),
        TermKind::Nodes(_) => said.help("it is never there: name something that only some have"),
        TermKind::Operation(Operation::Compare(op), sides) => {
            let judge = Judge { facts: Some(cx.facts()), language, cells: cells::Cells::default() };
            match (judge.infer(&sides.0), judge.infer(&sides.1)) {
                (Some(a), Some(b)) => advise(cx, said, (place, language), (*op, &a, &b), truth),
                _ => said,
            }
        }
        TermKind::Literal(_) => said.help("a text by itself is true: compare something with it"),
        TermKind::Call(name, _) if name == "boolean" => said.help("compare it with a value, or remove the condition"),
        TermKind::Call(..) => said.help("write a pattern that some of the values meet and others do not"),
        TermKind::And(_) if truth == Truth::Never => {
            said.help("no value meets all of these conditions: join them with `or`, or change one of them")
        }
        TermKind::Or(_) if truth == Truth::Always => {
            said.help("every value meets one of these conditions: join them with `and`, or change one of them")
        }
        _ => said,
    }
}

fn list_columns(nodes: &Nodes) -> impl Iterator<Item = (model::suite::RelationId, model::suite::ColumnId)> + '_ {
    nodes.kinds.iter().filter_map(|kind| match kind.leaf.as_ref()?.source {
        Source::Cells(relation, column) => Some((relation, column)),
        _ => None,
    })
}

/// Adds what to write instead of a comparison.
fn advise(
    cx: &TaskCx<'_>,
    said: Diagnostic,
    (place, language): (Span, Language),
    (op, a, b): (Op, &Values<'_>, &Values<'_>),
    truth: Truth,
) -> Diagnostic {
    let (literal, other) = if a.literal { (a, b) } else { (b, a) };
    let (Some(literal), Some(kind)) = (literal.kinds.first(), other.kinds.first()) else { return said };
    let value = literal.known.fact.as_single_value();
    if language == Language::XPath && !matches!(op, Op::Eq | Op::Ne) && kind.of_time {
        let help = "XPath 1.0 orders only numbers: compare the year with `substring(…, 1, 4)`, or `translate(…, '-', '')` with 20240131";
        return said.help(help);
    }
    if language == Language::XPath && literal.class == Class::Bool {
        let word = if value == Some(&Value::Bool(false)) { "false" } else { "true" };
        return said.help(format!("a path is true wherever it leads to something: compare its text, `= '{word}'`"));
    }
    if language == Language::Json && kind.class != literal.class {
        return advise_on_class(cx, said, place, (value, kind.class));
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
    place: Span,
    (value, class): (Option<&Value>, Class),
) -> Diagnostic {
    let what = match class {
        Class::Text => "a text",
        Class::Number => "a number",
        Class::Bool => "a bool",
        Class::Null => "null",
        Class::Compound => "an object or an array",
        Class::NotANumber => "no number",
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
    let written = cx.sources.text(place);
    let quoted = match value {
        Some(Value::Text(text)) => vec![format!("'{text}'"), format!("\"{text}\"")],
        Some(value) => vec![value.render_text().into_owned()],
        None => Vec::new(),
    };
    let found = quoted.iter().find_map(|quoted| Some((written.rfind(quoted.as_str())?, quoted.len())));
    let literal = found.and_then(|(at, length)| {
        let start = place.start.checked_add(u32::try_from(at).ok()?)?;
        Some(Span::new(place.file, start, start.checked_add(u32::try_from(length).ok()?)?))
    });
    match literal {
        Some(literal) => {
            said.help(help).fix(format!("replace with {instead}"), Applicability::Unsafe, literal, instead)
        }
        None => said.help(help),
    }
}
