//! `line "…" from PLACE`: one cell that is read as several columns, and the parts of any `line`.

use model::Span;
use model::format::Holds;
use tables::{Piece, Place, SplitCell};

use super::shape::ShapeBuilder;
use super::styles::Lined;
use crate::context::Checker;
use crate::domains::domain::as_bare_path;
use crate::lakes::LakeChecker;
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

/// Collects the parts of a pattern with their spans; a name that is not a column which is read is reported.
pub(super) fn collect_line_pieces<'a>(
    cx: &mut Checker<'a>,
    line: &'a ast::StringLit,
    found: &mut ShapeBuilder<'a>,
) -> Vec<(Piece, Span)> {
    let mut pieces: Vec<(Piece, Span)> = Vec::new();
    for piece in line.cook() {
        let expr = match piece {
            ast::Cooked::Text(text) => {
                pieces.push((Piece::Text(text), line.span));
                continue;
            }
            ast::Cooked::Placeholder(expr) => expr,
        };
        let name = as_bare_path(expr).and_then(|path| if let [only] = path { Some(only) } else { None });
        let at = name.and_then(|name| found.columns.iter().position(|(column, _)| column.name == name.text));
        let Some((column, at)) = at.and_then(|at| Some((&found.columns.get(at)?.0, at))) else {
            let message = "`line` names columns that are read";
            let said = Diagnostic::new(Code::UNKNOWN_COLUMN, message, expr.span, "not such a column");
            cx.report(said.help("declare it with a domain in the same braces: NAME : int"));
            found.sound = false;
            continue;
        };
        pieces.push((Piece::Column(at, column.reading.ty), expr.span));
    }
    pieces
}

/// Lists the names in the placeholders of a pattern.
pub(super) fn list_names(line: &ast::StringLit) -> impl Iterator<Item = &str> {
    let names = line.cook().into_iter().filter_map(|piece| match piece {
        ast::Cooked::Placeholder(expr) => as_bare_path(expr),
        ast::Cooked::Text(_) => None,
    });
    names.filter_map(|path| if let [only] = path { Some(only.text.as_str()) } else { None })
}

impl<'a> LakeChecker<'_, '_, 'a> {
    /// Checks each `line "…" from PLACE`.
    pub(super) fn check_cell_lines(
        &mut self,
        bodies: &[&'a ast::Body],
        found: &mut ShapeBuilder<'a>,
    ) -> Vec<SplitCell> {
        let mut splits = Vec::new();
        for (index, line) in bodies.iter().flat_map(|body| &body.cell_lines).enumerate() {
            if found.layout.format.holds == Holds::Text {
                let message = "lines of text do not have cells";
                let said = Diagnostic::new(Code::MISPLACED, message, line.place.span, "does not fit");
                self.task.cx.report(said.help("remove it: `line` is the pattern of each line"));
                found.sound = false;
                continue;
            }
            let place = self.find_place(&line.place, &found.layout);
            let pieces = collect_line_pieces(self.task.cx, &line.text, found);
            for (piece, span) in &pieces {
                let Piece::Column(at, _) = piece else { continue };
                let own = found.columns.get(*at).map(|(column, _)| &column.place);
                let label = match own {
                    Some(Place::Part(other)) if *other == index => continue,
                    Some(Place::Part(_)) => "in another `line`, too",
                    _ => "has a place of its own",
                };
                let message = "a column in `line` is a part of its cell, and of no other";
                self.task
                    .cx
                    .report(Diagnostic::new(Code::MISPLACED, message, *span, label).help("remove one of the two"));
                found.sound = false;
            }
            let names: Vec<String> = found.columns.iter().map(|(column, _)| column.name.clone()).collect();
            let built = self.task.cx.build_line(&pieces, &names, line.text.span, Lined::Cell);
            match (place, built) {
                (Some(place), Some(line)) => splits.push(SplitCell { place, line }),
                _ => found.sound = false,
            }
        }
        splits
    }
}
