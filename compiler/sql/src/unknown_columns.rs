//! Messages on names in a query that are not columns.

use model::Value;
use model::ddl::quote_name;

use super::request::{ParamKind, Query, SqlTable, is_same_name};
use super::scope::Frame;
use super::wording::{format_and_list, format_full_name, remove_duplicates};
use ::names as suggest;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

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
    /// The table's own name; for a subquery, its name in the query.
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
    /// Whether subqueries or tables of WITH are among the relations.
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
                let table = relation.table.and_then(|index| tables.get(index));
                let table = table.map_or(relation.alias.as_str(), |table| table.name);
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

/// Describes a column that does not exist.
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
    let column = compared.and_then(|column| query.request.find_column(column));
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
            .label_declaration(table.name, table.span)
            .help("SQL can read columns whose names do not start with `_`");
    }
    let names: Vec<&str> = scope.columns.iter().map(|reached| reached.column.as_str()).collect();
    let mut diagnostic = error(describe_missing_column(scope, tables, name), "unknown column");
    for table in scope.tables.iter().filter_map(|index| tables.get(*index)).take(3) {
        if !diagnostic.secondary.iter().any(|label| label.span == table.span) {
            diagnostic = diagnostic.label_declaration(table.name, table.span);
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
    let near = suggest::find_best_column(name, reached).filter(|(_, clear)| *clear || elsewhere.is_none());
    if let Some((near, clear)) = near {
        // Without a table in front, a column of several would only be ambiguous.
        let clear = clear && (!bare || names.iter().filter(|other| is_same_name(other, &near)).count() == 1);
        let right = quote_name(&near);
        let help = if quoted {
            format!("did you mean {right}? (a text is written {text})")
        } else {
            format!("did you mean `{near}`?")
        };
        let applicability = Applicability::from_clearness(clear);
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
        return diagnostic.suggest(Applicability::Unsafe, span, format!(":{near}"));
    }
    // The name of an output is not a column of the rows that it is computed from.
    let named = query
        .tokens
        .windows(2)
        .any(|pair| matches!(pair, [first, second] if first.is_keyword("AS") && second.is_named(name)));
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
        _ => format!("the columns are {}", format_and_list(remove_duplicates(names))),
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
