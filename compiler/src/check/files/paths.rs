//! Where a file is written that takes its rows from another table. A path that names a column is that of many files, one for each value.

use std::collections::{BTreeSet, HashSet};

use plan::Span;
use plan::compute::Known;
use plan::suite::{ColumnId, FileId, RelationId, Scope};

use crate::ast::{self, Content};
use crate::check::model::{Here, TaskChecker};
use crate::check::say::spell;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{ColumnSource, Expr, ExprKind};
use crate::lower;

impl<'a> TaskChecker<'_, 'a> {
    /// The path of a file; whether it is many is noted.
    pub(super) fn written_path(&mut self, file: FileId, data: &'a ast::Data, relations: &[RelationId]) -> Expr {
        let taken = relations.first().copied().filter(|id| self.declared[*id].taken.is_some());
        let Some(relation) = taken else {
            if matches!(data.content, Content::Taken(_)) {
                // What it could name is not known.
                return Expr::unknown(data.path.span);
            }
            return self.file_path(&data.path);
        };
        self.here = Here::inside(relation);
        let path = self.file_path(&data.path);
        self.here = Here::default();
        let named = columns_of_row(&path, relation);
        self.files[file].split = !named.is_empty();
        if !path.is_broken() {
            for (column, span) in named {
                self.is_read_back(relation, column, &path, span);
            }
        }
        path
    }

    /// Whether the cells of a column that a path names are known to who reads the files; says so if not.
    fn is_read_back(&mut self, relation: RelationId, column: ColumnId, path: &Expr, span: Span) {
        let pieces = match &path.kind {
            ExprKind::Concat(pieces) => pieces.as_slice(),
            _ => std::slice::from_ref(path),
        };
        let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Column(own) if own == column);
        if pieces.iter().any(is_it) {
            return;
        }
        let decl = &self.relations[relation];
        let mut own = decl.own_columns().filter(|(_, own)| !own.helper);
        if own.any(|(_, own)| matches!(&own.source, ColumnSource::Compute(value) if is_it(value))) {
            return;
        }
        let piece = pieces.iter().find(|piece| columns_of_row(piece, relation).iter().any(|(own, _)| *own == column));
        let Some(piece) = piece else { return };
        if self.is_one_to_one(relation, column, piece) {
            return;
        }
        let name = spell(&decl.columns[column].name);
        let shown = self.cx.sources.text(piece.span);
        let shown = shown.strip_prefix("<<").and_then(|inner| inner.strip_suffix(">>")).unwrap_or(shown);
        let label = format!("`{}` does not tell it", shown.trim());
        let said = Diagnostic::new(
            Code::BAD_STYLE,
            format!("path column `{}` cannot be read back", decl.columns[column].name),
            span,
            label,
        );
        self.cx.say(said.help(format!("write it in the file too: {name} = {name}")));
    }

    /// Whether every value of a column that is drawn from a list gives another value of an expression.
    fn is_one_to_one(&self, relation: RelationId, column: ColumnId, piece: &Expr) -> bool {
        if columns_of_row(piece, relation).iter().any(|(other, _)| *other != column) {
            return false;
        }
        let mut of_task = false;
        piece.each(&mut |part| {
            of_task |= matches!(part.kind, ExprKind::Name(_) | ExprKind::FilePath(_)) || part.sql().is_some();
        });
        let Some(values) = self.closed_column(relation, column).filter(|_| !of_task) else { return false };
        let decl = &self.relations[relation];
        let mut rows = self.cx.host.compute().table(decl.columns.len(), values.len());
        let count = values.len();
        rows.know(column, &Known { value_type: decl.columns[column].ty.stored(), values: values.into() });
        let Ok(paths) = rows.compute(&lower::expr(piece)) else { return false };
        let differ: HashSet<String> = paths.iter().map(|path| path.render().to_lowercase()).collect();
        differ.len() == count
    }
}

/// The columns of a row that an expression names, each once, with the first place.
pub(in crate::check) fn columns_of_row(expr: &Expr, relation: RelationId) -> Vec<(ColumnId, Span)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    expr.each_at(Scope::at(relation), &mut |part, scope| {
        let column = match part.kind {
            ExprKind::Column(column) if scope.row == Some(relation) => column,
            ExprKind::OuterColumn(column) if scope.outer == Some(relation) => column,
            _ => return,
        };
        if seen.insert(column) {
            found.push((column, part.span));
        }
    });
    found
}
