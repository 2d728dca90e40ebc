//! What runs say: tables, charts, comparisons. How sure the numbers are is for the crate `statistics`.
//!
//! ```text
//! RUN/ or LOG.eval ─RunData::read→ RunData ─report→ Report ─┬─ json
//!                                     │                      ├─ render::tables → terminal, Markdown
//!                                     │                      ├─ render::junit
//!                                     │                      └─ render::html (with the overview of runs side by side, and Details of what failed, read from RUN/)
//!                                     └────────compare→ Comparison → the same
//! ```

pub mod compare;
pub mod data;
pub mod details;
mod inspect;
pub mod model;
pub mod overview;
pub mod render;

pub use compare::compare;
pub use data::RunData;
pub use details::Details;
pub use model::by::by;
pub use model::{Report, report};
pub use statistics::accuracy::Over;
