//! Components as files: their declarations.

use std::rc::Rc;

use model::Value;

use super::contents::{Column, Content, File, Table};
use super::definition::{Component, Fields, Test};
use super::draft::{Draft, Place};
use super::types::{self, Kind};
use super::{schema, text};
use crate::import::Obstacle;
use crate::import::source;

/// Declares the files of a test.
pub fn declare_files(draft: &mut Draft, test: &Test<'_>) -> Result<(), Obstacle> {
    for component in &test.components {
        let target = Draft::strip_sandbox(component.target);
        if let Some(other) = draft.files.iter().find(|file| file.target == target) {
            return Err(Obstacle::new(format!(
                "`{}` and `{}` have the same `target_file`",
                other.component, component.name
            ))
            .suggest("give each its own"));
        }
        let file = declare_file(draft, component, &target)?;
        draft.files.push(Rc::new(file));
    }
    Ok(())
}

/// Declares a component.
fn declare_file(draft: &mut Draft, component: &Component<'_>, target: &str) -> Result<File, Obstacle> {
    let name = draft.names.take_name(component.name, "data");
    let path = draft.render_path(target)?;
    let at = |format: &str| format!("{format} {name} at \"{path}\"");
    let fields = &component.content;
    let (content, declaration) = match component.kind {
        "create_files" => (Content::Text, format!("{} {}", at("text"), translate_text(draft, fields)?)),
        "create_csv" => {
            let (columns, body) = translate_csv(draft, fields)?;
            (Content::Csv(columns), format!("{} crlf {body}", at("csv")))
        }
        "create_sqlite" => {
            let (tables, body) = translate_database(draft, fields)?;
            (Content::Sqlite(tables), format!("{} {body}", at("sqlite")))
        }
        "create_json" | "create_yaml" => {
            let (shape, body) = schema::translate_tree(draft, fields)?;
            (Content::Tree(shape), format!("{} {body}", at(component.kind.trim_start_matches("create_"))))
        }
        "create_xml" => {
            let (root, shape, namespace, body) = schema::translate_xml(draft, fields)?;
            (Content::Xml(root, shape, namespace), format!("{} {body}", at("xml")))
        }
        other => {
            return Err(Obstacle::new(format!("`{other}` is not a type of component")).suggest(
                "the types are `create_files`, `create_csv`, `create_sqlite`, `create_json`, `create_yaml`, and `create_xml`",
            ));
        }
    };
    Ok(File { component: component.name.to_owned(), name, target: target.to_owned(), content, declaration })
}

fn translate_text(draft: &mut Draft, fields: &Fields<'_>) -> Result<String, Obstacle> {
    fields.check_known_keys(&["type", "count", "content"])?;
    let ty = fields.find_text("type")?.unwrap_or("lorem_lines");
    if ty == "custom" {
        let content = text::parse_pieces(fields.require_text("content")?)?;
        return Ok(format!("= \"{}\"", draft.render_pieces(&content, Place::Content)?));
    }
    let unit = match ty {
        "lorem_lines" => "lines",
        "lorem_sentences" => "sentences",
        "lorem_paragraphs" => "paragraphs",
        "lorem_words" => "words",
        _ => {
            return Err(Obstacle::new(format!("`{ty}` is not a type of text, and PICARD writes lines for it"))
                .cite(&[25])
                .suggest(
                    "the types are `lorem_lines`, `lorem_sentences`, `lorem_paragraphs`, `lorem_words`, and `custom`",
                ));
        }
    };
    Ok(format!(": lorem {unit} {}", draft.translate_amount(fields, "count", 10)?))
}

/// Checks the name of a column or table in a file, and renders it as a name of the suite.
fn check_column_name(text: &str) -> Result<String, Obstacle> {
    if text.contains("{{") {
        return Err(Obstacle::new(format!(
            "the name `{text}` is drawn, and columns are named before anything is drawn"
        ))
        .suggest("write a fixed name"));
    }
    if text.starts_with('_') {
        return Err(Obstacle::new("a column whose name begins with `_` is not written to the file")
            .suggest(format!("rename `{text}`")));
    }
    source::require_name(text, "the name of a column")
}

fn parse_texts(fields: &Fields<'_>, key: &str) -> Result<Option<Vec<String>>, Obstacle> {
    match fields.get(key) {
        None => Ok(None),
        Some(Value::List(items)) => Ok(Some(items.iter().map(|item| item.render_text().into_owned()).collect())),
        Some(_) => Err(Obstacle::new(format!("`{key}` is not a list")).suggest("write one")),
    }
}

fn translate_csv(draft: &mut Draft, fields: &Fields<'_>) -> Result<(Vec<Column>, String), Obstacle> {
    fields.check_known_keys(&["headers", "header_types", "rows"])?;
    let headers =
        parse_texts(fields, "headers")?.unwrap_or_else(|| ["name", "email", "age"].map(str::to_owned).to_vec());
    let types = parse_texts(fields, "header_types")?;
    if let Some(types) = &types
        && types.len() != headers.len()
    {
        let (types, headers) = (types.len(), headers.len());
        return Err(Obstacle::new(format!(
            "there are {headers} `headers` and {types} `header_types`, which PICARD rejects"
        ))
        .suggest("give each header one type"));
    }
    let mut columns = Vec::new();
    let mut body = format!("{{ rows {}\n", draft.translate_amount(fields, "rows", 10)?);
    for (place, header) in headers.into_iter().enumerate() {
        let ty = types
            .as_ref()
            .and_then(|types| types.get(place))
            .map_or_else(|| types::guess_semantic_type(&header), String::as_str);
        let (domain, kind) = types::require_semantic_type(ty)?;
        body.push_str(&format!("{} : {domain}\n", check_column_name(&header)?));
        columns.push(Column { header, kind });
    }
    Ok((columns, body + "}"))
}

fn translate_database(draft: &mut Draft, fields: &Fields<'_>) -> Result<(Vec<Table>, String), Obstacle> {
    let mut tables: Vec<Table> = Vec::new();
    let mut body = String::from("{\n");
    match fields.get("tables") {
        Some(Value::List(items)) => {
            fields.check_known_keys(&["tables"])?;
            for item in items {
                let fields = Fields::new("a table", item)?;
                fields.check_known_keys(&["name", "columns", "rows"])?;
                let table = translate_table(draft, &fields, fields.require_text("name")?, &tables, &mut body)?;
                tables.push(table);
            }
        }
        Some(_) => return Err(Obstacle::new("`tables` is not a list").suggest("write one")),
        None => {
            fields.check_known_keys(&["table_name", "columns", "rows"])?;
            let name = fields.find_text("table_name")?.unwrap_or("data");
            let table = translate_table(draft, fields, name, &tables, &mut body)?;
            tables.push(table);
        }
    }
    Ok((tables, body + "}"))
}

fn translate_table(
    draft: &mut Draft,
    fields: &Fields<'_>,
    name: &str,
    before: &[Table],
    body: &mut String,
) -> Result<Table, Obstacle> {
    let Some(Value::List(items)) = fields.get("columns") else {
        return Err(Obstacle::new(format!("the table `{name}` has no list `columns`")).suggest("add it"));
    };
    body.push_str(&format!(
        "table {} {{ rows {}\n",
        check_column_name(name)?,
        draft.translate_amount(fields, "rows", 5)?
    ));
    let mut columns = Vec::new();
    for item in items {
        let (header, domain, kind) = match item {
            Value::Text(header) => {
                let (domain, kind) = types::require_semantic_type(types::guess_semantic_type(header))?;
                (header.as_str(), domain, kind)
            }
            other => {
                let column = Fields::new("a column", other)?;
                let header = column.require_text("name")?;
                let (domain, kind) = find_column_domain(&column, header, before)?;
                (header, domain, kind)
            }
        };
        body.push_str(&format!("{} : {domain}\n", check_column_name(header)?));
        columns.push(Column { header: header.to_owned(), kind });
    }
    body.push_str("}\n");
    Ok(Table { name: name.to_owned(), columns })
}

/// Finds the domain of a database column by the first of PICARD's rules that applies.
fn find_column_domain(column: &Fields<'_>, header: &str, before: &[Table]) -> Result<(String, Kind), Obstacle> {
    column.check_known_keys(&["name", "type", "data_type", "foreign_key"])?;
    let declared = column.find_text("type")?.unwrap_or("TEXT");
    if column.get("data_type").is_some() {
        if declared == "auto_id" || column.get("foreign_key").is_some() {
            return Err(Obstacle::new(format!(
                "the `data_type` of `{header}` replaces its key, so rows are not found or repeat"
            ))
            .cite(&[32, 33])
            .suggest("remove it"));
        }
        return types::require_semantic_type(column.require_text("data_type")?);
    }
    if declared == "auto_id" {
        return Ok(("serial".to_owned(), Kind::Int));
    }
    if let Some(key) = column.get("foreign_key") {
        return translate_foreign_key(key, header, before);
    }
    let lower = header.to_lowercase();
    Ok(match declared {
        "INTEGER" if lower.contains("age") => ("int 18..70".to_owned(), Kind::Int),
        "INTEGER" if lower.contains("amount") || lower.contains("price") => ("int 100..50_000".to_owned(), Kind::Int),
        "INTEGER" => ("int 1..1_000".to_owned(), Kind::Int),
        "REAL" => ("decimal 1.00..1000.00".to_owned(), Kind::Decimal(2)),
        "BOOLEAN" => ("int 0..1".to_owned(), Kind::Int),
        "DATE" => ("date".to_owned(), Kind::Date),
        "DATETIME" => ("timestamp".to_owned(), Kind::Text),
        "TEXT" => types::require_semantic_type(types::guess_semantic_type(header))?,
        other => {
            return Err(Obstacle::new(format!(
                "`{other}` is not a type of a column, and PICARD fills `{header}` with text"
            ))
            .cite(&[32])
            .suggest("write `INTEGER`, `REAL`, `TEXT`, `BOOLEAN`, `DATE`, `DATETIME`, or `auto_id`"));
        }
    })
}

fn translate_foreign_key(key: &Value, header: &str, before: &[Table]) -> Result<(String, Kind), Obstacle> {
    let (table, column) = match key {
        Value::Text(text) => match text.split_once('.') {
            Some((table, column)) => (table.to_owned(), column.to_owned()),
            None => (text.clone(), "id".to_owned()),
        },
        other => {
            let fields = Fields::new("`foreign_key`", other)?;
            fields.check_known_keys(&["table", "column"])?;
            let column = fields.find_text("column")?.unwrap_or("id");
            (fields.require_text("table")?.to_owned(), column.to_owned())
        }
    };
    let found = before.iter().find(|known| known.name == table).ok_or_else(|| {
        Obstacle::new(format!("the foreign key of `{header}` leads to `{table}`, which is not a table before it"))
            .suggest("put that table first")
    })?;
    let kind = found.columns.iter().find(|known| known.header == column).map(|column| column.kind).ok_or_else(|| {
        Obstacle::new(format!("the foreign key of `{header}` leads to `{table}.{column}`, which does not exist, and PICARD writes 1 to 3"))
            .cite(&[32])
            .suggest("correct it")
    })?;
    Ok((format!("ref {}.{}", check_column_name(&table)?, check_column_name(&column)?), kind))
}
