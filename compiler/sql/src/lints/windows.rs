//! `ambiguous_order` in windows: functions that need an order, in a window without ORDER BY.

use sqlparser::ast::{Expr, Function, WindowSpec};

use super::findings::Finding;
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::expressions::{as_output_expr, as_plain_argument, find_last_name, list_arguments};
use crate::output::Use;
use crate::parse::find_expr_bytes;
use crate::reads::collect_all_reads;
use crate::scope::{Frame, Place};
use crate::window_order::{Effect, visit_windows};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports `LAG(x) OVER ()` and others whose window has several rows in no order.
pub fn check_unordered_windows(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let is_in_order = analyser.frames.last().is_some_and(Frame::is_in_order);
    if scene.becomes == Use::Counted || scene.whole || scene.one || is_in_order {
        return;
    }
    for expr in scene.select.projection.iter().filter_map(as_output_expr) {
        visit_windows(expr, scene.select, &mut |function, window| {
            found.extend(check_window(analyser, scene, function, window));
        });
    }
}

fn check_window(
    analyser: &Analyser<'_>,
    scene: &Scene<'_, '_, '_>,
    function: &Function,
    window: &WindowSpec,
) -> Option<Finding> {
    let effect = Effect::from_call(function, window).filter(|effect| *effect != Effect::Rank)?;
    if !window.order_by.is_empty() || is_gathering(function) || !scene.groups.is_empty() {
        return None;
    }
    let mut places: Vec<Place> = Vec::new();
    for term in &window.partition_by {
        let read = collect_all_reads(analyser, term);
        if read.unclear {
            return None;
        }
        places.extend(read.places.into_keys());
    }
    let fixed = scene.facts.compute_fixed(&places);
    let values = list_arguments(function).iter().filter_map(as_plain_argument);
    let is_fixed = values.map(|value| collect_all_reads(analyser, value)).all(|read| read.is_fixed(&fixed));
    if fixed.is_all_fixed() || effect != Effect::Number && is_fixed {
        return None;
    }
    let name = find_last_name(&function.name)?.value.to_uppercase();
    let bytes = find_expr_bytes(analyser.query.tokens, &Expr::Function(function.clone()))?;
    let said = Diagnostic::new(
        Code::AMBIGUOUS_ORDER,
        format!("`{name}` depends on the order of rows, but its window has no ORDER BY"),
        analyser.query.to_span(bytes),
        "in no fixed order",
    )
    .help("write `ORDER BY` with a unique column into `OVER (…)`, and state the order in the prompt");
    let reading = find_window_end(analyser, bytes.0).map(|end| {
        let order = |direction: &str| ((end, end), format!(" ORDER BY rowid{direction}"));
        Reading::new_either(order(""), order(" DESC"))
    });
    Some(Finding::new_for_answer(said).with_reading(reading))
}

/// The byte before the bracket that closes the first `OVER (…)` after a byte.
fn find_window_end(analyser: &Analyser<'_>, from: usize) -> Option<usize> {
    let tokens = analyser.query.tokens.iter().skip_while(|token| token.start < from);
    let mut depth = 0_i32;
    for token in tokens.skip_while(|token| !token.is_keyword("OVER")).skip(1) {
        depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
        if depth == 0 {
            return token.is_punct(")").then_some(token.start);
        }
    }
    None
}

/// Whether a function joins texts, whose order has a lint of its own.
fn is_gathering(function: &Function) -> bool {
    find_last_name(&function.name)
        .is_some_and(|name| ["group_concat", "string_agg"].iter().any(|known| name.value.eq_ignore_ascii_case(known)))
}
