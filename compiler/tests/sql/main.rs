//! `compiler::sql` over the real SQLite.

#![allow(clippy::disallowed_methods)] // tests read fixtures and measure time; the compiler does not

mod hostile;
mod keys;
mod like;
mod mistakes;
mod promises;
mod types;
mod world;
