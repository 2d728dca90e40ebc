//! Runs a bundle with an agent: sandboxes, tools, protocols, durable responses.
//!
//! ```text
//! Bundle ─(select)→ jobs ─→ N threads: sandbox → Agent::answer_question → capture → score ─→ one writer: responses.jsonl
//!                                                                                     complete ─→ score_run: scores.jsonl
//! ```

pub mod agent;
pub mod agents;
mod atomic;
mod http;
pub mod retry;
pub mod runner;
pub mod sandbox;
pub mod scoring;
pub mod secrets;
pub mod settings;
pub mod spec;
pub mod tools;

pub use agent::Agent;
pub use runner::{Observer, Options, run_bundle};
pub use scoring::{Summary, score_run};
pub use spec::{Spec, SpecError};
