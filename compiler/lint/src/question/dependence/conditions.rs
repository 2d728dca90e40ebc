//! The constants by which an answer chooses rows or computes values: in `where`, in `if`, in functions that search, in JSONPath, and in SQL.

use std::collections::BTreeSet;

use model::suite::{ColumnId, NameId, Op, PathQuery, RelationId, Scope};
use model::{Span, Value};

use super::factors::list_path_numbers;
use super::hints::is_structural;
use hir::paths::leaf::Source;
use hir::types::TyKind;
use hir::{Arg, ColumnSource, Expr, ExprKind, FileContent, Sql, Task};
use sql::predicates::{Atom, Operand, Side, Test};
use sql::terms::Term;
use syntax::diagnostics::Code;

/// A constant in an answer.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its value.
    pub value: Value,
    /// How it is used.
    pub used: Used,
    /// Its place.
    pub span: Span,
    /// Whether rows with it are left out: `!=`, `not in`.
    pub is_excluded: bool,
}

/// How an answer uses a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Used {
    /// It is compared with this column, or with something else.
    Compared(Option<(RelationId, ColumnId)>),
    /// A column of bools is a condition by itself.
    Flag((RelationId, ColumnId)),
    /// It is a term or a factor.
    Computed,
    /// It is one of the numbers among which CASE or `if` chooses the limit of a comparison; this is the place of the choice.
    Chosen(Span),
}

/// Collects the constants of answers, except in names whose values the prompt contains.
pub fn collect_constants<'a>(task: &'a Task, answers: &[&'a Expr], told: &BTreeSet<NameId>) -> Vec<Constant> {
    let mut collector = Collector {
        task,
        told: told.clone(),
        seen: told.clone(),
        columns: BTreeSet::new(),
        open: Vec::new(),
        found: Vec::new(),
    };
    collector.open.extend(answers.iter().map(|answer| (*answer, Scope::default())));
    while let Some((expr, scope)) = collector.open.pop() {
        expr.visit_with_scope(scope, &mut |part, scope| collector.note_part(part, scope));
    }
    let mut found = collector.found;
    found.sort_by_key(|constant| constant.span);
    found
}

pub(super) struct Collector<'a> {
    task: &'a Task,
    /// The names whose values the prompt contains.
    told: BTreeSet<NameId>,
    seen: BTreeSet<NameId>,
    columns: BTreeSet<(RelationId, ColumnId)>,
    open: Vec<(&'a Expr, Scope)>,
    pub(super) found: Vec<Constant>,
}

impl<'a> Collector<'a> {
    fn note_part(&mut self, part: &'a Expr, scope: Scope) {
        match &part.kind {
            ExprKind::Name(id) if self.seen.insert(*id) => {
                self.open.extend(self.task.find_computed(*id).map(|value| (value, Scope::default())));
            }
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
                part.find_cell(scope).into_iter().for_each(|place| self.note_column(place));
            }
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div), sides) => {
                self.note_arithmetic(*op, &sides.0, &sides.1);
            }
            ExprKind::Binary(Op::And | Op::Or, _) => {}
            ExprKind::Binary(op, sides) => {
                let before = self.found.len();
                self.note_comparison(&sides.0, &sides.1, scope);
                let is_excluded = matches!(op, Op::Ne | Op::NotIn);
                self.found.iter_mut().skip(before).for_each(|constant| constant.is_excluded = is_excluded);
                [&sides.0, &sides.1].into_iter().for_each(|side| self.note_choice(self.resolve_helper(side, scope)));
            }
            ExprKind::Call(function, args) => {
                for (at, arg) in args.iter().enumerate() {
                    if let Arg::Column { relation, column, .. } = arg {
                        self.note_column((*relation, *column));
                    }
                    match arg {
                        Arg::Relation { relation, filter: Some(filter) }
                        | Arg::Column { relation, filter: Some(filter), .. }
                        | Arg::Each { relation, filter: Some(filter), .. } => {
                            self.note_flags(filter, scope.enter_filter(*relation));
                        }
                        Arg::Value(value) if function.sought == Some(at) || at > 0 && part.ty.kind == TyKind::Bool => {
                            let column = self.find_only_column(part, scope);
                            if let Some(known) = value.as_constant().filter(|_| column.is_some()) {
                                // Such as the beginning of a text: no cell has to be that text.
                                let column = column.filter(|_| function.sought == Some(at));
                                self.add(known, Used::Compared(column), value.span);
                            }
                        }
                        Arg::Value(value) if function.can_run_sql() => self.note_gold(args, value),
                        Arg::Sql(sql) => self.note_sql(sql, ColumnsKnown::Yes),
                        Arg::Path(path) => self.note_path(path),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn note_column(&mut self, place: (RelationId, ColumnId)) {
        if !self.columns.insert(place) {
            return;
        }
        let Some(relation) = self.task.relations.get(place.0) else { return };
        let Some(column) = relation.columns.get(place.1) else { return };
        // A written column is read as it is.
        if (relation.file.is_none() || column.helper)
            && let ColumnSource::Compute(value) = &column.source
        {
            self.open.push((value, Scope::with_row(place.0)));
            self.note_choice(value);
        }
    }

    /// Notes the columns of bools that are conditions by themselves.
    fn note_flags(&mut self, filter: &Expr, scope: Scope) {
        let mut open = vec![filter];
        while let Some(part) = open.pop() {
            match &part.kind {
                ExprKind::Binary(Op::And | Op::Or, sides) => open.extend([&sides.0, &sides.1]),
                ExprKind::Not(inner) => open.push(inner),
                ExprKind::Column(_) => {
                    let place = part.find_cell(scope);
                    let flag = place.map(|place| Constant {
                        value: Value::Bool(true),
                        used: Used::Flag(place),
                        span: part.span,
                        is_excluded: false,
                    });
                    self.found.extend(flag);
                }
                _ => {}
            }
        }
    }

    fn note_comparison(&mut self, left: &'a Expr, right: &'a Expr, scope: Scope) {
        let (a, b) = (self.resolve_constant(left), self.resolve_constant(right));
        let (subject, constant, span) = match (a.as_constant(), b.as_constant()) {
            (None, Some(_)) => (left, b, right.span),
            (Some(_), None) => (right, a, left.span),
            _ => return,
        };
        let column = self.find_only_column(subject, scope);
        if column.is_none() && !self.is_data(subject) {
            return;
        }
        for value in constant.as_constant_items().unwrap_or_default() {
            self.add(value, Used::Compared(column), span);
        }
    }

    /// Returns the constant that a name is, unless the prompt contains its value.
    fn resolve_constant(&self, side: &'a Expr) -> &'a Expr {
        let ExprKind::Name(id) = side.kind else { return side };
        let value = self.task.find_computed(id).filter(|value| value.as_constant().is_some());
        value.filter(|_| !self.told.contains(&id)).unwrap_or(side)
    }

    /// Returns the value of a name, or of a computed column that is in no file.
    fn resolve_helper(&self, side: &'a Expr, scope: Scope) -> &'a Expr {
        let side = side.resolve_name(self.task);
        let Some(place) = side.find_cell(scope) else { return side };
        let is_hidden = self.task.relations.get(place.0).is_some_and(|own| own.file.is_none());
        match self.task.find_column(place).map(|column| (&column.source, column.helper)) {
            Some((ColumnSource::Compute(value), helper)) if helper || is_hidden => value,
            _ => side,
        }
    }

    /// Notes the numbers among which `if` chooses a limit.
    fn note_choice(&mut self, limit: &'a Expr) {
        let ExprKind::If(_) = &limit.kind else { return };
        let mut open = vec![limit];
        while let Some(part) = open.pop() {
            match &part.kind {
                ExprKind::If(parts) => open.extend([&parts.1, &parts.2]),
                ExprKind::Const(value) => self.add(value, Used::Chosen(limit.span), part.span),
                _ => {}
            }
        }
    }

    /// Notes the numbers among which CASE chooses a limit.
    fn note_sql_choice(&mut self, side: &Operand) {
        let Side::Computed(term) = &side.value else { return };
        let Term::Case(branches, otherwise) = term.as_ref() else { return };
        for result in branches.iter().map(|(_, result)| result).chain([otherwise.as_ref()]) {
            if let Term::Literal(value) = result {
                self.add(value, Used::Chosen(side.span), side.span);
            }
        }
    }

    fn note_arithmetic(&mut self, op: Op, left: &'a Expr, right: &'a Expr) {
        let (a, b) = (self.resolve_constant(left), self.resolve_constant(right));
        let (constant, span) = match (a.as_constant(), b.as_constant()) {
            (None, Some(constant)) => (constant, right.span),
            (Some(constant), None) if op != Op::Sub => (constant, left.span),
            _ => return,
        };
        if constant.as_f64().is_some() {
            self.add(constant, Used::Computed, span);
        }
    }

    pub(super) fn add(&mut self, value: &Value, used: Used, span: Span) {
        let is_plain = match value {
            Value::Int(number) => number.unsigned_abs() <= 1,
            Value::Text(text) => text.trim().is_empty(),
            Value::Float(_) | Value::Decimal(_) => value.as_f64().is_some_and(|number| number == 0.0 || number == 1.0),
            Value::Date(_) | Value::DateTime(_) => false,
            Value::Bool(_) => {
                if let Used::Compared(Some(column)) = used {
                    self.found.push(Constant {
                        value: value.clone(),
                        used: Used::Flag(column),
                        span,
                        is_excluded: false,
                    });
                }
                true
            }
            _ => true,
        };
        // The agent does not see a helper column; the wording describes what follows from it.
        let is_helper = match used {
            Used::Compared(Some(place)) | Used::Flag(place) => {
                self.task.find_column(place).is_some_and(|column| column.helper)
            }
            _ => false,
        };
        if !is_plain && !is_helper {
            self.found.push(Constant { value: value.clone(), used, span, is_excluded: false });
        }
    }

    /// Returns the only column that an expression reads, in the rows in scope.
    fn find_only_column(&self, expr: &Expr, scope: Scope) -> Option<(RelationId, ColumnId)> {
        let mut columns = BTreeSet::new();
        expr.visit_with_scope(scope, &mut |part, scope| columns.extend(part.find_cell(scope)));
        columns.first().copied().filter(|_| columns.len() == 1)
    }

    /// Checks whether a value is computed from tables or files.
    fn is_data(&self, expr: &Expr) -> bool {
        expr.has_part_through_names(self.task, |part| match &part.kind {
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => true,
            ExprKind::Call(_, args) => args.iter().any(|arg| !matches!(arg, Arg::Value(_))),
            _ => false,
        })
    }

    /// Notes the constants of a query that is a text of the source.
    fn note_gold(&mut self, args: &[Arg], value: &Expr) {
        let drawn = args.iter().any(|arg| match arg {
            Arg::File(file) => {
                let content = self.task.files.get(*file).map(|file| &file.content);
                matches!(content, Some(FileContent::Sqlite { .. }))
            }
            _ => false,
        });
        let known = if drawn { ColumnsKnown::Yes } else { ColumnsKnown::No };
        let task = self.task;
        for gold in task.notes.gold.iter().filter(|gold| gold.span == value.span && !gold.text.is_empty()) {
            self.note_sql(gold, known);
        }
    }

    fn note_sql(&mut self, sql: &'a Sql, known: ColumnsKnown) {
        // What a table of WITH compares that is never read does not count, and is reported as such.
        if sql.analysis.odd.findings.iter().any(|finding| finding.said.code == Code::UNUSED_CTE) {
            return;
        }
        for atom in &sql.analysis.predicates.atoms {
            let before = self.found.len();
            self.note_atom(sql, atom, known);
            let is_excluded = matches!(atom.test, Test::Compare(Op::Ne, ..));
            self.found.iter_mut().skip(before).for_each(|constant| constant.is_excluded = is_excluded);
        }
        self.note_sql_factors(sql);
        self.note_sql_choices(sql);
    }

    fn note_atom(&mut self, sql: &'a Sql, atom: &'a Atom, known: ColumnsKnown) {
        if let Test::Compare(_, left, right) = &atom.test {
            [left, right].into_iter().for_each(|side| self.note_sql_choice(side));
        }
        for (column, operand) in list_compared(atom) {
            let column = column.filter(|_| known == ColumnsKnown::Yes);
            let value = match (&operand.value, &atom.test) {
                (_, Test::Like { text, .. }) => Value::from_text(text.trim_matches('%')),
                (Side::Literal(value), _) => value.clone(),
                (Side::Param(name), _) => {
                    if let Some(value) = sql.find_param(name).and_then(Expr::as_constant) {
                        self.add(value, Used::Compared(column), operand.span);
                    }
                    continue;
                }
                _ => continue,
            };
            // Numbers of months and days, as `strftime` has them.
            let is_part = column.is_none()
                && value.render_text().trim_start_matches('0').parse::<u32>().is_ok_and(|number| number <= 31);
            let flag = column.filter(|_| is_flag(&value)).filter(|place| self.is_bool(*place));
            match flag {
                Some(place) => {
                    self.found.push(Constant { value, used: Used::Flag(place), span: operand.span, is_excluded: false })
                }
                None if !is_part => self.add(&value, Used::Compared(column), operand.span),
                None => {}
            }
        }
    }

    /// Notes the constants in the filters of a JSONPath or XPath.
    fn note_path(&mut self, path: &PathQuery) {
        let task = self.task;
        for test in task.notes.path_tests.iter().filter(|test| path.span.is_enclosing(test.literal)) {
            let is_possible = |source: &Source| match source {
                Source::Texts(texts) => texts.contains(&test.text),
                _ => true,
            };
            // The text of a bool is told by the name of its key.
            if !test.sources.iter().any(is_possible) || ["true", "false"].contains(&test.text.as_str()) {
                continue;
            }
            let column = test.sources.iter().find_map(|source| match source {
                Source::Cells(relation, column) => Some((*relation, *column)),
                _ => None,
            });
            self.add(&Value::from_text(test.text.as_str()), Used::Compared(column), test.literal);
        }
        for (number, place) in list_path_numbers(path) {
            self.add(&Value::Decimal(number), Used::Compared(None), place);
        }
    }

    fn is_bool(&self, place: (RelationId, ColumnId)) -> bool {
        self.task.find_column(place).is_some_and(|column| column.ty.kind == TyKind::Bool)
    }
}

/// Whether the columns of a query are those of the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnsKnown {
    Yes,
    No,
}

/// Lists the operands with which a comparison compares, each with the column that it compares.
fn list_compared(atom: &Atom) -> Vec<(Option<(RelationId, ColumnId)>, &Operand)> {
    let column = |operand: &Operand| match operand.value {
        Side::Column { relation, column, .. } => Some((relation, column)),
        _ => None,
    };
    match &atom.test {
        Test::Compare(_, left, right) => vec![(column(left), right), (column(right), left)],
        Test::Between { value, low, high } => vec![(column(value), low), (column(value), high)],
        Test::In { value, items } => items.iter().map(|item| (column(value), item)).collect(),
        Test::Like { value, .. } => vec![(column(value), value)],
        Test::When { .. } | Test::Null { .. } | Test::Other { .. } => Vec::new(),
    }
}

fn is_flag(value: &Value) -> bool {
    matches!(value, Value::Int(0 | 1) | Value::Bool(_))
}

/// Checks whether a number in a formula is one that a reader must be told.
pub fn is_telling_number(value: &Value) -> bool {
    value.as_decimal().or_else(|| value.render_text().parse().ok()).is_some_and(|number| !is_structural(number))
}
