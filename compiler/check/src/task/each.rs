//! `each NAME in REL …`: instances for the rows of a data set, the cells of a row, and expressions that differ by row.

use std::sync::Arc;

use model::compute::{FailedRow, Known};
use model::suite::{ColumnId, Each, EachColumn, NameId, RelationId};
use model::{Span, Value};

use crate::context::{AskedRows, Checker, EachDecl, NameAst, NameDecl, TaskChecker, TaskScope};
use crate::scope::names::Meaning;
use crate::task::selection::evaluate_rows;
use hir::types::{Ty, TyKind};
use hir::{Entity, Expr, ExprKind};
use syntax::ast::{self, ExprKind as A, Ident};
use syntax::diagnostics::wording::{build_repeated_diagnostic, quote_ident};
use syntax::diagnostics::{Code, Diagnostic, Severity};

/// The maximum depth of names that are computed from names.
const MAX_NAMES: u32 = 64;

/// The maximum number of instances of a task for one sample.
pub(crate) const MAX_OF_ROWS: usize = 1_000_000;

impl<'a> TaskChecker<'_, 'a> {
    /// Finds the rows of `each`.
    pub fn find_each(&mut self) {
        let Some(each) = self.scope.each.as_ref().map(|each| each.ast) else { return };
        let rows = self.resolve_asked_rows(each);
        if let Some(decl) = &mut self.scope.each {
            decl.rows = rows;
        }
    }

    /// `q.COLUMN`: a cell of the row that is asked. `rest` are the parts after the name of the row.
    pub fn resolve_row_cell(&mut self, rest: &'a [Ident], span: Span) -> Meaning {
        self.scope.used.insert(Entity::Row);
        let Some(each) = &self.scope.each else { return Meaning::Nothing };
        let (ident, Some(rows), Some(first)) = (&each.ast.name, &each.rows, rest.first()) else {
            return Meaning::Nothing;
        };
        let row = Span { end: span.start + ident.text.len() as u32, ..span };
        self.cx.record_reference(if ident.quoted { span } else { row }, ident.span);
        let relation = rows.relation;
        let joined = rest.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(".");
        let known = self.scope.relations.checked[relation].columns.position(|column| column.name == joined);
        let column = match known {
            Some(column) => {
                self.scope.relations.refer_column(
                    self.cx,
                    rest.last().map_or(first.span, |last| last.span),
                    relation,
                    column,
                );
                column
            }
            None => match self.resolve_column(relation, first) {
                Some(column) => column,
                None => return Meaning::Nothing,
            },
        };
        self.note_column_read(relation, column, span);
        let slot = match self.scope.each.as_ref().and_then(|each| each.rows.as_ref()?.columns.get(&column)) {
            Some((slot, _)) => *slot,
            None => {
                let Some(slot) = self.add_cell(relation, column) else { return Meaning::Nothing };
                slot
            }
        };
        Meaning::Value(self.name_value(slot, span))
    }

    /// Adds a slot for a column that is read for the first time.
    fn add_cell(&mut self, relation: RelationId, column: ColumnId) -> Option<NameId> {
        let (_, all) = self.find_given_cells(relation, column)?;
        let each = self.scope.each.as_mut()?;
        let ident = &each.ast.name;
        let rows = each.rows.as_mut()?;
        let values: Arc<[Value]> = rows.kept.iter().filter_map(|at| all.get(*at).cloned()).collect();
        let slot = self.scope.names.push_and_get_key(NameDecl::new(ident, NameAst::Row(column)));
        rows.columns.insert(column, (slot, values));
        Some(slot)
    }

    /// Computes the path of a fixture in each row, for a path that uses cells of the row. Reports a path that uses anything but cells and constants.
    pub fn evaluate_row_paths(&mut self, path: &'a ast::StringLit) -> Option<Vec<(u32, String)>> {
        let checked = self.check_string(path);
        if checked.is_mistaken() {
            return None;
        }
        let mut other = None;
        checked.visit_exprs(&mut |part| match &part.kind {
            ExprKind::Const(_) | ExprKind::Concat(_) => {}
            ExprKind::Name(id) if matches!(self.scope.names[*id].source, NameAst::Row(_)) => {}
            ExprKind::Call(_, args) if args.iter().all(|arg| matches!(arg, hir::Arg::Value(_))) => {}
            _ => other = other.or(Some((part.span, self.scope.find_named_span(part)))),
        });
        if let Some((at, declared)) = other {
            let name = self.scope.each.as_ref().map_or("q", |each| each.ast.name.text.as_str());
            let message = format!("the path of a fixture can only use `{name}` and constants");
            let help = "name a column of the row, or write the path out";
            let said = Diagnostic::new(Code::NOT_CONSTANT, message, at, "known only when the suite is built");
            self.cx.report(said.with_labels(declared.map(|declared| (declared, "declared here"))).help(help));
            return None;
        }
        self.scope.check_not_null(self.cx, &checked, "the path of a fixture");
        let found = match self.scope.try_evaluate_by_row(self.cx, &checked)? {
            Ok(found) => found,
            Err(failed) => {
                let message = format!("the path of a fixture cannot be computed: {}", failed.why);
                let said = Diagnostic::new(Code::FAILED_COMPUTATION, message, path.span, "differs by row");
                let note =
                    format!("fails for {} {}", self.scope.describe_key_column(), self.scope.find_row_key(failed.row));
                self.cx
                    .report(said.note(note).help("exclude such rows with `where` after `each`, or correct the data"));
                return None;
            }
        };
        Some((0..).zip(found.iter().map(|value| value.render_text().into_owned())).collect())
    }

    /// `tags [q.level]`: records the cells of the row that are tags.
    pub fn note_row_tags(&mut self, tags: &'a ast::Expr) {
        let A::List(items) = &tags.kind else { return };
        for item in items {
            if !self.scope.is_row_cell(item) {
                continue;
            }
            let cell = self.check_expr(item);
            if let ExprKind::Name(slot) = cell.kind
                && let Some(each) = &mut self.scope.each
                && !each.tags.contains(&slot)
            {
                each.tags.push(slot);
            }
        }
    }
}

impl<'a> TaskScope<'a> {
    /// Takes `each` into scope; its rows are found when all tables are declared.
    pub fn declare_each(&mut self, cx: &mut Checker<'a>, each: &'a ast::Each, span: Span) {
        if let Some(first) = &self.each {
            let said = build_repeated_diagnostic("each", span, first.span);
            return cx.report(said.help("ask several tables in several tasks"));
        }
        if self.enter_scope(cx, &each.name, Entity::Row) {
            self.each = Some(EachDecl { ast: each, span, rows: None, tags: Vec::new() });
        }
    }

    /// Returns the selected rows, if there are any and `each` has no mistake.
    pub fn find_asked_rows(&self) -> Option<&AskedRows> {
        self.each.as_ref()?.rows.as_ref()
    }

    /// Infers the type of a cell: nullable only if it is null in a selected row.
    pub fn infer_cell_type(&self, column: ColumnId) -> Ty {
        let Some(rows) = self.find_asked_rows() else { return Ty::UNKNOWN };
        let Some((_, values)) = rows.columns.get(&column) else { return Ty::UNKNOWN };
        let ty = self.relations.checked[rows.relation].columns[column].ty.clone();
        Ty { nullable: ty.nullable && values.iter().any(Value::is_null), ..ty }
    }

    /// Returns the name of a cell: `q.question`.
    pub fn name_of_cell(&self, column: ColumnId) -> String {
        let Some(each) = &self.each else { return String::new() };
        let column = each.rows.as_ref().map(|rows| &self.relations.checked[rows.relation].columns[column]);
        let column = column.map_or_else(String::new, |column| quote_ident(&column.name));
        format!("{}.{column}", quote_ident(&each.ast.name.text))
    }

    /// Finds the cells of a slot, by row.
    pub fn find_row_cells(&self, slot: NameId) -> Option<&Arc<[Value]>> {
        let rows = self.find_asked_rows()?;
        rows.columns.values().find(|(own, _)| *own == slot).map(|(_, values)| values)
    }

    /// Reports a row that is used as a value.
    pub fn report_row_as_value(&mut self, cx: &mut Checker<'a>, name: &Ident) {
        self.used.insert(Entity::Row);
        let rows = self.find_asked_rows();
        let column = rows.and_then(|rows| self.relations.checked.get(rows.relation)?.iter_own_columns().next());
        let shown = column.map_or_else(|| "COLUMN".to_owned(), |(_, column)| quote_ident(&column.name));
        let message = format!("`{}` is a row, not a value", name.text);
        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, name.span, "a row of `each`");
        cx.report(said.help(format!("use a column: `{}.{shown}`", quote_ident(&name.text))));
    }

    /// Evaluates an expression in each row. `None` if it depends on anything but rows and constants, or fails in a row.
    /// Without `each`, there is one row.
    pub fn evaluate_by_row(&self, cx: &Checker<'a>, expr: &Expr) -> Option<Vec<Value>> {
        self.try_evaluate_by_row(cx, expr)?.ok()
    }

    /// Does the same, and returns the failure of a row. `None` if something else decides, or a mistake in `each` has been reported.
    fn try_evaluate_by_row(&self, cx: &Checker<'a>, expr: &Expr) -> Option<Result<Vec<Value>, FailedRow>> {
        let mut over_rows = expr.clone();
        self.replace_cells_with_columns(&mut over_rows, 0)?;
        let rows = self.each.as_ref().map_or(Some(1), |each| Some(each.rows.as_ref()?.len()))?;
        let cells = |column: ColumnId| {
            let slot = NameId(column.0);
            let value_type = self.names.get(slot)?.ty.to_stored_type();
            Some(Known { value_type, values: Arc::clone(self.find_row_cells(slot)?) })
        };
        evaluate_rows(cx.host.evaluator(), &over_rows, (self.names.len(), rows), cells)
    }

    /// Replaces the cells of the row with columns of a table, each at the index of its slot. `None` if something else decides.
    fn replace_cells_with_columns(&self, expr: &mut Expr, depth: u32) -> Option<()> {
        match &mut expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Name(id) => {
                let decl = self.names.get(*id)?;
                match (&decl.source, &decl.checked) {
                    (NameAst::Row(_), _) => expr.kind = ExprKind::Column(ColumnId(id.0)),
                    (_, Some(hir::NameSource::Compute(value))) if depth < MAX_NAMES => {
                        let mut value = value.clone();
                        self.replace_cells_with_columns(&mut value, depth + 1)?;
                        *expr = value;
                    }
                    _ => return None,
                }
            }
            ExprKind::Call(_, args) if !args.iter().all(|arg| matches!(arg, hir::Arg::Value(_))) => return None,
            ExprKind::Object(_)
            | ExprKind::Unknown
            | ExprKind::Column(_)
            | ExprKind::OuterColumn(_)
            | ExprKind::FilePath(_)
            | ExprKind::Folder(_)
            | ExprKind::Sandbox => return None,
            _ => {
                let mut decided = Some(());
                expr.visit_children_mut(&mut |part| {
                    decided = decided.and_then(|()| self.replace_cells_with_columns(part, depth));
                });
                return decided;
            }
        }
        Some(())
    }

    /// Returns the term for rows in messages: the name of the key column, or `row`.
    pub fn describe_key_column(&self) -> String {
        match self.each.as_ref().and_then(|each| each.ast.key.as_ref()) {
            Some(key) => format!("`{}`", quote_ident(&key.text)),
            None => "row".to_owned(),
        }
    }

    /// The key of a row.
    pub fn find_row_key(&self, row: usize) -> String {
        self.find_asked_rows().map_or_else(String::new, |rows| rows.key(row).to_owned())
    }

    /// Suggests a condition that excludes rows, and the place to insert it.
    pub fn suggest_row_exclusion(&self, rows: &[usize]) -> Option<(String, Span)> {
        let each = self.each.as_ref()?;
        let key = each.ast.key.as_ref()?;
        let asked = each.rows.as_ref()?;
        let column =
            self.relations.checked.get(asked.relation)?.columns.iter().find(|column| column.name == key.text)?;
        let quoted = column.ty.kind == TyKind::Text;
        let shown: Vec<String> = rows
            .iter()
            .map(|row| if quoted { format!("\"{}\"", asked.key(*row)) } else { asked.key(*row).to_owned() })
            .collect();
        let condition = format!("{} not in [{}]", quote_ident(&key.text), shown.join(", "));
        match &each.ast.filter {
            None => Some((format!(" where {condition}"), each.span.shrink_to_end())),
            Some(filter) if matches!(&filter.kind, A::Binary { op: ast::Op::Or, .. } | A::If { .. }) => None,
            Some(filter) => Some((format!(" and {condition}"), filter.span.shrink_to_end())),
        }
    }

    /// Checks whether a tag is a recorded cell of the row.
    pub fn is_tag_of_row(&self, tag: &ast::Expr) -> bool {
        let column = |path: &[Ident]| {
            path.get(1..).map(|rest| rest.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("."))
        };
        let A::Path(path) = &tag.kind else { return false };
        let (true, Some(each), Some(name)) = (self.is_row_cell(tag), &self.each, column(path)) else { return false };
        // A mistake in `each`, or a column that does not exist, has been reported.
        let Some(rows) = &each.rows else { return true };
        let column = self.relations.checked[rows.relation].columns.position(|column| column.name == name);
        let slot = column.and_then(|column| rows.columns.get(&column));
        slot.is_none_or(|(slot, _)| each.tags.contains(slot))
    }

    fn is_row_cell(&self, expr: &ast::Expr) -> bool {
        let A::Path(path) = &expr.kind else { return false };
        let first = path.first().and_then(|first| self.entities.get(first.text.as_str()));
        path.len() > 1 && first == Some(&Entity::Row)
    }

    /// Compiles `each`; reports rows that cannot be determined.
    pub fn finish_each(&mut self, cx: &mut Checker<'a>) -> Option<Each> {
        let decl = self.each.take()?;
        let Some(rows) = decl.rows else {
            // Without its rows, the task would be built like a task without `each`.
            let is_said = |said: &Diagnostic| said.severity() == Severity::Error;
            if !matches!(decl.ast.rel.kind, A::Missing) && !cx.diagnostics.iter().any(is_said) {
                let message = "the rows of `each` cannot be determined";
                let label = "needs a table whose rows are known";
                let said = Diagnostic::new(Code::NOT_CONSTANT, message, decl.ast.rel.span, label);
                cx.report(said.help("name a table that is read from a file"));
            }
            return None;
        };
        let column = |(slot, values): (NameId, Arc<[Value]>)| EachColumn { slot, values };
        Some(Each {
            name: decl.ast.name.text.clone(),
            relation: rows.relation,
            rows: rows.rows,
            columns: rows.columns.into_values().map(column).collect(),
            tags: decl.tags,
        })
    }
}
