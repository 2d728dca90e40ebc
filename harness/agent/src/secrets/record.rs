//! Masks an answer before it is recorded.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use records::{Captured, Instance};
use serde_json::{Map, Value as Json};

use super::{Kind, Secrets};
use crate::agent::Answer;

impl Secrets {
    /// Masks all parts of an answer that are recorded, and records the number of masked places.
    pub fn mask_answer(&self, instance: &Instance, answer: &mut Answer) {
        if self.0.is_empty() {
            return;
        }
        let secrets = self.exclude_known(instance);
        let response = &mut answer.response;
        let mut count = response.masked.unwrap_or(0);
        count += secrets.mask_string(&mut response.reply, Kind::Said);
        if let Some(error) = &mut response.error {
            count += secrets.mask_string(error, Kind::Error);
        }
        for sql in response.sql.iter_mut().flatten() {
            count += secrets.mask_string(sql, Kind::Said);
        }
        for (_, captured) in &mut response.files {
            count += secrets.mask_captured(captured);
        }
        for message in &mut answer.transcript {
            let role = message.get("role").and_then(Json::as_str).unwrap_or_default();
            // The prompt is picardc's own.
            if role == "user" {
                continue;
            }
            let kind = if matches!(role, "picardc" | "stderr") { Kind::Error } else { Kind::Said };
            count += secrets.mask_json(message, kind);
        }
        answer.response.masked = (count > 0).then_some(count);
    }

    /// Masks a text in place. Returns the number of masked secrets.
    pub fn mask_string(&self, text: &mut String, kind: Kind) -> u32 {
        let (masked, count) = self.mask_within(text, 0..text.len(), kind);
        if count > 0 {
            *text = masked.into_owned();
        }
        count
    }

    /// Masks all texts, field names, and numbers of a document. Returns the number of masked secrets.
    pub fn mask_json(&self, json: &mut Json, kind: Kind) -> u32 {
        match json {
            Json::String(text) => self.mask_string(text, kind),
            Json::Number(number) => {
                let mut text = number.to_string();
                let count = self.mask_string(&mut text, kind);
                if count > 0 {
                    *json = Json::String(text);
                }
                count
            }
            Json::Array(items) => items.iter_mut().map(|item| self.mask_json(item, kind)).sum(),
            Json::Object(fields) => {
                let mut count = 0;
                let mut masked = Map::new();
                for (mut name, mut value) in std::mem::take(fields) {
                    count += self.mask_string(&mut name, kind) + self.mask_json(&mut value, kind);
                    masked.insert(name, value);
                }
                *fields = masked;
                count
            }
            Json::Null | Json::Bool(_) => 0,
        }
    }

    fn mask_captured(&self, captured: &mut Captured) -> u32 {
        match captured {
            Captured::Text { text } => self.mask_string(text, Kind::Said),
            Captured::Bytes { base64 } => {
                match STANDARD.decode(&*base64).ok().and_then(|bytes| self.mask_bytes(&bytes)) {
                    Some(bytes) => {
                        *base64 = STANDARD.encode(bytes);
                        1
                    }
                    None => 0,
                }
            }
            Captured::Paths { paths, .. } => paths.iter_mut().map(|path| self.mask_string(path, Kind::Said)).sum(),
            Captured::Other { what } => self.mask_string(what, Kind::Said),
            Captured::Absent | Captured::Folder | Captured::TooLarge { .. } => 0,
        }
    }
}
