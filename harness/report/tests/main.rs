//! The tests of this crate from outside, in one program: of one module, `cargo test -p picard-report --test it by::`.

mod browser;
mod by;
mod charts;
mod compare;
mod fixtures;
mod html;
mod paper;
mod properties;
mod traps;
