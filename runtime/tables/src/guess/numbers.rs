//! Numbers with text around them, or with a decimal comma: finds one reading for all of them, or the reason why none exists. Text around a number is
//! dropped only if every number has it.

use std::collections::BTreeMap;

use model::suite::Told;

use super::column_format::{ColumnFormat, SplitFormat, TextSide};
use super::usual::Digits;
use crate::affixes::{Affixes, Mark, is_minus};
use crate::cell::Reading;
use crate::cell_type::CellType;

/// Possible separators between the digits of a number.
const SIGNS: [char; 6] = [',', '.', '\'', ' ', '\u{a0}', '\u{202f}'];

/// Checks for digits that are a code, not a number: they begin with zeros.
pub fn is_code(text: &str) -> bool {
    let mut digits = text.strip_prefix('-').unwrap_or(text).chars();
    digits.next() == Some('0') && digits.next().is_some_and(|char| char.is_ascii_digit())
}

/// A number in a text.
#[derive(Clone, Copy, Debug)]
struct Number<'t> {
    /// The leading sign.
    sign: Option<char>,
    around: Affixes<'t>,
    /// The digits, with their separators.
    body: &'t str,
    /// Whether its sign is after the currency: `$-5`.
    inner: bool,
}

/// The reason why texts cannot be read as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Not all of them are numbers.
    Others,
    /// The text around them may change them: its possible meaning, and the text.
    Mark(Mark, String),
    /// The text around them differs.
    Differ,
    /// They are whole numbers with more digits than an int has.
    Long,
}

/// Finds a way to read all of the texts as numbers. A type that is `asked` for is preferred.
///
/// # Errors
/// Every way loses something.
pub fn infer_way(texts: &[&str], asked: Option<CellType>) -> Result<ColumnFormat, Why> {
    let numbers: Vec<Number<'_>> =
        texts.iter().map(|text| parse_number(text)).collect::<Option<_>>().ok_or(Why::Others)?;
    let Some(first) = numbers.first() else { return Err(Why::Others) };
    if texts.iter().any(|text| is_code(text)) && asked.is_none() {
        return Err(Why::Others);
    }
    // Text that may change a number is reported first, even if every number has it.
    if let Some((mark, around)) = numbers.iter().find_map(|number| Some((number.around.find_mark()?, number.around))) {
        return Err(Why::Mark(mark, around.render_sides()));
    }
    if numbers.iter().any(|number| number.around != first.around) {
        return Err(Why::Differ);
    }
    let mut minus: Option<char> = None;
    for sign in numbers.iter().filter_map(|number| number.sign).filter(|sign| is_minus(*sign)) {
        // Two different minus signs are not allowed.
        if *minus.get_or_insert(sign) != sign {
            return Err(Why::Differ);
        }
    }
    let mut ways = Vec::new();
    let around = first.around;
    let own = |ty: CellType| ColumnFormat { ty, written: Vec::new() };
    let bodies: Vec<&str> = numbers.iter().map(|number| number.body).collect();
    let (int, float) = (CellType::Int, CellType::Float);
    let decimal = if is_long(&bodies) { float } else { CellType::Decimal(None) };
    if around.is_empty() {
        ways.extend(asked.filter(|ty| ty.is_number()).map(own));
        ways.extend([int, decimal, float].map(own));
    }
    if let Some((body, places)) = infer_body(&bodies)
        && numbers.iter().all(|number| !number.inner)
    {
        let source = format!("{}{body}{}", around.before, around.after);
        let whole = places == 0 && !source.contains('%');
        let usual = if whole { int } else { decimal };
        let types = asked.filter(|ty| ty.is_number()).into_iter().chain([usual, decimal, float]);
        ways.extend(types.map(|ty| ColumnFormat { ty, written: vec![source.clone().into()] }));
    }
    if around.is_currency() {
        ways.extend(asked.filter(|ty| ty.is_number()).map(own));
        ways.extend([int, decimal, float].map(own));
    }
    let way = ways.into_iter().find(|way| way.can_read_all(texts)).ok_or(Why::Others)?;
    // An integer that is too large is an identifier: as doubles, two of them could be equal.
    let long = way.ty != int && asked.is_none() && texts.iter().any(|text| is_long_whole(text));
    if long { Err(Why::Long) } else { Ok(way) }
}

/// Finds a way to read numbers of which the text around some says that they are negative (`(5)`, `5-`), or multiplies them (`5K`, `5M`, `5bn`).
/// `None` if it could mean anything else.
pub fn infer_marked_way(texts: &[&str], asked: Option<CellType>) -> Option<ColumnFormat> {
    let numbers: Vec<Number<'_>> = texts.iter().map(|text| parse_number(text)).collect::<Option<_>>()?;
    if texts.iter().any(|text| is_code(text)) || numbers.iter().any(|number| number.inner) {
        return None;
    }
    let mut arounds: Vec<Affixes<'_>> = numbers.iter().map(|number| number.around).collect();
    arounds.sort_unstable();
    arounds.dedup();
    let bodies: Vec<&str> = numbers.iter().map(|number| number.body).collect();
    let (body, places) = infer_body(&bodies)?;
    let is_signed = arounds.iter().any(Affixes::is_declared_sign);
    let written = match is_signed {
        true if numbers.iter().any(|number| number.sign.is_some()) => return None,
        true => vec![build_sections(&arounds, &body)?.into()],
        false => build_multiples(&arounds, &body)?,
    };
    let usual = if is_signed && places > 0 { CellType::Decimal(None) } else { CellType::Int };
    let types = asked.into_iter().chain([usual, CellType::Decimal(None)]);
    let mut ways = types.map(|ty| ColumnFormat { ty, written: written.clone() });
    ways.find(|way| way.can_read_all(texts))
}

/// Finds a way to read numbers with different texts after or before them, such as units, currencies, and limits, as two columns. `None` if all texts are
/// the same, unless only some numbers have one, and it makes them limits.
pub fn infer_split(texts: &[&str]) -> Option<SplitFormat> {
    let numbers: Vec<Number<'_>> = texts.iter().map(|text| parse_number(text)).collect::<Option<_>>()?;
    if texts.iter().any(|text| is_code(text)) || numbers.iter().any(|number| number.inner) {
        return None;
    }
    let is_after = numbers.iter().all(|number| number.around.before.is_empty());
    let is_before = numbers.iter().all(|number| number.around.after.is_empty() && number.sign.is_none());
    let side = match (is_after, is_before) {
        (true, false) => TextSide::After,
        (false, true) => TextSide::Before,
        _ => return None,
    };
    let text = |number: &Number<'_>| format!("{}{}", number.around.before, number.around.after);
    let mut around: Vec<String> = numbers.iter().map(text).filter(|text| !text.is_empty()).collect();
    let has_blank = around.iter().any(|text| text.contains(char::is_whitespace) && text.trim() != text);
    let is_all = around.len() == numbers.len();
    around.sort_unstable();
    around.dedup();
    let is_limit = numbers.iter().any(|number| number.around.find_mark() == Some(Mark::Limit));
    if around.len() < 2 && (!is_limit || is_all) || has_blank && !is_all {
        return None;
    }
    let bodies: Vec<&str> = numbers.iter().map(|number| number.body).collect();
    let (body, places) = infer_body(&bodies)?;
    let ty = if places == 0 { CellType::Int } else { CellType::Decimal(None) };
    let split = SplitFormat { side, has_blank, number: ColumnFormat { ty, written: vec![body.into()] } };
    split.can_read_all(texts).then_some(split)
}

/// Builds the pattern of numbers with one text around those from 0, and the same in brackets or with a minus after it, around the others.
fn build_sections(arounds: &[Affixes<'_>], body: &str) -> Option<String> {
    let is_sign = |char: char| matches!(char, '(' | ')') || is_minus(char);
    let below = arounds.iter().find(|around| around.is_declared_sign())?;
    // One pair of brackets, or one minus after the number.
    let signs = |text: &str| text.chars().filter(|char| is_sign(*char)).collect::<Vec<char>>();
    match (signs(below.before).as_slice(), signs(below.after).as_slice()) {
        (['('], [')']) => {}
        ([], [minus]) if is_minus(*minus) => {}
        _ => return None,
    }
    let clean = |text: &str| text.chars().filter(|char| !is_sign(*char)).collect::<String>();
    let (before, after) = (clean(below.before), clean(below.after));
    let plain = Affixes { before: before.trim_start(), after: after.trim_end() };
    let is_known = arounds.iter().all(|around| around == below || *around == plain);
    let form = |around: &Affixes<'_>| format!("{}{body}{}", around.before, around.after);
    // What is left says nothing else, such as a multiple.
    (is_known && plain.find_mark().is_none()).then(|| format!("{};{}", form(&plain), form(below)))
}

/// Builds the patterns of numbers that a letter after the digits multiplies.
fn build_multiples(arounds: &[Affixes<'_>], body: &str) -> Option<Vec<Told>> {
    const FACTORS: [(&str, i64); 7] = [
        ("K", 1_000),
        ("k", 1_000),
        ("M", 1_000_000),
        ("mn", 1_000_000),
        ("B", 1_000_000_000),
        ("bn", 1_000_000_000),
        ("Bn", 1_000_000_000),
    ];
    let before = arounds.first()?.before;
    if arounds.iter().any(|around| around.before != before) || !before.chars().all(model::numeral::is_currency) {
        return None;
    }
    let told = |around: &Affixes<'_>| {
        let pattern = format!("{before}{body}{}", around.after);
        let word = around.after.strip_prefix(' ').unwrap_or(around.after);
        if word.is_empty() {
            return Some(Told { pattern, times: None });
        }
        let (_, factor) = FACTORS.iter().find(|(known, _)| *known == word)?;
        Some(Told { pattern, times: Some(model::Decimal::from_int(*factor)) })
    };
    let told: Vec<Told> = arounds.iter().map(told).collect::<Option<_>>()?;
    told.iter().any(|told| told.times.is_some()).then_some(told)
}

/// Checks whether decimals have more digits than SQL distinguishes.
fn is_long(bodies: &[&str]) -> bool {
    let parts = |body: &&str| match body.rsplit_once(['.', ',']) {
        Some((whole, fraction)) => Digits::from_parts(whole, fraction),
        None => Digits::from_parts(body, ""),
    };
    bodies.iter().map(parts).fold(Digits::default(), Digits::join_digits).is_long()
}

/// Checks for a whole number that does not fit an int.
fn is_long_whole(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    digits > 18 && !text.contains(['.', ',', 'e', 'E']) && Reading::from_type(CellType::Int).read_text(text).is_err()
}

/// Parses a text as a number with any text around it.
fn parse_number(text: &str) -> Option<Number<'_>> {
    let first = text.chars().next()?;
    let sign = Some(first).filter(|char| matches!(char, '-' | '+' | '\u{2212}'));
    let rest = text.get(sign.map_or(0, char::len_utf8)..)?;
    let digit = |char: char| char.is_ascii_digit();
    let (mut start, end) = (rest.find(digit)?, rest.rfind(digit)? + 1);
    let is_point = |at: usize| rest.as_bytes().get(at).is_some_and(|byte| *byte == b'.');
    let letter = |at: usize| rest.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric));
    if let Some(point) = start.checked_sub(1).filter(|point| is_point(*point) && !letter(*point)) {
        start = point;
    }
    let (body, before, after) = (rest.get(start..end)?, rest.get(..start)?, rest.get(end..)?);
    // `B12` and `A-12` are identifiers.
    if before.trim_end_matches(is_minus).ends_with(char::is_alphabetic) {
        return None;
    }
    let exponent = || model::numeral::parse_number(body, |_| false).is_some();
    if !body.chars().all(|char| digit(char) || SIGNS.contains(&char)) && !exponent() {
        return None;
    }
    let number = Number { sign, around: Affixes { before, after }, body, inner: false };
    // The sign may follow the currency.
    let inner = before.chars().next_back().filter(|last| sign.is_none() && matches!(last, '-' | '\u{2212}'));
    if let Some(minus) = inner {
        let money = Affixes { before: before.get(..before.len() - minus.len_utf8())?, after };
        if money.is_currency() {
            return Some(Number { sign: Some(minus), around: money, inner: true, ..number });
        }
    }
    Some(number)
}

/// Counts the texts around the numbers in some texts; `None` if one is not a number.
pub fn count_arounds<'t>(counts: &BTreeMap<&'t str, usize>) -> Option<BTreeMap<Affixes<'t>, usize>> {
    let mut found = BTreeMap::new();
    for (text, count) in counts {
        *found.entry(parse_number(text)?.around).or_default() += count;
    }
    Some(found)
}

/// Checks whether the text around numbers differs.
pub(super) fn has_differing_arounds(texts: &[&str]) -> bool {
    let mut arounds = texts.iter().filter_map(|text| parse_number(text)).map(|number| number.around);
    arounds.next().is_some_and(|first| arounds.any(|around| around != first))
}

/// Proposes patterns that read all of the texts if the text around their numbers has no meaning; `None` if not even an author may declare that.
pub fn propose_if_meaningless(texts: &[&str]) -> Option<ColumnFormat> {
    let numbers: Vec<Number<'_>> = texts.iter().map(|text| parse_number(text)).collect::<Option<_>>()?;
    let mut arounds: Vec<Affixes<'_>> = numbers.iter().map(|number| number.around).collect();
    arounds.sort_unstable();
    arounds.dedup();
    let [bare, marked] = arounds.as_slice() else { return None };
    // Text that may change a number is never considered meaningless.
    if !bare.is_empty() || marked.find_mark().is_some() || marked.after.contains('%') || marked.before.contains('%') {
        return None;
    }
    let bodies: Vec<&str> = numbers.iter().map(|number| number.body).collect();
    let (body, places) = infer_body(&bodies)?;
    let ty = if places == 0 { CellType::Int } else { CellType::Decimal(None) };
    let around = format!("{}{body}{}", marked.before, marked.after);
    let way = ColumnFormat { ty, written: vec![body.into(), around.into()] };
    way.can_read_all(texts).then_some(way)
}

/// Numbers with one separator before three digits, which may group them or be the point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoReadings {
    /// The separator.
    pub sign: char,
    /// A text that contains it.
    pub cell: String,
    /// The reading if it groups digits.
    pub grouped: ColumnFormat,
    /// The reading if it is the point.
    pub decimal: ColumnFormat,
}

/// Returns both readings of numbers, if texts have two.
pub fn find_two_readings(texts: &[&str]) -> Option<TwoReadings> {
    let numbers: Vec<Number<'_>> = texts.iter().map(|text| parse_number(text)).collect::<Option<_>>()?;
    let around = numbers.first()?.around;
    let mut found: Option<(char, &str)> = None;
    for (number, text) in numbers.iter().zip(texts) {
        let mut signs = number.body.match_indices(|char: char| !char.is_ascii_digit());
        let Some((_, sign)) = signs.next() else { continue };
        let sign = sign.chars().next().filter(|sign| matches!(sign, '.' | ','))?;
        let same = found.is_none_or(|(known, _)| known == sign);
        if !same || signs.next().is_some() || !model::numeral::is_grouped(number.body, sign) {
            return None;
        }
        found.get_or_insert((sign, text));
    }
    let (sign, cell) = found.filter(|_| numbers.iter().all(|number| number.around == around && !number.inner))?;
    let written = |body: &str| vec![format!("{}{body}{}", around.before, around.after).into()];
    let plain = around.is_empty() || around.is_currency();
    let own = |is: char, body: String| if plain && sign == is { Vec::new() } else { written(&body) };
    let grouped = ColumnFormat { ty: CellType::Int, written: own(',', format!("#{sign}##0")) };
    let decimal = ColumnFormat { ty: CellType::Decimal(None), written: own('.', format!("0{sign}000")) };
    (grouped.can_read_all(texts) && decimal.can_read_all(texts)).then(|| TwoReadings {
        sign,
        cell: cell.to_owned(),
        grouped,
        decimal,
    })
}

/// Returns the decimal point of these numbers, if they show which character it is.
pub fn point_of(texts: &[&str]) -> Option<char> {
    let other = |sign: char| if sign == '.' { ',' } else { '.' };
    let mut found = None;
    for text in texts {
        let body = parse_number(text)?.body;
        let signs: Vec<(usize, char)> = body.char_indices().filter(|(_, char)| matches!(char, '.' | ',')).collect();
        let point = match signs.as_slice() {
            [] => continue,
            [(_, only)] if model::numeral::is_grouped(body, *only) => continue,
            [(_, only)] => *only,
            [(_, first), .., (_, last)] if first == last => other(*last),
            [.., (_, last)] => *last,
        };
        if *found.get_or_insert(point) != point {
            return None;
        }
    }
    found
}

/// Returns the pattern of digits that all have, and the number of digits after its point.
fn infer_body(bodies: &[&str]) -> Option<(String, usize)> {
    let marks =
        |body: &str| -> Vec<(usize, char)> { body.char_indices().filter(|(_, char)| SIGNS.contains(char)).collect() };
    let mut signs: Vec<char> = bodies.iter().flat_map(|body| marks(body)).map(|(_, char)| char).collect();
    signs.sort_unstable();
    signs.dedup();
    let groups = |body: &str, sign: char| {
        let mut parts = body.split(sign);
        let first = parts.next().is_some_and(|first| (1..=3).contains(&first.len()) && !first.starts_with('0'));
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
            // If a number contains both, the last one is the point.
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
    Some((pattern, places))
}
