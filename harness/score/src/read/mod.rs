//! From the text of a response to its values: cleaned, cut to the relevant part, and parsed.

mod between;
pub mod clean;
pub mod day;
pub mod document;
pub mod json;
pub mod limit;
pub mod lines;
pub mod number;
pub mod slice;
pub mod sql;
pub mod table;
mod unreadable;
pub mod yaml;

pub use unreadable::Unreadable;
