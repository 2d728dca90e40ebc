//! The errors of this crate.

use std::fmt;

use compiler::diagnostics::Code;
use runtime::failure::{Failure, FailureKind};

/// The reason why a suite has no instances, or why an instance cannot be generated.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The suite has errors; see its diagnostics.
    NotBuildable,
    /// No instance has this index.
    NoInstance {
        /// The requested index, from 0.
        index: u64,
        /// The number of instances.
        count: u64,
    },
    /// The instance cannot be generated, or the options do not fit the suite.
    Failed(Failure),
    /// A file of a lake differs from the one with which the suite was compiled, so answer keys may be wrong for it.
    Stale {
        /// The path below the suite's folder.
        source: String,
    },
    /// A defect of picardc: the answer key of an instance cannot be read back.
    Unreadable {
        /// The ID of the instance.
        id: String,
        /// The reason, as a sentence without a period.
        why: String,
    },
}

impl Error {
    /// The code of the diagnostic that explains the error (E0901 to E0909), if it has one.
    ///
    /// ```
    /// use api::{Error, Memory, Options, Suite};
    ///
    /// // No draw can meet this condition, which only the build finds out.
    /// let source = "suite s { title \"S\" version \"1\" }\ntask t {\n  a : int 1..9\n  b : int 1..9\n  require a * b == 11\n  \
    ///               prompt \"Add <<a>> and <<b>>.\"\n  expect reply number a + b\n}\n";
    /// let suite = Suite::compile("s.pcd", &Memory::new([("s.pcd", source)]));
    /// let error = suite.select_instances(Options::new("7")).and_then(|instances| instances.get(0)).expect_err("never met");
    /// assert!(matches!(&error, Error::Failed(_)), "{error}");
    /// assert_eq!(error.code().map(|code| code.name), Some("require_never_held"));
    /// // Wrong arguments of the caller have no code.
    /// assert!(Error::NoInstance { index: 3, count: 3 }.code().is_none());
    /// ```
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

/// For callers that show all failures in the same way.
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
