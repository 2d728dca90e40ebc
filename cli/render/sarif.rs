//! SARIF 2.1.0, which code hosts and editors read: one run, with the pages of the violated rules, and one result for each diagnostic.
//!
//! Columns count UTF-16 code units, as most readers expect and `columnKind` states.

use std::collections::BTreeMap;

use compiler::diagnostics::{Applicability, Code, Diagnostic, Edit, Fix, Label};
use compiler::sources::Sources;
use model::Span;
use serde_json::{Value as Json, json};

use super::Tally;
use crate::exit::Exit;

/// The definition of the format.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The results of one run, collected over its suites.
#[derive(Default)]
pub struct Report {
    results: Vec<(&'static Code, Json)>,
}

impl Report {
    /// Adds the diagnostics of one suite.
    pub fn add_diagnostics(&mut self, diagnostics: &[&Diagnostic], sources: &Sources, tally: &mut Tally) {
        for said in diagnostics {
            tally.count_diagnostic(said);
            self.results.push((said.code, build_result(said, sources)));
        }
    }

    /// Renders the whole document of a check that ends with this status. It was successful if every suite could be read.
    pub fn into_document(self, exit: Exit) -> String {
        let codes: BTreeMap<&str, &'static Code> = self.results.iter().map(|(code, _)| (code.id, *code)).collect();
        let places: BTreeMap<&str, usize> = codes.keys().enumerate().map(|(index, id)| (*id, index)).collect();
        let results = self.results.into_iter().map(|(code, mut result)| {
            result["ruleIndex"] = places.get(code.id).copied().unwrap_or_default().into();
            result
        });
        let version = env!("CARGO_PKG_VERSION");
        let rules: Vec<Json> = codes.values().map(|code| build_rule(code)).collect();
        let run = json!({
            "tool": {"driver": {"name": "picardc", "version": version, "semanticVersion": version, "rules": rules}},
            "invocations": [{"executionSuccessful": exit < Exit::Usage}],
            "columnKind": "utf16CodeUnits",
            "results": results.collect::<Vec<Json>>(),
        });
        format!("{}\n", json!({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}))
    }
}

/// Builds a rule, whose help is the page of `explain`, for readers with and without Markdown.
fn build_rule(code: &Code) -> Json {
    json!({
        "id": code.id,
        "name": code.name,
        "shortDescription": {"text": extract_summary(code)},
        "help": {"text": code.page, "markdown": code.page},
        "defaultConfiguration": {"level": code.severity.as_str()},
    })
}

/// Returns the first paragraph of a code's page.
fn extract_summary(code: &Code) -> String {
    let body = code.page.split_once("## What").map_or("", |(_, body)| body).trim_start();
    let paragraph = body.split("\n\n").next().unwrap_or_default();
    let text = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { code.name.to_owned() } else { text }
}

fn build_result(said: &Diagnostic, sources: &Sources) -> Json {
    let help = said.iter_notes().map(|(_, text)| format!("\n{text}")).collect::<String>();
    let related = said.secondary.iter().zip(1..).map(|(label, id)| build_location(label, Some(id), sources));
    remove_missing(json!({
        "ruleId": said.code.id,
        "ruleIndex": 0,
        "level": said.severity().as_str(),
        "message": {"text": format!("{}{help}", said.message)},
        "locations": [build_location(&said.primary, None, sources)],
        "relatedLocations": related.collect::<Vec<Json>>(),
        "fixes": said.fixes.iter().map(|fix| build_fix(fix, sources)).collect::<Vec<Json>>(),
        "properties": said.observed.as_ref().map(|observed| json!({"observed": observed})),
    }))
}

fn build_location(label: &Label, id: Option<usize>, sources: &Sources) -> Json {
    remove_missing(json!({
        "id": id,
        "physicalLocation": {
            "artifactLocation": build_artifact(label.span, sources),
            "region": build_region(label.span, sources),
        },
        "message": (!label.message.is_empty()).then(|| json!({"text": label.message})),
    }))
}

/// Removes the fields of an object that are null or empty lists.
fn remove_missing(mut object: Json) -> Json {
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null() && *value != json!([]));
    }
    object
}

fn build_fix(fix: &Fix, sources: &Sources) -> Json {
    let mut files: BTreeMap<_, Vec<&Edit>> = BTreeMap::new();
    for edit in &fix.edits {
        files.entry(edit.span.file).or_default().push(edit);
    }
    let changes = files.into_values().filter_map(|edits| {
        let replacements = edits.iter().map(
            |edit| json!({"deletedRegion": build_region(edit.span, sources), "insertedContent": {"text": edit.text}}),
        );
        let artifact = build_artifact(edits.first()?.span, sources);
        Some(json!({"artifactLocation": artifact, "replacements": replacements.collect::<Vec<Json>>()}))
    });
    let applicability = match fix.applicability {
        Applicability::Safe => "safe",
        Applicability::Clear | Applicability::Unsafe => "unsafe",
    };
    json!({
        "description": {"text": fix.message},
        "artifactChanges": changes.collect::<Vec<Json>>(),
        "properties": {"applicability": applicability},
    })
}

fn build_artifact(span: Span, sources: &Sources) -> Json {
    json!({"uri": to_uri(sources.get(span.file).map_or("", |source| source.path.as_str()))})
}

/// Converts a path to a URI: bytes other than unreserved characters and `/` are percent-encoded, and an absolute path gets `file://`.
fn to_uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut out = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn build_region(span: Span, sources: &Sources) -> Json {
    let (start_line, start_column) = find_position(span.start, span, sources);
    let (end_line, end_column) = find_position(span.end, span, sources);
    json!({"startLine": start_line, "startColumn": start_column, "endLine": end_line, "endColumn": end_column})
}

/// Returns the line and column from 1, with the column in UTF-16 code units.
fn find_position(offset: u32, span: Span, sources: &Sources) -> (u32, usize) {
    let Some(source) = sources.get(span.file) else { return (1, 1) };
    let before = source.text.get(..(offset as usize).min(source.text.len())).unwrap_or_default();
    let line = before.rfind('\n').and_then(|newline| before.get(newline + 1..)).unwrap_or(before);
    (source.find_position(offset).line, line.encode_utf16().count() + 1)
}

#[cfg(test)]
mod tests {
    use compiler::diagnostics::CODES;

    use super::*;

    #[test]
    fn columns_are_utf16_and_paths_are_uris() {
        let mut sources = Sources::default();
        let file = sources.add_source("./my suite#1.pcd", "x\n𝄞é AEG\n");
        let said = Diagnostic::new(Code::UNKNOWN_COLUMN, "no column `AEG`", Span::new(file, 9, 12), "here")
            .label(Span::new(file, 0, 1), "declared here")
            .help("did you mean `AGE`?")
            .fix("replace with `AGE`", Applicability::Safe, Span::new(file, 9, 12), "AGE");
        let mut report = Report::default();
        let mut tally = Tally::default();
        report.add_diagnostics(&[&said], &sources, &mut tally);
        let log: serde_json::Value = serde_json::from_str(&report.into_document(Exit::Done)).expect("JSON");
        let result = &log["runs"][0]["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20suite%231.pcd");
        let region = serde_json::json!({ "startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 8 });
        assert_eq!(place["region"], region);
        assert_eq!(result["relatedLocations"][0]["message"]["text"], "declared here");
        let change = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
        assert_eq!((&change["deletedRegion"], &change["insertedContent"]["text"]), (&region, &"AGE".into()));
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][0]["id"], "E0203");
        assert_eq!(to_uri("/tmp/ä.pcd"), "file:///tmp/%C3%A4.pcd");
    }

    #[test]
    fn every_rule_has_a_description_of_its_own() {
        for code in CODES {
            let text = extract_summary(code);
            assert!(text.len() > 10 && text != code.name && !text.contains("```"), "{}: {text}", code.id);
        }
    }
}
