//! The 47 template functions, as expressions.

use super::contents::{Column, Content};
use super::draft::{Draft, Place};
use super::expression::{Expr, PrintStyle, join_values};
use super::function_call::{FunctionCall, require_plain, translate_condition};
use super::paths;
use super::text::{Call, Piece};
use super::types::Kind;
use crate::import::Obstacle;
use crate::import::source;

/// Translates a call to an expression of the suite. It gets a name if its kind is unknown, or if it may be null and the form requires a value.
///
/// # Errors
/// If PICARD would not evaluate it, or not as intended: a sentence without a period.
pub fn translate_call(draft: &mut Draft, call: &Call) -> Result<Expr, Obstacle> {
    let expr = build_expression(draft, call)?;
    Ok(draft.name_expression(expr))
}

fn build_expression(draft: &mut Draft, call: &Call) -> Result<Expr, Obstacle> {
    let Some((file, arguments)) = call.arguments.split_last() else {
        return Err(Obstacle::new(format!(
            "{} has no arguments, so PICARD does not evaluate it",
            call.render_beginning()
        ))
        .cite(&[1]));
    };
    let file = draft.find_file(file)?;
    let (family, function) = call.name.split_once('_').unwrap_or_default();
    let call = FunctionCall { name: &call.name, function, arguments, file };
    match family {
        "file" => call.translate_text_function(draft),
        "csv" => call.translate_csv_function(draft),
        "sqlite" => call.translate_sqlite_function(draft),
        "xpath" => paths::translate_xml_function(&call),
        _ => paths::translate_tree_function(draft, &call),
    }
}

impl FunctionCall<'_> {
    fn translate_text_function(&self, draft: &mut Draft) -> Result<Expr, Obstacle> {
        let file = &self.file.name;
        if matches!(self.file.content, Content::Sqlite(_)) {
            return Err(self.explain_other_format());
        }
        match self.function {
            "line" | "word" => {
                let [position] = self.take_arguments()?;
                let position = self.translate_position(draft, position, 0)?;
                Ok(Expr::new(format!("<<{}: {file}, {position}>>", self.name), Kind::Text))
            }
            _ => {
                let [] = self.take_arguments()?;
                Ok(Expr::new(format!("<<{}: {file}>>", self.name), Kind::Int))
            }
        }
    }

    fn translate_csv_function(&self, draft: &mut Draft) -> Result<Expr, Obstacle> {
        let file = &self.file.name;
        let Content::Csv(columns) = &self.file.content else { return Err(self.explain_other_format()) };
        let column = |header: &[Piece]| -> Result<(String, Kind), Obstacle> {
            let header = require_plain(header)?;
            let kind = columns.iter().find(|column| column.header == header).map(|column| column.kind);
            let name =
                source::spell_name(header).ok_or_else(|| Obstacle::new(format!("`{header}` is not a header")))?;
            Ok((format!("{file}.{name}"), kind.unwrap_or(Kind::Text)))
        };
        let sum =
            |text: String, kind: Kind, nullable| Expr { printed: PrintStyle::Float, nullable, ..Expr::new(text, kind) };
        match self.function {
            "cell" => {
                let [row, place] = self.take_arguments()?;
                if is_text(row, "0") {
                    let place: usize =
                        require_plain(place)?.parse().map_err(|_| Obstacle::new("the column of a cell is a number"))?;
                    let header = columns
                        .get(place)
                        .ok_or_else(|| Obstacle::new("the row of headers has fewer columns").cite(&[3]))?;
                    return Ok(Expr::new(source::render_string(&header.header), Kind::Text));
                }
                let (row, place) = (self.translate_position(draft, row, 0)?, self.translate_position(draft, place, 1)?);
                Ok(Expr::new(format!("csv_cell({file}, {row}, {place})"), Kind::Text))
            }
            "value" => {
                let [row, header] = self.take_arguments()?;
                let (name, kind) = column(header)?;
                Ok(Expr::new(format!("csv_value({name}, {})", self.translate_position(draft, row, 1)?), kind))
            }
            "row" => {
                let [row] = self.take_arguments()?;
                if is_text(row, "0") {
                    let headers: Vec<&str> = columns.iter().map(|column| column.header.as_str()).collect();
                    return Ok(Expr::new(source::render_string(&headers.join(",")), Kind::Text));
                }
                let row = self.translate_position(draft, row, 0)?;
                Ok(join_values(format!("csv_row({file}, {row})"), Kind::Text))
            }
            function @ ("column" | "count" | "sum" | "avg") => {
                let [header] = self.take_arguments()?;
                let (name, kind) = column(header)?;
                Ok(match function {
                    "column" => join_values(format!("csv_column({name})"), kind),
                    "count" => Expr::new(format!("count({name})"), Kind::Int),
                    "sum" => sum(format!("sum({name})"), kind, true),
                    _ => sum(format!("avg({name})"), Kind::Float, true),
                })
            }
            function => {
                let [header, filter, operator, value] = self.take_arguments()?;
                let (name, kind) = column(header)?;
                let (_, filter_kind) = column(filter)?;
                let filter = source::spell_name(require_plain(filter)?).unwrap_or_default();
                let condition = translate_condition(draft, &filter, filter_kind, require_plain(operator)?, value)?;
                Ok(match function {
                    "count_where" => Expr::new(format!("count({name} where {condition})"), Kind::Int),
                    "sum_where" => {
                        let zero = if let Kind::Decimal(_) = kind { "0.00" } else { "0" };
                        sum(format!("coalesce(sum({name} where {condition}), {zero})"), kind, false)
                    }
                    _ => sum(format!("avg({name} where {condition})"), Kind::Float, true),
                })
            }
        }
    }

    fn translate_sqlite_function(&self, draft: &mut Draft) -> Result<Expr, Obstacle> {
        let file = &self.file.name;
        let Content::Sqlite(tables) = &self.file.content else { return Err(self.explain_other_format()) };
        if self.function == "query" {
            let [query] = self.take_arguments()?;
            let query = paths::translate_query(draft, query)?;
            let text = format!("<<sqlite_query: {file}, {query}>>");
            return Ok(Expr { nullable: true, ..Expr::new(text, Kind::Unknown) });
        }
        let (row, place, name) = match self.arguments {
            [row, place] => (row, place, None),
            [row, place, table] => (row, place, Some(require_plain(table)?)),
            _ => {
                return Err(Obstacle::new("`sqlite_value` needs a row, a column, and perhaps a table")
                    .cite(&[1])
                    .suggest("correct its arguments"));
            }
        };
        let found = match name {
            None => tables.first(),
            Some(name) => tables.iter().find(|table| table.name == name),
        };
        let table = found.ok_or_else(|| {
            Obstacle::new(format!("the database has no table `{}`", name.unwrap_or_default())).cite(&[1])
        })?;
        let place = require_plain(place)?;
        let column: Option<&Column> = match place.parse::<usize>() {
            Ok(index) => table.columns.get(index),
            Err(_) => table.columns.iter().find(|column| column.header == place),
        };
        let column = column.ok_or_else(|| {
            Obstacle::new(format!("the table `{}` has no column `{place}`", table.name))
                .suggest("PICARD pastes it into SQL (defect 33), so write a query")
        })?;
        let names = source::spell_name(&table.name).zip(source::spell_name(&column.header)).unwrap_or_default();
        let (text, kind) = (format!("{file}.{}.{}", names.0, names.1), column.kind);
        let row = self.translate_position(draft, row, 1)?;
        Ok(Expr::new(format!("sqlite_value({text}, {row})"), kind))
    }

    /// Translates a position, which is a number or a drawn value, and adds `offset` to it.
    fn translate_position(&self, draft: &mut Draft, argument: &[Piece], offset: i64) -> Result<String, Obstacle> {
        if let [Piece::Variable(variable)] = argument {
            let (name, _) = draft.draw_variable(variable, Place::Question)?;
            return Ok(if offset == 0 { name } else { format!("{name} + {offset}") });
        }
        let text = require_plain(argument)?;
        let number: i64 = text.parse().map_err(|_| {
            Obstacle::new(format!("`{text}` is not a position of `{}`", self.name)).suggest("write a number")
        })?;
        if number < 0 {
            return Err(Obstacle::new(format!(
                "the position {number} of `{}` is negative, so PICARD does not evaluate it",
                self.name
            ))
            .cite(&[3]));
        }
        Ok(number.saturating_add(offset).to_string())
    }
}

fn is_text(argument: &[Piece], text: &str) -> bool {
    matches!(argument, [Piece::Text(written)] if written == text)
}
