//! `compiler::sql` over the real SQLite.

mod hostile;
mod mistakes;
mod sqlite;
mod types;
mod world;
