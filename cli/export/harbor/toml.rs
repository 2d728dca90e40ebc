//! The file `task.toml` of Harbor, schema 1.4.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};

/// The description of a task.
pub(super) struct Task<'a> {
    /// The name, as `org/name`.
    pub name: &'a str,
    pub version: &'a str,
    pub title: &'a str,
    pub tags: &'a [String],
    /// The metadata, without null values.
    pub metadata: &'a Map<String, Json>,
    /// The working folder of the agent.
    pub work: &'a str,
}

impl Task<'_> {
    pub(super) fn to_text(&self) -> String {
        let Task { name, version, title, tags, metadata, work } = self;
        let tags = Json::from(tags.to_vec());
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "schema_version = \"1.4\"\nartifacts = [{}]\n\n[task]\nname = {}\nversion = {}\ndescription = {}\nkeywords = {}\n\n[metadata]\n",
            render_string(work),
            render_string(name),
            render_string(version),
            render_string(title),
            render_value(&tags),
        );
        for (name, json) in *metadata {
            let _ = writeln!(out, "{name} = {}", render_value(json));
        }
        let _ = write!(
            out,
            "\n[environment]\nnetwork_mode = \"no-network\"\nworkdir = {}\n\n[verifier]\nenvironment_mode = \"separate\"\n\n\
             [verifier.environment]\nnetwork_mode = \"no-network\"\n",
            render_string(work)
        );
        out
    }
}

/// Renders a TOML string.
fn render_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Renders a JSON value in TOML. Null, which TOML lacks, becomes an empty string.
fn render_value(json: &Json) -> String {
    match json {
        Json::Null => render_string(""),
        Json::Bool(_) | Json::Number(_) => json.to_string(),
        Json::String(string) => render_string(string),
        Json::Array(items) => format!("[{}]", items.iter().map(render_value).collect::<Vec<_>>().join(", ")),
        Json::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, json)| format!("{} = {}", render_string(name), render_value(json))).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(render_string("a \"b\" \\ \n\u{7f} {{x}} é😀"), r#""a \"b\" \\ \u000a\u007f {{x}} é😀""#);
        assert_eq!(render_value(&json!({"a b": ["x", 1, true]})), r#"{"a b" = ["x", 1, true]}"#);
    }
}
