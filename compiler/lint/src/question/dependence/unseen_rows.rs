//! `untold_input`: an answer reads all rows of a table that no agent gets, but its only file has some of them, by a column that the answer does not read.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, RelationId, Scope};

use crate::context::TaskCx;
use crate::question::prompt_content::Way;
use crate::reach::files::{Rendering, collect_renderings};
use crate::reach::needed::{collect_answer_readings, collect_columns};
use hir::{Arg, DrawDomain, Expr, ExprKind, NameSource, Rows, Task};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_unseen_rows<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let selected = list_selected_tables(task);
    if selected.is_empty() || !task.lakes.is_empty() {
        return;
    }
    let mut known: BTreeSet<Span> = said.iter().map(|said| said.primary.span).collect();
    for way in ways.iter().filter(|way| way.tellings.iter().all(|telling| !telling.opaque)) {
        let answers: Vec<&Expr> = way.asked.iter_answers().collect();
        let told = way.tellings.iter().flat_map(|telling| telling.names.iter().copied()).collect();
        for reading in collect_answer_readings(task, &answers, &told, BTreeSet::new()) {
            let Some(table) = selected.iter().find(|table| table.from == reading.relation) else { continue };
            if reading.columns.is_disjoint(&table.by) && known.insert(reading.span) {
                said.push(table.build_diagnostic(task, reading.span));
            }
        }
    }
}

/// A table that no agent gets, of which one file has some rows.
struct SelectedTable<'a> {
    from: RelationId,
    file: Rendering,
    /// The columns of the condition.
    by: BTreeSet<ColumnId>,
    filter: &'a Expr,
}

fn list_selected_tables(task: &Task) -> Vec<SelectedTable<'_>> {
    let files = collect_renderings(task);
    let is_only = |file: &&Rendering| files.iter().filter(|other| other.from == file.from).count() == 1;
    files.iter().filter(is_only).filter_map(|file| read_selection(task, file)).collect()
}

/// Reads the condition of a file, if it is one of constants and of drawn columns.
fn read_selection<'a>(task: &'a Task, file: &Rendering) -> Option<SelectedTable<'a>> {
    let own = task.relations.get(file.relation)?;
    let Rows::Taken { from, filter: Some(filter) } = &own.rows else { return None };
    let table = task.relations.get(*from).filter(|table| table.file.is_none())?;
    let by = collect_columns(filter, Scope::default().enter_filter(*from), *from);
    let is_drawn = |column: &ColumnId| table.columns.get(*column).is_some_and(|column| column.source.draw().is_some());
    let is_plain =
        !filter.has_part_through_names(task, |part| matches!(part.kind, ExprKind::Name(_) | ExprKind::Call(..)));
    let is_free = is_plain && !by.is_empty() && by.iter().all(is_drawn);
    (is_free && !is_read_elsewhere(task, *from)).then(|| SelectedTable { from: *from, file: file.clone(), by, filter })
}

/// Checks whether other files are computed from a table, or a name is drawn from some of its rows.
fn is_read_elsewhere(task: &Task, table: RelationId) -> bool {
    let reads = |part: &Expr| match &part.kind {
        ExprKind::Call(_, args) => args.iter().any(|arg| match arg {
            Arg::Relation { relation, .. } | Arg::Column { relation, .. } | Arg::Each { relation, .. } => {
                *relation == table
            }
            Arg::Sql(sql) => sql.analysis.tables.contains(&table),
            Arg::Value(_) | Arg::File(_) | Arg::Path(_) => false,
        }),
        _ => false,
    };
    let mut is_read = false;
    for file in &task.files {
        file.content.visit_exprs(file.surrounding_scope(), &mut |_, expr, _| {
            is_read |= expr.has_part_through_names(task, reads);
        });
    }
    let is_drawn_from_some = |name: &hir::Name| match &name.source {
        NameSource::Draw { draw, .. } => {
            matches!(&draw.domain, DrawDomain::Ref { relation, filter: Some(_), .. } if *relation == table)
        }
        _ => false,
    };
    is_read || task.names.iter().any(is_drawn_from_some)
}

impl SelectedTable<'_> {
    fn build_diagnostic(&self, task: &Task, read: Span) -> Diagnostic {
        let table = task.relations.get(self.from).map_or("", |own| own.name.as_str());
        let file = task.files.get(self.file.file).map_or("", |file| file.name.as_str());
        let message = format!("the answer reads all rows of `{table}`, but `{file}` has only some of them");
        Diagnostic::new(Code::UNTOLD_INPUT, message, read, "also reads rows that no agent gets")
            .label(self.filter.span, "only these rows are written")
            .help(format!("compute the answer from the rows of `{file}`, or write all rows"))
    }
}
