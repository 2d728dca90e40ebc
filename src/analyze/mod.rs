//! `picardc analyze`: what samples tell about tasks.

pub mod answers;
pub mod measure;
pub mod statistics;
