//! `idle_file`: the only file of a table has just the rows that meet a condition of the question, so the condition changes nothing for those who read the file.

use super::equalities::collect_equalities;
use crate::context::{TaskCx, report_once};
use crate::question::prompt_content::Way;
use crate::reach::files::{KnownColumns, collect_renderings};
use hir::{Expr, ExprKind, Rows, Task};
use model::suite::{ColumnId, Op, RelationId};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_implied_conditions<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let renderings = collect_renderings(task);
    for rendering in &renderings {
        let Some(Rows::Taken { from, filter: Some(filter) }) = task.relations.get(rendering.relation).map(|own| &own.rows) else {
            continue;
        };
        let is_sole = renderings.iter().filter(|other| other.from == *from).count() == 1;
        let Some((column, value)) = as_equality(filter).filter(|_| is_sole) else { continue };
        let known = KnownColumns::from_task(task);
        if known.has_column(*from, column) {
            continue;
        }
        for way in ways {
            let equalities = collect_equalities(task, &way.asked);
            let own = equalities.iter().find(|found| {
                found.relation == *from && found.column == column && is_value(task, &found.value, value)
            });
            let Some(own) = own else { continue };
            let file = task.files.get(rendering.file).map_or("", |file| file.name.as_str());
            let name = find_name(task, *from, column);
            let message = format!("`{file}` has only rows that meet this condition on `{name}`, so it changes nothing for its readers");
            let new = Diagnostic::new(Code::IDLE_FILE, message, filter.span, "only these rows are written")
                .label(own.span, "asked for here")
                .help("write all rows to the file, or do not ask for it");
            report_once(new, said);
        }
    }
}

/// Reads `COLUMN == value`.
fn as_equality(filter: &Expr) -> Option<(ColumnId, &Expr)> {
    let ExprKind::Binary(Op::Eq, sides) = &filter.kind else { return None };
    [(&sides.0, &sides.1), (&sides.1, &sides.0)].into_iter().find_map(|(column, value)| {
        let is_plain = matches!(value.kind, ExprKind::Name(_) | ExprKind::Const(_));
        Some((column.as_column_id().filter(|_| is_plain)?, value))
    })
}

fn is_value(task: &Task, chosen: &super::equalities::Chosen<'_>, value: &Expr) -> bool {
    let value = value.resolve_name(task);
    match chosen {
        super::equalities::Chosen::Expr(expr) => expr.resolve_name(task).kind == value.kind,
        super::equalities::Chosen::Literal(literal) => value.as_constant().is_some_and(|known| known.is_same(literal)),
    }
}

fn find_name(task: &Task, relation: RelationId, column: ColumnId) -> &str {
    task.find_column((relation, column)).map_or("", |column| column.name.as_str())
}
