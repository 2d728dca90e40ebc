//! What can stop a build while files are written and keys are made, from the possible values of what is written. In doubt, a place counts as one that can.

use model::domain::TemplatePart;
use model::suite::matchers::Matcher;
use model::suite::{Extra, Scope};
use model::{Date, Domain, Format, Span, Value};

use super::safe::Safety;
use hir::compared::has_ignore_options;
use hir::facts::{Fact, Facts};
use hir::types::TyKind;
use hir::{Expr, ExprKind, File, FileContent, Relation, Subject, Task};

/// The most noise files that surely fit.
const MAX_CLUTTER: i64 = 10_000;

/// The longest text of which a cell of a workbook surely has room.
const MAX_CELL: usize = 30_000;

/// Lists the places at which writing the files of a task, or its keys, may fail.
pub(super) fn list_doubts<'a>(task: &'a Task, facts: &Facts<'a>) -> Vec<Span> {
    let mut doubts: Vec<Span> =
        task.files.iter().filter(|file| !is_writable(task, facts, file)).map(|file| file.span).collect();
    for extra in &task.extras {
        if let Extra::Clutter { count, .. } = extra
            && !facts
                .infer_expr(count, Scope::default())
                .as_int_range()
                .is_some_and(|(low, high)| low >= 0 && high <= MAX_CLUTTER)
        {
            doubts.push(count.span);
        }
    }
    let safety = Safety::new(facts);
    for expect in task.iter_expects() {
        let (Subject::File(subject) | Subject::Files(subject) | Subject::Tree(subject) | Subject::Only(subject)) =
            &expect.subject
        else {
            doubts.extend(find_doubtful_answer(facts, expect));
            continue;
        };
        let is_known = |path: &'a Expr| match path.kind {
            ExprKind::FilePath(_) => true,
            _ => {
                path.ty.kind == TyKind::Text && safety.is_safe_path(path, Scope::default()) && has_fixed_extension(path)
            }
        };
        let are_known = match &subject.kind {
            ExprKind::List(paths) => paths.iter().all(is_known),
            _ => is_known(subject),
        };
        if !are_known {
            doubts.push(subject.span);
        }
        doubts.extend(find_doubtful_answer(facts, expect));
    }
    doubts
}

/// Whether the extension of a path, by which its reader is chosen, is part of its text.
fn has_fixed_extension(path: &Expr) -> bool {
    let last = path.as_pieces().last().and_then(Expr::as_constant).and_then(Value::as_text);
    last.is_some_and(|text| text.contains('.'))
}

/// Finds an expected value that may be no possible answer: an empty text, a pattern that cannot be read, or items that `ignore` makes equal.
fn find_doubtful_answer<'a>(facts: &Facts<'a>, expect: &'a hir::Expect) -> Option<Span> {
    let answer = expect.answer_expr()?;
    let fact = facts.infer_expr(answer, Scope::default());
    let is_fixed = answer.as_constant().is_some();
    let is_doubtful = match &answer.ty.kind {
        _ if is_fixed => false,
        _ if expect.is_any_of() || has_ignore_options(expect) => true,
        TyKind::Text if expect.matcher == Matcher::Matches => !is_safe_pattern(facts, answer),
        TyKind::Text => !is_plain_text(&fact) || fact.can_be(&Value::from_text("")),
        _ => false,
    };
    is_doubtful.then_some(answer.span)
}

/// Whether only letters and digits vary in a pattern.
fn is_safe_pattern<'a>(facts: &Facts<'a>, pattern: &'a Expr) -> bool {
    let is_word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    pattern.as_pieces().iter().all(|piece| {
        let fact = facts.infer_expr(piece, Scope::default());
        piece.as_constant().is_some()
            || fact.as_int_range().is_some_and(|(low, _)| low >= 0)
            || fact.closed.is_some_and(|values| values.iter().all(|value| is_word(&value.render_text())))
    })
}

fn is_writable<'a>(task: &'a Task, facts: &Facts<'a>, file: &'a File) -> bool {
    let own_form = file.form.as_deref();
    let form = file.content.form().or(own_form);
    let is_styled = form.is_some_and(|form| {
        form.styled.iter().flat_map(|styled| &styled.styles).any(|style| style.text_style().is_some())
    });
    let needs_plain = form.is_some_and(|form| form.encoding != "utf-8")
        || matches!(file.format, Format::Xml | Format::Xlsx | Format::Html);
    let relations = file.content.relations().iter().filter_map(|id| Some((*id, task.relations.get(*id)?)));
    let mut columns = relations.clone().flat_map(|(id, own)| list_written(own).map(move |column| (id, column)));
    match &file.content {
        FileContent::Fixture { .. } | FileContent::FixtureByRow(_) | FileContent::Unknown(_) => true,
        _ if is_styled => false,
        FileContent::TextLines { line, relation, .. } => is_plain_expr(facts, line, Scope::with_row(*relation)),
        FileContent::ComputedTree(value) => file.format != Format::Xml || value.as_constant().is_some(),
        FileContent::Tree { .. } => file.format != Format::Xml,
        FileContent::ComputedText(text) if needs_plain => is_plain_expr(facts, text, Scope::default()),
        _ if needs_plain => {
            let around = form.into_iter().flat_map(|form| form.above.iter().chain(&form.below));
            around.into_iter().all(|text| text.as_constant().is_some() || is_plain_expr(facts, text, Scope::default()))
                && columns.all(|(id, column)| is_plain_cell(&facts.lookup_column(id, column), file.format))
        }
        _ => true,
    }
}

fn list_written(relation: &Relation) -> impl Iterator<Item = model::suite::ColumnId> {
    relation.iter_written_columns().map(|(id, _)| id)
}

/// Whether each possible cell can be written.
fn is_plain_cell(fact: &Fact<'_>, format: Format) -> bool {
    match fact.find_example() {
        Some(Value::Text(_)) | None => is_plain_text(fact),
        // Workbooks count days from 1900, with a day that there was not.
        Some(Value::Date(_)) if format == Format::Xlsx => match &fact.range {
            Some((Value::Date(low), _)) => Date::parse_iso("1900-03-01").is_some_and(|first| low.0 >= first.0),
            _ => false,
        },
        Some(Value::DateTime(_)) => format != Format::Xlsx,
        Some(_) => true,
    }
}

/// Whether a text consists of printable ASCII characters.
fn is_plain_expr<'a>(facts: &Facts<'a>, text: &'a Expr, scope: Scope) -> bool {
    text.as_pieces().iter().all(|piece| match piece.as_constant() {
        Some(Value::Text(text)) => is_plain(text),
        Some(_) => true,
        None => match piece.ty.kind {
            TyKind::Int | TyKind::Decimal(_) | TyKind::Bool | TyKind::Date | TyKind::DateTime => true,
            _ => is_plain_text(&facts.infer_expr(piece, scope)),
        },
    })
}

fn is_plain_text(fact: &Fact<'_>) -> bool {
    match (&fact.closed, fact.domain) {
        (Some(values), _) => values.iter().all(|value| is_plain(&value.render_text())),
        (None, Some(domain)) => is_plain_domain(domain),
        (None, None) => false,
    }
}

fn is_plain_domain(domain: &Domain) -> bool {
    match domain {
        Domain::OneOf { .. } | Domain::Weighted { .. } => {
            domain.list_values().is_some_and(|values| values.iter().all(|value| is_plain(&value.render_text())))
        }
        Domain::Template { parts } => parts.iter().all(|part| match part {
            TemplatePart::Text(text) => is_plain(text) || text.chars().all(|c| c == ' '),
            TemplatePart::Domain(domain) => is_plain_domain(domain),
        }),
        Domain::Int { .. } | Domain::Decimal { .. } | Domain::Date { .. } | Domain::Serial => true,
        _ => false,
    }
}

/// Whether a text is short, not blank, and of printable ASCII characters.
fn is_plain(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= MAX_CELL && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}
