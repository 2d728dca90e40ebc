//! Sums of terms of queries.

use model::Value;
use sql::terms::{Affinity, Gathered, Operator, Over, Term};

use super::atoms::{Atoms, Key};
use super::ratio::Ratio;
use super::sum::Sum;
use crate::facts::Row;
use crate::terms::{TermFacts, find_cell_slot, is_stored_otherwise};
use crate::types::TyKind;

/// The number of seconds of a day.
const DAY: i128 = 86_400;

/// Twice the Julian day of 1970-01-01.
const JULIAN_UP: i128 = 4_881_175;

impl<'a> Atoms<'_, 'a> {
    /// The sum that a term is. `None` if it is not a number or moment, or not understood.
    pub fn sum_term(&mut self, terms: &TermFacts<'_, 'a>, term: &Term) -> Option<Sum> {
        match term {
            Term::Literal(value) => Ratio::from_value(value).map(Sum::from_number),
            Term::Param(name) => {
                let value = terms.sql.find_param(name)?;
                let rows = (terms.scope.row.map(|_| Row::Current), terms.scope.outer.map(|_| Row::Outer));
                self.sum_expr(value, terms.scope, rows)
            }
            Term::Column { relation, column, at, .. } => {
                let declared = terms.facts.task().find_column((*relation, *column))?;
                let stored = is_stored_otherwise(terms.facts.task(), *relation, declared);
                (!stored).then(|| self.sum_slot(find_cell_slot(*relation, *column, *at)))?
            }
            Term::Negative(inner) if is_whole(terms, inner) => Some(self.sum_term(terms, inner)?.negate()),
            Term::Operator(operator @ (Operator::Add | Operator::Subtract | Operator::Multiply), sides) => {
                // Doubles are rounded.
                if !is_whole(terms, &sides.0) || !is_whole(terms, &sides.1) {
                    return None;
                }
                let (a, b) = (self.sum_number(terms, &sides.0)?, self.sum_number(terms, &sides.1)?);
                match operator {
                    Operator::Add => a.add(&b),
                    Operator::Subtract => a.subtract(&b),
                    _ => a.multiply(&b),
                }
            }
            Term::Call(name, args) if matches!(name.as_str(), "min" | "max") && args.len() > 1 => {
                let values: Vec<Sum> = args.iter().map(|arg| self.sum_term(terms, arg)).collect::<Option<_>>()?;
                let atom = self.add_other(terms, term)?;
                let (low, high) = if name == "max" { (values.clone(), vec![]) } else { (vec![], values.clone()) };
                self.bound(atom, low, high);
                self.set_choices(atom, values);
                Some(Sum::from_atom(atom))
            }
            Term::Call(name, args) if name == "date" => self.sum_moved_day(terms, args),
            Term::Call(name, args) if name == "unixepoch" || name == "julianday" => {
                let seconds = self.sum_moment(terms, args)?;
                if name == "unixepoch" {
                    return Some(seconds);
                }
                // Julian days are counted from another day than moments, at noon.
                let days = seconds.multiply(&Sum::from_number(Ratio::new(1, DAY)?))?;
                days.add(&Sum::from_number(Ratio::new(JULIAN_UP, 2)?))
            }
            Term::Cast(Affinity::Integer, inner) if is_int(terms, inner) => self.sum_number(terms, inner),
            Term::Call(name, args) if name == "abs" => {
                let [only] = args.as_slice() else { return None };
                let value = self.sum_term(terms, only)?;
                let atom = self.add_other(terms, term)?;
                self.bound(atom, [value.clone(), value.negate()], []);
                Some(Sum::from_atom(atom))
            }
            Term::Gathered(Gathered::Picked { of, .. } | Gathered::Mean(of, ..) | Gathered::Sum { of, .. }) => {
                // A mean or sum of doubles is rounded.
                let is_exact = matches!(term, Term::Gathered(Gathered::Picked { .. })) || is_whole(terms, of);
                is_exact.then(|| self.add_other(terms, term).map(Sum::from_atom))?
            }
            Term::Gathered(Gathered::Count(..)) => self.add_other(terms, term).map(Sum::from_atom),
            Term::Cell { of, .. } => {
                let is_exact = match of.as_ref() {
                    Term::Gathered(Gathered::Picked { .. } | Gathered::Count(..)) => true,
                    Term::Gathered(Gathered::Mean(of, ..) | Gathered::Sum { of, .. }) => is_whole(terms, of),
                    _ => false,
                };
                let is_related = is_exact && are_rows_known(terms, of);
                is_related.then(|| self.add_other(terms, term).map(Sum::from_atom))?
            }
            _ => None,
        }
    }

    /// The sum that a term is as a number: that of the seconds in `strftime('%s', DAY)`.
    fn sum_number(&mut self, terms: &TermFacts<'_, 'a>, term: &Term) -> Option<Sum> {
        match as_seconds(term) {
            Some(moment) => self.sum_moment(terms, moment),
            None if is_whole(terms, term) => self.sum_term(terms, term),
            None => None,
        }
    }

    /// The seconds of a column of days or moments, without modifiers.
    fn sum_moment(&mut self, terms: &TermFacts<'_, 'a>, args: &[Term]) -> Option<Sum> {
        let [moment] = args else { return None };
        let is_moment = matches!(find_kind(terms, moment), Some(TyKind::Date | TyKind::DateTime));
        is_moment.then(|| self.sum_term(terms, moment))?
    }

    /// `date(DAY, '+7 days')`
    fn sum_moved_day(&mut self, terms: &TermFacts<'_, 'a>, args: &[Term]) -> Option<Sum> {
        let (day, modifiers) = args.split_first()?;
        if find_kind(terms, day) != Some(TyKind::Date) {
            return None;
        }
        modifiers.iter().try_fold(self.sum_term(terms, day)?, |sum, modifier| {
            let Term::Literal(Value::Text(written)) = modifier else { return None };
            let (count, unit) = written.trim().split_once(' ')?;
            let days: i128 = count.parse().ok().filter(|_| matches!(unit.trim(), "day" | "days"))?;
            sum.add(&Sum::from_number(Ratio::new(days.checked_mul(DAY)?, 1)?))
        })
    }

    /// An atom that is not understood further.
    fn add_other(&mut self, terms: &TermFacts<'_, 'a>, term: &Term) -> Option<usize> {
        let key = Key::Gathered(term.clone());
        match self.find(&key) {
            Some(known) => Some(known),
            None => self.add(key, &terms.infer(term).fact),
        }
    }
}

/// Whether the rows of an aggregate that a subquery returns are known: all of a table, or those of a table that the query reads at one place only. What is
/// read of that table belongs to the same subquery then.
fn are_rows_known(terms: &TermFacts<'_, '_>, term: &Term) -> bool {
    if matches!(term, Term::Gathered(Gathered::Picked { over: Over::Table, .. })) {
        return true;
    }
    let mut known = true;
    term.visit(&mut |term| {
        if let Term::Column { relation, .. } = term {
            known &= !terms.sql.analysis.again.contains(relation);
        }
    });
    known
}

/// The arguments after the format of `strftime('%s', …)`.
fn as_seconds(term: &Term) -> Option<&[Term]> {
    match term {
        Term::Call(name, args) if name == "strftime" => match args.as_slice() {
            [Term::Literal(Value::Text(format)), moment @ ..] if format == "%s" => Some(moment),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a term is computed from ints, or from halves that doubles hold exactly.
fn is_whole(terms: &TermFacts<'_, '_>, term: &Term) -> bool {
    match term {
        Term::Literal(Value::Int(_)) => true,
        Term::Column { relation, column, .. } => {
            terms.facts.task().find_column((*relation, *column)).is_some_and(|column| column.ty.kind == TyKind::Int)
        }
        Term::Param(name) => terms.sql.find_param(name).is_some_and(|value| value.ty.kind == TyKind::Int),
        Term::Negative(inner) => is_whole(terms, inner),
        Term::Operator(Operator::Add | Operator::Subtract | Operator::Multiply, sides) => {
            is_whole(terms, &sides.0) && is_whole(terms, &sides.1)
        }
        Term::Gathered(Gathered::Count(..)) => true,
        Term::Gathered(Gathered::Picked { of, .. } | Gathered::Sum { of, .. }) => is_whole(terms, of),
        Term::Call(name, _) if name == "unixepoch" => true,
        Term::Call(name, args) if name == "julianday" => {
            args.first().is_some_and(|day| find_kind(terms, day) == Some(TyKind::Date))
        }
        Term::Cast(Affinity::Integer, inner) => is_int(terms, inner),
        _ if as_seconds(term).is_some() => true,
        Term::Call(name, args) if matches!(name.as_str(), "min" | "max" | "abs") => {
            args.iter().all(|arg| is_whole(terms, arg))
        }
        _ => false,
    }
}

/// Whether a term is an int: a Julian day is one and a half, and the difference of two is an int.
fn is_int(terms: &TermFacts<'_, '_>, term: &Term) -> bool {
    let is_day = |term: &Term| matches!(term, Term::Call(name, _) if name == "julianday");
    let mut has_day = false;
    term.visit(&mut |part| has_day |= is_day(part));
    match term {
        Term::Operator(Operator::Subtract, sides) if is_day(&sides.0) && is_day(&sides.1) => is_whole(terms, term),
        _ => !has_day && is_whole(terms, term),
    }
}

/// Whether SQLite orders two values as the task does: numbers, or texts of days or of moments on both sides.
pub fn are_ordered_alike(terms: &TermFacts<'_, '_>, left: &Term, right: &Term) -> bool {
    let (a, b) = (find_kind(terms, left), find_kind(terms, right));
    let is_text = |kind: &Option<TyKind>| matches!(kind, Some(TyKind::Date | TyKind::DateTime | TyKind::Text));
    if is_text(&a) || is_text(&b) { a == b } else { true }
}

/// The type of a column that a term is, or of which it is a value.
fn find_kind(terms: &TermFacts<'_, '_>, term: &Term) -> Option<TyKind> {
    match term {
        Term::Column { relation, column, .. } => {
            Some(terms.facts.task().find_column((*relation, *column))?.ty.kind.clone())
        }
        Term::Param(name) => Some(terms.sql.find_param(name)?.ty.kind.clone()),
        Term::Cell { of, .. } => find_kind(terms, of),
        Term::Gathered(Gathered::Picked { of, .. }) => find_kind(terms, of),
        Term::Call(name, args) if matches!(name.as_str(), "min" | "max" | "date") => find_kind(terms, args.first()?),
        _ => None,
    }
}
