//! From Hir to plan. Cannot fail: whatever could go wrong was said by `check`, and this runs only where it said no error.

use plan::TiVec;
use std::collections::BTreeMap;

use plan::suite as p;
use plan::{Domain, Plan, Value};

use crate::hir;
use crate::types::TyKind;

/// Makes the plan of a suite without errors.
pub fn lower(suite: &hir::Suite) -> Plan {
    let mut lowerer = Lowerer { domains: TiVec::new(), known: BTreeMap::new(), lists: BTreeMap::new() };
    let tasks = suite.tasks.iter().map(|task| lowerer.task(task)).collect();
    Plan { edition: suite.edition, suite: suite.info.clone(), domains: lowerer.domains, tasks }
}

struct Lowerer {
    domains: TiVec<p::DomainId, Domain>,
    /// Where a domain is, by how it prints: equal domains are kept once.
    known: BTreeMap<String, p::DomainId>,
    /// Those of long lists, by where the list is: it stays there as long as the checked suite does.
    lists: BTreeMap<(usize, usize), p::DomainId>,
}

impl Lowerer {
    fn task(&mut self, task: &hir::Task) -> p::Task {
        p::Task {
            name: task.name.clone(),
            span: task.name_span,
            doc: task.doc.clone(),
            samples: task.samples,
            tags: task.tags.clone(),
            axes: task.axes.iter().map(|axis| axis.map(&mut expr)).collect(),
            names: task.names.iter().map(|name| self.name(name)).collect(),
            files: task.files.iter().map(|file| self.file(file)).collect(),
            relations: task.relations.iter().map(|relation| self.relation(relation)).collect(),
            steps: task.steps.clone(),
            requires: task
                .requires
                .iter()
                .map(|condition| p::Require { condition: expr(condition), span: condition.span })
                .collect(),
            folders: task.folders.iter().map(expr).collect(),
            clutter: task.clutter.iter().map(|clutter| clutter.map(&mut expr)).collect(),
            prompt: prompt(&task.prompt),
            expects: task.expects.iter().map(|expect| expect.map(&mut expr)).collect(),
            variants: task.variants.iter().map(|variant| variant_of(variant, &task.expects)).collect(),
        }
    }

    fn name(&mut self, name: &hir::Name) -> p::Name {
        let source = match &name.source {
            hir::NameSource::Draw { draw, group, place } => {
                let draw = p::Draw { unique: draw.distinct, ..self.draw(draw) };
                p::NameSource::Draw { draw, group: group.clone(), place: *place }
            }
            hir::NameSource::Compute(value) | hir::NameSource::Variant(value) => p::NameSource::Compute(expr(value)),
            hir::NameSource::Axis => p::NameSource::Axis,
        };
        p::Name { name: name.name.clone(), span: name.span, source }
    }

    fn relation(&mut self, relation: &hir::Relation) -> p::Relation {
        p::Relation {
            name: relation.name.clone(),
            table: relation.table.clone(),
            span: relation.span,
            file: relation.file,
            rows: relation.rows.map(&mut expr),
            columns: relation
                .columns
                .iter()
                .zip((0..).map(p::ColumnId))
                .map(|(column, id)| p::Column {
                    name: column.name.clone(),
                    span: column.span,
                    // Lists and objects stand in trees alone: no cell holds them.
                    helper: column.helper
                        || matches!(column.ty.kind, TyKind::List(_) | TyKind::Object(_) | TyKind::Rows(_)),
                    value_type: column.ty.stored(),
                    nullable: column.ty.nullable,
                    primary_key: relation.is_primary_key(id),
                    unique: column.source.is_unique(),
                    references: column.references,
                    source: match &column.source {
                        hir::ColumnSource::Draw { draw, group, place, of } => p::ColumnSource::Draw {
                            draw: self.draw(draw),
                            group: group.clone(),
                            place: *place,
                            of: *of,
                        },
                        hir::ColumnSource::Compute(value) => p::ColumnSource::Compute(expr(value)),
                        hir::ColumnSource::Given(given) => p::ColumnSource::Given(given.cells.clone()),
                        hir::ColumnSource::Result(position) => p::ColumnSource::Result(*position),
                    },
                })
                .collect(),
            order: relation.order.clone(),
            constraints: relation.constraints.clone(),
        }
    }

    fn file(&mut self, file: &hir::File) -> p::File {
        let nothing = |_: &()| p::FileContent::ComputedText(p::Expr::Const(Value::Null));
        let content = file.content.map(|draw| self.draw(draw), nothing, &mut expr);
        p::File { name: file.name.clone(), span: file.span, format: file.format, path: expr(&file.path), content }
    }

    fn draw(&mut self, draw: &hir::Draw) -> p::Draw {
        let nothing = |_: &()| p::DomainExpr::OneOf(Vec::new());
        let domain = draw.domain.map(|domain| self.domain(domain), nothing, &mut expr);
        p::Draw {
            domain,
            unique: draw.unique,
            sorted: draw.sorted,
            blank_per_million: draw.blank_per_million,
            except: draw.except.iter().map(expr).collect(),
            span: draw.span,
        }
    }

    fn domain(&mut self, domain: &Domain) -> p::DomainId {
        // A long list is mostly that of a domain of the library, which many draws share.
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
}

fn prompt(wordings: &[hir::Expr]) -> p::Prompt {
    p::Prompt { wordings: wordings.iter().map(expr).collect() }
}

/// A variant answers the task's expects and its own.
fn variant_of(variant: &hir::Variant, task: &[hir::Expect]) -> p::Variant {
    p::Variant {
        name: variant.name.clone(),
        steps: variant.steps.clone(),
        prompt: prompt(&variant.prompt),
        expects: task.iter().chain(&variant.expects).map(|expect| expect.map(&mut expr)).collect(),
        tags: variant.tags.clone(),
    }
}

/// An expression, without its type.
pub(crate) fn expr(source: &hir::Expr) -> p::Expr {
    use hir::ExprKind as K;
    match &source.kind {
        K::Unknown => p::Expr::Const(Value::Null),
        K::Const(value) => p::Expr::Const(value.clone()),
        K::Name(id) => p::Expr::Name(*id),
        K::Column(id) => p::Expr::Column(*id),
        K::OuterColumn(id) => p::Expr::OuterColumn(*id),
        K::FilePath(file) => p::Expr::FilePath(*file),
        K::Sandbox => p::Expr::Sandbox,
        K::Neg(inner) => p::Expr::Neg(Box::new(expr(inner))),
        K::Not(inner) => p::Expr::Not(Box::new(expr(inner))),
        K::Binary(op, sides) => {
            p::Expr::Binary { op: *op, args: Box::new((expr(&sides.0), expr(&sides.1))), span: source.span }
        }
        K::If(parts) => p::Expr::If(Box::new((expr(&parts.0), expr(&parts.1), expr(&parts.2)))),
        K::List(items) => p::Expr::List(items.iter().map(expr).collect()),
        K::Object(fields) => p::Expr::Object(fields.iter().map(|(key, value)| (key.clone(), expr(value))).collect()),
        K::Concat(pieces) => p::Expr::Concat(pieces.iter().map(expr).collect()),
        K::Call(function, args) => p::Expr::Call(Box::new(p::Call {
            function: *function,
            args: args.iter().map(|arg| arg.map(query, &mut expr)).collect(),
            span: source.span,
        })),
    }
}

fn query(sql: &hir::Sql) -> p::Sql {
    p::Sql {
        text: sql.text.clone(),
        scope: match sql.database {
            Some(file) => p::SqlScope::Database(file),
            None => p::SqlScope::Relations(sql.analysis.tables.clone()),
        },
        params: sql.params.iter().map(|(name, value)| (name.clone(), expr(value))).collect(),
        columns: sql.analysis.columns.iter().map(|column| column.value_type).collect(),
        span: sql.span,
    }
}
