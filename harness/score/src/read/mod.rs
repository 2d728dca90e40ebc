//! From the text of a response to what it says: cleaned, cut to the part that counts, and parsed.

pub mod clean;
pub mod json;
pub mod limit;
pub mod number;
pub mod slice;
pub mod sql;
pub mod table;
pub mod yaml;
