//! The tools of an agent: `tools […]` and `calls N`.

use serde::Serialize;

use super::NameId;
use crate::Span;
use crate::tools::Tool;

/// Maximum number of calls that `calls` accepts.
pub const MAX_CALLS: u32 = 10_000;

/// The tools of an agent in a task or one of its variants. A field is `None` if it is not declared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AgentTools {
    /// The tools, in the order of the table of tools; empty for an empty list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// Maximum number of tool calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Calls>,
    /// The place of the list of tools.
    #[serde(skip)]
    pub span: Span,
}

/// A number of calls, 1 to [`MAX_CALLS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Calls {
    /// This number in every cell.
    Fixed(u32),
    /// The value of an axis.
    Axis(NameId),
}

impl AgentTools {
    /// Checks whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.tools.is_none() && self.calls.is_none()
    }

    /// Fills the fields that a variant does not declare with those of its task.
    pub fn fill_from_task(self, of_task: &AgentTools) -> AgentTools {
        AgentTools {
            span: if self.tools.is_some() { self.span } else { of_task.span },
            tools: self.tools.or_else(|| of_task.tools.clone()),
            calls: self.calls.or(of_task.calls),
        }
    }
}
