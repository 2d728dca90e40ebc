//! `after` and `changed`: the expected state of a database after statements.
//!
//! The value of a state is an object: `run` (the statements and the values of their parameters), and the content of the answer key
//! (`sqlite::state::Goal`). A state that builds on another one runs all statements again from the start, which preserves everything that SQLite keeps
//! besides the rows.

use model::suite::{Arg, FileId, SqlScope};
use model::{Val, Value};
use sqlite::state::{Changed, Goal, MAX_BYTES, Refusal, UnreadableDatabase, apply_statements};

use super::args::{Args, find_sql};
use crate::failure::FailureKind;
use crate::generate::failures::{OrSpan, Res, fail, fail_computation, fail_with_help};
use crate::generate::sqlite::{Param, fail_over_limit, fail_reads_clock, fail_reads_time_zone, fail_with};

/// The field of a state that contains its statements.
const RUN: &str = "run";

/// Computes the state after statements that start from a database or from an earlier state.
pub(super) fn compute_state(args: Args<'_>) -> Res<Val<'_>> {
    let Some(sql) = find_sql(args.call) else { return args.reject_arg("statements") };
    let SqlScope::Database(file) = sql.scope else { return args.reject_arg("a database") };
    let mut lists: Vec<Value> = match args.call.args.first() {
        Some(Arg::Value(_)) => match args.evaluate_arg(0)?.into_value() {
            Value::Object(fields) => fields
                .into_iter()
                .find_map(|(name, value)| match value {
                    Value::List(lists) if name == RUN => Some(lists),
                    _ => None,
                })
                .unwrap_or_default(),
            _ => return args.reject_arg("a state"),
        },
        _ => Vec::new(),
    };
    let params = sql.params.iter().map(|(name, value)| Ok((name.clone(), args.eval.evaluate(value)?.into_value())));
    let params = Value::Object(params.collect::<Res<_>>()?);
    lists.push(Value::List(vec![Value::from_text(sql.text.as_str()), params]));
    let changed = run_statements(args, file, &lists).or_span(sql.span)?;
    let value = Goal::from_changed(&changed).to_value().or_else(|why| {
        fail(FailureKind::SqlAtBuild, format!("the state cannot be compared: {why}")).or_span(sql.span)
    })?;
    let Value::Object(mut fields) = value else { return args.reject_arg("a state") };
    fields.push((RUN.to_owned(), Value::List(lists)));
    Ok(Val::Own(Value::Object(fields)))
}

/// Counts the rows that are added, removed, or changed.
pub(super) fn count_changed_rows(args: Args<'_>) -> Res<Val<'_>> {
    let state = args.evaluate_arg(0)?;
    match state.as_value().and_then(Goal::from_value) {
        Some(goal) => Ok(Val::from_int(goal.count_rows() as i64)),
        None => args.reject_arg("a state"),
    }
}

/// Returns the part of a state that belongs in an answer key, without its statements.
pub(crate) fn extract_goal(state: Value) -> Value {
    match state {
        Value::Object(mut fields) => {
            fields.retain(|(name, _)| name != RUN);
            Value::Object(fields)
        }
        other => other,
    }
}

/// The text of some statements, and the values of their parameters.
type Statements = (String, Vec<(String, Val<'static>)>);

/// Parses statements in the form in which `after` stores them.
fn parse_statements(list: &Value) -> Option<Statements> {
    let Value::List(parts) = list else { return None };
    let [Value::Text(text), Value::Object(params)] = parts.as_slice() else { return None };
    Some((text.clone(), params.iter().map(|(name, value)| (name.clone(), Val::Own(value.clone()))).collect()))
}

fn run_statements(args: Args<'_>, file: FileId, lists: &[Value]) -> Res<Changed> {
    let Some(database) = args.eval.cell.find_database(file) else {
        return fail_computation("a database is changed before it is made");
    };
    let bytes = database.to_bytes()?;
    if bytes.len() > MAX_BYTES {
        let message = format!(
            "the database has {} bytes, more than the {} MiB that can be compared",
            model::value::group_digits(bytes.len() as u64),
            MAX_BYTES >> 20
        );
        return fail_with_help(FailureKind::TooLarge, message, "generate fewer rows");
    }
    let lists: Option<Vec<Statements>> = lists.iter().map(parse_statements).collect();
    let Some(lists) = lists else { return args.reject_arg("statements") };
    let bound: Vec<(&str, Vec<(String, Param<'_>)>)> = lists
        .iter()
        .map(|(text, params)| {
            (text.as_str(), params.iter().map(|(name, value)| (name.clone(), Param(value))).collect())
        })
        .collect();
    apply_statements(&bytes, &bound).or_else(|refusal| match refusal {
        Refusal::Failed(why) => fail_with(
            format!("SQLite refuses the statements: {why}"),
            "change the statements, or draw samples in which they succeed: `require` is looked at before them where it does not need their result",
        ),
        Refusal::NoModule { tables, module } => fail_with(
            format!(
                "the statements use the virtual table {} through a trigger or a view, and SQLite does not have its module `{module}` here",
                tables.iter().map(|table| format!("`{table}`")).collect::<Vec<_>>().join(" or ")
            ),
            "change tables whose triggers do not use it, or remove these triggers from the database: DROP TRIGGER …",
        ),
        Refusal::Over(over) => fail_over_limit(over),
        Refusal::Clock => fail_reads_clock(),
        Refusal::LocalTime => fail_reads_time_zone(),
        Refusal::Unsteady => fail_with(
            "the statements give other rows when SQLite meets the rows of a table in another order",
            "fix the order: add ORDER BY to `INSERT … SELECT`, join `UPDATE … FROM` on a key",
        ),
        Refusal::Unread(UnreadableDatabase::Interrupted) | Refusal::Interrupted => fail(FailureKind::Io, "interrupted"),
        Refusal::Unread(UnreadableDatabase::Broken(why) | UnreadableDatabase::TooLarge(why)) => {
            fail(FailureKind::SqlAtBuild, format!("the database cannot be compared: {why}"))
        }
    })
}
