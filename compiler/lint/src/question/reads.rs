//! The files from which a value is read.

use std::collections::BTreeSet;

use model::suite::{FileId, NameId, RelationId};

use hir::{Arg, Expr, ExprKind, Rows};

/// Collects the files that `expr` reads, except through the names in `known`.
pub(super) fn collect_read_files(task: &hir::Task, expr: &Expr, known: &BTreeSet<NameId>) -> BTreeSet<FileId> {
    let mut reader = Reader { task, files: BTreeSet::new(), names: known.clone() };
    reader.visit_expr(expr);
    reader.files
}

/// Finds the innermost part of `expr` that reads `file`, directly or through a name.
pub(super) fn find_reading_part<'e>(
    task: &hir::Task,
    expr: &'e Expr,
    file: FileId,
    known: &BTreeSet<NameId>,
) -> &'e Expr {
    let reads = |part: &&Expr| collect_read_files(task, part, known).contains(&file);
    let mut parts: Vec<&Expr> = Vec::new();
    match &expr.kind {
        ExprKind::Call(_, args) => {
            parts.extend(args.iter().filter_map(|arg| if let Arg::Value(value) = arg { Some(value) } else { None }));
        }
        _ => expr.visit_children(&mut |child, _| parts.push(child)),
    }
    match parts.into_iter().find(reads) {
        Some(part) => find_reading_part(task, part, file, known),
        None => expr,
    }
}

struct Reader<'a> {
    task: &'a hir::Task,
    files: BTreeSet<FileId>,
    /// Names that are not visited (again).
    names: BTreeSet<NameId>,
}

impl Reader<'_> {
    fn visit_expr(&mut self, expr: &Expr) {
        // `visit_exprs` also visits expressions inside calls, but not the arguments that are files and relations.
        let mut names = Vec::new();
        let mut calls = Vec::new();
        expr.visit_exprs(&mut |part| match &part.kind {
            ExprKind::Name(id) => names.push(*id),
            ExprKind::Call(_, args) => calls.extend(args.iter().cloned()),
            _ => {}
        });
        for arg in &calls {
            match arg {
                Arg::File(file) => {
                    self.files.insert(*file);
                }
                Arg::Relation { relation, .. } | Arg::Column { relation, .. } | Arg::Each { relation, .. } => {
                    self.visit_relation(*relation);
                }
                Arg::Sql(sql) => {
                    self.files.extend(sql.database);
                    sql.analysis.tables.iter().for_each(|relation| self.visit_relation(*relation));
                }
                Arg::Value(_) | Arg::Path(_) => {}
            }
        }
        names.into_iter().for_each(|id| self.visit_name(id));
    }

    fn visit_name(&mut self, id: NameId) {
        let task = self.task;
        if self.names.insert(id) {
            task.find_computed(id).into_iter().for_each(|source| self.visit_expr(source));
        }
    }

    fn visit_relation(&mut self, id: RelationId) {
        let task = self.task;
        let Some(relation) = task.relations.get(id) else { return };
        // A table that is not given to the agent is read through the files written from it.
        for (other, made) in task.relations.iter().filter_map(|made| Some((made.file?, made))) {
            if matches!(made.rows, Rows::Taken { from, .. } if from == id) && !made.name.starts_with('_') {
                self.files.insert(other);
            }
        }
        match (&relation.file, &relation.rows) {
            (Some(file), _) | (None, Rows::Lines(file)) => {
                self.files.insert(*file);
            }
            (None, Rows::Query(name)) => self.visit_name(*name),
            _ => {}
        }
    }
}
