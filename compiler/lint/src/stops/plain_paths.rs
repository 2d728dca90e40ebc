//! A fast proof that short paths can be stored: they consist of plain letters, and no part of them begins as the name of a device.

use model::Value;
use model::path::{LONGEST_DEVICE, describe_problem};

use hir::terms::Texts;

/// What was read of a part before its first period.
#[derive(Default)]
struct Stem {
    /// Whether a letter was read that no device has, or more letters than a device has.
    is_foreign: bool,
    /// Whether it is one drawn piece, which is never the name of a device.
    is_drawn: bool,
    has_period: bool,
    pieces: usize,
}

impl Stem {
    fn is_safe(&self) -> bool {
        self.is_foreign || self.is_drawn && self.pieces == 1
    }
}

/// What is true of all texts of a drawn piece, which are plain.
struct Drawn {
    are_foreign: bool,
    are_no_devices: bool,
}

impl Drawn {
    /// `None` if one of them is empty, or has other characters.
    fn from_values(values: &[Value]) -> Option<Drawn> {
        let mut all = Drawn { are_foreign: true, are_no_devices: true };
        for value in values {
            let text = value.render_text();
            if text.is_empty() || !text.chars().all(is_plain) {
                return None;
            }
            let is_foreign = is_foreign(&text);
            all.are_foreign &= is_foreign;
            all.are_no_devices &= is_foreign || describe_problem(&text).is_none();
        }
        Some(all)
    }
}

/// Whether paths are plain: constants and lists of texts with ASCII letters, digits, `_`, and `-`. Periods and slashes are only in constants. False if that is
/// not known.
pub(super) fn is_plain_path(texts: &Texts<'_>) -> bool {
    let pieces = match texts {
        Texts::Joined(pieces) => pieces.as_slice(),
        one => std::slice::from_ref(one),
    };
    let (mut stem, mut example) = (Stem::default(), String::new());
    for piece in pieces {
        let Texts::Listed(values) = piece else { return false };
        match &values[..] {
            [] => return false,
            [only] => {
                if !read_constant(&only.render_text(), &mut stem) {
                    return false;
                }
            }
            values => {
                let Some(texts) = Drawn::from_values(values) else { return false };
                if !stem.has_period {
                    stem.is_foreign |= texts.are_foreign;
                    stem.is_drawn = stem.pieces == 0 && texts.are_no_devices;
                    stem.pieces += 1;
                }
            }
        }
        values.iter().take(1).for_each(|value| value.render_into(&mut example));
    }
    stem.is_safe() && describe_problem(&example).is_none()
}

/// Reads a constant piece. Returns `false` if a part before it may be the name of a device, or if it has other characters.
fn read_constant(text: &str, stem: &mut Stem) -> bool {
    for c in text.chars() {
        match c {
            '/' if !stem.is_safe() => return false,
            '/' => *stem = Stem::default(),
            '.' => stem.has_period = true,
            c if !is_plain(c) => return false,
            c if !stem.has_period => {
                stem.is_foreign |= is_foreign_letter(c);
                stem.pieces += 1;
            }
            _ => {}
        }
    }
    true
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// Whether no name of a device begins with a text, or has it in its middle.
fn is_foreign(text: &str) -> bool {
    text.len() > LONGEST_DEVICE || text.contains(is_foreign_letter)
}

/// Whether a character is in no name that Windows reserves for a device. Digits can follow its letters.
fn is_foreign_letter(c: char) -> bool {
    let is_of_device = matches!(
        c.to_ascii_lowercase(),
        'a' | 'c' | 'i' | 'l' | 'm' | 'n' | 'o' | 'p' | 'r' | 't' | 'u' | 'x' | '$' | '¹' | '²' | '³'
    );
    !c.is_ascii_digit() && !is_of_device
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Value;

    fn list(texts: &[&str]) -> Texts<'static> {
        Texts::Listed(texts.iter().map(|text| Value::from_text(*text)).collect::<Vec<_>>().into())
    }

    #[test]
    fn a_path_is_plain_only_if_every_combination_can_be_stored() {
        let (words, device) = (|| list(&["lake", "north"]), || list(&["lake", "con"]));
        for (plain, pieces) in [
            (true, vec![list(&["data/"]), words(), list(&[".csv"])]),
            (true, vec![list(&["data/"]), words()]),
            (false, vec![device(), list(&[".csv"])]),
            (true, vec![device(), list(&["_all.csv"])]),
            (true, vec![list(&["b"]), device()]),
            (false, vec![list(&["co", "north"]), list(&["n", "lake"])]),
            (true, vec![words(), list(&["_"]), words(), list(&[".csv"])]),
            (false, vec![words(), list(&["."])]),
            (false, vec![words(), list(&["//x.csv"])]),
            (false, vec![list(&["/"]), words()]),
            (false, vec![list(&["nul", "aux"]), list(&["/x.csv"])]),
            (false, vec![words(), list(&[" : "])]),
            (false, vec![list(&["a b", "c"]), list(&[".csv"])]),
        ] {
            let shown = format!("{pieces:?}");
            assert_eq!(is_plain_path(&Texts::Joined(pieces)), plain, "{shown}");
        }
    }
}
