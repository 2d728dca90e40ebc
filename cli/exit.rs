//! The exit status.

use std::process::ExitCode;

/// The result of a command, as an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: the command succeeded.
    Done,
    /// 1: the suite is not good enough.
    NotGood,
    /// 2: wrong use. Invalid flags have the same status.
    Usage,
    /// 3: a failure outside of picardc: disk, network, or agent.
    Outside,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
