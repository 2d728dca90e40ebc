//! Generates instances from plan and seed (`generate`, pure), and writes instances as bundles (`bundle`, which writes files).

pub mod bundle;
pub mod generate;
mod threads;

pub use model::failure::{self, Failure};
