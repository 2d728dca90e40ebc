//! The pause before a retry.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

/// The maximum pause, even if a server asks for a longer one.
pub const LONGEST: Duration = Duration::from_secs(60);

/// Returns the pause after the `failures`-th failure (from 1): a random time between half and all of `base` doubled after each failure, at most a minute.
/// Agents that fail together then do not retry together. The pause that the server asks for, `asked`, is a lower bound, up to a minute.
pub fn compute_pause(base: Duration, failures: u32, asked: Option<Duration>) -> Duration {
    let whole = base.saturating_mul(1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX)).min(LONGEST);
    let part = f64::from(u16::try_from(RandomState::new().hash_one(failures) & 0xffff).unwrap_or(0)) / 65536.0;
    let own = whole.mul_f64(0.5 + part / 2.0);
    own.max(asked.unwrap_or_default().min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_within_bounds() {
        let base = Duration::from_secs(1);
        for (failures, whole) in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (40, 60), (u32::MAX, 60)] {
            let pause = compute_pause(base, failures, None);
            let whole = Duration::from_secs(whole);
            assert!(pause >= whole / 2 && pause <= whole, "{failures}: {pause:?}");
        }
        assert!(compute_pause(base, 1, Some(Duration::from_secs(7))) == Duration::from_secs(7));
        for asked in [61, 600, 70_000, 99_999_999_999, u64::MAX] {
            assert_eq!(compute_pause(base, 1, Some(Duration::from_secs(asked))), LONGEST);
        }
    }
}
