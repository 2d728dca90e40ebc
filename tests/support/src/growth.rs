//! How the time of a piece of work grows with its size.

use std::time::{Duration, Instant};

/// How many times as long four times as much work may take. Linear work takes 4 times as long, and quadratic work 16 times.
const MAX_GROWTH: u32 = 8;

/// How often the times are measured: a busy machine disturbs one measurement, but not several.
const TRIES: usize = 4;

/// Fails if the time of `work` grows faster than its size: measured with `size`, and with four times as much. The shortest times are compared.
/// The small work is measured before and after the large: a pause of the machine in the small would let quadratic work pass.
#[track_caller]
pub fn assert_linear(what: &str, size: usize, mut work: impl FnMut(usize)) {
    let mut measure = |size: usize| {
        let begun = Instant::now();
        work(size);
        begun.elapsed()
    };
    let (mut small, mut large) = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        small = small.min(measure(size)).min(measure(size));
        large = large.min(measure(4 * size));
        small = small.min(measure(size)).min(measure(size));
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

    /// Work of the same time for every step: each needs the product of the one before, in a register. A value in memory takes half as long, or twice, by
    /// how well the processor guesses what is read.
    fn count_steps(steps: usize) {
        let steps = std::hint::black_box(steps as u64);
        let product =
            (0..steps).fold(1_u64, |product, step| product.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step));
        std::hint::black_box(product);
    }

    #[test]
    fn linear_work_passes() {
        assert_linear("steps", 1_000_000, count_steps);
    }

    #[test]
    #[should_panic(expected = "four times as many")]
    fn quadratic_work_fails() {
        assert_linear("pairs", 3_000, |size| count_steps(size * size));
    }
}
