//! Bounds on the number of rows, lines, or elements.

/// Bounds on a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The minimum.
    pub least: u64,
    /// The maximum; `u64::MAX` if it is not known.
    pub most: u64,
}

impl Bounds {
    /// The bounds of an unknown count.
    pub const ANY: Bounds = Bounds { least: 0, most: u64::MAX };

    /// The bounds of a known count.
    pub fn from_count(count: u64) -> Bounds {
        Bounds { least: count, most: count }
    }

    /// The maximum, if it is known.
    pub fn known_max(self) -> Option<u64> {
        (self.most < u64::MAX).then_some(self.most)
    }

    /// The bounds of a product: `of` for each of these.
    pub fn multiply_by(self, of: Bounds) -> Bounds {
        Bounds { least: self.least.saturating_mul(of.least), most: self.most.saturating_mul(of.most) }
    }

    /// The bounds of this count plus `more`.
    pub fn add_count(self, more: u64) -> Bounds {
        Bounds { least: self.least.saturating_add(more), most: self.most.saturating_add(more) }
    }
}
