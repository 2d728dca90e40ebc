//! Messages on names in a query that mean nothing, or two things.

use model::ddl::quote_name;
use sqlparser::ast::Ident;

use super::analyser::Analyser;
use super::functions::ELSEWHERE;
use super::parse;
use super::request::{Query, SqlTable, is_same_name};
use super::scope::{Frame, Relation};
use super::unknown_columns::{Scope, Unknown, describe_unknown_column};
use super::wording::build_refusal;
use super::wording::{format_and_list, format_full_name, format_or_list, remove_duplicates};
use ::names as suggest;
use syntax::ast::Span;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl Analyser<'_> {
    fn report_name_error(&mut self, diagnostic: Diagnostic) {
        if self.quiet == 0 {
            self.meaning.names.push(diagnostic);
        }
    }

    /// Reports a table in FROM that is not in scope. Returns the table that was meant, if that is certain, to make its columns known.
    pub fn report_unknown_table(&mut self, parts: &[&Ident]) -> Option<usize> {
        let bytes = (parse::find_ident_bytes(parts.first()?).0, parse::find_ident_bytes(parts.last()?).1);
        let (table, database) = (parts.last()?, parts.first().filter(|_| parts.len() > 1));
        let written = self.query.slice_text(bytes).to_owned();
        let found = describe_unknown_table(
            self.query,
            &written,
            database.map(|name| name.value.as_str()),
            &table.value,
            self.query.to_span(bytes),
        );
        if self.quiet == 0 {
            // `sales` for `shop.sales` is SQL, but not the language.
            if found.qualify {
                self.meaning.certain.push(found.diagnostic)
            } else {
                self.meaning.names.push(found.diagnostic)
            }
        }
        found.meant
    }

    /// Reports `x.COLUMN` where nothing is called `x`.
    pub fn report_unknown_relation(&mut self, name: &Ident) {
        let span = self.query.to_span(parse::find_ident_bytes(name));
        let relations: Vec<&Relation> = self.frames.iter().rev().flat_map(|frame| &frame.relations).collect();
        let aliases: Vec<&str> = relations.iter().map(|relation| relation.alias.as_str()).collect();
        let message = format!("`{}` is not a table of the query", name.value);
        let mut diagnostic =
            Diagnostic::new(Code::SQL_UNKNOWN_TABLE, message, span, "not in FROM").with_unknown_name(&name.value);
        let aliased = relations.iter().find(|relation| {
            let table = relation.find_table(self.query.request);
            !is_same_name(&relation.alias, &name.value)
                && table.is_some_and(|table| is_same_name(table.name, &name.value))
        });
        if let Some(Relation { alias, .. }) = aliased {
            diagnostic = diagnostic.help(format!("the table has the alias `{alias}` here: write `{alias}.…`")).fix(
                format!("replace with `{alias}`"),
                Applicability::Safe,
                span,
                quote_name(alias),
            );
        } else if let Some((near, clear)) = suggest::find_best(&name.value, aliases.iter().copied()) {
            diagnostic = diagnostic.suggest(Applicability::from_clearness(clear), span, near);
        } else if let Some(table) = self.query.request.tables.iter().find(|table| is_same_name(table.name, &name.value))
        {
            diagnostic = diagnostic.help(format!("join it first: `JOIN {} ON …`", format_full_name(table)));
        } else {
            diagnostic = diagnostic.help(format!("FROM has {}", format_and_list(&aliases)));
        }
        self.report_name_error(diagnostic);
    }

    /// Reports a column that nothing in scope has.
    pub fn report_unknown_column(&mut self, parts: &[Ident], compared: Option<(usize, usize)>) {
        let Some(name) = parts.last() else { return };
        let bytes = parse::find_ident_bytes(name);
        let only =
            (parts.len() > 1).then(|| parts.get(parts.len() - 2)).flatten().map(|relation| relation.value.clone());
        let scope = Scope::from_frames(&self.frames, only.as_deref(), self.query.request.tables);
        let unknown =
            Unknown { name: &name.value, quoted: name.quote_style == Some('"'), bare: parts.len() == 1, bytes };
        let diagnostic = describe_unknown_column(self.query, &unknown, &scope, compared);
        self.report_name_error(diagnostic);
    }

    /// Whether the rows of a table are read from files.
    pub fn is_of_files(&self, relation: &Relation) -> bool {
        relation.find_table(self.query.request).is_some_and(|table| table.of_files)
    }

    /// Reports SQLite's number of a row, if the rows are read from files.
    pub fn report_file_row_id(&mut self, name: &Ident, (frame, relation): (usize, usize)) {
        let relation = self.frames.get(frame).and_then(|frame| frame.relations.get(relation));
        let table = relation.and_then(|relation| relation.find_table(self.query.request));
        let Some(table) = table.filter(|table| table.of_files) else { return };
        let span = self.query.to_span(parse::find_ident_bytes(name));
        let message = format!("`{}` says nothing of the rows of `{}`", name.value, format_full_name(table));
        let said = Diagnostic::new(Code::UNKNOWN_COLUMN, message, span, "SQLite's own number")
            .label(table.span, "read from files")
            .help("declare the number of the record in its file as a column: ROW = file.row");
        if self.quiet == 0 {
            self.meaning.certain.push(said);
        }
    }

    /// Reports a column that several relations have.
    pub fn report_ambiguous_column(&mut self, name: &Ident, depth: usize, relations: &[usize]) {
        let span = self.query.to_span(parse::find_ident_bytes(name));
        let Some(frame) = self.frames.get(depth) else { return };
        let holding: Vec<_> = relations.iter().filter_map(|index| frame.relations.get(*index)).collect();
        let aliases: Vec<&str> = holding.iter().map(|relation| relation.alias.as_str()).collect();
        let message = format!("`{}` is ambiguous: a column of {}", name.value, format_and_list(&aliases));
        let mut diagnostic = Diagnostic::new(Code::AMBIGUOUS_NAME, message, span, "which one?");
        let written = quote_name(&name.value);
        let choices: Vec<String> = aliases.iter().map(|alias| format!("{}.{written}", quote_name(alias))).collect();
        diagnostic = diagnostic.help(format!("write {}", format_or_list(&choices)));
        for choice in choices {
            diagnostic = diagnostic.replace(Applicability::Unsafe, span, choice);
        }
        for table in holding.into_iter().filter_map(|relation| relation.find_table(self.query.request)) {
            if let Some(column) = table.columns.iter().find(|column| is_same_name(column.name, &name.value)) {
                diagnostic = diagnostic.label(column.span, format!("in `{}`", table.name));
            }
        }
        self.report_name_error(diagnostic);
    }

    /// Reports a name in ORDER BY after a set operation, which can only name columns of the output.
    pub fn report_missing_output(&mut self, name: &Ident, output: &[String]) {
        let span = self.query.to_span(parse::find_ident_bytes(name));
        let diagnostic = Diagnostic::new(
            Code::SQL_UNKNOWN_COLUMN,
            format!("the output has no column `{}`", name.value),
            span,
            "unknown column",
        )
        .with_unknown_name(&name.value);
        let columns: Vec<&str> = output.iter().map(String::as_str).collect();
        let diagnostic = match suggest::find_best(&name.value, remove_duplicates(&columns)) {
            Some((near, clear)) => {
                let applicability = Applicability::from_clearness(clear);
                let help = format!("did you mean `{near}`?");
                diagnostic.help(help).fix(format!("replace with `{near}`"), applicability, span, quote_name(&near))
            }
            None => diagnostic.help(format!(
                "after UNION, INTERSECT, or EXCEPT, ORDER BY can only name columns of the output: {}",
                format_or_list(remove_duplicates(&columns))
            )),
        };
        self.report_name_error(diagnostic);
    }

    /// Reports a name of USING that one side lacks.
    pub fn report_missing_join_column(&mut self, name: &Ident, lacking: &[super::scope::Relation]) {
        let frame = Frame { relations: lacking.to_vec(), ..Frame::default() };
        let scope = Scope::from_frames(std::slice::from_ref(&frame), None, self.query.request.tables);
        let unknown = Unknown { name: &name.value, quoted: false, bare: false, bytes: parse::find_ident_bytes(name) };
        let diagnostic = describe_unknown_column(self.query, &unknown, &scope, None);
        self.report_name_error(
            diagnostic.help("a column of USING must be in both tables; where the names differ, write `ON a.X = b.Y`"),
        );
    }

    /// Reports a function that is not in the list, if SQLite does not have it either.
    pub fn report_unknown_function(&mut self, name: &Ident) {
        if self.quiet > 0 {
            return;
        }
        let sql = format!("SELECT {}()", quote_name(&name.value));
        let missing =
            self.query.sqlite.prepare_query(&[], &sql).is_err_and(|error| error.message.contains("no such function"));
        if missing {
            let diagnostic = describe_unknown_function(&name.value, self.query.to_span(parse::find_ident_bytes(name)));
            self.report_name_error(diagnostic);
        }
    }
}

/// `SQLite has no function …`
pub fn describe_unknown_function(name: &str, span: Span) -> Diagnostic {
    let diagnostic = build_refusal(format!("SQLite has no function `{name}`"), span, "unknown function");
    if let Some((_, instead)) = ELSEWHERE.iter().find(|(other, _)| is_same_name(other, name)) {
        return diagnostic.help(format!("in SQLite: {instead}"));
    }
    match suggest::find_best(name, model::sqlite::functions::list_names()) {
        Some((near, clear)) => {
            let upper = name.chars().all(|c| !c.is_lowercase());
            let near = if upper { near.to_ascii_uppercase() } else { near };
            diagnostic.suggest(Applicability::from_clearness(clear), span, near)
        }
        None => diagnostic.help("https://sqlite.org/lang_corefunc.html and lang_aggfunc.html list the functions"),
    }
}

/// The message on a table that does not exist.
pub struct UnknownTable {
    pub diagnostic: Diagnostic,
    /// The table that is meant, if certain.
    pub meant: Option<usize>,
    /// The table exists, but must be written with its database.
    pub qualify: bool,
}

/// Describes a table that is not in scope, written as `written`.
pub fn describe_unknown_table(
    query: &Query<'_>,
    written: &str,
    database: Option<&str>,
    name: &str,
    span: Span,
) -> UnknownTable {
    let tables = query.request.tables;
    let elsewhere = |table: &&SqlTable<'_>| {
        is_same_name(table.name, name) && database.is_none_or(|_| tables.iter().all(|t| t.database.is_none()))
    };
    let here: Vec<(usize, &SqlTable<'_>)> = tables.iter().enumerate().filter(|(_, table)| elsewhere(table)).collect();
    let error = |message: String, label: &str| {
        Diagnostic::new(Code::SQL_UNKNOWN_TABLE, message, span, label).with_unknown_name(name)
    };
    if let [(index, table)] = here.as_slice() {
        let right = format_full_name(table);
        let (message, label) = match (table.database, query.request.scope_name) {
            (Some(database), _) => {
                (format!("table `{name}` of database `{database}` is written `{right}` here"), "without its database")
            }
            (None, Some(scope)) => (
                format!("the query runs inside `{scope}`, where the table is written `{right}`"),
                "not a database of this query",
            ),
            (None, None) => (format!("`{right}` is not in a database here"), "not a database of this query"),
        };
        let diagnostic = error(message, label)
            .label_declaration(table.name, table.span)
            .help(format!("write `{right}`"))
            .replace(Applicability::Safe, span, right);
        return UnknownTable {
            diagnostic,
            meant: Some(*index),
            qualify: table.database.is_some() && database.is_none(),
        };
    }
    if database.is_none() && here.len() > 1 {
        let full: Vec<String> = here.iter().map(|(_, table)| format_full_name(table)).collect();
        let help = format!("write {}", format_or_list(&full));
        let mut diagnostic = error(format!("table `{name}` is in several databases"), "which one?").help(help);
        for (_, table) in here {
            diagnostic = diagnostic.label(table.span, format!("`{}`", format_full_name(table)));
        }
        return UnknownTable { diagnostic, meant: None, qualify: true };
    }
    let message = match query.request.scope_name {
        Some(scope) => format!("`{scope}` does not have a table `{written}`"),
        None => format!("the task does not have a table `{written}`"),
    };
    let diagnostic = error(message, "unknown table");
    let names: Vec<String> = tables.iter().map(format_full_name).collect();
    if query.request.non_sql_relations.iter().any(|other| is_same_name(other, name)) {
        let help = match query.request.scope_name {
            Some(scope) => format!(
                "`{name}` is in the task, but not in `{scope}`: a query over all relations of the task is written `<<value: SELECT …>>`"
            ),
            None => format!("`{name}` is in the task, but SQL cannot read it"),
        };
        return UnknownTable { diagnostic: diagnostic.help(help), meant: None, qualify: false };
    }
    // Compared in the form in which it is written.
    let plain = || tables.iter().map(|table| table.name);
    let near = match database {
        Some(database) if !query.request.scope_name.is_some_and(|scope| is_same_name(scope, database)) => {
            suggest::find_best(written, names.iter().map(String::as_str))
        }
        _ => suggest::find_best(name, names.iter().map(String::as_str)).or_else(|| {
            let (near, clear) = suggest::find_best(name, plain())?;
            let full = tables.iter().find(|table| table.name == near).map(format_full_name)?;
            Some((full, clear && plain().filter(|other| *other == near).count() == 1))
        }),
    };
    if let Some((near, clear)) = near {
        let meant = names.iter().position(|full| *full == near);
        let mut diagnostic = diagnostic.suggest(Applicability::from_clearness(clear), span, near);
        if let Some(table) = meant.and_then(|index| tables.get(index)) {
            diagnostic = diagnostic.label_declaration(table.name, table.span);
        }
        return UnknownTable { diagnostic, meant: meant.filter(|_| clear), qualify: false };
    }
    let help = if names.is_empty() {
        format!("{} has no table that SQL can read", query.describe_scope())
    } else {
        format!("{} has {}", query.describe_scope(), format_and_list(&names))
    };
    UnknownTable { diagnostic: diagnostic.help(help), meant: None, qualify: false }
}
