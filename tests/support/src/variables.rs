//! Variables of the environment that choose which tests run, and how large they are.

/// Checks whether a variable of the environment is 1.
pub fn is_switched_on(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| value == "1")
}

/// Checks whether tests take all of their sizes and assert the times promised of a release on an idle machine: with `PICARDC_THOROUGH=1`.
pub fn is_thorough() -> bool {
    is_switched_on("PICARDC_THOROUGH")
}

/// Whether tests run that install more than about 200 MB or take more than a minute. Prints a line if not.
pub fn has_integrations(what: &str) -> bool {
    let wanted = is_switched_on("PICARDC_INTEGRATIONS");
    if !wanted {
        eprintln!("skipped: {what}: PICARDC_INTEGRATIONS is not 1");
    }
    wanted
}
