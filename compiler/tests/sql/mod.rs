//! `compiler::sql` over the real SQLite.

mod hostile;
mod keys;
mod like;
mod mistakes;
mod promises;
mod types;
mod world;
