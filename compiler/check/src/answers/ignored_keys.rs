//! `ignore TABLE.KEY`: the new rows of the table may have any keys, and references to them follow.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, ConstraintKind, FileId, RelationId};

use crate::context::{Checker, Relations};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Relations<'a> {
    /// Reports tables with ignored keys that refer to each other in a circle: which new row is which could then not be told. `parts` are the ignored
    /// parts of the database `file`.
    pub(super) fn reject_key_cycle(&self, cx: &mut Checker<'a>, parts: &[String], (file, span): (FileId, Span)) {
        let of_file = self.checked.iter_enumerated().filter(|(_, decl)| decl.file == Some(file)).map(|(id, _)| id);
        let mut open: Vec<(RelationId, BTreeSet<RelationId>)> = Vec::new();
        let keys: Vec<(RelationId, Vec<&str>)> =
            of_file.map(|id| (id, self.list_ignored_keys(id, parts))).filter(|(_, keys)| !keys.is_empty()).collect();
        for (id, _) in &keys {
            let refers =
                |(other, keys): &(RelationId, Vec<&str>)| self.has_reference(*id, *other, keys).then_some(*other);
            open.push((*id, keys.iter().filter_map(refers).collect()));
        }
        // Tables that refer to no table that is left are in no circle.
        while let Some(at) = open.iter().position(|(_, to)| open.iter().all(|(other, _)| !to.contains(other))) {
            open.remove(at);
        }
        let Some((id, _)) = open.first() else { return };
        let names: Vec<String> = open.iter().map(|(id, _)| format!("`{}`", self.checked[*id].name)).collect();
        let message = match names.as_slice() {
            [one] => format!("the ignored key of {one} is referred to by {one} itself"),
            several => format!("the ignored keys of {} are referred to in a circle", several.join(", ")),
        };
        let said = Diagnostic::new(Code::BAD_OPTION, message, span, "which new row is which cannot be told");
        cx.report(said.help(format!(
            "ignore the key of one of them only, or the whole table: `ignore {}`",
            self.checked[*id].table
        )));
    }

    /// Lists the ignored columns of the key of a table.
    fn list_ignored_keys(&self, id: RelationId, parts: &[String]) -> Vec<&str> {
        let table = &self.checked[id].table;
        let is_ignored = |column: &&str| parts.iter().any(|part| *part == format!("{table}.{column}"));
        self.find_key_columns(id).into_iter().filter(is_ignored).collect()
    }

    /// Whether a table refers to one of these columns of another one.
    fn has_reference(&self, from: RelationId, to: RelationId, columns: &[&str]) -> bool {
        let decl = &self.checked[from];
        let is_key =
            |at: ColumnId| self.checked[to].columns.get(at).is_some_and(|known| columns.contains(&known.name.as_str()));
        let single = decl.columns.iter().any(|column| column.references.is_some_and(|(of, at)| of == to && is_key(at)));
        single
            || decl.constraints.iter().any(|constraint| match &constraint.kind {
                ConstraintKind::References { relation, columns } => {
                    *relation == to && columns.iter().any(|at| is_key(*at))
                }
                _ => false,
            })
    }
}
