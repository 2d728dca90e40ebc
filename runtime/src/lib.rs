//! From plan and seed to instances (`generate`, pure), and from instances to bundles (`bundle`, which writes files).

pub mod bundle;
pub mod generate;
mod threads;

pub use model::failure::{self, Failure};
