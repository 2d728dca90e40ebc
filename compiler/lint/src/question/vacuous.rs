//! `vacuous_expectation` for patterns, texts, lists, and objects: a fixed reply meets the expectation whatever the answer is.

use model::pattern::compile_anchored;
use model::pointer::escape_step;
use model::suite::matchers::Takes;
use model::suite::{Matcher, Scope};
use model::{Span, Value};
use syntax::prompts::english::lints::SUPERLATIVES;

use super::prompt_content::{Way, has_any_word};
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, ColumnSource, Expect, Expr, ExprKind, Task};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::fmt::shorten_text;

/// Replies of one kind. A pattern that fits all of them accepts every reply of the kind.
struct Kind {
    /// What the pattern accepts, for messages.
    accepts: &'static str,
    /// Whether a pattern that accepts them is vacuous next to any other expectation.
    always: bool,
    samples: &'static [&'static str],
}

/// Replies of any form; the last one has two lines.
const REPLIES: &[&str] = &[
    "yes",
    "0",
    "-12.5",
    "I do not know.",
    "The answer is 7, not 9!",
    "a: b; (c)",
    "[1, 2]",
    "Ä ß 東京",
    "x",
    "first\nsecond",
];

const LINES: &[&str] = match REPLIES {
    [lines @ .., _] => lines,
    [] => &[],
};

const KINDS: &[Kind] = &[
    Kind { accepts: "every reply", always: true, samples: REPLIES },
    Kind { accepts: "every line", always: true, samples: LINES },
    Kind { accepts: "every number", always: false, samples: &["0", "1", "7", "12", "345", "6789", "10000"] },
    Kind { accepts: "every number with two decimals", always: false, samples: &["0.10", "3.14", "12.50", "999.99"] },
    Kind { accepts: "every word", always: false, samples: &["apple", "unknown", "north", "yellow"] },
    Kind { accepts: "every word", always: false, samples: &["Apple", "Unknown", "North", "Yellow"] },
    Kind { accepts: "every word", always: false, samples: &["APPLE", "UNKNOWN", "NORTH", "YELLOW"] },
    Kind { accepts: "every name", always: false, samples: &["Anna Smith", "John Doe", "Maria Lopez"] },
    Kind { accepts: "every date", always: false, samples: &["2024-01-01", "1999-12-31", "2030-06-15"] },
    Kind { accepts: "every date", always: false, samples: &["01.02.2024", "31.12.1999", "15.06.2030"] },
    Kind { accepts: "every date", always: false, samples: &["01/02/2024", "12/31/1999", "06/15/2030"] },
];

/// Words of which each is the opposite of the other.
const OPPOSITES: &[(&str, &str)] = &[
    ("yes", "no"),
    ("true", "false"),
    ("y", "n"),
    ("pass", "fail"),
    ("passed", "failed"),
    ("valid", "invalid"),
    ("even", "odd"),
    ("correct", "incorrect"),
    ("match", "mismatch"),
];

pub(super) fn report_vacuous_expectations<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let lint = Lint { cx, task: cx.task };
    for way in ways {
        for expect in &way.asked.expects {
            let new = lint.check_pattern(expect, way).or_else(|| lint.check_expect(expect, way));
            new.into_iter().for_each(|new| report_once(new, said));
        }
    }
}

struct Lint<'l, 'a> {
    cx: &'l TaskCx<'a>,
    task: &'a Task,
}

impl<'a> Lint<'_, 'a> {
    fn check_expect(&self, expect: &'a Expect, way: &Way<'_>) -> Option<Diagnostic> {
        let answer = expect.answer_expr().filter(|answer| !answer.is_broken())?;
        if expect.is_any_of() {
            return self.check_accepted_list(expect, answer, way);
        }
        match expect.matcher.record().takes {
            Takes::Json | Takes::List => check_open_object(expect, answer, String::new()),
            Takes::One if expect.matcher == Matcher::Contains && expect.among.is_none() => self.check_contained(answer),
            _ => None,
        }
    }

    /// Reports a pattern that accepts every reply, or every reply of a kind where nothing else is expected.
    fn check_pattern(&self, expect: &'a Expect, way: &Way<'_>) -> Option<Diagnostic> {
        if expect.matcher.record().takes != Takes::Pattern {
            return None;
        }
        let answer = expect.answer_expr()?;
        let of = answer.resolve_name(self.task);
        let patterns: Vec<(String, bool)> = match &of.kind {
            ExprKind::Concat(pieces) => vec![(build_sample_pattern(pieces), false)],
            _ => {
                of.as_constant_items()?.iter().filter_map(Value::as_text).map(|text| (text.to_owned(), true)).collect()
            }
        };
        let alone = !self.task.notes.is_static
            && self.task.each.is_none()
            && way.asked.expects.iter().all(|other| is_weak(self.task, other));
        let found = patterns.iter().find_map(|(source, fixed)| {
            let whole = compile_anchored(source).ok()?;
            let fits = |kind: &&Kind| {
                (kind.always || (alone && *fixed)) && kind.samples.iter().all(|sample| whole.is_match(sample))
            };
            let both = |(yes, no): &&(&str, &str)| whole.is_match(yes) && whole.is_match(no);
            match KINDS.iter().find(fits) {
                Some(kind) => Some(kind.accepts.to_owned()),
                None => OPPOSITES
                    .iter()
                    .filter(|_| alone && *fixed)
                    .find(both)
                    .map(|(yes, no)| format!("`{yes}` and `{no}`")),
            }
        });
        let message = format!("the pattern accepts {}", found?);
        let help = match &expect.subject {
            hir::Subject::File(_) => "expect the content, such as `text` or `number`, or only that the file `exists`",
            _ => "compare the reply with the computed answer, such as `number` or `text`, or put it into the pattern",
        };
        Some(build_diagnostic(message, answer.span, "does not depend on the answer").help(help))
    }

    /// Reports `contains` of a single character.
    fn check_contained(&self, answer: &'a Expr) -> Option<Diagnostic> {
        let fact = self.cx.facts().infer_expr(answer, Scope::default());
        let values = fact.closed.as_deref().filter(|values| !values.is_empty())?;
        let is_short = |value: &Value| {
            let text = value.render_text();
            text.chars().count() == 1 && text.chars().all(char::is_alphanumeric)
        };
        if !values.iter().all(is_short) {
            return None;
        }
        let shown: Vec<String> = values.iter().take(10).map(|value| value.render_text().into_owned()).collect();
        let message = match shown.as_slice() {
            [one] => format!("most replies contain `{one}`"),
            all => format!("the reply `{}` contains every answer", all.join(" ")),
        };
        let help = match answer.ty.is_number() {
            true => "use `number`, such as `expect reply number …` or `expect reply last line number …`",
            false => "use `text`, such as `expect reply text …` or `expect reply last line text …`",
        };
        Some(build_diagnostic(message, answer.span, "a single character").help(help))
    }

    /// Reports `any_of` with opposite answers, with all values of a domain, or with all values of a column.
    fn check_accepted_list(&self, expect: &'a Expect, answer: &'a Expr, way: &Way<'_>) -> Option<Diagnostic> {
        if expect.matcher.record().takes == Takes::Pattern {
            return None;
        }
        let of = answer.resolve_name(self.task);
        if let ExprKind::Call(function, args) = &of.kind {
            let [Arg::Column { relation, column, filter: None }] = args.as_slice() else { return None };
            // A prompt can ask for any of the values, but not with these words.
            let is_special =
                |telling: &super::prompt_content::Telling| has_any_word(&telling.lower_prompt, SUPERLATIVES);
            if !function.is_value_list() || !way.tellings.iter().any(is_special) {
                return None;
            }
            let column = self.task.find_column((*relation, *column))?;
            let message = format!("`any_of` accepts every value of `{}`", column.name);
            let said = build_diagnostic(message, answer.span, "all values of the column");
            return Some(said.label(column.span, "declared here").help("list only the correct values, with `where`"));
        }
        let items: Vec<Value> = match &of.kind {
            ExprKind::List(items) => {
                items.iter().map(|item| item.resolve_name(self.task).as_constant().cloned()).collect::<Option<_>>()?
            }
            _ => of.as_constant_items()?.to_vec(),
        };
        let words: Vec<String> = items.iter().map(|item| item.render_text().trim().to_lowercase()).collect();
        let has = |word: &str| words.iter().any(|known| known == word);
        if let Some((yes, no)) = OPPOSITES.iter().find(|(yes, no)| has(yes) && has(no)) {
            let message = format!("`any_of` accepts both `{yes}` and `{no}`");
            let said = build_diagnostic(message, answer.span, "opposite answers");
            return Some(said.help("compute the answer: if … then \"yes\" else \"no\""));
        }
        let (name, declared) = self.find_covered_domain(&items)?;
        let message = format!("`any_of` accepts every value of `{name}`");
        let said = build_diagnostic(message, answer.span, "all of its values");
        Some(said.label(declared, "declared here").help(format!("compute the answer from `{name}`")))
    }

    /// Finds a draw of which all values are among the items.
    fn find_covered_domain(&self, items: &[Value]) -> Option<(&'a str, Span)> {
        let covers = |fact: hir::facts::Fact<'_>| {
            let values = fact.closed.as_deref().unwrap_or_default();
            values.len() > 1 && values.iter().all(|value| items.iter().any(|item| item.is_same(value)))
        };
        let facts = self.cx.facts();
        let names = self.task.names.iter_enumerated().filter(|(_, name)| name.source.draw().is_some());
        for (id, name) in names {
            if covers(facts.lookup_name(id)) {
                return Some((&name.name, name.span));
            }
        }
        // A computed text is the answer that was meant.
        let computed =
            self.task.names.iter_enumerated().filter_map(|(id, name)| Some((name, self.task.find_computed(id)?)));
        for (name, value) in computed.filter(|(_, value)| value.ty.kind == TyKind::Text) {
            if covers(facts.infer_expr(value, Scope::default())) {
                return Some((&name.name, name.span));
            }
        }
        for (id, relation) in self.task.relations.iter_enumerated() {
            for (column, declared) in relation.iter_own_columns() {
                if matches!(declared.source, ColumnSource::Draw { .. }) && covers(facts.lookup_column(id, column)) {
                    return Some((&declared.name, declared.span));
                }
            }
        }
        None
    }
}

/// Whether an expectation does not compare with an answer that depends on the sample.
pub(super) fn is_weak(task: &Task, expect: &Expect) -> bool {
    match (&expect.subject, expect.answer_expr()) {
        (hir::Subject::Files(_) | hir::Subject::Tree(_) | hir::Subject::Only(_) | hir::Subject::Unchanged(_), _) => {
            true
        }
        (_, Some(answer)) => {
            expect.matcher.record().takes == Takes::Pattern && answer.resolve_name(task).as_constant().is_some()
        }
        (_, None) => expect.content_file().is_none(),
    }
}

/// The pattern with a word that no reply contains in place of each placeholder.
fn build_sample_pattern(pieces: &[Expr]) -> String {
    let piece = |piece: &Expr| match piece.as_constant() {
        Some(value) => value.render_text().into_owned(),
        None => "qzxjk".to_owned(),
    };
    pieces.iter().map(piece).collect()
}

/// Reports an object without keys that may have any others.
fn check_open_object(expect: &Expect, value: &Expr, pointer: String) -> Option<Diagnostic> {
    match &value.kind {
        ExprKind::Object(fields) if fields.is_empty() => build_open_diagnostic(expect, value.span, &pointer),
        ExprKind::Const(constant) => {
            let pointer = find_empty_object(constant, pointer)?;
            build_open_diagnostic(expect, value.span, &pointer)
        }
        ExprKind::Object(fields) => fields
            .iter()
            .find_map(|(key, inner)| check_open_object(expect, inner, format!("{pointer}/{}", escape_step(key)))),
        ExprKind::List(items) => {
            items.iter().enumerate().find_map(|(at, inner)| check_open_object(expect, inner, format!("{pointer}/{at}")))
        }
        _ => None,
    }
}

/// Finds the first object without keys in a constant.
fn find_empty_object(value: &Value, pointer: String) -> Option<String> {
    match value {
        Value::Object(fields) if fields.is_empty() => Some(pointer),
        Value::Object(fields) => {
            fields.iter().find_map(|(key, inner)| find_empty_object(inner, format!("{pointer}/{}", escape_step(key))))
        }
        Value::List(items) => {
            items.iter().enumerate().find_map(|(at, inner)| find_empty_object(inner, format!("{pointer}/{at}")))
        }
        _ => None,
    }
}

fn build_open_diagnostic(expect: &Expect, span: Span, pointer: &str) -> Option<Diagnostic> {
    let is_open = expect.find_governing_options(pointer).is_some_and(|options| options.open);
    let message = match pointer.trim_start_matches('/') {
        "" => "every object is accepted: it is `open` and has no keys".to_owned(),
        key => format!("every object `{key}` is accepted: it is `open` and has no keys"),
    };
    let said = || build_diagnostic(message, span, "no key").help("list the keys that the reply must have");
    is_open.then(said)
}

fn build_diagnostic(message: String, span: Span, label: &str) -> Diagnostic {
    Diagnostic::new(Code::VACUOUS_EXPECTATION, shorten_text(&message, 200), span, label)
}
