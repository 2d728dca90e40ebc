//! The arrays of a JSON or YAML file that can be tables.

use plan::{Format, Value};
use tabular::Unreadable;
use tabular::tree::{json, yaml};

/// No more arrays of one file are declared.
const MOST: usize = 16;

/// An array: the key that it is under, and its path; of a file that is an array, neither.
type Array = (Option<String>, Option<String>);

/// The arrays of a file.
pub(super) fn arrays(format: Format, bytes: &[u8]) -> Result<Vec<Array>, Unreadable> {
    let tree = if format == Format::Yaml { yaml::read(bytes)? } else { json::read(bytes)? };
    let mut found = Vec::new();
    below(&tree.value, None, "$", &mut found);
    Ok(found)
}

fn below(value: &Value, key: Option<&str>, path: &str, found: &mut Vec<Array>) {
    if found.len() >= MOST {
        return;
    }
    match value {
        Value::List(items) if !items.is_empty() => {
            let at = key.map(|_| path.to_owned());
            found.push((key.map(str::to_owned), at));
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                below(field, Some(name), &step(path, name), found);
            }
        }
        _ => {}
    }
}

/// A path one step further down, in the shortest form of RFC 9535.
fn step(path: &str, name: &str) -> String {
    let plain = name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_')
        && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
    if plain {
        return format!("{path}.{name}");
    }
    let mut quoted = String::new();
    for char in name.chars() {
        match char {
            '\'' | '\\' => quoted.extend(['\\', char]),
            control if control.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(control))),
            char => quoted.push(char),
        }
    }
    format!("{path}['{quoted}']")
}
