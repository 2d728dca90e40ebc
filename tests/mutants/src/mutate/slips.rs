//! Mistakes of authors who know another language: SQL, Python, C, or TypeScript.

use super::{Change, Draw};
use crate::corpus::Source;

/// A text of this language, and its counterparts in other languages.
const HABITS: &[(&str, &[&str])] = &[
    (" == ", &[" = ", " === ", " is ", " is not ", " like ", " <> ", " ~ ", " := ", " eq "]),
    (" != ", &[" <> ", " is not ", " !== ", " ~= "]),
    (" and ", &[" && ", " & ", " AND ", ", "]),
    (" or ", &[" || ", " | ", " OR "]),
    ("not ", &["!", "NOT "]),
    (" > ", &[" between 20 and 30 ", " gt ", " >> ", " => "]),
    (" >= ", &[" => ", " ≥ "]),
    (" in [", &[" in (", " IN [", " not in ["]),
    ("..", &["...", " to ", "..=", "-", ":", ".. ", ","]),
    (" = ", &[" == ", " := ", " : ", ": ", " "]),
    (" : ", &[" = ", " := ", " ", ":: ", ": list "]),
    (", ", &["; ", " ", ",, ", " , "]),
    (",\n", &["\n", ";\n", ",,\n"]),
    ("\n", &[";\n", ",\n", " \\\n", " //\n", " // c\n", "\n\n"]),
    ("\"", &["'", "”", "\\\"", "`"]),
    ("# ", &["// ", "-- ", "/* "]),
    ("<<", &["{{", "${", "{", "<%", "<< ", "<"]),
    (">>", &["}}", "}", "%>", " >>", ">"]),
    ("prompt ", &["prompt: ", "prompt = ", "Prompt ", "prompts ", "question "]),
    ("expect ", &["expect: ", "expects ", "assert ", "expected "]),
    ("rows ", &["rows: ", "rows = ", "row ", "count "]),
    ("title ", &["title: ", "title = ", "name "]),
    ("version ", &["version: ", "version = "]),
    ("samples ", &["samples: ", "samples = ", "sample "]),
    ("one_of ", &["choice ", "oneof ", "one of ", "oneOf ", "enum "]),
    ("one_of [", &["one_of (", "one_of {", "one_of "]),
    ("int ", &["integer ", "Int ", "number ", "int("]),
    (" where ", &[" WHERE ", " if ", " filter ", " when ", ", "]),
    ("if ", &["IF ", "when ", "if("]),
    (" then ", &[" ? ", " { ", ": "]),
    (" else ", &[" : ", " elif ", " } else { "]),
    ("null", &["NULL", "None", "nil", "undefined"]),
    ("true", &["True", "TRUE", "yes"]),
    ("within ", &["within ±", "within: ", "tolerance "]),
    ("at \"", &["at: \"", "= \"", "path \"", "\""]),
    ("SELECT ", &["select ", "SELCT ", "FROM ", "SELECT DISTINCT ", "SELECT * "]),
    ("(", &["[", " (", "(("]),
    (")", &["]", "))", " )"]),
    (".", &["..", "->", "::", "[\"", " . "]),
    ("'", &["\"", "", "''"]),
];

pub(super) fn replace_habit(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    for _ in 0..10 {
        let (ours, theirs) = draw.pick_from(HABITS)?;
        let places: Vec<usize> = source.text.match_indices(ours).map(|(at, _)| at).collect();
        let Some(place) = draw.pick_from(&places) else { continue };
        return Some(Change { start: *place, end: place + ours.len(), text: (*draw.pick_from(theirs)?).to_owned() });
    }
    None
}
