//! The answer key: what is expected, with its paths and values.

use plan::answer_key::{Answer, At, Expected, Slice, Subject};
use plan::suite::matchers::Takes;
use plan::suite::{Expect, Expr, FileId, Matcher};
use plan::value::is_blank;
use plan::{Format, Value};
use sqlite::state::Goal;

use super::eval::{Eval, OrSpan, Res, fail, no_result};
use super::functions::goal;
use super::paths;
use crate::Failure;
use crate::failure::FailureKind;

/// An `expect` with its values, without traps.
pub(crate) fn expected<'a>(eval: Eval<'a>, expect: &'a Expect) -> Res<Expected> {
    let work = || {
        let subject = subject(eval, &expect.subject)?;
        Ok(Expected {
            name: expect.name.clone(),
            at: expect.at.clone().map(|at| At { yaml: at.yaml || is_yaml(&subject), ..at }),
            subject,
            matcher: expect.matcher,
            answer: answer(eval, expect)?,
            options: expect.options.clone(),
            weight: expect.weight,
            gate: expect.gate,
            database: expect.database.map(|file| path_of(eval, file)).transpose()?,
            traps: Vec::new(),
            span: (),
        })
    };
    work().or_span(expect.span)
}

/// Whether a file is YAML by its path.
fn is_yaml(subject: &Subject) -> bool {
    matches!(subject, Subject::File(path) if Format::of_path(path) == Some(Format::Yaml))
}

/// Where a declared file is in the sandbox.
fn path_of(eval: Eval<'_>, file: FileId) -> Res<String> {
    match eval.cell.files.get(file) {
        Some(Some(file)) => Ok(file.path.clone()),
        _ => no_result("the file of an answer is not made"),
    }
}

/// What is looked at.
pub(crate) fn subject<'a>(eval: Eval<'a>, subject: &'a Subject<Expr>) -> Res<Subject> {
    Ok(match subject {
        Subject::Reply(slice) => Subject::Reply(match slice {
            None => None,
            Some(Slice::LastLine) => Some(Slice::LastLine),
            Some(Slice::After(text)) => Some(Slice::After(eval.text(text)?)),
            Some(Slice::Fenced(language)) => Some(Slice::Fenced(language.clone())),
        }),
        Subject::File(path) => Subject::File(paths::safe(&eval.text(path)?)?),
        Subject::Files(list) => Subject::Files(path_list(eval, list, paths::safe)?),
        Subject::Tree(list) => Subject::Tree(path_list(eval, list, safe_in_tree)?),
        Subject::Only(list) => Subject::Only(path_list(eval, list, safe_in_tree)?),
    })
}

/// A file, or a folder with a trailing `/`.
fn safe_in_tree(path: &str) -> Res<String> {
    match path.strip_suffix('/') {
        Some(folder) => Ok(format!("{}/", paths::safe(folder)?)),
        None => paths::safe(path),
    }
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

fn answer<'a>(eval: Eval<'a>, expect: &'a Expect) -> Res<Option<Answer>> {
    let (expr, answer) = match &expect.answer {
        None => return Ok(None),
        Some(Answer::Content(file)) => return Ok(Some(Answer::Content(path_of(eval, *file)?))),
        Some(Answer::One(expr)) => (expr, Answer::One(value(eval, expr)?)),
        Some(Answer::AnyOf(expr)) => match value(eval, expr)? {
            Value::List(accepted) => (expr, Answer::AnyOf(accepted)),
            _ => return no_result("a list of accepted answers is needed here"),
        },
    };
    if says_nothing(&answer, expect.matcher) {
        return Err(empty(expect));
    }
    Ok(Some(match (expect.matcher.record().takes, answer) {
        (Takes::State, Answer::One(state)) => {
            let goal = goal(state);
            keys_count(&goal, expect)?;
            Answer::One(goal)
        }
        (Takes::Pattern, answer) if !matches!(expr, Expr::Const(_)) => {
            patterns(answer.values())?;
            answer
        }
        (_, answer) => answer,
    }))
}

/// The value of an answer: nothing in it may be null but what the author wrote as `null` within a list or object.
pub(super) fn value<'a>(eval: Eval<'a>, expr: &'a Expr) -> Res<Value> {
    match part(eval, expr)? {
        Value::Null => Err(null("the answer")),
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
fn says_nothing(answer: &Answer, matcher: Matcher) -> bool {
    let blank = |value: &Value| matches!(value, Value::Text(text) if is_blank(text));
    matcher.is_of_one_text() && answer.values().iter().all(blank)
}

/// What a text has to fit is a regular expression that the scorer can use; else no reply would be right.
fn patterns(accepted: &[Value]) -> Res<()> {
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
    let what =
        if expect.any_of() { "every accepted answer came out empty" } else { "the expected text came out empty" };
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
