//! Computed columns of files that are read. Every row is known at check time, so their values are too. They are computed by the evaluator for instances.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::Value;
use model::compute::{Compute, Known};
use model::suite::Scope;
use tables::CellType;

use super::read::{Parts, unify_column_type};
use super::shape::{DeclaredTable, Slot};
use super::sources::Origins;
use crate::context::{Checker, ColumnAst, ColumnDecl, Origin, ReadColumn, RelationDecl, TaskChecker};
use crate::fixtures::to_given;
use hir::fixture::{self, FixtureColumn};
use hir::lower;
use hir::types::{Ty, TyKind};
use hir::{Arg, ColumnSource, Expr, ExprKind, FixtureColumnData};
use syntax::ast::Ident;
use syntax::diagnostics::{Code, Diagnostic};

/// The names and types of `file.NAME` in computed columns.
const FILE: [(&str, TyKind); 5] = [
    ("file.path", TyKind::Text),
    ("file.folder", TyKind::Text),
    ("file.name", TyKind::Text),
    ("file.stem", TyKind::Text),
    ("file.row", TyKind::Int),
];

impl<'a> Checker<'a> {
    /// Returns all columns in source order, with the values of the computed ones.
    pub(super) fn with_computed(
        &mut self,
        declared: &DeclaredTable<'a>,
        (name, ident): (&str, &'a Ident),
        read: Vec<FixtureColumn>,
        table: &mut Parts<'_>,
    ) -> Option<Vec<ReadColumn>> {
        let rows = table.origins.len();
        // A new checker, in whose scope nothing of a task is defined.
        let mut place = TaskChecker::new_global(self);
        let decl = RelationDecl::new(Origin::Given(rows as u32));
        let relation = place.scope.relations.add_relation(name.to_owned(), ident, None, decl);
        let mut read: Vec<Option<FixtureColumn>> = read.into_iter().map(Some).collect();
        let mut names: Vec<&'a Ident> = Vec::new();
        table.how.push_str("columns ");
        for slot in &declared.slots {
            let Some(own) = slot.name(declared) else { continue };
            // Expressions refer to columns by index.
            let slot_words = match slot {
                Slot::Read(at) => format!("{} {at};", own.text),
                Slot::Computed(..) => format!("{};", own.text),
            };
            table.how.push_str(&slot_words);
            let decl = match slot {
                Slot::Read(at) => {
                    let column = read.get_mut(*at).and_then(Option::take)?;
                    let (ty, given) = to_given(&column);
                    ColumnDecl::new(ColumnAst::Given(ty, Box::new(given)))
                }
                Slot::Computed(_, column) => ColumnDecl::from_column(column, 0),
            };
            names.push(own);
            place.scope.relations.add_column(relation, own.text.clone(), own.span, false, decl);
        }
        for (at, (own, kind)) in (0..).zip(FILE) {
            let decl = ColumnDecl::new(ColumnAst::Result(Ty::new(kind), at));
            place.scope.relations.add_column(relation, own.to_owned(), ident.span, true, decl);
        }
        place.ensure_relation(relation, None);
        let made = place.scope.relations.checked.get(relation)?;
        let formulas = made.columns.iter_enumerated().filter_map(|(id, column)| match &column.source {
            ColumnSource::Compute(expr) => Some((id, expr)),
            _ => None,
        });
        let mut duration_texts = Vec::new();
        for (id, expr) in formulas {
            if expr.is_mistaken() {
                return None;
            }
            if expr.ty.is_unknown() {
                let message = "a computed column needs values of one type";
                let said = Diagnostic::new(Code::TYPE_MISMATCH, message, expr.span, "its type is not known");
                self.report(said.help("declare the types of the columns that it reads"));
                return None;
            }
            if let Some(said) = check_formula_in_row(expr) {
                self.report(said);
                return None;
            }
            table.how.push_str(&format!("{id:?} = {:?};", expr.without_spans()));
            let name = names.get(id.0 as usize).map(|own| own.span);
            duration_texts
                .extend(name.zip(place.find_duration_in_text(expr, Scope::with_row(relation)).map(|found| found.span)));
        }
        self.duration_texts.extend(duration_texts);
        let mut failed = None;
        let computed = fixture::compute_once(table.parts, &format!("computed {}", table.how), || {
            self.host.check_cancellation();
            compute_columns(made, &names, table.origins, self.host.evaluator()).map_err(|said| failed = Some(said)).ok()
        });
        if let Some(said) = failed {
            self.report(*said);
        }
        let computed = computed?;
        let columns = made.columns.iter().zip(computed).zip(names).map(|((column, computed), ident)| {
            let (ty, given) = match (computed, &column.source) {
                (Some(computed), _) => to_given(&computed),
                (None, ColumnSource::Given(given)) => (column.ty.clone(), given.as_ref().clone()),
                (None, _) => (Ty::UNKNOWN, FixtureColumnData::default()),
            };
            ReadColumn { name: ident.text.clone(), ty, given, span: Some(ident.span) }
        });
        Some(columns.collect())
    }
}

/// Reports a formula that reads anything outside its row.
fn check_formula_in_row(formula: &Expr) -> Option<Diagnostic> {
    let mut found = None;
    formula.visit_exprs(&mut |expr| {
        if let ExprKind::Call(_, args) = &expr.kind
            && !args.iter().all(|arg| matches!(arg, Arg::Value(_) | Arg::Path(_)))
        {
            found.get_or_insert(expr.span);
        }
    });
    let message = "a column of a file that is read is computed from other columns of its row alone";
    let said = Diagnostic::new(Code::MISPLACED, message, found?, "reads more than its row");
    Some(said.help("compute it in a task: name the view there in a function or a query"))
}

/// Computes the values of computed columns, by index. Fails at the first value that cannot be computed.
fn compute_columns(
    made: &hir::Relation,
    names: &[&Ident],
    origins: &Origins<'_>,
    evaluator: &dyn Compute,
) -> Result<Vec<Option<FixtureColumn>>, Box<Diagnostic>> {
    let own = names.len();
    let mut read = BTreeSet::new();
    for column in &made.columns {
        if let ColumnSource::Compute(formula) = &column.source {
            formula.visit_exprs(&mut |expr| read.extend(expr.as_column_id()));
        }
    }
    let mut table = evaluator.new_table(made.columns.len(), origins.len());
    let mut known = BTreeSet::new();
    let mut computed: Vec<Option<FixtureColumn>> = vec![None; own];
    for id in &made.order {
        let Some(column) = made.columns.get(*id) else { continue };
        let ColumnSource::Compute(formula) = &column.source else { continue };
        // Only the columns that a formula reads are copied, each once.
        formula.visit_exprs(&mut |expr| {
            let Some(of) = expr.as_column_id().filter(|of| known.insert(*of)) else { return };
            let Some(from) = made.columns.get(of) else { return };
            if let Some(values) = to_known_column(from, usize::from(of).checked_sub(own), origins) {
                table.set_column(of, &values);
            }
        });
        let found = table.evaluate_rows(&lower::lower_expr(formula)).map_err(|failed| {
            let message = format!("a value of the column cannot be computed: {}", failed.why);
            let label = format!("in {}", origins.describe_line_in_file(failed.row));
            let at = failed.why.span.unwrap_or(formula.span);
            let said = Diagnostic::new(Code::FAILED_COMPUTATION, message, at, label);
            said.help("correct the expression, or handle such rows with `if`")
        })?;
        let cell = match column.ty.cell_type() {
            Some(CellType::Decimal(_)) => CellType::Decimal(None),
            known => known.unwrap_or(CellType::Text),
        };
        let (value_type, found) = unify_column_type(cell, found);
        let at = usize::from(*id);
        let name = names.get(at).map(|name| name.text.clone()).unwrap_or_default();
        let column = fixture::build_column(name, value_type, found);
        if read.contains(id) && known.insert(*id) {
            table.set_column(*id, &Known { value_type, values: Arc::clone(&column.values) });
        }
        if let Some(to) = computed.get_mut(at) {
            *to = Some(column);
        }
    }
    Ok(computed)
}

/// Returns the values of a column that is read. `of_file` is its index in [`FILE`], if it is one of these.
fn to_known_column(column: &hir::Column, of_file: Option<usize>, origins: &Origins<'_>) -> Option<Known> {
    match (&column.source, of_file) {
        (ColumnSource::Given(given), _) => {
            Some(Known { value_type: column.ty.to_stored_type(), values: Arc::clone(&given.cells.values) })
        }
        (_, Some(at)) => {
            let values = (0..origins.len()).map(|row| compute_file_value(at, row, origins)).collect();
            Some(Known { value_type: column.ty.to_stored_type(), values })
        }
        // A computed column is added by the caller, after those that it reads.
        (_, None) => None,
    }
}

/// Computes a value of `file.NAME`; `at` is its index in [`FILE`].
fn compute_file_value(at: usize, row: usize, origins: &Origins<'_>) -> Value {
    let path = origins.source(row).map_or("", |source| source.inner.as_str());
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match at {
        0 => Value::from_text(path),
        1 => Value::from_text(folder),
        2 => Value::from_text(name),
        3 => {
            Value::from_text(name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem }))
        }
        _ => Value::Int(origins.record(row)),
    }
}
