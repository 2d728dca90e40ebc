//! The 47 template functions as expressions.

use super::draft::{Draft, Expr, Place, Printed, written};
use super::files::{Column, Content, Shape};
use super::paths;
use super::text::{Call, Piece};
use super::types::Kind;
use crate::import::source;

/// Whether PICARD has a function of this name.
pub fn is_function(name: &str) -> bool {
    const FILE: &[&str] = &["line", "word", "line_count", "word_count"];
    const CSV: &[&str] =
        &["cell", "value", "row", "column", "count", "sum", "avg", "count_where", "sum_where", "avg_where"];
    const TREE: &[&str] =
        &["path", "value", "count", "keys", "sum", "avg", "max", "min", "collect", "count_where", "filter"];
    const XML: &[&str] = &["value", "attr", "count", "exists", "collect", "sum", "avg", "max", "min"];
    const SQL: &[&str] = &["query", "value"];
    let families =
        [("file_", FILE), ("csv_", CSV), ("sqlite_", SQL), ("json_", TREE), ("yaml_", TREE), ("xpath_", XML)];
    families.into_iter().any(|(prefix, names)| name.strip_prefix(prefix).is_some_and(|rest| names.contains(&rest)))
}

/// A call as an expression of the suite.
///
/// # Errors
/// PICARD would not evaluate it, or not as it is meant: a sentence without a period.
pub fn expression(draft: &mut Draft, call: &Call) -> Result<Expr, String> {
    let Some((file, arguments)) = call.arguments.split_last() else {
        return Err(format!("{} has no arguments, so PICARD does not evaluate it (defect 1)", call.shown()));
    };
    let index = draft.file(file)?;
    let (family, function) = call.name.split_once('_').unwrap_or_default();
    let call = Asked { name: &call.name, function, arguments, index };
    match family {
        "file" => call.of_text(draft),
        "csv" => call.of_csv(draft),
        "sqlite" => call.of_database(draft),
        "xpath" => paths::of_xml(draft, &call),
        _ => paths::of_tree(draft, &call),
    }
}

/// A call, taken apart.
pub struct Asked<'c> {
    /// `csv_count_where`
    pub name: &'c str,
    /// `count_where`
    pub function: &'c str,
    /// Without the file.
    pub arguments: &'c [Vec<Piece>],
    /// Which file.
    pub index: usize,
}

impl Asked<'_> {
    /// Exactly `N` arguments before the file.
    pub fn takes<const N: usize>(&self) -> Result<[&[Piece]; N], String> {
        let count = self.arguments.len();
        let mut all = [&[][..]; N];
        if count != N {
            return Err(format!(
                "`{}` has {count} arguments before the file and needs {N}, so PICARD does not evaluate it (defects 1 and 7); correct them, or \
                 write the expectation in .pcd, where a colon is allowed",
                self.name
            ));
        }
        for (place, argument) in all.iter_mut().zip(self.arguments) {
            *place = argument;
        }
        Ok(all)
    }

    fn file<'d>(&self, draft: &'d Draft) -> Result<&'d super::files::File, String> {
        draft.files.get(self.index).ok_or_else(|| "the file is not declared".to_owned())
    }

    /// The file's name in the suite.
    pub fn file_name(&self, draft: &Draft) -> Result<String, String> {
        Ok(self.file(draft)?.name.clone())
    }

    /// What is in the file.
    pub fn content<'d>(&self, draft: &'d Draft) -> Result<&'d Content, String> {
        Ok(&self.file(draft)?.content)
    }

    /// The function reads another format.
    pub fn other_format(&self, draft: &Draft) -> Result<String, String> {
        let component = &self.file(draft)?.component;
        Ok(format!("`{}` does not read the format of `{component}`; use a function of its format", self.name))
    }

    fn of_text(&self, draft: &mut Draft) -> Result<Expr, String> {
        let file = self.file_name(draft)?;
        if matches!(self.content(draft)?, Content::Sqlite(_)) {
            return Err(self.other_format(draft)?);
        }
        match self.function {
            "line" | "word" => {
                let [position] = self.takes()?;
                let position = self.position(draft, position, 0)?;
                Ok(Expr::new(format!("<<{}: {file}, {position}>>", self.name), Kind::Text))
            }
            _ => {
                let [] = self.takes()?;
                Ok(Expr::new(format!("<<{}: {file}>>", self.name), Kind::Int))
            }
        }
    }

    fn of_csv(&self, draft: &mut Draft) -> Result<Expr, String> {
        let file = self.file_name(draft)?;
        let Content::Csv(columns) = self.content(draft)? else { return Err(self.other_format(draft)?) };
        let columns = columns.clone();
        let column = |header: &str| -> Result<(String, Kind), String> {
            let kind = columns.iter().find(|column| column.header == header).map(|column| column.kind);
            let name = source::name(header).ok_or_else(|| format!("`{header}` is not a header"))?;
            Ok((format!("{file}.{name}"), kind.unwrap_or(Kind::Text)))
        };
        let sum =
            |text: String, kind: Kind, nullable| Expr { printed: Printed::Float, nullable, ..Expr::new(text, kind) };
        match self.function {
            "cell" => {
                let [row, place] = self.takes()?;
                if is(row, "0") {
                    let place: usize =
                        plain(place)?.parse().map_err(|_| "the column of a cell is a number".to_owned())?;
                    let header = columns.get(place).ok_or("the row of headers has fewer columns (defect 3)")?;
                    return Ok(Expr::new(source::string(&header.header), Kind::Text));
                }
                let (row, place) = (self.position(draft, row, 0)?, self.position(draft, place, 1)?);
                Ok(Expr::new(format!("csv_cell({file}, {row}, {place})"), Kind::Text))
            }
            "value" => {
                let [row, header] = self.takes()?;
                let (name, kind) = column(plain(header)?)?;
                Ok(Expr::new(format!("csv_value({name}, {})", self.position(draft, row, 1)?), kind))
            }
            "row" => {
                let [row] = self.takes()?;
                if is(row, "0") {
                    let headers: Vec<&str> = columns.iter().map(|column| column.header.as_str()).collect();
                    return Ok(Expr::new(source::string(&headers.join(",")), Kind::Text));
                }
                let row = self.position(draft, row, 0)?;
                Ok(joined(format!("csv_row({file}, {row})"), Kind::Text))
            }
            "column" => {
                let [header] = self.takes()?;
                let (name, kind) = column(plain(header)?)?;
                Ok(joined(format!("csv_column({name})"), kind))
            }
            "count" => {
                let [header] = self.takes()?;
                Ok(Expr::new(format!("count({})", column(plain(header)?)?.0), Kind::Int))
            }
            "sum" => {
                let [header] = self.takes()?;
                let (name, kind) = column(plain(header)?)?;
                Ok(sum(format!("sum({name})"), kind, true))
            }
            "avg" => {
                let [header] = self.takes()?;
                Ok(sum(format!("avg({})", column(plain(header)?)?.0), Kind::Float, true))
            }
            function => {
                let [header, filter, operator, value] = self.takes()?;
                let (name, kind) = column(plain(header)?)?;
                let (_, filter_kind) = column(plain(filter)?)?;
                let filter = source::name(plain(filter)?).unwrap_or_default();
                let condition = condition(draft, &filter, filter_kind, plain(operator)?, value)?;
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

    fn of_database(&self, draft: &mut Draft) -> Result<Expr, String> {
        let file = self.file_name(draft)?;
        let Content::Sqlite(tables) = self.content(draft)? else { return Err(self.other_format(draft)?) };
        if self.function == "query" {
            let [query] = self.takes()?;
            let query = paths::sql(draft, query)?;
            let text = format!("<<sqlite_query: {file}, {query}>>");
            return Ok(Expr { nullable: true, ..Expr::new(text, Kind::Unknown) });
        }
        let (row, place, name) = match self.arguments {
            [row, place] => (row, place, None),
            [row, place, table] => (row, place, Some(plain(table)?)),
            _ => {
                return Err(
                    "`sqlite_value` needs a row, a column, and perhaps a table (defect 1); correct its arguments"
                        .to_owned(),
                );
            }
        };
        let found = match name {
            None => tables.first(),
            Some(name) => tables.iter().find(|table| table.name == name),
        };
        let table =
            found.ok_or_else(|| format!("the database has no table `{}` (defect 1)", name.unwrap_or_default()))?;
        let place = plain(place)?;
        let column: Option<&Column> = match place.parse::<usize>() {
            Ok(index) => table.columns.get(index),
            Err(_) => table.columns.iter().find(|column| column.header == place),
        };
        let column = column.ok_or_else(|| {
            format!(
                "the table `{}` has no column `{place}`; PICARD pastes it into SQL (defect 33), so write a query",
                table.name
            )
        })?;
        let names = source::name(&table.name).zip(source::name(&column.header)).unwrap_or_default();
        let (text, kind) = (format!("{file}.{}.{}", names.0, names.1), column.kind);
        let row = self.position(draft, row, 1)?;
        Ok(Expr::new(format!("sqlite_value({text}, {row})"), kind))
    }

    /// A position: a number, or a drawn one; `offset` is added to what PICARD counts from.
    fn position(&self, draft: &mut Draft, argument: &[Piece], offset: i64) -> Result<String, String> {
        if let [Piece::Variable(variable)] = argument {
            let (name, _) = draft.variable(variable, Place::Question)?;
            return Ok(if offset == 0 { name } else { format!("{name} + {offset}") });
        }
        let text = plain(argument)?;
        let number: i64 =
            text.parse().map_err(|_| format!("`{text}` is not a position of `{}`; write a number", self.name))?;
        if number < 0 {
            return Err(format!(
                "the position {number} of `{}` is negative, so PICARD does not evaluate it (defect 3)",
                self.name
            ));
        }
        Ok(number.saturating_add(offset).to_string())
    }
}

/// Values joined with commas.
pub fn joined(list: String, kind: Kind) -> Expr {
    Expr { list: Some((list.clone(), kind)), ..Expr::new(format!("join({list}, \",\")"), Kind::Text) }
}

fn is(argument: &[Piece], text: &str) -> bool {
    matches!(argument, [Piece::Text(written)] if written == text)
}

/// An argument without placeholders.
pub fn plain(argument: &[Piece]) -> Result<&str, String> {
    match argument {
        [] => Ok(""),
        [Piece::Text(text)] => Ok(text),
        pieces => Err(format!(
            "`{}` is drawn, but names of columns and paths are fixed here; write the expectation in .pcd",
            written(pieces)
        )),
    }
}

/// A condition on a column of text, numbers, or dates.
pub fn condition(
    draft: &mut Draft,
    column: &str,
    kind: Kind,
    operator: &str,
    value: &[Piece],
) -> Result<String, String> {
    let text = if kind == Kind::Text { column.to_owned() } else { format!("\"<<{column}>>\"") };
    let function = match operator {
        "==" | "!=" | ">" | "<" | ">=" | "<=" => {
            return Ok(format!("{column} {operator} {}", operand(draft, kind, value)?));
        }
        "contains" => "contains",
        "startswith" => "starts_with",
        "endswith" => "ends_with",
        other => {
            return Err(format!(
                "`{other}` is not an operator of PICARD; write `==`, `!=`, `>`, `<`, `>=`, `<=`, `contains`, `startswith`, or `endswith`"
            ));
        }
    };
    Ok(format!("{function}({text}, {})", operand(draft, Kind::Text, value)?))
}

/// What a column is compared with.
fn operand(draft: &mut Draft, kind: Kind, value: &[Piece]) -> Result<String, String> {
    if let [Piece::Variable(variable)] = value {
        return Ok(draft.variable(variable, Place::Question)?.0);
    }
    let text = match value {
        [] => "",
        [Piece::Text(text)] => text.as_str(),
        pieces => return Ok(format!("\"{}\"", draft.inner(pieces, Place::Question)?)),
    };
    let numeric = || text.parse::<f64>().is_ok_and(f64::is_finite) && text.bytes().any(|byte| byte.is_ascii_digit());
    match kind {
        Kind::Int | Kind::Decimal(_) | Kind::Float if numeric() => Ok(text.trim_start_matches('+').to_owned()),
        Kind::Int | Kind::Decimal(_) | Kind::Float => Err(format!(
            "PICARD compares a column of numbers with `{text}` as text (defect 17); compare it with a number"
        )),
        Kind::Date if model::Date::parse(text).is_some() => Ok(text.to_owned()),
        Kind::Date => Err(format!(
            "PICARD compares dates with `{text}` as text (defect 17); compare them with a date such as 2024-01-31"
        )),
        Kind::Bool => match text {
            "True" => Ok("true".to_owned()),
            "False" => Ok("false".to_owned()),
            _ => Err(format!(
                "PICARD compares the text of Python, where a boolean is `True` or `False`, with `{text}` (defect 16); write `True`"
            )),
        },
        Kind::Text | Kind::Unknown => Ok(source::string(text)),
    }
}

/// The shape at the end of keys; `None` for one that is not there.
pub fn shape_at<'s>(shape: &'s Shape, keys: &[String]) -> Option<&'s Shape> {
    keys.iter().try_fold(shape, |shape, key| match shape {
        Shape::Object(fields) => fields.iter().find(|(name, _)| name == key).map(|(_, shape)| shape),
        _ => None,
    })
}
