//! Domains: what can be drawn.

pub(in crate::check) mod domain;
pub(in crate::check) mod ranges;
pub(in crate::check) mod ref_tuples;
pub(in crate::check) mod scalar;
mod shares;
