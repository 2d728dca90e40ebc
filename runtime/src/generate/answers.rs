//! The answer key: each expectation with its paths and values.

use std::collections::HashSet;

use model::answer_key::{Answer, At, Expected, Read, Subject};
use model::format::strip_gzip;
use model::pointer::unescape_step;
use model::singular::Singular;
use model::suite::matchers::{Reads, Takes};
use model::suite::{CellMatch, Expect, Expr, Matcher, Options, SortKey, UTF_8};
use model::value::{RowSet, is_blank};
use model::{Format, Value};
use sqlite::state::is_database_file;
use tables::Encoding;

use super::context::Eval;
use super::declared_form;
use super::failures::{OrSpan, Res, fail_computation, fail_with_help};
use super::functions::extract_goal;
use super::ignored_differences::check_ignored_differences;
use super::paths;
use super::readback;
use super::rendered::{Content, Rendered};
use crate::Failure;
use crate::failure::FailureKind;

/// Evaluates an `expect` to its paths and values, without traps.
pub(crate) fn evaluate_expect<'a>(eval: Eval<'a>, expect: &'a Expect) -> Res<Expected> {
    let work = || {
        let subject = evaluate_subject(eval, &expect.subject)?;
        check_readable(expect, &subject)?;
        let read = infer_read_mode(eval, expect.matcher, &subject)?.with_told(&expect.read);
        let read = Read { encoding: read.encoding.filter(|encoding| *encoding != UTF_8), ..read };
        let answer = evaluate_answer(eval, expect)?;
        if let (Some(answer), Some(encoding)) = (&answer, &read.encoding) {
            check_encodable(answer, expect.matcher, encoding)?;
        }
        if let Some(answer) = &answer {
            check_ignored_differences(eval, expect, answer)?;
        }
        Ok(Expected {
            name: expect.name.clone(),
            at: resolve_place(expect, &subject),
            subject,
            matcher: expect.matcher,
            answer,
            options: expect.options.clone(),
            weight: expect.weight,
            gate: expect.gate,
            database: expect.database.map(|file| eval.find_file(file).map(|file| file.path.clone())).transpose()?,
            among: evaluate_among(eval, expect)?,
            read,
            columns: Vec::new(),
            tests: Default::default(),
            traps: Vec::new(),
            span: (),
        })
    };
    work().or_span(expect.span)
}

/// Returns the place in a file where the answer is read. For a matcher that takes JSON, a whole YAML file is such a place (`$`) too.
fn resolve_place(expect: &Expect, subject: &Subject) -> Option<At> {
    let whole = || {
        let whole = expect.matcher.record().takes == Takes::Json && is_yaml(subject);
        Singular::parse("$").ok().filter(|_| whole).map(|path| At { path, yaml: true })
    };
    let written = expect.at.clone().map(|at| At { yaml: at.yaml || is_yaml(subject), ..at });
    written.or_else(whole)
}

/// Checks whether a file is YAML, by its path.
fn is_yaml(subject: &Subject) -> bool {
    matches!(subject, Subject::File(path) if Format::from_path(strip_gzip(path)) == Some(Format::Yaml))
}

/// Fails if a text matcher would read a file whose extension is not that of a text file.
fn check_readable(expect: &Expect, subject: &Subject) -> Res<()> {
    let matcher = expect.matcher;
    let (Subject::File(path), Reads::Text) = (subject, matcher.record().reads) else { return Ok(()) };
    let Some(noun) = model::file_extensions::describe_unreadable(path) else { return Ok(()) };
    let format = Format::from_path(path);
    let has_cell = expect.read.cell.is_some();
    let has_rows = format.is_some_and(Format::has_typed_cells) && !has_cell && matcher.reads_sheet();
    if has_rows || format == Some(Format::Xlsx) && has_cell && matcher.reads_cell() {
        return Ok(());
    }
    let message = format!("`{}` cannot read `{path}`, which is {noun}", matcher.word());
    fail_with_help(FailureKind::PathAtBuild, message, "draw a path that ends like a text file")
}

/// Returns how the subject file is read: in the form in which the file declared at its path is written.
fn infer_read_mode(eval: Eval<'_>, matcher: Matcher, subject: &Subject) -> Res<Read> {
    let Subject::File(path) = subject else { return Ok(Read::default()) };
    let declared = eval.cell.files.iter_enumerated().find_map(|(id, file)| {
        let file = file.as_ref().filter(|file| file.paths().any(|own| own == path))?;
        Some((id, eval.cell.task.files.get(id)?, file))
    });
    if matcher == Matcher::Unchanged {
        let is_database = match declared {
            Some((.., file)) => has_database(file),
            // For a file of a lake only the name is available.
            None => Format::from_path(path) == Some(Format::Sqlite),
        };
        return Ok(Read { database: is_database, ..Read::default() });
    }
    let record = matcher.record();
    if !(record.reads == Reads::Text || record.takes == Takes::Content) {
        return Ok(Read::default());
    }
    let form = declared.and_then(|(_, file, _)| file.form.as_deref().or_else(|| file.content.form()));
    let encoding = form.map(|form| &form.encoding).filter(|encoding| *encoding != UTF_8);
    let of_table = declared.filter(|_| record.takes == Takes::Rows);
    let kept = of_table.map(|(id, ..)| declared_form::find_declared_form(eval.cell, id, path)).transpose()?.flatten();
    let read = Read { encoding: encoding.cloned(), declared: kept.map(Box::new), ..Read::default() };
    // Commas and tabs are recognized by the header.
    let cells = form.filter(|form| record.takes == Takes::Rows && !matches!(form.delimiter, ',' | '\t'));
    Ok(match cells {
        Some(form) => {
            Read { delimiter: Some(form.delimiter), header: Some(form.header).filter(|rows| *rows != 1), ..read }
        }
        None => read,
    })
}

/// Checks whether a file is a database at the start.
fn has_database(file: &Rendered) -> bool {
    match &file.content {
        Content::Database(_) => true,
        Content::Bytes(bytes) => is_database_file(bytes),
        Content::Copied(bytes, _) => is_database_file(bytes),
        _ => false,
    }
}

/// Fails if an expected text has a letter that the encoding of its file lacks: no file could be correct.
fn check_encodable(answer: &Answer, matcher: Matcher, encoding: &str) -> Res<()> {
    let Some(encoding) = Encoding::from_word(encoding) else {
        return fail_computation(format!("{encoding:?} is not an encoding"));
    };
    // Other forms have escapes for characters that an encoding lacks.
    if !matches!(matcher.record().takes, Takes::One | Takes::Content) {
        return Ok(());
    }
    let lacked = |value: &Value| match value {
        Value::Text(text) => encoding.find_unencodable(text),
        _ => None,
    };
    let Some(char) = answer.accepted_values().iter().find_map(lacked) else { return Ok(()) };
    let (what, help) = readback::describe_missing_char(encoding, char);
    fail_with_help(FailureKind::NotRecoverable, format!("the file cannot hold the expected text: {what}"), help)
}

/// Evaluates the paths of a subject.
pub(crate) fn evaluate_subject<'a>(eval: Eval<'a>, subject: &'a Subject<Expr>) -> Res<Subject> {
    Ok(match subject {
        Subject::Reply(None) => Subject::Reply(None),
        Subject::Reply(Some(slice)) => {
            Subject::Reply(Some(slice.try_map_texts(&mut |text| evaluate_mark(eval, text))?))
        }
        Subject::File(path) => Subject::File(paths::ensure_safe(&eval.evaluate_text(path)?)?),
        Subject::Files(list) => Subject::Files(evaluate_paths(eval, list, paths::ensure_safe)?),
        Subject::Tree(list) => Subject::Tree(evaluate_paths(eval, list, ensure_safe_in_tree)?),
        Subject::Only(list) => Subject::Only(evaluate_paths(eval, list, ensure_safe_in_tree)?),
        Subject::Unchanged(list) => Subject::Unchanged(evaluate_paths(eval, list, ensure_safe_in_tree)?),
    })
}

/// Evaluates a text that is looked for in a reply.
fn evaluate_mark<'a>(eval: Eval<'a>, text: &'a Expr) -> Res<String> {
    let mark = eval.evaluate_text(text)?;
    if is_blank(&mark) {
        let help =
            "every reply has an empty text everywhere: redraw such samples with `require`, or write a fixed text";
        return fail_with_help(FailureKind::EmptyAtBuild, "the text to look for in the reply came out empty", help);
    }
    Ok(mark)
}

/// Checks a path of a file, or of a folder with a trailing `/`.
fn ensure_safe_in_tree(path: &str) -> Res<String> {
    match path.strip_suffix('/') {
        Some(folder) => Ok(format!("{}/", paths::ensure_safe(folder)?)),
        None => paths::ensure_safe(path),
    }
}

fn evaluate_paths<'a>(eval: Eval<'a>, list: &'a Expr, safe: impl Fn(&str) -> Res<String>) -> Res<Vec<String>> {
    let value = eval.evaluate(list)?;
    match value.as_value() {
        Some(Value::List(items)) => items
            .iter()
            .map(|item| if item.is_null() { fail_null("a path") } else { safe(&item.render_text()) })
            .collect(),
        _ => fail_computation("a list of paths is needed here"),
    }
}

pub(super) fn evaluate_answer<'a>(eval: Eval<'a>, expect: &'a Expect) -> Res<Option<Answer>> {
    let (expr, answer) = match &expect.answer {
        None => return Ok(None),
        Some(Answer::Content(file)) => return Ok(Some(Answer::Content(eval.find_file(*file)?.path.clone()))),
        Some(Answer::One(expr)) => (expr, Answer::One(evaluate_value(eval, expr)?)),
        Some(Answer::AnyOf(expr)) => match evaluate_value(eval, expr)? {
            Value::List(accepted) => (expr, Answer::AnyOf(accepted)),
            _ => return fail_computation("a list of accepted answers is needed here"),
        },
    };
    if is_empty_answer(&answer, expect) {
        return fail_empty(expect);
    }
    check_columns(&answer, &expect.options)?;
    Ok(Some(match (expect.matcher.record().takes, answer) {
        (Takes::State, Answer::One(state)) => Answer::One(extract_goal(state)),
        (Takes::State, Answer::AnyOf(states)) => Answer::AnyOf(states.into_iter().map(extract_goal).collect()),
        (Takes::Pattern, answer) if !matches!(expr, Expr::Const(_)) => {
            check_patterns(answer.accepted_values())?;
            answer
        }
        (_, answer) => answer,
    }))
}

/// Evaluates the values after `among`: those that are not null, each once.
fn evaluate_among<'a>(eval: Eval<'a>, expect: &'a Expect) -> Res<Option<Vec<Value>>> {
    let Some(expr) = &expect.among else { return Ok(None) };
    let Value::List(items) = eval.evaluate(expr)?.into_value() else {
        return fail_computation("a list of values is needed here");
    };
    let mut seen = HashSet::new();
    let is_new = |value: &Value| !value.is_null() && seen.insert(value.render_text().into_owned());
    Ok(Some(items.into_iter().filter(is_new).collect()))
}

/// Evaluates an answer. It must not be null, except where the author wrote `null` within a list or an object.
pub(super) fn evaluate_value<'a>(eval: Eval<'a>, expr: &'a Expr) -> Res<Value> {
    match evaluate_part(eval, expr)? {
        Value::Null => fail_null("the answer"),
        value => Ok(value),
    }
}

/// Fails if expected rows are not in the order of `ordered by`, if a cell of a column with `matches in` is not a regular expression, or if one with `contains
/// in` is empty.
fn check_columns(answer: &Answer, options: &[(String, Options)]) -> Res<()> {
    let sets = || {
        answer.accepted_values().iter().filter_map(|value| match value {
            Value::Rows(set) => Some(set),
            _ => None,
        })
    };
    for (pointer, options) in options {
        for set in sets() {
            if let Some(at) = find_disorder(set, &options.sorted_by) {
                let message = format!("row {} of the expected rows is not in the order of `ordered by`", at + 1);
                let help = "order the query by the same columns, in the same directions: `desc` after a column is from the largest on, here and there";
                return fail_with_help(FailureKind::FailedComputation, message, help);
            }
            let Some(matched) = options.cells else { continue };
            let column = pointer.rsplit('/').next().map(unescape_step).unwrap_or_default();
            if let Some(at) = set.columns.iter().position(|known| *known == column) {
                let cells: Vec<Value> = set.rows.iter().filter_map(|row| row.get(at).cloned()).collect();
                match matched {
                    CellMatch::Matches => check_patterns(&cells)?,
                    CellMatch::Contains => check_cells_not_empty(&cells, &column)?,
                }
            }
        }
    }
    Ok(())
}

/// Fails if an expected cell is an empty text, which no cell contains.
fn check_cells_not_empty(cells: &[Value], column: &str) -> Res<()> {
    let Some(at) = cells.iter().position(|cell| matches!(cell, Value::Text(text) if is_blank(text))) else {
        return Ok(());
    };
    let message = format!("row {} of the expected rows has an empty `{column}`, which no cell contains", at + 1);
    fail_with_help(FailureKind::EmptyAtBuild, message, "leave such rows out of the query, or remove `contains in`")
}

/// Finds the first row that is not in the order of these columns. Nulls come before all other values, as in SQLite.
fn find_disorder(set: &RowSet, keys: &[SortKey]) -> Option<usize> {
    let place = |key: &SortKey| Some((set.columns.iter().position(|column| *column == key.column)?, key.is_descending));
    let places: Vec<(usize, bool)> = keys.iter().filter_map(place).collect();
    let is_after = |a: &[Value], b: &[Value]| {
        for (at, is_descending) in &places {
            let order = match (a.get(*at)?, b.get(*at)?) {
                (a, b) if a.is_null() || b.is_null() => b.is_null().cmp(&a.is_null()),
                (a, b) => a.compare_with(b)?,
            };
            let order = if *is_descending { order.reverse() } else { order };
            if order.is_ne() {
                return Some(order.is_gt());
            }
        }
        Some(false)
    };
    (1..set.rows.len()).find(|at| is_after(&set.rows[at - 1], &set.rows[*at]) == Some(true))
}

/// Checks whether the expected text, or every accepted text, is empty: no reply would be correct.
fn is_empty_answer(answer: &Answer, expect: &Expect) -> bool {
    let matcher = expect.matcher;
    let is_reply = matches!(expect.subject, Subject::Reply(_));
    let blank = |value: &Value| matches!(value, Value::Text(text) if is_blank(text));
    match (matcher.record().takes, answer) {
        // A text that nothing has is lacking everywhere.
        (Takes::Texts, Answer::One(Value::List(items))) => items.iter().any(blank),
        (Takes::Texts, answer) => answer.accepted_values().iter().any(blank),
        // A file can be empty, but not a reply.
        (Takes::Content, answer) => is_reply && answer.accepted_values().iter().all(blank),
        _ => matcher.is_of_one_text() && answer.accepted_values().iter().all(blank),
    }
}

/// Fails if an expected pattern is not a regular expression that the scorer can compile: no reply would be correct.
fn check_patterns(accepted: &[Value]) -> Res<()> {
    for pattern in accepted {
        let pattern = pattern.render_text();
        if let Err(why) = model::pattern::compile_anchored(&pattern) {
            let what = format!("the regular expression `{pattern}` cannot be read: {why}");
            let help = "a drawn value is part of the expression: draw it from values without `(`, `[`, `*` and the like, or use `text` or `contains`";
            return fail_with_help(FailureKind::FailedComputation, what, help);
        }
    }
    Ok(())
}

fn fail_empty<T>(expect: &Expect) -> Res<T> {
    let what =
        if expect.is_any_of() { "every accepted answer came out empty" } else { "the expected text came out empty" };
    let help = "no reply is correct for an empty text: redraw such samples with `require`, or expect a word such as \"none\" and name it in the prompt";
    fail_with_help(FailureKind::EmptyAtBuild, what, help)
}

fn evaluate_part<'a>(eval: Eval<'a>, expr: &'a Expr) -> Res<Value> {
    match expr {
        Expr::Const(value) => Ok(value.clone()),
        Expr::List(items) => Ok(Value::List(items.iter().map(|item| evaluate_part(eval, item)).collect::<Res<_>>()?)),
        Expr::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let value = evaluate_part(eval, value).map_err(|failure| name_null_key(failure, name))?;
                Ok((name.clone(), value))
            });
            Ok(Value::Object(fields.collect::<Res<_>>()?))
        }
        other => match eval.evaluate(other)?.into_value() {
            Value::Null => fail_null("the answer"),
            value => Ok(value),
        },
    }
}

fn fail_null<T>(what: &str) -> Res<T> {
    let help = "use `coalesce(x, …)`, or `require x != null` to draw the sample again";
    fail_with_help(FailureKind::NullAtBuild, format!("{what} came out null"), help)
}

/// Names the key whose value is null in the message.
fn name_null_key(mut failure: Box<Failure>, key: &str) -> Box<Failure> {
    if failure.kind == FailureKind::NullAtBuild && failure.message == "the answer came out null" {
        failure.message = format!("the answer under the key `{key}` came out null");
    }
    failure
}
