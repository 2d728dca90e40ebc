//! `idle_file`: the only file of a table has just the rows that meet a condition of the question, so the condition changes nothing for those who read the file.

use super::equalities::{Chosen, collect_equalities, list_filters};
use crate::context::{Asked, TaskCx, report_once};
use crate::question::prompt_content::Way;
use crate::reach::files::{KnownColumns, collect_renderings};
use crate::reach::needed::collect_columns;
use hir::{Expr, ExprKind, Rows, Task};
use model::Span;
use model::suite::{ColumnId, Op, RelationId, Scope};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_implied_conditions<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let renderings = collect_renderings(task);
    for rendering in &renderings {
        let Some(Rows::Taken { from, filter: Some(filter) }) =
            task.relations.get(rendering.relation).map(|own| &own.rows)
        else {
            continue;
        };
        let is_sole = renderings.iter().filter(|other| other.from == *from).count() == 1;
        let known = KnownColumns::from_task(task);
        for condition in filter.list_conjuncts().into_iter().filter(|_| is_sole) {
            let columns = collect_columns(condition, Scope::default().enter_filter(*from), *from);
            let Some(column) = columns.first().filter(|column| !known.has_column(*from, **column)) else { continue };
            let found = ways.iter().find_map(|way| find_asked(task, &way.asked, *from, condition));
            let Some(span) = found else { continue };
            let file = task.files.get(rendering.file).map_or("", |file| file.name.as_str());
            let name = find_name(task, *from, *column);
            let message =
                format!("every row of `{file}` meets the condition on `{name}`, so it changes nothing for an agent");
            let new = Diagnostic::new(Code::IDLE_FILE, message, condition.span, "only these rows are written")
                .label(span, "asked for here")
                .help("write all rows to the file, or do not ask for it");
            report_once(new, said);
        }
    }
}

/// Finds a condition of the answers that is the same as that of a file.
fn find_asked<'a>(task: &'a Task, asked: &Asked<'a>, from: RelationId, condition: &Expr) -> Option<Span> {
    let bare = condition.without_spans();
    let filters = list_filters(task, asked, from);
    let same = filters.into_iter().flat_map(Expr::list_conjuncts).find(|part| part.without_spans() == bare);
    same.map(|part| part.span).or_else(|| {
        let (column, value) = as_equality(condition)?;
        let equalities = collect_equalities(task, asked);
        let own = equalities
            .iter()
            .find(|found| found.relation == from && found.column == column && is_value(task, &found.value, value));
        own.map(|own| own.span)
    })
}

/// Reads `COLUMN == value`.
fn as_equality(filter: &Expr) -> Option<(ColumnId, &Expr)> {
    let ExprKind::Binary(Op::Eq, sides) = &filter.kind else { return None };
    [(&sides.0, &sides.1), (&sides.1, &sides.0)].into_iter().find_map(|(column, value)| {
        let is_plain = matches!(value.kind, ExprKind::Name(_) | ExprKind::Const(_));
        Some((column.as_column_id().filter(|_| is_plain)?, value))
    })
}

fn is_value(task: &Task, chosen: &Chosen<'_>, value: &Expr) -> bool {
    let value = value.resolve_name(task);
    match chosen {
        Chosen::Expr(expr) => expr.resolve_name(task).kind == value.kind,
        Chosen::Literal(literal) => value.as_constant().is_some_and(|known| known.is_same(literal)),
    }
}

fn find_name(task: &Task, relation: RelationId, column: ColumnId) -> &str {
    task.find_column((relation, column)).map_or("", |column| column.name.as_str())
}
