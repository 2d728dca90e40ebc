//! A task to query: its tables, its names, and a source around the query.

use compiler::ast::{Raw, RawKind, SourceId, Span};
use compiler::bounds::Bounds;
use compiler::diagnostics::Diagnostic;
use compiler::sql::{ParamKind, SqlAnalysis, SqlColumn, SqlRequest, SqlTable, SqlText, analyse_query};
use model::suite::{ColumnId, RelationId};
use model::{Value, ValueType};
use sqlite::PreparedSchemas;

/// Text in front of every query, of more bytes than characters.
pub const BEFORE: &str = "# größer als „alles“ 🦀\r\nx = <<value: ";

fn column(name: &str, value_type: ValueType) -> SqlColumn<'_> {
    let span = Span::new(SourceId(0), 1, 2);
    SqlColumn {
        id: ColumnId(0),
        name,
        span,
        value_type: Some(value_type),
        nullable: false,
        primary_key: false,
        unique: false,
        references: None,
        closed: None,
        domain: None,
    }
}

/// The tables: of a database with `Some`, of the task with both.
pub fn tables(database: Option<&'static str>) -> Vec<SqlTable<'static>> {
    use ValueType::{Bool, Date, Decimal, Int, Text};
    let departments = ["Engineering", "Sales", "Legal"].map(Value::from_text).to_vec();
    let span = Span::new(SourceId(0), 3, 4);
    let mut tables = vec![
        SqlTable {
            id: RelationId(0),
            database,
            name: "customers",
            span,
            columns: vec![
                SqlColumn { primary_key: true, unique: true, ..column("CUST_ID", Int) },
                column("CUST_NM", Text),
                SqlColumn { closed: Some(departments.into()), ..column("DEPT_CD", Text) },
                SqlColumn { unique: true, ..column("EMAIL", Text) },
            ],
            hidden: vec!["_H"],
            keys: Vec::new(),
            helper_keys: Vec::new(),
            determined: Vec::new(),
            rows: Bounds::ANY,
            of_files: false,
        },
        SqlTable {
            id: RelationId(1),
            database,
            name: "orders",
            span: Span::new(SourceId(0), 5, 6),
            columns: vec![
                SqlColumn { primary_key: true, unique: true, ..column("ORD_ID", Int) },
                SqlColumn { references: Some(("customers", "CUST_ID")), ..column("CUST_REF", Int) },
                column("ORD_AMT", Int),
                column("PRICE", Decimal(2)),
                SqlColumn { nullable: true, ..column("SHIPPED", Date) },
                column("PAID", Bool),
                column("REG DT", Date),
                column("group", Text),
            ],
            hidden: Vec::new(),
            keys: Vec::new(),
            helper_keys: Vec::new(),
            determined: Vec::new(),
            rows: Bounds::ANY,
            of_files: false,
        },
    ];
    for table in &mut tables {
        (0..).zip(&mut table.columns).for_each(|(at, column)| column.id = ColumnId(at));
    }
    tables
}

/// The names of the task.
pub fn param(name: &str) -> ParamKind {
    let value = |value_type| ParamKind::Value { value_type: Some(value_type), nullable: false };
    match name {
        "threshold" => value(ValueType::Int),
        "dept" => value(ValueType::Text),
        "loose" => ParamKind::Value { value_type: None, nullable: true },
        "shop" => ParamKind::File,
        "hr" => ParamKind::Relation,
        "many" => ParamKind::List,
        other => ParamKind::Unknown { suggestion: names::find_best(other, ["threshold", "dept", "loose"]) },
    }
}

/// What `analyse_query` says of a query, and the source it stood in.
pub fn look(sql: &str, tables: &[SqlTable<'_>], scope_name: Option<&str>) -> (SqlAnalysis, Vec<Diagnostic>, String) {
    let source = format!("{BEFORE}{sql}>>");
    let start = BEFORE.len() as u32;
    let span = Span::new(SourceId(0), start, start + sql.len() as u32);
    let raw = Raw { kind: RawKind::Sql, text: sql.to_owned(), span };
    let names = ["threshold", "dept", "loose"].map(str::to_owned);
    let request = SqlRequest {
        sql: &SqlText::new(&raw),
        scope_name,
        tables,
        non_sql_relations: &["hr"],
        param: &param,
        task_names: &names,
    };
    let mut diagnostics = Vec::new();
    let analysis = analyse_query(&request, &PreparedSchemas::default(), &mut diagnostics);
    (analysis, diagnostics, source)
}

/// The tables of `shop`, which are known to have these many rows.
pub fn filled_tables() -> Vec<SqlTable<'static>> {
    let mut tables = tables(None);
    tables[0].rows = Bounds::from_count(3);
    tables[1].rows = Bounds::from_count(4);
    tables
}

/// `look` at a query inside the database `shop`.
pub fn in_shop(sql: &str) -> (SqlAnalysis, Vec<Diagnostic>, String) {
    look(sql, &tables(None), Some("shop"))
}

/// The query without the marks `«…»`, and the marked bytes of the source.
pub fn marked(sql: &str) -> (String, Vec<(u32, u32)>) {
    let (mut plain, mut spans, mut open) = (String::new(), Vec::new(), None);
    for c in sql.chars() {
        let at = (BEFORE.len() + plain.len()) as u32;
        match c {
            '«' => open = Some(at),
            '»' => spans.push((open.take().unwrap_or(at), at)),
            c => plain.push(c),
        }
    }
    (plain, spans)
}

/// The database, without rows or with some.
pub fn connection(filled: bool) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    for table in tables(None) {
        let columns = table.columns.iter().map(|column| model::ddl::DdlColumn {
            name: column.name.to_owned(),
            value_type: column.value_type.expect("a type"),
            nullable: column.nullable,
            primary_key: column.primary_key,
            unique: column.unique,
            references: column.references.map(|(table, column)| (table.to_owned(), column.to_owned())),
        });
        let table = model::ddl::DdlTable {
            name: table.name.to_owned(),
            columns: columns.collect(),
            constraints: vec![],
            indexes: vec![],
        };
        connection.execute_batch(&model::ddl::create_table(None, &table)).unwrap();
    }
    if filled {
        let rows = "
            INSERT INTO customers VALUES (1, 'Ada', 'Sales', 'a@b.c'), (2, 'Bob', 'Legal', 'b@b.c'), (7, 'Cy', 'Sales', 'c@b.c');
            INSERT INTO orders VALUES (1, 1, 5, 2.5, NULL, 1, '2024-01-02', 'a'), (2, 1, 0, 3.0, '2024-02-02', 0, '2024-01-03', 'b'),
                (7, 7, 70000, 0.0, '2023-12-31', 1, '2024-01-04', 'Engineering'), (8, 7, 7, 99.99, NULL, 0, '2024-01-04', 'a');";
        connection.execute_batch(rows).unwrap();
    }
    connection
}
