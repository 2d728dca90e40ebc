//! The expectations, by scoring type.

use serde_json::Value as Json;

use super::definition::Test;
use super::draft::{Draft, Place};
use super::expression::{Expr, PrintStyle};
use super::functions::translate_call;
use super::text::{self, Piece};
use super::types::Kind;
use crate::import::Obstacle;
use crate::import::source;

/// Translates the expectation of a test to an `expect` statement.
pub fn translate_expectation(draft: &mut Draft, test: &Test<'_>) -> Result<String, Obstacle> {
    match test.scoring {
        "stringmatch" | "jsonmatch" | "readfile_stringmatch" | "readfile_jsonmatch" => {
            let (subject, key) = if test.scoring.starts_with("readfile_") {
                (format!("file {}", quote_path(draft, test.require_text("file_to_read")?)?), "expected_content")
            } else {
                ("reply".to_owned(), "expected_response")
            };
            let expected = test.require_text(key)?;
            let matched = if test.scoring.ends_with("jsonmatch") {
                format!("json {}", translate_json(draft, expected)?)
            } else {
                translate_string(draft, expected)?
            };
            Ok(format!("expect {subject} {matched}"))
        }
        "files_exist" => {
            let paths: Vec<String> = test
                .require_paths("files_to_check")?
                .into_iter()
                .map(|file| quote_path(draft, file))
                .collect::<Result<_, _>>()?;
            Ok(format!("expect files [{}]", paths.join(", ")))
        }
        // The statement `layout` is written together with the question.
        "directory_structure" => Ok("expect tree layout".to_owned()),
        other => Err(Obstacle::new(format!("`{other}` is not a scoring type of PICARD")).suggest(
            "the types are `stringmatch`, `jsonmatch`, `readfile_stringmatch`, `readfile_jsonmatch`, `files_exist`, and \
             `directory_structure`",
        )),
    }
}

/// Renders a path below the sandbox as a string.
pub fn quote_path(draft: &mut Draft, target: &str) -> Result<String, Obstacle> {
    Ok(format!("\"{}\"", draft.render_path(&Draft::strip_sandbox(target))?))
}

/// Translates an expected text to a matcher and a value.
fn translate_string(draft: &mut Draft, expected: &str) -> Result<String, Obstacle> {
    let pieces = text::parse_pieces(expected.trim())?;
    let alone = match pieces.as_slice() {
        [Piece::Call(call)] => Some(translate_call(draft, call)?),
        [Piece::Variable(variable)] => {
            let (name, kind) = draft.draw_variable(variable, Place::Question)?;
            Some(Expr::new(name, kind))
        }
        _ => None,
    };
    if let Some(expr) = alone {
        let matcher = match expr.kind {
            Kind::Bool => "bool",
            Kind::Date => "date",
            kind if kind.is_number() || kind == Kind::Unknown => "number",
            _ => "text",
        };
        return Ok(format!("{matcher} {}", expr.text));
    }
    Ok(format!("text \"{}\"", render_mixed_text(draft, &pieces)?))
}

/// Renders the text between the quotes for a key that consists of text and values.
fn render_mixed_text(draft: &mut Draft, pieces: &[Piece]) -> Result<String, Obstacle> {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Call(call) => {
                let expr = translate_call(draft, call)?;
                out.push_str(&format!("<<{}>>", render_inside_text(&expr)?));
            }
            other => out.push_str(&draft.render_pieces(std::slice::from_ref(other), Place::Question)?),
        }
    }
    Ok(out)
}

/// Renders a value inside a text.
fn render_inside_text(expr: &Expr) -> Result<String, Obstacle> {
    match (expr.printed, expr.kind) {
        (PrintStyle::Same, Kind::Decimal(places)) => Ok(format!("format({}, {places})", expr.text)),
        (PrintStyle::Same, _) => Ok(expr.text.clone()),
        (PrintStyle::Float, _) => Err(Obstacle::new(
            "a sum or mean inside a text is written with every digit of a Python float, such as `118.0`",
        )
        .cite(&[11, 12])
        .suggest("expect it alone, or in JSON")),
        (PrintStyle::Python, _) => Err(Obstacle::new("a boolean inside a text is written as Python does, `True`")
            .cite(&[8])
            .suggest("write the expectation in .pcd")),
    }
}

/// Translates a key that is JSON after its placeholders are replaced.
fn translate_json(draft: &mut Draft, expected: &str) -> Result<String, Obstacle> {
    let pieces = text::parse_pieces(expected.trim())?;
    let mut written = String::new();
    let mut values: Vec<Part> = Vec::new();
    let (mut open, mut escaped) = (false, false);
    for piece in &pieces {
        if let Piece::Text(text) = piece {
            for c in text.chars() {
                match c {
                    _ if escaped => escaped = false,
                    '\\' if open => escaped = true,
                    '"' => open = !open,
                    _ => {}
                }
            }
            written.push_str(text);
            continue;
        }
        let mark = format!("{MARK}{}{MARK}", values.len());
        written.push_str(&if open { mark } else { format!("\"{BARE}{mark}\"") });
        values.push(match piece {
            Piece::Call(call) => Part::Value(translate_call(draft, call)?),
            Piece::Variable(variable) => {
                let (name, kind) = draft.draw_variable(variable, Place::Question)?;
                Part::Value(Expr::new(name, kind))
            }
            other => Part::Inner(draft.render_pieces(std::slice::from_ref(other), Place::Question)?),
        });
    }
    let value: Json = serde_json::from_str(&written).map_err(|error| {
        Obstacle::new(format!("the key is not JSON once its values are known ({error}), so every answer is wrong"))
            .cite(&[9])
            .suggest("correct it")
    })?;
    Writer { values: &values }.write_json(&value)
}

/// Encloses the index of a value in the text of the JSON; a private use character, as is [`BARE`].
const MARK: char = '\u{e000}';
/// Marks a value that is not in quotes.
const BARE: char = '\u{e001}';

enum Part {
    Value(Expr),
    Inner(String),
}

struct Writer<'v> {
    values: &'v [Part],
}

impl Writer<'_> {
    fn write_json(&self, value: &Json) -> Result<String, Obstacle> {
        Ok(match value {
            Json::Null => "null".to_owned(),
            Json::Bool(_) | Json::Number(_) => value.to_string(),
            Json::String(text) => self.write_string(text)?,
            Json::Array(items) => {
                if let [Json::String(only)] = items.as_slice()
                    && let Some(Part::Value(Expr { list: Some((list, kind)), .. })) = self.find_bare_value(only)
                    && matches!(kind, Kind::Int | Kind::Decimal(_))
                {
                    return Ok(list.clone());
                }
                let items: Vec<String> = items.iter().map(|item| self.write_json(item)).collect::<Result<_, _>>()?;
                format!("[{}]", items.join(", "))
            }
            Json::Object(fields) => {
                let mut written = Vec::new();
                for (key, value) in fields {
                    if key.contains(MARK) {
                        return Err(Obstacle::new("a key of the expected JSON is computed, and keys are fixed here")
                            .suggest("name it"));
                    }
                    written.push(format!("{}: {}", source::spell_key(key), self.write_json(value)?));
                }
                format!("{{ {} }}", written.join(", "))
            }
        })
    }

    /// Finds the value that a text without quotes represents.
    fn find_bare_value(&self, text: &str) -> Option<&Part> {
        self.find_value(text.strip_prefix(BARE)?.trim_matches(MARK))
    }

    /// Finds a value by its number.
    fn find_value(&self, number: &str) -> Option<&Part> {
        self.values.get(number.parse::<usize>().ok()?)
    }

    fn write_string(&self, text: &str) -> Result<String, Obstacle> {
        if text.starts_with(BARE) {
            return match self.find_bare_value(text) {
                Some(Part::Value(expr)) if expr.printed == PrintStyle::Python => Err(Obstacle::new(
                    "a boolean in the expected JSON is written as Python does, `True`, so every answer is wrong",
                )
                .cite(&[8])
                .suggest("write the expectation in .pcd")),
                Some(Part::Value(expr)) if matches!(expr.kind, Kind::Text | Kind::Date) && expr.list.is_none() => {
                    Err(Obstacle::new("text in the expected JSON is not in quotes, so every answer is wrong")
                        .cite(&[9])
                        .suggest("put the placeholder in quotes"))
                }
                Some(Part::Value(expr)) if expr.list.is_none() => Ok(expr.text.clone()),
                _ => Err(Obstacle::new("values that are joined with commas are not JSON")
                    .cite(&[20])
                    .suggest("write the expectation in .pcd")),
            };
        }
        let alone = text.strip_prefix(MARK).and_then(|rest| rest.strip_suffix(MARK));
        if let Some(Part::Value(expr)) = alone.and_then(|number| self.find_value(number))
            && expr.kind == Kind::Text
            && expr.printed == PrintStyle::Same
        {
            return Ok(expr.text.clone());
        }
        let mut out = String::new();
        for (place, part) in text.split(MARK).enumerate() {
            if place % 2 == 0 {
                out.push_str(&source::escape_text(part));
                continue;
            }
            match self.find_value(part) {
                Some(Part::Value(expr)) => out.push_str(&format!("<<{}>>", render_inside_text(expr)?)),
                Some(Part::Inner(inner)) => out.push_str(inner),
                None => {
                    return Err(
                        Obstacle::new("the expected JSON has a character for private use in it").suggest("remove it")
                    );
                }
            }
        }
        Ok(format!("\"{out}\""))
    }
}
