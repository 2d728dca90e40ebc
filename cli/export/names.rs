//! Names of folders and identifiers that other tools accept.

use disk::digest::hash_sha256;

/// The maximum length of a name that is kept unchanged, in bytes.
const LONGEST: usize = 120;

/// Converts a text to a name for a folder or file: ASCII letters, digits, `-`, `_`, and `.`, and not hidden. Any other text is changed and gets digits of its
/// digest, so different texts have different names.
pub(super) fn to_portable_name(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let fits = !text.is_empty() && text.len() <= LONGEST && text.chars().all(plain);
    if fits && !text.starts_with(['.', '-']) && !text.ends_with('.') && !text.contains("..") {
        return text.to_owned();
    }
    let digest = hash_sha256(text.as_bytes());
    let kept: String =
        text.chars().take(LONGEST / 2).map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
    format!("{}-{}", kept.trim_start_matches('-'), digest.get(..8).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::to_portable_name;

    #[test]
    fn plain_names_stay_and_others_differ() {
        assert_eq!(to_portable_name("q301_csv-1.5-12"), "q301_csv-1.5-12");
        let names =
            ["a/b", "a_b", "../a", "", ".a", "a b", "é", "ä", "a..b", "a.", &"x".repeat(500)].map(to_portable_name);
        for (at, name) in names.iter().enumerate() {
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)), "{name}");
            assert!(!name.is_empty() && !name.contains("..") && !name.starts_with('.') && name.len() <= 120, "{name}");
            assert!(!names[..at].contains(name), "{name}");
        }
    }
}
