//! Lowering of the checked suite to a plan. It cannot fail: `check` has reported all errors, and it runs only for suites without errors.

use std::collections::BTreeMap;

use model::suite as p;
use model::{Domain, Plan, TiVec, Value};

use crate::compared;
use crate::file_forms;
use crate::{self as hir, Checked};

/// Lowers a suite without errors to its plan.
pub fn lower_suite(suite: &hir::Suite) -> Plan {
    let mut lowerer = Lowerer::default();
    let tasks = suite.tasks.iter().map(|task| lowerer.lower_task(task)).collect();
    let lakes = suite.lakes.clone();
    Plan {
        edition: suite.edition,
        suite: suite.info.clone(),
        domains: lowerer.domains,
        lakes,
        tasks,
        asked: model::suite::StageMode::Whole,
    }
}

/// Lowers a single task.
pub fn lower_task(task: &hir::Task) -> p::Task {
    Lowerer::default().lower_task(task)
}

#[derive(Default)]
struct Lowerer {
    domains: TiVec<p::DomainId, Domain>,
    /// The id of each domain, by its debug output, so equal domains are stored once.
    known: BTreeMap<String, p::DomainId>,
    /// The ids of list domains, by the address and length of the list, which stays in place while the checked suite exists.
    lists: BTreeMap<(usize, usize), p::DomainId>,
}

impl Lowerer {
    fn lower_task(&mut self, task: &hir::Task) -> p::Task {
        let mut lowered = task.compile_with(self);
        let columns = lowered.relations.iter_mut().flat_map(|relation| &mut relation.columns);
        for (column, checked) in columns.zip(task.relations.iter().flat_map(|relation| &relation.columns)) {
            // Lists and objects occur only in trees; they cannot be stored in cells.
            column.helper |= !checked.ty.is_scalar();
        }
        let columns: BTreeMap<_, _> = task
            .iter_expects()
            .map(|expect| (expect.span, compared::list_unproven_columns(task, expect)))
            .filter(|(_, columns)| !columns.is_empty())
            .collect();
        if !columns.is_empty() {
            let ways = lowered.variants.iter_mut().map(|variant| &mut variant.expects);
            let stages = lowered.stages.iter_mut().map(|stage| &mut stage.way.expects);
            for expect in lowered.expects.iter_mut().chain(ways.flatten()).chain(stages.flatten()) {
                expect.columns = columns.get(&expect.span).cloned().unwrap_or_default();
            }
        }
        let forms: BTreeMap<_, _> = task
            .iter_expects()
            .filter_map(|expect| Some((expect.span, file_forms::add_file_forms(task, expect)?)))
            .collect();
        let panels: BTreeMap<_, _> =
            task.iter_expects().map(|expect| (expect.span, compared::find_panel(task, expect))).collect();
        let ways = lowered.variants.iter_mut().map(|variant| &mut variant.expects);
        let stages = lowered.stages.iter_mut().map(|stage| &mut stage.way.expects);
        for expect in lowered.expects.iter_mut().chain(ways.flatten()).chain(stages.flatten()) {
            expect.tests.panel = panels.get(&expect.span).cloned().unwrap_or_default();
            if let Some(options) = forms.get(&expect.span) {
                expect.options.clone_from(options);
            }
        }
        lowered
    }
}

impl p::Compile<Checked> for Lowerer {
    fn compile_expr(&mut self, source: &hir::Expr) -> p::Expr {
        lower_expr(source)
    }

    fn compile_domain(&mut self, domain: &Domain) -> p::DomainId {
        // Most long lists belong to a domain of the library that many draws share.
        let list = match domain {
            Domain::OneOf { items } => Some((items.as_ptr() as usize, items.len())),
            _ => None,
        };
        if let Some(known) = list.and_then(|list| self.lists.get(&list)) {
            return *known;
        }
        let printed = format!("{domain:?}");
        let id = *self.known.entry(printed).or_insert_with(|| self.domains.push_and_get_key(domain.clone()));
        self.lists.extend(list.map(|list| (list, id)));
        id
    }

    fn compile_given(&mut self, given: &Box<hir::FixtureColumnData>) -> model::Given {
        given.cells.clone()
    }
}

impl p::CompileRelation<Checked> for Lowerer {
    fn compile_cells(&mut self, relation: &hir::Relation, id: p::ColumnId) -> p::Cells {
        let column = &relation.columns[id];
        p::Cells {
            value_type: column.ty.to_stored_type(),
            nullable: column.ty.nullable,
            primary_key: is_primary_key(relation, id),
            unique: hir::is_unique(&column.source),
        }
    }
}

/// Whether a column is the only key of its table: the first possible one, unless a key is declared.
fn is_primary_key(relation: &hir::Relation, column: p::ColumnId) -> bool {
    let declared = relation.constraints.iter().any(|constraint| constraint.kind == p::ConstraintKind::PrimaryKey);
    let first = relation.columns.position(|column| is_key(&column.source) && !column.helper);
    !declared && first == Some(column)
}

/// Whether a column can be the key of its table if no key is declared: a `serial` column or a fixture's key.
fn is_key(source: &hir::ColumnSource) -> bool {
    match source {
        hir::ColumnSource::Draw { draw, .. } => draw.is_serial() && !draw.may_be_blank(),
        hir::ColumnSource::Given(given) => given.primary_key,
        hir::ColumnSource::Compute(_) | hir::ColumnSource::Result(_) | hir::ColumnSource::Taken(_) => false,
    }
}

/// Lowers an expression, dropping its type.
pub fn lower_expr(source: &hir::Expr) -> p::Expr {
    use hir::ExprKind as K;
    match &source.kind {
        K::Unknown => p::Expr::Const(Value::Null),
        K::Const(value) => p::Expr::Const(value.clone()),
        K::Name(id) => p::Expr::Name(*id),
        K::Column(id) => p::Expr::Column(*id),
        K::OuterColumn(id) => p::Expr::OuterColumn(*id),
        K::FilePath(file) => p::Expr::FilePath(*file),
        K::Folder(path) => p::Expr::Folder(path.clone()),
        K::Sandbox => p::Expr::Sandbox,
        K::Neg(inner) => p::Expr::Neg(Box::new(lower_expr(inner))),
        K::Not(inner) => p::Expr::Not(Box::new(lower_expr(inner))),
        K::Binary(op, sides) => {
            p::Expr::Binary { op: *op, args: Box::new((lower_expr(&sides.0), lower_expr(&sides.1))), span: source.span }
        }
        K::If(parts) => p::Expr::If(Box::new((lower_expr(&parts.0), lower_expr(&parts.1), lower_expr(&parts.2)))),
        K::List(items) => p::Expr::List(items.iter().map(lower_expr).collect()),
        K::Object(fields) => {
            p::Expr::Object(fields.iter().map(|(key, value)| (key.clone(), lower_expr(value))).collect())
        }
        K::Concat(pieces) => p::Expr::Concat(pieces.iter().map(lower_expr).collect()),
        K::Call(function, args) => p::Expr::Call(Box::new(p::Call {
            function: *function,
            args: args.iter().map(|arg| arg.compile_with(lower_query, lower_expr)).collect(),
            span: source.span,
        })),
    }
}

fn lower_query(sql: &hir::Sql) -> p::Sql {
    p::Sql {
        text: sql.text.clone(),
        scope: match sql.database {
            Some(file) => p::SqlScope::Database(file),
            None => p::SqlScope::Relations(sql.analysis.tables.clone()),
        },
        params: sql.params.iter().map(|(name, value)| (name.clone(), lower_expr(value))).collect(),
        columns: sql.analysis.columns.iter().map(|column| column.value_type).collect(),
        span: sql.span,
    }
}
