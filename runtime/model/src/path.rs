//! Paths in a sandbox: checks whether they are safe on every system, and which of them some systems treat as equal.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Maximum number of bytes of one part on common file systems.
pub const LONGEST_PART: usize = 255;

/// Maximum number of bytes of a whole path. The path of the enclosing folder is added to it, and macOS allows 1,024 in total.
pub const LONGEST: usize = 800;

/// The file that marks a folder as a sandbox of `picardc`.
pub const MARKER: &str = ".picardc-sandbox";

/// Describes why a path is unsafe, as a predicate after "it"; `None` if it can be created below any folder on any common system.
///
/// ```
/// use model::path::describe_problem;
///
/// assert_eq!(describe_problem("reports/2024/total.csv"), None);
/// assert_eq!(describe_problem("/etc/passwd").as_deref(), Some("is absolute"));
/// assert_eq!(describe_problem("../key.txt").as_deref(), Some("leaves the sandbox by `..`"));
/// // What one system cannot store is refused on all.
/// assert_eq!(describe_problem("logs/aux.txt").as_deref(), Some("has the part `aux.txt`, which is a device on Windows"));
/// assert!(describe_problem("10:30.log").is_some());
/// ```
pub fn describe_problem(path: &str) -> Option<String> {
    if path.is_empty() {
        return Some("is empty".to_owned());
    }
    if path.starts_with('/') {
        return Some("is absolute".to_owned());
    }
    if path.len() > LONGEST {
        return Some(format!("has more than {LONGEST} bytes"));
    }
    path.split('/').find_map(describe_part_problem)
}

/// Describes why one part of a path (between slashes) is unsafe.
fn describe_part_problem(part: &str) -> Option<String> {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    // Almost every part consists of such characters; among these, only device names are rejected.
    if !part.is_empty()
        && part.len() <= LONGEST_PART
        && part.bytes().all(harmless)
        && !part.starts_with('.')
        && !part.ends_with('.')
        && !is_device(part)
    {
        return None;
    }
    Some(if part.is_empty() {
        "has an empty part (`//`)".to_owned()
    } else if part == ".." {
        "leaves the sandbox by `..`".to_owned()
    } else if part == "." {
        "has a part `.`".to_owned()
    } else if let Some(bad) = part.chars().find(|c| c.is_control() || "<>:\"|?*\\".contains(*c)) {
        format!("has the character {bad:?}, which some systems reserve")
    } else if let Some(bad) = part.chars().find(|c| is_invisible(*c)) {
        format!("has the invisible character {bad:?}")
    } else if part.starts_with(' ') || part.ends_with(['.', ' ']) {
        format!("has the part `{part}`, which begins or ends with a space, or ends with a period")
    } else if part.len() > LONGEST_PART {
        format!("has a part of more than {LONGEST_PART} bytes")
    } else if is_device(part) {
        format!("has the part `{part}`, which is a device on Windows")
    } else if fold_path(part) == MARKER {
        format!("has the part `{part}`, by which picardc marks sandboxes")
    } else {
        return None;
    })
}

/// Checks for characters without width, and for those that change the direction of text.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end();
    // Almost no name is as short as a device's, and begins like one.
    let begins = |first: &u8| matches!(first.to_ascii_uppercase(), b'A' | b'C' | b'L' | b'N' | b'P');
    let is_short = (SHORTEST_DEVICE..=LONGEST_DEVICE).contains(&stem.len());
    if stem.is_ascii() && !(is_short && stem.as_bytes().first().is_some_and(begins)) {
        return false;
    }
    // Letters of other scripts may have an ASCII uppercase form.
    let upper = if stem.is_ascii() { Cow::Borrowed(stem) } else { Cow::Owned(stem.to_uppercase()) };
    let numbered = |prefix: &str| {
        upper.split_at_checked(prefix.len()).is_some_and(|(head, rest)| {
            head.eq_ignore_ascii_case(prefix)
                && (matches!(rest, "¹" | "²" | "³") || matches!(rest.as_bytes(), [b'0'..=b'9']))
        })
    };
    DEVICES.iter().any(|device| upper.eq_ignore_ascii_case(device)) || numbered("COM") || numbered("LPT")
}

/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Minimum number of letters of such a name.
const SHORTEST_DEVICE: usize = 3;
/// Maximum number of letters of the name of a device.
pub const LONGEST_DEVICE: usize = 7;

/// Checks whether every letter of a path is in Unicode's composed form (NFC).
pub fn is_composed(path: &str) -> bool {
    path.is_ascii() || unicode_normalization::is_nfc(path)
}

/// Folds a path as systems do that ignore case and the forms of letters: equal for `é` as one character and as two, for `ß` and `ss`, and for `ſ` and `s`.
///
/// ```
/// use model::path::fold_path;
///
/// assert_eq!(fold_path("Data/Total.CSV"), fold_path("data/total.csv"));
/// assert_eq!(fold_path("Straße"), fold_path("STRASSE"));
/// // One character, or a letter and an accent.
/// assert_eq!(fold_path("caf\u{e9}"), fold_path("cafe\u{301}"));
/// assert_ne!(fold_path("cafe"), fold_path("caf\u{e9}"));
/// ```
pub fn fold_path(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    let upper: String = path.nfd().flat_map(char::to_uppercase).collect();
    upper.to_lowercase().nfd().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_paths_are_told() {
        for path in [
            "",
            "/a",
            "../a",
            "a/../b",
            "a//b",
            "a/",
            "a/./b",
            "a:b",
            "a\\b",
            "a\nb",
            "con",
            "a/NUL.txt",
            "com1.log",
            "a.",
            "a ",
            " a",
            "x?",
            "COM¹",
            "lpt³.txt",
            "CONIN$",
            "conout$.x",
            "x\u{202e}y",
            "x\u{200b}",
            "\u{feff}a",
            ".picardc-sandbox",
            "a/.PICARDC-SANDBOX",
        ] {
            assert!(describe_problem(path).is_some(), "{path:?}");
        }
        assert!(describe_problem(&"x".repeat(256)).is_some());
        assert!(describe_problem(&"x".repeat(255)).is_none());
        assert!(describe_problem(&"x/".repeat(500)).is_some());
        for path in ["a", "a/b.c", ".hidden", "console.log", "com.txt", "ä b/c", "COM10", "com¹²"] {
            assert_eq!(describe_problem(path), None, "{path:?}");
        }
    }

    #[test]
    fn ascii_folds_as_the_rest_does() {
        for byte in 0..128u8 {
            let text = char::from(byte).to_string();
            let upper: String = text.nfd().flat_map(char::to_uppercase).collect();
            assert_eq!(fold_path(&text), upper.to_lowercase().nfd().collect::<String>(), "{text:?}");
        }
    }

    #[test]
    fn twins_fold_to_one() {
        for (a, b) in [("\u{e9}", "e\u{301}"), ("STRASSE", "straße"), ("ſ", "S"), ("Ä", "a\u{308}"), ("ﬁ", "FI")] {
            assert_eq!(fold_path(a), fold_path(b), "{a} {b}");
        }
        assert_ne!(fold_path("e"), fold_path("\u{e9}"));
    }
}
