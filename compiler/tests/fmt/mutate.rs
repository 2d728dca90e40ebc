//! Sources with random changes: what can still be read holds, and nothing panics. The body is that of the fuzz target.

use proptest::prelude::*;

use crate::fmt::corpus::sources;
use crate::fmt::generate::{cases, seed};
use crate::fmt::hold::hold;
use fragments::{FRAGMENTS, STRANGE};

#[path = "../../../tests/mutants/src/mutate/fragments.rs"]
mod fragments;

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_sources_hold(which in any::<prop::sample::Index>(), cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..6, prop::sample::select([FRAGMENTS, STRANGE].concat())), 1..6)) {
        let corpus = [sources("suites"), sources("compiler/tests/parse/ok"), sources("compiler/tests/fmt/layout")].concat();
        let (_, mut source) = which.get(&corpus).clone();
        for (at, length, part) in cuts {
            let boundary = |mut at: usize| { while !source.is_char_boundary(at) { at -= 1; } at };
            let start = boundary(at.index(source.len() + 1));
            let end = boundary((start + length).min(source.len())).max(start);
            source.replace_range(start..end, part);
        }
        if let Err(why) = hold(&source) {
            return Err(TestCaseError::fail(why));
        }
    }
}
