//! SARIF 2.1.0, which code hosts and editors read: one run, with the pages of the violated rules, and one result for each diagnostic.
//!
//! Columns count UTF-16 code units, as most readers expect and `columnKind` states.

use std::collections::BTreeMap;

use compiler::diagnostics::{Applicability, Code, Diagnostic, Edit, Fix, Label};
use compiler::sources::Sources;
use model::Span;
use serde::Serialize;

use super::Tally;
use crate::exit::Exit;

/// The definition of the format.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The results of one run, collected over its suites.
#[derive(Default)]
pub struct Report {
    results: Vec<(&'static Code, SarifResult)>,
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
            result.rule_index = places.get(code.id).copied().unwrap_or_default();
            result
        });
        let driver = Driver {
            name: "picardc",
            version: env!("CARGO_PKG_VERSION"),
            semantic_version: env!("CARGO_PKG_VERSION"),
            rules: codes.values().map(|code| build_rule(code)).collect(),
        };
        let run = Run {
            tool: Tool { driver },
            invocations: [Invocation { execution_successful: exit < Exit::Usage }],
            column_kind: "utf16CodeUnits",
            results: results.collect(),
        };
        // The values have text keys and no floats, so they can always be serialized.
        let mut out = serde_json::to_string(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] }).unwrap_or_default();
        out.push('\n');
        out
    }
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: &'static str,
    short_description: Text,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

/// The page of `explain`, for readers with and without Markdown.
#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixText>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: usize,
    end_line: u32,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixText {
    description: Text,
    artifact_changes: Vec<Change>,
    properties: Properties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    artifact_location: Artifact,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

#[derive(Serialize)]
struct Properties {
    applicability: &'static str,
}

fn build_rule(code: &'static Code) -> Rule {
    Rule {
        id: code.id,
        name: code.name,
        short_description: Text { text: extract_summary(code) },
        help: Help { text: code.page, markdown: code.page },
        default_configuration: Configuration { level: code.severity.as_str() },
    }
}

/// Returns the first paragraph of a code's page.
fn extract_summary(code: &Code) -> String {
    let body = code.page.split_once("## What").map_or("", |(_, body)| body).trim_start();
    let paragraph = body.split("\n\n").next().unwrap_or_default();
    let text = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { code.name.to_owned() } else { text }
}

fn build_result(said: &Diagnostic, sources: &Sources) -> SarifResult {
    let help = said.iter_notes().map(|(_, text)| format!("\n{text}")).collect::<String>();
    let words = |label: &Label| (!label.message.is_empty()).then(|| Text { text: label.message.clone() });
    let location = |label: &Label, id| Location {
        id,
        physical_location: PhysicalLocation {
            artifact_location: build_artifact(label.span, sources),
            region: build_region(label.span, sources),
        },
        message: words(label),
    };
    SarifResult {
        rule_id: said.code.id,
        rule_index: 0,
        level: said.severity().as_str(),
        message: Text { text: format!("{}{help}", said.message) },
        locations: [location(&said.primary, None)],
        related_locations: said.secondary.iter().zip(1..).map(|(label, id)| location(label, Some(id))).collect(),
        fixes: said.fixes.iter().map(|fix| fix_text(fix, sources)).collect(),
    }
}

fn fix_text(fix: &Fix, sources: &Sources) -> FixText {
    let mut files: BTreeMap<_, Vec<&Edit>> = BTreeMap::new();
    for edit in &fix.edits {
        files.entry(edit.span.file).or_default().push(edit);
    }
    let changes = files.into_values().filter_map(|edits| {
        let replacements = edits.iter().map(|edit| Replacement {
            deleted_region: build_region(edit.span, sources),
            inserted_content: Text { text: edit.text.clone() },
        });
        let first = edits.first()?;
        Some(Change { artifact_location: build_artifact(first.span, sources), replacements: replacements.collect() })
    });
    FixText {
        description: Text { text: fix.message.clone() },
        artifact_changes: changes.collect(),
        properties: Properties {
            applicability: match fix.applicability {
                Applicability::Safe => "safe",
                Applicability::Clear | Applicability::Unsafe => "unsafe",
            },
        },
    }
}

fn build_artifact(span: Span, sources: &Sources) -> Artifact {
    Artifact { uri: to_uri(sources.get(span.file).map_or("", |source| source.path.as_str())) }
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

fn build_region(span: Span, sources: &Sources) -> Region {
    let (start_line, start_column) = find_position(span.start, span, sources);
    let (end_line, end_column) = find_position(span.end, span, sources);
    Region { start_line, start_column, end_line, end_column }
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
