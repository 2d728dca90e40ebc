//! Proofs that a path can always be stored, from what is known of each of its pieces.

use model::path::{LONGEST, LONGEST_DEVICE, LONGEST_PART, describe_problem};
use model::suite::Scope;
use model::{SharedList, Value};

use hir::Expr;
use hir::facts::Facts;
use hir::types::TyKind;

/// The most bytes that a number or a date has as text.
const LONGEST_NUMBER: usize = 20;

/// The letters of the names that Windows reserves for devices; digits can follow.
const DEVICE_LETTERS: &str = "acilmnoprtux$¹²³";

/// What is known of a piece of a path.
enum Piece<'t> {
    /// Its text.
    Text(&'t str),
    /// A number or a date.
    Number,
    /// One of these texts, which have only ASCII letters, digits, `_`, and `-`.
    Listed(SharedList<Value>),
}

impl Piece<'_> {
    fn count_bytes(&self) -> usize {
        match self {
            Piece::Text(text) => text.len(),
            Piece::Number => LONGEST_NUMBER,
            Piece::Listed(texts) => texts.iter().map(|text| text.render_text().len()).max().unwrap_or_default(),
        }
    }
}

/// Whether a path can always be stored. False if that is not known.
pub(super) fn is_storable<'a>(facts: &Facts<'a>, path: &'a Expr, scope: Scope) -> bool {
    if has_safe_parts(facts, path, scope) {
        return true;
    }
    let listed = facts.infer_expr(path, scope).closed;
    listed.is_some_and(|paths| paths.iter().all(|path| describe_problem(&path.render_text()).is_none()))
}

/// Whether each part between slashes is safe by itself.
fn has_safe_parts<'a>(facts: &Facts<'a>, path: &'a Expr, scope: Scope) -> bool {
    let (mut parts, mut part): (Vec<Vec<Piece<'a>>>, Vec<Piece<'a>>) = Default::default();
    for piece in path.as_pieces() {
        let Some(Value::Text(text)) = piece.as_constant() else {
            let Some(piece) = read_piece(facts, piece, scope) else { return false };
            part.push(piece);
            continue;
        };
        for (at, text) in text.split('/').enumerate() {
            if at > 0 {
                parts.push(std::mem::take(&mut part));
            }
            part.extend((!text.is_empty()).then_some(Piece::Text(text)));
        }
    }
    parts.push(part);
    let bytes = parts.iter().flatten().map(Piece::count_bytes).sum::<usize>() + parts.len();
    bytes <= LONGEST && parts.iter().all(|part| is_safe_part(part))
}

fn read_piece<'a>(facts: &Facts<'a>, piece: &'a Expr, scope: Scope) -> Option<Piece<'a>> {
    if matches!(piece.ty.kind, TyKind::Int | TyKind::Date) && !piece.ty.nullable {
        return Some(Piece::Number);
    }
    let listed = facts.infer_expr(piece, scope).closed.filter(|values| !values.is_empty())?;
    let is_plain = |value: &Value| {
        let text = value.render_text();
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    listed.iter().all(is_plain).then_some(Piece::Listed(listed))
}

fn is_safe_part(pieces: &[Piece<'_>]) -> bool {
    if pieces.is_empty() || pieces.iter().map(Piece::count_bytes).sum::<usize>() > LONGEST_PART {
        return false;
    }
    // With an example of each, all constant pieces are checked.
    let example = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => (*text).to_owned(),
        Piece::Number => "1".to_owned(),
        Piece::Listed(texts) => texts.first().map(|text| text.render_text().into_owned()).unwrap_or_default(),
    };
    let whole: String = pieces.iter().map(example).collect();
    describe_problem(&whole).is_none() && is_no_device(pieces)
}

/// Whether a letter is in no name of a device.
fn is_foreign_letter(c: char) -> bool {
    !c.is_whitespace() && !c.is_ascii_digit() && !DEVICE_LETTERS.contains(c.to_ascii_lowercase())
}

/// Whether no values of the pieces can make the name of a device.
fn is_no_device(pieces: &[Piece<'_>]) -> bool {
    if let [before @ .., Piece::Listed(texts)] | [before @ .., Piece::Listed(texts), Piece::Text(_)] = pieces
        && let [] | [Piece::Text(_)] = before
    {
        let around = |at: usize| match pieces.get(at) {
            Some(Piece::Text(text)) => *text,
            _ => "",
        };
        let (start, end) = (if before.is_empty() { "" } else { around(0) }, around(before.len() + 1));
        // A name with another letter, or a longer one, is no device's.
        let is_foreign = |text: &str| text.len() > LONGEST_DEVICE || text.contains(is_foreign_letter);
        let is_safe = |text: &Value| {
            let text = text.render_text();
            is_foreign(&text) && !start.contains('.') || describe_problem(&format!("{start}{text}{end}")).is_none()
        };
        return texts.iter().all(is_safe);
    }
    let Some(first) = pieces.first() else { return false };
    if matches!(first, Piece::Number) || pieces.iter().all(|piece| matches!(piece, Piece::Text(_))) {
        return true;
    }
    for piece in pieces {
        if let Piece::Text(text) = piece {
            let (stem, is_whole) = text.split_once('.').map_or((*text, true), |(stem, _)| (stem, false));
            if stem.contains(is_foreign_letter) {
                return true;
            }
            if !is_whole {
                return false;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(texts: &[&str]) -> Piece<'static> {
        Piece::Listed(texts.iter().map(|text| Value::from_text(*text)).collect())
    }

    #[test]
    fn parts_are_safe_only_if_every_combination_is() {
        let (words, device) = (|| listed(&["lake", "north"]), || listed(&["lake", "con"]));
        let long = "b".repeat(LONGEST_PART);
        let cases = [
            (true, vec![Piece::Text("total.csv")]),
            (true, vec![words(), Piece::Text(".csv")]),
            (false, vec![device(), Piece::Text(".csv")]),
            (true, vec![device(), Piece::Text("_all.csv")]),
            (true, vec![Piece::Text("x"), device()]),
            (false, vec![Piece::Text("com"), Piece::Number, Piece::Text(".txt")]),
            (true, vec![Piece::Text("part_"), Piece::Number, Piece::Text(".txt")]),
            (true, vec![Piece::Number, Piece::Text(".txt")]),
            (true, vec![words(), Piece::Text("_"), words(), Piece::Text(".csv")]),
            // `co` and `n`.
            (false, vec![listed(&["co", "north"]), listed(&["n", "lake"])]),
            // Blanks around the name of a device do not count.
            (false, vec![device(), Piece::Text(" .x"), Piece::Number, Piece::Text(".csv")]),
            (false, vec![words(), Piece::Text(".")]),
            (false, vec![words(), Piece::Text(" : ")]),
            (false, vec![listed(&["a"]), Piece::Text(&long)]),
            (false, Vec::new()),
        ];
        for (at, (safe, pieces)) in cases.iter().enumerate() {
            assert_eq!(is_safe_part(pieces), *safe, "case {at}");
        }
    }
}
