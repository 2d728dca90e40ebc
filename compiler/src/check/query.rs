//! SQL in placeholders: what it may read, what its parameters are, what it gives.

use plan::suite::{ColumnId, ConstraintKind, FileIx, NameId, RelationId};
use plan::{Domain, ValueType};

use super::counted;
use super::data::{is_unique, stored_type};
use super::task::{ColumnDecl, Entity, Origin, State, TaskChecker};
use crate::ast::{self, Format};
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, ColumnSource, DrawDomain, Expr};
use crate::sql::{self, ParamKind, SqlColumn, SqlRequest, SqlTable};
use crate::suggest;
use crate::types::{Ty, TyKind};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a query for `function`: of one database, or of all relations. Gives the type of its single column (for `rows`, unknown).
    pub fn query(&mut self, function: &str, raw: &'a ast::Raw, database: Option<FileIx>) -> Option<(hir::Sql, Ty)> {
        let relations = self.readable(database, raw);
        self.ready_parameters(raw);
        let tables: Vec<SqlTable<'_>> =
            relations.iter().map(|relation| self.sql_table(*relation, database.is_none())).collect();
        let names: Vec<String> = self
            .scope
            .iter()
            .filter(|(_, entity)| matches!(entity, Entity::Name(_)))
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let scope_name = database.map(|file| self.files[file.0 as usize].ast.name.text.as_str());
        let mut said = Vec::new();
        let param = |name: &str| self.param_kind(name);
        let request =
            SqlRequest { raw, scope_name, tables: &tables, non_sql_relations: &[], param: &param, task_names: &names };
        let analysis = sql::analyse(&request, self.cx.host.sqlite(), &mut said);
        let read = analysis.tables.clone();
        let meant = analysis.meant.iter().filter_map(|(at, meant)| Some((*at, target(&tables, *meant)?)));
        let meant: Vec<_> = meant.collect();
        drop(tables);
        for (at, target) in meant {
            match target {
                Target::Declared(span) => self.cx.refer(at, span),
                Target::File(name) => {
                    if let Some(entity) = self.scope.get(name.as_str()).copied() {
                        self.refer_entity(at, entity);
                    }
                }
            }
        }
        self.refer_parameters(raw);
        for diagnostic in said {
            self.cx.say(diagnostic);
        }
        for relation in &relations {
            self.relations[relation.0 as usize].used = true;
        }
        let params = self.bind(&analysis.params);
        if !analysis.ok {
            return None;
        }
        let single = function != "rows";
        if single && analysis.columns.len() != 1 {
            self.cx.say(
                Diagnostic::new(
                    Code::SQL_SHAPE,
                    format!(
                        "`{function}` takes a query of one column; this one gives {}",
                        counted(analysis.columns.len() as u32, "column")
                    ),
                    raw.span,
                    "not one column",
                )
                .help("select the one value that is the answer; for a result set use <<rows: …>>"),
            );
            return None;
        }
        let list = function == "list";
        if single && !list && analysis.understood && !analysis.at_most_one_row {
            self.cx.say(
                Diagnostic::new(Code::SQL_SHAPE, format!("this query may give several rows, and `{function}` takes one"), raw.span, "not surely one row")
                    .help("use an aggregate, compare a unique column with one value, or add: ORDER BY … LIMIT 1. All values: <<list: SELECT …>>"),
            );
            return None;
        }
        if function == "rows" {
            let twice = analysis.columns.iter().enumerate().find(|(index, column)| {
                analysis.columns[..*index].iter().any(|earlier| earlier.name.eq_ignore_ascii_case(&column.name))
            });
            if let Some((_, column)) = twice {
                let name = column.name.clone();
                self.cx.say(
                    Diagnostic::new(
                        Code::SQL_SHAPE,
                        format!("two columns of this query are named `{name}`"),
                        raw.span,
                        "which is which?",
                    )
                    .help("give each its own name: SELECT a AS x, b AS y …"),
                );
                return None;
            }
        }
        let ty = match analysis.columns.first() {
            Some(column) if single => {
                let kind = column.value_type.map_or(TyKind::Unknown, |value_type| Ty::from(value_type).kind);
                Ty { kind, nullable: column.nullable || (!list && !analysis.always_a_row) }
            }
            _ if function == "rows" => Ty::of(TyKind::Rows(
                analysis
                    .columns
                    .iter()
                    .map(|column| {
                        let kind = column.value_type.map_or(TyKind::Unknown, |value_type| Ty::from(value_type).kind);
                        (column.name.clone(), Ty { kind, nullable: column.nullable })
                    })
                    .collect(),
            )),
            _ => Ty::UNKNOWN,
        };
        let readable = relations.clone();
        // Only what is read needs to be there, where that is known.
        let needed: Vec<RelationId> = if read.is_empty() {
            relations
        } else {
            read.iter().filter_map(|at| relations.get(*at).copied()).collect()
        };
        for relation in needed.iter().filter_map(|relation| self.relations.get(relation.0 as usize)) {
            if let Some(file) = relation.file.and_then(|file| self.files.get_mut(file.0 as usize)) {
                file.used = true;
            }
            // A result set goes by a name of the task.
            if let Origin::Query(name) = relation.origin {
                self.names[name.0 as usize].used = true;
            }
        }
        let whole = analysis.whole.as_ref().and_then(|whole| {
            let relation = *readable.get(whole.table)?;
            let declared = (0..).map(ColumnId).zip(&self.relations.get(relation.0 as usize)?.columns);
            let Some(at) = whole.column else { return Some((whole.function, relation, None)) };
            let (column, declared) = declared.filter(|(_, column)| !in_sql_hidden(column)).nth(at)?;
            // MIN of a bool is a number, say: then nothing is known.
            let given = analysis.columns.first()?.value_type;
            let alike = whole.function == "count" || given == declared.ty.value_type();
            alike.then_some((whole.function, relation, Some(column)))
        });
        let sql = hir::Sql {
            text: raw.text.clone(),
            database,
            relations: if database.is_some() { Vec::new() } else { needed },
            params,
            columns: analysis.columns.iter().map(|column| column.value_type).collect(),
            whole,
            one_row: analysis.understood && analysis.always_a_row && analysis.at_most_one_row,
            span: raw.span,
        };
        Some((sql, ty))
    }

    /// The relations that a query may read, made first. Those still being made (the query stands in their own declaration) are left
    /// out, unless the query names them: then it is a cycle.
    fn readable(&mut self, database: Option<FileIx>, raw: &ast::Raw) -> Vec<RelationId> {
        let mut readable = Vec::new();
        let lower = raw.text.to_lowercase();
        if database.is_none() {
            let sets: Vec<NameId> = self
                .scope
                .iter()
                .filter_map(|(name, entity)| match entity {
                    Entity::Name(id) if lower.contains(&name.to_lowercase()) => Some(*id),
                    _ => None,
                })
                .filter(|id| self.is_result_set(*id) && self.names[id.0 as usize].state != State::Doing)
                .collect();
            for name in sets {
                self.ensure_name(name, Some(raw.span));
                self.result_set(name, raw.span);
            }
        }
        for index in 0..self.relations.len() {
            let id = RelationId(index as u32);
            let decl = &self.relations[index];
            if database.is_some_and(|file| decl.file != Some(file)) {
                continue;
            }
            if database.is_none() && !lower.contains(&decl.ident.text.to_lowercase()) {
                continue;
            }
            // A table has columns.
            if decl.columns.iter().all(|column| column.helper) {
                continue;
            }
            self.ensure_relation(id, Some(raw.span));
            // Nor is there one of lists and objects alone.
            if !self.relations[id.0 as usize].columns.iter().all(in_sql_hidden) {
                readable.push(id);
            }
        }
        readable
    }

    fn sql_table(&self, id: RelationId, all: bool) -> SqlTable<'_> {
        let decl = &self.relations[id.0 as usize];
        let sqlite = decl.format == Some(Format::Sqlite);
        let in_file = decl.name != decl.ident.text;
        let database =
            decl.file.filter(|_| all && in_file).map(|file| self.files[file.0 as usize].ast.name.text.as_str());
        // A declared key takes the place of a `serial` column.
        let mut serial_seen = decl.constraints.iter().any(|constraint| constraint.kind == ConstraintKind::PrimaryKey);
        let columns = decl
            .columns
            .iter()
            .filter(|column| !in_sql_hidden(column))
            .map(|column| {
                let serial = matches!(
                    &column.source,
                    Some(ColumnSource::Draw { draw, .. }) if draw.domain == DrawDomain::Fixed(Domain::Serial) && draw.blank_per_million == 0
                );
                let declared = matches!(&column.source, Some(ColumnSource::Given(given)) if given.primary_key);
                let primary_key = sqlite && (declared || (serial && !serial_seen));
                serial_seen |= serial;
                SqlColumn {
                    name: &column.ident.text,
                    span: column.ident.span,
                    // To decimals of unknown places nothing can be snapped back: they stay SQLite's doubles.
                    value_type: match column.ty.kind {
                        TyKind::Decimal(None) => Some(ValueType::Float),
                        TyKind::Unknown => None,
                        _ => Some(stored_type(&column.ty)),
                    },
                    nullable: column.ty.nullable,
                    primary_key,
                    unique: column.source.as_ref().is_some_and(is_unique),
                    references: column.references.map(|(relation, column)| {
                        let target = &self.relations[relation.0 as usize];
                        (target.ident.text.as_str(), target.columns[column.0 as usize].ident.text.as_str())
                    }),
                    closed: match &column.source {
                        Some(ColumnSource::Draw { draw, .. }) => match &draw.domain {
                            DrawDomain::Fixed(domain @ (Domain::OneOf { .. } | Domain::Weighted { .. })) => domain.closed(),
                            _ => None,
                        },
                        _ => None,
                    },
                }
            })
            .collect();
        let hidden = decl
            .columns
            .iter()
            .filter(|column| in_sql_hidden(column))
            .map(|column| column.ident.text.as_str())
            .collect();
        let (least, most) = self.row_bounds(id);
        let rows = (least.max(0) as u64, if most == i64::MAX { u64::MAX } else { most.max(0) as u64 });
        let keys = self.written_keys(id);
        SqlTable { database, name: &decl.ident.text, span: decl.ident.span, columns, hidden, keys, rows }
    }

    /// Checks the names that a query takes as parameters, so that their types are known while it is analysed.
    fn ready_parameters(&mut self, raw: &ast::Raw) {
        for (name, span) in sql::named_parameters(raw) {
            if let Some(Entity::Name(id)) = self.scope.get(name).copied() {
                self.ensure_name(id, Some(span));
            }
        }
    }

    /// Takes note of what the parameters of a query mean.
    fn refer_parameters(&mut self, raw: &ast::Raw) {
        for (name, span) in sql::named_parameters(raw) {
            // Behind the colon.
            let at = plan::Span { start: span.start.saturating_add(1).min(span.end), ..span };
            if let Some(entity) = self.scope.get(name).copied() {
                self.refer_entity(at, entity);
            } else if let Some(row) = self.row
                && let Some(column) = self.column_named(row, name)
            {
                self.refer_column(at, row, column);
            } else {
                self.cx.constant(name, Some(at));
            }
        }
    }

    /// What `:name` stands for.
    fn param_kind(&self, name: &str) -> ParamKind {
        match self.scope.get(name) {
            Some(Entity::Name(id)) => param_of(&self.names[id.0 as usize].ty),
            Some(Entity::File(_)) => ParamKind::File,
            Some(Entity::Relation(_)) => ParamKind::Relation,
            None => match self.cx.constants.get(name) {
                Some(constant) => param_of(&constant.ty),
                None if self.row.is_some_and(|row| self.column_named(row, name).is_some()) => {
                    ParamKind::Value { value_type: None, nullable: true }
                }
                None => {
                    let values = self
                        .scope
                        .iter()
                        .filter(|(_, entity)| matches!(entity, Entity::Name(_)))
                        .map(|(name, _)| *name);
                    ParamKind::Unknown {
                        suggestion: suggest::best(name, values.chain(self.cx.constants.keys().copied())),
                    }
                }
            },
        }
    }

    /// The values of the parameters.
    fn bind(&mut self, params: &[(String, plan::Span)]) -> Vec<(String, Expr)> {
        let mut bound: Vec<(String, Expr)> = Vec::new();
        for (name, span) in params {
            if bound.iter().any(|(known, _)| known == name) {
                continue;
            }
            let row_column = self.row.and_then(|row| self.column_named(row, name).map(|column| (row, column)));
            let value = match (self.scope.get(name.as_str()).copied(), row_column) {
                (Some(Entity::Name(id)), _) => {
                    self.ensure_name(id, Some(*span));
                    self.names[id.0 as usize].used = true;
                    let ty = self.names[id.0 as usize].ty.clone();
                    Expr { kind: hir::ExprKind::Name(id), ty, span: *span }
                }
                (None, Some((relation, column))) => {
                    self.ensure_column(relation, column, Some(*span));
                    let ty = self.relations[relation.0 as usize].columns[column.0 as usize].ty.clone();
                    Expr { kind: hir::ExprKind::Column(column), ty, span: *span }
                }
                (None, None) => match self.cx.constant(name, None) {
                    Some(constant) => Expr { span: *span, ..constant },
                    None => continue,
                },
                _ => continue,
            };
            bound.push((name.clone(), value));
        }
        bound
    }
}

/// Where what a name of a query means is declared.
enum Target {
    /// Here.
    Declared(plan::Span),
    /// With the file of this name.
    File(String),
}

fn target(tables: &[SqlTable<'_>], meant: sql::Meant) -> Option<Target> {
    Some(match meant {
        sql::Meant::Table(table) => Target::Declared(tables.get(table)?.span),
        sql::Meant::Column(table, column) => Target::Declared(tables.get(table)?.columns.get(column)?.span),
        sql::Meant::Database(table) => Target::File(tables.get(table)?.database?.to_owned()),
    })
}

/// What a value of this type is as a parameter.
fn param_of(ty: &Ty) -> ParamKind {
    match ty.kind {
        TyKind::List(_) | TyKind::Object(_) | TyKind::Rows(_) => ParamKind::List,
        _ => ParamKind::Value { value_type: ty.value_type(), nullable: ty.nullable },
    }
}

/// Whether SQL does not see a column: helpers, and what holds lists or objects.
fn in_sql_hidden(column: &ColumnDecl<'_>) -> bool {
    column.helper || matches!(column.ty.kind, TyKind::List(_) | TyKind::Object(_) | TyKind::Rows(_))
}
