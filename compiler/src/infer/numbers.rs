//! Patterns of numbers that are not written as the scorer reads them: with a unit, a percent sign, or a decimal comma.

use std::collections::BTreeMap;

use tabular::{CellType, Pattern, Reading};

/// A column has at most this many ways to write its numbers.
const MOST: usize = 3;

/// What can be between the digits of a number.
const SIGNS: [char; 6] = [',', '.', '\'', ' ', '\u{a0}', '\u{202f}'];

/// Whether digits are not a number: a code that begins with zeros.
pub(super) fn is_code(text: &str) -> bool {
    let mut digits = text.strip_prefix('-').unwrap_or(text).chars();
    digits.next() == Some('0') && digits.next().is_some_and(|char| char.is_ascii_digit())
}

/// The patterns that all of the texts are written by, and what they are.
pub(super) fn patterns(texts: &[&str]) -> Option<(CellType, Vec<String>)> {
    let mut groups: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for text in texts {
        let (before, body, after) = parts(text)?;
        groups.entry((before, after)).or_default().push(body);
        if groups.len() > MOST {
            return None;
        }
    }
    let bodies: Vec<&str> = groups.values().flatten().copied().collect();
    let (body, whole) = body(&bodies)?;
    let percent = groups.keys().any(|(before, after)| before.contains('%') || after.contains('%'));
    let ty = if whole && !percent { CellType::Int } else { CellType::Decimal(None) };
    let written: Vec<String> = groups.keys().map(|(before, after)| format!("{before}{body}{after}")).collect();
    let parsed: Option<Vec<Pattern>> = written.iter().map(|pattern| Pattern::parse(pattern, ty).ok()).collect();
    let reading = Reading { ty, missing: Vec::new(), written: parsed? };
    texts.iter().all(|text| reading.read_text(text).is_ok()).then_some((ty, written))
}

/// What is before the digits, the digits with the signs between them, and what is after them.
fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.strip_prefix('-').unwrap_or(text);
    let digit = |char: char| char.is_ascii_digit();
    let (start, end) = (text.find(digit)?, text.rfind(digit)? + 1);
    let body = text.get(start..end)?;
    let before = text.get(..start)?;
    // `B12` is the name of something.
    let code = before.contains(char::is_alphabetic) && !before.ends_with(' ');
    let fits = !code && body.chars().all(|char| digit(char) || SIGNS.contains(&char));
    fits.then_some((before, body, text.get(end..)?))
}

/// The pattern of digits that all have, and whether none has digits after a point.
fn body(bodies: &[&str]) -> Option<(String, bool)> {
    let marks =
        |body: &str| -> Vec<(usize, char)> { body.char_indices().filter(|(_, char)| SIGNS.contains(char)).collect() };
    let mut signs: Vec<char> = bodies.iter().flat_map(|body| marks(body)).map(|(_, char)| char).collect();
    signs.sort_unstable();
    signs.dedup();
    let groups = |body: &str, sign: char| {
        let mut parts = body.split(sign);
        let first = parts.next().is_some_and(|first| (1..=3).contains(&first.len()) && first != "0");
        first && parts.all(|part| part.len() == 3)
    };
    let (group, point) = match signs.as_slice() {
        [] => (None, None),
        [only] => {
            let twice = bodies.iter().any(|body| body.matches(*only).count() > 1);
            let grouped = bodies.iter().all(|body| !body.contains(*only) || groups(body, *only));
            match only {
                '.' if twice => (Some('.'), None),
                ',' if grouped => (Some(','), None),
                '.' | ',' => (None, Some(*only)),
                other => (Some(*other), None),
            }
        }
        [first, second] => {
            // Where both are in one number, the last one is the point.
            let last = bodies.iter().find_map(|body| {
                let marks = marks(body);
                let both = [first, second].iter().all(|sign| marks.iter().any(|(_, mark)| mark == *sign));
                marks.last().filter(|_| both).map(|(_, mark)| *mark)
            });
            let point = last.or_else(|| [*first, *second].into_iter().find(|sign| matches!(sign, '.' | ',')))?;
            (Some(if point == *first { *second } else { *first }), Some(point))
        }
        _ => return None,
    };
    let places = point.map_or(0, |point| {
        bodies.iter().filter_map(|body| body.split_once(point)).map(|(_, fraction)| fraction.len()).max().unwrap_or(0)
    });
    let mut pattern = group.map_or_else(|| "0".to_owned(), |sign| format!("#{sign}##0"));
    if let Some(point) = point.filter(|_| places > 0) {
        pattern.push(point);
        pattern.extend(std::iter::repeat_n('0', places));
    }
    Some((pattern, places == 0))
}
