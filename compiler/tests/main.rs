//! The tests of this crate from outside, in one program: of one module, `cargo test -p picard-compiler --test it fixes::`.

#![allow(clippy::disallowed_methods)] // tests read fixtures, the environment, and clocks; the compiler does not

mod fixes;
mod fmt;
mod lakes;
mod parse;
mod reads;
mod sql;
mod styles;
mod words;
