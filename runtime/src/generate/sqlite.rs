//! Databases: writes rows into SQLite, returns the file's bytes, and runs queries.
//!
//! Every database is made in a new `:memory:` connection; only then are the pages, and thus the bytes, reproducible.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use model::ddl::{self, DdlColumn, DdlConstraint, DdlIndex, DdlTable};
use model::suite::{self, ColumnId, ConstraintKind, DatabaseView, RelationId, SqlScope, Task};
use model::{Date, DateTime, Decimal, Val, Value, ValueType};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Statement, ToSql};
use sqlite::{AUTHOR, ExceededLimit, GIVEN, QueryError, Rules, describe_error, limit_of};

use super::column::{Column, Data};
use super::failures::{Res, fail, fail_computation, fail_with_help};
use super::table::Table;
use crate::failure::FailureKind;

/// The statements that create and fill a table.
pub(crate) struct TableSql {
    /// `CREATE TABLE`.
    pub create: String,
    /// `INSERT` for one row.
    pub insert: String,
    /// The `CREATE INDEX` statements.
    indexes: Vec<String>,
    /// The written columns, without helpers.
    columns: Vec<ColumnId>,
}

/// Builds the schema of a relation, without helpers.
pub(crate) fn build_ddl_table(task: &Task, relation: &suite::Relation, name: &str) -> DdlTable {
    let target = |(table, column): (RelationId, ColumnId)| {
        let table = task.relations.get(table)?;
        Some((table.table.clone(), table.columns.get(column)?.name.clone()))
    };
    let columns = relation.iter_written_columns().map(|(_, column)| DdlColumn {
        name: column.name.clone(),
        value_type: column.cells.value_type,
        nullable: column.cells.nullable,
        primary_key: column.cells.primary_key,
        unique: column.cells.unique,
        references: column.references.and_then(target),
    });
    let (mut constraints, mut indexes) = (Vec::new(), Vec::new());
    for constraint in &relation.constraints {
        let columns = list_column_names(relation, &constraint.columns);
        match &constraint.kind {
            ConstraintKind::Unique => constraints.push(DdlConstraint::Unique(columns)),
            ConstraintKind::PrimaryKey => constraints.push(DdlConstraint::PrimaryKey(columns)),
            ConstraintKind::Index { name } => indexes.push(DdlIndex { name: name.clone(), columns }),
            ConstraintKind::References { relation, columns: to } => {
                if let Some(table) = task.relations.get(*relation) {
                    let (table, to) = (table.table.clone(), list_column_names(table, to));
                    constraints.push(DdlConstraint::References { columns, table, to });
                }
            }
        }
    }
    DdlTable { name: name.to_owned(), columns: columns.collect(), constraints, indexes }
}

fn list_column_names(relation: &suite::Relation, columns: &[ColumnId]) -> Vec<String> {
    columns.iter().filter_map(|id| relation.columns.get(*id)).map(|column| column.name.clone()).collect()
}

/// Builds the statements of a relation as the table `name`, in an attached database if one is given.
pub(crate) fn build_table_sql(task: &Task, relation: &suite::Relation, database: Option<&str>, name: &str) -> TableSql {
    let mut table = build_ddl_table(task, relation, name);
    if database.is_some() || relation.table != name {
        // A scratch copy has no references, because they could name tables that are not copied. Unique values are unique by construction.
        table.columns.iter_mut().for_each(|column| column.references = None);
        table.constraints.clear();
        table.indexes.clear();
    }
    build_sql(relation, &table, database)
}

/// Builds the same for a relation with replaced rows. They result from a mistake and may repeat, so they have no constraints.
pub(crate) fn build_replaced_sql(
    task: &Task,
    relation: &suite::Relation,
    database: Option<&str>,
    name: &str,
) -> TableSql {
    let table = build_ddl_table(task, relation, name);
    let free = |column| DdlColumn { nullable: true, primary_key: false, unique: false, references: None, ..column };
    let columns = table.columns.into_iter().map(free).collect();
    let table = DdlTable { columns, constraints: Vec::new(), indexes: Vec::new(), ..table };
    build_sql(relation, &table, database)
}

fn build_sql(relation: &suite::Relation, table: &DdlTable, database: Option<&str>) -> TableSql {
    let columns: Vec<ColumnId> = relation.iter_written_columns().map(|(id, _)| id).collect();
    let marks = vec!["?"; columns.len()].join(",");
    let prefix = database.map_or(String::new(), |database| format!("{}.", ddl::quote_name(database)));
    TableSql {
        create: ddl::create_table(database, table),
        indexes: ddl::create_indexes(table),
        insert: format!("INSERT INTO {prefix}{} VALUES ({marks})", ddl::quote_name(&table.name)),
        columns,
    }
}

/// An in-memory database.
pub(crate) struct Database {
    inner: RefCell<sqlite::Database>,
    /// The bytes of a fixture, which are written unchanged.
    given: Option<Arc<[u8]>>,
    /// The rows of views that were requested, by name.
    views: RefCell<BTreeMap<String, Arc<ViewRows>>>,
}

/// The rows of a view.
pub(crate) type ViewRows = Vec<Vec<Value>>;

impl Database {
    /// Creates an empty database.
    pub fn new_empty(rules: &'static Rules) -> Res<Database> {
        let inner = sqlite::Database::new_empty(rules).or_else(fail_sql)?;
        // References are valid by construction.
        inner.connection().set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false).or_else(fail_sql)?;
        Ok(Database { inner: RefCell::new(inner), given: None, views: RefCell::default() })
    }

    /// Creates a database of these tables, in source order (visible in `sqlite_master`), and fills parents first.
    pub fn new<'a>(
        tables: &[&TableSql],
        order: impl Iterator<Item = (&'a TableSql, &'a Table)>,
        views: &[DatabaseView],
    ) -> Res<Database> {
        let database = Database::new_empty(&AUTHOR)?;
        let run = || -> rusqlite::Result<()> {
            let inner = database.inner.borrow();
            let connection = inner.connection();
            // Nothing is ever rolled back, so the journal is off, which is a fifth faster. Pages stay at 4096 bytes: 1024 halves a small file, but
            // not on a disk with 4 KB blocks, and costs a tenth of the speed.
            connection.execute_batch("PRAGMA journal_mode=OFF; BEGIN")?;
            for table in tables {
                connection.execute_batch(&table.create)?;
            }
            for (sql, table) in order {
                insert_rows(connection, sql, table)?;
            }
            for index in tables.iter().flat_map(|table| &table.indexes) {
                connection.execute_batch(index)?;
            }
            for view in views {
                connection.execute_batch(&ddl::create_view(&view.name, &view.sql))?;
            }
            connection.execute_batch("COMMIT")
        };
        run().or_else(fail_sql)?;
        Ok(database)
    }

    /// Opens a fixture read-only.
    pub fn from_fixture(bytes: &Arc<[u8]>) -> Res<Database> {
        let inner = sqlite::Database::from_bytes(bytes, &GIVEN).or_else(fail_sql)?;
        let inner = RefCell::new(inner);
        let database = Database { inner, given: Some(Arc::clone(bytes)), views: RefCell::default() };
        // SQLite does not read the file before this query.
        database.run_bounded(|connection| {
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).or_else(fail_sql)
        })?;
        Ok(database)
    }

    /// Runs work that may be endless, or that reads untrusted data, within limits.
    fn run_bounded<T>(&self, work: impl FnOnce(&Connection) -> Res<T>) -> Res<T> {
        self.inner.borrow().run_bounded(None, work).or_else(|stopped| match stopped {
            QueryError::Failed(failure) => Err(failure),
            QueryError::Over(over) => fail_over_limit(over),
            QueryError::Clock => fail_reads_clock(),
            QueryError::LocalTime => fail_reads_time_zone(),
            QueryError::NoResult(why) => fail_computation(why),
            QueryError::Refused(_, why) => fail(FailureKind::SqlAtBuild, format!("SQLite refuses the query: {why}")),
            QueryError::Interrupted => fail(FailureKind::Io, "interrupted"),
        })
    }

    /// Returns all rows of a view, with values of these types. They never change, so the query is run once.
    pub fn read_view(&self, name: &str, columns: Vec<Option<ValueType>>, span: model::Span) -> Res<Arc<ViewRows>> {
        if let Some(rows) = self.views.borrow().get(name) {
            return Ok(Arc::clone(rows));
        }
        let text = format!("SELECT * FROM {}", ddl::quote_name(name));
        let scope = SqlScope::Relations(Vec::new());
        let found = run_query(self, &suite::Sql { text, scope, params: Vec::new(), columns, span }, &[], usize::MAX)?;
        let rows = Arc::new(found.rows);
        self.views.borrow_mut().insert(name.to_owned(), Arc::clone(&rows));
        Ok(rows)
    }

    /// Runs work that changes its tables.
    pub fn with_connection(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<()>) -> Res<()> {
        self.views.borrow_mut().clear();
        work(self.inner.borrow().connection()).or_else(fail_sql)
    }

    /// Attaches a fixture read-only.
    pub fn attach_fixture(&self, name: &str, bytes: &[u8]) -> Res<()> {
        self.inner.borrow_mut().attach_bytes(name, bytes).or_else(fail_sql)?;
        let look = format!("SELECT count(*) FROM {}.sqlite_schema", ddl::quote_name(name));
        // SQLite does not read the file before this query.
        self.run_bounded(|connection| connection.query_row(&look, [], |_| Ok(())).or_else(fail_sql))
    }

    /// Checks whether it is a fixture.
    pub fn is_given(&self) -> bool {
        self.given.is_some()
    }

    /// Returns the statements that made its tables, views, and indexes, in the database's own order.
    pub fn read_schema(&self) -> Res<String> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let inner = self.inner.borrow();
            let mut statement = inner
                .connection()
                .prepare("SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect()
        };
        read().map(|statements| statements.join("\n")).or_else(fail_sql)
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Res<Cow<'_, [u8]>> {
        match &self.given {
            Some(given) => Ok(Cow::Borrowed(given)),
            None => self.inner.borrow_mut().to_bytes().map(Cow::Owned).or_else(fail_sql),
        }
    }
}

/// Inserts the rows of a table.
pub(crate) fn insert_rows(connection: &Connection, sql: &TableSql, table: &Table) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(&sql.insert)?;
    let columns: Vec<Option<&Column>> =
        sql.columns.iter().map(|id| table.columns.get(*id).map(|column| &**column)).collect();
    for row in 0..table.rows {
        for (index, column) in columns.iter().enumerate() {
            if let Some(column) = column {
                bind_cell(&mut statement, index + 1, column, row)?;
            }
        }
        statement.raw_execute()?;
    }
    Ok(())
}

fn bind_cell(statement: &mut Statement<'_>, at: usize, column: &Column, row: usize) -> rusqlite::Result<()> {
    match column.data() {
        _ if column.is_null(row) => statement.raw_bind_parameter(at, rusqlite::types::Null),
        Data::Int(cells) => statement.raw_bind_parameter(at, cells.get(row)),
        Data::Text { .. } => statement.raw_bind_parameter(at, column.text_at(row)),
        _ => statement.raw_bind_parameter(at, Param(&column.get(row))),
    }
}

/// A value in the form passed to SQLite: decimals as REAL, booleans as 0 and 1, dates and datetimes as ISO 8601.
pub(crate) struct Param<'a>(pub &'a Val<'a>);

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        use rusqlite::types::Value as Sql;
        if let Some(text) = self.0.as_text() {
            return Ok(ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())));
        }
        Ok(match self.0.as_value() {
            None | Some(Value::Null) => ToSqlOutput::Owned(Sql::Null),
            Some(Value::Int(value)) => ToSqlOutput::Owned(Sql::Integer(*value)),
            Some(Value::Bool(value)) => ToSqlOutput::Owned(Sql::Integer(i64::from(*value))),
            Some(Value::Float(value)) => ToSqlOutput::Owned(Sql::Real(*value)),
            Some(Value::Decimal(value)) => ToSqlOutput::Owned(Sql::Real(value.to_f64())),
            Some(other) => ToSqlOutput::Owned(Sql::Text(other.render_text().into_owned())),
        })
    }
}

/// A result set.
pub(crate) struct Found {
    /// The columns' names.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<Value>>,
}

/// 2⁵³, above which doubles skip integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Runs a query in a database; stops after `most` rows.
pub(crate) fn run_query(database: &Database, sql: &suite::Sql, params: &[(&str, Val<'_>)], most: usize) -> Res<Found> {
    database.run_bounded(|connection| read_rows(connection, sql, params, most))
}

fn read_rows(connection: &Connection, sql: &suite::Sql, params: &[(&str, Val<'_>)], most: usize) -> Res<Found> {
    let mut statement = connection.prepare(&sql.text).or_else(fail_sql)?;
    if !statement.readonly() {
        return fail(FailureKind::SqlAtBuild, "the query writes");
    }
    for (name, value) in params {
        let at = statement.parameter_index(&format!(":{name}")).or_else(fail_sql)?;
        if let Some(at) = at {
            statement.raw_bind_parameter(at, Param(value)).or_else(fail_sql)?;
        }
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let count = columns.len();
    let mut rows = Vec::new();
    let mut cursor = statement.raw_query();
    while rows.len() < most {
        let Some(row) = cursor.next().or_else(fail_sql)? else { break };
        let mut values = Vec::with_capacity(count);
        for index in 0..count {
            let raw = sqlite::read_value(row, index).or_else(fail_sql)?;
            let wanted = sql.columns.get(index).copied().flatten();
            values.push(from_sql(raw, wanted, columns.get(index).map_or("", String::as_str))?);
        }
        rows.push(values);
    }
    Ok(Found { columns, rows })
}

/// Converts a value of SQLite to the known type of the column.
fn from_sql(raw: ValueRef<'_>, wanted: Option<ValueType>, column: &str) -> Res<Value> {
    let reject = |what: &str| fail(FailureKind::SqlAtBuild, format!("the query's column `{column}` {what}"));
    let unfit = |what: &str| {
        reject(&format!("gave {what} where {} was expected", wanted.map_or("something else", ValueType::name)))
    };
    match (raw, wanted) {
        (ValueRef::Null, _) => Ok(Value::Null),
        (ValueRef::Blob(_), _) => reject("gave a blob"),
        (ValueRef::Integer(value), Some(ValueType::Bool)) => Ok(Value::Bool(value != 0)),
        (ValueRef::Integer(value), Some(ValueType::Float)) => Ok(Value::Float(value as f64)),
        (ValueRef::Integer(value), Some(ValueType::Decimal(places))) => {
            match Decimal::from_int(value).with_places(places) {
                Some(value) => Ok(Value::Decimal(value)),
                None => unfit("an integer that is too large"),
            }
        }
        (ValueRef::Integer(value), _) => Ok(Value::Int(value)),
        // SQLite computes decimals as doubles, which are exact to the last place only below this limit.
        (ValueRef::Real(value), Some(ValueType::Decimal(places)))
            if value.abs() * libm::pow(10.0, places.into()) >= EXACT =>
        {
            let message =
                format!("the query's column `{column}` gave {value}, too large for SQL to be exact to {places} places");
            let help = "declare the column as `float`: SQL counts decimals as doubles, which keep 15 digits";
            fail_with(message, help)
        }
        (ValueRef::Real(value), Some(ValueType::Decimal(places))) => match Decimal::from_f64(value, places) {
            Some(value) => Ok(Value::Decimal(value)),
            None => unfit("a number that is too large"),
        },
        (ValueRef::Real(value), _) if value.is_finite() => Ok(Value::Float(value)),
        (ValueRef::Real(_), _) => reject("overflows"),
        (ValueRef::Text(bytes), wanted) => {
            let Ok(text) = std::str::from_utf8(bytes) else { return reject("gave a text that is not UTF-8") };
            let value = match wanted {
                Some(ValueType::Date) => Date::parse_iso(text).map(Value::Date),
                Some(ValueType::DateTime) => DateTime::parse_iso(text).map(Value::DateTime),
                _ => Some(Value::from_text(text)),
            };
            value.map_or_else(|| unfit(&format!("the text {text:?}")), Ok)
        }
    }
}

fn fail_sql<T>(error: rusqlite::Error) -> Res<T> {
    match limit_of(&error, &AUTHOR) {
        Some(over) => fail_over_limit(over),
        None => fail(FailureKind::SqlAtBuild, format!("SQLite says: {}", describe_error(&error))),
    }
}

pub(crate) fn fail_over_limit<T>(over: ExceededLimit) -> Res<T> {
    let message = match over {
        ExceededLimit::Work(steps) => format!("the query took more than {} million steps of SQLite", steps / 1_000_000),
        over => format!("the query took more than {over}"),
    };
    let help = "does it end? A recursive WITH needs a condition, a join a column to join on";
    fail_with_help(FailureKind::SqlTooMuch, message, help)
}

pub(crate) fn fail_reads_clock<T>() -> Res<T> {
    fail_with(
        "the query reads the clock, so its result would change from day to day",
        "a function of date and time got `now`, or no argument: draw the date in the task and pass it in, as `:today`",
    )
}

pub(crate) fn fail_reads_time_zone<T>() -> Res<T> {
    fail_with(
        "the query depends on the time zone of the machine",
        "leave out `localtime` and `utc`: dates of a suite have no time zone",
    )
}

pub(crate) fn fail_with<T>(message: impl Into<String>, help: &str) -> Res<T> {
    fail_with_help(FailureKind::SqlAtBuild, message, help)
}
