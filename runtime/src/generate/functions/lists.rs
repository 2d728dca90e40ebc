//! `len nth join lines tree sort reverse dedupe coalesce`.

use std::collections::BTreeSet;

use plan::Value;

use super::args::Args;
use crate::generate::eval::Res;
use crate::generate::val::Val;

/// The items of the first argument; the one column of a result set. `None` for null.
fn items(args: Args<'_>) -> Res<Option<Vec<Value>>> {
    match args.value(0)?.into_value() {
        Value::Null => Ok(None),
        Value::List(items) => Ok(Some(items)),
        Value::Rows(set) => Ok(Some(set.rows.into_iter().flatten().collect())),
        _ => args.misfit("a list"),
    }
}

fn mapped<'a>(args: Args<'a>, map: impl FnOnce(Vec<Value>) -> Value) -> Res<Val<'a>> {
    Ok(items(args)?.map_or(Val::NULL, |items| Val::Own(map(items))))
}

/// Characters of a text, items of a list.
pub(super) fn len(args: Args<'_>) -> Res<Val<'_>> {
    let value = args.value(0)?;
    match (value.as_text(), value.value()) {
        (Some(text), _) => Ok(Val::int(text.chars().count() as i64)),
        (_, Some(Value::Null)) => Ok(Val::NULL),
        (_, Some(Value::List(items))) => Ok(Val::int(items.len() as i64)),
        (_, Some(Value::Object(fields))) => Ok(Val::int(fields.len() as i64)),
        (_, Some(Value::Rows(set))) => Ok(Val::int(set.rows.len() as i64)),
        _ => args.misfit("a text or list"),
    }
}

fn joined(items: &[Value], by: &str) -> Value {
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(by);
        }
        item.render_into(&mut out);
    }
    Value::Text(out)
}

/// `join(items, by)`
pub(super) fn join(args: Args<'_>) -> Res<Val<'_>> {
    let by = if args.len() > 1 { args.text(1)? } else { Some(Val::text(", ")) };
    let Some(by) = by else { return Ok(Val::NULL) };
    mapped(args, |items| joined(&items, by.as_text().unwrap_or_default()))
}

/// One item a line; no line end at the end.
pub(super) fn lines(args: Args<'_>) -> Res<Val<'_>> {
    mapped(args, |items| joined(&items, "\n"))
}

/// Ascending; kinds that do not compare stand apart.
pub(super) fn sort(args: Args<'_>) -> Res<Val<'_>> {
    mapped(args, |mut items| {
        items.sort_by(|a, b| Val::Ref(a).order(&Val::Ref(b)));
        Value::List(items)
    })
}

/// From the last to the first.
pub(super) fn reverse(args: Args<'_>) -> Res<Val<'_>> {
    mapped(args, |mut items| {
        items.reverse();
        Value::List(items)
    })
}

/// `nth(items, position)`: from 1; null where there is none.
pub(super) fn nth(args: Args<'_>) -> Res<Val<'_>> {
    let (items, position) = (items(args)?, args.int(1)?);
    let at = usize::try_from(position).ok().and_then(|position| position.checked_sub(1));
    let item = items.zip(at).and_then(|(items, at)| items.into_iter().nth(at));
    Ok(item.map_or(Val::NULL, Val::Own))
}

/// Without those that stood before.
pub(super) fn dedupe(args: Args<'_>) -> Res<Val<'_>> {
    mapped(args, |items| {
        let mut kept: Vec<Value> = Vec::with_capacity(items.len());
        for item in items {
            if !kept.iter().any(|other| other.same(&item)) {
                kept.push(item);
            }
        }
        Value::List(kept)
    })
}

/// The first argument that is not null; the others behind it are not evaluated.
pub(super) fn coalesce(args: Args<'_>) -> Res<Val<'_>> {
    for index in 0..args.len() {
        let value = args.value(index)?;
        if !value.is_null() {
            return Ok(value);
        }
    }
    Ok(Val::NULL)
}

/// Paths as a tree, one a line.
pub(super) fn tree(args: Args<'_>) -> Res<Val<'_>> {
    mapped(args, |items| Value::Text(drawn(items.iter().map(|item| item.render().into_owned()))))
}

/// Paths in the order of their texts, folders with a `/` behind them; folders that paths lie in are drawn though not listed.
fn drawn(paths: impl Iterator<Item = String>) -> String {
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
        let tree = super::drawn(paths.into_iter());
        assert_eq!(tree, "├── a/\n│   ├── logs/\n│   └── x/\n│       └── y.log\n└── b/\n    └── README.md");
    }
}
