//! Guesses the types of columns for `infer`, for the fixes of E0507, and for columns of undeclared files. Nothing is lost: if text around numbers
//! differs or may change them, if a mark may be a value, or if a date has two readings, the column is text, and [`ColumnNote`] reports the finding
//! and its frequency.
//!
//! An undeclared column has the type of its usual form or is text, because its author confirms neither a pattern nor a null mark. The declaration of
//! `infer`, and the fix of E0507 if no pattern of the declared type reads all fields, begin with the same type ([`infer_format`]).
//!
//! | module | what |
//! | --- | --- |
//! | `usual` | the type as which all fields can be read without any declaration: undeclared columns |
//! | `numbers` | numbers with text around them |
//! | `dates` | the single list of forms of dates |
//! | `marks` | the usual marks of missing fields |
//! | `column_format` | a type with patterns: the result of a guess |

mod column_format;
pub mod dates;
pub mod marks;
pub mod numbers;
#[cfg(test)]
mod tests;
pub mod usual;

use std::collections::{BTreeMap, HashMap};

use model::{Decimal, Value, ValueType};

pub use column_format::{ColumnFormat, SplitFormat, TextSide};
pub use dates::TwoPatterns;
pub use usual::infer_usual_type;

use crate::affixes::Mark;
use crate::cell::Reading;
use crate::cell_type::CellType;
use crate::pattern::Pattern;
use crate::raw::Raw;

/// A finding about a column in addition to its reading, as a fact without a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnNote {
    /// Nonempty fields are null: each mark, with the number of its fields.
    Missing(Vec<(String, usize)>),
    /// A few fields differ from the others; contains the reading with these as marks.
    Others {
        /// The texts, with the number of fields of each.
        texts: Vec<(String, usize)>,
        /// Number of nonempty fields.
        of: usize,
        /// The reading with these texts as marks.
        way: ColumnFormat,
        /// All null marks of the column in that case.
        missing: Vec<String>,
    },
    /// Text around the numbers may change them.
    Marked {
        /// Its possible meaning.
        mark: Mark,
        /// The text.
        text: String,
        /// Number of fields with such a text.
        count: usize,
        /// Number of nonempty fields.
        of: usize,
    },
    /// The text around the numbers differs.
    Differ {
        /// Each text with the number of its fields; a number without any has the empty text.
        texts: Vec<(String, usize)>,
        /// The reading if the text has no meaning.
        way: Option<ColumnFormat>,
    },
    /// `%` divides by 100.
    Percent(usize),
    /// Text around a number means that it is negative: the text, and the number of its fields.
    Negative(String, usize),
    /// Text after a number multiplies it: each text with the number of its fields, and the factor.
    Multiples(Vec<(String, usize, Decimal)>),
    /// Two patterns of dates match all fields, but read one differently.
    Either(TwoPatterns),
    /// The separator between the digits of this field groups them, or is their point.
    Grouped {
        /// The field.
        cell: String,
        /// The reading if it groups digits.
        grouped: ColumnFormat,
        /// The reading if it is the point.
        decimal: ColumnFormat,
    },
    /// Decimals with more digits than SQL distinguishes become the nearest doubles.
    Rounded,
    /// Whole numbers with more digits than an int has.
    Long,
    /// Two fields with different forms would have one value.
    Merged(String, String),
}

/// The reading of a column's fields, with findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// The reading, which fits every field.
    pub reading: Reading,
    /// Findings for the author.
    pub seen: Vec<ColumnNote>,
    /// For a text: a way to read it as two columns, with the null marks of both.
    pub split: Option<(SplitFormat, Vec<String>)>,
}

/// The different texts of a column, each with the number of its fields.
pub type Counts = BTreeMap<String, usize>;

/// Maximum number of differing texts that are named, and maximum number of characters of each.
const MAX_OTHERS: usize = 3;
const MAX_CHARS: usize = 20;

/// Counts the texts of fields, without spaces at their ends. A workbook stores a datetime at midnight as a date, so in a column with datetimes, dates
/// count as datetimes.
pub fn count_texts(cells: &[Raw<'_>]) -> Counts {
    let moments = cells.iter().any(|cell| matches!(cell, Raw::Value(Value::DateTime(_))));
    let mut counts = Counts::new();
    for cell in cells {
        let text = match cell {
            Raw::Value(Value::Null) => continue,
            Raw::Odd(odd) => odd.cell.clone(),
            Raw::Value(value @ Value::Date(_)) if moments => to_midnight(value).render_text().into_owned(),
            cell => cell.render_cell().trim().to_owned(),
        };
        *counts.entry(text).or_default() += 1;
    }
    counts
}

/// Converts a date to the datetime at its midnight; other values are unchanged.
pub fn to_midnight(value: &Value) -> Value {
    match value {
        Value::Date(date) => model::DateTime::new(*date, 0, 0, 0).map_or_else(|| value.clone(), Value::DateTime),
        other => other.clone(),
    }
}

/// Guesses the reading of a column's fields. `told` are null marks for every column.
///
/// ```
/// use tables::{CellType, ColumnNote, Raw, guess_column};
///
/// let guess = |texts: &[&str]| guess_column(&texts.iter().map(|text| Raw::from_text(*text)).collect::<Vec<_>>(), &[]);
/// let amounts = guess(&["1.234,50 €", "12,00 €"]);
/// assert_eq!(amounts.reading.ty.name(), "decimal");
/// assert_eq!(amounts.reading.written[0].source(), "#.##0,00 €");
/// let counts = guess(&["1", "n/a", "2"]);
/// assert_eq!((counts.reading.ty, counts.reading.missing), (CellType::Int, vec!["n/a".to_owned()]));
/// assert_eq!(counts.seen, [ColumnNote::Missing(vec![("n/a".to_owned(), 1)])]);
/// // What could be two numbers, or two dates, stays a text.
/// for open in [&["5 kg", "700 g"][..], &["03/04/2024"], &["007", "012"]] {
///     assert_eq!(guess(open).reading.ty, CellType::Text, "{open:?}");
/// }
/// ```
pub fn guess_column(cells: &[Raw<'_>], told: &[String]) -> Guess {
    let counts = count_texts(cells);
    let is_told = |text: &str| told.iter().any(|mark| mark.trim() == text);
    let is_mark = |text: &str| marks::is_mark(text) || is_told(text);
    let (nulls, texts): (Vec<&str>, Vec<&str>) = counts.keys().map(String::as_str).partition(|text| is_mark(text));
    let (mut seen, mut split) = (Vec::new(), None);
    // If a cell cannot be read and its program does not show a text for it, the column is not given a type.
    let unreadable = cells.iter().any(|cell| matches!(cell, Raw::Odd(odd) if odd.cell.is_empty()));
    if !texts.is_empty() && !unreadable {
        let missing: Vec<String> = nulls.iter().map(|text| (*text).to_owned()).collect();
        let fits = |way: &ColumnFormat| {
            let reading = way.reading(missing.clone())?;
            cells.iter().all(|cell| reading.read(cell).is_ok()).then_some(reading)
        };
        match infer_format(&texts, None) {
            Ok(way) => match (fits(&way), find_merged_texts(&way, &texts)) {
                (Some(reading), None) => {
                    let named = nulls.iter().filter(|text| !text.is_empty() && !is_told(text));
                    let named: Vec<(String, usize)> = named.map(|text| pair_with_count(&counts, text)).collect();
                    seen.extend((!named.is_empty()).then_some(ColumnNote::Missing(named)));
                    seen.extend(list_notes(&way, &texts, &counts));
                    return Guess { reading, seen, split: None };
                }
                (_, Some((first, second))) => seen.push(ColumnNote::Merged(first, second)),
                (None, None) => {}
            },
            Err(why) => {
                split = find_split(&why, &texts).map(|split| (split, missing.clone()));
                seen.extend(explain_unclear(&why, &texts, &nulls, &counts));
            }
        }
    }
    // In text, only empty and declared marks are missing.
    let missing = counts.keys().filter(|text| text.is_empty() || is_told(text)).cloned().collect();
    Guess { reading: Reading { missing, ..Reading::from_type(CellType::Text) }, seen, split }
}

/// Decides on the meaning of separators in the columns of a file, by those columns that have only one reading. If no column decides, both readings
/// are reported.
pub fn resolve_grouping(columns: &[Vec<Raw<'_>>], guesses: &mut [Guess]) {
    let in_texts = |cells: &[Raw<'_>]| {
        cells.iter().all(|cell| matches!(cell, Raw::Text(_) | Raw::Value(Value::Text(_) | Value::Null)))
    };
    let mut points: Vec<char> = Vec::new();
    let mut doubtful = Vec::new();
    for (at, (cells, guess)) in columns.iter().zip(guesses.iter()).enumerate() {
        if !guess.reading.ty.is_number() || !in_texts(cells) {
            continue;
        }
        let counts = count_texts(cells);
        let texts: Vec<&str> =
            counts.keys().map(String::as_str).filter(|text| !guess.reading.is_missing(text)).collect();
        match numbers::find_two_readings(&texts) {
            Some(two) => doubtful.push((at, two)),
            None => points.extend(numbers::point_of(&texts)),
        }
    }
    points.sort_unstable();
    points.dedup();
    for (at, two) in doubtful {
        let (Some(guess), Some(cells)) = (guesses.get_mut(at), columns.get(at)) else { continue };
        let numbers::TwoReadings { sign, cell, grouped, decimal } = two;
        if let [point] = points.as_slice() {
            let way = if *point == sign { decimal } else { grouped };
            let reading = way.reading(guess.reading.missing.clone());
            if let Some(reading) = reading.filter(|reading| cells.iter().all(|cell| reading.read(cell).is_ok())) {
                guess.reading = reading;
            }
            continue;
        }
        guess.seen.push(ColumnNote::Grouped { cell, grouped, decimal });
    }
}

fn pair_with_count(counts: &Counts, text: &str) -> (String, usize) {
    (text.to_owned(), counts.get(text).copied().unwrap_or_default())
}

/// The reason why texts cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// They are neither dates nor, for this reason, numbers.
    Numbers(numbers::Why),
    /// They are dates with two readings.
    Dates(TwoPatterns),
}

/// Finds a way to read all texts: as values of the type `asked` if a pattern of that type reads them, otherwise the way that `infer` declares.
///
/// # Errors
/// They are texts.
pub fn infer_format(texts: &[&str], asked: Option<CellType>) -> Result<ColumnFormat, Unclear> {
    if let Some(asked) = asked.filter(|asked| asked.is_number())
        && let Ok(way) = numbers::infer_way(texts, Some(asked))
        && way.ty == asked
    {
        return Ok(way);
    }
    if let Some(asked) = asked.filter(|asked| asked.is_number())
        && let Some(way) = numbers::infer_marked_way(texts, Some(asked))
    {
        return Ok(way);
    }
    if asked.is_some_and(CellType::is_calendar)
        && let Some(way) = infer_date_format(texts, asked)?
    {
        return Ok(way);
    }
    let plain = |ty| ColumnFormat { ty, written: Vec::new() };
    // The type of the column in a fixture without declared columns.
    match usual::infer_usual_type(texts.iter().copied()) {
        ValueType::Int => return Ok(plain(CellType::Int)),
        ValueType::Decimal(_) => return Ok(plain(CellType::Decimal(None))),
        ValueType::Float => return Ok(plain(CellType::Float)),
        ValueType::Bool => return Ok(plain(CellType::Bool)),
        ValueType::Date => return Ok(plain(CellType::Date)),
        ValueType::DateTime => return Ok(plain(CellType::DateTime)),
        ValueType::Text | ValueType::Duration => {}
    }
    let why = match numbers::infer_way(texts, None) {
        Ok(way) => return Ok(way),
        Err(numbers::Why::Mark(Mark::Sign | Mark::Scale, _))
            if let Some(way) = numbers::infer_marked_way(texts, None) =>
        {
            return Ok(way);
        }
        Err(why) => why,
    };
    // Such as a datetime with a fraction of a second that is zero.
    if let Some(way) = [CellType::Date, CellType::DateTime].map(plain).into_iter().find(|way| way.can_read_all(texts)) {
        return Ok(way);
    }
    infer_date_format(texts, None)?.ok_or(Unclear::Numbers(why))
}

/// Finds the pattern of dates, or of the calendar type `asked`.
///
/// # Errors
/// They are dates with two readings.
fn infer_date_format(texts: &[&str], asked: Option<CellType>) -> Result<Option<ColumnFormat>, Unclear> {
    if !texts.iter().all(has_digit) {
        return Ok(None);
    }
    let found = dates::infer_pattern(texts, asked).map_err(Unclear::Dates)?;
    Ok(found.map(|(ty, pattern)| ColumnFormat { ty, written: vec![pattern.into()] }))
}

/// Checks whether two texts with different forms would have, or could have, one value. The latter is assumed if the text around numbers in the usual
/// form differs.
pub fn can_merge_texts(way: &ColumnFormat, texts: &[&str]) -> bool {
    let usual = way.ty.is_number() && way.written.is_empty();
    usual && numbers::has_differing_arounds(texts) || find_merged_texts(way, texts).is_some()
}

/// Returns two texts with different forms that would have one value: the text before the first digit, or after the last, differs. A leading plus is ignored.
pub fn find_merged_texts(way: &ColumnFormat, texts: &[&str]) -> Option<(String, String)> {
    let reading = way.reading(Vec::new())?;
    let mut known: HashMap<String, (&str, &str, &str)> = HashMap::with_capacity(texts.len());
    for text in texts {
        let value = reading.read_text(text).ok()?;
        let (before, after) = split_affixes(text);
        let is_zero = value.as_f64() == Some(0.0);
        // Trailing zeros are not part of a decimal's value, and zero has no sign.
        let value = match &value {
            Value::Decimal(decimal) if !decimal.is_whole() => decimal.to_string().trim_end_matches('0').to_owned(),
            Value::Decimal(decimal) => {
                decimal.to_digits().integer_part().to_owned() + if decimal.units() < 0 { "-" } else { "" }
            }
            Value::Float(value) => (value + 0.0).to_bits().to_string(),
            other => other.render_text().into_owned(),
        };
        match known.get(&value) {
            None => drop(known.insert(value, (before, after, text))),
            Some((first, second, _)) if (*first, *second) == (before, after) => {}
            // Zero may have a minus; it is the same number.
            Some((.., other)) if split_unsigned_affixes(other) == split_unsigned_affixes(text) && is_zero => {}
            Some((.., other)) => return Some(((*other).to_owned(), (*text).to_owned())),
        }
    }
    None
}

/// Checks whether a text contains a digit, as every number and date does.
fn has_digit(text: &&str) -> bool {
    text.contains(|char: char| char.is_ascii_digit())
}

/// Returns the text outside of the digits, without a leading minus.
fn split_unsigned_affixes(text: &str) -> (&str, &str) {
    let (before, after) = split_affixes(text);
    (before.strip_prefix('-').unwrap_or(before), after)
}

/// Returns the text before the first digit, without a leading plus, and the text after the last digit; without digits, the whole text.
fn split_affixes(text: &str) -> (&str, &str) {
    let text = text.strip_prefix('+').unwrap_or(text);
    let digit = |char: char| char.is_ascii_digit();
    let Some((first, last)) = text.find(digit).zip(text.rfind(digit)) else { return (text, "") };
    // The point of `.5` belongs to the number.
    let before = text.get(..first).unwrap_or_default();
    (before.strip_suffix('.').unwrap_or(before), text.get(last + 1..).unwrap_or_default())
}

/// Returns the findings about a reading.
pub fn list_notes(way: &ColumnFormat, texts: &[&str], counts: &Counts) -> Vec<ColumnNote> {
    let mut seen = Vec::new();
    if way.ty.is_number() && way.written.iter().any(|told| told.pattern.contains('%')) {
        let count = texts.iter().filter_map(|text| counts.get(*text)).sum();
        seen.push(ColumnNote::Percent(count));
    }
    seen.extend(list_mark_notes(way, texts, counts));
    let exponent = |text: &&str| text.contains(['e', 'E']);
    if way.ty == CellType::Float && !texts.iter().any(exponent) {
        seen.push(ColumnNote::Rounded);
    }
    seen
}

/// Finds a way to read texts as two columns, if they are numbers with different texts around them.
pub fn find_split(why: &Unclear, texts: &[&str]) -> Option<SplitFormat> {
    match why {
        Unclear::Numbers(numbers::Why::Mark(..) | numbers::Why::Differ) => numbers::infer_split(texts),
        _ => None,
    }
}

/// Returns what the patterns of a reading take the text around numbers for.
fn list_mark_notes(way: &ColumnFormat, texts: &[&str], counts: &Counts) -> Option<ColumnNote> {
    let reading = way.reading(Vec::new()).filter(|way| way.ty.is_number())?;
    let count = |pattern: &Pattern| {
        let read = texts.iter().filter(|text| pattern.read(text).is_ok());
        read.filter_map(|text| counts.get(*text)).sum::<usize>()
    };
    if let [pattern] = reading.written.as_slice()
        && let [_, below] = pattern.list_affixes().as_slice()
    {
        let is_below =
            |text: &&&str| pattern.read(text).is_ok_and(|value| value.as_f64().is_some_and(|value| value < 0.0));
        let negative = texts.iter().filter(is_below).filter_map(|text| counts.get(*text)).sum();
        return Some(ColumnNote::Negative(format!("{}…{}", below.before, below.after), negative));
    }
    let multiple = |pattern: &Pattern| {
        let (times, around) = (pattern.times()?, *pattern.list_affixes().first()?);
        Some((around.after.to_owned(), count(pattern), times))
    };
    let multiples: Vec<_> = reading.written.iter().filter_map(multiple).collect();
    (!multiples.is_empty()).then_some(ColumnNote::Multiples(multiples))
}

/// Returns the findings about texts that resemble numbers or dates but cannot be read as such.
pub fn explain_unclear(why: &Unclear, texts: &[&str], nulls: &[&str], counts: &Counts) -> Vec<ColumnNote> {
    let of = |texts: &[&str]| texts.iter().filter_map(|text| counts.get(*text)).sum::<usize>();
    let why = match why {
        Unclear::Dates(two) => return vec![ColumnNote::Either(two.clone())],
        Unclear::Numbers(why) => why,
    };
    match why {
        numbers::Why::Long => return vec![ColumnNote::Long],
        numbers::Why::Mark(..) | numbers::Why::Differ => return around(texts, counts),
        numbers::Why::Others => {}
    }
    // A few texts differ from the others.
    let (told, others): (Vec<&str>, Vec<&str>) = texts.iter().copied().partition(has_digit);
    let short = others.iter().all(|text| text.chars().count() <= MAX_CHARS);
    if others.is_empty() || told.is_empty() || others.len() > MAX_OTHERS || !short || of(&others) > 2 * of(&told) {
        return Vec::new();
    }
    let note_others = |way: ColumnFormat| ColumnNote::Others {
        texts: others.iter().map(|text| pair_with_count(counts, text)).collect(),
        of: of(texts),
        way,
        missing: nulls.iter().chain(&others).map(|text| (*text).to_owned()).collect(),
    };
    match infer_format(&told, None) {
        Ok(way) if find_merged_texts(&way, &told).is_none() => {
            let notes = list_notes(&way, &told, counts);
            [vec![note_others(way)], notes].concat()
        }
        Ok(_) => Vec::new(),
        Err(Unclear::Numbers(numbers::Why::Mark(..) | numbers::Why::Differ)) => {
            let mut seen = around(&told, counts);
            let meaningless = seen.iter().find_map(|seen| match seen {
                ColumnNote::Differ { way: Some(way), .. } => Some(way.clone()),
                _ => None,
            });
            seen.extend(meaningless.map(note_others));
            seen
        }
        Err(_) => Vec::new(),
    }
}

/// Returns the findings about text around numbers that differs, or may change them.
fn around(texts: &[&str], counts: &Counts) -> Vec<ColumnNote> {
    let counts: BTreeMap<&str, usize> =
        texts.iter().map(|text| (*text, counts.get(*text).copied().unwrap_or_default())).collect();
    let Some(found) = numbers::count_arounds(&counts) else { return Vec::new() };
    let of = counts.values().sum();
    let mut marked: BTreeMap<Mark, (String, usize)> = BTreeMap::new();
    for (around, count) in &found {
        if let Some(mark) = around.find_mark() {
            marked.entry(mark).or_insert_with(|| (around.render_sides(), 0)).1 += count;
        }
    }
    if !marked.is_empty() {
        return marked.into_iter().map(|(mark, (text, count))| ColumnNote::Marked { mark, text, count, of }).collect();
    }
    let mut texts_found: Vec<(String, usize)> = Vec::new();
    for (around, count) in &found {
        let shown = around.render_sides();
        match texts_found.iter_mut().find(|(known, _)| *known == shown) {
            Some((_, known)) => *known += count,
            None => texts_found.push((shown, *count)),
        }
    }
    vec![ColumnNote::Differ { texts: texts_found, way: numbers::propose_if_meaningless(texts) }]
}
