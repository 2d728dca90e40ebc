//! picardc for a page: the compiler, instances, scores, and the language server, without a disk, threads, or a clock.
//!
//! ```text
//! request (JSON) ─Playground::answer_request→ answer (JSON)
//! ```
//!
//! [`Playground`] holds files by path and one session of the language server, whose open texts replace them. It also works natively, where tests
//! use it; on `wasm32`, the module `bind` exports it to JavaScript.

#[cfg(target_arch = "wasm32")]
mod bind;
mod error;
mod files;
mod instance;
mod playground;
mod request;
mod suite;
pub mod tables;

pub use playground::Playground;
