//! Traps: values that result from known mistakes instead of the correct one.

use serde::Serialize;

use super::{Answer, Expected, Expression, Term};
use crate::Value;
use crate::pointer::unescape_step;

/// A value that results from a known mistake. It is never correct; a wrong answer that equals it is evidence of the mistake.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "T: Serialize"))]
pub struct Trap<T: Term = Value> {
    /// The name of the value, which is also that of the mistake.
    pub name: String,
    /// Place of the mistake in the expected value, as a JSON pointer; `""` is the whole value.
    pub at: String,
    /// The resulting value at this place.
    pub value: T,
}

impl<E: Expression> Trap<E> {
    /// Returns a copy in which `map` replaces the expression.
    pub fn map_expr<F: Expression>(&self, map: &mut dyn FnMut(&E) -> F) -> Trap<F> {
        Trap { name: self.name.clone(), at: self.at.clone(), value: map(&self.value) }
    }
}

impl Expected {
    /// Returns the same expectation with the trap's value at its place. `None` if it does not have exactly one expected value, or nothing at that place in it.
    pub fn with_trap(&self, trap: &Trap) -> Option<Expected> {
        let mut value = self.single_value()?.clone();
        *resolve_pointer(&mut value, &trap.at)? = trap.value.clone();
        Some(Expected { answer: Some(Answer::One(value)), traps: Vec::new(), ..self.clone() })
    }
}

/// Returns the value at a JSON pointer.
fn resolve_pointer<'v>(value: &'v mut Value, pointer: &str) -> Option<&'v mut Value> {
    if pointer.is_empty() {
        return Some(value);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(value, |value, part| {
        let part = unescape_step(part);
        match value {
            Value::List(items) => items.get_mut(part.parse::<usize>().ok()?),
            Value::Object(fields) => fields.iter_mut().find(|(key, _)| *key == part.as_ref()).map(|(_, field)| field),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_leads_to_one_value() {
        let mut value = Value::Object(vec![
            ("a/b".into(), Value::List(vec![Value::Int(1), Value::Int(2)])),
            ("~1".into(), Value::from_text("x")),
        ]);
        let mut at = |pointer: &str| resolve_pointer(&mut value, pointer).cloned();
        assert_eq!(at("/a~1b/1"), Some(Value::Int(2)));
        assert_eq!(at("/~01"), Some(Value::from_text("x")));
        assert!(at("").is_some_and(|all| matches!(all, Value::Object(_))));
        assert_eq!([at("/a~1b/2"), at("/a~1b/x"), at("/c"), at("a~1b"), at("/~01/0")], [const { None }; 5]);
    }
}
