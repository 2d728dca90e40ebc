//! The one place where secrets are masked: the API key, passwords in addresses, and values of `--env`. Whatever a server or a program sends back goes through
//! here before any of it is cut, and once more before it is written to a run.
//!
//! | where | masked |
//! | --- | --- |
//! | replies, files, calls, transcripts | the whole value; of a key, also each part of [`PART`] bytes |
//! | errors that servers and programs tell | the whole value; of a key, also each part of [`TOLD_PART`] bytes: they often show its beginning |
//!
//! A value that the instance itself has, in its prompt or its answer key, is not a secret there.

mod decode;
mod find;
mod record;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use records::Instance;

use crate::settings::Settings;
use find::{Needle, places};

/// A shorter value is not masked: words such as `EMPTY` and `ollama` are not secret, and they are in many answers. In bytes.
pub const SHORTEST: usize = 8;

/// The fewest bytes of a key in a row that are masked.
pub const PART: usize = 12;

/// The same in errors.
pub const TOLD_PART: usize = 6;

/// The number of bytes that are read beyond what is kept of a text that is cut, so that no secret is cut before it is masked.
pub const EDGE: usize = 64 << 10;

/// All that must not be written to a run.
#[derive(Clone, Default)]
pub struct Secrets(Arc<[Secret]>);

#[derive(Clone)]
struct Secret {
    needle: Arc<Needle>,
    /// What is written instead.
    mask: Arc<str>,
    /// Whether parts of it are masked, too.
    is_key: bool,
}

/// Where a text was found, which decides how short a part of a key may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What an agent says and does.
    Said,
    /// What went wrong.
    Error,
}

/// Nothing of a secret is shown.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} secrets", self.0.len())
    }
}

impl Secrets {
    /// Of the settings, and of the address that is asked.
    pub fn of(settings: &Settings, url: Option<&str>) -> Secrets {
        let mut all = Vec::new();
        if let Some(key) = &settings.api_key {
            add(&mut all, key, "[key]", true);
        }
        for (what, value) in url.into_iter().flat_map(in_address) {
            add(&mut all, &value, &format!("[{what}]"), true);
        }
        for (name, value) in settings.request.iter().filter(|(name, _)| is_secret_name(name)) {
            add(&mut all, value.as_str().unwrap_or_default(), &format!("[{name}]"), true);
        }
        for name in &settings.env {
            if let Ok(value) = std::env::var(name) {
                add(&mut all, &value, &format!("[env {name}]"), is_secret_name(name));
            }
        }
        // The longer first: one may be a part of another.
        all.sort_by_key(|secret| usize::MAX - secret.needle.len());
        Secrets(all.into())
    }

    /// Those that an instance does not have itself.
    pub fn unknown_to(&self, instance: &Instance) -> Secrets {
        if self.0.is_empty() {
            return self.clone();
        }
        let public = format!("{}\n{}\n{:?}", instance.prompt, instance.target.join("\n"), instance.expects);
        Secrets(self.0.iter().filter(|secret| !secret.needle.is_in(&public)).cloned().collect())
    }

    /// A text without secrets.
    pub fn mask<'t>(&self, text: &'t str, kind: Kind) -> Cow<'t, str> {
        self.mask_within(text, 0..text.len(), kind).0
    }

    /// A part of a text without secrets, also those that are only partly in it, and how many there are.
    pub fn mask_within<'t>(&self, text: &'t str, part: Range<usize>, kind: Kind) -> (Cow<'t, str>, u32) {
        let whole = |at: usize| (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        let begin = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let part = whole(part.start)..whole(part.end.max(part.start));
        let found = self.found(text.as_bytes(), kind);
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
            // What begins within the one before is a part of the same, seen in another way.
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

    /// Bytes in which each byte of a secret is a `*`, so that all else stays at its place; `None` if there is none.
    fn mask_bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let found = self.found(bytes, Kind::Said);
        if found.is_empty() {
            return None;
        }
        let mut masked = bytes.to_vec();
        for (range, _) in found {
            masked.get_mut(range).into_iter().flatten().for_each(|byte| *byte = b'*');
        }
        Some(masked)
    }

    /// Where secrets are, in order, each with its mask.
    fn found(&self, text: &[u8], kind: Kind) -> Vec<(Range<usize>, &str)> {
        let mut found: Vec<(Range<usize>, &str)> = Vec::new();
        for secret in &*self.0 {
            let least = match kind {
                _ if !secret.is_key => secret.needle.len(),
                Kind::Said => PART.min(secret.needle.len()),
                Kind::Error => TOLD_PART,
            };
            let places = places(text, &secret.needle, least);
            found.extend(places.into_iter().map(|range| (range, &*secret.mask)));
        }
        // The sort is stable: of two at one place, the longer secret's comes first.
        found.sort_by_key(|(range, _)| range.start);
        found
    }
}

fn add(all: &mut Vec<Secret>, value: &str, mask: &str, is_key: bool) {
    let value = value.trim();
    if value.len() >= SHORTEST {
        all.push(Secret { needle: Arc::new(Needle::new(value)), mask: mask.into(), is_key });
    }
}

/// Whether a variable or a parameter of this name holds a secret rather than a setting.
pub fn is_secret_name(name: &str) -> bool {
    let ends = ["key", "token", "secret", "password", "passwd", "pwd", "credential", "credentials", "signature"];
    let whole = ["auth", "authorization", "dsn", "pass", "pat", "sig"];
    let name = name.to_ascii_lowercase();
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| whole.contains(&part) || ends.iter().any(|end| part.ends_with(end)))
}

/// What comes after `?` in an address, without the values that are secret; `None` if nothing does.
pub fn public_query(url: &str) -> Option<String> {
    let query = url.split_once('?')?.1.split('#').next().unwrap_or_default();
    let public = |parameter: &str| match parameter.split_once('=') {
        Some((name, _)) if is_secret_name(name) => format!("{name}=[{name}]"),
        _ => parameter.to_owned(),
    };
    Some(query.split('&').map(public).collect::<Vec<_>>().join("&"))
}

/// The secrets of an address: the password, and the parameters whose names say so.
fn in_address(url: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if let Some((_, password)) = host.rsplit_once('@').and_then(|(user, _)| user.split_once(':')) {
        all.push(("password".to_owned(), password.to_owned()));
    }
    let query = rest.split_once('?').map_or("", |(_, query)| query).split('#').next().unwrap_or_default();
    for (name, value) in query.split('&').filter_map(|parameter| parameter.split_once('=')) {
        if is_secret_name(name) {
            all.push((name.to_owned(), value.to_owned()));
        }
    }
    all
}

#[cfg(test)]
mod encodings;
#[cfg(test)]
mod tests;
