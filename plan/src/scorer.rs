//! The number of the scorer that a bundle was made with: it says by which rules its responses are scored, now and later.

/// A published version of the rules that score responses. What one of them says of a response never changes; new rules get a new number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scorer {
    /// The first rules.
    One,
    /// Fractions have a tolerance, texts are compared in NFC, every matcher but `contains` opens a fenced reply.
    Two,
}

impl Scorer {
    /// All there are, the oldest first.
    pub const ALL: [Scorer; 2] = [Scorer::One, Scorer::Two];

    /// The one that bundles are made with now.
    pub const CURRENT: Scorer = Scorer::Two;

    /// Its number, as bundles record it.
    pub const fn number(self) -> u32 {
        match self {
            Scorer::One => 1,
            Scorer::Two => 2,
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
        assert_eq!((Scorer::from_number(0), Scorer::from_number(3)), (None, None));
        assert_eq!(Scorer::ALL.last(), Some(&Scorer::CURRENT));
    }
}
