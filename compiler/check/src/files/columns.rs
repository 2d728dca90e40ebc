//! Columns: their types, the sources of their values, and foreign keys.

use model::Span;
use model::suite::{ColumnId, RelationId};

use crate::context::{Checker, ColumnAst, RelationDecl, Relations, RowScope, State, TaskChecker, Unit};
use crate::domains::DrawChecker;
use hir::types::Ty;
use hir::{ColumnSource, DrawDomain, Expr};
use syntax::ast::{self, ColumnKind, Format, Modifier};
use syntax::diagnostics::{Code, Diagnostic};

impl TaskChecker<'_, '_> {
    /// Checks a column's declaration.
    pub fn ensure_column(&mut self, relation: RelationId, column: ColumnId, asked: Option<Span>) {
        // A request from outside the relation checks the whole relation.
        let is_todo = |decl: &RelationDecl<'_>| decl.columns[column].state == State::Todo;
        let decl = &self.scope.relations.declared[relation];
        if decl.state == State::Todo && is_todo(decl) {
            self.ensure_relation(relation, asked);
            let decl = &self.scope.relations.declared[relation];
            if decl.cells.is_none() || !is_todo(decl) {
                return;
            }
        }
        let Some(around) = self.start_unit(Unit::Column(relation, column), asked) else { return };
        let decl = &self.scope.relations.declared[relation].columns[column];
        let (ast, group, place, of) = (decl.ast.clone(), decl.group, decl.place, decl.of);
        let taken = self.scope.relations.declared[relation].taken;
        let here = if taken.is_some() { RowScope::with_declared_row(relation) } else { RowScope::with_row(relation) };
        self.scope.here = here;
        let mut references = None;
        let (mut ty, mut source) = match ast {
            ColumnAst::Column(ast::Column { kind: ColumnKind::Draw(domain), .. }) | ColumnAst::Element(domain) => {
                let draw = DrawChecker::new(self).draw_column(domain, relation, place as usize, of as usize);
                references = self.scope.relations.infer_foreign_key(self.cx, relation, &draw);
                let distinct = domain.has_modifier(Modifier::Distinct);
                let of = if distinct { of } else { 1 };
                let (group, place) = if distinct || draw.is_together() { (group, place) } else { ("", 0) };
                let own = &self.scope.relations.checked[relation].columns[column].name;
                let group = if group.is_empty() { own.clone() } else { group.to_owned() };
                (draw.ty.clone(), ColumnSource::Draw { draw, group, place, of })
            }
            ColumnAst::Column(ast::Column { kind: ColumnKind::Compute(value), .. }) => {
                let value = self.check_expr(value);
                let in_tree = self.scope.relations.is_tree_relation(relation);
                if !in_tree && !value.ty.is_scalar() {
                    let message = "a cell needs a single value";
                    let label = format!("this is {}", value.ty);
                    let said = Diagnostic::new(Code::TYPE_MISMATCH, message, value.span, label);
                    self.cx.report(said.help("join it into a text: join(list, \", \")"));
                }
                (value.ty.clone(), ColumnSource::Compute(value))
            }
            ColumnAst::Given(ty, given) => (ty, ColumnSource::Given(given)),
            ColumnAst::Cells => {
                let (ty, given) = self.scope.relations.read_cells(self.cx, relation, column);
                (ty, ColumnSource::Given(given))
            }
            ColumnAst::Result(ty, position) => (ty, ColumnSource::Result(position)),
            ColumnAst::Taken(of) => {
                let ty = match taken {
                    Some(from) => {
                        self.ensure_column(from, of, asked);
                        let ty = self.scope.relations.checked[from].columns[of].ty.clone();
                        let nullable = ty.nullable && !self.scope.relations.declared[relation].certain.contains(&of);
                        Ty { nullable, ..ty }
                    }
                    None => Ty::UNKNOWN,
                };
                (ty, ColumnSource::Taken(of))
            }
            ColumnAst::Same(of) => {
                let span = self.scope.relations.checked[relation].columns[column].span;
                let same = self.resolve_row_column(relation, of, span);
                (same.ty.clone(), ColumnSource::Compute(same))
            }
        };
        self.scope.here = around;
        if !self.end_unit() {
            let at = self.scope.relations.checked[relation].columns[column].span;
            (ty, source) = (Ty::UNKNOWN, ColumnSource::Compute(Expr::unknown(at)));
        }
        let id = relation;
        let relation = &mut self.scope.relations.checked[relation];
        relation.order.push(column);
        let made = &mut relation.columns[column];
        (made.ty, made.source, made.references) = (ty, source, references);
        self.scope.relations.declared[id].columns[column].state = State::Done;
        DrawChecker::new(self).ensure_together(id, column);
    }
}

impl<'a> Relations<'a> {
    /// Infers a foreign key: a `ref` without a condition to a unique column of the same database.
    fn infer_foreign_key(
        &self,
        cx: &mut Checker<'a>,
        relation: RelationId,
        draw: &hir::Draw,
    ) -> Option<(RelationId, ColumnId)> {
        let DrawDomain::Ref { relation: target, column, together, filter: _ } = &draw.domain else { return None };
        if !together.is_empty() {
            return None;
        }
        let file = self.checked[relation].file?;
        let decl = &self.checked[*target];
        let sqlite = self.files[file].format == Format::Sqlite;
        if self.declared[*target].columns[*column].state != State::Done {
            return None;
        }
        let unique = hir::is_unique(&decl.columns[*column].source)
            || decl.constraints.iter().any(|constraint| constraint.is_unique() && constraint.columns == [*column]);
        let parent = &decl.columns[*column];
        if !sqlite || decl.file != Some(file) || parent.helper {
            return None;
        }
        if !unique {
            let (name, declared, table) = (parent.name.clone(), parent.span, decl.table.clone());
            let key = decl.columns.iter().find(|column| hir::is_unique(&column.source));
            let help = match key {
                Some(key) => format!("refer to `{table}.{}`, or declare it: {name} : unique …", key.name),
                None => format!("declare it: {name} : unique …"),
            };
            let message = format!("a foreign key needs a unique column, but `{name}` can repeat");
            let said = Diagnostic::new(Code::BAD_REF, message, draw.span, "can match several rows");
            cx.report(said.label(declared, "can repeat").help(help));
            return None;
        }
        Some((*target, *column))
    }
}
