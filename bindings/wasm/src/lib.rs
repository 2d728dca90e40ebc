//! picardc for a page: the compiler, instances, scores, and the language server without a disk, a thread, or a clock of its own.
//!
//! ```text
//! request (JSON) ─Playground::answer_request→ answer (JSON)
//! ```
//!
//! [`Playground`] holds files by path and one session of the language server whose open texts replace them. The same value works natively, where tests
//! ask it; on `wasm32` the module `bind` hands it to JavaScript.

#[cfg(target_arch = "wasm32")]
mod bind;
mod files;
mod instance;
mod playground;
mod request;
mod suite;
mod tables;

pub use playground::Playground;
