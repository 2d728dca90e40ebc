//! Results of queries, and the schema of a database.

use model::functions::QueryResult;
use model::suite::{FileContent, Sql, SqlScope};
use model::value::RowSet;
use model::{Val, Value, ddl};

use super::args::Args;
use crate::failure::FailureKind;
use crate::generate::context::Eval;
use crate::generate::failures::{OrSpan, Res, fail};
use crate::generate::gold;
use crate::generate::sqlite::{Found, build_ddl_table, run_query};

/// Converts the result of the query among the arguments to the requested kind: the value of at most one row and column (null without a row), the values
/// of the only column, or the result set.
pub(super) fn read_result<'a>(args: Args<'a>, sql: &'a Sql, wanted: QueryResult) -> Res<Val<'a>> {
    // Two rows show that there is more than one.
    let most = if wanted == QueryResult::Value { 2 } else { usize::MAX };
    let Found { columns, rows } = evaluate_query(args.eval, sql, most)?;
    if wanted == QueryResult::Rows {
        return Ok(Val::Own(Value::Rows(RowSet { columns, rows })));
    }
    if columns.len() != 1 {
        let message = format!("the query gives {} columns where one is asked", columns.len());
        return fail(FailureKind::SqlAtBuild, message);
    }
    if wanted == QueryResult::Value && rows.len() > 1 {
        return fail(FailureKind::SqlAtBuild, "the query gave more than one row where one value is asked")
            .or_span(sql.span);
    }
    let mut values = rows.into_iter().flatten();
    Ok(match wanted {
        QueryResult::List => Val::Own(Value::List(values.collect())),
        _ => values.next().map_or(Val::NULL, Val::Own),
    })
}

/// Runs a query on the tables that it reads; stops after `most` rows.
fn evaluate_query<'a>(eval: Eval<'a>, sql: &'a Sql, most: usize) -> Res<Found> {
    let params: Res<Vec<(&str, Val<'a>)>> =
        sql.params.iter().map(|(name, value)| Ok((name.as_str(), eval.evaluate(value)?))).collect();
    let params = params?;
    let found = match &sql.scope {
        SqlScope::Database(file) => match eval.cell.find_database(*file) {
            Some(database) => run_query(database, sql, &params, most),
            None => fail(FailureKind::SqlAtBuild, "the query reads a database that is not made yet"),
        },
        SqlScope::Relations(relations) => {
            let mut scratch = eval.cell.scratch.borrow_mut();
            let database = scratch.load_relations(eval.cell.task, &eval.cell.tables, relations);
            database.and_then(|database| run_query(database, sql, &params, most))
        }
    };
    found.or_span(sql.span)
}

/// Runs a query that is a value, and returns its rows.
pub(super) fn run_gold_query(args: Args<'_>) -> Res<Val<'_>> {
    let (_, rendered) = args.resolve_file(0)?;
    let Some(database) = rendered.database() else { return args.reject_arg("a database") };
    let text = args.evaluate_arg(1)?;
    let Some(text) = text.as_text() else { return args.reject_arg("a text") };
    match gold::run_gold_query(&database.to_bytes()?, text) {
        Ok(gold) => Ok(Val::Own(Value::Rows(gold.rows.clone()))),
        Err(why) => fail(FailureKind::SqlAtBuild, format!("the query fails: {why}")).or_span(args.call.span),
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
    for table in relations.map(|relation| build_ddl_table(task, relation, &relation.table)) {
        statements.push(ddl::create_table(None, &table) + ";");
        statements.extend(ddl::create_indexes(&table).into_iter().map(|index| index + ";"));
    }
    statements.extend(views.iter().map(|view| ddl::create_view(&view.name, &view.sql) + ";"));
    Ok(Val::from_text(statements.join("\n")))
}
