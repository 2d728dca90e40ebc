//! `each NAME in REL …`: the rows of a data set, of which every one is asked. They are known here: which there are, what they are called in ids, and
//! to which cluster they belong.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use model::compute::{FailedRow, Known};
use model::suite::{ColumnId, Each, EachColumn, EachRow, NameId, RelationId};
use model::{Span, Value};

use crate::ast::{self, ExprKind as A, Ident};
use crate::check::model::{NameAst, NameDecl, RowScope, State, TaskChecker};
use crate::check::scope::names::Meaning;
use crate::check::wording::{build_repeated_diagnostic, quote_ident};
use crate::diagnostics::{Code, Diagnostic, Severity};
use crate::facts::Fact;
use crate::hir::{self, ColumnSource, Entity, Expr, ExprKind};
use crate::lower;
use crate::types::{Ty, TyKind};

/// The most bytes of a key.
const LONGEST_KEY: usize = 64;

/// Names that are computed from names are followed so far.
const MAX_NAMES: u32 = 64;

/// The most instances of a task for one sample.
pub(in crate::check) const MAX_OF_ROWS: usize = 1_000_000;

/// `each` of a task.
pub(crate) struct EachDecl<'a> {
    pub ast: &'a ast::Each,
    pub span: Span,
    /// Its rows; nothing where a mistake in it has been said.
    pub rows: Option<AskedRows>,
    /// Cells that `tags` names.
    pub tags: Vec<NameId>,
}

/// The rows that are asked.
pub(crate) struct AskedRows {
    relation: RelationId,
    /// Their places in the relation.
    kept: Vec<usize>,
    rows: Vec<EachRow>,
    /// The columns that something reads: their slots and their cells, by row.
    columns: BTreeMap<ColumnId, (NameId, Arc<[Value]>)>,
}

impl AskedRows {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The table that has them.
    pub fn relation(&self) -> RelationId {
        self.relation
    }

    /// The length of the longest key, in bytes.
    pub fn measure_longest_key(&self) -> usize {
        self.rows.iter().map(|row| row.key.len()).max().unwrap_or(0)
    }

    /// The key of a row.
    pub fn key(&self, row: usize) -> &str {
        self.rows.get(row).map_or("", |row| row.key.as_str())
    }
}

impl<'a> TaskChecker<'_, 'a> {
    /// Takes `each` into scope; its rows are found when all tables are declared.
    pub fn declare_each(&mut self, each: &'a ast::Each, span: Span) {
        if let Some(first) = &self.each {
            let said = build_repeated_diagnostic("each", span, first.span);
            return self.cx.report(said.help("ask several tables in several tasks"));
        }
        if self.enter_scope(&each.name, Entity::Row) {
            self.each = Some(EachDecl { ast: each, span, rows: None, tags: Vec::new() });
        }
    }

    /// Finds the rows of `each`.
    pub fn find_each(&mut self) {
        let Some(each) = self.each.as_ref().map(|each| each.ast) else { return };
        let rows = self.resolve_asked_rows(each);
        if let Some(decl) = &mut self.each {
            decl.rows = rows;
        }
    }

    fn resolve_asked_rows(&mut self, each: &'a ast::Each) -> Option<AskedRows> {
        let A::Path(path) = &each.rel.kind else { return None };
        let relation = self.resolve_relation_path(path, each.rel.span)?;
        self.used.insert(Entity::Relation(relation));
        if let Some(file) = self.relations[relation].file {
            self.used.insert(Entity::File(file));
        }
        self.ensure_relation(relation, Some(each.rel.span));
        if self.is_unread(relation, each.rel.span) {
            return None;
        }
        let hir::Rows::Given(count) = self.relations[relation].rows else {
            self.report_drawn_rows(each, relation, path);
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
            Some((column, (ty, values))) => self.check_row_keys((relation, column), &ty, &values, &kept)?,
        };
        let cluster = |at: usize| by.as_ref()?.get(at).filter(|value| !value.is_null());
        let row =
            |(at, key): (usize, String)| EachRow { key, by: cluster(at).map(|value| value.render_text().into_owned()) };
        let rows = keys.into_iter().enumerate().map(row).collect();
        Some(AskedRows { relation, kept, rows, columns: BTreeMap::new() })
    }

    /// Says that the rows of `each` are not known.
    fn report_drawn_rows(&mut self, each: &'a ast::Each, relation: RelationId, path: &[Ident]) {
        let decl = &self.relations[relation];
        let shown = path.iter().map(|part| quote_ident(&part.text)).collect::<Vec<_>>().join(".");
        let key = each.key.as_ref().map(|key| key.text.as_str());
        let column = key.or_else(|| decl.iter_own_columns().next().map(|(_, column)| column.name.as_str()));
        let drawn = format!("draw one: `{} : ref {shown}.{}`", each.name.text, quote_ident(column.unwrap_or("COLUMN")));
        let said = Diagnostic::new(
            Code::NOT_CONSTANT,
            format!("`each` needs known rows, but `{shown}` is drawn"),
            each.rel.span,
            "drawn for every sample",
        );
        let declared = decl.span;
        self.cx.report(said.label(declared, "declared here").help(drawn));
    }

    /// The rows that meet the condition, by their places.
    fn filter_asked_rows(&mut self, relation: RelationId, count: usize, filter: &'a ast::Expr) -> Option<Vec<usize>> {
        let around = std::mem::replace(&mut self.here, RowScope::with_row(relation));
        let condition = self.check_decision(filter, "`where`");
        self.here = around;
        if condition.is_mistaken() {
            return None;
        }
        if condition.ty.is_unknown() {
            let said = Diagnostic::new(
                Code::TYPE_MISMATCH,
                "`where` needs a condition",
                condition.span,
                "values of several types",
            );
            self.cx.report(
                said.help("compare it with something, or correct the data: all its values must be true or false"),
            );
            return None;
        }
        let mut other = None;
        let mut read = Vec::new();
        condition.visit_exprs(&mut |part| match &part.kind {
            ExprKind::Column(column) => read.push(*column),
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
        let columns = self.relations[relation].columns.len();
        let mut table = self.cx.host.compute().new_table(columns, count);
        for column in read {
            let (ty, values) = self.find_given_cells(relation, column)?;
            table.set_column(column, &Known { value_type: ty.to_stored_type(), values });
        }
        let found = match table.evaluate_rows(&lower::lower_expr(&condition)) {
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
            let message = format!("no row of `{}` meets the condition of `each`", self.relations[relation].name);
            let said = Diagnostic::new(Code::IMPOSSIBLE_PREDICATE, message, condition.span, "true for no row");
            self.cx.report(said.help("loosen the condition: the task has no instance"));
        }
        Some(kept)
    }

    /// The type and all cells of a column whose rows are known; `None` where they are not, which has been said. Its values may be of several types.
    fn find_given_cells(&mut self, relation: RelationId, column: ColumnId) -> Option<(Ty, Arc<[Value]>)> {
        self.ensure_column(relation, column, None);
        let relation = self.relations.get(relation)?;
        let hir::Rows::Given(count) = relation.rows else { return None };
        let column = relation.columns.get(column)?;
        match &column.source {
            // Of one whose declaration is wrong there are no cells.
            ColumnSource::Given(given) if given.cells.values.len() == count as usize => {
                Some((column.ty.clone(), Arc::clone(&given.cells.values)))
            }
            _ => None,
        }
    }

    /// The cells of a column that is named, of the rows that are asked.
    fn resolve_row_cells(&mut self, relation: RelationId, name: &'a Ident, kept: &[usize]) -> Option<(Ty, Vec<Value>)> {
        let column = self.resolve_column(relation, name)?;
        self.note_column_read(relation, column, name.span);
        let (ty, values) = self.find_given_cells(relation, column)?;
        Some((ty, kept.iter().filter_map(|at| values.get(*at).cloned()).collect()))
    }

    /// What rows are called by their key, which no two have, and which fits ids.
    fn check_row_keys(
        &mut self,
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
            self.cx.report(said.note(label).help(help));
            return None;
        }
        if !matches!(ty.kind, TyKind::Int | TyKind::Text) && !values.is_empty() {
            let message = format!("key column `{name}` needs ints or texts, but it has another type");
            let label = if ty.is_unknown() { "values of several types".to_owned() } else { ty.to_string() };
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, column.span, label);
            self.cx.report(said.help("remove `key`: rows are then numbered"));
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
            self.cx.report(
                said.note("ids take 1 to 64 letters, digits, and `_`")
                    .help("use another column, or remove `key`: rows are then numbered"),
            );
            return None;
        }
        // Ids are compared on file systems that fold case.
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (at, key) in keys.iter().enumerate() {
            if let Some(first) = seen.insert(key.to_lowercase(), at) {
                let table = &self.relations[relation].name;
                let message = format!("`{name}` is not unique in `{table}`");
                let said = Diagnostic::new(Code::NOT_A_KEY, message, column.span, "the key of `each`");
                let same = keys.get(first).is_some_and(|other| other == key);
                let case = if same { "" } else { " (letter case is ignored)" };
                let note = format!("{key} is in rows {} and {}{case}", row(first), row(at));
                self.cx.report(said.note(note).help("use another column, or remove `key`: rows are then numbered"));
                return None;
            }
        }
        Some(keys)
    }

    /// `q.COLUMN`: a cell of the row that is asked. `rest` are the parts after the name of the row.
    pub fn resolve_row_cell(&mut self, rest: &'a [Ident], span: Span) -> Meaning {
        self.used.insert(Entity::Row);
        let Some(each) = &self.each else { return Meaning::Nothing };
        let (ident, Some(rows), Some(first)) = (&each.ast.name, &each.rows, rest.first()) else {
            return Meaning::Nothing;
        };
        let row = Span { end: span.start + ident.text.len() as u32, ..span };
        self.cx.record_reference(if ident.quoted { span } else { row }, ident.span);
        let relation = rows.relation;
        let joined = rest.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(".");
        let known = self.relations[relation].columns.position(|column| column.name == joined);
        let column = match known {
            Some(column) => {
                self.refer_column(rest.last().map_or(first.span, |last| last.span), relation, column);
                column
            }
            None => match self.resolve_column(relation, first) {
                Some(column) => column,
                None => return Meaning::Nothing,
            },
        };
        self.note_column_read(relation, column, span);
        let slot = match self.each.as_ref().and_then(|each| each.rows.as_ref()?.columns.get(&column)) {
            Some((slot, _)) => *slot,
            None => {
                let Some(slot) = self.add_cell(relation, column) else { return Meaning::Nothing };
                slot
            }
        };
        Meaning::Value(self.name_value(slot, span))
    }

    /// The slot of a column that is read for the first time.
    fn add_cell(&mut self, relation: RelationId, column: ColumnId) -> Option<NameId> {
        let (_, all) = self.find_given_cells(relation, column)?;
        let each = self.each.as_mut()?;
        let ident = &each.ast.name;
        let rows = each.rows.as_mut()?;
        let values: Arc<[Value]> = rows.kept.iter().filter_map(|at| all.get(*at).cloned()).collect();
        let slot = self.names.push_and_get_key(NameDecl {
            ident,
            source: NameAst::Row(column),
            state: State::Todo,
            ty: Ty::UNKNOWN,
            checked: None,
            fact: Fact::unknown(),
        });
        rows.columns.insert(column, (slot, values));
        Some(slot)
    }

    /// The type of a cell: null only if one of the rows that are asked has none.
    pub fn infer_cell_type(&self, column: ColumnId) -> Ty {
        let Some(rows) = self.each.as_ref().and_then(|each| each.rows.as_ref()) else { return Ty::UNKNOWN };
        let Some((_, values)) = rows.columns.get(&column) else { return Ty::UNKNOWN };
        let ty = self.relations[rows.relation].columns[column].ty.clone();
        Ty { nullable: ty.nullable && values.iter().any(Value::is_null), ..ty }
    }

    /// What a cell is called: `q.question`.
    pub fn name_of_cell(&self, column: ColumnId) -> String {
        let Some(each) = &self.each else { return String::new() };
        let relation = each.rows.as_ref().map(|rows| rows.relation);
        let column = relation.and_then(|relation| self.relations.get(relation)?.columns.get(column));
        format!(
            "{}.{}",
            quote_ident(&each.ast.name.text),
            column.map_or_else(String::new, |column| quote_ident(&column.name))
        )
    }

    /// The cells of a name of the row, by row.
    pub fn find_row_cells(&self, slot: NameId) -> Option<&Arc<[Value]>> {
        let rows = self.each.as_ref()?.rows.as_ref()?;
        rows.columns.values().find(|(own, _)| *own == slot).map(|(_, values)| values)
    }

    /// Says that a row is named where a value is needed.
    pub fn report_row_as_value(&mut self, name: &Ident) {
        self.used.insert(Entity::Row);
        let rows = self.each.as_ref().and_then(|each| each.rows.as_ref());
        let column = rows.and_then(|rows| self.relations.get(rows.relation)?.iter_own_columns().next());
        let shown = column.map_or_else(|| "COLUMN".to_owned(), |(_, column)| quote_ident(&column.name));
        let message = format!("`{}` is a row, not a value", name.text);
        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, name.span, "a row of `each`");
        self.cx.report(said.help(format!("use a column: `{}.{shown}`", quote_ident(&name.text))));
    }

    /// Files whose path in the project has cells of the row, each with its name where the row is known.
    pub fn evaluate_row_paths(&mut self, path: &'a ast::StringLit) -> Option<Vec<(u32, String)>> {
        let checked = self.check_string(path);
        if checked.is_mistaken() {
            return None;
        }
        let mut other = None;
        checked.visit_exprs(&mut |part| match &part.kind {
            ExprKind::Const(_) | ExprKind::Concat(_) => {}
            ExprKind::Name(id) if matches!(self.names[*id].source, NameAst::Row(_)) => {}
            ExprKind::Name(id) => other = other.or(Some((part.span, Some(self.names[*id].ident.span)))),
            ExprKind::Call(_, args) if args.iter().all(|arg| matches!(arg, hir::Arg::Value(_))) => {}
            _ => other = other.or(Some((part.span, None))),
        });
        if let Some((at, declared)) = other {
            let name = self.each.as_ref().map_or("q", |each| each.ast.name.text.as_str());
            let message = format!("the path of a fixture can only use `{name}` and constants");
            let mut said = Diagnostic::new(Code::NOT_CONSTANT, message, at, "known only when the suite is built");
            if let Some(declared) = declared {
                said = said.label(declared, "declared here");
            }
            self.cx.report(said.help("name a column of the row, or write the path out"));
            return None;
        }
        self.check_not_null(&checked, "the path of a fixture");
        let found = match self.try_evaluate_by_row(&checked)? {
            Ok(found) => found,
            Err(failed) => {
                let message = format!("the path of a fixture cannot be computed: {}", failed.why);
                let said = Diagnostic::new(Code::FAILED_COMPUTATION, message, path.span, "differs by row");
                let note = format!("fails for {} {}", self.describe_key_column(), self.find_row_key(failed.row));
                self.cx
                    .report(said.note(note).help("exclude such rows with `where` after `each`, or correct the data"));
                return None;
            }
        };
        Some((0..).zip(found.iter().map(|value| value.render_text().into_owned())).collect())
    }

    /// What an expression is in each row, where nothing but rows and constants decides, and where it is something; without `each` there is one row.
    pub fn evaluate_by_row(&self, expr: &Expr) -> Option<Vec<Value>> {
        self.try_evaluate_by_row(expr)?.ok()
    }

    /// The same, with why it is nothing in a row. `None`: something else decides, or a mistake in `each` has been said.
    fn try_evaluate_by_row(&self, expr: &Expr) -> Option<Result<Vec<Value>, FailedRow>> {
        let mut over_rows = expr.clone();
        self.replace_cells_with_columns(&mut over_rows, 0)?;
        let rows = self.each.as_ref().map_or(Some(1), |each| Some(each.rows.as_ref()?.len()))?;
        let mut table = self.cx.host.compute().new_table(self.names.len(), rows);
        let mut read = Vec::new();
        over_rows.visit_exprs(&mut |part| {
            if let ExprKind::Column(column) = part.kind {
                read.push(column);
            }
        });
        for column in read {
            let slot = NameId(column.0);
            let value_type = self.names.get(slot)?.ty.to_stored_type();
            table.set_column(column, &Known { value_type, values: Arc::clone(self.find_row_cells(slot)?) });
        }
        Some(table.evaluate_rows(&lower::lower_expr(&over_rows)))
    }

    /// Makes cells of the row columns of a table in which each name has the place of its slot. `None` where something else decides.
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
            ExprKind::Concat(parts) | ExprKind::List(parts) => {
                for part in parts {
                    self.replace_cells_with_columns(part, depth)?;
                }
            }
            ExprKind::Neg(inner) | ExprKind::Not(inner) => self.replace_cells_with_columns(inner, depth)?,
            ExprKind::Binary(_, sides) => {
                self.replace_cells_with_columns(&mut sides.0, depth)?;
                self.replace_cells_with_columns(&mut sides.1, depth)?;
            }
            ExprKind::If(parts) => {
                self.replace_cells_with_columns(&mut parts.0, depth)?;
                self.replace_cells_with_columns(&mut parts.1, depth)?;
                self.replace_cells_with_columns(&mut parts.2, depth)?;
            }
            ExprKind::Call(_, args) => {
                for arg in args {
                    let hir::Arg::Value(value) = arg else { return None };
                    self.replace_cells_with_columns(value, depth)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// What rows are called in messages: the name of the key, and the key of each.
    pub fn describe_key_column(&self) -> String {
        match self.each.as_ref().and_then(|each| each.ast.key.as_ref()) {
            Some(key) => format!("`{}`", quote_ident(&key.text)),
            None => "row".to_owned(),
        }
    }

    /// The key of a row.
    pub fn find_row_key(&self, row: usize) -> String {
        let rows = self.each.as_ref().and_then(|each| each.rows.as_ref());
        rows.map_or_else(String::new, |rows| rows.key(row).to_owned())
    }

    /// The condition that leaves rows out, and where it is inserted.
    pub fn suggest_row_exclusion(&self, rows: &[usize]) -> Option<(String, Span)> {
        let each = self.each.as_ref()?;
        let key = each.ast.key.as_ref()?;
        let asked = each.rows.as_ref()?;
        let column = self.relations.get(asked.relation)?.columns.iter().find(|column| column.name == key.text)?;
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

    /// `tags [q.level]`: takes note of the cells of the row that are tags.
    pub fn note_row_tags(&mut self, tags: &'a ast::Expr) {
        let A::List(items) = &tags.kind else { return };
        for item in items {
            if !self.is_row_cell(item) {
                continue;
            }
            let cell = self.check_expr(item);
            if let ExprKind::Name(slot) = cell.kind
                && let Some(each) = &mut self.each
                && !each.tags.contains(&slot)
            {
                each.tags.push(slot);
            }
        }
    }

    /// Whether a tag is a cell of the row, of which note was taken.
    pub fn is_tag_of_row(&self, tag: &ast::Expr) -> bool {
        let column = |path: &[Ident]| {
            path.get(1..).map(|rest| rest.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("."))
        };
        let A::Path(path) = &tag.kind else { return false };
        let (true, Some(each), Some(name)) = (self.is_row_cell(tag), &self.each, column(path)) else { return false };
        // One that does not exist has been said.
        let Some(rows) = &each.rows else { return true };
        let column = self.relations[rows.relation].columns.position(|column| column.name == name);
        let slot = column.and_then(|column| rows.columns.get(&column));
        slot.is_none_or(|(slot, _)| each.tags.contains(slot))
    }

    fn is_row_cell(&self, expr: &ast::Expr) -> bool {
        let A::Path(path) = &expr.kind else { return false };
        let first = path.first().and_then(|first| self.scope.get(first.text.as_str()));
        path.len() > 1 && first == Some(&Entity::Row)
    }

    /// What is compiled of `each`.
    pub fn finish_each(&mut self) -> Option<Each> {
        let decl = self.each.take()?;
        let Some(rows) = decl.rows else {
            // Without its rows, the task would be built as one that asks no row.
            let is_said = |said: &Diagnostic| said.severity() == Severity::Error;
            if !matches!(decl.ast.rel.kind, A::Missing) && !self.cx.diagnostics.iter().any(is_said) {
                let said = Diagnostic::new(
                    Code::NOT_CONSTANT,
                    "the rows of `each` cannot be determined",
                    decl.ast.rel.span,
                    "needs a table whose rows are known",
                );
                self.cx.report(said.help("name a table that is read from a file"));
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
