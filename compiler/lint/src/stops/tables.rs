//! Makes tables of an imagined sample: the number of rows, and the cells of the columns that matter. Cells are drawn as a build draws them; the number of rows
//! is often the smallest or the largest.

use std::collections::BTreeSet;

use model::suite::{ColumnId, RelationId, Scope};
use model::{TiVec, Value};

use super::chance::{Pick, happens, mix};
use super::draws::{Choice, list_banned};
use super::eval::{Eval, Row};
use super::fault::{Res, Stop, What, fail, join_both};
use super::world::{Table, World};
use hir::{Column, ColumnSource, Draw, DrawDomain, Expr, ExprKind, Relation, Rows};

/// The number of rows that are tried for themselves, apart from those of the table.
const ALONE: u64 = 6;

/// Makes a table. A column that cannot be made has the reason in its place; so has the whole table if its number of rows does not exist.
pub(super) fn make_table(world: &World<'_>, id: RelationId, needed: &dyn Fn(ColumnId) -> bool) -> Res<Table> {
    let relation = world.task.relations.get(id).ok_or(Stop::Unknown)?;
    let eval = Eval::new(world);
    let origins = match &relation.rows {
        Rows::Taken { from, filter } => Some((*from, list_taken_rows(eval, *from, filter.as_ref())?)),
        _ => None,
    };
    let rows = match &origins {
        Some((_, origins)) => origins.len() as u64,
        None => count_rows(eval, id, relation)?,
    };
    let mut table = Table { rows, columns: relation.columns.iter().map(|_| Err(Stop::Unknown)).collect() };
    for column in relation.order.iter().copied().filter(|column| needed(*column)) {
        let Some(declared) = relation.columns.get(column) else { continue };
        let made = match (&declared.source, &origins) {
            (ColumnSource::Taken(of), Some((from, origins))) => {
                let cells = world.read_table(*from)?.read_column(*of);
                cells
                    .and_then(|cells| origins.iter().map(|row| cells.get(*row).cloned().ok_or(Stop::Unknown)).collect())
            }
            // Its values depend on the other columns of a key.
            (ColumnSource::Draw { draw, .. }, _) if relation.is_in_key(column) && !draw.is_serial() && !draw.unique => {
                Err(Stop::Unknown)
            }
            _ => make_column(Filling { eval, id, table: &table }, declared),
        };
        let stops = matches!(made, Err(Stop::Fails(_)));
        if let Some(place) = table.columns.get_mut(column) {
            *place = made;
        }
        if stops {
            return Ok(table);
        }
    }
    if origins.is_none() && rows > 0 {
        try_rows_alone(eval, id, relation, needed)?;
    }
    Ok(table)
}

/// A column that is being made.
struct Filling<'e, 'a> {
    eval: Eval<'e, 'a>,
    id: RelationId,
    table: &'e Table,
}

fn list_taken_rows<'a>(eval: Eval<'_, 'a>, from: RelationId, filter: Option<&'a Expr>) -> Res<Vec<usize>> {
    let table = eval.world.read_table(from)?;
    let mut rows = Vec::new();
    for row in 0..table.count_known_rows()? {
        if filter.map_or(Ok(true), |filter| eval.with_candidate(Row::Of(table, row)).is_true(filter))? {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The number of rows of a table.
fn count_rows<'a>(eval: Eval<'_, 'a>, id: RelationId, relation: &'a Relation) -> Res<u64> {
    let own = u64::from(id.0);
    match &relation.rows {
        Rows::Count(low, high) => {
            let (least, most) = check_row_bounds(eval, low, high)?;
            Ok(pick_count(eval.world, mix(&[eval.world.choices.seed, 5, own]), least, most))
        }
        Rows::PerRow { parent, low, high } => {
            let (least, most) = check_row_bounds(eval, low, high)?;
            let parents = eval.world.read_table(*parent)?.count_known_rows()?;
            let counts = (0..parents as u64).map(|row| {
                let word = mix(&[eval.world.choices.seed, 6, own, row]);
                least + word % (most - least).saturating_add(1)
            });
            Ok(counts.fold(0, u64::saturating_add))
        }
        Rows::Given(rows) => Ok(u64::from(*rows)),
        Rows::Query(_) | Rows::Lines(_) | Rows::View(_) | Rows::Taken { .. } => Err(Stop::Unknown),
    }
}

pub(super) fn check_row_bounds<'a>(eval: Eval<'_, 'a>, low: &'a Expr, high: &'a Expr) -> Res<(u64, u64)> {
    let (least, most) = join_both(eval.evaluate_int(low), eval.evaluate_int(high))?;
    let span = low.span.extend_to(high.span);
    if least > most {
        return fail(What::Range, span, format!("{least}..{most}"));
    }
    match (u64::try_from(least), u64::try_from(most)) {
        (Ok(least), Ok(most)) => Ok((least, most)),
        _ => fail(What::Count, span, least.to_string()),
    }
}

fn pick_count(world: &World<'_>, word: u64, least: u64, most: u64) -> u64 {
    match word % 4 {
        0 if world.choices.biased => least,
        1 if world.choices.biased => most,
        _ => least + (word >> 8) % (most - least).saturating_add(1),
    }
}

fn make_column<'a>(to: Filling<'_, 'a>, declared: &'a Column) -> Res<Vec<Value>> {
    let rows = to.table.count_known_rows()?;
    match &declared.source {
        ColumnSource::Given(given) => Ok(given.cells.values.iter().take(rows).cloned().collect()),
        ColumnSource::Compute(value) => {
            (0..rows).map(|row| to.eval.with_row(Row::Of(to.table, row)).evaluate(value)).collect()
        }
        ColumnSource::Draw { draw, group, place, .. } => draw_column(&to, draw, (group, *place)),
        ColumnSource::Result(_) | ColumnSource::Taken(_) => Err(Stop::Unknown),
    }
}

/// Draws the cells of a column.
fn draw_column<'a>(to: &Filling<'_, 'a>, draw: &'a Draw, (group, place): (&str, u32)) -> Res<Vec<Value>> {
    let Filling { eval, table, .. } = *to;
    let rows = table.count_known_rows()?;
    if draw.is_serial() {
        return Ok((1..=rows as i64).map(Value::Int).collect());
    }
    if let DrawDomain::Exactly(count) = &draw.domain {
        let asked = eval.evaluate_int(count)?;
        if !usize::try_from(asked).is_ok_and(|asked| asked <= rows) {
            return fail(What::Exhausted, draw.span, format!("`exactly {asked}` needs {asked} of {rows} rows"));
        }
        return Err(Stop::Unknown);
    }
    let together = draw.is_together();
    let by_row = is_drawn_by_row(draw, to.id) || rows == 0;
    let shared = if by_row { None } else { Some((Choice::new(eval, draw)?, list_banned(eval, draw)?)) };
    let mut cells: Vec<Value> = Vec::with_capacity(rows);
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for row in 0..rows {
        eval.world.spend_work(1)?;
        let here = eval.with_row(Row::Of(table, row));
        let word = mix(&[eval.world.choices.seed, 7, hash_group(group), row as u64]);
        let own = mix(&[word, u64::from(place)]);
        if draw.blank_per_million > 0 && happens(mix(&[own, 1]), draw.blank_per_million) {
            cells.push(Value::Null);
            continue;
        }
        let own_choice;
        let (choice, banned) = match &shared {
            Some(shared) => shared,
            None => {
                own_choice = (Choice::new(here, draw)?, list_banned(here, draw)?);
                &own_choice
            }
        };
        // Columns that take cells of one row, and columns whose values differ, share the number.
        let pick = Pick::Drawn(if together { word } else { own });
        let value = choice.pick_allowed(here, draw, (pick, &[]), &|value| {
            banned.iter().any(|banned| banned.is_same(value))
                || (draw.unique && !together && seen.contains(value.render_text().as_ref()))
        })?;
        if draw.unique {
            seen.insert(value.render_text().into_owned());
        }
        cells.push(value);
    }
    if draw.sorted {
        cells.sort_by(|a, b| model::Val::Ref(a).compare_total(&model::Val::Ref(b)));
    }
    Ok(cells)
}

fn hash_group(group: &str) -> u64 {
    group.bytes().fold(8, |word, byte| mix(&[word, u64::from(byte)]))
}

/// Whether the bounds, the filter, or the exceptions of a draw depend on the row.
fn is_drawn_by_row(draw: &Draw, relation: RelationId) -> bool {
    let mut found = false;
    draw.visit_exprs(Scope::with_row(relation), &mut |_, expr, scope| {
        expr.visit_with_scope(scope, &mut |part, scope| {
            found |= match part.kind {
                ExprKind::Column(_) => scope == Scope::with_row(relation),
                ExprKind::OuterColumn(_) => scope.outer == Some(relation),
                _ => false,
            };
        });
    });
    found
}

/// Tries rows that the table could have, with cells at the ends of their domains, and fails if one of them cannot be made.
fn try_rows_alone<'a>(
    eval: Eval<'_, 'a>,
    id: RelationId,
    relation: &'a Relation,
    needed: &dyn Fn(ColumnId) -> bool,
) -> Res<()> {
    for number in 0..ALONE {
        let mut cells: TiVec<ColumnId, Res<Value>> = relation.columns.iter().map(|_| Err(Stop::Unknown)).collect();
        for column in relation.order.iter().copied().filter(|column| needed(*column)) {
            let Some(declared) = relation.columns.get(column) else { continue };
            let word = mix(&[eval.world.choices.seed, 9, u64::from(id.0), number]);
            let made = make_cell_alone(eval, (id, column), declared, (word, &cells));
            if let Err(stop @ Stop::Fails(_)) = made {
                return Err(stop);
            }
            if let Some(place) = cells.get_mut(column) {
                *place = made;
            }
        }
    }
    Ok(())
}

/// Makes a cell of a row for itself. `word` is the number of the row, `cells` are those before it.
fn make_cell_alone<'a>(
    eval: Eval<'_, 'a>,
    (id, column): (RelationId, ColumnId),
    declared: &'a Column,
    (word, cells): (u64, &TiVec<ColumnId, Res<Value>>),
) -> Res<Value> {
    let here = eval.with_row(Row::Alone(cells));
    match &declared.source {
        ColumnSource::Given(given) => {
            let values = &given.cells.values;
            values.get((word % values.len().max(1) as u64) as usize).cloned().ok_or(Stop::Unknown)
        }
        ColumnSource::Compute(value) => here.evaluate(value),
        ColumnSource::Draw { draw, .. } => {
            // Its value depends on the other rows.
            if draw.is_serial() || matches!(draw.domain, DrawDomain::Exactly(_)) || draw.is_together() {
                return Err(Stop::Unknown);
            }
            let own = mix(&[word, u64::from(column.0)]);
            if draw.blank_per_million > 0 && happens(mix(&[own, 1]), draw.blank_per_million) {
                return Ok(Value::Null);
            }
            let choice = Choice::new(here, draw)?;
            let banned = list_banned(here, draw)?;
            let mut hints = eval.world.choices.columns.get(&(id, column)).cloned().unwrap_or_default();
            hints.extend(cells.iter().filter_map(|cell| choice.find_own(cell.as_ref().ok()?)));
            choice.pick_allowed(here, draw, (Pick::from_word(own), &hints), &|value| {
                banned.iter().any(|banned| banned.is_same(value))
            })
        }
        ColumnSource::Result(_) | ColumnSource::Taken(_) => Err(Stop::Unknown),
    }
}
