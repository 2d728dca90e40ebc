//! SQL in placeholders: the tables it can read, its parameters, and its result.

use std::sync::Arc;

use model::functions::{FunctionId, QueryResult};
use model::suite::{ColumnId, FileId, NameId, RelationId};
use model::{TiVec, Value};

use crate::context::{Checker, NameDecl, Relations, TaskChecker};
use hir::Entity;
use hir::types::{StateOf, Ty, TyKind};
use sql::{SqlAnalysis, SqlOutput, SqlRequest, SqlTable, SqlText, Whole};
use syntax::ast;
use syntax::diagnostics::wording::format_count;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a query of `function` that reads one database, or all relations. Returns the type of its single column (for `rows`, of the result set).
    pub fn check_query(
        &mut self,
        function: FunctionId,
        raw: &'a ast::Raw,
        database: Option<FileId>,
    ) -> Option<(hir::Sql, Ty)> {
        if database.is_some_and(|file| self.scope.report_differing_file(self.cx, file, raw.span)) {
            return None;
        }
        let text = SqlText::new(raw);
        let relations = self.resolve_read_relations(database, (raw, &text))?;
        self.prepare_parameters(&text);
        let (mut analysis, mut said, mut meant) = self.analyse_query(&text, database, &relations);
        // The other tables improve the suggestions, if the same diagnostics appear at the same places.
        let mut every = if analysis.ok { Vec::new() } else { self.scope.relations.with_columns() };
        every.retain(|id| database.is_none() || self.scope.relations.checked[*id].file == database);
        if every.iter().any(|id| !relations.contains(id)) {
            let (again, better, targets) = self.analyse_query(&text, database, &every);
            if !again.ok && list_diagnostic_places(&better) == list_diagnostic_places(&said) {
                (analysis, said, meant) = (again, better, targets);
            }
        }
        for (at, target) in meant {
            match target {
                Target::Declared(span) => self.cx.record_reference(at, span),
                Target::File(name) => {
                    if let Some(entity) = self.scope.entities.get(name.as_str()).copied() {
                        self.scope.refer_entity(self.cx, at, entity);
                    }
                }
            }
        }
        self.scope.refer_parameters(self.cx, &text);
        said.into_iter().for_each(|diagnostic| self.cx.report(diagnostic));
        self.scope.used.extend(relations.iter().map(|relation| Entity::Relation(*relation)));
        let params = self.bind_parameters(&analysis.params);
        if !analysis.ok {
            return None;
        }
        if let Some(column) = analysis.columns.iter().find(|column| column.blob) {
            let message = format!("`{}` is a blob, which cannot be a value", column.name);
            let said = Diagnostic::new(Code::SQL_SHAPE, message, raw.span, "returns a blob");
            self.cx.report(said.help("return a text or a number: remove the cast, or write `CAST(… AS TEXT)`"));
            return None;
        }
        let single = function.query != Some(QueryResult::Rows);
        if single && analysis.columns.len() != 1 {
            let message = format!(
                "`{function}` needs a query with one column, but this one has {}",
                format_count(analysis.columns.len() as u32, "column")
            );
            let said = Diagnostic::new(Code::SQL_SHAPE, message, raw.span, "not one column");
            self.cx.report(said.help("select one column, or use <<rows: …>> for a result set"));
            return None;
        }
        let list = function.query == Some(QueryResult::List);
        let is_open = single && !list && analysis.understood && !analysis.at_most_one_row;
        if is_open && self.can_return_several(&text, database, &relations) {
            self.cx.report(
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
                let message = format!("two columns of this query are named `{}`", column.name);
                let help = "give each column its own name: SELECT a AS x, b AS y …";
                self.cx.report(Diagnostic::new(Code::SQL_SHAPE, message, raw.span, "ambiguous name").help(help));
                return None;
            }
        }
        let infer_type =
            |column: &SqlOutput| column.value_type.map_or(Ty::UNKNOWN, Ty::from).with_null_if(column.nullable);
        let ty = match analysis.columns.first() {
            Some(column) if single => infer_type(column).with_null_if(!list && !analysis.always_a_row),
            _ if single => Ty::UNKNOWN,
            _ => {
                let columns = analysis.columns.iter().map(|column| (column.name.clone(), infer_type(column)));
                Ty::new(TyKind::Rows(columns.collect()))
            }
        };
        // Only the tables that the query reads count as used.
        for relation in analysis.tables.iter().filter_map(|relation| self.scope.relations.checked.get(*relation)) {
            self.scope.used.extend(relation.file.map(Entity::File));
            // The relation of a result set is read through the name of a value.
            if let hir::Rows::Query(name) = relation.rows {
                self.scope.used.insert(Entity::Name(name));
            }
        }
        analysis.tables.iter().for_each(|table| self.note_rows_read(*table, raw.span));
        for (relation, column) in &analysis.reads {
            self.note_column_read(*relation, *column, raw.span);
        }
        let mixed =
            analysis.reads.iter().find(|(relation, column)| self.scope.relations.is_changed_by_sql(*relation, *column));
        if let Some((relation, column)) = mixed {
            let decl = &self.scope.relations.checked[*relation];
            let name = &decl.columns[*column].name;
            let at = analysis.places.iter().find(|(_, of, at)| (of, at) == (relation, column));
            let message =
                format!("the values of `{name}` in `{}` have several types, which SQL does not keep", decl.name);
            let said = Diagnostic::new(Code::SQL_REFUSED, message, at.map_or(raw.span, |at| at.0), "read here");
            self.cx.report(said.label(decl.span, "from this file").help(format!(
                "use functions instead of SQL, such as `list({}.{name})`, or give `{name}` one type in the file",
                decl.name
            )));
            return None;
        }
        let given = analysis.columns.first().and_then(|column| column.value_type);
        // For example, MIN of a bool is a number; then nothing is known.
        let alike = |whole: &Whole| {
            let column = |column: ColumnId| self.scope.relations.checked.get(whole.relation)?.columns.get(column);
            whole.function.is_count()
                || whole.column.is_none_or(|at| column(at).is_some_and(|column| column.ty.value_type() == given))
        };
        analysis.whole = analysis.whole.filter(alike);
        let text = raw.text.clone();
        let analysis = Arc::new(analysis);
        let sql = hir::Sql { text, database, params, analysis, surely_changes: false, span: raw.span };
        Some((sql, ty))
    }

    /// Checks the statements of `after`, which change rows of a database, or of the state `base`. Returns the SQL and the type of the resulting state.
    pub fn check_changes(
        &mut self,
        raw: &'a ast::Raw,
        database: FileId,
        base: Option<&hir::Expr>,
    ) -> Option<(hir::Sql, Ty)> {
        if self.scope.report_differing_file(self.cx, database, raw.span) {
            return None;
        }
        let text = SqlText::new(raw);
        let relations = self.resolve_database_tables(database, raw.span)?;
        self.prepare_parameters(&text);
        let name = self.scope.relations.files[database].ast.name.text.clone();
        let statements = sql::split_statements(raw);
        let mut said = Vec::new();
        let mut analysis =
            SqlAnalysis { tables: relations.clone(), ok: !statements.is_empty(), ..SqlAnalysis::default() };
        let mut earlier = match base {
            None => Some(sql::Earlier::default()),
            Some(base) => find_earlier_changes(&self.scope.names, base),
        };
        if !analysis.ok {
            said.push(
                Diagnostic::new(Code::SQL_SYNTAX, "`after` has no statement", raw.span, "")
                    .help("write `UPDATE … SET …`"),
            );
        }
        for statement in &statements {
            self.with_request(&SqlText::new(statement), Some(database), &relations, |this, request| {
                let earlier = earlier.get_or_insert_with(|| sql::Earlier::of_unknown(request.tables));
                sql::analyse_change(request, this.cx.host.sqlite(), earlier, &mut analysis, &mut said);
            });
            analysis.ok &= !self.scope.relations.report_written_module(self.cx, &SqlText::new(statement), database);
        }
        said.retain(|diagnostic| !self.scope.relations.report_used_module(self.cx, diagnostic, database));
        self.scope.refer_parameters(self.cx, &text);
        said.into_iter().for_each(|diagnostic| self.cx.report(diagnostic));
        self.scope.used.insert(Entity::File(database));
        self.scope.used.extend(relations.iter().map(|relation| Entity::Relation(*relation)));
        let params = self.bind_parameters(&std::mem::take(&mut analysis.params));
        for (_, value) in &params {
            self.scope.check_not_null(self.cx, value, "a parameter of `after`");
        }
        if !analysis.ok {
            return None;
        }
        analysis.changed = earlier.unwrap_or_default();
        let sql = hir::Sql {
            text: raw.text.clone(),
            database: Some(database),
            params,
            analysis: Arc::new(analysis),
            surely_changes: matches!(statements.as_slice(), [only] if sql::is_plain_insert(&SqlText::new(only))),
            span: raw.span,
        };
        Some((sql, Ty::new(TyKind::State(StateOf { file: database, name }))))
    }

    /// Analyzes a query over these relations. Returns the analysis, the diagnostics, and the declarations that its names refer to.
    pub(super) fn analyse_query(
        &self,
        text: &SqlText<'_>,
        database: Option<FileId>,
        relations: &[RelationId],
    ) -> (SqlAnalysis, Vec<Diagnostic>, Vec<(model::Span, Target)>) {
        self.with_request(text, database, relations, |this, request| {
            let mut said = Vec::new();
            let analysis = sql::analyse_query(request, this.cx.host.sqlite(), &mut said);
            let tables = request.tables;
            let meant =
                analysis.meant.iter().filter_map(|(at, meant)| Some((*at, resolve_target(tables, *meant)?))).collect();
            (analysis, said, meant)
        })
    }

    /// Checks whether a query that is not proved to return one row can return several, because its rows surely can be equal in the columns that it compares.
    /// What is computed from the key of a row can be a key itself: the build then says whether it is.
    fn can_return_several(&self, text: &SqlText<'_>, database: Option<FileId>, relations: &[RelationId]) -> bool {
        let keys: Vec<Vec<Vec<usize>>> =
            relations.iter().map(|id| self.scope.list_possible_keys(self.cx, *id)).collect();
        keys.iter().all(Vec::is_empty)
            || self.with_request(text, database, relations, |this, request| {
                let mut tables = request.tables.to_vec();
                for (table, keys) in tables.iter_mut().zip(keys) {
                    table.keys.extend(keys);
                }
                let request = SqlRequest { tables: &tables, ..*request };
                !sql::analyse_query(&request, this.cx.host.sqlite(), &mut Vec::new()).at_most_one_row
            })
    }

    /// Calls `work` with the SQL and the tables and names that it can use.
    fn with_request<T>(
        &self,
        sql: &SqlText<'_>,
        database: Option<FileId>,
        relations: &[RelationId],
        work: impl FnOnce(&Self, &SqlRequest<'_>) -> T,
    ) -> T {
        let tables: Vec<SqlTable<'_>> =
            relations.iter().map(|relation| self.scope.build_sql_table(*relation, database)).collect();
        let names: Vec<String> = self.scope.iter_value_names().map(str::to_owned).collect();
        let scope_name = database.map(|file| self.scope.relations.files[file].ast.name.text.as_str());
        let elsewhere: Vec<&str> = self
            .scope
            .relations
            .checked
            .iter()
            .filter(|decl| database.is_some() && decl.file != database)
            .map(|decl| decl.table.as_str())
            .collect();
        let param = |name: &str| self.scope.resolve_parameter_kind(self.cx, name);
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
}

impl<'a> Relations<'a> {
    /// Checks whether a column of a file has values of several types, which the copy that SQL reads turns into texts.
    fn is_changed_by_sql(&self, relation: RelationId, column: ColumnId) -> bool {
        let decl = &self.checked[relation];
        // Queries read a SQLite fixture directly.
        let is_database = decl.file.is_some() && self.declared[relation].format == Some(ast::Format::Sqlite);
        let own = &decl.columns[column];
        let hir::ColumnSource::Given(given) = &own.source else { return false };
        if is_database || given.odd || !(own.ty.is_unknown() || given.note.is_some()) {
            return false;
        }
        let kind = |value: &Value| match value {
            Value::Null => None,
            Value::Int(_) | Value::Decimal(_) | Value::Float(_) => Some(0),
            Value::Bool(_) => Some(1),
            _ => Some(2),
        };
        let mut kinds = given.cells.values.iter().filter_map(kind);
        kinds.next().is_some_and(|first| kinds.any(|other| other != first))
    }

    /// Reports a statement that writes a virtual table, or a table in which the module of one stores its rows. Returns whether it did.
    fn report_written_module(&self, cx: &mut Checker<'a>, statement: &SqlText<'_>, database: FileId) -> bool {
        let Some((table, at)) = sql::find_written_table(statement) else { return false };
        let Some(what) = self.describe_module_table(database, &table) else { return false };
        let message = format!("`after` cannot change `{table}`: {what}");
        let said = Diagnostic::new(Code::SQL_REFUSED, message, at, "not compared");
        cx.report(said.help(
            "change the ordinary tables: they are compared, and triggers of theirs that keep the virtual table in step run",
        ));
        true
    }

    /// Reports the virtual table that a diagnostic calls unknown, because statements cannot read it. Returns whether it did.
    fn report_used_module(&self, cx: &mut Checker<'a>, unknown: &Diagnostic, database: FileId) -> bool {
        let Some(table) = unknown.unknown.as_ref().filter(|_| unknown.code == Code::SQL_UNKNOWN_TABLE) else {
            return false;
        };
        let Some(what) = self.describe_module_table(database, table) else { return false };
        // A statement that writes it has been reported.
        let at = unknown.primary.span;
        let is_same = |said: &Diagnostic| said.code == Code::SQL_REFUSED && at.is_enclosing(said.primary.span);
        if cx.diagnostics.iter().any(is_same) {
            return true;
        }
        let message = format!("`after` cannot read `{table}`: {what}");
        let said = Diagnostic::new(Code::SQL_REFUSED, message, at, "only its module can read it");
        cx.report(
            said.help("read the ordinary tables, or copy its rows to one: CREATE TABLE copied AS SELECT * FROM …"),
        );
        true
    }

    /// Describes what a table of a database is to the module of a virtual table.
    fn describe_module_table(&self, database: FileId, table: &str) -> Option<String> {
        let own = self.files[database].relations.iter().find(|id| self.checked[**id].table.eq_ignore_ascii_case(table));
        self.declared[*own?].cells.as_ref()?.of_module.clone()
    }
}

/// Returns what the statements that make a state change; `None` if the state is not the result of `after`.
fn find_earlier_changes(names: &TiVec<NameId, NameDecl<'_>>, base: &hir::Expr) -> Option<sql::Earlier> {
    match &base.kind {
        hir::ExprKind::Name(name) => match &names[*name].checked {
            Some(hir::NameSource::Compute(value)) => find_earlier_changes(names, value),
            _ => None,
        },
        hir::ExprKind::Call(_, args) => args.iter().find_map(|arg| match arg {
            hir::Arg::Sql(sql) => Some(sql.analysis.changed.clone()),
            _ => None,
        }),
        _ => None,
    }
}

/// The declaration that a name of a query refers to.
pub(super) enum Target {
    /// At this span.
    Declared(model::Span),
    /// The file with this name.
    File(String),
}

fn resolve_target(tables: &[SqlTable<'_>], meant: sql::NameTarget) -> Option<Target> {
    Some(match meant {
        sql::NameTarget::Table(table) => Target::Declared(tables.get(table)?.span),
        sql::NameTarget::Column(table, column) => Target::Declared(tables.get(table)?.columns.get(column)?.span),
        sql::NameTarget::Database(table) => Target::File(tables.get(table)?.database?.to_owned()),
    })
}

/// Lists the codes and spans of diagnostics.
fn list_diagnostic_places(said: &[Diagnostic]) -> Vec<(&'static str, model::Span)> {
    said.iter().map(|diagnostic| (diagnostic.code.id, diagnostic.primary.span)).collect()
}
