//! The files from which a value is read.

use std::collections::BTreeSet;

use model::suite::{FileId, NameId, RelationId};

use hir::{Arg, Expr, ExprKind, Rows};

/// Collects the files that `expr` reads, except through the names in `known`.
pub(super) fn collect_read_files(task: &hir::Task, expr: &Expr, known: &BTreeSet<NameId>) -> BTreeSet<FileId> {
    let mut files = BTreeSet::new();
    let mut names = known.clone();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        let mut named = Vec::new();
        // This also visits expressions inside calls, but not the arguments that are files and relations.
        expr.visit_exprs(&mut |part| match &part.kind {
            ExprKind::Name(id) => named.push(*id),
            ExprKind::Call(_, args) => {
                for arg in args {
                    match arg {
                        Arg::File(file) => {
                            files.insert(*file);
                        }
                        Arg::Relation { relation, .. } | Arg::Column { relation, .. } | Arg::Each { relation, .. } => {
                            named.extend(add_relation_files(task, *relation, &mut files));
                        }
                        Arg::Sql(sql) => {
                            files.extend(sql.database);
                            for relation in &sql.analysis.tables {
                                named.extend(add_relation_files(task, *relation, &mut files));
                            }
                        }
                        Arg::Value(_) | Arg::Path(_) => {}
                    }
                }
            }
            _ => {}
        });
        open.extend(named.into_iter().filter(|id| names.insert(*id)).filter_map(|id| task.find_computed(id)));
    }
    files
}

/// Adds the files from which the rows of a relation are read. Returns the name of its query, if it is a result set.
fn add_relation_files(task: &hir::Task, id: RelationId, files: &mut BTreeSet<FileId>) -> Option<NameId> {
    // A table that is not given to the agent is read through the files written from it.
    let made = task.relations.iter().filter(|made| !made.name.starts_with('_'));
    files.extend(
        made.filter(|made| matches!(made.rows, Rows::Taken { from, .. } if from == id)).filter_map(|made| made.file),
    );
    let relation = task.relations.get(id)?;
    match (&relation.file, &relation.rows) {
        (Some(file), _) | (None, Rows::Lines(file)) => {
            files.insert(*file);
            None
        }
        (None, Rows::Query(name)) => Some(*name),
        _ => None,
    }
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
