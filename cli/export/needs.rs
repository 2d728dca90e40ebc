//! The features of a tool that instances need. Each format lists those that it lacks ([`super::Instances::LACKS`]).

use records::Instance;

/// A feature that only some tools have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A folder with starting files and folders for the agent.
    Start,
    /// A folder whose files are read when the agent is done.
    Work,
    /// Tools for the agent.
    Tools,
    /// A way to limit the agent to the stated tools or number of calls.
    Limits,
}

impl Need {
    /// Lists the needs of an instance, the most specific first.
    pub(super) fn list_needs(instance: &Instance) -> impl Iterator<Item = Need> {
        let tools = instance.tools.as_deref();
        [
            (Need::Start, !instance.files.is_empty() || !instance.folders.is_empty()),
            (Need::Work, !instance.list_key_paths().is_empty()),
            (Need::Tools, tools.is_some_and(|tools| !tools.is_empty())),
            (Need::Limits, tools.is_some() || instance.calls.is_some()),
        ]
        .into_iter()
        .filter_map(|(need, is_needed)| is_needed.then_some(need))
    }

    /// Explains why an instance with this need cannot be expressed in a format.
    pub(super) fn explain_unmet(self, format: &str) -> String {
        match self {
            Need::Start => format!("the agent begins with files, and {format} has no sandbox"),
            Need::Work => format!("the answer key reads files that the agent leaves, and {format} has no sandbox"),
            Need::Tools => format!("the task states tools, and {format} cannot hand them to the agent"),
            Need::Limits => {
                format!("the task states which tools or how many calls the agent has, and {format} cannot enforce it")
            }
        }
    }
}
