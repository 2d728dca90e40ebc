//! Generates instances from plan and seed (`generate`, pure), and writes instances as bundles (`bundle`, which writes files).

pub mod bundle;
pub mod generate;

pub use model::failure::{self, Failure};
