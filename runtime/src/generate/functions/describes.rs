//! `describe`: a database within a number of tokens, and how much of what an answer needs such texts name.

use std::collections::BTreeSet;

use ::sqlite::Read;
use plan::Val;
use plan::answer_key::Answer;
use plan::described::{Description, describe as written};
use plan::suite::{Arg, Expect, Expr, FileId, Sql, SqlScope, Task};

use super::args::Args;
use crate::Failure;
use crate::failure::FailureKind;
use crate::generate::cell::Cell;
use crate::generate::eval::Res;
use crate::generate::instance::Described;

/// A description that was made for an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    file: FileId,
    budget: i64,
    description: Description,
}

/// The text of a database within its budget of tokens.
pub(super) fn describe(args: Args<'_>) -> Res<Val<'_>> {
    let (file, rendered) = args.file(0)?;
    let Some(database) = rendered.database() else { return args.misfit("a database") };
    let budget = args.int(1)?;
    let hint = match args.call.args.len() {
        3.. => args.value(2)?,
        _ => Val::NULL,
    };
    let tables = database.described()?;
    let most = usize::try_from(budget).unwrap_or(0);
    match written(&tables, most, hint.as_text().unwrap_or("")) {
        Ok(description) => {
            let text = Val::text(description.text.clone());
            let mut all = args.eval.cell.described.borrow_mut();
            let made = Made { file, budget, description };
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

/// The descriptions that an instance was given of databases that its answers query, with what they name of what the queries read. Each is
/// told once, with the first of the queries.
pub(crate) fn recorded(cell: &Cell<'_>, expects: &[Expect]) -> Res<Vec<Described>> {
    let made = cell.described.borrow().clone();
    let mut found = Vec::new();
    for Made { file, budget, description } in made {
        let of_file = expects.iter().filter(|expect| expect.database == Some(file));
        let golds = of_file.filter_map(|expect| match &expect.answer {
            Some(Answer::One(gold)) => Some(gold),
            _ => None,
        });
        for gold in golds {
            let Some(needed) = needed(cell, file, gold)? else { continue };
            let visible = (description.visible(&needed) * 10_000.0).round() / 10_000.0;
            found.push(Described { budget, tokens: description.tokens, visible });
            break;
        }
    }
    Ok(found)
}

/// The tables and columns that a query of a database reads; `None` where the answer is not one query of it.
fn needed(cell: &Cell<'_>, file: FileId, gold: &Expr) -> Res<Option<BTreeSet<Read>>> {
    let rendered = cell.files.get(file).and_then(Option::as_ref);
    let database = rendered.and_then(|file| file.database());
    let (Some(sql), Some(database), Some(declared)) = (query_of(cell.task, gold), database, cell.task.files.get(file))
    else {
        return Ok(None);
    };
    // What SQLite refuses here was told where it was run.
    Ok(match sql.scope {
        SqlScope::Database(of) if of == file => ::sqlite::reads(&database.bytes()?, &sql.text).ok(),
        SqlScope::Database(_) => None,
        SqlScope::Relations(_) => {
            let read = ::sqlite::reads_of(&database.described()?, &declared.name, &sql.text).ok();
            read.filter(|read| !read.is_empty())
        }
    })
}

/// The one query that a value is the result of.
fn query_of<'p>(task: &'p Task, gold: &'p Expr) -> Option<&'p Sql> {
    match gold {
        Expr::Name(name) => query_of(task, task.computed(*name)?),
        Expr::Call(call) => call.args.iter().find_map(|arg| match arg {
            Arg::Sql(sql) => Some(sql),
            _ => None,
        }),
        _ => None,
    }
}
