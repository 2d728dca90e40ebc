//! Reads a text as a document: JSON, or YAML where that is allowed.

use model::answer_key::At;
use model::singular::Step;
use records::Reason;

use super::json::{Keep, parse_json_within};
use super::limit::Limit;
use super::yaml::parse_yaml;
use crate::finding::Finding;
use crate::got::ResponseValue;

/// Parses a text as JSON, or as YAML if that is allowed; of JSON, only the values at these places are kept.
pub fn parse_document(text: &str, at: &At, places: &[&[Step]], limit: &Limit) -> Result<ResponseValue, Finding> {
    let keep = if places.iter().any(|place| place.is_empty()) { Keep::All } else { Keep::Places(places) };
    let read = match parse_json_within(text, limit, keep) {
        Err(_) if at.yaml && limit.build_finding().is_none() => parse_yaml(text),
        read => read,
    };
    read.map_err(|why| {
        let what = if at.yaml { "YAML" } else { "JSON" };
        limit.build_finding().unwrap_or_else(|| Finding::wrong(Reason::NotJson, what, why.to_string()))
    })
}
