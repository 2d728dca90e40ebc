//! The content of files: tables of cells, texts, databases.

use plan::suite::{Expr, File, FileContent, Relation, RelationId};

use super::cell::{Cell, Content, Rendered, Table};
use super::delimited::{Form, delimited};
use super::draw;
use super::eval::{Eval, OrSpan, Res, fail, no_result};
use super::paths;
use super::sqlite::{Database, TableSql};
use crate::failure::FailureKind;

/// Renders a file whose relations are made.
pub(crate) fn render<'a>(cell: &'a Cell<'a>, index: usize, file: &'a File) -> Res<Rendered> {
    let eval = Eval::new(cell);
    let path = eval.text(&file.path).and_then(|path| paths::safe(&path)).or_span(file.span)?;
    let content = match &file.content {
        FileContent::Delimited { delimiter, quoted, crlf, bom, relation } => {
            let form = Form { delimiter: *delimiter, quoted: *quoted, crlf: *crlf, bom: *bom };
            Content::Text(delimited(declared(cell, *relation)?, eval.table(*relation)?, form))
        }
        FileContent::Sqlite { tables, order } => {
            Content::Database(Box::new(database(cell, index, tables, order).or_span(file.span)?))
        }
        FileContent::DrawnText(draw) => {
            let value = draw::name(cell, &file.name, draw, None)?;
            if value.is_null() {
                return fail(FailureKind::NullAtBuild, format!("the content of `{}` came out null", file.name))
                    .or_span(file.span);
            }
            Content::Text(value.render().into_owned())
        }
        FileContent::ComputedText(expr) => Content::Text(eval.text(expr).or_span(file.span)?),
        FileContent::Tree { .. }
        | FileContent::ComputedTree { .. }
        | FileContent::Workbook { .. }
        | FileContent::Fixture { .. } => return no_result("not made yet"),
        FileContent::TextLines { relation, line } => {
            Content::Text(lines(eval, eval.table(*relation)?, line).or_span(file.span)?)
        }
    };
    Ok(Rendered { path, content })
}

fn declared<'a>(cell: &'a Cell<'a>, relation: RelationId) -> Res<&'a Relation> {
    match cell.task.relations.get(relation.0 as usize) {
        Some(relation) => Ok(relation),
        None => no_result("a relation is used that is not declared"),
    }
}

fn database<'a>(cell: &'a Cell<'a>, index: usize, tables: &[RelationId], order: &[RelationId]) -> Res<Database> {
    let Some(sql) = cell.databases.get(index) else { return no_result("a database without schema") };
    let of = |relation: &RelationId| sql.iter().find(|(id, _)| id == relation).map(|(_, sql)| sql);
    let schema: Vec<&TableSql> = tables.iter().filter_map(of).collect();
    let mut rows: Vec<(&TableSql, &Table)> = Vec::with_capacity(order.len());
    for relation in order {
        if let Some(sql) = of(relation) {
            rows.push((sql, Eval::new(cell).table(*relation)?));
        }
    }
    Database::new(&schema, rows.into_iter())
}

fn lines<'a>(eval: Eval<'a>, table: &'a Table, line: &'a Expr) -> Res<String> {
    let mut out = String::new();
    for row in 0..table.rows {
        let start = out.len();
        eval.at(table, row).render_into(line, &mut out)?;
        // Else line N of the file would not be row N of the relation.
        if out[start..].contains(['\n', '\r']) {
            return no_result(format!("row {} renders as several lines", row + 1));
        }
        out.push('\n');
    }
    Ok(out)
}
