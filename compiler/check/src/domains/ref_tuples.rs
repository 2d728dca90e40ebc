//! `a, b : ref rel.(A, B)`: several cells of one row.

use model::suite::{ColumnId, Constraint, ConstraintKind, RelationId};

use crate::context::{Checker, ColumnDecl, Relations};
use crate::domains::DrawChecker;
use hir::types::Ty;
use hir::{ColumnSource, Draw, DrawDomain};
use syntax::ast::{self, Format, Modifier, SuffixKind};
use syntax::diagnostics::wording::{format_count, quote_ident};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> DrawChecker<'_, '_, 'a> {
    /// Completes the draw of `ref REL.(…)`, given the draw of its first column.
    pub fn check_ref_tuple(&mut self, mut draw: Draw, tuple: &'a [ast::Ident]) -> Draw {
        let DrawDomain::Ref { relation, together, .. } = &mut draw.domain else { return draw };
        if tuple.is_empty() {
            return draw;
        }
        let mut columns: Vec<ColumnId> = Vec::new();
        for (index, name) in tuple.iter().enumerate() {
            if let Some(first) = tuple.iter().take(index).find(|first| first.text == name.text) {
                let message = format!("column `{}` appears twice", name.text);
                let said = Diagnostic::new(Code::DUPLICATE, message, name.span, "again");
                self.task.cx.report(said.label(first.span, "first here").help("name each column once"));
                return Draw::new_unknown(draw.span);
            }
            let Some(column) = self.task.resolve_column(*relation, name) else { return Draw::new_unknown(draw.span) };
            self.task.note_column_read(*relation, column, name.span);
            columns.push(column);
        }
        *together = columns;
        draw
    }

    /// Completes the columns that are drawn from the same row as `column`: nothing may be generated between them.
    pub fn ensure_together(&mut self, relation: RelationId, column: ColumnId) {
        let Some(decl) = self.task.scope.relations.checked.get(relation) else { return };
        let Some(own) = decl.columns.get(column) else { return };
        if !matches!(&own.source, ColumnSource::Draw { draw, .. } if draw.is_together()) {
            return;
        }
        let declared = &self.task.scope.relations.declared[relation].columns;
        let Some(ast) = declared[column].ast.as_column() else { return };
        let same = |other: &ColumnDecl<'_>| other.ast.as_column().is_some_and(|other| std::ptr::eq(other, ast));
        let others = declared.iter_enumerated().filter(|(id, other)| *id != column && same(other));
        let others: Vec<ColumnId> = others.map(|(id, _)| id).collect();
        for other in others {
            self.task.ensure_column(relation, other, None);
        }
    }
}

impl<'a> Relations<'a> {
    /// Selects the column of the row for the name or column at `place` of `count`.
    pub fn pick_tuple_column(
        &self,
        cx: &mut Checker<'a>,
        mut draw: Draw,
        domain: &ast::Domain,
        place: usize,
        count: usize,
    ) -> Draw {
        let (span, blank) = (draw.span, draw.may_be_blank());
        let DrawDomain::Ref { relation, column, together, .. } = &mut draw.domain else { return draw };
        if together.is_empty() {
            return draw;
        }
        // Reported once for the whole statement.
        let first = place == 0;
        if together.len() != count {
            if first {
                let (has, names) = (format_count(together.len() as u32, "column"), format_count(count as u32, "name"));
                let message = format!("{has} of a row cannot fill {names}");
                let said = Diagnostic::new(Code::BAD_REF, message, span, "different number");
                cx.report(said.help("write a name for each column: a, b : ref rel.(A, B)"));
            }
            return Draw::new_unknown(span);
        }
        *column = together.get(place).copied().unwrap_or(*column);
        let (relation, column) = (*relation, *column);
        let found = self.checked.get(relation).and_then(|decl| decl.columns.get(column));
        let ty = found.map_or(Ty::UNKNOWN, |found| found.ty.clone());
        draw.ty = Ty { nullable: false, ..ty }.with_null_if(blank);
        let modifier = domain.modifiers.iter().find(|(modifier, _)| *modifier != Modifier::Unique);
        let except = domain.suffixes.iter().find(|suffix| suffix.kind == SuffixKind::Except);
        let misplaced = match (modifier, except) {
            (Some((Modifier::Distinct, span)), _) => {
                Some(("distinct", *span, "remove it: the columns of a row differ as they do there"))
            }
            (Some((_, span)), _) => Some(("sorted", *span, "remove it: it would mix values of different rows")),
            (None, Some(suffix)) => Some(("except", suffix.span, "choose the rows with `where`")),
            (None, None) => None,
        };
        if let Some((word, span, help)) = misplaced {
            if first {
                let said = format!("`{word}` does not work with several columns of a row");
                cx.report(Diagnostic::new(Code::MISPLACED, said, span, "not here").help(help));
            }
            return Draw::new_unknown(span);
        }
        draw
    }

    /// Infers constraints from columns that are drawn from one row: `unique` applies to all of them, and in one database they are a foreign key.
    pub fn infer_tuple_constraints(&self, cx: &mut Checker<'a>, id: RelationId) -> Vec<Constraint> {
        let mut found = Vec::new();
        let Some(decl) = self.checked.get(id) else { return found };
        for (first, column) in decl.columns.iter_enumerated() {
            let ColumnSource::Draw { draw, group, place: 0, .. } = &column.source else { continue };
            let DrawDomain::Ref { relation, together, .. } = &draw.domain else { continue };
            if together.is_empty() {
                continue;
            }
            let is_own = |other: &hir::Column| matches!(&other.source, ColumnSource::Draw { draw, group: own, .. } if own == group && draw.is_together());
            let own = decl.columns.iter_enumerated().filter(|(_, other)| is_own(other));
            let own: Vec<ColumnId> = own.map(|(id, _)| id).collect();
            let helper = |id: &ColumnId, decl: &hir::Relation| {
                decl.columns.get(*id).is_none_or(|column| column.name.starts_with('_'))
            };
            if own.len() != together.len() || own.first() != Some(&first) || own.iter().any(|id| helper(id, decl)) {
                continue;
            }
            if draw.unique {
                found.push(Constraint { kind: ConstraintKind::Unique, columns: own.clone(), span: draw.span });
            }
            let Some(parent) = self.checked.get(*relation) else { continue };
            let one_database = self.declared[id].format == Some(Format::Sqlite) && decl.file == parent.file;
            if !one_database || together.iter().any(|id| helper(id, parent)) {
                continue;
            }
            let single = matches!(together.as_slice(), [only] if parent.columns.get(*only).is_some_and(|column| hir::is_unique(&column.source)));
            if single
                || parent.constraints.iter().any(|constraint| constraint.is_unique() && constraint.is_over(together))
            {
                let kind = ConstraintKind::References { relation: *relation, columns: together.clone() };
                found.push(Constraint { kind, columns: own, span: draw.span });
                continue;
            }
            let names =
                together.iter().filter_map(|id| parent.columns.get(*id)).map(|column| quote_ident(&column.name));
            let names = names.collect::<Vec<_>>().join(", ");
            let table = &parent.table;
            let message = format!("a foreign key needs unique columns, but `({names})` of `{table}` can repeat");
            let new = Diagnostic::new(Code::BAD_REF, message, draw.span, "can match several rows");
            cx.report(new.label(parent.span, "can repeat").help(format!("write in `{table}`: unique ({names})")));
        }
        found
    }
}
