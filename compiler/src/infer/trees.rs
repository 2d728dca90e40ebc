//! The arrays of a JSON or YAML file that can be read as tables.

use model::{Format, Value};
use tables::Unreadable;
use tables::tree::read_tree;

/// The maximum number of arrays of one file that are declared. It is lower for a large file, because each array is read and checked separately: together they
/// read at most [`MAX_BYTES`].
const MAX_READ: usize = 16;
const MAX_BYTES: usize = 16 << 20;

/// An array: its key and its path; both are `None` if the whole file is an array.
type Array = (Option<String>, Option<String>);

/// Finds the first arrays of a file. Returns them with the number of further arrays.
pub(super) fn find_arrays(format: Format, bytes: &[u8]) -> Result<(Vec<Array>, usize), Unreadable> {
    let tree = read_tree(format, bytes)?;
    let most = (MAX_BYTES / bytes.len().max(1)).clamp(1, MAX_READ);
    let mut found = Found { most, arrays: Vec::new(), more: 0 };
    collect_arrays(&tree.value, None, "$", &mut found);
    Ok((found.arrays, found.more))
}

struct Found {
    most: usize,
    arrays: Vec<Array>,
    more: usize,
}

fn collect_arrays(value: &Value, key: Option<&str>, path: &str, found: &mut Found) {
    match value {
        Value::List(items) if items.is_empty() => {}
        Value::List(_) if found.arrays.len() >= found.most => found.more += 1,
        Value::List(_) => {
            let at = key.map(|_| path.to_owned());
            found.arrays.push((key.map(str::to_owned), at));
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                collect_arrays(field, Some(name), &append_step(path, name), found);
            }
        }
        _ => {}
    }
}

/// Appends a step to a path, in the shortest form of RFC 9535.
fn append_step(path: &str, name: &str) -> String {
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
