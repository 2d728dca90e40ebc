//! `cartesian_join`, `join_on_no_key`: tables that are joined without a condition, or by the wrong one.

use std::collections::BTreeMap;

use sqlparser::ast::{BinaryOperator, Expr, JoinConstraint, JoinOperator};

use super::clauses::{find_factor_bytes, find_group_place, list_table_factors};
use super::findings::{Finding, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::expressions::{find_last_name, split_conjuncts};
use crate::parse;
use crate::reads::{canonicalize_expr, collect_all_reads};
use crate::request::{SqlColumn, SqlTable, is_same_name};
use crate::scope::{Place, Relation, resolve_place};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// A condition that relates several relations.
struct Link {
    relations: Vec<usize>,
    equal: Option<Equality>,
}

/// Two columns that are equal.
struct Equality {
    left: Place,
    right: Place,
    /// The byte range of the condition.
    bytes: Option<(usize, usize)>,
    /// Whether it is written `left = right`, not as USING.
    sides: bool,
}

pub fn check_joins(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let Some(frame) = analyser.frames.last().filter(|frame| frame.relations.len() > 1) else { return };
    let Some(links) = collect_links(analyser, scene) else { return };
    check_join_keys(analyser, &links, frame.relations.len(), found);
    // CROSS JOIN shows that every pair is intended.
    if analyser.query.tokens.iter().any(|token| token.is_keyword("CROSS")) {
        return;
    }
    let fixed = scene.facts.compute_fixed(&[]);
    let many = |at: &usize| {
        let most = frame.relations.get(*at).and_then(|relation| relation.most);
        most.is_none_or(|most| most > 1) && !fixed.is_relation_fixed(*at)
    };
    let group = group_relations(frame.relations.len(), links.iter());
    let factors = list_table_factors(&scene.select.from);
    if factors.len() != frame.relations.len() {
        return;
    }
    let mut first: Option<usize> = None;
    for at in (0..frame.relations.len()).filter(many) {
        let Some(before) = first else {
            first = Some(at);
            continue;
        };
        if group.get(at) == group.get(before) {
            continue;
        }
        let (Some(a), Some(b)) = (frame.relations.get(before), frame.relations.get(at)) else { continue };
        let Some(bytes) = factors.get(at).and_then(|factor| find_factor_bytes(analyser, factor)) else { continue };
        let said = Diagnostic::new(
            Code::CARTESIAN_JOIN,
            format!("`{}` and `{}` have no join condition: every pair of rows is joined", a.alias, b.alias),
            analyser.query.to_span(bytes),
            "no join condition",
        );
        let table = |relation: &Relation| relation.find_table(analyser.query.request);
        let reference = table(a).zip(table(b)).and_then(|(left, right)| find_reference(left, right));
        let (x, y) = reference.unwrap_or(("…", "…"));
        let condition = format!("{}.{x} = {}.{y}", a.alias, b.alias);
        let said =
            said.help(format!("add the condition, as in `ON {condition}`; if you want every pair, write CROSS JOIN"));
        let reading = reference.and_then(|_| build_condition_reading(analyser, scene, &condition));
        found.push(Finding::new_unconditional(said).with_reading(reading));
        return;
    }
}

/// The query with a condition of its own in WHERE.
fn build_condition_reading(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, condition: &str) -> Option<Reading> {
    let change = match &scene.select.selection {
        Some(selection) => {
            let bytes = parse::find_expr_bytes(analyser.query.tokens, selection)?;
            (bytes, format!("({}) AND {condition}", analyser.query.slice_text(bytes)))
        }
        None => {
            let end = find_group_place(analyser, scene)?;
            ((end, end), format!(" WHERE {condition}"))
        }
    };
    Some(Reading::new(format!("`{condition}`"), [change]))
}

/// Collects all conditions that relate relations; `None` if some are not understood.
fn collect_links(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Option<Vec<Link>> {
    let joins = scene.joins;
    if !joins.arguments.is_empty() {
        return None;
    }
    let mut links = Vec::new();
    for (left, right, _) in &joins.equal {
        let bytes = find_using_bytes(analyser, scene, *right);
        links.push(Link {
            relations: vec![left.0, right.0],
            equal: Some(Equality { left: *left, right: *right, bytes, sides: false }),
        });
    }
    let mut values: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let on = joins.constraints.iter().map(|on| on.on);
    for condition in
        on.chain(scene.select.selection.as_ref()).chain(scene.select.having.as_ref()).flat_map(split_conjuncts)
    {
        let read = collect_all_reads(analyser, condition);
        // A condition without columns (`ON 1`) shows that every pair is intended.
        if read.unclear || (read.places.is_empty() && joins.constraints.iter().any(|on| on.on == condition)) {
            return None;
        }
        let relations: Vec<usize> = read.places.keys().map(|(relation, _)| *relation).collect();
        let mut equal = None;
        if let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition {
            match (resolve_place(&analyser.frames, left), resolve_place(&analyser.frames, right)) {
                (Some(a), Some(b)) => {
                    let bytes = parse::find_node_bytes(analyser.query.tokens, condition);
                    equal = Some(Equality { left: a, right: b, bytes, sides: true });
                }
                // Two columns that equal the same value equal each other.
                (Some(a), None) => values.entry(canonicalize_expr(right)).or_default().push(a.0),
                (None, Some(b)) => values.entry(canonicalize_expr(left)).or_default().push(b.0),
                (None, None) => {}
            }
        }
        links.push(Link { relations, equal });
    }
    links.extend(values.into_values().map(|relations| Link { relations, equal: None }));
    Some(links)
}

/// The group of connected relations that each relation belongs to.
fn group_relations<'l>(relations: usize, links: impl Iterator<Item = &'l Link>) -> Vec<usize> {
    let mut group: Vec<usize> = (0..relations).collect();
    for link in links {
        let ids: Vec<usize> = link.relations.iter().filter_map(|at| group.get(*at).copied()).collect();
        let Some(least) = ids.iter().min().copied() else { continue };
        for slot in &mut group {
            if ids.contains(slot) {
                *slot = least;
            }
        }
    }
    group
}

fn check_join_keys(analyser: &Analyser<'_>, links: &[Link], relations: usize, found: &mut Vec<Finding>) {
    let Some(frame) = analyser.frames.last() else { return };
    let tables = analyser.query.request.tables;
    for (index, link) in links.iter().enumerate() {
        let Some(Equality { left: a, right: b, bytes: Some(bytes), sides }) = link.equal else { continue };
        let of = |(relation, place): Place| {
            let table = frame.relations.get(relation)?.find_table(analyser.query.request)?;
            Some((table, table.columns.get(place)?))
        };
        let (Some((left, x)), Some((right, y))) = (of(a), of(b)) else { continue };
        if a.0 == b.0
            || std::ptr::eq(left, right)
            || find_reference_root(tables, left, x) == find_reference_root(tables, right, y)
        {
            continue;
        }
        let key = |column: &SqlColumn<'_>| column.primary_key || column.unique || column.references.is_some();
        let others = links.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, link)| link);
        let group = group_relations(relations, others);
        // If another condition joins the tables, this is an additional condition.
        if !(key(x) || key(y)) || group.get(a.0) == group.get(b.0) {
            continue;
        }
        let Some((from, to)) = find_reference(left, right) else { continue };
        let alias = |at: usize| frame.relations.get(at).map(|relation| relation.alias.as_str()).unwrap_or_default();
        let right_way = format!("{}.{from} = {}.{to}", alias(a.0), alias(b.0));
        let span = analyser.query.to_span(bytes);
        let said = Diagnostic::new(
            Code::JOIN_ON_NO_KEY,
            format!(
                "`{}.{}` and `{}.{}` do not reference each other, so rows match by chance",
                alias(a.0),
                x.name,
                alias(b.0),
                y.name
            ),
            span,
            "joins rows that do not belong together",
        )
        .label_declaration(x.name, x.span);
        let said = if x.span == y.span { said } else { said.label_declaration(y.name, y.span) };
        let said = said.help(format!("write `ON {right_way}`, the reference between the two tables"));
        let reading = sides.then(|| Reading::new_shown(bytes, right_way.clone()));
        let said = if sides { said.replace(Applicability::Unsafe, span, right_way) } else { said };
        let heard = ReportCondition::Unnamed(vec![x.name.to_owned(), y.name.to_owned()]);
        found.push(Finding::new_if(heard, said).with_reading(reading));
    }
}

/// The columns of a reference between two tables, the column of `left` first.
fn find_reference<'a>(left: &SqlTable<'a>, right: &SqlTable<'a>) -> Option<(&'a str, &'a str)> {
    let from = |one: &SqlTable<'a>, other: &SqlTable<'a>| {
        one.columns.iter().find_map(|column| {
            let (table, target) = column.references?;
            (is_same_name(table, other.name) && one.database == other.database).then_some((column.name, target))
        })
    };
    from(left, right).or_else(|| from(right, left).map(|(there, here)| (here, there)))
}

/// The last column of a chain of references.
pub(super) fn find_reference_root<'a>(
    tables: &[SqlTable<'a>],
    table: &SqlTable<'a>,
    column: &SqlColumn<'a>,
) -> (Option<&'a str>, String, String) {
    let (mut table, mut column) = (table, column);
    for _ in 0..8 {
        let next = column.references.and_then(|(to, name)| {
            let next = tables.iter().find(|other| is_same_name(other.name, to) && other.database == table.database)?;
            Some((next, next.columns.iter().find(|other| is_same_name(other.name, name))?))
        });
        match (next, column.references) {
            (Some((to, target)), _) => (table, column) = (to, target),
            // It references a table that this query does not read.
            (None, Some((to, target))) => return (table.database, to.to_lowercase(), target.to_lowercase()),
            (None, None) => break,
        }
    }
    (table.database, table.name.to_lowercase(), column.name.to_lowercase())
}

/// The byte range of a merged column's name in `USING (column)`.
fn find_using_bytes(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, place: Place) -> Option<(usize, usize)> {
    let column = analyser.frames.last()?.get_column(place)?;
    let joins = scene.select.from.iter().flat_map(|item| &item.joins);
    for (before, join) in (1..).zip(joins) {
        let constraint = match &join.join_operator {
            JoinOperator::Join(on)
            | JoinOperator::Inner(on)
            | JoinOperator::Left(on)
            | JoinOperator::LeftOuter(on)
            | JoinOperator::Right(on)
            | JoinOperator::RightOuter(on)
            | JoinOperator::FullOuter(on) => on,
            _ => return None,
        };
        if before == place.0
            && let JoinConstraint::Using(names) = constraint
        {
            let mut named = names.iter().filter_map(find_last_name);
            return named.find(|name| is_same_name(&name.value, &column.name)).map(parse::find_ident_bytes);
        }
    }
    None
}
