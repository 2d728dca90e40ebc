//! What is worked out once a process: values under a digest of what they depend on.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// About how many bytes it takes to keep something that has none.
const ENTRY: usize = 512;

/// A digest of all that a value depends on.
pub type Key = [u8; 32];

struct Known<V> {
    value: V,
    /// About how many it has.
    bytes: usize,
    /// When it was used last.
    used: u64,
}

struct Shelf<V> {
    known: BTreeMap<Key, Known<V>>,
    /// The keys by the time at which they were used last.
    order: BTreeMap<u64, Key>,
    /// Counts uses.
    now: u64,
    /// Of all that is known.
    bytes: usize,
}

/// Values by digest, for as long as there is room.
pub struct Cache<V> {
    most: usize,
    shelf: Mutex<Shelf<V>>,
}

impl<V: Clone> Cache<V> {
    /// Nothing so far. At most about this number of bytes is kept; what was kept last always is.
    pub const fn new(most: usize) -> Cache<V> {
        let shelf = Shelf { known: BTreeMap::new(), order: BTreeMap::new(), now: 0, bytes: 0 };
        Cache { most, shelf: Mutex::new(shelf) }
    }

    /// What is kept under a key.
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

    /// Keeps a value of about this number of bytes, and lets go what was not used for the longest time.
    pub fn insert_value(&self, key: Key, bytes: usize, value: V) {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let Shelf { known, order, now, bytes: sum } = &mut *shelf;
        let bytes = bytes.saturating_add(ENTRY);
        *now += 1;
        *sum = sum.saturating_add(bytes);
        order.insert(*now, key);
        // Somebody else may have made it meanwhile.
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
