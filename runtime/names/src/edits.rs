//! Typing slips: the difference between two words that are one keystroke apart.

/// The keystroke that changes one word into another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// Two adjacent letters were swapped.
    Swapped,
    /// A letter is missing or extra.
    Dropped,
    /// A neighboring key was pressed.
    NextKey,
    /// Another key was pressed.
    OtherKey,
}

/// The rows of a keyboard. A key has neighbors in its own row, and in the rows above and below.
const ROWS: [&str; 4] = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// Returns the keystroke that changes one word into the other, if one is enough.
pub fn detect_slip(word: &str, other: &str) -> Option<Slip> {
    let (a, b): (Vec<char>, Vec<char>) = (word.chars().collect(), other.chars().collect());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let (rest, behind) = (short.get(same..)?, long.get(same..)?);
    match long.len() - short.len() {
        1 => (behind.get(1..)? == rest).then_some(Slip::Dropped),
        0 => {
            let ([x, rest @ ..], [y, behind @ ..]) = (rest, behind) else { return None };
            if rest == behind {
                return Some(if next_keys(*x, *y) { Slip::NextKey } else { Slip::OtherKey });
            }
            let ([x2, rest @ ..], [y2, behind @ ..]) = (rest, behind) else { return None };
            (x == y2 && x2 == y && rest == behind).then_some(Slip::Swapped)
        }
        _ => None,
    }
}

/// Checks whether two keys are adjacent.
fn next_keys(a: char, b: char) -> bool {
    let place = |key: char| {
        ROWS.iter().enumerate().find_map(|(row, keys)| keys.chars().position(|k| k == key).map(|at| (row, at)))
    };
    let (Some((row, at)), Some((other_row, other_at))) = (place(a), place(b)) else { return false };
    // Each row is half a key to the right of the one above it: neighbors above have the same index or the next one, neighbors below the same or the
    // previous one.
    match (row as i64 - other_row as i64, at as i64 - other_at as i64) {
        (0, across) => across.abs() == 1,
        (1, across) => across == 0 || across == -1,
        (-1, across) => across == 0 || across == 1,
        _ => false,
    }
}

/// Returns the number of keystrokes between two words (insert, drop, replace, or swap of adjacent letters).
pub fn measure_distance(word: &str, other: &str) -> usize {
    strsim::damerau_levenshtein(word, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stroke() {
        for (word, other, expected) in [
            ("aeg", "age", Some(Slip::Swapped)),
            ("amout", "amount", Some(Slip::Dropped)),
            ("ammount", "amount", Some(Slip::Dropped)),
            ("amoumt", "amount", Some(Slip::NextKey)),
            ("amoqnt", "amount", Some(Slip::OtherKey)),
            ("age", "age", None),
            ("by", "at", None),
            ("", "a", Some(Slip::Dropped)),
            ("abcd", "badc", None),
        ] {
            assert_eq!(detect_slip(word, other), expected, "{word} {other}");
            assert_eq!(detect_slip(other, word), expected, "{other} {word}");
        }
    }

    #[test]
    fn keys_that_touch() {
        for (a, b) in [('a', 's'), ('s', 'e'), ('s', 'w'), ('g', 'b'), ('g', 'v'), ('q', '1'), ('q', '2')] {
            assert!(next_keys(a, b) && next_keys(b, a), "{a} {b}");
        }
        for (a, b) in [('a', 'd'), ('q', 'z'), ('p', 'q'), ('é', 'e')] {
            assert!(!next_keys(a, b) && !next_keys(b, a), "{a} {b}");
        }
    }
}
