//! `outer_blanks`: texts of a column that the answer reads differ only in spaces at their ends, so they are different values.

use std::collections::{BTreeMap, BTreeSet};

use model::functions::{FunctionId, Inputs, Kernel};
use model::suite::{ColumnId, DomainExpr, NameId, RelationId, Scope};
use model::{Span, Val, Value};

use super::context::{TaskCx, report_once};
use hir::{Arg, ColumnSource, Expr, ExprKind, Rows};
use syntax::diagnostics::{Code, Diagnostic};

type Column = (RelationId, ColumnId);

pub(super) fn report_outer_blanks(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    for place in collect_read_columns(cx) {
        let (Some(relation), Some(column)) = (task.relations.get(place.0), task.find_column(place)) else { continue };
        let ColumnSource::Given(given) = &column.source else { continue };
        let Some(found) = find_blank_variants(&given.cells.values).filter(|_| !given.odd) else { continue };
        let name = format!("{}.{}", relation.name, column.name);
        let label = match found.cells {
            1 => "1 field has such blanks".to_owned(),
            cells => format!("{} fields have such blanks", model::value::group_digits(cells as u64)),
        };
        let new = Diagnostic::new(
            Code::OUTER_BLANKS,
            format!("texts of `{name}` differ only in blanks at their ends"),
            column.span,
            label,
        )
        .note(format!("{:?} and {:?} are two values", found.one, found.other))
        .help(format!("if they mean the same, compute a column without them and use that: X = trim({})", column.name));
        // Every task has the views of the suite.
        report_once(new, said);
    }
}

/// Two texts that differ only in spaces at their ends.
struct Alike {
    one: String,
    other: String,
    /// The number of cells that have such spaces, and for which another cell differs only in them.
    cells: usize,
}

fn find_blank_variants(values: &[Value]) -> Option<Alike> {
    let texts = || values.iter().filter_map(Value::as_text);
    let has_blanks = |text: &str| text.trim().len() < text.len();
    // Most columns contain no such text.
    let inner: BTreeSet<&str> = texts().filter(|text| has_blanks(text)).map(str::trim).collect();
    if inner.is_empty() {
        return None;
    }
    let mut forms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for text in texts().filter(|text| inner.contains(text.trim())) {
        forms.entry(text.trim()).or_default().insert(text);
    }
    forms.retain(|_, forms| forms.len() > 1);
    let mut first = forms.values().next()?.iter();
    let (one, other) = (first.next()?, first.next()?);
    let cells = texts().filter(|text| has_blanks(text) && forms.contains_key(text.trim())).count();
    Some(Alike { one: (*one).to_owned(), other: (*other).to_owned(), cells })
}

/// Collects the columns that the answers read, except those that they only read through functions that ignore outer spaces.
fn collect_read_columns(cx: &TaskCx<'_>) -> BTreeSet<Column> {
    let mut reader = Reader { task: cx.task, names: BTreeSet::new(), columns: BTreeSet::new() };
    for asked in cx.list_questions() {
        asked.iter_answers().for_each(|answer| reader.visit_expr(answer, Scope::default()));
    }
    reader.columns
}

struct Reader<'a> {
    task: &'a hir::Task,
    /// Names that have been visited.
    names: BTreeSet<NameId>,
    columns: BTreeSet<Column>,
}

impl<'a> Reader<'a> {
    fn visit_expr(&mut self, expr: &'a Expr, scope: Scope) {
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        let mut tidied: BTreeSet<Span> = BTreeSet::new();
        // A call is visited before its arguments.
        expr.visit_with_scope(scope, &mut |part, scope| match &part.kind {
            ExprKind::Name(id) => names.push(*id),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) if !tidied.contains(&part.span) => {
                columns.extend(part.find_cell(scope));
            }
            ExprKind::Call(function, args) => {
                for arg in args {
                    match arg {
                        Arg::Value(inner) if args.len() == 1 && is_blank_insensitive(*function) => {
                            tidied.insert(inner.span);
                        }
                        Arg::Column { relation, column, .. } => columns.push((*relation, *column)),
                        Arg::Sql(sql) => columns.extend(sql.analysis.reads.iter().copied()),
                        _ => {}
                    }
                }
            }
            _ => {}
        });
        names.into_iter().for_each(|id| self.visit_name(id));
        columns.into_iter().for_each(|column| self.visit_column(column));
    }

    fn visit_name(&mut self, id: NameId) {
        let task = self.task;
        if !self.names.insert(id) {
            return;
        }
        match task.names.get(id).map(|name| &name.source) {
            Some(hir::NameSource::Compute(value)) => self.visit_expr(value, Scope::default()),
            Some(source) => self.visit_draw(source.draw()),
            None => {}
        }
    }

    fn visit_column(&mut self, column: Column) {
        let task = self.task;
        let Some(relation) = task.relations.get(column.0) else { return };
        if !self.columns.insert(column) {
            return;
        }
        match (task.find_column(column).map(|column| &column.source), &relation.rows) {
            (Some(ColumnSource::Taken(other)), Rows::Taken { from, .. }) => self.visit_column((*from, *other)),
            (Some(ColumnSource::Compute(value)), _) => self.visit_expr(value, Scope::with_row(column.0)),
            (Some(ColumnSource::Result(_)), Rows::Query(name)) => self.visit_name(*name),
            (source, _) => self.visit_draw(source.and_then(ColumnSource::draw)),
        }
    }

    fn visit_draw(&mut self, draw: Option<&hir::Draw>) {
        if let Some(DomainExpr::Ref { relation, column, .. }) = draw.map(|draw| &draw.domain) {
            self.visit_column((*relation, *column));
        }
    }
}

/// Checks whether the result of a function is the same with and without spaces at the ends of a text.
fn is_blank_insensitive(function: FunctionId) -> bool {
    let Kernel::Values(kernel) = function.kernel else { return false };
    let of = |text: &str| {
        let value = Value::from_text(text);
        kernel(Inputs { function: function.name, values: vec![Val::Ref(&value)] }).ok().map(Val::into_value)
    };
    // A text with letters, digits, and an inner space. If the function returns the same for other letters and digits, the test is meaningless.
    let plain = of("aZ 7");
    plain.is_some() && plain != of("bY 8") && [" aZ 7", "aZ 7 ", "\taZ 7 \u{a0}"].iter().all(|text| of(text) == plain)
}
