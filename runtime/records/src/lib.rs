//! The files between `build` and `report`: the instances and answer keys of a bundle, and the responses and scores of a run. This crate only reads
//! and writes them; the crate `score` scores responses, and the crate `report` estimates the uncertainty.
//!
//! ```text
//! BUNDLE/                      RUN/
//!   manifest.json                run.json            which bundle, which agent, which limits
//!   instances.jsonl              instances.jsonl     the instances that are asked, without their files
//!   keys.jsonl (split keys)      responses.jsonl     one line a finished trial of an instance
//!   files/…                      transcripts/ID.TRIAL.jsonl
//!                                scores.jsonl        one line an instance and trial, missing ones too
//! ```

pub mod attempt;
pub mod bundle;
pub mod calls;
pub mod columns;
mod digests;
pub mod error;
mod head;
pub mod id_table;
mod index;
pub mod instance;
pub mod instances;
pub mod jsonl;
mod line;
pub mod money;
pub mod parameters;
pub mod response;
pub mod responses;
pub mod run;
pub mod score;
pub mod stage;
pub mod stated_paths;
pub mod unit;
pub mod verdict;

pub use bundle::Bundle;
pub use disk::digest::hash_sha256;
pub use error::Error;
pub use index::Index;
pub use instance::Instance;
pub use model::asked::{AskedRow, Described, Stage, StageKey};
pub use money::{Money, Price};
pub use parameters::Parameters;
pub use response::{Captured, FILE_LIMIT, Response, Status, TOTAL_LIMIT};
pub use responses::Ignored;
pub use run::RunInfo;
pub use score::Score;
pub use stage::StageScore;
pub use unit::Unit;
pub use verdict::{Reason, Verdict};
