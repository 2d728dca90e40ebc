//! Functional dependencies of the rows of a SELECT: the columns and relations that equalities and keys determine.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use model::ValueType;
use sqlparser::ast::{BinaryOperator, Expr, Function, FunctionArguments};

use super::analyser::Analyser;
use super::expressions::{as_plain_argument, split_conjuncts};
use super::functions::is_aggregate;
use super::joins::Joins;
use super::request::Determined;
use super::scope::{Frame, Place, ROW_ID, Resolution, lookup_expr, resolve_place};

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

impl<'t> Equality<'t> {
    /// The equality, for rows in which these relations are present.
    fn without_outer_join(&self, present: &BTreeSet<usize>) -> Equality<'t> {
        let within = self.within.clone().filter(|within| !within.clone().any(|at| present.contains(&at)));
        Equality { left: self.left, right: self.right, is: self.is, within }
    }
}

/// What is known to be the same for all rows.
#[derive(Default)]
pub struct Fixed {
    relations: Vec<bool>,
    /// The columns, and whether by an equality that no null meets.
    columns: BTreeMap<Place, bool>,
    /// The same for columns right of a LEFT join: fixed for each row to the left of it.
    right: BTreeMap<Place, bool>,
}

impl Fixed {
    /// Whether a column is the same for all rows.
    pub fn is_column_fixed(&self, place: Place) -> bool {
        self.relations.get(place.0) == Some(&true) || self.columns.contains_key(&place)
    }

    /// Whether a relation is fixed: at most one of its rows is open.
    pub fn is_relation_fixed(&self, relation: usize) -> bool {
        self.relations.get(relation) == Some(&true)
    }

    /// Whether all relations are fixed: at most one row is open.
    pub fn is_all_fixed(&self) -> bool {
        self.relations.iter().all(|fixed| *fixed)
    }

    /// Adds the columns of a relation that others determine. Returns whether there were any.
    fn add_determined(&mut self, relation: usize, determined: &[Determined]) -> bool {
        let mut changed = false;
        for of in determined {
            let is_strict = |place: &usize| self.columns.get(&(relation, *place)) == Some(&true);
            let to = (relation, of.to);
            if !self.columns.contains_key(&to) && of.from.iter().all(is_strict) {
                self.columns.insert(to, of.never_null);
                changed = true;
            }
        }
        changed
    }

    fn is_all_fixed_before(&self, relation: usize) -> bool {
        self.relations.iter().take(relation).all(|fixed| *fixed)
    }
}

/// The equalities that the rows of a SELECT meet.
pub struct Facts<'f, 'q> {
    pub(super) analyser: &'f Analyser<'q>,
    depth: usize,
    equalities: Vec<Equality<'f>>,
    pub(super) reversed: bool,
    /// Texts are compared in another order somewhere: equal ones need not be the same.
    collated: bool,
}

impl<'f, 'q> Facts<'f, 'q> {
    /// Gathers the equalities of the innermost SELECT.
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

    /// The pairs of columns of different relations that are equal in all rows, or in all rows with a match.
    pub fn list_equal_columns(&self) -> Vec<(Place, Place)> {
        let place = |term: Term<'_>| match term {
            Term::Expr(expr) => resolve_place(&self.analyser.frames, expr),
            Term::Column(place) => Some(place),
        };
        let pairs = self.equalities.iter().filter_map(|equality| Some((place(equality.left)?, place(equality.right)?)));
        pairs.filter(|(left, right)| left.0 != right.0).collect()
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
            let pairs = match (left, right) {
                (Expr::Tuple(lefts), Expr::Tuple(rights)) => lefts.iter().zip(rights).collect(),
                pair => vec![pair],
            };
            self.equalities.extend(pairs.into_iter().map(|(left, right)| {
                let (left, right) = (Term::Expr(left), Term::Expr(right));
                Equality { left, right, is, within: within.cloned() }
            }));
        }
    }

    pub(super) fn frame(&self) -> Option<&Frame> {
        self.analyser.frames.last()
    }

    /// The columns that HAVING makes equal to something known.
    pub(super) fn find_fixed_by_having(&self, having: &Expr, fixed: &Fixed) -> Vec<Place> {
        let mut out = Vec::new();
        for expr in split_conjuncts(having) {
            if let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = expr {
                for (key, value) in [(left, right), (right, left)] {
                    let place = resolve_place(&self.analyser.frames, key).filter(|place| {
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
        self.compute_fixed_beside(given, &BTreeSet::new())
    }

    /// What is the same for all joined rows in which the given columns and the rows of the given relations are.
    pub fn compute_fixed_beside(&self, given: &[Place], rows: &BTreeSet<usize>) -> Fixed {
        let Some(frame) = self.frame() else { return Fixed::default() };
        let relations = (0..frame.relations.len()).map(|index| rows.contains(&index)).collect();
        let present = self.find_present(rows);
        let mut fixed = Fixed { relations, ..Fixed::default() };
        fixed.columns.extend(given.iter().map(|place| (*place, true)));
        loop {
            let mut changed = false;
            for equality in &self.equalities {
                for (key, value) in [(equality.left, equality.right), (equality.right, equality.left)] {
                    changed |= self.apply_equality(&mut fixed, &equality.without_outer_join(&present), key, value);
                }
            }
            for (index, relation) in frame.relations.iter().enumerate() {
                if fixed.relations.get(index) != Some(&false) {
                    continue;
                }
                changed |= fixed.add_determined(index, &relation.determined);
                let alone = !self.reversed && relation.most.is_some_and(|most| most <= 1);
                let ready = fixed.is_all_fixed_before(relation.after);
                let strict = |place: &usize| {
                    let here = (index, *place);
                    fixed.columns.get(&here) == Some(&true) || (ready && fixed.right.get(&here) == Some(&true))
                };
                if (alone && ready)
                    || relation.keys.iter().any(|key| key.iter().all(strict))
                    || relation.helper_keys.iter().any(strict)
                {
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

    /// The relations that have a row in every joined row in which the given ones do: a LEFT join of one of them has found a match.
    fn find_present(&self, rows: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut present = rows.clone();
        let relation = |term: Term<'_>| match term {
            Term::Expr(expr) => resolve_place(&self.analyser.frames, expr).map(|place| place.0),
            Term::Column(place) => Some(place.0),
        };
        loop {
            let held = |equality: &&Equality<'_>| {
                !equality.is && equality.within.clone().is_some_and(|mut within| within.any(|at| present.contains(&at)))
            };
            let sides = self.equalities.iter().filter(held).flat_map(|equality| [equality.left, equality.right]);
            let new: Vec<usize> = sides.filter_map(relation).filter(|at| !present.contains(at)).collect();
            if new.is_empty() {
                return present;
            }
            present.extend(new);
        }
    }

    fn apply_equality(&self, fixed: &mut Fixed, equality: &Equality<'_>, key: Term<'_>, value: Term<'_>) -> bool {
        let place = match key {
            // After a RIGHT or FULL join, a bare name may be either side's column.
            Term::Expr(Expr::Identifier(_)) if self.reversed => None,
            Term::Expr(expr) => resolve_place(&self.analyser.frames, expr),
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

    fn is_never_null(&self, place: Place) -> bool {
        let column = self.frame().and_then(|frame| frame.get_column(place));
        place.1 == ROW_ID || column.is_some_and(|column| !column.value.nullable)
    }

    fn find_column_type(&self, place: Place) -> Option<ValueType> {
        if place.1 == ROW_ID { Some(ValueType::Int) } else { self.frame()?.get_column(place)?.value.ty }
    }

    /// Whether only one value of the column equals the other side. A text is turned into a number against a number: `'1'` and `'01'`
    /// are one then.
    fn is_equality_exact(&self, place: Place, value: Term<'_>) -> bool {
        self.find_column_type(place).is_some_and(|ty| !is_text(ty)) || !self.collated && self.is_text_preserving(value)
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
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => match lookup_expr(&self.analyser.frames, expr) {
                Some(Resolution::Column(value, _) | Resolution::Alias(value, _)) => value.ty.is_some_and(is_text),
                _ => false,
            },
            _ => true,
        }
    }

    /// Whether a value is the same for all rows that are still open.
    pub(super) fn is_value_fixed(&self, fixed: &Fixed, value: &Expr) -> bool {
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
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => match lookup_expr(&self.analyser.frames, value) {
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
    if function.over.is_some() || function.filter.is_some() || is_aggregate(function) {
        return None;
    }
    let FunctionArguments::List(list) = &function.args else { return None };
    list.args.iter().map(as_plain_argument).collect()
}

fn is_text(ty: ValueType) -> bool {
    matches!(ty, ValueType::Text | ValueType::Date | ValueType::DateTime | ValueType::Duration)
}
