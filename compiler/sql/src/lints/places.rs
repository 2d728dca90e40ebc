//! `tied_answer` for a value by its place: the second highest value, where several rows can have the highest.

use sqlparser::ast::Expr;

use super::findings::{Finding, Need, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::expressions::{as_number_literal, as_output_expr};
use crate::parse::find_expr_bytes;
use crate::reads::{collect_origins, collect_reads};
use crate::scope::{Place, resolve_place};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports `ORDER BY x DESC LIMIT 1 OFFSET 1`, whose value is known although rows tie, but of which the prompt does not say whether equal values count
/// once.
pub fn check_place(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, terms: &[&Expr]) -> Option<Finding> {
    let limit = scene.limit.as_ref().filter(|limit| as_number_literal::<i64>(limit.expr) == Some(1))?;
    if !skips_rows(analyser, limit.expr)
        || terms.len() > 1
        || scene.select.distinct.is_some()
        || is_row_decided(analyser, scene, terms)?
    {
        return None;
    }
    let tokens = analyser.query.tokens;
    let written = scene.ordered?;
    let bytes = (find_expr_bytes(tokens, written.first()?)?.0, find_expr_bytes(tokens, written.last()?)?.1);
    let text = analyser.query.slice_text(bytes);
    let said = Diagnostic::new(
        Code::TIED_ANSWER,
        format!("rows with equal `{text}` count separately here, but the prompt does not say whether they do"),
        analyser.query.to_span(bytes),
        "rows can tie here",
    )
    .note("of 9, 9, and 7, the second highest can be 9 or 7")
    .help("say in the prompt that equal values count separately, or count them once: `SELECT DISTINCT …`");
    let ties = collect_origins(analyser, terms);
    let needs: Vec<Need> =
        ties.iter().filter_map(|(relation, column)| Some(Need::Repeated(*relation, (*column)?))).collect();
    let first =
        scene.select.projection.first().and_then(as_output_expr).and_then(|first| find_expr_bytes(tokens, first));
    let reading = first.map(|(start, _)| Reading::new("`SELECT DISTINCT`", [((start, start), "DISTINCT ".to_owned())]));
    let found = Finding { cut: true, ..Finding::new_if(ReportCondition::Place(ties), said) };
    Some(found.with_needs(needs).with_reading(reading))
}

/// Whether OFFSET after a limit skips rows: a number that is not 0.
fn skips_rows(analyser: &Analyser<'_>, limit: &Expr) -> bool {
    let tokens = analyser.query.tokens;
    let Some((_, end)) = find_expr_bytes(tokens, limit) else { return false };
    let behind = tokens.get(tokens.partition_point(|token| token.start < end)..).unwrap_or_default();
    let [word, number, ..] = behind else { return false };
    let skipped: Option<u64> = analyser.query.slice_text((number.start, number.end())).parse().ok();
    word.is_keyword("OFFSET") && skipped.is_some_and(|skipped| skipped > 0)
}

/// Whether no two rows, or groups, are equal in `keys`. `None` if it is not known.
fn is_row_decided(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, keys: &[&Expr]) -> Option<bool> {
    let places: Vec<Place> = keys.iter().filter_map(|key| resolve_place(&analyser.frames, key)).collect();
    let fixed = scene.facts.compute_fixed(&places);
    let groups = scene.group_terms()?;
    if groups.is_empty() {
        return Some(fixed.is_all_fixed());
    }
    let mut all = true;
    for group in groups {
        let read = collect_reads(analyser, group, &[]);
        all &= !read.unclear && read.is_settled(&fixed);
    }
    Some(all)
}
