//! What compiler and runtime share: values and their rendering, the domain algebra, relations' shapes, and the compiled
//! suite itself. Pure data and pure functions: no I/O, no randomness, no clock.

pub mod answer_key;
pub mod calendar;
pub mod ddl;
pub mod decimal;
pub mod distribution;
pub mod domain;
pub mod format;
pub mod functions;
mod given;
pub mod glob;
mod ids;
pub mod json;
pub mod json_path;
pub mod lines;
mod listed;
pub mod listing;
pub mod numeral;
pub mod ops;
pub mod path;
pub mod pattern;
pub mod scorer;
pub mod singular;
pub mod size;
pub mod span;
pub mod sqlite;
pub mod statistics;
pub mod suite;
pub mod uses;
pub mod val;
pub mod value;
mod worded;

pub use calendar::{Date, DateTime, Duration};
pub use decimal::Decimal;
pub use domain::Domain;
pub use format::Format;
pub use given::Given;
pub use ids::SourceId;
pub use listed::Listed;
pub use scorer::Scorer;
pub use singular::Singular;
pub use span::Span;
pub use suite::Plan;
pub use typed_index_collections::{TiSlice, TiVec};
pub use val::Val;
pub use value::{Value, ValueType};
