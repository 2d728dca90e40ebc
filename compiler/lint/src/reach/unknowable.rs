//! `unknowable_text`: the answer contains texts of a column that all files write with other letters or extra spaces in some cells, and is compared exactly.

use model::answer_key::Subject;
use model::suite::matchers::{Ignores, Takes};
use model::suite::{ColumnId, FARTHEST, RelationId, Scope, Style};
use model::text_style::{ByTextStyle, TextStyle};
use model::{Domain, Span, Value};

use super::context::Reach;
use super::files::Shown;
use super::letters::{self, Part};
use crate::question::iter_options_around;
use crate::unused::add_fixed_words;
use hir::origins::find_origin;
use hir::types::TyKind;
use hir::{Checked, DrawDomain, Expr, ExprKind};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

pub(super) fn report_unknowable_texts(reach: &Reach<'_, '_>, said: &mut Vec<Diagnostic>) {
    let told = collect_fixed_words(reach);
    for expect in &reach.asked.expects {
        let again = expect.options.iter().any(|(_, options)| !options.ignore.is_empty());
        let record = expect.matcher.record();
        let mut asked: Vec<(&Expr, String, Remedy)> = Vec::new();
        match &expect.subject {
            Subject::File(path) | Subject::Files(path) | Subject::Tree(path) | Subject::Only(path) => {
                asked.push((path, String::new(), Remedy::Other));
            }
            // Nobody has to guess what may change.
            Subject::Unchanged(_) | Subject::Reply(_) => {}
        }
        if let Some(value) = expect.answer_expr() {
            let whole = match record.ignores {
                Ignores::Differences => Remedy::Ignore { again },
                Ignores::Nothing | Ignores::Parts => Remedy::Other,
            };
            match record.takes {
                Takes::Json | Takes::List => {
                    asked.extend(value.list_leaves().into_iter().map(|(leaf, pointer)| (leaf, pointer, whole)));
                }
                Takes::One | Takes::Rows | Takes::Content => asked.push((value, String::new(), whole)),
                Takes::Pattern => asked.push((value, String::new(), Remedy::Flag)),
                Takes::Nothing | Takes::Number | Takes::Date | Takes::Bool | Takes::Texts | Takes::State => {}
            }
        }
        for (value, pointer, remedy) in asked {
            let found =
                letters::collect_sources(reach, value, Scope::default()).into_iter().find_map(|Part { at, cased }| {
                    let mut dirt = find_dirt(reach, at)?;
                    if cased || is_told(reach.cx.task, at, &told) {
                        dirt[TextStyle::Case] = None;
                    }
                    let is_evened = |style: TextStyle| match remedy {
                        Remedy::Ignore { .. } => iter_options_around(&expect.options, &pointer)
                            .any(|options| options.ignore.contains(&style.record().ignore)),
                        Remedy::Flag => style.record().flag.is_some() && is_case_insensitive(reach.cx.task, value),
                        Remedy::Other => false,
                    };
                    let dirt = ByTextStyle::from_fn(|style| dirt[style].filter(|_| !is_evened(style)));
                    (!dirt.is_empty()).then_some((at, dirt))
                });
            if let Some((at, dirt)) = found {
                said.extend(build_diagnostic(reach.cx.task, value, at, &dirt, remedy));
            }
        }
    }
}

/// A possible remedy.
#[derive(Clone, Copy)]
enum Remedy {
    /// `ignore case`; with `again`, some part of the answer already has such an option.
    Ignore { again: bool },
    /// `(?i)` in a regular expression.
    Flag,
    /// Another value, because no option makes paths or the bytes of files equal.
    Other,
}

/// Checks whether a regular expression, or each one in a list, begins with a flag that ignores letter case.
fn is_case_insensitive(task: &hir::Task, pattern: &Expr) -> bool {
    let mut at = pattern.resolve_name(task);
    loop {
        at = match &at.kind {
            ExprKind::Const(Value::Text(text)) => {
                let flags = text.strip_prefix("(?").and_then(|rest| rest.split_once(')'));
                return flags.is_some_and(|(flags, _)| {
                    flags.chars().all(|flag| flag.is_ascii_alphabetic()) && flags.contains('i')
                });
            }
            ExprKind::Concat(items) => match items.first() {
                Some(first) => first.resolve_name(task),
                None => return false,
            },
            ExprKind::List(items) => return items.iter().all(|item| is_case_insensitive(task, item)),
            _ => return false,
        };
    }
}

/// Checks whether a file of a task has cells in a style of texts.
pub(super) fn is_dirty(task: &hir::Task) -> bool {
    let is_dirty = |style: &Style<Checked>| style.text_style().is_some();
    let forms = task.files.iter().filter_map(|file| file.content.form());
    forms.flat_map(|form| &form.styled).any(|styled| styled.styles.iter().any(is_dirty))
}

/// The styles in which all files write a column, with the span of one place.
pub(super) type WrittenStyles = ByTextStyle<Option<Span>>;

/// Returns the constant words of the prompts.
pub(super) fn collect_fixed_words(reach: &Reach<'_, '_>) -> String {
    let mut told = String::new();
    let mut seen = Vec::new();
    reach.asked.prompts.iter().for_each(|prompt| add_fixed_words(reach.cx.task, prompt, &mut told, &mut seen));
    told
}

/// Checks whether the prompt contains every value that a column can have.
pub(super) fn is_told(task: &hir::Task, place: (RelationId, ColumnId), told: &str) -> bool {
    let draw = task.find_column(place).and_then(|column| column.source.draw());
    match draw.map(|draw| &draw.domain) {
        Some(DrawDomain::Fixed(domain @ (Domain::OneOf { .. } | Domain::Weighted { .. }))) => {
            domain.list_values().iter().flatten().all(|value| told.contains(value.render_text().as_ref()))
        }
        _ => false,
    }
}

/// Determines the styles that apply to the texts of a column in every place where files show it. Returns `None` if its exact texts are known, or if no
/// file shows it in a known way.
pub(super) fn find_dirt(reach: &Reach<'_, '_>, at: (RelationId, ColumnId)) -> Option<WrittenStyles> {
    let task = reach.cx.task;
    let (relation, column) = find_origin(task, at);
    if task.find_column((relation, column))?.ty.kind != TyKind::Text || reach.known.has_texts(relation, column) {
        return None;
    }
    let mut places = Vec::new();
    collect_place_styles(reach, relation, column, &mut places, 0)?;
    Some(ByTextStyle::from_fn(|wanted| {
        let find = |styles: &[Style<Checked>]| {
            styles.iter().find(|style| style.text_style() == Some(wanted))?.share().map(|share| share.span)
        };
        places.iter().map(|styles| find(styles)).collect::<Option<Vec<Span>>>()?.first().copied()
    }))
}

/// Collects the styles of a column in each place where its texts are written. Returns `None` if one of them is not known.
fn collect_place_styles<'r>(
    reach: &Reach<'_, 'r>,
    relation: RelationId,
    column: ColumnId,
    places: &mut Vec<&'r [Style<Checked>]>,
    depth: usize,
) -> Option<()> {
    let task = reach.cx.task;
    if let Some(file) = task.relations.get(relation).and_then(|own| task.files.get(own.file?)) {
        places.push(file.content.form()?.find_styles(column));
    }
    for file in reach.iter_renderings(relation) {
        for shown in file.columns.get(&column).into_iter().flatten() {
            match shown {
                Shown::As(own) if depth < FARTHEST => {
                    collect_place_styles(reach, file.relation, *own, places, depth + 1)?
                }
                // A text computed from its letters does not show them any better.
                Shown::Through(Some(own)) => {
                    let form = task.files.get(file.file)?.content.form()?;
                    let letters = letters::collect_column_sources(reach, file.relation, *own);
                    if !letters.contains(&Part { at: (relation, column), cased: false }) {
                        return None;
                    }
                    places.push(form.find_styles(*own));
                }
                _ => return None,
            }
        }
    }
    (!places.is_empty()).then_some(())
}

fn build_diagnostic(
    task: &hir::Task,
    leaf: &Expr,
    (relation, column): (RelationId, ColumnId),
    dirt: &WrittenStyles,
    remedy: Remedy,
) -> Option<Diagnostic> {
    let relation = task.relations.get(relation)?;
    let name = format!("{}.{}", relation.name, relation.columns.get(column)?.name);
    let records = || dirt.iter_present().map(|(style, _)| style.record());
    let what: Vec<&str> = records().map(|record| record.varies).collect();
    let ignored: Vec<&str> = records().map(|record| record.ignore.word()).collect();
    let option = format!("ignore {}", ignored.join(", "));
    let message = format!("the {} of `{name}` cannot be known", what.join(" and the "));
    let written = dirt.iter_present().map(|(style, span)| (*span, format!("written with `{}`", style.word())));
    let said = Diagnostic::new(Code::UNKNOWABLE_TEXT, message, leaf.span, "part of the answer").with_labels(written);
    // Only one flag and one function even out more than one style.
    let flag = records().map(|record| record.flag).reduce(|one, other| one.filter(|_| one == other)).flatten();
    let function = records().map(|record| record.function).reduce(|one, other| one.filter(|_| one == other)).flatten();
    Some(match remedy {
        Remedy::Ignore { again } => {
            let at = leaf.span.shrink_to_end();
            let said = said.help(format!("add `{option}`"));
            match again {
                false => said.fix(format!("insert `{option}`"), Applicability::Unsafe, at, format!(" {option}")),
                true => said,
            }
        }
        Remedy::Flag => said.help(match flag {
            Some(flag) => format!("let the pattern begin with `{flag}`"),
            None => format!("use `contains` with `{option}`"),
        }),
        Remedy::Other => said.help(match function {
            Some(function) => format!("use `{function}`, or write the column as it is in another file"),
            None => "write the column as it is in another file".to_owned(),
        }),
    })
}
