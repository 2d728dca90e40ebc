//! Renders a report for a terminal, as Markdown, JSON, JUnit XML, and HTML.

pub mod axes;
pub mod by;
pub mod costs;
mod described;
pub mod html;
pub mod json;
pub mod junit;
mod left_state;
pub mod markdown;
mod run_columns;
pub mod section;
pub mod sentence;
pub mod stages;
pub mod tables;
pub mod terminal;
mod traps;
pub mod words;
