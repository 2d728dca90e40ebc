//! What instances need of the tool that asks them. Each format says which of it it lacks ([`super::Instances::LACKS`]).

use records::Instance;

/// Something that not every tool has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A place with files and folders for the agent to begin with.
    Start,
    /// A place whose files are looked at when the agent is done.
    Work,
    /// Tools that are handed to the agent.
    Tools,
    /// A way to give the agent these tools, or this number of calls, and no more.
    Limits,
}

impl Need {
    /// What an instance needs, the most telling first.
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

    /// Why an instance that needs it cannot be expressed in a format.
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
