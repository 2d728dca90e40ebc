//! How a text differs from an older one, as one edit: places of the older text in the newer one, and back.

/// What is the same at both ends of two texts, and where what differs lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextDiff {
    /// Where they begin to differ, in bytes: the same in both.
    start: usize,
    /// Where the older text is the same again.
    old_end: usize,
    /// Where the newer one is.
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

    /// The place in the older text of a place in the newer one; `None` inside of what is new.
    pub fn map_to_old(self, new: usize) -> Option<usize> {
        if new <= self.start { Some(new) } else { Some(new.checked_sub(self.new_end)? + self.old_end) }
    }

    /// The place in the newer text of a place in the older one; `None` inside of what is gone.
    pub fn map_to_new(self, old: usize) -> Option<usize> {
        TextDiff { start: self.start, old_end: self.new_end, new_end: self.old_end }.map_to_old(old)
    }

    /// The place in the older text of a place in the newer one: inside of what is new, where the older one goes on.
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
