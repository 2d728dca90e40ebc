//! `describe`: describes a database within a number of tokens, and measures which share of the columns an answer needs is visible in the text.

use std::collections::BTreeSet;
use std::sync::Arc;

use ::sqlite::{Read, describe_tables, list_qualified_reads, list_reads};
use model::Val;
use model::answer_key::Answer;
use model::asked::Described;
use model::cache::Cache;
use model::schema_description::{Column, Table, describe_tables as written};
use model::suite::{Arg, Call, Expect, Expr, FileId, Sql, SqlScope, Task};

use super::args::{Args, find_sql};
use crate::failure::FailureKind;
use crate::generate::cell::{InstanceDraft, MadeDescription};
use crate::generate::constant_cache::load_cached;
use crate::generate::context::Eval;
use crate::generate::failures::{Res, fail_computation, fail_with_help};

/// Returns the description of a database within a budget of tokens, with an optional hint.
pub(super) fn describe_database(args: Args<'_>) -> Res<Val<'_>> {
    let (file, rendered) = args.resolve_file(0)?;
    let Some(database) = rendered.database() else { return args.reject_arg("a database") };
    let budget = args.evaluate_int(1)?;
    let hint = match args.call.args.len() {
        3.. => args.evaluate_arg(2)?,
        _ => Val::NULL,
    };
    let tables = find_tables(&database.to_bytes()?)?;
    let most = usize::try_from(budget).unwrap_or(0);
    match written(&tables, most, hint.as_text().unwrap_or("")) {
        Ok(description) => {
            let text = Val::from_text(description.text.clone());
            let mut all = args.eval.cell.described.borrow_mut();
            let made = MadeDescription { span: args.call.span, file, budget, description };
            if !all.contains(&made) {
                all.push(made);
            }
            Ok(text)
        }
        Err(few) => {
            let message = format!("`{}` needs more than {budget} tokens", args.call.function);
            let help = format!("`{}` needs {}: allow at least that many", few.line, few.needs);
            fail_with_help(FailureKind::TooFewTokens, message, help)
        }
    }
}

/// The tables of databases for descriptions, by the digest of the database.
static KNOWN: Cache<Result<Arc<Vec<Table>>, String>> = Cache::new(16 << 20);

/// Returns the tables of a database for its description, from the cache if possible.
fn find_tables(bytes: &[u8]) -> Res<Arc<Vec<Table>>> {
    let make = || describe_tables(bytes).map(Arc::new).map_err(|error| error.to_string());
    let tables = load_cached(&KNOWN, blake3::hash(bytes).into(), make, |tables| {
        tables.as_ref().map_or(0, |tables| tables.iter().map(estimate_table_size).sum())
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
    for MadeDescription { file, budget, description, .. } in made {
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
            let (budget, tokens) = (budget.unsigned_abs(), description.tokens as u64);
            let one = (file, Described { budget, tokens, visible });
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
    let (Some(call), Some(database), Some(declared)) =
        (find_query_call(cell.task, gold), cell.find_database(file), cell.task.files.get(file))
    else {
        return Ok(None);
    };
    let bytes = database.to_bytes()?;
    // An error of SQLite was already reported where the query was run.
    Ok(match (call.args.as_slice(), find_sql(call)) {
        ([Arg::File(of), Arg::Value(text)], _) if call.function.can_run_sql() && *of == file => {
            let text = Eval::new(cell).evaluate(text)?;
            text.as_text().and_then(|text| list_reads(&bytes, text).ok())
        }
        (_, Some(Sql { scope: SqlScope::Database(of), text, .. })) if *of == file => list_reads(&bytes, text).ok(),
        // Its tables are qualified by the name of their database; a query of other tables does not count.
        (_, Some(Sql { scope: SqlScope::Relations(_), text, .. })) => {
            list_qualified_reads(&bytes, &declared.name, text).ok().filter(|read| !read.is_empty())
        }
        _ => None,
    })
}

/// Finds the only call whose result is the value.
fn find_query_call<'p>(task: &'p Task, gold: &'p Expr) -> Option<&'p Call> {
    match gold {
        Expr::Name(name) => find_query_call(task, task.find_computed(*name)?),
        Expr::Call(call) => Some(call),
        _ => None,
    }
}
