//! `describe`: describes a database within a number of tokens, and measures which share of the columns an answer needs is visible in the text.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use ::sqlite::{Read, describe_tables, list_qualified_reads, list_reads};
use model::answer_key::Answer;
use model::cache::{Cache, Key};
use model::schema_description::{Column, Description, Table, describe_tables as written};
use model::suite::{Arg, Call, Expect, Expr, FileId, Sql, SqlScope, Task};
use model::{Span, Val};

use super::args::Args;
use crate::Failure;
use crate::failure::FailureKind;
use crate::generate::cell::InstanceDraft;
use crate::generate::eval::{Eval, Res, fail_computation};
use crate::generate::instance::Described;
use crate::generate::sqlite::Database;

/// A description made for an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    /// The call that made it.
    pub span: Span,
    /// The database.
    pub file: FileId,
    /// Maximum number of tokens.
    pub budget: i64,
    /// The description.
    pub description: Description,
}

/// Returns the description of a database within a budget of tokens, with an optional hint.
pub(super) fn describe_database(args: Args<'_>) -> Res<Val<'_>> {
    let (file, rendered) = args.resolve_file(0)?;
    let Some(database) = rendered.database() else { return args.reject_arg("a database") };
    let budget = args.evaluate_int(1)?;
    let hint = match args.call.args.len() {
        3.. => args.evaluate_arg(2)?,
        _ => Val::NULL,
    };
    let tables = find_tables(&read_database_bytes(database)?)?;
    let most = usize::try_from(budget).unwrap_or(0);
    match written(&tables, most, hint.as_text().unwrap_or("")) {
        Ok(description) => {
            let text = Val::from_text(description.text.clone());
            let mut all = args.eval.cell.described.borrow_mut();
            let made = Made { span: args.call.span, file, budget, description };
            if !all.contains(&made) {
                all.push(made);
            }
            Ok(text)
        }
        Err(few) => {
            let message = format!("`{}` needs more than {budget} tokens", args.call.function);
            let failure = Failure::new(FailureKind::TooFewTokens, message);
            Err(Box::new(failure.help(format!("`{}` needs {}: allow at least that many", few.line, few.needs))))
        }
    }
}

/// Returns the bytes of a database.
fn read_database_bytes(database: &Database) -> Res<Cow<'_, [u8]>> {
    Ok(match database.given_bytes() {
        Some(bytes) => Cow::Borrowed(bytes),
        None => Cow::Owned(database.to_bytes()?),
    })
}

/// The tables of databases for descriptions, by the digest of the database.
static KNOWN: Cache<Result<Arc<Vec<Table>>, String>> = Cache::new(16 << 20);

/// Returns the tables of a database for its description, from the cache if possible.
fn find_tables(bytes: &[u8]) -> Res<Arc<Vec<Table>>> {
    let key: Key = blake3::hash(bytes).into();
    let tables = KNOWN.find_value(&key).unwrap_or_else(|| {
        let tables = describe_tables(bytes).map(Arc::new).map_err(|error| error.to_string());
        // A result is not kept if the end of the process caused it.
        if !::sqlite::is_stopped() {
            KNOWN.insert_value(
                key,
                tables.as_ref().map_or(0, |tables| tables.iter().map(estimate_table_size).sum()),
                tables.clone(),
            );
        }
        tables
    });
    tables.or_else(|why| fail_computation(format!("the database cannot be described: {why}")))
}

/// Estimates the size of a cached table in bytes.
fn estimate_table_size(table: &Table) -> usize {
    let text = |text: &String| size_of::<String>() + text.len();
    let of_column =
        |column: &Column| size_of_val(column) + text(&column.name) + column.examples.iter().map(text).sum::<usize>();
    size_of_val(table) + text(&table.name) + table.columns.iter().map(of_column).sum::<usize>()
}

/// Collects the descriptions of databases in the prompt or a text file of an instance whose answers query these databases. Each is listed once, with
/// the share of the first query's tables and columns that it names.
pub(crate) fn collect_descriptions(cell: &InstanceDraft<'_>, prompt: &str, expects: &[Expect]) -> Res<Vec<Described>> {
    let made = cell.described.borrow().clone();
    let is_given = |text: &str| {
        let files = cell.files.iter().flatten().filter_map(|file| file.text());
        std::iter::once(prompt).chain(files).any(|given| given.contains(text))
    };
    let mut found: Vec<(FileId, Described)> = Vec::new();
    for Made { file, budget, description, .. } in made {
        if !is_given(&description.text) {
            continue;
        }
        let golds =
            expects.iter().filter(|expect| expect.database == Some(file)).filter_map(|expect| match &expect.answer {
                Some(Answer::One(gold)) => Some(gold),
                _ => None,
            });
        for gold in golds {
            let Some(needed) = find_needed_columns(cell, file, gold)? else { continue };
            let visible = (description.compute_visible_share(&needed) * 10_000.0).round() / 10_000.0;
            let one = (file, Described { budget, tokens: description.tokens, visible });
            if !found.contains(&one) {
                found.push(one);
            }
            break;
        }
    }
    Ok(found.into_iter().map(|(_, one)| one).collect())
}

/// Returns the tables and columns that an answer's query reads; `None` if the answer is not one query of this database.
fn find_needed_columns(cell: &InstanceDraft<'_>, file: FileId, gold: &Expr) -> Res<Option<BTreeSet<Read>>> {
    let rendered = cell.files.get(file).and_then(Option::as_ref);
    let database = rendered.and_then(|file| file.database());
    let (Some(query), Some(database), Some(declared)) =
        (find_query(cell.task, gold), database, cell.task.files.get(file))
    else {
        return Ok(None);
    };
    let bytes = read_database_bytes(database)?;
    // An error of SQLite was already reported where the query was run.
    Ok(match query {
        Query::Written(sql) => match sql.scope {
            SqlScope::Database(of) => {
                Some(of).filter(|of| *of == file).and_then(|_| list_reads(&bytes, &sql.text).ok())
            }
            // Its tables are qualified by the name of their database; a query of other tables does not count.
            SqlScope::Relations(_) => {
                list_qualified_reads(&bytes, &declared.name, &sql.text).ok().filter(|read| !read.is_empty())
            }
        },
        Query::Value(of, text) if of == file => {
            let text = Eval::new(cell).evaluate(text)?;
            text.as_text().and_then(|text| list_reads(&bytes, text).ok())
        }
        Query::Value(..) => None,
    })
}

/// A query whose result is an answer.
enum Query<'p> {
    /// A query written in the suite.
    Written(&'p Sql),
    /// A value that is run as a query on this database.
    Value(FileId, &'p Expr),
}

/// Finds the only query whose result is the value.
fn find_query<'p>(task: &'p Task, gold: &'p Expr) -> Option<Query<'p>> {
    match gold {
        Expr::Name(name) => find_query(task, task.find_computed(*name)?),
        Expr::Call(call) => find_call_query(call),
        _ => None,
    }
}

fn find_call_query(call: &Call) -> Option<Query<'_>> {
    if call.function.can_run_sql() {
        return match call.args.as_slice() {
            [Arg::File(file), Arg::Value(text)] => Some(Query::Value(*file, text)),
            _ => None,
        };
    }
    call.args.iter().find_map(|arg| if let Arg::Sql(sql) = arg { Some(Query::Written(sql)) } else { None })
}
