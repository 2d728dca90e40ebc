//! Reads and writes one element of `expect` in a bundle; the two functions for each part are next to each other.
//!
//! ```text
//! {"name"?: TEXT, "subject": "reply" | {"file": PATH} | {"files": [PATH]} | {"tree": [PATH]}
//!             | {"only": [PATH]} | {"unchanged": [PATH]},
//!  "slice"?: "last_line" | {"after": TEXT} | {"fenced": LANGUAGE or null} | {"in": TAG} | {"between": [TEXT, TEXT]} | {"at": PATH, "yaml"?: true},
//!  "match": WORD, "value"?: … | "any_of"?: […],
//!  "options": {POINTER: {"within"?: "0.01" or "1%", "rounded"?: 2, "graded"?: true or {"above": "0.9"}, "ignore"?: ["case"] or ["items.CHANGED"], "ordered"?: true or {"by": [["TOWN", "desc"]]}, "unit"?: "kg" or ["h", "hours"], "written"?: [{"pattern": TEXT, "times"?: "1000"}], "open"?: true, "schema"?: true, "cells"?: "contains"}},
//!  "weight": 1, "gate"?: true, "database"?: PATH, "among"?: […], "content"?: PATH, "read"?: {"encoding"?: WORD, "delimiter"?: CHAR, "header"?: N, "skip"?: N, "skip_to"?: CELL, "until"?: CELL, "until_blank"?: true, "sheet"?: NAME, "missing"?: [CELL], "cell"?: PLACE, "database"?: true, "databases"?: [PATH], "declared"?: {…, "written"?: [[COLUMN, [{"pattern": TEXT, "times"?: "1000"}]]]}}, "traps"?: [{"name": TEXT, "at": POINTER, "value": …}]}
//! ```
//! A pointer `/*/COLUMN` is that of a column of a result set, `/TABLE/*/COLUMN` that of a column of a database. Values have the form of [`Value::encode_key`]: days are marked if the matcher reads days. `value` is missing for `exists`, `absent`, and `unchanged`, and if `content` is the path of the
//! starting file with the expected bytes.

use std::io::Write as _;

use serde::Deserialize as _;
use serde_json::{Map, Value as Json, json};

use super::{Answer, At, Days, Expected, KeyError, Read, Slice, Subject, Trap};
use crate::suite::matchers::Ignores;
use crate::suite::{CellMatch, Graded, Matcher, Options, SortKey, Told, Within};
use crate::{Decimal, Scorer, Singular, Value, json as buffer};

/// Appends one element of `expect`.
pub fn write_expected(out: &mut Vec<u8>, expect: &Expected) {
    out.push(b'{');
    if let Some(name) = &expect.name {
        out.extend_from_slice(b"\"name\":");
        buffer::write_text(out, name);
        out.push(b',');
    }
    out.extend_from_slice(b"\"subject\":");
    write_subject(out, &expect.subject);
    if let Some(at) = &expect.at {
        buffer::write_field(out, "slice", &encode_at(at));
    }
    buffer::write_field(out, "match", &expect.matcher.word());
    let days = resolve_days(expect.matcher, Scorer::CURRENT);
    match &expect.answer {
        Some(Answer::One(value)) => {
            buffer::write_key(out, "value");
            value.write_key(days, out);
        }
        Some(Answer::AnyOf(values)) => {
            buffer::write_key(out, "any_of");
            buffer::write_array(out, values, |out, value| value.write_key(days, out));
        }
        Some(Answer::Content(_)) | None => {}
    }
    buffer::write_key(out, "options");
    buffer::write_object(
        out,
        &expect.options,
        |(pointer, _)| pointer,
        |out, (_, options)| buffer::write_value(out, &encode_options(options)),
    );
    // A decimal's digits are a valid JSON number, and are written without loss.
    let _ = write!(out, ",\"weight\":{}", expect.weight);
    if expect.gate {
        buffer::write_field(out, "gate", &true);
    }
    if let Some(database) = &expect.database {
        buffer::write_field(out, "database", database);
    }
    if let Some(values) = &expect.among {
        buffer::write_key(out, "among");
        buffer::write_array(out, values, |out, value| value.write_key_json(out));
    }
    if let Some(Answer::Content(path)) = &expect.answer {
        buffer::write_field(out, "content", path);
    }
    if !expect.read.is_plain() {
        buffer::write_field(out, "read", &expect.read);
    }
    if !expect.traps.is_empty() {
        buffer::write_key(out, "traps");
        buffer::write_array(out, &expect.traps, |out, trap| write_trap(out, trap, days));
    }
    out.push(b'}');
}

/// Returns how a scorer's keys for this matcher have days.
fn resolve_days(matcher: Matcher, scorer: Scorer) -> Days {
    if scorer >= Scorer::Three && matcher.record().takes.has_days() { Days::Marked } else { Days::AsText }
}

fn write_trap(out: &mut Vec<u8>, trap: &Trap, days: Days) {
    out.extend_from_slice(b"{\"name\":");
    buffer::write_text(out, &trap.name);
    buffer::write_field(out, "at", &trap.at);
    buffer::write_key(out, "value");
    trap.value.write_key(days, out);
    out.push(b'}');
}

fn read_trap(json: &Json, days: Days) -> Result<Trap, KeyError> {
    let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
    let value = json.get("value").and_then(|value| Value::decode_key(value, days));
    match (text("name"), text("at"), value) {
        (Some(name), Some(at), Some(value)) => Ok(Trap { name, at, value }),
        _ => Err(KeyError::new(format!("the trap {json} cannot be read"))),
    }
}

fn read_traps(object: &Map<String, Json>, days: Days) -> Result<Vec<Trap>, KeyError> {
    match object.get("traps") {
        None => Ok(Vec::new()),
        Some(Json::Array(traps)) => traps.iter().map(|trap| read_trap(trap, days)).collect(),
        Some(_) => Err(KeyError::new("the `traps` of an `expect` are not an array")),
    }
}

/// Reads the output of [`write_expected`], of this version or an earlier one, in a bundle for this scorer.
///
/// # Errors
///
/// The unreadable part.
pub fn read_expected(json: &Json, scorer: Scorer) -> Result<Expected, KeyError> {
    let object = json.as_object().ok_or_else(|| KeyError::new("an `expect` is not an object"))?;
    let matcher = object.get("match").ok_or_else(|| KeyError::new("an `expect` has no `match`"))?;
    let matcher = Matcher::deserialize(matcher).map_err(|_| KeyError::new(format!("unknown matcher {matcher}")))?;
    let days = resolve_days(matcher, scorer);
    let options = match object.get("options") {
        None => Vec::new(),
        Some(Json::Object(map)) => map
            .iter()
            .map(|(pointer, options)| Ok((pointer.clone(), read_options(options, pointer, matcher)?)))
            .collect::<Result<_, KeyError>>()?,
        Some(_) => return Err(KeyError::new("the `options` of an `expect` are not an object")),
    };
    let weight = match object.get("weight") {
        None => Decimal::from_int(1),
        Some(weight) => {
            weight.to_string().parse().map_err(|_| KeyError::new(format!("the weight {weight} is not a number")))?
        }
    };
    if weight <= Decimal::from_int(0) {
        return Err(KeyError::new(format!("the weight {weight} is not greater than 0")));
    }
    let at = object.get("slice").and_then(|slice| slice.get("at")).map(|path| read_at(object, path)).transpose()?;
    Ok(Expected {
        name: object.get("name").and_then(Json::as_str).map(str::to_owned),
        subject: read_subject(object, object.get("slice").filter(|_| at.is_none()))?,
        at,
        matcher,
        answer: read_answer(object, days)?,
        options,
        weight,
        gate: object.get("gate").and_then(Json::as_bool).unwrap_or(false),
        database: object.get("database").and_then(Json::as_str).map(str::to_owned),
        among: object.get("among").map(|values| read_values(values, days)).transpose()?,
        read: object.get("read").map(Read::from_json).transpose()?.unwrap_or_default(),
        columns: Vec::new(),
        tests: Default::default(),
        traps: read_traps(object, days)?,
        span: (),
    })
}

/// Reads the values of a list.
fn read_values(json: &Json, days: Days) -> Result<Vec<Value>, KeyError> {
    let items = json.as_array().ok_or_else(|| KeyError::new(format!("{json} is not a list of values")))?;
    items.iter().map(|item| read_value(item, days)).collect()
}

fn read_value(json: &Json, days: Days) -> Result<Value, KeyError> {
    Value::decode_key(json, days).ok_or_else(|| KeyError::new(format!("{json} is not a value of an answer key")))
}

fn read_answer(object: &Map<String, Json>, days: Days) -> Result<Option<Answer>, KeyError> {
    Ok(match (object.get("value"), object.get("any_of"), object.get("content")) {
        (Some(one), None, None) => Some(Answer::One(read_value(one, days)?)),
        (None, Some(items @ Json::Array(_)), None) => Some(Answer::AnyOf(read_values(items, days)?)),
        (None, None, Some(Json::String(path))) => Some(Answer::Content(path.clone())),
        (None, None, None) => None,
        _ => {
            return Err(KeyError::new(
                "an `expect` has two of `value`, `any_of`, and `content`, an `any_of` that is not an array, or a `content` that is not a path",
            ));
        }
    })
}

fn write_subject(out: &mut Vec<u8>, subject: &Subject) {
    let Subject::Reply(slice) = subject else { return buffer::write_value(out, subject) };
    out.extend_from_slice(b"\"reply\"");
    if let Some(slice) = slice {
        buffer::write_field(out, "slice", slice);
    }
}

/// Reads the subject; `slice` is the part of the reply, if the subject is one.
fn read_subject(object: &Map<String, Json>, slice: Option<&Json>) -> Result<Subject, KeyError> {
    let subject = object.get("subject").ok_or_else(|| KeyError::new("an `expect` has no `subject`"))?;
    if subject == "reply" {
        return Ok(Subject::Reply(slice.map(read_slice).transpose()?));
    }
    let text = |json: &Json| json.as_str().map(str::to_owned);
    let texts = |json: &Json| json.as_array()?.iter().map(text).collect::<Option<Vec<_>>>();
    let known = match subject.as_object().and_then(|only| only.iter().next()) {
        Some((word, path)) if word == "file" => text(path).map(Subject::File),
        Some((word, paths)) if word == "files" => texts(paths).map(Subject::Files),
        Some((word, paths)) if word == "tree" => texts(paths).map(Subject::Tree),
        Some((word, paths)) if word == "only" => texts(paths).map(Subject::Only),
        Some((word, paths)) if word == "unchanged" => texts(paths).map(Subject::Unchanged),
        _ => None,
    };
    known.ok_or_else(|| KeyError::new(format!("unknown subject {subject}")))
}

fn encode_at(at: &At) -> Json {
    let mut fields = Map::new();
    fields.insert("at".to_owned(), at.path.as_str().into());
    if at.yaml {
        fields.insert("yaml".to_owned(), true.into());
    }
    Json::Object(fields)
}

fn read_at(expect: &Map<String, Json>, path: &Json) -> Result<At, KeyError> {
    let known = path.as_str().and_then(|path| Singular::parse(path).ok());
    let path = known.ok_or_else(|| KeyError::new(format!("the path {path} of a slice cannot be read")))?;
    let yaml = expect.get("slice").and_then(|slice| slice.get("yaml")).and_then(Json::as_bool).unwrap_or(false);
    Ok(At { path, yaml })
}

fn read_slice(json: &Json) -> Result<Slice, KeyError> {
    if json == "last_line" {
        return Ok(Slice::LastLine);
    }
    let known = match json.as_object().and_then(|only| only.iter().next()) {
        Some((word, Json::String(text))) if word == "after" => Some(Slice::After(text.clone())),
        Some((word, Json::String(language))) if word == "fenced" => Some(Slice::Fenced(Some(language.clone()))),
        Some((word, Json::Null)) if word == "fenced" => Some(Slice::Fenced(None)),
        Some((word, Json::String(tag))) if word == "in" => Some(Slice::Tag(tag.clone())),
        Some((word, Json::Array(texts))) if word == "between" => match texts.as_slice() {
            [Json::String(open), Json::String(close)] => Some(Slice::Between(open.clone(), close.clone())),
            _ => None,
        },
        _ => None,
    };
    known.ok_or_else(|| KeyError::new(format!("unknown slice {json}")))
}

fn encode_options(options: &Options) -> Map<String, Json> {
    let mut fields = Map::new();
    let mut field = |name: &str, json: Json| fields.insert(name.to_owned(), json);
    match options.within {
        Some(Within::Absolute(by)) => field("within", by.to_string().into()),
        Some(Within::Percent(by)) => field("within", format!("{by}%").into()),
        None => None,
    };
    if let Some(places) = options.rounded {
        field("rounded", places.into());
    }
    match options.graded {
        Some(Graded::Score) => field("graded", true.into()),
        Some(Graded::Above(grade)) => field("graded", json!({ "above": grade.to_string() })),
        None => None,
    };
    if !options.ignore.is_empty() {
        field("ignore", options.ignore.iter().map(|ignore| ignore.word()).collect());
    }
    if !options.parts.is_empty() {
        field("ignore", options.parts.iter().map(String::as_str).collect());
    }
    if let Some(ordered) = options.ordered {
        field("ordered", ordered.into());
    }
    if !options.sorted_by.is_empty() {
        let key = |key: &SortKey| match key.is_descending {
            true => json!([key.column, "desc"]),
            false => json!([key.column]),
        };
        field("ordered", json!({ "by": options.sorted_by.iter().map(key).collect::<Vec<_>>() }));
    }
    if let Some(cells) = options.cells {
        field("cells", cells.word().into());
    }
    if !options.units.is_empty() {
        let only = options.units.first().filter(|_| options.units.len() == 1);
        field("unit", only.map_or_else(|| options.units.as_slice().into(), |unit| unit.as_str().into()));
    }
    if !options.written.is_empty() {
        field("written", options.written.iter().map(encode_told).collect());
    }
    if options.open {
        field("open", true.into());
    }
    if options.schema {
        field("schema", true.into());
    }
    fields
}

fn encode_told(told: &Told) -> Json {
    match told.times {
        Some(times) => json!({ "pattern": told.pattern, "times": times.to_string() }),
        None => json!({ "pattern": told.pattern }),
    }
}

pub(super) fn read_told(json: &Json) -> Option<Told> {
    let times = match json.get("times") {
        None => None,
        Some(times) => Some(times.as_str()?.parse().ok()?),
    };
    Some(Told { pattern: json.get("pattern")?.as_str()?.to_owned(), times })
}

/// Reads the options at a pointer of the answer.
fn read_options(json: &Json, pointer: &str, matcher: Matcher) -> Result<Options, KeyError> {
    let object = json.as_object().ok_or_else(|| KeyError::new("options are not an object"))?;
    let wrong = |name: &str, json: &Json, why: &str| KeyError::new(format!("`{name}` {json} {why}"));
    let mut options = Options::default();
    if let Some(within) = object.get("within") {
        let text = within.as_str().unwrap_or_default();
        let (digits, percent) = text.strip_suffix('%').map_or((text, false), |digits| (digits, true));
        let by: Decimal = digits.parse().map_err(|_| wrong("within", within, "is not a tolerance"))?;
        options.within = Some(if percent { Within::Percent(by) } else { Within::Absolute(by) });
    }
    if let Some(places) = object.get("rounded") {
        let known = places.as_u64().and_then(|places| u8::try_from(places).ok());
        options.rounded = Some(known.ok_or_else(|| wrong("rounded", places, "is not a number of places"))?);
    }
    options.graded = match object.get("graded") {
        None | Some(Json::Bool(false)) => None,
        Some(Json::Bool(true)) => Some(Graded::Score),
        Some(graded) => {
            let above = graded.get("above").and_then(Json::as_str).and_then(|grade| grade.parse().ok());
            Some(Graded::Above(above.ok_or_else(|| wrong("graded", graded, "is unknown"))?))
        }
    };
    if let Some(words) = object.get("ignore") {
        let unknown = |_| wrong("ignore", words, "is unknown");
        match matcher.record().ignores {
            // A column ignores differences.
            Ignores::Parts if pointer.is_empty() => {
                options.parts = serde_json::from_value(words.clone()).map_err(unknown)?
            }
            _ => options.ignore = serde_json::from_value(words.clone()).map_err(unknown)?,
        }
    }
    if let Some(unit) = object.get("unit") {
        options.units = match unit {
            Json::Array(units) => units.iter().map(|unit| unit.as_str().map(str::to_owned)).collect(),
            one => one.as_str().map(|unit| vec![unit.to_owned()]),
        }
        .ok_or_else(|| wrong("unit", unit, "is not a text"))?;
    }
    if let Some(written) = object.get("written") {
        let told = written.as_array().and_then(|all| all.iter().map(read_told).collect());
        options.written = told.ok_or_else(|| wrong("written", written, "is unknown"))?;
    }
    let flag = |name: &str| object.get(name).and_then(Json::as_bool);
    options.ordered = flag("ordered");
    if let Some(by) = object.get("ordered").and_then(|ordered| ordered.get("by")) {
        let keys = by.as_array().and_then(|keys| keys.iter().map(read_sort_key).collect());
        options.sorted_by = keys.ok_or_else(|| wrong("ordered", by, "does not list columns"))?;
    }
    if let Some(cells) = object.get("cells") {
        options.cells = Some(CellMatch::deserialize(cells).map_err(|_| wrong("cells", cells, "is unknown"))?);
    }
    options.open = flag("open").unwrap_or(false);
    options.schema = flag("schema").unwrap_or(false);
    Ok(options)
}

/// Reads `["TOWN"]` or `["TOWN", "desc"]`.
fn read_sort_key(json: &Json) -> Option<SortKey> {
    match json.as_array()?.as_slice() {
        [column] => Some(SortKey { column: column.as_str()?.to_owned(), is_descending: false }),
        [column, desc] if desc == "desc" => Some(SortKey { column: column.as_str()?.to_owned(), is_descending: true }),
        _ => None,
    }
}

#[cfg(test)]
#[path = "codec_tests.rs"]
mod tests;
