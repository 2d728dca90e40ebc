//! `untold_definition`: the prompt asks for a standard deviation or a percentile, of which there are several, and does not say which.

use model::Span;
use model::functions::{FunctionId, PSTDEV, QUANTILE, STDEV};

use super::super::prompt_content::has_word;
use super::answers::Leaf;
use super::wording::Wording;
use crate::context::report_once;
use hir::{Arg, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::aggregates::{DEVIATIONS, INTERPOLATED, PERCENTILES, TOLD_DEVIATIONS, TOLD_DIVISORS};

/// A function with several definitions that an answer uses.
struct Use {
    function: FunctionId,
    span: Span,
}

/// Reports a deviation or a percentile that a wording does not define. Where several answers are accepted with both deviations, each is right.
pub(super) fn report_definitions<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    if wording.can_vary() {
        return;
    }
    let used = list_uses(wording, leaves);
    let find = |function: FunctionId| used.iter().find(|one| one.function == function);
    let text = wording.telling.text.to_lowercase();
    let (sample, population) = (find(STDEV), find(PSTDEV));
    if let (Some(own), None) | (None, Some(own)) = (sample, population)
        && let Some(asked) = wording.text.find_any(DEVIATIONS)
        && !TOLD_DEVIATIONS.iter().any(|word| has_word(&text, word))
        && !TOLD_DIVISORS.iter().any(|mark| text.contains(mark))
    {
        let (label, which) = match sample {
            Some(_) => ("divides by n - 1", "sample"),
            None => ("divides by n", "population"),
        };
        let message = "the prompt does not say which standard deviation is meant";
        let new = Diagnostic::new(Code::UNTOLD_DEFINITION, message, own.span, label)
            .label(wording.locate(asked.start, asked.end), "that of a sample, or of a population?")
            .help(format!("write `{which} standard deviation` in the prompt"));
        report_once(new, said);
    }
    if let Some(own) = find(QUANTILE)
        && let Some(asked) = wording.text.find_any(PERCENTILES)
        && !wording.text.has_word_beginning(INTERPOLATED)
    {
        let words = wording.quote(asked.start, asked.end);
        let message = format!("the prompt does not say how the {words} is computed");
        let new = Diagnostic::new(Code::UNTOLD_DEFINITION, message, own.span, "linear between the two nearest values")
            .label(wording.locate(asked.start, asked.end), "computed in several ways")
            .help("write `with linear interpolation` in the prompt");
        report_once(new, said);
    }
}

/// Lists the uses of such functions in the answers, in SQL too.
fn list_uses(wording: &Wording<'_, '_>, leaves: &[Leaf<'_>]) -> Vec<Use> {
    let mut found: Vec<Use> = Vec::new();
    for leaf in leaves {
        leaf.value.visit_through_names(wording.cx.task, &mut |part| {
            let ExprKind::Call(function, args) = &part.kind else { return };
            let general = function.general.unwrap_or(*function);
            if [STDEV, PSTDEV, QUANTILE].contains(&general) {
                found.push(Use { function: general, span: part.span });
            }
            for sql in args.iter().filter_map(|arg| if let Arg::Sql(sql) = arg { Some(sql) } else { None }) {
                let text = sql.text.to_lowercase();
                let of_sql = [STDEV, PSTDEV, QUANTILE].into_iter().filter(|function| has_word(&text, function.name));
                found.extend(of_sql.map(|function| Use { function, span: sql.span }));
            }
        });
    }
    found
}
