//! What can stop a build while files are written and keys are made, from the possible values of what is written. In doubt, a place counts as one that can.

use model::suite::matchers::{Matcher, Takes};
use model::suite::{CellMatch, ColumnId, Extra, FileId, Form, Ignore, Op, RelationId, Scope, UTF_8};
use model::{Date, Domain, Format, Span, Value};

use super::exhaust::{self, Place};
use super::phases::Phases;
use super::safe::Safety;
use super::styles::is_safe_styled;
use super::trees::visit_cells;
use hir::compared::{has_ignore_options, list_unproven_columns};
use hir::facts::{Fact, Facts, Truth, compare_facts};
use hir::terms::Texts;
use hir::texts::{has_only, infer_cells, infer_texts, is_never_blank, is_printable, is_printable_value, is_shorter};
use hir::types::TyKind;
use hir::{Checked, DrawDomain, Expr, ExprKind, File, FileContent, Subject, Task};
use tables::Encoding;

/// Texts with fewer characters than this have room in a cell of a workbook.
const SHORT_CELL: usize = 2000;

/// The most noise files that surely fit.
const MAX_CLUTTER: i64 = 10_000;

/// Lists the places at which writing the files of a task, or its keys, may fail.
pub(super) fn list_doubts<'a>(phases: &Phases<'_, 'a>) -> Vec<Span> {
    let (task, facts) = (phases.task(), phases.late());
    let is_doubtful = |id: FileId, file| !is_writable(phases.facts_of_file(id), file);
    let mut doubts: Vec<Span> =
        task.files.iter_enumerated().filter(|(id, file)| is_doubtful(*id, file)).map(|(_, file)| file.span).collect();
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
    let safety = Safety::new(facts).with_required(task.iter_conditions());
    let requires = phases.conditions();
    for (id, file) in task.files.iter_enumerated() {
        let FileContent::DrawnText(draw) = &file.content else { continue };
        let scope = file.surrounding_scope();
        // A file can be drawn before the conditions that read it.
        let safety = Safety::new(phases.facts_of_file(id));
        if !safety.is_safe_draw(draw, scope) && !exhaust::is_proved(&safety, (Place::Draw(draw, 1), scope.row), &[]) {
            doubts.push(file.span);
        }
    }
    for expect in task.iter_expects() {
        doubts.extend(find_doubtful_answer(facts, &safety, requires, expect));
        let (Subject::File(subject)
        | Subject::Files(subject)
        | Subject::Tree(subject)
        | Subject::Only(subject)
        | Subject::Unchanged(subject)) = &expect.subject
        else {
            continue;
        };
        let is_tree = matches!(expect.subject, Subject::Tree(_) | Subject::Only(_) | Subject::Unchanged(_));
        let is_known = |path: &'a Expr| match path.as_pieces() {
            [Expr { kind: ExprKind::FilePath(_), .. }] => true,
            _ if is_tree => safety.is_safe_entry(path),
            _ => {
                path.ty.kind == TyKind::Text && safety.is_safe_path(path, Scope::default()) && has_fixed_extension(path)
            }
        };
        let are_known = match &subject.resolve_name(task).kind {
            ExprKind::List(paths) => paths.iter().all(is_known),
            _ => is_known(subject),
        };
        if !are_known {
            doubts.push(subject.span);
        }
    }
    doubts
}

/// Whether the extension of a path, by which its reader is chosen, is part of its text.
fn has_fixed_extension(path: &Expr) -> bool {
    let last = path.as_pieces().last().and_then(Expr::as_constant).and_then(Value::as_text);
    last.is_some_and(|text| text.contains('.'))
}

/// Finds an expected value that may be no possible answer: an empty text, a pattern that cannot be read, or items that `ignore` makes equal.
fn find_doubtful_answer<'a>(
    facts: &Facts<'a>,
    safety: &Safety<'_, 'a>,
    requires: &[&'a Expr],
    expect: &'a hir::Expect,
) -> Option<Span> {
    let answer = expect.answer_expr()?;
    let is_fixed = answer.as_constant().is_some();
    let letters = find_answer_letters(facts.task());
    let is_tried = |place: Place<'a>| exhaust::is_proved(safety, (place, None), requires);
    let is_word = |text: &'a Expr| {
        is_written(facts, text, Scope::default(), letters)
            || letters == Letters::Visible && is_tried(Place::Visible(text))
    };
    let is_doubtful = match &answer.ty.kind {
        _ if is_fixed => false,
        // Whether the rows come in this order, and whether cells are patterns, is known when they are there.
        _ if expect
            .options
            .iter()
            .any(|(_, options)| !options.sorted_by.is_empty() || options.cells == Some(CellMatch::Matches)) =>
        {
            true
        }
        // A text without letters would be lacking everywhere.
        TyKind::Text if expect.matcher.record().takes == Takes::Texts => !is_word(answer),
        TyKind::List(item) if expect.matcher.record().takes == Takes::Texts => match &answer.kind {
            ExprKind::List(items) => !items.iter().all(|item| item.ty.kind != TyKind::Text || is_word(item)),
            _ => item.kind == TyKind::Text,
        },
        _ if has_ignore_options(expect) && !is_kept_apart(facts, expect, answer) => true,
        _ if expect.is_any_of() => match &answer.kind {
            ExprKind::List(items) => !items.iter().any(is_word),
            _ => true,
        },
        TyKind::Text if expect.matcher == Matcher::Matches => {
            !is_safe_pattern(facts, answer) && !is_tried(Place::Pattern(answer))
        }
        // A part of a file can be empty.
        TyKind::Text if !expect.matcher.is_of_one_text() && letters == Letters::Visible => false,
        TyKind::Text => !is_word(answer),
        _ => false,
    };
    is_doubtful.then_some(answer.span)
}

/// Whether `ignore` surely keeps a text apart from the others that could have been expected: all of them are known while checking, or no letter of them has
/// another case.
fn is_kept_apart<'a>(facts: &Facts<'a>, expect: &'a hir::Expect, answer: &'a Expr) -> bool {
    if !expect.is_any_of() && matches!(answer.ty.kind, TyKind::List(_) | TyKind::Rows(_)) {
        return false;
    }
    let columns = list_unproven_columns(facts.task(), expect);
    let ignores_case =
        || expect.options.iter().flat_map(|(_, options)| &options.ignore).all(|kind| *kind == Ignore::Case);
    let texts = || -> Option<Vec<Texts<'a>>> {
        let cells = columns.iter().map(|(_, relation, column)| {
            let declared = facts.task().find_column((*relation, *column))?;
            infer_cells(facts, *relation, &declared.source, &facts.lookup_column(*relation, *column))
        });
        let own = answer.list_leaves().into_iter().map(|(leaf, _)| infer_texts(facts, leaf, Scope::default()));
        cells.chain(own).collect()
    };
    let has_one_case = |texts: Vec<Texts<'a>>| {
        let all = |is_such: fn(char) -> bool| texts.iter().all(|texts| has_only(texts, is_such));
        all(|c| c.is_ascii() && !c.is_ascii_lowercase()) || all(|c| c.is_ascii() && !c.is_ascii_uppercase())
    };
    columns.is_empty() || ignores_case() && texts().is_some_and(has_one_case)
}

/// The letters that an expected text may have: a file in an encoding of its own does not have all of them.
fn find_answer_letters(task: &Task) -> Letters {
    let mut words = task.files.iter().filter_map(find_form).map(|form| form.encoding.as_str());
    let first = words.find(|word| *word != UTF_8);
    match first {
        None => Letters::Visible,
        Some(first) if words.all(|word| word == UTF_8 || word == first) => find_encoded(first),
        Some(_) => Letters::Ascii,
    }
}

/// The letters of an encoding.
fn find_encoded(word: &str) -> Letters {
    Encoding::from_word(word).map_or(Letters::Ascii, Letters::Encoded)
}

/// Whether only letters and digits vary in a pattern.
fn is_safe_pattern<'a>(facts: &Facts<'a>, pattern: &'a Expr) -> bool {
    pattern.as_pieces().iter().all(|piece| {
        let fact = facts.infer_expr(piece, Scope::default());
        let is_word = || {
            let texts = infer_texts(facts, piece, Scope::default());
            texts.is_some_and(|texts| is_never_blank(&texts) && has_only(&texts, |c| c.is_ascii_alphanumeric()))
        };
        piece.as_constant().is_some() || fact.as_int_range().is_some_and(|(low, _)| low >= 0) || is_word()
    })
}

fn find_form(file: &File) -> Option<&Form<Checked>> {
    file.content.form().or(file.form.as_deref())
}

fn is_writable<'a>(facts: &Facts<'a>, file: &'a File) -> bool {
    let task = facts.task();
    let form = find_form(file);
    let is_styled = form.is_some_and(|form| {
        let is_plain = form.encoding == UTF_8 && matches!(file.content, FileContent::Delimited { .. });
        form.styled.iter().any(|styled| !is_safe_styled(facts, file, styled, is_plain.then_some(form)))
            || form.repeat.as_ref().is_some_and(|share| !is_safe_repeat(facts, file, (form, share)))
    });
    let letters = match form {
        Some(form) if form.encoding != UTF_8 => Some(find_encoded(&form.encoding)),
        _ if file.format == Format::Html => Some(Letters::Visible),
        _ if file.format == Format::Xlsx => Some(Letters::Short),
        _ if file.format == Format::Xml => Some(Letters::Printable),
        _ => None,
    };
    let mut relations: Vec<RelationId> = file.content.relations().to_vec();
    if let Some(shape) = file.content.shape() {
        visit_cells(shape, &mut |(relation, _)| relations.push(relation));
    }
    match (&file.content, letters) {
        (FileContent::Fixture { .. } | FileContent::FixtureByRow(_) | FileContent::Unknown(_), _) => true,
        _ if is_styled => false,
        _ if form.is_some_and(|form| !relations.iter().all(|id| begins_as_row(facts, *id, form))) => false,
        (FileContent::TextLines { line, relation, .. }, letters) => {
            let usual = if form.is_some() { Letters::Visible } else { Letters::Printable };
            is_written(facts, line, Scope::with_row(*relation), letters.unwrap_or(usual))
        }
        (FileContent::ComputedTree(value), Some(_)) => value.as_constant().is_some(),
        (FileContent::DrawnText(draw), Some(letters)) => match &draw.domain {
            DrawDomain::Lorem { .. } | DrawDomain::Fixed(Domain::Lorem { .. }) => true,
            DrawDomain::Fixed(domain) => Texts::from_domain(domain).is_some_and(|texts| are_written(&texts, letters)),
            _ => false,
        },
        // Its lines end where the text says so.
        (FileContent::ComputedText(text), Some(letters)) => infer_texts(facts, text, Scope::default())
            .is_some_and(|texts| has_only(&texts, |c| c == '\n' || letters.contains(c)) && is_never_blank(&texts)),
        (_, None) => true,
        (_, Some(letters)) => {
            let around = form.into_iter().flat_map(|form| form.above.iter().chain(&form.below));
            let scope = file.surrounding_scope();
            // Several lines.
            let is_around = |text: &'a Expr| {
                infer_texts(facts, text, scope)
                    .is_some_and(|texts| has_only(&texts, |c| c == '\n' || letters.contains(c)))
            };
            around.into_iter().all(|text| text.as_constant().is_some() || is_around(text))
                && relations.iter().all(|id| {
                    task.relations.get(*id).is_none_or(|own| {
                        own.iter_written_columns()
                            .all(|(column, _)| is_writable_cell(facts, (*id, column), (file.format, letters)))
                    })
                })
        }
    }
}

/// Whether rows differ from the text below a table, and from a blank line before that: they begin with a number or a day, and the text does not.
fn begins_as_row<'a>(facts: &Facts<'a>, id: RelationId, form: &'a Form<Checked>) -> bool {
    let Some(below) = &form.below else { return true };
    let is_number_like = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    let is_other = below.as_constant().and_then(Value::as_text).is_some_and(|text| !is_number_like(text));
    let first = facts.task().relations.get(id).and_then(|own| own.iter_written_columns().next());
    first.is_some_and(|(column, declared)| {
        let is_number = declared.ty.is_number() || declared.ty.kind == TyKind::Date;
        is_other && is_number && !facts.lookup_column(id, column).nullable
    })
}

/// Whether rows that are written twice can be told from others: all of them differ in a column.
fn is_safe_repeat<'a>(facts: &Facts<'a>, file: &'a File, (form, share): (&'a Form<Checked>, &'a Expr)) -> bool {
    // Values that are written in several ways are told apart if each of them stays different.
    let is_plain = form.encoding == UTF_8 && matches!(file.content, FileContent::Delimited { .. });
    let is_told_apart = |column: ColumnId| {
        let mut styled = form.styled.iter().filter(|styled| styled.column == column);
        styled.all(|styled| is_safe_styled(facts, file, styled, is_plain.then_some(form)))
            || !form.find_styles(column).iter().any(|style| style.text_style().is_some())
    };
    is_share(facts, share)
        && file.content.relations().iter().all(|id| {
            let own = facts.task().relations.get(*id);
            own.is_some_and(|own| {
                let unique = |column: ColumnId, declared: &hir::Column| {
                    let cells = facts.lookup_column(*id, column);
                    let is_told =
                        cells.as_int_range().is_some() || declared.ty.kind == TyKind::Text && is_told_apart(column);
                    cells.unique && !cells.nullable && is_told
                };
                own.iter_written_columns().any(|(column, declared)| unique(column, declared))
            })
        })
}

/// Whether a number is always between 0 and 100.
pub(super) fn is_share<'a>(facts: &Facts<'a>, share: &'a Expr) -> bool {
    let share = facts.infer_expr(share, Scope::default());
    let holds = |op, end| compare_facts(op, &share, &Fact::from_value(&Value::Int(end))) == Truth::Always;
    !share.nullable && holds(Op::Ge, 0) && holds(Op::Le, 100)
}

/// The letters that texts may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    /// No control characters.
    Printable,
    /// None of these, and few enough for a cell of a workbook.
    Short,
    /// None of these, and at least one that is not blank.
    Visible,
    /// These of ASCII only.
    Ascii,
    /// These of an encoding only.
    Encoded(Encoding),
}

impl Letters {
    /// Whether texts can have a letter.
    fn contains(self, c: char) -> bool {
        match self {
            Letters::Printable | Letters::Short | Letters::Visible => is_printable(c),
            Letters::Ascii => matches!(c, ' '..='~'),
            Letters::Encoded(encoding) => {
                is_printable(c) && encoding.find_unencodable(c.encode_utf8(&mut [0; 4])).is_none()
            }
        }
    }
}

/// Whether each possible cell can be written.
fn is_writable_cell<'a>(
    facts: &Facts<'a>,
    (relation, column): (RelationId, ColumnId),
    (format, letters): (Format, Letters),
) -> bool {
    let fact = facts.lookup_column(relation, column);
    let Some(declared) = facts.task().find_column((relation, column)) else { return false };
    match declared.ty.kind {
        TyKind::Int | TyKind::Decimal(_) | TyKind::Float | TyKind::Bool => true,
        // Workbooks count days from 1900, with a day that there was not.
        TyKind::Date if format == Format::Xlsx => match &fact.range {
            Some((Value::Date(low), _)) => Date::parse_iso("1900-03-01").is_some_and(|first| low.0 >= first.0),
            _ => false,
        },
        TyKind::Date => true,
        TyKind::DateTime => format != Format::Xlsx,
        TyKind::Text => {
            infer_cells(facts, relation, &declared.source, &fact).is_some_and(|texts| are_written(&texts, letters))
        }
        _ => fact.closed.is_some_and(|values| values.iter().all(is_printable_value)) && format == Format::Xml,
    }
}

/// Whether an expression is always a text of such letters.
fn is_written<'a>(facts: &Facts<'a>, text: &'a Expr, scope: Scope, letters: Letters) -> bool {
    infer_texts(facts, text, scope).is_some_and(|texts| are_written(&texts, letters))
}

fn are_written(texts: &Texts<'_>, letters: Letters) -> bool {
    has_only(texts, |c| letters.contains(c))
        && match letters {
            Letters::Printable => true,
            Letters::Short => is_shorter(texts, SHORT_CELL),
            Letters::Visible | Letters::Ascii | Letters::Encoded(_) => is_never_blank(texts),
        }
}
