//! The number of the scorer that a bundle was made with: it says by which rules its responses are scored, now and later.

/// A published version of the rules that score responses. What one of them says of a response never changes; new rules get a new number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scorer {
    /// The first rules.
    One,
    /// Fractions have a tolerance, texts are compared in NFC, every matcher but `contains` opens a fenced reply.
    Two,
    /// A text of which `ignore` leaves nothing is compared as it is, files are read in their encoding, an unchanged database is one with the same rows and
    /// schema, and a reply with far more values than are expected is not read.
    Three,
}

impl Scorer {
    /// All there are, the oldest first.
    pub const ALL: [Scorer; 3] = [Scorer::One, Scorer::Two, Scorer::Three];

    /// The one that bundles are made with now.
    pub const CURRENT: Scorer = Scorer::Three;

    /// Its number, as bundles record it.
    pub const fn number(self) -> u32 {
        match self {
            Scorer::One => 1,
            Scorer::Two => 2,
            Scorer::Three => 3,
        }
    }

    /// The scorer of this number; `None` where this version does not know it.
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
