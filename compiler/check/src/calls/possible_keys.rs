//! Sets of columns that can be keys of a table, although it is not proved: a column among them is computed from what is different in each row.

use std::collections::{BTreeMap, BTreeSet};

use model::Value;
use model::compute::Known;
use model::suite::{ColumnId, FARTHEST, Op, RelationId};

use super::query_tables::is_hidden_in_sql;
use crate::context::{Checker, TaskScope};
use hir::types::TyKind;
use hir::{ColumnSource, Columns, DrawDomain, Expr, ExprKind, Rows, lower};

/// The maximum number of rows that are computed.
const MAX_ROWS: u64 = 1000;
/// The maximum number of columns of a table whose sets are looked at.
const MAX_COLUMNS: usize = 24;
/// The maximum number of columns of a key.
const MAX_KEY: usize = 3;

/// The values of columns in all rows.
type Values = BTreeMap<ColumnId, Vec<Value>>;

/// What is known of the columns of a table.
struct Table {
    /// The columns from which a column is computed.
    inputs: BTreeMap<ColumnId, BTreeSet<ColumnId>>,
    /// The columns that are drawn for each row by itself: they can be equal in two rows.
    free: BTreeSet<ColumnId>,
    /// The sets of columns that are declared unique together.
    unique: Vec<Vec<ColumnId>>,
    /// The columns whose values in all rows are known.
    known: Values,
    /// How many values a column has at most.
    sizes: BTreeMap<ColumnId, u64>,
    /// The maximum number of rows.
    most: u64,
}

impl<'a> TaskScope<'a> {
    /// Lists the sets of columns with a computed one that can be keys of a relation, by their places in SQL.
    pub(super) fn list_possible_keys(&self, cx: &Checker<'a>, id: RelationId) -> Vec<Vec<usize>> {
        let columns = &self.relations.checked[id].columns;
        let seen: Vec<ColumnId> = columns.keys().filter(|column| !is_hidden_in_sql(&columns[*column])).collect();
        let sources = Columns { relations: &self.relations.checked, relation: id };
        let inputs = columns.keys().filter_map(|column| match sources.find_source(column)? {
            ColumnSource::Compute(value) => Some((column, hir::list_inputs(value)?)),
            _ => None,
        });
        let inputs: BTreeMap<ColumnId, BTreeSet<ColumnId>> = inputs.collect();
        if seen.len() > MAX_COLUMNS || !seen.iter().any(|column| inputs.contains_key(column)) {
            return Vec::new();
        }
        let table = self.read_table(cx, id, inputs);
        let mut keys: Vec<Vec<usize>> = Vec::new();
        for set in list_subsets(seen.len()) {
            let is_longer = keys.iter().any(|key| key.iter().all(|place| set.contains(place)));
            let chosen: Vec<ColumnId> = set.iter().filter_map(|place| seen.get(*place).copied()).collect();
            if !is_longer && table.can_be_key(&chosen) {
                keys.push(set);
            }
        }
        keys
    }

    fn read_table(&self, cx: &Checker<'a>, id: RelationId, inputs: BTreeMap<ColumnId, BTreeSet<ColumnId>>) -> Table {
        let decl = &self.relations.checked[id];
        let columns = Columns { relations: &self.relations.checked, relation: id };
        let draw = |column: ColumnId| columns.find_source(column).and_then(ColumnSource::draw);
        let is_free = |column: &ColumnId| draw(*column).is_some_and(|draw| !draw.unique && !draw.is_serial());
        let unique = self.iter_sources(id).flat_map(|of| &self.relations.checked[of].constraints);
        let unique = unique.filter(|of| of.is_unique()).map(|of| of.columns.clone());
        let most = self.infer_row_bounds(id).most;
        let sizes = decl.columns.keys().filter_map(|column| Some((column, count_values(columns, column, 0)?)));
        Table {
            inputs,
            free: decl.columns.keys().filter(is_free).collect(),
            unique: unique.collect(),
            known: self.compute_known_columns(cx, id, most),
            sizes: sizes.collect(),
            most,
        }
    }

    /// Iterates over a relation and those from which it takes its rows.
    fn iter_sources(&self, id: RelationId) -> impl Iterator<Item = RelationId> {
        let next = move |id: &RelationId| match self.relations.checked.get(*id)?.rows {
            Rows::Taken { from, .. } => Some(from),
            _ => None,
        };
        std::iter::successors(Some(id), next).take(FARTHEST + 1)
    }

    /// Computes the columns that depend only on the number of their row.
    fn compute_known_columns(&self, cx: &Checker<'a>, id: RelationId, most: u64) -> Values {
        let Some(count) = usize::try_from(most).ok().filter(|_| most <= MAX_ROWS) else { return BTreeMap::new() };
        let sources: Vec<RelationId> = self.iter_sources(id).collect();
        let mut taken = BTreeMap::new();
        for id in sources.into_iter().rev() {
            taken = self.compute_own_columns(cx, id, count, &taken);
        }
        taken
    }

    /// The same for one table, of whose source these columns are known.
    fn compute_own_columns(&self, cx: &Checker<'a>, id: RelationId, count: usize, taken: &Values) -> Values {
        let decl = &self.relations.checked[id];
        // Of a source with a filter, other rows are taken.
        let is_whole = !matches!(decl.rows, Rows::Taken { filter: Some(_), .. });
        let mut known = BTreeMap::new();
        let mut rows = cx.host.evaluator().new_table(decl.columns.len(), count);
        for column in &decl.order {
            let Some(own) = decl.columns.get(*column) else { continue };
            let values = match &own.source {
                ColumnSource::Draw { draw, .. } if draw.is_serial() && !draw.may_be_blank() => {
                    Some((1..).map(Value::Int).take(count).collect())
                }
                ColumnSource::Taken(of) if is_whole => taken.get(of).cloned(),
                ColumnSource::Compute(value) => {
                    let is_known = |inputs: BTreeSet<ColumnId>| inputs.iter().all(|input| known.contains_key(input));
                    let is_of_task = value.has_part(|part| matches!(part.kind, ExprKind::Name(_)));
                    let computes = !is_of_task && hir::list_inputs(value).is_some_and(is_known);
                    let computed = || rows.evaluate_rows(&lower::lower_expr(value)).ok();
                    if computes { computed() } else { None }
                }
                _ => None,
            };
            if let Some(values) = values {
                let value_type = own.ty.to_stored_type();
                rows.set_column(*column, &Known { value_type, values: values.clone().into() });
                known.insert(*column, values);
            }
        }
        known
    }
}

impl Table {
    /// Whether two rows are not known to be possible that are equal in these columns.
    fn can_be_key(&self, columns: &[ColumnId]) -> bool {
        let inputs = self.list_base_columns(columns);
        let has_key = self.unique.iter().any(|key| key.iter().all(|column| inputs.contains(column)));
        if !has_key && inputs.iter().all(|column| self.free.contains(column)) {
            return false;
        }
        let known: Option<Vec<&Vec<Value>>> = columns.iter().map(|column| self.known.get(column)).collect();
        if let Some(known) = known {
            let mut seen = BTreeSet::new();
            return (0..known.first().map_or(0, |values| values.len())).all(|at| {
                let row: Vec<&Value> = known.iter().filter_map(|values| values.get(at)).collect();
                let is_null = row.iter().any(|value| value.is_null());
                is_null || seen.insert(row.into_iter().map(Value::render_text).collect::<Vec<_>>())
            });
        }
        let sizes = columns.iter().map(|column| self.sizes.get(column).copied());
        let size = sizes.reduce(|all, next| all?.checked_mul(next?)).flatten();
        size.is_none_or(|size| size >= self.most)
    }

    /// The columns from which these are computed, and those of them that are not computed.
    fn list_base_columns(&self, columns: &[ColumnId]) -> BTreeSet<ColumnId> {
        let (mut open, mut seen, mut base) = (columns.to_vec(), BTreeSet::new(), BTreeSet::new());
        while let Some(column) = open.pop() {
            if !seen.insert(column) {
                continue;
            }
            match self.inputs.get(&column) {
                Some(inputs) => open.extend(inputs),
                None => {
                    base.insert(column);
                }
            }
        }
        base
    }
}

/// How many values a column has at most, nulls aside, if these are few and written out.
fn count_values(columns: Columns<'_>, id: ColumnId, depth: u32) -> Option<u64> {
    match columns.find_source(id)? {
        ColumnSource::Compute(value) => count_results(columns, value, depth),
        ColumnSource::Draw { draw, .. } => match &draw.domain {
            DrawDomain::Fixed(domain) => domain.cardinality().and_then(|count| u64::try_from(count).ok()),
            DrawDomain::OneOf(items) => Some(items.len() as u64),
            _ => None,
        },
        _ => None,
    }
}

fn count_results(columns: Columns<'_>, value: &Expr, depth: u32) -> Option<u64> {
    /// The deepest nesting that is followed.
    const MAX_DEPTH: u32 = 32;
    if depth > MAX_DEPTH {
        return None;
    }
    match &value.kind {
        ExprKind::Const(_) | ExprKind::Name(_) => Some(1),
        ExprKind::Column(id) => count_values(columns, *id, depth + 1),
        ExprKind::If(parts) => {
            let (yes, no) =
                (count_results(columns, &parts.1, depth + 1)?, count_results(columns, &parts.2, depth + 1)?);
            yes.checked_add(no)
        }
        ExprKind::Binary(Op::Add | Op::Sub | Op::Mul, sides) => {
            count_results(columns, &sides.0, depth + 1)?.checked_mul(count_results(columns, &sides.1, depth + 1)?)
        }
        _ if value.ty.kind == TyKind::Bool => Some(2),
        _ => None,
    }
}

/// Lists the sets of up to [`MAX_KEY`] of the first numbers, shorter ones first.
fn list_subsets(count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..MAX_KEY {
        let to = all.len();
        for at in from..to {
            let set = all.get(at).cloned().unwrap_or_default();
            let next = set.last().map_or(0, |last| last + 1);
            all.extend((next..count).map(|place| set.iter().copied().chain([place]).collect()));
        }
        from = to;
    }
    all.retain(|set| !set.is_empty());
    all
}
