//! Keys in many encodings, and a checker that looks for each of them. It encodes, where the code under test decodes. Tests of whole runs use it, too.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::json;

/// A small generator: the same numbers each time.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below another.
    pub fn draw_below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    /// A text of these letters.
    pub fn draw_text(&mut self, letters: &str, length: usize) -> String {
        let letters: Vec<char> = letters.chars().collect();
        (0..length).map(|_| letters[self.draw_below(letters.len())]).collect()
    }
}

pub const PLAIN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
pub const ODD: &str = "abcXYZ0189-_./+=\"\\&%<>' ~é";

fn escape_unicode(text: &str) -> String {
    text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect()
}

fn escape_percent(text: &str, is_kept: fn(&u8) -> bool) -> String {
    let one = |byte: &u8| if is_kept(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    text.as_bytes().iter().map(one).collect()
}

pub fn encode_hex(text: &str, between: &str) -> String {
    text.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(between)
}

fn wrap_lines(text: &str, width: usize) -> String {
    text.as_bytes().chunks(width).map(|line| String::from_utf8_lossy(line)).collect::<Vec<_>>().join("\r\n")
}

pub const ENCODINGS: usize = 17;

/// A text that has the key in it, in one of many forms.
pub fn encode_key(key: &str, form: usize, numbers: &mut Numbers) -> String {
    let before = numbers.draw_below(4);
    let padded = format!("{}{key}{}", numbers.draw_text(PLAIN, before), numbers.draw_text(PLAIN, 3));
    let json = json!(key).to_string();
    match form % ENCODINGS {
        0 => key.to_owned(),
        1 => json,
        2 => json!(json).to_string(),
        3 => json!(json!(json).to_string()).to_string(),
        4 => escape_unicode(key),
        5 => json!(escape_unicode(key)).to_string(),
        6 => escape_percent(key, |_| false),
        7 => escape_percent(key, u8::is_ascii_alphanumeric),
        8 => escape_percent(&escape_percent(key, u8::is_ascii_alphanumeric), u8::is_ascii_alphanumeric),
        9 => encode_hex(key, ""),
        10 => encode_hex(key, "").to_uppercase(),
        11 => encode_hex(key, ":"),
        12 => STANDARD.encode(&padded),
        13 => URL_SAFE_NO_PAD.encode(&padded),
        14 => wrap_lines(&STANDARD_NO_PAD.encode(&padded), 19),
        15 => json!(wrap_lines(&STANDARD.encode(&padded), 30)).to_string().replace('/', "\\/"),
        _ => key.chars().map(|c| format!("&#{};", u32::from(c))).collect(),
    }
}

/// A run of six characters of the key that a text has in some form.
pub fn find_leak(text: &str, key: &str) -> Option<String> {
    let joined: String = text.chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
    let lower = joined.to_lowercase();
    let characters: Vec<char> = key.chars().collect();
    characters.windows(6).map(|window| window.iter().collect::<String>()).find(|run| {
        let escaped = json!(run).to_string();
        let has = |form: &str| joined.contains(form);
        let bytes = run.as_bytes();
        let in_base64 = (0..3).any(|before| {
            let padded = [&[0; 2][..before.min(2)], bytes].concat();
            [STANDARD_NO_PAD.encode(&padded), URL_SAFE_NO_PAD.encode(&padded)].iter().any(|letters| {
                // Only letters that depend on nothing around.
                let (first, last) = ([0, 2, 3][before], 8 * padded.len() / 6);
                letters.get(first..last).is_some_and(|sure| joined.contains(sure))
            })
        });
        has(run)
            || has(&escaped[1..escaped.len() - 1])
            || lower.contains(&escape_unicode(run))
            || has(&escape_percent(run, |_| false))
            || (has(&escape_percent(run, u8::is_ascii_alphanumeric)) && run.chars().any(|c| !c.is_ascii_alphanumeric()))
            || lower.contains(&encode_hex(run, ""))
            || lower.contains(&encode_hex(run, ":"))
            || in_base64
    })
}
