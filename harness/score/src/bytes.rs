//! `bytes`, `unchanged`: a file held against other bytes, of which not one may differ; and files in an encoding.

use std::borrow::Cow;

use model::Value;
use model::answer_key::{Answer, Expected};
use records::{Captured, Reason};
use tables::Encoding;

use crate::StartFiles;
use crate::finding::Finding;
use crate::paths;
use crate::read::clean;
use crate::rules::Rules;

/// The number of bytes that are shown from the first difference on.
const SHOWN: usize = 24;

/// In what encoding the file of an expectation is.
pub fn resolve_encoding(expect: &Expected, rules: &Rules) -> Encoding {
    let word = expect.read.encoding.as_deref().filter(|_| rules.encoded_files);
    word.and_then(Encoding::from_word).unwrap_or(Encoding::Utf8)
}

/// A text as the bytes of the file of an expectation; the letter that its encoding lacks, if there is one.
pub fn encode_text<'t>(text: &'t str, expect: &Expected, rules: &Rules) -> Result<Cow<'t, [u8]>, char> {
    resolve_encoding(expect, rules).encode(text)
}

/// The text of a file as it is read.
pub fn decode_text(found: &Captured, encoding: Encoding) -> Result<Cow<'_, str>, Finding> {
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
        Captured::TooLarge { size } => wrong(Reason::TooLarge, format!("a file of {size} bytes")),
        Captured::Absent => wrong(Reason::NoFile, "nothing".to_owned()),
        Captured::Folder | Captured::Paths { .. } | Captured::Other { .. } => {
            wrong(Reason::WrongKind, paths::describe_kind(found))
        }
    }
}

/// A file's bytes, held against each accepted answer; of the wrong ones the first is told. Nothing is trimmed, decoded or composed.
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
        Some(Answer::One(value)) => text(value),
        Some(Answer::AnyOf(values)) => {
            let findings: Vec<Finding> = values.iter().map(text).collect();
            let best = findings.iter().find(|finding| finding.is_right()).or(findings.first());
            best.cloned().unwrap_or_else(|| Finding::wrong(Reason::BadKey, "`any_of` lists no answer", ""))
        }
        Some(Answer::Content(path)) => match start.read_file(path) {
            Some(wanted) => one(&wanted),
            None => Finding::wrong(Reason::BadKey, format!("the content of {path}"), "no such file at the start"),
        },
        None => Finding::wrong(Reason::BadKey, "`bytes` without an answer", ""),
    }
}

/// Whether a file has these very bytes. `reason` is why it is wrong where one differs; `known` follows what was expected, for people.
pub fn compare_bytes(wanted: &[u8], found: &Captured, reason: Reason, known: &str) -> Finding {
    let size = |bytes: usize| format!("{bytes} bytes{known}");
    let decoded;
    let got = match found {
        Captured::Text { text } => text.as_bytes(),
        Captured::Bytes { .. } => match found.to_bytes() {
            Some(bytes) => {
                decoded = bytes;
                &decoded
            }
            None => return Finding::wrong(reason, size(wanted.len()), "bytes that cannot be read"),
        },
        Captured::TooLarge { size: got } if usize::try_from(*got) == Ok(wanted.len()) => {
            return Finding::wrong(Reason::TooLarge, size(wanted.len()), "as many, but its content was not kept");
        }
        Captured::TooLarge { size: got } => return Finding::wrong(reason, size(wanted.len()), format!("{got} bytes")),
        other => {
            let reason = paths::find_wrong_kind(other, false).unwrap_or(reason);
            return Finding::wrong(reason, format!("a file of {}", size(wanted.len())), paths::describe_kind(other));
        }
    };
    if got == wanted {
        return Finding::right();
    }
    let offset = wanted.iter().zip(got).take_while(|(a, b)| a == b).count();
    let told = |bytes: &[u8]| {
        format!("{} bytes, from byte {offset} (counted from 0): {}", bytes.len(), render_excerpt(bytes, offset))
    };
    Finding::wrong(reason, format!("{}{known}", told(wanted)), told(got))
}

/// What there is from an offset on: of UTF-8 as text in quotes, from the character that the offset is in; else as hexadecimal digits.
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
