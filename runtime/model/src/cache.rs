//! A cache of computed values for the lifetime of the process, keyed by a digest of their inputs.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Approximate number of bytes of an entry whose value has none.
const ENTRY: usize = 512;

/// A digest of all inputs of a value.
pub type Key = [u8; 32];

struct Known<V> {
    value: V,
    /// Approximate size of the value in bytes.
    bytes: usize,
    /// Time of the last use.
    used: u64,
}

struct Shelf<V> {
    known: BTreeMap<Key, Known<V>>,
    /// The keys by the time of their last use.
    order: BTreeMap<u64, Key>,
    /// The clock, which counts uses.
    now: u64,
    /// Total size of all values in bytes.
    bytes: usize,
}

/// Values by digest, up to a maximum size.
///
/// ```
/// use model::cache::Cache;
///
/// let cache = Cache::new(3_000);
/// let key = |number: u8| [number; 32];
/// for number in 0..2 {
///     cache.insert_value(key(number), 900, number);
/// }
/// // The first is used again, so the second makes room for the third.
/// assert_eq!(cache.find_value(&key(0)), Some(0));
/// cache.insert_value(key(2), 900, 2);
/// assert_eq!([0, 1, 2].map(|number| cache.find_value(&key(number))), [Some(0), None, Some(2)]);
/// ```
pub struct Cache<V> {
    most: usize,
    shelf: Mutex<Shelf<V>>,
}

impl<V: Clone> Cache<V> {
    /// Creates an empty cache for at most about this number of bytes. The latest value is always kept.
    pub const fn new(most: usize) -> Cache<V> {
        let shelf = Shelf { known: BTreeMap::new(), order: BTreeMap::new(), now: 0, bytes: 0 };
        Cache { most, shelf: Mutex::new(shelf) }
    }

    /// Returns the value of a key.
    pub fn find_value(&self, key: &Key) -> Option<V> {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let Shelf { known, order, now, .. } = &mut *shelf;
        let found = known.get_mut(key)?;
        *now += 1;
        order.remove(&found.used);
        order.insert(*now, *key);
        found.used = *now;
        Some(found.value.clone())
    }

    /// Adds a value of about this number of bytes, and removes the least recently used ones.
    pub fn insert_value(&self, key: Key, bytes: usize, value: V) {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let Shelf { known, order, now, bytes: sum } = &mut *shelf;
        let bytes = bytes.saturating_add(ENTRY);
        *now += 1;
        *sum = sum.saturating_add(bytes);
        order.insert(*now, key);
        // Another thread may have added it in the meantime.
        if let Some(earlier) = known.insert(key, Known { value, bytes, used: *now }) {
            order.remove(&earlier.used);
            *sum = sum.saturating_sub(earlier.bytes);
        }
        while *sum > self.most
            && known.len() > 1
            && let Some((_, oldest)) = order.pop_first()
        {
            *sum = sum.saturating_sub(known.remove(&oldest).map_or(0, |gone| gone.bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_BYTES: usize = 1 << 20;

    #[test]
    fn what_was_not_used_for_the_longest_time_goes_first() {
        let kept: Cache<u32> = Cache::new(MAX_BYTES);
        let third = MAX_BYTES / 3 - ENTRY;
        let name = |number: u8| [number; 32];
        for number in 0..3 {
            kept.insert_value(name(number), third, u32::from(number));
        }
        assert_eq!(kept.find_value(&name(0)), Some(0));
        kept.insert_value(name(3), third, 3);
        assert_eq!([0, 1, 2, 3].map(|number| kept.find_value(&name(number))), [Some(0), None, Some(2), Some(3)]);
        // The same once more takes no more room.
        for _ in 0..9 {
            kept.insert_value(name(3), third, 4);
        }
        assert_eq!([0, 2, 3].map(|number| kept.find_value(&name(number))), [Some(0), Some(2), Some(4)]);
        // What is larger than all may be is kept alone.
        kept.insert_value(name(9), MAX_BYTES + 1, 9);
        assert_eq!([0, 2, 3, 9].map(|number| kept.find_value(&name(number))), [None, None, None, Some(9)]);
        let shelf = kept.shelf.lock().expect("nobody panicked");
        assert_eq!((shelf.known.len(), shelf.order.len(), shelf.bytes), (1, 1, MAX_BYTES + 1 + ENTRY));
    }
}
