//! `--task q3*`: which names match.

/// Whether `name` matches `pattern`: `*` any characters, `?` one, all others themselves.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // The position of the last `*`, and of the first character that it has not matched so far.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, swallowed)) => {
                    star = Some((at, swallowed + 1));
                    p = at + 1;
                    n = swallowed + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, name) in
            [("q3*", "q301"), ("*", ""), ("q?0*_x", "q301_a_x"), ("a*b*c", "axxbyyc"), ("abc", "abc")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("q3*", "q401"), ("?", ""), ("a*b", "abc"), ("abc", "ab")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
