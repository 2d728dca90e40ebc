//! Any text is read without a panic; what can be read is formatted, holds what `compiler/tests/fmt/hold.rs` asks for, and stays.
//!
//! `cp suites/*.pcd compiler/tests/parse/ok/*.pcd tests/fuzz/corpus/format/` gives it something to begin with.

#![no_main]

#[path = "../../../compiler/tests/fmt/hold.rs"]
mod hold;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Err(why) = hold::hold(text) {
        panic!("{why}");
    }
});
