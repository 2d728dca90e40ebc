//! Why a program is not started in its confinement.

use std::fmt;

#[cfg(target_os = "linux")]
use super::file_access::LandlockSupport;

/// Why a program is not started in its confinement.
#[derive(Debug)]
pub enum Unconfined {
    /// A step failed for this reason of the system.
    Step { step: String, why: String },
    /// Landlock is not what it was when it was tried.
    #[cfg(target_os = "linux")]
    Landlock { is: Option<LandlockSupport>, was: Option<LandlockSupport> },
}

impl Unconfined {
    /// Creates the error for a step that failed.
    pub fn new_step(step: impl Into<String>, why: impl fmt::Display) -> Unconfined {
        Unconfined::Step { step: step.into(), why: why.to_string() }
    }
}

impl fmt::Display for Unconfined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unconfined::Step { step, why } => write!(f, "{step}: {why}"),
            #[cfg(target_os = "linux")]
            Unconfined::Landlock { is, was } => write!(f, "Landlock holds {is:?} and not {was:?}"),
        }
    }
}

impl std::error::Error for Unconfined {}
