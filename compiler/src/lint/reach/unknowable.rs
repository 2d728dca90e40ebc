//! `unknowable_text`: the answer has texts of a column that all files have with other letters or more blanks in some cells, and is compared exactly.

use std::collections::BTreeSet;

use plan::suite::matchers::{Ignores, Takes};
use plan::suite::{ColumnId, FARTHEST, Ignore, NameId, Options, RelationId, Style};
use plan::{Domain, Span};

use super::Reach;
use super::files::Shown;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::hir::{self, Arg, Checked, ColumnSource, DrawDomain, Expr, ExprKind, Rows};
use crate::lint::question::json_leaves;
use crate::lint::unused::tell;
use crate::types::{Ty, TyKind};

pub(super) fn check(reach: &Reach<'_>, said: &mut Vec<Diagnostic>) {
    let told = told(reach);
    for expect in &reach.asked.expects {
        let record = expect.matcher.record();
        let Some(value) = expect.expr().filter(|_| record.ignores == Ignores::Differences) else { continue };
        let mut leaves = Vec::new();
        match record.takes {
            Takes::Json | Takes::List => json_leaves(value, String::new(), &mut leaves),
            Takes::One | Takes::Rows => leaves.push((value, String::new())),
            Takes::Nothing | Takes::Pattern | Takes::Number | Takes::Content | Takes::State => {}
        }
        for (leaf, pointer) in leaves {
            let mut columns = BTreeSet::new();
            columns_of(reach.cx.task, leaf, &mut columns, &mut BTreeSet::new());
            let found = columns.into_iter().find_map(|at| {
                let mut dirt = dirt(reach, at)?;
                if is_told(reach.cx.task, at, &told) {
                    dirt.case = None;
                }
                dirt.case = dirt.case.filter(|_| !ignores(&expect.options, &pointer, Ignore::Case));
                dirt.space = dirt.space.filter(|_| !ignores(&expect.options, &pointer, Ignore::Space));
                (dirt.case.is_some() || dirt.space.is_some()).then_some((at, dirt))
            });
            if let Some((at, dirt)) = found {
                let again = expect.options.iter().any(|(_, options)| !options.ignore.is_empty());
                said.extend(unknowable(reach.cx.task, leaf, at, &dirt, again));
            }
        }
    }
}

/// How a column differs in all files from its values; the places are those of the styles.
#[derive(Clone, Copy)]
struct Dirt {
    case: Option<Span>,
    space: Option<Span>,
}

/// The fixed words of the prompts.
fn told(reach: &Reach<'_>) -> String {
    let mut told = String::new();
    let mut seen = Vec::new();
    reach.asked.prompts.iter().for_each(|prompt| tell(reach.cx.task, prompt, &mut told, &mut seen));
    told
}

/// Whether the prompt has every value that a column can have.
fn is_told(task: &hir::Task, (relation, column): (RelationId, ColumnId), told: &str) -> bool {
    let column = task.relations.get(relation).and_then(|relation| relation.columns.get(column));
    let Some(draw) = column.and_then(|column| column.source.draw()) else { return false };
    match &draw.domain {
        DrawDomain::Fixed(domain @ (Domain::OneOf { .. } | Domain::Weighted { .. })) => {
            domain.closed().iter().flatten().all(|value| told.contains(value.render().as_ref()))
        }
        _ => false,
    }
}

fn ignores(options: &[(String, Options)], pointer: &str, what: Ignore) -> bool {
    options.iter().any(|(place, options)| {
        let around = pointer.strip_prefix(place.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        around && options.ignore.contains(&what)
    })
}

/// The columns whose texts a value has.
fn columns_of(
    task: &hir::Task,
    expr: &Expr,
    found: &mut BTreeSet<(RelationId, ColumnId)>,
    seen: &mut BTreeSet<NameId>,
) {
    match &expr.kind {
        ExprKind::Name(id) if seen.insert(*id) => {
            task.computed(*id).into_iter().for_each(|value| columns_of(task, value, found, seen));
        }
        ExprKind::List(items) | ExprKind::Concat(items) => {
            items.iter().for_each(|item| columns_of(task, item, found, seen));
        }
        ExprKind::Object(fields) => fields.iter().for_each(|(_, value)| columns_of(task, value, found, seen)),
        ExprKind::If(parts) => {
            columns_of(task, &parts.1, found, seen);
            columns_of(task, &parts.2, found, seen);
        }
        ExprKind::Call(_, args) if has_text(&expr.ty) => {
            for arg in args {
                match arg {
                    Arg::Sql(sql) => found.extend(sql.analysis.columns.iter().filter_map(|column| column.origin)),
                    Arg::Column { relation, column, .. } => {
                        found.insert((*relation, *column));
                    }
                    // Of a text alone, something else may be made: `upper`.
                    Arg::Value(value) if !matches!(value.ty.kind, TyKind::Text) => columns_of(task, value, found, seen),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn has_text(ty: &Ty) -> bool {
    match &ty.kind {
        TyKind::Text => true,
        TyKind::List(item) => item.kind == TyKind::Text,
        TyKind::Rows(columns) => columns.iter().any(|(_, ty)| ty.kind == TyKind::Text),
        _ => false,
    }
}

/// How the texts of a column are written in every file that has it; `None` where a file has them as they are, or no file has them.
fn dirt(reach: &Reach<'_>, at: (RelationId, ColumnId)) -> Option<Dirt> {
    let task = reach.cx.task;
    let (relation, column) = origin(task, at);
    let own = task.relations.get(relation)?.columns.get(column)?;
    if own.ty.kind != TyKind::Text || reach.known.has(relation, column) {
        return None;
    }
    let mut places = Vec::new();
    places_of(reach, relation, column, &mut places, 0)?;
    let of = |wanted: fn(&Style<Checked>) -> bool| {
        let spans = places.iter().map(|styles| styles.iter().find(|style| wanted(style))?.share().map(|s| s.span));
        spans.collect::<Option<Vec<Span>>>()?.first().copied()
    };
    Some(Dirt {
        case: of(|style| matches!(style, Style::Case(_))),
        space: of(|style| matches!(style, Style::Space(_))),
    })
}

/// The column whose values another has.
fn origin(task: &hir::Task, (mut relation, mut column): (RelationId, ColumnId)) -> (RelationId, ColumnId) {
    for _ in 0..FARTHEST {
        let Some(own) = task.relations.get(relation) else { break };
        (relation, column) = match (own.columns.get(column).map(|column| &column.source), &own.rows) {
            (Some(ColumnSource::Taken(of)), Rows::Taken { from, .. }) => (*from, *of),
            (Some(ColumnSource::Compute(Expr { kind: ExprKind::Column(of), .. })), _) => (relation, *of),
            (Some(ColumnSource::Result(at)), Rows::Query(name)) => {
                let sql = task.computed(*name).and_then(|value| value.resolved(task).sql());
                let at = usize::try_from(*at).ok();
                let output = at.and_then(|at| sql?.analysis.columns.get(at)).and_then(|output| output.origin);
                match output {
                    Some(output) => output,
                    None => break,
                }
            }
            _ => break,
        };
    }
    (relation, column)
}

/// The styles of a column in each place where its texts are written; `None` where one is not known.
fn places_of<'r>(
    reach: &'r Reach<'_>,
    relation: RelationId,
    column: ColumnId,
    places: &mut Vec<&'r [Style<Checked>]>,
    depth: usize,
) -> Option<()> {
    let task = reach.cx.task;
    if let Some(file) = task.relations.get(relation).and_then(|own| task.files.get(own.file?)) {
        places.push(file.content.form()?.styles(column));
    }
    for file in reach.of(relation) {
        for shown in file.columns.get(&column).into_iter().flatten() {
            match shown {
                Shown::As(own) if depth < FARTHEST => places_of(reach, file.relation, *own, places, depth + 1)?,
                _ => return None,
            }
        }
    }
    (!places.is_empty()).then_some(())
}

fn unknowable(
    task: &hir::Task,
    leaf: &Expr,
    (relation, column): (RelationId, ColumnId),
    dirt: &Dirt,
    again: bool,
) -> Option<Diagnostic> {
    let relation = task.relations.get(relation)?;
    let name = format!("{}.{}", relation.name, relation.columns.get(column)?.name);
    let (what, option) = match (dirt.case, dirt.space) {
        (Some(_), Some(_)) => ("letter case and the blanks", "ignore case, space"),
        (Some(_), None) => ("letter case", "ignore case"),
        _ => ("blanks", "ignore space"),
    };
    let message = format!("the {what} of `{name}` cannot be known");
    let mut said = Diagnostic::new(Code::UNKNOWABLE_TEXT, message, leaf.span, "part of the answer");
    if let Some(case) = dirt.case {
        said = said.label(case, "written with `case`");
    }
    if let Some(space) = dirt.space {
        said = said.label(space, "written with `space`");
    }
    said = said.help(format!("add `{option}`"));
    if !again {
        said = said.fix(format!("insert `{option}`"), Applicability::Unsafe, leaf.span.after(), format!(" {option}"));
    }
    Some(said)
}
