//! `unmatched_rows` for sums: a row without a match has the sum null after LEFT JOIN, and the prompt asks for 0.

use super::asked::Asked;
use super::calls::{Call, collect_calls};
use super::example;
use super::findings::{Finding, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::joins::OuterJoin;
use crate::reads::collect_all_reads;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The aggregates that are null without a row.
const NULLABLE: [&str; 4] = ["sum", "avg", "max", "min"];

/// Reports the first aggregate of matches that is null without them.
pub fn check_unmatched_sum(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, join: &OuterJoin) -> Option<Finding> {
    let is_handled = analyser.query.tokens.iter().any(|token| token.is_any("COALESCE IFNULL IIF CASE"));
    if scene.groups.is_empty() || is_handled || join.joined.len() != 1 {
        return None;
    }
    let calls = collect_calls(analyser, scene);
    let is_of_matches = |call: &&Call| {
        let read = call.argument().map(|argument| collect_all_reads(analyser, argument)).unwrap_or_default();
        NULLABLE.contains(&call.name.as_str())
            && !read.unclear
            && !read.places.is_empty()
            && read.places.keys().all(|place| join.joined.contains(&place.0))
    };
    let call = calls.iter().find(is_of_matches)?;
    let query = analyser.query;
    let is_sign = |sign: &str| ["+", "-", "*", "/"].contains(&sign);
    let (before, after) = (
        query.tokens.iter().rfind(|token| token.end() <= call.bytes.0),
        query.tokens.iter().find(|token| token.start >= call.bytes.1),
    );
    let in_arithmetic = [before, after].into_iter().flatten().any(|token| is_sign(token.text));
    let (text, span) = (query.slice_text(call.bytes), query.to_span(call.bytes));
    let name = |index: usize| example::name_relation_at(analyser, index);
    let (left, right) = (name(join.joined.start.checked_sub(1)?), name(join.joined.start));
    let instead = format!("COALESCE({text}, 0)");
    let said = Diagnostic::new(
        Code::UNMATCHED_ROWS,
        format!("`{text}` is null for a row of `{left}` without `{right}`, but the prompt asks for a number"),
        span,
        "null without a match",
    )
    .note(match in_arithmetic {
        true => "a calculation with null is null",
        false => "LEFT JOIN fills the columns of a row without a match with nulls, and the aggregate of nulls is null",
    })
    .help(format!("write `{instead}`"))
    .replace(Applicability::Unsafe, span, instead.clone());
    let asked = Asked::NullForNone { rows: right.to_owned(), in_arithmetic };
    Some(Finding::new_if(ReportCondition::Asked(asked), said).with_reading(Reading::new_shown(call.bytes, instead)))
}
