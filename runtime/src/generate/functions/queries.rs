//! Results of queries, and the schema of a database.

use model::functions::QueryResult;
use model::suite::FileContent;
use model::value::RowSet;
use model::{Val, Value, ddl};

use super::args::Args;
use crate::failure::FailureKind;
use crate::generate::eval::{OrSpan, Res, fail};
use crate::generate::gold;
use crate::generate::sqlite::{self, Found};

/// Converts the result of the query among the arguments to the requested kind.
pub(super) fn read_result(args: Args<'_>, wanted: QueryResult) -> Res<Val<'_>> {
    match wanted {
        QueryResult::Value => read_scalar(args),
        QueryResult::List => read_list(args),
        QueryResult::Rows => read_rows(args),
    }
}

fn run_query(args: Args<'_>, most: usize) -> Res<Found> {
    match args.find_sql() {
        Some(sql) => sqlite::evaluate_query(args.eval, sql, most),
        None => args.reject_arg("a query"),
    }
}

/// Returns the value of at most one row and column; null if the query returns no row.
fn read_scalar(args: Args<'_>) -> Res<Val<'_>> {
    let found = run_one_column(args, 2)?;
    if found.rows.len() > 1 {
        let Some(sql) = args.find_sql() else { return args.reject_arg("a query") };
        return fail(FailureKind::SqlAtBuild, "the query gave more than one row where one value is asked")
            .or_span(sql.span);
    }
    Ok(found.rows.into_iter().next().and_then(|row| row.into_iter().next()).map_or(Val::NULL, Val::Own))
}

/// Returns the values of the only column.
fn read_list(args: Args<'_>) -> Res<Val<'_>> {
    let found = run_one_column(args, usize::MAX)?;
    Ok(Val::Own(Value::List(found.rows.into_iter().flatten().collect())))
}

/// Returns the result set.
fn read_rows(args: Args<'_>) -> Res<Val<'_>> {
    let found = run_query(args, usize::MAX)?;
    Ok(Val::Own(Value::Rows(RowSet { columns: found.columns, rows: found.rows })))
}

/// Runs a query that is a value, and returns its rows.
pub(super) fn run_gold_query(args: Args<'_>) -> Res<Val<'_>> {
    let (_, rendered) = args.resolve_file(0)?;
    let Some(database) = rendered.database() else { return args.reject_arg("a database") };
    let text = args.evaluate_arg(1)?;
    let Some(text) = text.as_text() else { return args.reject_arg("a text") };
    let found = match database.given_bytes() {
        Some(bytes) => gold::run_gold_query(bytes, text),
        None => gold::run_gold_query(&database.to_bytes()?, text),
    };
    match found {
        Ok(gold) => Ok(Val::Own(Value::Rows(gold.rows.clone()))),
        Err(why) => fail(FailureKind::SqlAtBuild, format!("the query fails: {why}")).or_span(args.call.span),
    }
}

fn run_one_column(args: Args<'_>, most: usize) -> Res<Found> {
    let found = run_query(args, most)?;
    match found.columns.len() {
        1 => Ok(found),
        columns => fail(FailureKind::SqlAtBuild, format!("the query gives {columns} columns where one is asked")),
    }
}

/// Renders the `CREATE TABLE` and `CREATE INDEX` statements of a database, and those of its views.
pub(super) fn render_schema(args: Args<'_>) -> Res<Val<'_>> {
    let (file, rendered) = args.resolve_file(0)?;
    if let Some(given) = rendered.database().filter(|database| database.is_given()) {
        return given.read_schema().map(Val::from_text);
    }
    let task = args.eval.cell.task;
    let Some(FileContent::Sqlite { tables, views, .. }) = task.files.get(file).map(|file| &file.content) else {
        return args.reject_arg("a database");
    };
    let mut statements: Vec<String> = Vec::new();
    let relations = tables.iter().filter_map(|id| task.relations.get(*id));
    for table in relations.map(|relation| sqlite::build_ddl_table(task, relation, &relation.table)) {
        statements.push(ddl::create_table(None, &table) + ";");
        statements.extend(ddl::create_indexes(&table).into_iter().map(|index| index + ";"));
    }
    statements.extend(views.iter().map(|view| ddl::create_view(&view.name, &view.sql) + ";"));
    Ok(Val::from_text(statements.join("\n")))
}
