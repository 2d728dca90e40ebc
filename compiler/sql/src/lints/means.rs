//! `mean_of_means`: `AVG` over the `AVG` of groups that can differ in size.

use super::asked::Asked;
use super::calls::collect_calls;
use super::findings::{Finding, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::scope::resolve_place;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports the mean of means, unless the prompt asks for it.
pub fn check_means(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let Some(frame) = analyser.frames.last() else { return };
    if !scene.whole && scene.groups.is_empty() || frame.relations.iter().all(|relation| relation.made.means.is_empty())
    {
        return;
    }
    for call in collect_calls(analyser, scene).iter().filter(|call| call.name == "avg" && !call.distinct) {
        let place = call.argument().and_then(|argument| resolve_place(&analyser.frames, argument));
        let Some((relation, column)) = place else { continue };
        let Some(relation) = frame.relations.get(relation) else { continue };
        let Some((_, mean)) = relation.made.means.iter().find(|(at, _)| *at == column) else { continue };
        let text = analyser.query.slice_text(call.bytes);
        let inner = analyser.query.slice_text(*mean);
        let said = Diagnostic::new(
            Code::MEAN_OF_MEANS,
            format!("`{text}` is a mean of means, but the prompt asks for one mean"),
            analyser.query.to_span(call.bytes),
            "each group counts the same",
        )
        .label(analyser.query.to_span(*mean), "the mean of a group")
        .note(format!("a group with 1 and 3 and a group with 8: the means are 2 and 8, `{text}` is 5, and the mean of all rows is 4"))
        .help(format!("take `{inner}` of all rows without GROUP BY, or ask for the average of the averages"));
        let reading = find_group_clause(analyser, mean.1)
            .map(|clause| Reading::new("all rows in one group", [(clause, String::new())]));
        found.push(Finding::new_if(ReportCondition::Asked(Asked::NotMeans), said).with_reading(reading));
    }
}

/// The bytes of the first GROUP BY after a mean, in the same SELECT.
fn find_group_clause(analyser: &Analyser<'_>, after: usize) -> Option<(usize, usize)> {
    let tokens = analyser.query.tokens;
    let (mut depth, mut start, mut end) = (0_i32, None, 0);
    for token in tokens.iter().filter(|token| token.start >= after) {
        depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
        if depth < 0
            || depth == 0 && start.is_some() && token.is_any("HAVING ORDER LIMIT WINDOW UNION EXCEPT INTERSECT")
        {
            break;
        }
        if depth == 0 && token.is_keyword("GROUP") {
            start = Some(token.start);
        }
        end = token.end();
    }
    start.map(|start| (start, end))
}
