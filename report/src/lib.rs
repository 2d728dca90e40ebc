//! How sure the number is: statistics, tables, charts, comparisons.
//!
//! ```text
//! RUN/ ─RunData::read→ RunData ─report→ Report ─┬─ json
//!                         │                      ├─ render::tables → terminal, Markdown
//!                         │                      ├─ render::junit
//!                         │                      └─ render::html (with Details of what failed, read from RUN/)
//!                         └────────compare→ Comparison → the same
//! ```

pub mod compare;
pub mod data;
pub mod details;
pub mod model;
pub mod render;
pub mod statistics;

pub use compare::compare;
pub use data::RunData;
pub use details::Details;
pub use model::whole::Over;
pub use model::{Report, report};
