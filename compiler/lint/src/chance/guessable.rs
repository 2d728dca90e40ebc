//! `vacuous_expectation` for tolerances: one reply is within the tolerance of every answer, or of most of them. `likely_answer`: one answer is correct in nearly
//! all samples.

use std::collections::BTreeSet;

use model::Value;
use model::suite::{Op, Options, Scope, Within};

use super::accepted::{Best, Tolerance, find_best_number, find_likeliest};
use super::law::Law;
use super::laws::Laws;
use super::sources::collect_sources;
use crate::context::{TaskCx, report_once};
use hir::facts::Fact;
use hir::origins::find_columns;
use hir::types::TyKind;
use hir::{DrawDomain, Expect, Expr, ExprKind, NameSource};
use syntax::diagnostics::{Code, Diagnostic};

/// The share of samples from which on a tolerance is reported.
const USUAL: f64 = 2.0 / 3.0;
/// The share of samples from which on an exact answer is reported.
const NEARLY_ALL: f64 = 0.95;
/// The share of samples from which on a condition changes nothing.
const CERTAIN: f64 = 0.97;

/// Reports tolerances that one reply meets in most samples, and answers that are the same in nearly all samples.
pub(crate) fn report_guessable_answers<'a>(cx: &TaskCx<'a>, said: &mut Vec<Diagnostic>) {
    if cx.task.notes.is_static || cx.task.each.is_some() {
        return;
    }
    let lint = Guesses { cx, laws: Laws::new(cx.facts()) };
    for expect in cx.task.iter_expects() {
        let Some(answer) = expect.answer_expr().filter(|_| !expect.is_any_of()) else { continue };
        let leaves = answer.list_leaves();
        // Several values are guessed together.
        let all_likely = leaves.len() < 2 || leaves.iter().all(|(leaf, _)| lint.find_likely(leaf).is_some());
        for (leaf, pointer) in leaves {
            if leaf.is_broken() || said.iter().any(|known| known.primary.span == leaf.span) {
                continue;
            }
            let options = expect.find_governing_options(&pointer).cloned().unwrap_or_default();
            let new = match Tolerance::from_options(&options) {
                Some(tolerance) => lint.check_tolerance(expect, leaf, &options, tolerance),
                None => lint
                    .find_likely(leaf)
                    .filter(|_| all_likely)
                    .map(|best| build_likely_diagnostic(leaf.resolve_name(cx.task), &best)),
            };
            let of = leaf.resolve_name(cx.task).span;
            let add_source = |new: Diagnostic| match (of == leaf.span, new.code == Code::LIKELY_ANSWER) {
                (true, _) => new,
                (_, true) => new.label(leaf.span, "expected here"),
                (_, false) => new.label(of, "computed here"),
            };
            new.into_iter().for_each(|new| report_once(add_source(new), said));
        }
    }
}

struct Guesses<'l, 'a> {
    cx: &'l TaskCx<'a>,
    laws: Laws<'l, 'a>,
}

impl<'a> Guesses<'_, 'a> {
    /// Reports a tolerance that one number meets in all or most samples.
    fn check_tolerance(
        &self,
        expect: &Expect,
        leaf: &'a Expr,
        options: &Options,
        tolerance: Tolerance,
    ) -> Option<Diagnostic> {
        let fact = self.cx.facts().infer_expr(leaf, Scope::default());
        if !expect.matcher.record().numbers || self.is_constant(leaf, &fact) {
            return None;
        }
        if !leaf.ty.is_number() {
            return self.check_items(leaf, tolerance, options);
        }
        self.check_range(leaf, &fact, tolerance, options).or_else(|| {
            let law = self.laws.infer_answer(leaf)?;
            let best = find_best_number(&law, tolerance).filter(|best| best.share >= USUAL)?;
            self.is_free(leaf).then(|| build_usual_diagnostic(leaf, options, &best))
        })
    }

    /// Proves that one number is within the tolerance of all values of a column in a list or result set.
    fn check_items(&self, leaf: &'a Expr, tolerance: Tolerance, options: &Options) -> Option<Diagnostic> {
        let task = self.cx.task;
        let columns = match &leaf.ty.kind {
            TyKind::List(item) if item.is_number() => find_columns(task, leaf, None),
            TyKind::Rows(columns) => {
                let numbers = columns.iter().enumerate().filter(|(_, (_, ty))| ty.is_number());
                numbers.flat_map(|(at, _)| find_columns(task, leaf, Some(at))).collect()
            }
            _ => return None,
        };
        columns.into_iter().find_map(|(relation, column)| {
            let declared = task.find_column((relation, column))?;
            let fact = self.cx.facts().lookup_column(relation, column);
            let (low, high) = fact.range.as_ref()?;
            let reply = tolerance.find_common(low.as_f64()?, high.as_f64()?).filter(|_| low != high)?;
            let message = format!(
                "`{}` accepts {} for every `{}`",
                format_tolerance(options),
                format_number(reply),
                declared.name
            );
            let label = format!("`{}` is between {} and {}", declared.name, low.render_text(), high.render_text());
            let said = Diagnostic::new(Code::VACUOUS_EXPECTATION, message, leaf.span, label);
            Some(said.label(declared.span, "declared here").help(suggest_tolerance(options)))
        })
    }

    /// Finds the value that an answer has in nearly all samples.
    fn find_likely(&self, leaf: &'a Expr) -> Option<Best> {
        if leaf.resolve_name(self.cx.task).as_pieces().iter().any(|piece| self.is_drawn_widely(piece)) {
            return None;
        }
        let best = find_likeliest(&self.laws.infer_answer(leaf)?).filter(|best| best.share >= NEARLY_ALL - 1e-9)?;
        let fact = self.cx.facts().infer_expr(leaf, Scope::default());
        (!self.is_constant(leaf, &fact) && self.is_free(leaf)).then_some(best)
    }

    /// Whether a piece of an answer is drawn, and none of its values is more probable than all others together.
    fn is_drawn_widely(&self, piece: &Expr) -> bool {
        let ExprKind::Name(id) = &piece.kind else { return false };
        match self.cx.task.names.get(*id).map(|name| &name.source) {
            Some(NameSource::Draw { draw, .. }) => match &draw.domain {
                DrawDomain::Fixed(domain) => domain.estimate_odds().is_some_and(|odds| odds >= 2.0),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an answer is written down, or surely the same in every sample.
    fn is_constant(&self, leaf: &Expr, fact: &Fact<'_>) -> bool {
        fact.as_single_value().is_some() || leaf.resolve_name(self.cx.task).as_constant().is_some()
    }

    /// Checks whether no `require` changes the law of an answer: it reads other draws, or holds in nearly all samples.
    fn is_free(&self, leaf: &Expr) -> bool {
        let task = self.cx.task;
        let mut open: Vec<&Expr> = task.iter_conditions().collect();
        let mut own = None;
        while let Some(condition) = open.pop() {
            if let ExprKind::Binary(Op::And, sides) = &condition.kind {
                open.extend([&sides.0, &sides.1]);
                continue;
            }
            let read = || collect_sources(task, condition, Scope::default(), BTreeSet::new());
            let own = own.get_or_insert_with(|| collect_sources(task, leaf, Scope::default(), BTreeSet::new()));
            let is_apart = matches!((read(), own), (Some(read), Some(own)) if read.is_disjoint(own));
            if !is_apart && !self.is_nearly_certain(condition) {
                return false;
            }
        }
        true
    }

    /// Whether a condition holds in nearly all samples: the laws of values are as without it.
    fn is_nearly_certain(&self, condition: &Expr) -> bool {
        let tested = match condition.as_null_test() {
            Some((Op::Ne, tested)) => tested,
            _ => condition,
        };
        match self.laws.infer_answer(tested) {
            // The mean of many values is not null.
            Some(Law::Bell(_)) => condition.as_null_test().is_some(),
            Some(_) => {
                self.laws.infer_answer(condition).and_then(|law| law.as_truth()).is_some_and(|share| share >= CERTAIN)
            }
            None => false,
        }
    }

    /// Proves that one number is within the tolerance of every possible answer.
    fn check_range(&self, leaf: &Expr, fact: &Fact<'_>, tolerance: Tolerance, options: &Options) -> Option<Diagnostic> {
        let (low, high) = fact.range.as_ref()?;
        let reply = tolerance.find_common(low.as_f64()?, high.as_f64()?)?;
        let shown = format_number(reply);
        let said = Diagnostic::new(
            Code::VACUOUS_EXPECTATION,
            format!("`{}` accepts {shown} in every sample", format_tolerance(options)),
            leaf.span,
            format!("is between {} and {}", low.render_text(), high.render_text()),
        );
        Some(said.help(suggest_tolerance(options)))
    }
}

fn build_usual_diagnostic(leaf: &Expr, options: &Options, best: &Best) -> Diagnostic {
    let shown = best.reply.as_f64().map(format_number).unwrap_or_default();
    Diagnostic::new(
        Code::VACUOUS_EXPECTATION,
        format!("`{}` accepts {shown} in about {} of the samples", format_tolerance(options), format_share(best.share)),
        leaf.span,
        "nearly always close to this number",
    )
    .note("the share is estimated from the domains")
    .help(suggest_tolerance(options))
}

fn build_likely_diagnostic(leaf: &Expr, best: &Best) -> Diagnostic {
    let shown = match &best.reply {
        Value::Text(text) => format!("`\"{}\"`", syntax::fmt::shorten_text(text, 40)),
        other => other.render_text().into_owned(),
    };
    Diagnostic::new(
        Code::LIKELY_ANSWER,
        format!("the expected value is {shown} in about {} of the samples", format_share(best.share)),
        leaf.span,
        "nearly always the same",
    )
    .note("the share is estimated from the domains")
    .help("change the data or the condition until other answers are as likely")
}

/// Writes a tolerance as in the source.
fn format_tolerance(options: &Options) -> String {
    let of_value = Options { within: options.within, rounded: options.rounded, ..Options::default() };
    match of_value.to_source() {
        written if written.is_empty() => "graded above".to_owned(),
        written => written,
    }
}

fn suggest_tolerance(options: &Options) -> &'static str {
    match (options.within, options.rounded) {
        (Some(Within::Percent(_)), _) => "use a smaller share, such as `within 1%`",
        (Some(Within::Absolute(_)), _) => "use a tolerance that is much smaller than the differences between answers",
        (_, Some(_)) => "ask for more decimal places, or for a value that differs more between samples",
        _ => "use a larger grade, such as `graded above 0.99`",
    }
}

/// Formats a number with few digits.
fn format_number(number: f64) -> String {
    let places = match number.abs() {
        size if size >= 100.0 || size == 0.0 => 0,
        size if size >= 1.0 => 1,
        _ => 3,
    };
    let text = format!("{number:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn format_share(share: f64) -> String {
    // Never 100%, because it is not proved.
    format!("{}%", (share * 100.0).floor().clamp(0.0, 99.0))
}
