//! A call of a template function: its parts, its arguments, and the condition in them.

use std::rc::Rc;

use super::contents::File;
use super::draft::{Draft, Place};
use super::text::{self, Piece};
use super::types::Kind;
use crate::import::Obstacle;
use crate::import::source;

/// The parts of a call.
pub struct FunctionCall<'c> {
    /// The full name, such as `csv_count_where`.
    pub name: &'c str,
    /// The name without the family, such as `count_where`.
    pub function: &'c str,
    /// The arguments without the file.
    pub arguments: &'c [Vec<Piece>],
    /// The file.
    pub file: Rc<File>,
}

impl FunctionCall<'_> {
    /// Returns the arguments before the file, of which there must be exactly `N`.
    pub fn take_arguments<const N: usize>(&self) -> Result<[&[Piece]; N], Obstacle> {
        let count = self.arguments.len();
        let mut all = [&[][..]; N];
        if count != N {
            return Err(Obstacle::new(format!(
                "`{}` has {count} arguments before the file and needs {N}, so PICARD does not evaluate it",
                self.name
            ))
            .cite(&[1, 7])
            .suggest("correct them, or write the expectation in .pcd, where a colon is allowed"));
        }
        for (place, argument) in all.iter_mut().zip(self.arguments) {
            *place = argument;
        }
        Ok(all)
    }

    /// Explains that the function reads another format than that of the file.
    pub fn explain_other_format(&self) -> Obstacle {
        Obstacle::new(format!("`{}` does not read the format of `{}`", self.name, self.file.component))
            .suggest("use a function of its format")
    }
}

/// Returns an argument that must not contain placeholders.
pub fn require_plain(argument: &[Piece]) -> Result<&str, Obstacle> {
    match argument {
        [] => Ok(""),
        [Piece::Text(text)] => Ok(text),
        pieces => Err(Obstacle::new(format!(
            "`{}` is drawn, but names of columns and paths are fixed here",
            text::restore_text(pieces)
        ))
        .suggest("write the expectation in .pcd")),
    }
}

/// Translates a condition on a column of texts, numbers, or dates.
pub fn translate_condition(
    draft: &mut Draft,
    column: &str,
    kind: Kind,
    operator: &str,
    value: &[Piece],
) -> Result<String, Obstacle> {
    let text = if kind == Kind::Text { column.to_owned() } else { format!("\"<<{column}>>\"") };
    let function = match operator {
        "==" | "!=" | ">" | "<" | ">=" | "<=" => {
            return Ok(format!("{column} {operator} {}", translate_operand(draft, kind, value)?));
        }
        "contains" => "contains",
        "startswith" => "starts_with",
        "endswith" => "ends_with",
        other => {
            return Err(Obstacle::new(format!("`{other}` is not an operator of PICARD"))
                .suggest("write `==`, `!=`, `>`, `<`, `>=`, `<=`, `contains`, `startswith`, or `endswith`"));
        }
    };
    Ok(format!("{function}({text}, {})", translate_operand(draft, Kind::Text, value)?))
}

/// Translates the value with which a column is compared.
fn translate_operand(draft: &mut Draft, kind: Kind, value: &[Piece]) -> Result<String, Obstacle> {
    if let [Piece::Variable(variable)] = value {
        return Ok(draft.draw_variable(variable, Place::Question)?.0);
    }
    let text = match value {
        [] => "",
        [Piece::Text(text)] => text.as_str(),
        pieces => return Ok(format!("\"{}\"", draft.render_pieces(pieces, Place::Question)?)),
    };
    let numeric = || text.parse::<f64>().is_ok_and(f64::is_finite) && text.bytes().any(|byte| byte.is_ascii_digit());
    match kind {
        Kind::Int | Kind::Decimal(_) | Kind::Float if numeric() => Ok(text.trim_start_matches('+').to_owned()),
        Kind::Int | Kind::Decimal(_) | Kind::Float => {
            Err(Obstacle::new(format!("PICARD compares a column of numbers with `{text}` as text"))
                .cite(&[17])
                .suggest("compare it with a number"))
        }
        Kind::Date if model::Date::parse_iso(text).is_some() => Ok(text.to_owned()),
        Kind::Date => Err(Obstacle::new(format!("PICARD compares dates with `{text}` as text"))
            .cite(&[17])
            .suggest("compare them with a date such as 2024-01-31")),
        Kind::Bool => match text {
            "True" => Ok("true".to_owned()),
            "False" => Ok("false".to_owned()),
            _ => Err(Obstacle::new(format!(
                "PICARD compares the text of Python, where a boolean is `True` or `False`, with `{text}`"
            ))
            .cite(&[16])
            .suggest("write `True`")),
        },
        Kind::Text | Kind::Unknown => Ok(source::render_string(text)),
    }
}
