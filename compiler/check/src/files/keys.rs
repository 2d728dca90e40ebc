//! `unique (A, B)`, `key (A, B)`, and `index (A, B)`: constraints over several columns of a table.

use model::suite::{ColumnId, Constraint, ConstraintKind, RelationId};

use crate::context::{Checker, Origin, Relations, TaskScope};
use hir::{ColumnSource, DrawDomain};
use model::{Domain, TiVec, Value};
use syntax::ast::{self, ColumnKind, Format, Modifier};
use syntax::diagnostics::wording::{format_count, join_with_or, quote_ident, suggest_column};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskScope<'a> {
    /// Declares the constraints of a relation whose columns have not been checked yet.
    pub fn declare_constraints(&mut self, cx: &mut Checker<'a>, id: RelationId) {
        let Some(decl) = self.relations.declared.get(id) else { return };
        let written = decl.written.clone();
        let own: &[ast::Constraint] = match decl.origin {
            Origin::Body(body) => &body.constraints,
            _ => &[],
        };
        let mut known: Vec<(&'a ast::Constraint, Constraint)> = Vec::new();
        for clause in written {
            if self.relations.check_constraint_format(cx, id, clause)
                && let Some(columns) = self.resolve_constraint_columns(cx, id, clause)
            {
                let kind = match clause.kind {
                    ast::ConstraintKind::Unique => ConstraintKind::Unique,
                    ast::ConstraintKind::Key => ConstraintKind::PrimaryKey,
                    // Its name is chosen when all indexes are known.
                    ast::ConstraintKind::Index => ConstraintKind::Index { name: String::new() },
                };
                let constraint = Constraint { kind, columns, span: clause.span };
                // A key in the table itself replaces the `unique` constraints of the shared table over the same columns.
                known.retain(|(earlier, other)| {
                    let own = own.iter().any(|own| std::ptr::eq(own, *earlier));
                    let replaced =
                        clause.kind == ast::ConstraintKind::Key && other.kind == ConstraintKind::Unique && !own;
                    !(replaced && other.is_over(&constraint.columns))
                });
                if cx.is_new(&known, clause, &constraint) {
                    known.push((clause, constraint));
                }
            }
        }
        if let Some(decl) = self.relations.checked.get_mut(id) {
            decl.constraints = known.into_iter().map(|(_, constraint)| constraint).collect();
        }
    }

    /// Resolves the columns that a clause names.
    fn resolve_constraint_columns(
        &self,
        cx: &mut Checker<'a>,
        id: RelationId,
        clause: &'a ast::Constraint,
    ) -> Option<Vec<ColumnId>> {
        let mut columns: Vec<ColumnId> = Vec::new();
        let mut sound = true;
        for (index, name) in clause.columns.iter().enumerate() {
            let decl = self.relations.checked.get(id)?;
            let Some(column) = self.find_column(id, &name.text) else {
                let columns = decl.columns.iter().map(|column| column.name.as_str());
                let written: Vec<&str> = columns.filter(|name| !name.starts_with('_')).collect();
                cx.report(build_unknown_column_diagnostic(&decl.name, name, &decl.table, &written));
                sound = false;
                continue;
            };
            let target = decl.columns.get(column).map(|column| column.span);
            if let Some(target) = target {
                cx.record_reference(name.span, target);
            }
            let said = if let Some(first) = clause.columns.iter().take(index).find(|first| first.text == name.text) {
                Diagnostic::new(Code::DUPLICATE, format!("column `{}` appears twice", name.text), name.span, "again")
                    .label(first.span, "first here")
                    .help("name each column once")
            } else if name.text.starts_with('_') {
                Diagnostic::new(
                    Code::MISPLACED,
                    format!("`{}` is a helper column, which is not written", name.text),
                    name.span,
                    "not a written column",
                )
                .help("name written columns, or take the `_` from its name")
            } else {
                columns.push(column);
                continue;
            };
            cx.report(said);
            sound = false;
        }
        sound.then_some(columns)
    }

    /// Checks the constraints of a relation whose columns are known.
    pub fn check_constraints(&mut self, cx: &mut Checker<'a>, id: RelationId) {
        let implied = self.relations.infer_tuple_constraints(cx, id);
        let Some(decl) = self.relations.checked.get_mut(id) else { return };
        for constraint in implied {
            let known =
                |other: &Constraint| constraint.is_unique() && other.is_unique() && other.is_over(&constraint.columns);
            if !decl.constraints.iter().any(known) {
                decl.constraints.push(constraint);
            }
        }
        let most = self.infer_row_bounds(id).known_max();
        let mut said_of_rows = Vec::new();
        let Some(decl) = self.relations.checked.get(id) else { return };
        for constraint in decl.constraints.iter().filter(|constraint| constraint.is_unique()) {
            if constraint.kind == ConstraintKind::PrimaryKey {
                check_key_not_null(decl, constraint).into_iter().for_each(|said| cx.report(said));
            }
            check_sorted_last(decl, constraint).into_iter().for_each(|said| cx.report(said));
            let Some(most) = most else { continue };
            let values = self.count_distinct_rows(decl, constraint, End::Most);
            let least = self.count_distinct_rows(decl, constraint, End::Least);
            let (names, rows) = (render_column_names(decl, constraint), format_count(most as u32, "row"));
            if let Some(values) = values.filter(|values| *values < u128::from(most)) {
                let verb = if values == 1 { "is" } else { "are" };
                let message = format!("{rows} cannot all differ in ({names}), which {verb} {values} different values");
                let label = format!("{values} < {most}");
                let said = Diagnostic::new(Code::TOO_FEW_VALUES, message, constraint.span, label);
                cx.report(said.help("use larger domains, or ask for fewer rows"));
            } else if let Some(least) = least.filter(|least| *least < u128::from(most)) {
                let values = if least == 1 { "value" } else { "values" };
                let label = format!("at least {least} different {values} for up to {rows}");
                let message = format!("rows of `{}` can run out of different ({names})", decl.name);
                let said = Diagnostic::new(Code::MAY_COLLIDE, message, constraint.span, label);
                let help = "use larger domains, or ask for fewer rows: the build stops at such a sample";
                said_of_rows.push(said.help(help));
            }
        }
        said_of_rows.into_iter().for_each(|said| cx.report(said));
    }

    /// Counts the different rows of values at most, or at least, if that is known. A nullable column has no upper count.
    fn count_distinct_rows(&self, decl: &hir::Relation, constraint: &Constraint, end: End) -> Option<u128> {
        let mut product: u128 = 1;
        let mut rows_of: Vec<&str> = Vec::new();
        for column in &constraint.columns {
            let ColumnSource::Draw { draw, group, .. } = &decl.columns.get(*column)?.source else {
                return None;
            };
            if draw.may_be_blank() && end == End::Most || draw.unique && end == End::Least {
                return None;
            }
            let (is_least, all) = (end == End::Least, draw.except.is_empty());
            let size = match &draw.domain {
                DrawDomain::Fixed(Domain::Serial) => None,
                DrawDomain::Fixed(_) | DrawDomain::OneOf(_) | DrawDomain::Range { .. } if is_least && !all => None,
                DrawDomain::Fixed(domain) => domain.cardinality(),
                DrawDomain::OneOf(items) => (!is_least).then_some(items.len() as u128),
                DrawDomain::Ref { together, .. } => {
                    // Columns drawn from the same row count once.
                    if !together.is_empty() && rows_of.contains(&group.as_str()) {
                        continue;
                    }
                    rows_of.push(group);
                    self.count_takeable_rows(draw, end)
                }
                DrawDomain::Share(_) | DrawDomain::Exactly(_) => (!is_least).then_some(2),
                DrawDomain::Range { low, high, step: None, .. } => self.count_ints_between(low, high, end),
                DrawDomain::Range { .. } | DrawDomain::Lorem { .. } | DrawDomain::Unknown(()) => None,
            };
            product = product.saturating_mul(size?);
        }
        Some(product)
    }

    /// Counts the different rows from which a `ref` can draw. The lower count is known only if it refers to a unique column and can draw every row.
    fn count_takeable_rows(&self, draw: &hir::Draw, end: End) -> Option<u128> {
        let DrawDomain::Ref { relation, column, together, filter } = &draw.domain else { return None };
        let bounds = self.infer_row_bounds(*relation);
        if end == End::Most {
            return bounds.known_max().map(u128::from);
        }
        let source = &self.relations.checked.get(*relation)?.columns.get(*column)?.source;
        let is_exact = filter.is_none() && together.is_empty() && draw.except.is_empty() && hir::is_unique(source);
        is_exact.then_some(u128::from(bounds.least))
    }

    /// Counts the ints between two bounds, at least one of which is a constant: at most, or at least.
    fn count_ints_between(&self, low: &hir::Expr, high: &hir::Expr, end: End) -> Option<u128> {
        if low.as_constant().is_none() && high.as_constant().is_none() {
            return None;
        }
        let (low, high) = (self.infer_number_fact(low).range?, self.infer_number_fact(high).range?);
        let (low, high) = match end {
            End::Most => (low.0, high.1),
            End::Least => (low.1, high.0),
        };
        let (Value::Int(low), Value::Int(high)) = (low, high) else { return None };
        u128::try_from(i128::from(high) - i128::from(low) + 1).ok()
    }
}

impl<'a> Relations<'a> {
    /// Lists the columns of a relation in source order.
    pub fn list_column_ids(&self, id: RelationId) -> Vec<ColumnId> {
        let count = self.checked.get(id).map_or(0, |decl| decl.columns.len());
        (0..count as u32).map(ColumnId).collect()
    }

    fn check_constraint_format(&self, cx: &mut Checker<'a>, id: RelationId, clause: &ast::Constraint) -> bool {
        let Some(decl) = self.declared.get(id) else { return false };
        if clause.kind == ast::ConstraintKind::Unique || decl.format == Some(Format::Sqlite) {
            return true;
        }
        let word = clause.kind.word();
        let help = match clause.kind {
            ast::ConstraintKind::Key => format!("write: unique ({})", render_clause_columns(clause)),
            _ => "remove it, because it does not change any row".to_owned(),
        };
        let message = format!("`{word}` works only in tables of databases");
        let said = Diagnostic::new(Code::MISPLACED, message, clause.span, "no database")
            .label(self.checked[id].span, "its table is declared here")
            .help(help);
        cx.report(said);
        false
    }

    /// Lists the columns of unique constraints that should not be generated last. The last column is redrawn if rows would repeat, and a computed
    /// or sorted column cannot be.
    pub fn list_columns_made_first(&self, id: RelationId) -> Vec<ColumnId> {
        let Some(decl) = self.checked.get(id) else { return Vec::new() };
        let unique = decl.constraints.iter().filter(|constraint| constraint.is_unique());
        unique
            .flat_map(|constraint| constraint.columns.iter().copied())
            .filter(|column| self.declared[id].columns[*column].ast.as_column().is_some_and(is_sorted_or_computed))
            .collect()
    }

    /// Lists the keys of a relation for SQL, as indexes among its written columns.
    pub fn list_written_keys(&self, id: RelationId) -> Vec<Vec<usize>> {
        let Some(decl) = self.checked.get(id) else { return Vec::new() };
        let place = |id: &ColumnId| {
            let before = decl.columns.iter().take(usize::from(*id));
            before.filter(|column| !column.helper).count()
        };
        let unique = decl.constraints.iter().filter(|constraint| constraint.is_unique());
        let proved = self.declared.get(id).into_iter().flat_map(|decl| decl.keys.iter().cloned());
        unique.map(|constraint| constraint.columns.iter().map(place).collect()).chain(proved).collect()
    }

    /// Names every index: `TABLE_A_B_idx`, with a number if that name is used in its database.
    pub fn name_indexes(&mut self) {
        let tables: Vec<_> = self.checked.iter().map(|decl| (decl.file, decl.table.to_lowercase())).collect();
        let mut taken = tables;
        for decl in &mut self.checked {
            let columns: TiVec<ColumnId, &str> = decl.columns.iter().map(|column| column.name.as_str()).collect();
            for constraint in &mut decl.constraints {
                let ConstraintKind::Index { name } = &mut constraint.kind else { continue };
                let parts = constraint.columns.iter().filter_map(|id| columns.get(*id).copied());
                let base = std::iter::once(decl.table.as_str()).chain(parts).collect::<Vec<_>>().join("_");
                let is_taken = |name: &str| taken.contains(&(decl.file, name.to_lowercase()));
                let mut chosen = format!("{base}_idx");
                let mut number = 2;
                while is_taken(&chosen) {
                    chosen = format!("{base}_idx{number}");
                    number += 1;
                }
                taken.push((decl.file, chosen.to_lowercase()));
                *name = chosen;
            }
        }
    }
}

impl Checker<'_> {
    /// Checks that no earlier clause is the same or a second key. Reports the clause if one is.
    fn is_new(&mut self, known: &[(&ast::Constraint, Constraint)], clause: &ast::Constraint, new: &Constraint) -> bool {
        let twice = |earlier: &Constraint| match clause.kind {
            ast::ConstraintKind::Index => earlier.kind == new.kind && earlier.columns == new.columns,
            _ => earlier.is_unique() && earlier.is_over(&new.columns),
        };
        let key = |earlier: &ast::Constraint| {
            earlier.kind == ast::ConstraintKind::Key && clause.kind == ast::ConstraintKind::Key
        };
        let Some((first, _)) = known.iter().find(|(earlier, constraint)| key(earlier) || twice(constraint)) else {
            return true;
        };
        let word = clause.kind.word();
        let said = if key(first) {
            Diagnostic::new(Code::DUPLICATE, "a table can have only one key", clause.span, "a second one")
                .help(format!("keep one; for the other write: unique ({})", render_clause_columns(clause)))
        } else if first.kind == clause.kind {
            Diagnostic::new(Code::DUPLICATE, format!("this `{word}` appears twice"), clause.span, "again here")
                .help("keep one of the two")
        } else {
            Diagnostic::new(Code::DUPLICATE, "a key is already unique", clause.span, "the same columns")
                .help("keep `key`, remove `unique`")
        };
        self.report(said.label(first.span, "first here"));
        false
    }
}

/// Builds the diagnostic for a name that is not a column of this table, with the nearest of the known columns, or else all of them. The name may
/// repeat `prefix`, if that is not empty.
pub(crate) fn build_unknown_column_diagnostic(
    table: &str,
    name: &ast::Ident,
    prefix: &str,
    known: &[&str],
) -> Diagnostic {
    let message = format!("`{table}` has no column `{}`", name.text);
    let said =
        Diagnostic::new(Code::UNKNOWN_COLUMN, message, name.span, "no such column").with_unknown_name(&name.text);
    let said = suggest_column(said, name.span, &name.text, known.iter().map(|column| (*column, prefix)));
    match known.is_empty() {
        true => said,
        false => said.with_default_help(format!("its columns are {}", join_with_or(known.iter().copied()))),
    }
}

/// The bound of a count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Most,
}

/// Reports a key with a column that can be null.
fn check_key_not_null(decl: &hir::Relation, constraint: &Constraint) -> Option<Diagnostic> {
    let columns = constraint.columns.iter().filter_map(|id| decl.columns.get(*id));
    let column = columns.into_iter().find(|column| column.ty.nullable)?;
    let name = &column.name;
    Some(
        Diagnostic::new(Code::NULLABLE, "a key cannot contain nulls", constraint.span, format!("`{name}` can be null"))
            .label(column.span, "declared here")
            .help(format!(
                "remove `blank` from `{name}`, or write `unique`, where a row with a null differs from all others"
            )),
    )
}

/// Reports a unique constraint whose last generated column is sorted, so it cannot be redrawn.
fn check_sorted_last(decl: &hir::Relation, constraint: &Constraint) -> Option<Diagnostic> {
    let is_unique = |id: &ColumnId| decl.columns.get(*id).is_some_and(|column| hir::is_unique(&column.source));
    let last = decl.order.iter().rfind(|id| constraint.columns.contains(id))?;
    let column = decl.columns.get(*last)?;
    let ColumnSource::Draw { draw, .. } = &column.source else { return None };
    if !draw.sorted || constraint.columns.iter().any(is_unique) {
        return None;
    }
    let name = &column.name;
    Some(
        Diagnostic::new(
            Code::BAD_DOMAIN,
            format!("`{name}` is sorted, so its values cannot be drawn to make rows differ"),
            constraint.span,
            "no column here can be drawn last",
        )
        .label(draw.span, "sorted after all are drawn")
        .help(format!("remove `sorted` from `{name}`, or write: {name} : unique …")),
    )
}

fn is_sorted_or_computed(column: &ast::Column) -> bool {
    match &column.kind {
        ColumnKind::Compute(_) => true,
        ColumnKind::Draw(domain) => domain.modifiers.iter().any(|(modifier, _)| *modifier == Modifier::Sorted),
    }
}

fn render_column_names(decl: &hir::Relation, constraint: &Constraint) -> String {
    let columns = constraint.columns.iter().filter_map(|id| decl.columns.get(*id));
    columns.map(|column| quote_ident(&column.name)).collect::<Vec<_>>().join(", ")
}

fn render_clause_columns(clause: &ast::Constraint) -> String {
    clause.columns.iter().map(|name| quote_ident(&name.text)).collect::<Vec<_>>().join(", ")
}
