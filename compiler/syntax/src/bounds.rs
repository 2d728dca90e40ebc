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
    ///
    /// ```
    /// use syntax::bounds::Bounds;
    ///
    /// // 20 to 30 orders with 1 to 5 lines each.
    /// let (orders, lines) = (Bounds { least: 20, most: 30 }, Bounds { least: 1, most: 5 });
    /// assert_eq!(orders.multiply_by(lines), Bounds { least: 20, most: 150 });
    /// // Nothing times an unknown count is nothing.
    /// assert_eq!(Bounds::from_count(0).multiply_by(Bounds::ANY), Bounds::from_count(0));
    /// assert_eq!(orders.multiply_by(Bounds::ANY).known_max(), None);
    /// ```
    pub fn multiply_by(self, of: Bounds) -> Bounds {
        Bounds { least: self.least.saturating_mul(of.least), most: self.most.saturating_mul(of.most) }
    }

    /// The bounds of this count plus `more`.
    pub fn add_count(self, more: u64) -> Bounds {
        Bounds { least: self.least.saturating_add(more), most: self.most.saturating_add(more) }
    }
}
