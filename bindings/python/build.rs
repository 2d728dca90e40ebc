//! Copies the docstrings of `py/picardc/_picardc.pyi` to the module: `help(picardc.Suite)` then shows the same text as type checkers and editors.
//!
//! Writes a macro: `documented!(Suite.identity)` is the text, and a name without a docstring does not compile.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const STUBS: &str = "py/picardc/_picardc.pyi";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={STUBS}");
    println!("cargo::rerun-if-changed=build.rs");
    let mut arms = String::new();
    for (name, text) in collect_docstrings(&fs::read_to_string(STUBS)?) {
        writeln!(arms, "    ({name}) => {{ {text:?} }};")?;
    }
    let out = env::var_os("OUT_DIR").ok_or("cargo says where to write")?;
    fs::write(Path::new(&out).join("documented.rs"), format!("macro_rules! documented {{\n{arms}}}\n"))?;
    Ok(())
}

/// Returns the docstring of each class, method, property, and function: `Suite`, `Suite.identity`, `compile`. Classes are not nested. For overloads, the
/// last one with a docstring counts.
fn collect_docstrings(stubs: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    // The current class, and the name to which a following docstring belongs.
    let (mut class, mut named): (Option<&str>, Option<String>) = (None, None);
    let mut lines = stubs.lines();
    while let Some(line) = lines.next() {
        let (code, indent) = (line.trim_start(), line.len() - line.trim_start().len());
        if let Some(name) = parse_defined_name(code, "class ") {
            (class, named) = (Some(name), Some(name.to_owned()));
        } else if let Some(name) = parse_defined_name(code, "def ") {
            if indent == 0 {
                class = None;
            }
            named = Some(class.map_or_else(|| name.to_owned(), |class| format!("{class}.{name}")));
        } else if let Some(first) = code.strip_prefix("\"\"\"") {
            let mut text = vec![first];
            while text.last().is_some_and(|line| !line.trim_end().ends_with("\"\"\"")) {
                let Some(next) = lines.next() else { break };
                text.push(next.get(indent..).unwrap_or_default());
            }
            let text = text.join("\n");
            if let Some(name) = named.take() {
                found.retain(|(known, _)| *known != name);
                found.push((name, text.trim_end().trim_end_matches("\"\"\"").trim_end().to_owned()));
            }
        }
    }
    found
}

/// Returns the name that a line defines.
fn parse_defined_name<'a>(code: &'a str, word: &str) -> Option<&'a str> {
    let rest = code.strip_prefix(word)?;
    rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}
