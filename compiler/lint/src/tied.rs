//! `tied_answer` outside of SQL: the most common value of a column, or the first row with an extreme.

use std::collections::BTreeSet;

use model::functions::{FunctionId, Pick};
use model::suite::{ColumnId, NameId, Op, RelationId, Scope};

use super::context::{TaskCx, report_once};
use super::lookups;
use super::mode_chance::is_tie_negligible;
use super::required::Required;
use super::sorted_places;
use super::taken_rows::Rows;
use super::uses::Answered;
use hir::facts::{Facts, Truth};
use hir::{Arg, ColumnSource, Expr, ExprKind};
use sql::Whole;
use syntax::bounds::Bounds;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports every part of an answer that can tie, unless each prompt states which row or value counts.
pub(super) fn report_tied_answers<'a>(cx: &TaskCx<'a>, answers: &[Answered<'a>], said: &mut Vec<Diagnostic>) {
    let mut guarded: Option<Required<'a>> = None;
    for (asked, answer) in cx.list_questions().iter().zip(answers) {
        let mut open: Vec<&Expr> = asked.iter_answers().collect();
        let mut seen: BTreeSet<NameId> = BTreeSet::new();
        while let Some(value) = open.pop() {
            value.visit_exprs(&mut |expr| match &expr.kind {
                ExprKind::Name(id) if !answer.is_told(*id) && seen.insert(*id) => {
                    open.extend(cx.task.find_computed(*id))
                }
                ExprKind::Call(function, args) if function.picks == Some(Pick::Place) => {
                    let Some((rows, new)) = sorted_places::check_sorted_place(cx, args, expr) else { return };
                    let guarded = guarded.get_or_insert_with(|| Required::new(cx.facts()));
                    if sql::Asked::Place.is_met(&answer.prompt) && !rows.is_required(guarded) {
                        report_once(new, said);
                    }
                }
                ExprKind::Call(function, args) => {
                    let Some((pick, rows)) = find_taken_rows(cx.task, *function, args) else { return };
                    let looked_up = || lookups::check_lookup(cx, pick, &rows, expr, &answer.prompt);
                    let Some(new) = check_tie(cx, pick, &rows, expr).or_else(looked_up) else { return };
                    let guarded = guarded.get_or_insert_with(|| Required::new(cx.facts()));
                    if !answer.is_tie_rule_told(&[]) && !rows.is_required(guarded) {
                        report_once(new, said);
                    }
                }
                _ => {}
            });
        }
    }
}

/// Finds the column from which a call chooses a value: its own argument, or the column of its list argument.
fn find_taken_rows<'a>(task: &'a hir::Task, function: FunctionId, args: &'a [Arg]) -> Option<(Pick, Rows<'a>)> {
    let pick = function.picks.filter(|pick| matches!(pick, Pick::Commonest | Pick::First | Pick::Last))?;
    let args = match args {
        [Arg::Value(list)] => match &list.resolve_name(task).kind {
            ExprKind::Call(inner, args) if inner.is_value_list() => args.as_slice(),
            _ => return None,
        },
        _ => args,
    };
    let [Arg::Column { relation, column, filter }] = args else { return None };
    Some((pick, Rows { relation: *relation, column: *column, filter: filter.as_ref() }))
}

/// Checks whether the order of these texts by code points is alphabetical as people understand it.
fn is_alphabetical(values: &[model::Value]) -> bool {
    let mut texts: Vec<_> = values.iter().map(model::Value::render_text).collect();
    texts.sort();
    texts.iter().all(|text| text.is_ascii()) && texts.is_sorted_by_key(|text| text.to_ascii_lowercase())
}

fn check_tie<'a>(cx: &TaskCx<'a>, pick: Pick, rows: &Rows<'a>, call: &Expr) -> Option<Diagnostic> {
    let facts = cx.facts();
    let relation = cx.task.relations.get(rows.relation)?;
    let column = relation.columns.get(rows.column)?;
    let most = facts.count_rows(rows.relation).most;
    let fact = facts.lookup_column(rows.relation, rows.column);
    if most <= 1 || fact.closed.as_ref().is_some_and(|values| values.len() <= 1) {
        return None;
    }
    if pick == Pick::Commonest {
        if is_mode_decided(facts, rows, column) {
            return None;
        }
        let name = format!("{}.{}", relation.name, column.name);
        let said = Diagnostic::new(
            Code::TIED_ANSWER,
            format!("several values of `{name}` can be equally common"),
            call.span,
            "ambiguous",
        );
        let said = said.label(column.span, "declared here");
        let which = match column.ty.value_type() {
            Some(model::ValueType::Text) if fact.closed.as_deref().is_none_or(is_alphabetical) => {
                "the first in alphabetical order"
            }
            Some(model::ValueType::Text) => "the first by Unicode code points (uppercase before lowercase)",
            Some(model::ValueType::Date | model::ValueType::DateTime) => "the earlier one",
            _ => "the smaller one",
        };
        return Some(
            said.help(format!("state the rule of `mode` in the prompt: if several are equally common, {which} counts")),
        );
    }
    let (extreme, highest) = find_extreme(cx.task, facts, rows)?;
    let by = relation.columns.get(extreme)?;
    let filter = rows.filter?;
    let condition = cx.sources.quote(filter.span);
    let (word, place) =
        (if highest { "highest" } else { "lowest" }, if pick == Pick::First { "first" } else { "last" });
    Some(
        Diagnostic::new(
            Code::TIED_ANSWER,
            format!("several rows of `{}` can have the {word} `{}`", relation.name, by.name),
            call.span,
            format!("takes the {place} of them"),
        )
        .label(by.span, "not unique")
        .help(format!(
            "state in the prompt that the {place} in the file counts if several tie, or redraw such samples: require count({} where {condition}) == 1",
            relation.name
        )),
    )
}

/// Checks whether one value of the column is always the most common.
fn is_mode_decided<'a>(facts: &Facts<'a>, rows: &Rows<'a>, column: &hir::Column) -> bool {
    let all =
        rows.filter.is_none_or(|filter| facts.infer_truth(filter, Scope::with_row(rows.relation)) == Truth::Always);
    let fact = facts.lookup_column(rows.relation, rows.column);
    let Bounds { least, most } = facts.count_rows(rows.relation);
    // With two different values and an odd number of rows, one value is more common.
    let odd = least == most && most % 2 == 1 && !fact.nullable;
    if rows.filter.is_none() && is_tie_negligible(column, facts.count_rows(rows.relation)) {
        return true;
    }
    if all && odd && fact.closed.as_ref().is_some_and(|values| values.len() <= 2) {
        return true;
    }
    match &column.source {
        ColumnSource::Given(given) if all => {
            let mut often: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
            for value in given.cells.values.iter().filter(|value| !value.is_null()) {
                *often.entry(value.render_text().into_owned()).or_default() += 1;
            }
            let most = often.values().max();
            often.values().filter(|count| Some(*count) == most).count() == 1
        }
        _ => false,
    }
}

/// Finds the column whose extreme the filter selects, and whether it is the maximum. Returns `None` if no two rows can have that extreme, or if all
/// rows with it have the same chosen value.
fn find_extreme(task: &hir::Task, facts: &Facts<'_>, rows: &Rows<'_>) -> Option<(ColumnId, bool)> {
    let mut parts = vec![rows.filter?];
    let (mut found, mut equal) = (None, BTreeSet::new());
    while let Some(part) = parts.pop() {
        let ExprKind::Binary(op, sides) = &part.kind else { continue };
        match op {
            Op::And => parts.extend([&sides.0, &sides.1]),
            Op::Eq => {
                for (cell, value) in [(&sides.0, &sides.1), (&sides.1, &sides.0)] {
                    let ExprKind::Column(column) = cell.kind else { continue };
                    if value.as_column_id().is_none() {
                        equal.insert(column);
                    }
                    if let Some(highest) = is_extreme(task, value, rows.relation, column)
                        && column != rows.column
                    {
                        found = Some((column, highest));
                    }
                }
            }
            _ => {}
        }
    }
    let found = found?;
    // For example, a number that is computed from the parts of a version: equal numbers are those of equal versions.
    let same = hir::determine(&hir::list_dependencies(&task.relations, rows.relation), equal);
    let is_one = |column: &ColumnId| facts.lookup_column(rows.relation, *column).unique;
    (!same.contains(&rows.column) && !same.iter().any(is_one)).then_some(found)
}

/// Checks whether a value is an extreme of a column: `Some(true)` for its maximum, `Some(false)` for its minimum.
fn is_extreme(task: &hir::Task, value: &Expr, relation: RelationId, column: ColumnId) -> Option<bool> {
    let ExprKind::Call(function, args) = &value.resolve_name(task).kind else { return None };
    let highest = |function: FunctionId| match function.picks {
        Some(Pick::Greatest) => Some(true),
        Some(Pick::Least) => Some(false),
        _ => None,
    };
    match args.as_slice() {
        [Arg::Value(inner), ..] if function.is_first_known() => is_extreme(task, inner, relation, column),
        [Arg::Column { relation: of, column: at, .. }] if (*of, *at) == (relation, column) => highest(*function),
        [.., Arg::Sql(sql)] => match sql.analysis.whole {
            Some(Whole { function, relation: of, column: Some(at) }) if (of, at) == (relation, column) => {
                highest(function)
            }
            _ => None,
        },
        _ => None,
    }
}
