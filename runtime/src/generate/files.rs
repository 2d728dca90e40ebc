//! The content of files: tables, text, databases, trees, workbooks, and fixtures.

use std::sync::Arc;

use model::Format;
use model::elements::Element;
use model::suite::{Bytes, DatabaseView, Expr, File, FileContent, FileId, FixtureKind, RelationId};
use tables::gzip;
use tables::write::TableLayout;

use super::cell::InstanceDraft;
use super::context::Eval;
use super::draw::draw_name;
use super::failures::{OrSpan, Res, fail, fail_computation, fail_with_help};
use super::parquet;
use super::paths;
use super::readback::describe_missing_char;
use super::rendered::{Content, Reading, Rendered};
use super::shapes;
use super::size::check_size;
use super::sqlite::{Database, TableSql};
use super::table::Table;
use super::table_file::{TableFile, encode_text, find_encoding};
use super::table_writer;
use super::tree::{TreeFile, XmlDocument};
use super::workbook;
use crate::failure::FailureKind;

/// Renders a file whose relations are made.
pub(crate) fn render_file<'a>(cell: &'a InstanceDraft<'a>, id: FileId) -> Res<Rendered> {
    let Some(file) = cell.task.files.get(id) else { return fail_computation("a file is not declared") };
    match TableFile::from_file(cell, id)? {
        Some(of) => table_writer::render_files(of),
        None => render_whole_file(cell, usize::from(id), file),
    }
    .or_span(file.span)
}

/// Renders a file that does not consist of rows in a form.
fn render_whole_file<'a>(cell: &'a InstanceDraft<'a>, index: usize, file: &'a File) -> Res<Rendered> {
    let eval = Eval::new(cell);
    let path = paths::ensure_safe(&eval.evaluate_text(&file.path)?)?;
    let mut source = None;
    let content = match &file.content {
        FileContent::Unknown(never) => match *never {},
        FileContent::Delimited { .. } => return fail_computation("a file of rows is written elsewhere"),
        FileContent::Sqlite { tables, order, views } => {
            Content::Database(Box::new(build_database(cell, index, (tables, order), views)?))
        }
        FileContent::DrawnText(draw) => {
            let value = draw_name(cell, &file.name, draw, None)?;
            if value.is_null() {
                return fail(FailureKind::NullAtBuild, format!("the content of `{}` came out null", file.name));
            }
            render_whole_text(file, value.render_text().into_owned())?
        }
        FileContent::ComputedText(expr) => render_whole_text(file, eval.evaluate_text(expr)?)?,
        FileContent::Tree { root: Some(root), shape } => {
            Content::Tree(Box::new(TreeFile::from_element(shapes::build_element(eval, root, shape)?)?))
        }
        FileContent::Tree { root: None, shape } => {
            Content::Tree(Box::new(TreeFile::from_value(file.format, shapes::build_value(eval, shape)?)?))
        }
        FileContent::ComputedTree(value) => {
            Content::Tree(Box::new(TreeFile::from_value(file.format, eval.evaluate(value)?.into_value())?))
        }
        FileContent::Tables(relations) => {
            let tables = relations.iter().map(|id| Ok((cell.find_relation(*id)?, eval.find_table(*id)?)));
            let tables = tables.collect::<Res<Vec<_>>>()?;
            match (file.format, tables.as_slice()) {
                (Format::Xlsx, tables) => Content::Bytes(workbook::write_workbook(tables)?),
                (Format::Parquet, [(relation, table)]) => Content::Bytes(parquet::write_table(relation, table)?),
                (format, _) => {
                    return fail_computation(format!("`{}` files cannot hold several tables", format.word()));
                }
            }
        }
        FileContent::Fixture { bytes, kind } => {
            open_fixture(bytes, kind, |root| cell.given.load_document(index, root))?
        }
        FileContent::FixtureByRow(by_row) => {
            let Some(own) = by_row.find_file(cell.task.find_row_index(cell.index)) else {
                return fail_computation("a row without its file");
            };
            source = Some(own.path.clone());
            open_fixture(&own.bytes, &own.kind, |root| Ok(Arc::new(XmlDocument::from_element(root))))?
        }
        FileContent::TextLines { relation, line, .. } => {
            Content::Text(render_lines(eval, eval.find_table(*relation)?, line)?)
        }
    };
    Ok(Rendered { path, content, source, rows: Vec::new() })
}

/// Renders a text without rows in the form of its file.
fn render_whole_text(file: &File, text: String) -> Res<Content> {
    let Some(form) = &file.form else { return Ok(Content::Text(text)) };
    let encoding = find_encoding(form)?;
    let dress = TableLayout { crlf: form.crlf, bom: form.bom, encoding, ..TableLayout::new(Format::Text, Vec::new()) };
    if let Some(char) =
        encoding.find_unencodable(&text).or_else(|| encoding.find_unencodable(if form.bom { "\u{feff}" } else { "" }))
    {
        let (what, help) = describe_missing_char(encoding, char);
        let message = format!("`{}` cannot be written: {what}", file.name);
        return fail_with_help(FailureKind::NotRecoverable, message, help).or_span(file.span);
    }
    let Ok(written) = dress.render_text(&text) else { return fail_computation("a text is not written") };
    encode_text(encoding, written)
}

/// Opens a fixture for the accesses that its kind supports, without a change of its bytes.
fn open_fixture(
    bytes: &Bytes,
    kind: &FixtureKind,
    document: impl FnOnce(&Element) -> Res<Arc<XmlDocument>>,
) -> Res<Content> {
    let is_text = matches!(kind, FixtureKind::Text | FixtureKind::Tree(_) | FixtureKind::Elements(_));
    if is_text && gzip::is_packed(&bytes.0) {
        let Ok(content) = gzip::unpack(&bytes.0, gzip::MAX_UNPACKED) else {
            return fail_computation("a fixture cannot be unpacked");
        };
        let inner = open_fixture(&Bytes(content.into()), kind, document)?;
        return Ok(Content::Packed(Arc::clone(&bytes.0), Box::new(inner)));
    }
    let reading = match kind {
        FixtureKind::Text | FixtureKind::Tree(_) if std::str::from_utf8(&bytes.0).is_err() => {
            return fail_computation("a fixture is read as text that is not UTF-8");
        }
        FixtureKind::Text => Reading::Text,
        // Its text is that of the file.
        FixtureKind::Tree(value) => Reading::Tree(Box::new(TreeFile::from_text(String::new(), Arc::clone(value)))),
        FixtureKind::Elements(root) => Reading::Tree(Box::new(TreeFile::from_document(document(root)?))),
        FixtureKind::Sqlite => Reading::Database(Box::new(Database::from_fixture(&bytes.0)?)),
        FixtureKind::Binary => Reading::Nothing,
    };
    Ok(Content::Copied(Arc::clone(&bytes.0), reading))
}

fn build_database<'a>(
    cell: &'a InstanceDraft<'a>,
    index: usize,
    (tables, order): (&[RelationId], &[RelationId]),
    views: &[DatabaseView],
) -> Res<Database> {
    let Some(sql) = cell.databases.get(index) else { return fail_computation("a database without schema") };
    let of = |relation: &RelationId| sql.iter().find(|(id, _)| id == relation).map(|(_, sql)| sql);
    let schema: Vec<&TableSql> = tables.iter().filter_map(of).collect();
    let mut rows: Vec<(&TableSql, &Table)> = Vec::with_capacity(order.len());
    for relation in order {
        if let Some(sql) = of(relation) {
            rows.push((sql, Eval::new(cell).find_table(*relation)?));
        }
    }
    Database::new(&schema, rows.into_iter(), views)
}

fn render_lines<'a>(eval: Eval<'a>, table: &'a Table, line: &'a Expr) -> Res<String> {
    let mut out = String::new();
    for row in 0..table.rows {
        let start = out.len();
        eval.with_row(table, row).render_into(line, &mut out)?;
        // Otherwise line N of the file would not be row N of the relation.
        if out[start..].contains(['\n', '\r']) {
            return fail_computation(format!("row {} renders as several lines", row + 1));
        }
        out.push('\n');
        check_size(out.len())?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::super::instance::FileBytes;
    use super::*;

    #[test]
    fn a_fixture_is_written_as_it_is() {
        // A page that SQLite would leave out or change if it wrote the file itself.
        ::sqlite::init_process().unwrap();
        let source = rusqlite::Connection::open_in_memory().unwrap();
        source.execute_batch("CREATE TABLE t (A); CREATE TABLE u (B); INSERT INTO t VALUES (7); DROP TABLE u").unwrap();
        let mut source = source;
        let bytes: Arc<[u8]> = source.serialize("main").unwrap().to_vec().into();
        let document = |root: &Element| Ok(Arc::new(XmlDocument::from_element(root)));
        let kinds = [FixtureKind::Sqlite, FixtureKind::Binary];
        for (bytes, kind) in kinds.map(|kind| (Arc::clone(&bytes), kind)).into_iter().chain([
            (Arc::from(&b"\xef\xbb\xbfa,b\r\n"[..]), FixtureKind::Text),
            (
                Arc::from(&b"<a/>"[..]),
                FixtureKind::Elements(Arc::new(Element { name: "a".to_owned(), ..Element::default() })),
            ),
            (Arc::from(&b"{ }"[..]), FixtureKind::Tree(Arc::new(model::Value::Object(Vec::new())))),
        ]) {
            let content = open_fixture(&Bytes(Arc::clone(&bytes)), &kind, document).unwrap();
            let rendered = Rendered { path: "f".to_owned(), content, source: None, rows: Vec::new() };
            assert_eq!(rendered.database().is_some(), kind == FixtureKind::Sqlite);
            let written = rendered.into_files().unwrap().pop().unwrap().bytes;
            assert!(matches!(written, FileBytes::Shared(shared) if Arc::ptr_eq(&shared, &bytes)));
        }
        assert!(open_fixture(&Bytes(Arc::from(&b"no database"[..])), &FixtureKind::Sqlite, document).is_err());
        assert!(open_fixture(&Bytes(Arc::from(&b"\xff"[..])), &FixtureKind::Text, document).is_err());
    }
}
