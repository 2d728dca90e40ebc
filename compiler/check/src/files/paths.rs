//! Paths of files that are written from another table. A path with a column describes many files, one for each value.

use std::collections::{BTreeSet, HashSet};

use model::Span;
use model::suite::{ColumnId, FileId, RelationId, Scope};
use tables::{CellType, Line, Piece, Reading};

use crate::context::{Checker, Relations, RowScope, TaskChecker};
use crate::lakes::Lined;
use hir::types::TyKind;
use hir::{Expr, ExprKind};
use syntax::ast::{self, Content};
use syntax::diagnostics::wording::quote_ident;
use syntax::diagnostics::{Code, Diagnostic};

/// Replaces a part of a path that is known only at build.
const UNKNOWN: &str = "\u{fffc}";

impl<'a> TaskChecker<'_, 'a> {
    /// Checks the path of a file, and records whether it contains a column.
    pub(super) fn check_written_path(&mut self, file: FileId, data: &'a ast::Data, relations: &[RelationId]) -> Expr {
        let taken = relations.first().copied().filter(|id| self.scope.relations.declared[*id].taken.is_some());
        let Some(relation) = taken else {
            if matches!(data.content, Content::Taken(_)) {
                // The columns that it could use are unknown.
                return Expr::unknown(data.path.span);
            }
            return self.check_file_path(&data.path);
        };
        let here = RowScope::with_declared_row(relation);
        let path = self.check_within(here, |this| this.check_file_path(&data.path));
        let named = collect_row_columns(&path, relation);
        self.scope.relations.files[file].split = !named.is_empty();
        path
    }
}

impl<'a> Relations<'a> {
    /// Proves that a reader of many files can read the columns in their paths. `in_file` are the columns whose cells are unchanged in the files themselves.
    pub(super) fn prove_path_columns(
        &self,
        cx: &mut Checker<'a>,
        file: FileId,
        relation: RelationId,
        in_file: &BTreeSet<ColumnId>,
    ) {
        let decl = &self.files[file];
        let Some(path) = decl.path.clone().filter(|path| decl.split && !path.is_broken()) else { return };
        let mut known = true;
        for (column, span) in collect_row_columns(&path, relation) {
            known &= in_file.contains(&column) || self.is_read_back(cx, relation, column, &path, span);
        }
        if known {
            self.reject_inseparable_parts(cx, relation, &path, in_file);
        }
    }

    /// Checks that a reader can determine the cells of a column from the path. Reports it if not.
    fn is_read_back(
        &self,
        cx: &mut Checker<'a>,
        relation: RelationId,
        column: ColumnId,
        path: &Expr,
        span: Span,
    ) -> bool {
        let pieces = path.as_pieces();
        if pieces.iter().any(|piece| piece.as_column_id() == Some(column)) {
            return true;
        }
        let piece =
            pieces.iter().find(|piece| collect_row_columns(piece, relation).iter().any(|(own, _)| *own == column));
        let Some(piece) = piece else { return true };
        if self.is_one_to_one(cx, relation, column, piece) {
            return true;
        }
        let decl = &self.checked[relation];
        let name = quote_ident(&decl.columns[column].name);
        let label = format!("`{}` does not tell it", cx.sources.quote_bare(piece.span));
        let message = format!("path column `{}` cannot be read back", decl.columns[column].name);
        let said = Diagnostic::new(Code::BAD_STYLE, message, span, label);
        cx.report(match self.declared[relation].format.is_some_and(ast::Format::is_cells) {
            true => said.help(format!("write it in the file too: {name} = {name}")),
            false => said.help("name a column with its cells in the line too"),
        });
        false
    }

    /// Checks that the columns that are only in the path can be separated there. Reports it if not. Parts that are in the file too are known.
    fn reject_inseparable_parts(
        &self,
        cx: &mut Checker<'a>,
        relation: RelationId,
        path: &Expr,
        in_file: &BTreeSet<ColumnId>,
    ) {
        let all = path.as_pieces();
        let is_open = |at: usize, piece: &Expr| {
            let columns = collect_row_columns(piece, relation);
            !columns.iter().all(|(column, _)| in_file.contains(column))
                && !all.iter().take(at).any(|earlier| earlier.without_spans() == piece.without_spans())
        };
        let open: Vec<bool> = all.iter().enumerate().map(|(at, piece)| is_open(at, piece)).collect();
        if open.iter().filter(|open| **open).count() < 2 {
            return;
        }
        let mut pieces: Vec<(Piece, Span)> = Vec::new();
        for (at, (piece, open)) in all.iter().zip(&open).enumerate() {
            let read = match &piece.kind {
                _ if *open => Piece::Column(at, piece.ty.cell_type().unwrap_or(CellType::Text)),
                ExprKind::Const(value) => Piece::Text(value.render_text().into_owned()),
                // Its value is known only at build.
                _ => Piece::Text(UNKNOWN.to_owned()),
            };
            pieces.push((read, piece.span));
        }
        let names: Vec<String> = all.iter().map(|piece| cx.sources.quote_bare(piece.span)).collect();
        if let Some(line) = cx.build_line(&pieces, &names, path.span, Lined::Path) {
            self.reject_second_reading(cx, relation, path, &pieces, &line);
        }
    }

    /// Checks that paths made from known values have only one reading. Reports it if not.
    fn reject_second_reading(
        &self,
        cx: &mut Checker<'a>,
        relation: RelationId,
        path: &Expr,
        pieces: &[(Piece, Span)],
        line: &Line,
    ) {
        let all = path.as_pieces();
        let mut known: Vec<Vec<String>> = Vec::new();
        let mut readings: Vec<Reading> = Vec::new();
        for ((piece, _), expr) in pieces.iter().zip(all) {
            let (texts, ty) = match piece {
                Piece::Text(text) => (vec![text.clone()], CellType::Text),
                Piece::Column(_, ty) => (self.list_piece_texts(cx, relation, expr), *ty),
            };
            if texts.is_empty() {
                return;
            }
            known.push(texts);
            readings.push(Reading::from_type(ty));
        }
        // Only one part varies at a time, which keeps the number of paths small.
        for (varied, texts) in known.iter().enumerate() {
            for text in texts {
                let made: Vec<&str> = known
                    .iter()
                    .enumerate()
                    .filter_map(|(at, texts)| if at == varied { Some(text) } else { texts.first() })
                    .map(String::as_str)
                    .collect();
                let path_of_it = made.concat();
                let read = line.read_surely(&path_of_it, |column| readings.get(column));
                let is_read = |cells: &Vec<(usize, &str)>| cells.iter().all(|(at, cell)| made.get(*at) == Some(cell));
                if matches!(&read, Ok(Some(cells)) if is_read(cells)) {
                    continue;
                }
                let columns = pieces.iter().enumerate().filter(|(_, (piece, _))| matches!(piece, Piece::Column(..)));
                let columns: Vec<(usize, Span)> = columns.map(|(at, (_, span))| (at, *span)).collect();
                let next = columns.iter().position(|(at, _)| *at > varied).unwrap_or(columns.len()).max(1);
                let next = next.min(columns.len() - 1);
                let (Some((first_at, from)), Some((second, to))) = (columns.get(next - 1), columns.get(next)) else {
                    return;
                };
                let (first, second) =
                    (cx.sources.quote_bare(all[*first_at].span), cx.sources.quote_bare(all[*second].span));
                let message = format!("`{first}` and `{second}` cannot be told apart in the path");
                let example = path_of_it.replace(UNKNOWN, "…");
                let label = format!("`{example}` has two readings");
                let columns = all.get(*first_at).map(|piece| collect_row_columns(piece, relation)).unwrap_or_default();
                let name =
                    columns.first().map(|(column, _)| quote_ident(&self.checked[relation].columns[*column].name));
                let name = name.unwrap_or_default();
                let help = format!(
                    "separate them with a text that no value has, or write one in the file too: {name} = {name}"
                );
                let said = Diagnostic::new(Code::BAD_STYLE, message, from.extend_to(*to), label).help(help);
                cx.report(said);
                return;
            }
        }
    }

    /// Lists values that a part of a path can have, rendered as in the path. Empty if none is known.
    fn list_piece_texts(&self, cx: &Checker<'a>, relation: RelationId, piece: &Expr) -> Vec<String> {
        let values = match collect_row_columns(piece, relation).as_slice() {
            [(column, _)] => {
                let values = self.sample_column_values(cx, relation, *column);
                match piece.as_column_id() {
                    Some(_) => values,
                    None => self.evaluate_over_values(cx, (relation, *column), values, piece).unwrap_or_default(),
                }
            }
            _ => Vec::new(),
        };
        values.iter().map(|value| value.render_text().into_owned()).collect()
    }

    /// Checks that the text above or below the rows of one of many files is the same whichever row it is computed from: the path must determine
    /// the columns in it. Reports it if not.
    pub(super) fn reject_text_of_other_rows(
        &self,
        cx: &mut Checker<'a>,
        file: FileId,
        relation: RelationId,
        text: &Expr,
        word: &str,
    ) {
        let Some(path) = self.files[file].path.as_ref().filter(|path| !path.is_broken()) else { return };
        let in_path = path.as_pieces();
        let tells = |piece: &Expr, column: ColumnId| {
            let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Column(own) if own == column);
            let names_it = |own: &&Expr| collect_row_columns(own, relation).iter().any(|(named, _)| *named == column);
            let same = |own: &Expr| own.without_spans() == piece.without_spans();
            // A text that is not drawn from a list counts as determined by any part with its column, such as its lowercase letters.
            let open = || {
                matches!(self.checked[relation].columns[column].ty.kind, TyKind::Text)
                    && self.list_closed_column_values(cx, relation, column).is_none()
            };
            in_path.iter().any(|own| is_it(own) || same(own))
                || in_path.iter().filter(names_it).any(|own| open() || self.is_one_to_one(cx, relation, column, own))
        };
        let untold = text.as_pieces().iter().find_map(|piece| {
            collect_row_columns(piece, relation).into_iter().find(|(column, _)| !tells(piece, *column))
        });
        let Some((column, span)) = untold else { return };
        let names_it = |piece: &&Expr| collect_row_columns(piece, relation).iter().any(|(named, _)| *named == column);
        let own = in_path.iter().find(names_it);
        let name = self.checked[relation].columns[column].name.clone();
        let (message, help) = match own {
            None => (
                format!("`{word}` names `{name}`, but the path does not"),
                format!("name `{name}` in the path, or write it in a column"),
            ),
            Some(own) => {
                let shown = cx.sources.quote_bare(own.span);
                (
                    format!("`{word}` names `{name}`, but the path has only `{shown}`"),
                    format!("write `{shown}` here too, or name `{name}` in the path"),
                )
            }
        };
        let at = self.files[file].ast.path.span;
        let said = Diagnostic::new(Code::BAD_STYLE, message, span, "can differ between the rows of a file");
        cx.report(said.label(at, "one file for each of its values").help(help));
    }

    /// Checks whether an expression has a different value for every value of a column that is drawn from a list.
    fn is_one_to_one(&self, cx: &Checker<'a>, relation: RelationId, column: ColumnId, piece: &Expr) -> bool {
        let Some(values) = self.list_closed_column_values(cx, relation, column) else { return false };
        let count = values.len();
        let Some(paths) = self.evaluate_over_values(cx, (relation, column), values, piece) else { return false };
        let differ: HashSet<String> = paths.iter().map(|path| path.render_text().to_lowercase()).collect();
        differ.len() == count
    }
}

/// Collects the columns of a row that an expression uses, each once, with the span of its first use.
pub(crate) fn collect_row_columns(expr: &Expr, relation: RelationId) -> Vec<(ColumnId, Span)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    expr.visit_with_scope(Scope::with_row(relation), &mut |part, scope| {
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
