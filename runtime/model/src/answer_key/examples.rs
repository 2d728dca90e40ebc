//! Tests of an expectation: answers that it must accept or reject. They do not belong to an answer key.

use serde::Serialize;

use super::Expression;
use crate::suite::{ColumnId, RelationId};
use crate::{Span, Value};

/// `accepts V`, `rejects V`, `rejects others`: an answer, and whether it must be correct.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "T: Serialize"))]
pub struct Example<T = Value> {
    /// Whether it must be correct.
    pub verdict: Wanted,
    /// The answer.
    pub said: Said<T>,
    /// Its place in the source.
    pub span: Span,
}

crate::worded! {
    /// What an expectation must say of an example.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum Wanted { Accepted = "accepts", Rejected = "rejects" }
}

crate::words_in_json!(Wanted);

/// The answer of an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "T: Serialize"))]
pub enum Said<T = Value> {
    /// The whole reply, or the whole content of the file.
    Text(T),
    /// A value, which is written as the oracle writes an answer of the expectation.
    Value(T),
    /// The expected values of the other instances of the task.
    Others,
}

/// Where the bad replies that selftest tries come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Panel {
    /// No bad reply is tried: weak answers are allowed.
    Off,
    /// All values that the answer can have are not known.
    #[default]
    Open,
    /// These are all values.
    Values(Vec<Value>),
    /// They are the values of this column.
    Column(RelationId, ColumnId),
}

impl Panel {
    /// The maximum number of values of an answer that a bad reply names.
    pub const MAX_VALUES: usize = 50;

    /// Creates one from all values that an answer can have; it is open if these are too many.
    pub fn from_values(values: impl IntoIterator<Item = Value>) -> Panel {
        let mut kept: Vec<Value> = Vec::new();
        for value in values.into_iter().filter(|value| !value.is_null()) {
            if !kept.contains(&value) {
                kept.push(value);
            }
            if kept.len() > Panel::MAX_VALUES {
                return Panel::Open;
            }
        }
        Panel::Values(kept)
    }

    /// Checks whether nothing is said of it.
    pub fn is_open(&self) -> bool {
        *self == Panel::Open
    }
}

impl<E: Expression> Example<E> {
    /// Returns a copy in which `map` replaces the expression.
    pub fn map_expr<F: Expression>(&self, map: &mut dyn FnMut(&E) -> F) -> Example<F> {
        let said = match &self.said {
            Said::Text(text) => Said::Text(map(text)),
            Said::Value(value) => Said::Value(map(value)),
            Said::Others => Said::Others,
        };
        Example { verdict: self.verdict, said, span: self.span }
    }

    /// Returns the expression, if there is one.
    pub fn expr(&self) -> Option<&E> {
        match &self.said {
            Said::Text(expr) | Said::Value(expr) => Some(expr),
            Said::Others => None,
        }
    }
}

/// What selftest tries with an expectation. Empty in an instance's key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "T: Serialize"))]
pub struct Tests<T = Value> {
    /// The author's examples, in source order.
    pub examples: Vec<Example<T>>,
    /// Where bad replies come from.
    #[serde(skip_serializing_if = "Panel::is_open")]
    pub panel: Panel,
}

impl<T> Default for Tests<T> {
    fn default() -> Tests<T> {
        Tests { examples: Vec::new(), panel: Panel::Open }
    }
}

impl<T> Tests<T> {
    /// Checks whether nothing is said of it.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty() && self.panel.is_open()
    }
}
