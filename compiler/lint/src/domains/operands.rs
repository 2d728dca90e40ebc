//! Facts about the sides of a comparison in SQL, as SQLite stores and compares them.

use model::suite::{Op, Scope};
use model::{Span, Value, ValueType};

use super::words;
use crate::context::TaskCx;
use hir::facts::{Fact, Truth, compare_facts};
use hir::terms::{TermFacts, convert_to_stored, is_stored_otherwise};
use hir::{ExprKind, NameSource};
use sql::predicates::{Operand, Side};

/// A query with its context.
pub struct Lint<'l, 'a> {
    pub cx: &'l TaskCx<'a>,
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
    /// The possible values of the query's terms.
    pub fn terms(&self) -> TermFacts<'_, 'a> {
        TermFacts { facts: self.cx.facts(), sql: self.sql, scope: self.scope }
    }

    /// Infers the facts about one side. Returns `None` if the source determines nothing about it.
    pub fn infer_operand(&self, operand: &Operand) -> Option<OperandFacts<'a>> {
        match &operand.value {
            Side::Literal(value) => {
                let fact = Fact::from_value(value);
                let stored = convert_to_stored(&fact, value.value_type()?)?;
                Some(OperandFacts { stored, fact, declared: None, drawn: None, column: false })
            }
            Side::Column { relation, column, nullable, .. } => {
                let declared = self.cx.task.find_column((*relation, *column))?;
                if is_stored_otherwise(self.cx.task, *relation, declared) {
                    return None;
                }
                let fact = self.cx.facts().lookup_column(*relation, *column).with_null_if(*nullable);
                let stored = convert_to_stored(&fact, declared.ty.value_type()?)?;
                Some(OperandFacts { stored, fact, declared: Some(declared.span), drawn: None, column: true })
            }
            Side::Param(name) => {
                let value = self.sql.find_param(name)?;
                let fact = self.cx.facts().infer_expr(value, self.scope);
                let stored = convert_to_stored(&fact, value.ty.value_type()?)?;
                let name = match value.kind {
                    ExprKind::Name(id) => self.cx.task.names.get(id),
                    _ => None,
                };
                let drawn = name.filter(|name| matches!(name.source, NameSource::Draw { .. }));
                let declared = words::find_declaration(self.cx.task, value, self.scope);
                Some(OperandFacts { stored, fact, declared, drawn, column: false })
            }
            Side::Computed(_) | Side::Other => None,
        }
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
