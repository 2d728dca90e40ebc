//! How a text differs from an older one, as one edit: places of the older text in the newer one, and back.

/// What is the same at both ends of two texts, and where what differs lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    /// Where they begin to differ, in bytes: the same in both.
    start: usize,
    /// Where the older text is the same again.
    old_end: usize,
    /// Where the newer one is.
    new_end: usize,
}

impl Drift {
    /// Compares two texts.
    pub fn between(old: &str, new: &str) -> Drift {
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
        Drift { start, old_end: old.len() - tail, new_end: new.len() - tail }
    }

    /// The place in the older text of a place in the newer one; `None` inside of what is new.
    pub fn back(self, new: usize) -> Option<usize> {
        if new <= self.start { Some(new) } else { Some(new.checked_sub(self.new_end)? + self.old_end) }
    }

    /// The place in the newer text of a place in the older one; `None` inside of what is gone.
    pub fn forth(self, old: usize) -> Option<usize> {
        Drift { start: self.start, old_end: self.new_end, new_end: self.old_end }.back(old)
    }

    /// The place in the older text of a place in the newer one: inside of what is new, where the older one goes on.
    pub fn near(self, new: usize) -> usize {
        self.back(new).unwrap_or(self.old_end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_edit() {
        let drift = Drift::between("one two three", "one 2 three");
        assert_eq!(drift, Drift { start: 4, old_end: 7, new_end: 5 });
        assert_eq!([0, 4, 5, 11].map(|new| drift.back(new)), [Some(0), Some(4), Some(7), Some(13)]);
        assert_eq!([4, 6, 7, 13].map(|old| drift.forth(old)), [Some(4), None, Some(5), Some(11)]);
        // Typed between two letters that are the same.
        let typed = Drift::between("aa", "aaa");
        assert_eq!((typed.back(3), typed.near(3)), (Some(2), 2));
        let long = Drift::between("a b", "a xyz b");
        assert_eq!((long.back(4), long.near(4)), (None, 2));
    }

    proptest! {
        #[test]
        fn places_stay_between_characters(old in "[ab😀é\n]{0,9}", new in "[ab😀é\n]{0,9}") {
            let drift = Drift::between(&old, &new);
            for (at, _) in new.char_indices().chain([(new.len(), ' ')]) {
                prop_assert!(old.is_char_boundary(drift.near(at)));
                if let Some(back) = drift.back(at) {
                    prop_assert!(old.is_char_boundary(back));
                    prop_assert!(old[..back] == new[..at] || old[back..] == new[at..]);
                }
            }
        }
    }
}
