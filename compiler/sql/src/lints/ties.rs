//! `tied_answer`, `unshared_tiebreak`: rows with equal sort keys.

use sqlparser::ast::{Expr, OrderByExpr, Spanned, TableFactor};

use super::clauses::{find_factor_bytes, list_table_factors};
use super::findings::{Finding, Probe, ReportCondition};
use super::places;
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::output::{Output, Use};
use crate::parse::{find_expr_bytes, find_span_bytes};
use crate::reads::{canonicalize_expr, collect_all_reads, collect_origins, collect_reads, resolve_place_origin};
use crate::scope::{Numbered, Ordered, Place, Relation, Tie, resolve_place};
use syntax::diagnostics::{Code, Diagnostic};

pub fn check_ties(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let matters = match (&scene.limit, &scene.becomes) {
        (_, Use::Counted) => false,
        (Some(limit), _) => limit.most.is_none_or(|most| scene.most.is_none_or(|rows| rows > most)),
        (None, becomes) => *becomes == Use::Given,
    };
    // Without LIMIT, all rows are returned, and only their order is undetermined.
    let ordered = scene.limit.is_none();
    let (true, false, Some(terms)) = (matters, scene.one, scene.order_terms()) else { return };
    let Some(first) = terms.first() else { return };
    // A value that depends on the order of tied rows is told where it is computed.
    if terms.iter().any(|term| is_loose(analyser, term)) {
        return;
    }
    let decides = |keys: &[&Expr]| is_decided(analyser, scene, keys);
    let Some(whole) = decides(&terms) else { return };
    let bytes = |terms: &[&Expr]| {
        let tokens = analyser.query.tokens;
        let (start, _) = find_expr_bytes(tokens, terms.first()?)?;
        let (_, end) = find_expr_bytes(tokens, terms.last()?)?;
        Some((start, end))
    };
    // The terms in the text; an alias or number refers to another expression.
    let written: Vec<&Expr> = scene.ordered.map(<[_]>::to_vec).unwrap_or_default();
    if !whole {
        let Some(bytes) = bytes(&written) else { return };
        let text = analyser.query.slice_text(bytes);
        let said = Diagnostic::new(
            Code::TIED_ANSWER,
            format!("rows with equal `{text}` have no defined order"),
            analyser.query.to_span(bytes),
            "rows can tie here",
        )
        .help(match find_tie_break(analyser, scene) {
            Some(column) => {
                format!("add a unique column after it as tie-break, as in `…, {column}`, and state it in the prompt")
            }
            None => "add something unique after it as tie-break, and state it in the prompt".to_owned(),
        });
        let heard = ReportCondition::Answer { ties: collect_origins(analyser, &terms), told: None, ordered };
        let reading = find_row_name(analyser, scene).map(|row| build_tie_reading(analyser, bytes.1, &row));
        found.push(Finding { cut: !ordered, ..Finding::new_if(heard, said) }.with_reading(reading));
        return;
    }
    if let Some(finding) = places::check_place(analyser, scene, &terms) {
        return found.push(finding);
    }
    if terms.len() < 2 || decides(&[first]) != Some(false) {
        return;
    }
    let Some(bytes) = bytes(written.get(1..).unwrap_or_default()) else { return };
    let told = collect_term_names(analyser, scene, terms.get(1..).unwrap_or_default());
    let text = analyser.query.slice_text(bytes);
    let said = Diagnostic::new(
        Code::UNSHARED_TIEBREAK,
        format!("the prompt does not mention the tie-break by `{text}`"),
        analyser.query.to_span(bytes),
        "breaks ties",
    )
    .help(format!(
        "state it in the prompt, for example: if several are equal, the one with the lower {} counts",
        told.first().map_or(text, String::as_str)
    ));
    let ties = collect_origins(analyser, &terms[..1]);
    let heard = ReportCondition::Answer { ties, told: Some(told), ordered };
    let end = find_order_end(analyser, bytes.1);
    let reading = match end == bytes.1 {
        true => Reading::new(format!("`{text} DESC`"), [((end, end), " DESC".to_owned())]),
        false => Reading::new(format!("`{text}`"), [((bytes.1, end), String::new())]),
    };
    found.push(Finding { cut: !ordered, ..Finding::new_if(heard, said) }.with_reading(reading));
}

/// Reports a column next to MIN or MAX: it comes from a row with the extreme value, and several rows may have it.
pub fn check_tied_extreme(
    analyser: &Analyser<'_>,
    scene: &Scene<'_, '_, '_>,
    groups: &[Place],
    extreme: Place,
    bytes: (usize, usize),
    found: &mut Vec<Finding>,
) {
    let mut places = groups.to_vec();
    places.push(extreme);
    let fixed = scene.facts.compute_fixed(&places);
    let Some(outputs) = scene.collect_outputs() else { return };
    if outputs.iter().all(|output| collect_reads(analyser, output, &[]).is_fixed(&fixed)) {
        return;
    }
    let text = analyser.query.slice_text(bytes);
    let said = Diagnostic::new(
        Code::TIED_ANSWER,
        format!("several rows can have the smallest or largest value, and `{text}` is from any of them"),
        analyser.query.to_span(bytes),
        "arbitrary row",
    )
    .help("write it with ORDER BY, a unique column as tie-break, and LIMIT 1, and state the tie-break in the prompt");
    let ties = resolve_place_origin(analyser, extreme);
    let heard = ReportCondition::Answer { ties, told: None, ordered: false };
    found.push(Finding::new_if(heard, said).with_reading(build_order_reading(analyser, scene)));
}

/// The query with the rows of its only table in two orders.
fn build_order_reading(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Option<Reading> {
    let [relation] = analyser.frames.last()?.relations.as_slice() else { return None };
    let factors = list_table_factors(&scene.select.from);
    let [factor @ TableFactor::Table { name, .. }] = factors.as_slice() else { return None };
    let bytes = find_factor_bytes(analyser, factor)?;
    let table = analyser.query.slice_text(find_span_bytes(name.span())?);
    let alias = model::ddl::quote_name(&relation.alias);
    // Without LIMIT, SQLite may leave out the order of a subquery.
    let order =
        |direction: &str| (bytes, format!("(SELECT * FROM {table} ORDER BY rowid{direction} LIMIT -1) AS {alias}"));
    relation.table.map(|_| Reading::new_either(order(""), order(" DESC")))
}

/// Reports `GROUP_CONCAT(x ORDER BY y)`, where rows with equal `y` can have different `x`.
pub fn check_tied_terms(
    analyser: &Analyser<'_>,
    scene: &Scene<'_, '_, '_>,
    argument: &Expr,
    terms: &[OrderByExpr],
) -> Option<Finding> {
    let keys: Vec<&Expr> = terms.iter().map(|term| &term.expr).collect();
    let groups = scene.group_terms()?;
    let places: Vec<Place> =
        keys.iter().chain(&groups).filter_map(|key| resolve_place(&analyser.frames, key)).collect();
    let known: Vec<String> = keys.iter().map(|key| canonicalize_expr(key)).collect();
    let read = collect_reads(analyser, argument, &known);
    if read.unclear || read.is_settled(&scene.facts.compute_fixed(&places)) {
        return None;
    }
    let (start, _) = find_expr_bytes(analyser.query.tokens, keys.first()?)?;
    let (_, end) = find_expr_bytes(analyser.query.tokens, keys.last()?)?;
    let text = analyser.query.slice_text((start, end));
    let said = Diagnostic::new(
        Code::TIED_ANSWER,
        format!("rows with equal `{text}` have no defined order"),
        analyser.query.to_span((start, end)),
        "rows can tie here",
    )
    .help("add a unique column after it as tie-break, and state it in the prompt");
    let ties = collect_origins(analyser, &keys);
    let value = find_expr_bytes(analyser.query.tokens, argument).map(|bytes| analyser.query.slice_text(bytes));
    let reading = value.map(|value| build_tie_reading(analyser, end, value));
    Some(Finding::new_if(ReportCondition::Answer { ties, told: None, ordered: false }, said).with_reading(reading))
}

/// Whether rows that are equal in `keys` are equal in everything that is read from them; `None` if it is not known.
fn is_decided(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, keys: &[&Expr]) -> Option<bool> {
    let places: Vec<Place> = keys.iter().filter_map(|key| resolve_place(&analyser.frames, key)).collect();
    let fixed = scene.facts.compute_fixed(&places);
    if fixed.is_all_fixed() && scene.groups.is_empty() {
        return Some(true);
    }
    let known: Vec<String> =
        keys.iter().flat_map(|key| [canonicalize_expr(key), canonicalize_expr(strip_direction(key))]).collect();
    let follows = |expr: &Expr| {
        let read = collect_reads(analyser, expr, &known);
        if read.is_settled(&fixed) { Some(true) } else { (!read.unclear).then_some(false) }
    };
    // Each group returns one row, so the group determines the rest.
    let groups = scene.group_terms()?;
    let mut all = !groups.is_empty();
    for group in groups {
        all &= follows(group)?;
    }
    if all {
        return Some(true);
    }
    match scene.collect_outputs() {
        Some(outputs) => {
            let mut all = true;
            for output in outputs {
                all &= follows(output)?;
            }
            Some(all)
        }
        // `*` includes all columns.
        None => scene.select.distinct.is_none().then_some(false),
    }
}

/// Whether a sort key is a column whose values depend on the order of tied rows.
fn is_loose(analyser: &Analyser<'_>, key: &Expr) -> bool {
    let Some((relation, column)) = resolve_place(&analyser.frames, key) else { return false };
    let relation = analyser.frames.last().and_then(|frame| frame.relations.get(relation));
    relation.is_some_and(|relation| relation.loose.iter().any(|(loose, _)| *loose == column))
}

/// Removes the sign and brackets of a sort key, because ties do not depend on the direction.
fn strip_direction(key: &Expr) -> &Expr {
    match key {
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => strip_direction(inner),
        other => other,
    }
}

/// A column that would break ties.
fn find_tie_break(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Option<String> {
    let groups = scene.group_terms()?;
    if let Some(group) = groups.first() {
        return find_expr_bytes(analyser.query.tokens, group).map(|bytes| analyser.query.slice_text(bytes).to_owned());
    }
    let relations = &analyser.frames.last()?.relations;
    let name = |relation: &Relation| relation.find_key_column(|_| true).map(|column| column.name.clone());
    match relations.as_slice() {
        // The order of the file.
        [only] if analyser.is_of_files(only) => name(only).or_else(|| only.find_shortest_key()),
        [only] if only.table.is_some() => name(only).or_else(|| Some("rowid".to_owned())),
        [only] => name(only),
        several => several.last().and_then(|last| Some(format!("{}.{}", last.alias, name(last)?))),
    }
}

/// The names in terms of ORDER BY, of which the prompt may mention one.
fn collect_term_names(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, terms: &[&Expr]) -> Vec<String> {
    let mut out = Vec::new();
    for term in terms {
        for place in collect_all_reads(analyser, term).places.into_keys() {
            let column = analyser.frames.last().and_then(|frame| frame.get_column(place));
            out.extend(column.map(|column| column.name.clone()));
        }
    }
    for written in scene.ordered.unwrap_or_default() {
        if let Expr::Identifier(name) = written {
            out.extend(
                (!out.contains(&name.value) && scene.ordered.is_some_and(|all| all.first() != Some(written)))
                    .then(|| name.value.clone()),
            );
        }
    }
    out
}

/// Reports the parts of an answer that depend on tied rows in the order of `ROW_NUMBER` or `RANK`.
pub fn check_numbered_rows(analyser: &Analyser<'_>, output: &Output) -> Vec<Finding> {
    let mut ties: Vec<&Tie> = output.loose.iter().map(|(_, tie)| tie).collect();
    // The numbers themselves are part of the answer.
    let columns = output.columns.as_ref().map_or(0, Vec::len);
    let varies = |known: &&Numbered| (0..columns).any(|at| at != known.place && !known.settled.contains(&at));
    ties.extend(
        output.numbered.iter().filter(|known| known.tie.kind != Ordered::Rank).filter(varies).map(|known| &known.tie),
    );
    ties.into_iter().map(|tie| build_tie_finding(analyser, tie)).collect()
}

/// Like [`check_numbered_rows`], for a subquery in a statement that changes rows, whose numbers are written or select rows.
pub fn check_numbered_subquery(analyser: &Analyser<'_>, output: &Output) -> Vec<Finding> {
    let numbers = output.numbered.iter().map(|known| &known.tie).filter(|tie| tie.kind != Ordered::Rank);
    let mut ties: Vec<&Tie> = output.loose.iter().map(|(_, tie)| tie).chain(numbers).collect();
    ties.dedup();
    ties.into_iter().map(|tie| build_tie_finding(analyser, tie)).collect()
}

fn build_tie_finding(analyser: &Analyser<'_>, tie: &Tie) -> Finding {
    let text = analyser.query.slice_text(tie.order);
    let unique = match &tie.breaks {
        Some(column) => format!("`{text}, {column}`"),
        None => format!("a unique column after `{text}`"),
    };
    let (message, help, told) = if tie.kind == Ordered::Rank {
        // Words that include all tied rows, or refer to the ranks instead of the rows.
        let all = "all, every, everybody, everyone, whoever, anyone, distinct, different, one of the, \
            any of the, among the, dense, share, shared, sharing";
        (
            format!("rows with equal `{text}` share a rank, but the prompt does not say that all count"),
            format!("state it in the prompt, or select one of them: ROW_NUMBER with {unique}"),
            Some(all.split(", ").map(str::to_owned).collect()),
        )
    } else {
        (
            format!("rows with equal `{text}` have no defined order"),
            format!("order by {unique}, and state the tie-break in the prompt"),
            None,
        )
    };
    let said =
        Diagnostic::new(Code::TIED_ANSWER, message, analyser.query.to_span(tie.order), "rows can tie here").help(help);
    let cut = tie.kind == Ordered::Number;
    let probe = match tie.kind {
        Ordered::Value => build_order_probe(analyser, tie),
        _ => None,
    };
    let heard = ReportCondition::Answer { ties: tie.origins.clone(), told, ordered: false };
    let row = tie.breaks.as_deref().unwrap_or("rowid");
    let reading = (tie.kind != Ordered::Rank).then(|| build_tie_reading(analyser, tie.order.1, row));
    Finding { cut, probe, ..Finding::new_if(heard, said) }.with_reading(reading)
}

/// Both orders of tied rows: by something unique after the terms of ORDER BY.
fn build_tie_reading(analyser: &Analyser<'_>, end: usize, row: &str) -> Reading {
    let end = find_order_end(analyser, end);
    Reading::new_either(((end, end), format!(", {row}")), ((end, end), format!(", {row} DESC")))
}

/// The byte after the direction of a term of ORDER BY.
fn find_order_end(analyser: &Analyser<'_>, end: usize) -> usize {
    let behind = analyser.query.tokens.iter().filter(|token| token.start >= end);
    behind.take_while(|token| token.is_any("ASC DESC NULLS FIRST LAST")).last().map_or(end, |token| token.end())
}

/// What identifies a row of a SELECT: a term of GROUP BY, or the number of a row.
fn find_row_name(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Option<String> {
    if let Some(group) = scene.group_terms()?.first() {
        return find_expr_bytes(analyser.query.tokens, group).map(|bytes| analyser.query.slice_text(bytes).to_owned());
    }
    let last = analyser.frames.last()?.relations.last().filter(|last| last.table.is_some())?;
    Some(format!("{}.rowid", model::ddl::quote_name(&last.alias)))
}

/// The query with both orders of tied rows.
fn build_order_probe(analyser: &Analyser<'_>, tie: &Tie) -> Option<Probe> {
    let (before, after) = analyser.query.text.split_at_checked(tie.order.1)?;
    let by = |order: &str| format!("{before}, rowid{order}{after}");
    Some(Probe::Differ(by(""), by(" DESC")))
}
