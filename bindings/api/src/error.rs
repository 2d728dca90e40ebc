//! What can go wrong, as values.

use std::fmt;

use compiler::diagnostics::Code;
use runtime::failure::{Failure, FailureKind};

/// Why a suite has no instances, or why one instance cannot be generated.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The suite has errors: its diagnostics say which.
    NotBuildable,
    /// No instance has this index.
    NoInstance {
        /// The index that was asked for, from 0.
        index: u64,
        /// How many instances there are.
        count: u64,
    },
    /// The instance cannot be made, or the options do not fit the suite.
    Failed(Failure),
    /// A file of a lake is not the one that the suite was compiled with: answer keys may be wrong for it.
    Stale {
        /// Its path below the suite's folder.
        source: String,
    },
    /// A defect of picardc: the answer key of an instance cannot be read back.
    Unreadable {
        /// The instance.
        id: String,
        /// Why, as a sentence without a period.
        why: String,
    },
}

impl Error {
    /// The code of the diagnostic that explains it (E0901 to E0909), if there is one.
    pub fn code(&self) -> Option<&'static Code> {
        match self {
            Error::Failed(failure) => Code::from_failure_kind(failure.kind),
            Error::NotBuildable | Error::NoInstance { .. } | Error::Stale { .. } | Error::Unreadable { .. } => None,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        Error::Failed(failure)
    }
}

/// For a caller that shows every failure alike.
impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Failed(failure) => failure,
            Error::Unreadable { .. } => {
                Failure::new(FailureKind::Io, error.to_string()).help("this is a defect of picardc; please report it")
            }
            Error::NotBuildable | Error::NoInstance { .. } | Error::Stale { .. } => {
                Failure::new(FailureKind::Usage, error.to_string())
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotBuildable => f.write_str("the suite has errors, so it has no instances"),
            Error::NoInstance { index, count } => write!(f, "instance {index} does not exist: the suite has {count}"),
            Error::Failed(failure) => failure.fmt(f),
            Error::Stale { source } => write!(f, "`{source}` changed after the suite was compiled; compile it again"),
            Error::Unreadable { id, why } => write!(f, "the answer key of `{id}` cannot be read back: {why}"),
        }
    }
}

impl std::error::Error for Error {}
