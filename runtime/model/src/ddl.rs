//! The SQLite schema of relations, against which `check` prepares queries, and which the runtime writes.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::ValueType;

/// A column of an SQLite table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DdlColumn {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub value_type: ValueType,
    /// Whether a value may be null.
    pub nullable: bool,
    /// `INTEGER PRIMARY KEY`.
    pub primary_key: bool,
    /// `UNIQUE`.
    pub unique: bool,
    /// `REFERENCES table(column)`.
    pub references: Option<(String, String)>,
}

/// An SQLite table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DdlTable {
    /// Its name.
    pub name: String,
    /// Its columns in order, without helpers.
    pub columns: Vec<DdlColumn>,
    /// Its constraints on several columns.
    pub constraints: Vec<DdlConstraint>,
    /// Its explicit indexes.
    pub indexes: Vec<DdlIndex>,
}

/// A constraint on columns of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DdlConstraint {
    /// `PRIMARY KEY (…)`
    PrimaryKey(Vec<String>),
    /// `UNIQUE (…)`
    Unique(Vec<String>),
    /// `FOREIGN KEY (…) REFERENCES table(…)`
    References {
        /// The columns.
        columns: Vec<String>,
        /// The referenced table.
        table: String,
        /// The referenced columns.
        to: Vec<String>,
    },
}

/// `CREATE INDEX`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DdlIndex {
    /// Its name.
    pub name: String,
    /// The columns in order.
    pub columns: Vec<String>,
}

/// Renders `CREATE TABLE …`. Names are quoted where necessary, and the `database` precedes the table's name if it is given.
///
/// ```
/// use model::ValueType;
/// use model::ddl::{DdlColumn, DdlTable, create_table};
///
/// let column = |name: &str, value_type| DdlColumn {
///     name: name.to_owned(),
///     value_type,
///     nullable: false,
///     primary_key: name == "ID",
///     unique: false,
///     references: None,
/// };
/// let columns = vec![column("ID", ValueType::Int), column("unit price", ValueType::Decimal(2))];
/// let table = DdlTable { name: "order".to_owned(), columns, constraints: vec![], indexes: vec![] };
/// assert_eq!(
///     create_table(Some("shop"), &table),
///     "CREATE TABLE shop.\"order\" (\n  ID INTEGER PRIMARY KEY,\n  \"unit price\" REAL NOT NULL\n)"
/// );
/// ```
pub fn create_table(database: Option<&str>, table: &DdlTable) -> String {
    let mut out = "CREATE TABLE ".to_owned();
    if let Some(database) = database {
        let _ = write!(out, "{}.", quote_name(database));
    }
    let _ = write!(out, "{} (", quote_name(&table.name));
    for (index, column) in table.columns.iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        let _ = write!(out, "{separator}\n  {} {}", quote_name(&column.name), to_sql_type(column.value_type));
        if column.primary_key {
            out.push_str(" PRIMARY KEY");
        } else {
            if !column.nullable {
                out.push_str(" NOT NULL");
            }
            if column.unique {
                out.push_str(" UNIQUE");
            }
        }
        if let Some((table, target)) = &column.references {
            let _ = write!(out, " REFERENCES {}({})", quote_name(table), quote_name(target));
        }
    }
    for constraint in &table.constraints {
        let _ = match constraint {
            DdlConstraint::PrimaryKey(columns) => write!(out, ",\n  PRIMARY KEY ({})", quote_names(columns)),
            DdlConstraint::Unique(columns) => write!(out, ",\n  UNIQUE ({})", quote_names(columns)),
            DdlConstraint::References { columns, table, to } => {
                let (columns, table, to) = (quote_names(columns), quote_name(table), quote_names(to));
                write!(out, ",\n  FOREIGN KEY ({columns}) REFERENCES {table}({to})")
            }
        };
    }
    out.push_str("\n)");
    out
}

/// Renders a `CREATE INDEX …` for each index of the table.
pub fn create_indexes(table: &DdlTable) -> Vec<String> {
    let create = |index: &DdlIndex| {
        let (name, table) = (quote_name(&index.name), quote_name(&table.name));
        format!("CREATE INDEX {name} ON {table} ({})", quote_names(&index.columns))
    };
    table.indexes.iter().map(create).collect()
}

/// Renders `CREATE VIEW …` for a query.
pub fn create_view(name: &str, query: &str) -> String {
    format!("CREATE VIEW {} AS\n{query}", quote_name(name))
}

fn quote_names(names: &[String]) -> String {
    names.iter().map(|name| quote_name(name)).collect::<Vec<_>>().join(", ")
}

/// Returns the declared type. Decimals are REAL (a NUMERIC column would turn 15.00 into the integer 15, and `/ 2` into an integer division). Dates
/// and datetimes are ISO 8601 texts.
pub fn to_sql_type(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::Int => "INTEGER",
        ValueType::Decimal(_) | ValueType::Float => "REAL",
        ValueType::Bool => "BOOLEAN",
        ValueType::Text | ValueType::Date | ValueType::DateTime | ValueType::Duration => "TEXT",
    }
}

/// Renders a name for SQL: bare if it is a plain identifier and not a keyword, otherwise in double quotes.
///
/// ```
/// use model::ddl::quote_name;
///
/// assert_eq!(quote_name("CUST_ID"), "CUST_ID");
/// // A keyword, a space, a quote, and a letter beyond ASCII need quotes.
/// assert_eq!([quote_name("order"), quote_name("unit price")], ["\"order\"", "\"unit price\""]);
/// assert_eq!([quote_name("6\" pipe"), quote_name("größe")], ["\"6\"\" pipe\"", "\"größe\""]);
/// ```
pub fn quote_name(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain && !is_keyword(name) { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// SQLite's keywords (sqlite.org/lang_keywords.html), in uppercase.
static KEYWORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("sqlite/keywords.txt").lines().collect());

fn is_keyword(name: &str) -> bool {
    // None has a digit, as many names of columns do.
    !name.bytes().any(|byte| byte.is_ascii_digit()) && KEYWORDS.contains(name.to_ascii_uppercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_only_where_they_must_be() {
        assert_eq!(quote_name("EMP_ID"), "EMP_ID");
        assert_eq!(quote_name("order"), "\"order\"");
        assert_eq!(quote_name("REG DT"), "\"REG DT\"");
        assert_eq!(quote_name("2x"), "\"2x\"");
        assert!(KEYWORDS.iter().all(|word| is_keyword(word)));
    }
}
