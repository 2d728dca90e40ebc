//! The facts of drawn values.

use model::suite::Scope;
use model::{Decimal, Value};

use super::{Fact, Facts};
use crate::{Draw, DrawDomain, Expr};

impl<'a> Facts<'a> {
    /// The fact of a draw: of a name, or of the cells of a column.
    pub(super) fn infer_draw(&self, draw: &'a Draw, scope: Scope) -> Fact<'a> {
        let fact = match &draw.domain {
            DrawDomain::Unknown(()) => return Fact::unknown(),
            DrawDomain::Fixed(domain) => Fact::from_domain(domain),
            DrawDomain::Range { low, high, .. } => {
                let (low, high) = (self.infer_expr(low, scope), self.infer_expr(high, scope));
                Fact::from_ends(low.range.zip(high.range).map(|((low, _), (_, high))| (low, high)))
            }
            DrawDomain::Lorem { .. } => Fact::not_null(),
            DrawDomain::OneOf(items) => {
                let facts = items.iter().map(|item| self.infer_expr(item, scope));
                facts.reduce(|all, next| all.join_fact(&next)).unwrap_or_else(Fact::unknown)
            }
            DrawDomain::Share(share) => match self.find_sole_share(share, scope) {
                Some(Whole::None) => Fact::from_value(&Value::Bool(false)),
                Some(Whole::All) => Fact::from_value(&Value::Bool(true)),
                None => Fact::from_values([Value::Bool(false), Value::Bool(true)]),
            },
            DrawDomain::Exactly(count) if self.infer_expr(count, scope).as_single_value() == Some(&Value::Int(0)) => {
                Fact::from_value(&Value::Bool(false))
            }
            DrawDomain::Exactly(_) => Fact::from_values([Value::Bool(false), Value::Bool(true)]),
            // The value is never null, because rows with a null in the column are skipped.
            DrawDomain::Ref { relation, column, filter, .. } => {
                let cells = Fact { nullable: false, ..self.lookup_column(*relation, *column) };
                match filter {
                    Some(filter) => self.narrow_cells(cells, *column, filter, scope.enter_filter(*relation)),
                    None => cells,
                }
            }
        };
        let fact = remove_excepted(fact, &draw.except);
        let fact = Fact { unique: false, ..fact };
        match draw.blank.as_ref().and_then(|share| self.find_sole_share(share, scope)) {
            Some(Whole::None) => fact,
            Some(Whole::All) => Fact::null(),
            None => fact.with_null_if(draw.may_be_blank()),
        }
    }

    /// Whether a computed share is always that of nothing, or of everything.
    fn find_sole_share(&self, share: &'a Expr, scope: Scope) -> Option<Whole> {
        let fact = self.infer_expr(share, scope);
        let share = fact.as_single_value()?.as_decimal()?;
        if share == Decimal::from_int(0) {
            Some(Whole::None)
        } else {
            (share == Decimal::from_int(100)).then_some(Whole::All)
        }
    }
}

/// A share that leaves nothing to chance.
enum Whole {
    None,
    All,
}

/// Removes the values excluded by `except`, if they are known.
fn remove_excepted<'a>(fact: Fact<'a>, except: &[Expr]) -> Fact<'a> {
    let Some(closed) = fact.closed.as_ref().filter(|_| !except.is_empty()) else { return fact };
    let gone = |value: &Value| {
        except.iter().filter_map(Expr::as_constant).any(|except| match except {
            Value::List(items) => items.iter().any(|item| item.is_same(value)),
            other => other.is_same(value),
        })
    };
    if !closed.iter().any(&gone) {
        return fact;
    }
    let left = Fact::from_values(closed.iter().filter(|value| !gone(value)));
    Fact { nullable: fact.nullable, domain: fact.domain, ..left }
}
