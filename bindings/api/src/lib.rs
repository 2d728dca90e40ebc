//! picardc for programs that embed it: compiles a source to a suite, generates instances from a suite and a seed, and scores responses.
//!
//! ```text
//! source, Host ─compile→ Suite (diagnostics, identity) ─Options→ Instances ─get→ Instance ─grade_solution→ Score
//! ```
//!
//! The crate does no I/O of its own: sources come through [`Host`], and instances hold their files as bytes. It starts no threads, keeps no state
//! between calls, and returns every failure as a value. Values can be used from several threads, except for a [`Host`], which belongs to one thread.
//!
//! ```
//! use api::{Memory, Options, Solution, Suite};
//!
//! let source = r#"
//! suite sums { title "Sums" version "1.0.0" }
//!
//! task total {
//!   csv orders at "orders.csv" { rows 20  AMOUNT : int 1..900 }
//!   prompt "What is the total AMOUNT in <<orders>>? Reply with the number only."
//!   expect reply number sum(orders.AMOUNT)
//! }
//! "#;
//! let host = Memory::new([("sums.pcd", source)]);
//! let suite = Suite::compile("sums.pcd", &host);
//! assert!(suite.diagnostics().is_empty());
//!
//! let instances = suite.select_instances(Options::new("7"))?;
//! let instance = instances.get(0)?;
//! assert_eq!(instance.prompt(), "What is the total AMOUNT in orders.csv? Reply with the number only.");
//! assert_eq!(instance.files()[0].path, "orders.csv");
//!
//! let text = String::from_utf8_lossy(&instance.files()[0].bytes);
//! let total: u64 = text.lines().skip(1).filter_map(|line| line.parse::<u64>().ok()).sum();
//! let right = Solution { reply: total.to_string(), ..Solution::default() };
//! assert!(instance.grade_solution(&right).correct);
//! assert!(!instance.grade_solution(&Solution::default()).correct);
//! # Ok::<(), api::Error>(())
//! ```

mod error;
mod examples;
mod instances;
mod located;
mod memory;
mod net;
mod owned;
mod suite;

pub use error::Error;
pub use examples::judge_example;
pub use instances::{Instance, Instances, grade_response};
pub use located::{Edited, Fixed, Labelled, Located, Place};
pub use memory::Memory;
pub use net::Net;
pub use owned::OwnedInstances;
pub use suite::Suite;

pub use compiler::diagnostics::{Applicability, Diagnostic, Severity};
pub use compiler::host::{Drawn, Host, Observer, ReadError, Sqlite};
pub use compiler::sql::misreadings;
pub use compiler::{Position, Sources};
pub use disk::digest::hash_sha256;
pub use records::{Captured, Error as KeyError, Instance as Key, Reason, Response, Score, Status, Verdict};
pub use runtime::bundle::Shard;
pub use runtime::failure::{At, Failure, FailureKind};
pub use runtime::generate::{Address, FileBytes, HandedOut, InstanceTests, Options, Portion, SandboxFile};
pub use score::{Solution, StartFiles};
