//! Proofs on the number of rows: a key that is fixed gives at most one.

use std::collections::BTreeMap;
use std::ops::Range;

use model::ValueType;
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Select, SelectItem, UnaryOperator,
    Value,
};

use super::infer::is_comparison;
use super::scope::{ExprText, Frame, ROW_ID, Resolution, lookup_name};
use super::select::{Analyser, Projected};
use super::tables::Joins;
use super::{functions, is_same_name};

/// (relation, column) of the innermost SELECT.
type Place = (usize, usize);

/// More relations than any question joins: their keys are not looked for.
const MAX_RELATIONS: usize = 64;

/// A whole number written out.
pub fn as_int_literal(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        Expr::Nested(inner) => as_int_literal(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => as_int_literal(expr)?.checked_neg(),
        _ => None,
    }
}

/// A number written out.
pub fn as_number_literal(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        Expr::Nested(inner) => as_number_literal(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => as_number_literal(expr).map(|number| -number),
        _ => None,
    }
}

/// Whether a condition is written out as one that never holds.
pub fn is_never_true(condition: &Expr) -> bool {
    split_conjuncts(condition).into_iter().any(|expr| match expr {
        Expr::Value(value) => {
            matches!(value.value, Value::Null | Value::Boolean(false)) || as_int_literal(expr) == Some(0)
        }
        _ => false,
    })
}

/// The most rows that FROM gives, if known.
pub fn compute_max_rows(frame: &Frame, joins: &Joins<'_>) -> Option<u64> {
    if joins.reversed {
        return None;
    }
    frame.relations.iter().try_fold(1_u64, |most, relation| most.checked_mul(relation.most?.max(1)))
}

/// The columns of the innermost SELECT of which no null passes WHERE and the joins.
pub fn collect_not_null_columns(analyser: &Analyser<'_>, joins: &Joins<'_>, condition: Option<&Expr>) -> Vec<Place> {
    // A merged column of a RIGHT or FULL join may be either side's.
    if joins.reversed {
        return Vec::new();
    }
    let operands = collect_joined_not_null(joins, condition).into_iter();
    let mut out: Vec<Place> = operands.filter_map(|operand| resolve_place(analyser, operand)).collect();
    for (left, right, within) in &joins.equal {
        if within.is_none() {
            out.extend([*left, *right]);
        }
    }
    out
}

/// Expressions that are not columns, of which no null passes WHERE and the joins: as they are written, under the names of the output too.
pub fn collect_not_null_exprs(
    analyser: &Analyser<'_>,
    joins: &Joins<'_>,
    condition: Option<&Expr>,
    items: &[SelectItem],
) -> Vec<ExprText> {
    let operands =
        if joins.reversed { collect_not_null_operands(condition) } else { collect_joined_not_null(joins, condition) };
    let others = operands.into_iter().filter(|operand| resolve_place(analyser, operand).is_none());
    others.map(|operand| ExprText::from_expr(resolve_alias(operand, items))).collect()
}

/// Expressions of which no null passes HAVING.
pub fn collect_having_not_null(having: Option<&Expr>, items: &[SelectItem]) -> Vec<ExprText> {
    collect_not_null_operands(having)
        .into_iter()
        .map(|operand| ExprText::from_expr(resolve_alias(operand, items)))
        .collect()
}

/// The expression that a name of the output denotes; other operands are returned as they are.
fn resolve_alias<'e>(operand: &'e Expr, items: &'e [SelectItem]) -> &'e Expr {
    let Expr::Identifier(name) = operand else { return operand };
    let named = items.iter().find_map(|item| match item {
        SelectItem::ExprWithAlias { expr, alias } if is_same_name(&alias.value, &name.value) => Some(expr),
        _ => None,
    });
    named.unwrap_or(operand)
}

/// Whether WHERE may leave no row: it asks for more than that something is there.
pub fn may_filter_rows(condition: Option<&Expr>) -> bool {
    condition.into_iter().flat_map(split_conjuncts).any(|expr| !matches!(expr, Expr::IsNotNull(_)))
}

/// What is not null in every row that passes WHERE and the inner joins.
fn collect_joined_not_null<'e>(joins: &Joins<'e>, condition: Option<&'e Expr>) -> Vec<&'e Expr> {
    let inner = joins.constraints.iter().filter(|on| !on.left).map(|on| on.on);
    condition.into_iter().chain(inner).flat_map(|condition| collect_not_null_operands(Some(condition))).collect()
}

/// What is not null where a condition holds.
fn collect_not_null_operands(condition: Option<&Expr>) -> Vec<&Expr> {
    let all = condition.into_iter().flat_map(split_conjuncts).flat_map(|expr| -> Vec<&Expr> {
        match expr {
            Expr::IsNotNull(inner) | Expr::Between { expr: inner, .. } | Expr::Like { expr: inner, any: false, .. } => {
                vec![inner]
            }
            Expr::InList { expr: inner, list, .. } if !list.is_empty() => vec![inner],
            Expr::BinaryOp { left, op, right } if is_comparison(op) => vec![left, right],
            _ => Vec::new(),
        }
    });
    all.collect()
}

/// The column of the innermost SELECT that an expression plainly is.
pub fn resolve_place(analyser: &Analyser<'_>, expr: &Expr) -> Option<Place> {
    let depth = analyser.frames.len().checked_sub(1)?;
    match lookup_expr(analyser, expr)? {
        Resolution::Column(_, (frame, relation, place)) if frame == depth => Some((relation, place)),
        Resolution::RowId(_, (frame, relation)) if frame == depth => Some((relation, ROW_ID)),
        _ => None,
    }
}

/// One side of an equality.
#[derive(Clone, Copy)]
enum Term<'t> {
    Expr(&'t Expr),
    Column(Place),
}

/// `left = right`, in a condition that every row meets, or (`within`) that the rows right of a LEFT join meet.
struct Equality<'t> {
    left: Term<'t>,
    right: Term<'t>,
    /// `IS`: holds for nulls too.
    is: bool,
    within: Option<Range<usize>>,
}

/// What is known to be the same for all rows.
#[derive(Default)]
pub struct Fixed {
    relations: Vec<bool>,
    /// The columns, and whether by an equality that no null meets.
    columns: BTreeMap<Place, bool>,
    /// Those of relations right of a LEFT join: the same, for each row to the left of it.
    right: BTreeMap<Place, bool>,
}

impl Fixed {
    /// Whether a column is.
    pub fn is_column_fixed(&self, place: Place) -> bool {
        self.relations.get(place.0) == Some(&true) || self.columns.contains_key(&place)
    }

    /// Whether a relation is: one of its rows at most is open.
    pub fn is_relation_fixed(&self, relation: usize) -> bool {
        self.relations.get(relation) == Some(&true)
    }

    /// Whether all relations are: one row at most is open.
    pub fn is_all_fixed(&self) -> bool {
        self.relations.iter().all(|fixed| *fixed)
    }

    fn is_all_fixed_before(&self, relation: usize) -> bool {
        self.relations.iter().take(relation).all(|fixed| *fixed)
    }
}

/// What a SELECT says of its rows.
pub struct Facts<'f, 'q> {
    analyser: &'f Analyser<'q>,
    depth: usize,
    equalities: Vec<Equality<'f>>,
    reversed: bool,
    /// Texts are compared in another order somewhere: equal ones need not be the same.
    collated: bool,
}

impl<'f, 'q> Facts<'f, 'q> {
    /// Of the innermost SELECT.
    pub fn new(analyser: &'f Analyser<'q>, joins: &Joins<'f>, condition: Option<&'f Expr>) -> Self {
        let mut facts = Facts {
            analyser,
            depth: analyser.frames.len().saturating_sub(1),
            equalities: Vec::new(),
            reversed: joins.reversed,
            collated: analyser.query.tokens.iter().any(|token| token.is_keyword("COLLATE")),
        };
        if let Some(condition) = condition {
            facts.gather_equalities(condition, None);
        }
        // A RIGHT or FULL join adds rows that meet no ON.
        if !joins.reversed {
            for on in &joins.constraints {
                facts.gather_equalities(on.on, on.left.then_some(&on.joined));
            }
            for (left, right, within) in &joins.equal {
                let (left, right) = (Term::Column(*left), Term::Column(*right));
                facts.equalities.push(Equality { left, right, is: false, within: within.clone() });
            }
        }
        facts
    }

    fn gather_equalities(&mut self, condition: &'f Expr, within: Option<&Range<usize>>) {
        for expr in split_conjuncts(condition) {
            let (left, right, is) = match expr {
                Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => (left.as_ref(), right.as_ref(), false),
                Expr::IsNotDistinctFrom(left, right) => (left.as_ref(), right.as_ref(), true),
                Expr::InList { expr, list, negated: false } => match list.as_slice() {
                    [only] => (expr.as_ref(), only, false),
                    _ => continue,
                },
                _ => continue,
            };
            if let (Expr::Tuple(lefts), Expr::Tuple(rights)) = (left, right) {
                for (left, right) in lefts.iter().zip(rights) {
                    self.equalities.push(Equality {
                        left: Term::Expr(left),
                        right: Term::Expr(right),
                        is,
                        within: within.cloned(),
                    });
                }
                continue;
            }
            self.equalities.push(Equality {
                left: Term::Expr(left),
                right: Term::Expr(right),
                is,
                within: within.cloned(),
            });
        }
    }

    fn frame(&self) -> Option<&Frame> {
        self.analyser.frames.last()
    }

    /// Whether there is at most one row, and else the keys of the output.
    pub fn prove_keys(
        &self,
        select: &Select,
        groups: &[Expr],
        projected: Option<&[Projected]>,
    ) -> (bool, Vec<Vec<usize>>) {
        let Some(frame) = self.frame().filter(|frame| frame.relations.len() <= MAX_RELATIONS) else {
            return (false, Vec::new());
        };
        let fixed = self.compute_fixed(&[]);
        if fixed.is_all_fixed() {
            return (true, Vec::new());
        }
        let place_of = |place: Place| projected?.iter().position(|(_, plain)| *plain == Some(place));
        let mut keys = Vec::new();
        if !groups.is_empty() {
            let having: Vec<Place> =
                select.having.iter().flat_map(|having| self.find_fixed_by_having(having, &fixed)).collect();
            let mut key = Some(Vec::new());
            for group in groups {
                let Some((expr, place)) = self.resolve_output_term(group, select) else {
                    key = None;
                    continue;
                };
                let column = resolve_place(self.analyser, expr);
                if self.is_value_fixed(&fixed, expr) || column.is_some_and(|column| having.contains(&column)) {
                    continue;
                }
                let place = place.or_else(|| place_of(column?));
                key = key.zip(place).map(|(mut key, place)| {
                    key.push(place);
                    key
                });
            }
            match key {
                Some(key) if key.is_empty() => return (true, Vec::new()),
                key => keys.extend(key.filter(|_| !self.reversed)),
            }
        } else if let Some(projected) = projected.filter(|_| !self.reversed) {
            let candidates = frame.relations.iter().enumerate().flat_map(|(index, relation)| {
                relation.keys.iter().map(move |key| key.iter().map(|place| (index, *place)).collect::<Vec<Place>>())
            });
            let whole: Vec<Place> = projected.iter().filter_map(|(_, plain)| *plain).collect();
            for candidate in candidates.chain([whole]) {
                let places: Option<Vec<usize>> = candidate.iter().map(|place| place_of(*place)).collect();
                let Some(places) = places.filter(|places| !places.is_empty() && keys.len() < 16) else { continue };
                if self.compute_fixed(&candidate).is_all_fixed() {
                    keys.push(places);
                }
            }
        }
        if select.distinct.is_some() {
            if self.is_output_fixed(select, &fixed) {
                return (true, Vec::new());
            }
            keys.extend(projected.map(|projected| (0..projected.len()).collect()));
        }
        (false, keys)
    }

    /// The expression that a term of GROUP BY denotes, and its position in the output if the term refers to it: by
    /// number, or by a name of the output that is not a column. `None` if that is not known.
    pub fn resolve_output_term<'t>(&self, term: &'t Expr, select: &'t Select) -> Option<(&'t Expr, Option<usize>)> {
        let expression = |item: &'t SelectItem| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
            _ => None,
        };
        let place = match (parse_output_position(term), term) {
            (Some(place), _) => Some(place?),
            (None, Expr::Identifier(name)) if resolve_place(self.analyser, term).is_none() => {
                select.projection.iter().position(
                    |item| matches!(item, SelectItem::ExprWithAlias { alias, .. } if is_same_name(&alias.value, &name.value)),
                )
            }
            _ => None,
        };
        let Some(place) = place else { return Some((term, None)) };
        // If the output contains a `*`, its items are not its columns.
        let all = select.projection.iter().all(|item| expression(item).is_some());
        let expr = expression(select.projection.get(place).filter(|_| all)?)?;
        Some((expr, Some(place)))
    }

    fn is_output_fixed(&self, select: &Select, fixed: &Fixed) -> bool {
        select.projection.iter().all(|item| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => self.is_value_fixed(fixed, expr),
            _ => false,
        })
    }

    /// The columns that HAVING makes equal to something known.
    fn find_fixed_by_having(&self, having: &Expr, fixed: &Fixed) -> Vec<Place> {
        let mut out = Vec::new();
        for expr in split_conjuncts(having) {
            if let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = expr {
                for (key, value) in [(left, right), (right, left)] {
                    let place = resolve_place(self.analyser, key).filter(|place| {
                        self.is_equality_exact(*place, Term::Expr(value)) && self.is_value_fixed(fixed, value)
                    });
                    out.extend(place);
                }
            }
        }
        out
    }

    /// What is the same for all rows in which the given columns are.
    pub fn compute_fixed(&self, given: &[Place]) -> Fixed {
        let Some(frame) = self.frame() else { return Fixed::default() };
        let mut fixed = Fixed { relations: vec![false; frame.relations.len()], ..Fixed::default() };
        fixed.columns.extend(given.iter().map(|place| (*place, true)));
        loop {
            let mut changed = false;
            for equality in &self.equalities {
                for (key, value) in [(equality.left, equality.right), (equality.right, equality.left)] {
                    changed |= self.apply_equality(&mut fixed, equality, key, value);
                }
            }
            for (index, relation) in frame.relations.iter().enumerate() {
                if fixed.relations.get(index) != Some(&false) {
                    continue;
                }
                let alone = !self.reversed && relation.most.is_some_and(|most| most <= 1);
                let ready = fixed.is_all_fixed_before(relation.after);
                let strict = |place: &usize| {
                    let here = (index, *place);
                    fixed.columns.get(&here) == Some(&true) || (ready && fixed.right.get(&here) == Some(&true))
                };
                if (alone && ready) || relation.keys.iter().any(|key| key.iter().all(strict)) {
                    if let Some(slot) = fixed.relations.get_mut(index) {
                        *slot = true;
                    }
                    changed = true;
                }
            }
            if !changed {
                return fixed;
            }
        }
    }

    fn apply_equality(&self, fixed: &mut Fixed, equality: &Equality<'_>, key: Term<'_>, value: Term<'_>) -> bool {
        let place = match key {
            // After a RIGHT or FULL join, a bare name may be either side's column.
            Term::Expr(Expr::Identifier(_)) if self.reversed => None,
            Term::Expr(expr) => resolve_place(self.analyser, expr),
            Term::Column(place) => Some(place),
        };
        let Some(place) = place else { return false };
        let into = if equality.within.is_some() { &fixed.right } else { &fixed.columns };
        let strict = !equality.is || self.is_never_null(place);
        if into.get(&place).is_some_and(|known| *known || !strict) || (equality.is && self.reversed) {
            return false;
        }
        if let Some(within) = &equality.within
            && (!within.contains(&place.0) || !fixed.is_all_fixed_before(within.start))
        {
            return false;
        }
        let known = match value {
            Term::Expr(expr) => self.is_value_fixed(fixed, expr),
            Term::Column(other) => fixed.is_column_fixed(other),
        };
        if !known || !self.is_equality_exact(place, value) {
            return false;
        }
        let into = if equality.within.is_some() { &mut fixed.right } else { &mut fixed.columns };
        into.insert(place, strict);
        true
    }

    fn is_never_null(&self, (relation, place): Place) -> bool {
        let relation = self.frame().and_then(|frame| frame.relations.get(relation));
        place == ROW_ID
            || relation
                .and_then(|relation| relation.columns.as_ref()?.get(place))
                .is_some_and(|column| !column.value.nullable)
    }

    fn find_column_type(&self, (relation, place): Place) -> Option<ValueType> {
        if place == ROW_ID {
            return Some(ValueType::Int);
        }
        self.frame()?.relations.get(relation)?.columns.as_ref()?.get(place)?.value.ty
    }

    /// Whether only one value of the column equals the other side. A text is turned into a number against a number: `'1'` and `'01'`
    /// are one then.
    fn is_equality_exact(&self, place: Place, value: Term<'_>) -> bool {
        match self.find_column_type(place) {
            Some(ty) if is_text(ty) => !self.collated && self.is_text_preserving(value),
            Some(_) => true,
            None => !self.collated && self.is_text_preserving(value),
        }
    }

    /// Whether a value turns no text into a number when they are compared.
    fn is_text_preserving(&self, value: Term<'_>) -> bool {
        let expr = match value {
            Term::Column(place) => return self.find_column_type(place).is_some_and(is_text),
            Term::Expr(expr) => expr,
        };
        match expr {
            Expr::Nested(inner) => self.is_text_preserving(Term::Expr(inner)),
            Expr::Cast { data_type, .. } => {
                let name = data_type.to_string().to_ascii_uppercase();
                ["CHAR", "CLOB", "TEXT"].iter().any(|part| name.contains(part)) && !name.contains("INT")
            }
            Expr::Subquery(query) => {
                let inner = self.analyser.inner.get(&std::ptr::from_ref(query.as_ref()).addr());
                inner.and_then(|(_, ty)| *ty).is_some_and(is_text)
            }
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => match lookup_expr(self.analyser, expr) {
                Some(Resolution::Column(value, _) | Resolution::Alias(value, _)) => value.ty.is_some_and(is_text),
                _ => false,
            },
            _ => true,
        }
    }

    /// Whether a value is the same for all rows that are still open.
    fn is_value_fixed(&self, fixed: &Fixed, value: &Expr) -> bool {
        let known = |expr: &Expr| self.is_value_fixed(fixed, expr);
        let inner = |query: &sqlparser::ast::Query| {
            let inner = self.analyser.inner.get(&std::ptr::from_ref(query).addr());
            inner.is_some_and(|(read, _)| {
                read.iter()
                    .all(|(frame, relation, place)| *frame < self.depth || fixed.is_column_fixed((*relation, *place)))
            })
        };
        match value {
            Expr::Value(_) => true,
            Expr::Nested(expr)
            | Expr::UnaryOp { expr, .. }
            | Expr::IsNull(expr)
            | Expr::IsNotNull(expr)
            | Expr::Cast { expr, .. } => known(expr),
            Expr::BinaryOp { right, .. } => {
                // From the left without recursion: chains may be long.
                let mut left = value;
                if !known(right) {
                    return false;
                }
                while let Expr::BinaryOp { left: next, right, .. } = left {
                    if !known(right) {
                        return false;
                    }
                    left = next;
                }
                known(left)
            }
            Expr::Subquery(query) | Expr::Exists { subquery: query, .. } => inner(query),
            Expr::InSubquery { expr, subquery, .. } => known(expr) && inner(subquery),
            Expr::Between { expr, low, high, .. } => known(expr) && known(low) && known(high),
            Expr::InList { expr, list, .. } => known(expr) && list.iter().all(known),
            Expr::Case { operand, conditions, else_result, .. } => {
                operand.iter().chain(else_result).all(|expr| known(expr))
                    && conditions.iter().all(|case| known(&case.condition) && known(&case.result))
            }
            Expr::Function(function) => {
                list_scalar_arguments(function).is_some_and(|arguments| arguments.into_iter().all(known))
            }
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => match lookup_expr(self.analyser, value) {
                Some(Resolution::Column(_, (frame, relation, place))) => {
                    frame < self.depth || fixed.is_column_fixed((relation, place))
                }
                Some(Resolution::RowId(_, (frame, relation))) => {
                    frame < self.depth || fixed.is_column_fixed((relation, ROW_ID))
                }
                Some(Resolution::Alias(_, frame)) => frame < self.depth,
                _ => false,
            },
            _ => false,
        }
    }
}

/// The arguments of a call that depends on nothing else.
fn list_scalar_arguments(function: &Function) -> Option<Vec<&Expr>> {
    if function.over.is_some() || function.filter.is_some() || functions::is_aggregate(function) {
        return None;
    }
    let FunctionArguments::List(list) = &function.args else { return None };
    let plain = |arg| match arg {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expr)) => Some(expr),
        _ => None,
    };
    list.args.iter().map(plain).collect()
}

/// The place in the output that a term of GROUP BY counts (from 0), if it is a number.
fn parse_output_position(term: &Expr) -> Option<Option<usize>> {
    match term {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => Some(digits.parse::<usize>().ok().and_then(|n| n.checked_sub(1))),
            _ => None,
        },
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => parse_output_position(inner),
        _ => None,
    }
}

/// The conditions that must all hold.
pub fn split_conjuncts(expr: &Expr) -> Vec<&Expr> {
    let (mut out, mut open) = (Vec::new(), vec![expr]);
    while let Some(expr) = open.pop() {
        match expr {
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => open.extend([left.as_ref(), right.as_ref()]),
            Expr::Nested(inner) => open.push(inner),
            _ => out.push(expr),
        }
    }
    out
}

fn is_text(ty: ValueType) -> bool {
    matches!(ty, ValueType::Text | ValueType::Date | ValueType::DateTime | ValueType::Duration)
}

fn lookup_expr(analyser: &Analyser<'_>, expr: &Expr) -> Option<Resolution> {
    match expr {
        Expr::Identifier(name) => Some(lookup_name(&analyser.frames, &[&name.value])),
        Expr::CompoundIdentifier(parts) => {
            let parts: Vec<&str> = parts.iter().map(|part| part.value.as_str()).collect();
            Some(lookup_name(&analyser.frames, &parts))
        }
        Expr::Nested(inner) => lookup_expr(analyser, inner),
        _ => None,
    }
}
