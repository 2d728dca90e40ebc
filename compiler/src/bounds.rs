//! How many of something there are: rows, lines, elements.

/// How many of something there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this many.
    pub least: u64,
    /// At most this many; `u64::MAX` if the maximum is not known.
    pub most: u64,
}

impl Bounds {
    /// Nothing is known.
    pub const ANY: Bounds = Bounds { least: 0, most: u64::MAX };

    /// Exactly this many.
    pub fn from_count(count: u64) -> Bounds {
        Bounds { least: count, most: count }
    }

    /// The most, where that is known.
    pub fn known_max(self) -> Option<u64> {
        (self.most < u64::MAX).then_some(self.most)
    }

    /// `of` for each of these: the product.
    pub fn multiply_by(self, of: Bounds) -> Bounds {
        Bounds { least: self.least.saturating_mul(of.least), most: self.most.saturating_mul(of.most) }
    }

    /// These and `more` others.
    pub fn add_count(self, more: u64) -> Bounds {
        Bounds { least: self.least.saturating_add(more), most: self.most.saturating_add(more) }
    }
}
