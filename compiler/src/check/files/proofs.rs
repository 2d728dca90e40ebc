//! What is proved of a form in which a table is written: that whoever knows the form can read the table back.

use plan::Value;
use plan::Span;
use plan::suite::{ColumnId, FileId, Form, RelationId, Style};
use tabular::{CellType, Dropped, Line, PatternError, PatternErrorKind, Piece};

use super::written::{Seen, cell_type};
use crate::check::model::TaskChecker;
use crate::check::say::spell;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::facts::Fact;
use crate::hir::{self, Checked, ColumnSource, DrawDomain, Expr, ExprKind};

/// The most columns that are followed from one to the next.
const FARTHEST: usize = 64;

impl TaskChecker<'_, '_> {
    /// The column whose values another has: of the table that its rows are taken from, or that it refers to.
    pub(in crate::check) fn origin_of(&self, mut relation: RelationId, mut column: ColumnId) -> (RelationId, ColumnId) {
        for _ in 0..FARTHEST {
            let source = self.relations.get(relation).and_then(|decl| decl.columns.get(column)).map(|own| &own.source);
            (relation, column) = match source {
                Some(ColumnSource::Taken(of)) => match self.declared[relation].taken {
                    Some(from) => (from, *of),
                    None => break,
                },
                Some(ColumnSource::Compute(Expr { kind: ExprKind::Column(of), .. })) => (relation, *of),
                Some(ColumnSource::Draw { draw, .. }) => match &draw.domain {
                    DrawDomain::Ref { relation, column, .. } => (*relation, *column),
                    _ => break,
                },
                _ => break,
            };
        }
        (relation, column)
    }

    /// All values that a column can have besides null, where they are a list that is known.
    pub(super) fn closed_column(&self, relation: RelationId, column: ColumnId) -> Option<Vec<Value>> {
        let (relation, column) = self.origin_of(relation, column);
        let source = &self.relations.get(relation)?.columns.get(column)?.source;
        let fact = match source {
            ColumnSource::Draw { draw, .. } => match &draw.domain {
                DrawDomain::Fixed(domain) => Fact::of_domain(domain).closed,
                _ => None,
            },
            ColumnSource::Given(given) => given.seen.fact(&given.cells.values).closed.clone(),
            _ => None,
        };
        fact.map(|values| values.iter().cloned().collect())
    }

    /// Says why nothing can be written by a pattern.
    pub(super) fn say_unwritable(&mut self, error: &PatternError, source: &str, text: Span, column: &hir::Column) {
        let name = &column.name;
        let mut said = match &error.kind {
            PatternErrorKind::Drops(Dropped::Decimals { needed }) => {
                let places = match column.ty.kind {
                    crate::types::TyKind::Decimal(Some(places)) => places,
                    _ => *needed,
                };
                let unit = if places == 1 { "place" } else { "places" };
                Diagnostic::new(
                    Code::BAD_STYLE,
                    format!("`\"{source}\"` drops the decimals of `{name}`"),
                    text,
                    format!("`{name}` has {places} {unit}"),
                )
            }
            PatternErrorKind::Drops(what) => {
                let (what, add) = match what {
                    Dropped::Year => ("year", "yyyy"),
                    Dropped::Month => ("month", "MM"),
                    Dropped::Day => ("day", "dd"),
                    _ => ("time", "HH:mm:ss"),
                };
                let message = format!("`\"{source}\"` drops the {what} of `{name}`");
                Diagnostic::new(Code::BAD_STYLE, message, text, "incomplete")
                    .help(format!("add `{add}` to the pattern"))
            }
            PatternErrorKind::OfFloat => Diagnostic::new(
                Code::BAD_STYLE,
                format!("`written` needs fixed places, but `{name}` is a float"),
                text,
                "of a float",
            )
            .help(format!("round({}, 2) has two places", spell(name))),
            _ => Diagnostic::new(Code::BAD_STYLE, format!("`{source}` can only be read"), text, "cannot be written")
                .help("write year, month, and day"),
        };
        said = said.label(column.span, "declared here");
        if let Some(instead) = &error.instead {
            said = said.help(format!("write: written \"{instead}\""));
            let all = self.cx.sources.inside(text, source, (0, source.len()));
            if let Some(all) = all.filter(|_| !instead.contains(['"', '\\', '<'])) {
                said = said.fix(format!("replace with `{instead}`"), Applicability::Safe, all, instead.clone());
            }
        }
        self.cx.say(said);
    }

    /// Whether the styles of a column fit together and its values; says so if not.
    pub(super) fn proved_styles(&mut self, relation: RelationId, column: ColumnId, seen: &[Seen<'_>]) -> bool {
        let own = &self.relations[relation].columns[column];
        let missing = seen.iter().find(|seen| matches!(seen.style, Style::Missing(_)));
        if let Some(missing) = missing
            && !own.ty.nullable
            && !own.ty.is_unknown()
        {
            let message = format!("`missing` needs nulls, but `{}` is never null", own.name);
            let said = Diagnostic::new(Code::BAD_STYLE, message, missing.ast.span, "writes nulls");
            let said = said.label(own.span, "declared here");
            self.cx.say(said.help("remove `missing`, or let the column be null: blank 5%"));
            return false;
        }
        true
    }

    /// Proves what can be proved of a form as a whole.
    pub(super) fn proved_form(&mut self, _file: FileId, _form: &Form<Checked>, _relation: RelationId) {}

    /// Whether the cells of a line can be told from each other; says so if not.
    pub(super) fn proved_line(&mut self, _form: &Form<Checked>, relation: RelationId, line: &Expr, span: Span) {
        if line.is_broken() {
            return;
        }
        let parts = match &line.kind {
            ExprKind::Concat(parts) => parts.as_slice(),
            _ => std::slice::from_ref(line),
        };
        let mut pieces: Vec<(Piece, Span)> = Vec::new();
        for part in parts {
            let piece = match &part.kind {
                ExprKind::Const(value) => Piece::Text(value.render().into_owned()),
                ExprKind::Column(column) => {
                    let own = &self.relations[relation].columns[*column];
                    Piece::Column(usize::from(*column), cell_type(&own.ty).unwrap_or(CellType::Text))
                }
                _ => {
                    let said = Diagnostic::new(
                        Code::BAD_STYLE,
                        "only columns of a line can be read back",
                        part.span,
                        "computed here",
                    );
                    self.cx.say(said.help("compute it in a column, and name that in the line: <<NAME>>"));
                    return;
                }
            };
            pieces.push((piece, part.span));
        }
        let read: Vec<Piece> = pieces.iter().map(|(piece, _)| piece.clone()).collect();
        if let Err(error) = Line::new(&read) {
            let names: Vec<String> = self.relations[relation].columns.iter().map(|own| own.name.clone()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.say_line(error, &pieces, &names, span);
        }
    }
}
