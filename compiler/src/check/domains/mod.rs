//! Domains: the values that can be drawn, with their probabilities.

mod categorical;
pub(in crate::check) mod domain;
pub(in crate::check) mod ranges;
pub(in crate::check) mod ref_tuples;
pub(in crate::check) mod scalar;
mod shares;
