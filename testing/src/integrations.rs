//! Tests that are too large for every run.

/// Whether tests run that install more than about 200 MB or take more than a minute; says so if not.
pub fn integrations_or_skip(what: &str) -> bool {
    let wanted = std::env::var_os("PICARDC_INTEGRATIONS").is_some_and(|value| value == "1");
    if !wanted {
        eprintln!("skipped: {what}: PICARDC_INTEGRATIONS is not 1");
    }
    wanted
}
