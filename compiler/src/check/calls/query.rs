//! SQL in placeholders: what it may read, what its parameters are, what it gives.

use std::sync::Arc;

use plan::functions::{FunctionId, QueryResult};
use plan::suite::{ColumnId, ConstraintKind, FileId, NameId, RelationId};
use plan::{Domain, ValueType};

use crate::ast::{self, Format};
use crate::check::model::{Origin, Private, TaskChecker};
use crate::check::say::counted;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, ColumnSource, DrawDomain, Entity, Expr};
use crate::sql::{self, Candidate, ParamKind, SqlAnalysis, SqlColumn, SqlRequest, SqlTable, SqlText, Whole};
use crate::suggest;
use crate::types::{StateOf, Ty, TyKind};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a query for `function`: of one database, or of all relations. Gives the type of its single column (for `rows`, unknown).
    pub fn query(
        &mut self,
        function: FunctionId,
        raw: &'a ast::Raw,
        database: Option<FileId>,
    ) -> Option<(hir::Sql, Ty)> {
        let text = SqlText::of(raw);
        let relations = self.readable(database, (raw, &text), false)?;
        self.ready_parameters(&text);
        let (mut analysis, mut said, mut meant) = self.analysed(&text, database, &relations);
        if !analysis.ok && self.with_columns().iter().any(|id| self.is_elsewhere(*id, database, &relations)) {
            // What else there is helps to say what is meant, where that changes nothing but the words.
            let mut every = self.with_columns();
            every.retain(|id| database.is_none() || self.relations[*id].file == database);
            let (again, better, targets) = self.analysed(&text, database, &every);
            if !again.ok && places(&better) == places(&said) {
                (analysis, said, meant) = (again, better, targets);
            }
        }
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
        self.refer_parameters(&text);
        for diagnostic in said {
            self.cx.say(diagnostic);
        }
        for relation in &relations {
            self.used.insert(Entity::Relation(*relation));
        }
        let params = self.bind(&analysis.params);
        if !analysis.ok {
            return None;
        }
        let single = function.query != Some(QueryResult::Rows);
        if single && analysis.columns.len() != 1 {
            self.cx.say(
                Diagnostic::new(
                    Code::SQL_SHAPE,
                    format!(
                        "`{function}` needs a query with one column, but this one has {}",
                        counted(analysis.columns.len() as u32, "column")
                    ),
                    raw.span,
                    "not one column",
                )
                .help("select one column, or use <<rows: …>> for a result set"),
            );
            return None;
        }
        let list = function.query == Some(QueryResult::List);
        if single && !list && analysis.understood && !analysis.at_most_one_row {
            self.cx.say(
                Diagnostic::new(Code::SQL_SHAPE, format!("the query can return several rows, but `{function}` needs one"), raw.span, "can be several rows")
                    .help("use an aggregate, compare a unique column with one value, or add: ORDER BY … LIMIT 1. All values: <<list: SELECT …>>"),
            );
            return None;
        }
        if !single {
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
                        "ambiguous name",
                    )
                    .help("give each column its own name: SELECT a AS x, b AS y …"),
                );
                return None;
            }
        }
        let ty = match analysis.columns.first() {
            Some(column) if single => {
                let kind = column.value_type.map_or(TyKind::Unknown, |value_type| Ty::from(value_type).kind);
                Ty { kind, nullable: column.nullable || (!list && !analysis.always_a_row) }
            }
            _ if !single => Ty::of(TyKind::Rows(
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
        // Only what is read needs to be there.
        for relation in analysis.tables.iter().filter_map(|relation| self.relations.get(*relation)) {
            self.used.extend(relation.file.map(Entity::File));
            // The relation of a result set is read through a name of the task.
            if let hir::Rows::Query(name) = relation.rows {
                self.used.insert(Entity::Name(name));
            }
        }
        analysis.tables.iter().for_each(|table| self.reads_rows(*table, raw.span));
        for (relation, column) in &analysis.reads {
            self.reads_column(*relation, *column, raw.span);
        }
        let given = analysis.columns.first().and_then(|column| column.value_type);
        // MIN of a bool is a number, say: then nothing is known.
        let alike = |whole: &Whole| {
            let column = |column: ColumnId| self.relations.get(whole.relation)?.columns.get(column);
            whole.function.counts()
                || whole.column.is_none_or(|at| column(at).is_some_and(|column| column.ty.value_type() == given))
        };
        analysis.whole = analysis.whole.filter(alike);
        let text = raw.text.clone();
        let analysis = Arc::new(analysis);
        let sql = hir::Sql { text, database, params, analysis, surely_changes: false, span: raw.span };
        Some((sql, ty))
    }

    /// Checks the statements of `after`: those that change rows of a database. Gives the type of what they come to.
    pub fn changes(&mut self, raw: &'a ast::Raw, database: FileId) -> Option<(hir::Sql, Ty)> {
        let text = SqlText::of(raw);
        let relations = self.readable(Some(database), (raw, &text), true)?;
        self.ready_parameters(&text);
        let name = self.files[database].ast.name.text.clone();
        let statements = sql::statements(raw);
        let mut said = Vec::new();
        let (mut params, mut reads, mut ok) = (Vec::new(), Vec::new(), !statements.is_empty());
        let mut surely = false;
        if !ok {
            said.push(
                Diagnostic::new(Code::SQL_SYNTAX, "`after` has no statement", raw.span, "")
                    .help("write `UPDATE … SET …`"),
            );
        }
        for statement in &statements {
            let changes = self.with_request(&SqlText::of(statement), Some(database), &relations, |this, request| {
                sql::change(request, this.cx.host.sqlite(), &mut said)
            });
            ok &= changes.ok;
            surely |= changes.surely && statements.len() == 1;
            params.extend(changes.params);
            reads.extend(changes.reads);
        }
        self.refer_parameters(&text);
        said.into_iter().for_each(|diagnostic| self.cx.say(diagnostic));
        self.used.insert(Entity::File(database));
        for relation in &relations {
            self.used.insert(Entity::Relation(*relation));
        }
        let params = self.bind(&params);
        for (_, value) in &params {
            self.not_null(value, "a parameter of `after`");
        }
        if !ok {
            return None;
        }
        let analysis = SqlAnalysis { tables: relations, reads, ok, ..SqlAnalysis::default() };
        let sql = hir::Sql {
            text: raw.text.clone(),
            database: Some(database),
            params,
            analysis: Arc::new(analysis),
            surely_changes: surely,
            span: raw.span,
        };
        Some((sql, Ty::of(TyKind::State(StateOf { file: database, name }))))
    }

    /// A query analysed over these relations: what is known of it, what is wrong with it, and where what its names mean is declared.
    fn analysed(
        &self,
        text: &SqlText<'_>,
        database: Option<FileId>,
        relations: &[RelationId],
    ) -> (SqlAnalysis, Vec<Diagnostic>, Vec<(plan::Span, Target)>) {
        self.with_request(text, database, relations, |this, request| {
            let mut said = Vec::new();
            let analysis = sql::analyse(request, this.cx.host.sqlite(), &mut said);
            let tables = request.tables;
            let meant = analysis.meant.iter().filter_map(|(at, meant)| Some((*at, target(tables, *meant)?))).collect();
            (analysis, said, meant)
        })
    }

    /// Gives `work` SQL and what it may use.
    fn with_request<T>(
        &self,
        sql: &SqlText<'_>,
        database: Option<FileId>,
        relations: &[RelationId],
        work: impl FnOnce(&Self, &SqlRequest<'_>) -> T,
    ) -> T {
        let tables: Vec<SqlTable<'_>> =
            relations.iter().map(|relation| self.sql_table(*relation, database.is_none())).collect();
        let names: Vec<String> = self
            .scope
            .iter()
            .filter(|(_, entity)| matches!(entity, Entity::Name(_)))
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let scope_name = database.map(|file| self.files[file].ast.name.text.as_str());
        let elsewhere: Vec<&str> = self
            .relations
            .iter()
            .filter(|decl| database.is_some() && decl.file != database)
            .map(|decl| decl.table.as_str())
            .collect();
        let param = |name: &str| self.param_kind(name);
        let request = SqlRequest {
            sql,
            scope_name,
            tables: &tables,
            non_sql_relations: &elsewhere,
            param: &param,
            task_names: &names,
        };
        work(self, &request)
    }

    /// The relations that a query reads, made first: of one database, all of its tables; else those that it names. Meeting one that is
    /// still being made is a cycle. `None`: one of them cannot be read, which has been noted.
    /// With `every`, all tables of a database are, for SQL that is not a query.
    fn readable(
        &mut self,
        database: Option<FileId>,
        (raw, text): (&ast::Raw, &SqlText<'_>),
        every: bool,
    ) -> Option<Vec<RelationId>> {
        if !every && self.names_unread(database, text) {
            return None;
        }
        let named: Vec<(RelationId, plan::Span)> = match database {
            // Of a fixture's tables, and next to views, only those that are named are read.
            Some(file) if !every && self.files[file].relations.iter().any(|id| self.is_read_by_name(*id)) => {
                let own: Vec<RelationId> = self.files[file].relations.clone();
                let own: Vec<RelationId> = own.into_iter().filter(|id| self.can_be_named(*id)).collect();
                self.named_in(text, &own)
            }
            Some(_) => {
                let mut all = self.with_columns();
                all.retain(|id| self.relations[*id].file == database && !self.is_view(*id));
                all.into_iter().map(|id| (id, raw.span)).collect()
            }
            None => self.tables_named((raw, text)),
        };
        let mut wrong = false;
        for (id, at) in &named {
            self.asking = Some(raw.span);
            if database.is_some() && self.is_view(*id) {
                // Its rows are in the database.
                self.ensure_view(*id, Some(*at));
                wrong |= self.is_wrong_view(*id);
                continue;
            }
            if self.is_wrong_view(*id) {
                wrong = true;
                continue;
            }
            self.ensure_relation(*id, Some(*at));
            self.ensure_cells(*id, *at);
        }
        self.asking = None;
        if wrong {
            return None;
        }
        let mut readable: Vec<RelationId> = named.into_iter().map(|(id, _)| id).collect();
        // A relation of lists and objects alone is not a table.
        readable.retain(|id| !self.relations[*id].columns.iter().all(in_sql_hidden));
        Some(readable)
    }

    fn is_view(&self, id: RelationId) -> bool {
        matches!(self.declared[id].origin, Origin::View(_))
    }

    /// Whether it is a view whose query is wrong, or still being read; that has been reported.
    pub fn is_wrong_view(&self, id: RelationId) -> bool {
        self.is_view(id) && self.relations[id].columns.is_empty()
    }

    /// Whether a relation is read only by queries that name it.
    fn is_read_by_name(&self, id: RelationId) -> bool {
        self.declared[id].cells.is_some() || self.is_view(id)
    }

    /// Whether a query can name a relation: it is a view, whose columns may not be known yet, or has columns.
    fn can_be_named(&self, id: RelationId) -> bool {
        self.is_view(id) || self.relations[id].columns.iter().any(|column| !in_sql_hidden(column))
    }

    /// Whether a relation could be read by a query that does not name it.
    fn is_elsewhere(&self, id: RelationId, database: Option<FileId>, named: &[RelationId]) -> bool {
        let file = self.relations[id].file;
        (database.is_none() || file == database) && !named.contains(&id)
    }

    /// Those of a database's relations that a query names, and where.
    fn named_in(&self, text: &SqlText<'_>, relations: &[RelationId]) -> Vec<(RelationId, plan::Span)> {
        let candidate = |id: &RelationId| {
            let decl = &self.relations[*id];
            let columns = decl.columns.iter().filter(|column| !column.helper);
            let columns = columns.map(|column| column.name.as_str()).collect();
            Candidate { database: None, name: &decl.table, columns }
        };
        let candidates: Vec<Candidate<'_>> = relations.iter().map(candidate).collect();
        let found = sql::read_tables(text, &candidates, self.cx.host.sqlite());
        let mut named: Vec<_> =
            found.into_iter().filter_map(|(index, at)| Some((*relations.get(index)?, at))).collect();
        named.sort_unstable_by_key(|(relation, _)| *relation);
        named
    }

    /// Whether a query names a table of a fixture that cannot be read at all; takes note of it.
    fn names_unread(&mut self, database: Option<FileId>, text: &SqlText<'_>) -> bool {
        let all = self.relations.iter_enumerated();
        let unread = all.filter(|(id, decl)| {
            let fixture = self.declared[*id].cells.is_some();
            fixture && decl.columns.is_empty() && (database.is_none() || decl.file == database)
        });
        let unread: Vec<RelationId> = unread.map(|(id, _)| id).collect();
        if unread.is_empty() {
            return false;
        }
        let candidates: Vec<Candidate<'_>> = unread
            .iter()
            .map(|id| Candidate {
                database: self.database_of(*id).filter(|_| database.is_none()),
                name: &self.relations[*id].table,
                columns: Vec::new(),
            })
            .collect();
        let named = sql::read_tables(text, &candidates, self.cx.host.sqlite());
        let met = !named.is_empty();
        for (index, at) in named {
            if let Some(id) = unread.get(index) {
                self.reads_rows(*id, at);
            }
        }
        met
    }

    /// The relations that can be tables: those with columns.
    fn with_columns(&self) -> Vec<RelationId> {
        let all = self.relations.iter_enumerated();
        all.filter(|(_, decl)| decl.columns.iter().any(|column| !in_sql_hidden(column))).map(|(id, _)| id).collect()
    }

    /// The relations that a query of the whole task names, and where; result sets become relations here.
    fn tables_named(&mut self, (raw, text): (&ast::Raw, &SqlText<'_>)) -> Vec<(RelationId, plan::Span)> {
        let sets: Vec<NameId> = self
            .scope
            .values()
            .filter_map(|entity| match entity {
                Entity::Name(id) if self.is_result_set(*id) => Some(*id),
                _ => None,
            })
            .collect();
        let mut tables = self.with_columns();
        tables.extend(self.relations.keys().filter(|id| self.is_wrong_view(*id)));
        let tables: Vec<RelationId> =
            tables.into_iter().filter(|id| !matches!(self.declared[*id].origin, Origin::Query(_))).collect();
        let of_table = |id: &RelationId| {
            let decl = &self.relations[*id];
            let columns = decl.columns.iter().filter(|column| !column.helper);
            Candidate {
                database: self.database_of(*id),
                name: &decl.table,
                columns: columns.map(|column| column.name.as_str()).collect(),
            }
        };
        let of_set = |id: &NameId| {
            let name = &self.names[*id].ident.text;
            let columns = match &self.names[*id].ty.kind {
                TyKind::Rows(columns) => columns.iter().map(|(name, _)| name.as_str()).collect(),
                _ => Vec::new(),
            };
            Candidate { database: None, name, columns }
        };
        let candidates: Vec<Candidate<'_>> = tables.iter().map(of_table).chain(sets.iter().map(of_set)).collect();
        let found = sql::read_tables(text, &candidates, self.cx.host.sqlite());
        let mut named = Vec::new();
        for (index, at) in found {
            match tables.get(index) {
                Some(relation) => named.push((*relation, at)),
                None => {
                    let Some(name) = index.checked_sub(tables.len()).and_then(|index| sets.get(index)) else {
                        continue;
                    };
                    self.asking = Some(raw.span);
                    self.ensure_name(*name, Some(at));
                    self.asking = None;
                    named.extend(self.result_set(*name, at).map(|relation| (relation, at)));
                }
            }
        }
        named.sort_unstable_by_key(|(relation, _)| *relation);
        named
    }

    /// The name that qualifies a relation (`shop` in `shop.orders`) in a query over the whole task.
    fn database_of(&self, id: RelationId) -> Option<&str> {
        self.relations.get(id)?.database()
    }

    fn sql_table(&self, id: RelationId, all: bool) -> SqlTable<'_> {
        let decl = &self.relations[id];
        let sqlite = self.declared[id].format == Some(Format::Sqlite);
        let database = self.database_of(id).filter(|_| all);
        // A declared key takes the place of a `serial` column.
        let mut serial_seen = decl.constraints.iter().any(|constraint| constraint.kind == ConstraintKind::PrimaryKey);
        let columns = (0..)
            .map(ColumnId)
            .zip(&decl.columns)
            .filter(|(_, column)| !in_sql_hidden(column))
            .map(|(id, column)| {
                let serial = matches!(
                    &column.source,
                    ColumnSource::Draw { draw, .. } if draw.is_serial() && draw.blank_per_million == 0
                );
                let declared = matches!(&column.source, ColumnSource::Given(given) if given.primary_key);
                let primary_key = sqlite && (declared || (serial && !serial_seen));
                serial_seen |= serial;
                SqlColumn {
                    id,
                    name: &column.name,
                    span: column.span,
                    // To decimals of unknown places nothing can be snapped back: they stay SQLite's doubles.
                    value_type: match column.ty.kind {
                        TyKind::Decimal(None) => Some(ValueType::Float),
                        TyKind::Unknown => None,
                        _ => Some(column.ty.stored()),
                    },
                    nullable: column.ty.nullable,
                    primary_key,
                    unique: hir::is_unique(&column.source),
                    references: column.references.map(|(relation, column)| {
                        let target = &self.relations[relation];
                        (target.table.as_str(), target.columns[column].name.as_str())
                    }),
                    closed: match &column.source {
                        ColumnSource::Draw { draw, .. } => match &draw.domain {
                            DrawDomain::Fixed(domain @ (Domain::OneOf { .. } | Domain::Weighted { .. })) => {
                                domain.closed()
                            }
                            _ => None,
                        },
                        _ => None,
                    },
                }
            })
            .collect();
        let hidden =
            decl.columns.iter().filter(|column| in_sql_hidden(column)).map(|column| column.name.as_str()).collect();
        let rows = self.row_bounds(id);
        let keys = self.written_keys(id);
        let of_files = self.lakes.iter().any(|lake| lake.relations.contains(&id))
            || self.declared[id].private == Some(Private::OfSuite);
        SqlTable { id, database, name: &decl.table, span: decl.span, columns, hidden, keys, rows, of_files }
    }

    /// Checks the names that a query takes as parameters, so that their types are known while it is analysed.
    fn ready_parameters(&mut self, text: &SqlText<'_>) {
        for (name, span) in text.parameters() {
            if let Some(Entity::Name(id)) = self.scope.get(name).copied() {
                self.ensure_name(id, Some(span));
            } else if !self.scope.contains_key(name)
                && let Some(row) = self.here.row()
                && let Some(column) = self.column_named(row, name)
            {
                self.ensure_column(row, column, Some(span));
            }
        }
    }

    /// Takes note of what the parameters of a query mean.
    fn refer_parameters(&mut self, text: &SqlText<'_>) {
        for (name, span) in text.parameters() {
            // After the colon.
            let at = plan::Span { start: span.start.saturating_add(1).min(span.end), ..span };
            if let Some(entity) = self.scope.get(name).copied() {
                self.refer_entity(at, entity);
            } else if let Some(row) = self.here.row()
                && let Some(column) = self.column_named(row, name)
            {
                self.refer_column(at, row, column);
            } else {
                self.cx.constant(name, Some(at));
            }
        }
    }

    /// What `:name` refers to.
    fn param_kind(&self, name: &str) -> ParamKind {
        match self.scope.get(name) {
            Some(Entity::Name(id)) => param_of(&self.names[*id].ty),
            Some(Entity::File(_)) => ParamKind::File,
            Some(Entity::Relation(_) | Entity::Lake(_)) => ParamKind::Relation,
            None => match self.cx.constants.get(name) {
                Some(constant) => param_of(&constant.ty),
                None => {
                    let column = self.here.row().and_then(|row| Some((row, self.column_named(row, name)?)));
                    if let Some((row, column)) = column {
                        let ty = &self.relations[row].columns[column].ty;
                        return ParamKind::Value { value_type: ty.value_type(), nullable: ty.nullable };
                    }
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
            let row_column = self.here.row().and_then(|row| self.column_named(row, name).map(|column| (row, column)));
            let value = match (self.scope.get(name.as_str()).copied(), row_column) {
                (Some(Entity::Name(id)), _) => {
                    self.ensure_name(id, Some(*span));
                    self.used.insert(Entity::Name(id));
                    let ty = self.names[id].ty.clone();
                    Expr { kind: hir::ExprKind::Name(id), ty, span: *span }
                }
                (None, Some((relation, column))) => {
                    self.ensure_column(relation, column, Some(*span));
                    self.reads_column(relation, column, *span);
                    let ty = self.relations[relation].columns[column].ty.clone();
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

/// Where something is said, and its codes.
fn places(said: &[Diagnostic]) -> Vec<(&'static str, plan::Span)> {
    said.iter().map(|diagnostic| (diagnostic.code.id, diagnostic.primary.span)).collect()
}

/// What a value of this type is as a parameter.
fn param_of(ty: &Ty) -> ParamKind {
    match ty.kind {
        TyKind::List(_) | TyKind::Object(_) | TyKind::Map(_) | TyKind::Rows(_) | TyKind::State(_) => ParamKind::List,
        _ => ParamKind::Value { value_type: ty.value_type(), nullable: ty.nullable },
    }
}

/// Whether SQL does not see a column: helpers, and what holds lists or objects.
fn in_sql_hidden(column: &hir::Column) -> bool {
    column.helper || !column.ty.is_scalar()
}
