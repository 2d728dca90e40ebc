//! Facts about the sides of a comparison in SQL, as SQLite stores and compares them.

use model::suite::{FileContent, FixtureKind, Op, RelationId, Scope};
use model::{SharedList, Span, Value, ValueType};

use super::words;
use crate::context::TaskCx;
use hir::facts::{Fact, Facts, Truth, compare_facts};
use hir::{ColumnSource, ExprKind, NameSource};
use sql::predicates::{Operand, Side};

/// A query with its context.
pub struct Lint<'l, 'a> {
    pub cx: &'l TaskCx<'a>,
    pub facts: &'l Facts<'a>,
    pub sql: &'a hir::Sql,
    pub scope: Scope,
}

/// The known facts about one side of a comparison.
pub struct OperandFacts<'a> {
    /// As SQLite compares it.
    pub stored: Fact<'a>,
    /// As the author sees it.
    pub fact: Fact<'a>,
    /// The span of its declaration.
    pub declared: Option<Span>,
    /// The drawn name of the task that is its value.
    pub drawn: Option<&'a hir::Name>,
    /// Whether it is a column.
    pub column: bool,
}

impl<'a> Lint<'_, 'a> {
    /// Infers the facts about one side. Returns `None` if the source determines nothing about it.
    pub fn infer_operand(&self, operand: &Operand) -> Option<OperandFacts<'a>> {
        match &operand.value {
            Side::Literal(value) => {
                let fact = Fact::from_value(value);
                let stored = convert_to_stored(&fact, value.value_type()?)?;
                Some(OperandFacts { stored, fact, declared: None, drawn: None, column: false })
            }
            Side::Column { relation, column, nullable } => {
                let declared = self.cx.task.find_column((*relation, *column))?;
                if self.is_stored_otherwise(*relation, declared) {
                    return None;
                }
                let fact = self.facts.lookup_column(*relation, *column).with_null_if(*nullable);
                let stored = convert_to_stored(&fact, declared.ty.value_type()?)?;
                Some(OperandFacts { stored, fact, declared: Some(declared.span), drawn: None, column: true })
            }
            Side::Param(name) => {
                let value = self.sql.find_param(name)?;
                let fact = self.facts.infer_expr(value, self.scope);
                let stored = convert_to_stored(&fact, value.ty.value_type()?)?;
                let name = match value.kind {
                    ExprKind::Name(id) => self.cx.task.names.get(id),
                    _ => None,
                };
                let drawn = name.filter(|name| matches!(name.source, NameSource::Draw { .. }));
                let declared = words::find_declaration(self.cx.task, value, self.scope);
                Some(OperandFacts { stored, fact, declared, drawn, column: false })
            }
            Side::Other => None,
        }
    }

    /// Checks whether SQLite might compare a column's values in another way than their known types suggest. Queries read a SQLite fixture directly, with
    /// its datetimes as texts, its collations, and its type for each cell.
    fn is_stored_otherwise(&self, relation: RelationId, column: &hir::Column) -> bool {
        const COLLATES: &[u8] = b"collate";
        let file = self.cx.task.relations.get(relation).and_then(|decl| self.cx.task.files.get(decl.file?));
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

    /// Checks whether SQLite stores a column's values as texts. `None` if that is not known.
    pub fn is_text(&self, column: &Operand) -> Option<bool> {
        let Side::Column { relation, column, .. } = column.value else { return None };
        let declared = self.cx.task.find_column((relation, column))?;
        Some(matches!(declared.ty.value_type()?, ValueType::Text | ValueType::Date | ValueType::DateTime))
    }
}

/// Decides `a op b`. Never decides comparisons without data, or of a text with a number.
pub fn decide_comparison(op: Op, a: &OperandFacts<'_>, b: &OperandFacts<'_>) -> Option<Truth> {
    let varies = |known: &OperandFacts<'_>| known.column || known.declared.is_some();
    if !(varies(a) || varies(b)) || is_text_fact(&a.stored)? != is_text_fact(&b.stored)? {
        return None;
    }
    match compare_facts(op, &a.stored, &b.stored) {
        Truth::Open => None,
        known => Some(known),
    }
}

/// Checks whether SQLite compares a side as text. `None` if that is not known.
pub fn is_text_fact(fact: &Fact<'_>) -> Option<bool> {
    match fact.find_example() {
        Some(value) => Some(matches!(value, Value::Text(_))),
        // Texts from a pattern or template have neither a range nor a list.
        None => fact.domain.map(|domain| domain.value_type() == ValueType::Text),
    }
}

/// Converts a fact to the values that SQLite stores and compares: dates and datetimes are ordered texts, and booleans are 1 and 0.
fn convert_to_stored<'a>(fact: &Fact<'a>, value_type: ValueType) -> Option<Fact<'a>> {
    /// Doubles distinguish decimals with at most this many units.
    const EXACT: u128 = 1_000_000_000_000_000;
    let convert = |value: &Value| match value {
        Value::Bool(value) => Some(Value::Int(i64::from(*value))),
        Value::Date(_) | Value::DateTime(_) => Some(Value::from_text(value.render_text())),
        Value::Decimal(decimal) if decimal.units().unsigned_abs() > EXACT => None,
        Value::Int(_) | Value::Decimal(_) | Value::Float(_) | Value::Text(_) => Some(value.clone()),
        _ => None,
    };
    if value_type == ValueType::Duration {
        return None;
    }
    let converted = |values: &SharedList<Value>| values.iter().map(convert).collect::<Option<SharedList<Value>>>();
    let closed = match &fact.closed {
        Some(values) => Some(converted(values)?),
        None => None,
    };
    let range = match &fact.range {
        Some((low, high)) => Some((convert(low)?, convert(high)?)),
        None => None,
    };
    let domain = fact.domain.filter(|domain| domain.value_type() == ValueType::Text);
    Some(Fact { range, closed, nullable: fact.nullable, unique: false, domain })
}
