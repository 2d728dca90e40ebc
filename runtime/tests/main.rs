//! The tests of this crate from outside, in one program: of one module, `cargo test -p picard-runtime --test it generate::`.

mod generate;
mod generate_dirt;
mod generate_functions;
mod generate_speed;
mod generate_support;
mod generate_trees;
mod lakes;
