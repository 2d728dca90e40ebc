//! The possible values of a term.

use model::suite::{ColumnId, FileContent, FixtureKind, RelationId, Scope};
use model::{Value, ValueType};
use sql::terms::{Affinity, MatchKind, Operator, Term};

use super::combine::{combine, combine_few};
use super::known::Known;
use super::texts::Texts;
use super::{arithmetic, calls, functions, gathered, readers};
use crate::facts::{Fact, Facts, Row, Slot, Truth};
use crate::{self as hir, ColumnSource};

/// The maximum number of combinations for which an operator is computed: its range is known without them.
const MAX_OPERATIONS: usize = 200;

/// A query with its context, for which the possible values of its terms are inferred.
pub struct TermFacts<'l, 'a> {
    /// The facts of its task.
    pub facts: &'l Facts<'a>,
    /// The query.
    pub sql: &'a hir::Sql,
    /// The rows in scope at its place.
    pub scope: Scope,
}

impl<'a> TermFacts<'_, 'a> {
    /// What is known of the value of a term.
    pub fn infer(&self, term: &Term) -> Known<'a> {
        match term {
            Term::Unknown => Known::unknown(),
            Term::Literal(value) => Known::from_fact(Fact::from_value(value)),
            Term::Column { relation, column, nullable, at } => {
                let slot = find_cell_slot(*relation, *column, *at);
                let assumed = self.facts.find_assumed(slot);
                let fact = assumed.unwrap_or_else(|| self.facts.lookup_slot(slot).with_null_if(*nullable));
                self.infer_column((*relation, *column), &fact)
            }
            Term::Cell { of, nullable, at } => match self.facts.find_assumed(find_result_slot(*at)) {
                Some(fact) => Known::from_fact(fact),
                None => self.facts.without_assumptions(|| self.infer(of)).with_null_if(*nullable),
            },
            Term::Param(name) => self.infer_parameter(name),
            Term::Call(name, args) => self.infer_call(name, args),
            Term::Operator(operator, sides) => self.infer_operator(*operator, &sides.0, &sides.1),
            Term::Negative(inner) => infer_negative(&self.infer(inner)),
            Term::Cast(affinity, inner) => infer_cast(*affinity, &self.infer(inner)),
            Term::Case(branches, otherwise) => self.infer_case(branches, otherwise),
            Term::Gathered(of) => {
                let rows = self.facts.count_joined_rows(self.sql);
                self.facts.without_assumptions(|| gathered::infer_gathered(of, rows, &|term| self.infer(term)))
            }
            Term::Compare(..)
            | Term::Is(_)
            | Term::In(..)
            | Term::InQuery(_)
            | Term::Match { .. }
            | Term::And(_)
            | Term::Or(_)
            | Term::Not(_) => Known::from_fact(self.judge(term).to_fact()),
        }
    }

    /// What is known of the values of another query.
    pub(super) fn infer_other_rows(&self, term: &Term) -> Known<'a> {
        self.facts.without_assumptions(|| self.infer(term))
    }

    /// Whether the values of a term are texts. `None` if that is not known.
    pub fn infer_class(&self, term: &Term) -> Option<bool> {
        if let Term::Column { relation, column, .. } = term {
            let declared = self.facts.task().find_column((*relation, *column))?;
            return Some(matches!(declared.ty.value_type()?, ValueType::Text | ValueType::Date | ValueType::DateTime));
        }
        self.infer(term).is_text()
    }

    /// What `typeof` says of the values of a column.
    fn find_storage_class(&self, place: (RelationId, ColumnId)) -> Option<&'static str> {
        let task = self.facts.task();
        let declared = task.find_column(place).filter(|declared| !is_stored_otherwise(task, place.0, declared))?;
        if matches!(declared.source, ColumnSource::Given(_)) {
            return None;
        }
        match declared.ty.value_type()? {
            ValueType::Int | ValueType::Bool => Some("integer"),
            ValueType::Decimal(_) | ValueType::Float => Some("real"),
            ValueType::Text | ValueType::Date | ValueType::DateTime => Some("text"),
            ValueType::Duration => None,
        }
    }

    /// What is known of a column with this fact.
    fn infer_column(&self, place: (RelationId, ColumnId), fact: &Fact<'a>) -> Known<'a> {
        let task = self.facts.task();
        let known = task.find_column(place).and_then(|declared| {
            if is_stored_otherwise(task, place.0, declared) {
                return None;
            }
            Known::from_stored(fact, declared.ty.value_type()?)
        });
        known.unwrap_or_else(Known::unknown)
    }

    fn infer_parameter(&self, name: &str) -> Known<'a> {
        let known = self.sql.find_param(name).and_then(|value| {
            Known::from_stored(&self.facts.infer_parameter(value, self.scope), value.ty.value_type()?)
        });
        known.unwrap_or_else(Known::unknown)
    }

    fn infer_call(&self, name: &str, args: &[Term]) -> Known<'a> {
        let known: Vec<Known<'a>> = args.iter().map(|arg| self.infer(arg)).collect();
        if let ("typeof", [Term::Column { relation, column, .. }], [value]) = (name, args, known.as_slice())
            && let Some(class) = self.find_storage_class((*relation, *column))
        {
            let null = value.fact.nullable.then_some("null");
            let present = (!value.fact.is_null_only()).then_some(class);
            return Known::from_fact(Fact::from_values(present.into_iter().chain(null).map(Value::from_text)));
        }
        if matches!(name, "iif" | "if")
            && let ([condition, _, _], [_, yes_known, no_known]) = (args, known.as_slice())
        {
            return match self.judge(condition).to_truth() {
                Truth::Always => yes_known.clone(),
                Truth::Never => no_known.clone(),
                Truth::Open => yes_known.join_known(no_known),
            };
        }
        calls::infer_call(name, &known)
    }

    fn infer_operator(&self, operator: Operator, left: &Term, right: &Term) -> Known<'a> {
        let (a, b) = (self.infer(left), self.infer(right));
        let nullable = a.fact.nullable || b.fact.nullable;
        let args = [&a, &b];
        if let Some(fact) = combine_few(&args, MAX_OPERATIONS, |values| match values {
            [a, b] => arithmetic::operate(operator, a, b),
            _ => None,
        }) {
            return Known::from_fact(fact);
        }
        if operator == Operator::Concatenate {
            let texts = a.to_written_texts().zip(b.to_written_texts()).map(|(a, b)| Texts::Joined(vec![a, b]));
            return Known { texts, ..Known::from_fact(Fact::not_null()) }.with_null_if(nullable);
        }
        let number = |known: Known<'a>| {
            let read = known.texts.as_ref().and_then(|texts| read_as_number(Affinity::Integer, texts));
            read.map_or(known.clone(), |read| read.with_null_if(known.fact.nullable))
        };
        let (a, b) = (number(a), number(b));
        let by_zero = matches!(operator, Operator::Divide | Operator::Remainder) && b.fact.can_be(&Value::Int(0));
        arithmetic::operate_ranges(operator, &a.fact, &b.fact)
            .map_or_else(Known::unknown, |fact| Known::from_fact(fact).with_null_if(nullable || by_zero))
    }

    fn infer_case(&self, branches: &[(Term, Term)], otherwise: &Term) -> Known<'a> {
        let mut all: Option<Known<'a>> = None;
        let mut add = |known: Known<'a>| all = Some(all.take().map_or(known.clone(), |all| all.join_known(&known)));
        for (condition, result) in branches {
            match self.judge(condition).to_truth() {
                Truth::Never => {}
                Truth::Always => {
                    add(self.infer(result));
                    return all.unwrap_or_else(Known::unknown);
                }
                Truth::Open => add(self.infer(result)),
            }
        }
        add(self.infer(otherwise));
        all.unwrap_or_else(Known::unknown)
    }
}

fn infer_negative<'a>(known: &Known<'a>) -> Known<'a> {
    let fact = match &known.fact {
        Fact { closed: Some(values), .. } => values
            .iter()
            .map(arithmetic::negate)
            .collect::<Option<Vec<Value>>>()
            .map(|values| Fact::from_values(&values)),
        Fact { range: Some((low, high)), .. } => {
            arithmetic::negate(high).zip(arithmetic::negate(low)).map(|(low, high)| Fact::from_range(low, high))
        }
        _ => None,
    };
    fact.map_or_else(Known::unknown, |fact| Known::from_fact(fact).with_null_if(known.fact.nullable))
}

fn infer_cast<'a>(affinity: Affinity, known: &Known<'a>) -> Known<'a> {
    if let Some(fact) = combine(&[known], |values| functions::cast(affinity, values.first()?)) {
        return Known::from_fact(fact);
    }
    let (is_text, nullable) = (known.is_text(), known.fact.nullable);
    let kept = match (affinity, is_text) {
        (Affinity::Text, Some(true)) => Some(known.clone()),
        (Affinity::Integer | Affinity::Real, Some(true)) => {
            known.texts.as_ref().and_then(|texts| read_as_number(affinity, texts))
        }
        (Affinity::Integer | Affinity::Real, Some(false)) => known.fact.range.as_ref().and_then(|(low, high)| {
            let (low, high) = (functions::cast(affinity, low)?, functions::cast(affinity, high)?);
            Some(Known::from_fact(Fact::from_range(low, high)))
        }),
        _ => None,
    };
    kept.unwrap_or_else(|| Known::from_fact(Fact::not_null())).with_null_if(nullable)
}

/// The number with which texts begin: 0 for those that do not begin with one.
fn read_as_number<'a>(affinity: Affinity, texts: &Texts<'_>) -> Option<Known<'a>> {
    const STARTS: &str = "[-+. 0-9\t\n\r\u{b}\u{c}]*";
    let zero = if affinity == Affinity::Integer { Value::Int(0) } else { Value::Float(0.0) };
    if let Some((false, _)) = readers::match_pattern(texts, STARTS, MatchKind::Glob) {
        return Some(Known::from_fact(Fact::from_value(&zero)));
    }
    let (low, high) = texts.find_number_range().filter(|_| affinity == Affinity::Integer)?;
    Some(Known::from_fact(Fact::from_range(Value::Int(low), Value::Int(high))))
}

/// The cell that a column of a query is.
pub fn find_cell_slot(relation: RelationId, column: ColumnId, at: (usize, usize, usize)) -> Slot {
    Slot::Cell(Row::Query(at.0, at.1), relation, column)
}

/// The value of a column of a subquery.
pub fn find_result_slot(at: (usize, usize, usize)) -> Slot {
    Slot::Result(at.0, at.1, at.2)
}

/// Whether SQLite might compare a column's values in another way than their known types suggest. Queries read a SQLite fixture directly, with
/// its datetimes as texts, its collations, and its type for each cell.
pub fn is_stored_otherwise(task: &hir::Task, relation: RelationId, column: &hir::Column) -> bool {
    const COLLATES: &[u8] = b"collate";
    let file = task.relations.get(relation).and_then(|decl| task.files.get(decl.file?));
    let Some(FileContent::Fixture { bytes, kind: FixtureKind::Sqlite }) = file.map(|file| &file.content) else {
        return false;
    };
    let is_mixed = matches!(&column.source, ColumnSource::Given(given) if given.note.is_some());
    match column.ty.value_type() {
        Some(ValueType::DateTime) => true,
        Some(ValueType::Int | ValueType::Float) => is_mixed,
        _ => is_mixed || bytes.0.windows(COLLATES.len()).any(|part| part.eq_ignore_ascii_case(COLLATES)),
    }
}
