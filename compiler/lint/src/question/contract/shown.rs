//! The columns of files from which answers are read: how their cells are written.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use model::Span;
use model::functions::FunctionId;
use model::suite::{ColumnId, FileId, NameId, RelationId, Style};

use super::super::prompt_content::Telling;
use super::super::reads::collect_read_files;
use super::super::unmentioned_file::collect_rendered_names;
use crate::context::Asked;
use crate::reach::files::{Rendering, Shown, collect_renderings};
use crate::reach::needed::{Reading, collect_answer_readings};
use hir::{ColumnSource, Expr, ExprKind, Task};

/// A column of a file.
pub(super) struct FileColumn<'a> {
    /// Its name in the suite.
    pub name: &'a str,
    /// Its type.
    pub column: &'a hir::Column,
    /// The column of the answer that it shows.
    pub place: (RelationId, ColumnId),
    /// The patterns of its cells; empty for their usual form.
    pub written: Vec<&'a str>,
    /// Whether one has a factor, so its text is not the unit of the values.
    pub is_scaled: bool,
    /// The patterns of some of its cells, which are drawn, with their places.
    pub noise: Vec<(&'a str, Span)>,
    /// The cells that are null.
    pub missing: Vec<&'a str>,
    /// The declaration of how it is written.
    pub at: Span,
    /// Whether an answer reads it.
    pub is_read: bool,
    /// Whether the file exists, and is not written.
    pub is_given: bool,
}

/// The columns of the files from which the answers to a wording are read. They are collected when a lint asks for them.
pub(super) struct FileColumns<'w, 'a> {
    task: &'a Task,
    asked: &'w Asked<'a>,
    telling: &'w Telling,
    found: OnceCell<Vec<FileColumn<'a>>>,
}

impl<'w, 'a> FileColumns<'w, 'a> {
    /// Of a wording of one way of asking.
    pub fn new(task: &'a Task, asked: &'w Asked<'a>, telling: &'w Telling) -> FileColumns<'w, 'a> {
        FileColumns { task, asked, telling, found: OnceCell::new() }
    }

    /// Whether the answers have all functions of which a date is put together.
    pub fn is_answer_with_all(&self, functions: &[FunctionId]) -> bool {
        let mut called = Vec::new();
        for answer in self.asked.iter_answers() {
            answer.visit_through_names(self.task, &mut |part| {
                if let ExprKind::Call(function, _) = &part.kind {
                    called.push(*function);
                }
            });
        }
        functions.iter().all(|function| called.contains(function))
    }

    /// Returns the columns.
    pub fn list(&self) -> &[FileColumn<'a>] {
        self.found.get_or_init(|| collect_file_columns(self.task, self.asked, self.telling))
    }
}

/// Collects the columns of the files from which answers are read, except those for values that the wording tells.
fn collect_file_columns<'a>(task: &'a Task, asked: &Asked<'a>, telling: &Telling) -> Vec<FileColumn<'a>> {
    let told: BTreeSet<NameId> = collect_rendered_names(telling);
    let answers: Vec<&'a Expr> = asked.iter_answers().collect();
    let readings = collect_answer_readings(task, &answers, &told, BTreeSet::new());
    let mut found = Vec::new();
    let relations: BTreeSet<RelationId> = readings.iter().map(|reading| reading.relation).collect();
    for relation in relations {
        let Some(own) = task.relations.get(relation) else { continue };
        for (id, column) in own.columns.iter_enumerated() {
            let ColumnSource::Given(given) = &column.source else { continue };
            let Some(read) = given.read.as_deref() else { continue };
            found.push(FileColumn {
                name: &column.name,
                column,
                place: (relation, id),
                written: read.written.iter().map(String::as_str).collect(),
                is_scaled: read.is_scaled,
                noise: Vec::new(),
                missing: read.missing.iter().map(String::as_str).collect(),
                at: column.span,
                is_read: is_read(&readings, (relation, id)),
                is_given: true,
            });
        }
    }
    let files: BTreeSet<FileId> = answers.iter().flat_map(|value| collect_read_files(task, value, &told)).collect();
    let renderings = collect_renderings(task);
    for file in files {
        add_written_columns(task, file, &renderings, &readings, &mut found);
    }
    found
}

fn is_read(readings: &[Reading<'_>], (relation, column): (RelationId, ColumnId)) -> bool {
    readings.iter().any(|reading| reading.relation == relation && reading.columns.contains(&column))
}

/// Adds the columns of a file that is written.
fn add_written_columns<'a>(
    task: &'a Task,
    file: FileId,
    renderings: &[Rendering],
    readings: &[Reading<'a>],
    found: &mut Vec<FileColumn<'a>>,
) {
    let Some(content) = task.files.get(file).map(|file| &file.content) else { return };
    let (Some(form), [relation]) = (content.form(), content.relations()) else { return };
    let Some(own) = task.relations.get(*relation) else { return };
    let rendering = renderings.iter().find(|rendering| rendering.relation == *relation);
    for (id, column) in own.iter_written_columns() {
        let shows = |shown: &Vec<Shown>| shown.contains(&Shown::As(id));
        let of = rendering.and_then(|rendering| {
            let (of, _) = rendering.columns.iter().find(|(_, shown)| shows(shown))?;
            Some((rendering.from, *of))
        });
        let place = of.unwrap_or((*relation, id));
        let mut new = FileColumn {
            name: &column.name,
            column,
            place,
            written: Vec::new(),
            is_scaled: false,
            noise: Vec::new(),
            missing: Vec::new(),
            at: column.span,
            is_read: is_read(readings, place) || is_read(readings, (*relation, id)),
            is_given: false,
        };
        for style in form.find_styles(id) {
            match style {
                Style::Written { pattern, times, share } => {
                    new.is_scaled |= times.is_some();
                    match share {
                        None => new.written.push(pattern),
                        Some(share) => new.noise.push((pattern, share.span)),
                    }
                }
                Style::Missing(marks) => new.missing.extend(marks.iter().map(String::as_str)),
                Style::Text(..) => {}
            }
        }
        found.push(new);
    }
}
