//! The one place where secrets are masked: the API key, secrets in addresses and in `--request`, and values of `--env`. All output of servers and programs is
//! masked before it is shortened, and once more before it is written to a run.
//!
//! | text | masked |
//! | --- | --- |
//! | replies, files, calls, transcripts | the whole value; for a key, also each part of [`PART`] bytes |
//! | errors from servers and programs | the whole value; for a key, also each part of [`TOLD_PART`] bytes: they often show its beginning |
//!
//! A value in the prompt or the answer key of an instance is not a secret there.

mod address;
mod decode;
mod find;
mod record;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use records::Instance;
use serde_json::Value as Json;

use crate::settings::Settings;
use find::{Needle, find_places};

pub use address::{find_fault as fault_of_address, format_public, hide_secrets, mask_query, to_send};

/// The minimum length of a masked value, in bytes. Shorter words such as `EMPTY` and `ollama` are not secret, and occur in many answers.
pub const SHORTEST: usize = 8;

/// The minimum length of a masked part of a key, in bytes.
pub const PART: usize = 12;

/// The minimum length of a masked part of a key in errors, in bytes.
pub const TOLD_PART: usize = 6;

/// The number of bytes that are read beyond the kept part of a text, so a secret at its end is masked completely.
pub const EDGE: usize = 64 << 10;

/// All secrets that must not be written to a run.
#[derive(Clone, Default)]
pub struct Secrets(Arc<[Secret]>);

#[derive(Clone)]
struct Secret {
    needle: Arc<Needle>,
    /// Its replacement.
    mask: Arc<str>,
    masked: Masked,
}

/// What is masked of a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Masked {
    /// The whole, and parts of it.
    Parts,
    /// Only the whole.
    Whole,
}

/// The origin of a text, which decides how short a masked part of a key can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Output of an agent.
    Said,
    /// A text of an error.
    Error,
}

/// Shows only the number of secrets.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} secrets", self.0.len())
    }
}

impl Secrets {
    /// Collects the secrets of the settings and of the endpoint's address.
    pub fn from_settings(settings: &Settings, url: Option<&str>) -> Secrets {
        let mut all = Vec::new();
        if let Some(key) = &settings.api_key {
            add_secret(&mut all, key, "[key]", Masked::Parts);
        }
        for (what, value) in url.into_iter().flat_map(address::list_secrets) {
            add_secret(&mut all, &value, &format!("[{what}]"), Masked::Parts);
        }
        for (name, value) in &settings.request {
            collect_from_request(name, value, &mut all);
        }
        for name in &settings.env {
            if let Ok(value) = std::env::var(name) {
                let masked = if is_secret_name(name) { Masked::Parts } else { Masked::Whole };
                add_secret(&mut all, &value, &format!("[env {name}]"), masked);
            }
        }
        // Longer secrets come first: one may be a part of another.
        all.sort_by_key(|secret| usize::MAX - secret.needle.len());
        Secrets(all.into())
    }

    /// Returns the secrets that do not occur in the instance itself.
    pub fn exclude_known(&self, instance: &Instance) -> Secrets {
        if self.0.is_empty() {
            return self.clone();
        }
        let public = format!("{}\n{}\n{:?}", instance.prompt, instance.target.join("\n"), instance.expects);
        Secrets(self.0.iter().filter(|secret| !secret.needle.is_in(&public)).cloned().collect())
    }

    /// Masks the secrets in a text.
    pub fn mask_text<'t>(&self, text: &'t str, kind: Kind) -> Cow<'t, str> {
        self.mask_within(text, 0..text.len(), kind).0
    }

    /// Returns a part of a text with its secrets masked, also those that are only partly in it, and the number of masked secrets.
    pub fn mask_within<'t>(&self, text: &'t str, part: Range<usize>, kind: Kind) -> (Cow<'t, str>, u32) {
        let whole = |at: usize| (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        let begin = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let part = whole(part.start)..whole(part.end.max(part.start));
        let found = self.find_secrets(text.as_bytes(), kind);
        let found: Vec<_> = found
            .into_iter()
            .map(|(range, mask)| (begin(range.start)..whole(range.end), mask))
            .filter(|(range, _)| range.start < part.end && part.start < range.end)
            .collect();
        if found.is_empty() {
            return (Cow::Borrowed(text.get(part).unwrap_or_default()), 0);
        }
        let mut masked = String::new();
        let (mut at, mut count) = (part.start, 0);
        for (range, mask) in found {
            // A range that begins within the one before is a part of the same secret, found in another way.
            if range.start >= at || count == 0 {
                masked.push_str(text.get(at..range.start.max(at)).unwrap_or_default());
                masked.push_str(mask);
                count += 1;
            }
            at = at.max(range.end);
        }
        masked.push_str(text.get(at..part.end.max(at)).unwrap_or_default());
        (Cow::Owned(masked), count)
    }

    /// Replaces each byte of a secret by `*`, so the positions of other bytes do not change; `None` if it finds none.
    fn mask_bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let found = self.find_secrets(bytes, Kind::Said);
        if found.is_empty() {
            return None;
        }
        let mut masked = bytes.to_vec();
        for (range, _) in found {
            masked.get_mut(range).into_iter().flatten().for_each(|byte| *byte = b'*');
        }
        Some(masked)
    }

    /// Returns the ranges of secrets, in order, each with its mask.
    fn find_secrets(&self, text: &[u8], kind: Kind) -> Vec<(Range<usize>, &str)> {
        let mut found: Vec<(Range<usize>, &str)> = Vec::new();
        for secret in &*self.0 {
            let least = match kind {
                _ if secret.masked == Masked::Whole => secret.needle.len(),
                Kind::Said => PART.min(secret.needle.len()),
                Kind::Error => TOLD_PART,
            };
            let places = find_places(text, &secret.needle, least);
            found.extend(places.into_iter().map(|range| (range, &*secret.mask)));
        }
        // The sort is stable: at the same place, the longer secret comes first.
        found.sort_by_key(|(range, _)| range.start);
        found
    }
}

fn add_secret(all: &mut Vec<Secret>, value: &str, mask: &str, masked: Masked) {
    let value = value.trim();
    if value.len() >= SHORTEST {
        all.push(Secret { needle: Arc::new(Needle::new(value)), mask: mask.into(), masked });
    }
}

/// Collects the secrets of a request parameter, at any depth: all values below a secret name.
fn collect_from_request(name: &str, value: &Json, all: &mut Vec<Secret>) {
    if is_secret_name(name) {
        return collect_values(name, value, all);
    }
    match value {
        Json::Array(items) => {
            // Headers as pairs: `["Authorization", "Bearer …"]`.
            if let [Json::String(name), value] = items.as_slice()
                && is_secret_name(name)
            {
                return collect_values(name, value, all);
            }
            items.iter().for_each(|item| collect_from_request(name, item, all));
        }
        Json::Object(fields) => {
            // Headers as objects: `{"name": "Authorization", "value": "Bearer …"}`.
            let named = ["name", "key", "header"].iter().find_map(|field| fields.get(*field)?.as_str());
            if let (Some(name), Some(value)) = (named.filter(|name| is_secret_name(name)), fields.get("value")) {
                collect_values(name, value, all);
            }
            // A field `key` that contains the name of a secret is not itself secret.
            let others =
                fields.iter().filter(|(field, value)| named.is_none() || value.as_str() != named || *field == "value");
            others.for_each(|(field, value)| collect_from_request(field, value, all));
        }
        _ => {}
    }
}

/// Collects all texts and numbers of a value. The text after a word such as `Bearer` is also a secret by itself.
fn collect_values(name: &str, value: &Json, all: &mut Vec<Secret>) {
    let mask = format!("[{name}]");
    match value {
        Json::String(text) => {
            add_secret(all, text, &mask, Masked::Parts);
            if let Some((_, after)) = text.split_once(' ') {
                add_secret(all, after, &mask, Masked::Parts);
            }
        }
        Json::Number(number) => add_secret(all, &number.to_string(), &mask, Masked::Parts),
        Json::Array(items) => items.iter().for_each(|item| collect_values(name, item, all)),
        Json::Object(fields) => fields.values().for_each(|value| collect_values(name, value, all)),
        Json::Null | Json::Bool(_) => {}
    }
}

/// Endings of a name's parts that mark a secret.
const ENDS: [&str; 10] =
    ["key", "token", "secret", "password", "passwd", "pwd", "credential", "credentials", "signature", "cookie"];

/// Complete parts of a name that mark a secret.
const WHOLE: [&str; 7] = ["auth", "authorization", "bearer", "dsn", "pass", "pat", "sig"];

/// Words before `token` or `key` that show that it is not a secret but a word of a vocabulary or a name.
const HARMLESS: [&str; 27] = [
    "stop",
    "eos",
    "bos",
    "pad",
    "unk",
    "sep",
    "cls",
    "mask",
    "end",
    "start",
    "begin",
    "eot",
    "eom",
    "think",
    "thinking",
    "reasoning",
    "image",
    "special",
    "prefix",
    "suffix",
    "cache",
    "sort",
    "primary",
    "foreign",
    "public",
    "max",
    "min",
];

/// Whether a variable or parameter with this name contains a secret rather than a setting.
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut before = "";
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| {
        let said = ENDS.iter().find_map(|end| part.strip_suffix(end).map(|start| (start, *end)));
        let is_harmless = said.is_some_and(|(start, end)| {
            let start = if start.is_empty() { before } else { start };
            matches!(end, "token" | "key") && HARMLESS.contains(&start)
        });
        before = part;
        WHOLE.contains(&part) || said.is_some() && !is_harmless
    })
}

#[cfg(test)]
mod encodings;
#[cfg(test)]
mod tests;
