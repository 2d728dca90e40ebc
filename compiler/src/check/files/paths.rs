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
use crate::types::TyKind;

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
        let pieces = pieces_of(path);
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
        let label = format!("`{}` does not tell it", self.shown_piece(piece));
        let said = Diagnostic::new(
            Code::BAD_STYLE,
            format!("path column `{}` cannot be read back", decl.columns[column].name),
            span,
            label,
        );
        self.cx.say(said.help(format!("write it in the file too: {name} = {name}")));
    }

    /// Whether what is written above or below the rows of each of many files is the same whichever row it is taken from: what it names of a row, the path tells.
    /// Says so if not.
    pub(super) fn is_of_the_path(&mut self, file: FileId, relation: RelationId, text: &Expr, word: &str) {
        let Some(path) = self.files[file].path.as_ref().filter(|path| !path.is_broken()) else { return };
        let in_path = pieces_of(path);
        let tells = |piece: &Expr, column: ColumnId| {
            let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Column(own) if own == column);
            let names_it = |own: &&Expr| columns_of_row(own, relation).iter().any(|(named, _)| *named == column);
            let same = |own: &Expr| own.bare() == piece.bare();
            // Of texts that are not a list, nobody knows: their small letters, say, are as good as they are.
            let open = || {
                matches!(self.relations[relation].columns[column].ty.kind, TyKind::Text)
                    && self.closed_column(relation, column).is_none()
            };
            in_path.iter().any(|own| is_it(own) || same(own))
                || in_path.iter().filter(names_it).any(|own| open() || self.is_one_to_one(relation, column, own))
        };
        let untold = pieces_of(text)
            .iter()
            .find_map(|piece| columns_of_row(piece, relation).into_iter().find(|(column, _)| !tells(piece, *column)));
        let Some((column, span)) = untold else { return };
        let names_it = |piece: &&Expr| columns_of_row(piece, relation).iter().any(|(named, _)| *named == column);
        let own = in_path.iter().find(names_it);
        let name = self.relations[relation].columns[column].name.clone();
        let (message, help) = match own {
            None => (
                format!("`{word}` names `{name}`, but the path does not"),
                format!("name `{name}` in the path, or write it in a column"),
            ),
            Some(own) => {
                let shown = self.shown_piece(own);
                (
                    format!("`{word}` names `{name}`, but the path has only `{shown}`"),
                    format!("write `{shown}` here too, or name `{name}` in the path"),
                )
            }
        };
        let at = self.files[file].ast.path.span;
        let said = Diagnostic::new(Code::BAD_STYLE, message, span, "can differ between the rows of a file");
        self.cx.say(said.label(at, "one file for each of its values").help(help));
    }

    /// A part of a path or text, as it is written.
    fn shown_piece(&self, piece: &Expr) -> &str {
        let shown = self.cx.sources.text(piece.span);
        shown.strip_prefix("<<").and_then(|inner| inner.strip_suffix(">>")).unwrap_or(shown).trim()
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

/// The parts of a path or text.
fn pieces_of(text: &Expr) -> &[Expr] {
    match &text.kind {
        ExprKind::Concat(pieces) => pieces,
        _ => std::slice::from_ref(text),
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
