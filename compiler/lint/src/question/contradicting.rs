//! `contradicting_expectations`: two expectations of a way of asking that no response meets together. `repeated_expectation`: the same one twice.

use model::Span;
use model::functions::Results;
use model::pattern::compile_anchored;
use model::suite::matchers::Takes;
use model::suite::{Matcher, Op, Options, Scope};

use super::nothing::{is_absent_initially, is_present_initially};
use super::paths::{Template, as_constant, resolve_path_list};
use super::places::{Place, list_needed_files};
use super::prompt_content::Way;
use crate::context::TaskCx;
use hir::facts::{Fact, Truth, compare_facts};
use hir::types::TyKind;
use hir::{Arg, Expect, Expr, ExprKind, NameSource, Slice, Subject, Task};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_contradictions<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    if ways.iter().all(|way| way.asked.expects.len() < 2) {
        return;
    }
    let contradictions = Contradictions { cx, task: cx.task };
    let mut known: Vec<(Span, Span)> = Vec::new();
    for way in ways {
        for (index, later) in way.asked.expects.iter().enumerate() {
            for first in way.asked.expects.iter().take(index) {
                let pair = (first.span, later.span);
                // Variants share the expectations of the task.
                if known.contains(&pair) || first.span == later.span {
                    continue;
                }
                if let Some(new) = contradictions.check_pair(first, later) {
                    known.push(pair);
                    said.push(new);
                    break;
                }
            }
        }
    }
}

/// What to do about two expectations of one place.
const ELSEWHERE: &str = "remove one of them, or expect them at different places, such as `last line` or a file";

struct Contradictions<'l, 'a> {
    task: &'a Task,
    cx: &'l TaskCx<'a>,
}

impl<'a> Contradictions<'_, 'a> {
    fn check_pair(&self, first: &'a Expect, later: &'a Expect) -> Option<Diagnostic> {
        let missing = self.explain_missing_file(first, later).or_else(|| self.explain_missing_file(later, first));
        if let Some((why, help)) = missing {
            return Some(build_contradiction(first, later, why).help(help));
        }
        let (place, other) = (Place::from_expect(self.task, first)?, Place::from_expect(self.task, later)?);
        if is_whole_number(first, later) || is_whole_number(later, first) {
            let why = self.explain_difference(first, later)?;
            let message = format!("a reply that is only a number is its own last line, and {why}");
            return Some(build_contradiction(first, later, message).help(ELSEWHERE));
        }
        if !place.is_same(&other) {
            return self
                .explain_missing_part(first, later)
                .or_else(|| self.explain_missing_part(later, first))
                .map(|why| build_contradiction(first, later, why).help(ELSEWHERE));
        }
        if first.at != later.at || first.read != later.read {
            return None;
        }
        if is_repeated(self.task, first, later) {
            return Some(build_repetition(first, later));
        }
        if is_changed(self.task, first, later) || is_changed(self.task, later, first) {
            let why = "a file that is changed is not `unchanged`".to_owned();
            return Some(build_contradiction(first, later, why).help(ELSEWHERE));
        }
        let why = self
            .explain_difference(first, later)
            .or_else(|| explain_list(first, later))
            .or_else(|| explain_list(later, first))
            .or_else(|| self.explain_uncontained(first, later))
            .or_else(|| self.explain_uncontained(later, first))?;
        let why = format!("both compare {}, and {why}", place.describe());
        Some(build_contradiction(first, later, why).help(ELSEWHERE))
    }

    /// `absent` of a file that another expectation needs, and `tree only` without it: why, and the help.
    fn explain_missing_file(&self, one: &'a Expect, other: &'a Expect) -> Option<(String, String)> {
        let needed = list_needed_files(self.task, other);
        match (&one.subject, one.matcher) {
            (Subject::File(path), Matcher::Absent) => {
                let absent = Template::from_expr(self.task, path);
                let is_needed = needed.iter().any(|path| path.is_same_file(&absent));
                is_needed.then(|| ("a file that is `absent` does not exist".to_owned(), ELSEWHERE.to_owned()))
            }
            (Subject::Only(_), _) if matches!(other.subject, Subject::File(_) | Subject::Files(_)) => {
                let listed = list_needed_files(self.task, one);
                let given = |path: &Template| {
                    self.task.files.iter().any(|file| Template::from_expr(self.task, &file.path).is_same_file(path))
                };
                let is_fixed = |path: &Template| path.components.iter().all(|parts| as_constant(parts).is_some());
                let all_fixed = listed.iter().all(is_fixed)
                    && self.task.files.iter().all(|file| is_fixed(&Template::from_expr(self.task, &file.path)));
                let is_hidden = |path: &Template| path.format_path(self.task).starts_with(['.', '_']);
                let missing = needed.iter().find(|path| {
                    is_fixed(path)
                        && !is_hidden(path)
                        && !given(path)
                        && !listed.iter().any(|known| known.is_same_file(path))
                });
                let missing = missing.filter(|_| all_fixed)?;
                let path = missing.format_path(self.task);
                Some((format!("`tree only` does not list `{path}`"), format!("add it to the list: \"{path}\"")))
            }
            (Subject::Unchanged(except), _) => self.explain_forbidden_change(except, other),
            _ => None,
        }
    }

    /// `tree unchanged` without an exception for what another expectation changes.
    fn explain_forbidden_change(&self, except: &'a hir::Expr, other: &'a Expect) -> Option<(String, String)> {
        let changed = match (&other.subject, other.matcher) {
            (Subject::File(path), Matcher::Absent) => {
                Some(Template::from_expr(self.task, path)).filter(|path| is_present_initially(self.task, path))
            }
            (Subject::File(path), Matcher::Database) => Some(Template::from_expr(self.task, path)),
            _ => list_needed_files(self.task, other).into_iter().find(|path| is_absent_initially(self.task, path)),
        }?;
        let except = resolve_path_list(self.task, except)?;
        let except: Vec<Template> = except.iter().map(|path| Template::from_expr(self.task, path)).collect();
        let is_fixed = |path: &Template| path.components.iter().all(|parts| as_constant(parts).is_some());
        let covers = |known: &Template| {
            let length = changed.components.len().min(known.components.len());
            let above = Template {
                components: changed.components.iter().take(length).cloned().collect(),
                folder: changed.folder,
            };
            (known.folder || length == changed.components.len()) && known.is_same_file(&above)
        };
        // A lake can have the file, too.
        let is_known = is_fixed(&changed) && except.iter().all(is_fixed) && self.task.lakes.is_empty();
        if !is_known || except.iter().any(covers) {
            return None;
        }
        let changed = changed.format_path(self.task);
        let write = |path: &Template| path.format_path(self.task) + if path.folder { "/" } else { "" };
        let all = except.iter().map(write).chain([changed.clone()]);
        let all: Vec<String> = all.map(|path| format!("\"{path}\"")).collect();
        let help = format!("write: expect tree unchanged except [{}]", all.join(", "));
        Some((format!("`tree unchanged` does not except `{changed}`"), help))
    }

    /// A reply that is only a number, and a text in it after which something else is expected.
    fn explain_missing_part(&self, whole: &'a Expect, part: &'a Expect) -> Option<String> {
        let (Subject::Reply(None), Subject::Reply(Some(slice))) = (&whole.subject, &part.subject) else { return None };
        let is_number = whole.matcher == Matcher::Number && whole.at.is_none();
        if let Slice::Tag(name) = slice {
            return is_number.then(|| format!("a reply that is only a number does not contain `<{name}>`"));
        }
        let Slice::After(marker) = slice else { return None };
        let marker = marker.resolve_name(self.task).as_constant()?.as_text()?;
        let has_letters = marker.chars().filter(|c| c.is_alphabetic()).count() > 3;
        (is_number && has_letters)
            .then(|| format!("a reply that is only a number does not contain `{}`", marker.trim()))
    }

    /// Two exact values that cannot be equal.
    fn explain_difference(&self, first: &'a Expect, later: &'a Expect) -> Option<String> {
        let (a, b) = (self.read_exact(first)?, self.read_exact(later)?);
        if let (ExprKind::Object(fields), ExprKind::Object(others)) = (&a.expr.kind, &b.expr.kind) {
            return self.explain_objects((&a, fields), (&b, others));
        }
        let is_object = |value: &Exact<'_>| matches!(value.expr.kind, ExprKind::Object(_));
        if is_object(&a) != is_object(&b) {
            let other = if is_object(&a) { &b } else { &a };
            let is_plain = |text: &String| !text.contains(['{', '`']);
            let is_word = list_words(&self.infer(other.expr))
                .is_some_and(|texts| !texts.is_empty() && texts.iter().all(is_plain));
            let scalar =
                other.takes == Takes::Number || other.takes == Takes::One && (other.expr.ty.is_number() || is_word);
            return scalar.then(|| "an object is not a single value".to_owned());
        }
        if self.are_different(&a, &b) {
            return Some("their values are never equal".to_owned());
        }
        self.are_unrelated(&a, &b).then(|| "their values are equal only by chance".to_owned())
    }

    /// Two objects, each of which has all keys of the reply.
    fn explain_objects(
        &self,
        (a, fields): (&Exact<'a>, &'a [(String, Expr)]),
        (b, others): (&Exact<'a>, &'a [(String, Expr)]),
    ) -> Option<String> {
        let find_extra = |of: &[(String, Expr)], within: &[(String, Expr)]| {
            of.iter().find(|(key, _)| !within.iter().any(|(known, _)| known == key)).map(|(key, _)| key.clone())
        };
        let a_lacks = find_extra(others, fields).filter(|_| !a.options.open);
        let b_lacks = find_extra(fields, others).filter(|_| !b.options.open);
        if let Some(key) = a_lacks.or(b_lacks) {
            return Some(format!("only one of the objects may have the key `{key}`"));
        }
        let both = fields.iter().filter_map(|(key, value)| {
            Some((key, value, others.iter().find(|(known, _)| known == key).map(|(_, value)| value)?))
        });
        let exact = |expr, of: &Exact<'a>| Exact { expr, takes: Takes::Json, options: of.options.clone() };
        both.into_iter()
            .find(|(_, value, other)| self.are_different(&exact(value, a), &exact(other, b)))
            .map(|(key, ..)| format!("their values of `{key}` are never equal"))
    }

    /// The value that the whole place must have.
    fn read_exact(&self, expect: &'a Expect) -> Option<Exact<'a>> {
        let takes = expect.matcher.record().takes;
        let exact =
            matches!(takes, Takes::Number | Takes::Json) || matches!(expect.matcher, Matcher::Text | Matcher::Bytes);
        let expr = expect.answer_expr().filter(|expr| exact && !expect.is_any_of() && !expr.is_broken())?;
        Some(Exact { expr: expr.resolve_name(self.task), takes, options: expect.whole_options() })
    }

    /// Whether two scalars are never equal, with all their tolerance.
    fn are_different(&self, a: &Exact<'a>, b: &Exact<'a>) -> bool {
        if is_drawn_apart(self.task, a.expr, b.expr) {
            return is_exact_number(&a.options) && is_exact_number(&b.options);
        }
        let (x, y) = (self.infer(a.expr), self.infer(b.expr));
        if x.nullable || y.nullable {
            return false;
        }
        if a.expr.ty.is_number() && b.expr.ty.is_number() {
            let low = |of: &Exact<'_>, fact: &Fact<'_>| widen_range(fact, &of.options);
            return match (low(a, &x), low(b, &y)) {
                (Some(one), Some(other)) if one.1 < other.0 || other.1 < one.0 => true,
                _ => is_exact_number(&a.options) && is_exact_number(&b.options) && is_never_equal(&x, &y),
            };
        }
        let numbers = (a.expr.ty.is_number(), b.expr.ty.is_number());
        if numbers.0 != numbers.1 {
            // Only a text without a digit surely differs from a number.
            let texts = list_words(if numbers.0 { &y } else { &x }).filter(|texts| !texts.is_empty());
            return texts.is_some_and(|texts| texts.iter().all(|text| !text.contains(|c: char| c.is_ascii_digit())));
        }
        if let (Some(words), Some(others)) = (list_words(&x), list_words(&y)) {
            let fold = |word: &String| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            let others: Vec<String> = others.iter().map(fold).collect();
            return !words.is_empty() && !others.is_empty() && words.iter().all(|word| !others.contains(&fold(word)));
        }
        let plain = |of: &Exact<'_>| of.options.ignore.is_empty();
        plain(a) && plain(b) && a.expr.ty.kind == b.expr.ty.kind && is_never_equal(&x, &y)
    }

    /// Whether two exact values of one type are computed in different ways: they are equal only by chance.
    fn are_unrelated(&self, a: &Exact<'a>, b: &Exact<'a>) -> bool {
        let is_plain = |of: &Exact<'_>| is_exact_number(&of.options) && of.options.ignore.is_empty();
        let is_kind = |kind: &TyKind| matches!(kind, TyKind::Int | TyKind::Text | TyKind::Date);
        // What is computed by conditions, conversions, or queries can be the same in another form.
        let is_simple = |expr: &Expr| match &expr.kind {
            ExprKind::Name(_) => true,
            ExprKind::Call(function, args) => {
                let reads = matches!(args.as_slice(), [Arg::Relation { .. } | Arg::Column { .. }]);
                reads && !matches!(function.results, Results::Any if function.picks.is_none())
            }
            _ => false,
        };
        is_plain(a)
            && is_plain(b)
            && a.takes == b.takes
            && a.expr.ty.kind == b.expr.ty.kind
            && is_kind(&a.expr.ty.kind)
            && is_simple(a.expr)
            && is_simple(b.expr)
            && a.expr.without_spans() != b.expr.without_spans()
            && !is_same_count(a.expr, b.expr)
    }

    /// `contains` and `matches` of a place whose whole text is known.
    fn explain_uncontained(&self, part: &'a Expect, whole: &'a Expect) -> Option<String> {
        let whole = self.read_exact(whole)?;
        let expr = part.answer_expr().filter(|expr| !part.is_any_of() && !expr.is_broken())?;
        let fact = self.infer(expr);
        let texts = list_words(&self.infer(whole.expr)).filter(|texts| !texts.is_empty());
        match part.matcher {
            Matcher::Contains => {
                let words = list_words(&fact).filter(|words| !words.is_empty())?;
                if whole.takes == Takes::Number {
                    let is_word = |word: &String| word.chars().filter(|c| c.is_alphabetic()).count() > 3;
                    return words.iter().all(is_word).then(|| "a number does not contain this word".to_owned());
                }
                let texts = texts.filter(|_| matches!(whole.takes, Takes::One | Takes::Content))?;
                let apart = texts.iter().all(|text| words.iter().all(|word| !text.contains(word.as_str())));
                apart.then(|| "one text never contains the other".to_owned())
            }
            Matcher::Matches => {
                let pattern = expr.resolve_name(self.task).as_constant()?.as_text()?;
                let pattern = compile_anchored(pattern).ok()?;
                let closed = self.infer(whole.expr).closed.filter(|values| !values.is_empty())?;
                let only_text = whole.takes == Takes::One && whole.options.ignore.is_empty();
                let none = closed.iter().all(|value| !pattern.is_match(value.render_text().trim()));
                (only_text && none).then(|| "the pattern never fits the expected text".to_owned())
            }
            _ => None,
        }
    }

    fn infer(&self, expr: &'a Expr) -> Fact<'a> {
        self.cx.facts().infer_expr(expr, Scope::default())
    }
}

/// A list of texts, or rows of several columns, and a number.
fn explain_list(list: &Expect, number: &Expect) -> Option<String> {
    let several = match &list.answer_expr().filter(|_| !list.is_any_of())?.ty.kind {
        TyKind::List(item) => list.matcher == Matcher::List && item.kind == TyKind::Text,
        TyKind::Rows(columns) => columns.len() > 1 && matches!(list.matcher, Matcher::Rows | Matcher::List),
        _ => false,
    };
    (several && number.matcher == Matcher::Number).then(|| "a list is not a number".to_owned())
}

/// The value that the whole text of a place must have.
struct Exact<'a> {
    expr: &'a Expr,
    takes: Takes,
    options: Options,
}

/// Whether one expects a number as the whole reply, and the other one as its last line.
fn is_whole_number(whole: &Expect, line: &Expect) -> bool {
    let of_line = matches!(line.subject, Subject::Reply(Some(Slice::LastLine))) && line.at.is_none();
    let of_reply = matches!(whole.subject, Subject::Reply(None)) && whole.at.is_none();
    of_line && of_reply && whole.matcher == Matcher::Number && line.matcher == Matcher::Number
}

/// Whether both are names of one `distinct` statement.
fn is_drawn_apart(task: &Task, a: &Expr, b: &Expr) -> bool {
    let group = |expr: &Expr| match expr.kind {
        ExprKind::Name(id) => match &task.names.get(id)?.source {
            NameSource::Draw { draw, group, .. } if draw.unique => Some((id, group.clone())),
            _ => None,
        },
        _ => None,
    };
    matches!((group(a), group(b)), (Some((a, of_a)), Some((b, of_b))) if a != b && of_a == of_b)
}

/// Whether both count rows: of a table, and of one of its columns.
fn is_same_count(a: &Expr, b: &Expr) -> bool {
    let relation = |expr: &Expr| match &expr.kind {
        ExprKind::Call(function, args) if function.is_count() => match args.as_slice() {
            [Arg::Relation { relation, filter } | Arg::Column { relation, filter, .. }] => {
                Some((*relation, filter.as_ref().map(Expr::without_spans)))
            }
            _ => None,
        },
        _ => None,
    };
    relation(a).is_some() && relation(a) == relation(b)
}

fn is_never_equal(a: &Fact<'_>, b: &Fact<'_>) -> bool {
    compare_facts(Op::Eq, a, b) == Truth::Never
}

fn is_exact_number(options: &Options) -> bool {
    options.within.is_none() && options.rounded.is_none() && options.graded.is_none()
}

/// The correct numbers for a range of expected ones.
fn widen_range(fact: &Fact<'_>, options: &Options) -> Option<(f64, f64)> {
    let (low, high) = fact.range.as_ref()?;
    let (low, high) = (low.as_f64()?, high.as_f64()?);
    let slack = 1e-6 * low.abs().max(high.abs()).max(1.0);
    Some(match crate::chance::Tolerance::from_options(options) {
        Some(tolerance) => (
            tolerance.find_ends(low).0.min(tolerance.find_ends(high).0) - slack,
            tolerance.find_ends(high).1.max(tolerance.find_ends(low).1) + slack,
        ),
        None => (low - slack, high + slack),
    })
}

/// The texts of all possible values, in lower case. `None` if they are not known.
fn list_words(fact: &Fact<'_>) -> Option<Vec<String>> {
    Some(fact.closed.as_deref()?.iter().map(|value| value.render_text().trim().to_lowercase()).collect())
}

/// Whether an expectation asks for a change of a file that the other wants unchanged.
fn is_changed(task: &Task, unchanged: &Expect, other: &Expect) -> bool {
    let is_edit = |answer: &Expr| match &answer.resolve_name(task).kind {
        ExprKind::Call(function, _) => function.content_edit().is_some(),
        _ => false,
    };
    unchanged.matcher == Matcher::Unchanged
        && (other.matcher == Matcher::Database || other.answer_expr().is_some_and(is_edit))
}

/// Whether an expectation repeats another one, apart from its name and weight.
fn is_repeated(task: &Task, first: &Expect, later: &Expect) -> bool {
    let same_answer = match (first.answer_expr(), later.answer_expr()) {
        (Some(a), Some(b)) => a.resolve_name(task).without_spans() == b.resolve_name(task).without_spans(),
        (None, None) => first.content_file() == later.content_file(),
        _ => false,
    };
    let list = |expect: &Expect| match &expect.subject {
        Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) | Subject::Unchanged(paths) => {
            Some(paths.without_spans())
        }
        _ => None,
    };
    same_answer
        && first.matcher == later.matcher
        && first.is_any_of() == later.is_any_of()
        && first.options == later.options
        && first.database == later.database
        && list(first) == list(later)
}

fn build_contradiction(first: &Expect, later: &Expect, why: String) -> Diagnostic {
    let message = "no response meets both of these expectations";
    Diagnostic::new(Code::CONTRADICTING_EXPECTATIONS, message, later.span, "excludes the other one")
        .label(first.span, "the other one")
        .note(why)
}

fn build_repetition(first: &Expect, later: &Expect) -> Diagnostic {
    Diagnostic::new(Code::REPEATED_EXPECTATION, "this expectation appears twice", later.span, "again")
        .label(first.span, "first here")
        .help("remove one of them, or use `weight 2` to let it count twice")
}
