//! The difference between an older and a newer text as one edit, for mapping offsets between them in both directions.

/// The common prefix and suffix of two texts, as the bounds of the differing part. Offsets are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextDiff {
    /// The start of the differing part, equal in both texts.
    start: usize,
    /// The end of the differing part in the older text.
    old_end: usize,
    /// The end of the differing part in the newer text.
    new_end: usize,
}

impl TextDiff {
    /// Compares two texts.
    pub fn from_texts(old: &str, new: &str) -> TextDiff {
        let least = old.len().min(new.len());
        let (a, b) = (old.as_bytes(), new.as_bytes());
        let mut start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        while !(old.is_char_boundary(start) && new.is_char_boundary(start)) {
            start -= 1;
        }
        let mut tail = a.iter().rev().zip(b.iter().rev()).take(least - start).take_while(|(a, b)| a == b).count();
        while !(old.is_char_boundary(old.len() - tail) && new.is_char_boundary(new.len() - tail)) {
            tail -= 1;
        }
        TextDiff { start, old_end: old.len() - tail, new_end: new.len() - tail }
    }

    /// Maps an offset in the newer text to the older one; `None` inside the inserted part.
    pub fn map_to_old(self, new: usize) -> Option<usize> {
        if new <= self.start { Some(new) } else { Some(new.checked_sub(self.new_end)? + self.old_end) }
    }

    /// Maps an offset in the older text to the newer one; `None` inside the removed part.
    pub fn map_to_new(self, old: usize) -> Option<usize> {
        TextDiff { start: self.start, old_end: self.new_end, new_end: self.old_end }.map_to_old(old)
    }

    /// Maps an offset in the newer text to the older one. An offset inside the inserted part maps to the end of the removed part.
    pub fn map_to_nearest_old(self, new: usize) -> usize {
        self.map_to_old(new).unwrap_or(self.old_end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_edit() {
        let drift = TextDiff::from_texts("one two three", "one 2 three");
        assert_eq!(drift, TextDiff { start: 4, old_end: 7, new_end: 5 });
        assert_eq!([0, 4, 5, 11].map(|new| drift.map_to_old(new)), [Some(0), Some(4), Some(7), Some(13)]);
        assert_eq!([4, 6, 7, 13].map(|old| drift.map_to_new(old)), [Some(4), None, Some(5), Some(11)]);
        // Typed between two letters that are the same.
        let typed = TextDiff::from_texts("aa", "aaa");
        assert_eq!((typed.map_to_old(3), typed.map_to_nearest_old(3)), (Some(2), 2));
        let long = TextDiff::from_texts("a b", "a xyz b");
        assert_eq!((long.map_to_old(4), long.map_to_nearest_old(4)), (None, 2));
    }

    proptest! {
        #[test]
        fn places_stay_between_characters(old in "[ab😀é\n]{0,9}", new in "[ab😀é\n]{0,9}") {
            let drift = TextDiff::from_texts(&old, &new);
            for (at, _) in new.char_indices().chain([(new.len(), ' ')]) {
                prop_assert!(old.is_char_boundary(drift.map_to_nearest_old(at)));
                if let Some(back) = drift.map_to_old(at) {
                    prop_assert!(old.is_char_boundary(back));
                    prop_assert!(old[..back] == new[..at] || old[back..] == new[at..]);
                }
            }
        }
    }
}
