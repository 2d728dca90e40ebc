//! What is known of the sides of a comparison in SQL, as SQLite holds and compares them.

use model::suite::{ColumnId, FileContent, FixtureKind, Op, RelationId, Scope};
use model::{SharedList, Span, Value, ValueType};

use super::super::TaskCx;
use super::words;
use crate::facts::{Fact, Facts, Truth, compare_facts};
use crate::hir::{self, ColumnSource, ExprKind, NameSource};
use crate::sql::predicates::{Operand, Side};

/// A query, and what is known around it.
pub struct Lint<'l, 'a> {
    pub cx: &'l TaskCx<'a>,
    pub facts: &'l Facts<'a>,
    pub sql: &'a hir::Sql,
    pub scope: Scope,
}

/// A side of a comparison, as far as it is known.
pub struct OperandFacts<'a> {
    /// As SQLite compares it.
    pub stored: Fact<'a>,
    /// As the author thinks of it.
    pub fact: Fact<'a>,
    /// Where it is declared.
    pub declared: Option<Span>,
    /// The name of the task that is drawn for it.
    pub drawn: Option<&'a hir::Name>,
    /// It is a column's.
    pub column: bool,
}

impl<'a> Lint<'_, 'a> {
    /// What is known of a side; `None` if the source says nothing about it.
    pub fn infer_operand(&self, operand: &Operand) -> Option<OperandFacts<'a>> {
        match &operand.value {
            Side::Literal(value) => {
                let fact = Fact::from_value(value);
                let stored = convert_to_stored(&fact, value.value_type()?)?;
                Some(OperandFacts { stored, fact, declared: None, drawn: None, column: false })
            }
            Side::Column { relation, column, nullable } => {
                let declared = self.find_column(*relation, *column)?;
                if self.is_stored_otherwise(*relation, declared) {
                    return None;
                }
                let fact = self.facts.lookup_column(*relation, *column).with_null_if(*nullable);
                let stored = convert_to_stored(&fact, declared.ty.value_type()?)?;
                Some(OperandFacts { stored, fact, declared: Some(declared.span), drawn: None, column: true })
            }
            Side::Param(name) => {
                let (_, value) = self.sql.params.iter().find(|(known, _)| known == name)?;
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

    fn find_column(&self, relation: RelationId, column: ColumnId) -> Option<&'a hir::Column> {
        self.cx.task.relations.get(relation)?.columns.get(column)
    }

    /// Whether SQLite may compare a column's values otherwise than as they are known: queries read a SQLite fixture as it is, with the texts of its moments,
    /// its collations, and the type of each cell.
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

    /// Whether SQLite holds a column's values as texts; `None`: not known.
    pub fn is_text(&self, column: &Operand) -> Option<bool> {
        let Side::Column { relation, column, .. } = column.value else { return None };
        let declared = self.find_column(relation, column)?;
        Some(matches!(declared.ty.value_type()?, ValueType::Text | ValueType::Date | ValueType::DateTime))
    }
}

/// Whether `a op b` is decided; never where nothing is compared with data, or text with a number.
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

/// Whether a side is text, as SQLite compares it; `None`: not known.
pub fn is_text_fact(fact: &Fact<'_>) -> Option<bool> {
    let value = fact.closed.as_ref().and_then(|values| values.first()).or(fact.range.as_ref().map(|(low, _)| low));
    match value {
        Some(value) => Some(matches!(value, Value::Text(_))),
        // Texts of a pattern or template have neither.
        None => fact.domain.map(|domain| domain.value_type() == ValueType::Text),
    }
}

/// A fact of the language as SQLite holds and compares it: days and moments are texts in order, bools are 1 and 0.
fn convert_to_stored<'a>(fact: &Fact<'a>, value_type: ValueType) -> Option<Fact<'a>> {
    /// Doubles keep decimals of up to this many units apart.
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
