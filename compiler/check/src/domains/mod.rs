//! Domains: the values that can be drawn, with their probabilities.

mod categorical;
pub(crate) mod domain;
pub(crate) mod ranges;
pub(crate) mod ref_tuples;
pub(crate) mod scalar;
mod shares;
