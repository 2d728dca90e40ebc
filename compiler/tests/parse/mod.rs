//! Tests of the parser: what it reads, what it says, where, and that nothing makes it panic.

mod cook;
mod golden;
mod limits;
mod never_panics;
mod one_statement_ends;
mod render;
mod spans;
mod tree;
