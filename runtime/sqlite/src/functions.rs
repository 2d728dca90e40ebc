//! Replacements of SQLite's functions whose time exceeds the length of their arguments: the same results, with counted work.

use std::ffi::{CStr, c_int};

use memchr::memmem;

use crate::meter;

/// A function, with its name and number of arguments in SQLite.
pub struct Function {
    pub name: &'static CStr,
    pub arguments: c_int,
    /// Computes the result for these arguments; the second parameter is the maximum size of the result in bytes.
    pub run: Run,
    /// Whether it is LIKE or GLOB.
    pub is_like: bool,
}

type Run = fn(&[Argument<'_>], usize) -> Answer;

/// An argument: the bytes of its text or blob.
#[derive(Clone, Copy)]
pub struct Argument<'a> {
    /// The bytes; `None` for null.
    pub bytes: Option<&'a [u8]>,
    pub is_blob: bool,
}

impl Argument<'_> {
    pub const NULL: Argument<'static> = Argument { bytes: None, is_blob: false };
}

/// The result of a function.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Null,
    Int(i64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
    /// The result would be longer than a value may be.
    TooBig,
    /// The work exceeds the remaining budget.
    TooMuch,
    /// An error message for the author of the query.
    Wrong(&'static CStr),
    /// The result of SQLite's comparison of the first two arguments.
    Like(Like),
}

/// The way in which a pattern is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Like {
    /// GLOB.
    Glob,
    /// LIKE.
    Like {
        /// The character after ESCAPE; 0 without it.
        escape: u32,
    },
}

const fn new_function(name: &'static CStr, arguments: c_int, run: Run) -> Function {
    Function { name, arguments, run, is_like: false }
}

const fn new_like(name: &'static CStr, arguments: c_int, run: Run) -> Function {
    Function { name, arguments, run, is_like: true }
}

/// All replaced functions.
pub static FUNCTIONS: [Function; 9] = [
    new_function(c"instr", 2, |arguments, _| run_instr(arguments)),
    new_function(c"replace", 3, run_replace),
    new_function(c"trim", 2, |arguments, _| run_trim(arguments, &[End::Left, End::Right])),
    new_function(c"ltrim", 2, |arguments, _| run_trim(arguments, &[End::Left])),
    new_function(c"rtrim", 2, |arguments, _| run_trim(arguments, &[End::Right])),
    new_function(c"unhex", 2, |arguments, _| run_unhex(arguments)),
    new_like(c"like", 2, |arguments, _| run_like(arguments, |escape| Like::Like { escape })),
    new_like(c"like", 3, |arguments, _| run_like(arguments, |escape| Like::Like { escape })),
    new_like(c"glob", 2, |arguments, _| run_like(arguments, |_| Like::Glob)),
];

/// Number of bytes of a pass over a text that count as a step, and number of comparisons of a pattern's characters.
const BYTES_A_STEP: usize = 8;
const COMPARISONS_A_STEP: usize = 8;

/// Counts the work of a pass over this number of bytes; returns `false` if it exceeds the budget.
fn count_pass(bytes: usize) -> bool {
    meter::count_work((bytes / BYTES_A_STEP) as u64)
}

/// Counts the work of searching for one character in a set of this size; returns `false` if it exceeds the budget.
fn count_lookup(set: usize) -> bool {
    meter::count_work(set as u64 + 1)
}

fn run_instr(arguments: &[Argument<'_>]) -> Answer {
    let [Argument { bytes: Some(text), is_blob }, Argument { bytes: Some(part), is_blob: part_is_blob }] = arguments
    else {
        return Answer::Null;
    };
    if !count_pass(text.len() + part.len()) {
        return Answer::TooMuch;
    }
    if part.is_empty() {
        return Answer::Int(1);
    }
    if *is_blob && *part_is_blob {
        return Answer::Int(memmem::find(text, part).map_or(0, |at| at as i64 + 1));
    }
    // SQLite searches only at the beginnings of characters.
    let finder = memmem::Finder::new(part);
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest)).map(|at| from + at) {
        if at == 0 || !is_continuation(text[at]) {
            let before =
                text[..at].iter().enumerate().filter(|(at, byte)| *at == 0 || !is_continuation(**byte)).count();
            return Answer::Int(before as i64 + 1);
        }
        // Only a part that begins within a character is found within one. This is rare, but can continue over the whole text.
        if !count_pass(BYTES_A_STEP + part.len()) {
            return Answer::TooMuch;
        }
        from = at + 1;
    }
    Answer::Int(0)
}

/// Checks whether the byte is not the first of a character.
fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

fn run_replace(arguments: &[Argument<'_>], most: usize) -> Answer {
    let [Argument { bytes: Some(text), .. }, Argument { bytes: Some(part), .. }, with] = arguments else {
        return Answer::Null;
    };
    if matches!(part.first(), None | Some(0)) {
        return Answer::Text(text.to_vec());
    }
    let Some(with) = with.bytes else { return Answer::Null };
    let finder = memmem::Finder::new(part);
    let count = finder.find_iter(text).count();
    let length = (text.len() - count * part.len()).saturating_add(count.saturating_mul(with.len()));
    if !count_pass(text.len() + part.len() + length.min(most)) {
        return Answer::TooMuch;
    }
    if length > most {
        return Answer::TooBig;
    }
    let mut out = Vec::with_capacity(length);
    let mut from = 0;
    for at in finder.find_iter(text) {
        out.extend_from_slice(&text[from..at]);
        out.extend_from_slice(with);
        from = at + part.len();
    }
    out.extend_from_slice(&text[from..]);
    Answer::Text(out)
}

/// An end of a text.
#[derive(Clone, Copy)]
enum End {
    Left,
    Right,
}

fn run_trim(arguments: &[Argument<'_>], ends: &[End]) -> Answer {
    let [Argument { bytes: Some(text), .. }, Argument { bytes: Some(set), .. }] = arguments else {
        return Answer::Null;
    };
    let (mut text, set) = (*text, split_characters(cut_at_nul(set)));
    for end in ends {
        while !text.is_empty() {
            if !count_lookup(set.len()) {
                return Answer::TooMuch;
            }
            let trimmed = set.iter().find_map(|character| match end {
                End::Left => text.strip_prefix(*character),
                End::Right => text.strip_suffix(*character),
            });
            let Some(rest) = trimmed else { break };
            text = rest;
        }
    }
    Answer::Text(text.to_vec())
}

/// Returns the part of a text before a NUL, where SQLite stops reading.
fn cut_at_nul(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Splits a text into characters as SQLite does: a byte from 0xc0 on is followed by its continuation bytes.
fn split_characters(text: &[u8]) -> Vec<&[u8]> {
    let mut rest = text;
    let mut out = Vec::new();
    while let Some(first) = rest.first() {
        let more = if *first >= 0xc0 { rest[1..].iter().take_while(|byte| is_continuation(**byte)).count() } else { 0 };
        let (character, after) = rest.split_at(1 + more);
        out.push(character);
        rest = after;
    }
    out
}

fn run_unhex(arguments: &[Argument<'_>]) -> Answer {
    let [Argument { bytes: Some(text), .. }, Argument { bytes: Some(set), .. }] = arguments else {
        return Answer::Null;
    };
    let (text, set) = (split_characters(cut_at_nul(text)), split_characters(set));
    let digit = |character: &[u8]| match character {
        [byte] => char::from(*byte).to_digit(16).map(|digit| digit as u8),
        _ => None,
    };
    let mut out = Vec::new();
    let mut at = text.iter();
    while let Some(character) = at.next() {
        let Some(high) = digit(character) else {
            if !count_lookup(set.len()) {
                return Answer::TooMuch;
            }
            if set.contains(character) {
                continue;
            }
            return Answer::Null;
        };
        // Separators are not allowed between the two digits of a byte.
        let Some(low) = at.next().and_then(|character| digit(character)) else { return Answer::Null };
        out.push(high << 4 | low);
    }
    Answer::Blob(out)
}

fn run_like(arguments: &[Argument<'_>], build: fn(u32) -> Like) -> Answer {
    let escape = match arguments.get(2) {
        None => 0,
        Some(Argument { bytes: None, .. }) => return Answer::Null,
        Some(Argument { bytes: Some(escape), .. }) => {
            let mut characters = std::str::from_utf8(cut_at_nul(escape)).unwrap_or_default().chars();
            match (characters.next(), characters.next()) {
                (Some('%' | '_'), None) => return Answer::Wrong(c"ESCAPE with % or _ is not supported"),
                (Some(character), None) => u32::from(character),
                _ => return Answer::Wrong(c"ESCAPE expression must be a single character"),
            }
        }
    };
    let [Argument { bytes: Some(pattern), .. }, Argument { bytes: Some(text), .. }, ..] = arguments else {
        return Answer::Null;
    };
    // In the worst case, every character of the pattern is compared at every position of the text.
    let wild = pattern.iter().filter(|byte| matches!(byte, b'%' | b'*')).count();
    let times = if wild == 0 { 1 } else { pattern.len() };
    if !meter::count_work((text.len().saturating_mul(times) / COMPARISONS_A_STEP) as u64) {
        return Answer::TooMuch;
    }
    Answer::Like(build(escape))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rusqlite::{Connection, params, types::Value};

    use crate::{Database, TOOL};

    /// Few letters, so that parts are found; characters of several bytes, and bytes that are none.
    fn value() -> impl Strategy<Value = Value> {
        let text = proptest::collection::vec(
            proptest::sample::select(vec!["a", "b", "A", "%", "_", "é", "日", "1f", " ", "*", "\0"]),
            0..9,
        );
        let bytes = proptest::collection::vec(
            proptest::sample::select(vec![0x61_u8, 0x62, 0x80, 0xa9, 0xc3, 0xff, 0x31]),
            0..9,
        );
        prop_oneof![
            6 => text.prop_map(|parts| Value::Text(parts.concat())),
            2 => bytes.prop_map(Value::Blob),
            1 => (-200_i64..200).prop_map(Value::Integer),
            1 => (-9.0_f64..9.0).prop_map(Value::Real),
            1 => Just(Value::Null),
        ]
    }

    fn says(connection: &Connection, sql: &str, values: [&Value; 3]) -> Result<Value, String> {
        let asked = connection.query_row(sql, params![values[0], values[1], values[2]], |row| row.get(0));
        asked.map_err(|error| crate::describe_error(&error))
    }

    #[test]
    fn the_same_as_sqlite_says() {
        let ours = Database::new_empty(&TOOL).expect("opens");
        let theirs = Connection::open_in_memory().expect("opens");
        let queries = [
            "SELECT instr(?1, ?2), ?3",
            "SELECT instr(CAST(?1 AS TEXT), CAST(?2 AS TEXT)), ?3",
            "SELECT hex(replace(?1, ?2, ?3))",
            "SELECT hex(trim(?1, ?2)), ?3",
            "SELECT hex(ltrim(?1, ?2)), ?3",
            "SELECT hex(rtrim(?1, ?2)), ?3",
            "SELECT hex(trim(CAST(?1 AS TEXT), CAST(?2 AS TEXT))), ?3",
            "SELECT typeof(replace(?1, ?2, ?3))",
            "SELECT hex(unhex(?1, ?2)), ?3 WHERE 'blob' NOT IN (typeof(?1), typeof(?2))",
            "SELECT typeof(unhex(?1, ?2)), ?3 WHERE 'blob' NOT IN (typeof(?1), typeof(?2))",
            "SELECT ?1 LIKE ?2, ?3",
            "SELECT ?1 GLOB ?2, ?3",
            "SELECT ?1 LIKE ?2 ESCAPE 'b', ?3",
            "SELECT ?1 LIKE ?2 ESCAPE ?3 WHERE ?3 IS NULL OR typeof(?3) = 'text' AND substr(?3, 1, 1) NOT IN ('%', '_')",
        ];
        proptest!(ProptestConfig::with_cases(3000), |(a in value(), b in value(), c in value())| {
            for sql in queries {
                let values = [&a, &b, &c];
                prop_assert_eq!(says(ours.connection(), sql, values), says(&theirs, sql, values), "{}", sql);
            }
        });
    }
}
