//! Reports on runs: tables, charts, and comparisons. The crate `statistics` computes the uncertainty of the numbers.
//!
//! ```text
//! RUN/ or LOG.eval ─RunData::read_run→ RunData ─build_report→ Report ─┬─ json
//!                                         │                            ├─ render::tables → terminal, Markdown
//!                                         │                            ├─ render::junit
//!                                         │                            └─ render::html (with the overview of runs side by side, and Details of failures, read
//! from RUN/)
//!                                         └────────compare_runs→ Comparison → the same
//! ```

pub mod compare;
pub mod data;
pub mod details;
mod inspect;
pub mod model;
pub mod overview;
pub mod render;

pub use compare::compare_runs;
pub use data::{RunData, Verification};
pub use details::Details;
pub use model::arm_sets::build_arm_sets;
pub use model::{Report, build_report};
pub use statistics::accuracy::SamplingUnit;
