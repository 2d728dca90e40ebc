//! How the time of a piece of work grows with its size.

use std::time::{Duration, Instant};

/// How many times as long four times as much work may take. Linear work takes 4 times as long, and quadratic work 16 times.
const MAX_GROWTH: u32 = 8;

/// How often the times are measured: a busy machine disturbs one measurement, but not several.
const TRIES: usize = 4;

/// Fails if the time of `work` grows faster than its size: measured with `size`, and with four times as much. The shortest times are compared.
#[track_caller]
pub fn assert_linear(what: &str, size: usize, mut work: impl FnMut(usize)) {
    let mut measure = |size: usize| {
        let begun = Instant::now();
        work(size);
        begun.elapsed()
    };
    let (mut small, mut large) = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        small = small.min(measure(size));
        large = large.min(measure(4 * size));
        println!("{what}: {size} in {small:?}, {} in {large:?}", 4 * size);
        if large <= small * MAX_GROWTH {
            return;
        }
    }
    panic!("{what}: {size} take {small:?}, and four times as many {large:?}, more than {MAX_GROWTH} times as long");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_steps(steps: usize) {
        let mut sum = 0;
        for step in 0..steps {
            sum = std::hint::black_box(sum + step);
        }
    }

    #[test]
    fn linear_work_passes() {
        assert_linear("steps", 1_000_000, count_steps);
    }

    #[test]
    #[should_panic(expected = "four times as many")]
    fn quadratic_work_fails() {
        assert_linear("pairs", 1_000, |size| count_steps(size * size));
    }
}
