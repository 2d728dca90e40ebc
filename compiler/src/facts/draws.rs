//! The facts of what is drawn.

use model::Value;
use model::suite::Scope;

use super::{Fact, Facts};
use crate::hir::{Draw, DrawDomain, Expr};

impl<'a> Facts<'a> {
    /// The fact of a draw: of a name, or of the cells of a column.
    pub(super) fn drawn(&self, draw: &'a Draw, scope: Scope) -> Fact<'a> {
        let fact = match &draw.domain {
            DrawDomain::Unknown(()) => return Fact::unknown(),
            DrawDomain::Fixed(domain) => Fact::of_domain(domain),
            DrawDomain::Range { low, high, .. } => {
                let (low, high) = (self.of(low, scope), self.of(high, scope));
                match (low.range, high.range) {
                    (Some((low, _)), Some((_, high))) => Fact::between(low, high, false),
                    _ => Fact::any(false),
                }
            }
            DrawDomain::Lorem { .. } => Fact::any(false),
            DrawDomain::OneOf(items) => {
                let facts = items.iter().map(|item| self.of(item, scope));
                facts.reduce(|all, next| all.or(&next)).unwrap_or_else(Fact::unknown)
            }
            DrawDomain::Share(_) | DrawDomain::Exactly(_) => Fact::of_values([Value::Bool(false), Value::Bool(true)]),
            // Never a null: rows with one are passed over.
            DrawDomain::Ref { relation, column, .. } => Fact { nullable: false, ..self.column(*relation, *column) },
        };
        let fact = without(fact, &draw.except);
        Fact { unique: false, ..fact }.or_null(draw.may_be_blank())
    }
}

/// Without the values that `except` names, where they are known.
fn without<'a>(fact: Fact<'a>, except: &[Expr]) -> Fact<'a> {
    let Some(closed) = fact.closed.as_ref().filter(|_| !except.is_empty()) else { return fact };
    let gone = |value: &Value| {
        except.iter().filter_map(Expr::value).any(|except| match except {
            Value::List(items) => items.iter().any(|item| item.same(value)),
            other => other.same(value),
        })
    };
    let left = Fact::of_values(closed.iter().filter(|value| !gone(value)).cloned());
    Fact { nullable: fact.nullable, domain: fact.domain, ..left }
}
