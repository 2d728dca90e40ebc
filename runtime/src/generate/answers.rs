//! The answer key: what is expected, with its paths and values.

use plan::Value;
use plan::suite::{Expect, Expr, FileIx, Matcher, Slice, Subject};
use plan::value::is_blank;
use sqlite::state::Goal;

use super::eval::{Eval, OrSpan, Res, fail, no_result};
use super::functions::goal;
use super::instance::{Expected, ExpectedSlice, ExpectedSubject};
use super::paths;
use crate::Failure;
use crate::failure::FailureKind;

/// An `expect` with its values.
pub(crate) fn expected<'a>(eval: Eval<'a>, expect: &'a Expect) -> Res<Expected> {
    let work = || {
        Ok(Expected {
            subject: subject(eval, &expect.subject)?,
            matcher: expect.matcher,
            value: expect.value.as_ref().map(|value| answer(eval, value, expect)).transpose()?,
            any_of: expect.any_of,
            options: expect.options.clone(),
            weight: expect.weight,
            gate: expect.gate,
            database: expect.database.map(|file| path_of(eval, file)).transpose()?,
            content: expect.content.map(|file| path_of(eval, file)).transpose()?,
        })
    };
    work().or_span(expect.span)
}

/// Where a declared file is in the sandbox.
fn path_of(eval: Eval<'_>, file: FileIx) -> Res<String> {
    match eval.cell.files.get(file.0 as usize) {
        Some(Some(file)) => Ok(file.path.clone()),
        _ => no_result("the file of an answer is not made"),
    }
}

/// What is looked at.
pub(crate) fn subject<'a>(eval: Eval<'a>, subject: &'a Subject) -> Res<ExpectedSubject> {
    Ok(match subject {
        Subject::Reply(slice) => ExpectedSubject::Reply(match slice {
            None => None,
            Some(Slice::LastLine) => Some(ExpectedSlice::LastLine),
            Some(Slice::After(text)) => Some(ExpectedSlice::After(eval.text(text)?)),
            Some(Slice::Fenced(language)) => Some(ExpectedSlice::Fenced(language.clone())),
        }),
        Subject::File(path) => ExpectedSubject::File(paths::safe(&eval.text(path)?)?),
        Subject::Files(list) => ExpectedSubject::Files(path_list(eval, list, paths::safe)?),
        Subject::Tree(list) => ExpectedSubject::Tree(path_list(eval, list, |path| match path.strip_suffix('/') {
            Some(folder) => Ok(format!("{}/", paths::safe(folder)?)),
            None => paths::safe(path),
        })?),
    })
}

fn path_list<'a>(eval: Eval<'a>, list: &'a Expr, safe: impl Fn(&str) -> Res<String>) -> Res<Vec<String>> {
    let value = eval.eval(list)?;
    match value.value() {
        Some(Value::List(items)) => {
            items.iter().map(|item| if item.is_null() { Err(null("a path")) } else { safe(&item.render()) }).collect()
        }
        _ => no_result("a list of paths is needed here"),
    }
}

/// An answer: nothing in it may be null but what the author wrote as `null` within a list or object.
fn answer<'a>(eval: Eval<'a>, expr: &'a Expr, expect: &Expect) -> Res<Value> {
    let value = part(eval, expr)?;
    match value {
        Value::Null => Err(null("the answer")),
        value if says_nothing(&value, expect) => Err(empty(expect)),
        state if expect.matcher == Matcher::Database => {
            let goal = goal(state);
            keys_count(&goal, expect)?;
            Ok(goal)
        }
        value if expect.matcher == Matcher::Matches && !matches!(expr, Expr::Const(_)) => {
            patterns(&value, expect)?;
            Ok(value)
        }
        value => Ok(value),
    }
}

/// Fails where `ignore` names a column by which rows are known.
fn keys_count(goal: &Value, expect: &Expect) -> Res<()> {
    let Some(goal) = Goal::from_value(goal) else { return no_result("a state is needed here") };
    let parts = expect.options.iter().flat_map(|(_, options)| &options.parts);
    for part in parts {
        for table in &goal.tables {
            let key = table.key.iter().filter_map(|at| table.columns.get(*at));
            if let Some(column) =
                key.map(|column| format!("{}.{column}", table.name)).find(|key| key.eq_ignore_ascii_case(part))
            {
                let message = format!("`database` cannot ignore the key column `{column}`");
                return fail(FailureKind::SqlAtBuild, message);
            }
        }
    }
    Ok(())
}

/// Whether the text that is expected, or each that is accepted, is empty: no reply would be right.
fn says_nothing(value: &Value, expect: &Expect) -> bool {
    let blank = |value: &Value| matches!(value, Value::Text(text) if is_blank(text));
    matches!(expect.matcher, Matcher::Text | Matcher::Contains | Matcher::Matches)
        && match value {
            Value::List(accepted) if expect.any_of => accepted.iter().all(blank),
            one => blank(one),
        }
}

/// What a text has to fit is a regular expression that the scorer can use; else no reply would be right.
fn patterns(value: &Value, expect: &Expect) -> Res<()> {
    let accepted = match value {
        Value::List(accepted) if expect.any_of => accepted.as_slice(),
        one => std::slice::from_ref(one),
    };
    for pattern in accepted {
        let pattern = pattern.render();
        if let Err(why) = plan::pattern::whole(&pattern) {
            let what = format!("the regular expression `{pattern}` cannot be read: {why}");
            let failure = Failure::new(FailureKind::FailedComputation, what);
            return Err(Box::new(failure.help(
                "a drawn value is part of the expression: draw it from values without `(`, `[`, `*` and the like, or use `text` or `contains`",
            )));
        }
    }
    Ok(())
}

fn empty(expect: &Expect) -> Box<Failure> {
    let what = if expect.any_of { "every accepted answer came out empty" } else { "the expected text came out empty" };
    let failure = Failure::new(FailureKind::EmptyAtBuild, what);
    Box::new(failure.help(
        "no reply is correct for an empty text: redraw such samples with `require`, or expect a word such as \"none\" and name it in the prompt",
    ))
}

fn part<'a>(eval: Eval<'a>, expr: &'a Expr) -> Res<Value> {
    match expr {
        Expr::Const(value) => Ok(value.clone()),
        Expr::List(items) => Ok(Value::List(items.iter().map(|item| part(eval, item)).collect::<Res<_>>()?)),
        Expr::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let value = part(eval, value).map_err(|failure| named(failure, name))?;
                Ok((name.clone(), value))
            });
            Ok(Value::Object(fields.collect::<Res<_>>()?))
        }
        other => match eval.eval(other)?.into_value() {
            Value::Null => Err(null("the answer")),
            value => Ok(value),
        },
    }
}

fn null(what: &str) -> Box<Failure> {
    let failure = Failure::new(FailureKind::NullAtBuild, format!("{what} came out null"));
    Box::new(failure.help("use `coalesce(x, …)`, or `require x != null` to draw the sample again"))
}

/// Says which key of an object is null.
fn named(mut failure: Box<Failure>, key: &str) -> Box<Failure> {
    if failure.kind == FailureKind::NullAtBuild && failure.message == "the answer came out null" {
        failure.message = format!("the answer under the key `{key}` came out null");
    }
    failure
}
