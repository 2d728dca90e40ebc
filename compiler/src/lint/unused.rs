//! `unused_name`: what is drawn, computed or generated and never used.

use plan::Span;
use plan::suite::RelationId;

use super::TaskCx;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, Entity};

pub(super) fn check(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let is_unused = |entity| !task.notes.used.contains(&entity);
    for (_, name) in
        task.names.iter_enumerated().filter(|(id, name)| is_unused(Entity::Name(*id)) && !name.name.starts_with('_'))
    {
        let what = match name.source {
            hir::NameSource::Draw { .. } => "drawn",
            hir::NameSource::Axis => "an axis",
            hir::NameSource::Compute(_) => "computed",
        };
        said.push(unused(&name.name, name.span, what));
    }
    for (_, file) in task.files.iter_enumerated().filter(|(id, _)| is_unused(Entity::File(*id))) {
        said.push(unused(&file.name, file.span, "generated"));
    }
    let own = |relation: &hir::Relation| relation.file.is_none() && !matches!(relation.rows, hir::Rows::Query(_));
    let unused_relation =
        |(id, relation): &(RelationId, &hir::Relation)| own(relation) && is_unused(Entity::Relation(*id));
    for (_, relation) in task.relations.iter_enumerated().filter(unused_relation) {
        let what = if matches!(relation.rows, hir::Rows::Given(_)) { "read" } else { "generated" };
        said.push(unused(&relation.name, relation.span, what));
    }
}

fn unused(name: &str, span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(Code::UNUSED_NAME, format!("`{name}` is {what} but never used"), span, "never used")
        .help("mention it in the prompt or the answer, or remove it")
}
