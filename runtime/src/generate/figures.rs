//! Answers an [`Inquiry`]: evaluates its expressions, and computes figures of tables.

use std::cmp::Ordering;

use ::sqlite::StepBudget;
use model::functions::{Extreme, Total};
use model::suite::{Relation, RelationId, Rows};
use model::{Val, Value, ValueType};

use super::answers;
use super::cell::InstanceDraft;
use super::context::Eval;
use super::inquiry::{Figure, Findings, Inquiry, Measure};
use super::table::Table;

/// Maximum work of the queries of an alternative, in steps of SQLite. A misread query may have far more rows than the right one.
const STEPS: u64 = 300_000;

/// Answers the questions.
pub(crate) fn answer_inquiry(cell: &InstanceDraft<'_>, inquiry: Inquiry<'_>) -> Findings {
    let compute = |expr| {
        let _allowance = StepBudget::with_steps(STEPS);
        answers::evaluate_value(Eval::new(cell), expr).ok()
    };
    Findings {
        alternatives: inquiry.alternatives.iter().map(compute).collect(),
        figures: collect_figures(cell, inquiry.most_cells),
    }
}

/// Collects the figures of the tables in files, up to a number of cells.
fn collect_figures(cell: &InstanceDraft<'_>, mut left: usize) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (id, relation) in cell.task.relations.iter_enumerated() {
        let Some(Some(table)) = cell.tables.get(id) else { continue };
        // The figures of existing files are the same in all instances.
        if relation.file.is_none() || matches!(relation.rows, Rows::Given(_)) || left == 0 {
            continue;
        }
        let value = Value::Int(table.rows as i64);
        figures.push(Figure { relation: id, column: None, measure: Measure::Count, value });
        left = add_columns((id, relation), table, &mut figures, left);
    }
    figures
}

/// Adds the figures of a table's columns; returns how many cells are left.
fn add_columns(
    (id, relation): (RelationId, &Relation),
    table: &Table,
    figures: &mut Vec<Figure>,
    mut left: usize,
) -> usize {
    for (at, column) in relation.iter_written_columns() {
        if table.rows > left {
            return 0;
        }
        left -= table.rows;
        let Some(cells) = table.columns.get(at) else { continue };
        let values = || (0..cells.len()).filter(|row| !cells.is_null(*row)).map(|row| cells.get(row));
        let mut add = |measure, value: Val<'_>| {
            if !value.is_null() {
                figures.push(Figure { relation: id, column: Some(at), measure, value: value.into_value() });
            }
        };
        values().next().into_iter().for_each(|first| add(Measure::First, first));
        values().next_back().into_iter().for_each(|last| add(Measure::Last, last));
        if matches!(column.cells.value_type, ValueType::Int | ValueType::Decimal(_) | ValueType::Float) {
            let total = || {
                let mut total = Total::new("sum");
                values().try_for_each(|value| total.add_value(&value)).ok().map(|()| total)
            };
            total().and_then(|total| total.into_sum().ok()).into_iter().for_each(|sum| add(Measure::Sum, sum));
            total().and_then(|total| total.into_mean().ok()).into_iter().for_each(|mean| add(Measure::Mean, mean));
            for (measure, wanted) in [(Measure::Min, Ordering::Less), (Measure::Max, Ordering::Greater)] {
                let mut extreme = Extreme::new(wanted);
                values().for_each(|value| extreme.add_value(value));
                add(measure, extreme.into_value());
            }
        }
    }
    left
}
