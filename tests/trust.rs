//! The findings of the first reviews from outside, each as a test named after it: `a1` to `d10` are wrong verdicts and wrong keys,
//! `s1` to `s18` are reliability and security.

mod answers;
mod attacks;
mod bundles;
mod bytes;
mod commands;
mod compiler;
mod expectations;
mod fixtures;
mod fixtures_bounds;
mod fixtures_odd;
mod layouts;
mod private;
mod query_budget;
mod sandbox;
mod sources;
mod sql_bounds;
mod state;
mod statistics;
mod support;
mod tree;
mod unchanged_tree;
mod verdicts;
mod virtual_tables;
