//! The findings of the first reviews from outside, each as a test named after it: `a1` to `d10` are wrong verdicts and wrong keys,
//! `s1` to `s18` are reliability and security.

#[path = "trust/answers.rs"]
mod answers;
#[path = "trust/attacks.rs"]
mod attacks;
#[path = "trust/bundles.rs"]
mod bundles;
#[path = "trust/bytes.rs"]
mod bytes;
#[path = "trust/commands.rs"]
mod commands;
#[path = "trust/compiler.rs"]
mod compiler;
#[path = "trust/expectations.rs"]
mod expectations;
#[path = "trust/fixtures.rs"]
mod fixtures;
#[path = "trust/fixtures_bounds.rs"]
mod fixtures_bounds;
#[path = "trust/fixtures_odd.rs"]
mod fixtures_odd;
#[path = "trust/layouts.rs"]
mod layouts;
#[path = "trust/private.rs"]
mod private;
#[path = "trust/query_budget.rs"]
mod query_budget;
#[path = "trust/sandbox.rs"]
mod sandbox;
#[path = "trust/sources.rs"]
mod sources;
#[path = "trust/sql_bounds.rs"]
mod sql_bounds;
#[path = "trust/state.rs"]
mod state;
#[path = "trust/statistics.rs"]
mod statistics;
#[path = "trust/support.rs"]
mod support;
#[path = "trust/tree.rs"]
mod tree;
#[path = "trust/verdicts.rs"]
mod verdicts;
