//! Columns of JSON Lines: a name with dots leads into objects, which can also be declared as in JSON: `user : { name : person_name }`.

use model::suite::RelationId;
use tables::write::ObjectLine;

use super::trees::{is_declared_alone, reject_object_clauses};
use super::written::name_style;
use crate::context::{Checker, ColumnDecl, Relations};
use syntax::ast::{self, ColumnKind, DomainKind, Format};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Relations<'a> {
    /// Adds the column of a key; in JSON Lines, an object adds one for each of its fields. `within` is the path of the objects around it: `user.`.
    pub(super) fn add_key(
        &mut self,
        cx: &mut Checker<'a>,
        (id, from): (RelationId, Option<RelationId>),
        (column, place): (&'a ast::Column, usize),
        (key, within): (&'a ast::Key, &str),
    ) {
        let name = format!("{within}{}", key.name.text);
        if let (ColumnKind::Draw(domain), Some(Format::Jsonl)) = (&column.kind, self.declared[id].format)
            && let DomainKind::Object(body) = &domain.kind
        {
            cx.reject_node_modifiers(domain);
            reject_object_clauses(cx, body);
            if !is_declared_alone(cx, column) {
                return;
            }
            let within = format!("{name}.");
            for column in &body.columns {
                for (place, key) in column.keys.iter().enumerate() {
                    self.add_key(cx, (id, from), (column, place), (key, &within));
                }
            }
            return;
        }
        if self.is_new_column(cx, id, from, key, &name) {
            let helper = name.starts_with('_') || key.name.text.starts_with('_');
            let decl = ColumnDecl { within: within.to_owned(), ..ColumnDecl::from_column(column, place) };
            self.add_column(id, name, key.name.span, helper, decl);
        }
    }

    /// Checks that the columns of a JSON Lines file can be the fields of one object. Reports it if not.
    pub(super) fn check_object_names(&self, cx: &mut Checker<'a>, relation: RelationId) -> bool {
        if self.declared[relation].format != Some(Format::Jsonl) {
            return true;
        }
        let columns: Vec<&hir::Column> =
            self.checked[relation].iter_written_columns().map(|(_, column)| column).collect();
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let Err(at) = ObjectLine::new(&names) else { return true };
        let Some(own) = columns.get(at) else { return true };
        let is_inside = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
        let other = columns.iter().take(at).find(|other| {
            is_inside(&own.name, &other.name) || is_inside(&other.name, &own.name) || own.name == other.name
        });
        let said = match other {
            Some(other) => {
                let (inner, outer) =
                    if other.name.len() > own.name.len() { (*other, *own) } else { (*own, *other) };
                let message = format!("`{}` needs an object, but `{}` is a single value", inner.name, outer.name);
                Diagnostic::new(Code::BAD_CONTENT, message, own.span, "the same key")
                    .label(other.span, "declared here")
                    .help("rename one of them: a name with a point leads into an object")
            }
            None => {
                let message = format!("`{}` is inside too many objects", own.name);
                Diagnostic::new(Code::BAD_CONTENT, message, own.span, "each point leads into an object")
                    .help("use fewer points in the name")
            }
        };
        cx.report(said);
        false
    }
}

/// Checks that a style fits the format of a file. Reports a style that changes texts in JSON Lines, whose texts are exact.
pub(super) fn is_style_of(cx: &mut Checker<'_>, format: Format, style: &ast::Style) -> bool {
    let ast::StyleKind::Text(..) = &style.kind else { return true };
    if format != Format::Jsonl {
        return true;
    }
    let message = format!("`{}` does not apply to {}", name_style(&style.kind), format.noun);
    let said = Diagnostic::new(Code::BAD_STYLE, message, style.span, "does not fit the format");
    cx.report(said.help("remove it: JSON Lines have the styles `written` and `missing`"));
    false
}
