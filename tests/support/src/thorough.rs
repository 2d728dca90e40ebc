/// Returns whether the environment has `PICARDC_THOROUGH=1`: tests then take all of their sizes, and assert the times promised of a release on an idle machine.
pub fn is_thorough() -> bool {
    std::env::var_os("PICARDC_THOROUGH").is_some_and(|value| value == "1")
}
