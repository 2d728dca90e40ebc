//! Whether the `require`s of a task hold often enough: a build draws a sample again up to 1,000 times. The observer of the host draws samples, with its attempts at
//! each; here is decided what they show.

use model::observe::Attempts;

/// The share of attempts that must hold: with it, 1,000 of them fail together once in 10⁸ samples.
pub(super) const LEAST_SHARE: f64 = 0.02;
/// The chance that is accepted of seeing as many held attempts with a smaller share.
const MAX_CHANCE: f64 = 1e-4;

/// Whether drawn samples show that the `require`s of a task surely hold in one of the attempts at each sample.
pub(super) fn is_often_enough(drawn: &Attempts) -> bool {
    let is_shown = || drawn.is_static || compute_tail(drawn.samples, drawn.attempts, LEAST_SHARE) <= MAX_CHANCE;
    drawn.samples > 0 && drawn.is_alike && is_shown()
}

/// The chance of at least `held` of `all` attempts if each holds with this chance: the upper tail of the binomial distribution.
fn compute_tail(held: u32, all: u32, chance: f64) -> f64 {
    let (held, all) = (f64::from(held), f64::from(all));
    // The chance of exactly 0, 1, 2, …
    let mut exactly = libm::pow(1.0 - chance, all);
    let (mut count, mut below) = (0.0, 0.0);
    while count < held {
        below += exactly;
        exactly *= (all - count) / (count + 1.0) * chance / (1.0 - chance);
        count += 1.0;
    }
    1.0 - below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_scipy() {
        // scipy.stats.binom.sf(held - 1, all, 0.02)
        for (held, all, chance) in
            [(4, 4, 1.6e-7), (4, 9, 1.860_004_6e-5), (4, 12, 6.963_392_2e-5), (1, 1, 0.02), (2, 100, 0.596_728_4)]
        {
            let own = compute_tail(held, all, 0.02);
            assert!((own - chance).abs() < 1e-6 * chance.max(1e-3), "{held} of {all}: {own} instead of {chance}");
        }
    }

    #[test]
    fn few_attempts_at_few_samples_are_enough() {
        let drawn = |samples, attempts, is_static| Attempts {
            task: "t".to_owned(),
            samples,
            attempts,
            is_alike: true,
            is_static,
        };
        let seen = |samples, attempts, is_static| is_often_enough(&drawn(samples, attempts, is_static));
        assert!(seen(4, 4, false) && seen(4, 12, false) && seen(1, 1, true));
        assert!(!seen(4, 40, false) && !seen(1, 1, false) && !seen(0, 0, true));
        assert!(!is_often_enough(&Attempts { is_alike: false, ..drawn(4, 4, false) }));
    }
}
