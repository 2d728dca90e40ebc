//! `leaked_answer`: a path that the prompt states, or a text or column next to the data, contains the value that should be found in the data.

use std::collections::BTreeSet;

use model::Span;
use model::suite::matchers::Reads;
use model::suite::{FileId, RelationId};

use super::dependence::value_number::{is_of_task, number_value, strip_layout};
use super::leaked::{Extent, is_found};
use super::prompt_content::Way;
use super::reads::collect_read_files;
use crate::context::TaskCx;
use hir::{ColumnSource, Expr, ExprKind, FileContent, Task};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_leaks_by_file<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let mut known: BTreeSet<Span> =
        said.iter().filter(|said| said.code == Code::LEAKED_ANSWER).map(|said| said.primary.span).collect();
    for way in ways {
        for expect in way.asked.expects.iter().filter(|expect| expect.matcher.record().reads != Reads::Query) {
            let Some(value) = expect.answer_expr().filter(|_| !expect.is_any_of()) else { continue };
            let leaves = if expect.matcher.record().keys { value.list_leaves() } else { vec![(value, String::new())] };
            for (leaf, _) in leaves {
                if known.contains(&leaf.span) || !is_found(cx.task, leaf, Extent::new(leaf, value)) {
                    continue;
                }
                let lint = Lint { cx, way, leaf };
                if let Some(found) = lint.find_in_stated_path().or_else(|| lint.find_in_other_file()) {
                    known.insert(leaf.span);
                    said.push(found);
                }
            }
        }
    }
}

struct Lint<'l, 'a> {
    cx: &'l TaskCx<'a>,
    way: &'l Way<'a>,
    /// The expected value.
    leaf: &'l Expr,
}

impl Lint<'_, '_> {
    /// Checks whether a part has the value of the answer.
    fn is_answer(&self, part: &Expr) -> bool {
        let (answer, part) = (number_value(self.cx.task, self.leaf), number_value(self.cx.task, part));
        !matches!(answer.kind, ExprKind::Const(_)) && strip_layout(&answer) == strip_layout(&part)
    }

    /// Finds a file whose path, which a wording states, contains the answer.
    fn find_in_stated_path(&self) -> Option<Diagnostic> {
        let task = self.cx.task;
        let mut stated: Vec<(FileId, Span)> = Vec::new();
        for wording in &self.way.asked.prompts {
            wording.visit_exprs(&mut |part| {
                if let ExprKind::FilePath(file) = part.kind {
                    stated.push((file, part.span));
                }
            });
        }
        let pieces = |id: FileId| task.files.get(id).map(|file| list_pieces(task, &file.path)).unwrap_or_default();
        let is_leak = |(id, _): &&(FileId, Span)| pieces(*id).into_iter().any(|piece| self.is_answer(piece));
        let (id, place) = stated.iter().find(is_leak)?;
        // With several drawn paths, the agent must find out which of them is meant.
        if stated.iter().any(|(other, _)| other != id && !pieces(*other).is_empty()) {
            return None;
        }
        let file = task.files.get(*id).filter(|file| !file.split)?;
        let piece = pieces(*id).into_iter().find(|piece| self.is_answer(piece))?;
        let message = format!("the path of `{}` contains the expected value", file.name);
        let said = Diagnostic::new(Code::LEAKED_ANSWER, message, self.leaf.span, "expected here");
        let said = said.label(piece.span, "in the path").label(*place, "the prompt states the path");
        Some(said.help("use a path that does not contain the answer"))
    }

    /// Finds a file that contains the computed answer, next to the files from which it is to be computed.
    fn find_in_other_file(&self) -> Option<Diagnostic> {
        let task = self.cx.task;
        let answer = self.leaf.resolve_name(task);
        if !matches!(answer.kind, ExprKind::Call(..) | ExprKind::Binary(..) | ExprKind::If(_)) {
            return None;
        }
        let read = collect_read_files(task, answer, &BTreeSet::new());
        let is_asked = self.way.tellings.iter().any(|telling| telling.files.iter().any(|file| read.contains(file)));
        if !is_asked {
            return None;
        }
        for (id, file) in task.files.iter_enumerated() {
            let pieces = list_pieces(task, &file.path);
            if let Some(piece) = pieces.into_iter().find(|piece| !file.split && self.is_answer(piece)) {
                return Some(
                    self.build_diagnostic(
                        format!("the path of `{}` contains the expected value", file.name),
                        piece.span,
                    ),
                );
            }
            let place = if read.contains(&id) { self.find_in_column(file) } else { self.find_in_content(file) };
            if let Some(place) = place {
                return Some(self.build_diagnostic(format!("`{}` contains the expected value", file.name), place));
            }
        }
        None
    }

    /// Finds the answer in the texts of a file.
    fn find_in_content(&self, file: &hir::File) -> Option<Span> {
        let task = self.cx.task;
        let mut found = None;
        file.content.visit_exprs(file.surrounding_scope(), &mut |_, expr, _| {
            if found.is_none() {
                found = list_values(task, expr)
                    .into_iter()
                    .find(|part| is_of_task(part) && self.is_answer(part))
                    .map(|part| part.span);
            }
        });
        found.or_else(|| self.find_in_column(file))
    }

    /// Finds a column whose cells are the answer.
    fn find_in_column(&self, file: &hir::File) -> Option<Span> {
        let task = self.cx.task;
        let mut relations: Vec<RelationId> = file.content.relations().to_vec();
        if let Some(shape) = file.content.shape() {
            shape.visit_relations(&mut |relation| relations.push(relation));
        }
        if matches!(file.content, FileContent::TextLines { .. }) {
            return None;
        }
        let columns =
            relations.iter().filter_map(|id| task.relations.get(*id)).flat_map(|own| own.iter_written_columns());
        let mut computed = columns.filter_map(|(_, column)| match &column.source {
            ColumnSource::Compute(value) if is_of_task(value) => Some((column.span, value)),
            _ => None,
        });
        computed.find(|(_, value)| self.is_answer(value)).map(|(span, _)| span)
    }

    fn build_diagnostic(&self, message: String, place: Span) -> Diagnostic {
        Diagnostic::new(Code::LEAKED_ANSWER, message, self.leaf.span, "expected here")
            .label(place, "the same value")
            .help("remove it from the file, or ask for something that no file states")
    }
}

/// Lists the parts of which a path consists, through names.
fn list_pieces<'e>(task: &'e Task, path: &'e Expr) -> Vec<&'e Expr> {
    let mut pieces = Vec::new();
    for piece in path.resolve_name(task).as_pieces() {
        match &piece.resolve_name(task).kind {
            ExprKind::Concat(inner) => pieces.extend(inner),
            ExprKind::Const(_) => {}
            _ => pieces.push(piece),
        }
    }
    pieces
}

/// Lists the values that a text or a tree shows: its placeholders, and the values of its fields and items.
fn list_values<'e>(task: &'e Task, expr: &'e Expr) -> Vec<&'e Expr> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    // Names composed of names can double each time.
    let mut left = 1000;
    while let Some(expr) = open.pop()
        && left > 0
    {
        left -= 1;
        match &expr.kind {
            ExprKind::Concat(items) | ExprKind::List(items) => open.extend(items),
            ExprKind::Object(fields) => open.extend(fields.iter().map(|(_, value)| value)),
            ExprKind::Const(_) | ExprKind::FilePath(_) | ExprKind::Folder(_) | ExprKind::Sandbox => {}
            ExprKind::Name(id) => {
                found.push(expr);
                let inner = task.find_computed(*id);
                open.extend(inner.filter(|value| {
                    matches!(value.kind, ExprKind::Concat(_) | ExprKind::Object(_) | ExprKind::List(_))
                }));
            }
            _ => found.push(expr),
        }
    }
    found
}
