//! Contiguous parts of a bundle, which different machines can build.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Part `index` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Number of this part, from 1.
    pub index: u32,
    /// Total number of parts; at least `index`.
    pub of: u32,
}

impl Shard {
    /// Returns the range of this part among `count` instances. The ranges of all shards are disjoint and in order, and their sizes differ by at most 1.
    ///
    /// ```
    /// use runtime::bundle::Shard;
    ///
    /// let range = |index, of| Shard { index, of }.compute_range(10);
    /// // Every instance is in one shard, in order.
    /// assert_eq!([range(1, 3), range(2, 3), range(3, 3)].map(|range| range.count()).iter().sum::<usize>(), 10);
    /// assert_eq!((range(1, 3).start, range(3, 3).end), (0, 10));
    /// ```
    pub fn compute_range(self, count: u64) -> Range<u64> {
        let cut = |part: u32| (u128::from(count) * u128::from(part) / u128::from(self.of.max(1))) as u64;
        cut(self.index.saturating_sub(1))..cut(self.index)
    }
}

/// The error for a text other than `I/N` with 1 ≤ I ≤ N.
const BAD_SHARD: &str = "write it as I/N, where I counts from 1 to N: `1/4`";

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let (index, of) = text.split_once('/').ok_or(BAD_SHARD)?;
        let number = |part: &str| part.parse::<u32>().ok().filter(|number| *number > 0).ok_or(BAD_SHARD);
        let shard = Shard { index: number(index)?, of: number(of)? };
        if shard.index <= shard.of { Ok(shard) } else { Err(BAD_SHARD) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once() {
        for count in [0, 1, 7, 100, u64::MAX] {
            let mut end = 0;
            for index in 1..=7 {
                let part = Shard { index, of: 7 }.compute_range(count);
                assert_eq!(part.start, end);
                end = part.end;
            }
            assert_eq!(end, count);
        }
    }

    #[test]
    fn reads_what_it_writes() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, of: 3 }));
        for bad in ["", "2", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert_eq!(bad.parse::<Shard>(), Err(BAD_SHARD), "{bad}");
        }
    }
}
