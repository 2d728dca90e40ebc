//! Columns that number rows (`ROW_NUMBER`, `RANK`, `DENSE_RANK`), and values that depend on the order of tied rows (`LAG`, `FIRST_VALUE`, sums of the rows before).
//!
//! A number is harmless as long as it does not select rows. Once a SELECT filters by it (`WHERE place = 1`), every column that can differ between tied rows is
//! *loose*: its value is not determined. Loose columns stay loose in outer queries, and a loose column in the answer is reported as a tie.

use std::collections::BTreeSet;

use sqlparser::ast::{Expr, Function, Select, WindowSpec};

use super::analyser::Analyser;
use super::expressions::{as_output_expr, as_plain_argument, list_arguments};
use super::functional_dependencies::{Facts, Fixed};
use super::output::Projected;
use super::parse::find_expr_bytes;
use super::reads::{Reads, canonicalize_expr, collect_all_reads, collect_origins, collect_reads};
use super::scope::{Numbered, Ordered, Place, Tie, resolve_place};
use super::window_order::{Effect, has_window, visit_windows};

/// The effects of row numbers on the output of a SELECT.
#[derive(Debug, Default)]
pub struct Numbers {
    /// Sets of columns that are unique together.
    pub keys: Vec<Vec<usize>>,
    /// Columns with numbers of rows that may tie, and by which no rows were selected so far.
    pub numbered: Vec<Numbered>,
    /// Columns whose values depend on the order of tied rows.
    pub loose: Vec<(usize, Tie)>,
}

/// Determines the effects of row numbers in the innermost SELECT. `chosen` contains the expressions that select among its rows: conditions, and ORDER BY before
/// LIMIT.
pub fn analyse_numbering(
    analyser: &Analyser<'_>,
    (select, groups, whole): (&Select, &[Expr], bool),
    facts: &Facts<'_, '_>,
    projected: Option<&[Projected]>,
    chosen: &[&Expr],
) -> Numbers {
    let mut numbers = Numbers::default();
    let relations = analyser.frames.last().map_or(&[][..], |frame| frame.relations.as_slice());
    // Most queries do not number rows.
    let marked = relations.iter().any(|relation| !relation.numbered.is_empty() || !relation.loose.is_empty());
    let own_windows = select.projection.iter().filter_map(as_output_expr).any(has_window);
    if !marked && !own_windows {
        return numbers;
    }
    let Some(outputs) = projected.and_then(|projected| collect_outputs(analyser, select, projected)) else {
        return numbers;
    };
    if !whole {
        for (at, output) in outputs.iter().enumerate() {
            let Some(expr) = output.expr else { continue };
            visit_windows(expr, select, &mut |function, window| {
                add_own_value(analyser, groups, facts, (at, &outputs), (function, window), &mut numbers);
            });
        }
    }
    let chosen: BTreeSet<Place> =
        chosen.iter().flat_map(|expr| collect_all_reads(analyser, expr).places.into_keys()).collect();
    for (index, relation) in relations.iter().enumerate() {
        for known in &relation.numbered {
            let open = |place: &Place| place.0 == index && place.1 != known.place && !known.settled.contains(&place.1);
            if chosen.contains(&(index, known.place)) {
                // All rows with the same number are kept, so an aggregate over all rows is determined.
                if known.tie.kind == Ordered::Rank && whole {
                    continue;
                }
                let all = known.tie.kind != Ordered::Rank && chosen.iter().any(open);
                let is_loose = |output: &Output<'_>| all || output.within.iter().any(open);
                let loose = outputs.iter().enumerate().filter(|(_, output)| is_loose(output));
                numbers.loose.extend(loose.map(|(at, _)| (at, known.tie.clone())));
            } else if let Some(place) = outputs.iter().position(|output| output.plain == Some((index, known.place))) {
                let settled = outputs.iter().enumerate().filter(|(_, output)| !output.within.iter().any(open));
                let settled = settled.map(|(at, _)| at).collect();
                numbers.numbered.push(Numbered { place, settled, tie: known.tie.clone() });
            }
        }
        for (column, tie) in &relation.loose {
            let here = (index, *column);
            // Rows that such a value selects are not determined either.
            let selects = tie.kind == Ordered::Value && chosen.contains(&here);
            let is_loose = |output: &Output<'_>| {
                let read = if tie.kind == Ordered::Rank { &output.outside } else { &output.within };
                selects || read.contains(&here)
            };
            let loose = outputs.iter().enumerate().filter(|(_, output)| is_loose(output));
            numbers.loose.extend(loose.map(|(at, _)| (at, tie.clone())));
        }
    }
    numbers.loose.dedup();
    numbers
}

/// A column of the output.
struct Output<'s> {
    /// Its expression; `None` for a column of `*`.
    expr: Option<&'s Expr>,
    /// The column, if the expression consists only of its name.
    plain: Option<Place>,
    /// The columns that it reads.
    within: BTreeSet<Place>,
    /// The columns that it reads outside aggregates.
    outside: BTreeSet<Place>,
}

/// The columns of the output in order; `None` if they cannot be assigned to the items of the SELECT.
fn collect_outputs<'s>(
    analyser: &Analyser<'_>,
    select: &'s Select,
    projected: &[Projected],
) -> Option<Vec<Output<'s>>> {
    let stars = select.projection.iter().filter(|item| as_output_expr(item).is_none()).count();
    let own = select.projection.len() - stars;
    let of_star = match stars {
        0 | 1 => projected.len().checked_sub(own)?,
        _ => return None,
    };
    let items = select.projection.iter().flat_map(|item| match as_output_expr(item) {
        Some(expr) => vec![Some(expr)],
        None => vec![None; of_star],
    });
    let output = |(expr, (_, plain)): (Option<&'s Expr>, &Projected)| {
        let places = |read: Option<Reads>| match read {
            Some(read) => read.places.into_keys().collect(),
            None => plain.iter().copied().collect(),
        };
        let within = places(expr.map(|expr| collect_all_reads(analyser, expr)));
        Output { expr, plain: *plain, within, outside: places(expr.map(|expr| collect_reads(analyser, expr, &[]))) }
    };
    Some(items.zip(projected).map(output).collect())
}

/// Adds the key that a column of row numbers is, with the columns of its partition.
fn add_number_key(
    analyser: &Analyser<'_>,
    (place, outputs): (usize, &[Output<'_>]),
    (effect, window): (Effect, &WindowSpec),
    numbers: &mut Numbers,
) {
    let is_whole = outputs.get(place).is_some_and(|output| matches!(output.expr, Some(Expr::Function(_))));
    if effect != Effect::Number || !is_whole {
        return;
    }
    let output_of = |term: &Expr| {
        let (wanted, column) = (canonicalize_expr(term), resolve_place(&analyser.frames, term));
        outputs.iter().position(|output| {
            column.is_some() && output.plain == column
                || output.expr.is_some_and(|expr| canonicalize_expr(expr) == wanted)
        })
    };
    // Each number is unique within its partition.
    let parts: Option<Vec<usize>> = window.partition_by.iter().map(output_of).collect();
    numbers.keys.extend(parts.map(|mut key| {
        key.push(place);
        key
    }));
}

/// Adds a value that is computed in this SELECT from the order of its rows.
fn add_own_value(
    analyser: &Analyser<'_>,
    groups: &[Expr],
    facts: &Facts<'_, '_>,
    (place, outputs): (usize, &[Output<'_>]),
    (function, window): (&Function, &WindowSpec),
    numbers: &mut Numbers,
) {
    let Some(effect) = Effect::from_call(function, window) else { return };
    add_number_key(analyser, (place, outputs), (effect, window), numbers);
    let terms: Vec<&Expr> = window.partition_by.iter().chain(window.order_by.iter().map(|term| &term.expr)).collect();
    // Columns from which a term is computed are treated like terms.
    let mut places = Vec::new();
    for term in &terms {
        let read = collect_reads(analyser, term, &[]);
        if read.unclear {
            return;
        }
        places.extend(read.places.into_keys());
    }
    let fixed = facts.compute_fixed(&places);
    let known: Vec<String> = terms.iter().map(|term| canonicalize_expr(term)).collect();
    let same_in_ties = |expr: &Expr| {
        let read = collect_reads(analyser, expr, &known);
        read.unclear || read.is_settled(&fixed)
    };
    let decided = if groups.is_empty() { fixed.is_all_fixed() } else { groups.iter().all(same_in_ties) };
    let values = list_arguments(function).iter().filter_map(as_plain_argument);
    let is_settled = values.into_iter().all(same_in_ties);
    let Some(order) = find_order_bytes(analyser, window).filter(|_| !decided) else { return };
    let breaks = find_unique_column(analyser, &fixed);
    let tie = Tie { order, kind: effect.into_kind(), origins: collect_origins(analyser, &terms), breaks };
    match effect {
        // The first of equal values is that value.
        Effect::Extreme if is_settled => {}
        Effect::Extreme | Effect::Value if !is_settled => numbers.loose.push((place, tie)),
        _ => {
            let settled = |output: &Output<'_>| match output.expr {
                Some(expr) => same_in_ties(expr),
                None => output.plain.is_none_or(|place| fixed.is_column_fixed(place)),
            };
            let settled = outputs.iter().enumerate().filter(|(_, output)| settled(output)).map(|(at, _)| at).collect();
            numbers.numbered.push(Numbered { place, settled, tie });
        }
    }
}

/// The byte range of the terms of a window's ORDER BY.
fn find_order_bytes(analyser: &Analyser<'_>, window: &WindowSpec) -> Option<(usize, usize)> {
    let tokens = &analyser.query.tokens;
    let (start, _) = find_expr_bytes(tokens, &window.order_by.first()?.expr)?;
    let (_, end) = find_expr_bytes(tokens, &window.order_by.last()?.expr)?;
    // `DESC` and similar keywords belong to the term.
    let end = tokens
        .iter()
        .skip_while(|token| token.start < end)
        .take_while(|token| token.is_any("ASC DESC NULLS FIRST LAST"))
        .last()
        .map_or(end, |token| token.end());
    Some((start, end))
}

/// The name of a unique column of the only relation, except those that ties determine.
fn find_unique_column(analyser: &Analyser<'_>, fixed: &Fixed) -> Option<String> {
    let [only] = analyser.frames.last()?.relations.as_slice() else { return None };
    only.find_key_column(|place| !fixed.is_column_fixed((0, place))).map(|column| column.name.clone())
}
