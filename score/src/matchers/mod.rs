//! The matchers: each holds a text, already cleaned and cut, against one accepted answer.

pub mod json;
pub mod list;
pub mod pattern;
pub mod rows;
pub mod scalar;
