//! Messages on names in a query that mean nothing, or two things.

use model::Value;
use model::ddl::quote_name;
use sqlparser::ast::Ident;

use super::functions::ELSEWHERE;
use super::scope::{Frame, Relation};
use super::select::Analyser;
use super::{ParamKind, Query, SqlTable, build_refusal, is_same_name, parse};
use crate::ast::Span;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::suggest;

impl Analyser<'_> {
    fn report_name_error(&mut self, diagnostic: Diagnostic) {
        if self.quiet == 0 {
            self.meaning.names.push(diagnostic);
        }
    }

    /// A table in FROM that is not in scope. Gives the table that was meant, where that is certain, so that its columns are known.
    pub fn report_unknown_table(&mut self, parts: &[&Ident]) -> Option<usize> {
        let bytes = parts
            .first()
            .zip(parts.last())
            .map(|(first, last)| (parse::find_ident_bytes(first).0, parse::find_ident_bytes(last).1))?;
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

    /// `x.COLUMN` where nothing is called `x`.
    pub fn report_unknown_relation(&mut self, name: &Ident) {
        let span = self.query.to_span(parse::find_ident_bytes(name));
        let relations: Vec<(String, Option<usize>)> =
            self.frames.iter().rev().flat_map(|frame| &frame.relations).map(|r| (r.alias.clone(), r.table)).collect();
        let message = format!("`{}` is not a table of the query", name.value);
        let mut diagnostic =
            Diagnostic::new(Code::SQL_UNKNOWN_TABLE, message, span, "not in FROM").with_unknown_name(&name.value);
        let tables = self.query.request.tables;
        let aliased = relations.iter().find(|(alias, table)| {
            !is_same_name(alias, &name.value)
                && table.and_then(|index| tables.get(index)).is_some_and(|table| is_same_name(table.name, &name.value))
        });
        if let Some((alias, _)) = aliased {
            diagnostic = diagnostic.help(format!("the table has the alias `{alias}` here: write `{alias}.…`")).fix(
                format!("replace with `{alias}`"),
                Applicability::Safe,
                span,
                quote_name(alias),
            );
        } else if let Some((near, clear)) =
            suggest::best(&name.value, relations.iter().map(|(alias, _)| alias.as_str()))
        {
            diagnostic = suggest_replacement(diagnostic, &near, clear, span);
        } else if let Some(table) = tables.iter().find(|table| is_same_name(table.name, &name.value)) {
            diagnostic = diagnostic.help(format!("join it first: `JOIN {} ON …`", format_full_name(table)));
        } else {
            let names: Vec<&str> = relations.iter().map(|(alias, _)| alias.as_str()).collect();
            diagnostic = diagnostic.help(format!("FROM has {}", format_and_list(&names)));
        }
        self.report_name_error(diagnostic);
    }

    /// A column that nothing in scope has.
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
        relation.table.and_then(|table| self.query.request.tables.get(table)).is_some_and(|table| table.of_files)
    }

    /// SQLite's number of a row, where the rows are read from files.
    pub fn report_file_row_id(&mut self, name: &Ident, (frame, relation): (usize, usize)) {
        let relation = self.frames.get(frame).and_then(|frame| frame.relations.get(relation));
        let table = relation.and_then(|relation| self.query.request.tables.get(relation.table?));
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

    /// A column that several relations have.
    pub fn report_ambiguous_column(&mut self, name: &Ident, depth: usize, relations: &[usize]) {
        let span = self.query.to_span(parse::find_ident_bytes(name));
        let Some(frame) = self.frames.get(depth) else { return };
        let holding: Vec<_> = relations.iter().filter_map(|index| frame.relations.get(*index)).collect();
        let aliases: Vec<&str> = holding.iter().map(|relation| relation.alias.as_str()).collect();
        let message = format!("`{}` is ambiguous: a column of {}", name.value, format_and_list(&aliases));
        let mut diagnostic = Diagnostic::new(Code::AMBIGUOUS_NAME, message, span, "which one?");
        let written = quote_name(&name.value);
        let choices: Vec<String> = aliases.iter().map(|alias| format!("{}.{written}", quote_name(alias))).collect();
        diagnostic = diagnostic
            .help(format!("write {}", format_or_list(&choices.iter().map(String::as_str).collect::<Vec<_>>())));
        for choice in choices {
            diagnostic = diagnostic.fix(format!("replace with `{choice}`"), Applicability::Unsafe, span, choice);
        }
        for relation in holding {
            let column = relation.table.and_then(|index| self.query.request.tables.get(index)).and_then(|table| {
                table
                    .columns
                    .iter()
                    .find(|column| is_same_name(column.name, &name.value))
                    .map(|column| (table.name, column.span))
            });
            if let Some((table, place)) = column {
                diagnostic = diagnostic.label(place, format!("in `{table}`"));
            }
        }
        self.report_name_error(diagnostic);
    }

    /// ORDER BY after a set operation: only columns of the output can be named.
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
        let diagnostic = match suggest::best(&name.value, remove_duplicates(&columns)) {
            Some((near, clear)) => {
                let applicability = if clear { Applicability::Safe } else { Applicability::Unsafe };
                let help = format!("did you mean `{near}`?");
                diagnostic.help(help).fix(format!("replace with `{near}`"), applicability, span, quote_name(&near))
            }
            None => diagnostic.help(format!(
                "after UNION, INTERSECT, or EXCEPT, ORDER BY can only name columns of the output: {}",
                format_or_list(&remove_duplicates(&columns))
            )),
        };
        self.report_name_error(diagnostic);
    }

    /// A name of USING that one side lacks.
    pub fn report_missing_join_column(&mut self, name: &Ident, lacking: &[super::scope::Relation]) {
        let frame = Frame { relations: lacking.to_vec(), ..Frame::default() };
        let scope = Scope::from_frames(std::slice::from_ref(&frame), None, self.query.request.tables);
        let unknown = Unknown { name: &name.value, quoted: false, bare: false, bytes: parse::find_ident_bytes(name) };
        let diagnostic = describe_unknown_column(self.query, &unknown, &scope, None);
        self.report_name_error(
            diagnostic.help("a column of USING must be in both tables; where the names differ, write `ON a.X = b.Y`"),
        );
    }

    /// A function that the list does not have: SQLite is asked.
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
    match suggest::best(name, model::sqlite::functions::list_names()) {
        Some((near, clear)) => {
            let upper = name.chars().all(|c| !c.is_lowercase());
            let near = if upper { near.to_ascii_uppercase() } else { near };
            suggest_replacement(diagnostic, &near, clear, span)
        }
        None => diagnostic.help("https://sqlite.org/lang_corefunc.html and lang_aggfunc.html list the functions"),
    }
}

/// What is to be said of a table that is not there.
pub struct UnknownTable {
    pub diagnostic: Diagnostic,
    /// The table that is meant, if that is certain.
    pub meant: Option<usize>,
    /// It is there, but must be written with its database.
    pub qualify: bool,
}

/// A table that is not in scope, written as `written`.
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
            .label(table.span, format!("`{}` is declared here", table.name))
            .help(format!("write `{right}`"))
            .fix(format!("replace with `{right}`"), Applicability::Safe, span, right);
        return UnknownTable {
            diagnostic,
            meant: Some(*index),
            qualify: table.database.is_some() && database.is_none(),
        };
    }
    if database.is_none() && here.len() > 1 {
        let full: Vec<String> = here.iter().map(|(_, table)| format_full_name(table)).collect();
        let help = format!("write {}", format_or_list(&full.iter().map(String::as_str).collect::<Vec<_>>()));
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
            suggest::best(written, names.iter().map(String::as_str))
        }
        _ => suggest::best(name, names.iter().map(String::as_str)).or_else(|| {
            let (near, clear) = suggest::best(name, plain())?;
            let full = tables.iter().find(|table| table.name == near).map(format_full_name)?;
            Some((full, clear && plain().filter(|other| *other == near).count() == 1))
        }),
    };
    if let Some((near, clear)) = near {
        let meant = names.iter().position(|full| *full == near);
        let mut diagnostic = suggest_replacement(diagnostic, &near, clear, span);
        if let Some(table) = meant.and_then(|index| tables.get(index)) {
            diagnostic = diagnostic.label(table.span, format!("`{}` is declared here", table.name));
        }
        return UnknownTable { diagnostic, meant: meant.filter(|_| clear), qualify: false };
    }
    let help = if names.is_empty() {
        format!("{} has no table that SQL can read", query.describe_scope())
    } else {
        format!(
            "{} has {}",
            query.describe_scope(),
            format_and_list(&names.iter().map(String::as_str).collect::<Vec<_>>())
        )
    };
    UnknownTable { diagnostic: diagnostic.help(help), meant: None, qualify: false }
}

/// A name that is not a column.
pub struct Unknown<'n> {
    pub name: &'n str,
    /// In double quotes.
    pub quoted: bool,
    /// Without a table in front.
    pub bare: bool,
    pub bytes: (usize, usize),
}

/// A column that a query reaches.
pub struct Reachable {
    /// What the query calls its relation.
    pub relation: String,
    /// The table's own name; of a subquery, what the query calls it.
    pub table: String,
    pub column: String,
}

/// The columns that could be meant.
#[derive(Default)]
pub struct Scope {
    /// In the order of the query.
    pub columns: Vec<Reachable>,
    /// The tables of the request among the relations.
    pub tables: Vec<usize>,
    /// There are subqueries or tables of WITH among the relations.
    pub derived: bool,
}

impl Scope {
    /// The columns of these SELECTs, or of one relation of theirs.
    pub fn from_frames(frames: &[Frame], only: Option<&str>, tables: &[SqlTable<'_>]) -> Scope {
        let mut scope = Scope::default();
        for relation in frames.iter().rev().flat_map(|frame| &frame.relations) {
            if only.is_none_or(|only| is_same_name(only, &relation.alias)) {
                scope.tables.extend(relation.table);
                scope.derived |= relation.table.is_none();
                let table =
                    relation.table.and_then(|index| tables.get(index)).map_or(relation.alias.as_str(), |t| t.name);
                scope.columns.extend(relation.columns.iter().flatten().map(|column| Reachable {
                    relation: relation.alias.clone(),
                    table: table.to_owned(),
                    column: column.name.clone(),
                }));
            }
        }
        scope
    }
}

/// What is to be said of a column that is not there.
pub fn describe_unknown_column(
    query: &Query<'_>,
    unknown: &Unknown<'_>,
    scope: &Scope,
    compared: Option<(usize, usize)>,
) -> Diagnostic {
    let Unknown { name, quoted, bare, bytes } = *unknown;
    let span = query.to_span(bytes);
    let tables = query.request.tables;
    let error = |message: String, label: &str| {
        Diagnostic::new(Code::SQL_UNKNOWN_COLUMN, message, span, label).with_unknown_name(name)
    };
    let column = compared.and_then(|(table, column)| tables.get(table)?.columns.get(column));
    let listed = column
        .and_then(|column| column.closed.as_ref())
        .is_some_and(|closed| closed.iter().any(|value| matches!(value, Value::Text(text) if text == name)));
    let text = format!("'{}'", name.replace('\'', "''"));
    if bare && matches!((query.request.param)(name), ParamKind::Value { .. }) && !listed {
        return error(format!("in SQL, the value `{name}` of the task is written `:{name}`"), "without its colon")
            .help(format!("write `:{name}`"))
            .fix("insert the colon", Applicability::Safe, span, format!(":{name}"));
    }
    if listed && let Some(column) = column {
        let message = if quoted {
            format!("SQL reads `\"{name}\"` as a column name")
        } else {
            format!("SQL reads `{name}` as a column name")
        };
        return error(message, "no such column")
            .label(column.span, format!("a value of `{}`", column.name))
            .help(format!("write {text}"))
            .fix(format!("replace with {text}"), Applicability::Safe, span, text);
    }
    let helper = scope
        .tables
        .iter()
        .filter_map(|index| tables.get(*index))
        .find(|table| table.hidden.iter().any(|hidden| is_same_name(hidden, name)));
    if let Some(table) = helper {
        return error(format!("`{name}` is a helper column, which is not written"), "a helper")
            .label(table.span, format!("`{}` is declared here", table.name))
            .help("SQL can read columns whose names do not start with `_`");
    }
    let names: Vec<&str> = scope.columns.iter().map(|reached| reached.column.as_str()).collect();
    let mut diagnostic = error(describe_missing_column(scope, tables, name), "unknown column");
    for table in scope.tables.iter().filter_map(|index| tables.get(*index)).take(3) {
        if !diagnostic.secondary.iter().any(|label| label.span == table.span) {
            diagnostic = diagnostic.label(table.span, format!("`{}` is declared here", table.name));
        }
    }
    if let Some((spaced, end)) = find_spaced_name(query, name, bytes.0, &names) {
        let right = quote_name(spaced);
        let place = query.to_span((bytes.0, end));
        diagnostic.primary.span = place;
        return diagnostic.help(format!("write a name with a space in double quotes: {right}")).fix(
            format!("replace with {right}"),
            Applicability::Safe,
            place,
            right,
        );
    }
    let elsewhere = tables.iter().enumerate().find(|(index, table)| {
        !scope.derived
            && !scope.tables.contains(index)
            && table.columns.iter().any(|column| is_same_name(column.name, name))
    });
    let reached = scope.columns.iter().map(|reached| (reached.column.as_str(), reached.table.as_str()));
    // A guess is worth less than the table that really has the column.
    let near = suggest::best_column(name, reached).filter(|(_, clear)| *clear || elsewhere.is_none());
    if let Some((near, clear)) = near {
        // Without a table in front, a column of several would only be ambiguous.
        let clear = clear && (!bare || names.iter().filter(|other| is_same_name(other, &near)).count() == 1);
        let right = quote_name(&near);
        let help = if quoted {
            format!("did you mean {right}? (a text is written {text})")
        } else {
            format!("did you mean `{near}`?")
        };
        let applicability = if clear { Applicability::Safe } else { Applicability::Unsafe };
        let diagnostic = diagnostic.help(help).fix(format!("replace with `{near}`"), applicability, span, right);
        return if quoted {
            diagnostic.fix(format!("replace with {text}"), Applicability::Unsafe, span, text)
        } else {
            diagnostic
        };
    }
    if bare && quoted {
        return diagnostic.help(format!("double quotes are for names; a text is written {text}")).fix(
            format!("replace with {text}"),
            Applicability::Unsafe,
            span,
            text,
        );
    }
    if let Some((_, table)) = elsewhere {
        let table_name = format_full_name(table);
        return diagnostic
            .label(table.span, format!("`{}` has it", table.name))
            .help(format!("`{table_name}` has a column `{name}`: read it too, as in `JOIN {table_name} ON …`"));
    }
    if bare
        && let ParamKind::Unknown { suggestion: Some((near, true)) } = (query.request.param)(name)
        && names.is_empty()
    {
        return diagnostic.help(format!("did you mean `:{near}`?")).fix(
            format!("replace with `:{near}`"),
            Applicability::Unsafe,
            span,
            format!(":{near}"),
        );
    }
    // The name of an output is not a column of the rows that it is computed from.
    let named = query.tokens.windows(2).any(
        |pair| matches!(pair, [first, second] if first.is_keyword("AS") && second.is_name() && is_same_name(&second.to_unquoted(), name)),
    );
    if bare && named {
        return diagnostic.help(format!(
            "`{name}` names an output, which other outputs cannot use: repeat its expression, or compute it in a subquery in FROM"
        ));
    }
    let help = describe_columns(scope, &names);
    diagnostic.help(help)
}

fn describe_missing_column(scope: &Scope, tables: &[SqlTable<'_>], name: &str) -> String {
    let mut relations: Vec<&str> =
        scope.tables.iter().filter_map(|index| tables.get(*index)).map(|table| table.name).collect();
    if relations.is_empty() {
        relations = scope.columns.iter().map(|reached| reached.relation.as_str()).collect();
    }
    let relations = remove_duplicates(&relations);
    match relations.as_slice() {
        [] => format!("`{name}` is not a column: the query does not read a table"),
        [only] => format!("`{only}` has no column `{name}`"),
        several => format!("{} have no column `{name}`", format_and_list(several)),
    }
}

fn describe_columns(scope: &Scope, names: &[&str]) -> String {
    let relations =
        remove_duplicates(&scope.columns.iter().map(|reached| reached.relation.as_str()).collect::<Vec<_>>());
    match relations.as_slice() {
        [] => "add `FROM TABLE`, or write the value itself: text in single quotes, values of the task as `:name`"
            .to_owned(),
        [_] => format!("its columns are {}", format_and_list(names)),
        _ => format!("the columns are {}", format_and_list(&remove_duplicates(names))),
    }
}

/// `REG DT` for `"REG DT"`: the column whose name the words from here spell, and where they end.
pub fn find_spaced_name<'n>(
    query: &Query<'_>,
    name: &str,
    start: usize,
    names: &[&'n str],
) -> Option<(&'n str, usize)> {
    let (index, _) = query.find_token_at(start)?;
    let mut spelt = name.to_owned();
    for token in query.tokens.iter().skip(index + 1).take(4) {
        if !token.is_name() {
            break;
        }
        spelt = format!("{spelt} {}", token.text);
        if let Some(found) = names.iter().find(|other| is_same_name(other, &spelt)) {
            return Some((found, token.end()));
        }
    }
    None
}

/// How a table is written in this query.
pub fn format_full_name(table: &SqlTable<'_>) -> String {
    match table.database {
        Some(database) => format!("{}.{}", quote_name(database), quote_name(table.name)),
        None => quote_name(table.name),
    }
}

fn suggest_replacement(diagnostic: Diagnostic, near: &str, clear: bool, span: Span) -> Diagnostic {
    let applicability = if clear { Applicability::Safe } else { Applicability::Unsafe };
    diagnostic.help(format!("did you mean `{near}`?")).fix(format!("replace with `{near}`"), applicability, span, near)
}

fn remove_duplicates<'n>(names: &[&'n str]) -> Vec<&'n str> {
    let mut out: Vec<&str> = Vec::new();
    for name in names {
        if !out.contains(name) {
            out.push(name);
        }
    }
    out
}

/// `A, B and C`, at most a dozen.
pub fn format_and_list(names: &[&str]) -> String {
    join_names(names, "and")
}

fn format_or_list(names: &[&str]) -> String {
    join_names(names, "or")
}

fn join_names(names: &[&str], word: &str) -> String {
    let shown: Vec<String> = names.iter().take(12).map(|name| format!("`{name}`")).collect();
    if names.len() > shown.len() {
        return format!("{}, …", shown.join(", "));
    }
    match shown.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [all @ .., last] => format!("{} {word} {last}", all.join(", ")),
    }
}
