//! Functions of lists and objects, and the first value that is not null.

use std::collections::BTreeSet;

use super::record::{Arranges, Fraction, Kernel, MAX_COUNT, Order, Pick, Position, Record, Results, functions, values};
use super::{FunctionError, Inputs, Made};
use crate::Value;
use crate::val::Val;

functions! {
    COALESCE = Record {
        by_character: true, total: true,
        name: "coalesce",
        also: &["ifnull", "nvl"],
        kernel: Kernel::FirstKnown,
        order: Order::Kept,
        fraction: Fraction::Kept,
        ..Record::BASE
    };
    DEDUPE = Record {
        by_character: true, total: true,
        also: &["unique", "distinct"],
        arranges: Some(Arranges::Deduped),
        order: Order::Kept,
        fraction: Fraction::Kept,
        ..values("dedupe", |inputs| map_items(inputs, remove_duplicates))
    };
    /// The items of a list as one text.
    JOIN = Record { by_character: true, total: true, order: Order::Written, folded: false, ..values("join", join_list) };
    /// The number of characters of a text, or of items of a list.
    LEN = Record { by_character: true, total: true, also: &["length", "size"], results: Results::Within(0, MAX_COUNT), ..values("len", len) };
    LINES = Record {
        total: true,
        order: Order::Written,
        folded: false,
        ..values("lines", |inputs| map_items(inputs, |items| join_items(&items, "\n")))
    };
    /// The item of a list at a position, or null.
    NTH = Record {
        by_character: true, total: true,
        picks: Some(Pick::Place),
        order: Order::Picked,
        fraction: Fraction::Kept,
        positions: &[(1, Position::Item)],
        ..values("nth", pick_nth)
    };
    // Comparisons ignore the order of an object's fields.
    OBJECT = Record {
        name: "object",
        also: &["dict", "zip", "json_object", "to_dict"],
        kernel: Kernel::Fields,
        fraction: Fraction::Kept,
        ..Record::BASE
    };
    REVERSE = Record {
        by_character: true, total: true,
        arranges: Some(Arranges::Reversed),
        order: Order::Kept,
        fraction: Fraction::Kept,
        ..values("reverse", |inputs| map_items(inputs, |items| Value::List(items.into_iter().rev().collect())))
    };
    SORT = Record {
        by_character: true, total: true,
        also: &["sorted", "order"],
        arranges: Some(Arranges::Sorted),
        fraction: Fraction::Kept,
        ..values("sort", |inputs| map_items(inputs, sort_items))
    };
    TREE = Record { total: true, folded: false, ..values("tree", |inputs| map_items(inputs, render_tree)) };
}

/// Checks whether a list (or the only column of a result set) contains a value; `None` for other values.
pub fn has_item(list: &Val<'_>, value: &Val<'_>) -> Option<bool> {
    let is = |item: &Value| !item.is_null() && Val::Ref(item).is_same(value);
    match list.as_value() {
        Some(Value::List(items)) => Some(items.iter().any(is)),
        Some(Value::Rows(set)) => Some(set.rows.iter().flatten().any(is)),
        _ => None,
    }
}

/// Takes the items of the first value: of a list, or of a result set's only column. `None` for null.
fn take_items(inputs: &mut Inputs<'_>) -> Result<Option<Vec<Value>>, FunctionError> {
    match inputs.take_value(0)?.into_value() {
        Value::Null => Ok(None),
        Value::List(items) => Ok(Some(items)),
        Value::Rows(set) => Ok(Some(set.rows.into_iter().flatten().collect())),
        _ => inputs.report_misfit("a list"),
    }
}

fn map_items(mut inputs: Inputs<'_>, map: impl FnOnce(Vec<Value>) -> Value) -> Made<'_> {
    Ok(take_items(&mut inputs)?.map_or(Val::NULL, |items| Val::Own(map(items))))
}

/// Counts the characters of a text, or the items of a list.
fn len(inputs: Inputs<'_>) -> Made<'_> {
    let value = inputs.read_value(0)?;
    match (value.as_text(), value.as_value()) {
        (Some(text), _) => Ok(Val::from_int(text.chars().count() as i64)),
        (_, Some(Value::Null)) => Ok(Val::NULL),
        (_, Some(Value::List(items))) => Ok(Val::from_int(items.len() as i64)),
        (_, Some(Value::Object(fields))) => Ok(Val::from_int(fields.len() as i64)),
        (_, Some(Value::Rows(set))) => Ok(Val::from_int(set.rows.len() as i64)),
        _ => inputs.report_misfit("a text or list"),
    }
}

fn join_items(items: &[Value], by: &str) -> Value {
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(by);
        }
        item.render_into(&mut out);
    }
    Value::Text(out)
}

fn join_list(mut inputs: Inputs<'_>) -> Made<'_> {
    let items = take_items(&mut inputs)?;
    let by = if inputs.values.len() > 1 { inputs.read_text(1)? } else { Some(", ") };
    Ok(items.zip(by).map_or(Val::NULL, |(items, by)| Val::Own(join_items(&items, by))))
}

/// Sorts items in ascending order; kinds that cannot be compared are grouped.
fn sort_items(mut items: Vec<Value>) -> Value {
    items.sort_by(|a, b| Val::Ref(a).compare_total(&Val::Ref(b)));
    Value::List(items)
}

/// Returns the item at a position from 1; null if it does not exist.
fn pick_nth(mut inputs: Inputs<'_>) -> Made<'_> {
    let (items, position) = (take_items(&mut inputs)?, inputs.read_int(1)?);
    let at = usize::try_from(position).ok().and_then(|position| position.checked_sub(1));
    let item = items.zip(at).and_then(|(items, at)| items.into_iter().nth(at));
    Ok(item.map_or(Val::NULL, Val::Own))
}

/// Removes items that occurred before.
fn remove_duplicates(items: Vec<Value>) -> Value {
    let mut kept: Vec<Value> = Vec::with_capacity(items.len());
    for item in items {
        if !kept.iter().any(|other| other.is_same(&item)) {
            kept.push(item);
        }
    }
    Value::List(kept)
}

/// Renders paths as a tree, one per line.
fn render_tree(paths: Vec<Value>) -> Value {
    Value::Text(draw_tree(paths.iter().map(|path| path.render_text().into_owned())))
}

/// Draws paths in the order of their texts, with a `/` after folders. A folder that contains a path is drawn even if it is not listed.
fn draw_tree(paths: impl Iterator<Item = String>) -> String {
    let mut all = BTreeSet::new();
    for path in paths {
        let path = path.trim_start_matches("./");
        all.extend(path.match_indices('/').map(|(at, _)| path[..=at].to_owned()));
        all.insert(path.to_owned());
    }
    all.remove("");
    let parent = |path: &str| path.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
    // The last child of each folder ends its branch.
    let mut last = std::collections::BTreeMap::new();
    for path in &all {
        last.insert(path[..parent(path)].to_owned(), path.as_str());
    }
    let is_last = |path: &str| last.get(&path[..parent(path)]).copied() == Some(path);
    let mut out = String::new();
    for path in &all {
        if !out.is_empty() {
            out.push('\n');
        }
        let start = parent(path);
        for (at, _) in path[..start].match_indices('/') {
            out.push_str(if is_last(&path[..=at]) { "    " } else { "│   " });
        }
        out.push_str(if is_last(path) { "└── " } else { "├── " });
        out.push_str(&path[start..]);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_tree_draws_the_folders_that_paths_lie_in() {
        let paths = ["b/README.md", "a/", "a/x/y.log", "a/logs/"].map(str::to_owned);
        let tree = super::draw_tree(paths.into_iter());
        assert_eq!(tree, "├── a/\n│   ├── logs/\n│   └── x/\n│       └── y.log\n└── b/\n    └── README.md");
    }
}
