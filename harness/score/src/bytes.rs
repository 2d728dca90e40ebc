//! `bytes`, `unchanged`: compares a file byte by byte, or a reply character by character. Also decodes files in other encodings.

use std::borrow::Cow;

use model::Value;
use model::answer_key::{Answer, Expected};
use model::format::is_gzip;
use records::{Captured, Reason};
use tables::{Encoding, gzip};

use crate::captured;
use crate::finding::{Finding, choose_best};
use crate::read::{clean, lines};
use crate::rules::Rules;
use crate::start_files::StartFiles;

/// The number of bytes or characters that are shown from the first difference on.
const SHOWN: usize = 24;

/// Maximum unpacked size in bytes of a gzip file that an agent leaves.
const MAX_UNPACKED: usize = 64 << 20;

/// Returns the encoding of the file of an expectation.
pub fn resolve_encoding(expect: &Expected, rules: &Rules) -> Encoding {
    let word = expect.read.encoding.as_deref().filter(|_| rules.encoded_files);
    word.and_then(Encoding::from_word).unwrap_or(Encoding::Utf8)
}

/// Encodes a text in the encoding of the expectation's file. The error is the first character that the encoding does not have.
pub fn encode_text<'t>(text: &'t str, expect: &Expected, rules: &Rules) -> Result<Cow<'t, [u8]>, char> {
    resolve_encoding(expect, rules).encode(text)
}

/// Reads the text of the file of an expectation: what is in a gzip file, decoded; the values on the lines of JSON Lines as one array, where values are read.
pub fn read_text(found: &Captured, path: &str, expect: &Expected, rules: &Rules) -> Result<String, Finding> {
    let found = unpack_file(found, path, rules)?;
    let text = decode_text(&found, resolve_encoding(expect, rules))?;
    let is_read_by_lines = rules.reads_formats && lines::is_json_lines(path) && lines::reads_values(expect);
    if is_read_by_lines { lines::join_lines(&text) } else { Ok(text.into_owned()) }
}

/// Returns what is in a captured gzip file; any other file is returned as it is.
fn unpack_file<'c>(found: &'c Captured, path: &str, rules: &Rules) -> Result<Cow<'c, Captured>, Finding> {
    let is_whole = matches!(found, Captured::Text { .. } | Captured::Bytes { .. });
    if !(rules.reads_formats && is_whole && is_gzip(path)) {
        return Ok(Cow::Borrowed(found));
    }
    match gzip::unpack(&found.to_bytes().unwrap_or_default(), MAX_UNPACKED) {
        Ok(content) => Ok(Cow::Owned(Captured::from_bytes(content))),
        Err(why) => Err(Finding::wrong(Reason::NotText, "a gzip file of text", why.message)),
    }
}

/// Writes a text as the bytes of the file of an expectation, in its encoding and packed if its name says so. An encoding that lacks a character leaves the
/// text as UTF-8.
pub fn write_file(text: &str, path: &str, expect: Option<&Expected>, rules: &Rules) -> Vec<u8> {
    let encoded = expect.and_then(|expect| encode_text(text, expect, rules).ok()).map(Cow::into_owned);
    let bytes = encoded.unwrap_or_else(|| text.as_bytes().to_vec());
    if rules.reads_formats && is_gzip(path) { gzip::pack(&bytes) } else { bytes }
}

/// Decodes the text of a file.
fn decode_text(found: &Captured, encoding: Encoding) -> Result<Cow<'_, str>, Finding> {
    let wrong = |reason, got: String| Err(Finding::wrong(reason, "a file of text", got));
    match found {
        Captured::Text { .. } | Captured::Bytes { .. } if encoding != Encoding::Utf8 => {
            let bytes = found.to_bytes().unwrap_or_default();
            match encoding.decode(&bytes) {
                Ok(text) => Ok(Cow::Owned(clean::normalize_text(&text).into_owned())),
                Err(_) => wrong(Reason::NotText, format!("bytes that are not {}", encoding.word())),
            }
        }
        Captured::Text { text } => Ok(clean::normalize_text(text)),
        Captured::Bytes { .. } => wrong(Reason::NotText, "bytes that are not UTF-8".to_owned()),
        _ => Err(refuse_content(found, "a file of text")),
    }
}

/// Reads the bytes of a file whose format is not text; of a gzip file, of what is in it.
pub fn read_bytes<'c>(found: &'c Captured, path: &str, rules: &Rules) -> Result<Cow<'c, [u8]>, Finding> {
    match unpack_file(found, path, rules)? {
        Cow::Borrowed(Captured::Text { text }) => Ok(Cow::Borrowed(text.as_bytes())),
        found => found.to_bytes().map(Cow::Owned).ok_or_else(|| refuse_content(&found, "a file")),
    }
}

/// Returns the finding for what is not a file whose content was kept.
fn refuse_content(found: &Captured, expected: &str) -> Finding {
    match found {
        Captured::TooLarge { size } => Finding::wrong(Reason::TooLarge, expected, format!("a file of {size} bytes")),
        other => {
            let reason = captured::refuse_file(other).unwrap_or(Reason::NotText);
            Finding::wrong(reason, expected, captured::describe_kind(other))
        }
    }
}

/// Compares a file with each accepted answer. If all are wrong, returns the finding of the first. Nothing is trimmed, decoded, or composed.
pub fn compare_file(expect: &Expected, found: &Captured, start: &dyn StartFiles, rules: &Rules) -> Finding {
    let one = |wanted: &[u8]| compare_bytes(wanted, found, Reason::Differs, "");
    let text = |value: &Value| match value {
        Value::Text(text) => match encode_text(text, expect, rules) {
            Ok(wanted) => one(&wanted),
            Err(char) => {
                let expected = format!("a text in {}, which lacks {char:?}", resolve_encoding(expect, rules).word());
                Finding::wrong(Reason::BadKey, expected, "")
            }
        },
        other => Finding::wrong(Reason::BadKey, "a text, for `bytes`", other.render_text()),
    };
    match &expect.answer {
        Some(Answer::Content(path)) => match start.read_file(path) {
            Some(wanted) => one(&wanted),
            None => Finding::wrong(Reason::BadKey, format!("the content of {path}"), "no such file at the start"),
        },
        _ => choose_best(expect, |value, _| text(value)),
    }
}

/// Compares a text of a reply character by character. One line end at the end of either does not count, nor how lines end.
pub fn compare_text(value: &Value, found: &str) -> Finding {
    let Value::Text(wanted) = value else {
        return Finding::wrong(Reason::BadKey, "a text, for `bytes`", value.render_text());
    };
    let form = |text: &str| {
        let text = text.replace("\r\n", "\n");
        text.strip_suffix('\n').unwrap_or(&text).to_owned()
    };
    compare_bytes(form(wanted).as_bytes(), &Captured::from_bytes(form(found).into_bytes()), Reason::Differs, "")
}

/// Compares the bytes of a file. `reason` is the reason if one differs; `known` is appended to the expected size, for people.
pub fn compare_bytes(wanted: &[u8], found: &Captured, reason: Reason, known: &str) -> Finding {
    let size = |bytes: usize| format!("{bytes} bytes{known}");
    let got: Cow<'_, [u8]> = match found {
        Captured::Text { text } => text.as_bytes().into(),
        Captured::Bytes { .. } => match found.to_bytes() {
            Some(bytes) => bytes.into(),
            None => return Finding::wrong(reason, size(wanted.len()), "bytes that cannot be read"),
        },
        Captured::TooLarge { size: got } if usize::try_from(*got) == Ok(wanted.len()) => {
            return Finding::wrong(Reason::TooLarge, size(wanted.len()), "as many, but its content was not kept");
        }
        Captured::TooLarge { size: got } => return Finding::wrong(reason, size(wanted.len()), format!("{got} bytes")),
        other => {
            let reason = captured::refuse_file(other).unwrap_or(reason);
            return Finding::wrong(reason, format!("a file of {}", size(wanted.len())), captured::describe_kind(other));
        }
    };
    if *got == *wanted {
        return Finding::right();
    }
    let offset = wanted.iter().zip(&*got).take_while(|(a, b)| a == b).count();
    let told = |bytes: &[u8]| {
        format!("{} bytes, from byte {offset} (counted from 0): {}", bytes.len(), render_excerpt(bytes, offset))
    };
    Finding::wrong(reason, format!("{}{known}", told(wanted)), told(&got))
}

/// Renders the bytes from an offset on: UTF-8 as text in quotes, from the character that contains the offset; otherwise as hexadecimal digits.
fn render_excerpt(bytes: &[u8], offset: usize) -> String {
    let rest = bytes.get(offset..).unwrap_or_default();
    if rest.is_empty() {
        return "the end".to_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let from = (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let cut: String = text.get(from..).unwrap_or_default().chars().take(SHOWN).collect();
        let more = if from + cut.len() < bytes.len() { " …" } else { "" };
        return format!("{cut:?}{more}");
    }
    let hex: Vec<String> = rest.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
    let more = if rest.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", hex.join(" "))
}
