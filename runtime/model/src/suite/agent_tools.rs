//! What an agent may use: `tools […]` and `calls N`.

use serde::Serialize;

use super::NameId;
use crate::Span;
use crate::tools::Tool;

/// The most calls that `calls` allows.
pub const MAX_CALLS: u32 = 10_000;

/// What an agent may use, of a task or of one of its variants. `None` where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AgentTools {
    /// The tools, in the order of the table of tools; none at all where the list is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// How many calls of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Calls>,
    /// Where the tools are listed.
    #[serde(skip)]
    pub span: Span,
}

/// A number of calls, 1 to [`MAX_CALLS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Calls {
    /// Always this number.
    Fixed(u32),
    /// The value of an axis.
    Axis(NameId),
}

impl AgentTools {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.tools.is_none() && self.calls.is_none()
    }

    /// What a variant says, and what the task says where the variant does not.
    pub fn fill_from_task(self, of_task: &AgentTools) -> AgentTools {
        AgentTools {
            span: if self.tools.is_some() { self.span } else { of_task.span },
            tools: self.tools.or_else(|| of_task.tools.clone()),
            calls: self.calls.or(of_task.calls),
        }
    }
}
