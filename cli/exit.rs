//! The exit status.

use std::process::ExitCode;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: the suite is not good enough.
    NotGood,
    /// 2: wrong use. Flags that make no sense end the same way.
    Usage,
    /// 3: the outside failed: disk, network, agent.
    Outside,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
