//! The version of the scorer that a bundle was made with, which determines the rules for its responses, now and later.

/// A published version of the scoring rules, with its number in bundles. Its result for a response never changes; new rules get a new number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scorer {
    /// The first rules.
    One = 1,
    /// Fractions have a tolerance, texts are compared in NFC, and every matcher except `contains` opens a fenced reply.
    Two = 2,
    /// A text that `ignore` would leave empty is compared unchanged, files are decoded with their encoding, an unchanged database is one with the
    /// same rows and schema, and a reply with far more values than expected is not read.
    Three = 3,
}

impl Scorer {
    /// All versions, oldest first.
    pub const ALL: [Scorer; 3] = [Scorer::One, Scorer::Two, Scorer::Three];

    /// The version for new bundles.
    pub const CURRENT: Scorer = Scorer::Three;

    /// Returns its number in bundles.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Returns the scorer with this number; `None` if this version of picardc does not support it.
    ///
    /// ```
    /// use model::Scorer;
    ///
    /// assert_eq!(Scorer::from_number(1), Some(Scorer::One));
    /// assert!(Scorer::ALL.into_iter().all(|scorer| Scorer::from_number(scorer.number().into()) == Some(scorer)));
    /// // A bundle of a newer version is refused, not scored by other rules.
    /// assert_eq!(Scorer::from_number(99), None);
    /// ```
    pub fn from_number(number: u64) -> Option<Scorer> {
        Scorer::ALL.into_iter().find(|scorer| u64::from(scorer.number()) == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back_and_others_are_not_known() {
        for scorer in Scorer::ALL {
            assert_eq!(Scorer::from_number(u64::from(scorer.number())), Some(scorer));
        }
        assert_eq!((Scorer::from_number(0), Scorer::from_number(4)), (None, None));
        assert_eq!(Scorer::ALL.last(), Some(&Scorer::CURRENT));
    }
}
