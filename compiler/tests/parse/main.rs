//! Tests of the parser: what it reads, what it says, where, and that nothing makes it panic.

#![allow(clippy::disallowed_methods)] // tests read fixtures and measure time; the compiler does not

mod cook;
mod golden;
mod limits;
mod never_panics;
mod one_statement_ends;
mod render;
mod spans;
mod tree;
