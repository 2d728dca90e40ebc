//! `unused_name`: what is drawn, computed or generated and never used.

use plan::Span;

use super::TaskCx;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir;

pub(super) fn check(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    for name in cx.task.names.iter().filter(|name| !name.used && !name.name.starts_with('_')) {
        let what = match name.source {
            hir::NameSource::Draw { .. } => "drawn",
            hir::NameSource::Axis => "an axis",
            hir::NameSource::Compute(_) | hir::NameSource::Variant(_) => "computed",
        };
        said.push(unused(&name.name, name.span, what));
    }
    for file in cx.task.files.iter().filter(|file| !file.used) {
        said.push(unused(&file.name, file.span, "generated"));
    }
    let own = |relation: &&hir::Relation| {
        relation.file.is_none() && !relation.shared && !matches!(relation.rows, hir::Rows::Query(_))
    };
    for relation in cx.task.relations.iter().filter(own).filter(|relation| !relation.used) {
        let what = if matches!(relation.rows, hir::Rows::Given(_)) { "read" } else { "generated" };
        said.push(unused(&relation.name, relation.span, what));
    }
}

fn unused(name: &str, span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(Code::UNUSED_NAME, format!("`{name}` is {what} but never used"), span, "never used")
        .help("mention it in the prompt or the answer, or remove it")
}
