//! Paths and queries: PICARD's subset of JSONPath, its filters, ElementTree paths, and SQL with inserted variables.

use super::contents::{Content, Shape, find_shape};
use super::draft::{Draft, Place};
use super::expression::{Expr, PrintStyle, join_values};
use super::function_call::{FunctionCall, require_plain, translate_condition};
use super::text::Piece;
use super::types::Kind;
use crate::import::Obstacle;
use crate::import::source;

/// Translates a function of JSON or YAML.
pub fn translate_tree_function(draft: &mut Draft, call: &FunctionCall<'_>) -> Result<Expr, Obstacle> {
    let file = &call.file.name;
    let Content::Tree(shape) = &call.file.content else { return Err(call.explain_other_format()) };
    let ask = |path: &str| format!("<<{}: {file}, {path}>>", call.name);
    match call.function {
        "path" | "value" => {
            let [path] = call.take_arguments()?;
            let path = require_plain(path)?;
            if call.function == "value" && path.starts_with('$') {
                return Err(Obstacle::new(format!("`{}` does not accept a path that begins with `$`", call.name))
                    .cite(&[1])
                    .suggest("remove it"));
            }
            let steps = parse_steps(path, Query::Singular)?;
            let kind = find_leaf_kind(shape, &steps);
            let printed = if kind == Kind::Bool { PrintStyle::Python } else { PrintStyle::Same };
            Ok(Expr { printed, nullable: true, ..Expr::new(ask(&render_rfc_path(&steps)), kind) })
        }
        "count" | "keys" => {
            let steps = match (call.function, call.arguments) {
                ("count", []) => Vec::new(),
                _ => {
                    let [path] = call.take_arguments()?;
                    parse_steps(require_plain(path)?, Query::Singular)?
                }
            };
            let text = if steps.is_empty() { format!("{}({file})", call.name) } else { ask(&render_rfc_path(&steps)) };
            Ok(if call.function == "count" { Expr::new(text, Kind::Int) } else { join_values(text, Kind::Text) })
        }
        "collect" => {
            let [path] = call.take_arguments()?;
            let steps = parse_steps(require_plain(path)?, Query::Plural)?;
            Ok(join_values(ask(&render_rfc_path(&steps)), find_leaf_kind(shape, &steps)))
        }
        "count_where" | "filter" => {
            let [path] = call.take_arguments()?;
            translate_filter(draft, call, shape, path)
        }
        function => {
            let [path] = call.take_arguments()?;
            let steps = parse_steps(require_plain(path)?, Query::Plural)?;
            let kind = if function == "avg" { Kind::Float } else { find_leaf_kind(shape, &steps) };
            if !kind.is_number() {
                return Err(Obstacle::new(format!(
                    "`{}` is of values that are not numbers, and PICARD gives 0 for it",
                    call.name
                ))
                .cite(&[13])
                .suggest("correct the path"));
            }
            Ok(Expr { printed: PrintStyle::Float, nullable: true, ..Expr::new(ask(&render_rfc_path(&steps)), kind) })
        }
    }
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(u64),
    Every,
}

/// How many values a path can lead to, in the words of RFC 9535.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Query {
    /// At most one.
    Singular,
    /// Any number, through `[*]`.
    Plural,
}

/// Parses a path of PICARD's subset.
fn parse_steps(path: &str, query: Query) -> Result<Vec<Step>, Obstacle> {
    let unread = |why: &str| {
        Err(Obstacle::new(format!("PICARD does not read the path `{path}` as it is meant: {why}"))
            .suggest("write the expectation in .pcd"))
    };
    let mut steps = Vec::new();
    let inner = path.strip_prefix('$').unwrap_or(path);
    if inner.contains("..") {
        return unread("`..` acts as `.`");
    }
    if inner.contains("[?") {
        return unread("it drops a filter here (defect 13)");
    }
    for segment in inner.split('.').filter(|segment| !segment.is_empty()) {
        let (key, bracket) = segment.split_once('[').map_or((segment, None), |(key, rest)| (key, Some(rest)));
        if !key.is_empty() {
            steps.push(Step::Key(key.to_owned()));
        }
        let Some(bracket) = bracket else { continue };
        let Some(inside) = bracket.strip_suffix(']').filter(|inside| !inside.contains(['[', ']'])) else {
            return unread("a segment has one `[…]`, at its end");
        };
        match inside.trim().parse() {
            Ok(index) => steps.push(Step::Index(index)),
            Err(_) if inside == "*" && query == Query::Plural => steps.push(Step::Every),
            Err(_) if inside == "*" => return unread("`[*]` is an error here"),
            Err(_) => return unread("a position is a number from 0"),
        }
    }
    Ok(steps)
}

/// Renders the path in the notation of RFC 9535.
fn render_rfc_path(steps: &[Step]) -> String {
    steps.iter().fold("$".to_owned(), |path, step| match step {
        Step::Key(key) if source::spell_key(key) == *key => format!("{path}.{key}"),
        Step::Key(key) => format!("{path}['{}']", key.replace('\\', "\\\\").replace('\'', "\\'")),
        Step::Index(index) => format!("{path}[{index}]"),
        Step::Every => format!("{path}[*]"),
    })
}

/// Returns the kind at the end of a path; [`Kind::Unknown`] if it does not exist, which the compiler rejects.
fn find_leaf_kind(shape: &Shape, steps: &[Step]) -> Kind {
    let end = steps.iter().try_fold(shape, |shape, step| match (shape, step) {
        (Shape::Array(item), Step::Index(_) | Step::Every) => Some(&**item),
        (shape, Step::Key(key)) => find_shape(shape, std::slice::from_ref(key)),
        _ => None,
    });
    to_leaf_kind(end)
}

/// Returns the kind of a leaf; [`Kind::Unknown`] for other shapes.
fn to_leaf_kind(shape: Option<&Shape>) -> Kind {
    if let Some(Shape::Leaf(kind)) = shape { *kind } else { Kind::Unknown }
}

/// Translates a path with one filter to `where` on the table of its array.
fn translate_filter(
    draft: &mut Draft,
    call: &FunctionCall<'_>,
    shape: &Shape,
    path: &[Piece],
) -> Result<Expr, Obstacle> {
    let bad =
        |why: &str| Obstacle::new(format!("PICARD does not read the filter of `{}` as it is meant: {why}", call.name));
    // Only the filter may contain variables, not the parts before and after it.
    let [Piece::Text(start), inside @ ..] = path else { return Err(bad("a path begins with a key")) };
    let (base, opened) = start.split_once("[?").ok_or_else(|| bad("it has no filter").cite(&[1]))?;
    let mut filter = vec![Piece::Text(opened.to_owned())];
    filter.extend(inside.iter().cloned());
    let mut rest = String::new();
    let mut closed = false;
    for at in 0..filter.len() {
        let Some(Piece::Text(text)) = filter.get_mut(at) else { continue };
        if let Some((before, after)) = text.clone().split_once(']') {
            *text = before.to_owned();
            rest = after.to_owned();
            closed = filter.len() == at + 1;
            break;
        }
    }
    if !closed {
        return Err(bad("a path ends with fixed keys").suggest("write the expectation in .pcd"));
    }
    let keys = |path: &str| -> Result<Vec<String>, Obstacle> {
        parse_steps(path, Query::Singular)?
            .into_iter()
            .map(|step| match step {
                Step::Key(key) => Ok(key),
                _ => Err(bad("a position next to a filter has no counterpart")
                    .suggest("write the expectation in .pcd with a JSONPath")),
            })
            .collect()
    };
    let (base, rest) = (keys(base)?, keys(rest.trim_start_matches('.'))?);
    let Some(Shape::Array(item)) = find_shape(shape, &base) else {
        return Err(bad("what it filters is not an array, and PICARD gives 0 or nothing for it")
            .cite(&[13])
            .suggest("correct the path"));
    };
    let (field, operator, value) = split_filter(&filter).ok_or_else(|| bad("it has no operator"))?;
    let Some(Shape::Leaf(kind)) = find_shape(item, std::slice::from_ref(&field)) else {
        return Err(bad(&format!("`{field}` is not a field of the items, so nothing matches"))
            .cite(&[16])
            .suggest("write one field, without `@.`, `and`, or `or`"));
    };
    if let Some(word) = value.iter().find_map(|piece| match piece {
        Piece::Text(text) => [" and ", " or ", "&&", "||"].into_iter().find(|word| text.contains(word)),
        _ => None,
    }) {
        let word = word.trim();
        return Err(bad(&format!("`{word}` becomes part of the value, so nothing matches"))
            .cite(&[16])
            .suggest("write the expectation in .pcd: `where A and B`"));
    }
    if matches!(kind, Kind::Decimal(_)) && matches!(operator, "==" | "!=") {
        return Err(bad("it compares the text of a number, where 60000 and 60000.0 differ")
            .cite(&[16])
            .suggest("use `>=` or write it in .pcd"));
    }
    let append = |path: String, key: &String| format!("{path}.{}", source::spell_name(key).unwrap_or_default());
    let table = base.iter().fold(call.file.name.clone(), append);
    let column = source::spell_name(&field).unwrap_or_default();
    let condition = translate_condition(draft, &column, *kind, operator, &value)?;
    if call.function == "count_where" {
        return Ok(Expr::new(format!("count({table} where {condition})"), Kind::Int));
    }
    if rest.is_empty() {
        return Err(bad("it prints whole objects as Python does").suggest("name the field after the filter"));
    }
    let kind = to_leaf_kind(find_shape(item, &rest));
    let column = rest.iter().fold(table, append);
    Ok(join_values(format!("list({column} where {condition})"), kind))
}

/// Splits a filter at the first operator that PICARD finds in its text.
fn split_filter(filter: &[Piece]) -> Option<(String, &'static str, Vec<Piece>)> {
    let Some((Piece::Text(text), more)) = filter.split_first() else { return None };
    let operators = [">=", "<=", "!=", "==", ">", "<", "contains", "startswith", "endswith"];
    let operator = operators.into_iter().find(|operator| text.contains(operator))?;
    let (field, value) = text.split_once(operator)?;
    let mut pieces: Vec<Piece> = vec![Piece::Text(value.trim_start().to_owned())];
    pieces.extend(more.iter().cloned());
    if let [Piece::Text(first), .., Piece::Text(last)] = pieces.as_mut_slice() {
        for quote in ['\'', '"'] {
            if first.starts_with(quote) && last.trim_end().ends_with(quote) {
                first.remove(0);
                *last = last.trim_end().trim_end_matches(quote).to_owned();
                break;
            }
        }
    } else if let [Piece::Text(only)] = pieces.as_mut_slice() {
        let text = only.trim();
        let quoted = ['\'', '"'].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
        *only = quoted.unwrap_or(text).to_owned();
    }
    pieces.retain(|piece| *piece != Piece::Text(String::new()));
    Some((field.trim().to_owned(), operator, pieces))
}

/// Translates a function of XML.
pub fn translate_xml_function(call: &FunctionCall<'_>) -> Result<Expr, Obstacle> {
    let file = &call.file.name;
    let Content::Xml(root, shape, namespace) = &call.file.content else { return Err(call.explain_other_format()) };
    if *namespace {
        return Err(Obstacle::new("PICARD's paths do not reach elements in a namespace")
            .cite(&[15])
            .suggest("write the expectation in .pcd with `local-name()`"));
    }
    let [path] = call.take_arguments()?;
    let path = require_plain(path)?;
    if call.function == "attr" {
        return Err(Obstacle::new("PICARD does not generate attributes, so `xpath_attr` never finds one")
            .cite(&[1])
            .suggest("write the file in .pcd, where `@name` is one"));
    }
    let kind = find_xml_kind(shape, path);
    let asked = |kind| -> Result<Expr, Obstacle> {
        let text = format!("<<{}: {file}, {}>>", call.name, translate_xpath(root, path)?);
        Ok(Expr { nullable: true, ..Expr::new(text, kind) })
    };
    match call.function {
        "count" => Ok(Expr { nullable: false, ..asked(Kind::Int)? }),
        "exists" => Ok(Expr { nullable: false, ..asked(Kind::Bool)? }),
        "value" => asked(kind),
        "collect" => Ok(join_values(asked(kind)?.text, kind)),
        "avg" => Ok(Expr { printed: PrintStyle::Float, ..asked(Kind::Float)? }),
        _ => Ok(Expr { printed: PrintStyle::Float, ..asked(kind)? }),
    }
}

/// Translates an ElementTree path, which begins at the children of the root, to a path from the root.
fn translate_xpath(root: &str, path: &str) -> Result<String, Obstacle> {
    let bad = |why: &str| {
        Err(Obstacle::new(format!("PICARD does not read the path `{path}` as it is meant (defect 14): {why}"))
            .suggest("write the expectation in .pcd"))
    };
    if path.starts_with('/') {
        return bad("it must not begin with `/`");
    }
    let mut rest = path;
    while let Some(open) = rest.find('[') {
        let Some(length) = rest.get(open..).and_then(|tail| tail.find(']')) else { return bad("a `[` is not closed") };
        let predicate = rest.get(open + 1..open + length).unwrap_or_default();
        if !is_predicate(predicate) {
            return bad(&format!("`[{predicate}]` matches nothing or is an error"));
        }
        rest = rest.get(open + length + 1..).unwrap_or_default();
    }
    if path.contains("()") && !path.contains("last()") || path.contains("/@") {
        return bad("functions and attributes do not work");
    }
    Ok(match path.strip_prefix('.') {
        Some(rest) => format!("/{root}{rest}"),
        None => format!("/{root}/{path}"),
    })
}

/// Whether ElementTree supports a predicate.
fn is_predicate(predicate: &str) -> bool {
    let number = |text: &str| text.parse::<u32>().is_ok_and(|number| number > 0);
    let tag = |text: &str| {
        let name = text.strip_prefix('@').unwrap_or(text);
        text == "." || !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    let quoted = |text: &str| {
        ['\'', '"'].into_iter().any(|quote| {
            text.len() >= 2 && text.starts_with(quote) && text.ends_with(quote) && text.matches(quote).count() == 2
        })
    };
    if number(predicate) || predicate == "last()" || predicate.strip_prefix("last()-").is_some_and(number) {
        return true;
    }
    match predicate.split_once("!=").or_else(|| predicate.split_once('=')) {
        Some((name, value)) => tag(name.trim()) && quoted(value.trim()),
        None => tag(predicate) && !predicate.starts_with(|c: char| c.is_ascii_digit()) && predicate != ".",
    }
}

/// Returns the kind of the elements at the end of a path, by its last tag; predicates do not change it.
fn find_xml_kind(shape: &Shape, path: &str) -> Kind {
    let mut plain = String::new();
    let mut depth = 0_u32;
    for c in path.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let last = plain.rsplit('/').next().unwrap_or_default();
    let mut kinds = Vec::new();
    collect_leaf_kinds(shape, last, &mut kinds);
    match kinds.as_slice() {
        [first, rest @ ..] if rest.iter().all(|kind| kind == first) => *first,
        _ => Kind::Unknown,
    }
}

/// Collects the kinds of all elements with a tag.
fn collect_leaf_kinds(shape: &Shape, tag: &str, kinds: &mut Vec<Kind>) {
    match shape {
        Shape::Object(fields) => {
            for (name, shape) in fields {
                let mut inner = shape;
                while let Shape::Array(item) = inner {
                    inner = item;
                }
                match inner {
                    Shape::Leaf(kind) if name == tag => kinds.push(*kind),
                    other => collect_leaf_kinds(other, tag, kinds),
                }
            }
        }
        Shape::Array(item) => collect_leaf_kinds(item, tag, kinds),
        Shape::Leaf(_) => {}
    }
}

/// Translates a query, with variables as parameters instead of inserted text.
pub fn translate_query(draft: &mut Draft, query: &[Piece]) -> Result<String, Obstacle> {
    let mut out = String::new();
    // Whether a quoted text is open.
    let mut open = false;
    for piece in query {
        match piece {
            Piece::Text(text) => {
                open ^= text.matches('\'').count() % 2 == 1;
                out.push_str(text);
            }
            Piece::Variable(variable) => {
                let (name, _) = draft.draw_variable(variable, Place::Question)?;
                out.push_str(&if open { format!("' || :{name} || '") } else { format!(":{name}") });
            }
            _ => {
                return Err(Obstacle::new("a query has a placeholder in it that is not a variable")
                    .suggest("write the expectation in .pcd"));
            }
        }
    }
    Ok(out.replace("'' || ", "").replace(" || ''", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_those_of_the_standards() {
        let path = |text: &str| parse_steps(text, Query::Plural).map(|steps| render_rfc_path(&steps));
        assert_eq!(path("$.items[*].price"), Ok("$.items[*].price".to_owned()));
        assert_eq!(path("items[0].first name"), Ok("$.items[0]['first name']".to_owned()));
        for wrong in ["$.items[-1]", "$..a", "m[0][1]", "$.items[?p>5].p", "items['k']"] {
            assert!(path(wrong).is_err(), "{wrong}");
        }
        assert_eq!(translate_xpath("feed", "item[2]/name"), Ok("/feed/item[2]/name".to_owned()));
        assert_eq!(translate_xpath("feed", ".//item[last()-1]"), Ok("/feed//item[last()-1]".to_owned()));
        assert_eq!(translate_xpath("feed", "item[name='a'][@id]"), Ok("/feed/item[name='a'][@id]".to_owned()));
        for wrong in ["//item", "item[price>10]", "item[@a='1' and @b='2']", "item/text()", "item/@id"] {
            assert!(translate_xpath("feed", wrong).is_err(), "{wrong}");
        }
    }
}
