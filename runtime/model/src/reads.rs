//! Determines the columns of tables from which a value is computed.

use std::collections::BTreeSet;

use crate::suite::{Arg, ColumnId, Expr, RelationId, Scope, Sql, SqlScope, Task};
use crate::uses::Uses;

/// The columns that values read.
#[derive(Debug, Default)]
pub struct Reads {
    relations: BTreeSet<RelationId>,
    /// Relations of which a function reads the rows.
    whole: BTreeSet<RelationId>,
    columns: BTreeSet<(RelationId, ColumnId)>,
    /// Queries in lower case, with the relations that they may read.
    queries: Vec<(Vec<RelationId>, String)>,
}

impl Reads {
    /// Collects the columns that values read, including those read by computed names.
    pub fn from_computations<'p>(task: &'p Task, exprs: impl IntoIterator<Item = &'p Expr>) -> Reads {
        let exprs: Vec<&Expr> = exprs.into_iter().collect();
        let uses = Uses::from_computations(task, exprs.iter().copied());
        let mut reads = Reads::default();
        let names = uses.names.iter().filter_map(|name| task.find_computed(*name));
        exprs.into_iter().chain(names).for_each(|expr| reads.visit_expr(expr, Scope::default()));
        Reads { relations: uses.relations, ..reads }
    }

    /// Collects the columns that a value reads itself.
    pub fn from_expr(expr: &Expr) -> Reads {
        let mut reads = Reads::default();
        reads.visit_expr(expr, Scope::default());
        reads
    }

    /// Checks whether any part of a relation is read.
    pub fn has_relation(&self, relation: RelationId) -> bool {
        self.relations.contains(&relation)
    }

    /// Checks whether a change of cells in a column can change a value.
    pub fn has_column(&self, relation: RelationId, column: ColumnId) -> bool {
        self.whole.contains(&relation)
            || self.columns.contains(&(relation, column))
            || self.queries.iter().any(|(relations, _)| relations.contains(&relation))
    }

    /// Checks whether a change of cells in a column of the task can change a value: unlike [`Reads::has_column`], by the text of queries.
    pub fn can_change(&self, task: &Task, relation: RelationId, column: ColumnId) -> bool {
        let name = task.relations.get(relation).and_then(|own| own.columns.get(column)).map(|own| own.name.as_str());
        self.whole.contains(&relation) || name.is_none_or(|name| self.has_column_named(relation, column, name))
    }

    /// Checks whether a column of a relation is named, by a value or in the text of a query.
    pub fn has_column_named(&self, relation: RelationId, column: ColumnId, name: &str) -> bool {
        let name = name.to_lowercase();
        self.columns.contains(&(relation, column))
            || self.queries.iter().any(|(relations, text)| relations.contains(&relation) && has_name(text, &name))
    }

    fn add_column(&mut self, relation: Option<RelationId>, column: ColumnId) {
        self.columns.extend(relation.map(|relation| (relation, column)));
    }

    fn visit_expr(&mut self, expr: &Expr, at: Scope) {
        match expr {
            Expr::Column(column) => self.add_column(at.row, *column),
            Expr::OuterColumn(column) => self.add_column(at.outer, *column),
            Expr::Call(call) => call.args.iter().for_each(|arg| self.add_argument(arg)),
            _ => {}
        }
        expr.visit_parts(at, &mut |part, at| self.visit_expr(part, at));
    }

    fn add_argument(&mut self, arg: &Arg) {
        match arg {
            Arg::Relation { relation, .. } => drop(self.whole.insert(*relation)),
            Arg::Column { relation, column, .. } => self.add_column(Some(*relation), *column),
            Arg::Sql(Sql { scope: SqlScope::Relations(relations), text, .. }) => {
                self.queries.push((relations.clone(), text.to_lowercase()));
            }
            Arg::Value(_) | Arg::Each { .. } | Arg::File(_) | Arg::Path(_) | Arg::Sql(_) => {}
        }
    }
}

/// Checks whether a query contains a name, or reads columns that it does not name: all of them, or those that two tables share.
fn has_name(text: &str, name: &str) -> bool {
    // Quotes in a name are doubled in a query.
    if name.contains(['"', '`', ']']) || text.contains("natural") {
        return true;
    }
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let alone = |at: usize| {
        let (before, rest) = text.split_at(at);
        let after = rest.get(name.len()..).unwrap_or_default();
        !before.ends_with(is_part) && !after.starts_with(is_part)
    };
    let all = text.match_indices('*').any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        before.ends_with('.') || before.ends_with("select") || before.ends_with("distinct")
    });
    all || text.match_indices(name).any(|(at, _)| alone(at))
}

#[cfg(test)]
mod tests {
    use super::has_name;

    #[test]
    fn names_in_queries_are_whole_words() {
        assert!(has_name("select max(name) from s", "name"));
        assert!(!has_name("select max(names), nickname from s", "name"));
        assert!(has_name("select s.* from s", "name") && has_name("select * from s", "name"));
        assert!(!has_name("select count(*) from s", "name"));
        assert!(has_name("select count(*) from s natural join t", "name"));
        assert!(has_name("select \"a\"\"b\" from s", "a\"b") && has_name("select \"pay (eur)\" from s", "pay (eur)"));
    }
}
