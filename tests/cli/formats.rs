//! What `check` writes for code hosts: SARIF, held against the official schema, and the commands of GitHub Actions.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::{DONE, GOOD, Home, NOT_GOOD, USAGE, expect};

const BROKEN: &str = "tests/cli/broken.pcd";
const LINTS: &str = "tests/cli/lints.pcd";

/// A program that holds a document against a schema: 0 it holds, 1 it does not, 3 there is nothing to hold it with.
const VALIDATE: &str = "
import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(3)
schema, document = (json.load(open(path, encoding='utf-8')) for path in sys.argv[1:])
errors = list(jsonschema.Draft7Validator(schema).iter_errors(document))
print('\\n'.join(f'{list(error.path)}: {error.message}' for error in errors))
sys.exit(1 if errors else 0)
";

fn sarif(status: i32, files: &[&str]) -> (String, Value) {
    let ran = expect(status, &[&["check", "--format", "sarif"], files].concat());
    let log = serde_json::from_str(&ran.out).expect("one JSON document");
    (ran.out, log)
}

#[test]
fn sarif_is_one_run_of_all_files() {
    let (_, log) = sarif(NOT_GOOD, &[LINTS, BROKEN]);
    assert_eq!(log["version"], "2.1.0");
    let [run] = log["runs"].as_array().expect("runs").as_slice() else { panic!("one run") };
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let ids: Vec<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(ids, ["E0203", "W0101"]);
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_eq!(rules[index]["defaultConfiguration"]["level"], result["level"]);
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a uri");
        assert!([LINTS, BROKEN].contains(&uri), "{uri}");
    }
    let error = results.iter().find(|result| result["ruleId"] == "E0203").expect("the error");
    assert_eq!(error["level"], "error");
    assert_eq!(error["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"], "P_AGE");
    assert_eq!(error["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 7);
    let (_, clean) = sarif(DONE, &[GOOD]);
    assert_eq!(clean["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn sarif_tells_when_a_file_could_not_be_read() {
    let (_, log) = sarif(USAGE, &[LINTS, "tests/cli/none.pcd"]);
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(1));
}

/// Against a copy of the schema (its terms stand beside it), by Python's jsonschema where that is installed.
#[test]
fn sarif_holds_against_the_official_schema() {
    let home = Home::new();
    let suites = testing::list_sources(testing::root().join("tests/codes"));
    let more: Vec<String> = suites.iter().map(|path| path.display().to_string()).collect();
    let files = [&[BROKEN, LINTS, GOOD][..], &more.iter().map(String::as_str).collect::<Vec<_>>()].concat();
    let (text, _) = sarif(NOT_GOOD, &files);
    let document = home.at("log.sarif");
    for (text, holds) in [(text.clone(), true), (text.replace("\"level\":\"error\"", "\"level\":\"fatal\""), false)] {
        fs::write(&document, text).expect("written");
        let Ok(output) =
            Command::new("python3").args(["-c", VALIDATE, "tests/schemas/sarif-2.1.0.json", &document]).output()
        else {
            println!("skipped: there is no python3 here");
            return;
        };
        if output.status.code() == Some(3) {
            println!("skipped: Python has no jsonschema here");
            return;
        }
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(if holds { 0 } else { 1 }), "{said}");
    }
}

#[test]
fn github_gets_a_command_a_diagnostic() {
    let ran = expect(NOT_GOOD, &["check", "--format", "github", "./tests/cli/broken.pcd", LINTS]);
    assert_eq!(ran.err, "");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[0],
        "::error file=tests/cli/broken.pcd,line=12,col=34,endLine=12,endColumn=39,title=E0203 unknown_column\
         ::`people` has no column `P_AEG`%0Ahelp: did you mean `P_AGE`?"
    );
    assert!(lines[1].starts_with("::warning file=tests/cli/lints.pcd,line="), "{}", lines[1]);
    assert_eq!(lines.len(), 2);
}
