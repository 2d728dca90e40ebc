//! `leaked_answer`: a path that the prompt states, or a text or column next to the data, contains the value that should be found in the data.

use std::collections::BTreeSet;
use syntax::prompts::english::lints::{COMPUTED, FLAG_EXTREMES, STATED};

use model::Span;
use model::suite::{Extra, FileId, NameId, Op, RelationId};

use super::dependence::value_number::is_of_task;
use super::leaked::{Extent, is_found};
use super::leaked_parts::{collect_listing_texts, is_answer, is_traced, list_pieces, list_values};
use super::prompt_content::{Way, has_any_word};
use super::reads::collect_read_files;
use crate::context::{TaskCx, report_once};
use hir::{Arg, ColumnSource, Expr, ExprKind, FileContent, Task};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_leaks_by_file<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        for (value, leaf) in way.asked.list_found_values() {
            let lint = Lint { cx, way, leaf };
            if lint.is_found(Extent::new(leaf, value)) {
                let found = lint.find_in_stated_path().or_else(|| lint.find_in_other_file());
                found.into_iter().for_each(|found| report_once(found, said));
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
        is_answer(self.cx.task, self.leaf, part)
    }

    /// Checks whether the agent must find the answer in files.
    fn is_found(&self, extent: Extent) -> bool {
        let is_traced =
            |id| extent == Extent::Whole && (is_traced(self.cx.task, id) || is_required_of_rows(self.cx.task, id));
        is_found(self.cx.task, self.leaf, extent)
            || matches!(self.leaf.resolve_name(self.cx.task).kind, ExprKind::Name(id) if is_traced(id))
            || !collect_listing_texts(self.cx.task, self.leaf).is_empty()
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
        let mut read = collect_read_files(task, answer, &BTreeSet::new());
        let listing = collect_listing_texts(task, answer);
        // A text without a condition to apply can be meant to be looked up: the total of an invoice.
        let is_condition_free = !is_chosen(task, answer) && !self.is_computed_by_agent();
        if !listing.is_empty() && (is_condition_free || is_looked_up(self.way)) {
            return None;
        }
        read.extend(&listing);
        let is_asked = self.way.tellings.iter().any(|telling| telling.files.iter().any(|file| read.contains(file)));
        if !is_asked {
            return None;
        }
        for (path, kind) in task.extras.iter().filter_map(Extra::given_path) {
            if let Some(piece) = list_pieces(task, path).into_iter().find(|piece| self.is_answer(piece)) {
                let message = format!("the name of a {} contains the expected value", kind.noun());
                return Some(self.build_diagnostic(message, piece.span));
            }
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
            let place = match read.contains(&id) && !listing.contains(&id) {
                true => self.find_in_column(file).or_else(|| self.find_around(file)),
                false => self.find_in_content(file),
            };
            if let Some(place) = place {
                let said = self.build_diagnostic(format!("`{}` contains the expected value", file.name), place);
                return Some(said.label(file.span, "in this file"));
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

    /// Finds the answer in the lines above and below the rows of a file.
    fn find_around(&self, file: &hir::File) -> Option<Span> {
        let form = file.content.form().filter(|_| !is_looked_up(self.way))?;
        let values = form.above.iter().chain(&form.below).flat_map(|text| list_values(self.cx.task, text));
        values.into_iter().find(|part| is_of_task(part) && self.is_answer(part)).map(|part| part.span)
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

    /// Checks whether the prompt asks to compute a value from all rows, and not to look it up.
    fn is_computed_by_agent(&self) -> bool {
        let is_extreme = |prompt: &str| FLAG_EXTREMES.iter().any(|word| has_any_word(prompt, word));
        let mut prompts = self.way.tellings.iter().map(|telling| telling.lower_prompt.as_str());
        prompts.all(|prompt| has_any_word(prompt, COMPUTED) || is_extreme(prompt))
    }

    fn build_diagnostic(&self, message: String, place: Span) -> Diagnostic {
        Diagnostic::new(Code::LEAKED_ANSWER, message, self.leaf.span, "expected here")
            .label(place, "the same value")
            .help("remove it from the file, or ask for something that no file states")
    }
}

/// Checks whether a condition of the task chooses the rows of a file that have a drawn value: then the rows say which value it is.
fn is_required_of_rows(task: &Task, id: NameId) -> bool {
    let is_name = |side: &Expr| side.kind == ExprKind::Name(id);
    let is_choice = |condition: &&Expr| match &condition.kind {
        ExprKind::Binary(Op::Eq, sides) => {
            sides.0.as_column_id().is_some() && is_name(&sides.1)
                || sides.1.as_column_id().is_some() && is_name(&sides.0)
        }
        _ => false,
    };
    let chooses = |part: &Expr| match &part.kind {
        ExprKind::Call(_, args) => args.iter().any(|arg| match arg {
            Arg::Relation { filter: Some(filter), .. } | Arg::Column { filter: Some(filter), .. } => {
                filter.list_conjuncts().iter().any(is_choice)
            }
            _ => false,
        }),
        _ => false,
    };
    task.iter_conditions().any(|condition| condition.has_part_through_names(task, chooses))
}

/// Checks whether the prompt asks for what a text states.
pub(super) fn is_looked_up(way: &Way<'_>) -> bool {
    way.tellings.iter().any(|telling| has_any_word(&telling.lower_prompt, STATED))
}

/// Checks whether a value is computed from some of the rows of a table.
fn is_chosen(task: &Task, value: &Expr) -> bool {
    value.has_part_through_names(task, |part| {
        let ExprKind::Call(_, args) = &part.kind else { return false };
        args.iter().any(|arg| match arg {
            Arg::Relation { filter, .. } | Arg::Column { filter, .. } | Arg::Each { filter, .. } => filter.is_some(),
            Arg::Sql(sql) => sql.analysis.whole.is_none(),
            Arg::Value(_) | Arg::File(_) | Arg::Path(_) => false,
        })
    })
}
