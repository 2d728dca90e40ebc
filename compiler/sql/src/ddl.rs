//! The statements that make the tables of a request.

use model::ValueType;
use model::ddl::{DdlColumn, DdlTable, create_table, quote_name};

use super::request::SqlTable;

/// The statements that make the tables.
pub fn build_ddl(tables: &[SqlTable<'_>], attached: &[&str]) -> Vec<String> {
    let attached_tables = tables.iter().filter(|table| table.database.is_none_or(|name| attached.contains(&name)));
    let made = attached_tables.map(|table| {
        let columns = table.columns.iter().map(|column| DdlColumn {
            name: column.name.to_owned(),
            value_type: column.value_type.unwrap_or(ValueType::Text),
            nullable: column.nullable,
            primary_key: column.primary_key,
            unique: column.unique,
            references: column.references.map(|(table, column)| (table.to_owned(), column.to_owned())),
        });
        create_table_of(table.database, table.name, columns.collect())
    });
    attached.iter().map(|name| attach_database(name)).chain(made).collect()
}

/// The statement that makes an empty database.
pub fn attach_database(name: &str) -> String {
    format!("ATTACH ':memory:' AS {}", quote_name(name))
}

/// The statement that makes a table. What its columns are together changes no meaning of a query.
pub fn create_table_of(database: Option<&str>, name: &str, columns: Vec<DdlColumn>) -> String {
    let table = DdlTable { name: name.to_owned(), columns, constraints: Vec::new(), indexes: Vec::new() };
    create_table(database, &table)
}
