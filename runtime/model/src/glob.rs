//! Globs: patterns for names and for paths of files.

/// Checks whether `name` matches `pattern`: `*` matches any characters, `?` one, and other characters themselves.
///
/// ```
/// use model::glob::is_match;
///
/// assert!(is_match("q3_*", "q3_sales") && is_match("*", "") && is_match("q?", "q3"));
/// // A name is matched as a whole, and letter case counts.
/// assert!(!is_match("q3", "q3_sales") && !is_match("Q3_*", "q3_sales") && !is_match("q?", "q"));
/// ```
pub fn is_match(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    is_sequence_match(&pattern, &name, |c| *c == '*', |p, n| *p == '?' || p == n)
}

/// Checks whether the path of a file matches, part by part as in [`is_match`]; the part `**` matches any number of folders, including none.
///
/// ```
/// use model::glob::is_path_match;
///
/// assert!(is_path_match("data/*.csv", "data/a.csv"));
/// // One star stays within a folder; two reach any depth, also none.
/// assert!(!is_path_match("data/*.csv", "data/2024/a.csv"));
/// assert!(is_path_match("data/**/*.csv", "data/2024/05/a.csv") && is_path_match("data/**/*.csv", "data/a.csv"));
/// ```
pub fn is_path_match(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), path.split('/').collect());
    is_sequence_match(&pattern, &path, |part| *part == "**", |p, n| is_match(p, n))
}

/// Checks whether the items match the pattern, in which a star matches any number of items.
fn is_sequence_match<P, N>(
    pattern: &[P],
    items: &[N],
    is_star: impl Fn(&P) -> bool,
    fits: impl Fn(&P, &N) -> bool,
) -> bool {
    let (mut p, mut n) = (0, 0);
    // The position of the last star, and the index of the first item that it does not match yet.
    let mut star: Option<(usize, usize)> = None;
    while let Some(item) = items.get(n) {
        match pattern.get(p) {
            Some(part) if is_star(part) => {
                star = Some((p, n));
                p += 1;
            }
            Some(part) if fits(part, item) => {
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
    pattern.get(p..).unwrap_or_default().iter().all(is_star)
}

#[cfg(test)]
mod tests {
    use super::{is_match, is_path_match};

    #[test]
    fn stars_and_question_marks() {
        for (pattern, name) in
            [("q3*", "q301"), ("*", ""), ("q?0*_x", "q301_a_x"), ("a*b*c", "axxbyyc"), ("abc", "abc")]
        {
            assert!(is_match(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("q3*", "q401"), ("?", ""), ("a*b", "abc"), ("abc", "ab")] {
            assert!(!is_match(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn paths_match_part_for_part() {
        for (pattern, path) in [
            ("a.csv", "a.csv"),
            ("m/*.csv", "m/a.csv"),
            ("**/*.csv", "a.csv"),
            ("**/*.csv", "x/y/a.csv"),
            ("x/**/a.csv", "x/a.csv"),
            ("x/**/y/**/a?", "x/1/2/y/a1"),
            ("x/**", "x/y/z"),
        ] {
            assert!(is_path_match(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("*.csv", "m/a.csv"),
            ("m/*", "m/n/a"),
            ("A.csv", "a.csv"),
            ("x/**/a.csv", "y/a.csv"),
            ("m/?.csv", "m/.csv"),
            ("**/b", "x/a"),
        ] {
            assert!(!is_path_match(pattern, path), "{pattern} {path}");
        }
    }
}
