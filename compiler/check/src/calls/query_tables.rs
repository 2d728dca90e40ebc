//! The relations that a query reads, and how SQL sees them.

use model::suite::{ColumnId, ConstraintKind, FileId, NameId, RelationId};
use model::{Domain, ValueType};

use crate::context::{Checker, Origin, Private, Relations, TaskChecker, TaskScope};
use crate::fixtures::NameClash;
use hir::types::TyKind;
use hir::{ColumnSource, DrawDomain, Entity};
use sql::{Candidate, Determined, SqlColumn, SqlTable, SqlText};
use syntax::ast::{self, Format};
use syntax::diagnostics::{Code, Diagnostic};

impl TaskChecker<'_, '_> {
    /// Resolves the relations that a query reads and generates them first: all tables of a database, or the tables that it names.
    /// A relation that is still being generated is a cycle. Returns `None` if one of them cannot be read, which has been recorded.
    pub(super) fn resolve_read_relations(
        &mut self,
        database: Option<FileId>,
        (raw, text): (&ast::Raw, &SqlText<'_>),
    ) -> Option<Vec<RelationId>> {
        if self.note_unread_tables(database, text) {
            return None;
        }
        let named: Vec<(RelationId, model::Span)> = match database {
            // Tables of a fixture, and of a database with views, are read only if the query names them.
            Some(file)
                if self.scope.relations.files[file]
                    .relations
                    .iter()
                    .any(|id| self.scope.relations.is_read_by_name(*id)) =>
            {
                let mut own = self.scope.relations.files[file].relations.clone();
                own.retain(|id| self.scope.relations.can_be_named(*id));
                self.scope.relations.find_named_relations(self.cx, text, &own)
            }
            Some(file) => return self.resolve_database_tables(file, raw.span),
            None => self.resolve_named_tables((raw, text)),
        };
        self.ensure_readable(named, database, raw.span)
    }

    /// Like [`TaskChecker::resolve_read_relations`], for all tables of a database, even those of fixtures: for SQL that is not a query.
    pub(super) fn resolve_database_tables(&mut self, database: FileId, span: model::Span) -> Option<Vec<RelationId>> {
        let mut all = self.scope.relations.with_columns();
        all.retain(|id| self.scope.relations.checked[*id].file == Some(database) && !self.scope.relations.is_view(*id));
        self.ensure_readable(all.into_iter().map(|id| (id, span)).collect(), Some(database), span)
    }

    fn ensure_readable(
        &mut self,
        named: Vec<(RelationId, model::Span)>,
        database: Option<FileId>,
        span: model::Span,
    ) -> Option<Vec<RelationId>> {
        let mut wrong = false;
        for (id, at) in &named {
            self.asking = Some(span);
            if database.is_some() && self.scope.relations.is_view(*id) {
                // A view of the database reads rows that are already in it.
                self.ensure_view(*id, Some(*at));
                wrong |= self.scope.relations.is_wrong_view(*id);
                continue;
            }
            if self.scope.relations.is_wrong_view(*id) {
                wrong = true;
                continue;
            }
            self.ensure_relation(*id, Some(*at));
            self.ensure_cells(*id, *at);
            wrong |= self.scope.relations.has_columns_alike(self.cx, *id, *at);
        }
        self.asking = None;
        if wrong {
            return None;
        }
        let mut readable: Vec<RelationId> = named.into_iter().map(|(id, _)| id).collect();
        // A relation with nothing but lists and objects is not a table.
        readable.retain(|id| !self.scope.relations.checked[*id].columns.iter().all(is_hidden_in_sql));
        Some(readable)
    }

    /// Checks whether a query names a table that cannot be read, and records that it does.
    pub(super) fn note_unread_tables(&mut self, database: Option<FileId>, text: &SqlText<'_>) -> bool {
        let all = self.scope.relations.checked.iter_enumerated();
        let unread = all.filter(|(id, decl)| {
            let known = &self.scope.relations.declared[*id];
            let unread = known.unread || known.cells.is_some() && decl.columns.is_empty();
            unread && (database.is_none() || decl.file == database)
        });
        let unread: Vec<RelationId> = unread.map(|(id, _)| id).collect();
        if unread.is_empty() {
            return false;
        }
        let candidates: Vec<Candidate<'_>> = unread
            .iter()
            .map(|id| Candidate {
                database: self.scope.relations.find_database_name(*id).filter(|_| database.is_none()),
                name: &self.scope.relations.checked[*id].table,
                columns: Vec::new(),
            })
            .collect();
        let named = sql::read_tables(text, &candidates, self.cx.host.sqlite());
        let met = !named.is_empty();
        for (index, at) in named {
            if let Some(id) = unread.get(index) {
                self.note_rows_read(*id, at);
            }
        }
        met
    }

    /// Returns the relations that a query over the whole task names, and where. Result sets become relations here.
    pub(super) fn resolve_named_tables(
        &mut self,
        (raw, text): (&ast::Raw, &SqlText<'_>),
    ) -> Vec<(RelationId, model::Span)> {
        let sets: Vec<NameId> = self
            .scope
            .entities
            .values()
            .filter_map(|entity| match entity {
                Entity::Name(id) if self.scope.is_result_set(self.cx, *id) => Some(*id),
                _ => None,
            })
            .collect();
        let mut tables = self.scope.relations.with_columns();
        tables.extend(self.scope.relations.checked.keys().filter(|id| self.scope.relations.is_wrong_view(*id)));
        let tables: Vec<RelationId> = tables
            .into_iter()
            .filter(|id| !matches!(self.scope.relations.declared[*id].origin, Origin::Query(_)))
            .collect();
        let of_table = |id: &RelationId| Candidate {
            database: self.scope.relations.find_database_name(*id),
            ..self.scope.relations.build_candidate(*id)
        };
        let of_set = |id: &NameId| {
            let name = &self.scope.names[*id].ident.text;
            let columns = match &self.scope.names[*id].ty.kind {
                TyKind::Rows(columns) => columns.iter().map(|(name, _)| name.as_str()).collect(),
                _ => Vec::new(),
            };
            Candidate { database: None, name, columns }
        };
        let candidates: Vec<Candidate<'_>> = tables.iter().map(of_table).chain(sets.iter().map(of_set)).collect();
        let found = sql::read_tables(text, &candidates, self.cx.host.sqlite());
        let mut named = Vec::new();
        for (index, at) in found {
            if let Some(relation) = tables.get(index) {
                named.push((*relation, at));
            } else if let Some(name) = index.checked_sub(tables.len()).and_then(|index| sets.get(index)) {
                self.asking = Some(raw.span);
                self.ensure_name(*name, Some(at));
                self.asking = None;
                named.extend(self.scope.ensure_result_set(self.cx, *name, at).map(|relation| (relation, at)));
            }
        }
        named.sort_unstable_by_key(|(relation, _)| *relation);
        named
    }
}

impl TaskScope<'_> {
    /// Builds the table of a relation for a query on a database, or over the whole task.
    pub(super) fn build_sql_table(&self, id: RelationId, queried: Option<FileId>) -> SqlTable<'_> {
        let decl = &self.relations.checked[id];
        let sqlite = self.relations.declared[id].format == Some(Format::Sqlite);
        let database = self.relations.find_database_name(id).filter(|_| queried.is_none());
        // A declared key replaces a `serial` column as primary key.
        let mut serial_seen = decl.constraints.iter().any(|constraint| constraint.kind == ConstraintKind::PrimaryKey);
        let columns = (0..)
            .map(ColumnId)
            .zip(&decl.columns)
            .filter(|(_, column)| !is_hidden_in_sql(column))
            .map(|(column_id, column)| {
                let serial = column.source.draw().is_some_and(|draw| draw.is_serial() && !draw.may_be_blank());
                let declared = matches!(&column.source, ColumnSource::Given(given) if given.primary_key);
                let primary_key = sqlite && (declared || (serial && !serial_seen));
                serial_seen |= serial;
                SqlColumn {
                    id: column_id,
                    name: &column.name,
                    span: column.span,
                    // Values cannot be rounded to an unknown number of decimal places, so they remain SQLite doubles.
                    value_type: match column.ty.kind {
                        TyKind::Decimal(None) => Some(ValueType::Float),
                        TyKind::Unknown => None,
                        _ => Some(column.ty.to_stored_type()),
                    },
                    nullable: column.ty.nullable,
                    primary_key,
                    unique: hir::is_proved_unique(&self.relations.checked, id, column_id),
                    references: self.relations.find_reference(id, column),
                    closed: match column.source.draw().map(|draw| &draw.domain) {
                        Some(DrawDomain::Fixed(domain @ (Domain::OneOf { .. } | Domain::Weighted { .. }))) => {
                            domain.list_values()
                        }
                        _ => None,
                    },
                    domain: match column.source.draw().map(|draw| &draw.domain) {
                        Some(DrawDomain::Fixed(domain)) => Some(domain),
                        _ => None,
                    },
                }
            })
            .collect();
        let hidden =
            decl.columns.iter().filter(|column| is_hidden_in_sql(column)).map(|column| column.name.as_str()).collect();
        let rows = self.infer_row_bounds(id);
        let keys = self.relations.list_written_keys(id);
        let (determined, helper_keys) = self.relations.list_determined(id);
        let of_files = self.lakes.iter().any(|lake| lake.relations.contains(&id))
            || self.relations.declared[id].private == Some(Private::OfSuite);
        SqlTable {
            id,
            database,
            name: &decl.table,
            span: decl.span,
            columns,
            hidden,
            keys,
            helper_keys,
            determined,
            rows,
            of_files,
        }
    }
}

impl<'a> Relations<'a> {
    /// The table and the column to which a column refers: by a foreign key of its database, or by `ref` to a unique column that SQL sees next to it.
    fn find_reference(&self, id: RelationId, column: &hir::Column) -> Option<(&str, &str)> {
        let drawn = || match &column.source.draw()?.domain {
            DrawDomain::Ref { relation, column, together, .. } if together.is_empty() => Some((*relation, *column)),
            _ => None,
        };
        let is_beside = |place: &(RelationId, ColumnId)| {
            let (own, other) = (self.find_database_name(id), self.find_database_name(place.0));
            own.is_none() && other.is_none() && hir::is_proved_unique(&self.checked, place.0, place.1)
        };
        let (relation, column) = column.references.or_else(|| drawn().filter(is_beside))?;
        let target = self.checked.get(relation)?;
        let led = target.columns.get(column).filter(|led| !is_hidden_in_sql(led))?;
        Some((target.table.as_str(), led.name.as_str()))
    }

    /// Lists which columns of a relation determine others, by their places in SQL, and the places of helpers that are never the same in two rows.
    fn list_determined(&self, id: RelationId) -> (Vec<Determined>, Vec<usize>) {
        let dependencies = hir::list_dependencies(&self.checked, id);
        let columns = &self.checked[id].columns;
        if dependencies.is_empty() {
            return (Vec::new(), Vec::new());
        }
        // Helpers are after all columns that SQL sees.
        let (seen, hidden): (Vec<ColumnId>, Vec<ColumnId>) =
            columns.keys().partition(|column| !is_hidden_in_sql(&columns[*column]));
        let first_hidden = seen.len();
        let order: Vec<ColumnId> = seen.into_iter().chain(hidden).collect();
        let place = |of: ColumnId| order.iter().position(|column| *column == of);
        let determined = dependencies.into_iter().filter_map(|of| {
            let from = of.from.into_iter().map(place).collect::<Option<_>>()?;
            Some(Determined { from, to: place(of.to)?, never_null: !columns[of.to].ty.nullable })
        });
        let unique = order.iter().enumerate().skip(first_hidden);
        let unique = unique.filter(|(_, column)| hir::is_proved_unique(&self.checked, id, **column));
        (determined.collect(), unique.map(|(place, _)| place).collect())
    }

    /// Reports a relation with columns that SQL cannot tell apart. Returns whether it did.
    fn has_columns_alike(&self, cx: &mut Checker<'a>, id: RelationId, at: model::Span) -> bool {
        let Some(alike) = &self.declared[id].alike else { return false };
        let decl = &self.checked[id];
        let said =
            Diagnostic::new(Code::SQL_REFUSED, NameClash::describe_clash(alike, &decl.name), at, "reads this table");
        let said = said.label(decl.span, "the keys are in this file").help(
            "SQL ignores letter case, and a point leads into an object: use functions instead of SQL, or rename a key in the file",
        );
        cx.report(said);
        true
    }

    pub(super) fn is_view(&self, id: RelationId) -> bool {
        matches!(self.declared[id].origin, Origin::View(_))
    }

    /// Checks whether a relation is a view whose query is wrong or still being read, which has been reported.
    pub fn is_wrong_view(&self, id: RelationId) -> bool {
        self.is_view(id) && self.checked[id].columns.is_empty()
    }

    /// Checks whether a relation is read only by queries that name it.
    pub(super) fn is_read_by_name(&self, id: RelationId) -> bool {
        self.declared[id].cells.is_some() || self.is_view(id)
    }

    /// Checks whether a query can name a relation: it has columns, or is a view, whose columns may not be known yet.
    pub(super) fn can_be_named(&self, id: RelationId) -> bool {
        self.is_view(id) || self.checked[id].columns.iter().any(|column| !is_hidden_in_sql(column))
    }

    /// Returns the relations of a database that a query names, and where.
    pub(super) fn find_named_relations(
        &self,
        cx: &Checker<'a>,
        text: &SqlText<'_>,
        relations: &[RelationId],
    ) -> Vec<(RelationId, model::Span)> {
        let candidates: Vec<Candidate<'_>> = relations.iter().map(|id| self.build_candidate(*id)).collect();
        let found = sql::read_tables(text, &candidates, cx.host.sqlite());
        let mut named: Vec<_> =
            found.into_iter().filter_map(|(index, at)| Some((*relations.get(index)?, at))).collect();
        named.sort_unstable_by_key(|(relation, _)| *relation);
        named
    }

    /// Builds a table that a query can name without its database.
    fn build_candidate(&self, id: RelationId) -> Candidate<'_> {
        let decl = &self.checked[id];
        let columns = decl.columns.iter().filter(|column| !column.helper).map(|column| column.name.as_str());
        Candidate { database: None, name: &decl.table, columns: columns.collect() }
    }

    /// Returns the relations that can be tables: those with columns that SQL sees.
    pub(super) fn with_columns(&self) -> Vec<RelationId> {
        let all = self.checked.iter_enumerated();
        all.filter(|(_, decl)| decl.columns.iter().any(|column| !is_hidden_in_sql(column))).map(|(id, _)| id).collect()
    }

    /// Returns the name that qualifies a relation (`shop` in `shop.orders`) in a query over the whole task.
    pub(super) fn find_database_name(&self, id: RelationId) -> Option<&str> {
        self.checked.get(id)?.database_name()
    }
}

/// Checks whether SQL cannot see a column: it is a helper column, or contains lists or objects.
pub(super) fn is_hidden_in_sql(column: &hir::Column) -> bool {
    column.helper || !column.ty.is_scalar()
}
