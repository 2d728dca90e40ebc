//! The selection of the rows of `each`: its condition, their keys in ids, and their clusters.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use model::Value;
use model::compute::{Compute, FailedRow, Known};
use model::suite::{ColumnId, EachRow, Op, RelationId};

use crate::context::{AskedRows, Checker, Relations, RowScope, TaskChecker};
use hir::lower;
use hir::types::{Ty, TyKind};
use hir::{ColumnSource, Expr, ExprKind};
use syntax::ast::{self, ExprKind as A, Ident};
use syntax::diagnostics::wording::quote_ident;
use syntax::diagnostics::{Code, Diagnostic};

/// The maximum length of a key, in bytes.
const LONGEST_KEY: usize = 64;
/// The maximum number of different texts of a column in which a similar one is looked for.
const MAX_TEXTS: usize = 200;

impl<'a> TaskChecker<'_, 'a> {
    pub(super) fn resolve_asked_rows(&mut self, each: &'a ast::Each) -> Option<AskedRows> {
        let A::Path(path) = &each.rel.kind else { return None };
        let relation = self.resolve_relation_path(path, each.rel.span)?;
        self.read_relation(relation, each.rel.span);
        if self.is_unread(relation, each.rel.span) {
            return None;
        }
        let hir::Rows::Given(count) = self.scope.relations.checked[relation].rows else {
            self.scope.relations.report_drawn_rows(self.cx, each, relation, path);
            return None;
        };
        let kept = match &each.filter {
            None => (0..count as usize).collect(),
            Some(filter) => self.filter_asked_rows(relation, count as usize, filter)?,
        };
        let key = match &each.key {
            Some(column) => Some((column, self.resolve_row_cells(relation, column, &kept)?)),
            None => None,
        };
        let by = match &each.by {
            Some(column) => Some(self.resolve_row_cells(relation, column, &kept)?.1),
            None => None,
        };
        let keys = match key {
            None => kept.iter().map(|at| (at + 1).to_string()).collect(),
            Some((column, (ty, values))) => {
                self.scope.relations.check_row_keys(self.cx, (relation, column), &ty, &values, &kept)?
            }
        };
        let cluster = |at: usize| by.as_ref()?.get(at).filter(|value| !value.is_null());
        let row =
            |(at, key): (usize, String)| EachRow { key, by: cluster(at).map(|value| value.render_text().into_owned()) };
        let rows = keys.into_iter().enumerate().map(row).collect();
        Some(AskedRows { relation, kept, rows, columns: BTreeMap::new() })
    }

    /// Returns the indexes of the rows that meet the condition.
    fn filter_asked_rows(&mut self, relation: RelationId, count: usize, filter: &'a ast::Expr) -> Option<Vec<usize>> {
        let condition = self.check_within(RowScope::with_row(relation), |this| this.check_decision(filter, "`where`"));
        if condition.is_mistaken() {
            return None;
        }
        if condition.ty.is_unknown() {
            let message = "`where` needs a condition";
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, condition.span, "values of several types");
            self.cx.report(
                said.help("compare it with something, or correct the data: all its values must be true or false"),
            );
            return None;
        }
        let mut other = None;
        condition.visit_exprs(&mut |part| match &part.kind {
            ExprKind::Name(_) | ExprKind::FilePath(_) => other = other.or(Some(part.span)),
            ExprKind::Call(_, args) if !args.iter().all(|arg| matches!(arg, hir::Arg::Value(_))) => {
                other = other.or(Some(part.span));
            }
            _ => {}
        });
        if let Some(at) = other {
            let message = "`where` after `each` can only use columns and constants";
            let said = Diagnostic::new(Code::NOT_CONSTANT, message, at, "not of the row");
            self.cx.report(said.help("compare columns of the row with fixed values; use `require` for drawn values"));
            return None;
        }
        let columns = self.scope.relations.checked[relation].columns.len();
        let evaluator = self.cx.host.evaluator();
        let cells = |column| {
            let (ty, values) = self.find_given_cells(relation, column)?;
            Some(Known { value_type: ty.to_stored_type(), values })
        };
        let found = match evaluate_rows(evaluator, &condition, (columns, count), cells)? {
            Ok(found) => found,
            Err(failed) => {
                let message = format!("`where` cannot be computed: {}", failed.why);
                let at = failed.why.span.unwrap_or(condition.span);
                let said = Diagnostic::new(Code::FAILED_COMPUTATION, message, at, format!("in row {}", failed.row + 1));
                self.cx.report(said.help("handle such rows with `if`"));
                return None;
            }
        };
        let holds = |(_, value): &(usize, Value)| *value == Value::Bool(true);
        let kept: Vec<usize> = found.into_iter().enumerate().filter(holds).map(|(at, _)| at).collect();
        if kept.is_empty() {
            let message =
                format!("no row of `{}` meets the condition of `each`", self.scope.relations.checked[relation].name);
            let said = Diagnostic::new(Code::IMPOSSIBLE_PREDICATE, message, condition.span, "true for no row");
            self.cx.report(said.help("loosen the condition: the task has no instance"));
        } else {
            self.report_absent_texts(relation, &condition);
        }
        Some(kept)
    }

    /// Reports comparisons with a text that no row has, if a similar one is there.
    fn report_absent_texts(&mut self, relation: RelationId, condition: &Expr) {
        let mut compared: Vec<(Op, ColumnId, Expr)> = Vec::new();
        condition.visit_exprs(&mut |part| {
            let ExprKind::Binary(op @ (Op::Eq | Op::Ne | Op::In | Op::NotIn), sides) = &part.kind else { return };
            let column = sides.0.as_column_id().map(|column| (column, &sides.1));
            let column = column.or_else(|| sides.1.as_column_id().map(|column| (column, &sides.0)));
            compared.extend(column.map(|(column, value)| (*op, column, value.clone())));
        });
        for (op, column, value) in compared {
            let Some((_, cells)) = self.find_given_cells(relation, column) else { continue };
            let texts: BTreeSet<&str> = cells.iter().filter_map(Value::as_text).collect();
            let absent = value.as_constant_items().unwrap_or_default().iter().filter_map(Value::as_text);
            for text in absent.filter(|text| texts.len() <= MAX_TEXTS && !texts.contains(text)) {
                let Some(near) = names::find_closest(text, texts.iter().copied()) else { continue };
                let own = &self.scope.relations.checked[relation];
                let name = own.columns.get(column).map_or("", |column| column.name.as_str());
                let (code, what) = match op {
                    Op::Ne | Op::NotIn => (Code::VACUOUS_PREDICATE, "so the condition leaves out nothing"),
                    _ => (Code::IMPOSSIBLE_PREDICATE, "so the condition selects nothing"),
                };
                let message = format!("no row of `{}` has the {name} \"{text}\", {what}", own.name);
                let said = Diagnostic::new(code, message, value.span, "in no row");
                self.cx.report(said.help(format!("did you mean \"{near}\"?")));
            }
        }
    }

    /// Returns the type and all cells of a column with known rows; `None` if they are not known (already reported). The values may have several types.
    pub(super) fn find_given_cells(&mut self, relation: RelationId, column: ColumnId) -> Option<(Ty, Arc<[Value]>)> {
        self.ensure_column(relation, column, None);
        let relation = self.scope.relations.checked.get(relation)?;
        let hir::Rows::Given(count) = relation.rows else { return None };
        let column = relation.columns.get(column)?;
        match &column.source {
            // A column with a wrong declaration does not have cells.
            ColumnSource::Given(given) if given.cells.values.len() == count as usize => {
                Some((column.ty.clone(), Arc::clone(&given.cells.values)))
            }
            _ => None,
        }
    }

    /// Resolves a column, and returns its type and its cells in the selected rows.
    fn resolve_row_cells(&mut self, relation: RelationId, name: &'a Ident, kept: &[usize]) -> Option<(Ty, Vec<Value>)> {
        let column = self.resolve_column(relation, name)?;
        self.note_column_read(relation, column, name.span);
        let (ty, values) = self.find_given_cells(relation, column)?;
        Some((ty, kept.iter().filter_map(|at| values.get(*at).cloned()).collect()))
    }
}

impl<'a> Relations<'a> {
    /// Reports rows of `each` that are drawn.
    fn report_drawn_rows(&self, cx: &mut Checker<'a>, each: &'a ast::Each, relation: RelationId, path: &[Ident]) {
        let decl = &self.checked[relation];
        let shown = path.iter().map(|part| quote_ident(&part.text)).collect::<Vec<_>>().join(".");
        let key = each.key.as_ref().map(|key| key.text.as_str());
        let column = key.or_else(|| decl.iter_own_columns().next().map(|(_, column)| column.name.as_str()));
        let drawn = format!("draw one: `{} : ref {shown}.{}`", each.name.text, quote_ident(column.unwrap_or("COLUMN")));
        let message = format!("`each` needs known rows, but `{shown}` is drawn");
        let said = Diagnostic::new(Code::NOT_CONSTANT, message, each.rel.span, "drawn for every sample");
        let declared = decl.span;
        cx.report(said.label(declared, "declared here").help(drawn));
    }

    /// Returns the keys of the rows. Reports keys that are null, not unique, or not suitable for ids.
    fn check_row_keys(
        &self,
        cx: &mut Checker<'a>,
        (relation, column): (RelationId, &'a Ident),
        ty: &Ty,
        values: &[Value],
        kept: &[usize],
    ) -> Option<Vec<String>> {
        let name = &column.text;
        let row = |at: usize| kept.get(at).map_or(0, |row| row + 1);
        if let Some(at) = values.iter().position(Value::is_null) {
            let message = format!("key column `{name}` has rows without a value");
            let said = Diagnostic::new(Code::NOT_A_KEY, message, column.span, "the key of `each`");
            let label = format!("row {} has none", row(at));
            let help = match values.iter().all(Value::is_null) {
                true => "use another column, or remove `key`: rows are then numbered".to_owned(),
                false => format!("exclude them: `where {} != null`", quote_ident(name)),
            };
            cx.report(said.note(label).help(help));
            return None;
        }
        if !matches!(ty.kind, TyKind::Int | TyKind::Text) && !values.is_empty() {
            let message = format!("key column `{name}` needs ints or texts, but it has another type");
            let label = if ty.is_unknown() { "values of several types".to_owned() } else { ty.to_string() };
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, column.span, label);
            cx.report(said.help("remove `key`: rows are then numbered"));
            return None;
        }
        let keys: Vec<String> = values.iter().map(|value| value.render_text().into_owned()).collect();
        let fits = |key: &str| {
            (1..=LONGEST_KEY).contains(&key.len()) && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let wrong: Vec<(usize, &String)> = keys.iter().enumerate().filter(|(_, key)| !fits(key)).collect();
        if !wrong.is_empty() {
            let shown = wrong.iter().take(5).map(|(at, key)| format!("`{key}` in row {}", row(*at)));
            let shown = shown.collect::<Vec<_>>().join(", ");
            let more = if wrong.len() > 5 { format!(", and {} more", wrong.len() - 5) } else { String::new() };
            let message = format!("key column `{name}` has values that cannot be in ids");
            let said = Diagnostic::new(Code::BAD_SETTING, message, column.span, format!("{shown}{more}"));
            cx.report(
                said.note("ids take 1 to 64 letters, digits, and `_`")
                    .help("use another column, or remove `key`: rows are then numbered"),
            );
            return None;
        }
        // Ids are compared on file systems that fold case.
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (at, key) in keys.iter().enumerate() {
            if let Some(first) = seen.insert(key.to_lowercase(), at) {
                let table = &self.checked[relation].name;
                let message = format!("`{name}` is not unique in `{table}`");
                let said = Diagnostic::new(Code::NOT_A_KEY, message, column.span, "the key of `each`");
                let same = keys.get(first).is_some_and(|other| other == key);
                let case = if same { "" } else { " (letter case is ignored)" };
                let note = format!("{key} is in rows {} and {}{case}", row(first), row(at));
                cx.report(said.note(note).help("use another column, or remove `key`: rows are then numbered"));
                return None;
            }
        }
        Some(keys)
    }
}

/// Evaluates an expression in each row of a table of this size, which has the columns that it reads. `None` if `cells` does not know one of them.
pub(super) fn evaluate_rows(
    evaluator: &dyn Compute,
    expr: &Expr,
    (columns, rows): (usize, usize),
    mut cells: impl FnMut(ColumnId) -> Option<Known>,
) -> Option<Result<Vec<Value>, FailedRow>> {
    let mut read = BTreeSet::new();
    expr.visit_exprs(&mut |part| read.extend(part.as_column_id()));
    let mut table = evaluator.new_table(columns, rows);
    for column in read {
        table.set_column(column, &cells(column)?);
    }
    Some(table.evaluate_rows(&lower::lower_expr(expr)))
}
