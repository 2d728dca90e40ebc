//! `other_condition` for columns that are true or false: the prompt says "PAID is false", and the key selects rows in which it is true.

use std::collections::BTreeMap;

use model::suite::{ColumnId, Op, RelationId};
use model::{Span, Value};

use super::tokens::{Found, Kind};
use super::wording::Wording;
use crate::context::{Asked, TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind};
use sql::predicates::{Operand, Side, Test};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::rows::{DENYING, EXCLUDING, IS_FALSE, IS_TRUE, STATES};

/// A condition on a column that is true or false.
#[derive(Clone, Copy)]
struct Flag {
    /// Whether it selects rows in which the column is true.
    wants: bool,
    span: Span,
}

/// Compares "PAID is false" with the condition of the key on the column.
pub(super) fn report_flags<'a>(wording: &Wording<'_, 'a>, asked: &Asked<'a>, said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    if wording.can_vary() {
        return;
    }
    let mut found: BTreeMap<(RelationId, ColumnId), Vec<Flag>> = BTreeMap::new();
    for value in asked.iter_answers() {
        value.visit_through_names(cx.task, &mut |part| {
            let ExprKind::Call(_, args) = &part.kind else { return };
            args.iter().for_each(|arg| collect_flags(arg, &mut found));
        });
    }
    for (place, flags) in found {
        let Some(column) = cx.task.find_column(place).filter(|column| column.ty.kind == TyKind::Bool) else { continue };
        let is_one = flags.windows(2).all(|pair| matches!(pair, [a, b] if a.wants == b.wants));
        let (Some(flag), Some(told)) = (flags.first().filter(|_| is_one), find_told(wording, &column.name)) else {
            continue;
        };
        if told.means == flag.wants || is_subtracted(cx, asked, place) {
            continue;
        }
        // "Without the rows in which PAID is true" asks for the others.
        let sentence = wording.text.tokens.get(told.start).map(|token| token.sentence);
        let is_left_out = |beginning: &&str| {
            let mut tokens = wording.text.tokens.iter().filter(|token| Some(token.sentence) == sentence);
            tokens.any(|token| matches!(token.kind, Kind::Word) && token.lower.starts_with(beginning))
        };
        // "Visits with NO_SHOW = 1 did not happen" says what the value means.
        let mut behind = wording.text.tokens.iter().skip(told.end).filter(|token| Some(token.sentence) == sentence);
        if EXCLUDING.iter().any(is_left_out) || behind.any(|token| token.is_any(DENYING)) {
            continue;
        }
        let but = format!("the key selects rows in which `{}` is {}", column.name, flag.wants);
        let new = wording.contradict(Code::OTHER_CONDITION, &told, &but, (flag.span, "the other value"));
        let not = if told.means { "" } else { "not " };
        report_once(new.help(format!("write `{not}{}` in the key, or change the prompt", column.name)), said);
    }
}

/// Whether an answer subtracts what it computes of the rows with a column: `count(t) - count(t where PAID)` is about the others.
fn is_subtracted(cx: &TaskCx<'_>, asked: &Asked<'_>, place: (RelationId, ColumnId)) -> bool {
    let reads_flag = |part: &Expr| {
        let mut found = BTreeMap::new();
        if let ExprKind::Call(_, args) = &part.kind {
            args.iter().for_each(|arg| collect_flags(arg, &mut found));
        }
        found.contains_key(&place)
    };
    let subtracts = |part: &Expr| match &part.kind {
        ExprKind::Binary(Op::Sub, sides) => sides.1.has_part_through_names(cx.task, reads_flag),
        _ => false,
    };
    asked.iter_answers().any(|answer| answer.has_part_through_names(cx.task, subtracts))
}

/// Collects the conditions that an argument needs to be met.
fn collect_flags(arg: &Arg, found: &mut BTreeMap<(RelationId, ColumnId), Vec<Flag>>) {
    let mut add = |relation: RelationId, column: ColumnId, wants: bool, span: Span| {
        found.entry((relation, column)).or_default().push(Flag { wants, span });
    };
    match arg {
        Arg::Column { relation, filter: Some(filter), .. }
        | Arg::Relation { relation, filter: Some(filter) }
        | Arg::Each { relation, filter: Some(filter), .. } => {
            for part in filter.list_conjuncts() {
                let flag = read_flag(part);
                flag.into_iter().for_each(|(column, wants)| add(*relation, column, wants, part.span));
            }
        }
        Arg::Sql(sql) => {
            for atom in &sql.analysis.predicates.atoms {
                let Test::Compare(op @ (Op::Eq | Op::Ne), left, right) = &atom.test else { continue };
                let pair = read_sides(left, right).or_else(|| read_sides(right, left));
                let Some((relation, column, value)) = pair.filter(|_| !atom.negated) else { continue };
                add(relation, column, value == (*op == Op::Eq), atom.span);
            }
        }
        _ => {}
    }
}

/// Reads `PAID`, `not PAID`, and `PAID == false`.
fn read_flag(expr: &Expr) -> Option<(ColumnId, bool)> {
    match &expr.kind {
        ExprKind::Column(id) => Some((*id, true)),
        ExprKind::Not(inner) => read_flag(inner).map(|(id, wants)| (id, !wants)),
        ExprKind::Binary(op @ (Op::Eq | Op::Ne), sides) => {
            let (id, value) = (sides.0.as_column_id()?, sides.1.as_constant()?);
            match value {
                Value::Bool(value) => Some((id, *value == (*op == Op::Eq))),
                _ => None,
            }
        }
        _ => None,
    }
}

fn read_sides(column: &Operand, value: &Operand) -> Option<(RelationId, ColumnId, bool)> {
    match (&column.value, &value.value) {
        (Side::Column { relation, column, .. }, Side::Literal(Value::Int(number @ (0 | 1)))) => {
            Some((*relation, *column, *number == 1))
        }
        _ => None,
    }
}

/// Finds the value that a wording gives a column, if it is always the same: "PAID is false", "PAID = 0".
fn find_told(wording: &Wording<'_, '_>, name: &str) -> Option<Found<bool>> {
    let tokens = &wording.text.tokens;
    let read = |at: usize| {
        tokens.get(at).filter(|token| token.text == name)?;
        let link = tokens.get(at + 1).filter(|link| link.is_any(STATES))?;
        let value = tokens.get(at + 2).filter(|value| !matches!(value.kind, Kind::Placeholder(_)))?;
        let means = match (value.is_any(IS_TRUE), value.is_any(IS_FALSE)) {
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        let is_open = tokens.get(at + 3).is_some_and(|next| next.is_any(wording.language.or) || next.is_any(STATES));
        // "Whether PAID is true" asks for nothing.
        let is_asked = at
            .checked_sub(1)
            .and_then(|at| tokens.get(at))
            .is_some_and(|before| before.is_any(&["whether", "if", "unless"]));
        (!is_open && !is_asked && link.sentence <= value.sentence).then_some(Found { start: at, end: at + 3, means })
    };
    let mut found = (0..tokens.len()).filter_map(read);
    let first = found.next()?;
    found.all(|other| other.means == first.means).then_some(first)
}
